use sqlx::postgres::{PgDatabaseError, PgSeverity};
use uuid::Uuid;

use super::standing::Weakness;

/// The machine is broken, as opposed to the rules saying no.
///
/// Neither form holds a value of a row: what Postgres says in detail could show hidden ships.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// No answer, be it from the database or because too much is under way.
    #[error("not available: {0}")]
    Unavailable(&'static str),
    /// The node of a distributed database that keeps the game does not answer; the connection is as good as before.
    #[error("the node that keeps it does not answer")]
    Away,
    /// Another session holds the game's row.
    #[error("another session holds the row")]
    Held,
    /// The database refused a statement.
    #[error("the database refused a statement with SQLSTATE {code}, constraint {}", constraint.as_deref().unwrap_or("none"))]
    Refused {
        /// Postgres' SQLSTATE, five characters.
        code: String,
        /// The constraint's name, if it was one.
        constraint: Option<String>,
    },
    /// A row makes no sense to this release.
    #[error("column {column} of table {table} makes no sense in game {game}")]
    Inconsistent {
        /// The table that the row is in.
        table: &'static str,
        /// The column that contradicts the rest.
        column: &'static str,
        /// The game that the row is of.
        game: Uuid,
    },
    /// A row was written by a later release.
    #[error("column {column} of table {table} has form {form} in game {game}, which this release does not know")]
    LaterForm {
        /// The table that the row is in.
        table: &'static str,
        /// The column whose form is not known.
        column: &'static str,
        /// The form's number.
        form: u8,
        /// The game that the row is of.
        game: Uuid,
    },
    /// A secret was sealed with a key that this server does not have.
    #[error("column {column} of table {table} is sealed with another key in game {game}")]
    Sealed {
        /// The table that the row is in.
        table: &'static str,
        /// The column that is sealed.
        column: &'static str,
        /// The game that the row is of.
        game: Uuid,
    },
    /// Something of this program went wrong.
    #[error("{0}")]
    Program(&'static str),
}

impl Failure {
    /// Whether a repeat may well succeed.
    pub(crate) fn is_passing(&self) -> bool {
        match self {
            Self::Unavailable(_) | Self::Away | Self::Held | Self::LaterForm { .. } | Self::Sealed { .. } => true,
            Self::Refused { .. } | Self::Inconsistent { .. } | Self::Program(_) => false,
        }
    }

    /// Whether what is kept of a game contradicts itself; a row that lies where none may be is seen by
    /// its key.
    pub(crate) fn is_damage(&self) -> bool {
        match self {
            Self::Inconsistent { .. } => true,
            Self::Refused { constraint, .. } => {
                // The part of a table that is on one node adds a number.
                let is_of = |constraint: &str, key| {
                    constraint.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
                };
                constraint.as_deref().is_some_and(|constraint| {
                    ["events_pkey", "layouts_pkey"].into_iter().any(|key| is_of(constraint, key))
                })
            }
            Self::Unavailable(_)
            | Self::Away
            | Self::Held
            | Self::LaterForm { .. }
            | Self::Sealed { .. }
            | Self::Program(_) => false,
        }
    }

    /// Whether what was asked for may have been done all the same.
    pub(super) fn is_unsure(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::Away)
    }

    /// Whether the connection is of no use any more.
    pub(super) fn broke_the_connection(&self) -> bool {
        matches!(self, Self::Unavailable(_))
    }
}

impl From<sqlx::Error> for Failure {
    #[expect(clippy::wildcard_enum_match_arm, reason = "sqlx keeps it open which errors there are")]
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::Database(error) => {
                let code = error.code().unwrap_or_default().into_owned();
                // What ends a session is fatal; this one goes on, and it was another node's that ended or was not let in.
                let goes_on = error
                    .try_downcast_ref::<PgDatabaseError>()
                    .is_some_and(|error| error.severity() == PgSeverity::Error);
                match code.as_str() {
                    _ if goes_on && (code.starts_with("08") || code.starts_with("57P") || code == "53300") => {
                        Self::Away
                    }
                    // lock_not_available, deadlock_detected, serialization_failure
                    "55P03" | "40P01" | "40001" => Self::Held,
                    // query_canceled by statement_timeout
                    "57014" => Self::Unavailable("a statement ran out of time"),
                    // read_only_sql_transaction: a standby took over the address
                    "25006" => Self::Unavailable("the database is read-only"),
                    _ if code.starts_with("08") || code.starts_with("57P") || code.starts_with("53") => {
                        Self::Unavailable("it is starting, stopping or overloaded")
                    }
                    // invalid_catalog_name, and invalid_authorization_specification with its kin
                    _ if code == "3D000" || code.starts_with("28") => Self::Unavailable("it lets nobody in any more"),
                    _ => Self::Refused { code, constraint: error.constraint().map(str::to_owned) },
                }
            }
            sqlx::Error::Io(_) => Self::Unavailable("the connection broke"),
            sqlx::Error::Tls(_) => Self::Unavailable("no TLS connection could be made"),
            sqlx::Error::Protocol(_) => Self::Unavailable("the connection spoke out of turn"),
            sqlx::Error::Configuration(error) if error.is::<Weakness>() => {
                Self::Unavailable("the database is not as it has to be")
            }
            sqlx::Error::PoolTimedOut => Self::Unavailable("no connection was free in time"),
            sqlx::Error::PoolClosed => Self::Unavailable("the server is stopping"),
            sqlx::Error::WorkerCrashed => Self::Unavailable("a worker crashed"),
            _ => Self::Program("a statement and this program do not fit together"),
        }
    }
}
