//! Levels of play, from a beginner's to full strength.
//!
//! Weaker levels search less deeply, and accept moves that are not quite the
//! best: a weakened choice. What one move may give away is bounded, and small
//! losses are much likelier than large ones, so that a level never plays what
//! looks bad to itself. Both are counted, never timed: a level plays alike on
//! every machine. `isrever train ladder` measures how far apart the levels are.

use isrever_agent::{Rng, Share};
use isrever_board::Board;
use std::fmt;
use std::str::FromStr;

/// A move's weight in a weakened choice is this power of the slack that it leaves.
const PREFERENCE: i32 = 4;

/// A level of play, from 1 to 20.
///
/// ```
/// use isrever_engine::{Level, Strength};
///
/// let level: Level = "5".parse()?;
/// assert_eq!(level.number(), 5);
/// assert!(level.strength().slack > 0.0, "it gives some discs away");
/// assert!("21".parse::<Level>().is_err());
/// assert_eq!(Level::all().count(), 20);
/// # Ok::<(), &'static str>(())
/// ```
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

    /// How strongly the level plays.
    pub fn strength(self) -> Strength {
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

/// How strongly the engine plays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strength {
    /// The greatest depth of its search, in plies.
    pub depth: Option<u32>,
    /// The most nodes of its search.
    pub nodes: Option<u64>,
    /// From this many empty squares on it searches to the end, whatever the depth.
    pub ending: u32,
    /// The discs that it may give away with one move; 0 if it always plays the best it finds.
    pub slack: f64,
}

impl Strength {
    /// As strongly as it can.
    pub const FULL: Strength = Strength { depth: None, nodes: None, ending: 0, slack: 0.0 };

    /// Its limits on a board with this many empty squares.
    pub(crate) fn share(&self, empties: u32) -> Share {
        let depth = self.depth.filter(|_| empties > self.ending);
        Share { time: None, depth, nodes: self.nodes }
    }
}

const fn limited(depth: u32, ending: u32, slack: f64) -> Strength {
    Strength { depth: Some(depth), nodes: None, ending, slack }
}

/// The levels, from 1 on. The steps were measured: docs/records/levels.md.
const LEVELS: [Strength; 20] = [
    limited(1, 0, 28.0),
    limited(1, 0, 20.0),
    limited(1, 0, 15.0),
    limited(1, 0, 11.0),
    limited(1, 0, 8.5),
    limited(1, 0, 5.0),
    limited(2, 0, 7.0),
    limited(2, 0, 4.0),
    limited(3, 0, 5.0),
    limited(3, 0, 3.0),
    limited(4, 0, 4.5),
    limited(4, 0, 2.0),
    limited(5, 0, 3.0),
    limited(6, 0, 3.5),
    limited(6, 8, 1.0),
    limited(7, 8, 0.0),
    limited(8, 12, 0.0),
    limited(10, 14, 0.0),
    limited(12, 18, 0.0),
    Strength { nodes: Some(30_000_000), ..Strength::FULL },
];

/// The place among `values`, those of the moves in discs, that a weakened choice with this `slack`
/// takes on `board`. The same seed chooses alike on the same board.
pub(crate) fn weakened_choice(
    values: &[f64],
    slack: f64,
    seed: u64,
    board: Board,
) -> Option<usize> {
    let best = values.iter().copied().reduce(f64::max)?;
    // Only sums and products, which are the same on every machine.
    let weights = values.iter().map(|value| (1.0 - (best - value) / slack).max(0.0));
    let weights: Vec<f64> = weights.map(|left| left.powi(PREFERENCE)).collect();
    let mut left = Rng::at(seed, board.hash()).unit() * weights.iter().sum::<f64>();
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
    use rand::{Rng as _, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

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
        let far = |strength: Strength| strength.depth.unwrap_or(u32::MAX);
        let levels: Vec<Strength> = Level::all().map(Level::strength).collect();
        for pair in levels.windows(2) {
            let [weak, strong] = [pair[0], pair[1]];
            let is_deeper = far(weak) < far(strong);
            assert!(is_deeper || far(weak) == far(strong) && weak.slack > strong.slack);
            assert!(weak.ending <= strong.ending || strong.depth.is_none());
        }
        assert_eq!(levels[19], Strength { nodes: levels[19].nodes, ..Strength::FULL });
    }

    #[test]
    fn small_losses_are_likelier_than_large_ones_and_too_large_ones_never_happen() {
        let board = Board::start(Size::EIGHT);
        let values = [-3.0, 4.0, 2.0, -6.0, 4.0];
        let mut drawn = [0; 5];
        for seed in 0..10_000 {
            drawn[weakened_choice(&values, 10.0, seed, board).unwrap()] += 1;
        }
        assert_eq!(drawn[3], 0, "just as much as the slack is too much");
        // The weights are 0.3⁴, 1, 0.8⁴, 0, 1; their sum is 2.4177.
        for (count, share) in drawn.into_iter().zip([0.00335, 0.4136, 0.1694, 0.0, 0.4136]) {
            // Five standard deviations.
            let reach = 5.0 * f64::sqrt(share * (1.0 - share) / 1e4);
            assert!((f64::from(count) / 1e4 - share).abs() <= reach, "{drawn:?}");
        }
        assert_eq!(weakened_choice(&[], 10.0, 1, board), None);
    }

    #[test]
    fn a_seed_chooses_alike_on_the_same_board_and_boards_differ() {
        let values = [0.0; 8];
        let boards: Vec<Board> =
            (0..40).map(|bit| Board { player: 1 << bit, opponent: 0 }).collect();
        let choices = |seed| -> Vec<_> {
            boards
                .iter()
                .map(|&board| weakened_choice(&values, 1.0, seed, board).unwrap())
                .collect()
        };
        assert_eq!(choices(1), choices(1));
        assert_ne!(choices(1), choices(2));
        assert!((0..8).all(|place| choices(1).contains(&place)));
        assert_eq!(choices(1)[..10], [7, 3, 3, 5, 2, 7, 5, 7, 7, 0], "as in every release");
        // All eight moves are equally likely here, so the first three bits say which.
        let places = boards.iter().map(|board| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(2_u64.rotate_left(32) ^ board.hash());
            (rng.next_u64() >> 61) as usize
        });
        assert_eq!(choices(2), places.collect::<Vec<_>>());
    }
}
