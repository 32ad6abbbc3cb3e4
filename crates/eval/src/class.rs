//! Slots that share one weight.
//!
//! A pattern that a symmetry of the board maps onto itself looks the same read
//! either way, and must be worth the same. Files and fits know only classes of
//! such slots; a phase's table has a slot for each state, so that a lookup
//! needs no second table.

use crate::feature::SLOTS;
use crate::pattern::{KINDS, OFFSETS, Pattern, REPRESENTATIVES};
use std::sync::LazyLock;

/// How many weights a phase has, each class counted once.
pub const CLASSES: usize = 143_837;

/// The class of each slot.
static CLASS: LazyLock<Box<[u32]>> = LazyLock::new(|| {
    let mut classes: Vec<u32> = Vec::with_capacity(SLOTS);
    let mut next = 0;
    for (pattern, offset) in REPRESENTATIVES.iter().zip(OFFSETS) {
        let mirrors = pattern.mirrors();
        for state in 0..pattern.states() {
            let image = smallest_image(pattern, &mirrors, state);
            // A smaller image came before and has its class.
            classes.push(if image == state { next } else { classes[offset + image] });
            next += u32::from(image == state);
        }
    }
    // What is not a pattern has no mirror.
    classes.extend((OFFSETS[KINDS]..SLOTS).zip(next..).map(|(_, class)| class));
    assert_eq!(*classes.last().expect("there are slots") as usize + 1, CLASSES);
    classes.into()
});

/// The class of each slot of a phase's table.
pub(crate) fn classes() -> &'static [u32] {
    &CLASS
}

/// Of a state's images under the pattern's mirrors, the smallest. States are counted from zero:
/// digits 0, 1 and 2 instead of −1, 0 and 1.
fn smallest_image(pattern: &Pattern, mirrors: &[Vec<usize>], state: usize) -> usize {
    let image = |mirror: &Vec<usize>| {
        let mut rest = state;
        let mut image = 0;
        for &place in &mirror[..pattern.squares().len()] {
            image += rest % 3 * 3_usize.pow(place as u32);
            rest /= 3;
        }
        image
    };
    mirrors.iter().map(image).min().unwrap_or(state)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_class_is_there_and_has_one_slot_or_two() {
        let mut slots = vec![0; CLASSES];
        for &class in classes() {
            slots[class as usize] += 1;
        }
        assert!(slots.iter().all(|&count| count == 1 || count == 2));
        assert_eq!(slots.iter().sum::<usize>(), SLOTS);
    }
}
