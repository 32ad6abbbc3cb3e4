//! Multi-ProbCut: what a shallow search already makes almost certain is not searched deeply.
//!
//! The value of a deep search scatters about that of a shallow one. Where the
//! shallow value lies so far outside the window that only a rare scatter could
//! bring the deep one back in, the node is cut off. How widely values scatter
//! was measured for weights of each rule on 8×8, those of generation 3, by
//! `isrever train calibrate`; on 6×6 it is a share of that, fitted to node counts.
//!
//! Source: M. Buro, *Experiments with Multi-ProbCut and a new high-quality
//! evaluation function for Othello*, 1997.

use super::search::PROVED;
use isrever_board::{Rule, Size};
use std::sync::LazyLock;

/// How many deviations count as almost certain, by the level of a pass.
const CONFIDENCE: [f32; 6] = [0.66, 1.1, 1.5, 2.0, 2.6, 3.3];

/// How many values in a hundred lie within so many deviations: a cut is right at least so often.
const PERCENT: [u8; 6] = [49, 73, 87, 95, 98, 99];

/// The highest level of passes that cut.
pub(super) const SURE: u8 = CONFIDENCE.len() as u8 - 1;

/// The lowest level at which cuts are right at least so often; above them all, that of proofs.
pub(super) fn level(percent: u8) -> u8 {
    PERCENT.iter().position(|&right| right >= percent).map_or(PROVED, |level| level as u8)
}

/// How often, in hundredths, cuts at `level` are right.
pub(super) fn percent(level: u8) -> u8 {
    PERCENT.get(usize::from(level)).copied().unwrap_or(100)
}

/// The least depth at which a shallower search is asked first.
const FROM_DEPTH: u32 = 3;

/// The depth of the shallow search that is asked about a search of `depth`.
#[inline(always)]
pub(super) const fn shallow_depth(depth: u32) -> u32 {
    2 * (depth / 4) + (depth & 1)
}

/// How widely values scatter under one rule.
struct Scatter {
    /// The logarithm of the deviation of a value from that of one ply less without any ply, as a
    /// polynomial of the share of the board that is empty.
    empties: [f32; 3],
    /// The powers by which it grows with the plies that the shallow search does not see, and with
    /// those it does.
    unseen_power: f32,
    seen_power: f32,
    /// The deviation of the final score from the evaluation, and the power of the shallow
    /// search's number of plies by which it falls.
    end: f32,
    end_power: f32,
    /// What all of it is multiplied by.
    share: f32,
}

impl Scatter {
    const fn of(rule: Rule, size: Size) -> Scatter {
        let scatter = match rule {
            Rule::Reversed => Scatter {
                empties: [1.25, -2.26, 1.34],
                unseen_power: 0.26,
                seen_power: -0.31,
                end: 3.8,
                end_power: -0.13,
                share: 1.0,
            },
            Rule::Normal => Scatter {
                empties: [1.50, -0.15, -1.02],
                unseen_power: 0.32,
                seen_power: -0.33,
                end: 8.8,
                end_power: -0.34,
                share: 1.0,
            },
        };
        let share = if size.width() <= 6 { 0.6 } else { 1.0 };
        Scatter { share, ..scatter }
    }

    /// The standard deviation of a deep search's value from a shallow one's, in discs.
    fn deviation(&self, empties: u32, depth: u32) -> f32 {
        let shallow = shallow_depth(depth);
        let seen = 1.0 + shallow as f32;
        if depth >= empties {
            return self.share * self.end * seen.powf(self.end_power);
        }
        let unseen = (depth - shallow) as f32;
        let part = empties as f32 / MOST as f32;
        let [a, b, c] = self.empties;
        let base = (a + part * (b + part * c)).exp();
        self.share * base * unseen.powf(self.unseen_power) * seen.powf(self.seen_power)
    }
}

/// Empty squares at most, and so plies.
const MOST: usize = 60;

/// How far the shallow value must lie outside the window, by level, empty squares and depth.
pub(super) struct Margins([[[u8; MOST + 1]; MOST + 1]; CONFIDENCE.len()]);

impl Margins {
    /// The margins for the weights of `rule` on boards of `size`.
    pub(super) fn of(rule: Rule, size: Size) -> &'static Margins {
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
        let scatter = Scatter::of(rule, size);
        let mut margins = Margins([[[0; MOST + 1]; MOST + 1]; CONFIDENCE.len()]);
        for (margins, confidence) in margins.0.iter_mut().zip(CONFIDENCE) {
            for (empties, margins) in (0..).zip(margins) {
                for (depth, margin) in (0..).zip(margins) {
                    let discs = (confidence * scatter.deviation(empties, depth)).ceil();
                    #[expect(clippy::cast_sign_loss, reason = "deviations are positive")]
                    let discs = discs as u8;
                    *margin = discs;
                }
            }
        }
        margins
    }

    /// The margin in discs; `None` where nothing is to be cut off.
    #[inline(always)]
    pub(super) fn get(&self, level: u8, empties: u32, depth: u32) -> Option<i32> {
        if level == PROVED || depth < FROM_DEPTH {
            return None;
        }
        let margins = self.0.get(usize::from(level))?.get(empties as usize)?;
        margins.get(depth as usize).map(|&margin| margin.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_grow_with_the_level_and_proofs_have_none() {
        let boards = [Size::SIX, Size::EIGHT];
        for (rule, size) in boards.map(|size| Rule::ALL.map(|rule| (rule, size))).concat() {
            let margins = Margins::of(rule, size);
            for empties in 10..=MOST as u32 {
                for depth in FROM_DEPTH..=empties {
                    let margins: Vec<i32> = (0..CONFIDENCE.len() as u8)
                        .map(|level| margins.get(level, empties, depth).unwrap())
                        .collect();
                    assert!(margins.is_sorted() && margins[0] >= 1, "{empties} {depth}");
                }
                assert_eq!(margins.get(PROVED, empties, 5), None);
                assert_eq!(margins.get(0, empties, 2), None);
            }
        }
    }

    #[test]
    fn a_level_is_named_by_its_percentage() {
        for (number, right) in (0..).zip(PERCENT) {
            assert_eq!((level(right), percent(number)), (number, right));
        }
        assert_eq!((level(100), percent(PROVED)), (PROVED, 100));
        assert_eq!(level(90), level(95));
    }
}
