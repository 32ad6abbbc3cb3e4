//! Matches between agents, each against the next.
//!
//! Every step is a match of the arena. Its pairs begin with random openings. A
//! pair is a function of the ladder, its agents' specs and its number alone, as
//! long as the agents are limited by depth or nodes.

use isrever_agent::{AgentSpec, Catalogue, Rng, SpecError};
use isrever_arena::{Clock, Counts, Match, Meeting, maker};
use isrever_board::{Game, Move, Rule, Size};
use std::ops::Range;
use std::sync::Arc;

/// How the matches are played.
pub struct Ladder<'a> {
    /// Makes agents of specs.
    pub catalogue: &'a Catalogue,
    /// What the players play for.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// How many moves of an opening are random.
    pub opening_plies: usize,
    /// Where all random choices come from.
    pub seed: u64,
}

impl Ladder<'_> {
    /// Plays these pairs between the agents of two specs on the threads of the current pool, and
    /// tells `done` of each one. The counts are the first agent's. An agent that fails or plays
    /// illegally loses the whole board.
    pub fn play(
        &self,
        specs: [impl Into<AgentSpec>; 2],
        pairs: Range<u64>,
        done: &(dyn Fn() + Sync),
    ) -> Result<Counts, SpecError> {
        let specs: [AgentSpec; 2] = specs.map(Into::into);
        for spec in &specs {
            self.catalogue.make(spec, self.seed)?;
        }
        let [first, second] = specs.map(|spec| maker(self.catalogue, spec));
        let stop = Arc::default();
        let conditions = Match::new(Clock::untimed(), &stop, done);
        let counts = conditions.play(pairs, |number| {
            let mut rng = Rng::stream(self.seed, number);
            let opening = self.opening(&mut rng);
            Meeting::pair([&first, &second], opening, &mut rng)
        });
        Ok(counts.expect("nobody stops the match"))
    }

    /// A random opening; it is not over. Passes are counted among its moves.
    fn opening(&self, rng: &mut Rng) -> Game {
        loop {
            let mut game = Game::new(self.rule, self.size);
            while game.ply() < self.opening_plies && !game.is_over() {
                let moves = game.position().moves();
                let mv = if moves.is_empty() { Move::Pass } else { Move::Place(rng.pick(&moves)) };
                game.play(mv).expect("a legal move");
            }
            if !game.is_over() {
                return game;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_agent::{Agent, Choice, Entry, Forfeit, Limits, Reason};
    use isrever_board::Square;

    /// Resigns, or plays where nobody may.
    struct Cheat(bool);

    impl Agent for Cheat {
        fn name(&self) -> String {
            "cheat".to_owned()
        }

        fn choose(&mut self, _: &Game, _: &Limits) -> Result<Choice, Forfeit> {
            match self.0 {
                true => Ok(Square::new(0, 0).into()),
                false => Err(Forfeit::new(Reason::Crash, "it is gone")),
            }
        }
    }

    fn catalogue() -> Catalogue {
        let mut catalogue = isrever_players::catalogue();
        catalogue.add(Entry::new("resigns", "fails", |_, _| Ok(Box::new(Cheat(false)))));
        catalogue.add(Entry::new("cheats", "lies", |_, _| Ok(Box::new(Cheat(true)))));
        catalogue
    }

    fn ladder(catalogue: &Catalogue) -> Ladder<'_> {
        Ladder { catalogue, rule: Rule::Reversed, size: Size::SIX, opening_plies: 4, seed: 1 }
    }

    #[test]
    fn the_better_agent_wins_and_turned_round_it_is_the_other_one() {
        let catalogue = catalogue();
        let ladder = ladder(&catalogue);
        let counts = ladder.play(["engine:depth=3", "random"], 0..12, &|| {}).unwrap();
        assert!(counts.superiority() > 0.99 && counts.games() == 24, "{counts:?}");
        let counts = ladder.play(["random", "engine:depth=3"], 0..12, &|| {}).unwrap();
        assert!(counts.superiority() < 0.01, "{counts:?}");
    }

    #[test]
    fn threads_and_parts_make_no_difference() {
        let catalogue = catalogue();
        let ladder = ladder(&catalogue);
        let specs = ["engine:level=3", "engine:level=1"];
        let played = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| ladder.play(specs, 0..8, &|| {}).unwrap())
        };
        assert_eq!(played(1), played(2));
        let parts = [0..3, 3..8].map(|part| ladder.play(specs, part, &|| {}).unwrap());
        assert_eq!(parts[0] + parts[1], played(1));
    }

    #[test]
    fn who_fails_or_cheats_loses_and_who_is_nobody_is_refused() {
        let catalogue = catalogue();
        let ladder = ladder(&catalogue);
        for bad in ["resigns", "cheats"] {
            let counts = ladder.play([bad, "random"], 0..3, &|| {}).unwrap();
            assert_eq!((counts.losses, counts.discs), (6, -6 * 36), "{bad}");
        }
        assert!(ladder.play(["nobody", "random"], 0..1, &|| {}).is_err());
    }
}
