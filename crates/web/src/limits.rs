//! Limits of connections, waiting times and space.

use std::net::IpAddr;
use std::time::Duration;

/// What callers may take of the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most open connections.
    pub connections: usize,
    /// The most open connections of one address.
    pub per_address: usize,
    /// The same for an address of this machine, where a proxy or a test may speak for many.
    pub per_local_address: usize,
    /// A connection that has waited for less time than this is never closed to make room.
    pub grace: Duration,
    /// The longest time for the head of a request to arrive, idle time included.
    pub head: Duration,
    /// The longest time for the body of a request to arrive.
    pub body: Duration,
    /// The longest time in which a reader may take nothing of an answer that waits for it.
    pub write: Duration,
    /// Below this much free space on the disk, the server says that it is degraded.
    pub free_bytes: u64,
    /// The largest database of saved games.
    pub database_bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 1_024,
            per_address: 128,
            per_local_address: 512,
            grace: Duration::from_secs(1),
            head: Duration::from_secs(30),
            body: Duration::from_secs(10),
            write: Duration::from_secs(30),
            free_bytes: 64 << 20,
            database_bytes: 8 << 30,
        }
    }
}

impl Limits {
    /// The most open connections of `address`; a proxy speaks for many.
    pub(crate) fn connections_of(&self, address: IpAddr, proxies: &[IpAddr]) -> usize {
        match address {
            address if proxies.contains(&address) => self.connections,
            address if address.is_loopback() => self.per_local_address,
            _ => self.per_address,
        }
    }
}
