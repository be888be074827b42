use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Context;

use futures_util::task::AtomicWaker;

use crate::address::Address;
use crate::metrics::{Held, Metrics, Share};
use crate::registry::{Handle, Registry};

/// How many connections an address may have open at a time.
pub(super) const PER_ADDRESS: usize = 256;

/// How many of them may be kept without a request.
const IDLE_PER_ADDRESS: usize = 128;

/// The places for connections of this server.
pub(super) struct Admission {
    /// How many there are: below what the process may open, so that the files that it needs remain.
    most: usize,
    /// How many of them an address may have; none where that is the business of a proxy in front.
    most_of_an_address: Option<usize>,
    all: Registry<(), ()>,
    by_address: Registry<Address, ()>,
    idle: Mutex<Idle>,
    metrics: Arc<Metrics>,
}

/// Connections that are kept without a request, by when they began to be.
#[derive(Default)]
struct Idle {
    next: u64,
    all: BTreeMap<u64, (Option<Address>, Arc<Seat>)>,
    by_address: HashMap<Address, BTreeSet<u64>>,
}

/// What one connection has; it is free again when dropped.
pub(super) struct Admitted {
    admission: Arc<Admission>,
    address: Option<Address>,
    seat: Arc<Seat>,
    /// Its number among those that are idle, while it is.
    idle: Option<u64>,
}

/// The place of a connection, which others may be given while it is idle.
struct Seat {
    place: Mutex<Option<Place>>,
    is_given_up: AtomicBool,
    /// Woken when it is given up.
    waker: AtomicWaker,
}

struct Place {
    _of_all: Handle<(), ()>,
    _share: Option<Handle<Address, ()>>,
    _counted: Held,
}

/// Why there is no place.
enum Full {
    /// An address has its share.
    Address(Address),
    /// All are taken.
    All,
}

impl Admission {
    /// So many places, and so many of them for each address.
    pub(super) fn new(most: usize, most_of_an_address: Option<usize>, metrics: Arc<Metrics>) -> Self {
        Self {
            most,
            most_of_an_address,
            all: Registry::default(),
            by_address: Registry::default(),
            idle: Mutex::default(),
            metrics,
        }
    }

    /// Takes a place for a connection from this address. Where there is none the connection that has been idle for longest
    /// gives up its own; none where there is no such.
    pub(super) fn admit(self: &Arc<Self>, peer: Option<IpAddr>) -> Option<Admitted> {
        let address = peer.map(Address::from);
        loop {
            let longest = match self.try_admit(address) {
                Ok(place) => return Some(self.admitted(address, place)),
                Err(Full::Address(address)) => self.idle().longest_of(address),
                Err(Full::All) => self.idle().longest(),
            };
            let Some(longest) = longest else {
                self.metrics.refused(Share::Connections);
                return None;
            };
            longest.give_up();
        }
    }

    fn try_admit(&self, address: Option<Address>) -> Result<Place, Full> {
        let share = match (self.most_of_an_address, address) {
            (Some(most), Some(address)) => {
                Some(self.by_address.hold_below(most, address, || ()).ok_or(Full::Address(address))?)
            }
            (None, _) | (_, None) => None,
        };
        let place = self.all.hold_below(self.most, (), || ()).ok_or(Full::All)?;
        Ok(Place { _of_all: place, _share: share, _counted: self.metrics.hold_connection() })
    }

    fn admitted(self: &Arc<Self>, address: Option<Address>, place: Place) -> Admitted {
        // Behind a proxy nobody has a share.
        let address = address.filter(|_| self.most_of_an_address.is_some());
        let seat =
            Seat { place: Mutex::new(Some(place)), is_given_up: AtomicBool::new(false), waker: AtomicWaker::new() };
        Admitted { admission: Arc::clone(self), address, seat: Arc::new(seat), idle: None }
    }

    fn idle(&self) -> MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Admitted {
    /// It is kept without a request from now on. Where its address has too many such, the one that has been so for longest
    /// is given up.
    pub(super) fn rest(&mut self) {
        if self.idle.is_none() {
            let mut idle = self.admission.idle();
            self.idle = Some(idle.insert(self.address, Arc::clone(&self.seat)));
            let surplus = self.address.and_then(|address| idle.surplus_of(address));
            drop(idle);
            if let Some(seat) = surplus {
                seat.give_up();
            }
        }
    }

    /// A request comes.
    pub(super) fn act(&mut self) {
        if let Some(number) = self.idle.take() {
            self.admission.idle().remove(number);
        }
    }

    /// Whether another connection has its place. The task is woken when that happens.
    pub(super) fn is_given_up(&self, cx: &Context<'_>) -> bool {
        self.seat.waker.register(cx.waker());
        self.seat.is_given_up.load(Ordering::Acquire)
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        self.act();
    }
}

impl Seat {
    fn give_up(&self) {
        // The place is free after the lock.
        let _place = self.place.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.is_given_up.store(true, Ordering::Release);
        self.waker.wake();
    }
}

impl Idle {
    fn insert(&mut self, address: Option<Address>, seat: Arc<Seat>) -> u64 {
        let number = self.next;
        self.next += 1;
        self.all.insert(number, (address, seat));
        if let Some(address) = address {
            self.by_address.entry(address).or_default().insert(number);
        }
        number
    }

    fn remove(&mut self, number: u64) -> Option<Arc<Seat>> {
        let (address, seat) = self.all.remove(&number)?;
        if let Some(address) = address
            && let Some(numbers) = self.by_address.get_mut(&address)
        {
            numbers.remove(&number);
            if numbers.is_empty() {
                self.by_address.remove(&address);
            }
        }
        Some(seat)
    }

    /// Takes out the one that has been idle for longest.
    fn longest(&mut self) -> Option<Arc<Seat>> {
        let number = *self.all.first_key_value()?.0;
        self.remove(number)
    }

    /// Takes out the one of this address that has been idle for longest.
    fn longest_of(&mut self, address: Address) -> Option<Arc<Seat>> {
        let number = *self.by_address.get(&address)?.first()?;
        self.remove(number)
    }

    /// Takes out one where this address has too many.
    fn surplus_of(&mut self, address: Address) -> Option<Arc<Seat>> {
        let count = self.by_address.get(&address).map_or(0, BTreeSet::len);
        if count > IDLE_PER_ADDRESS { self.longest_of(address) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;

    fn places(most: usize, of_an_address: Option<usize>) -> Arc<Admission> {
        Arc::new(Admission::new(most, of_an_address, Arc::default()))
    }

    fn is_given_up(admitted: &Admitted) -> bool {
        admitted.is_given_up(&Context::from_waker(Waker::noop()))
    }

    #[test]
    fn an_address_has_its_share_and_all_have_no_more_than_there_is() {
        let admission = places(5, Some(3));
        let [one, other] = ["192.0.2.1", "192.0.2.2"].map(|address| address.parse().ok());
        let mut held: Vec<_> = (0..3).map(|_| admission.admit(one).unwrap()).collect();

        assert!(admission.admit(one).is_none());
        assert!(admission.admit("::ffff:192.0.2.1".parse().ok()).is_none(), "it is the same address");
        held.extend([admission.admit(other).unwrap(), admission.admit(other).unwrap()]);
        assert!(admission.admit(other).is_none(), "there are no more");
        drop(held);
        assert!(admission.admit(one).is_some());
        assert!(admission.by_address.keys().is_empty(), "nothing is kept of those who left");
    }

    #[test]
    fn behind_a_proxy_all_may_come_from_one_address() {
        let admission = places(500, None);
        let proxy = "192.0.2.1".parse().ok();

        let mut held: Vec<_> = (0..500).map(|_| admission.admit(proxy)).collect();

        assert!(held.iter().all(Option::is_some));
        assert!(admission.admit(proxy).is_none());
        held.iter_mut().flatten().for_each(Admitted::rest);
        assert!(!held.iter().flatten().any(is_given_up), "no share of those that are idle either");
        assert!(admission.admit(proxy).is_some());
    }

    #[test]
    fn who_comes_to_a_full_server_gets_the_place_of_the_connection_that_was_idle_for_longest() {
        let admission = places(4, Some(3));
        let [one, other, third] = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map(|address| address.parse().ok());
        let mut held: Vec<_> = [one, one, one, other].map(|address| admission.admit(address).unwrap()).into();
        for number in [3, 1, 0] {
            held[number].rest();
        }
        // It has acted since.
        held[1].act();
        held[1].rest();

        let mut own = admission.admit(one).expect("of its own address");
        assert_eq!(held.iter().map(is_given_up).collect::<Vec<_>>(), [true, false, false, false]);
        let elsewhere = admission.admit(third).expect("of any");
        assert_eq!(held.iter().map(is_given_up).collect::<Vec<_>>(), [true, false, false, true]);
        held[1].act();
        assert!(admission.admit(third).is_none(), "all that are left act");
        own.rest();
        assert!(admission.admit(third).is_some());
        drop((held, own, elsewhere));
        assert!(admission.all.keys().is_empty() && admission.by_address.keys().is_empty());
        assert!(admission.idle().all.is_empty() && admission.idle().by_address.is_empty());
    }

    #[test]
    fn an_address_keeps_so_many_idle_connections_and_the_last_ones() {
        let admission = places(1_000, Some(PER_ADDRESS));
        let one = "192.0.2.1".parse().ok();
        let mut held: Vec<_> = (0..PER_ADDRESS).map(|_| admission.admit(one).unwrap()).collect();

        held.iter_mut().for_each(Admitted::rest);

        let given_up = held.iter().take_while(|admitted| is_given_up(admitted)).count();
        assert_eq!(given_up, PER_ADDRESS - IDLE_PER_ADDRESS);
        assert!(!held[given_up..].iter().any(is_given_up));
    }
}
