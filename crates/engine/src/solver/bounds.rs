//! What stable discs prove about the score: the other home of the twist.
//!
//! A stable disc never turns. Under the normal rule a side's own stable discs
//! bound its score from below and the opponent's from above; under the
//! reversed rule it is the other way round.

use super::stability::stable;
use isrever_board::{Board, Rule};

/// The rule as a type, so that the search is compiled once for each.
pub(super) trait Objective: Copy + Send + Sync + 'static {
    /// The rule played.
    const RULE: Rule;
}

/// Fewest discs wins.
#[derive(Clone, Copy)]
pub(super) struct Reversed;

/// Most discs wins.
#[derive(Clone, Copy)]
pub(super) struct Normal;

impl Objective for Reversed {
    const RULE: Rule = Rule::Reversed;
}

impl Objective for Normal {
    const RULE: Rule = Rule::Normal;
}

/// The most the player can still score, if that is at most `alpha`: every disc that is not
/// stably a liability may yet go its way.
#[inline(always)]
pub(super) fn upper_bound_within<O: Objective>(board: Board, mask: u64, alpha: i32) -> Option<i32> {
    let (liability, other) = match O::RULE {
        Rule::Normal => (board.opponent, board.player),
        Rule::Reversed => (board.player, board.opponent),
    };
    let bound = |discs: u64| {
        let score = mask.count_ones().cast_signed() - 2 * discs.count_ones().cast_signed();
        (score <= alpha).then_some(score)
    };
    // Not even if all were stable: most nodes are told here, at little cost.
    bound(liability)?;
    bound(stable(liability, other, mask))
}
