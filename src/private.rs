//! The embedded Postgres, from the server's point of view.

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::future::pending;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use embedded_postgres::{Embedded, EmbeddedError, News, Search, Settings, Stop};
use naval_battle::config::Serve;
use naval_battle::deadlines;
use naval_battle::metrics::Metrics;
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::timeout;

use crate::signals::Signals;

/// The user of the embedded Postgres, by which the data folders of all releases are opened.
const USER: &str = "naval_battle";

/// How often dead rows are looked for: a busy minute leaves more than there are others.
const VACUUMED: &str = "autovacuum_naptime=5s";

/// An embedded Postgres that accepts connections.
pub(crate) struct Private {
    embedded: Embedded,
    stop: Stop,
    news: UnboundedReceiver<News>,
}

impl Private {
    /// Gets it ready, in a thread of its own, so that a signal is heard meanwhile; `None` when one came.
    pub(crate) async fn start(config: &Serve, signals: &mut Signals) -> Result<Option<Self>, Box<dyn Error>> {
        let settings = Settings {
            data: config.data_dir.clone().map_or_else(|| embedded_postgres::default_data_dir("naval-battle"), Ok)?,
            user: USER.to_owned(),
            binaries: config.postgres_bin.clone(),
            alternative: Some(
                "set DATABASE_URL to a database that runs already, or run `docker compose up`".to_owned(),
            ),
            parameters: vec![VACUUMED.to_owned()],
            first_pause: embedded_postgres::FIRST_PAUSE,
        };
        let data = settings.data.clone();
        let stop = Stop::new();
        let (tell, news) = unbounded_channel();
        let mut starting = spawn_blocking({
            let stop = stop.clone();
            // Nobody hears of it any more once the server leaves.
            move || embedded_postgres::start_watched(&settings, &Search::system(), stop, move |it| drop(tell.send(it)))
        });
        tokio::select! {
            started = &mut starting => {
                let embedded = started??;
                log::info!("games are kept in {}", data.display());
                Ok(Some(Self { embedded, stop, news }))
            }
            () = signals.come() => {
                stop.ask(signals.left());
                match ends(starting, &stop, signals).await? {
                    None | Some(Err(EmbeddedError::Stopped)) => Ok(None),
                    Some(Err(error)) => Err(error.into()),
                    Some(Ok(embedded)) => Self { embedded, stop, news }.stop(signals).await.map(|()| None),
                }
            }
        }
    }

    /// How it is connected to.
    pub(crate) fn options(&self) -> PgConnectOptions {
        PgConnectOptions::new_without_pgpass()
            .socket(self.embedded.socket_dir())
            .port(Embedded::PORT)
            .username(USER)
            .database(Embedded::DATABASE)
            .ssl_mode(PgSslMode::Disable)
    }

    /// Waits until nobody tries to bring it back any more, and tells why.
    pub(crate) async fn is_given_up(&mut self, metrics: &Metrics) -> EmbeddedError {
        loop {
            match self.news.recv().await {
                Some(News::Restarted) => metrics.embedded_restarted(),
                Some(News::GivenUp(error)) => return error,
                None => pending().await,
            }
        }
    }

    /// Stops it, within what is left of the time for leaving.
    pub(crate) async fn stop(self, signals: &mut Signals) -> Result<(), Box<dyn Error>> {
        let Self { embedded, stop, .. } = self;
        let limit = signals.left().max(deadlines::AT_ONCE);
        let stopping = spawn_blocking(move || embedded.stop_within(limit));
        match ends(stopping, &stop, signals).await? {
            Some(stopped) => Ok(stopped?),
            None => Err("the embedded Postgres does not stop in time: the next start takes it over".into()),
        }
    }
}

/// Waits for a step that was told to stop; a further signal hastens it. `None` when it hangs, as
/// where the disk does not answer.
async fn ends<T>(mut thread: JoinHandle<T>, stop: &Stop, signals: &mut Signals) -> Result<Option<T>, Box<dyn Error>> {
    let limit = signals.left().saturating_add(deadlines::AT_ONCE);
    let hastened = async {
        tokio::select! {
            ended = &mut thread => ended,
            () = signals.come() => {
                log::warn!("told to stop once more: Postgres is stopped at once");
                stop.ask(deadlines::AT_ONCE);
                thread.await
            }
        }
    };
    Ok(timeout(limit, hastened).await.ok().transpose()?)
}

/// Runs this program anew without the variables of libpq if there are any: the driver takes them
/// for settings of each connection, and those of another database would break this one.
pub(crate) fn forget_libpq() -> Result<(), String> {
    let names: Vec<OsString> =
        env::vars_os().map(|(name, _)| name).filter(|name| name.as_encoded_bytes().starts_with(b"PG")).collect();
    if names.is_empty() {
        return Ok(());
    }
    let shown = names.join(" ".as_ref()).to_string_lossy().into_owned();
    let program = env::current_exe().map_err(|error| format!("cannot start without {shown}: {error}; unset them"))?;
    let mut command = Command::new(program);
    let mut arguments = env::args_os();
    if let Some(name) = arguments.next() {
        command.arg0(name);
    }
    command.args(arguments);
    for name in names {
        command.env_remove(name);
    }
    Err(format!("cannot start without {shown}: {}; unset them", command.exec()))
}
