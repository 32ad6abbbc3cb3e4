//! Perft: how many games of a given length there are.
//!
//! The standard test of move generation, with the two published ways of
//! counting a pass. No table of known positions: every node is visited, except
//! that the last ply is counted instead of played.

use crate::array_board::ArrayBoard;
use crate::kernel::{self, Isa, Kernel, Task, dispatch_to};
use crate::{Board, Position, Size};
use std::fmt;
use std::str::FromStr;

/// What a forced pass counts as. An early end of the game counts as one leaf in both.
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
        let BitsPerft { board, size, depth, passes } = self;
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

/// Boards worked on together: one per vector lane, twice over for the pipeline's sake.
const ABREAST: usize = 16;

/// The most moves any board has is below this.
const MOST_MOVES: usize = 48;

/// Moves waiting to be played at one distance from the leaves, as a stack.
///
/// Playing one move is little work for a vector unit and mostly waiting; so
/// moves from many boards are collected and [`ABREAST`] of them played at once.
#[derive(Clone)]
struct Level {
    players: [u64; ABREAST + MOST_MOVES],
    opponents: [u64; ABREAST + MOST_MOVES],
    bits: [u64; ABREAST + MOST_MOVES],
    waiting: usize,
}

impl Default for Level {
    fn default() -> Level {
        let none = [0; ABREAST + MOST_MOVES];
        Level { players: none, opponents: none, bits: none, waiting: 0 }
    }
}

/// Counts depth first by levels: level 0 holds the root's moves, the last one those whose
/// children are leaves.
struct Counter<K> {
    kernel: K,
    size: Size,
    passes: Passes,
    levels: Vec<Level>,
    leaves: u64,
}

impl<K: Kernel> Counter<K> {
    /// Takes up a node: its `moves` wait at `level`, as many as are needed are played.
    #[inline(always)]
    fn enter(&mut self, level: usize, board: Board, mut moves: u64) {
        if moves == 0 {
            self.leaves += self.stuck(board, (self.levels.len() - level) as u32 + 1);
            return;
        }
        let stack = &mut self.levels[level];
        while moves != 0 {
            let at = stack.waiting;
            stack.players[at] = board.player;
            stack.opponents[at] = board.opponent;
            stack.bits[at] = moves & moves.wrapping_neg();
            stack.waiting += 1;
            moves &= moves - 1;
        }
        while self.levels[level].waiting >= ABREAST {
            self.play(level, ABREAST);
        }
    }

    /// Plays what is still waiting, top level first: each may fill the next.
    fn finish(&mut self) {
        for level in 0..self.levels.len() {
            while self.levels[level].waiting > 0 {
                self.play(level, self.levels[level].waiting.min(ABREAST));
            }
        }
    }

    /// Plays the top `count` moves of `level` abreast and counts or enters their boards.
    fn play(&mut self, level: usize, count: usize) {
        let kernel = self.kernel;
        kernel.run(|| {
            let mask = self.size.mask();
            let stack = &mut self.levels[level];
            stack.waiting -= count;
            let top = stack.waiting..stack.waiting + ABREAST;
            let mut players: [u64; ABREAST] = stack.players[top.clone()].try_into().unwrap();
            let mut opponents: [u64; ABREAST] = stack.opponents[top.clone()].try_into().unwrap();
            let bits: [u64; ABREAST] = stack.bits[top].try_into().unwrap();
            let mut moves = [0; ABREAST];
            for i in 0..ABREAST {
                let flips = kernel::flips_of_bit(players[i], opponents[i], bits[i]);
                let own = players[i] | flips | bits[i];
                players[i] = opponents[i] & !flips;
                opponents[i] = own;
                moves[i] = kernel::moves(players[i], opponents[i]) & mask;
            }
            if level + 1 == self.levels.len() {
                self.leaves += self.count_leaves(&players, &opponents, &moves, count);
            } else {
                for i in 0..count {
                    let board = Board { player: players[i], opponent: opponents[i] };
                    self.enter(level + 1, board, moves[i]);
                }
            }
        });
    }

    /// The leaves below boards that are one ply from them.
    #[inline(always)]
    fn count_leaves(
        &self,
        players: &[u64; ABREAST],
        opponents: &[u64; ABREAST],
        moves: &[u64; ABREAST],
        count: usize,
    ) -> u64 {
        // A board without moves is one leaf: it ends the game, or its pass is the last ply.
        let mut leaves = 0;
        for (i, moves) in moves.iter().enumerate() {
            let here = u64::from(moves.count_ones()).max(1);
            leaves += if i < count { here } else { 0 };
        }
        if self.passes == Passes::Free {
            for i in 0..count {
                if moves[i] == 0 {
                    let board = Board { player: players[i], opponent: opponents[i] };
                    leaves += self.stuck(board, 1) - 1;
                }
            }
        }
        leaves
    }

    /// The leaves below a board, `depth` plies from them, whose side to move has no move.
    #[cold]
    #[inline(never)]
    fn stuck(&self, board: Board, depth: u32) -> u64 {
        count_few(self.kernel, board, self.size, depth, self.passes)
    }
}

/// Counts by plain recursion: for the few nodes that the levels do not hold.
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
