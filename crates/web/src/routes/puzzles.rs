//! Puzzles: find the best move of an ending.

use crate::app::App;
use crate::caller::Caller;
use crate::callers::Kind;
use crate::pool::Weight;
use crate::receive::{Body, Path, Query, whole};
use crate::refusal::{Code, Refusal};
use crate::search::puzzle::{self, Aim, Id, LEVELS, NUMBERS, Puzzle};
use crate::search::searchers::Searchers;
use crate::secret;
use crate::wire::{Moves, PositionBody, RuleWord, move_names, size_of};
use axum::Json;
use axum::extract::State;
use isrever_board::Move;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use utoipa::{IntoParams, ToSchema};

/// A query for a puzzle.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnyRequest {
    /// The rule; `reversed` if missing.
    rule: Option<RuleWord>,
    /// The width of the board; 8 if missing.
    #[param(minimum = 4, maximum = 8)]
    size: Option<u8>,
    /// How hard it is; 1 if missing.
    #[param(minimum = 1, maximum = 3)]
    level: Option<u8>,
    /// The id of the puzzle before it; any puzzle if missing.
    after: Option<String>,
}

/// A puzzle, without its solution.
#[derive(Serialize, ToSchema)]
pub(crate) struct PuzzleBody {
    /// It never means another puzzle.
    id: String,
    rule: RuleWord,
    /// The width of the board.
    size: u8,
    /// How hard it is, 1 to 3.
    level: u8,
    position: PositionBody,
    /// How many squares are empty.
    empties: u32,
    goal: Aim,
    /// The id of the next puzzle.
    next: String,
}

impl PuzzleBody {
    fn of(puzzle: &Puzzle) -> PuzzleBody {
        PuzzleBody {
            id: puzzle.id.to_string(),
            rule: puzzle.id.rule.into(),
            size: puzzle.id.size.width(),
            level: puzzle.id.level,
            position: PositionBody::new(&puzzle.game, false),
            empties: puzzle.game.position().empties(),
            goal: puzzle.aim,
            next: puzzle::after(puzzle.id).to_string(),
        }
    }
}

/// A puzzle
#[utoipa::path(
    get,
    path = "/api/puzzles",
    operation_id = "choose_puzzle",
    tag = "puzzles",
    params(AnyRequest),
    responses((status = 200, body = PuzzleBody))
)]
pub(crate) async fn any(
    State(app): State<App>,
    caller: Caller,
    Query(request): Query<AnyRequest>,
) -> Result<Json<PuzzleBody>, Refusal> {
    let after = request.after.as_deref().map(|text| id(text).map(puzzle::after)).transpose()?;
    let size = request.size.map(size_of).transpose()?;
    let level = request.level.map(|level| whole("level", level, LEVELS)).transpose()?;
    let id = match after {
        Some(id) => Id {
            rule: request.rule.map_or(id.rule, Into::into),
            size: size.unwrap_or(id.size),
            level: level.unwrap_or(id.level),
            ..id
        },
        None => {
            let (least, most) = NUMBERS;
            let seed = secret::seed().map_err(|_| Refusal::internal())?;
            Id {
                rule: request.rule.unwrap_or_default().into(),
                size: size.unwrap_or_default(),
                level: level.unwrap_or(LEVELS.0),
                number: least + (seed % u64::from(most)) as u32,
            }
        }
    };
    Ok(Json(PuzzleBody::of(&ask(&app, caller, id, puzzle::choose).await?)))
}

/// A puzzle by its id
#[utoipa::path(
    get,
    path = "/api/puzzles/{id}",
    operation_id = "show_puzzle",
    tag = "puzzles",
    params(("id" = String, Path, description = "The puzzle's id, such as r8-1-4712; a number without a \
        puzzle stands for the next one")),
    responses((status = 200, body = PuzzleBody))
)]
pub(crate) async fn show(
    State(app): State<App>,
    caller: Caller,
    Path(text): Path<String>,
) -> Result<Json<PuzzleBody>, Refusal> {
    Ok(Json(PuzzleBody::of(&find(&app, caller, id(&text)?).await?)))
}

/// A guess.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerRequest {
    /// A square.
    #[serde(rename = "move")]
    mv: String,
}

/// The solution of a puzzle.
#[derive(Serialize, ToSchema)]
pub(crate) struct AnswerBody {
    /// Whether the guess is the best move.
    correct: bool,
    /// The best move.
    best: String,
    /// Its proved score for the side to move, in discs.
    score: i32,
    /// The best moves of both sides to the end.
    pv: Vec<String>,
    /// Every move's proved score for the side to move, best first.
    moves: Vec<ScoredMove>,
}

/// A move and its score.
#[derive(Serialize, ToSchema)]
struct ScoredMove {
    /// A square.
    #[serde(rename = "move")]
    mv: String,
    /// In discs, for the side to move.
    score: i32,
}

/// Answer a puzzle
#[utoipa::path(
    post,
    path = "/api/puzzles/{id}/answer",
    operation_id = "answer_puzzle",
    tag = "puzzles",
    params(("id" = String, Path, description = "The puzzle's id, such as r8-1-4712")),
    request_body = AnswerRequest,
    responses((status = 200, body = AnswerBody))
)]
pub(crate) async fn answer(
    State(app): State<App>,
    caller: Caller,
    Path(text): Path<String>,
    Body(request): Body<AnswerRequest>,
) -> Result<Json<AnswerBody>, Refusal> {
    let id = id(&text)?;
    let puzzle = find(&app, caller, id).await?;
    let legal = puzzle.scores.iter().map(|(square, _)| Move::Place(*square));
    let guess: Result<Moves, _> = serde_json::from_value(serde_json::json!([request.mv]));
    let guess = guess.ok().and_then(|moves| moves.0.first().copied());
    let Some(guess) = guess.filter(|guess| legal.clone().any(|mv| mv == *guess)) else {
        let names: Vec<String> = legal.map(|mv| mv.to_string()).collect();
        let message =
            format!("{:?} is not legal; expected one of {}", request.mv, names.join(", "));
        return Err(Refusal::of("move", Code::IllegalMove, message));
    };
    let (best, score) = puzzle.scores[0];
    let moves = puzzle.scores.iter();
    Ok(Json(AnswerBody {
        correct: guess == Move::Place(best),
        best: best.to_string(),
        score,
        pv: move_names(&puzzle.line),
        moves: moves.map(|(mv, score)| ScoredMove { mv: mv.to_string(), score: *score }).collect(),
    }))
}

fn id(text: &str) -> Result<Id, Refusal> {
    text.parse()
        .map_err(|()| Refusal::not_found("no such puzzle; expected an id such as r8-1-4712"))
}

async fn find(app: &App, caller: Caller, id: Id) -> Result<Puzzle, Refusal> {
    ask(app, caller, id, puzzle::find).await
}

/// Has a puzzle looked for on the pool.
async fn ask(
    app: &App,
    caller: Caller,
    id: Id,
    look: fn(Id, &Searchers, &Arc<AtomicBool>) -> Option<Puzzle>,
) -> Result<Puzzle, Refusal> {
    let _permit = app.callers().enter(caller, Kind::Request)?;
    let searchers = app.searchers().clone();
    let found = app.pool().ask(caller, Weight::Heavy, move |stop| look(id, &searchers, stop));
    found.await?.ok_or_else(Refusal::busy)
}
