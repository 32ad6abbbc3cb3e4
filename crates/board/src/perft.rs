//! Perft: the number of games of a given length.
//!
//! The standard test of move generation, with the two published ways of
//! counting a pass. It uses no hash table: it visits every node, but counts the
//! moves of the last ply instead of playing them.

use crate::array_board::ArrayBoard;
use crate::kernel::{self, Isa, Kernel, Task, dispatch_to};
use crate::{Board, Position, Size};
use std::fmt;
use std::str::FromStr;

/// How to count a forced pass. An early end of the game counts as one leaf in both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Passes {
    /// A pass is a ply (convention A: Aart Bik's tables).
    #[default]
    Ply,
    /// A pass takes no ply (convention B).
    Free,
}

impl fmt::Display for Passes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Passes::Ply => "ply",
            Passes::Free => "free",
        })
    }
}

impl FromStr for Passes {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Passes, &'static str> {
        match text {
            "ply" => Ok(Passes::Ply),
            "free" => Ok(Passes::Free),
            _ => Err("not a way to count passes; expected ply or free"),
        }
    }
}

/// The number of games of `depth` plies from `position`.
///
/// ```
/// use isrever_board::{Passes, Position, Size, perft};
///
/// let start = Position::start(Size::EIGHT);
/// let counts = [1, 2, 3, 4, 5].map(|depth| perft(&start, depth, Passes::Ply));
/// assert_eq!(counts, [4, 12, 56, 244, 1396]);
/// ```
pub fn perft(position: &Position, depth: u32, passes: Passes) -> u64 {
    perft_on(Isa::best(), position, depth, passes)
}

/// As [`perft`], with the kernel of `isa`. Boards above 8×8 have only the plain one.
pub fn perft_on(isa: Isa, position: &Position, depth: u32, passes: Passes) -> u64 {
    match position.board() {
        Some(board) => dispatch_to(isa, BitsPerft { board, size: position.size(), depth, passes }),
        None => count_array(&position.to_array(), depth, passes),
    }
}

/// Perft on the plain board: the definition, and the oracle of the fast one.
pub(crate) fn count_array(board: &ArrayBoard, depth: u32, passes: Passes) -> u64 {
    if depth == 0 {
        return 1;
    }
    if !board.has_move() {
        let passed = board.pass();
        return match passes {
            _ if !passed.has_move() => 1,
            Passes::Ply => count_array(&passed, depth - 1, passes),
            Passes::Free => count_array(&passed, depth, passes),
        };
    }
    if depth == 1 {
        return board.moves().count() as u64;
    }
    board
        .moves()
        .filter_map(|square| board.play(square))
        .map(|next| count_array(&next, depth - 1, passes))
        .sum()
}

struct BitsPerft {
    board: Board,
    size: Size,
    depth: u32,
    passes: Passes,
}

impl Task for BitsPerft {
    type Output = u64;

    fn run(self, kernel: impl Kernel) -> u64 {
        let BitsPerft { board, size, passes, .. } = self;
        // No game is longer than a pass before every disc.
        let depth = self.depth.min(2 * size.cells() as u32);
        if depth <= 1 {
            return count_few(kernel, board, size, depth, passes);
        }
        let mut counter = Counter {
            kernel,
            size,
            passes,
            levels: vec![Level::default(); depth as usize - 1],
            leaves: 0,
        };
        counter.enter(0, board, kernel.moves(board) & size.mask());
        counter.finish();
        counter.leaves
    }
}

/// Moves played together. Eight fill a vector register; several registers hide each other's latency,
/// and the stack's narrow stores complete before they are loaded as wide ones.
const BATCH: usize = 64;

/// How many of a board's moves are pushed at once, without a branch.
const FILL: usize = 8;

/// Capacity for an almost full batch, the moves of one more board, and the excess of a fill.
const CAPACITY: usize = BATCH + 64 + FILL;

/// A stack of moves to be played, all at the same distance from the leaves.
///
/// A single move leaves a vector unit mostly idle. So the stack collects moves of
/// many boards, and [`BATCH`] of them are played at once.
#[derive(Clone)]
struct Level {
    players: [u64; CAPACITY],
    opponents: [u64; CAPACITY],
    bits: [u64; CAPACITY],
    waiting: usize,
}

impl Level {
    /// The moves that were just popped: players, opponents, bits.
    #[inline(always)]
    fn top(&self) -> [&[u64; BATCH]; 3] {
        [&self.players, &self.opponents, &self.bits].map(|column| {
            column[self.waiting..].first_chunk().expect("the stack holds a batch above its top")
        })
    }

    /// Pops the top move and plays it.
    fn pop(&mut self) -> Option<Board> {
        self.waiting = self.waiting.checked_sub(1)?;
        let at = self.waiting;
        Some(play_bit(self.players[at], self.opponents[at], self.bits[at]))
    }
}

/// The board after a move, in code that the compiler vectorizes.
#[inline(always)]
fn play_bit(player: u64, opponent: u64, bit: u64) -> Board {
    let flips = kernel::flips_of_bit(player, opponent, bit);
    Board { player, opponent }.play_unchecked(bit, flips)
}

impl Default for Level {
    fn default() -> Level {
        let none = [0; CAPACITY];
        Level { players: none, opponents: none, bits: none, waiting: 0 }
    }
}

/// Counts depth first by levels: level 0 holds the root's moves, the last level those whose children
/// are leaves.
struct Counter<K> {
    kernel: K,
    size: Size,
    passes: Passes,
    levels: Vec<Level>,
    leaves: u64,
}

impl<K: Kernel> Counter<K> {
    /// Pushes a node's `moves` at `level`, and plays full batches.
    #[inline(always)]
    fn enter(&mut self, level: usize, board: Board, mut moves: u64) {
        if moves == 0 {
            self.leaves += self.stuck(board, (self.levels.len() - level) as u32 + 1);
            return;
        }
        let stack = &mut self.levels[level];
        let mut at = stack.waiting;
        stack.waiting += moves.count_ones() as usize;
        while moves != 0 {
            stack.players[at..at + FILL].fill(board.player);
            stack.opponents[at..at + FILL].fill(board.opponent);
            for bit in &mut stack.bits[at..at + FILL] {
                *bit = moves & moves.wrapping_neg();
                moves &= moves.wrapping_sub(1);
            }
            at += FILL;
        }
        while self.levels[level].waiting >= BATCH {
            self.play_batch(level);
        }
    }

    /// Plays the top [`BATCH`] moves of `level`, and counts or enters their boards.
    fn play_batch(&mut self, level: usize) {
        let kernel = self.kernel;
        self.levels[level].waiting -= BATCH;
        if level + 1 == self.levels.len() {
            self.leaves += kernel.run_counting(|| self.count_leaves());
        } else {
            kernel.run(|| self.enter_children(level));
        }
    }

    /// Plays inner moves and enters the boards they lead to.
    #[inline(always)]
    fn enter_children(&mut self, level: usize) {
        let mask = self.size.mask();
        let [players, opponents, bits] = self.levels[level].top();
        let (mut own, mut other, mut moves) = ([0; BATCH], [0; BATCH], [0; BATCH]);
        for i in 0..BATCH {
            let child = play_bit(players[i], opponents[i], bits[i]);
            (own[i], other[i]) = (child.player, child.opponent);
            moves[i] = kernel::moves(child.player, child.opponent) & mask;
        }
        for i in 0..BATCH {
            self.enter(level + 1, Board { player: own[i], opponent: other[i] }, moves[i]);
        }
    }

    /// Plays last moves and counts the leaves below them.
    #[inline(always)]
    fn count_leaves(&self) -> u64 {
        let mask = self.size.mask();
        let [players, opponents, bits] = self.levels[self.levels.len() - 1].top();
        let (mut leaves, mut stuck) = (0, 0);
        for i in 0..BATCH {
            let child = play_bit(players[i], opponents[i], bits[i]);
            let moves = kernel::moves(child.player, child.opponent) & mask;
            leaves += u64::from(moves.count_ones());
            stuck += u64::from(moves == 0);
        }
        if stuck > 0 {
            leaves += match self.passes {
                // Each is one leaf: the game ends there, or its pass is the last ply.
                Passes::Ply => stuck,
                Passes::Free => self.count_stuck_leaves(),
            };
        }
        leaves
    }

    /// The leaves below those last moves that leave the other side without a move.
    #[cold]
    #[inline(never)]
    fn count_stuck_leaves(&self) -> u64 {
        let [players, opponents, bits] = self.levels[self.levels.len() - 1].top();
        (0..BATCH)
            .map(|i| play_bit(players[i], opponents[i], bits[i]))
            .filter(|child| child.moves(self.size) == 0)
            .map(|child| self.stuck(child, 1))
            .sum()
    }

    /// Plays the remaining moves one by one, top level first: each may fill the next level.
    fn finish(&mut self) {
        for level in 0..self.levels.len() {
            while let Some(child) = self.levels[level].pop() {
                if level + 1 == self.levels.len() {
                    self.leaves += count_few(self.kernel, child, self.size, 1, self.passes);
                } else {
                    self.enter(level + 1, child, child.moves(self.size));
                }
            }
        }
    }

    /// The leaves below a board, `depth` plies from them, whose side to move has no move.
    #[cold]
    #[inline(never)]
    fn stuck(&self, board: Board, depth: u32) -> u64 {
        count_few(self.kernel, board, self.size, depth, self.passes)
    }
}

/// Counts by plain recursion, for the few nodes that the levels do not handle.
fn count_few<K: Kernel>(kernel: K, board: Board, size: Size, depth: u32, passes: Passes) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = kernel.moves(board) & size.mask();
    if moves == 0 {
        let passed = board.pass();
        return match passes {
            _ if kernel.moves(passed) & size.mask() == 0 => 1,
            Passes::Ply => count_few(kernel, passed, size, depth - 1, passes),
            Passes::Free => count_few(kernel, passed, size, depth, passes),
        };
    }
    if depth == 1 {
        return u64::from(moves.count_ones());
    }
    let mut leaves = 0;
    while moves != 0 {
        let bit = moves & moves.wrapping_neg();
        moves &= moves - 1;
        let flips = kernel.flips(board, bit.trailing_zeros());
        let next = board.play_unchecked(bit, flips);
        leaves += count_few(kernel, next, size, depth - 1, passes);
    }
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_agree_with_the_definition() {
        for size in Size::BITS {
            let array = ArrayBoard::start(size);
            let position = Position::start(size);
            for passes in [Passes::Ply, Passes::Free] {
                for depth in 0..=7 {
                    let expected = count_array(&array, depth, passes);
                    for isa in Isa::ALL {
                        let found = perft_on(isa, &position, depth, passes);
                        assert_eq!(found, expected, "{size} {depth} {passes} {isa}");
                    }
                }
            }
        }
    }

    #[test]
    fn names_are_read_back() {
        for passes in [Passes::Ply, Passes::Free] {
            assert_eq!(passes.to_string().parse(), Ok(passes));
        }
        assert!("a".parse::<Passes>().is_err());
    }
}
