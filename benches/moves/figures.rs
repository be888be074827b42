//! How figures are reckoned and printed.

use std::time::Duration;

use crate::course::Window;

/// Prints the head of a table of figures.
pub(crate) fn begin_table(title: &str) {
    println!("\n### {title}\n\n| figure | measured | others' CPU |\n| --- | --- | --- |");
}

/// Prints a row: what it is, what was measured, and what others took meanwhile.
pub(crate) fn row(what: &str, measured: &str, others: &str) {
    println!("| {what} | {measured} | {others} |");
}

/// A count as a number to reckon with.
pub(crate) fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).expect("nothing here is counted so far"))
}

/// Microseconds of each, where so many took so long.
pub(crate) fn micros_each(time: Duration, count: f64) -> f64 {
    time.as_secs_f64() * 1e6 / count
}

/// The middle of some figures, with the least and the greatest.
pub(crate) fn spread(mut figures: Vec<f64>) -> String {
    figures.sort_by(f64::total_cmp);
    let (Some(least), Some(most)) = (figures.first(), figures.last()) else { return "nothing".to_owned() };
    format!("{:.2} ({least:.2}–{most:.2})", median(&figures))
}

/// The middle of some figures.
pub(crate) fn median(figures: &[f64]) -> f64 {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        odd if odd % 2 == 1 => sorted[half],
        _ => f64::midpoint(sorted[half - 1], sorted[half]),
    }
}

impl Window {
    /// Fires in a second.
    pub(crate) fn rate(&self) -> f64 {
        self.fires / self.spent.elapsed.as_secs_f64()
    }

    /// The latency in ms below which so many of a thousand fires were.
    pub(crate) fn latency(&self, permille: usize) -> f64 {
        let last = self.latencies.len().saturating_sub(1);
        self.latencies.get(last * permille / 1_000).map_or(f64::NAN, |latency| latency.as_secs_f64() * 1e3)
    }

    /// The usual three.
    pub(crate) fn told_latencies(&self) -> String {
        let [p50, p99, p999] = [500, 990, 999].map(|permille| self.latency(permille));
        format!("p50 {p50:.2}, p99 {p99:.2}, p999 {p999:.2} ms")
    }

    /// CPU of each fire: of the server, of Postgres, and of the client in this process.
    pub(crate) fn told_cpu(&self) -> String {
        let [server, postgres, client] =
            [self.spent.server, self.spent.postgres, self.spent.client].map(|time| micros_each(time, self.fires));
        format!("server {server:.0} + Postgres {postgres:.0} µs; client {client:.0} µs")
    }
}
