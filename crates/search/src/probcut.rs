//! Multi-ProbCut: prunes what a shallow search makes almost certain.
//!
//! The value of a deep search scatters about that of a shallow one. If the
//! shallow value lies so far outside the window that only a rare deviation
//! could bring the deep value back inside, the node is pruned. The deviations
//! were measured with the 8×8 weights of generation 3 under each rule, by
//! `isrever train calibrate`; on 6×6 they are scaled by a factor fitted to node
//! counts.
//!
//! Source: M. Buro, *Experiments with Multi-ProbCut and a new high-quality
//! evaluation function for Othello*, 1997.

use crate::selectivity::Selectivity;
use isrever_board::{Rule, Size};
use std::sync::LazyLock;

/// The least depth that is probed by a shallower search.
const FROM_DEPTH: u32 = 3;

/// The depth of the shallow search that probes a search of `depth`.
#[inline(always)]
pub(crate) const fn shallow_depth(depth: u32) -> u32 {
    2 * (depth / 4) + (depth & 1)
}

/// The model of the deviations under one rule.
struct Deviations {
    /// The logarithm of the deviation of a one-ply search from the evaluation, as a polynomial of
    /// the share of the board that is empty.
    empties: [f32; 3],
    /// The powers by which it grows with the plies beyond the shallow search, and with the plies
    /// of the shallow search.
    unseen_power: f32,
    seen_power: f32,
    /// The deviation of the final score from the evaluation, and the power of the shallow
    /// search's depth by which it falls.
    end: f32,
    end_power: f32,
    /// A factor for the board size.
    scale: f32,
}

impl Deviations {
    const fn of(rule: Rule, size: Size) -> Deviations {
        let deviations = match rule {
            Rule::Reversed => Deviations {
                empties: [1.25, -2.26, 1.34],
                unseen_power: 0.26,
                seen_power: -0.31,
                end: 3.8,
                end_power: -0.13,
                scale: 1.0,
            },
            Rule::Normal => Deviations {
                empties: [1.50, -0.15, -1.02],
                unseen_power: 0.32,
                seen_power: -0.33,
                end: 8.8,
                end_power: -0.34,
                scale: 1.0,
            },
        };
        let scale = if size.width() <= 6 { 0.6 } else { 1.0 };
        Deviations { scale, ..deviations }
    }

    /// The standard deviation of a deep search's value from a shallow one's, in discs.
    fn standard(&self, empties: u32, depth: u32) -> f32 {
        let shallow = shallow_depth(depth);
        let seen = 1.0 + shallow as f32;
        if depth >= empties {
            return self.scale * self.end * seen.powf(self.end_power);
        }
        let unseen = (depth - shallow) as f32;
        let part = empties as f32 / MAX_EMPTIES as f32;
        let [a, b, c] = self.empties;
        let base = (a + part * (b + part * c)).exp();
        self.scale * base * unseen.powf(self.unseen_power) * seen.powf(self.seen_power)
    }
}

/// The most empty squares, and so the greatest depth.
const MAX_EMPTIES: usize = 60;

/// How far outside the window a shallow value must lie, by selectivity, empty squares and depth.
pub(crate) struct Margins([[[u8; MAX_EMPTIES + 1]; MAX_EMPTIES + 1]; Selectivity::LEVELS]);

impl Margins {
    /// The margins for the weights of `rule` on boards of `size`.
    pub(crate) fn of(rule: Rule, size: Size) -> &'static Margins {
        use Rule::{Normal, Reversed};
        static REVERSED: LazyLock<Margins> = LazyLock::new(|| Margins::new(Reversed, Size::EIGHT));
        static NORMAL: LazyLock<Margins> = LazyLock::new(|| Margins::new(Normal, Size::EIGHT));
        static REVERSED_6: LazyLock<Margins> = LazyLock::new(|| Margins::new(Reversed, Size::SIX));
        static NORMAL_6: LazyLock<Margins> = LazyLock::new(|| Margins::new(Normal, Size::SIX));
        match (rule, size.width()) {
            (Reversed, ..=6) => &REVERSED_6,
            (Normal, ..=6) => &NORMAL_6,
            (Reversed, _) => &REVERSED,
            (Normal, _) => &NORMAL,
        }
    }

    fn new(rule: Rule, size: Size) -> Margins {
        let deviations = Deviations::of(rule, size);
        let mut margins = Margins([[[0; MAX_EMPTIES + 1]; MAX_EMPTIES + 1]; Selectivity::LEVELS]);
        for (margins, selectivity) in margins.0.iter_mut().zip(Selectivity::pruning()) {
            for (empties, margins) in (0..).zip(margins) {
                for (depth, margin) in (0..).zip(margins) {
                    let deviation = deviations.standard(empties, depth);
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

    #[test]
    fn margins_grow_with_confidence_and_proofs_have_none() {
        let boards = [Size::SIX, Size::EIGHT];
        for (rule, size) in boards.map(|size| Rule::ALL.map(|rule| (rule, size))).concat() {
            let margins = Margins::of(rule, size);
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
