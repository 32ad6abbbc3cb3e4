//! Classes of slots that share one weight.
//!
//! If a symmetry of the board maps a pattern onto itself, mirrored states must
//! have the same weight. Files and fits have one weight per class of such
//! states; a phase's table has a slot for each state, so that a lookup needs no
//! second table.

use crate::pattern::Pattern;
use crate::shape::{SHAPES, Shape};
use isrever_board::Size;
use std::sync::LazyLock;

/// The classes of one shape.
pub(crate) struct Classes {
    /// The class of each slot of a phase's table.
    pub(crate) of_slots: Box<[u32]>,
    /// The number of classes.
    pub(crate) count: usize,
}

/// The classes of each shape.
static CLASSES: [LazyLock<Classes>; SHAPES.len()] = [
    LazyLock::new(|| Classes::new(Shape::EIGHT)),
    LazyLock::new(|| Classes::new(Shape::SIX)),
    LazyLock::new(|| Classes::new(Shape::WIDE)),
];

impl Shape {
    /// How many weights a phase has: states that are the same up to symmetry count once.
    pub fn class_count(&self) -> usize {
        self.classes().count
    }

    /// The classes of the slots of a phase's table.
    pub(crate) fn classes(&self) -> &'static Classes {
        &CLASSES[self.number]
    }
}

impl Classes {
    fn new(shape: &Shape) -> Classes {
        let mut of_slots: Vec<u32> = Vec::with_capacity(shape.slots());
        let mut next = 0;
        for (kind, pattern) in shape.representatives().iter().enumerate() {
            let offset = shape.offset(kind);
            for (state, image) in (0_u32..).zip(smallest_images(pattern, shape.size())) {
                // A smaller image comes first, and defines the class.
                let is_new = image == state;
                of_slots.push(if is_new { next } else { of_slots[offset + image as usize] });
                next += u32::from(is_new);
            }
        }
        // Features that are not patterns have no mirror.
        of_slots.extend(
            (shape.numbers.patterns_end..shape.slots()).zip(next..).map(|(_, class)| class),
        );
        let count = of_slots.last().map_or(0, |&last| last as usize + 1);
        Classes { of_slots: of_slots.into(), count }
    }
}

/// The smallest image of each state under the pattern's mirrors. States are counted from zero, with
/// digits 0, 1 and 2 instead of −1, 0 and 1.
fn smallest_images(pattern: &Pattern, size: Size) -> Vec<u32> {
    let states = pattern.states();
    let mut smallest: Vec<u32> = (0..states as u32).collect();
    let mut images = Vec::with_capacity(states);
    // Squares in their own order are the pattern itself.
    for mirror in pattern.mirrors(size).into_iter().filter(|mirror| !mirror.is_sorted()) {
        // The image of a state is that of the state with its highest digit one less, plus what one
        // in that digit's new place counts. Digit by digit, a third of the states is known.
        images.clear();
        images.push(0);
        for place in mirror {
            let (known, image_of_one) = (images.len(), 3_u32.pow(place as u32));
            for digit in 1..=2 {
                images.extend_from_within(..known);
                let more = digit as u32 * image_of_one;
                images[digit * known..].iter_mut().for_each(|image| *image += more);
            }
        }
        for (smallest, &image) in smallest.iter_mut().zip(&images) {
            *smallest = image.min(*smallest);
        }
    }
    smallest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_class_has_one_slot_or_two() {
        for shape in &SHAPES {
            let mut slots = vec![0; shape.class_count()];
            for &class in &shape.classes().of_slots {
                slots[class as usize] += 1;
            }
            assert!(slots.iter().all(|&count| count == 1 || count == 2));
            assert_eq!(slots.iter().sum::<usize>(), shape.slots());
        }
    }

    #[test]
    fn the_counts_are_those_of_the_files() {
        assert_eq!(Shape::EIGHT.class_count(), 143_837);
        assert_eq!(Shape::SIX.class_count(), 103_850);
        assert_eq!(Shape::WIDE.pattern_class_count(), 278_613);
    }
}
