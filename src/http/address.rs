use std::net::IpAddr;

use actix_web::HttpRequest;

use crate::address::Address;

impl Address {
    /// Whose request it is: the peer's, or behind so many trusted proxies the one that the
    /// outermost of them saw. What a client forges stands further left and is never looked at.
    pub(in crate::http) fn of(request: &HttpRequest, proxies: usize) -> Option<Self> {
        let peer = request.peer_addr().map(|peer| peer.ip());
        let forwarded = request.headers().get_all("x-forwarded-for").filter_map(|value| value.to_str().ok());
        let forwarded: Vec<&str> = forwarded.flat_map(|value| value.split(',')).collect();
        let seen = proxies.checked_sub(1).and_then(|inner| forwarded.into_iter().rev().nth(inner)).and_then(parse);
        seen.or(peer).map(Self::from)
    }
}

/// An address, perhaps with a port.
fn parse(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let without_port = text.parse::<std::net::SocketAddr>().map(|address| address.ip());
    text.trim_matches(['[', ']']).parse().or(without_port).ok()
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn of(forwarded: &[&str], proxies: usize) -> Option<Address> {
        let mut request = TestRequest::default().peer_addr("192.0.2.1:1".parse().unwrap());
        for value in forwarded {
            request = request.append_header(("X-Forwarded-For", *value));
        }
        Address::of(&request.to_http_request(), proxies)
    }

    #[test]
    fn a_forged_header_gains_nothing() {
        let peer = Some(Address::V4([192, 0, 2, 1]));
        let client = Some(Address::V4([198, 51, 100, 7]));

        assert_eq!(of(&["198.51.100.7"], 0), peer);
        assert_eq!(of(&["203.0.113.9, 198.51.100.7"], 1), client);
        assert_eq!(of(&["203.0.113.9", "198.51.100.7"], 1), client, "two headers are one list");
        assert_eq!(of(&["203.0.113.9, 198.51.100.7, 10.0.0.1"], 2), client);
        assert_eq!(of(&["198.51.100.7:4711"], 1), client, "with a port");
        for inconsistent in ["", "x", "unknown", ","] {
            assert_eq!(of(&[inconsistent], 1), peer, "{inconsistent}");
        }
        assert_eq!(of(&["198.51.100.7"], 2), peer, "fewer proxies than were configured");
    }
}
