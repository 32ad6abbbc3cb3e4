//! Score bounds by stable discs: the second home of the reversed rule.
//!
//! A stable disc can never be flipped. Under the normal rule a side's own stable discs
//! bound its score from below and the opponent's from above; under the
//! reversed rule it is the other way round.

use isrever_board::{Board, Rule, stable};

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

/// An upper bound of the player's score, if it is at most `alpha`: every disc that is not a stable
/// liability may still go the player's way.
#[inline(always)]
pub(crate) fn upper_bound_within<O: Objective>(board: Board, mask: u64, alpha: i32) -> Option<i32> {
    let (liability, other) = match O::RULE {
        Rule::Normal => (board.opponent, board.player),
        Rule::Reversed => (board.player, board.opponent),
    };
    let bound = |discs: u64| {
        let score = mask.count_ones().cast_signed() - 2 * discs.count_ones().cast_signed();
        (score <= alpha).then_some(score)
    };
    // If not even all liabilities would suffice, the costly count cannot help: most nodes end here.
    bound(liability)?;
    bound(stable(liability, other, mask))
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::Size;
    use isrever_testkit::{brute_force, turns};

    fn holds<O: Objective>(board: Board, size: Size) -> bool {
        let score = brute_force(board, size, O::RULE);
        let cells = size.cells().cast_signed() as i32;
        let bound = upper_bound_within::<O>(board, size.mask(), cells);
        assert!(bound.is_some_and(|bound| score <= bound), "{board:x?}: {score} above {bound:?}");
        // Only a bound within the window is returned.
        let bound = bound.unwrap_or(cells);
        assert_eq!(upper_bound_within::<O>(board, size.mask(), bound - 1), None);
        score == bound
    }

    #[test]
    fn no_score_is_above_its_bound_and_some_reach_it() {
        let mut tight = [0, 0];
        for size in Size::BITS {
            let boards = turns(size, 3).map(|turn| turn.board).take(6000);
            for board in boards.filter(|board| board.empties(size).count_ones() <= 7) {
                if !board.is_over(size) {
                    tight[0] += u32::from(holds::<Normal>(board, size));
                    tight[1] += u32::from(holds::<Reversed>(board, size));
                }
            }
        }
        assert!(tight.iter().all(|&count| count > 50), "{tight:?}");
    }

    #[test]
    fn under_the_reversed_rule_own_stable_discs_are_the_burden() {
        // The player holds the whole first row, for good; the opponent's discs can turn.
        let board = Board { player: 0xff, opponent: 0x0018_1800_0000 };
        let mask = Size::EIGHT.mask();
        assert_eq!(upper_bound_within::<Reversed>(board, mask, 64), Some(64 - 16));
        assert_eq!(upper_bound_within::<Normal>(board, mask, 64), Some(64));
        assert_eq!(upper_bound_within::<Reversed>(board.pass(), mask, 64), Some(64));
        assert_eq!(upper_bound_within::<Normal>(board.pass(), mask, 64), Some(64 - 16));
    }
}
