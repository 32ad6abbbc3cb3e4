//! Who sent a request: the address of the connection, or the one that a trusted proxy names.

use crate::refusal::Refusal;
use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// The header in which every proxy appends the address that it was asked by.
const FORWARDED: &str = "x-forwarded-for";

/// The sender of a request.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Caller {
    pub(crate) address: IpAddr,
    pub(crate) port: u16,
}

impl Caller {
    /// The caller at the other end of a connection.
    pub(crate) fn new(peer: SocketAddr) -> Caller {
        Caller { address: peer.ip().to_canonical(), port: peer.port() }
    }

    /// The same, or the caller that a proxy names if `peer` is one of `proxies`: the last address
    /// that is not a proxy itself. What stands before it could be anybody's invention.
    pub(crate) fn of_request(peer: SocketAddr, headers: &HeaderMap, proxies: &[IpAddr]) -> Caller {
        let caller = Caller::new(peer);
        if !proxies.contains(&caller.address) {
            return caller;
        }
        let values = headers.get_all(FORWARDED).iter().filter_map(|value| value.to_str().ok());
        let names: Vec<&str> = values.flat_map(|value| value.split(',')).collect();
        for name in names.into_iter().rev() {
            match parse(name.trim()) {
                Some(address) if proxies.contains(&address) => {}
                Some(address) => return Caller { address, port: 0 },
                None => break,
            }
        }
        caller
    }

    /// Whom limits count together: an address, or the 64 bits of an IPv6 network, which its owner
    /// can change at will.
    pub(crate) fn network(self) -> IpAddr {
        network(self.address)
    }

    /// Whom the queue treats fairly: a network, or a connection from this machine, where a proxy may
    /// speak for many.
    pub(crate) fn client(self) -> (IpAddr, u16) {
        (self.network(), if self.address.is_loopback() { self.port } else { 0 })
    }
}

/// The first 64 bits of an IPv6 address; any other address as it is.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(six) if !six.is_loopback() => {
            IpAddr::V6(Ipv6Addr::from_bits(six.to_bits() >> 64 << 64))
        }
        _ => address,
    }
}

/// An address with or without a port.
fn parse(name: &str) -> Option<IpAddr> {
    let address = name.parse().ok().or_else(|| Some(name.parse::<SocketAddr>().ok()?.ip()));
    address.map(|address: IpAddr| address.to_canonical())
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Caller, Refusal> {
        // Without a socket, as in tests, requests come from this machine.
        let local = Caller { address: Ipv4Addr::LOCALHOST.into(), port: 0 };
        Ok(parts.extensions.get().copied().unwrap_or(local))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(peer: &str, forwarded: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append(FORWARDED, value.parse().unwrap());
        }
        let proxies = ["127.0.0.1".parse().unwrap(), "10.0.0.1".parse().unwrap()];
        Caller::of_request(peer.parse().unwrap(), &headers, &proxies).address.to_string()
    }

    #[test]
    fn a_caller_cannot_borrow_the_address_of_another() {
        assert_eq!(caller("192.0.2.7:1", &["198.51.100.1"]), "192.0.2.7", "it is no proxy");
        let invented = &["198.51.100.1, 192.0.2.7"];
        assert_eq!(caller("127.0.0.1:1", invented), "192.0.2.7", "the proxy wrote the last one");
        assert_eq!(caller("127.0.0.1:1", &["198.51.100.1", "192.0.2.7"]), "192.0.2.7");
        assert_eq!(caller("127.0.0.1:1", &["192.0.2.7, 10.0.0.1"]), "192.0.2.7", "two proxies");
        assert_eq!(caller("127.0.0.1:1", &["192.0.2.7, nonsense"]), "127.0.0.1");
        assert_eq!(caller("127.0.0.1:1", &[]), "127.0.0.1");
        assert_eq!(caller("127.0.0.1:1", &["[2001:db8::1]:80"]), "2001:db8::1");
        assert_eq!(caller("[::ffff:127.0.0.1]:1", &["192.0.2.7:5"]), "192.0.2.7");
    }

    #[test]
    fn a_network_of_addresses_is_one_caller() {
        let network = |peer: &str| Caller::new(peer.parse().unwrap()).network();
        assert_eq!(network("[2001:db8::1]:1"), network("[2001:db8::ffff:2]:1"));
        assert_ne!(network("[2001:db8::1]:1"), network("[2001:db8:0:1::1]:1"));
        assert_ne!(network("192.0.2.7:1"), network("192.0.2.8:1"));
        assert!(network("[::1]:1").is_loopback());
    }
}
