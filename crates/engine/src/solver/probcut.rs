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

/// The levels of selective passes: at the last but one still some nodes are cut off.
pub(super) const LEVELS: u8 = CONFIDENCE.len() as u8;

/// How often, in hundredths, a cut at this level is right; 100 at the level of proofs.
pub(super) fn percentage(level: u8) -> u8 {
    [73, 87, 95, 98, 99].get(usize::from(level)).copied().unwrap_or(100)
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
    1.2 + 0.28 * (depth - shallow) + 1.2 / (1.0 + shallow) + 0.03 * (30.0 - (empties - 24.0).abs()).max(0.0)
}
