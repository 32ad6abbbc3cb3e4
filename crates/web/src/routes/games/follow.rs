//! Follows a saved game: a stream of its changes.

use super::{GameBody, found};
use crate::app::App;
use crate::caller::Caller;
use crate::callers::Kind;
use crate::receive::Path;
use crate::refusal::{ErrorBody, Refusal};
use axum::extract::State as Shared;
use axum::response::Response;

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
    let permit = app.callers().enter(caller, Kind::Stream)?;
    found(&app, id.clone()).await?;
    let outbox = app.streams().open();
    let reader = outbox.reader();
    let subscription = app.followers().add(&id, outbox);
    // Reads the game after the subscription, so that no change is lost.
    let saved = found(&app, id).await?;
    app.followers().send(&saved, &GameBody::of(&saved, true)?);
    Ok(reader.response((subscription, permit)))
}
