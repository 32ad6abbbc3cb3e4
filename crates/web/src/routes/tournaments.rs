//! Tournaments of the arena: standings, cross tables, games to replay, ratings over time.

pub(crate) mod export;

use crate::app::App;
use crate::date;
use crate::receive::{Path, Query, whole};
use crate::refusal::Refusal;
use crate::tournaments::{unknown, versioned};
use crate::wire::{ColorWord, RuleWord, ends, move_names};
use axum::Json;
use axum::extract::State;
use isrever_arena::{self as arena, Played, Rating, Store, StoreError};
use isrever_board::Color;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::{IntoParams, ToSchema};

const PAGE: usize = 100;
const PAGE_RANGE: (usize, usize) = (1, 500);

/// All tournaments.
#[derive(Serialize, ToSchema)]
pub(crate) struct Tournaments {
    /// Newest first.
    tournaments: Vec<Tournament>,
}

/// A tournament.
#[derive(Serialize, ToSchema)]
pub(crate) struct Tournament {
    /// From 1, the earliest.
    id: i64,
    /// What its plan calls it.
    name: String,
    /// Who plays whom, such as `round-robin`.
    kind: String,
    state: TournamentState,
    rule: RuleWord,
    /// The width of the board.
    size: u8,
    /// How many players it has.
    players: usize,
    /// Games that were played.
    games: u64,
    /// Games that it has at most.
    planned: u64,
    /// When it was begun.
    created: String,
}

/// Whether a tournament goes on.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum TournamentState {
    Running,
    Finished,
}

/// A tournament with its tables.
#[derive(Serialize, ToSchema)]
pub(crate) struct TournamentBody {
    tournament: Tournament,
    /// Best first.
    standings: Vec<Standing>,
    table: Table,
}

/// How a player did.
#[derive(Serialize, ToSchema)]
struct Standing {
    /// From 1, the best.
    rank: usize,
    /// The player's name.
    player: String,
    /// How many it played.
    games: u64,
    /// How many it won.
    wins: u64,
    /// How many were drawn.
    draws: u64,
    /// How many it lost.
    losses: u64,
    /// Five for each game won, less five for each one lost.
    points: i64,
    /// Sum of the games' scores, in discs.
    score_sum: i64,
    /// Its rating; the mean of all players is 0.
    elo: Option<f64>,
    /// The lower end of the rating's 95 % interval; null if there is none.
    low: Option<f64>,
    /// The upper end; null if there is none.
    high: Option<f64>,
    /// Games that it lost by its own fault, such as a crash.
    forfeits: u64,
}

/// Everybody against everybody.
#[derive(Serialize, ToSchema)]
struct Table {
    /// The names, in the order of the standings.
    players: Vec<String>,
    /// The row's player against the column's.
    cells: Vec<Vec<Option<Cell>>>,
}

/// Results of one player against another.
#[derive(Clone, Copy, Serialize, ToSchema)]
struct Cell {
    /// Games that the first won.
    wins: u64,
    /// Games that nobody won.
    draws: u64,
    /// Games that the first lost.
    losses: u64,
}

/// A page of a tournament's games.
#[derive(Serialize, ToSchema)]
pub(crate) struct TournamentGames {
    /// In the order of their numbers.
    games: Vec<TournamentGame>,
    /// The `after` of the next page; null if this is the last.
    next: Option<u64>,
}

/// A game of a tournament in a line.
#[derive(Serialize, ToSchema)]
struct TournamentGame {
    /// The first game's is 1.
    number: u64,
    /// Black's name.
    black: String,
    /// White's name.
    white: String,
    /// Null for a draw.
    winner: Option<ColorWord>,
    /// Black's score, in discs; positive is good under the rule.
    score_black: i32,
    #[schema(schema_with = ends)]
    end: String,
    /// How many moves it had, passes included.
    ply: u64,
}

/// A game of a tournament.
#[derive(Serialize, ToSchema)]
pub(crate) struct Replay {
    #[serde(flatten)]
    summary: TournamentGame,
    rule: RuleWord,
    /// The width of the board.
    size: u8,
    /// The position it began with.
    start: String,
    /// All moves, passes written out.
    moves: Vec<String>,
    /// The time of each move; none for those of the opening and for passes.
    seconds: Vec<Option<f64>>,
    /// What happened, if it was forfeited.
    details: Option<String>,
}

/// Ratings over time.
#[derive(Serialize, ToSchema)]
pub(crate) struct Ratings {
    /// By name.
    series: Vec<Series>,
}

/// The versions of one player.
#[derive(Serialize, ToSchema)]
struct Series {
    /// The player's name without its version.
    name: String,
    /// Earliest first.
    points: Vec<Point>,
}

/// A version's rating in a tournament.
#[derive(Serialize, ToSchema)]
struct Point {
    /// The tournament's id.
    tournament: i64,
    /// What follows the name.
    version: String,
    /// When the tournament was begun.
    time: String,
    /// Its rating there.
    elo: f64,
    /// The lower end of its 95 % interval.
    low: f64,
    /// The upper end.
    high: f64,
}

impl Tournament {
    fn of(tournament: &arena::Tournament, store: &Store) -> Result<Tournament, StoreError> {
        let plan = &tournament.plan;
        let schedule = store.schedule(tournament)?;
        Ok(Tournament {
            id: tournament.id,
            name: plan.name.clone(),
            kind: plan.format.name().to_owned(),
            state: match schedule.is_over() {
                true => TournamentState::Finished,
                false => TournamentState::Running,
            },
            rule: plan.rule.into(),
            size: plan.size.width(),
            players: plan.players.len(),
            games: tournament.finished,
            planned: schedule.most_games(),
            created: date::words(tournament.created.saturating_mul(1_000)),
        })
    }
}

impl Standing {
    fn of(rank: usize, row: &arena::Row, name: &str) -> Standing {
        // A player that won or lost every game has no end of the interval on that side.
        let end = |elo: f64| Some(elo).filter(|elo| elo.is_finite());
        let Rating { elo, low, high } = row.rating;
        let counts = row.counts;
        Standing {
            rank,
            player: name.to_owned(),
            games: counts.wins + counts.draws + counts.losses,
            wins: counts.wins,
            draws: counts.draws,
            losses: counts.losses,
            points: row.points,
            score_sum: counts.discs,
            elo: end(elo),
            low: end(low),
            high: end(high),
            forfeits: row.forfeits,
        }
    }
}

/// Tournaments, newest first
#[utoipa::path(
    get,
    path = "/api/tournaments",
    operation_id = "list_tournaments",
    tag = "tournaments",
    responses((status = 200, body = Tournaments))
)]
pub(crate) async fn list(State(app): State<App>) -> Result<Json<Tournaments>, Refusal> {
    let question = |store: &Store| {
        let all = store.tournaments()?;
        all.iter().rev().map(|tournament| Tournament::of(tournament, store)).collect()
    };
    let tournaments = app.tournaments().ask(question).await?.unwrap_or_default();
    Ok(Json(Tournaments { tournaments }))
}

/// A tournament with its standings and its cross table
#[utoipa::path(
    get,
    path = "/api/tournaments/{id}",
    operation_id = "show_tournament",
    tag = "tournaments",
    params(("id" = String, Path, description = "The tournament's id")),
    responses((status = 200, body = TournamentBody))
)]
pub(crate) async fn show(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<TournamentBody>, Refusal> {
    let id = number(&id)?;
    let body = app.tournaments().ask(move |store| tables(store, id)).await?;
    body.map(Json).ok_or_else(unknown)
}

/// The standings, and the cross table in their order.
fn tables(store: &Store, id: i64) -> Result<TournamentBody, StoreError> {
    let tournament = store.tournament(id)?;
    let standings = store.standings(&tournament)?;
    let (rows, table) = (standings.rows(), standings.table());
    let name = |player: usize| tournament.plan.players[player].name.as_str();
    let cell = |row: usize, column: usize| {
        let counts = table[row][column];
        (row != column).then_some(Cell {
            wins: counts.wins,
            draws: counts.draws,
            losses: counts.losses,
        })
    };
    let order: Vec<usize> = rows.iter().map(|row| row.player).collect();
    let cells = order.iter().map(|&row| order.iter().map(|&column| cell(row, column)).collect());
    let ranked = rows.iter().zip(1..);
    Ok(TournamentBody {
        tournament: Tournament::of(&tournament, store)?,
        standings: ranked.map(|(row, rank)| Standing::of(rank, row, name(row.player))).collect(),
        table: Table {
            players: order.iter().map(|&player| name(player).to_owned()).collect(),
            cells: cells.collect(),
        },
    })
}

/// Which games are wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct GamesRequest {
    /// Games of this player.
    player: Option<String>,
    /// Games against this player.
    opponent: Option<String>,
    /// How many; 100 if missing.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<usize>,
    /// The `next` of the page before.
    after: Option<u64>,
}

impl GamesRequest {
    fn wants(&self, players: [&str; 2]) -> bool {
        let [player, opponent] = [&self.player, &self.opponent].map(Option::as_deref);
        let is = |wanted: Option<&str>, name: &str| wanted.is_none_or(|wanted| wanted == name);
        let [black, white] = players;
        is(player, black) && is(opponent, white) || is(player, white) && is(opponent, black)
    }
}

/// Games of a tournament
#[utoipa::path(
    get,
    path = "/api/tournaments/{id}/games",
    operation_id = "list_tournament_games",
    tag = "tournaments",
    params(("id" = String, Path, description = "The tournament's id"), GamesRequest),
    responses((status = 200, body = TournamentGames))
)]
pub(crate) async fn games(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(request): Query<GamesRequest>,
) -> Result<Json<TournamentGames>, Refusal> {
    let id = number(&id)?;
    let limit = whole("limit", request.limit.unwrap_or(PAGE), PAGE_RANGE)?;
    let question = move |store: &Store| {
        let tournament = store.tournament(id)?;
        let mut games = Vec::new();
        for game in store.games(id)? {
            let outcome = &game.outcome;
            let number = from_one(outcome.number);
            if request.after.is_some_and(|after| number <= after) {
                continue;
            }
            let [black, white] = names(&tournament, outcome.players)?;
            if request.wants([&black, &white]) {
                games.push(TournamentGame {
                    number,
                    black,
                    white,
                    winner: winner(outcome.score),
                    score_black: outcome.score,
                    end: game.forfeit.map_or("board", |forfeit| forfeit.reason.word()).to_owned(),
                    ply: game.plies,
                });
            }
            // One more than wanted tells whether there is another page.
            if games.len() > limit {
                break;
            }
        }
        let is_last = games.len() <= limit;
        games.truncate(limit);
        let next = games.last().filter(|_| !is_last).map(|game| game.number);
        Ok(TournamentGames { games, next })
    };
    app.tournaments().ask(question).await?.map(Json).ok_or_else(unknown)
}

/// A game of a tournament
#[utoipa::path(
    get,
    path = "/api/tournaments/{id}/games/{number}",
    operation_id = "show_tournament_game",
    tag = "tournaments",
    params(
        ("id" = String, Path, description = "The tournament's id"),
        ("number" = u64, Path, minimum = 1, description = "The number of a game of the tournament")
    ),
    responses((status = 200, body = Replay))
)]
pub(crate) async fn game(
    State(app): State<App>,
    Path((id, game)): Path<(String, String)>,
) -> Result<Json<Replay>, Refusal> {
    let (id, game) = (number(&id)?, number(&game)?.unsigned_abs());
    // Games are numbered from 1 here, as everywhere people see them, and from 0 in the database.
    let game = game.checked_sub(1).ok_or_else(unknown)?;
    let question = move |store: &Store| {
        let tournament = store.tournament(id)?;
        let Some((pairing, played)) = store.game(&tournament, game)? else { return Ok(None) };
        let [black, white] = names(&tournament, pairing.players)?;
        Ok(Some(Replay::of(from_one(pairing.number), black, white, &played)))
    };
    app.tournaments().ask(question).await?.flatten().map(Json).ok_or_else(unknown)
}

impl Replay {
    fn of(number: u64, black: String, white: String, played: &Played) -> Replay {
        let (end, details) = match played.forfeit() {
            None => ("board", None),
            Some((_, forfeit)) => (forfeit.reason.word(), Some(forfeit.details.clone())),
        };
        let game = &played.game;
        let seconds = |stats: &arena::MoveStats| stats.time.map(|time| time.as_secs_f64());
        Replay {
            summary: TournamentGame {
                number,
                black,
                white,
                winner: winner(played.score()),
                score_black: played.score(),
                end: end.to_owned(),
                ply: game.ply() as u64,
            },
            rule: game.rule().into(),
            size: game.size().width(),
            start: game.start().to_string(),
            moves: move_names(game.moves()),
            seconds: played.stats.iter().map(seconds).collect(),
            details,
        }
    }
}

/// Ratings over time
#[utoipa::path(
    get,
    path = "/api/ratings",
    operation_id = "list_ratings",
    tag = "tournaments",
    responses((status = 200, body = Ratings))
)]
pub(crate) async fn ratings(State(app): State<App>) -> Result<Json<Ratings>, Refusal> {
    let question = |store: &Store| {
        let mut series: BTreeMap<String, Vec<Point>> = BTreeMap::new();
        for tournament in store.tournaments()? {
            for row in store.standings(&tournament)?.rows() {
                let name = &tournament.plan.players[row.player].name;
                let Some((name, version)) = versioned(name) else { continue };
                let Rating { elo, low, high } = row.rating;
                if [elo, low, high].iter().all(|elo| elo.is_finite()) {
                    series.entry(name.to_owned()).or_default().push(Point {
                        tournament: tournament.id,
                        version: version.to_owned(),
                        time: date::words(tournament.created.saturating_mul(1_000)),
                        elo,
                        low,
                        high,
                    });
                }
            }
        }
        Ok(series.into_iter().map(|(name, points)| Series { name, points }).collect())
    };
    Ok(Json(Ratings { series: app.tournaments().ask(question).await?.unwrap_or_default() }))
}

/// The number that people see of a game that is number `stored` in the database.
fn from_one(stored: u64) -> u64 {
    stored + 1
}

/// A number in a path.
fn number(text: &str) -> Result<i64, Refusal> {
    text.parse().ok().filter(|&number: &i64| number >= 0).ok_or_else(unknown)
}

/// The names of black and white.
fn names(tournament: &arena::Tournament, players: [usize; 2]) -> Result<[String; 2], StoreError> {
    let name = |player: usize| {
        let player = tournament.plan.players.get(player);
        player
            .map(|player| player.name.clone())
            .ok_or_else(|| StoreError::Damaged("a game has an unknown player".to_owned()))
    };
    Ok([name(players[0])?, name(players[1])?])
}

/// Who won by this score of black.
fn winner(score: i32) -> Option<ColorWord> {
    match score {
        0 => None,
        1.. => Some(Color::Black.into()),
        _ => Some(Color::White.into()),
    }
}
