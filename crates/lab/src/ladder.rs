//! Matches between agents, each against the next: how far apart the steps of a ladder are.
//!
//! Games come in pairs that share a random opening, as in [`duel`](crate::duel),
//! and are counted alike. A pair is a function of the ladder, its agents' specs
//! and its number alone, as long as the agents are limited by depth or nodes.

use crate::selfplay::Dice;
use isrever_agent::{Agent, Catalogue, Limits, SpecError};
use isrever_arena::Counts;
use isrever_board::{Color, Game, Move, Rule, Size};
use rayon::prelude::*;
use std::ops::Range;

/// What the matches are to be like.
pub struct Ladder<'a> {
    /// Who makes agents of specs.
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
    /// tells `done` of each one. The counts are the first agent's.
    pub fn play(
        &self,
        specs: [&str; 2],
        pairs: Range<u64>,
        done: &(dyn Fn() + Sync),
    ) -> Result<Counts, SpecError> {
        pairs
            .into_par_iter()
            .map(|number| {
                let counts = self.pair(specs, number);
                done();
                counts
            })
            .try_reduce(Counts::default, |one, other| Ok(one + other))
    }

    /// The two games of pair `number`.
    pub fn pair(&self, specs: [&str; 2], number: u64) -> Result<Counts, SpecError> {
        let mut dice = Dice::new(self.seed, number);
        let opening = self.opening(&mut dice);
        let mut scores = [0; 2];
        for (score, first) in scores.iter_mut().zip([Color::Black, Color::White]) {
            // A fresh agent for each game: what it has seen in another must play no part.
            let mut agents = Vec::new();
            for spec in specs {
                agents.push(self.catalogue.make(spec, dice.number())?);
            }
            *score = self.game(opening.clone(), &mut agents, first);
        }
        Ok(Counts::of_pair(scores))
    }

    /// A game that is not over after its random moves.
    fn opening(&self, dice: &mut Dice) -> Game {
        loop {
            let mut game = Game::new(self.rule, self.size);
            while game.ply() < self.opening_plies && !game.is_over() {
                let moves = game.position().moves();
                let count = u32::try_from(moves.len()).expect("few moves");
                let mv = match count {
                    0 => Move::Pass,
                    _ => Move::Place(moves[dice.below(count) as usize]),
                };
                game.play(mv).expect("a legal move");
            }
            if !game.is_over() {
                return game;
            }
        }
    }

    /// The score of a game for the first agent, which plays `first`. Who does not move as it
    /// should loses everything.
    fn game(&self, mut game: Game, agents: &mut [Box<dyn Agent>], first: Color) -> i32 {
        while let Some(turn) = game.turn() {
            let mv = if game.position().must_pass() {
                Some(Move::Pass)
            } else {
                let agent = &mut agents[usize::from(turn != first)];
                agent
                    .choose(&game, &Limits::default())
                    .ok()
                    .map(|choice| Move::Place(choice.square))
            };
            if mv.is_none_or(|mv| game.play(mv).is_err()) {
                let all = i32::from(self.size.width()).pow(2);
                return if turn == first { -all } else { all };
            }
        }
        game.score(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_agent::{Choice, Entry, Forfeit, Reason};
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
