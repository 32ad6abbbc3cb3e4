//! The engine's moves out of a book.
//!
//! A book's values rest on searches of every position of a line, which together
//! look further than a search at the board. So its moves are played at once, with
//! three exceptions: where the book has nothing but its own search of the position
//! and there is time for a longer one; where a search of this game has looked
//! further than the book, and found the move worse; and where a move is a guess.
//!
//! A proved move of a position is always the same one: a perfect strategy has answers
//! to all that follows it, and perhaps none after another move that is as good.

use super::PlayerSettings;
use super::watchdog::time_left;
use crate::books::load_book;
use crate::level::{Level, weakened_choice};
use isrever_agent::{Limits, LoadError};
use isrever_board::{Board, Move, Rule, Size, Square};
use isrever_book::{Book, BookError, MoveView, View, What, played};
use isrever_search::{Answer, Bounds, Searcher};
use std::path::Path;

/// Which book the engine plays from.
#[derive(Clone, Copy, Debug, Default)]
pub enum BookChoice {
    /// None.
    #[default]
    None,
    /// The embedded one where nothing but time is limited: whoever counts plies or nodes wants to see
    /// a search.
    Usual,
    /// The embedded one, in games that have one.
    Embedded,
    /// This one, in games of its rule and size.
    Book(&'static Book),
}

/// Games differ because moves that lose less than this many discs are played too, the more seldom
/// the more they lose: one disc with an eighty-first of the weight of the best move. Where discs are
/// as few as here, a disc given away more often shows in the results.
const SLACK: f64 = 1.5;

/// About as many nodes as a thread searches in a second: says whether there is time for a longer
/// search than one of the book.
const NODES_PER_SECOND: f64 = 2e6;

/// Weaker levels play without a book.
const FIRST_LEVEL: u8 = 15;

impl BookChoice {
    /// The usual book at full strength and at levels near it, and none below.
    pub fn of_level(level: Option<Level>) -> BookChoice {
        match level {
            Some(level) if level.number() < FIRST_LEVEL => BookChoice::None,
            _ => BookChoice::Usual,
        }
    }

    /// The book that `name` stands for: `none`, `embedded` (the one for the game, if there is one),
    /// `embedded-6x6`, or a file that `book grow` wrote.
    ///
    /// # Errors
    /// If there is no such file, or it is no book.
    pub fn named(name: &str) -> Result<BookChoice, LoadError<BookError>> {
        match name {
            "none" => Ok(BookChoice::None),
            "embedded" => Ok(BookChoice::Embedded),
            name => match Book::named(name) {
                Some(book) => Ok(BookChoice::Book(book)),
                None => load_book(Path::new(name)).map(BookChoice::Book),
            },
        }
    }

    /// What to say if it has no book for games of this rule and size, although one was named.
    pub fn remark(self, rule: Rule, size: Size) -> Option<String> {
        match self {
            BookChoice::None | BookChoice::Usual => None,
            BookChoice::Embedded => Book::embedded(rule, size).is_none().then(|| {
                format!("there is none for the {rule} rule on {size}x{size}; playing without")
            }),
            BookChoice::Book(book) => {
                let (own, width) = (book.rule(), book.size());
                ((own, width) != (rule, size)).then(|| {
                    format!(
                        "a book of the {own} rule on {width}x{width}; playing the {rule} rule on \
                         {size}x{size} without"
                    )
                })
            }
        }
    }

    /// The book for games of this rule and size within such limits.
    pub(super) fn book(self, rule: Rule, size: Size, limits: &Limits) -> Option<&'static Book> {
        match self {
            BookChoice::None => None,
            BookChoice::Usual if limits.depth.is_some() || limits.nodes.is_some() => None,
            BookChoice::Usual => Book::embedded(rule, size),
            BookChoice::Embedded => Book::embedded(rule, size),
            BookChoice::Book(book) => {
                Some(book).filter(|it| (it.rule(), it.size()) == (rule, size))
            }
        }
    }
}

/// The book's move on `board`, if it has one that can be trusted. `searcher` is what searched this
/// game so far.
pub(super) fn book_move(
    book: &Book,
    board: Board,
    settings: &PlayerSettings,
    limits: &Limits,
    searcher: Option<&Searcher>,
) -> Option<Answer> {
    let view = book.view(board)?;
    let (finding, worth) = (&view.entry.finding, view.entry.worth);
    let is_proved = worth.lower == worth.upper;
    let is_own_search = worth.plies == 0 && !is_proved;
    if is_own_search && nodes_at_hand(limits, settings.threads) > finding.nodes as f64 {
        return None;
    }
    let turn_back = board.canonical(book.size()).1.inverse();
    let proved = finding.is_exact.then(|| turn_back.square(finding.best, book.size()));
    let is_candidate = |it: &&MoveView| match it.what {
        _ if proved.is_some() => proved == Some(it.square),
        What::Estimated => false,
        // Beside a proved score only moves count that are proved to reach it.
        What::Known { bounds, .. } => !is_proved || bounds.0 >= worth.value,
        What::Over | What::Searched => it.value == worth.value || !is_proved,
    };
    let moves: Vec<&MoveView> = view.moves.iter().filter(is_candidate).collect();
    let best = moves.iter().map(|it| it.value).max()?;
    let is_refuted = |it: &&MoveView| searcher.is_some_and(|known| is_refuted(known, board, it));
    // Where the best move is refuted, the book is wrong about the others as well, or may be.
    if moves.iter().filter(|it| it.value == best).any(is_refuted) {
        return None;
    }
    let moves: Vec<&MoveView> = moves.into_iter().filter(|it| !is_refuted(it)).collect();
    let values: Vec<f64> = moves.iter().map(|it| it.value.into()).collect();
    let chosen = moves[weakened_choice(&values, SLACK, settings.seed, board)?];
    let line = match view.line.first() == Some(&chosen.square) {
        true => view.line.clone(),
        false => line_from(book, board, chosen.square),
    };
    Some(answer(&view, chosen, is_proved, with_passes(board, &line, book.size())))
}

/// The line that begins with `square`: from there on the book's best one, without passes.
fn line_from(book: &Book, board: Board, square: Square) -> Vec<Square> {
    [vec![square], book.line(played(board, square, book.size()))].concat()
}

/// As many nodes as a search within `limits` will see, roughly. A clock for the whole game is not
/// counted: what the opening does not take, the rest of the game has.
fn nodes_at_hand(limits: &Limits, threads: usize) -> f64 {
    let by_time =
        time_left(limits).map(|time| time.as_secs_f64() * NODES_PER_SECOND * threads as f64);
    let by_nodes = limits.nodes.map(|nodes| nodes as f64);
    match (by_time, by_nodes) {
        (Some(time), Some(nodes)) => time.min(nodes),
        (one, other) => one.or(other).unwrap_or(0.0),
    }
}

/// Whether the searcher has looked further at a move than the book, and found it worse.
fn is_refuted(searcher: &Searcher, board: Board, it: &MoveView) -> bool {
    let size = searcher.settings().size;
    let (depth, confidence) = match it.what {
        What::Known { bounds, .. } if bounds.0 >= it.value => return false,
        What::Known { plies, depth, confidence, .. } => {
            (u32::from(plies) + u32::from(depth), confidence)
        }
        _ => return false,
    };
    let after = board.play(it.square, size).expect("a legal move");
    let worse = |known: Bounds| {
        let is_deeper = known.depth + 1 > depth && known.confidence >= confidence;
        // What the opponent has at least, the move leaves us at most.
        is_deeper && -known.lower < i32::from(it.value)
    };
    searcher.remembered(after).is_some_and(worse)
}

/// A move of the book as an answer.
fn answer(view: &View, chosen: &MoveView, is_proved: bool, pv: Vec<Move>) -> Answer {
    let finding = &view.entry.finding;
    let (depth, confidence) = match chosen.what {
        What::Known { plies, depth, confidence, .. } => {
            (u32::from(plies) + u32::from(depth), confidence)
        }
        What::Over => (1, 100),
        What::Searched | What::Estimated => (finding.depth.into(), finding.confidence),
    };
    Answer {
        value: chosen.value.into(),
        is_exact: is_proved,
        pv,
        depth,
        confidence: if is_proved { 100 } else { confidence },
        iterations: 1,
        ..Answer::game_over(0)
    }
}

/// A line of a book, which leaves passes out, with them.
fn with_passes(mut board: Board, line: &[Square], size: Size) -> Vec<Move> {
    let mut moves = Vec::new();
    for &square in line {
        if board.moves(size) == 0 {
            board = board.pass();
            moves.push(Move::Pass);
        }
        board = board.play(square, size).expect("a legal move");
        moves.push(Move::Place(square));
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Player;
    use isrever_agent::Agent;
    use isrever_board::{Game, squares};
    use isrever_book::{Finding, Graph};
    use std::time::Duration;

    const SIZE: Size = Size::SIX;

    /// A finding of this value about the position of `game`, with the move `best`.
    fn finding(game: &Game, value: i8, best: &str) -> Finding {
        let (board, symmetry) = game.position().board().unwrap().canonical(SIZE);
        let best = symmetry.square(best.parse().unwrap(), SIZE);
        let estimates = squares(board.moves(SIZE)).map(|_| value).collect();
        let (depth, confidence, nodes, is_exact) = (8, 73, 1_000, false);
        Finding { board, value, best, depth, confidence, is_exact, nodes, estimates }
    }

    fn after(moves: &[&str]) -> Game {
        let mut game = Game::new(Rule::Reversed, SIZE);
        moves.iter().for_each(|mv| game.play(Move::Place(mv.parse().unwrap())).unwrap());
        game
    }

    /// A book of the position after c2, and of those after the replies there to these values for
    /// the side that replies.
    fn book(replies: &[(&str, i8)]) -> &'static Book {
        let mut graph = Graph::new(Rule::Reversed, SIZE);
        let mut insert = |moves: &[&str], value| {
            let game = after(moves);
            let first = game.position().moves()[0].to_string();
            graph.insert(finding(&game, value, &first));
        };
        insert(&["c2"], replies[0].1);
        replies.iter().for_each(|&(reply, value)| insert(&["c2", reply], -value));
        graph.propagate();
        let book = Book::from_bytes(graph.to_bytes("").into()).unwrap();
        Box::leak(Box::new(book))
    }

    fn player(book: &'static Book, seed: u64) -> Player {
        let opening = BookChoice::Book(book);
        Player::new(PlayerSettings { opening, seed, ..PlayerSettings::default() })
    }

    #[test]
    fn moves_within_the_margin_are_played_and_no_others() {
        let game = after(&["c2"]);
        let replies: Vec<String> =
            game.position().moves().iter().map(ToString::to_string).collect();
        let [one, two, three] = [0, 1, 2].map(|at| replies[at].as_str());
        let book = book(&[(one, 3), (two, 2), (three, 1)]);
        let mut counts = [0; 3];
        for seed in 0..2_000 {
            let choice = player(book, seed).choose(&game, &Limits::default()).unwrap();
            assert_eq!(choice.nodes, 0, "nothing is searched");
            let square = choice.square.to_string();
            counts[replies.iter().position(|reply| *reply == square).unwrap()] += 1;
            assert_eq!(player(book, seed).choose(&game, &Limits::default()).unwrap(), choice);
        }
        // The weights are 1 and 1/81.
        assert!(counts[0] > 1_900 && counts[1] > 5 && counts[2] == 0, "{counts:?}");
    }

    #[test]
    fn a_leaf_of_the_book_is_searched_where_there_is_time_for_more_than_its_search() {
        let game = after(&["c2"]);
        let first = game.position().moves()[0].to_string();
        let mut graph = Graph::new(Rule::Reversed, SIZE);
        graph.insert(finding(&game, 1, &first));
        graph.propagate();
        let book = Book::from_bytes(graph.to_bytes("").into()).unwrap();
        let mut player = player(Box::leak(Box::new(book)), 1);
        let is_known = |player: &mut Player, limits| player.book_move(&game, &limits).is_some();
        assert!(is_known(&mut player, Limits::of_nodes(999)));
        assert!(!is_known(&mut player, Limits::of_nodes(1_001)));
        assert!(is_known(&mut player, Limits::of_time(Duration::ZERO)));
        assert!(!is_known(&mut player, Limits::of_time(Duration::from_secs(60))));
        assert!(is_known(&mut player, Limits::of_depth(3)));
        let elsewhere = after(&["c2", &first]);
        assert!(player.book_move(&elsewhere, &Limits::of_depth(3)).is_none());
    }

    #[test]
    fn a_move_that_a_deeper_search_of_the_game_refutes_is_not_played() {
        // Late enough for a proof, which is deeper than any book.
        let mut game = after(&["c2"]);
        while game.position().empties() > 12 {
            let square = game.position().moves().first().copied();
            game.play(square.map_or(Move::Pass, Move::Place)).unwrap();
        }
        while game.position().moves().len() < 3 {
            let square = game.position().moves().first().copied();
            game.play(square.map_or(Move::Pass, Move::Place)).unwrap();
        }
        let exact = Player::new(PlayerSettings::default()).every_move(
            &game,
            &Limits::of_depth(60),
            &mut |_| {},
        );
        let (best, worst) = (&exact[0], exact.last().unwrap());
        assert!(best.score() > worst.score(), "{exact:?}");
        // A book that thinks the worst move wins by everything.
        let wrong = worst.best().unwrap();
        let mut next = game.clone();
        next.play(wrong).unwrap();
        let reply = next.position().moves()[0].to_string();
        let mut graph = Graph::new(Rule::Reversed, SIZE);
        graph.insert(finding(&game, 30, &wrong.square().unwrap().to_string()));
        graph.insert(finding(&next, -30, &reply));
        graph.propagate();
        let book = Book::from_bytes(graph.to_bytes("").into()).unwrap();
        let mut player = player(Box::leak(Box::new(book)), 1);
        let limits = Limits::of_depth(2);
        assert_eq!(player.book_move(&game, &limits).unwrap().best(), Some(wrong));
        // It searches the position after the move, as a player who ponders does, and knows better.
        player.think(&next, &Limits::of_depth(60));
        assert_eq!(player.book_move(&game, &limits), None);
    }

    #[test]
    fn proved_moves_are_played_in_place_of_any_that_only_look_as_good() {
        let game = after(&["c2"]);
        let moves = game.position().moves();
        let [proved, likely] = [0, 1].map(|at| moves[at].to_string());
        let mut graph = Graph::new(Rule::Reversed, SIZE);
        let exact = |finding: Finding| Finding { is_exact: true, confidence: 100, ..finding };
        graph.insert(exact(finding(&game, 2, &proved)));
        let reply = |mv: &str| {
            let next = after(&["c2", mv]);
            let reply = next.position().moves()[0].to_string();
            (next, reply)
        };
        let (next, answer) = reply(&proved);
        graph.insert(exact(finding(&next, -2, &answer)));
        let (next, answer) = reply(&likely);
        graph.insert(finding(&next, -2, &answer));
        graph.propagate();
        let book = Book::from_bytes(graph.to_bytes("").into()).unwrap();
        let book: &'static Book = Box::leak(Box::new(book));
        for seed in 0..50 {
            let answer = player(book, seed).book_move(&game, &Limits::of_depth(1)).unwrap();
            assert_eq!(answer.best().unwrap().to_string(), proved);
            assert!(answer.is_exact && answer.value == 2.0);
        }
    }

    #[test]
    fn weak_levels_have_no_book_and_counted_searches_search() {
        let has_book = |opening: BookChoice, limits: &Limits| {
            opening.book(Rule::Reversed, Size::EIGHT, limits).is_some()
        };
        let free = Limits::default();
        let with_book = Level::all().filter(|&it| has_book(BookChoice::of_level(Some(it)), &free));
        let numbers: Vec<u8> = with_book.map(Level::number).collect();
        assert_eq!(numbers, [15, 16, 17, 18, 19, 20]);
        let usual = BookChoice::of_level(None);
        for (limits, is_usual) in [
            (free, true),
            (Limits::of_time(Duration::from_secs(1)), true),
            (Limits::of_depth(9), false),
            (Limits::of_nodes(9), false),
        ] {
            assert_eq!(has_book(usual, &limits), is_usual, "{limits:?}");
            assert!(
                has_book(BookChoice::Embedded, &limits) && !has_book(BookChoice::None, &limits)
            );
        }
    }
}
