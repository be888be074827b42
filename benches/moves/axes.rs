//! What grows with what: each axis by a word after `--`.

use std::time::Duration;

use uuid::Uuid;

use crate::check::{check, check_stored};
use crate::course::{Course, Manner, Match, Window};
use crate::figures::{begin_table, median, micros_each, number, row, spread};
use crate::machine;
use crate::parts::{Bench, PAIRS, USUAL, told};
use crate::postgres::Age;
use crate::script::Kind;
use crate::streams::Streams;
use crate::wire;

/// How many games are stored.
const STORED: [u32; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// How many games are played in turn beside those that are stored.
pub(crate) const ACTIVE: u32 = 10_000;

/// How many games are played to the end, to be copied.
const MODELS: usize = 100;

/// Events of a game before the moves that are measured.
const LENGTHS: [u32; 3] = [10, 100, 400];

/// Games of each length.
const OF_EACH_LENGTH: u32 = 4_000;

/// Connections that make a server need the most memory.
const CROWD: u32 = 256;

/// Connections at a time.
const CONNECTIONS: [u32; 9] = [1, 2, 4, 8, 16, 32, 64, 128, CROWD];

/// Servers on one Postgres, and what is told to each beside the usual: how many threads it has, one
/// a core if nothing is said.
const REPLICAS: [(usize, &[(&str, &str)]); 4] = [(1, &[]), (2, &[]), (4, &[]), (2, &[("NAVAL_BATTLE_WORKERS", "1")])];

/// How often a game is looked at before each move.
const LOOKS: [u32; 4] = [0, 1, 4, 19];

/// Streams of events that are open.
const STREAMS: [usize; 4] = [0, 100, 1_000, 4_000];

/// Over so many games they are spread, all of which are played.
const STREAMED: usize = 200;

/// Each move in another game than the one before.
pub(crate) const IN_TURN: Manner = Manner { connections: USUAL, keys: false, arrivals: None, rotates: true, looks: 0 };

impl Bench {
    /// Many games in the database beside those that are played; at most `most` of them.
    pub(crate) async fn stored(&self, most: u32) {
        let (mut few, mut many) = (self.active().await, self.active().await);
        store(&mut few, STORED[0]).await;
        begin_table(&format!("Stored games, beside {ACTIVE} newer ones that are played in turn"));
        let mut stored = 0;
        for count in STORED.into_iter().filter(|count| *count <= most) {
            store(&mut many, count - stored).await;
            stored = count;
            let rounds = self.in_turn(&mut [&mut few, &mut many], self.unit * 4).await;
            let [few, many_windows] = &rounds[..] else { panic!("two courses") };
            let size = many.postgres.number("select pg_database_size(current_database()) >> 20").await;
            tell_ratio(&format!("{count} games ({size} MB) ÷ {} games", STORED[0]), many_windows, few);
            let window = many.run(Manner { connections: CROWD, ..IN_TURN }, self.unit * 5).await;
            told(&format!("  fires, {count} games, {CROWD} connections"), &window);
            tell_memory(&window);
        }
        for course in [few, many] {
            finish_copies(course).await;
        }
    }

    /// Games of different lengths.
    pub(crate) async fn length(&self) {
        let mut courses = Vec::new();
        for length in LENGTHS {
            let mut course = self.course(1, Kind::Long).await;
            course.stock_up(1).await;
            let mut model = course.stock.pop_front().expect("a game was set up");
            let seats = model.seats(&course.client());
            while model.version() < length {
                model.step(&seats).await;
            }
            course.stock = copies(&mut course, &model, OF_EACH_LENGTH).await.into();
            course.postgres.run("vacuum analyze").await;
            courses.push(course);
        }
        begin_table(&format!("Length of a game, 15×15, {OF_EACH_LENGTH} games of each in turn"));
        let rounds = self.in_turn(&mut courses.iter_mut().collect::<Vec<_>>(), self.unit * 3).await;
        for (length, windows) in LENGTHS.iter().zip(&rounds) {
            tell_ratio(&format!("games of {length} ÷ of {} events", LENGTHS[0]), windows, &rounds[0]);
        }
        for course in courses {
            finish_copies(course).await;
        }
    }

    /// More and more connections.
    pub(crate) async fn connections(&self) {
        let mut course = self.course(1, Kind::Usual).await;
        begin_table("Connections, one game on each");
        for connections in CONNECTIONS {
            let window = course.run(Manner::closed(connections), self.unit * 5).await;
            told(&format!("fires, {connections} connections"), &window);
            tell_memory(&window);
        }
        finish(course).await;
    }

    /// More servers on one Postgres.
    pub(crate) async fn replicas(&self) {
        let mut courses = Vec::new();
        for (replicas, further) in REPLICAS {
            courses.push(self.course_with(replicas, Kind::Usual, further).await);
        }
        begin_table("Servers on one Postgres, every game played on all of them");
        let rounds = self.in_turn(&mut courses.iter_mut().collect::<Vec<_>>(), self.unit * 4).await;
        for ((replicas, further), windows) in REPLICAS.iter().zip(&rounds) {
            let told: Vec<String> = further.iter().map(|(name, value)| format!(" with {name}={value}")).collect();
            tell_ratio(&format!("{replicas} servers{} ÷ {}", told.concat(), REPLICAS[0].0), windows, &rounds[0]);
        }
        for course in courses {
            finish(course).await;
        }
    }

    /// Looks between the moves.
    pub(crate) async fn looks(&self) {
        let mut course = self.course(1, Kind::Usual).await;
        begin_table(&format!("Share of reads, {USUAL} connections"));
        for looks in LOOKS {
            let window = course.run(Manner { looks, ..Manner::closed(USUAL) }, self.unit * 5).await;
            let requests = window.moves * f64::from(looks + 1);
            let share = f64::from(looks) / f64::from(looks + 1) * 100.0;
            let server = micros_each(window.spent.server, requests);
            let postgres = micros_each(window.spent.postgres, requests);
            let rate = requests / window.spent.elapsed.as_secs_f64();
            let latencies = window.told_latencies();
            let measured =
                format!("**{rate:.0}/s**, server {server:.0} + Postgres {postgres:.0} µs each; fires {latencies}");
            row(&format!("requests, {share:.0} % looks"), &measured, &window.spent.others());
        }
        finish(course).await;
    }

    /// Salvo on the largest grid.
    pub(crate) async fn salvo(&self) {
        begin_table(&format!("Volleys, {USUAL} connections"));
        for (what, kind) in [("10×10, one shot", Kind::Usual), ("15×15, Salvo", Kind::Salvo)] {
            let mut course = self.course(1, kind).await;
            let window = course.run(Manner::closed(USUAL), self.unit * 6).await;
            told(&format!("fires, {what}"), &window);
            self.tell_written("without", &window);
            let bytes = wire::count(&mut course, false).await;
            row("  bytes on the wire", &format!("{:.0} B there, {:.0} B back", bytes.there, bytes.back), "–");
            finish(course).await;
        }
    }

    /// Streams of the games that are played.
    pub(crate) async fn streams(&self) {
        let files = machine::raise_file_limit();
        begin_table(&format!("Streams open, spread over {STREAMED} games that are played in turn"));
        for count in STREAMS.into_iter().filter(|count| count + 500 < files) {
            let mut course = self.course(1, Kind::Long).await;
            course.stock_up(STREAMED).await;
            let open = Streams::open(&course, count).await;
            let window = course.run(IN_TURN, self.unit * 5).await;
            let each = number(count) / number(STREAMED);
            told(&format!("fires, {count} streams ({each:.1} on each game)"), &window);
            tell_memory(&window);
            let events = open.await_all(&course).await;
            row("  events that came on the streams, none missing", &events.to_string(), "–");
            finish(course).await;
        }
    }

    /// A course with many games under way, and some played to the end.
    pub(crate) async fn active(&self) -> Course {
        let mut course = self.course(1, Kind::Usual).await;
        course.stock_up(MODELS).await;
        course.finish(Manner::closed(USUAL)).await;
        course.stock_up(20).await;
        let mut all = Vec::new();
        for model in std::mem::take(&mut course.stock) {
            all.extend(copies(&mut course, &model, ACTIVE / 20).await);
        }
        course.stock = all.into();
        course
    }

    /// Measures several courses in turn, several times.
    async fn in_turn(&self, courses: &mut [&mut Course], time: Duration) -> Vec<Vec<Window>> {
        let mut windows: Vec<Vec<Window>> = courses.iter().map(|_| Vec::new()).collect();
        for _ in 0..PAIRS {
            for (course, windows) in courses.iter_mut().zip(&mut windows) {
                windows.push(course.run(IN_TURN, time).await);
            }
        }
        windows
    }
}

/// Stores so many copies of the games that were played to the end.
async fn store(course: &mut Course, count: u32) {
    let models: Vec<Uuid> = course.over.iter().take(MODELS).map(Match::uuid).collect();
    let each = count / u32::try_from(MODELS).expect("few");
    for model in models {
        course.postgres.copy(model, each, Age::Old).await;
    }
    course.postgres.run("vacuum analyze").await;
}

/// So many copies of a game that goes on, to be played like it.
async fn copies(course: &mut Course, model: &Match, count: u32) -> Vec<Match> {
    let ids = course.postgres.copy(model.uuid(), count, Age::New).await;
    ids.into_iter().map(|id| model.copied_as(id.to_string())).collect()
}

/// Prints how some measurements compare with those made in turn with them.
fn tell_ratio(what: &str, windows: &[Window], others: &[Window]) {
    let ratio = |figure: &dyn Fn(&Window) -> f64| {
        spread(windows.iter().zip(others).map(|(window, other)| figure(window) / figure(other)).collect())
    };
    let middle = |figure: &dyn Fn(&Window) -> f64| median(&windows.iter().map(figure).collect::<Vec<_>>());
    let server = |window: &Window| micros_each(window.spent.server, window.fires);
    let postgres = |window: &Window| micros_each(window.spent.postgres, window.fires);
    let cpu = |window: &Window| server(window) + postgres(window);
    let p99 = |window: &Window| window.latency(990);
    let foreign = format!("{:.0} %", middle(&|window| window.spent.foreign) * 100.0);
    let measured = format!("fires/s **{}**, p99 **{}**, CPU **{}**", ratio(&Window::rate), ratio(&p99), ratio(&cpu));
    row(what, &measured, &foreign);
    let (memory, _) = windows.last().expect("it was measured").memory;
    let measured = format!(
        "{:.0}/s, p99 {:.2} ms, server {:.0} + Postgres {:.0} µs, RSS {memory:.1} MB",
        middle(&Window::rate),
        middle(&p99),
        middle(&server),
        middle(&postgres)
    );
    row("  fires/s, p99, CPU, memory of the servers", &measured, &foreign);
}

/// Prints what memory the server took while all connections were open.
fn tell_memory(window: &Window) {
    let (now, most) = window.memory;
    row("  RSS of the server", &format!("{now:.1} MB, at most {most:.1} MB"), "–");
}

/// Checks all games of a course and ends it.
async fn finish(mut course: Course) {
    let checked = check(&mut course).await;
    row("  checked", &checked.told(), "–");
    course.postgres.close().await;
}

/// Checks a course with copied games and ends it. What a copy was committed to names another game,
/// so only the rows of its log are checked.
pub(crate) async fn finish_copies(mut course: Course) {
    let (games, events) = check_stored(&mut course).await;
    row("  checked", &format!("{games} games: all {events} acknowledged events are stored; no 5xx"), "–");
    course.postgres.close().await;
}
