//! Battles: asks for them, lists them, and shows their games.

use super::TermsBody;
use crate::app::App;
use crate::attachment::{TEXT, attachment};
use crate::date;
use crate::member::Member;
use crate::receive::{Body, Path, Query, whole};
use crate::refusal::{Code, Refusal};
use crate::wire::{ColorWord, battle_formats, move_names};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use isrever_arena::{Occasion, Played};
use isrever_board::text::{Format, Writer};
use isrever_board::{Color, Game, Position};
use isrever_club::{
    Battle, BattleKind, Contestant, GameState, Judged, Player, Record, Summary, Wanted,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// The number of battles on a page: default and range.
const PAGE: u32 = 50;
const PAGE_RANGE: (u32, u32) = (1, 200);

/// A player of a battle.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct ContestantBody {
    /// The author's name, or the built-in agent's spec.
    name: String,
    /// The author's account; null for a built-in agent.
    account: Option<i64>,
    /// The version; null for a built-in agent.
    version: Option<i64>,
    /// The version's number among its author's.
    number: Option<i64>,
}

impl From<&Contestant> for ContestantBody {
    fn from(contestant: &Contestant) -> ContestantBody {
        ContestantBody {
            name: contestant.name.clone(),
            account: contestant.account,
            version: contestant.player.version(),
            number: contestant.number,
        }
    }
}

/// A game of a battle in a line.
#[derive(Serialize, ToSchema)]
struct SummaryBody {
    /// Its number.
    id: i64,
    /// 0 if the battle's first player is black, or 1.
    place: u8,
    state: GameState,
    /// The first player's score in discs, positive if it won; null before the end.
    score: Option<i32>,
    /// `over` if neither side had a move, or why it was forfeited; null before the end.
    end: Option<String>,
    /// When it ended.
    ended: Option<String>,
}

impl From<&Summary> for SummaryBody {
    fn from(game: &Summary) -> SummaryBody {
        SummaryBody {
            id: game.id,
            place: game.place,
            state: game.state,
            score: game.score,
            end: game.end.clone(),
            ended: game.ended.map(date::words),
        }
    }
}

/// Two games between the same players.
#[derive(Serialize, ToSchema)]
pub(crate) struct BattleBody {
    /// Its number.
    id: i64,
    kind: BattleKind,
    /// The final that it belongs to; null for others.
    of_final: Option<i64>,
    /// The one that is black in the first game, and the other.
    players: [ContestantBody; 2],
    terms: TermsBody,
    /// When it was arranged.
    created: String,
    /// Its games, annulled ones included.
    games: Vec<SummaryBody>,
}

impl From<&Battle> for BattleBody {
    fn from(battle: &Battle) -> BattleBody {
        BattleBody {
            id: battle.id,
            kind: battle.kind,
            of_final: battle.of_final,
            players: battle.players.each_ref().map(ContestantBody::from),
            terms: (&battle.terms).into(),
            created: date::words(battle.created),
            games: battle.games.iter().map(SummaryBody::from).collect(),
        }
    }
}

/// Which battles are wanted.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct BattlesRequest {
    /// Those of this account's versions.
    account: Option<i64>,
    /// Those of this kind.
    kind: Option<BattleKind>,
    /// Those of this final.
    of_final: Option<i64>,
    /// The `next` of the page before.
    before: Option<i64>,
    /// How many; 50 if missing.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
}

/// A page of battles.
#[derive(Serialize, ToSchema)]
pub(crate) struct Battles {
    /// Newest first.
    battles: Vec<BattleBody>,
    /// The `before` of the next page; null if this is the last.
    next: Option<i64>,
}

/// Battles, newest first
#[utoipa::path(
    get,
    path = "/api/club/battles",
    operation_id = "list_battles",
    tag = "club",
    params(BattlesRequest),
    responses((status = 200, body = Battles))
)]
pub(crate) async fn list(
    member: Member,
    Query(request): Query<BattlesRequest>,
) -> Result<Json<Battles>, Refusal> {
    let limit = whole("limit", request.limit.unwrap_or(PAGE), PAGE_RANGE)?;
    let by = member.id();
    let wanted = Wanted {
        account: request.account,
        kind: request.kind,
        of_final: request.of_final,
        before: request.before,
        // One more than wanted tells whether there is another page.
        limit: limit + 1,
    };
    let mut battles = member.club.ask(move |club, _| club.battles(by, &wanted)).await?;
    let is_last = battles.len() <= limit as usize;
    battles.truncate(limit as usize);
    let next = battles.last().filter(|_| !is_last).map(|battle| battle.id);
    Ok(Json(Battles { battles: battles.iter().map(BattleBody::from).collect(), next }))
}

/// A battle to ask for.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChallengeRequest {
    /// The version of one's own that plays.
    version: i64,
    opponent: Opponent,
}

/// Whom to play against.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Opponent {
    /// Somebody's active version, or one of one's own.
    Version(i64),
    /// A built-in agent such as `engine:level=5`.
    Agent(String),
}

/// Ask for a battle, which does not count
#[utoipa::path(
    post,
    path = "/api/club/battles",
    operation_id = "challenge",
    tag = "club",
    request_body = ChallengeRequest,
    responses((status = 201, body = BattleBody))
)]
pub(crate) async fn challenge(
    State(app): State<App>,
    member: Member,
    Body(request): Body<ChallengeRequest>,
) -> Result<(StatusCode, Json<BattleBody>), Refusal> {
    let opponent = match request.opponent {
        Opponent::Version(version) => Player::Version(version),
        Opponent::Agent(spec) => {
            let terms = member.club.ask(|club, _| club.terms()).await?;
            let game = Game::new(terms.rule, terms.size);
            let agent = app.players().agent("opponent.agent", &spec, &game)?;
            if agent.is_own() {
                let message =
                    "agents of the server's owner do not play here; expected a built-in one";
                return Err(Refusal::of("opponent.agent", Code::BadAgent, message));
            }
            Player::BuiltIn(agent.spec().to_owned())
        }
    };
    let (by, own) = (member.id(), request.version);
    let battle = member.club.ask(move |club, now| club.challenge(by, own, &opponent, now)).await?;
    Ok((StatusCode::CREATED, Json((&battle).into())))
}

/// A battle
#[utoipa::path(
    get,
    path = "/api/club/battles/{id}",
    operation_id = "show_battle",
    tag = "club",
    params(("id" = i64, Path, description = "The battle's number")),
    responses((status = 200, body = BattleBody))
)]
pub(crate) async fn show(member: Member, Path(id): Path<i64>) -> Result<Json<BattleBody>, Refusal> {
    let by = member.id();
    let battle = member.club.ask(move |club, _| club.battle(by, id)).await?;
    Ok(Json((&battle).into()))
}

/// What is known of a move of a game.
#[derive(Serialize, ToSchema)]
struct PlayedMove {
    /// The square, or `pass`.
    #[serde(rename = "move")]
    mv: String,
    color: ColorWord,
    /// What it took; null for the opening and passes.
    seconds: Option<f64>,
    /// Its value to the agent, on a scale of the agent's own.
    value: Option<f64>,
    /// Plies the agent looked ahead.
    depth: Option<u32>,
    /// Boards the agent visited.
    nodes: Option<u64>,
    /// The discs that the side to move would have won by; null before the review.
    best: Option<f64>,
    /// How many of them the move gave away.
    loss: Option<f64>,
    /// The best move, if there was a better one.
    better: Option<String>,
    /// Whether these are proved.
    exact: bool,
}

/// A game of a battle.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameRecordBody {
    /// Its number.
    id: i64,
    battle: BattleBody,
    /// 0 if the battle's first player is black, or 1.
    place: u8,
    /// Black's name.
    black: String,
    /// White's name.
    white: String,
    state: GameState,
    /// The position it began with; null before it is played.
    start: Option<String>,
    /// How many of its moves are the opening's.
    opening: usize,
    /// Its moves.
    moves: Vec<PlayedMove>,
    /// The squares before the first move and after each, row by row from a1: `X`, `O` and `-`.
    boards: Vec<String>,
    /// Black's score in discs, positive if black won; null before the end.
    score_black: Option<i32>,
    /// `over` if neither side had a move, or why it was forfeited; null before the end.
    end: Option<String>,
    /// Who forfeited it.
    forfeiter: Option<ColorWord>,
    /// What happened, if it was forfeited; null if that is not for you.
    details: Option<String>,
    /// The move that lost it, counted from 0; null if the review names none.
    losing_move: Option<usize>,
    /// Whether every move's worth is known.
    reviewed: bool,
    /// What black printed; null if that is not for you, or nothing.
    black_output: Option<String>,
    /// What white printed; null if that is not for you, or nothing.
    white_output: Option<String>,
    /// Why it was annulled.
    reason: Option<String>,
    /// When it ended.
    ended: Option<String>,
}

/// The moves of a game with all that is known of them.
fn moves_of(played: &Played, judged: &[Judged]) -> Vec<PlayedMove> {
    let names = move_names(played.game.moves());
    let turns = played.game.positions().iter().map(Position::turn);
    let body = |(ply, (name, turn)): (usize, (String, Color))| {
        let (stats, judged) = (&played.stats[ply], judged.get(ply));
        PlayedMove {
            mv: name,
            color: turn.into(),
            seconds: stats.time.map(|time| time.as_secs_f64()),
            value: stats.value,
            depth: stats.depth,
            nodes: stats.nodes,
            best: judged.and_then(|judged| judged.best),
            loss: judged.and_then(|judged| judged.loss),
            better: judged.and_then(|judged| judged.better.clone()),
            exact: judged.is_some_and(|judged| judged.is_exact),
        }
    };
    names.into_iter().zip(turns).enumerate().map(body).collect()
}

/// The boards of a game.
fn boards_of(played: &Played) -> Vec<String> {
    played.game.positions().iter().map(Position::letters).collect()
}

/// The move that lost a game.
fn losing_move(played: &Played, record: &Record) -> Option<usize> {
    let loser = match played.score().signum() {
        1 => Color::White,
        -1 => Color::Black,
        _ => return None,
    };
    let positions = played.game.positions();
    let is_loser = |ply: usize| positions.get(ply).is_some_and(|one| one.turn() == loser);
    record.review.as_ref()?.losing_move(is_loser)
}

impl From<&Record> for GameRecordBody {
    fn from(record: &Record) -> GameRecordBody {
        let [black, white] = record.places().map(|place| record.battle.players[place].name.clone());
        let played = record.played.as_ref();
        let forfeit = played.and_then(Played::forfeit);
        let judged = record.review.as_ref().map_or(&[][..], |review| &review.moves);
        let end = forfeit.map_or("over", |(_, forfeit)| forfeit.reason.word());
        let [black_output, white_output] = record.outputs.clone();
        GameRecordBody {
            id: record.id,
            battle: (&record.battle).into(),
            place: record.place,
            black,
            white,
            state: record.state,
            start: played.map(|played| played.game.start().to_string()),
            opening: played.map_or(0, |played| played.opening),
            moves: played.map_or_else(Vec::new, |played| moves_of(played, judged)),
            boards: played.map_or_else(Vec::new, boards_of),
            score_black: played.map(Played::score),
            end: played.map(|_| end.to_owned()),
            forfeiter: forfeit.map(|(color, _)| color.into()),
            details: forfeit
                .map(|(_, forfeit)| forfeit.details.clone())
                .filter(|one| !one.is_empty()),
            losing_move: played.and_then(|played| losing_move(played, record)),
            reviewed: !judged.is_empty(),
            black_output,
            white_output,
            reason: record.reason.clone(),
            ended: record.ended.map(date::words),
        }
    }
}

/// A game of a battle
#[utoipa::path(
    get,
    path = "/api/club/games/{id}",
    operation_id = "show_battle_game",
    tag = "club",
    params(("id" = i64, Path, description = "The game's number")),
    responses((status = 200, body = GameRecordBody))
)]
pub(crate) async fn game(
    member: Member,
    Path(id): Path<i64>,
) -> Result<Json<GameRecordBody>, Refusal> {
    let by = member.id();
    let record = member.club.ask(move |club, _| club.game(by, id)).await?;
    Ok(Json((&record).into()))
}

/// The format of a file.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct DownloadRequest {
    #[param(schema_with = battle_formats)]
    format: Option<String>,
}

/// A game of a battle as a file
#[utoipa::path(
    get,
    path = "/api/club/games/{id}/file",
    operation_id = "download_battle_game",
    tag = "club",
    params(("id" = i64, Path, description = "The game's number"), DownloadRequest),
    responses((status = 200, content_type = "text/plain", body = String, description = "The file"))
)]
pub(crate) async fn download(
    member: Member,
    Path(id): Path<i64>,
    Query(request): Query<DownloadRequest>,
) -> Result<Response, Refusal> {
    let by = member.id();
    let format = request.format.as_deref().unwrap_or("ggf");
    let known = [
        ("ggf", Some(Format::Ggf)),
        ("sgf", Some(Format::Sgf)),
        ("moves", Some(Format::Moves)),
        ("json", None),
    ];
    let Some((name, format)) = known.into_iter().find(|(name, _)| *name == format) else {
        let message =
            format!("{format:?} is not a format of games; expected ggf, sgf, moves or json");
        return Err(Refusal::of("format", Code::BadRequest, message));
    };
    let record = member.club.ask(move |club, _| club.game(by, id)).await?;
    let unplayed = || Refusal::not_found("the game is yet to be played; try again later");
    let played = record.played.as_ref().ok_or_else(unplayed)?;
    let file_name = format!("game-{id}.{name}");
    let Some(format) = format else {
        let body = serde_json::to_string(&GameRecordBody::from(&record));
        return Ok(attachment(TEXT, &file_name, body.expect("a game is plain data")));
    };
    let [black, white] = record.places().map(|place| record.battle.players[place].name.as_str());
    let date = record.ended.map(date::words).unwrap_or_default();
    let occasion = Occasion {
        event: record.battle.kind.word(),
        round: record.id.cast_unsigned(),
        date: date.split('T').next().unwrap_or_default(),
        players: [black, white],
    };
    let mut writer = Writer::new(format);
    let written = writer.push(&occasion.record(played));
    written.map_err(|error| Refusal::of("format", Code::BadRequest, error.to_string()))?;
    Ok(attachment(TEXT, &file_name, writer.take()))
}
