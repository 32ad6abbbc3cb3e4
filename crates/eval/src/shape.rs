//! What follows from the size of a board: its patterns laid out in lanes and tables.
//!
//! Every instance of a pattern has a lane, and all instances of a kind share
//! one table of weights. A phase's table holds those of all kinds one after the
//! other, and then those of the other features ([`feature`](crate::feature)).

use crate::indices::{Indices, WIDTH};
use crate::pattern::{self, Pattern};
use isrever_board::{Size, Square, Symmetry};

/// The most kinds of patterns on any board.
const MOST_KINDS: usize = 14;

/// The patterns on boards of one size, and their layout.
pub struct Shape {
    pub(crate) numbers: Numbers,
    /// The index in [`SHAPES`].
    pub(crate) number: usize,
    representatives: &'static [Pattern],
    /// All instances, kind by kind; only the first `lanes` are in use.
    instances: [Lane; WIDTH],
    lanes: usize,
    /// Where the table of each kind begins in a phase's table; the last entry is where the patterns
    /// end.
    offsets: [usize; MOST_KINDS + 1],
    /// What a disc of the side to move adds to each index, by its square.
    pub(crate) place: [Indices; 64],
}

/// The numbers of a shape that every evaluation needs: small enough to be a constant of the code
/// that evaluates, in whatever crate that is compiled.
#[derive(Clone, Copy)]
pub(crate) struct Numbers {
    pub(crate) size: Size,
    /// Where the patterns end in a phase's table.
    pub(crate) patterns_end: usize,
    /// The squares of the quadrant of `a1`.
    pub(crate) quadrant: u64,
}

impl Numbers {
    /// The number of phases.
    #[inline(always)]
    const fn phase_count(&self) -> usize {
        (self.size.cells() - 4) / 2
    }

    /// The phase of a board with this many discs.
    #[inline(always)]
    pub(crate) const fn phase(&self, discs: u32) -> usize {
        let phase = discs.saturating_sub(4) as usize / 2;
        // The full board has no phase of its own.
        if phase < self.phase_count() { phase } else { self.phase_count() - 1 }
    }
}

/// One instance of a pattern.
#[derive(Clone, Copy)]
pub(crate) struct Lane {
    /// The kind of pattern, which selects the table of weights.
    pub(crate) kind: usize,
    /// Its squares, in the same order as the representative's.
    pub(crate) pattern: Pattern,
}

/// The index of 8×8 in [`SHAPES`].
pub(crate) const EIGHT: usize = 0;

/// The index of 6×6.
pub(crate) const SIX: usize = 1;

/// The index of 8×8 with the wider set of patterns, for networks.
pub(crate) const WIDE: usize = 2;

/// The boards that can be evaluated.
pub(crate) static SHAPES: [Shape; 3] = [
    Shape::new(EIGHT, Size::EIGHT, pattern::EIGHT),
    Shape::new(SIX, Size::SIX, pattern::SIX),
    Shape::new(WIDE, Size::EIGHT, pattern::EIGHT_WIDE),
];

impl Shape {
    /// The shape of 8×8 for linear weights.
    pub const EIGHT: &'static Shape = &SHAPES[EIGHT];

    /// The shape of 6×6 for linear weights.
    pub const SIX: &'static Shape = &SHAPES[SIX];

    /// The shape of 8×8 for networks.
    pub const WIDE: &'static Shape = &SHAPES[WIDE];

    /// The shape of boards of `size` for linear weights: 6×6 and 8×8 have patterns, others have
    /// none.
    pub const fn of(size: Size) -> Option<&'static Shape> {
        match size {
            Size::EIGHT => Some(Shape::EIGHT),
            Size::SIX => Some(Shape::SIX),
            _ => None,
        }
    }

    const fn new(number: usize, size: Size, representatives: &'static [Pattern]) -> Shape {
        let (instances, lanes) = instances(size, representatives);
        let mut offsets = [0; MOST_KINDS + 1];
        let mut kind = 0;
        while kind < representatives.len() {
            offsets[kind + 1] = offsets[kind] + representatives[kind].states();
            kind += 1;
        }
        let place = places(instances.split_at(lanes).0);
        let patterns_end = offsets[representatives.len()];
        let numbers = Numbers { size, patterns_end, quadrant: quadrant(size.width() / 2) };
        Shape { numbers, number, representatives, instances, lanes, offsets, place }
    }

    /// The size of the boards.
    pub const fn size(&self) -> Size {
        self.numbers.size
    }

    /// The number of phases, each with its own weights: one for every two discs after the first
    /// four.
    pub const fn phase_count(&self) -> usize {
        self.numbers.phase_count()
    }

    /// The phase of a board with this many discs.
    pub const fn phase(&self, discs: u32) -> usize {
        self.numbers.phase(discs)
    }

    /// One pattern per kind.
    pub(crate) const fn representatives(&self) -> &'static [Pattern] {
        self.representatives
    }

    /// The instances of all kinds.
    pub(crate) const fn instances(&self) -> &[Lane] {
        self.instances.split_at(self.lanes).0
    }

    /// Where the table of a kind begins in a phase's table.
    pub(crate) const fn offset(&self, kind: usize) -> usize {
        self.offsets[kind]
    }

    /// Where a lane's weight of index zero, all squares empty, is in a phase's table; `None` for an
    /// unused lane.
    pub(crate) const fn centre(&self, lane: usize) -> Option<usize> {
        if lane >= self.lanes {
            return None;
        }
        let kind = self.instances[lane].kind;
        Some(self.offsets[kind] + self.representatives[kind].states() / 2)
    }

    /// A hash of the patterns, by which a file's reader refuses weights for other patterns.
    pub(crate) fn fingerprint(&self) -> u32 {
        // FNV-1a over the lengths and squares.
        let mix = |hash: u32, number: u32| (hash ^ number).wrapping_mul(0x0100_0193);
        self.representatives.iter().fold(0x811c_9dc5, |hash, pattern| {
            let squares = pattern.squares();
            let hash = mix(hash, squares.len() as u32);
            squares.iter().fold(hash, |hash, square| mix(hash, square.index()))
        })
    }
}

/// All images of the patterns, kind by kind, and their number.
const fn instances(size: Size, representatives: &[Pattern]) -> ([Lane; WIDTH], usize) {
    let mut lanes = [Lane { kind: 0, pattern: representatives[0] }; WIDTH];
    let mut count = 0;
    let mut kind = 0;
    while kind < representatives.len() {
        let first = count;
        let mut i = 0;
        while i < 8 {
            let pattern = representatives[kind].image(Symmetry::ALL[i], size);
            // Skips the mirror image of an earlier instance, which has the same squares.
            let mut is_new = true;
            let mut other = first;
            while other < count {
                is_new &= lanes[other].pattern.bits() != pattern.bits();
                other += 1;
            }
            if is_new {
                lanes[count] = Lane { kind, pattern };
                count += 1;
            }
            i += 1;
        }
        kind += 1;
    }
    (lanes, count)
}

/// What a disc on each square adds to the indices of the lanes.
const fn places(lanes: &[Lane]) -> [Indices; 64] {
    let mut place = [Indices::ZERO; 64];
    let mut lane = 0;
    while lane < lanes.len() {
        let squares = lanes[lane].pattern.squares();
        let mut i = 0;
        while i < squares.len() {
            place[squares[i].index() as usize].0[lane] = 3_i16.pow(i as u32);
            i += 1;
        }
        lane += 1;
    }
    place
}

/// The squares of a block of this width in the corner `a1`.
const fn quadrant(width: u8) -> u64 {
    let mut bits = 0;
    let mut i = 0;
    while i < width * width {
        bits |= Square::new(i % width, i / width).bit();
        i += 1;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_the_instances_it_should() {
        let counts = |shape: &Shape| {
            let mut counts = vec![0; shape.representatives.len()];
            for lane in shape.instances() {
                counts[lane.kind] += 1;
            }
            counts
        };
        assert_eq!(counts(&SHAPES[EIGHT]), [4, 4, 8, 4, 4, 4, 4, 2, 4, 4, 4, 4]);
        assert_eq!(counts(&SHAPES[SIX]), [4, 4, 8, 4, 4, 4, 2, 4, 4]);
        assert_eq!(counts(&SHAPES[WIDE]), [4, 4, 8, 4, 4, 4, 4, 2, 4, 4, 4, 4, 4, 4]);
    }

    #[test]
    fn only_the_block_of_two_by_five_has_no_mirror() {
        for shape in &SHAPES {
            for (kind, pattern) in shape.representatives.iter().enumerate() {
                let mirrors = pattern.mirrors(shape.size()).len();
                assert_eq!(mirrors, if kind == 2 { 1 } else { 2 }, "{kind}");
            }
        }
    }

    #[test]
    fn the_patterns_cover_the_board_and_no_more() {
        for shape in &SHAPES {
            let lanes = shape.instances().iter();
            let seen = lanes.fold(0, |seen, lane| seen | lane.pattern.bits());
            assert_eq!(seen, shape.size().mask());
        }
    }

    #[test]
    fn only_6x6_and_8x8_have_patterns() {
        for size in Size::ALL {
            let found = Shape::of(size).map(Shape::size);
            assert_eq!(found, [Size::SIX, Size::EIGHT].contains(&size).then_some(size));
        }
    }
}
