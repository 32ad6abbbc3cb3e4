//! The plain board: an array of cells, any even size from 4 to 16.
//!
//! Nothing here is clever. It serves the sizes that do not fit a bitboard, and
//! is the oracle of [`Board`] on the others.

use crate::{Board, Color, Rule, Size, Square};

/// The content of a square, seen by the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cell {
    /// No disc.
    Empty,
    /// A disc of the side to move.
    Player,
    /// A disc of the other side.
    Opponent,
}

impl Cell {
    const fn swapped(self) -> Cell {
        match self {
            Cell::Empty => Cell::Empty,
            Cell::Player => Cell::Opponent,
            Cell::Opponent => Cell::Player,
        }
    }
}

/// Column and row steps to the eight neighbours.
const DIRECTIONS: [(isize, isize); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// A colourless board as an array of cells, row by row from `a1`.
///
/// ```
/// use isrever_board::{ArrayBoard, Size};
///
/// let board = ArrayBoard::start(Size::new(10)?);
/// let square = board.moves().next().expect("the start has moves");
/// assert_eq!(board.flips(square).len(), 1);
///
/// // Up to 8×8 it is the same board as the fast one.
/// let small = ArrayBoard::start(Size::EIGHT);
/// assert_eq!(small.to_bits(), Some(isrever_board::Board::start(Size::EIGHT)));
/// # Ok::<(), isrever_board::SizeError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ArrayBoard {
    size: Size,
    cells: Vec<Cell>,
}

impl ArrayBoard {
    /// A board without discs.
    pub fn empty(size: Size) -> ArrayBoard {
        ArrayBoard { size, cells: vec![Cell::Empty; size.cells()] }
    }

    /// The start position, black to move.
    pub fn start(size: Size) -> ArrayBoard {
        let mut board = ArrayBoard::empty(size);
        let high = size.width() / 2;
        let low = high - 1;
        board.set(Square::new(low, low), Cell::Opponent);
        board.set(Square::new(high, high), Cell::Opponent);
        board.set(Square::new(high, low), Cell::Player);
        board.set(Square::new(low, high), Cell::Player);
        board
    }

    /// The width of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The content of `square`. Like all methods here, it panics if the square is off the board.
    pub fn cell(&self, square: Square) -> Cell {
        self.cells[self.place(square)]
    }

    /// Puts `cell` on `square`.
    pub fn set(&mut self, square: Square, cell: Cell) {
        let place = self.place(square);
        self.cells[place] = cell;
    }

    fn place(&self, square: Square) -> usize {
        assert!(self.size.contains(square), "{square} lies outside the board");
        usize::from(square.row()) * usize::from(self.size.width()) + usize::from(square.column())
    }

    /// How many squares hold `cell`.
    pub fn count(&self, cell: Cell) -> u32 {
        self.cells.iter().filter(|&&c| c == cell).count() as u32
    }

    /// How many discs turn in one direction when the player plays on `square`.
    fn turned(&self, square: Square, (column_step, row_step): (isize, isize)) -> usize {
        let width = isize::from(self.size.width());
        let (mut column, mut row) = (isize::from(square.column()), isize::from(square.row()));
        for passed in 0.. {
            (column, row) = (column + column_step, row + row_step);
            if !(0..width).contains(&column) || !(0..width).contains(&row) {
                return 0;
            }
            match self.cells[(row * width + column).cast_unsigned()] {
                Cell::Opponent => {}
                Cell::Player => return passed,
                Cell::Empty => return 0,
            }
        }
        unreachable!("a line ends at the edge")
    }

    /// Whether the side to move may play on `square`.
    pub fn is_legal(&self, square: Square) -> bool {
        self.cell(square) == Cell::Empty
            && DIRECTIONS.iter().any(|&direction| self.turned(square, direction) > 0)
    }

    /// The squares where the side to move may place a disc, row by row.
    pub fn moves(&self) -> impl Iterator<Item = Square> {
        self.size.squares().filter(|&square| self.is_legal(square))
    }

    /// The discs that turn when the side to move plays on the empty `square`.
    pub fn flips(&self, square: Square) -> Vec<Square> {
        assert!(self.size.contains(square), "{square} lies outside the board");
        let mut flips = Vec::new();
        for direction in DIRECTIONS {
            let (mut column, mut row) = (square.column(), square.row());
            for _ in 0..self.turned(square, direction) {
                column = column.wrapping_add_signed(direction.0 as i8);
                row = row.wrapping_add_signed(direction.1 as i8);
                flips.push(Square::new(column, row));
            }
        }
        flips
    }

    /// The board after the side to move plays on `square`, seen by the other side, or `None` if
    /// that is not legal.
    #[must_use]
    pub fn play(&self, square: Square) -> Option<ArrayBoard> {
        if !self.is_legal(square) {
            return None;
        }
        let mut next = self.clone();
        next.set(square, Cell::Player);
        for flipped in self.flips(square) {
            next.set(flipped, Cell::Player);
        }
        Some(next.pass())
    }

    /// The same discs with the other side to move.
    #[must_use]
    pub fn pass(&self) -> ArrayBoard {
        let cells = self.cells.iter().map(|cell| cell.swapped()).collect();
        ArrayBoard { size: self.size, cells }
    }

    /// Whether the side to move can place a disc.
    pub fn has_move(&self) -> bool {
        self.moves().next().is_some()
    }

    /// Whether neither side has a move.
    pub fn is_over(&self) -> bool {
        !self.has_move() && !self.pass().has_move()
    }

    /// The score of the side to move if the game ends here.
    pub fn score(&self, rule: Rule) -> i32 {
        let [own, opponent, empties] =
            [Cell::Player, Cell::Opponent, Cell::Empty].map(|cell| self.count(cell));
        rule.score(own, opponent, empties)
    }

    /// The same discs on bitboards, if the board is small enough.
    pub fn to_bits(&self) -> Option<Board> {
        self.size.has_bits().then(|| {
            let bits = |wanted| {
                let squares = self.size.squares().filter(|&square| self.cell(square) == wanted);
                squares.fold(0, |bits, square| bits | square.bit())
            };
            Board { player: bits(Cell::Player), opponent: bits(Cell::Opponent) }
        })
    }

    /// The same discs as `board` has on a board of `size`.
    pub fn from_bits(board: Board, size: Size) -> ArrayBoard {
        let mut array = ArrayBoard::empty(size);
        for square in size.squares() {
            if board.player & square.bit() != 0 {
                array.set(square, Cell::Player);
            } else if board.opponent & square.bit() != 0 {
                array.set(square, Cell::Opponent);
            }
        }
        array
    }

    /// Puts a disc of `color`, or none, on `square`, where `turn` is to move.
    pub(crate) fn place_disc(&mut self, square: Square, color: Option<Color>, turn: Color) {
        let cell = match color {
            None => Cell::Empty,
            Some(color) if color == turn => Cell::Player,
            Some(_) => Cell::Opponent,
        };
        self.set(square, cell);
    }

    /// The color of the disc on `square`, where `turn` is to move.
    pub(crate) fn disc(&self, square: Square, turn: Color) -> Option<Color> {
        match self.cell(square) {
            Cell::Empty => None,
            Cell::Player => Some(turn),
            Cell::Opponent => Some(turn.other()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_is_the_start_of_the_bitboards() {
        for size in Size::BITS {
            assert_eq!(ArrayBoard::start(size).to_bits(), Some(Board::start(size)));
            assert_eq!(ArrayBoard::from_bits(Board::start(size), size), ArrayBoard::start(size));
        }
        assert_eq!(ArrayBoard::start(Size::ALL[6]).to_bits(), None);
    }

    #[test]
    fn every_size_starts_with_four_moves() {
        for size in Size::ALL {
            let board = ArrayBoard::start(size);
            assert_eq!(board.moves().count(), 4, "{size}");
            let square = board.moves().next().unwrap();
            let next = board.play(square).unwrap();
            assert_eq!((next.count(Cell::Player), next.count(Cell::Opponent)), (1, 4));
            assert!(board.play(Square::new(0, 0)).is_none());
            assert!(!board.is_over());
        }
    }

    #[test]
    fn a_wiped_out_board_is_over() {
        let mut board = ArrayBoard::empty(Size::ALL[3]);
        board.set(Square::new(9, 9), Cell::Opponent);
        assert!(board.is_over());
        assert_eq!(board.score(Rule::Reversed), 100);
        assert_eq!(board.score(Rule::Normal), -100);
    }
}
