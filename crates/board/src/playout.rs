//! Whole games of uniformly random moves, many at once.
//!
//! The caller provides the random numbers: the same numbers give the same games
//! on every machine and with every kernel.

use crate::kernel::{self, Isa, Kernel, Task, dispatch_to};
use crate::{Board, Size};

/// Games played together: one per vector lane of two registers, to fill the pipeline.
const LANES: usize = 16;

/// Plays `games` games of uniformly random legal moves from `start` to the end, and passes each final
/// board to `finished`, seen by the side that was to move at the start.
///
/// `random` returns uniformly distributed numbers, one for each disc placed.
///
/// # Panics
/// If `start` has no discs, or the board is larger than 8×8.
///
/// ```
/// use isrever_board::{Board, Rule, Size, playouts};
///
/// // A small generator; real ones are `isrever_agent::Rng`'s.
/// let mut state = 1u64;
/// let random = || {
///     state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
///     state ^ (state >> 32)
/// };
/// let (mut games, mut won) = (0, 0);
/// playouts(Board::start(Size::EIGHT), Size::EIGHT, 100, random, |end| {
///     games += 1;
///     won += u32::from(end.score(Size::EIGHT, Rule::Reversed) > 0);
/// });
/// assert_eq!(games, 100);
/// assert!((20..=80).contains(&won));
/// ```
pub fn playouts(
    start: Board,
    size: Size,
    games: u64,
    random: impl FnMut() -> u64,
    finished: impl FnMut(Board),
) {
    playouts_on(Isa::best(), start, size, games, random, finished);
}

/// As [`playouts`], with the kernel of `isa`.
pub fn playouts_on(
    isa: Isa,
    start: Board,
    size: Size,
    games: u64,
    random: impl FnMut() -> u64,
    finished: impl FnMut(Board),
) {
    dispatch_to(isa, Playouts { start, size, games, random, finished });
}

struct Playouts<R, F> {
    start: Board,
    size: Size,
    games: u64,
    random: R,
    finished: F,
}

impl<R: FnMut() -> u64, F: FnMut(Board)> Task for Playouts<R, F> {
    type Output = ();

    fn run(mut self, kernel: impl Kernel) {
        kernel.run(|| self.play(kernel));
    }
}

/// The games in progress, a lane each.
struct Lanes {
    players: [u64; LANES],
    opponents: [u64; LANES],
    /// Whether the player is the side that was to move at the start.
    starter_moves: [bool; LANES],
    /// The move each lane makes this round; zero if it starts a game or is idle.
    bits: [u64; LANES],
}

impl<R: FnMut() -> u64, F: FnMut(Board)> Playouts<R, F> {
    #[inline(always)]
    fn play(&mut self, kernel: impl Kernel) {
        let mask = self.size.mask();
        assert_ne!(self.start.player | self.start.opponent, 0, "a game needs a disc to begin with");
        // A lane without discs is idle: it has no moves, and no game that could end.
        let mut lanes = Lanes {
            players: [0; LANES],
            opponents: [0; LANES],
            starter_moves: [true; LANES],
            bits: [0; LANES],
        };
        let mut to_begin = self.games;
        let mut playing = 0;
        for lane in 0..LANES {
            if to_begin > 0 {
                to_begin -= 1;
                playing += 1;
                lanes.begin(lane, self.start);
            }
        }
        let mut moves = [0; LANES];
        while playing > 0 {
            for lane in 0..LANES {
                let (player, opponent) = (lanes.players[lane], lanes.opponents[lane]);
                moves[lane] = kernel::moves(player, opponent) & mask;
            }
            for lane in 0..LANES {
                if moves[lane] == 0 {
                    moves[lane] = lanes.pass(lane, mask);
                }
                if moves[lane] == 0 {
                    lanes.bits[lane] = 0;
                    let Some(end) = lanes.end(lane) else { continue };
                    (self.finished)(end);
                    if to_begin > 0 {
                        to_begin -= 1;
                        lanes.begin(lane, self.start);
                    } else {
                        playing -= 1;
                    }
                    continue;
                }
                let count = u128::from(moves[lane].count_ones());
                let rank = (u128::from((self.random)()) * count) >> 64;
                lanes.bits[lane] = kernel.nth_bit(moves[lane], rank as u32);
            }
            lanes.place();
        }
    }
}

impl Lanes {
    /// Sets a lane to the start of a game.
    fn begin(&mut self, lane: usize, start: Board) {
        (self.players[lane], self.opponents[lane]) = (start.player, start.opponent);
        self.starter_moves[lane] = true;
    }

    /// Passes for a lane without moves, unless its game is over; returns the other side's moves.
    #[cold]
    fn pass(&mut self, lane: usize, mask: u64) -> u64 {
        let moves = kernel::moves(self.opponents[lane], self.players[lane]) & mask;
        if moves != 0 {
            (self.players[lane], self.opponents[lane]) = (self.opponents[lane], self.players[lane]);
            self.starter_moves[lane] = !self.starter_moves[lane];
        }
        moves
    }

    /// Clears a lane whose game is over and returns its board; `None` if it was idle.
    #[cold]
    fn end(&mut self, lane: usize) -> Option<Board> {
        let board = Board { player: self.players[lane], opponent: self.opponents[lane] };
        (self.players[lane], self.opponents[lane]) = (0, 0);
        let is_idle = board.player | board.opponent == 0;
        (!is_idle).then(|| if self.starter_moves[lane] { board } else { board.pass() })
    }

    /// Plays the chosen move of every lane that has one.
    #[inline(always)]
    fn place(&mut self) {
        for lane in 0..LANES {
            let (player, opponent, bit) =
                (self.players[lane], self.opponents[lane], self.bits[lane]);
            let flips = kernel::flips_of_bit(player, opponent, bit);
            let next = Board { player, opponent }.play_unchecked(bit, flips);
            let has_move = bit != 0;
            self.players[lane] = if has_move { next.player } else { player };
            self.opponents[lane] = if has_move { next.opponent } else { opponent };
            self.starter_moves[lane] ^= has_move;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rule;
    use rand::Rng;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn ends(isa: Isa, size: Size, games: u64) -> Vec<Board> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut ends = Vec::new();
        let start = Board::start(size);
        playouts_on(isa, start, size, games, || random.next_u64(), |end| ends.push(end));
        ends
    }

    #[test]
    fn every_game_is_played_to_its_end_once() {
        for size in Size::BITS {
            for games in [0, 1, 15, 16, 17, 1000] {
                let ends = ends(Isa::best(), size, games);
                assert_eq!(ends.len() as u64, games);
                assert!(ends.iter().all(|end| end.is_over(size)));
                assert!(ends.iter().all(|end| end.player & end.opponent == 0));
            }
        }
    }

    #[test]
    fn every_kernel_plays_the_same_games() {
        for isa in Isa::ALL {
            assert_eq!(ends(isa, Size::EIGHT, 500), ends(Isa::Scalar, Size::EIGHT, 500));
        }
    }

    /// All games of 4×4 can be enumerated, which gives the exact mean of random play: the probability
    /// of a game is the product of 1/moves.
    #[test]
    fn moves_are_drawn_uniformly() {
        fn mean(board: Board) -> f64 {
            let size = Size::FOUR;
            let moves = board.moves(size);
            if moves == 0 {
                let passed = board.pass();
                let over = passed.moves(size) == 0;
                return if over {
                    f64::from(board.score(size, Rule::Reversed))
                } else {
                    -mean(passed)
                };
            }
            let scores =
                crate::squares(moves).map(|square| -mean(board.play(square, size).unwrap()));
            scores.sum::<f64>() / f64::from(moves.count_ones())
        }
        let exact = mean(Board::start(Size::FOUR));
        let scores: Vec<f64> = ends(Isa::best(), Size::FOUR, 400_000)
            .iter()
            .map(|end| f64::from(end.score(Size::FOUR, Rule::Reversed)))
            .collect();
        let count = scores.len() as f64;
        let found = scores.iter().sum::<f64>() / count;
        let variance = scores.iter().map(|score| (score - found).powi(2)).sum::<f64>() / count;
        let error = (variance / count).sqrt();
        assert!((found - exact).abs() < 4.0 * error, "{found} is not {exact} ± {error}");
    }
}
