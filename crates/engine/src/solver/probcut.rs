//! Multi-ProbCut: what a shallow search already makes almost certain is not searched deeply.
//!
//! The value of a deep search scatters about that of a shallow one. Where the
//! shallow value lies so far outside the window that only a rare scatter could
//! bring the deep one back in, the node is cut off.
//!
//! Source: M. Buro, *Experiments with Multi-ProbCut and a new high-quality
//! evaluation function for Othello*, 1997.

use super::search::PROVED;

/// How many deviations count as almost certain, by the level of a pass.
const CONFIDENCE: [f32; 5] = [1.1, 1.5, 2.0, 2.6, 3.3];

/// How often, in hundredths, such a cut is right.
const PERCENT: [u8; 5] = [73, 87, 95, 98, 99];

/// The lowest level at which cuts are right at least so often; above them all, that of proofs.
pub(super) fn level(percent: u8) -> u8 {
    PERCENT.iter().position(|&right| right >= percent).map_or(PROVED, |level| level as u8)
}

/// The least depth at which a shallower search is asked first.
pub(super) const FROM_DEPTH: u32 = 3;

/// The depth of the shallow search that is asked about a search of `depth`.
#[inline(always)]
pub(super) fn shallow_depth(depth: u32) -> u32 {
    2 * (depth / 4) + (depth & 1)
}

/// How far the shallow value must lie outside the window, in discs; `None` at the level of proofs.
#[inline(always)]
pub(super) fn margin(level: u8, empties: u32, depth: u32) -> Option<i32> {
    if level == PROVED {
        return None;
    }
    let confidence = CONFIDENCE[usize::from(level)];
    let deviation = deviation(empties, depth, shallow_depth(depth));
    Some((confidence * deviation).ceil() as i32)
}

/// The standard deviation of a deep search's value from a shallow one's, in discs.
#[inline(always)]
fn deviation(empties: u32, depth: u32, shallow: u32) -> f32 {
    let (depth, shallow, empties) = (depth as f32, shallow as f32, empties as f32);
    1.2 + 0.28 * (depth - shallow)
        + 1.2 / (1.0 + shallow)
        + 0.03 * (30.0 - (empties - 24.0).abs()).max(0.0)
}
