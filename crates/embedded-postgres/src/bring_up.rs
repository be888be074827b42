//! Bringing a Postgres up on a data folder that this process owns.

use super::{
    Search, Settings, account::Account, binaries, cluster, error::EmbeddedError, folder::Folder, journal,
    postmaster::Postmaster, stop::Stop,
};

/// What a Postgres is brought up for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Occasion {
    /// The process starts; a new folder gets a new cluster.
    Start,
    /// It was there and ended: a new cluster would be another's data.
    Again,
}

/// Adopts the postmaster that runs, else starts one, on a cluster made for the purpose if need be.
/// Told to stop meanwhile it leaves none running.
///
/// # Errors
///
/// [`EmbeddedError`].
pub(super) fn own(
    folder: &Folder,
    settings: &Settings,
    search: &Search,
    occasion: Occasion,
    stop: &Stop,
) -> Result<Postmaster, EmbeddedError> {
    let postmaster = adopt_or_start(folder, settings, search, occasion, stop);
    if matches!(postmaster, Err(EmbeddedError::Stopped)) {
        // A killed owner may have left one that was not ready to be taken over.
        Postmaster::stop_left_behind(folder, stop)?;
    }
    postmaster
}

fn adopt_or_start(
    folder: &Folder,
    settings: &Settings,
    search: &Search,
    occasion: Occasion,
    stop: &Stop,
) -> Result<Postmaster, EmbeddedError> {
    if !folder.place().is_in_place() {
        return Err(EmbeddedError::Gone { path: folder.data().to_owned() });
    }
    let account = Account::choose(folder, stop)?;
    folder.clear_unfinished();
    cluster::close_to_others(folder)?;
    account.make(folder, Folder::SOCKET)?;
    if let Some(adopted) = Postmaster::adopt(folder, &account, stop)? {
        return Ok(adopted);
    }
    let existing = cluster::version(folder)?;
    match (occasion, existing) {
        (Occasion::Again, None) => return Err(EmbeddedError::Gone { path: folder.cluster().to_owned() }),
        (Occasion::Start, _) => {
            journal::rotate(folder)?;
            account.advise();
        }
        (Occasion::Again, Some(_)) => {}
    }
    let binaries = match &settings.binaries {
        Some(given) => binaries::given(given, existing, folder, &account, stop)?,
        None => binaries::find(settings, search, existing, folder, &account, stop)?,
    };
    account.check_entry(folder, &binaries, stop)?;
    match existing {
        Some(_) => cluster::fill_in(folder, &account)?,
        None => cluster::create(folder, &binaries, &account, &settings.user, stop)?,
    }
    Postmaster::start(folder, &binaries, &account, settings, stop)
}
