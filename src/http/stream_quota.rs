use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix_web::HttpRequest;
use tokio::sync::Notify;
use uuid::Uuid;

use super::paced_stream::Wire;
use super::problem::Problem;
use crate::address::Address;
use crate::metrics::{Metrics, Share};
use crate::schema::Code;
use crate::text::Message;
use engine::Seat;

/// How many requests of one address may follow or await logs at a time.
const PER_ADDRESS: usize = 50;

/// How many spectators may follow or await the log of one game at a time.
const PER_GAME: usize = 500;

/// How many requests with a seat's token may do so beside them.
const PER_SEAT: usize = 16;

/// The places of those who follow or await logs on this server.
pub(super) struct StreamQuota {
    /// None where there are no limits.
    places: Option<Places>,
    metrics: Arc<Metrics>,
}

#[derive(Default)]
struct Places {
    addresses: Queues<Address>,
    games: Queues<Uuid>,
    seats: Queues<(Uuid, Seat)>,
}

/// How a log is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Following {
    /// By a stream, which its client resumes when it ends. So it makes room for a newer request.
    Stream,
    /// By a request that waits. It ends by itself soon, and would be repeated at once.
    Wait,
}

/// The place of one request; it is free again when dropped.
pub(super) struct StreamPlace {
    /// Woken when a newer request takes the place.
    pushed_out: Arc<Notify>,
    wire: Option<Rc<Wire>>,
    _address: Option<Queued<Address>>,
    _game: Option<Queued<Uuid>>,
    _seat: Option<Queued<(Uuid, Seat)>>,
}

impl StreamQuota {
    /// Places with their limits, or without.
    pub(super) fn new(limited: bool, metrics: Arc<Metrics>) -> Self {
        Self { places: limited.then(Places::default), metrics }
    }

    /// Looks whether there may be a place for whoever follows from this address, and for one more spectator of this game.
    ///
    /// # Errors
    ///
    /// `429 rate_limited` where there is none.
    pub(super) fn look(&self, address: Option<Address>, spectated: Option<Uuid>) -> Result<(), Problem> {
        let Some(places) = &self.places else { return Ok(()) };
        if address.is_some_and(|address| !places.addresses.has_room(PER_ADDRESS, address)) {
            return Err(self.refuse(Message::AddressFollowsEnough));
        }
        if spectated.is_some_and(|game| !places.games.has_room(PER_GAME, game)) {
            return Err(self.refuse(Message::GameFollowedEnough));
        }
        Ok(())
    }

    /// Takes a place for a request, until it is dropped: one of its address, and where it follows one game, one of that:
    /// a spectator's, or one of a seat, which no spectator can take. Where the address or the seat has none left, its
    /// oldest stream ends.
    ///
    /// # Errors
    ///
    /// `429 rate_limited` where an address or a seat has too many that wait, or a game too many spectators.
    pub(super) fn take(
        &self,
        address: Option<Address>,
        following: Following,
        followed: Option<(Uuid, Option<Seat>)>,
        request: &HttpRequest,
    ) -> Result<StreamPlace, Problem> {
        let wire = request.conn_data::<Rc<Wire>>().map(Rc::clone);
        let pushed_out = Arc::new(Notify::new());
        let (mut of_address, mut of_game, mut of_seat) = (None, None, None);
        if let Some(places) = &self.places {
            let holder = |following| Holder { pushed_out: Arc::clone(&pushed_out), following };
            if let Some((game, Some(seat))) = followed {
                let taken = places.seats.take(PER_SEAT, (game, seat), holder(Some(following)));
                of_seat = Some(self.told(taken, Message::GameFollowedEnough)?);
            } else if let Some((game, None)) = followed {
                // Nobody is pushed out of what all spectators share.
                let taken = places.games.take(PER_GAME, game, holder(None));
                of_game = Some(self.told(taken, Message::GameFollowedEnough)?);
            }
            if let Some(address) = address {
                let taken = places.addresses.take(PER_ADDRESS, address, holder(Some(following)));
                of_address = Some(self.told(taken, Message::AddressFollowsEnough)?);
            }
        }
        Ok(StreamPlace { pushed_out, wire, _address: of_address, _game: of_game, _seat: of_seat })
    }

    fn told<K: Hash + Eq>(&self, taken: Option<Taken<K>>, refusal: Message) -> Result<Queued<K>, Problem> {
        match taken {
            Some(Taken::Free(queued)) => Ok(queued),
            Some(Taken::OfAnother(queued)) => {
                self.metrics.refused(Share::Followers);
                Ok(queued)
            }
            None => Err(self.refuse(refusal)),
        }
    }

    fn refuse(&self, refusal: Message) -> Problem {
        self.metrics.refused(Share::Followers);
        Problem::new(Code::RateLimited, refusal)
    }
}

impl StreamPlace {
    /// Waits for what is followed; none once the place is another's, or the client has closed its end.
    pub(super) async fn hold<T>(&self, following: impl Future<Output = T>) -> Option<T> {
        let left = async {
            match &self.wire {
                Some(wire) => wire.closed().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            came = following => Some(came),
            () = self.pushed_out.notified() => None,
            () = left => None,
        }
    }
}

/// Those who hold places, by key, the oldest first.
struct Queues<K>(Arc<Mutex<HashMap<K, VecDeque<Holder>>>>);

struct Holder {
    pushed_out: Arc<Notify>,
    /// None where nobody is pushed out.
    following: Option<Following>,
}

/// A place in a queue; it is free again when dropped.
struct Queued<K: Hash + Eq> {
    queues: Queues<K>,
    key: K,
    pushed_out: Arc<Notify>,
}

/// Where a place came from.
enum Taken<K: Hash + Eq> {
    Free(Queued<K>),
    OfAnother(Queued<K>),
}

impl<K: Hash + Eq + Copy> Queues<K> {
    /// Takes one of so many places, or that of the oldest stream that may be pushed out; none where there is none.
    fn take(&self, most: usize, key: K, holder: Holder) -> Option<Taken<K>> {
        let mut queues = self.entries();
        let queue = queues.entry(key).or_default();
        let is_full = queue.len() >= most;
        if is_full {
            let oldest = queue.iter().position(Holder::makes_room)?;
            if let Some(oldest) = queue.remove(oldest) {
                oldest.pushed_out.notify_one();
            }
        }
        let place = Queued { queues: Self(Arc::clone(&self.0)), key, pushed_out: Arc::clone(&holder.pushed_out) };
        queue.push_back(holder);
        Some(if is_full { Taken::OfAnother(place) } else { Taken::Free(place) })
    }

    /// Whether one of so many places is free, or can be made so.
    fn has_room(&self, most: usize, key: K) -> bool {
        self.entries().get(&key).is_none_or(|queue| queue.len() < most || queue.iter().any(Holder::makes_room))
    }
}

impl Holder {
    fn makes_room(&self) -> bool {
        self.following == Some(Following::Stream)
    }
}

impl<K> Queues<K> {
    fn entries(&self) -> MutexGuard<'_, HashMap<K, VecDeque<Holder>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K> Default for Queues<K> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<K: Hash + Eq> Drop for Queued<K> {
    fn drop(&mut self) {
        let mut queues = self.queues.entries();
        if let Some(queue) = queues.get_mut(&self.key) {
            queue.retain(|holder| !Arc::ptr_eq(&holder.pushed_out, &self.pushed_out));
            if queue.is_empty() {
                queues.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use actix_web::test::TestRequest;
    use futures_util::FutureExt as _;

    use super::*;

    const ONE: Option<Address> = Some(Address::V4([192, 0, 2, 1]));
    const OTHER: Option<Address> = Some(Address::V4([192, 0, 2, 2]));

    fn take(quota: &StreamQuota, address: Option<Address>, following: Following) -> Option<StreamPlace> {
        // Each follows another game.
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let game = Uuid::from_u128(NEXT.fetch_add(1, Ordering::Relaxed).into());
        let looked = quota.look(address, None);
        let taken = quota.take(address, following, Some((game, None)), &TestRequest::default().to_http_request());
        assert_eq!(looked.is_ok(), taken.is_ok());
        taken.ok()
    }

    fn watch(quota: &StreamQuota, game: Uuid, seat: Option<Seat>) -> Option<StreamPlace> {
        quota.take(None, Following::Stream, Some((game, seat)), &TestRequest::default().to_http_request()).ok()
    }

    fn is_pushed_out(place: &StreamPlace) -> bool {
        place.hold(std::future::pending::<()>()).now_or_never().is_some()
    }

    #[test]
    fn an_address_has_so_many_places_for_those_who_wait_and_gets_them_back() {
        let places = StreamQuota::new(true, Arc::default());
        let taken: Vec<_> = (0..PER_ADDRESS).map(|_| take(&places, ONE, Following::Wait).unwrap()).collect();

        assert!(take(&places, ONE, Following::Wait).is_none());
        assert!(take(&places, ONE, Following::Stream).is_none());
        assert!(take(&places, OTHER, Following::Wait).is_some());
        drop(taken);
        assert!(take(&places, ONE, Following::Wait).is_some());
        let addresses = places.places.unwrap().addresses;
        assert!(addresses.entries().is_empty(), "nothing is kept of those who left");
    }

    #[test]
    fn the_oldest_stream_of_an_address_makes_room_for_a_newer_request() {
        let places = StreamQuota::new(true, Arc::default());
        let waiting = take(&places, ONE, Following::Wait).unwrap();
        let mut streams: Vec<_> = (1..PER_ADDRESS).map(|_| take(&places, ONE, Following::Stream).unwrap()).collect();

        for number in 0..3 {
            streams.push(take(&places, ONE, Following::Stream).expect("room is made"));
            let ended: Vec<_> = streams.iter().map(is_pushed_out).collect();
            assert!(ended[number] && !ended[number + 1..].contains(&true), "{number}");
        }
        assert!(!is_pushed_out(&waiting));
        drop(streams);
        assert_eq!(places.places.unwrap().addresses.entries().values().map(VecDeque::len).sum::<usize>(), 1);
    }

    #[test]
    fn spectators_take_no_place_of_a_seat() {
        let places = StreamQuota::new(true, Arc::default());
        let (game, other) = (Uuid::nil(), Uuid::max());
        let taken: Vec<_> = (0..PER_GAME).map(|_| watch(&places, game, None).unwrap()).collect();

        assert!(watch(&places, game, None).is_none());
        assert!(places.look(None, Some(game)).is_err());
        assert!(watch(&places, other, None).is_some());
        let hosts: Vec<_> = (0..=PER_SEAT).map(|_| watch(&places, game, Some(Seat::Host)).unwrap()).collect();
        assert!(is_pushed_out(&hosts[0]) && !is_pushed_out(&hosts[1]));
        assert!(watch(&places, game, Some(Seat::Guest)).is_some());
        assert!(taken.iter().all(|place| !is_pushed_out(place)));
        drop(taken);
        assert!(watch(&places, game, None).is_some());
    }

    #[test]
    fn without_limits_everybody_has_a_place() {
        let places = StreamQuota::new(false, Arc::default());

        let taken: Vec<_> = (0..PER_GAME * 2).map(|_| take(&places, ONE, Following::Stream).unwrap()).collect();

        assert!(!taken.iter().any(is_pushed_out));
    }
}
