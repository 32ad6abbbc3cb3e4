//! Follows a saved game: a stream of its changes.

use super::{GameBody, bearer, found};
use crate::app::App;
use crate::caller::Caller;
use crate::callers::Kind;
use crate::followers::{FollowEnd, Presence, Role};
use crate::receive::Path;
use crate::referee::Foul;
use crate::refusal::{ErrorBody, Refusal};
use crate::secret;
use crate::wire::events;
use axum::extract::State as Shared;
use axum::http::HeaderMap;
use axum::response::Response;

events! {
    /// An event of a saved game: its state after each change, who is there, and the end.
    FollowEvents {
        "game": GameBody,
        "presence": Presence,
        "done": FollowEnd,
        "failed": ErrorBody,
    }
}

/// Follow a saved game: a stream
#[utoipa::path(
    get,
    path = "/api/games/{id}/follow",
    operation_id = "follow_game",
    tag = "games",
    params(("id" = String, Path, description = "The game's id")),
    security((), ("token" = [])),
    responses((status = 200, content_type = "text/event-stream", body = FollowEvents))
)]
pub(crate) async fn follow(
    Shared(app): Shared<App>,
    caller: Caller,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let permit = app.callers().enter(caller, Kind::Follower)?;
    let saved = found(&app, id.clone()).await?;
    let role = match (&saved.game.friends, bearer(&headers)) {
        (None, _) => Role::Reader,
        (Some(_), None) => Role::Watcher,
        (Some(friends), Some(token)) => {
            let side = friends.side_of(&secret::hex_hash(token)).ok_or(Foul::Stranger)?;
            Role::Seat(side)
        }
    };
    let outbox = app.streams().open();
    let reader = outbox.reader();
    let subscription = app.followers().add(&id, role, outbox);
    // Reads the game after the subscription, so that no change is lost.
    let saved = found(&app, id).await?;
    app.followers().send(&saved, &GameBody::of(&saved, true)?);
    Ok(reader.response((subscription, permit)))
}
