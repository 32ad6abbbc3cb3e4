//! `isrever.Board`: the discs and the side to move, as a value.

use crate::arguments::{
    ColorArg, MoveArg, RuleArg, SizeArg, action, number, numbers, refusal, with_bits,
};
use crate::array;
use isrever_board::text::{self, Defaults};
use isrever_board::{self as rules, Color, Dressing, Marks, Move, Position, Symmetry};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Where the discs are, and which side is to move. Boards are values: equal, hashable, unchangeable.
#[pyclass(module = "isrever", frozen, eq, from_py_object)]
#[derive(Clone, PartialEq)]
pub(crate) struct Board(Position);

impl Board {
    pub(crate) fn position(&self) -> &Position {
        &self.0
    }
}

impl From<Position> for Board {
    fn from(position: Position) -> Board {
        Board(position)
    }
}

/// Names of squares.
fn names(squares: &[rules::Square]) -> Vec<String> {
    squares.iter().map(rules::Square::to_string).collect()
}

#[pymethods]
impl Board {
    /// The start position, black to move.
    #[new]
    #[pyo3(signature = (size = SizeArg(rules::Size::EIGHT)), text_signature = "(size=8)")]
    fn new(size: SizeArg) -> Board {
        Board(Position::start(size.0))
    }

    /// The position of an n × n array of integers: −1 black, 1 white, 0 empty.
    #[classmethod]
    #[pyo3(signature = (array, turn = ColorArg(Color::Black)), text_signature = "(array, turn=-1)")]
    fn from_array(
        _: &Bound<'_, PyType>,
        array: &Bound<'_, PyAny>,
        turn: ColorArg,
    ) -> PyResult<Board> {
        array::position(array, turn.0).map(Board)
    }

    /// The position of a text: a board string, hexadecimal bitboards, or the end of a game.
    #[classmethod]
    fn from_text(_: &Bound<'_, PyType>, text: &str) -> PyResult<Board> {
        let records = text::read(text.as_bytes(), None, Defaults::default()).map_err(refusal)?;
        match records.as_slice() {
            [record] => Ok(Board(record.game.position().clone())),
            _ => Err(refusal(format!("{} positions; expected one", records.len()))),
        }
    }

    /// The position of two bitboards, that of the side to move first; bit row × 8 + column.
    #[classmethod]
    #[pyo3(
        signature = (player, opponent, size = SizeArg(rules::Size::EIGHT), turn = ColorArg(Color::Black)),
        text_signature = "(player, opponent, size=8, turn=-1)"
    )]
    fn from_bits(
        _: &Bound<'_, PyType>,
        #[pyo3(from_py_with = numbers::player)] player: u64,
        #[pyo3(from_py_with = numbers::opponent)] opponent: u64,
        size: SizeArg,
        turn: ColorArg,
    ) -> PyResult<Board> {
        let size = size.with_bits()?;
        if player & opponent != 0 {
            let both = player & opponent;
            return Err(refusal(format!("two discs on squares {both:#x}; expected one at most")));
        }
        if (player | opponent) & !size.mask() != 0 {
            let outside = (player | opponent) & !size.mask();
            let expected = format!("expected them on the {size}x{size} board");
            return Err(refusal(format!("discs on squares {outside:#x}; {expected}")));
        }
        let board = rules::Board { player, opponent };
        Position::from_board(board, size, turn.0).map(Board).map_err(refusal)
    }

    /// The width of the board.
    #[getter]
    fn size(&self) -> u8 {
        self.0.size().width()
    }

    /// The side to move: −1 black, 1 white; even if it can only pass, or the game is over.
    #[getter]
    fn turn(&self) -> i8 {
        number(self.0.turn())
    }

    /// How many squares have no disc.
    #[getter]
    fn empties(&self) -> u32 {
        self.0.empties()
    }

    /// Whether neither side has a move.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// Whether the side to move has no move while the other has one.
    #[getter]
    fn must_pass(&self) -> bool {
        self.0.must_pass()
    }

    /// The bitboards, that of the side to move first, up to 8×8; bit row × 8 + column.
    #[getter]
    fn bits(&self) -> PyResult<(u64, u64)> {
        with_bits(self.0.size())?;
        let board = self.0.board().expect("a board of this size has bits");
        Ok((board.player, board.opponent))
    }

    /// The names of the squares where the side to move may place a disc, row by row.
    fn moves(&self) -> Vec<String> {
        names(&self.0.moves())
    }

    /// The numbers of the legal actions: squares row by row from 0, or only `size * size`, a pass;
    /// none when the game is over.
    fn actions(&self) -> Vec<usize> {
        let size = self.0.size();
        if self.0.must_pass() {
            return vec![action(Move::Pass, size)];
        }
        self.0.moves().into_iter().map(|square| action(Move::Place(square), size)).collect()
    }

    /// `actions` as booleans, one for each square and one for the pass.
    #[pyo3(signature = (out = None))]
    fn mask<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut mask = vec![false; self.0.size().cells() + 1];
        for action in self.actions() {
            mask[action] = true;
        }
        let count = mask.len();
        array::write_out(py, mask, &[count], out)
    }

    /// The discs as an n × n array of int8: −1 black, 1 white, 0 empty.
    #[pyo3(signature = (out = None))]
    fn to_array<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let size = self.0.size();
        let cells: Vec<i8> =
            size.squares().map(|square| self.0.disc(square).map_or(0, number)).collect();
        let width = usize::from(size.width());
        array::write_out(py, cells, &[width, width], out)
    }

    /// Two n × n planes of uint8 that are 1 where there is a disc: of the side to move, and of the
    /// other.
    #[pyo3(signature = (out = None))]
    fn planes<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let size = self.0.size();
        let sides = [self.0.turn(), self.0.turn().other()];
        let plane =
            |side| size.squares().map(move |square| u8::from(self.0.disc(square) == Some(side)));
        let cells: Vec<u8> = sides.into_iter().flat_map(plane).collect();
        let width = usize::from(size.width());
        array::write_out(py, cells, &[2, width, width], out)
    }

    /// The board after a move of the side to move, a pass included.
    fn play(&self, r#move: MoveArg) -> PyResult<Board> {
        // A game reports what is wrong with a move.
        let mut game = rules::Game::from_position(rules::Rule::default(), self.0.clone());
        game.play(r#move.on(self.0.size())?).map_err(refusal)?;
        Ok(Board(game.position().clone()))
    }

    /// The names of the squares whose discs a move turns; none if it is not legal.
    fn flips(&self, r#move: MoveArg) -> PyResult<Vec<String>> {
        match r#move.on(self.0.size())? {
            Move::Place(square) => Ok(names(&self.0.flips(square))),
            Move::Pass => Ok(Vec::new()),
        }
    }

    /// How many discs a colour has.
    fn count(&self, color: ColorArg) -> u32 {
        self.0.count(color.0)
    }

    /// The score of a colour if the game ended here; of the side to move if no colour is given.
    #[pyo3(
        signature = (rule = RuleArg(rules::Rule::Reversed), color = None),
        text_signature = "($self, rule='reversed', color=None)"
    )]
    fn score(&self, rule: RuleArg, color: Option<ColorArg>) -> i32 {
        self.0.score(rule.0, color.map_or(self.0.turn(), |ColorArg(color)| color))
    }

    /// The board under the eight symmetries, itself first.
    fn symmetries(&self) -> PyResult<Vec<Board>> {
        let draft = self.0.draft();
        let size = draft.size;
        Symmetry::ALL
            .into_iter()
            .map(|symmetry| {
                let mut image = draft.clone();
                for (square, disc) in size.squares().zip(&draft.discs) {
                    image.discs[action(Move::Place(symmetry.square(square, size)), size)] = *disc;
                }
                image.check().map(Board).map_err(refusal)
            })
            .collect()
    }

    /// The squares row by row as `X`, `O` and `-`, then the side to move.
    fn to_text(&self) -> String {
        let disc = |square| self.0.disc(square).map_or('-', Color::letter);
        let squares: String = self.0.size().squares().map(disc).collect();
        format!("{squares} {}", self.0.turn().letter())
    }

    /// A picture of the board, as SVG.
    fn svg(&self) -> String {
        let marks = Marks::default();
        rules::picture(&self.0, Dressing { marks: Some(&marks), caption: None })
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn __str__(&self) -> String {
        let width = usize::from(self.0.size().width());
        let letters: Vec<char> = self.to_text().chars().collect();
        let mut text: String = std::iter::once(' ')
            .chain((b'a'..).take(width).flat_map(|letter| [' ', char::from(letter)]))
            .collect();
        for (row, squares) in letters[..width * width].chunks(width).enumerate() {
            text.push_str(&format!("\n{}", row + 1));
            squares.iter().for_each(|square| text.extend([' ', *square]));
        }
        text
    }

    fn __repr__(&self) -> String {
        format!("Board.from_text('{}')", self.to_text())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.as_any().get_type().getattr("from_text")?, (slf.get().to_text(),)))
    }
}

/// For each of the eight symmetries, the action that each action becomes: 8 × (n × n + 1) of int64.
///
/// `policy[:, table[k]]` is the policy of the k-th image of a board, and so are its squares.
#[pyfunction]
#[pyo3(signature = (size = SizeArg(rules::Size::EIGHT)), text_signature = "(size=8)")]
pub(crate) fn symmetries(py: Python<'_>, size: SizeArg) -> PyResult<Bound<'_, PyArray2<i64>>> {
    let size = size.0;
    let actions = size.cells() + 1;
    let mut table = vec![0_i64; 8 * actions];
    for (symmetry, row) in Symmetry::ALL.into_iter().zip(table.chunks_mut(actions)) {
        for (from, square) in size.squares().enumerate() {
            let to = action(Move::Place(symmetry.square(square, size)), size);
            row[to] = from.cast_signed() as i64;
        }
        row[size.cells()] = size.cells().cast_signed() as i64;
    }
    PyArray1::from_vec(py, table).reshape([8, actions])
}
