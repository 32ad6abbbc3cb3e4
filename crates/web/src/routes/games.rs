//! Saved games: begins, changes, lists, follows and exports them. Changes need the game's token.

pub(crate) mod follow;
pub(crate) mod told;

use super::friends::FriendsBody;
use super::share;
use crate::app::App;
use crate::attachment::{TEXT, attachment};
use crate::caller::Caller;
use crate::callers::Kind as Counted;
use crate::followers::FollowReason;
use crate::receive::{Body, Path, Query, whole};
use crate::refusal::{Code, Refusal};
use crate::store::{
    Change, Earlier, Ending, Filter, GameRow, Loss, Player, Reason, Saved, State, Undone,
};
use crate::wire::{ColorWord, GameResult, Moves, RuleWord, game_formats, game_request, move_names};
use crate::{date, flags, secret};
use axum::Json;
use axum::body::{Body as Bytes, Bytes as Chunk};
use axum::extract::State as Shared;
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use futures_core::Stream;
use isrever_board::text::{Format, Record, Writer};
use isrever_board::{Game, Position};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;
use tokio::sync::mpsc;
use told::ToldBody;
use utoipa::{IntoParams, ToSchema};

/// The number of games on a page: default and range.
const PAGE: u32 = 50;
const PAGE_RANGE: (u32, u32) = (1, 200);

/// The lengths of an id and of a token.
pub(super) const ID: usize = 12;
pub(super) const TOKEN: usize = 32;

/// A saved game.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct GameBody {
    /// Twelve letters and digits.
    id: String,
    rule: RuleWord,
    /// The width of the board.
    size: u8,
    black: Player,
    white: Player,
    state: State,
    /// How many moves were played, passes included.
    ply: u32,
    /// How often it was changed.
    revision: i64,
    /// The count, if neither side has a move.
    result: Option<GameResult>,
    /// How it ended, if it has.
    end: Option<GameEnd>,
    /// The players before one was changed, earliest first; left out if none was.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    earlier: Vec<Earlier>,
    /// The referee's part, if two people play it at two screens; left out for other games.
    #[serde(skip_serializing_if = "Option::is_none")]
    friends: Option<FriendsBody>,
    /// The present position.
    position: String,
    /// When it was begun, such as 2026-11-17T09:30:00Z.
    created: String,
    /// When it was last changed.
    changed: String,
    /// The position it began with; left out in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    /// All moves; left out in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<String>>,
}

/// How a game ended.
#[derive(Clone, Serialize, ToSchema)]
struct GameEnd {
    reason: EndReason,
    /// Null for a draw.
    winner: Option<ColorWord>,
}

/// Why a game ended.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum EndReason {
    /// Neither side has a move.
    Board,
    /// A side gave up.
    Resigned,
    /// A side ran out of time.
    Time,
    /// Both sides agreed to a draw.
    Agreed,
}

impl GameEnd {
    fn of(ending: Option<Ending>, result: Option<&GameResult>) -> Option<GameEnd> {
        let (reason, winner) = match ending {
            None => (EndReason::Board, result?.winner()),
            Some(Ending::Agreed) => (EndReason::Agreed, None),
            Some(Ending::Lost(Loss { reason, loser })) => {
                let reason = match reason {
                    Reason::Resigned => EndReason::Resigned,
                    Reason::Time => EndReason::Time,
                };
                (reason, Some(loser.other()))
            }
        };
        Some(GameEnd { reason, winner })
    }
}

impl GameBody {
    /// The body of a saved game, with its moves or without.
    pub(super) fn of(saved: &Saved, with_moves: bool) -> Result<GameBody, Refusal> {
        let game = saved.game.replayed()?;
        let GameRow { id, rule, size, black, white, state, ply, ending, earlier, .. } = &saved.game;
        let result = GameResult::of(&game);
        Ok(GameBody {
            id: id.clone(),
            rule: (*rule).into(),
            size: *size,
            black: black.clone(),
            white: white.clone(),
            state: *state,
            ply: *ply,
            revision: saved.revision,
            end: GameEnd::of(*ending, result.as_ref()),
            result,
            earlier: earlier.clone(),
            friends: saved.game.friends.as_ref().map(FriendsBody::of),
            position: game.position().to_string(),
            created: date::words(saved.created_ms),
            changed: date::words(saved.changed_ms),
            start: with_moves.then(|| game.start().to_string()),
            moves: with_moves.then(|| move_names(game.moves())),
        })
    }
}

impl From<Undone> for Refusal {
    fn from(undone: Undone) -> Refusal {
        match undone {
            Undone::NoGame => Refusal::not_found("no such game; expected the id of a saved one"),
            Undone::Conflict(ply) => {
                let message = format!("the game has moved on; expected ply {ply}");
                Refusal::of("ply", Code::Conflict, message)
            }
            Undone::Stale(revision) => {
                let message = format!("the game has changed; expected revision {revision}");
                Refusal::of("revision", Code::Conflict, message)
            }
            Undone::Over => {
                let message = "the game is over and stays as it is; expected one that goes on";
                Refusal::new(Code::GameOver, message)
            }
            Undone::Foul(foul) => foul.into(),
            Undone::Busy => Refusal::busy(),
            Undone::Full => {
                let message = "the server's disk is full; nothing was saved";
                Refusal::new(Code::DiskFull, message)
            }
            Undone::Failed => Refusal::internal(),
        }
    }
}

game_request! {
    /// A game to save, and its players.
    BeginRequest {
        black: Player,
        white: Player,
    }
}

/// A new saved game, and its token.
#[derive(Serialize, ToSchema)]
pub(crate) struct Begun {
    /// The game's id.
    id: String,
    /// Allows its bearer to change and to delete the game; sent only once.
    token: String,
    game: GameBody,
}

/// Begin a saved game
#[utoipa::path(
    post,
    path = "/api/games",
    operation_id = "begin_game",
    tag = "games",
    request_body = BeginRequest,
    responses((status = 201, body = Begun))
)]
pub(crate) async fn begin(
    Shared(app): Shared<App>,
    caller: Caller,
    Body(request): Body<BeginRequest>,
) -> Result<(StatusCode, Json<Begun>), Refusal> {
    let game = request.any_game()?;
    let (black, white) =
        (checked("black.name", &request.black)?, checked("white.name", &request.white)?);
    app.callers().begin_game(caller, Instant::now())?;
    let id = secret::name::<ID>().map_err(|_| Refusal::internal())?;
    let token = secret::name::<TOKEN>().map_err(|_| Refusal::internal())?;
    let is_usual = *game.start() == Position::start(game.size());
    let saved = app
        .store()
        .begin(GameRow {
            id: id.clone(),
            token: secret::hash(&token),
            rule: game.rule(),
            size: game.size().width(),
            start: (!is_usual).then(|| game.start().to_string()),
            moves: move_names(game.moves()).join(","),
            ply: game.ply() as u32,
            black,
            white,
            state: if game.is_over() { State::Finished } else { State::Running },
            ending: None,
            earlier: Vec::new(),
            friends: None,
        })
        .await?;
    Ok((StatusCode::CREATED, Json(Begun { id, token, game: GameBody::of(&saved, true)? })))
}

/// A player with a checked name.
fn checked(field: &str, player: &Player) -> Result<Player, Refusal> {
    Ok(Player { name: share::name(field, &player.name)?, ..player.clone() })
}

/// The new moves of a saved game.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChangeRequest {
    /// All moves.
    moves: Moves,
    /// How many moves the caller expects to be saved.
    ply: Option<u32>,
    /// The `revision` that the caller expects to be saved.
    revision: Option<i64>,
    /// `running` or `stopped`; moves that end the game make it `finished`.
    #[schema(nullable = false)]
    state: Option<State>,
    /// Who lost the game by resigning or on time; nothing can be changed after that.
    end: Option<Loss>,
    /// The player from now on, if another one takes over.
    black: Option<Player>,
    /// The player from now on, if another one takes over.
    white: Option<Player>,
    /// What agents of the server's owner told with their moves since the last change.
    #[serde(default)]
    #[schema(max_items = 64)]
    told: Vec<ToldBody>,
}

/// Save the new moves of a game
#[utoipa::path(
    put,
    path = "/api/games/{id}",
    operation_id = "change_game",
    tag = "games",
    params(("id" = String, Path, description = "The game's id")),
    security(("token" = [])),
    request_body = ChangeRequest,
    responses((status = 200, body = GameBody))
)]
pub(crate) async fn change(
    Shared(app): Shared<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(request): Body<ChangeRequest>,
) -> Result<Json<GameBody>, Refusal> {
    let GameRow { id, rule, size, start, .. } = allowed(&app, id, &headers).await?.game;
    let game = crate::wire::any_game(rule.into(), Some(size), start.as_deref(), &request.moves)?;
    let player = |field: &str, player: &Option<Player>| {
        player.as_ref().map(|player| checked(field, player)).transpose()
    };
    let (black, white) =
        (player("black.name", &request.black)?, player("white.name", &request.white)?);
    if request.end.is_some() && game.is_over() {
        let message = "neither side has a move; expected no end but that";
        return Err(Refusal::of("end", Code::BadRequest, message));
    }
    let state = match request.state {
        _ if game.is_over() || request.end.is_some() => State::Finished,
        Some(State::Finished) => {
            let message = "the game is not over; expected running or stopped";
            return Err(Refusal::of("state", Code::BadRequest, message));
        }
        state => state.unwrap_or(State::Running),
    };
    let change = Change {
        id,
        ply: request.ply,
        revision: request.revision,
        moves: move_names(game.moves()).join(","),
        moves_ply: game.ply() as u32,
        state,
        loss: request.end,
        black,
        white,
        told: told::checked(&request.told, app.players().own())?,
    };
    let saved = app.store().change(change).await?;
    let body = GameBody::of(&saved, true)?;
    app.followers().send(&saved, &body);
    Ok(Json(body))
}

/// Tells the followers of a game between two people how it is now, and sets its timer.
pub(crate) fn tell(app: &App, saved: &Saved) {
    if let Ok(body) = GameBody::of(saved, true) {
        app.followers().send(saved, &body);
    }
    app.flags().arm(app, saved);
}

/// Delete a saved game
#[utoipa::path(
    delete,
    path = "/api/games/{id}",
    operation_id = "delete_game",
    tag = "games",
    params(("id" = String, Path, description = "The game's id")),
    security(("token" = [])),
    responses((status = 204, description = "It is deleted"))
)]
pub(crate) async fn delete(
    Shared(app): Shared<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    let GameRow { id, .. } = allowed(&app, id, &headers).await?.game;
    app.store().delete(id.clone()).await?;
    app.followers().end(&id, FollowReason::Deleted);
    Ok(StatusCode::NO_CONTENT)
}

/// The game called `id`, if the request has its token.
pub(super) async fn allowed(app: &App, id: String, headers: &HeaderMap) -> Result<Saved, Refusal> {
    let saved = found(app, id).await?;
    let token = bearer(headers).ok_or_else(no_token)?;
    // Comparing hashes takes no time that depends on the token.
    if secret::hash(token) != saved.game.token {
        let message = "not the game's token; expected the one told when it was begun";
        return Err(Refusal::new(Code::WrongToken, message));
    }
    Ok(saved)
}

/// The token that a request brings.
pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    value.strip_prefix("Bearer ").map(str::trim)
}

/// Refuses a request that needs a token and has none.
pub(super) fn no_token() -> Refusal {
    let message = "the game's token is missing; expected Authorization: Bearer TOKEN";
    Refusal::new(Code::NoToken, message)
}

/// The game called `id`; one that was lost on time meanwhile has ended.
pub(super) async fn found(app: &App, id: String) -> Result<Saved, Refusal> {
    let game = if id.len() == ID { app.store().game(id).await? } else { None };
    let game = game.ok_or_else(|| Refusal::from(Undone::NoGame))?;
    flags::settled(app, game).await
}

/// A saved game
#[utoipa::path(
    get,
    path = "/api/games/{id}",
    operation_id = "show_game",
    tag = "games",
    params(("id" = String, Path, description = "The game's id")),
    responses((status = 200, body = GameBody))
)]
pub(crate) async fn show(
    Shared(app): Shared<App>,
    Path(id): Path<String>,
) -> Result<Json<GameBody>, Refusal> {
    Ok(Json(GameBody::of(&found(&app, id).await?, true)?))
}

/// A query for saved games.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListRequest {
    /// Only games in this state.
    state: Option<State>,
    /// Only games under this rule.
    rule: Option<RuleWord>,
    /// Only games on boards of this width.
    #[param(minimum = 4, maximum = 16)]
    size: Option<u8>,
    /// The name of either player.
    player: Option<String>,
    /// How many; 50 if missing.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
    /// The `next` of the page before.
    before: Option<i64>,
}

/// A page of saved games.
#[derive(Serialize, ToSchema)]
pub(crate) struct GamesPage {
    /// Newest first, without their moves.
    games: Vec<GameBody>,
    /// The `before` of the next page; null if this is the last.
    next: Option<i64>,
    /// The number of all games.
    total: u64,
}

/// Saved games, newest first
#[utoipa::path(
    get,
    path = "/api/games",
    operation_id = "list_games",
    tag = "games",
    params(ListRequest),
    responses((status = 200, body = GamesPage))
)]
pub(crate) async fn list(
    Shared(app): Shared<App>,
    Query(request): Query<ListRequest>,
) -> Result<Json<GamesPage>, Refusal> {
    let limit = whole("limit", request.limit.unwrap_or(PAGE), PAGE_RANGE)?;
    let filter = Filter {
        state: request.state,
        rule: request.rule.map(Into::into),
        size: request.size,
        player: request.player,
    };
    // One more than wanted tells whether there is another page.
    let (mut games, total) = app.store().games(filter, request.before, limit + 1).await?;
    let is_last = games.len() <= limit as usize;
    games.truncate(limit as usize);
    let next = games.last().filter(|_| !is_last).map(|game| game.number);
    let games = games.iter().map(|saved| GameBody::of(saved, false)).collect::<Result<_, _>>()?;
    Ok(Json(GamesPage { games, next, total }))
}

/// A query for games to export, and the format.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExportRequest {
    #[param(schema_with = game_formats)]
    format: Option<String>,
    /// Only games in this state.
    state: Option<State>,
    /// Only games under this rule.
    rule: Option<RuleWord>,
    /// Only games on boards of this width.
    #[param(minimum = 4, maximum = 16)]
    size: Option<u8>,
    /// The name of either player.
    player: Option<String>,
}

/// All saved games as a file, newest first
#[utoipa::path(
    get,
    path = "/api/games/export",
    operation_id = "export_games",
    tag = "games",
    params(ExportRequest),
    responses(
        (status = 200, content_type = "text/plain", body = String, description = "The file")
    )
)]
pub(crate) async fn export(
    Shared(app): Shared<App>,
    caller: Caller,
    Query(request): Query<ExportRequest>,
) -> Result<Response, Refusal> {
    let format = share::format("format", request.format.as_deref().unwrap_or("ggf"))?;
    if !matches!(format, Format::Ggf | Format::Sgf | Format::Moves) {
        let message = format!("{format} holds no whole games; expected ggf, sgf or moves");
        return Err(Refusal::of("format", Code::BadRequest, message));
    }
    let filter = Filter {
        state: request.state,
        rule: request.rule.map(Into::into),
        size: request.size,
        player: request.player,
    };
    let permit = app.callers().enter(caller, Counted::Stream)?;
    // Runs at most two pages ahead of a slow reader.
    let (send, receive) = mpsc::channel(2);
    tokio::spawn(async move {
        let _permit = permit;
        let mut before = None;
        while let Ok((games, _)) = app.store().games(filter.clone(), before, PAGE_RANGE.1).await {
            let Some(last) = games.last() else { break };
            before = Some(last.number);
            let mut writer = Writer::new(format);
            for saved in &games {
                let Ok(game) = saved.game.replayed() else { continue };
                if writer.push(&record(saved, game)).is_err() {
                    return;
                }
            }
            if send.send(Chunk::from(writer.take())).await.is_err() {
                return;
            }
        }
    });
    let body = Bytes::from_stream(Pages(receive));
    Ok(attachment(TEXT, &format!("games.{format}"), body))
}

/// A saved game with the names of its players, and how it ended if not by the count of discs.
fn record(saved: &Saved, game: Game) -> Record {
    let mut record = Record::from(game);
    let GameRow { black, white, earlier, ending, .. } = &saved.game;
    // Everybody who played the side, in order.
    let names = |last: &Player, side: fn(&Earlier) -> &Player| {
        let mut names: Vec<&str> =
            earlier.iter().map(side).chain([last]).map(|player| player.name.as_str()).collect();
        names.dedup();
        names.join(", ")
    };
    for (tag, value) in [
        ("PB", names(black, |earlier| &earlier.black)),
        ("PW", names(white, |earlier| &earlier.white)),
        ("DT", date::words(saved.created_ms)),
    ] {
        record.tags.push((tag.to_owned(), value));
    }
    let result = ending.map(|ending| match ending {
        Ending::Agreed => "Draw".to_owned(),
        Ending::Lost(Loss { reason, loser }) => {
            let winner = if loser == ColorWord::Black { "W" } else { "B" };
            let how = if reason == Reason::Time { "T" } else { "R" };
            format!("{winner}+{how}")
        }
    });
    record.tags.extend(result.map(|result| ("RE".to_owned(), result)));
    record
}

/// The pages of a file as they are written.
pub(super) struct Pages(pub(super) mpsc::Receiver<Chunk>);

impl Stream for Pages {
    type Item = Result<Chunk, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|page| page.map(Ok))
    }
}
