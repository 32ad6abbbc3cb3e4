//! Followers of saved games: streams that receive every change of a game.

use crate::store::{Saved, State};
use crate::stream::Outbox;
use crate::wire::ColorWord;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use utoipa::ToSchema;

/// The followers of each game, by its id. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Followers(Arc<Mutex<Table>>);

#[derive(Default)]
struct Table {
    games: HashMap<String, Vec<Follower>>,
    last_number: u64,
}

/// What a follower is to a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Reads a game that has no referee.
    Reader,
    /// Watches a game between two people.
    Watcher,
    /// Plays this side of it.
    Seat(ColorWord),
}

/// Who is there: told to the followers of a game between two people.
#[derive(Serialize, ToSchema)]
pub(crate) struct Presence {
    /// Whether black is at a screen.
    black: bool,
    /// Whether white is at a screen.
    white: bool,
    /// How many watch.
    watchers: usize,
}

struct Follower {
    number: u64,
    role: Role,
    /// The newest revision of the game that it was sent.
    revision: i64,
    outbox: Outbox,
}

/// A follower's entry, until it is dropped.
pub(crate) struct Subscription {
    followers: Followers,
    id: String,
    number: u64,
}

/// The last event of a stream.
#[derive(Serialize, ToSchema)]
pub(crate) struct FollowEnd {
    reason: FollowReason,
}

/// Why there is no more to follow.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FollowReason {
    /// The game is over.
    Finished,
    /// The game was given up.
    Stopped,
    /// The game was deleted.
    Deleted,
}

impl Followers {
    /// Adds a follower of the game called `id`.
    pub(crate) fn add(&self, id: &str, role: Role, outbox: Outbox) -> Subscription {
        let mut table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        table.last_number += 1;
        let number = table.last_number;
        let follower = Follower { number, role, revision: -1, outbox };
        let followers = table.games.entry(id.to_owned()).or_default();
        followers.push(follower);
        tell_presence(followers);
        Subscription { followers: self.clone(), id: id.to_owned(), number }
    }

    /// Sends a game as `body` to its followers, except those who have this revision or a newer one.
    pub(crate) fn send(&self, saved: &Saved, body: &impl Serialize) {
        let mut table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(followers) = table.games.get_mut(&saved.game.id) else { return };
        for follower in followers.iter_mut().filter(|one| one.revision < saved.revision) {
            follower.revision = saved.revision;
            follower.outbox.update("game", body);
            match saved.game.state {
                // Two people may want to play again.
                _ if saved.game.friends.is_some() => {}
                State::Running => {}
                State::Finished => end(follower, FollowReason::Finished),
                State::Stopped => end(follower, FollowReason::Stopped),
            }
        }
    }

    /// Ends all streams of a game.
    pub(crate) fn end(&self, id: &str, reason: FollowReason) {
        let mut table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for follower in table.games.remove(id).into_iter().flatten() {
            end(&follower, reason);
        }
    }
}

fn end(follower: &Follower, reason: FollowReason) {
    follower.outbox.done(&FollowEnd { reason });
}

/// Tells all followers of a game between two people who is there.
fn tell_presence(followers: &[Follower]) {
    let is_there =
        |side: ColorWord| followers.iter().any(|follower| follower.role == Role::Seat(side));
    let presence = Presence {
        black: is_there(ColorWord::Black),
        white: is_there(ColorWord::White),
        watchers: followers.iter().filter(|follower| follower.role == Role::Watcher).count(),
    };
    for follower in followers.iter().filter(|follower| follower.role != Role::Reader) {
        follower.outbox.update("presence", &presence);
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let mut table = self.followers.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(followers) = table.games.get_mut(&self.id) else { return };
        followers.retain(|follower| follower.number != self.number);
        tell_presence(followers);
        if followers.is_empty() {
            table.games.remove(&self.id);
        }
    }
}
