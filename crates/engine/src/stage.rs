//! The way to a proof for those who look at every move, and not at the best alone.

use crate::solver::{END_STEP, daring_percent};
use isrever_board::Size;

/// The searches to the end before the proof, and from how many empty squares each is worth its time:
/// each takes about five times as long as the one before.
const ENDS: [(u32, u8); 2] = [(18, 73), (22, 95)];

/// From this many empty squares the end is guessed before it is proved.
const GUESSED_FROM: u32 = 14;

/// A search of every move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stage {
    /// Plies after the move.
    pub depth: u32,
    /// How often, in hundredths, cuts are right; 100 if there are none.
    pub percent: u8,
}

impl Stage {
    /// The stages for the moves after which `empties` squares are empty, at most `most` plies deep.
    ///
    /// Ply by ply, by cuts that are right in `percent` of 100 cases. Where the end is within reach
    /// they are the most daring ones; then comes the end itself, by surer and surer cuts, and the
    /// proof.
    pub fn all(size: Size, empties: u32, most: u32, percent: u8) -> Vec<Stage> {
        let stage = |(depth, percent)| Stage { depth, percent };
        if most < empties {
            return (1..=most).map(|depth| stage((depth, percent))).collect();
        }
        let mut stages = Vec::new();
        // On 4×4 there is nothing to guess with, and nothing that takes time.
        if empties >= GUESSED_FROM && size != Size::FOUR {
            let daring = daring_percent();
            stages.extend((1..=empties - END_STEP).map(|depth| stage((depth, daring))));
            stages.push(stage((empties, daring)));
            let ends = ENDS.iter().filter(|&&(from, _)| empties >= from);
            stages.extend(ends.map(|&(_, percent)| stage((empties, percent))));
        }
        stages.push(stage((empties, 100)));
        stages
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_deepen_and_end_with_a_proof() {
        let all = |empties, most| -> Vec<(u32, u8)> {
            let stages = Stage::all(Size::EIGHT, empties, most, 73);
            stages.iter().map(|stage| (stage.depth, stage.percent)).collect()
        };
        assert_eq!(all(8, u32::MAX), [(8, 100)]);
        let way = (1..=11).map(|depth| (depth, 49));
        assert_eq!(all(14, 14), way.chain([(14, 49), (14, 100)]).collect::<Vec<_>>());
        assert_eq!(all(24, 60)[21..], [(24, 49), (24, 73), (24, 95), (24, 100)]);
        // Short of the end, cuts are those that were asked for.
        assert_eq!(all(24, 3), [(1, 73), (2, 73), (3, 73)]);
        assert_eq!(all(0, 0), [(0, 100)]);
        let proof = Stage { depth: 11, percent: 100 };
        assert_eq!(Stage::all(Size::FOUR, 11, u32::MAX, 73), [proof]);
    }
}
