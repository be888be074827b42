//! Whom a request comes from.

use std::net::IpAddr;

/// Whom an address belongs to: an IPv6 customer has a whole /64.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Address {
    /// One address.
    V4([u8; 4]),
    /// The first half of an address.
    V6([u16; 4]),
}

impl From<IpAddr> for Address {
    fn from(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self::V4(address.octets()),
            IpAddr::V6(address) => {
                let [first, second, third, fourth, ..] = address.segments();
                Self::V6([first, second, third, fourth])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ipv6_customer_has_a_whole_64_and_a_mapped_address_is_an_ipv4_one() {
        let address = |text: &str| Address::from(text.parse::<IpAddr>().unwrap());

        assert_eq!(address("2001:db8::1"), address("2001:db8::ffff:2"));
        assert_ne!(address("2001:db8::1"), address("2001:db8:0:1::1"));
        assert_eq!(address("::ffff:10.0.0.1"), address("10.0.0.1"));
    }
}
