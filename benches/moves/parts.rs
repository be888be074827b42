//! The parts of a run.

use std::path::PathBuf;
use std::time::Duration;

use crate::check::check;
use crate::course::{BEFORE_BATTLE, Course, Manner, Window};
use crate::figures::{begin_table, median, micros_each, number, row, spread};
use crate::limit::{Limit, Load};
use crate::postgres::{Size, binaries, written};
use crate::script::{Deed, Kind};
use crate::wire;
use ground::cluster::Cluster;

/// How many times two things are measured in turn.
pub(crate) const PAIRS: usize = 6;

/// Connections of the usual measurement.
pub(crate) const USUAL: u32 = 8;

/// Games whose bytes on the disk are looked at.
const KEPT: usize = 1_000;

/// A Postgres of its own, and how long a second of measuring is.
pub(crate) struct Bench {
    pub(crate) cluster: Cluster,
    pub(crate) unit: Duration,
}

impl Bench {
    /// What a move costs.
    pub(crate) async fn moves(&self) {
        let mut course = self.course(1, Kind::Usual).await;
        begin_table("A move");
        let usual = Manner::closed(USUAL);
        let closed = course.run(usual, self.unit * 10).await;
        let what = format!("fires, {USUAL} connections, one after the other on each");
        told(&what, &closed);
        let half = Manner { arrivals: Some(closed.moves / closed.spent.elapsed.as_secs_f64() / 2.0), ..usual };
        let open = course.run(half, self.unit * 10).await;
        told("fires arriving at half that rate, from when they were due", &open);
        let keyed = course.run(Manner { keys: true, ..usual }, self.unit * 6).await;
        told("fires with an `Idempotency-Key`", &keyed);
        for (what, window) in [("without", &closed), ("with", &keyed)] {
            self.tell_written(what, window);
        }
        for keys in [false, true] {
            let bytes = wire::count(&mut course, keys).await;
            let what = if keys { "with" } else { "without" };
            let measured = format!("{:.0} B there, {:.0} B back", bytes.there, bytes.back);
            row(&format!("bytes on the wire per move, {what} a key"), &measured, "–");
        }
        let [before, after] = &closed.readings;
        let (updates, hot) = (after.updates - before.updates, after.hot - before.hot);
        let share = format!("{:.2} % of {updates}", share(hot, updates) * 100.0);
        row("HOT share of the updates of games", &share, &closed.spent.others());
        for connections in [64, 256] {
            let window = course.run(Manner::closed(connections), self.unit * 6).await;
            told(&format!("fires, {connections} connections"), &window);
            let (now, most) = window.memory;
            let what = format!("RSS of the server with {connections} connections open");
            row(&what, &format!("{now:.1} MB, at most {most:.1} MB"), &window.spent.others());
        }
        let checked = check(&mut course).await;
        row("checked", &checked.told(), "–");
        course.postgres.close().await;
        self.logging().await;
    }

    /// What a line in the log for each request costs.
    async fn logging(&self) {
        let mut course = self.course_with(1, Kind::Usual, &[("RUST_LOG", "info")]).await;
        let window = course.run(Manner::closed(USUAL), self.unit * 5).await;
        told(&format!("fires, {USUAL} connections, each with its line in the log"), &window);
        course.postgres.close().await;
    }

    /// How near moves come to what Postgres can do at most.
    pub(crate) async fn limit(&self) {
        let mut course = self.course(1, Kind::Usual).await;
        course.run(Manner::closed(USUAL), self.unit * 2).await;
        self.some_over(&mut course).await;
        let mut limit = Limit::new(&mut course, &self.binaries()).await;
        begin_table("Beside pgbench with the same statements");
        for connections in [USUAL, 64] {
            let seconds = self.seconds(if connections == USUAL { 4 } else { 5 });
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            for _ in 0..PAIRS {
                ours.push(course.run(Manner::closed(connections), Duration::from_secs(seconds.into())).await);
                theirs.push(limit.run(&mut course, Load::Moves, connections, seconds).await);
            }
            let ratios = ours.iter().zip(&theirs).map(|(ours, theirs)| ours.rate() / theirs.rate).collect();
            let others: Vec<f64> = ours.iter().map(|window| window.spent.foreign).collect();
            let other_side: Vec<f64> = theirs.iter().map(|ran| ran.spent.foreign).collect();
            let others = format!("{:.0} %, {:.0} %", median(&others) * 100.0, median(&other_side) * 100.0);
            let what = format!("fires ÷ pgbench, {connections} connections, {PAIRS} pairs");
            row(&what, &spread(ratios), &others);
            let rates = |rates: Vec<f64>| format!("{:.0}", median(&rates));
            let ours_rate = rates(ours.iter().map(Window::rate).collect());
            let their_rate = rates(theirs.iter().map(|ran| ran.rate).collect());
            row("  fires/s, transactions/s", &format!("{ours_rate}, {their_rate}"), &others);
            let cpu = |figures: Vec<f64>| format!("{:.0} µs", median(&figures));
            let server = cpu(ours.iter().map(|window| micros_each(window.spent.server, window.fires)).collect());
            let client = cpu(ours.iter().map(|window| micros_each(window.spent.client, window.fires)).collect());
            let postgres = cpu(ours.iter().map(|window| micros_each(window.spent.postgres, window.fires)).collect());
            let bare = cpu(theirs.iter().map(|ran| micros_each(ran.spent.postgres, ran.count)).collect());
            let measured = format!("server {server}, Postgres {postgres}, client {client}; pgbench's Postgres {bare}");
            row("  CPU per fire", &measured, &others);
        }
        let checked = check(&mut course).await;
        row("checked", &checked.told(), "–");
        course.postgres.close().await;
    }

    /// How near reading a game comes to what Postgres can do at most.
    pub(crate) async fn reads(&self) {
        let mut course = self.course(1, Kind::Usual).await;
        course.run(Manner::closed(USUAL), self.unit * 2).await;
        self.some_over(&mut course).await;
        let mut limit = Limit::new(&mut course, &self.binaries()).await;
        begin_table("Reading a game");
        let connections = usize::try_from(USUAL).expect("few");
        let seconds = self.seconds(3);
        let time = Duration::from_secs(seconds.into());
        let (mut whole, mut known, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..PAIRS {
            whole.push(wire::read(&mut course, connections, false, time).await);
            known.push(wire::read(&mut course, connections, true, time).await);
            theirs.push(limit.run(&mut course, Load::Reads, USUAL, seconds).await);
        }
        for (what, reads) in [("`GET` of a game", &whole), ("`GET` answered with 304", &known)] {
            let rate = |reads: &wire::Reads| reads.count / reads.spent.elapsed.as_secs_f64();
            let ratios = reads.iter().zip(&theirs).map(|(ours, theirs)| rate(ours) / theirs.rate).collect();
            let others: Vec<f64> = reads.iter().map(|reads| reads.spent.foreign).collect();
            let others = format!("{:.0} %", median(&others) * 100.0);
            row(&format!("{what} ÷ pgbench read, {USUAL} connections, {PAIRS} pairs"), &spread(ratios), &others);
            let rates: Vec<f64> = reads.iter().map(rate).collect();
            let server: Vec<f64> = reads.iter().map(|reads| micros_each(reads.spent.server, reads.count)).collect();
            let measured = format!("{:.0}/s; server {:.0} µs", median(&rates), median(&server));
            row("  rate, CPU", &measured, &others);
        }
        let rates: Vec<f64> = theirs.iter().map(|ran| ran.rate).collect();
        row("  pgbench", &format!("{:.0}/s", median(&rates)), "–");
        course.postgres.close().await;
    }

    /// What a finished game takes on the disk.
    pub(crate) async fn disk(&self) {
        begin_table("On the disk");
        for keys in [false, true] {
            let mut course = self.course(1, Kind::Usual).await;
            course.stock_up(KEPT).await;
            course.finish(Manner { keys, ..Manner::closed(USUAL) }).await;
            let with = if keys { "with" } else { "without" };
            let games = number(course.over.len());
            let moves: usize = course.over.iter().map(|game| game.done).sum();
            let fires = course.over.iter().flat_map(|game| &game.script.moves);
            let fires = number(fires.filter(|played| matches!(played.deed, Deed::Fire(_))).count());
            // A game of 60 shots has its share of reveals.
            let usual = f64::from(BEFORE_BATTLE) + 60.0 * number(moves) / fires;
            let events = f64::from(BEFORE_BATTLE) + number(moves) / games;
            let tell = |state: &str, sizes: &[Size], others: &str| {
                let (mut all, mut of_60) = (0.0, 0.0);
                let mut parts = Vec::new();
                for size in sizes {
                    let [heap, indexes] = [size.heap, size.indexes].map(bytes);
                    let each = (heap + indexes) / games;
                    all += each;
                    of_60 += if ["events", "archives"].contains(&size.table.as_str()) {
                        each / events * usual
                    } else {
                        each
                    };
                    parts.push(format!("{} {:.0} + {:.0}", size.table, heap / games, indexes / games));
                }
                row(&format!("bytes per finished game of 60 shots, {with} keys{state}"), &format!("{of_60:.0} B"), "–");
                let what = format!("  as played, {events:.1} events a game: heap + indexes");
                row(&what, &format!("{all:.0} B: {}{others}", parts.join(", ")), "–");
            };
            tell("", &course.postgres.sizes().await, "");
            let readings = course.postgres.pack().await;
            // What the packed events leave is free for the next ones.
            let (free, kept): (Vec<_>, Vec<_>) = course
                .postgres
                .sizes()
                .await
                .into_iter()
                .partition(|size| ["events", "timers"].contains(&size.table.as_str()));
            let free: f64 = free.iter().map(|size| bytes(size.heap + size.indexes)).sum();
            tell(", packed", &kept, &format!("; free for new events and timers {:.0}", free / games));
            let records = written(&self.binaries(), self.cluster.data(), [&readings[0], &readings[1]]);
            let all: f64 = records.iter().map(|records| records.bytes).sum();
            let what = format!("  WAL of packing a game without images of pages, {with} keys");
            row(&what, &format!("{:.0} B", all / games), "–");
            let checked = check(&mut course).await;
            row("checked", &checked.told(), "–");
            course.postgres.close().await;
        }
    }

    /// So many servers on a new database.
    pub(crate) async fn course(&self, replicas: usize, kind: Kind) -> Course {
        self.course_with(replicas, kind, &[]).await
    }

    /// The same with a further environment.
    pub(crate) async fn course_with(&self, replicas: usize, kind: Kind, further: &[(&str, &str)]) -> Course {
        let database = self.cluster.database().await;
        Course::start(&database, self.cluster.postmaster_id(), replicas, kind, further).await
    }

    /// pgbench makes moves of games that were played to the end.
    async fn some_over(&self, course: &mut Course) {
        if course.over.is_empty() {
            course.finish(Manner::closed(USUAL)).await;
        }
    }

    fn binaries(&self) -> PathBuf {
        binaries(self.cluster.postmaster_id())
    }

    /// So many seconds for a program that takes whole ones.
    fn seconds(&self, seconds: u32) -> u32 {
        if self.unit < Duration::from_secs(1) { 1 } else { seconds }
    }

    /// How much was written into the log of changes, and for what.
    pub(crate) fn tell_written(&self, what: &str, window: &Window) {
        let [before, after] = &window.readings;
        let mut records = written(&self.binaries(), self.cluster.data(), [before, after]);
        records.sort_by(|one, other| other.bytes.total_cmp(&one.bytes));
        let all: f64 = records.iter().map(|records| records.bytes).sum();
        let most: Vec<String> = records
            .iter()
            .take(6)
            .map(|records| format!("{} {:.0}", records.kind, records.bytes / window.fires))
            .collect();
        let measured = format!("{:.0} B: {}", all / window.fires, most.join(", "));
        let title = format!("WAL per fire without images of pages, {what} a key");
        row(&title, &measured, &window.spent.others());
    }
}

pub(crate) fn told(what: &str, window: &Window) {
    let others = window.spent.others();
    row(what, &format!("**{:.0}/s**; {}", window.rate(), window.told_latencies()), &others);
    row("  CPU per fire", &window.told_cpu(), &others);
}

fn bytes(count: i64) -> f64 {
    number(usize::try_from(count).expect("a size"))
}

fn share(part: i64, whole: i64) -> f64 {
    bytes(part) / bytes(whole)
}
