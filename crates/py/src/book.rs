//! `isrever.Book`: what searches have found about the opening, read where it lies.

use crate::arguments::{Rule, RuleArg, SizeArg, refusal};
use crate::board::Board;
use crate::game;
use crate::pickled::pickled;
use crate::training::{file_error, io_error};
use isrever_board::{self as rules, Color, Position, Square};
use isrever_book::foreign::Format;
use isrever_book::{self as book, Bytes, MoveView, View, What};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::path::PathBuf;

/// A book: positions with values, the bounds that are proved, and how they were found. Positions that
/// are the same up to symmetry are one. The file is read where it lies; replace it as a whole, never
/// write into it. `isrever book` makes books.
#[pyclass(module = "isrever", frozen)]
pub(crate) struct Book(Source);

/// Where a book lies.
enum Source {
    /// In a file.
    File(book::Book, PathBuf),
    /// In the program.
    Embedded(&'static book::Book),
}

impl Book {
    fn book(&self) -> &book::Book {
        match &self.0 {
            Source::File(book, _) => book,
            Source::Embedded(book) => book,
        }
    }

    /// The board of an argument, if its side to move has a move; `None` if it has none.
    fn board(&self, given: &Bound<'_, PyAny>) -> PyResult<Option<rules::Board>> {
        let (rule, size) = (self.book().rule(), self.book().size());
        let position: Position = match given.cast::<Board>() {
            Ok(board) => board.get().position().clone(),
            Err(_) => {
                let game = game::from_argument(given, None)?;
                if game.rule() != rule {
                    let offence = format!("a game by the {} rule", game.rule());
                    return Err(refusal(format!(
                        "{offence}; expected the {rule} rule, as the book"
                    )));
                }
                game.position().clone()
            }
        };
        if position.size() != size {
            let own = position.size();
            return Err(refusal(format!(
                "a {own}x{own} board; expected {size}x{size}, as the book"
            )));
        }
        Ok(position.board().filter(|_| position.has_move()))
    }
}

#[pymethods]
impl Book {
    /// The book of a file.
    #[new]
    fn new(path: PathBuf) -> PyResult<Book> {
        if path.is_dir() {
            return Err(file_error(&path, "a directory; expected a book"));
        }
        let bytes = Bytes::map(&path).map_err(|error| io_error(&path, &error))?;
        if let Some(format) = Format::of_bytes(&bytes) {
            let offence = format!("a book of {format}; expected one of ours");
            return Err(file_error(&path, format!("{offence}, as isrever book import makes it")));
        }
        let book = book::Book::from_bytes(bytes).map_err(|error| file_error(&path, error))?;
        Ok(Book(Source::File(book, path)))
    }

    /// The book that the package carries for a rule and a width of the board; a `ValueError` if it
    /// carries none.
    #[classmethod]
    #[pyo3(
        signature = (rule = RuleArg(rules::Rule::Reversed), size = SizeArg(rules::Size::EIGHT)),
        text_signature = "(rule='reversed', size=8)"
    )]
    fn embedded(_: &Bound<'_, PyType>, rule: RuleArg, size: SizeArg) -> PyResult<Book> {
        let (rule, size) = (rule.0, size.0);
        let offence = || format!("no book of the {rule} rule on {size}x{size}");
        let none = || refusal(format!("{}; expected a rule and a size that have one", offence()));
        book::Book::embedded(rule, size).map(|book| Book(Source::Embedded(book))).ok_or_else(none)
    }

    /// The rule that its values are for.
    #[getter]
    fn rule(&self) -> Rule {
        self.book().rule().into()
    }

    /// The width of its boards.
    #[getter]
    fn size(&self) -> u8 {
        self.book().size().width()
    }

    /// How it was made, a line for each way in which positions were searched.
    #[getter]
    fn recipe(&self) -> Vec<String> {
        self.book().recipe().lines().map(str::to_owned).collect()
    }

    /// What it knows of a position, in any of its eight images; `None` if nothing.
    fn find(&self, position: &Bound<'_, PyAny>) -> PyResult<Option<BookEntry>> {
        let view = self.board(position)?.and_then(|board| self.book().view(board));
        Ok(view.map(|view| BookEntry::new(&view)))
    }

    /// Checks every record, and derives every value and every bound again; a `ValueError` says what is
    /// wrong.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.book().check()).map_err(|error| match &self.0 {
            Source::File(_, path) => file_error(path, error),
            Source::Embedded(_) => refusal(error),
        })
    }

    fn __len__(&self) -> usize {
        self.book().len()
    }

    fn __contains__(&self, position: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.board(position)?.is_some_and(|board| self.book().find(board).is_some()))
    }

    fn __iter__(slf: Py<Self>) -> BookPositions {
        BookPositions { book: slf, next: 0 }
    }

    fn __repr__(&self) -> String {
        let (count, rule, size) = (self.book().len(), self.book().rule(), self.book().size());
        let place = match &self.0 {
            Source::File(_, path) => path.display().to_string(),
            Source::Embedded(_) => "embedded".to_owned(),
        };
        format!("<Book {place}: {count} positions, {rule}, {size}x{size}>")
    }

    // A file is opened again where it is unpickled.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Py<PyAny>)> {
        let (py, class, book) = (slf.py(), slf.as_any().get_type(), slf.get());
        match &book.0 {
            Source::File(_, path) => Ok((class.into_any(), (path,).into_py_any(py)?)),
            Source::Embedded(_) => {
                let arguments = (book.book().rule().to_string(), book.book().size().width());
                Ok((class.getattr("embedded")?, arguments.into_py_any(py)?))
            }
        }
    }
}

/// The positions of a book, one after the other.
#[pyclass(module = "isrever")]
pub(crate) struct BookPositions {
    book: Py<Book>,
    next: usize,
}

#[pymethods]
impl BookPositions {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self) -> Option<Board> {
        let book = self.book.get().book();
        while self.next < book.len() {
            let entry = book.entry(self.next);
            self.next += 1;
            // What cannot be is left out, as everywhere; `check` names it.
            if let Some(entry) = entry {
                let board = entry.finding.board;
                let position = Position::from_board(board, book.size(), Color::Black);
                return Some(position.expect("records were checked").into());
            }
        }
        None
    }
}

/// What a book knows of a position, for the side to move, in discs.
#[pyclass(module = "isrever", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct BookEntry {
    /// What it is worth by all positions after it.
    value: i8,
    /// The score is at least this: proved.
    lower: i8,
    /// The score is at most this: proved.
    upper: i8,
    /// The best move.
    best: String,
    /// The best line as far as the book goes, then the move that the last search found best.
    line: Vec<String>,
    /// Every legal move of which something is known, those that lead into the book first, the best
    /// first.
    moves: Vec<BookMove>,
    /// The value by the position's own search.
    searched: i8,
    /// The depth of that search, in plies.
    depth: u8,
    /// The confidence of its selective cuts, in percent; 100 if there were none.
    confidence: u8,
    /// Whether that search proved its value.
    exact: bool,
    /// The nodes of that search, to three digits; 0 if another program searched.
    nodes: u64,
}

pickled!(BookEntry {
    value,
    lower,
    upper,
    best,
    line,
    moves,
    searched,
    depth,
    confidence,
    exact,
    nodes
});

impl BookEntry {
    fn new(view: &View) -> BookEntry {
        let (finding, worth) = (&view.entry.finding, view.entry.worth);
        let line: Vec<String> = view.line.iter().map(Square::to_string).collect();
        BookEntry {
            value: worth.value,
            lower: worth.lower,
            upper: worth.upper,
            // The entry's own squares are those of another image.
            best: line.first().expect("a position of the book has a best move").clone(),
            line,
            moves: view.moves.iter().map(BookMove::new).collect(),
            searched: finding.value,
            depth: finding.depth,
            confidence: finding.confidence,
            exact: finding.is_exact,
            nodes: finding.nodes,
        }
    }
}

#[pymethods]
impl BookEntry {
    fn __repr__(&self) -> String {
        let BookEntry { value, lower, upper, best, .. } = self;
        format!("<BookEntry {best} {value:+} in {lower:+}..{upper:+}>")
    }
}

/// What a book knows of a move, for the side that plays it, in discs.
#[pyclass(module = "isrever", frozen, get_all, from_py_object)]
#[derive(Clone)]
pub(crate) struct BookMove {
    /// The move.
    r#move: String,
    /// What it is worth.
    value: i8,
    /// What the value rests on: `over` (the game ends), `known` (it leads to a position of the book),
    /// `searched` (it is the best move of the position's own search, not looked at since) or
    /// `estimated` (roughly).
    kind: String,
    /// The score is at least this: proved. `None` unless the move is known, as all below.
    lower: Option<i8>,
    /// The score is at most this: proved.
    upper: Option<i8>,
    /// How many moves of its best line are in the book.
    plies: Option<u8>,
    /// The depth of the search at the end of that line.
    depth: Option<u8>,
    /// The confidence of that search, in percent.
    confidence: Option<u8>,
}

pickled!(BookMove { r#move, value, kind, lower, upper, plies, depth, confidence });

impl BookMove {
    fn new(view: &MoveView) -> BookMove {
        let plain = |kind: &str| BookMove {
            r#move: view.square.to_string(),
            value: view.value,
            kind: kind.to_owned(),
            lower: None,
            upper: None,
            plies: None,
            depth: None,
            confidence: None,
        };
        match view.what {
            What::Over => plain("over"),
            What::Known { bounds: (lower, upper), plies, depth, confidence } => BookMove {
                lower: Some(lower),
                upper: Some(upper),
                plies: Some(plies),
                depth: Some(depth),
                confidence: Some(confidence),
                ..plain("known")
            },
            What::Searched => plain("searched"),
            What::Estimated => plain("estimated"),
        }
    }
}

#[pymethods]
impl BookMove {
    fn __repr__(&self) -> String {
        let BookMove { r#move, value, kind, .. } = self;
        format!("<BookMove {move} {value:+} {kind}>")
    }
}
