//! Multi-ProbCut: prunes what a shallow search makes almost certain.
//!
//! The value of a deep search scatters about that of a shallow one. If the
//! shallow value lies so far outside the window that only a rare deviation
//! could bring the deep value back inside, the node is pruned. The deviations
//! belong to the weights: `isrever train calibrate` measures them.
//!
//! Source: M. Buro, *Experiments with Multi-ProbCut and a new high-quality
//! evaluation function for Othello*, 1997.

use crate::selectivity::Selectivity;
use isrever_eval::Deviations;
use std::sync::{Mutex, PoisonError};

/// The least depth that is probed by a shallower search.
const FROM_DEPTH: u32 = 3;

/// The depth of the shallow search that probes a search of `depth`.
#[inline(always)]
pub(crate) const fn shallow_depth(depth: u32) -> u32 {
    2 * (depth / 4) + (depth & 1)
}

/// The most empty squares, and so the greatest depth.
const MAX_EMPTIES: usize = 60;

/// How far outside the window a shallow value must lie, by selectivity, empty squares and depth.
pub(crate) struct Margins([[[u8; MAX_EMPTIES + 1]; MAX_EMPTIES + 1]; Selectivity::LEVELS]);

impl Margins {
    /// The margins for weights with these deviations. Computed once for each.
    pub(crate) fn of(deviations: Deviations) -> &'static Margins {
        static KNOWN: Mutex<Vec<(Deviations, &'static Margins)>> = Mutex::new(Vec::new());
        // What a thread that panicked has pushed is whole.
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, margins)) = known.iter().find(|(other, _)| *other == deviations) {
            return margins;
        }
        let margins: &Margins = Box::leak(Box::new(Margins::new(deviations)));
        known.push((deviations, margins));
        margins
    }

    fn new(deviations: Deviations) -> Margins {
        let mut margins = Margins([[[0; MAX_EMPTIES + 1]; MAX_EMPTIES + 1]; Selectivity::LEVELS]);
        for (margins, selectivity) in margins.0.iter_mut().zip(Selectivity::pruning()) {
            for (empties, margins) in (0..).zip(margins) {
                for (depth, margin) in (0..).zip(margins).skip(FROM_DEPTH as usize) {
                    let shallow = shallow_depth(depth);
                    let deviation = match depth {
                        _ if depth < empties => deviations.midgame(empties, depth, shallow),
                        // No search goes beyond the end.
                        _ => deviations.ending(empties.max(depth), shallow),
                    };
                    let discs = (selectivity.deviations() * deviation).ceil();
                    #[expect(clippy::cast_sign_loss, reason = "deviations are positive")]
                    let discs = discs as u8;
                    *margin = discs;
                }
            }
        }
        margins
    }

    /// The margin in discs; `None` where nothing is pruned.
    #[inline(always)]
    pub(crate) fn get(&self, selectivity: Selectivity, empties: u32, depth: u32) -> Option<i32> {
        if selectivity == Selectivity::NONE || depth < FROM_DEPTH {
            return None;
        }
        let margins = self.0.get(usize::from(selectivity.number()))?.get(empties as usize)?;
        margins.get(depth as usize).map(|&margin| margin.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::{Rule, Size};

    #[test]
    fn margins_grow_with_confidence_and_proofs_have_none() {
        let boards = [Size::SIX, Size::EIGHT];
        for (rule, size) in boards.map(|size| Rule::ALL.map(|rule| (rule, size))).concat() {
            let margins = Margins::of(Deviations::common(rule, size));
            for empties in 10..=MAX_EMPTIES as u32 {
                for depth in FROM_DEPTH..=empties {
                    let margins: Vec<i32> = Selectivity::pruning()
                        .map(|selectivity| margins.get(selectivity, empties, depth).unwrap())
                        .collect();
                    assert!(margins.is_sorted() && margins[0] >= 1, "{empties} {depth}");
                }
                assert_eq!(margins.get(Selectivity::NONE, empties, 5), None);
                assert_eq!(margins.get(Selectivity::MOST, empties, 2), None);
            }
        }
    }
}
