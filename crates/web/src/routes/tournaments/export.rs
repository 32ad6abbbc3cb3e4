//! A tournament as a file: its table, or its games.

use super::{names, number};
use crate::app::App;
use crate::attachment::{TEXT, attachment};
use crate::caller::Caller;
use crate::callers::Kind;
use crate::receive::{Path, Query};
use crate::refusal::{Code, Refusal};
use crate::routes::games::Pages;
use crate::tournaments::unknown;
use crate::wire::tournament_formats;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::response::Response;
use isrever_arena::{self as arena, Store, StoreError};
use isrever_board::text::{Format, Writer};
use serde::Deserialize;
use tokio::sync::mpsc;
use utoipa::IntoParams;

/// How many games are read at a time, so that other questions have their turn.
const PAGE: usize = 50;

/// The format of a file, and which games it is to hold.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExportRequest {
    #[param(schema_with = tournament_formats)]
    format: Option<String>,
    /// Games of this player.
    player: Option<String>,
    /// Games against this player.
    opponent: Option<String>,
}

/// A tournament's table or games as a file
#[utoipa::path(
    get,
    path = "/api/tournaments/{id}/export",
    operation_id = "export_tournament",
    tag = "tournaments",
    params(("id" = String, Path, description = "The tournament's id"), ExportRequest),
    responses(
        (status = 200, description = "The file", content(
            (String = "text/csv"),
            (String = "text/plain")
        ))
    )
)]
pub(crate) async fn export(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Query(request): Query<ExportRequest>,
) -> Result<Response, Refusal> {
    let id = number(&id)?;
    let format = request.format.as_deref().unwrap_or("ggf");
    let body = match format {
        "csv" => {
            let question = move |store: &Store| {
                let tournament = store.tournament(id)?;
                Ok(arena::csv(&tournament.plan, &store.standings(&tournament)?))
            };
            Body::from(app.tournaments().ask(question).await?.ok_or_else(unknown)?)
        }
        "ggf" => games(app, caller, id, &request).await?,
        other => {
            let message = format!("{other:?} is not a format of tournaments; expected csv or ggf");
            return Err(Refusal::of("format", Code::BadRequest, message));
        }
    };
    let kind = match format {
        "csv" => "text/csv; charset=utf-8",
        _ => TEXT,
    };
    Ok(attachment(kind, &format!("tournament-{id}.{format}"), body))
}

/// The games that are wanted, in their order, written as they are read.
async fn games(
    app: App,
    caller: Caller,
    id: i64,
    request: &ExportRequest,
) -> Result<Body, Refusal> {
    let permit = app.callers().enter(caller, Kind::Stream)?;
    let wanted = [request.player.clone(), request.opponent.clone()];
    let list = move |store: &Store| numbers(store, id, &wanted);
    let list = app.tournaments().ask(list).await?.ok_or_else(unknown)?;
    // Runs at most two pages ahead of a slow reader.
    let (send, receive) = mpsc::channel(2);
    tokio::spawn(async move {
        let _permit = permit;
        for page in list.chunks(PAGE) {
            let page = page.to_vec();
            let write = move |store: &Store| written(store, id, &page);
            let Ok(Some(text)) = app.tournaments().ask(write).await else { return };
            if send.send(Bytes::from(text)).await.is_err() {
                return;
            }
        }
    });
    Ok(Body::from_stream(Pages(receive)))
}

/// The numbers of the games between these players, where none is any.
fn numbers(store: &Store, id: i64, wanted: &[Option<String>; 2]) -> Result<Vec<u64>, StoreError> {
    let tournament = store.tournament(id)?;
    let [player, opponent] = wanted.each_ref().map(Option::as_deref);
    let is = |wanted: Option<&str>, name: &str| wanted.is_none_or(|wanted| wanted == name);
    let mut found = Vec::new();
    for game in store.games(id)? {
        let [black, white] = names(&tournament, game.outcome.players)?;
        let is_wanted = is(player, &black) && is(opponent, &white)
            || is(player, &white) && is(opponent, &black);
        if is_wanted {
            found.push(game.outcome.number);
        }
    }
    Ok(found)
}

/// These games as GGF.
fn written(store: &Store, id: i64, numbers: &[u64]) -> Result<Vec<u8>, StoreError> {
    let tournament = store.tournament(id)?;
    let mut writer = Writer::new(Format::Ggf);
    for &number in numbers {
        let Some((pairing, played)) = store.game(&tournament, number)? else { continue };
        let pushed = writer.push(&arena::record(&tournament, &pairing, &played));
        pushed.map_err(|error| StoreError::Damaged(error.to_string()))?;
    }
    Ok(writer.take())
}
