//! Matches between two sets of weights.
//!
//! A [`Duel`] is a match of the arena between two searches that differ in their
//! weights alone. Each pair of games begins with a random opening, or one of a
//! list. What is not here: words, and files. A pair is a function of the duel and
//! its number alone.

use crate::effort::{Effort, SearchAgent};
use isrever_agent::{Agent, Forfeit, Rng};
use isrever_arena::{Clock, Counts, Match, Meeting, Played};
use isrever_board::{Board, Color, Game, Position, Rule, Size};
use isrever_eval::Weights;
use isrever_search::{Searcher, Settings};
use std::ops::Range;
use std::sync::Arc;

const SIZE: Size = Size::EIGHT;

/// Memory of a player's solver, in bytes: enough for the depths that games are played at.
const HASH_BYTES: usize = 1 << 20;

/// How a match is played.
#[derive(Clone, Debug)]
pub struct Duel {
    /// What the players play for.
    pub rule: Rule,
    /// The evaluations of the first and the second player.
    pub weights: [&'static Weights; 2],
    /// How hard both try.
    pub effort: Effort,
    /// How many moves of an opening are random.
    pub opening_plies: u32,
    /// Openings to play in turn instead of random ones, if there are any.
    pub openings: Vec<Board>,
    /// Where all random choices come from.
    pub seed: u64,
}

impl Duel {
    /// A match from random openings of 8 plies.
    pub fn new(rule: Rule, weights: [&'static Weights; 2], effort: Effort, seed: u64) -> Duel {
        Duel { rule, weights, effort, opening_plies: 8, openings: Vec::new(), seed }
    }

    /// Plays these pairs on the threads of the current pool, and tells `done` of each one.
    pub fn play(&self, pairs: Range<u64>, done: &(dyn Fn() + Sync)) -> Counts {
        let [first, second] = [0, 1].map(|player| move |_| self.player(player));
        let stop = Arc::default();
        // Our searches do not fail; a match in which one did would say nothing of its weights.
        let see = |played: &Played, _| assert_eq!(played.forfeit(), None);
        let conditions = Match { see: Some(&see), ..Match::new(Clock::untimed(), &stop, done) };
        let counts = conditions.play(pairs, |number| Meeting {
            agents: [&first, &second],
            opening: self.opening(number),
            // The searches leave nothing to chance.
            seeds: [[0; 2]; 2],
            single: None,
        });
        counts.expect("nobody stops the match")
    }

    /// The first or the second player, for one game.
    fn player(&self, place: usize) -> Result<Box<dyn Agent>, Forfeit> {
        let weights = Some(self.weights[place]);
        let settings = Settings::new(self.rule, SIZE);
        let solver = Searcher::new(Settings { hash_bytes: HASH_BYTES, weights, ..settings });
        Ok(Box::new(SearchAgent { effort: self.effort, solver }))
    }

    /// The opening of pair `number`; it is not over. The side to move is black there.
    fn opening(&self, number: u64) -> Game {
        let board = self.opening_board(number);
        let position = Position::from_board(board, SIZE, Color::Black).expect("a board has discs");
        Game::from_position(self.rule, position)
    }

    fn opening_board(&self, number: u64) -> Board {
        if !self.openings.is_empty() {
            return self.openings[(number % self.openings.len() as u64) as usize];
        }
        let mut rng = Rng::stream(self.seed, number);
        loop {
            let board = random_plies(self.opening_plies, &mut rng);
            if !board.is_over(SIZE) {
                return board;
            }
        }
    }
}

/// The board after so many random moves from the start, or when the game was over before.
pub(crate) fn random_plies(plies: u32, rng: &mut Rng) -> Board {
    let mut board = Board::start(SIZE);
    let mut ply = 0;
    while ply < plies && !board.is_over(SIZE) {
        board = match board.moves(SIZE) {
            0 => board.pass(),
            moves => {
                ply += 1;
                board.play(rng.square(moves), SIZE).expect("the move is legal")
            }
        };
    }
    board
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_eval::Shape;

    fn nothing(rule: Rule) -> &'static Weights {
        let shape = Shape::EIGHT;
        let phases = vec![vec![0; shape.class_count()]; shape.phase_count()];
        Box::leak(Box::new(Weights::linear(rule, shape, &phases)))
    }

    fn carried(rule: Rule) -> &'static Weights {
        Weights::embedded(rule, SIZE).unwrap()
    }

    #[test]
    fn openings_are_random_and_the_same_for_a_seed() {
        let weights = carried(Rule::Reversed);
        let duel = Duel::new(Rule::Reversed, [weights; 2], Effort::Depth(1), 1);
        let boards: Vec<Board> = (0..50).map(|number| duel.opening_board(number)).collect();
        for board in &boards {
            assert_eq!(board.empties(SIZE).count_ones(), 52);
        }
        assert_eq!(boards[7], duel.opening_board(7));
        assert_ne!(boards[7], boards[8]);
        let listed = Duel { openings: boards[3..5].to_vec(), ..duel };
        assert_eq!(
            [0, 1, 2].map(|number| listed.opening_board(number)),
            [3, 4, 3].map(|at| boards[at])
        );
    }

    #[test]
    fn who_plays_against_itself_is_as_good_as_itself() {
        for rule in Rule::ALL {
            let duel = Duel::new(rule, [carried(rule); 2], Effort::Depth(1), 3);
            let counts = duel.play(0..6, &|| {});
            assert_eq!(counts.pairs, [0, 0, 6, 0, 0]);
            assert_eq!((counts.games(), counts.wins, counts.discs), (12, counts.losses, 0));
        }
    }

    #[test]
    fn who_knows_something_beats_who_knows_nothing() {
        for rule in Rule::ALL {
            let weights = [carried(rule), nothing(rule)];
            let duel = Duel::new(rule, weights, Effort::Depth(1), 5);
            let counts = duel.play(0..20, &|| {});
            assert!(counts.superiority() > 0.99 && counts.discs > 0, "{rule}: {counts:?}");
            let turned = Duel { weights: [weights[1], weights[0]], ..duel };
            let counts = turned.play(0..20, &|| {});
            assert!(counts.superiority() < 0.01 && counts.discs < 0, "{rule}: {counts:?}");
        }
    }

    #[test]
    fn threads_and_parts_make_no_difference() {
        let rule = Rule::Reversed;
        let weights = [carried(rule), nothing(rule)];
        let duel = Duel::new(rule, weights, Effort::Nodes(50), 7);
        let played = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| duel.play(0..8, &|| {}))
        };
        assert_eq!(played(1), played(2));
        assert_eq!(duel.play(0..3, &|| {}) + duel.play(3..8, &|| {}), played(2));
    }
}
