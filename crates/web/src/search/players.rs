//! The agents of the web board: the built-in ones and the engine's levels, with their cost capped,
//! and those of the server's owner. Other programs are refused.

mod own;

pub(crate) use own::MOST_PRINTED;

use super::kept::KeptAgents;
use crate::own::OwnAgents;
use crate::pool::Weight;
use crate::refusal::{Code, Refusal};
use isrever_agent::{AgentSpec, Candidate, Catalogue, Choice, Entry, Kind, Limits, SpecError};
use isrever_board::{Game, Rule, Size};
use isrever_engine::Level;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The longest spec, in bytes.
const MOST_SPEC_BYTES: usize = 200;

/// The memory of an engine's search table, in MiB.
pub(super) const HASH_MIB: u32 = 16;

/// The same for a light search, which visits a few thousand boards.
const LIGHT_HASH_MIB: u32 = 1;

/// The greatest depth of a light search, in plies: a few milliseconds.
const MOST_LIGHT_DEPTH: u32 = 6;

/// Agents that look only at their next move.
const LIGHT_AGENTS: [&str; 2] = ["random", "greedy"];

/// Agents by name, and those that move in running games. Clones share them.
#[derive(Clone)]
pub(crate) struct Players {
    catalogue: Arc<Catalogue>,
    kept: KeptAgents,
    own: Arc<OwnAgents>,
    /// Own agents in running games: a file's or a program's process is needed for all its moves.
    own_kept: KeptAgents,
    /// How many own agents may think at a time.
    own_permits: Arc<Semaphore>,
    /// Whether a test of an own agent may begin: one at a time.
    check_permits: Arc<Semaphore>,
}

/// The checked spec of an agent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Agent {
    /// As it was sent; the name of an own agent.
    spec: AgentSpec,
    origin: Origin,
    /// Whether its board is larger than 8×8, where no engine looks only a few plies ahead.
    is_large: bool,
}

/// Where an agent comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Origin {
    BuiltIn,
    Engine,
    /// The server's owner, whose spec this is.
    Own(AgentSpec),
}

/// An agent's move, and what it tells of it.
#[derive(Clone, Debug)]
pub(crate) struct Thought {
    pub(crate) choice: Choice,
    /// The moves that it weighed.
    pub(crate) candidates: Vec<Candidate>,
    /// The end of what it has printed since its last move, if it is a program that prints.
    pub(crate) printed: Option<String>,
    /// How long it took, if it knows that better than its caller.
    pub(crate) time: Option<Duration>,
}

/// The seed of an agent's random choices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Seed {
    /// The caller sent it: the same seed gives the same choice.
    Sent(u64),
    /// The server drew it: no two choices need be alike.
    Drawn(u64),
}

impl Seed {
    fn number(self) -> u64 {
        match self {
            Seed::Sent(seed) | Seed::Drawn(seed) => seed,
        }
    }
}

impl Players {
    /// The built-in agents and those of the server's owner, of which `workers` may think at a time.
    pub(crate) fn new(own: Arc<OwnAgents>, workers: usize) -> Players {
        Players {
            catalogue: Arc::new(isrever_players::catalogue()),
            kept: KeptAgents::default(),
            own,
            own_kept: KeptAgents::default(),
            own_permits: Arc::new(Semaphore::new(workers.max(1))),
            check_permits: Arc::new(Semaphore::new(1)),
        }
    }

    /// The agents of the server's owner.
    pub(crate) fn own(&self) -> &OwnAgents {
        &self.own
    }

    /// Permits the test of an own agent, unless another one runs.
    pub(crate) fn begin_check(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        Arc::clone(&self.check_permits).try_acquire_owned().map_err(|_| Refusal::busy())
    }

    /// The built-in agents, and the only games that each plays, if it does not play all.
    pub(crate) fn list(&self) -> impl Iterator<Item = (&Entry, Option<(Rule, Size)>)> {
        let only = |entry: &Entry| entry.needs(&AgentSpec::new(entry.name())).ok()?.only;
        self.catalogue.entries().iter().map(move |entry| (entry, only(entry)))
    }

    /// Checks the spec of an agent that was sent as `field`, to play in `game`.
    pub(crate) fn agent(&self, field: &str, spec: &str, game: &Game) -> Result<Agent, Refusal> {
        let refusal = |message: String| Refusal::of(field, Code::BadAgent, message);
        if spec.len() > MOST_SPEC_BYTES {
            let expected = format!("expected at most {MOST_SPEC_BYTES} bytes");
            return Err(refusal(format!("the agent's settings are too long; {expected}")));
        }
        let (rule, size) = (game.rule(), game.position().size());
        let is_large = !size.has_bits();
        let spec = AgentSpec::new(spec);
        if let Some(own) = self.own.find(spec.name()) {
            if spec.as_str() != own.name {
                let message = format!("{}: settings cannot be given here", own.name);
                return Err(refusal(format!("{message}; expected {} alone", own.name)));
            }
            if !own.games.contains(&(rule, size)) {
                return Err(refusal(format!("{spec} does not play {rule} on {size}x{size}")));
            }
            return Ok(Agent { spec, origin: Origin::Own(own.spec.clone()), is_large });
        }
        let entry = self.catalogue.find(&spec).map_err(|error| refusal(self.among_own(error)))?;
        // Threads, memory and files are the server's to decide.
        let reserved = entry.keys().iter().filter(|key| key.is_owners());
        if let Some(key) = reserved.into_iter().find(|key| spec.get(key.name).is_some()) {
            let message = format!("{}: {} cannot be set here", spec.name(), key.name);
            return Err(refusal(format!("{message}; expected other settings")));
        }
        let is_engine = entry.kind() == Kind::Engine;
        let origin = if is_engine { Origin::Engine } else { Origin::BuiltIn };
        let agent = Agent { spec, origin, is_large };
        // Making the agent finds everything that is wrong with its spec, and costs nothing.
        let checked = self.catalogue.check(&agent.full(), rule, size);
        checked.map_err(|error| refusal(error.to_string()))?;
        Ok(agent)
    }

    /// What is wrong with a spec, with the owner's agents among those that there are.
    fn among_own(&self, mut error: SpecError) -> String {
        if let SpecError::UnknownName { known, .. } = &mut error {
            known.extend(self.own.list().iter().map(|own| own.name.clone()));
        }
        error.to_string()
    }

    /// Chooses a move for the side to move in `game`, which has one, within `time`; sooner if the
    /// flag is set. An agent whose answers depend on the clock alone is kept for its next move in
    /// the game.
    pub(crate) fn choose(
        &self,
        agent: &Agent,
        seed: Seed,
        game: &Game,
        time: Duration,
        stop: &Arc<AtomicBool>,
    ) -> Result<Thought, Refusal> {
        let limits = within(time, stop);
        let spec = agent.full();
        let make = |seed| self.catalogue.make(spec.clone(), seed).map_err(|_| Refusal::internal());
        let (seed, is_kept) = match seed {
            Seed::Sent(seed) => (seed, false),
            Seed::Drawn(seed) => (seed, agent.is_timed()),
        };
        let kept = if is_kept { self.kept.take(&spec, game, Instant::now()) } else { None };
        let mut made = kept.map_or_else(|| make(seed), Ok)?;
        let choice = made.choose(game, &limits).map_err(|_| Refusal::internal())?;
        let thought = Thought { choice, candidates: made.candidates(), printed: None, time: None };
        if is_kept {
            self.kept.put(&spec, game, made, Instant::now());
        }
        Ok(thought)
    }

    /// Drops the agents of abandoned games.
    pub(crate) fn drop_idle(&self, now: Instant) {
        self.kept.drop_idle(now);
        self.own_kept.drop_idle(now);
    }
}

/// The limits of a move that begins now.
fn within(time: Duration, stop: &Arc<AtomicBool>) -> Limits {
    let deadline = Some(Instant::now() + time);
    Limits { deadline, stop: Arc::clone(stop), ..Limits::default() }
}

impl Agent {
    /// Whether it is one of the server's owner.
    pub(crate) fn is_own(&self) -> bool {
        matches!(self.origin, Origin::Own(_))
    }

    /// The spec as it was sent.
    pub(crate) fn spec(&self) -> &str {
        self.spec.as_str()
    }

    /// How much a move takes: little, if the engine looks only a few plies ahead, or the agent only
    /// at its next move.
    pub(crate) fn weight(&self) -> Weight {
        let level = || self.spec.get("level").and_then(|level| level.parse::<Level>().ok());
        let is_quick = |level: Level| level.strength().depth.is_some_and(|d| d <= MOST_LIGHT_DEPTH);
        let is_light = match self.origin {
            Origin::Engine => {
                !self.is_large
                    && self.spec.settings().all(|(key, _)| key == "level")
                    && level().is_some_and(is_quick)
            }
            Origin::BuiltIn => LIGHT_AGENTS.contains(&self.spec.name()),
            Origin::Own(_) => false,
        };
        if is_light { Weight::Light } else { Weight::Heavy }
    }

    /// Whether the clock alone ends its search, so that a search table of earlier moves may change
    /// its answers. Levels, and engines with a limit of depth or nodes, answer alike every time.
    fn is_timed(&self) -> bool {
        self.origin == Origin::Engine && self.spec.settings().all(|(key, _)| key == "time")
    }

    /// The spec with the settings of the server, or of its owner.
    fn full(&self) -> AgentSpec {
        match (&self.origin, self.weight()) {
            (Origin::Engine, Weight::Light) => self.spec.with("hash", LIGHT_HASH_MIB),
            (Origin::Engine, Weight::Heavy) => self.spec.with("hash", HASH_MIB),
            (Origin::BuiltIn, _) => self.spec.clone(),
            (Origin::Own(spec), _) => spec.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::Move;

    fn no_own() -> Players {
        Players::new(Arc::new(OwnAgents::new(isrever_players::catalogue())), 1)
    }

    fn start() -> Game {
        Game::new(Rule::Reversed, Size::EIGHT)
    }

    fn agent(players: &Players, spec: &str) -> Agent {
        players.agent("agent", spec, &start()).unwrap()
    }

    #[test]
    fn built_in_agents_play_and_others_are_not_let_in() {
        let players = no_own();
        let specs = [
            "engine",
            "engine:level=5",
            "greedy:by=mobility",
            "mcts:playouts=50",
            "random",
            "zero",
        ];
        for spec in specs {
            assert_eq!(agent(&players, spec).spec(), spec);
        }
        for (spec, message) in [
            ("python:/etc/passwd", "no agent is called \"python\""),
            ("nboard:/bin/sh -c true", "no agent is called \"nboard\""),
            ("gtp:rm", "no agent is called \"gtp\""),
            ("", "no agent is called \"\""),
            ("engine:threads=64", "engine: threads cannot be set here"),
            ("engine:level=5, hash =65536", "engine: hash cannot be set here"),
            ("engine:weights=/etc/passwd", "engine: weights cannot be set here"),
            ("engine:level=5, weights = x", "engine: weights cannot be set here"),
            ("mcts:threads=all", "mcts: threads cannot be set here"),
            ("engine:level=21", "engine was given level=21; expected"),
            ("greedy:by", "greedy was given \"by\"; expected key=value"),
        ] {
            let refusal = players.agent("black", spec, &start()).unwrap_err();
            assert_eq!((refusal.code, refusal.field.as_deref()), (Code::BadAgent, Some("black")));
            assert!(refusal.message.starts_with(message), "{}", refusal.message);
        }
        let small = Game::new(Rule::Reversed, Size::SIX);
        let refusal = players.agent("agent", "zero", &small).unwrap_err();
        assert!(refusal.message.contains("it plays reversed on 8x8"), "{}", refusal.message);
        let long = format!("greedy:{}", "x".repeat(MOST_SPEC_BYTES));
        assert!(players.agent("agent", &long, &start()).is_err());
    }

    /// An ending that the engine solves, so that no answer depends on the speed of the machine.
    fn ending() -> Game {
        let mut game = Game::new(Rule::Reversed, Size::EIGHT);
        while game.position().empties() > 15 || game.position().moves().len() < 2 {
            play_first_move(&mut game);
        }
        assert!(game.position().empties() > 10);
        game
    }

    fn play_first_move(game: &mut Game) {
        let square = game.position().moves().first().copied();
        game.play(square.map_or(Move::Pass, Move::Place)).unwrap();
    }

    fn choose(players: &Players, spec: &str, seed: Seed, game: &Game) -> Choice {
        let agent = players.agent("agent", spec, game).unwrap();
        players
            .choose(&agent, seed, game, Duration::from_secs(600), &Arc::default())
            .unwrap()
            .choice
    }

    #[test]
    fn a_seed_gives_the_same_move_again() {
        let players = no_own();
        let game = start();
        let choose = |seed| choose(&players, "engine:level=1", Seed::Sent(seed), &game).square;
        assert!((0..20).all(|seed| choose(seed) == choose(seed)));
    }

    #[test]
    fn a_running_game_keeps_the_table_of_an_engine_without_limits() {
        let (players, game) = (no_own(), ending());
        let first = choose(&players, "engine", Seed::Drawn(1), &game);
        let again = choose(&players, "engine", Seed::Drawn(2), &game);
        assert_eq!((first.square, first.value), (again.square, again.value));
        assert!(again.nodes < first.nodes / 2, "{} {}", again.nodes, first.nodes);
        let mut later = game.clone();
        later.place(first.square).unwrap();
        while later.turn() != game.turn() || later.position().must_pass() {
            play_first_move(&mut later);
        }
        let warm = choose(&players, "engine", Seed::Drawn(3), &later);
        let cold = choose(&no_own(), "engine", Seed::Drawn(3), &later);
        assert_eq!(warm.value, cold.value, "both are proved");
        assert!(warm.nodes < cold.nodes, "{} {}", warm.nodes, cold.nodes);
    }

    #[test]
    fn seeds_and_levels_answer_alike_whatever_was_asked_before() {
        let (players, game) = (no_own(), ending());
        let cold = |spec: &str| choose(&no_own(), spec, Seed::Sent(1), &game);
        for (spec, seed) in [
            ("engine", Seed::Sent(1)),
            ("engine:level=17", Seed::Drawn(1)),
            ("engine:level=20", Seed::Drawn(1)),
            ("engine:depth=6", Seed::Drawn(1)),
            ("engine:time=9s,nodes=9000", Seed::Drawn(1)),
            ("greedy", Seed::Drawn(1)),
        ] {
            for _ in 0..2 {
                assert_eq!(choose(&players, spec, seed, &game), cold(spec), "{spec}");
            }
        }
    }

    #[test]
    fn moves_of_low_levels_are_light_and_all_else_is_heavy() {
        let players = no_own();
        for (spec, weight) in [
            ("engine:level=1", Weight::Light),
            ("engine:level=5", Weight::Light),
            ("engine:level=15", Weight::Light),
            ("engine:level=16", Weight::Heavy),
            ("engine:level=20", Weight::Heavy),
            ("engine:level=5,depth=30", Weight::Heavy),
            ("engine", Weight::Heavy),
            ("random", Weight::Light),
            ("greedy", Weight::Light),
            ("greedy-invincible", Weight::Heavy),
            ("mcts", Weight::Heavy),
            ("zero:playouts=1", Weight::Heavy),
            ("maximax", Weight::Heavy),
        ] {
            assert_eq!(agent(&players, spec).weight(), weight, "{spec}");
        }
    }

    #[test]
    fn only_the_clock_ends_a_timed_engine() {
        let players = no_own();
        for (spec, is_timed) in [
            ("engine", true),
            ("engine:time=1s", true),
            ("engine:level=20", false),
            ("engine:time=1s,depth=9", false),
            ("engine:slack=1", false),
            ("zero", true),
            ("zero:playouts=9", false),
            ("mcts:time=1s", false),
            ("random", false),
        ] {
            assert_eq!(agent(&players, spec).is_timed(), is_timed, "{spec}");
        }
    }
}
