//! Who may play on the web board: the built-in agents and the engine's levels, with what they cost
//! capped. Programs of other people are not let in.

use crate::refusal::{Code, Refusal};
use isrever_agent::{AgentSpec, Catalogue, Choice, Kind, Limits};
use isrever_board::Game;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The longest spec, in bytes.
const MOST_SPEC_BYTES: usize = 200;

/// Memory of the engine for one move, in MiB.
const HASH_MIB: u32 = 16;

/// Agents by name.
#[derive(Clone)]
pub(crate) struct Players(Arc<Catalogue>);

/// A spec that was checked: it can be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Agent {
    spec: AgentSpec,
    is_engine: bool,
}

impl Players {
    /// The agents that are built in.
    pub(crate) fn new() -> Players {
        Players(Arc::new(isrever_players::catalogue()))
    }

    /// All agents: name, one line, kind.
    pub(crate) fn list(
        &self,
    ) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> + '_ {
        self.0.entries().iter().map(|entry| (entry.name(), entry.about(), entry.kind().word()))
    }

    /// The agent that `spec`, sent as `field`, asks for.
    pub(crate) fn agent(&self, field: &str, spec: &str) -> Result<Agent, Refusal> {
        let refusal = |message: String| Refusal::of(field, Code::BadAgent, message);
        if spec.len() > MOST_SPEC_BYTES {
            let expected = format!("expected at most {MOST_SPEC_BYTES} bytes");
            return Err(refusal(format!("the agent's settings are too long; {expected}")));
        }
        let spec = AgentSpec::new(spec);
        let entry = self.0.find(&spec).map_err(|error| refusal(error.to_string()))?;
        // Threads, memory and files are the server's to decide.
        let reserved = entry.keys().iter().filter(|key| key.is_owners());
        if let Some(key) = reserved.into_iter().find(|key| spec.get(key.name).is_some()) {
            let message = format!("{}: {} cannot be set here", spec.name(), key.name);
            return Err(refusal(format!("{message}; expected other settings")));
        }
        let agent = Agent { is_engine: entry.kind() == Kind::Engine, spec };
        // Making it says what is wrong with it, and costs nothing.
        self.0.make(agent.full(), 1).map_err(|error| refusal(error.to_string()))?;
        Ok(agent)
    }

    /// The agent's move where it has one, within `time`; sooner if the flag is set.
    pub(crate) fn choose(
        &self,
        agent: &Agent,
        seed: u64,
        game: &Game,
        time: Duration,
        stop: &Arc<AtomicBool>,
    ) -> Result<Choice, Refusal> {
        let limits = Limits {
            deadline: Some(Instant::now() + time),
            stop: Arc::clone(stop),
            ..Limits::default()
        };
        let made = self.0.make(agent.full(), seed).map_err(|_| Refusal::internal())?;
        let mut made = made;
        made.choose(game, &limits).map_err(|_| Refusal::internal())
    }
}

impl Agent {
    /// As it was asked for.
    pub(crate) fn spec(&self) -> &str {
        self.spec.as_str()
    }

    /// With what the server decides.
    fn full(&self) -> AgentSpec {
        match self.is_engine {
            true => self.spec.with("hash", HASH_MIB),
            false => self.spec.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_agents_play_and_others_are_not_let_in() {
        let players = Players::new();
        let specs =
            ["engine", "engine:level=5", "greedy:by=mobility", "mcts:playouts=50", "random"];
        for spec in specs {
            assert_eq!(players.agent("agent", spec).unwrap().spec(), spec);
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
            let refusal = players.agent("black", spec).unwrap_err();
            assert_eq!((refusal.code, refusal.field.as_deref()), (Code::BadAgent, Some("black")));
            assert!(refusal.message.starts_with(message), "{}", refusal.message);
        }
        let long = format!("greedy:{}", "x".repeat(MOST_SPEC_BYTES));
        assert!(players.agent("agent", &long).is_err());
    }

    #[test]
    fn a_seed_gives_the_same_move_again() {
        let players = Players::new();
        let game = Game::new(isrever_board::Rule::Reversed, isrever_board::Size::EIGHT);
        let agent = players.agent("agent", "engine:level=1").unwrap();
        let choose = |seed| {
            let stop = Arc::default();
            players.choose(&agent, seed, &game, Duration::from_secs(60), &stop).unwrap().square
        };
        assert!((0..20).all(|seed| choose(seed) == choose(seed)));
    }
}
