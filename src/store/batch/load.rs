use std::collections::HashMap;

use uuid::Uuid;

use super::Shared;
use crate::store::{Failure, Session, Snapshot};

/// A game to be read, and whether a request was carried out in it.
pub(super) struct Load {
    pub(super) game: Uuid,
    pub(super) request: Option<Vec<u8>>,
}

impl Shared for Load {
    /// None where there is no such game.
    type Answer = Result<Option<Snapshot>, Failure>;

    const STEP: &'static str = "load";

    fn game(&self) -> Uuid {
        self.game
    }

    async fn ask(session: &mut Session, all: Vec<Self>) -> Result<Vec<Option<Self::Answer>>, Failure> {
        let (ids, requests): (Vec<_>, Vec<_>) = all.into_iter().map(|load| (load.game, load.request)).unzip();
        let mut found: HashMap<_, _> = session.find_games_with(&ids, &requests).await?.into_iter().collect();
        Ok(ids.iter().map(|id| Some(found.remove(id).transpose())).collect())
    }
}
