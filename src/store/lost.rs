//! Connections whose last statement was not answered.
//!
//! A statement ends by itself in time, but a commit has no limit: where a synchronous standby is
//! away, Postgres waits for it without end, and no client that hangs up changes that. So the place of
//! such a connection stays taken until its session is known to be over. Nothing is cancelled: a
//! commit that is told not to wait for its standby becomes visible without being kept there.

use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};

use sqlx::{Connection as _, PgConnection};
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until, timeout};

use super::opener::{Backend, Opener};
use super::pool::{CheckedOut, Pool};
use crate::deadlines;

/// What became of a session whose connection is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    /// It does no more of what it was asked for.
    Over,
    /// It hangs, or nobody can tell.
    Open,
}

/// Looks at sessions from outside, by a connection of its own that is there while it is needed.
pub(super) struct Witness {
    opener: Opener,
    connection: Mutex<Option<PgConnection>>,
    /// When nobody was let in last.
    failed: Mutex<Option<Instant>>,
    /// How many sessions are looked for.
    lost: AtomicUsize,
}

/// Waits for what a connection owes; then it is used again, or is gone with its session.
pub(super) async fn wait(pool: Pool, mut lost: CheckedOut, until: Instant) {
    let since = Instant::now();
    pool.witness().lost.fetch_add(1, Ordering::Relaxed);
    let is_usable = {
        let mut answer = pin!(is_answered(&mut lost.connection));
        let mut answered = None;
        sleep_until_or(until, &mut answered, answer.as_mut()).await;
        loop {
            if answered == Some(true) {
                break true;
            }
            if pool.witness().look(&lost.backend, since).await == Fate::Over {
                break false;
            }
            let next = Instant::now() + deadlines::LOOK_FOR_LOST;
            if answered.is_none() {
                sleep_until_or(next, &mut answered, answer.as_mut()).await;
            } else {
                sleep_until(next).await;
            }
        }
    };
    let was_last = pool.witness().lost.fetch_sub(1, Ordering::Relaxed) == 1;
    if is_usable {
        pool.put_back(lost);
    } else {
        drop(lost);
    }
    if was_last {
        pool.witness().rest().await;
    }
}

/// Waits for the answer, but not longer than until then.
async fn sleep_until_or(until: Instant, answered: &mut Option<bool>, answer: impl Future<Output = bool>) {
    tokio::select! {
        biased;
        came = answer => *answered = Some(came),
        () = sleep_until(until) => {}
    }
}

/// Whether Postgres answers on a connection, once it has answered what came before.
async fn is_answered(connection: &mut PgConnection) -> bool {
    loop {
        match connection.ping().await {
            Ok(()) => return true,
            // That is the answer to what came before, or the last word before the end.
            Err(sqlx::Error::Database(_)) => {}
            Err(_) => return false,
        }
    }
}

impl Witness {
    pub(super) fn new(opener: Opener) -> Self {
        Self { opener, connection: Mutex::new(None), failed: Mutex::new(None), lost: AtomicUsize::new(0) }
    }

    /// Looks whether a session still does what it was asked for before `since`.
    async fn look(&self, backend: &Backend, since: Instant) -> Fate {
        let mut connection = self.connection.lock().await;
        let mut failed = self.failed.lock().await;
        // However many are lost, one of them asks.
        if failed.is_some_and(|failed| failed.elapsed() < deadlines::LOOK_FOR_LOST) {
            return Fate::Open;
        }
        let looked = timeout(deadlines::CONNECTION, async {
            let watch = match &mut *connection {
                Some(watch) => watch,
                none => none.insert(self.opener.open_to_look().await?),
            };
            let elapsed = since.elapsed().as_secs_f64();
            // A pooler may have given the session to somebody else, who has asked for something since.
            let hangs = "select exists (
                             select from pg_catalog.pg_stat_activity
                              where pid = $1 and extract(epoch from backend_start)::text = $2
                                and state not in ('idle', 'idle in transaction (aborted)')
                                and (query_start is null
                                     or query_start < statement_timestamp() - make_interval(secs => $3)))";
            sqlx::query_scalar(hangs).bind(backend.process).bind(&backend.since).bind(elapsed).fetch_one(watch).await
        });
        match looked.await {
            Ok(Ok(true)) => Fate::Open,
            Ok(Ok(false)) => Fate::Over,
            Ok::<Result<_, sqlx::Error>, _>(Err(_)) | Err(_) => {
                *connection = None;
                *failed = Some(Instant::now());
                Fate::Open
            }
        }
    }

    /// Lets its connection go, where nobody needs it.
    async fn rest(&self) {
        let watch = self.connection.lock().await.take();
        if let Some(watch) = watch {
            drop(timeout(deadlines::CLOSING, watch.close()).await);
        }
    }
}
