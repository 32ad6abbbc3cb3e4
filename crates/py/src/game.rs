//! `isrever.Game`: a game with its rule and its history.

use crate::arguments::{ColorArg, MoveArg, Rule, RuleArg, SizeArg, number, refusal, shown};
use crate::board::Board;
use isrever_board::text::{self, Defaults, Format, Record};
use isrever_board::{self as rules, Color, Dressing, Marks, Move};
use pyo3::prelude::*;
use pyo3::types::PyType;

/// A game: its rule, the position it began with, and every move since.
#[pyclass(module = "isrever", eq, from_py_object)]
#[derive(Clone, PartialEq)]
pub(crate) struct Game(rules::Game);

impl Game {
    pub(crate) fn inner(&self) -> &rules::Game {
        &self.0
    }
}

impl From<rules::Game> for Game {
    fn from(game: rules::Game) -> Game {
        Game(game)
    }
}

/// The game of an argument: a `Game`, or a `Board` with the rule to play it by.
pub(crate) fn from_argument(
    given: &Bound<'_, PyAny>,
    rule: Option<RuleArg>,
) -> PyResult<rules::Game> {
    if let Ok(game) = given.cast::<Game>() {
        let game = game.try_borrow()?.inner().clone();
        return match rule {
            Some(RuleArg(rule)) if rule != game.rule() => {
                let own = game.rule();
                Err(refusal(format!("rule {rule} for a game by the {own} rule; expected no rule")))
            }
            _ => Ok(game),
        };
    }
    if let Ok(board) = given.cast::<Board>() {
        let rule = rule.map_or(rules::Rule::default(), |RuleArg(rule)| rule);
        return Ok(rules::Game::from_position(rule, board.get().position().clone()));
    }
    Err(refusal(format!("{} is no position; expected a Game or a Board", shown(given))))
}

#[pymethods]
impl Game {
    /// A new game, from the start position of a size or from a board.
    #[new]
    #[pyo3(
        signature = (rule = RuleArg(rules::Rule::Reversed), size = None, start = None),
        text_signature = "(rule='reversed', size=None, start=None)"
    )]
    fn new(
        rule: RuleArg,
        size: Option<SizeArg>,
        start: Option<&Bound<'_, Board>>,
    ) -> PyResult<Game> {
        let start = start.map(|board| board.get().position().clone());
        match (size, start) {
            (Some(SizeArg(size)), Some(start)) if size != start.size() => {
                let own = start.size();
                Err(refusal(format!("size {size} for a board {own} wide; expected no size")))
            }
            (_, Some(start)) => Ok(Game(rules::Game::from_position(rule.0, start))),
            (size, None) => {
                let size = size.map_or(rules::Size::EIGHT, |SizeArg(size)| size);
                Ok(Game(rules::Game::new(rule.0, size)))
            }
        }
    }

    /// The game of a text: a transcript such as `f5d6c3`, a position, GGF, SGF, …
    ///
    /// The rule and the size apply where the text does not name its own.
    #[classmethod]
    #[pyo3(
        signature = (text, rule = RuleArg(rules::Rule::Reversed), size = SizeArg(rules::Size::EIGHT)),
        text_signature = "(text, rule='reversed', size=8)"
    )]
    fn from_text(
        _: &Bound<'_, PyType>,
        text: &str,
        rule: RuleArg,
        size: SizeArg,
    ) -> PyResult<Game> {
        let defaults = Defaults { rule: rule.0, size: size.0 };
        let mut records = text::read(text.as_bytes(), None, defaults).map_err(refusal)?;
        match (records.pop(), records.len()) {
            (Some(record), 0) => Ok(Game(record.game)),
            (_, others) => Err(refusal(format!("{} games; expected one", others + 1))),
        }
    }

    /// The rule.
    #[getter]
    fn rule(&self) -> Rule {
        self.0.rule().into()
    }

    /// The width of the board.
    #[getter]
    fn size(&self) -> u8 {
        self.0.size().width()
    }

    /// The position now.
    #[getter]
    fn board(&self) -> Board {
        self.0.position().clone().into()
    }

    /// The positions up to now, the start first and the present one last.
    #[getter]
    fn boards(&self) -> Vec<Board> {
        self.0.positions().iter().cloned().map(Board::from).collect()
    }

    /// The moves up to now: names of squares, and `pass`.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.0.moves().iter().map(Move::to_string).collect()
    }

    /// The side to move, −1 black or 1 white; `None` when the game is over.
    #[getter]
    fn turn(&self) -> Option<i8> {
        self.0.turn().map(number)
    }

    /// Whether neither side has a move.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// The winner, −1 black or 1 white; 0 after a draw and before the end.
    #[getter]
    fn winner(&self) -> i8 {
        match self.0.score(Color::Black).signum() {
            _ if !self.0.is_over() => 0,
            1 => number(Color::Black),
            0 => 0,
            _ => number(Color::White),
        }
    }

    /// The score of a colour by the discs now: the result once the game is over.
    fn score(&self, color: ColorArg) -> i32 {
        self.0.score(color.0)
    }

    /// Plays a move; a forced pass before it may be left out.
    fn play(&mut self, r#move: MoveArg) -> PyResult<()> {
        match r#move.on(self.0.size())? {
            Move::Place(square) => self.0.place(square).map_err(refusal),
            Move::Pass => self.0.play(Move::Pass).map_err(refusal),
        }
    }

    /// Takes the last move back and returns it; `None` at the start.
    fn undo(&mut self) -> Option<String> {
        self.0.undo().map(|mv| mv.to_string())
    }

    /// Plays the last undone move again and returns it; `None` if there is none.
    fn redo(&mut self) -> Option<String> {
        self.0.redo().map(|mv| mv.to_string())
    }

    /// The game in a format: moves, board, obf, ggf, sgf or hex.
    #[pyo3(signature = (format = "moves"))]
    fn to_text(&self, format: &str) -> PyResult<String> {
        let format: Format =
            format.parse().map_err(|words| refusal(format!("{format:?} is {words}")))?;
        if format == Format::Wthor {
            return Err(refusal("wthor is no text; expected board, moves, obf, ggf, sgf or hex"));
        }
        let bytes = text::write(&[Record::from(self.0.clone())], format).map_err(refusal)?;
        let text = String::from_utf8(bytes).map_err(refusal)?;
        Ok(text.trim_end_matches('\n').to_owned())
    }

    /// A picture of the position now, with the last move and the legal squares, as SVG.
    fn svg(&self) -> String {
        let marks = Marks::of_last_disc(&self.0);
        rules::picture(self.0.position(), Dressing { marks: Some(&marks), caption: None })
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    /// An independent copy of the game.
    fn copy(&self) -> Game {
        self.clone()
    }

    fn __copy__(&self) -> Game {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Game {
        self.clone()
    }

    /// How many moves are played, passes included.
    fn __len__(&self) -> usize {
        self.0.ply()
    }

    fn __repr__(&self) -> String {
        let (moves, rule, size) =
            (self.to_text("moves").unwrap_or_default(), self.0.rule(), self.0.size());
        format!("Game.from_text('{moves}', rule='{rule}', size={size})")
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (String, Rule, u8))> {
        let game = slf.try_borrow()?;
        let from_text = slf.as_any().get_type().getattr("from_text")?;
        Ok((from_text, (game.to_text("moves")?, game.rule(), game.size())))
    }
}
