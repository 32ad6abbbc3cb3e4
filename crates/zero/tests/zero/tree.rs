//! Trees: proofs, visits, memory, and a root that moves on.

use crate::{guess, stakes};
use isrever_board::{Board, Rule, Size};
use isrever_testkit::{brute_force, unfinished_boards};
use isrever_zero::{Bottom, Guide, Tree, Visit};

/// Sends `visits` visits, at most until the root is proved.
fn grow(tree: &mut Tree, guide: Guide, visits: usize) {
    let mut visit = Visit::default();
    for _ in 0..visits {
        if tree.descend(None, guide, &mut |_| None, &mut visit) {
            tree.evaluated(&visit, &guess(visit.board()));
        }
        if tree.proved().is_some() {
            break;
        }
    }
}

/// Boards with this many empty squares whose side to move has a move.
fn boards(size: Size, empties: u32, count: usize) -> Vec<Board> {
    let boards = unfinished_boards(size, empties, count);
    boards.into_iter().filter(|board| board.moves(size) != 0).collect()
}

#[test]
fn what_visits_prove_is_what_brute_force_finds() {
    let boards = boards(Size::FOUR, 6, 40);
    for rule in Rule::ALL {
        for guide in [Guide::Puct, Guide::Gumbel] {
            let mut proved_boards = 0;
            for &board in &boards {
                let mut tree = Tree::new(stakes(rule, Size::FOUR), board, 1 << 20);
                grow(&mut tree, guide, 5_000);
                // Visits need not see everything: a good move is enough for them.
                let Some(proved) = tree.proved() else { continue };
                let (proved, score) = (i32::from(proved), brute_force(board, Size::FOUR, rule));
                assert_eq!(proved.signum(), score.signum(), "{board:?}");
                let is_bound = if score > 0 { proved <= score } else { proved >= score };
                assert!(is_bound, "a win may be higher, a loss lower: {proved} {score}");
                proved_boards += 1;
            }
            assert!(proved_boards * 2 > boards.len(), "{proved_boards} by {guide:?}");
        }
    }
}

#[test]
fn the_solver_s_word_is_final() {
    let stakes = stakes(Rule::Reversed, Size::SIX);
    let mut bottom = Bottom::new(&stakes, 8);
    for board in boards(Size::SIX, 9, 20) {
        let mut tree = Tree::new(stakes, board, 1 << 20);
        let mut visit = Visit::default();
        assert!(tree.descend(None, Guide::Puct, &mut |board| bottom.solve(board), &mut visit));
        tree.evaluated(&visit, &guess(board));
        for _ in 0..1_000 {
            if tree.proved().is_some() {
                break;
            }
            let mut solve = |board| bottom.solve(board);
            assert!(!tree.descend(None, Guide::Puct, &mut solve, &mut visit), "all is solved");
        }
        let proved = i32::from(tree.proved().expect("every move is solved"));
        assert_eq!(proved.signum(), brute_force(board, Size::SIX, Rule::Reversed).signum());
    }
}

#[test]
fn every_visit_is_counted_once() {
    for guide in [Guide::Puct, Guide::Gumbel] {
        let stakes = stakes(Rule::Reversed, Size::EIGHT);
        let mut tree = Tree::new(stakes, Board::start(Size::EIGHT), 1 << 20);
        grow(&mut tree, guide, 501);
        let visits: u32 = tree.root_edges().iter().map(|edge| edge.visits).sum();
        assert_eq!(visits, 500, "the first evaluated the root");
        for edge in tree.root_edges() {
            assert_eq!(edge.value().is_some(), edge.visits > 0);
            assert!(edge.value().is_none_or(|value| (-1.0..=1.0).contains(&value)), "{edge:?}");
        }
        let priors: f32 = tree.root_edges().iter().map(|edge| edge.prior).sum();
        assert!((priors - 1.0).abs() < 1e-5);
    }
}

#[test]
fn visits_under_way_spread_and_can_be_taken_back() {
    let stakes = stakes(Rule::Reversed, Size::EIGHT);
    let mut tree = Tree::new(stakes, Board::start(Size::EIGHT), 1 << 20);
    grow(&mut tree, Guide::Puct, 1);
    let mut visits = vec![Visit::default(); 8];
    let mut seen = Vec::new();
    for visit in &mut visits {
        assert!(tree.descend(None, Guide::Puct, &mut |_| None, visit));
        seen.push(visit.board());
    }
    seen.sort_unstable();
    seen.dedup();
    assert!(seen.len() >= 3, "a loss is feared where somebody is on the way: {seen:?}");
    for visit in &visits {
        tree.cancel(visit);
    }
    assert!(tree.root_edges().iter().all(|edge| edge.visits == 0));
    grow(&mut tree, Guide::Puct, 100);
    assert_eq!(tree.root_edges().iter().map(|edge| edge.visits).sum::<u32>(), 100);
}

#[test]
fn memory_is_bounded_and_visits_go_on() {
    let stakes = stakes(Rule::Reversed, Size::EIGHT);
    let mut tree = Tree::new(stakes, Board::start(Size::EIGHT), 300);
    grow(&mut tree, Guide::Puct, 5_001);
    assert!(tree.bytes() <= 300 * Tree::EDGE_BYTES, "{}", tree.bytes());
    assert_eq!(tree.root_edges().iter().map(|edge| edge.visits).sum::<u32>(), 5_000);
}

#[test]
fn a_root_that_moves_on_keeps_what_is_below_it() {
    let stakes = stakes(Rule::Reversed, Size::EIGHT);
    let mut tree = Tree::new(stakes, Board::start(Size::EIGHT), 1 << 20);
    grow(&mut tree, Guide::Puct, 3_001);
    let favourite = *tree.root_edges().iter().max_by_key(|edge| edge.visits).unwrap();
    let board = tree.root().play(favourite.square, Size::EIGHT).unwrap();
    assert!(tree.advance(board));
    assert_eq!(tree.root(), board);
    let below: u32 = tree.root_edges().iter().map(|edge| edge.visits).sum();
    assert_eq!(below, favourite.visits - 1, "the first visit evaluated the board itself");
    let squares = board.moves(Size::EIGHT);
    assert_eq!(tree.root_edges().len(), squares.count_ones() as usize);
    grow(&mut tree, Guide::Puct, 50);
    assert_eq!(tree.root_edges().iter().map(|edge| edge.visits).sum::<u32>(), below + 50);

    let elsewhere = boards(Size::EIGHT, 30, 1)[0];
    assert!(!tree.advance(elsewhere), "a board that is not below begins anew");
    assert!(tree.root_edges().is_empty());
    assert_eq!(tree.root(), elsewhere);
}
