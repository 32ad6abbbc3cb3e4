//! Streams a game between two agents.

use super::play::{MOVE_RANGE, MoveBody, Turn};
use crate::app::App;
use crate::caller::Caller;
use crate::callers::Kind;
use crate::receive::{Query, seconds};
use crate::refusal::{ErrorBody, Refusal};
use crate::search::players::Seed;
use crate::secret;
use crate::stream::Outbox;
use crate::wire::{ColorWord, GameResult, PositionBody, game_request};
use axum::extract::State;
use axum::response::Response;
use isrever_arena::Referee;
use isrever_board::{Color, Game};
use serde::Serialize;
use std::time::Duration;
use tokio::task::JoinHandle;
use utoipa::{IntoParams, ToSchema};

const SECONDS: f64 = 0.5;
const PAUSE: f64 = 0.4;
const PAUSE_RANGE: (f64, f64) = (0.0, 5.0);

game_request! {
    /// A game, and who plays on from it.
    #[derive(IntoParams)]
    #[into_params(parameter_in = Query)]
    WatchRequest {
        /// The agent that has black.
        black: String,
        /// The agent that has white.
        white: String,
        /// The most time for a move, 0.01 to 5.
        seconds: Option<f64>,
        /// The time between moves, 0 to 5.
        pause: Option<f64>,
        /// The seed of random choices; drawn by the server if missing.
        seed: Option<u64>,
    }
}

/// The first event.
#[derive(Serialize)]
struct Start<'a> {
    black: &'a str,
    white: &'a str,
    position: PositionBody,
}

/// A move of the game.
#[derive(Serialize, ToSchema)]
pub(crate) struct WatchedMove {
    color: ColorWord,
    #[serde(flatten)]
    played: MoveBody,
}

/// The last event.
#[derive(Serialize)]
struct End {
    reason: &'static str,
    result: Option<GameResult>,
}

/// A task that ends when the reader leaves.
struct Task(JoinHandle<()>);

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Two agents play each other: a stream
#[utoipa::path(
    get,
    path = "/api/watch",
    params(WatchRequest),
    responses(
        (status = 200, content_type = "text/event-stream", body = WatchedMove,
         description = "events: start, move, done, failed"),
        (status = "4XX", body = ErrorBody)
    )
)]
pub(crate) async fn watch(
    State(app): State<App>,
    caller: Caller,
    Query(request): Query<WatchRequest>,
) -> Result<Response, Refusal> {
    let game = request.any_game()?;
    let time = seconds("seconds", request.seconds, SECONDS, MOVE_RANGE)?;
    let pause = seconds("pause", request.pause, PAUSE, PAUSE_RANGE)?;
    let [black_seed, white_seed] = match request.seed {
        Some(seed) => [seed, seed.wrapping_add(1)].map(Seed::Sent),
        None => {
            let seed = secret::seed().map_err(|_| Refusal::internal())?;
            [seed, seed.wrapping_add(1)].map(Seed::Drawn)
        }
    };
    let turn = |field: &str, spec: &str, seed: Seed| -> Result<Turn, Refusal> {
        Ok(Turn { agent: app.players().agent(field, spec, &game)?, seed, time, ahead: false })
    };
    let black = turn("black", &request.black, black_seed)?;
    let white = turn("white", &request.white, white_seed)?;
    let permit = app.callers().enter(caller, Kind::Stream)?;
    let outbox = app.streams().open();
    let reader = outbox.reader();
    let played = Match { black, white, pause, caller };
    let task = Task(tokio::spawn(async move { played.play(&app, game, outbox).await }));
    Ok(reader.response((task, permit)))
}

/// A game between two agents.
struct Match {
    black: Turn,
    white: Turn,
    pause: Duration,
    caller: Caller,
}

impl Match {
    async fn play(self, app: &App, game: Game, outbox: Outbox) {
        let position = PositionBody::new(&game, false);
        let mut referee = Referee::new(game);
        let (black, white) = (self.black.agent.spec(), self.white.agent.spec());
        outbox.send("start", &Start { black, white, position });
        while let Some(color) = referee.turn() {
            tokio::time::sleep(self.pause).await;
            let turn = match color {
                Color::Black => &self.black,
                Color::White => &self.white,
            };
            match turn.take(app, self.caller, &mut referee).await {
                Ok(played) => outbox.send("move", &WatchedMove { color: color.into(), played }),
                Err(refusal) => return outbox.fail(&refusal),
            }
        }
        outbox.done(&End { reason: "over", result: GameResult::of(referee.game()) });
    }
}
