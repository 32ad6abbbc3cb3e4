//! Streams about one position or one game: every move's value, a proof, a review.

use crate::app::App;
use crate::caller::Caller;
use crate::callers::Kind;
use crate::pool::Work;
use crate::receive::{Query, seconds, whole};
use crate::refusal::{ErrorBody, Refusal};
use crate::search::analysis::{Analysis, Limits, SearchEnd, Values};
use crate::search::proof::{ProgressBody, Proof, SolutionBody};
use crate::search::review::{Review, ReviewEnd, ReviewedMove};
use crate::stream::Outbox;
use crate::wire::{events, game_request};
use axum::extract::State;
use axum::response::Response;
use isrever_search::Goal;
use serde::Deserialize;
use std::time::Instant;
use utoipa::ToSchema;

/// The most time for an analysis, in seconds.
pub(super) const MOST_ANALYSIS_SECONDS: f64 = 3_600.0;

/// The most time for a proof, in seconds.
const MOST_PROOF_SECONDS: f64 = 60.0;

const ANALYSIS_RANGE: (f64, f64) = (0.05, MOST_ANALYSIS_SECONDS);
const PROOF_RANGE: (f64, f64) = (0.05, MOST_PROOF_SECONDS);
const ANALYSIS_SECONDS: f64 = 30.0;
const REVIEW_SECONDS: f64 = 0.3;
const REVIEW_RANGE: (f64, f64) = (0.02, 5.0);

/// The greatest depth that can be asked for, in plies.
const MOST_DEPTH: u32 = 60;

/// The most threads that can be asked for.
const MOST_THREADS: u32 = 16;

game_request! {
    /// A game, and the limits of the analysis of its last position.
    AnalysisRequest {
        /// The most time, in seconds; 30 if missing.
        #[param(minimum = 0.05, maximum = 3600)]
        seconds: Option<f64>,
        /// The greatest depth, in plies.
        #[param(minimum = 1, maximum = 60)]
        depth: Option<u32>,
        /// How many threads search; no more than the server searches with.
        #[param(minimum = 1, maximum = 16)]
        threads: Option<u32>,
    }
}

events! {
    /// An event of an analysis: values as they deepen, and how it ended.
    AnalysisEvents { "values": Values, "done": SearchEnd, "failed": ErrorBody, }
}

/// Every legal move's value, deepening: a stream
#[utoipa::path(
    get,
    path = "/api/analysis",
    operation_id = "analyse_position",
    tag = "analysis",
    params(AnalysisRequest),
    responses((status = 200, content_type = "text/event-stream", body = AnalysisEvents))
)]
pub(crate) async fn analysis(
    State(app): State<App>,
    caller: Caller,
    Query(request): Query<AnalysisRequest>,
) -> Result<Response, Refusal> {
    let game = request.game()?;
    let time = seconds("seconds", request.seconds, ANALYSIS_SECONDS, ANALYSIS_RANGE)?;
    let depth = request.depth.map(|depth| whole("depth", depth, (1, MOST_DEPTH))).transpose()?;
    let threads = whole("threads", request.threads.unwrap_or(1), (1, MOST_THREADS))?;
    let workers = u32::try_from(app.pool().load().workers).unwrap_or(MOST_THREADS);
    let limits = Limits { depth, time, threads: threads.min(workers) };
    begin(&app, caller, |outbox| {
        Box::new(Analysis::new(&game, limits, app.searchers().clone(), outbox))
    })
}

/// What to prove.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum GoalWord {
    /// The score.
    #[default]
    Exact,
    /// Only its sign: won, drawn or lost.
    Wld,
}

game_request! {
    /// A game whose last position to solve.
    SolveRequest {
        /// The score, or only its sign.
        #[serde(default)]
        goal: GoalWord,
        /// The most time, in seconds; 60 if missing.
        #[param(minimum = 0.05, maximum = 60)]
        seconds: Option<f64>,
    }
}

events! {
    /// An event of a proof: its progress, the solution, and how it ended.
    ProofEvents {
        "progress": ProgressBody,
        "solution": SolutionBody,
        "done": SearchEnd,
        "failed": ErrorBody,
    }
}

/// The proof of a score: a stream
#[utoipa::path(
    get,
    path = "/api/solve",
    operation_id = "solve_position",
    tag = "analysis",
    params(SolveRequest),
    responses((status = 200, content_type = "text/event-stream", body = ProofEvents))
)]
pub(crate) async fn solve(
    State(app): State<App>,
    caller: Caller,
    Query(request): Query<SolveRequest>,
) -> Result<Response, Refusal> {
    let game = request.game()?;
    let time = seconds("seconds", request.seconds, MOST_PROOF_SECONDS, PROOF_RANGE)?;
    let goal = match request.goal {
        GoalWord::Exact => Goal::Exact,
        GoalWord::Wld => Goal::Wld,
    };
    begin(&app, caller, |outbox| {
        let deadline = Instant::now() + time;
        Box::new(Proof::new(&game, goal, deadline, app.searchers().clone(), outbox))
    })
}

game_request! {
    /// A game, and the limits of the analysis of each move.
    ReviewRequest {
        /// The time for each move, in seconds; 0.3 if missing.
        #[param(minimum = 0.02, maximum = 5)]
        seconds: Option<f64>,
        /// The depth for each move, in plies.
        #[param(minimum = 1, maximum = 60)]
        depth: Option<u32>,
    }
}

events! {
    /// An event of a review: the verdict on a move, and on the whole game at the end.
    ReviewEvents { "move": ReviewedMove, "done": ReviewEnd, "failed": ErrorBody, }
}

/// The whole game analysed: a stream
#[utoipa::path(
    get,
    path = "/api/review",
    operation_id = "review_game",
    tag = "analysis",
    params(ReviewRequest),
    responses((status = 200, content_type = "text/event-stream", body = ReviewEvents))
)]
pub(crate) async fn review(
    State(app): State<App>,
    caller: Caller,
    Query(request): Query<ReviewRequest>,
) -> Result<Response, Refusal> {
    let game = request.game()?;
    let time = seconds("seconds", request.seconds, REVIEW_SECONDS, REVIEW_RANGE)?;
    let depth = request.depth.map(|depth| whole("depth", depth, (1, MOST_DEPTH))).transpose()?;
    begin(&app, caller, |outbox| {
        Box::new(Review::new(game, time, depth, app.searchers().clone(), outbox))
    })
}

/// Starts a stream on the pool.
fn begin(
    app: &App,
    caller: Caller,
    work: impl FnOnce(Outbox) -> Box<dyn Work>,
) -> Result<Response, Refusal> {
    let permit = app.callers().enter(caller, Kind::Stream)?;
    let outbox = app.streams().open();
    let reader = outbox.reader();
    let asker = app.pool().stream(caller, work(outbox))?;
    Ok(reader.response((asker, permit)))
}
