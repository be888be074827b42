//! Whether what was acknowledged is there, and is what the rules make of it.

use std::collections::HashMap;
use std::sync::Arc;

use naval_battle_client::{Event, EventKind, Moment, Status};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::course::{BEFORE_BATTLE, Course, Match};
use crate::script::Deed;

/// How many games are read through the API; of all others the rows are counted.
const READ: usize = 2_000;

/// How many are read at a time.
const AT_ONCE: usize = 8;

/// What was checked; whatever is not as it should be stops the run.
pub(crate) struct Checked {
    games: usize,
    events: i64,
    read: usize,
    /// Requests that were refused because of another one.
    pub(crate) conflicts: u64,
}

impl Checked {
    /// In words.
    pub(crate) fn told(&self) -> String {
        let Self { games, events, read, conflicts } = self;
        format!(
            "{games} games: all {events} acknowledged events are stored; {read} games read: logs complete and as \
             worked out, replay equals state, verified; no 5xx, {conflicts} conflicts (409)"
        )
    }
}

/// Checks all games of the course.
pub(crate) async fn check(course: &mut Course) -> Checked {
    let games: Arc<Vec<Match>> = Arc::new(course.over.iter().chain(&course.stock).cloned().collect());
    let events = check_rows(course, &games).await;
    let step = games.len().div_ceil(READ).max(1);
    let (mut reading, mut read) = (JoinSet::new(), 0);
    for game in games.iter().step_by(step) {
        if reading.len() >= AT_ONCE {
            reading.join_next().await.expect("one is under way").expect("the game is in order");
        }
        reading.spawn(check_game(course.client(), game.clone()));
        read += 1;
    }
    while let Some(game) = reading.join_next().await {
        game.expect("the game is in order");
    }
    Checked { games: games.len(), events, read, conflicts: check_metrics(course).await }
}

/// Checks the rows alone; tells how many games and events there are.
pub(crate) async fn check_stored(course: &mut Course) -> (usize, i64) {
    let games: Vec<Match> = course.over.iter().chain(&course.stock).cloned().collect();
    check_metrics(course).await;
    (games.len(), check_rows(course, &games).await)
}

/// Every event that was acknowledged has its row, and there is no other.
async fn check_rows(course: &mut Course, games: &[Match]) -> i64 {
    let ids: Vec<Uuid> = games.iter().map(Match::uuid).collect();
    let logs: HashMap<Uuid, _> =
        course.postgres.logs(&ids).await.into_iter().map(|(id, count, last)| (id, (count, last))).collect();
    let mut all = 0;
    for (game, id) in games.iter().zip(&ids) {
        let acknowledged = game.version();
        let stored = logs.get(id).map(|&(count, last)| (count, i64::from(last)));
        assert_eq!(stored, Some((acknowledged.into(), acknowledged.into())), "game {id}: acknowledged and stored");
        all += i64::from(acknowledged);
    }
    all
}

/// The log is complete and what was worked out beforehand, the replay equals the state, and the
/// server's own check finds nothing.
async fn check_game(api: naval_battle_client::Client, game: Match) {
    let table = api.table(&game.id);
    let log = table.log().await.expect("the log can be read");
    let state = table.look().await.expect("the game can be read");
    let replayed = table.replay(Moment { upto: Some(game.version()), eyes: None }).await.expect("it can be replayed");
    let verified = table.verify().await.expect("it can be checked");

    assert!(log.iter().map(|event| event.seq).eq(1..=game.version()), "{}: the log is complete", game.id);
    assert_eq!(log.last().map(|event| &event.head), Some(&game.head), "{}: the last head", game.id);
    let battle = log.iter().skip(usize::try_from(BEFORE_BATTLE).expect("few"));
    for (event, played) in battle.zip(&game.script.moves) {
        assert!(event.seat == Some(played.seat) && is_as_played(event, &played.deed), "{}: {event:?}", game.id);
    }
    assert_eq!(replayed, state, "{}: the replay equals the state", game.id);
    assert!(verified.ok && verified.faults.is_empty(), "{}: {verified:?}", game.id);
    assert_eq!(verified.complete, game.is_over(), "{}: {verified:?}", game.id);
    assert_eq!(state.status == Status::Finished, game.is_over(), "{}", game.id);
}

fn is_as_played(event: &Event, deed: &Deed) -> bool {
    match deed {
        Deed::Fire(shots) => {
            let found = event.shots.iter().map(|shot| (shot.cell, shot.outcome));
            event.kind == EventKind::Fired && found.eq(shots.iter().copied())
        }
        Deed::Reveal(cells) => event.kind == EventKind::Revealed && event.cells == *cells,
    }
}

/// No server failed or complained; tells how many requests met another one.
async fn check_metrics(course: &Course) -> u64 {
    let mut conflicts = 0;
    for server in &course.servers {
        let page = server.get("/metrics", None).await.text;
        let requests = page.lines().filter(|line| line.starts_with("naval_battle_requests_total"));
        for line in requests {
            let (labels, count) = line.rsplit_once(' ').expect("a count stands behind its labels");
            assert!(!labels.contains("status=\"5"), "a server failed: {line}");
            if labels.contains("status=\"409\"") {
                conflicts += count.parse::<u64>().expect("a count");
            }
        }
        let log = server.log();
        let complaints = log.lines().filter(|line| line.contains("WARN") || line.contains("ERROR")).count();
        assert_eq!(complaints, 0, "a server complains: {log}");
    }
    conflicts
}
