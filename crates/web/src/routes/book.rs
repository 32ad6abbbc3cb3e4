//! What the book knows of a position: its value and its moves', how sure they are, and who played them.

use crate::app::App;
use crate::receive::Query;
use crate::refusal::Refusal;
use crate::store::{MOST_COUNTED_MOVES, Step};
use crate::wire::{ColorWord, OpeningBody, RuleWord, game_request, pass_if_forced};
use axum::Json;
use axum::extract::State;
use isrever_board::{Board, Position, Rule, Size, Square};
use isrever_book::{Book, Branch, MoveView, Opening, View, What};
use serde::Serialize;
use utoipa::ToSchema;

/// How many moves the tree has at each step.
const WIDTHS: [usize; 5] = [3, 2, 1, 1, 1];

game_request! {
    /// A game whose last position to look up.
    BookRequest {}
}

/// What the book knows of a position. Values are in discs for the side to move.
#[derive(Serialize, ToSchema)]
pub(crate) struct BookBody {
    /// The books that the server has.
    books: Vec<BookAbout>,
    /// The last opening with a name that the game passed; null if it passed none.
    opening: Option<OpeningBody>,
    /// What is known of the position itself; null if no book has it.
    known: Option<KnownBody>,
    /// How many games kept on this server went on from here; null after 30 moves, where none are
    /// counted.
    games: Option<u32>,
    /// Every legal move: those whose value is known first, the best first.
    moves: Vec<BookMove>,
    /// The best moves that are known, and those after them.
    tree: Vec<TreeMove>,
}

/// A book.
#[derive(Serialize, ToSchema)]
struct BookAbout {
    rule: RuleWord,
    /// The width of its boards.
    size: u8,
    /// How many positions it has.
    positions: usize,
}

/// What is known of a position.
#[derive(Serialize, ToSchema)]
struct KnownBody {
    /// What it is worth by all that is known of the positions after it.
    value: i8,
    /// The score is at least this: proved.
    lower: i8,
    /// The score is at most this: proved.
    upper: i8,
    /// The best line as far as the book goes.
    pv: Vec<String>,
    /// How many moves of it are in the book before a search takes over.
    plies: u8,
    /// The depth of the position's own search, in plies.
    depth: u8,
    /// In how many of 100 cases its cuts are right.
    selectivity: u8,
    /// Whether it proved the score.
    exact: bool,
    /// The nodes that it took.
    nodes: u64,
}

/// What the value of a move rests on.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum BookKind {
    /// The game ends with it.
    Over,
    /// It leads to a position of the book.
    Known,
    /// It is the best move by the position's own search, and was not looked at since.
    Searched,
    /// A rough estimate, by a few plies.
    Estimated,
    /// Nothing: it has no value.
    Unknown,
}

/// A legal move of a position.
#[derive(Serialize, ToSchema)]
struct BookMove {
    /// A square.
    #[serde(rename = "move")]
    mv: String,
    /// The first move of the list that leads to the same position by symmetry, if that is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    same_as: Option<String>,
    kind: BookKind,
    /// What it is worth to the side that plays it; null if that is not known.
    value: Option<i8>,
    /// What the value rests on, if the move leads to a position of the book.
    #[serde(skip_serializing_if = "Option::is_none")]
    reached: Option<ReachedBody>,
    /// How many games kept on this server went on with it; null after 30 moves.
    games: Option<u32>,
    /// The opening with a name that it leads to; left out if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<OpeningBody>,
}

/// What the value of a move rests on that leads to a position of the book.
#[derive(Clone, Copy, Serialize, ToSchema)]
struct ReachedBody {
    /// The score is at least this for the side that plays the move: proved.
    lower: i8,
    /// The score is at most this: proved.
    upper: i8,
    /// How many moves of the best line, this one included, there are before the search that the value rests on.
    plies: u8,
    /// The depth of the search at the end of that line, in plies.
    depth: u8,
    /// In how many of 100 cases its cuts are right.
    selectivity: u8,
}

/// A move of the tree, and the best moves after it.
#[derive(Serialize, ToSchema)]
struct TreeMove {
    /// A square.
    #[serde(rename = "move")]
    mv: String,
    /// The side that plays it.
    color: ColorWord,
    /// What it is worth to that side.
    value: i8,
    /// The opening with a name that it leads to; left out if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<OpeningBody>,
    /// The best moves after it that are known.
    #[schema(no_recursion)]
    tree: Vec<TreeMove>,
}

/// What the book knows of a position
#[utoipa::path(
    get,
    path = "/api/book",
    operation_id = "look_up_position",
    tag = "analysis",
    params(BookRequest),
    responses((status = 200, body = BookBody))
)]
pub(crate) async fn show(
    State(app): State<App>,
    Query(request): Query<BookRequest>,
) -> Result<Json<BookBody>, Refusal> {
    let mut game = request.game()?;
    pass_if_forced(&mut game);
    let (rule, size) = (game.rule(), game.size());
    let position = game.position();
    let board = position.board().expect("games of requests are on small boards");
    let book = app.books().find(rule, size);
    let view = book.and_then(|book| view(book, board));
    let worths = worths(book, board, position.moves(), view.as_ref());
    let is_counted = size.cells() - (position.empties() as usize) < MOST_COUNTED_MOVES + 4;
    let counts = match is_counted {
        true => Some(app.store().played(steps(board, (rule, size), &worths)).await?),
        false => None,
    };
    let moves = described(board, size, worths, counts.as_deref());
    let tree = book.map(|book| book.branches(board, &WIDTHS)).unwrap_or_default();
    let different = moves.iter().filter(|it| it.same_as.is_none());
    Ok(Json(BookBody {
        books: app.books().all().map(BookAbout::of).collect(),
        opening: Opening::of(&game).map(OpeningBody::from),
        known: view.as_ref().map(KnownBody::of),
        games: different.map(|it| it.games).sum(),
        tree: tree.iter().map(|branch| TreeMove::new(branch, position)).collect(),
        moves,
    }))
}

fn view(book: &Book, board: Board) -> Option<View> {
    if board.moves(book.size()) == 0 {
        return None;
    }
    book.view(board)
}

/// A legal move, its value if that is known, and what the value rests on.
type MoveWorth = (Square, Option<(i8, What)>);

/// Every legal move, and what is known of it.
fn worths(
    book: Option<&Book>,
    board: Board,
    squares: Vec<Square>,
    view: Option<&View>,
) -> Vec<MoveWorth> {
    if let Some(view) = view {
        let known = |it: &MoveView| (it.square, Some((it.value, it.what.clone())));
        // A book that came from elsewhere may know nothing of some moves.
        let is_missing = |square: &Square| view.moves.iter().all(|it| it.square != *square);
        let missing = squares.into_iter().filter(is_missing).map(|square| (square, None));
        return view.moves.iter().map(known).chain(missing).collect();
    }
    let reached = |square| book.and_then(|book| book.reached(board, square));
    let mut worths: Vec<MoveWorth> =
        squares.into_iter().map(|square| (square, reached(square))).collect();
    // The sort is stable: moves without a value stay in the order of squares.
    worths
        .sort_by_key(|(_, worth)| worth.as_ref().map_or(i16::MAX, |(value, _)| -i16::from(*value)));
    worths
}

fn after(board: Board, square: Square, size: Size) -> Board {
    board.play(square, size).expect("a legal move")
}

/// The steps that moves are, to be counted.
fn steps(board: Board, (rule, size): (Rule, Size), moves: &[MoveWorth]) -> Vec<Step> {
    let step = |(square, _): &MoveWorth| Step::new(rule, size, board, after(board, *square, size));
    moves.iter().map(step).collect()
}

/// The moves with all that there is to say of them.
fn described(
    board: Board,
    size: Size,
    worths: Vec<MoveWorth>,
    counts: Option<&[u32]>,
) -> Vec<BookMove> {
    let mut seen: Vec<(Board, Square)> = Vec::new();
    let describe = |(at, (square, worth)): (usize, MoveWorth)| {
        let next = after(board, square, size);
        let (image, _) = next.canonical(size);
        let same = seen.iter().find(|(board, _)| *board == image).map(|(_, square)| *square);
        if same.is_none() {
            seen.push((image, square));
        }
        let (value, what) = worth.unzip();
        let (kind, reached) = what.map_or((BookKind::Unknown, None), |what| kind(&what));
        let opening = if size == Size::EIGHT { Opening::at(next) } else { None };
        BookMove {
            mv: square.to_string(),
            same_as: same.map(|square| square.to_string()),
            kind,
            value,
            reached,
            games: counts.map(|counts| counts[at]),
            opening: opening.map(OpeningBody::from),
        }
    };
    worths.into_iter().enumerate().map(describe).collect()
}

fn kind(what: &What) -> (BookKind, Option<ReachedBody>) {
    match *what {
        What::Over => (BookKind::Over, None),
        What::Known { bounds: (lower, upper), plies, depth, confidence } => {
            let selectivity = confidence;
            (BookKind::Known, Some(ReachedBody { lower, upper, plies, depth, selectivity }))
        }
        What::Searched => (BookKind::Searched, None),
        What::Estimated => (BookKind::Estimated, None),
    }
}

impl BookAbout {
    fn of(book: &Book) -> BookAbout {
        BookAbout { rule: book.rule().into(), size: book.size().width(), positions: book.len() }
    }
}

impl KnownBody {
    fn of(view: &View) -> KnownBody {
        let (finding, worth) = (&view.entry.finding, view.entry.worth);
        KnownBody {
            value: worth.value,
            lower: worth.lower,
            upper: worth.upper,
            pv: view.line.iter().map(ToString::to_string).collect(),
            plies: worth.plies,
            depth: finding.depth,
            selectivity: finding.confidence,
            exact: finding.is_exact,
            nodes: finding.nodes,
        }
    }
}

impl TreeMove {
    /// A branch of the tree at `position`.
    fn new(branch: &Branch, position: &Position) -> TreeMove {
        let next = position.play(branch.square).expect("a legal move");
        let board = next.board().filter(|_| next.size() == Size::EIGHT);
        let opening = board.and_then(Opening::at).map(OpeningBody::from);
        let next = if next.must_pass() { next.pass() } else { next };
        TreeMove {
            mv: branch.square.to_string(),
            color: position.turn().into(),
            value: branch.value,
            opening,
            tree: branch.branches.iter().map(|branch| TreeMove::new(branch, &next)).collect(),
        }
    }
}
