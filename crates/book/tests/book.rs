//! Books on small boards, against values and bounds that are derived in the plainest way.

use isrever_board::{Board, Rule, Size, Symmetry, squares};
use isrever_book::{
    After, Book, BookError, Bytes, CheckError, Finding, FindingError, Graph, Line, LineError,
    Policy, StrategyError, What, after,
};
use isrever_testkit::brute_force;
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};

const RULE: Rule = Rule::Reversed;

/// A finding about `board` that a bad search might have: numbers from the hash of the board, and a
/// proof where few squares are empty.
fn finding(board: Board, size: Size, exact_from: u32) -> Finding {
    let moves: Vec<_> = squares(board.moves(size)).collect();
    let hash = board.hash();
    let number = |at: u32| (hash.rotate_left(at) % 15) as i8 - 7;
    let empties = board.empties(size).count_ones();
    let is_exact = empties <= exact_from;
    let value = match is_exact {
        true => brute_force(board, size, RULE) as i8,
        false => number(0),
    };
    let scores = moves.iter().map(|&square| match after(board, square, size, RULE) {
        After::Over(score) => score.into(),
        After::Position { board, is_reply: true } if is_exact => -brute_force(board, size, RULE),
        After::Position { board, .. } if is_exact => brute_force(board, size, RULE),
        After::Position { .. } => 0,
    });
    let best = match is_exact {
        true => moves[scores.enumerate().max_by_key(|&(_, score)| score).unwrap().0],
        false => moves[hash as usize % moves.len()],
    };
    Finding {
        board,
        value,
        best,
        depth: if is_exact { empties as u8 } else { 1 },
        confidence: if is_exact { 100 } else { 73 },
        is_exact,
        nodes: hash % 5_000_000,
        estimates: (1..=moves.len() as u32).map(number).collect(),
    }
}

/// A graph that has grown to `count` positions, or as far as it can.
fn grown(size: Size, count: usize, policy: &Policy, exact_from: u32) -> Graph {
    let mut graph = Graph::new(RULE, size);
    while graph.len() < count {
        let next = graph.next((count - graph.len()).min(3), policy, &HashSet::new());
        if next.is_empty() {
            break;
        }
        for board in next {
            assert!(graph.insert(finding(board, size, exact_from)), "it was not there");
        }
        graph.propagate();
    }
    graph
}

/// Value, lower and upper bound by the definition, from what a graph says of its findings alone.
fn plain(graph: &Graph, board: Board, known: &mut HashMap<Board, [i32; 3]>) -> Option<[i32; 3]> {
    if let Some(found) = known.get(&board) {
        return Some(*found);
    }
    let (size, (finding, _)) = (graph.size(), graph.find(board)?);
    let most = i32::from(size.width()).pow(2);
    let own = i32::from(finding.value);
    let mut found = match finding.is_exact {
        true => [own; 3],
        false => [-most, -most, -most],
    };
    if !finding.is_exact {
        for square in squares(board.moves(size)) {
            let of_move = match after(board, square, size, RULE) {
                After::Over(score) => [i32::from(score); 3],
                After::Position { board, is_reply } => match plain(graph, board, known) {
                    Some([value, lower, upper]) if is_reply => [-value, -upper, -lower],
                    Some(same) => same,
                    None if square == finding.best => [own, -most, most],
                    None => [-most, -most, most],
                },
            };
            for (found, of_move) in found.iter_mut().zip(of_move) {
                *found = (*found).max(of_move);
            }
        }
        found[0] = found[0].clamp(found[1], found[2]);
    }
    known.insert(board, found);
    Some(found)
}

fn book(graph: &Graph) -> Book {
    Book::from_bytes(graph.to_bytes("a recipe").into()).unwrap()
}

#[test]
fn values_and_bounds_are_those_of_the_definition() {
    for (size, count) in [(Size::FOUR, 150), (Size::SIX, 300), (Size::EIGHT, 300)] {
        let graph = grown(size, count, &Policy::default(), 6);
        assert_eq!(graph.len(), count);
        let mut known = HashMap::new();
        let mut longest = 0;
        for finding in graph.findings() {
            let (_, worth) = graph.find(finding.board).unwrap();
            let [value, lower, upper] = [worth.value, worth.lower, worth.upper].map(i32::from);
            let expected = plain(&graph, finding.board, &mut known).unwrap();
            assert_eq!([value, lower, upper], expected, "{finding:?}");
            longest = longest.max(worth.plies);
        }
        assert!(longest > 2, "lines lead through the book");
    }
}

#[test]
fn proved_bounds_hold_the_score_and_meet_at_last() {
    let size = Size::FOUR;
    let mut widths = Vec::new();
    for count in [50, 200, 100_000] {
        let graph = grown(size, count, &Policy { full: 60, ..Policy::default() }, 5);
        for finding in graph.findings() {
            let (_, worth) = graph.find(finding.board).unwrap();
            if finding.board.empties(size).count_ones() <= 8 {
                let score = brute_force(finding.board, size, RULE) as i8;
                assert!((worth.lower..=worth.upper).contains(&score), "{score} {worth:?}");
            }
        }
        let (start, _) = Board::start(size).canonical(size);
        let (_, worth) = graph.find(start).unwrap();
        widths.push((worth.lower, worth.upper));
    }
    assert_eq!(widths[0], (-16, 16));
    assert_eq!(widths[2], (4, 4), "4x4 is won by four discs");
}

#[test]
fn the_order_of_findings_does_not_matter() {
    let graph = grown(Size::SIX, 200, &Policy::default(), 6);
    let mut other = Graph::new(RULE, Size::SIX);
    let mut findings: Vec<_> = graph.findings().cloned().collect();
    findings.sort_by_key(|finding| finding.board.hash());
    for finding in findings {
        assert!(other.insert(finding.clone()));
        assert!(!other.insert(finding), "the same again is no news");
    }
    other.propagate();
    assert_eq!(other.to_bytes(""), graph.to_bytes(""));
}

#[test]
fn the_better_of_two_findings_stays() {
    let mut graph = Graph::new(RULE, Size::EIGHT);
    let (start, _) = Board::start(Size::EIGHT).canonical(Size::EIGHT);
    let found = finding(start, Size::EIGHT, 0);
    let deeper = Finding { nodes: found.nodes + 1, value: 3, ..found.clone() };
    let proved = Finding { nodes: 0, value: -2, depth: 60, is_exact: true, ..found.clone() };
    let inserted = [&found, &deeper, &found, &proved, &deeper].map(|it| graph.insert(it.clone()));
    assert_eq!(inserted, [true, true, false, true, false]);
    graph.propagate();
    assert_eq!(graph.find(start).unwrap().1.value, -2);
}

#[test]
fn in_full_all_positions_come_ply_by_ply() {
    let policy = Policy { full: 4, most_plies: 4, ..Policy::default() };
    let graph = grown(Size::EIGHT, 10_000, &policy, 0);
    let mut plies = [0; 6];
    let mut last = 0;
    for finding in graph.findings() {
        let ply = 60 - finding.board.empties(Size::EIGHT).count_ones() as usize;
        assert!(ply + 1 >= last, "nearly in order");
        last = last.max(ply);
        plies[ply] += 1;
    }
    assert_eq!(plies, [1, 1, 3, 14, 60, 0]);
}

#[test]
fn what_is_chosen_is_new_and_told_apart() {
    let graph = grown(Size::EIGHT, 120, &Policy::default(), 0);
    let all = graph.next(10_000, &Policy::default(), &HashSet::new());
    let unique: HashSet<Board> = all.iter().copied().collect();
    assert_eq!(unique.len(), all.len());
    assert!(all.iter().all(|&board| !graph.contains(board)));
    let pending: HashSet<Board> = all[..5].iter().copied().collect();
    let rest = graph.next(10_000, &Policy::default(), &pending);
    assert_eq!(rest.len(), all.len() - 5);
    assert!(rest.iter().all(|board| !pending.contains(board)));
    // The most urgent ones do not depend on how many are asked for.
    assert_eq!(graph.next(7, &Policy::default(), &HashSet::new()), all[..7]);
    assert_eq!(graph.next(0, &Policy::default(), &HashSet::new()), []);
}

#[test]
fn mistakes_are_followed_less_far_than_good_moves() {
    let size = Size::EIGHT;
    let (start, _) = Board::start(size).canonical(size);
    let deepest = |policy: &Policy| {
        let graph = grown(size, 150, policy, 0);
        let plies = |finding: &Finding| 60 - finding.board.empties(size).count_ones();
        graph.findings().map(plies).max().unwrap()
    };
    let free = Policy { own: 0.0, other: 0.0, ..Policy::default() };
    let dear = Policy { own: 50.0, other: 50.0, ..Policy::default() };
    assert!(deepest(&free) < deepest(&dear), "{} {}", deepest(&free), deepest(&dear));
    assert_eq!(Graph::new(RULE, size).next(9, &free, &HashSet::new()), [start]);
}

#[test]
fn a_book_is_its_graph_again_and_checks() {
    for size in [Size::FOUR, Size::SIX, Size::EIGHT] {
        let graph = grown(size, 150, &Policy::default(), 6);
        let book = book(&graph);
        assert_eq!((book.rule(), book.size(), book.len()), (RULE, size, 150));
        assert_eq!(book.recipe(), "a recipe");
        assert_eq!(book.check(), Ok(()));
        for entry in book.entries() {
            let (finding, worth) = graph.find(entry.finding.board).unwrap();
            // Nodes are kept to three digits.
            let error = finding.nodes.abs_diff(entry.finding.nodes);
            assert!(error * 1000 <= finding.nodes, "{error}");
            let exact = Finding { nodes: finding.nodes, ..entry.finding.clone() };
            assert_eq!((&exact, worth), (finding, entry.worth));
        }
        assert_eq!(book.graph().to_bytes("a recipe"), graph.to_bytes("a recipe"));
        let empty = Book::from_bytes(Graph::new(RULE, size).to_bytes("").into()).unwrap();
        assert!(empty.is_empty() && empty.check().is_ok());
        assert!(empty.find(Board::start(size)).is_none());
    }
}

#[test]
fn a_position_is_found_in_all_its_images_and_its_moves_turn_with_it() {
    let size = Size::EIGHT;
    let book = book(&grown(size, 200, &Policy::default(), 0));
    for entry in book.entries().step_by(10) {
        let board = entry.finding.board;
        let view = book.view(board).unwrap();
        assert_eq!(view.entry, entry);
        assert_eq!(view.moves.len(), entry.finding.estimates.len());
        assert_eq!(view.line.len(), usize::from(entry.worth.plies) + 1);
        let best = &view.moves[0];
        assert_eq!(best.value, entry.worth.value);
        assert_eq!(best.square, view.line[0], "the best line begins with the first move");
        assert!(view.moves.iter().all(|it| it.value <= best.value), "no guess is better");
        for symmetry in Symmetry::ALL {
            let image = book.view(symmetry.board(board, size)).unwrap();
            let turned = |it: &isrever_book::MoveView| (it.value, it.what.clone());
            let mut values: Vec<_> = image.moves.iter().map(turned).collect();
            values.sort_by_key(|it| format!("{it:?}"));
            let mut expected: Vec<_> = view.moves.iter().map(turned).collect();
            expected.sort_by_key(|it| format!("{it:?}"));
            assert_eq!(values, expected);
            let legal = symmetry.board(board, size).moves(size);
            assert!(image.moves.iter().all(|it| legal & it.square.bit() != 0));
        }
        let known = view.moves.iter().filter(|it| matches!(it.what, What::Known { .. })).count();
        let later = view.moves.iter().filter(|it| it.what == What::Estimated).count();
        assert!(known + later >= view.moves.len() - 1);
    }
}

#[test]
fn a_changed_book_is_refused_whatever_was_changed() {
    let graph = grown(Size::SIX, 20, &Policy::default(), 6);
    let bytes = graph.to_bytes("recipe");
    let read = |bytes: Vec<u8>| Book::from_bytes(bytes.into());
    for end in 0..bytes.len() {
        assert!(read(bytes[..end].to_vec()).is_err(), "cut after {end}");
    }
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        let error = read(changed).err().unwrap_or_else(|| panic!("changed at {at}"));
        let expected = match at {
            0..8 => BookError::NotBook,
            8 => BookError::Version(0x11),
            9 => BookError::Rule(bytes[9] ^ 0x10),
            10 => BookError::Size(6 ^ 0x10),
            _ => BookError::Damaged,
        };
        assert_eq!(error, expected, "changed at {at}");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert_eq!(read(longer).unwrap_err(), BookError::Damaged);
}

/// The bytes with a change that fits the checksum.
fn forged(bytes: &[u8], change: impl FnOnce(&mut [u8])) -> Book {
    let mut bytes = bytes.to_vec();
    change(&mut bytes);
    let checksum = crc32fast::hash(&bytes[16..]);
    bytes[12..16].copy_from_slice(&checksum.to_le_bytes());
    Book::from_bytes(bytes.into()).unwrap()
}

#[test]
fn branches_are_the_best_moves_of_the_book_once_each() {
    let size = Size::EIGHT;
    let graph = grown(size, 300, &Policy::default(), 6);
    let book = book(&graph);
    let start = Board::start(size);
    assert_eq!(book.branches(start, &[4]).len(), 1, "four first moves are one");
    let mut count = 0;
    for entry in book.entries() {
        for symmetry in [Symmetry::ALL[0], Symmetry::ALL[5]] {
            let board = symmetry.board(entry.finding.board, size);
            let view = book.view(board).unwrap();
            let branches = book.branches(board, &[3, 2]);
            assert!(branches.is_sorted_by_key(|branch| -branch.value));
            let reached = |square| book.reached(board, square);
            let best = view.moves.iter().filter(|it| it.what != What::Estimated);
            let best = best.filter(|it| it.what != What::Over).map(|it| it.value).max();
            assert_eq!(branches.first().map(|branch| branch.value), best);
            let first = branches.first().map(|branch| branch.square);
            let ends = matches!(reached(view.line[0]), Some((_, What::Over)));
            assert!(ends || first == Some(view.line[0]), "the best line begins with the first");
            for branch in &branches {
                let shown = view.moves.iter().find(|it| it.square == branch.square).unwrap();
                assert_eq!(branch.value, shown.value);
                assert!(reached(branch.square).is_some() || shown.what == What::Searched);
                assert!(branch.branches.len() <= 2);
                count += branch.branches.len();
            }
        }
    }
    assert!(count > 300, "{count}");
    assert_eq!(book.branches(start, &[]), []);
}

#[test]
fn a_forged_book_does_not_check() {
    let graph = grown(Size::SIX, 40, &Policy::default(), 6);
    let bytes = graph.to_bytes("recipe");
    let first = 32 + 6;
    let record = |number: usize| first + 32 * number;
    assert_eq!(forged(&bytes, |_| ()).check(), Ok(()));
    let swapped = forged(&bytes, |bytes| {
        let (one, other) = bytes[first..].split_at_mut(32);
        one.swap_with_slice(&mut other[..32]);
    });
    assert_eq!(swapped.check(), Err(CheckError::Order(2)));
    let value = forged(&bytes, |bytes| bytes[record(3) + 16] ^= 1);
    assert!(matches!(value.check(), Err(CheckError::Worth(..))));
    for (at, new) in [(0, 0xff), (19, 99), (20, 64), (21, 64), (22, 61), (23, 0), (23, 127)] {
        let wrong = forged(&bytes, |bytes| bytes[record(5) + at] = new);
        assert_eq!(wrong.check(), Err(CheckError::Impossible(6)), "byte {at}");
        // Whoever reads it all the same gets the rest.
        assert_eq!(wrong.entries().count(), 39);
    }
    let beyond = forged(&bytes, |bytes| bytes[record(7) + 30] = 0xff);
    assert_eq!(beyond.check(), Err(CheckError::Impossible(8)));
}

#[test]
fn a_book_is_read_from_a_file_where_it_lies() {
    let graph = grown(Size::SIX, 40, &Policy::default(), 6);
    let path = std::env::temp_dir().join(format!("isrever-book-{}", std::process::id()));
    std::fs::write(&path, graph.to_bytes("recipe")).unwrap();
    let book = Book::from_bytes(Bytes::map(&path).unwrap()).unwrap();
    assert_eq!(book.check(), Ok(()));
    std::fs::write(&path, []).unwrap();
    let empty = Book::from_bytes(Bytes::map(&path).unwrap());
    assert_eq!(empty.unwrap_err(), BookError::NotBook);
    std::fs::remove_file(&path).unwrap();
    assert!(Bytes::map(&path).is_err());
}

#[test]
fn findings_survive_as_lines_in_any_image() {
    let size = Size::SIX;
    for found in grown(size, 30, &Policy::default(), 6).findings() {
        let line = Line::new(found, size);
        let text = serde_json::to_string(&line).unwrap();
        let read: Line = serde_json::from_str(&text).unwrap();
        assert_eq!(read.finding(size).as_ref(), Ok(found));
        for symmetry in Symmetry::ALL {
            let turn = |square: &str| symmetry.square(square.parse().unwrap(), size).to_string();
            let board = symmetry.board(found.board, size);
            let position =
                isrever_board::Position::from_board(board, size, isrever_board::Color::White);
            let image = Line {
                position: position.unwrap().to_string(),
                best: turn(&line.best),
                moves: line.moves.iter().map(|(square, &value)| (turn(square), value)).collect(),
                ..line.clone()
            };
            let read = image.finding(size).unwrap();
            assert_eq!((read.board, read.value), (found.board, found.value));
            assert_eq!(read.check(size), Ok(()));
        }
    }
}

#[test]
fn lines_that_are_no_findings_are_refused() {
    let size = Size::SIX;
    let (start, _) = Board::start(size).canonical(size);
    let line = Line::new(&finding(start, size, 0), size);
    let refused = |change: &dyn Fn(&mut Line)| {
        let mut line = line.clone();
        change(&mut line);
        line.finding(size).unwrap_err()
    };
    assert!(matches!(refused(&|line| line.position.push('?')), LineError::Position(_)));
    let eight = isrever_board::Position::start(Size::EIGHT).to_string();
    assert_eq!(
        refused(&|line| line.position.clone_from(&eight)),
        LineError::Size(Size::EIGHT, Size::SIX)
    );
    assert_eq!(refused(&|line| line.best = "z9".into()), LineError::Square("z9".into()));
    assert_eq!(refused(&|line| line.best = "h8".into()), LineError::Square("h8".into()));
    let few = refused(&|line| assert!(line.moves.pop_first().is_some()));
    assert_eq!(few, LineError::Finding(FindingError::Estimates(3)));
    let many = refused(&|line| assert!(line.moves.insert("a1".into(), Some(0)).is_none()));
    assert_eq!(many, LineError::Finding(FindingError::Estimates(5)));
    let value = refused(&|line| line.value = 37);
    assert_eq!(value, LineError::Finding(FindingError::Value(37)));
    let best = refused(&|line| line.best = "a1".into());
    assert!(matches!(best, LineError::Finding(FindingError::Best(_))));
}

proptest! {
    /// Whatever bytes come, reading ends with a book or a reason.
    #[test]
    fn no_bytes_make_a_reader_panic(
        mut bytes in proptest::collection::vec(any::<u8>(), 0..400),
        count in 0u32..12,
    ) {
        if bytes.len() >= 32 {
            bytes[..8].copy_from_slice(b"ISRBOOK\x1a");
            bytes[8..12].copy_from_slice(&[1, 1, 6, 0]);
            let estimates = (bytes.len() as u32 - 32).saturating_sub(32 * count);
            bytes[16..20].copy_from_slice(&count.to_le_bytes());
            bytes[20..24].copy_from_slice(&[0; 4]);
            bytes[24..28].copy_from_slice(&estimates.to_le_bytes());
            bytes[28..32].copy_from_slice(&[0; 4]);
            let checksum = crc32fast::hash(&bytes[16..]);
            bytes[12..16].copy_from_slice(&checksum.to_le_bytes());
        }
        if let Ok(book) = Book::from_bytes(bytes.into()) {
            prop_assert!(book.is_empty() || book.check().is_err());
            book.view(Board::start(Size::SIX));
        }
    }
}

/// The strategy of both sides on 4×4 as long as so many squares are empty, every finding proved.
fn strategy(empties: u32) -> Graph {
    let policy = Policy { strategy: Some(empties), ..Policy::default() };
    grown(Size::FOUR, usize::MAX, &policy, 16)
}

fn book_of(findings: impl IntoIterator<Item = Finding>) -> Book {
    let mut graph = Graph::new(RULE, Size::FOUR);
    findings.into_iter().for_each(|finding| {
        graph.insert(finding);
    });
    graph.propagate();
    Book::from_bytes(graph.to_bytes("").into()).unwrap()
}

#[test]
fn a_strategy_has_a_proved_move_against_every_reply() {
    for empties in [1, 3, 6, 12] {
        let graph = strategy(empties);
        let book = book_of(graph.findings().cloned());
        let checked = book.check_strategy(empties).unwrap();
        assert_eq!(
            i32::from(checked.value),
            brute_force(Board::start(Size::FOUR), Size::FOUR, RULE)
        );
        assert_eq!(checked.positions, graph.len(), "nothing is there that no strategy meets");
        if empties > 1 {
            let further = book.check_strategy(empties - 1);
            assert!(matches!(further, Err(StrategyError::Missing(..))), "{further:?}");
        }
    }
    // All positions where one side may be to move would be many more.
    assert!(strategy(1).len() < 1_000);
}

#[test]
fn a_strategy_with_a_gap_a_guess_or_a_wrong_value_is_refused() {
    let graph = strategy(4);
    let all: Vec<Finding> = graph.findings().cloned().collect();
    for number in 0..all.len() {
        let changed = |change: &dyn Fn(&mut Finding)| {
            let mut findings = all.clone();
            change(&mut findings[number]);
            book_of(findings).check_strategy(4)
        };
        let without = all.iter().enumerate().filter(|&(at, _)| at != number);
        let gap = book_of(without.map(|(_, finding)| finding.clone())).check_strategy(4);
        assert!(matches!(gap, Err(StrategyError::Missing(..))), "{number}: {gap:?}");
        let guess = changed(&|finding| finding.is_exact = false);
        assert!(matches!(guess, Err(StrategyError::Unproved(..))), "{number}: {guess:?}");
    }
    // A value above the truth is seen at the position or before it.
    let mut findings = all.clone();
    findings[0].value += 2;
    let wrong = book_of(findings).check_strategy(4);
    assert!(matches!(wrong, Err(StrategyError::Value(..))), "{wrong:?}");
    let said = wrong.unwrap_err().to_string();
    assert!(
        said.ends_with("another value than its best move leads to; expected a perfect strategy")
    );
}

#[test]
fn the_embedded_books_are_whole() {
    let sizes = [Size::FOUR, Size::SIX, Size::EIGHT];
    let games = Rule::ALL.into_iter().flat_map(|rule| sizes.map(|size| (rule, size)));
    let mut found = Vec::new();
    for (rule, size) in games {
        if let Some(book) = Book::embedded(rule, size) {
            assert_eq!((book.rule(), book.size(), book.check()), (rule, size, Ok(())));
            found.push((rule, size, book.len()));
        }
    }
    let named = found.iter().map(|&(rule, size, _)| (rule, size)).collect::<Vec<_>>();
    assert_eq!(named, [(Rule::Reversed, Size::SIX), (Rule::Reversed, Size::EIGHT)]);
    assert!(found.iter().all(|&(_, _, count)| count > 1_000), "{found:?}");
    // That of 6×6 is a perfect strategy until a solver needs no book.
    let six = Book::embedded(Rule::Reversed, Size::SIX).unwrap();
    let strategy = six.check_strategy(19).unwrap();
    assert_eq!((strategy.value, strategy.positions), (2, six.len()));
}
