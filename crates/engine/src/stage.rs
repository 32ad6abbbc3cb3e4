//! The way to a proof for those who look at every move, and not at the best alone.

use crate::solver::{END_STEP, daring_percent};
use isrever_board::Size;

/// Up to this many empty squares the proof comes at once,
const PROVED_AT_ONCE: u32 = 10;

/// from this many on a guess by the most daring cuts comes before it,
const GUESSED: u32 = 14;

/// and from these on guesses by surer cuts, each of which takes several times as long.
const SURER: [(u32, u8); 2] = [(18, 73), (22, 95)];

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
    /// Ply by ply, by cuts that are right in `percent` of 100 cases. Where `most` reaches the end
    /// they are the most daring ones; then comes the end itself, by surer and surer cuts, and the
    /// proof.
    pub fn all(size: Size, empties: u32, most: u32, percent: u8) -> Vec<Stage> {
        if most < empties {
            return (1..=most).map(|depth| Stage { depth, percent }).collect();
        }
        let (mut stages, daring) = (Vec::new(), daring_percent());
        // On 4×4 there is nothing to guess with, and nothing that takes time.
        if empties > PROVED_AT_ONCE && size != Size::FOUR {
            stages.extend((1..=empties - END_STEP).map(|depth| Stage { depth, percent: daring }));
            let guesses = [(GUESSED, daring)].into_iter().chain(SURER);
            let guesses = guesses.filter(|&(from, _)| empties >= from);
            stages.extend(guesses.map(|(_, percent)| Stage { depth: empties, percent }));
        }
        stages.push(Stage { depth: empties, percent: 100 });
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
        assert_eq!(all(10, u32::MAX), [(10, 100)]);
        let way = (1..=8).map(|depth| (depth, 49));
        assert_eq!(all(11, 20), way.chain([(11, 100)]).collect::<Vec<_>>());
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
