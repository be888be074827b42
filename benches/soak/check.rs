//! Whether what was acknowledged is there.

use std::cell::Cell;
use std::fmt;
use std::time::Duration;

use ground::server::Server;

use crate::floor::{Ended, Floor};
use crate::kept::Kept;

/// How many games are looked up at a time.
const AT_A_TIME: usize = 50;

thread_local! {
    static CHECKED: Cell<Checked> = const { Cell::new(Checked { games: 0, events: 0, deleted: 0, complaints: 0 }) };
}

/// What was checked; an event that is missing stops the run.
#[derive(Clone, Copy)]
pub(crate) struct Checked {
    games: u64,
    events: u64,
    /// Games that were deleted before they were looked for, as they might.
    deleted: u64,
    /// Lines of the server's log that warn or worse.
    pub(crate) complaints: usize,
}

/// Checks the games that have ended since this was asked last, a few at a time for so long: Postgres unpacks their logs for it,
/// which players would notice if it were at once.
pub(crate) async fn ended(floor: &Floor, kept: &mut Kept, spread_over: Duration) {
    let over = floor.over.take();
    look_for(floor, kept, &over, spread_over).await;
}

/// Checks those that have ended since, and those that go on.
pub(crate) async fn all(floor: &Floor, kept: &mut Kept, server: &Server) -> Checked {
    ended(floor, kept, Duration::ZERO).await;
    let running: Vec<_> = floor.stock.take().iter().map(|game| Ended::running(&game.id, game.version())).collect();
    look_for(floor, kept, &running, Duration::ZERO).await;
    let log = server.whole_log().await;
    let complaints = log.lines().filter(|line| line.contains("WARN") || line.contains("ERROR")).count();
    for line in log.lines().take(3) {
        println!("the server says: {line}");
    }
    Checked { complaints, ..CHECKED.get() }
}

async fn look_for(floor: &Floor, kept: &mut Kept, games: &[Ended], spread_over: Duration) {
    let mut checked = CHECKED.get();
    let chunks = games.chunks(AT_A_TIME);
    let pause = spread_over / u32::try_from(chunks.len().max(1)).expect("they are few");
    for some in chunks {
        tokio::time::sleep(pause).await;
        let ids: Vec<_> = some.iter().map(|game| game.id).collect();
        let logs = kept.logs(&ids).await;
        for game in some {
            let Some((count, last)) = logs.get(&game.id).copied() else {
                let kept = if game.is_aborted { floor.plan.keep_aborted } else { floor.plan.keep_finished };
                assert!(!game.is_running && game.at.elapsed() >= kept, "game {} is gone", game.id);
                checked.deleted += 1;
                continue;
            };
            assert_eq!(count, i64::from(last), "game {}: no event is missing", game.id);
            let acknowledged = i64::from(game.version);
            let is_there = if game.is_uncertain {
                (acknowledged..=acknowledged + 1).contains(&count)
            } else {
                count == acknowledged
            };
            assert!(is_there, "game {}: {acknowledged} events were acknowledged, {count} are stored", game.id);
            checked.games += 1;
            checked.events += u64::from(game.version);
        }
    }
    CHECKED.set(checked);
}

impl fmt::Display for Checked {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, events, deleted, complaints } = self;
        write!(
            out,
            "{games} games looked for: all {events} acknowledged events are stored; {deleted} were deleted before; the \
             server complained {complaints} times"
        )
    }
}
