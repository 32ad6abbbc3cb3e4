//! The last four empty squares, by hand: no table, no list, no recursion.

use crate::bounds::{NONE, Objective};
use crate::ordering::neighbours;
use crate::worker::Worker;
use isrever_board::{Board, Kernel};

/// The squares around each square: a move flips nothing unless one of them is the opponent's.
static NEIGHBOURS: [u64; 64] = {
    let mut table = [0; 64];
    let mut index = 0;
    while index < 64 {
        table[index] = neighbours(1 << index);
        index += 1;
    }
    table
};

impl<O: Objective, K: Kernel> Worker<'_, O, K> {
    /// The board after playing on `index`, or `None` if that flips nothing.
    #[inline(always)]
    fn try_play(&self, board: Board, index: u32) -> Option<Board> {
        if NEIGHBOURS[index as usize] & board.opponent == 0 {
            return None;
        }
        let flips = self.kernel.flips(board, index);
        (flips != 0).then(|| board.play_unchecked(1 << index, flips))
    }

    /// One empty square.
    #[inline(always)]
    fn last_1(&mut self, board: Board, x: u32) -> i32 {
        self.nodes += 1;
        let own = board.player.count_ones();
        let cells = self.cells;
        let (won, lost) = self.kernel.turned_by_last(board, x);
        if won | lost == 0 {
            return O::RULE.score(own, cells - 1 - own, 1);
        }
        // The player moves there if it flips anything, else the opponent.
        let own = if won > 0 { own + won + 1 } else { own - lost };
        O::RULE.score(own, cells - own, 0)
    }

    /// Two empty squares.
    #[inline(always)]
    fn last_2(&mut self, board: Board, alpha: i32, x: u32, y: u32) -> i32 {
        self.nodes += 1;
        self.or_pass(
            board,
            alpha,
            #[inline(always)]
            |worker, board, alpha| {
                let [by_x, by_y] = worker.kernel.flips_of_two(board, [x, y]);
                let mut best = NONE;
                if by_x != 0 {
                    best = -worker.last_1(board.play_unchecked(1 << x, by_x), y);
                    if best > alpha {
                        return best;
                    }
                }
                if by_y != 0 {
                    best = best.max(-worker.last_1(board.play_unchecked(1 << y, by_y), x));
                }
                best
            },
        )
    }

    /// Three empty squares.
    #[inline(always)]
    fn last_3(&mut self, board: Board, alpha: i32, x: u32, y: u32, z: u32) -> i32 {
        self.nodes += 1;
        // Parity: a square alone in its quadrant first, since nobody can answer there.
        let quadrants = &self.quadrants;
        let (qx, qy, qz) = (quadrants[x as usize], quadrants[y as usize], quadrants[z as usize]);
        let (x, y, z) = if qx == qy {
            (z, x, y)
        } else if qx == qz {
            (y, x, z)
        } else {
            (x, y, z)
        };
        self.or_pass(
            board,
            alpha,
            #[inline(always)]
            |worker, board, alpha| {
                let mut best = NONE;
                for (x, y, z) in [(x, y, z), (y, x, z), (z, x, y)] {
                    if let Some(next) = worker.try_play(board, x) {
                        best = best.max(-worker.last_2(next, !alpha, y, z));
                        if best > alpha {
                            break;
                        }
                    }
                }
                best
            },
        )
    }

    /// Four empty squares, where the side to move has `moves`, one at least; odd quadrants first.
    #[inline(always)]
    pub(crate) fn last_4(&mut self, board: Board, moves: u64, alpha: i32, odd: u32) -> i32 {
        let empties = self.mask & !(board.player | board.opponent);
        let first = moves & self.first_by_parity(odd);
        let mut best = NONE;
        for mut set in [first, moves & !first] {
            while set != 0 {
                let index = set.trailing_zeros();
                set &= set - 1;
                let flips = self.kernel.flips(board, index);
                let next = board.play_unchecked(1 << index, flips);
                let rest = empties & !(1 << index);
                let x = rest.trailing_zeros();
                let rest = rest & (rest - 1);
                let y = rest.trailing_zeros();
                let z = 63 - rest.leading_zeros();
                best = best.max(-self.last_3_compiled(next, !alpha, x, y, z));
                if best > alpha {
                    return best;
                }
            }
        }
        best
    }

    /// Parity: the squares to try first, those of the `odd` quadrants.
    #[inline(always)]
    fn first_by_parity(&self, odd: u32) -> u64 {
        if self.techniques.parity { self.squares_of[odd as usize & 15] } else { 0 }
    }

    /// The best score by `moves`, which returns [`NONE`] if the player has no move. Then the player
    /// passes, and if the opponent has none either, the game is over.
    #[inline(always)]
    fn or_pass(
        &mut self,
        board: Board,
        alpha: i32,
        moves: impl Fn(&mut Self, Board, i32) -> i32,
    ) -> i32 {
        match moves(self, board, alpha) {
            NONE => self.forced_pass(board, alpha, moves),
            score => score,
        }
    }

    /// The rare case, out of line: inlined at every call, it doubles the code.
    #[cold]
    #[inline(never)]
    fn forced_pass(
        &mut self,
        board: Board,
        alpha: i32,
        moves: impl Fn(&mut Self, Board, i32) -> i32,
    ) -> i32 {
        let kernel = self.kernel;
        let score = kernel.run(
            #[inline(always)]
            || moves(self, board.pass(), !alpha),
        );
        match score {
            NONE => self.final_score(board),
            score => -score,
        }
    }

    fn last_3_compiled(&mut self, board: Board, alpha: i32, x: u32, y: u32, z: u32) -> i32 {
        let kernel = self.kernel;
        kernel.run(
            #[inline(always)]
            move || self.last_3(board, alpha, x, y, z),
        )
    }

    /// Null window on fewer than four empty squares.
    pub(crate) fn last_few(&mut self, board: Board, alpha: i32) -> i32 {
        let mut empty = self.mask & !(board.player | board.opponent);
        let mut squares = [0; 3];
        let mut count = 0;
        while empty != 0 {
            squares[count] = empty.trailing_zeros();
            empty &= empty - 1;
            count += 1;
        }
        match (count, squares) {
            (0, _) => self.final_score(board),
            (1, [x, ..]) => self.last_1(board, x),
            (2, [x, y, _]) => self.last_2(board, alpha, x, y),
            (_, [x, y, z]) => self.last_3(board, alpha, x, y, z),
        }
    }
}
