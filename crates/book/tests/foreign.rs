//! Books of other programs: there and back, byte by byte as they are described, and files that are none.

use isrever_board::{Board, Square, squares};
use isrever_book::foreign::{Contents, ForeignError, Format, RULE, SIZE, read, write};
use isrever_book::{After, Book, Finding, Graph, Line, Policy, UNKNOWN, What, Worth, after};
use isrever_testkit::{brute_force, unfinished_boards};
use proptest::prelude::*;
use std::collections::HashSet;

/// A finding about `board` that a search might have: numbers from the hash of the board.
fn guess(board: Board) -> Finding {
    let moves: Vec<Square> = squares(board.moves(SIZE)).collect();
    let hash = board.hash();
    let number = |at: u32| (hash.rotate_left(at) % 15) as i8 - 7;
    let best = moves[hash as usize % moves.len()];
    let estimates = (1..=moves.len() as u32).map(number).collect();
    let depth = board.empties(SIZE).count_ones().min(14) as u8;
    Finding {
        board,
        value: number(0),
        best,
        depth,
        confidence: 73,
        is_exact: false,
        nodes: 5000,
        estimates,
    }
}

/// The score of a position, as a proof.
fn proof(board: Board) -> Finding {
    let score = |square: &Square| match after(board, *square, SIZE, RULE) {
        After::Over(score) => score.into(),
        After::Position { board, is_reply: true } => -brute_force(board, SIZE, RULE),
        After::Position { board, .. } => brute_force(board, SIZE, RULE),
    };
    Finding {
        value: brute_force(board, SIZE, RULE) as i8,
        best: squares(board.moves(SIZE)).max_by_key(score).unwrap(),
        depth: board.empties(SIZE).count_ones() as u8,
        confidence: 100,
        is_exact: true,
        ..guess(board)
    }
}

/// A book of guesses that has grown from the start.
fn grown(count: usize) -> Graph {
    let mut graph = Graph::new(RULE, SIZE);
    while graph.len() < count {
        for board in graph.next(3, &Policy::default(), &HashSet::new()) {
            graph.insert(guess(board));
        }
        graph.propagate();
    }
    graph
}

/// Everything from some endings on, with passes and finished games.
fn endings(find: fn(Board) -> Finding) -> Graph {
    let mut graph = Graph::new(RULE, SIZE);
    let mut queue: Vec<Board> = unfinished_boards(SIZE, 5, 30);
    while let Some(board) = queue.pop() {
        let board = if board.moves(SIZE) == 0 { board.pass() } else { board };
        let (board, _) = board.canonical(SIZE);
        if board.moves(SIZE) == 0 || !graph.insert(find(board)) {
            continue;
        }
        queue.extend(squares(board.moves(SIZE)).map(|square| board.play(square, SIZE).unwrap()));
    }
    graph.propagate();
    graph
}

fn book(graph: &Graph) -> Book {
    Book::from_bytes(graph.to_bytes("a recipe").into()).unwrap()
}

/// The book that comes back from another program's format.
fn there_and_back(graph: &Graph, format: Format) -> Book {
    let bytes = write(&book(graph), format).unwrap();
    assert_eq!(Format::of_bytes(&bytes), Some(format));
    let Contents { findings, without_move } = read(&bytes, format).unwrap();
    assert_eq!(without_move, 0);
    let mut back = Graph::new(RULE, SIZE);
    for finding in findings {
        assert!(back.insert(finding), "once");
    }
    back.propagate();
    book(&back)
}

/// Values, bounds, best moves and lengths of lines.
fn worths(book: &Book) -> Vec<(Board, Worth)> {
    book.entries().map(|entry| (entry.finding.board, entry.worth)).collect()
}

#[test]
fn positions_values_and_best_moves_come_back() {
    for graph in [grown(300), endings(guess)] {
        for format in Format::ALL {
            let back = there_and_back(&graph, format);
            assert_eq!(back.check(), Ok(()));
            assert_eq!(worths(&back), worths(&book(&graph)), "{format}");
        }
    }
}

#[test]
fn edax_keeps_proofs_and_egaroucid_the_scores() {
    let graph = endings(proof);
    let ours = book(&graph);
    assert_eq!(worths(&there_and_back(&graph, Format::Edax)), worths(&ours));
    let back = there_and_back(&graph, Format::Egaroucid);
    let values = |book: &Book| -> Vec<(Board, i8)> {
        book.entries().map(|entry| (entry.finding.board, entry.worth.value)).collect()
    };
    assert_eq!(values(&back), values(&ours));
    assert!(back.entries().all(|entry| !entry.finding.is_exact));
    // A proof stands against guesses after it.
    let board = unfinished_boards(SIZE, 6, 40).into_iter().find(|board| board.moves(SIZE) != 0);
    let (board, _) = board.unwrap().canonical(SIZE);
    let mut graph = Graph::new(RULE, SIZE);
    graph.insert(proof(board));
    for square in squares(board.moves(SIZE)) {
        if let After::Position { board, .. } = after(board, square, SIZE, RULE) {
            graph.insert(guess(board));
        }
    }
    graph.propagate();
    let back = there_and_back(&graph, Format::Edax);
    assert_eq!(worths(&back), worths(&book(&graph)));
}

#[test]
fn every_link_of_an_edax_book_leads_to_a_position_of_it() {
    let mut passes = 0;
    for graph in [grown(100), endings(guess), endings(proof)] {
        let bytes = write(&book(&graph), Format::Edax).unwrap();
        let positions = edax_positions(&bytes);
        let boards: HashSet<Board> = positions.iter().map(|(board, _)| *board).collect();
        assert_eq!(boards.len(), positions.len(), "each once");
        for (board, links) in positions {
            assert_eq!(board.canonical(SIZE).0, board);
            for link in links {
                passes += u32::from(link == 64);
                let next = match link {
                    64 => board.pass(),
                    _ => board.play(Square::from_index(link.into()), SIZE).unwrap(),
                };
                assert!(boards.contains(&next.canonical(SIZE).0), "{board:?} {link}");
            }
        }
    }
    assert!(passes > 0, "some side must pass");
}

/// The boards of an Edax book with the squares of their links, read in the plainest way.
fn edax_positions(bytes: &[u8]) -> Vec<(Board, Vec<u8>)> {
    let mut positions = Vec::new();
    let mut at = 42;
    while at < bytes.len() {
        let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        let board = Board { player: word(at), opponent: word(at + 8) };
        let links = usize::from(bytes[at + 38]);
        positions.push((board, (0..links).map(|link| bytes[at + 41 + 2 * link]).collect()));
        at += 42 + 2 * links;
    }
    assert_eq!(positions.len(), u32::from_le_bytes(bytes[38..42].try_into().unwrap()) as usize);
    positions
}

/// The start position, d3 the best move by a search of 21 plies.
fn start() -> Graph {
    let (board, _) = Board::start(SIZE).canonical(SIZE);
    let best = "d3".parse().unwrap();
    let mut graph = Graph::new(RULE, SIZE);
    graph.insert(Finding { value: -2, best, depth: 21, ..guess(board) });
    graph.propagate();
    graph
}

#[rustfmt::skip]
const EDAX: [u8; 84] = [
    b'X', b'A', b'D', b'E', b'K', b'O', b'O', b'B', 4, 4,
    0xb2, 0x07, 1, 1, 0, 0, 0, 0,                      // 1970-01-01 00:00:00, padding
    21, 0, 0, 0,  60, 0, 0, 0,  2, 0, 0, 0,  1, 0, 0, 0,  0, 0, 0, 0,
    1, 0, 0, 0,                                        // one position
    0, 0, 0, 0x10, 0x08, 0, 0, 0,                      // e4 d5
    0, 0, 0, 0x08, 0x10, 0, 0, 0,                      // d4 e5
    0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0, // games
    0xfe, 0xff,  0xc0, 0xff,  0x40, 0,                 // −2, at least −64, at most 64
    0, 21,                                             // no links, level 21
    0xfe, 19,                                          // leaf: −2, d3
];

#[rustfmt::skip]
const EGAROUCID: [u8; 39] = [
    b'D', b'I', b'C', b'U', b'O', b'R', b'A', b'G', b'E', 3,
    1, 0, 0, 0,                                        // one position
    0, 0, 0, 0x10, 0x08, 0, 0, 0,
    0, 0, 0, 0x08, 0x10, 0, 0, 0,
    0xfe, 21,                                          // −2, level 21
    0, 0, 0, 0,                                        // lines
    0xfe, 19, 21,                                      // leaf: −2, d3 (f6 for Egaroucid), level 21
];

#[test]
fn the_bytes_are_those_that_the_guide_describes() {
    assert_eq!(write(&book(&start()), Format::Edax).unwrap(), EDAX);
    assert_eq!(write(&book(&start()), Format::Egaroucid).unwrap(), EGAROUCID);
    for (format, bytes) in [(Format::Edax, &EDAX[..]), (Format::Egaroucid, &EGAROUCID)] {
        let Contents { findings, without_move } = read(bytes, format).unwrap();
        let (board, _) = Board::start(SIZE).canonical(SIZE);
        let best = "d3".parse().unwrap();
        let estimates = vec![-2, UNKNOWN, UNKNOWN, UNKNOWN];
        let expected = Finding { value: -2, best, depth: 21, nodes: 0, estimates, ..guess(board) };
        assert_eq!((findings, without_move), (vec![expected], 0), "{format}");
    }
}

#[test]
fn links_and_leaves_of_edax_become_moves() {
    // After the first move there are three: a link of −2, a leaf of −4, and one that is not named.
    let (start, _) = Board::start(SIZE).canonical(SIZE);
    let (board, _) = start.play("d3".parse().unwrap(), SIZE).unwrap().canonical(SIZE);
    let moves: Vec<Square> = squares(board.moves(SIZE)).collect();
    let [link, leaf, rest] = moves[..] else { panic!("three moves") };
    let mut bytes = EDAX.to_vec();
    bytes[42..50].copy_from_slice(&board.player.to_le_bytes());
    bytes[50..58].copy_from_slice(&board.opponent.to_le_bytes());
    bytes[80] = 1;
    bytes.splice(82..84, [0xfe, link.index() as u8, 0xfc, leaf.index() as u8]);
    let Contents { findings, .. } = read(&bytes, Format::Edax).unwrap();
    let found = &findings[0];
    assert_eq!((found.value, found.best), (-2, link));
    assert_eq!(found.estimates, [-2, -4, UNKNOWN]);
    let mut graph = Graph::new(RULE, SIZE);
    graph.insert(guess(start));
    graph.insert(found.clone());
    graph.propagate();
    let book = book(&graph);
    assert_eq!(book.check(), Ok(()));
    // Of the third move the book says nothing, nor do lines of JSON.
    let view = book.view(board).unwrap();
    let shown: Vec<_> = view.moves.iter().map(|it| (it.square, it.value, &it.what)).collect();
    assert_eq!(shown, [(link, -2, &What::Searched), (leaf, -4, &What::Estimated)]);
    let line = serde_json::to_string(&Line::new(found, SIZE)).unwrap();
    assert!(line.contains(&format!("\"{rest}\":null")), "{line}");
    let line: Line = serde_json::from_str(&line).unwrap();
    assert_eq!(line.finding(SIZE).as_ref(), Ok(found));
    // It is looked at last.
    let beyond = |square| match after(board, square, SIZE, RULE) {
        After::Position { board, .. } => board,
        After::Over(_) => unreachable!("the game goes on"),
    };
    let next = graph.next(9, &Policy::default(), &HashSet::new());
    assert_eq!(next, [link, leaf, rest].map(beyond));
}

#[test]
fn a_position_without_a_move_is_a_value_of_the_move_to_it() {
    // Egaroucid: the start position and the one after it, neither with a leaf.
    let (board, _) = Board::start(SIZE).canonical(SIZE);
    let after_move = board.play("d3".parse().unwrap(), SIZE).unwrap().canonical(SIZE).0;
    let mut bytes = EGAROUCID.to_vec();
    bytes[10] = 2;
    bytes.splice(36..38, [0x82, 65]);
    bytes.extend(after_move.player.to_le_bytes());
    bytes.extend(after_move.opponent.to_le_bytes());
    bytes.extend([2, 21, 0, 0, 0, 0, 0x82, 125, 0xff]);
    let Contents { findings, without_move } = read(&bytes, Format::Egaroucid).unwrap();
    assert_eq!((findings.len(), without_move), (1, 1));
    let estimates = &findings[0].estimates;
    assert_eq!(
        (findings[0].value, &estimates[..]),
        (-2, &[-2; 4][..]),
        "four moves to one position"
    );
}

#[test]
fn what_is_no_book_of_theirs_is_refused() {
    let golden = [(Format::Edax, &EDAX[..], 8), (Format::Egaroucid, &EGAROUCID, 9)];
    for (format, bytes, version) in golden {
        for end in 0..bytes.len() {
            let expected = match end {
                _ if end < version => ForeignError::NotBook(format),
                _ => ForeignError::Length(format),
            };
            assert_eq!(read(&bytes[..end], format), Err(expected), "{format} cut after {end}");
        }
        let longer = [bytes, &[0]].concat();
        assert_eq!(read(&longer, format), Err(ForeignError::Length(format)));
        let changed = |at: usize, to: u8| {
            let mut changed = bytes.to_vec();
            changed[at] = to;
            read(&changed, format).unwrap_err()
        };
        assert_eq!(changed(0, b'x'), ForeignError::NotBook(format));
        assert_eq!(changed(version, 9), ForeignError::Version(format, 9));
        let impossible = ForeignError::Impossible(format, 1);
        let first = bytes.len() - if format == Format::Edax { 42 } else { 25 };
        // Two discs on e4; a leaf on a1.
        assert_eq!(changed(first + 11, 0x18), impossible);
        let leaf = if format == Format::Edax { 83 } else { 37 };
        assert_eq!(changed(leaf, 0), impossible);
        // A value beyond the board, or a level beyond the last.
        let value = if format == Format::Edax { 82 } else { 30 };
        assert_eq!(changed(value, 65), impossible);
    }
    let mut level = EDAX;
    level[81] = 61;
    assert_eq!(read(&level, Format::Edax), Err(ForeignError::Impossible(Format::Edax, 1)));
    let other = read(&EDAX, Format::Egaroucid).unwrap_err();
    assert_eq!(
        other.to_string(),
        "not a book of Egaroucid; expected a file that begins with DICUORAGE"
    );
}

#[test]
fn books_of_other_rules_and_boards_stay_here() {
    let small = Graph::new(RULE, isrever_board::Size::SIX);
    let other = isrever_board::Rule::ALL.into_iter().find(|&rule| rule != RULE).unwrap();
    let other = Graph::new(other, SIZE);
    let refusal = |graph: &Graph, format| write(&book(graph), format).unwrap_err().to_string();
    assert_eq!(
        refusal(&small, Format::Edax),
        "a book for 6x6; expected one for 8x8, which Edax plays"
    );
    assert_eq!(
        refusal(&other, Format::Egaroucid),
        "a book of the reversed rule; expected one of the normal rule, which Egaroucid plays"
    );
}

#[test]
fn an_empty_book_is_one_too() {
    for format in Format::ALL {
        let bytes = write(&book(&Graph::new(RULE, SIZE)), format).unwrap();
        assert_eq!(read(&bytes, format), Ok(Contents { findings: Vec::new(), without_move: 0 }));
        assert_eq!(Format::of_extension(&format.extension().to_uppercase()), Some(format));
    }
    assert_eq!(Format::of_extension("book"), None);
    assert_eq!(Format::of_bytes(b"ISRBOOK"), None);
}

proptest! {
    /// Whatever bytes come, reading ends with findings that can be in a book, or with a reason.
    #[test]
    fn no_bytes_make_a_reader_panic(
        noise in proptest::collection::vec((0usize..400, any::<u8>()), 0..12),
        count in 0usize..30,
        is_edax in any::<bool>(),
    ) {
        let format = if is_edax { Format::Edax } else { Format::Egaroucid };
        let mut bytes = write(&book(&grown(count)), format).unwrap();
        for (at, byte) in noise {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        if let Ok(Contents { findings, .. }) = read(&bytes, format) {
            let mut graph = Graph::new(RULE, SIZE);
            for finding in findings {
                prop_assert_eq!(finding.check(SIZE), Ok(()));
                graph.insert(finding);
            }
            graph.propagate();
            prop_assert_eq!(book(&graph).check(), Ok(()));
        }
    }
}
