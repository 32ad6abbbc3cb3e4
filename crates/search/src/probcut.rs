//! Multi-ProbCut: prunes what a shallow search makes almost certain.
//!
//! The value of a deep search scatters about that of a shallow one. If the
//! shallow value lies so far outside the window that only a rare deviation
//! could bring the deep value back inside, the node is pruned. The deviations
//! belong to the weights: `isrever train calibrate` measures them.
//!
//! Source: M. Buro, *Experiments with Multi-ProbCut and a new high-quality
//! evaluation function for Othello*, 1997.

use crate::parameters::Parameters;
use crate::selectivity::Selectivity;
use isrever_eval::Deviations;
use std::sync::{Arc, Mutex, PoisonError};

/// The depth of the shallow search that probes a search of `depth`.
#[inline(always)]
pub(crate) const fn shallow_depth(depth: u32) -> u32 {
    2 * (depth / 4) + (depth & 1)
}

/// The most empty squares, and so the greatest depth.
const MAX_EMPTIES: usize = 60;

/// How many margins are kept: enough for what one program searches by, and a bound for a tuning,
/// which tries many parameters.
const KEPT: usize = 16;

/// What margins follow from.
#[derive(Clone, Copy, PartialEq)]
struct Origin {
    deviations: Deviations,
    /// The least depth that is probed by a shallower search.
    from_depth: u32,
    /// Hundredths of deviations that prune, by level.
    hundredths: [u32; Selectivity::LEVELS],
}

/// How far outside the window a shallow value must lie, by selectivity, empty squares and depth.
/// Where nothing is pruned, [`OPEN`].
pub(crate) struct Margins([[[u8; MAX_EMPTIES + 1]; MAX_EMPTIES + 1]; Selectivity::LEVELS]);

/// Beyond every window.
const OPEN: u8 = u8::MAX;

impl Margins {
    /// The margins for weights with these deviations. Computed once for each, as a rule.
    pub(crate) fn of(deviations: Deviations, parameters: &Parameters) -> Arc<Margins> {
        static KNOWN: Mutex<Vec<(Origin, Arc<Margins>)>> = Mutex::new(Vec::new());
        let from_depth = parameters.probcut_from;
        let origin = Origin { deviations, from_depth, hundredths: parameters.deviations() };
        // What a thread that panicked has pushed is whole.
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, margins)) = known.iter().find(|(other, _)| *other == origin) {
            return margins.clone();
        }
        if known.len() == KEPT {
            known.remove(0);
        }
        let margins = Arc::new(Margins::new(&origin));
        known.push((origin, margins.clone()));
        margins
    }

    fn new(origin: &Origin) -> Margins {
        let deviations = &origin.deviations;
        let mut margins =
            Margins([[[OPEN; MAX_EMPTIES + 1]; MAX_EMPTIES + 1]; Selectivity::LEVELS]);
        for (margins, hundredths) in margins.0.iter_mut().zip(origin.hundredths) {
            for (empties, margins) in (0..).zip(margins) {
                for (depth, margin) in (0..).zip(margins).skip(origin.from_depth as usize) {
                    let shallow = shallow_depth(depth);
                    let deviation = match depth {
                        _ if depth < empties => deviations.midgame(empties, depth, shallow),
                        // No search goes beyond the end.
                        _ => deviations.ending(empties.max(depth), shallow),
                    };
                    let discs = (hundredths as f32 / 100.0 * deviation).ceil();
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
        let margins = self.0.get(usize::from(selectivity.number()))?.get(empties as usize)?;
        let margin = *margins.get(depth as usize)?;
        (margin != OPEN).then_some(margin.into())
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
            let parameters = Parameters::shipped(rule, size);
            let margins = Margins::of(Deviations::common(rule, size), &parameters);
            for empties in 10..=MAX_EMPTIES as u32 {
                for depth in parameters.probcut_from..=empties {
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
