//! The agents of the web board: the built-in ones and the engine's levels, with their cost capped.
//! Programs of other people are refused.

use crate::refusal::{Code, Refusal};
use isrever_agent::{Catalogue, Choice, Limits, Spec};
use isrever_board::Game;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The longest spec, in bytes.
const MOST_SPEC_BYTES: usize = 200;

/// Memory of the engine for one move, in MiB.
const HASH_MIB: u32 = 16;

/// What a spec may not set: it is the server's to decide.
const RESERVED: [&str; 2] = ["threads", "hash"];

/// Agents by name.
#[derive(Clone)]
pub(crate) struct Players(Arc<Catalogue>);

/// A spec that was checked: it can be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Agent(String);

impl Players {
    /// The agents that are built in.
    pub(crate) fn new() -> Players {
        Players(Arc::new(isrever_players::catalogue()))
    }

    /// All agents: name, one line, kind.
    pub(crate) fn list(
        &self,
    ) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> + '_ {
        self.0.entries().iter().map(|entry| {
            let kind = match entry.name() {
                "engine" => "engine",
                _ if entry.about().starts_with("report ") => "report",
                _ => "simple",
            };
            (entry.name(), entry.about(), kind)
        })
    }

    /// The agent that `spec`, sent as `field`, asks for.
    pub(crate) fn agent(&self, field: &str, spec: &str) -> Result<Agent, Refusal> {
        let refusal = |message: String| Refusal::of(field, Code::BadAgent, message);
        if spec.len() > MOST_SPEC_BYTES {
            let expected = format!("expected at most {MOST_SPEC_BYTES} bytes");
            return Err(refusal(format!("the agent's settings are too long; {expected}")));
        }
        let parts = Spec::new(spec);
        let keys = parts.rest.split(',').filter_map(|item| item.split_once('='));
        for (key, _) in keys {
            if RESERVED.contains(&key.trim()) {
                let message = format!("{}: {} cannot be set here", parts.name, key.trim());
                return Err(refusal(format!("{message}; expected other settings")));
            }
        }
        let agent = Agent(spec.to_owned());
        // Making it says what is wrong with it, and costs nothing.
        self.0.make(&agent.full(), 1).map_err(|error| refusal(error.to_string()))?;
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
        let made = self.0.make(&agent.full(), seed).map_err(|_| Refusal::internal())?;
        let mut made = made;
        made.choose(game, &limits).map_err(|_| Refusal::internal())
    }
}

impl Agent {
    /// As it was asked for.
    pub(crate) fn spec(&self) -> &str {
        &self.0
    }

    /// With what the server decides.
    fn full(&self) -> String {
        let Spec { name, rest } = Spec::new(&self.0);
        match (name, rest) {
            ("engine", "") => format!("engine:hash={HASH_MIB}"),
            ("engine", rest) => format!("engine:{rest},hash={HASH_MIB}"),
            _ => self.0.clone(),
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
