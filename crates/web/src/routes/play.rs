//! The rules, the agents that can play, and an agent's move.

use crate::app::App;
use crate::caller::Caller;
use crate::callers::Kind;
use crate::receive::{Body, MOST_BODY_BYTES, seconds, whole};
use crate::refusal::{Code, Refusal};
use crate::search::players::{Agent, Seed, Thought};
use crate::secret;
use crate::wire::{MOST_MOVES, PositionBody, RuleWord, game_request, kinds};
use axum::Json;
use axum::extract::State;
use isrever_agent::Candidate;
use isrever_arena::Referee;
use isrever_board::{Game, Move, Rule, Size};
use isrever_engine::Level;
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use utoipa::ToSchema;

/// The time for a move where none is said, and the least and the most, in seconds.
const MOVE_SECONDS: f64 = 1.0;
pub(super) const MOVE_RANGE: (f64, f64) = (0.01, 5.0);

/// The largest number that every browser can hold.
const MOST_SEED: u64 = (1 << 53) - 1;

game_request! {
    /// A game.
    PositionRequest {
        /// Whether to add every move with the board after it.
        #[serde(default)]
        history: bool,
        /// Whether to play forced passes, and to add the position after each legal square.
        #[serde(default)]
        ahead: bool,
    }
}

/// Where a game stands: legal squares, flips, counts, result
#[utoipa::path(
    post,
    path = "/api/position",
    operation_id = "show_position",
    tag = "play",
    request_body = PositionRequest,
    responses((status = 200, body = PositionBody))
)]
pub(crate) async fn position(
    Body(request): Body<PositionRequest>,
) -> Result<Json<PositionBody>, Refusal> {
    let game = request.any_game()?;
    Ok(Json(match request.ahead {
        true => PositionBody::ahead(game, request.history),
        false => PositionBody::new(&game, request.history),
    }))
}

game_request! {
    /// A game, and who is to move in it.
    MoveRequest {
        /// An agent's spec, such as `engine:level=5`.
        #[schema(example = "engine:level=5", max_length = 200)]
        agent: String,
        /// The seed of random choices; drawn by the server if missing.
        #[schema(maximum = 9007199254740991_u64)]
        seed: Option<u64>,
        /// The most time, in seconds.
        #[schema(minimum = 0.01, maximum = 5)]
        seconds: Option<f64>,
        /// Whether to play forced passes, and to add the position after each legal square.
        #[serde(default)]
        ahead: bool,
    }
}

/// A move and the position after it.
#[derive(Serialize, ToSchema)]
pub(crate) struct MoveBody {
    /// A square or `pass`.
    #[serde(rename = "move")]
    pub(super) mv: String,
    /// What the move is worth to the agent; in discs, if it is the engine.
    pub(super) value: Option<f64>,
    /// Plies it looked ahead.
    pub(super) depth: Option<u32>,
    /// Boards it visited.
    pub(super) nodes: u64,
    /// How long it took.
    pub(super) seconds: f64,
    /// The agent's spec.
    pub(super) agent: String,
    /// The moves that it weighed, if it searches by playouts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) candidates: Vec<CandidateBody>,
    /// The end of what it has printed since its last move, if it is a program that prints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) output: Option<String>,
    pub(super) position: PositionBody,
}

/// A move that an agent weighed before its answer.
#[derive(Serialize, ToSchema)]
pub(crate) struct CandidateBody {
    /// Where it puts a disc.
    square: String,
    /// How likely it seemed before the search, from 0 to 1.
    prior: Option<f64>,
    /// Playouts that began with it.
    visits: u64,
    /// Its value, on the scale of the agent.
    value: Option<f64>,
}

impl From<Candidate> for CandidateBody {
    fn from(candidate: Candidate) -> CandidateBody {
        let Candidate { square, prior, visits, value } = candidate;
        CandidateBody { square: square.to_string(), prior, visits, value }
    }
}

/// Let an agent move once
#[utoipa::path(
    post,
    path = "/api/move",
    operation_id = "play_move",
    tag = "play",
    request_body = MoveRequest,
    responses((status = 200, body = MoveBody))
)]
pub(crate) async fn play_move(
    State(app): State<App>,
    caller: Caller,
    Body(request): Body<MoveRequest>,
) -> Result<Json<MoveBody>, Refusal> {
    let game = request.any_game()?;
    let agent = app.players().agent("agent", &request.agent, &game)?;
    // Agents of the owner have their own limits.
    let usual = if agent.is_own() { MOVE_RANGE.1 } else { MOVE_SECONDS };
    let time = seconds("seconds", request.seconds, usual, MOVE_RANGE)?;
    let seed = match request.seed {
        Some(seed) => Seed::Sent(whole("seed", seed, (0, MOST_SEED))?),
        None => Seed::Drawn(secret::seed().map_err(|_| Refusal::internal())?),
    };
    let _permit = app.callers().enter(caller, Kind::Request)?;
    let turn = Turn { agent, seed, time, ahead: request.ahead };
    let body = turn.take(&app, caller, &mut Referee::new(game)).await?;
    Ok(Json(body))
}

/// An agent that is to move, and what its move may cost.
pub(super) struct Turn {
    pub(super) agent: Agent,
    pub(super) seed: Seed,
    pub(super) time: Duration,
    /// Whether to describe the position with what follows from it.
    pub(super) ahead: bool,
}

impl Turn {
    /// Plays one move of the referee's game, a pass where it is forced, and describes it.
    pub(super) async fn take(
        &self,
        app: &App,
        caller: Caller,
        referee: &mut Referee,
    ) -> Result<MoveBody, Refusal> {
        if referee.turn().is_none() {
            let message = "the game is over; expected one in which a side can move";
            return Err(Refusal::of("moves", Code::GameOver, message));
        }
        let spec = self.agent.spec().to_owned();
        let body = |mv: Move, referee: &Referee| MoveBody {
            mv: mv.to_string(),
            value: None,
            depth: None,
            nodes: 0,
            seconds: 0.0,
            agent: spec,
            candidates: Vec::new(),
            output: None,
            position: self.describe(referee.game()),
        };
        if referee.pass() {
            return Ok(body(Move::Pass, referee));
        }
        let began = Instant::now();
        let thought = self.think(app, caller, referee.game()).await?;
        let taken = thought.time.unwrap_or_else(|| began.elapsed());
        let Thought { choice, candidates, printed: output, .. } = thought;
        referee.answer(&choice, taken);
        if referee.has_forfeit() {
            // Agents play legal moves: those of the owner have been checked.
            return Err(Refusal::internal());
        }
        let (value, depth, nodes) = (choice.value, choice.depth, choice.nodes);
        let (seconds, mv) = (taken.as_secs_f64(), Move::Place(choice.square));
        let candidates = candidates.into_iter().map(CandidateBody::from).collect();
        Ok(MoveBody { value, depth, nodes, seconds, candidates, output, ..body(mv, referee) })
    }

    /// Has the agent choose a move.
    async fn think(&self, app: &App, caller: Caller, game: &Game) -> Result<Thought, Refusal> {
        let (players, agent) = (app.players().clone(), self.agent.clone());
        let (seed, time, game) = (self.seed, self.time, game.clone());
        if agent.is_own() {
            let patience = app.settings().patience;
            return players.ask_own(&agent, seed, &game, (time, patience)).await;
        }
        let weight = agent.weight();
        let choose = move |stop: &Arc<AtomicBool>| players.choose(&agent, seed, &game, time, stop);
        app.pool().ask(caller, weight, choose).await?
    }

    fn describe(&self, game: &Game) -> PositionBody {
        match self.ahead {
            true => PositionBody::ahead(game.clone(), false),
            false => PositionBody::new(game, false),
        }
    }
}

/// Who can play.
#[derive(Serialize, ToSchema)]
pub(crate) struct Agents {
    /// The owner's agents first.
    agents: Vec<AgentBody>,
    /// Weakest first.
    levels: Vec<LevelBody>,
    /// The widths of boards.
    sizes: Vec<u8>,
    /// The rules of games.
    rules: Vec<RuleWord>,
    /// Whether the server has a battle platform.
    club: bool,
    limits: MostAsked,
}

/// An agent that can be asked for.
#[derive(Serialize, ToSchema)]
struct AgentBody {
    /// What to ask for it with.
    spec: String,
    /// What people call it.
    name: String,
    /// What it is like, in one line.
    about: String,
    #[schema(schema_with = kinds)]
    kind: &'static str,
    /// Whether it is one of the server's owner.
    own: bool,
    /// The only games that it plays, if it does not play all.
    only: Option<OnlyBody>,
    /// The widths of the boards that it plays on.
    sizes: Vec<u8>,
}

/// A rule and the width of a board.
#[derive(Serialize, ToSchema)]
struct OnlyBody {
    rule: RuleWord,
    /// The width of the board.
    size: u8,
}

/// A level of the engine.
#[derive(Serialize, ToSchema)]
struct LevelBody {
    /// From 1, the weakest.
    level: u8,
    /// The agent's spec.
    spec: String,
    /// What it is like, in one line.
    about: String,
}

/// The most that can be asked for.
#[derive(Serialize, ToSchema)]
pub(crate) struct MostAsked {
    /// For a move.
    seconds: f64,
    /// Of a game.
    moves: usize,
    /// Of a request.
    body_bytes: usize,
    /// For an analysis.
    analysis_seconds: f64,
}

/// Who can play, and the most that can be asked for
#[utoipa::path(
    get,
    path = "/api/agents",
    operation_id = "list_agents",
    tag = "play",
    responses((status = 200, body = Agents))
)]
pub(crate) async fn agents(State(app): State<App>) -> Json<Agents> {
    let only = |(rule, size): (Rule, Size)| OnlyBody { rule: rule.into(), size: size.width() };
    let own = app.players().own().list().iter().map(|agent| AgentBody {
        spec: agent.name.clone(),
        name: agent.name.clone(),
        about: agent.about.clone(),
        kind: agent.kind.word(),
        own: true,
        only: match agent.games[..] {
            [game] => Some(only(game)),
            _ => None,
        },
        sizes: widths(&agent.sizes()),
    });
    let built_in = app.players().list().map(|(entry, game)| AgentBody {
        spec: entry.name().to_owned(),
        name: entry.name().to_owned(),
        about: entry.about().to_owned(),
        kind: entry.kind().word(),
        own: false,
        only: game.map(only),
        sizes: game.map_or_else(|| widths(&Size::ALL), |(_, size)| vec![size.width()]),
    });
    let agents = own.chain(built_in);
    let levels = Level::all().map(|level| LevelBody {
        level: level.number(),
        spec: format!("engine:level={level}"),
        about: about_level(level),
    });
    Json(Agents {
        agents: agents.collect(),
        levels: levels.collect(),
        sizes: widths(&Size::ALL),
        rules: Rule::ALL.map(RuleWord::from).to_vec(),
        club: app.club().is_some(),
        limits: MostAsked {
            seconds: MOVE_RANGE.1,
            moves: MOST_MOVES,
            body_bytes: MOST_BODY_BYTES,
            analysis_seconds: super::analysis::MOST_ANALYSIS_SECONDS,
        },
    })
}

/// Sizes by their widths.
fn widths(sizes: &[Size]) -> Vec<u8> {
    sizes.iter().map(|size| size.width()).collect()
}

/// What a level is like, in one line.
fn about_level(level: Level) -> String {
    let strength = level.strength();
    let ahead = match strength.depth {
        Some(1) => "looks 1 move ahead".to_owned(),
        Some(depth) => format!("looks {depth} moves ahead"),
        None => "full strength".to_owned(),
    };
    match strength.slack {
        slack if slack > 0.0 => format!("{ahead}, may give away {slack} discs with a move"),
        _ => ahead,
    }
}
