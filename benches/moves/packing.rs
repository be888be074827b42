//! Logs of ended games are packed: how many in a second, and what that takes from moves beside it.

use std::time::{Duration, Instant};

use uuid::Uuid;

use crate::axes::{ACTIVE, IN_TURN, finish_copies};
use crate::course::{Course, Match, Window};
use crate::figures::{begin_table, median, number, row, spread};
use crate::parts::Bench;
use crate::postgres::Age;

/// How many logs wait to be packed at a time.
const BACKLOG: u32 = 10_000;

/// How many games they are copies of.
const MODELS: u32 = 20;

/// How many times moves are measured without packing beside them and with it.
const PAIRS: usize = 4;

impl Bench {
    /// Many logs that wait to be packed, with nothing beside that and with moves.
    pub(crate) async fn packing(&self) {
        let mut course = self.active().await;
        let events = {
            let models: Vec<Uuid> = models(&course);
            let logs = course.postgres.logs(&models).await;
            let all: i64 = logs.iter().map(|(_, count, _)| count).sum();
            number(usize::try_from(all).expect("a count")) / number(logs.len())
        };
        let count = if self.unit < Duration::from_secs(1) { BACKLOG / 20 } else { BACKLOG };
        begin_table(&format!("Packing, {events:.0} events a game, {count} games waiting"));
        let mut rates = Vec::new();
        for _ in 0..2 {
            wait_to_be_packed(&mut course, count).await;
            rates.push(all_packed(&mut course, count).await);
        }
        row("games packed each second, nothing beside", &format!("**{:.0}**", median(&rates)), "–");
        let (mut alone, mut beside, mut packed) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..PAIRS {
            alone.push(course.run(IN_TURN, self.unit * 4).await);
            wait_to_be_packed(&mut course, count).await;
            let (window, rate) = with_packing(&mut course, self.unit * 4).await;
            beside.push(window);
            packed.push(rate);
            all_packed(&mut course, count).await;
        }
        let ratio = beside.iter().zip(&alone).map(|(beside, alone)| beside.rate() / alone.rate()).collect();
        let p99 = beside.iter().zip(&alone).map(|(beside, alone)| beside.latency(990) / alone.latency(990)).collect();
        let foreign: Vec<f64> = beside.iter().map(|window| window.spent.foreign).collect();
        let foreign = format!("{:.0} %", median(&foreign) * 100.0);
        row("fires/s beside it ÷ without", &format!("**{}**, p99 {}", spread(ratio), spread(p99)), &foreign);
        row("  games packed each second meanwhile", &format!("**{:.0}**", median(&packed)), &foreign);
        finish_copies(course).await;
    }
}

fn models(course: &Course) -> Vec<Uuid> {
    course.over.iter().take(usize::try_from(MODELS).expect("few")).map(Match::uuid).collect()
}

/// Has copies of ended games wait, of which the time to be packed is past.
async fn wait_to_be_packed(course: &mut Course, count: u32) {
    let models = models(course);
    for model in &models {
        course.postgres.copy(*model, count / MODELS, Age::Old).await;
    }
    course.postgres.run("vacuum analyze").await;
    // The models themselves are copied again.
    let models: Vec<String> = models.iter().map(|id| format!("'{id}'")).collect();
    let go_off = format!(
        "update timers t set kind = 1, check_at = statement_timestamp() - interval '1 minute'
           from games g where g.game_id = t.game_id and g.game_id not in ({}) and exists (
             select from events e where e.game_id = g.game_id and e.seq = g.version and e.status = 3)",
        models.join(", ")
    );
    course.postgres.run(&go_off).await;
}

/// Moves while logs are packed, and how many of those in a second.
async fn with_packing(course: &mut Course, time: Duration) -> (Window, f64) {
    let (before, began) = (packed(course).await, Instant::now());
    let window = course.run(IN_TURN, time).await;
    (window, (packed(course).await - before) / began.elapsed().as_secs_f64())
}

/// Waits until all are packed; tells how many were packed in a second.
async fn all_packed(course: &mut Course, count: u32) -> f64 {
    let (before, began) = (packed(course).await, Instant::now());
    while course
        .postgres
        .number("select count(*) from timers where kind = 1 and check_at <= statement_timestamp()")
        .await
        > 0
    {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let all = packed(course).await - before;
    assert!(all <= f64::from(count) + f64::from(ACTIVE), "{all} logs were packed");
    all / began.elapsed().as_secs_f64()
}

async fn packed(course: &mut Course) -> f64 {
    let count = course.postgres.number("select count(*) from archives").await;
    number(usize::try_from(count).expect("a count"))
}
