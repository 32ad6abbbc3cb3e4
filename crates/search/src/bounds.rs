//! Score bounds by stable discs: the second home of the reversed rule.
//!
//! A stable disc can never be flipped. Under the normal rule a side's own stable discs
//! bound its score from below and the opponent's from above; under the
//! reversed rule it is the other way round.

use isrever_board::{Board, Kernel, Rule};

/// A value below every score.
pub(crate) const NONE: i32 = -100;

/// The rule as a type, so that the search is compiled once for each.
pub(crate) trait Objective: Copy + Send + Sync + 'static {
    /// The rule played.
    const RULE: Rule;
}

/// Fewest discs wins.
#[derive(Clone, Copy)]
pub(crate) struct Reversed;

/// Most discs wins.
#[derive(Clone, Copy)]
pub(crate) struct Normal;

impl Objective for Reversed {
    const RULE: Rule = Rule::Reversed;
}

impl Objective for Normal {
    const RULE: Rule = Rule::Normal;
}

/// A bound of the player's score that decides whether it is above `alpha`, if stable discs give one.
///
/// Every disc that is not a stable liability may still go the player's way, which bounds the score
/// from above; and so it is for the opponent. A count may decide a node only where there are more
/// liabilities than it takes, and does so more often the more there are to spare. The deeper the tree
/// below, the smaller the chance that pays: `spare` says it by empty squares, from four up.
#[inline(always)]
pub(crate) fn by_stability<O: Objective, K: Kernel>(
    kernel: K,
    board: Board,
    mask: u64,
    alpha: i32,
    empties: u32,
    spare: &[i32; 6],
) -> Option<i32> {
    let spare = spare[(empties as usize).clamp(4, 3 + spare.len()) - 4];
    let [own, others] = match O::RULE {
        Rule::Normal => [board.pass(), board],
        Rule::Reversed => [board, board.pass()],
    };
    // A score cannot be too low by one side's liabilities and too high by the other's.
    if bound(own.player, mask) + 2 * spare <= alpha {
        let bound = bound(kernel.stable(own, mask), mask);
        (bound <= alpha).then_some(bound)
    } else if bound(others.player, mask) + 2 * spare <= !alpha {
        let bound = -bound(kernel.stable(others, mask), mask);
        (bound > alpha).then_some(bound)
    } else {
        None
    }
}

/// The score of a side that ends with these discs as its liabilities, and no others.
#[inline(always)]
fn bound(liabilities: u64, mask: u64) -> i32 {
    mask.count_ones().cast_signed() - 2 * liabilities.count_ones().cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Parameters;
    use isrever_board::{Scalar, Size};
    use isrever_testkit::{brute_force, turns};

    /// The bounds of the score, from below and from above, that windows up to each end ask for.
    fn bounds<O: Objective>(board: Board, size: Size) -> [i32; 2] {
        let cells = size.cells().cast_signed() as i32;
        let empties = board.empties(size).count_ones();
        let spare = Parameters::shipped(O::RULE, size).spare();
        let ask = |alpha| by_stability::<O, _>(Scalar, board, size.mask(), alpha, empties, &spare);
        let lower = (-cells..cells).filter_map(|alpha| ask(alpha).filter(|&bound| bound > alpha));
        let upper = (-cells..cells).filter_map(|alpha| ask(alpha).filter(|&bound| bound <= alpha));
        [lower.max().unwrap_or(-cells), upper.min().unwrap_or(cells)]
    }

    #[test]
    fn no_score_is_beyond_its_bounds_and_some_reach_them() {
        let mut tight = [[0; 2]; 2];
        let mut check = |score: i32, bounds: [i32; 2], rule: usize, board: Board| {
            assert!(bounds[0] <= score && score <= bounds[1], "{board:x?}: {score} in {bounds:?}");
            for (bound, tight) in bounds.into_iter().zip(&mut tight[rule]) {
                *tight += u32::from(bound == score);
            }
        };
        for size in Size::BITS {
            let boards = turns(size, 3).map(|turn| turn.board).take(6000);
            for board in boards.filter(|board| board.empties(size).count_ones() <= 7) {
                if !board.is_over(size) {
                    let [normal, reversed] =
                        [Rule::Normal, Rule::Reversed].map(|rule| brute_force(board, size, rule));
                    check(normal, bounds::<Normal>(board, size), 0, board);
                    check(reversed, bounds::<Reversed>(board, size), 1, board);
                }
            }
        }
        assert!(tight.iter().flatten().all(|&count| count > 50), "{tight:?}");
    }

    #[test]
    fn under_the_reversed_rule_own_stable_discs_are_the_burden() {
        // The player holds the whole first row, for good; the opponent's discs can turn.
        let board = Board { player: 0xff, opponent: 0x0018_1800_0000 };
        let size = Size::EIGHT;
        assert_eq!(bounds::<Reversed>(board, size), [-64, 64 - 16]);
        assert_eq!(bounds::<Normal>(board, size), [16 - 64, 64]);
        assert_eq!(bounds::<Reversed>(board.pass(), size), [16 - 64, 64]);
        assert_eq!(bounds::<Normal>(board.pass(), size), [-64, 64 - 16]);
    }
}
