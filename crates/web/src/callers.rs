//! Limits what each caller may do at a time.
//!
//! A caller is an address. The list holds only callers with work in progress,
//! so it is never longer than that work.

use crate::caller::Caller;
use crate::refusal::{Code, Refusal};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The most work of one caller at a time.
const MOST: Share = Share { streams: 4, followers: 32, channels: 32, requests: 8 };

/// The same for this machine, where a proxy or a test may speak for many.
const MOST_LOCAL: Share = Share { streams: 64, followers: 512, channels: 512, requests: 512 };

/// A caller may begin this many games at once, and then one after each pause.
const NEW_GAMES: u32 = 30;
const NEW_GAME_PAUSE: Duration = Duration::from_secs(2);

/// Counts of a caller's work, or their limits.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Share {
    streams: usize,
    followers: usize,
    channels: usize,
    requests: usize,
}

/// The kinds of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A stream, for as long as it is open.
    Stream,
    /// A stream of the changes of a game, which costs next to nothing.
    Follower,
    /// A connection that carries streams, which are counted apart.
    Channel,
    /// A request that needs a search.
    Request,
}

/// The callers with work in progress.
#[derive(Clone, Default)]
pub(crate) struct Callers {
    shares: Arc<Mutex<HashMap<IpAddr, Share>>>,
    /// When each caller may begin all its games again; each game delays it by a pause.
    games: Arc<Mutex<HashMap<IpAddr, Instant>>>,
}

/// Permission to do work, until it is dropped.
pub(crate) struct Permit {
    callers: Callers,
    address: IpAddr,
    kind: Kind,
}

impl Callers {
    /// Permits one more of `kind`, unless the caller has reached its limit.
    pub(crate) fn enter(&self, caller: Caller, kind: Kind) -> Result<Permit, Refusal> {
        let address = caller.network();
        let most = if address.is_loopback() { MOST_LOCAL } else { MOST };
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        let share = shares.entry(address).or_default();
        if share.of(kind) >= most.of(kind) {
            let what = match kind {
                Kind::Stream => "streams open",
                Kind::Follower => "games followed",
                Kind::Channel => "channels open",
                Kind::Request => "moves in work",
            };
            let message = format!("you have too many {what}; expected at most {}", share.of(kind));
            return Err(Refusal::new(Code::TooMany, message));
        }
        *share.of_mut(kind) += 1;
        Ok(Permit { callers: self.clone(), address, kind })
    }

    /// Counts a game that begins at `now`; refuses it if the caller began too many lately.
    pub(crate) fn begin_game(&self, caller: Caller, now: Instant) -> Result<(), Refusal> {
        if caller.address.is_loopback() {
            return Ok(());
        }
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.retain(|_, forgotten| *forgotten > now);
        let forgotten = games.entry(caller.network()).or_insert(now);
        let after = (*forgotten).max(now) + NEW_GAME_PAUSE;
        if after > now + NEW_GAME_PAUSE * NEW_GAMES {
            let message = "you have begun too many games; expected at most one in two seconds";
            return Err(Refusal::new(Code::TooMany, message));
        }
        *forgotten = after;
        Ok(())
    }

    /// How many streams are open.
    pub(crate) fn streams(&self) -> usize {
        let shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        shares.values().map(|share| share.streams + share.followers).sum()
    }
}

impl Share {
    fn of(self, kind: Kind) -> usize {
        match kind {
            Kind::Stream => self.streams,
            Kind::Follower => self.followers,
            Kind::Channel => self.channels,
            Kind::Request => self.requests,
        }
    }

    fn of_mut(&mut self, kind: Kind) -> &mut usize {
        match kind {
            Kind::Stream => &mut self.streams,
            Kind::Follower => &mut self.followers,
            Kind::Channel => &mut self.channels,
            Kind::Request => &mut self.requests,
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut shares = self.callers.shares.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(share) = shares.get_mut(&self.address) {
            *share.of_mut(self.kind) -= 1;
            if *share == Share::default() {
                shares.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stranger() -> Caller {
        Caller { address: [192, 0, 2, 7].into(), port: 1 }
    }

    #[test]
    fn a_caller_gets_a_share_and_is_forgotten_afterwards() {
        let callers = Callers::default();
        let permits: Vec<Permit> =
            (0..4).map(|_| callers.enter(stranger(), Kind::Stream).unwrap()).collect();
        let refusal = callers.enter(stranger(), Kind::Stream).err().unwrap();
        assert_eq!(refusal.message, "you have too many streams open; expected at most 4");
        assert!(callers.enter(stranger(), Kind::Request).is_ok(), "another kind");
        let other = Caller { address: [192, 0, 2, 8].into(), port: 1 };
        assert!(callers.enter(other, Kind::Stream).is_ok(), "another caller");
        assert_eq!(callers.streams(), 4);
        drop(permits);
        assert!(callers.shares.lock().unwrap().is_empty());
    }

    #[test]
    fn games_are_begun_at_a_pace() {
        let (callers, now) = (Callers::default(), Instant::now());
        for _ in 0..NEW_GAMES {
            callers.begin_game(stranger(), now).unwrap();
        }
        assert!(callers.begin_game(stranger(), now).is_err());
        assert!(callers.begin_game(stranger(), now + NEW_GAME_PAUSE).is_ok());
        assert!(callers.begin_game(stranger(), now + NEW_GAME_PAUSE).is_err());
    }
}
