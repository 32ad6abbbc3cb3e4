//! The open connections: how many each address has, and which of them goes when there are too many.
//!
//! A connection *waits* while it owes us the head or the body of a request, or
//! takes nothing of its answer. The one that has waited longest makes room for a
//! new one. A connection whose request is in work, or whose stream is read, never
//! does.

use crate::caller::Caller;
use crate::limits::Limits;
use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::Instant;

/// The open connections. Clones share them.
#[derive(Clone)]
pub(crate) struct Connections(Arc<Shared>);

struct Shared {
    limits: Limits,
    proxies: Vec<IpAddr>,
    table: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    open: HashMap<u64, Arc<Entry>>,
    last_number: u64,
}

/// What is known of an open connection.
struct Entry {
    network: IpAddr,
    waiting: Mutex<Waiting>,
    evicted: Notify,
}

/// Since when a connection waits for its client.
#[derive(Clone, Copy)]
struct Waiting {
    /// For a request, or for the rest of one.
    to_read: Option<Instant>,
    /// For the reader of an answer.
    to_write: Option<Instant>,
}

/// A connection's place among the open ones, until it is dropped.
pub(crate) struct Place {
    connections: Connections,
    number: u64,
    entry: Arc<Entry>,
}

/// Tells what a connection does. Clones tell it of the same one.
#[derive(Clone)]
pub(crate) struct Activity(Arc<Entry>);

/// A request in work, until it is dropped.
pub(crate) struct InWork(Activity);

/// Why there is no place for a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Full {
    /// Its address has too many, all of them at work.
    Address,
    /// There are too many, all of them at work.
    Server,
}

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Full::Address => "this address has too many",
            Full::Server => "there are too many",
        })
    }
}

impl Connections {
    pub(crate) fn new(limits: Limits, proxies: Vec<IpAddr>) -> Connections {
        Connections(Arc::new(Shared { limits, proxies, table: Mutex::default() }))
    }

    /// A place for a new connection. If there is none, the connection that has waited longest goes:
    /// of the same address, if that has too many, or of all.
    pub(crate) fn enter(&self, caller: Caller) -> Result<Place, Full> {
        let (network, now) = (caller.network(), Instant::now());
        let Shared { limits, proxies, .. } = &*self.0;
        let mut table = self.lock();
        let most = limits.connections_of(caller.address, proxies);
        if table.open.values().filter(|entry| entry.network == network).count() >= most {
            let is_same = |entry: &Entry| entry.network == network;
            table.evict(is_same, now, limits.grace).ok_or(Full::Address)?;
        }
        if table.open.len() >= limits.connections {
            table.evict(|_| true, now, limits.grace).ok_or(Full::Server)?;
        }
        table.last_number += 1;
        let number = table.last_number;
        let waiting = Mutex::new(Waiting { to_read: Some(now), to_write: None });
        let entry = Arc::new(Entry { network, waiting, evicted: Notify::new() });
        table.open.insert(number, Arc::clone(&entry));
        Ok(Place { connections: self.clone(), number, entry })
    }

    /// Closes the connection that has waited longest, if any has.
    pub(crate) fn evict_one(&self) -> bool {
        self.lock().evict(|_| true, Instant::now(), self.0.limits.grace).is_some()
    }

    /// How many are open.
    pub(crate) fn count(&self) -> usize {
        self.lock().open.len()
    }

    /// Whether there are as many as there may be.
    pub(crate) fn is_full(&self) -> bool {
        self.count() >= self.0.limits.connections
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.0.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    /// Closes the connection that has waited longest of those that `is_candidate` names; none that
    /// has waited for less than `grace`.
    fn evict(
        &mut self,
        is_candidate: impl Fn(&Entry) -> bool,
        now: Instant,
        grace: Duration,
    ) -> Option<()> {
        let waiting = self.open.iter().filter(|(_, entry)| is_candidate(entry));
        let waiting = waiting.filter_map(|(number, entry)| Some((*number, entry.waited(now)?)));
        let (number, waited) =
            waiting.max_by_key(|(number, waited)| (*waited, u64::MAX - number))?;
        if waited < grace {
            return None;
        }
        let entry = self.open.remove(&number)?;
        entry.evicted.notify_one();
        Some(())
    }
}

impl Entry {
    /// How long it has waited for its client, if it does.
    fn waited(&self, now: Instant) -> Option<Duration> {
        let Waiting { to_read, to_write } = *self.lock();
        to_read.into_iter().chain(to_write).min().map(|since| now.saturating_duration_since(since))
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// Reports what the connection does.
    pub(crate) fn activity(&self) -> Activity {
        Activity(Arc::clone(&self.entry))
    }

    /// Ready when the connection must make room.
    pub(crate) async fn evicted(&self) {
        self.entry.evicted.notified().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.lock().open.remove(&self.number);
    }
}

impl Activity {
    /// A request has come; its work ends, and the wait for the next begins, when the result is
    /// dropped.
    pub(crate) fn begin(&self) -> InWork {
        self.0.lock().to_read = None;
        InWork(self.clone())
    }

    /// The body of the request has still to come, or has come.
    pub(crate) fn expect_body(&self, is_expected: bool) {
        self.0.lock().to_read = is_expected.then(Instant::now);
    }

    /// The reader takes nothing of the answer, or does again.
    pub(crate) fn set_blocked(&self, is_blocked: bool) {
        let mut waiting = self.0.lock();
        waiting.to_write = match is_blocked {
            true => waiting.to_write.or_else(|| Some(Instant::now())),
            false => None,
        };
    }
}

impl Drop for InWork {
    fn drop(&mut self) {
        self.0.0.lock().to_read = Some(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::advance;

    const SECOND: Duration = Duration::from_secs(1);

    fn connections(connections: usize, per_address: usize) -> Connections {
        let limits = Limits { connections, per_address, ..Limits::default() };
        Connections::new(limits, vec![[10, 0, 0, 1].into()])
    }

    fn caller(last: u8) -> Caller {
        Caller { address: [192, 0, 2, last].into(), port: 0 }
    }

    fn is_evicted(place: &Place) -> bool {
        !place.connections.lock().open.contains_key(&place.number)
    }

    #[tokio::test(start_paused = true)]
    async fn the_connection_that_waited_longest_makes_room() {
        let connections = connections(4, 4);
        let loris = connections.enter(caller(1)).unwrap();
        advance(SECOND).await;
        let idle = connections.enter(caller(2)).unwrap();
        let busy = connections.enter(caller(3)).unwrap();
        let work = busy.activity().begin();
        advance(SECOND).await;
        let stuck = connections.enter(caller(4)).unwrap();
        let _stuck = stuck.activity().begin();
        stuck.activity().set_blocked(true);
        advance(SECOND).await;

        let first = connections.enter(caller(5)).unwrap();
        assert!(is_evicted(&loris));
        loris.evicted().await;
        drop(loris);
        drop(first.activity().begin());
        let second = connections.enter(caller(6)).unwrap();
        assert!(is_evicted(&idle), "it has waited longer than the reader that takes nothing");
        let third = connections.enter(caller(7)).unwrap();
        assert!(is_evicted(&stuck) && !is_evicted(&busy));
        assert_eq!(connections.enter(caller(8)).err(), Some(Full::Server), "all are new or busy");

        drop(work);
        advance(SECOND * 2).await;
        drop((first.activity().begin(), second.activity().begin(), third.activity().begin()));
        let _fourth = connections.enter(caller(8)).unwrap();
        assert!(is_evicted(&busy), "it has nothing to do any longer");
        assert!(connections.is_full() && !connections.evict_one());
    }

    #[tokio::test(start_paused = true)]
    async fn one_address_cannot_take_the_places_of_others() {
        let connections = connections(100, 3);
        let mut greedy: Vec<Place> = Vec::new();
        for _ in 0..3 {
            greedy.push(connections.enter(caller(1)).unwrap());
        }
        assert_eq!(connections.enter(caller(1)).err(), Some(Full::Address));
        let _other = connections.enter(caller(2)).unwrap();
        advance(SECOND * 9).await;
        let _again = connections.enter(caller(1)).unwrap();
        assert_eq!(connections.count(), 4, "its own connection made room");
        assert!(is_evicted(&greedy[0]));
        let _work: Vec<InWork> = greedy.iter().map(|place| place.activity().begin()).collect();
        drop(greedy);
        assert_eq!(connections.count(), 2);
        let proxy = Caller { address: [10, 0, 0, 1].into(), port: 0 };
        let behind: Vec<_> = (0..98).map(|_| connections.enter(proxy).unwrap()).collect();
        assert_eq!(behind.len(), 98, "a proxy speaks for many");
    }
}
