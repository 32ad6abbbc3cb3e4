//! Casual games: a person plays on the board against an agent that its author opened.

use crate::member::Member;
use crate::receive::{Body, Path};
use crate::refusal::{Code, Refusal};
use crate::wire::{ColorWord, RuleWord, move_names};
use axum::Json;
use axum::http::StatusCode;
use isrever_arena::Played;
use isrever_board::{Color, Size, Square};
use isrever_club::{CASUAL_SIZES, Casual, Club, ClubError, OpenAgent, Turn};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An agent that people may play against.
#[derive(Serialize, ToSchema)]
struct OpponentBody {
    /// The version.
    version: i64,
    /// Its number among its author's.
    number: i64,
    /// Its author's account.
    account: i64,
    /// Its author's name.
    name: String,
    /// Its author's section.
    section: String,
}

impl From<OpenAgent> for OpponentBody {
    fn from(agent: OpenAgent) -> OpponentBody {
        let OpenAgent { version, number, account, name, section } = agent;
        OpponentBody { version, number, account, name, section }
    }
}

/// Whom people may play against.
#[derive(Serialize, ToSchema)]
pub(crate) struct Opponents {
    /// By their authors' names.
    opponents: Vec<OpponentBody>,
    /// The widths of the boards that people play on.
    sizes: Vec<u8>,
}

/// The agents that people may play against
#[utoipa::path(
    get,
    path = "/api/club/opponents",
    operation_id = "list_opponents",
    tag = "club",
    responses((status = 200, body = Opponents))
)]
pub(crate) async fn opponents(member: Member) -> Result<Json<Opponents>, Refusal> {
    let agents = member.club.ask(|club, _| club.open_agents()).await?;
    Ok(Json(Opponents {
        opponents: agents.into_iter().map(OpponentBody::from).collect(),
        sizes: CASUAL_SIZES.map(Size::width).to_vec(),
    }))
}

/// Whose turn it is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum TurnWord {
    Person,
    Agent,
    Over,
}

/// A game of a person against an agent.
#[derive(Serialize, ToSchema)]
pub(crate) struct CasualBody {
    /// Its number.
    game: i64,
    /// The agent's author.
    name: String,
    /// The agent's number among its author's.
    number: Option<i64>,
    /// The person's name.
    person: String,
    /// The person's side.
    color: ColorWord,
    rule: RuleWord,
    /// The width of the board.
    size: u8,
    turn: TurnWord,
    /// The squares, row by row from a1: `X`, `O` and `-`.
    board: String,
    /// The moves so far, passes included.
    moves: Vec<String>,
    /// The squares that the person may play on; none if it is not the person's turn.
    legal: Vec<String>,
    /// The discs of black and white.
    discs: [u32; 2],
    /// The person's score in discs, positive if the person won; null before the end.
    score: Option<i32>,
    /// `over` if neither side had a move, `resigned`, or how the agent failed; null before the end.
    end: Option<String>,
    /// What happened if the agent failed, for its author.
    details: Option<String>,
    /// The seconds since the agent was asked for its move; null if it is not its turn.
    waiting: Option<f64>,
}

impl CasualBody {
    fn new(casual: Casual, now: i64) -> CasualBody {
        let Casual { game, battle, color, so_far, turn, is_authors } = casual;
        let position = so_far.game.position();
        let (is_over, is_persons) = (turn == Turn::Over, turn == Turn::Person);
        let forfeit = so_far.forfeit().map(|(_, forfeit)| forfeit).filter(|_| is_over);
        let end = || forfeit.map_or("over", |forfeit| forfeit.reason.word()).to_owned();
        let legal = if is_persons { position.moves() } else { Vec::new() };
        let (word, waiting) = match turn {
            Turn::Person => (TurnWord::Person, None),
            Turn::Agent { since } => (TurnWord::Agent, Some((now - since) as f64 / 1000.0)),
            Turn::Over => (TurnWord::Over, None),
        };
        let [agent, person] = &battle.players;
        CasualBody {
            game,
            name: agent.name.clone(),
            number: agent.number,
            person: person.name.clone(),
            color: color.into(),
            rule: battle.terms.rule.into(),
            size: battle.terms.size.width(),
            turn: word,
            board: position.letters(),
            moves: move_names(so_far.game.moves()),
            legal: legal.iter().map(Square::to_string).collect(),
            discs: [Color::Black, Color::White].map(|color| position.count(color)),
            score: is_over.then(|| Played::score_of(&so_far, color)),
            end: is_over.then(end),
            details: forfeit.filter(|_| is_authors).map(|forfeit| forfeit.details.clone()),
            waiting,
        }
    }
}

/// What became of a game by something that a member did.
async fn answer(
    member: &Member,
    act: impl FnOnce(&Club, i64) -> Result<Casual, ClubError> + Send + 'static,
) -> Result<Json<CasualBody>, Refusal> {
    let done = member.club.ask(move |club, now| Ok::<_, ClubError>((act(club, now)?, now)));
    let (casual, now) = done.await?;
    Ok(Json(CasualBody::new(casual, now)))
}

/// A game to begin.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CasualRequest {
    /// The agent.
    version: i64,
    /// The width of the board: 6, 8 or 10.
    #[schema(minimum = 6, maximum = 10)]
    size: u8,
    /// The person's side.
    color: ColorWord,
}

/// Begin a game against an agent that is open to people
#[utoipa::path(
    post,
    path = "/api/club/casual",
    operation_id = "begin_casual_game",
    tag = "club",
    request_body = CasualRequest,
    responses((status = 201, body = CasualBody))
)]
pub(crate) async fn begin(
    member: Member,
    Body(request): Body<CasualRequest>,
) -> Result<(StatusCode, Json<CasualBody>), Refusal> {
    let by = member.id();
    let CasualRequest { version, size, color } = request;
    let size = Size::new(size.into())
        .map_err(|error| Refusal::of("size", Code::BadRequest, error.to_string()))?;
    let color = color.into();
    let begun = answer(&member, move |club, now| club.begin_casual(by, version, size, color, now));
    Ok((StatusCode::CREATED, begun.await?))
}

/// A game against an agent
#[utoipa::path(
    get,
    path = "/api/club/casual/{game}",
    operation_id = "show_casual_game",
    tag = "club",
    params(("game" = i64, Path, description = "The game's number")),
    responses((status = 200, body = CasualBody))
)]
pub(crate) async fn show(
    member: Member,
    Path(game): Path<i64>,
) -> Result<Json<CasualBody>, Refusal> {
    let by = member.id();
    answer(&member, move |club, _| club.casual(by, game)).await
}

/// A move to make.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CasualMove {
    /// The square, such as `d3`.
    #[serde(rename = "move")]
    mv: String,
    /// How many moves were made before it: a move that was made already is not made again.
    ply: usize,
}

/// Make one's move in a game against an agent
#[utoipa::path(
    post,
    path = "/api/club/casual/{game}/moves",
    operation_id = "move_in_casual_game",
    tag = "club",
    params(("game" = i64, Path, description = "The game's number")),
    request_body = CasualMove,
    responses((status = 200, body = CasualBody))
)]
pub(crate) async fn play(
    member: Member,
    Path(game): Path<i64>,
    Body(CasualMove { mv, ply }): Body<CasualMove>,
) -> Result<Json<CasualBody>, Refusal> {
    let by = member.id();
    let square: Square = mv.parse().map_err(|_| {
        let message = format!("{mv:?} is not a square; expected one such as d3");
        Refusal::of("move", Code::IllegalMove, message)
    })?;
    answer(&member, move |club, now| club.play_casual(by, game, ply, square, now)).await
}

/// Give up a game against an agent
#[utoipa::path(
    post,
    path = "/api/club/casual/{game}/resignation",
    operation_id = "resign_casual_game",
    tag = "club",
    params(("game" = i64, Path, description = "The game's number")),
    responses((status = 200, body = CasualBody))
)]
pub(crate) async fn resign(
    member: Member,
    Path(game): Path<i64>,
) -> Result<Json<CasualBody>, Refusal> {
    let by = member.id();
    answer(&member, move |club, now| club.resign_casual(by, game, now)).await
}
