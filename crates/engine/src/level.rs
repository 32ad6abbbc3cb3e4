//! Levels: how weaker play is made, from a beginner's to the engine's own.
//!
//! A player is made weaker by two things that people know from themselves: it
//! looks ahead less far, and it is content with a move that is not quite the
//! best. How much it gives away with one move is bounded, and a little is much
//! likelier than all of it: no move is played that looks bad to the player
//! itself. Both are counted, never timed, so that a level plays alike on every
//! machine. The table says what each level is; `isrever train ladder` measures
//! what that is worth.

use isrever_agent::Share;
use isrever_board::Board;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fmt;
use std::str::FromStr;

/// How strongly a move is preferred to one that loses more: this power of what is left of the
/// slack.
const PREFERENCE: i32 = 4;

/// A level of play, from 1 to 20.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

impl Level {
    /// The level of beginners.
    pub const LEAST: Level = Level(1);

    /// Full strength.
    pub const MOST: Level = Level(LEVELS.len() as u8);

    /// The level of this number, if there is one.
    pub fn new(number: u8) -> Option<Level> {
        (Level::LEAST.0..=Level::MOST.0).contains(&number).then_some(Level(number))
    }

    /// The number, from 1 on.
    pub fn number(self) -> u8 {
        self.0
    }

    /// All levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Level> {
        (Level::LEAST.0..=Level::MOST.0).map(Level)
    }

    /// What the level consists of.
    pub fn terms(self) -> Terms {
        LEVELS[usize::from(self.0) - 1]
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Level {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Level, &'static str> {
        let level = text.parse().ok().and_then(Level::new);
        level.ok_or("not a level; expected a number from 1 to 20")
    }
}

/// How well the engine plays where it could play better.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Terms {
    /// How many plies it looks ahead at most.
    pub depth: Option<u32>,
    /// How many boards it visits at most.
    pub nodes: Option<u64>,
    /// From this many empty squares on it looks to the end, whatever the depth.
    pub ending: u32,
    /// The discs that it may give away with one move; 0 if it always plays the best it sees.
    pub slack: f64,
}

impl Terms {
    /// As well as it can.
    pub const FULL: Terms = Terms { depth: None, nodes: None, ending: 0, slack: 0.0 };

    /// The limits among the terms, on a board with this many empty squares.
    pub(crate) fn share(&self, empties: u32) -> Share {
        let depth = self.depth.filter(|_| empties > self.ending);
        Share { time: None, depth, nodes: self.nodes }
    }
}

const fn looks(depth: u32, ending: u32, slack: f64) -> Terms {
    Terms { depth: Some(depth), nodes: None, ending, slack }
}

/// The levels, from 1 on. The steps were measured: docs/records/levels.md.
const LEVELS: [Terms; 20] = [
    looks(1, 0, 28.0),
    looks(1, 0, 20.0),
    looks(1, 0, 15.0),
    looks(1, 0, 11.0),
    looks(1, 0, 8.5),
    looks(1, 0, 5.0),
    looks(2, 0, 7.0),
    looks(2, 0, 4.0),
    looks(3, 0, 5.0),
    looks(3, 0, 3.0),
    looks(4, 0, 4.5),
    looks(4, 0, 2.0),
    looks(5, 0, 3.0),
    looks(6, 0, 3.5),
    looks(6, 8, 1.0),
    looks(7, 8, 0.0),
    looks(8, 12, 0.0),
    looks(10, 14, 0.0),
    looks(12, 18, 0.0),
    Terms { nodes: Some(30_000_000), ..Terms::FULL },
];

/// Which of `values`, what each move is worth in discs, a player with this much `slack` chooses
/// on `board`. The same seed chooses alike on the same board.
pub(crate) fn draw(values: &[f64], slack: f64, seed: u64, board: Board) -> Option<usize> {
    let best = values.iter().copied().reduce(f64::max)?;
    // Only sums and products, which are the same on every machine.
    let weights = values.iter().map(|value| (1.0 - (best - value) / slack).max(0.0));
    let weights: Vec<f64> = weights.map(|left| left.powi(PREFERENCE)).collect();
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(seed.rotate_left(32) ^ board.hash());
    // 53 bits, as many as fit.
    let part = (dice.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let mut left = part * weights.iter().sum::<f64>();
    let chosen = weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    // Rounding may leave nothing for the last of them.
    chosen.or_else(|| values.iter().position(|&value| value == best))
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::Size;

    #[test]
    fn levels_are_numbers_from_1_to_20() {
        assert_eq!(Level::all().count(), 20);
        for level in Level::all() {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        for text in ["0", "21", "-1", "", "five", "1.5", "300"] {
            assert!(text.parse::<Level>().is_err(), "{text}");
        }
    }

    #[test]
    fn each_level_looks_further_or_gives_away_less_than_the_last() {
        let far = |terms: Terms| terms.depth.unwrap_or(u32::MAX);
        let levels: Vec<Terms> = Level::all().map(Level::terms).collect();
        for pair in levels.windows(2) {
            let [weak, strong] = [pair[0], pair[1]];
            let is_deeper = far(weak) < far(strong);
            assert!(is_deeper || far(weak) == far(strong) && weak.slack > strong.slack);
            assert!(weak.ending <= strong.ending || strong.depth.is_none());
        }
        assert_eq!(levels[19], Terms { nodes: levels[19].nodes, ..Terms::FULL });
    }

    #[test]
    fn small_losses_are_likelier_than_large_ones_and_too_large_ones_never_happen() {
        let board = Board::start(Size::EIGHT);
        let values = [-3.0, 4.0, 2.0, -6.0, 4.0];
        let mut drawn = [0; 5];
        for seed in 0..10_000 {
            drawn[draw(&values, 10.0, seed, board).unwrap()] += 1;
        }
        assert_eq!(drawn[3], 0, "just as much as the slack is too much");
        // The weights are 0.3⁴, 1, 0.8⁴, 0, 1; their sum is 2.4177.
        for (count, share) in drawn.into_iter().zip([0.00335, 0.4136, 0.1694, 0.0, 0.4136]) {
            // Five standard deviations.
            let reach = 5.0 * f64::sqrt(share * (1.0 - share) / 1e4);
            assert!((f64::from(count) / 1e4 - share).abs() <= reach, "{drawn:?}");
        }
        assert_eq!(draw(&[], 10.0, 1, board), None);
    }

    #[test]
    fn a_seed_chooses_alike_on_the_same_board_and_boards_differ() {
        let values = [0.0; 8];
        let boards: Vec<Board> =
            (0..40).map(|bit| Board { player: 1 << bit, opponent: 0 }).collect();
        let choices = |seed| -> Vec<_> {
            boards.iter().map(|&board| draw(&values, 1.0, seed, board).unwrap()).collect()
        };
        assert_eq!(choices(1), choices(1));
        assert_ne!(choices(1), choices(2));
        assert!((0..8).all(|place| choices(1).contains(&place)));
    }
}
