//! The figures of each minute, and the bounds that they have to keep.

use std::time::Duration;

use tokio::task::spawn_blocking;

use crate::check::Checked;
use crate::floor::Floor;
use crate::kept::Table;

/// What has to be kept.
const MOST_P99: f64 = 50.0;
const MOST_LAG: f64 = 60.0;
const MOST_MEMORY: f64 = 150.0;
const MOST_DEAD: f64 = 20.0;

/// How much more memory is no growth, in MB.
const SLACK: f64 = 5.0;

/// Tables below this many bytes are vacuumed too seldom for a share to tell anything.
const SMALL: i64 = 4 << 20;

/// What was measured minute by minute.
#[derive(Default)]
pub(crate) struct Minutes {
    p99: Vec<f64>,
    rates: Vec<f64>,
    memory: Vec<f64>,
    lag: Option<f64>,
    /// The largest share of dead rows, of which table and in which minute.
    worst: (f64, String, usize),
}

impl Minutes {
    /// Prints the head of the table.
    pub(crate) fn begin_table() {
        println!(
            "| minute | fires/s | p50, p99, p999 ms | server RSS MB | WAL B a fire | packing's lag s | tables: MB + MB of \
             indexes, dead % |"
        );
        println!("| --- | --- | --- | --- | --- | --- | --- |");
    }

    /// Adds a minute and prints it.
    pub(crate) async fn push(
        &mut self,
        fires: Vec<Duration>,
        memory: f64,
        written: i64,
        tables: Vec<Table>,
        lag: Option<f64>,
    ) {
        let fires = spawn_blocking(move || sorted(fires)).await.expect("they are sorted");
        let [p50, p99, p999] = [500, 990, 999].map(|permille| at(&fires, permille));
        let count = f64::from(u32::try_from(fires.len()).expect("a minute has not so many"));
        let minute = self.p99.len() + 1;
        let mut told = Vec::new();
        for table in &tables {
            let dead = share(table.dead, table.live);
            if table.heap >= SMALL && dead > self.worst.0 {
                self.worst = (dead, table.name.clone(), minute);
            }
            if table.live + table.dead > 0 {
                told.push(format!(
                    "{} {} + {}, {dead:.0} %",
                    table.name,
                    megabytes(table.heap),
                    megabytes(table.indexes)
                ));
            }
        }
        #[allow(clippy::as_conversions, clippy::cast_precision_loss, reason = "far fewer bytes than a float holds")]
        let wal = written as f64 / count.max(1.0);
        let waits = lag.map_or("none".to_owned(), |lag| format!("{lag:.0}"));
        println!(
            "| {minute} | {:.0} | {p50:.1}, {p99:.1}, {p999:.1} | {memory:.1} | {wal:.0} | {waits} | {} |",
            count / 60.0,
            told.join("; ")
        );
        self.p99.push(p99);
        self.rates.push(count / 60.0);
        self.memory.push(memory);
        self.lag = lag;
    }

    /// Prints the bounds, each with what was measured.
    pub(crate) fn conclude(&self, floor: &Floor, checked: &Checked) {
        let most = |figures: &[f64]| figures.iter().copied().fold(f64::NAN, f64::max);
        let mean = |figures: &[f64]| {
            figures.iter().sum::<f64>() / f64::from(u32::try_from(figures.len().max(1)).expect("not so many minutes"))
        };
        let least_rate = self.rates.iter().copied().fold(f64::NAN, f64::min);
        println!("\n| bound | measured | |\n| --- | --- | --- |");
        let verdict = |bound: &str, measured: &str, holds: bool| {
            println!("| {bound} | {measured} | {} |", if holds { "pass" } else { "FAIL" });
        };
        let rate = f64::from(floor.plan.rate);
        verdict(
            &format!("{rate:.0} fires/s in every minute"),
            &format!("{least_rate:.0} in the slowest, {} fires in {} games", floor.all_fires(), floor.all_games()),
            least_rate >= rate * 0.99,
        );
        let p99 = most(&self.p99);
        verdict(&format!("p99 ≤ {MOST_P99} ms in every minute"), &format!("{p99:.1} ms in the worst"), p99 <= MOST_P99);
        let lag = self.lag.unwrap_or(0.0);
        verdict(&format!("packing's lag ≤ {MOST_LAG} s at the end"), &format!("{lag:.0} s"), lag <= MOST_LAG);
        let memory = most(&self.memory);
        verdict(&format!("RSS ≤ {MOST_MEMORY} MB"), &format!("at most {memory:.1} MB"), memory <= MOST_MEMORY);
        let quarter = self.memory.len() / 4;
        if quarter > 0 {
            let early = mean(&self.memory[quarter..2 * quarter]);
            let late = mean(&self.memory[self.memory.len() - quarter..]);
            let measured = format!("{early:.1} MB in the second quarter, {late:.1} MB in the last");
            verdict("RSS does not grow", &measured, late <= early + SLACK);
        }
        let (dead, table, minute) = &self.worst;
        let measured =
            if table.is_empty() { "none".to_owned() } else { format!("{dead:.1} % in {table}, minute {minute}") };
        verdict(
            &format!("dead rows ≤ {MOST_DEAD} % in every table of {} MB or more", SMALL >> 20),
            &measured,
            *dead <= MOST_DEAD,
        );
        let (refused, starved) = (floor.refused.get(), floor.starved.get());
        verdict(
            "every request is answered as it should be",
            &format!("{refused} were not, {starved} waits of 1 ms for a game, {} complaints", checked.complaints),
            refused == 0,
        );
    }
}

fn sorted(mut fires: Vec<Duration>) -> Vec<Duration> {
    fires.sort_unstable();
    fires
}

/// The latency in ms below which so many of a thousand were.
fn at(sorted: &[Duration], permille: usize) -> f64 {
    let last = sorted.len().saturating_sub(1);
    sorted.get(last * permille / 1_000).map_or(f64::NAN, |latency| latency.as_secs_f64() * 1e3)
}

/// The share of dead rows in percent.
fn share(dead: i64, live: i64) -> f64 {
    let number = |count: i64| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    if dead + live == 0 { 0.0 } else { number(dead) / number(dead + live) * 100.0 }
}

fn megabytes(bytes: i64) -> i64 {
    bytes >> 20
}
