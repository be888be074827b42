use chrono::{DateTime, Utc};

use super::{Failure, Logged, Stamp};

/// The columns of the events of a request, or of several, each a list.
#[derive(Default)]
pub(super) struct Columns {
    pub seqs: Vec<i32>,
    pub spans: Vec<i16>,
    pub statuses: Vec<i16>,
    pub awaits: Vec<i16>,
    pub dues: Vec<Option<DateTime<Utc>>>,
    pub heads: Vec<Vec<u8>>,
    pub bodies: Vec<String>,
    pub requests: Vec<Option<Vec<u8>>>,
    pub prints: Vec<Option<Vec<u8>>>,
}

impl Columns {
    /// The columns of these events, made by one request.
    ///
    /// # Errors
    ///
    /// [`Failure::Program`] for more than the columns can hold.
    pub(super) fn new(events: &[Logged], stamp: Option<Stamp>) -> Result<Self, Failure> {
        Ok(Self {
            seqs: events.iter().map(|event| number(event.seq)).collect::<Result<_, _>>()?,
            spans: spans(events)?,
            statuses: events.iter().map(|event| event.standing.status_number()).collect(),
            awaits: events.iter().map(|event| event.standing.awaits_number()).collect(),
            dues: events.iter().map(|event| event.standing.until).collect(),
            heads: events.iter().map(|event| event.head.to_vec()).collect(),
            bodies: events.iter().map(|event| event.body.clone()).collect(),
            requests: on_first(events, stamp.and_then(|stamp| stamp.request)),
            prints: on_first(events, stamp.map(|stamp| stamp.print)),
        })
    }

    /// Adds the events of another request.
    pub(super) fn append(&mut self, other: &mut Self) {
        self.seqs.append(&mut other.seqs);
        self.spans.append(&mut other.spans);
        self.statuses.append(&mut other.statuses);
        self.awaits.append(&mut other.awaits);
        self.dues.append(&mut other.dues);
        self.heads.append(&mut other.heads);
        self.bodies.append(&mut other.bodies);
        self.requests.append(&mut other.requests);
        self.prints.append(&mut other.prints);
    }
}

/// A version as its column holds it.
///
/// # Errors
///
/// [`Failure::Program`] where it is too large for it.
pub(super) fn number(version: u32) -> Result<i32, Failure> {
    i32::try_from(version).map_err(|_| Failure::Program("a log is longer than its numbers"))
}

/// The first event of a request tells how many there are; the others are its company.
fn spans(events: &[Logged]) -> Result<Vec<i16>, Failure> {
    let span = i16::try_from(events.len()).map_err(|_| Failure::Program("a move with too many events"))?;
    Ok(std::iter::once(span).chain(std::iter::repeat(0)).take(events.len()).collect())
}

/// What the request left stands on its first event, nothing on the others.
fn on_first(events: &[Logged], print: Option<[u8; 16]>) -> Vec<Option<Vec<u8>>> {
    let first = print.map(|print| print.to_vec());
    std::iter::once(first).chain(std::iter::repeat(None)).take(events.len()).collect()
}
