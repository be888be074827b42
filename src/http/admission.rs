use std::net::IpAddr;
use std::sync::Arc;

use crate::address::Address;
use crate::metrics::{Held, Metrics, Share};
use crate::registry::{Handle, Registry};

/// How many connections an address may have open at a time.
pub(super) const PER_ADDRESS: usize = 256;

/// The places for connections of this server.
pub(super) struct Admission {
    /// How many there are: below what the process may open, so that the files that it needs remain.
    most: usize,
    /// How many of them an address may have; none where that is the business of a proxy in front.
    most_of_an_address: Option<usize>,
    all: Registry<(), ()>,
    by_address: Registry<Address, ()>,
    metrics: Arc<Metrics>,
}

/// The place of one connection; it is free again when dropped.
pub(super) struct Admitted {
    _place: Handle<(), ()>,
    _share: Option<Handle<Address, ()>>,
    _counted: Held,
}

impl Admission {
    /// So many places, and so many of them for each address.
    pub(super) fn new(most: usize, most_of_an_address: Option<usize>, metrics: Arc<Metrics>) -> Self {
        Self { most, most_of_an_address, all: Registry::default(), by_address: Registry::default(), metrics }
    }

    /// Takes a place for a connection from this address; none where there is none.
    pub(super) fn admit(&self, peer: Option<IpAddr>) -> Option<Admitted> {
        let admitted = self.try_admit(peer.map(Address::from));
        if admitted.is_none() {
            self.metrics.refused(Share::Connections);
        }
        admitted
    }

    fn try_admit(&self, address: Option<Address>) -> Option<Admitted> {
        let share = match (self.most_of_an_address, address) {
            (Some(most), Some(address)) => Some(self.by_address.hold_below(most, address, || ())?),
            (None, _) | (_, None) => None,
        };
        let place = self.all.hold_below(self.most, (), || ())?;
        Some(Admitted { _place: place, _share: share, _counted: self.metrics.hold_connection() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_its_share_and_all_have_no_more_than_there_is() {
        let admission = Admission::new(5, Some(3), Arc::default());
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
        let admission = Admission::new(500, None, Arc::default());
        let proxy = "192.0.2.1".parse().ok();

        let held: Vec<_> = (0..500).map(|_| admission.admit(proxy)).collect();

        assert!(held.iter().all(Option::is_some));
        assert!(admission.admit(proxy).is_none());
    }
}
