//! Follows a saved game: a stream of its changes.

use super::{GameBody, found};
use crate::app::App;
use crate::callers::Kind;
use crate::receive::{Caller, Path};
use crate::refusal::{ErrorBody, Refusal};
use crate::store::{Saved, State};
use crate::stream::Outbox;
use axum::extract::State as Shared;
use axum::response::Response;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Who looks on, by the id of the game. Clones are the same.
#[derive(Clone, Default)]
pub(crate) struct Follows(Arc<Mutex<Table>>);

#[derive(Default)]
struct Table {
    games: HashMap<String, Vec<Follower>>,
    last_number: u64,
}

struct Follower {
    number: u64,
    /// The newest state of the game that was told.
    revision: i64,
    outbox: Outbox,
}

/// A place among those who look on, until it is dropped.
struct Place {
    follows: Follows,
    id: String,
    number: u64,
}

/// How a stream of a saved game ends.
#[derive(Serialize)]
struct End {
    reason: &'static str,
}

/// Follow a saved game: a stream
#[utoipa::path(
    get,
    path = "/api/games/{id}/follow",
    params(("id" = String, Path,)),
    responses(
        (status = 200, content_type = "text/event-stream", body = GameBody,
         description = "events: game, done, failed"),
        (status = "4XX", body = ErrorBody)
    )
)]
pub(crate) async fn follow(
    Shared(app): Shared<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let leave = app.callers().enter(caller, Kind::Stream)?;
    found(&app, id.clone()).await?;
    let outbox = app.streams().open();
    let reader = outbox.reader();
    let place = app.follows().enter(&id, outbox);
    // Read only now: what changes meanwhile is told too, and what is older is not.
    let saved = found(&app, id).await?;
    app.follows().tell(&saved, &GameBody::of(&saved, true)?);
    Ok(reader.response((place, leave)))
}

impl Follows {
    fn enter(&self, id: &str, outbox: Outbox) -> Place {
        let mut table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        table.last_number += 1;
        let number = table.last_number;
        let follower = Follower { number, revision: -1, outbox };
        table.games.entry(id.to_owned()).or_default().push(follower);
        Place { follows: self.clone(), id: id.to_owned(), number }
    }

    /// Tells everybody who has not heard of it yet how a game stands.
    pub(crate) fn tell(&self, saved: &Saved, body: &GameBody) {
        let mut table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(followers) = table.games.get_mut(&saved.sheet.id) else { return };
        for follower in followers.iter_mut().filter(|one| one.revision < saved.revision) {
            follower.revision = saved.revision;
            follower.outbox.update("game", body);
            match saved.sheet.state {
                State::Running => {}
                State::Finished => follower.outbox.done(&End { reason: "finished" }),
                State::Stopped => follower.outbox.done(&End { reason: "stopped" }),
            }
        }
    }

    /// Ends all streams of a game.
    pub(crate) fn end(&self, id: &str, reason: &'static str) {
        let mut table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for follower in table.games.remove(id).into_iter().flatten() {
            follower.outbox.done(&End { reason });
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut table = self.follows.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(followers) = table.games.get_mut(&self.id) else { return };
        followers.retain(|follower| follower.number != self.number);
        if followers.is_empty() {
            table.games.remove(&self.id);
        }
    }
}
