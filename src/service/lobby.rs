use super::{Error, Games, Origin};
use crate::store::{Place, Snapshot};

/// A page of the games that strangers may join.
pub(crate) struct Lobby {
    /// The games, newest first.
    pub offers: Vec<Snapshot>,
    /// Where the next page begins; none at the end.
    pub next: Option<Place>,
}

impl Games {
    /// Lists the games that strangers may join, newest first: at most so many, from behind a place
    /// on.
    pub(crate) async fn lobby(&self, origin: Origin, behind: Option<Place>, limit: u16) -> Result<Lobby, Error> {
        let _place = self.under_way.places.take(origin).await?;
        // One more than is shown tells whether there is a next page.
        let mut offers = self.store.list_offers(behind, limit.saturating_add(1)).await?;
        let has_more = offers.len() > usize::from(limit);
        offers.truncate(limit.into());
        let next = offers.last().filter(|_| has_more).map(|(place, _)| *place);
        Ok(Lobby { offers: offers.into_iter().filter_map(|(_, game)| game).collect(), next })
    }
}
