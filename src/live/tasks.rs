use std::fmt::Write as _;
use std::sync::{Arc, PoisonError};

use tokio::task::JoinSet;
use uuid::Uuid;

use super::{Count, Live, Wakeups};
use crate::deadlines;
use crate::store::Failure;

/// How many changes fit into one notification, which has less than 8,000 bytes.
const AT_ONCE: usize = 150;

/// How many games' versions are looked at with one statement.
const LOOKED_AT_ONCE: usize = 500;

/// The tasks that listen, notify and look; they end when dropped.
pub struct Tasks {
    _running: JoinSet<()>,
}

impl Tasks {
    pub(super) fn spawn(live: &Arc<Live>) -> Self {
        let mut running = JoinSet::new();
        running.spawn(look(Arc::clone(live)));
        if live.wakeups == Wakeups::Notified {
            running.spawn(listen(Arc::clone(live)));
            running.spawn(notify(Arc::clone(live)));
        }
        Self { _running: running }
    }
}

/// Looks how far the watched games have come: the net beneath all that may be lost.
async fn look(live: Arc<Live>) {
    let period = match live.wakeups {
        Wakeups::Notified => deadlines::LOOK,
        Wakeups::Polled => deadlines::LOOK_ALONE,
    };
    loop {
        tokio::select! {
            () = tokio::time::sleep(period) => {}
            () = live.look_now.notified() => {}
        }
        for games in live.watched().chunks(LOOKED_AT_ONCE) {
            match live.store.list_known(games).await {
                Ok(found) => found.into_iter().for_each(|(game, known)| {
                    live.wake(game, Count::Events, known.version);
                    live.wake(game, Count::Rematches, known.rematches);
                }),
                Err(failure) => log::debug!("watched games were not looked at: {failure}"),
            }
        }
    }
}

/// Listens to other servers, again and again.
async fn listen(live: Arc<Live>) {
    loop {
        if let Err(failure) = listen_on(&live).await {
            log::debug!("other servers are not listened to: {failure}");
        }
        live.look_now.notify_one();
        tokio::time::sleep(deadlines::LISTEN_AGAIN).await;
    }
}

async fn listen_on(live: &Live) -> Result<(), Failure> {
    let mut listener = live.store.listen().await?;
    // What was sent before is found by looking.
    live.look_now.notify_one();
    loop {
        match listener.next().await? {
            Some(text) => {
                text.split(' ').filter_map(parse).for_each(|(game, count, number)| live.wake(game, count, number));
            }
            None => live.look_now.notify_one(),
        }
    }
}

/// Notifies other servers of the games that changed.
async fn notify(live: Arc<Live>) {
    loop {
        live.something_unsent.notified().await;
        tokio::time::sleep(deadlines::GATHERING).await;
        let unsent = std::mem::take(&mut *live.unsent.lock().unwrap_or_else(PoisonError::into_inner));
        let unsent: Vec<_> = unsent.into_iter().collect();
        for some in unsent.chunks(AT_ONCE) {
            if let Err(failure) = live.store.notify(&written(some)).await {
                log::debug!("other servers were not notified: {failure}");
            }
        }
    }
}

/// Games with what is counted of them, `id:version` and `id~rematches`, separated by spaces. A server of a release
/// that does not know of the second passes over it.
fn written(changes: &[((Uuid, Count), u32)]) -> String {
    changes.iter().fold(String::new(), |mut text, ((game, count), number)| {
        let space = if text.is_empty() { "" } else { " " };
        let mark = match count {
            Count::Events => ':',
            Count::Rematches => '~',
        };
        // Writing to a string cannot fail.
        let _ = write!(text, "{space}{}{mark}{number}", game.simple());
        text
    })
}

fn parse(word: &str) -> Option<(Uuid, Count, u32)> {
    let counted = [(Count::Events, ':'), (Count::Rematches, '~')];
    let (count, (game, number)) =
        counted.into_iter().find_map(|(count, mark)| Some((count, word.split_once(mark)?)))?;
    Some((Uuid::try_parse(game).ok()?, count, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_what_is_heard_and_it_fits() {
        let changes: Vec<_> = (0..AT_ONCE)
            .map(|index| {
                let count = if index % 2 == 0 { Count::Events } else { Count::Rematches };
                ((Uuid::from_u128(u128::MAX - u128::try_from(index).unwrap()), count), 2_147_483_647)
            })
            .collect();

        let text = written(&changes);

        assert!(text.len() < 8_000, "{}", text.len());
        let heard: Vec<_> =
            text.split(' ').filter_map(parse).map(|(game, count, number)| ((game, count), number)).collect();
        assert_eq!(heard, changes);
        for nothing in ["inconsistent", "x:1", "x~1", "", "0~x"] {
            assert_eq!(parse(nothing), None, "{nothing}");
        }
    }
}
