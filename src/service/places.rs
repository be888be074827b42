//! Places for work at the database: a request has one while it works there, and gives it back while it waits.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{Declined, Error, Games, Origin};
use crate::address::Address;
use crate::deadlines;
use crate::metrics::{Held, Metrics, Share};
use crate::registry::{Handle, Registry};
use crate::store::Failure;

/// How many requests may work at the database at a time; more are turned away at once.
const AT_ONCE: usize = 512;

/// How many of them may come from one address.
const OF_AN_ADDRESS: usize = 64;

/// How many more of one address may wait for that.
const WAITING_OF_AN_ADDRESS: usize = 192;

/// All places of this server.
pub(super) struct Places {
    all: Arc<Semaphore>,
    shares: Registry<Address, Arc<Semaphore>>,
    metrics: Arc<Metrics>,
}

/// A place; it is free again when dropped.
pub(super) struct Place {
    _permit: OwnedSemaphorePermit,
    _share: Option<AddressShare>,
    _counted: Held,
}

/// A part of what an address may have.
pub(super) struct AddressShare {
    _permit: OwnedSemaphorePermit,
    _address: Handle<Address, Arc<Semaphore>>,
}

/// The place of a request that sometimes waits.
pub(super) struct HeldPlace {
    origin: Origin,
    place: Mutex<Option<Place>>,
}

const TOO_MANY: Failure = Failure::Unavailable("too many requests are under way");

impl Places {
    pub(super) fn new(metrics: Arc<Metrics>) -> Self {
        Self { all: Arc::new(Semaphore::new(AT_ONCE)), shares: Registry::default(), metrics }
    }

    /// Takes a place. Where its address has its share, a request waits until it has less.
    ///
    /// # Errors
    ///
    /// [`Declined::Crowded`] where the address still has its share then, or more wait for it than may;
    /// [`Failure::Unavailable`] at once where all are taken.
    pub(super) async fn take(&self, origin: Origin) -> Result<Place, Error> {
        let share = self.share(origin).await?;
        let permit = Arc::clone(&self.all).try_acquire_owned().map_err(|_| TOO_MANY)?;
        Ok(Place { _permit: permit, _share: share, _counted: self.metrics.hold_place() })
    }

    /// Takes a place once there is one, for whoever has been let in before.
    ///
    /// # Errors
    ///
    /// [`Failure::Unavailable`] where there is none in time.
    pub(super) async fn wait(&self) -> Result<Place, Failure> {
        let permit = tokio::time::timeout(deadlines::TURN, Arc::clone(&self.all).acquire_owned()).await;
        let permit = permit.ok().and_then(Result::ok).ok_or(TOO_MANY)?;
        Ok(Place { _permit: permit, _share: None, _counted: self.metrics.hold_place() })
    }

    /// Counts a request to the share of its address alone.
    ///
    /// # Errors
    ///
    /// [`Declined::Crowded`] as above.
    pub(super) async fn share(&self, origin: Origin) -> Result<Option<AddressShare>, Declined> {
        let Origin(Some(address)) = origin else { return Ok(None) };
        let crowded = || {
            self.metrics.refused(Share::Places);
            Declined::Crowded
        };
        let most = OF_AN_ADDRESS + WAITING_OF_AN_ADDRESS;
        let share = self.shares.hold_below(most, address, || Arc::new(Semaphore::new(OF_AN_ADDRESS)));
        let share = share.ok_or_else(crowded)?;
        let permit = tokio::time::timeout(deadlines::CONNECTION, Arc::clone(&share).acquire_owned()).await;
        let permit = permit.ok().and_then(Result::ok).ok_or_else(crowded)?;
        Ok(Some(AddressShare { _permit: permit, _address: share }))
    }
}

impl HeldPlace {
    pub(super) fn new(origin: Origin, place: Place) -> Self {
        Self { origin, place: Mutex::new(Some(place)) }
    }

    /// Puts a place here, and gives back the one that was.
    fn put(&self, place: Option<Place>) {
        // The one that was is dropped after the lock.
        let _was = std::mem::replace(&mut *self.place.lock().unwrap_or_else(PoisonError::into_inner), place);
    }
}

impl Games {
    /// Waits for something that is not the database, while others have the place of this request.
    ///
    /// # Errors
    ///
    /// As when a place is taken for the first time.
    pub(super) async fn rest<T>(&self, waiting: impl Future<Output = T>) -> Result<T, Error> {
        let Some(held) = &self.place else { return Ok(waiting.await) };
        held.put(None);
        let came = waiting.await;
        held.put(Some(self.under_way.places.take(held.origin).await?));
        Ok(came)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use futures_util::future::join_all;
    use tokio::task::unconstrained;

    use super::*;

    fn from(number: u8) -> Origin {
        Origin(Some(Address::V4([192, 0, 2, number])))
    }

    /// None where it waits.
    fn take(places: &Places, number: u8) -> Option<Result<Place, Error>> {
        // tokio lets a task do only so much at a time.
        unconstrained(places.take(from(number))).now_or_never()
    }

    #[tokio::test]
    async fn an_address_has_a_share_of_the_places_and_the_rest_are_for_others() {
        let places = Places::new(Arc::default());
        let mut taken: Vec<_> = (0..OF_AN_ADDRESS).map(|_| take(&places, 1).unwrap().unwrap()).collect();

        assert!(
            take(&places, 1).is_none() && unconstrained(places.share(from(1))).now_or_never().is_none(),
            "they wait"
        );
        for number in 2..=8 {
            taken.extend((0..OF_AN_ADDRESS).map(|_| take(&places, number).unwrap().unwrap()));
        }
        assert!(matches!(take(&places, 9), Some(Err(Error::Failure(Failure::Unavailable(_))))));
        assert!(unconstrained(places.share(from(9))).now_or_never().is_some(), "a share alone takes no place");
        let mut next = Box::pin(unconstrained(places.take(from(1))));
        assert!((&mut next).now_or_never().is_none());
        taken.remove(0);
        assert!(next.await.is_ok(), "whoever waits longest is next");
        drop(taken);
        assert!(places.shares.keys().is_empty(), "nothing is kept of those who left");
    }

    #[tokio::test]
    async fn so_many_of_an_address_wait_and_whoever_waits_too_long_is_refused() {
        let places = Places::new(Arc::default());
        let _taken: Vec<_> = (0..OF_AN_ADDRESS).map(|_| take(&places, 1).unwrap().unwrap()).collect();
        let mut waiting: Vec<_> =
            (0..WAITING_OF_AN_ADDRESS).map(|_| Box::pin(unconstrained(places.take(from(1))))).collect();
        assert!(waiting.iter_mut().all(|waiting| waiting.now_or_never().is_none()));

        assert!(matches!(take(&places, 1), Some(Err(Error::Declined(Declined::Crowded)))));
        for waited in join_all(waiting).await {
            assert!(matches!(waited, Err(Error::Declined(Declined::Crowded))));
        }
    }
}
