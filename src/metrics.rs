//! What is counted while the server runs, in the forms that Prometheus reads.
//!
//! No label grows with games or users, and none tells an outcome or a fault: on a quiet server it
//! would tell one player what the other tries.

use std::collections::HashSet;
use std::fmt;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

/// The counts of one server.
pub struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    latency: Family<RouteLabel, Histogram, fn() -> Histogram>,
    moves: Family<TypeLabel, Counter>,
    games: Family<StatusLabel, Counter>,
    streams: Gauge,
    unreadable: Counter,
    clients: Gauge,
    places: Gauge,
    refused: Family<ShareLabel, Counter>,
    connections: Family<StateLabel, Gauge<u64, AtomicU64>>,
    batches: Family<StepLabel, Histogram, fn() -> Histogram>,
    outages: Counter<f64, AtomicU64>,
    embedded_restarts: Counter,
    oldest_due: Family<KindLabel, Gauge<f64, AtomicU64>>,
    bytes: Family<TableLabel, Gauge<f64, AtomicU64>>,
}

/// The tables whose bytes are told.
pub const TABLES: [&str; 8] =
    ["games", "events", "archives", "layouts", "creations", "rematch_requests", "lobby", "timers"];

/// For how many seconds the oldest timer of each kind has been due.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OldestDue {
    /// Of those that end games.
    pub clocks: f64,
    /// Of those that lead to games that may be packed.
    pub packing: f64,
    /// Of games that were kept for long enough.
    pub deleting: f64,
}

impl OldestDue {
    /// Nobody knows.
    const UNKNOWN: Self = Self { clocks: f64::NAN, packing: f64::NAN, deleting: f64::NAN };
}

/// A table with its bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableSize {
    /// Its name.
    pub table: String,
    /// What it takes on the disk, with its indexes and what lies beside its rows.
    pub bytes: i64,
}

/// The connections to Postgres.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Connections {
    /// Those that a request holds.
    pub busy: u64,
    /// Those that wait for one.
    pub idle: u64,
}

/// The lines of the log that nobody took.
#[derive(Clone, Default, Debug)]
pub struct DroppedLines(Counter);

/// In which of its two forms Prometheus reads counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// The text format 0.0.4, which every reader takes.
    Classic,
    /// OpenMetrics 1.0.0.
    OpenMetrics,
}

/// A stream that is open; it is counted until it is dropped.
pub struct OpenStream(Gauge);

/// A connection of a client, or a place at the database; it is counted until it is dropped.
pub struct Held(Gauge);

/// What one address or one game may have no more than its share of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Share {
    /// Connections to this server.
    Connections,
    /// Places for work at the database.
    Places,
    /// Streams and waits. A stream that made room for a newer one of its address counts too.
    Followers,
    /// Requests that wait for their turn at one game.
    Turns,
}

impl Share {
    fn word(self) -> &'static str {
        match self {
            Self::Connections => "connections",
            Self::Places => "places",
            Self::Followers => "followers",
            Self::Turns => "turns",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct RequestLabels {
    method: &'static str,
    route: String,
    status: u16,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct RouteLabel {
    route: String,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct TypeLabel {
    r#type: &'static str,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct StatusLabel {
    status: &'static str,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct StateLabel {
    state: &'static str,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct ShareLabel {
    share: &'static str,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct StepLabel {
    step: &'static str,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct KindLabel {
    kind: &'static str,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct TableLabel {
    table: &'static str,
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new(&DroppedLines::default())
    }
}

impl Metrics {
    /// Counts with those of the log.
    pub fn new(dropped: &DroppedLines) -> Self {
        let mut registry = Registry::with_prefix("naval_battle");
        let (requests, moves, games) = (Family::default(), Family::default(), Family::default());
        let (streams, connections, unreadable) = (Gauge::default(), Family::default(), Counter::default());
        let histogram: fn() -> Histogram = histogram;
        let latency = Family::new_with_constructor(histogram);
        registry.register("requests", "Requests answered, by the route's pattern", requests.clone());
        registry.register_with_unit(
            "request_duration",
            "Time until the reply began, by the route's pattern",
            Unit::Seconds,
            latency.clone(),
        );
        registry.register("moves", "Events that this server wrote, by their type", moves.clone());
        registry.register("games", "Games that this server brought to a status", games.clone());
        registry.register("streams", "Streams of events that are open", streams.clone());
        let (clients, places, refused) = (Gauge::default(), Gauge::default(), Family::default());
        registry.register("client_connections", "Connections of clients that are open", clients.clone());
        registry.register("database_places", "Requests that work at the database", places.clone());
        registry.register("refused", "What was turned away for being more than a share", refused.clone());
        registry.register("connections", "Connections to Postgres that requests share", connections.clone());
        registry.register("unreadable_requests", "What came in place of a request of HTTP", unreadable.clone());
        registry.register("dropped_log_lines", "Lines of the log that nobody took in time", dropped.0.clone());
        let sizes: fn() -> Histogram = sizes;
        let batches = Family::new_with_constructor(sizes);
        registry.register("batch_moves", "Moves that shared a statement, by what it did", batches.clone());
        let outages = Counter::default();
        registry.register_with_unit(
            "outage",
            "Time in which nobody could act, as this server found when it reached the database again",
            Unit::Seconds,
            outages.clone(),
        );
        let embedded_restarts = Counter::default();
        let help = "Times that the embedded Postgres had ended, or its owner had left, and was brought back";
        registry.register("embedded_restarts", help, embedded_restarts.clone());
        let (oldest_due, bytes) = (Family::default(), Family::default());
        registry.register_with_unit(
            "oldest_due",
            "For how long the oldest timer has been due, by what it is for; NaN where that is not known",
            Unit::Seconds,
            oldest_due.clone(),
        );
        registry.register_with_unit(
            "table_size",
            "What a table takes on the disk with its indexes; NaN where that is not known",
            Unit::Bytes,
            bytes.clone(),
        );
        let metrics = Self {
            registry,
            requests,
            latency,
            moves,
            games,
            streams,
            unreadable,
            clients,
            places,
            refused,
            connections,
            batches,
            outages,
            embedded_restarts,
            oldest_due,
            bytes,
        };
        // Told from the first moment on, so that what grows later is seen to grow.
        for share in [Share::Connections, Share::Places, Share::Followers, Share::Turns] {
            drop(metrics.refused.get_or_create(&ShareLabel { share: share.word() }));
        }
        for step in ["load", "write"] {
            drop(metrics.batches.get_or_create(&StepLabel { step }));
        }
        metrics.is_due(None);
        metrics.takes(None);
        metrics
    }

    /// A request was answered. A method of which there is no such one counts as `other`.
    pub fn answered(&self, method: &str, route: &str, status: u16, after: Duration) {
        let method = ["GET", "HEAD", "POST", "OPTIONS"].into_iter().find(|known| *known == method).unwrap_or("other");
        let route = route.to_owned();
        self.requests.get_or_create(&RequestLabels { method, route: route.clone(), status }).inc();
        self.latency.get_or_create(&RouteLabel { route }).observe(after.as_secs_f64());
    }

    /// An event of this type was written.
    pub fn moved(&self, kind: &'static str) {
        self.moves.get_or_create(&TypeLabel { r#type: kind }).inc();
    }

    /// A game came to this status.
    pub fn came_to(&self, status: &'static str) {
        self.games.get_or_create(&StatusLabel { status }).inc();
    }

    /// So many moves shared a statement that did this.
    pub fn batched(&self, step: &'static str, moves: usize) {
        let moves = u32::try_from(moves).unwrap_or(u32::MAX);
        self.batches.get_or_create(&StepLabel { step }).observe(moves.into());
    }

    /// For so long nobody could act.
    pub fn lost(&self, time: Duration) {
        self.outages.inc_by(time.as_secs_f64());
    }

    /// Something came that is no request of HTTP.
    pub fn came_unreadable(&self) {
        self.unreadable.inc();
    }

    /// The embedded Postgres had ended and runs again.
    pub fn embedded_restarted(&self) {
        self.embedded_restarts.inc();
    }

    /// For how long the oldest timers have been due; none where nobody knows.
    pub fn is_due(&self, oldest: Option<OldestDue>) {
        let OldestDue { clocks, packing, deleting } = oldest.unwrap_or(OldestDue::UNKNOWN);
        for (kind, seconds) in [("clocks", clocks), ("packing", packing), ("deleting", deleting)] {
            self.oldest_due.get_or_create(&KindLabel { kind }).set(seconds);
        }
    }

    /// What the tables take on the disk; none where nobody knows.
    pub fn takes(&self, sizes: Option<&[TableSize]>) {
        for table in TABLES {
            let size = sizes.unwrap_or_default().iter().find(|size| size.table == table);
            let bytes = size.and_then(|size| u64::try_from(size.bytes).ok()).map_or(f64::NAN, in_floating_point);
            self.bytes.get_or_create(&TableLabel { table }).set(bytes);
        }
    }

    /// A stream is opened.
    pub fn open_stream(&self) -> OpenStream {
        self.streams.inc();
        OpenStream(self.streams.clone())
    }

    /// A client has connected.
    pub fn hold_connection(&self) -> Held {
        Held::new(&self.clients)
    }

    /// A request works at the database.
    pub fn hold_place(&self) -> Held {
        Held::new(&self.places)
    }

    /// Something was turned away for being more than a share.
    pub fn refused(&self, share: Share) {
        self.refused.get_or_create(&ShareLabel { share: share.word() }).inc();
    }

    /// All counts as text, with the connections of this moment.
    ///
    /// # Errors
    ///
    /// Those of the writer, which has no reason to give one here.
    pub fn write(&self, form: Form, connections: Connections) -> Result<String, fmt::Error> {
        for (state, count) in [("busy", connections.busy), ("idle", connections.idle)] {
            self.connections.get_or_create(&StateLabel { state }).set(count);
        }
        let mut page = String::new();
        text::encode(&mut page, &self.registry)?;
        Ok(match form {
            Form::Classic => classic(&page),
            Form::OpenMetrics => page,
        })
    }
}

/// The classic form of a page of OpenMetrics. There a counter is called by the name of its series, nothing tells a unit,
/// and nothing marks the end.
fn classic(page: &str) -> String {
    let counter = |line: &str| Some(line.strip_prefix("# TYPE ")?.strip_suffix(" counter")?.to_owned());
    let counters: HashSet<String> = page.lines().filter_map(counter).collect();
    let mut written = String::with_capacity(page.len());
    for line in page.lines() {
        let mut words = line.splitn(4, ' ');
        match (words.next(), words.next(), words.next(), words.next()) {
            (Some("#"), Some("EOF" | "UNIT"), _, _) => continue,
            (Some("#"), Some(what), Some(name), Some(rest)) if counters.contains(name) => {
                written.extend(["# ", what, " ", name, "_total ", rest]);
            }
            _ => written.push_str(line),
        }
        written.push('\n');
    }
    written
}

/// A count in the form of gauges, exact up to 2⁵³.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "a gauge of bytes may be rounded")]
fn in_floating_point(count: u64) -> f64 {
    count as f64
}

/// From half a millisecond to half a minute, the longest that a request may wait.
fn histogram() -> Histogram {
    Histogram::new(exponential_buckets(0.0005, 2.0, 17))
}

/// From one move to the most that share a statement.
fn sizes() -> Histogram {
    Histogram::new(exponential_buckets(1.0, 2.0, 7))
}

impl DroppedLines {
    /// So many more were dropped.
    pub fn add(&self, lines: u64) {
        self.0.inc_by(lines);
    }

    /// How many were dropped so far.
    pub fn count(&self) -> u64 {
        self.0.get()
    }
}

impl Held {
    fn new(gauge: &Gauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Metrics").finish_non_exhaustive()
    }
}
