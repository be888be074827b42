use arrayvec::ArrayVec;
use chrono::{DateTime, Utc};

use super::{Failure, IdempotencyKey};
use engine::{Action, Awaiting, Seat, Status, Words as _};
use record::{GameStatus, Logged};

/// An event as its row holds it.
pub(super) struct EventRow {
    pub seq: i32,
    pub span: i16,
    pub status: i16,
    pub awaits: i16,
    pub due_at: Option<DateTime<Utc>>,
    pub head: Vec<u8>,
    pub body: String,
    pub request: Option<Vec<u8>>,
    pub fingerprint: Option<Vec<u8>>,
}

/// The columns of events of one request or of several, each a list.
#[derive(Default)]
pub(super) struct EventColumns {
    pub seqs: Vec<i32>,
    pub spans: Vec<i16>,
    pub statuses: Vec<i16>,
    pub awaits: Vec<i16>,
    pub dues: Vec<Option<DateTime<Utc>>>,
    pub heads: Vec<Vec<u8>>,
    pub bodies: Vec<String>,
    pub requests: Vec<Option<Vec<u8>>>,
    pub fingerprints: Vec<Option<Vec<u8>>>,
}

impl EventRow {
    /// The rows of these events, made by one request: the first tells how many there are and what
    /// the request left; the others are its company.
    pub(super) fn rows(events: &[Logged], stamp: Option<IdempotencyKey>) -> Result<Vec<Self>, Failure> {
        let all = i16::try_from(events.len()).map_err(|_| Failure::Program("a move with too many events"))?;
        let first = (all, stamp);
        let firsts = std::iter::once(first).chain(std::iter::repeat((0, None)));
        events.iter().zip(firsts).map(|(event, (span, stamp))| Self::new(event, span, stamp)).collect()
    }

    fn new(event: &Logged, span: i16, stamp: Option<IdempotencyKey>) -> Result<Self, Failure> {
        Ok(Self {
            seq: number(event.seq)?,
            span,
            status: status_number(event.standing.status),
            awaits: awaits_number(&event.standing),
            due_at: event.standing.until,
            head: event.head.to_vec(),
            body: event.body.clone(),
            request: stamp.and_then(|stamp| stamp.request).map(|request| request.to_vec()),
            fingerprint: stamp.map(|stamp| stamp.fingerprint.to_vec()),
        })
    }
}

impl Extend<EventRow> for EventColumns {
    fn extend<I: IntoIterator<Item = EventRow>>(&mut self, events: I) {
        for event in events {
            self.seqs.push(event.seq);
            self.spans.push(event.span);
            self.statuses.push(event.status);
            self.awaits.push(event.awaits);
            self.dues.push(event.due_at);
            self.heads.push(event.head);
            self.bodies.push(event.body);
            self.requests.push(event.request);
            self.fingerprints.push(event.fingerprint);
        }
    }
}

impl FromIterator<EventRow> for EventColumns {
    fn from_iter<I: IntoIterator<Item = EventRow>>(events: I) -> Self {
        let mut columns = Self::default();
        columns.extend(events);
        columns
    }
}

/// A version as its column holds it.
pub(super) fn number(version: u32) -> Result<i32, Failure> {
    i32::try_from(version).map_err(|_| Failure::Program("a log is longer than its numbers"))
}

/// Who owes what as its column holds it: seats in two bits (host 1, guest 2), the action in two, the
/// count in eight.
///
/// While a seat is free that is the joining. Whoever has the other seat owes a layout as well, unless the bit
/// above says that it is placed: what a release wrote in which nobody could place so early means the same.
fn awaits_number(standing: &GameStatus) -> i16 {
    let number = |awaited: &Awaiting| {
        seat_bit(awaited.seat) | (action_number(awaited.action) << 2) | (i16::from(awaited.count) << 4)
    };
    match (standing.status, &*standing.awaiting) {
        (Status::Waiting, [joining]) => number(joining) | PLACED,
        (Status::Waiting, [_, joining]) => number(joining),
        (_, awaiting) => awaiting.iter().map(number).fold(0, |all, one| all | one),
    }
}

/// The seat that is taken has placed while the other is free.
const PLACED: i16 = 1 << 12;

/// Reads back where a game stood.
pub(super) fn game_status(status: i16, awaits: i16, until: Option<DateTime<Utc>>) -> Option<GameStatus> {
    let status = Status::ALL.iter().copied().find(|known| status_number(*known) == status)?;
    let action = Action::ALL.iter().copied().find(|known| action_number(*known) == (awaits >> 2) & 3)?;
    let has_placed = status == Status::Waiting && awaits & PLACED != 0;
    let count = u8::try_from(if has_placed { awaits ^ PLACED } else { awaits } >> 4).ok()?;
    let owing = Seat::BOTH.into_iter().filter(|seat| awaits & seat_bit(*seat) != 0);
    let mut awaiting: ArrayVec<Awaiting, 2> = owing.map(|seat| Awaiting { seat, action, count }).collect();
    if let (Status::Waiting, false, [joining]) = (status, has_placed, &*awaiting) {
        let placing = Awaiting { seat: joining.seat.other(), action: Action::Place, count: 1 };
        awaiting.insert(0, placing);
    }
    Some(GameStatus { status, awaiting, until })
}

fn status_number(status: Status) -> i16 {
    match status {
        Status::Waiting => 0,
        Status::Placing => 1,
        Status::Battle => 2,
        Status::Finished => 3,
        Status::Aborted => 4,
    }
}

fn action_number(action: Action) -> i16 {
    match action {
        Action::Join => 0,
        Action::Place => 1,
        Action::Fire => 2,
        Action::Reveal => 3,
    }
}

fn seat_bit(seat: Seat) -> i16 {
    match seat {
        Seat::Host => 1,
        Seat::Guest => 2,
    }
}
