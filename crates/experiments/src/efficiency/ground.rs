//! The boards of the ablation: an array of cells, and bitboards.
//!
//! Both evaluate by report 002's terms of the middle game, weights of squares and
//! 15 for each frontier disc, in whole numbers, so that all versions of the search
//! must find exactly the same value.

use isrever_agent::Parameters;
use isrever_board::{Board, Rule, Size, Square, squares};
use isrever_reports::{FourStage, WeightMap};

const RULE: Rule = Rule::Reversed;
pub(super) const SIZE: Size = Size::EIGHT;

/// The value of a frontier disc for its owner.
const FRONTIER: i64 = 15;

/// The value of each disc of the margin in a finished game.
const END: i64 = 1_000_000;

/// The weights of squares, row by row.
pub(super) struct Weights([i64; 64]);

impl Weights {
    /// Report 002's weights.
    pub(super) fn of_report() -> Weights {
        let map = WeightMap::new(&Parameters::new(FourStage::table()).squares(""), SIZE);
        let mut weights = [0; 64];
        for square in SIZE.squares() {
            weights[square.index() as usize] = map.of(square) as i64;
        }
        Weights(weights)
    }

    pub(super) fn of(&self, square: u8) -> i64 {
        self.0[usize::from(square)]
    }

    fn sum(&self, bits: u64) -> i64 {
        squares(bits).map(|square| self.0[square.index() as usize]).sum()
    }
}

/// A board that a search can copy.
pub(super) trait Ground: Clone {
    /// The squares where the side to move may place a disc, row by row.
    fn moves(&self) -> Vec<u8>;

    /// The board after a move, from the view of the other side.
    fn after(&self, square: u8) -> Self;

    /// The same with the other side to move.
    fn passed(&self) -> Self;

    /// The value of the board for the side to move.
    fn value(&self, weights: &Weights) -> i64;

    /// The value of a finished game for the side to move.
    fn end(&self) -> i64;
}

impl Ground for Board {
    fn moves(&self) -> Vec<u8> {
        squares(Board::moves(*self, SIZE)).map(|square| square.index() as u8).collect()
    }

    fn after(&self, square: u8) -> Board {
        let square = Square::from_index(u32::from(square));
        self.play_unchecked(square.bit(), self.flips(square))
    }

    fn passed(&self) -> Board {
        self.pass()
    }

    fn value(&self, weights: &Weights) -> i64 {
        const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
        let empties = self.empties(SIZE);
        let (east, west) = (empties << 1 & !FIRST_COLUMN, empties >> 1 & !(FIRST_COLUMN << 7));
        let rows = empties | east | west;
        let beside = rows | rows << 8 | rows >> 8;
        let side =
            |discs: u64| weights.sum(discs) + FRONTIER * i64::from((discs & beside).count_ones());
        side(self.player) - side(self.opponent)
    }

    fn end(&self) -> i64 {
        END * i64::from(self.score(SIZE, RULE))
    }
}

/// An array of cells (1 for the side to move at the root, −1 for the other, 0 for none) and the side
/// to move.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    cells: [i8; 64],
    side: i8,
}

/// One step to each of the eight neighbours.
const STEPS: [(i8, i8); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

impl Grid {
    pub(super) fn new(board: Board) -> Grid {
        let mut cells = [0; 64];
        for square in squares(board.player) {
            cells[square.index() as usize] = 1;
        }
        for square in squares(board.opponent) {
            cells[square.index() as usize] = -1;
        }
        Grid { cells, side: 1 }
    }

    /// The square a step away, if it is on the board.
    fn beside(square: u8, (column, row): (i8, i8)) -> Option<u8> {
        let column = (square % 8).checked_add_signed(column).filter(|&column| column < 8)?;
        let row = (square / 8).checked_add_signed(row).filter(|&row| row < 8)?;
        Some(8 * row + column)
    }

    /// The discs that a disc on `square` turns in one direction.
    fn turned(&self, square: u8, step: (i8, i8)) -> usize {
        let mut at = square;
        for passed in 0.. {
            match Grid::beside(at, step) {
                None => return 0,
                Some(next) if self.cells[usize::from(next)] == -self.side => at = next,
                Some(next) if self.cells[usize::from(next)] == self.side => return passed,
                Some(_) => return 0,
            }
        }
        unreachable!("a line ends at the edge")
    }

    fn is_legal(&self, square: u8) -> bool {
        self.cells[usize::from(square)] == 0
            && STEPS.iter().any(|&step| self.turned(square, step) > 0)
    }

    /// Plays in place; returns the turned discs for [`Grid::take_back`].
    pub(super) fn place(&mut self, square: u8) -> Vec<u8> {
        let mut all = Vec::new();
        for step in STEPS {
            let mut at = square;
            for _ in 0..self.turned(square, step) {
                at = Grid::beside(at, step).expect("a turned disc is on the board");
                all.push(at);
            }
        }
        for &at in all.iter().chain([&square]) {
            self.cells[usize::from(at)] = self.side;
        }
        self.side = -self.side;
        all
    }

    /// Undoes a move.
    pub(super) fn take_back(&mut self, square: u8, turned: &[u8]) {
        for &at in turned {
            self.cells[usize::from(at)] = self.side;
        }
        self.cells[usize::from(square)] = 0;
        self.side = -self.side;
    }

    /// Passes.
    pub(super) fn pass(&mut self) {
        self.side = -self.side;
    }
}

impl Ground for Grid {
    fn moves(&self) -> Vec<u8> {
        (0..64).filter(|&square| self.is_legal(square)).collect()
    }

    fn after(&self, square: u8) -> Grid {
        let mut next = self.clone();
        next.place(square);
        next
    }

    fn passed(&self) -> Grid {
        Grid { side: -self.side, ..self.clone() }
    }

    fn value(&self, weights: &Weights) -> i64 {
        let mut value = 0;
        for square in 0..64_u8 {
            let cell = self.cells[usize::from(square)];
            if cell == 0 {
                continue;
            }
            let is_frontier = STEPS.iter().any(|&step| {
                Grid::beside(square, step).is_some_and(|next| self.cells[usize::from(next)] == 0)
            });
            let worth = weights.of(square) + if is_frontier { FRONTIER } else { 0 };
            value += i64::from(cell * self.side) * worth;
        }
        value
    }

    fn end(&self) -> i64 {
        let count = |side: i8| self.cells.iter().filter(|&&cell| cell == side).count() as u32;
        END * i64::from(RULE.score(count(self.side), count(-self.side), count(0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_games::random_game;

    #[test]
    fn both_boards_play_and_judge_alike_and_moves_can_be_taken_back() {
        let weights = Weights::of_report();
        random_game(4, 1, |turn| {
            let grid = Grid::new(turn.board);
            assert_eq!(grid.moves(), Ground::moves(&turn.board));
            assert_eq!(grid.value(&weights), turn.board.value(&weights));
            assert_eq!(grid.end(), turn.board.end());
            assert_eq!(grid.passed().value(&weights), turn.board.pass().value(&weights));
            for square in grid.moves() {
                let (next, board) = (grid.after(square), turn.board.after(square));
                assert_eq!(next.value(&weights), board.value(&weights));
                let mut played = grid.clone();
                let turned = played.place(square);
                assert_eq!(played.cells, next.cells);
                played.take_back(square, &turned);
                assert_eq!((played.cells, played.side), (grid.cells, grid.side));
            }
        });
    }
}
