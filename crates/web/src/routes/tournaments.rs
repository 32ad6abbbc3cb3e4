//! Tournaments of the arena: standings, cross tables, games to replay, ratings over time.

use crate::receive::Query;
use crate::refusal::{ErrorBody, Refusal};
use crate::wire::{ColorWord, RuleWord};
use axum::Json;
use axum::extract::Path;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// All tournaments.
#[derive(Serialize, ToSchema)]
pub(crate) struct Tournaments {
    tournaments: Vec<Tournament>,
}

/// A tournament.
#[derive(Serialize, ToSchema)]
pub(crate) struct Tournament {
    id: i64,
    name: String,
    kind: String,
    /// `running` or `finished`.
    state: &'static str,
    rule: RuleWord,
    size: u8,
    players: usize,
    /// Games that were played.
    games: u64,
    planned: Option<u64>,
    created: String,
}

/// A tournament with its tables.
#[derive(Serialize, ToSchema)]
pub(crate) struct TournamentBody {
    tournament: Tournament,
    standings: Vec<Standing>,
    table: Table,
}

/// How a player did.
#[derive(Serialize, ToSchema)]
struct Standing {
    rank: usize,
    player: String,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    points: f64,
    /// Sum of the games' scores, in discs.
    score_sum: i64,
    elo: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    forfeits: u64,
}

/// Everybody against everybody.
#[derive(Serialize, ToSchema)]
struct Table {
    players: Vec<String>,
    /// The row's player against the column's.
    cells: Vec<Vec<Option<Cell>>>,
}

/// Results of one player against another.
#[derive(Clone, Copy, Serialize, ToSchema)]
struct Cell {
    wins: u64,
    draws: u64,
    losses: u64,
}

/// A page of games.
#[derive(Serialize, ToSchema)]
pub(crate) struct Games {
    games: Vec<Summary>,
    next: Option<u64>,
}

/// A game of a tournament in a line.
#[derive(Serialize, ToSchema)]
struct Summary {
    number: u64,
    black: String,
    white: String,
    winner: Option<ColorWord>,
    score_black: i32,
    /// `board`, or why it was forfeited.
    end: String,
    ply: usize,
}

/// A game of a tournament.
#[derive(Serialize, ToSchema)]
pub(crate) struct Replay {
    #[serde(flatten)]
    summary: Summary,
    rule: RuleWord,
    size: u8,
    start: String,
    moves: Vec<String>,
    /// The time of each move.
    seconds: Vec<f64>,
    details: Option<String>,
}

/// Ratings over time.
#[derive(Serialize, ToSchema)]
pub(crate) struct Ratings {
    series: Vec<Series>,
}

/// The versions of one player.
#[derive(Serialize, ToSchema)]
struct Series {
    name: String,
    points: Vec<Point>,
}

/// A version's rating in a tournament.
#[derive(Serialize, ToSchema)]
struct Point {
    tournament: i64,
    version: String,
    time: String,
    elo: f64,
    low: f64,
    high: f64,
}

/// Tournaments, newest first
#[utoipa::path(get, path = "/api/tournaments", responses((status = 200, body = Tournaments)))]
pub(crate) async fn list() -> Json<Tournaments> {
    Json(Tournaments { tournaments: Vec::new() })
}

/// A tournament with its standings and its cross table
#[utoipa::path(
    get,
    path = "/api/tournaments/{id}",
    params(("id" = String, Path,)),
    responses((status = 200, body = TournamentBody), (status = "4XX", body = ErrorBody))
)]
pub(crate) async fn show(Path(_id): Path<String>) -> Result<Json<TournamentBody>, Refusal> {
    Err(unknown())
}

/// Which games are wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct GamesRequest {
    player: Option<String>,
    opponent: Option<String>,
    /// How many, 1 to 500.
    limit: Option<usize>,
    /// The `next` of the page before.
    after: Option<u64>,
}

/// Games of a tournament
#[utoipa::path(
    get,
    path = "/api/tournaments/{id}/games",
    params(("id" = String, Path,), GamesRequest),
    responses((status = 200, body = Games), (status = "4XX", body = ErrorBody))
)]
pub(crate) async fn games(
    Path(_id): Path<String>,
    Query(_request): Query<GamesRequest>,
) -> Result<Json<Games>, Refusal> {
    Err(unknown())
}

/// A game of a tournament
#[utoipa::path(
    get,
    path = "/api/tournaments/{id}/games/{number}",
    params(("id" = String, Path,), ("number" = String, Path,)),
    responses((status = 200, body = Replay), (status = "4XX", body = ErrorBody))
)]
pub(crate) async fn game(Path(_ids): Path<(String, String)>) -> Result<Json<Replay>, Refusal> {
    Err(unknown())
}

/// Ratings over time
#[utoipa::path(get, path = "/api/ratings", responses((status = 200, body = Ratings)))]
pub(crate) async fn ratings() -> Json<Ratings> {
    Json(Ratings { series: Vec::new() })
}

fn unknown() -> Refusal {
    Refusal::not_found("no such tournament; expected one that /api/tournaments lists")
}
