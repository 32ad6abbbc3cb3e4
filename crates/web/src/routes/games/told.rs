//! What agents of the server's owner told with the moves of a saved game: for those who play it.

use super::allowed;
use crate::app::App;
use crate::own::OwnAgents;
use crate::receive::Path;
use crate::refusal::{Code, Refusal};
use crate::search::players::MOST_PRINTED;
use crate::store::Told;
use crate::wire::{Moves, move_names};
use axum::Json;
use axum::extract::State as Shared;
use axum::http::HeaderMap;
use isrever_board::Move;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The most moves that one change may tell of.
const MOST_TOLD: usize = 64;

/// The longest name of an agent, in bytes.
const MOST_NAME: usize = 256;

/// The longest time of a move, in seconds: longer than any agent may think.
const MOST_SECONDS: f64 = 1e6;

/// What an agent told with a move.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ToldBody {
    /// The squares up to the move and with it, without passes: variations are kept too.
    #[schema(min_items = 1, max_items = 512)]
    line: Moves,
    /// The agent's spec.
    #[schema(max_length = 256)]
    agent: String,
    /// How long it took.
    #[schema(minimum = 0, maximum = 1000000)]
    seconds: f64,
    /// What it has printed since its last move; the end of it is kept.
    #[serde(default)]
    output: String,
}

/// What an agent told with a move, as it is kept.
#[derive(Serialize, ToSchema)]
struct KeptTold {
    /// The squares up to the move and with it.
    line: Vec<String>,
    /// The agent's spec.
    agent: String,
    /// How long it took.
    seconds: f64,
    /// Empty if it printed nothing.
    output: String,
}

/// What agents told with the moves of a game.
#[derive(Serialize, ToSchema)]
pub(crate) struct ToldMoves {
    /// In the order in which it was told.
    told: Vec<KeptTold>,
}

/// What a change tells of moves, checked; what is told of agents that the owner does not have is left
/// out: they may be gone since the page was loaded.
pub(super) fn checked(told: &[ToldBody], own: &OwnAgents) -> Result<Vec<Told>, Refusal> {
    let wrong = |message: String| Refusal::of("told", Code::BadRequest, message);
    if told.len() > MOST_TOLD {
        return Err(wrong(format!("told has {} moves; expected at most {MOST_TOLD}", told.len())));
    }
    let told = told.iter().map(checked_move).collect::<Result<Vec<_>, String>>().map_err(wrong)?;
    Ok(told.into_iter().filter(|told| own.find(&told.agent).is_some()).collect())
}

fn checked_move(told: &ToldBody) -> Result<Told, String> {
    let ToldBody { line, agent, seconds, output } = told;
    if line.0.is_empty() || line.0.contains(&Move::Pass) {
        return Err("line has no move or a pass; expected one square or more".to_owned());
    }
    if agent.is_empty() || agent.len() > MOST_NAME {
        return Err(format!("agent has {} bytes; expected 1 to {MOST_NAME}", agent.len()));
    }
    if !(0.0..=MOST_SECONDS).contains(seconds) {
        return Err(format!("seconds cannot be {seconds}; expected 0 to {MOST_SECONDS}"));
    }
    // The mark of what was cut off before may come on top.
    let cut = output.ceil_char_boundary(output.len().saturating_sub(MOST_PRINTED + "…".len()));
    let (agent, output) = (agent.clone(), output[cut..].to_owned());
    Ok(Told { line: move_names(&line.0).join(","), agent, seconds: *seconds, output })
}

/// What agents told with the moves of a saved game
#[utoipa::path(
    get,
    path = "/api/games/{id}/told",
    operation_id = "told_game",
    tag = "games",
    params(("id" = String, Path, description = "The game's id")),
    security(("token" = [])),
    responses((status = 200, body = ToldMoves))
)]
pub(crate) async fn told(
    Shared(app): Shared<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<ToldMoves>, Refusal> {
    let saved = allowed(&app, id, &headers).await?;
    let told = app.store().told(saved.game.id).await?;
    let kept = |Told { line, agent, seconds, output }| KeptTold {
        line: line.split(',').map(str::to_owned).collect(),
        agent,
        seconds,
        output,
    };
    Ok(Json(ToldMoves { told: told.into_iter().map(kept).collect() }))
}
