use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use tokio::time::Instant;

use crate::deadlines;

/// Why a connection does not keep what the contract promises. Each is a sentence for whoever runs
/// the server.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Weakness {
    /// Statements of one connection reach sessions that others use too.
    #[error(
        "a pooler gives each statement another session of Postgres: it has to be in session mode, as pgbouncer is with \
         pool_mode = session, or DATABASE_URL has to lead to Postgres itself"
    )]
    Pooler,
    /// It follows another Postgres.
    #[error("it is a standby, which can write nothing: name its primary, or promote it")]
    Standby,
    /// It was the primary before another one was promoted.
    #[error("it is a former primary, and another one has been written since: make it a standby, or stop it")]
    Former,
    /// Nothing can be written.
    #[error("it is read-only: default_transaction_read_only = on, which comes from {source_of_it}, has to be off")]
    ReadOnly {
        /// Where the setting comes from, in Postgres' words.
        source_of_it: String,
    },
    /// What was asked for does not stand.
    #[error("it runs with {settings} whatever is asked for: whatever stands between has to let settings through")]
    Astray {
        /// Names and values.
        settings: String,
    },
    /// What was acknowledged may be lost.
    #[error("it runs with {setting} = {value}, which can lose acknowledged moves: turn it {right}")]
    Forgetful {
        /// The setting's name.
        setting: &'static str,
        /// What it is.
        value: String,
        /// What it has to be.
        right: &'static str,
    },
}

impl Weakness {
    /// Whether what is read is true all the same.
    pub(super) fn can_be_read(&self) -> bool {
        match self {
            Self::Forgetful { .. } => true,
            Self::Pooler | Self::Standby | Self::Former | Self::ReadOnly { .. } | Self::Astray { .. } => false,
        }
    }
}

/// Whether the database keeps what it acknowledges, as it was found last.
#[derive(Default)]
pub(super) struct Standing {
    weakness: Mutex<Option<Weakness>>,
    era: AtomicU64,
    /// When Postgres last had no room for a connection.
    full: Mutex<Option<Instant>>,
}

impl Standing {
    /// Takes down what was found; one line of the log tells when it changes.
    pub(super) fn found(&self, found: Option<Weakness>) {
        let mut weakness = self.weakness.lock().unwrap_or_else(PoisonError::into_inner);
        if *weakness == found {
            return;
        }
        match &found {
            Some(found) => {
                log::error!("nothing is written until the database is as it has to be: {found}");
                self.era.fetch_add(1, Ordering::Relaxed);
            }
            None => log::info!("the database is as it has to be again"),
        }
        *weakness = found;
    }

    /// The database is on another host, and an era begins.
    pub(super) fn moved(&self) -> u64 {
        self.era.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Postgres has no room for another connection.
    pub(super) fn found_full(&self) {
        *self.full.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Whether that was so a moment ago.
    pub(super) fn was_full(&self) -> bool {
        let full = *self.full.lock().unwrap_or_else(PoisonError::into_inner);
        full.is_some_and(|full| full.elapsed() < deadlines::FULL)
    }

    /// Whether what is written now could be lost.
    pub(super) fn is_weak(&self) -> bool {
        self.weakness.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Grows whenever a weakness is found or the database moves: connections of an earlier era are used no more.
    pub(super) fn era(&self) -> u64 {
        self.era.load(Ordering::Relaxed)
    }
}
