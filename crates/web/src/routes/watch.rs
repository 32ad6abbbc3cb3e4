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
use crate::wire::{ColorWord, GameResult, PositionBody, events, game_request};
use axum::extract::State;
use axum::response::Response;
use isrever_arena::Referee;
use isrever_board::{Color, Game};
use serde::Serialize;
use std::time::Duration;
use tokio::task::JoinHandle;
use utoipa::ToSchema;

const SECONDS: f64 = 0.5;
const PAUSE: f64 = 0.4;
const PAUSE_RANGE: (f64, f64) = (0.0, 5.0);

game_request! {
    /// A game, and who plays on from it.
    WatchRequest {
        /// The agent that has black.
        #[param(example = "engine:level=5", max_length = 200)]
        black: String,
        /// The agent that has white.
        #[param(example = "engine:level=5", max_length = 200)]
        white: String,
        /// The most time for a move, in seconds; 0.5 if missing.
        #[param(minimum = 0.01, maximum = 5)]
        seconds: Option<f64>,
        /// The time between moves, in seconds; 0.4 if missing.
        #[param(minimum = 0, maximum = 5)]
        pause: Option<f64>,
        /// The seed of random choices; drawn by the server if missing.
        seed: Option<u64>,
    }
}

/// The first event: who plays, and from where.
#[derive(Serialize, ToSchema)]
pub(crate) struct WatchStart {
    /// The agent that has black.
    black: String,
    /// The agent that has white.
    white: String,
    position: PositionBody,
}

/// A move of the game, and who made it.
#[derive(Serialize, ToSchema)]
pub(crate) struct WatchedMove {
    color: ColorWord,
    #[serde(flatten)]
    played: MoveBody,
}

/// The last event: the end of the game.
#[derive(Serialize, ToSchema)]
pub(crate) struct WatchEnd {
    reason: WatchReason,
    /// How the game ended.
    result: Option<GameResult>,
}

/// Why the stream of a watched game ended.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum WatchReason {
    /// The game is over.
    Over,
}

events! {
    /// An event of a watched game: who plays, each move, and the end.
    WatchEvents {
        "start": WatchStart,
        "move": WatchedMove,
        "done": WatchEnd,
        "failed": ErrorBody,
    }
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
    operation_id = "watch_game",
    tag = "play",
    params(WatchRequest),
    responses((status = 200, content_type = "text/event-stream", body = WatchEvents))
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
        let [black, white] = [&self.black, &self.white].map(|turn| turn.agent.spec().to_owned());
        outbox.send("start", &WatchStart { black, white, position });
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
        outbox
            .done(&WatchEnd { reason: WatchReason::Over, result: GameResult::of(referee.game()) });
    }
}
