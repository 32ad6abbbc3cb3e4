//! Agents of running games, kept between their moves with the search tables they have filled.
//!
//! Games have no ids here: a kept agent moves again in any game that continues
//! its own. Its table makes it faster and, within the same time,
//! stronger, so only agents whose answers depend on the clock anyway are kept.
//! Their number is bounded, and with it their memory; idle ones are dropped.

use isrever_agent::{Agent, AgentSpec};
use isrever_board::{Color, Game};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The most agents to keep. Each has a table of [`super::players::HASH_MIB`].
const MOST: usize = 8;

/// How long an agent is kept without being asked.
const IDLE: Duration = Duration::from_secs(120);

/// Kept agents, the one used last at the end. Clones share them.
#[derive(Clone, Default)]
pub(super) struct KeptAgents(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    kept: Vec<Kept>,
}

/// An agent, and the game that it moved in last.
struct Kept {
    spec: AgentSpec,
    color: Color,
    /// The game as it was before the agent's last move.
    game: Game,
    agent: Box<dyn Agent>,
    since: Instant,
}

impl KeptAgents {
    /// Takes out the agent of this spec that has moved for the same side earlier in `game`.
    pub(super) fn take(
        &self,
        spec: &AgentSpec,
        game: &Game,
        now: Instant,
    ) -> Option<Box<dyn Agent>> {
        let mut state = self.lock();
        state.drop_idle(now);
        let candidates = state.kept.iter().enumerate().filter(|(_, kept)| {
            kept.spec == *spec && Some(kept.color) == game.turn() && continues(&kept.game, game)
        });
        let (place, _) = candidates.max_by_key(|(_, kept)| kept.game.ply())?;
        Some(state.kept.remove(place).agent)
    }

    /// Keeps an agent that has just moved in `game`; drops the least recently used one if there are
    /// too many.
    pub(super) fn put(&self, spec: &AgentSpec, game: &Game, agent: Box<dyn Agent>, now: Instant) {
        let Some(color) = game.turn() else { return };
        let mut state = self.lock();
        state.drop_idle(now);
        if state.kept.len() == MOST {
            state.kept.remove(0);
        }
        let (spec, game) = (spec.to_owned(), game.clone());
        state.kept.push(Kept { spec, color, game, agent, since: now });
    }

    /// Drops agents that were not asked for some time.
    pub(super) fn drop_idle(&self, now: Instant) {
        self.lock().drop_idle(now);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn drop_idle(&mut self, now: Instant) {
        self.kept.retain(|kept| now.saturating_duration_since(kept.since) < IDLE);
    }
}

/// Whether `game` begins with all of `earlier`.
fn continues(earlier: &Game, game: &Game) -> bool {
    earlier.rule() == game.rule()
        && earlier.start() == game.start()
        && game.moves().starts_with(earlier.moves())
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_agent::{Choice, Forfeit, Limits};
    use isrever_board::{Rule, Size};

    /// An agent that is known by its name.
    struct Named(usize);

    impl Agent for Named {
        fn name(&self) -> String {
            self.0.to_string()
        }

        fn choose(&mut self, game: &Game, _: &Limits) -> Result<Choice, Forfeit> {
            Ok(game.position().moves()[0].into())
        }
    }

    fn game(moves: &str) -> Game {
        let mut game = Game::new(Rule::Reversed, Size::EIGHT);
        for square in moves.split_terminator(' ') {
            game.place(square.parse().unwrap()).unwrap();
        }
        game
    }

    fn name(taken: Option<Box<dyn Agent>>) -> Option<String> {
        taken.map(|agent| agent.name())
    }

    #[test]
    fn an_agent_goes_on_with_its_own_game_only() {
        let (agents, now) = (KeptAgents::default(), Instant::now());
        let put = |number, moves| {
            agents.put(&"engine".into(), &game(moves), Box::new(Named(number)), now);
        };
        put(1, "f5");
        put(2, "f5 d6 c3");
        put(3, "f5 f6 e6");
        let mut normal = Game::new(Rule::Normal, Size::EIGHT);
        for square in ["f5", "d6", "c3"] {
            normal.place(square.parse().unwrap()).unwrap();
        }
        assert_eq!(name(agents.take(&"engine".into(), &normal, now)), None, "another rule");
        assert_eq!(name(agents.take(&"engine".into(), &game("d3"), now)), None, "another game");
        assert_eq!(
            name(agents.take(&"engine".into(), &game("f5 d6"), now)),
            None,
            "the other side"
        );
        assert_eq!(name(agents.take(&"engine:time=1s".into(), &game("f5 d6 c3"), now)), None);
        let later = game("f5 d6 c3 d3 c4");
        assert_eq!(
            name(agents.take(&"engine".into(), &later, now)).as_deref(),
            Some("2"),
            "the nearest"
        );
        assert_eq!(name(agents.take(&"engine".into(), &later, now)).as_deref(), Some("1"));
        assert_eq!(name(agents.take(&"engine".into(), &later, now)), None, "3 is elsewhere");
    }

    #[test]
    fn few_agents_are_kept_and_idle_ones_are_dropped() {
        let (agents, now) = (KeptAgents::default(), Instant::now());
        let put =
            |number, now| agents.put(&"engine".into(), &game("f5"), Box::new(Named(number)), now);
        let count = || agents.lock().kept.len();
        (0..MOST + 3).for_each(|number| put(number, now));
        assert_eq!(count(), MOST);
        let oldest = agents.lock().kept[0].agent.name();
        assert_eq!(oldest, "3", "the least recently used ones have gone");
        put(99, now + IDLE / 2);
        assert_eq!(count(), MOST);
        agents.drop_idle(now + IDLE);
        assert_eq!(count(), 1);
        assert_eq!(name(agents.take(&"engine".into(), &game("f5"), now + 2 * IDLE)), None);
        assert_eq!(count(), 0);
    }
}
