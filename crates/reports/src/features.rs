//! Features of a board: the counts that evaluations weigh.
//!
//! The counts carry no judgement: an evaluation decides whether a stable disc is
//! good or bad. They count the player's discs; to count the opponent's, pass
//! first. Each has a plain version on the array board, which is the oracle of the
//! version on bitboards.

mod array;
mod bits;
mod weights;

pub use weights::WeightMap;

use isrever_agent::Field;
use isrever_board::Rule;

/// Counts of the player's discs.
pub trait Features: Field {
    /// Discs in corners.
    fn corners(&self) -> u32;

    /// Discs on the edge, corners included.
    fn edge(&self) -> u32;

    /// Discs with an empty square beside them, in any of eight directions.
    fn frontier(&self) -> u32;

    /// Discs in corners, and those that an unbroken run of own discs along an edge joins to one.
    ///
    /// They can never turn, but they are fewer than those of [`stable`](Features::stable), which
    /// needs no edge.
    fn anchored(&self) -> u32;

    /// Discs in corners, and those that a path of own discs, in horizontal and vertical steps, joins
    /// to one.
    ///
    /// This is report 002's definition of stable discs. Those away from the edges can turn.
    fn joined(&self) -> u32;

    /// Discs proved stable by [`isrever_board::stable`]: in each of the four line directions they
    /// have a full line, the edge, or a stable disc of their own side beside them.
    fn stable(&self) -> u32;

    /// Discs of the player minus those of the opponent.
    fn difference(&self) -> f64 {
        let [player, opponent] = self.counts();
        f64::from(player) - f64::from(opponent)
    }

    /// `count` of the player minus `count` of the opponent.
    fn margin(&self, count: impl Fn(&Self) -> u32) -> f64 {
        f64::from(count(self)) - f64::from(count(&self.pass()))
    }

    /// The sum of weights under the player's discs minus that under the opponent's.
    fn weight(&self, map: &WeightMap) -> f64 {
        map.sum(self.discs()) - map.sum(self.pass().discs())
    }

    /// The sum of weights of the player's moves minus that of the opponent's.
    fn move_weight(&self, map: &WeightMap) -> f64 {
        map.sum(self.moves()) - map.sum(self.pass().moves())
    }
}

/// The factor for weights that were made for the reversed rule: 1 under that rule, and −1 under
/// the normal one, where a disc more is as good as it was bad.
///
/// It does not apply to mobility: moves are good under both rules while the
/// opponent has few (report 000, hypothesis 3).
pub fn sense(rule: Rule) -> f64 {
    f64::from(-rule.score(1, 0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{position, positions};
    use isrever_agent::Bits;
    use isrever_board::{ArrayBoard, Size};

    fn both(text: &str) -> (Bits, ArrayBoard) {
        let position = position(text);
        let bits = Bits { board: position.board().unwrap(), size: position.size() };
        (bits, position.to_array())
    }

    /// Corners, edge, frontier, anchored, joined and stable discs of the player.
    fn counts(field: &impl Features) -> [u32; 6] {
        let joined = [field.anchored(), field.joined(), field.stable()];
        let [anchored, joined, stable] = joined;
        [field.corners(), field.edge(), field.frontier(), anchored, joined, stable]
    }

    #[test]
    fn both_boards_count_alike() {
        for size in Size::BITS {
            for position in positions(size, 30, 7) {
                let bits = Bits { board: position.board().unwrap(), size };
                let array = position.to_array();
                for (bits, array) in [(bits, array.clone()), (bits.pass(), array.pass())] {
                    assert_eq!(counts(&bits), counts(&array), "{position:?}");
                    assert_eq!(Field::counts(&bits), Field::counts(&array));
                    assert_eq!(bits.mobility(), array.mobility());
                    assert!(bits.moves().eq(Field::moves(&array)));
                    assert!(bits.discs().eq(array.discs()));
                }
            }
        }
    }

    #[test]
    fn counts_by_hand() {
        // X X X O    Black: a1 in a corner; a1, b1, c1 and a2 on the edge, all joined to a1; all
        // X X - -    but a1 beside an empty square; joined and stable as well is b2, with a
        // - O X -    stable disc beside it in every line; c3 is joined to none.
        // - - - -
        let (bits, array) = both("XXXOXX---OX----- X");
        for counts in [counts(&bits), counts(&array)] {
            assert_eq!(counts, [1, 4, 5, 4, 5, 5]);
        }
        let (bits, array) = both("XXXOXX---OX----- O");
        for counts in [counts(&bits), counts(&array)] {
            assert_eq!(counts, [1, 1, 2, 1, 1, 1]);
        }
        assert_eq!(bits.difference(), -4.0);
        assert_eq!(bits.margin(Features::edge), -3.0);
    }

    #[test]
    fn full_lines_make_stable_discs() {
        let (bits, _) = both("OXXOXOXXOXOXXOXO X");
        assert_eq!(bits.stable() + bits.pass().stable(), 16, "on a full board all are stable");
    }

    #[test]
    fn the_sense_of_weights_turns_with_the_rule() {
        assert_eq!((sense(Rule::Reversed), sense(Rule::Normal)), (1.0, -1.0));
    }
}
