//! Plays the last squares perfectly, for agents that ask for it.
//!
//! Exact alpha-beta over final scores tries moves that leave few replies first.
//! Twelve empty squares take a few milliseconds on bitboards. The engine's
//! solver is much faster; it is the oracle in the tests.

use isrever_agent::{Choice, Field, Watch};
use isrever_board::{Rule, Square};

/// With fewer empty squares than this, sorting moves costs more than it saves.
const ORDERED_FROM: u32 = 5;

/// The question about an ending.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// The best score: first to win, then by how much.
    Score,
    /// Only win, draw or loss; the first move that decides the game will do.
    Result,
}

/// The best move of the player of `field` and its score, or the sign of the score for
/// [`Goal::Result`]. `None` if the limits ended the search.
pub fn perfect<F: Field>(
    field: &F,
    rule: Rule,
    goal: Goal,
    watch: &mut Watch<'_>,
) -> Option<(Square, i32)> {
    let most = match goal {
        Goal::Score => i32::from(field.size().width()).pow(2),
        Goal::Result => 1,
    };
    let mut ending = Ending { rule, watch };
    let mut best: Option<(Square, i32)> = None;
    for (square, next) in children(field) {
        // One below the least score, so that the loop finds a move where all lose everything.
        let alpha = best.map_or(-most - 1, |(_, score)| score);
        let score = -ending.score(&next, -most, most.min(-alpha));
        if ending.watch.is_over() {
            return None;
        }
        let score = score.clamp(-most, most);
        if score > alpha {
            best = Some((square, score));
        }
        if score >= most {
            break;
        }
    }
    best
}

/// [`perfect`] as an answer.
pub(crate) fn perfect_choice<F: Field>(
    field: &F,
    rule: Rule,
    watch: &mut Watch<'_>,
) -> Option<Choice> {
    let (square, score) = perfect(field, rule, Goal::Score, watch)?;
    let depth = Some(field.empties());
    Some(Choice { square, value: Some(f64::from(score)), depth, nodes: watch.nodes() })
}

struct Ending<'a, 'w> {
    rule: Rule,
    watch: &'a mut Watch<'w>,
}

impl Ending<'_, '_> {
    /// The score of `field` for its player: exact between `alpha` and `beta`, else a bound.
    fn score<F: Field>(&mut self, field: &F, mut alpha: i32, beta: i32) -> i32 {
        if self.watch.tick() {
            return 0;
        }
        if !field.has_move() {
            let passed = field.pass();
            return if passed.has_move() {
                -self.score(&passed, -beta, -alpha)
            } else {
                field.score(self.rule)
            };
        }
        let mut best = i32::MIN;
        let mut try_next = |next: &F| {
            let score = -self.score(next, -beta, -alpha);
            best = best.max(score);
            alpha = alpha.max(score);
            alpha >= beta
        };
        if field.empties() < ORDERED_FROM {
            // Most of the tree is here, so the moves are not collected.
            let _ = field.moves().any(|square| try_next(&field.play(square)));
        } else {
            let _ = children(field).iter().any(|(_, next)| try_next(next));
        }
        best
    }
}

/// The moves and the boards after them; moves that leave few replies come first.
fn children<F: Field>(field: &F) -> Vec<(Square, F)> {
    let mut children: Vec<(u32, Square, F)> = field
        .moves()
        .map(|square| {
            let next = field.play(square);
            (next.mobility(), square, next)
        })
        .collect();
    children.sort_by_key(|&(replies, square, _)| (replies, square));
    children.into_iter().map(|(_, square, next)| (square, next)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::positions;
    use isrever_agent::{Bits, Limits};
    use isrever_board::{Rule, Size};
    use isrever_search::{Control, Goal as SolverGoal, Searcher, Settings};

    #[test]
    fn it_agrees_with_the_solver() {
        let mut compared = 0;
        for rule in Rule::ALL {
            for size in Size::BITS {
                let mut solver = Searcher::new(Settings::new(rule, size));
                for position in positions(size, 6, 21) {
                    if !position.has_move() || position.empties() > 10 {
                        continue;
                    }
                    let board = position.board().unwrap();
                    let field = Bits { board, size };
                    let limits = Limits::default();
                    let watch = &mut Watch::new(&limits);
                    let (square, score) = perfect(&field, rule, Goal::Score, watch).unwrap();
                    let solved = solver.search(board, SolverGoal::Exact, Control::NONE);
                    assert_eq!(score, solved.score(), "{position:?}");
                    let next = field.play(square).board;
                    let after = solver.search(next, SolverGoal::Exact, Control::NONE);
                    assert_eq!(score, -after.score(), "{position:?} {square}");
                    let (square, result) = perfect(&field, rule, Goal::Result, watch).unwrap();
                    assert_eq!(result, score.signum());
                    let next = field.play(square).board;
                    let after = solver.search(next, SolverGoal::Exact, Control::NONE);
                    assert_eq!(result, -after.score().signum(), "{position:?} {square}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 200, "{compared}");
    }

    #[test]
    fn both_boards_end_alike() {
        for position in positions(Size::SIX, 2, 4) {
            if position.has_move() && position.empties() <= 7 {
                let bits = Bits { board: position.board().unwrap(), size: Size::SIX };
                let limits = Limits::default();
                let watch = &mut Watch::new(&limits);
                let rule = Rule::Reversed;
                let one = perfect(&bits, rule, Goal::Score, watch);
                assert_eq!(one, perfect(&position.to_array(), rule, Goal::Score, watch));
            }
        }
    }
}
