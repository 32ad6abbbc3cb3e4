//! The patterns: which squares are looked at together.
//!
//! One representative per kind is written down; the other instances are its
//! images under the board's symmetries. Every instance has a lane, and all
//! instances of a kind share one table of weights.

use isrever_board::{Size, Square, Symmetry};

/// The most squares a pattern has: 3¹⁰ states, half of them either side of zero, fit an `i16`.
pub(crate) const MOST_SQUARES: usize = 10;

/// The kinds of patterns.
pub(crate) const KINDS: usize = 12;

/// The instances of all kinds.
pub(crate) const LANES: usize = 50;

/// One representative per kind.
pub(crate) const REPRESENTATIVES: [Pattern; KINDS] = [
    // The corner, the edge with what makes it weak, and two views of their neighbourhood.
    Pattern::new("a1 b1 c1 a2 b2 c2 a3 b3 c3"),
    Pattern::new("a1 b1 c1 d1 e1 f1 g1 h1 b2 g2"),
    Pattern::new("a1 b1 c1 d1 e1 a2 b2 c2 d2 e2"),
    Pattern::new("a1 b1 c1 d1 a2 b2 c2 a3 b3 a4"),
    // Rows and columns away from the edge.
    Pattern::new("a2 b2 c2 d2 e2 f2 g2 h2"),
    Pattern::new("a3 b3 c3 d3 e3 f3 g3 h3"),
    Pattern::new("a4 b4 c4 d4 e4 f4 g4 h4"),
    // Diagonals.
    Pattern::new("a1 b2 c3 d4 e5 f6 g7 h8"),
    Pattern::new("a2 b3 c4 d5 e6 f7 g8"),
    Pattern::new("a3 b4 c5 d6 e7 f8"),
    Pattern::new("a4 b5 c6 d7 e8"),
    Pattern::new("a5 b6 c7 d8"),
];

/// Squares in a fixed order: the first is the lowest digit of an index.
#[derive(Clone, Copy)]
pub(crate) struct Pattern {
    squares: [Square; MOST_SQUARES],
    len: usize,
}

impl Pattern {
    /// Reads squares of two letters with a space between.
    const fn new(names: &str) -> Pattern {
        let names = names.as_bytes();
        let len = names.len().div_ceil(3);
        let mut squares = [Square::new(0, 0); MOST_SQUARES];
        let mut i = 0;
        while i < len {
            squares[i] = Square::new(names[3 * i] - b'a', names[3 * i + 1] - b'1');
            i += 1;
        }
        Pattern { squares, len }
    }

    /// The squares in order.
    pub(crate) const fn squares(&self) -> &[Square] {
        self.squares.split_at(self.len).0
    }

    /// How many ways there are to fill the squares.
    pub(crate) const fn states(&self) -> usize {
        3_usize.pow(self.len as u32)
    }

    const fn image(&self, symmetry: Symmetry) -> Pattern {
        let mut image = *self;
        let mut i = 0;
        while i < self.len {
            image.squares[i] = symmetry.square(self.squares[i], Size::EIGHT);
            i += 1;
        }
        image
    }

    const fn bits(&self) -> u64 {
        let mut bits = 0;
        let mut i = 0;
        while i < self.len {
            bits |= self.squares[i].bit();
            i += 1;
        }
        bits
    }

    /// The ways in which a symmetry of the board maps the pattern onto itself: where each digit
    /// goes. The identity is the first; ways that move nothing are left out.
    pub(crate) fn mirrors(&self) -> Vec<Vec<usize>> {
        let mut mirrors: Vec<Vec<usize>> = Vec::new();
        for symmetry in Symmetry::ALL {
            let image = self.image(symmetry);
            let place = |square| self.squares().iter().position(|&own| own == square);
            let mirror: Option<Vec<usize>> =
                image.squares().iter().map(|&square| place(square)).collect();
            mirrors.extend(mirror.filter(|mirror| !mirrors.contains(mirror)));
        }
        mirrors
    }
}

/// One instance of a pattern.
#[derive(Clone, Copy)]
pub(crate) struct Lane {
    /// Which table of weights it reads.
    pub(crate) kind: usize,
    /// Its squares, in the order of the representative's.
    pub(crate) pattern: Pattern,
}

/// All instances, kind by kind.
pub(crate) static INSTANCES: [Lane; LANES] = {
    let mut lanes = [Lane { kind: 0, pattern: REPRESENTATIVES[0] }; LANES];
    let mut count = 0;
    let mut kind = 0;
    while kind < KINDS {
        let first = count;
        let mut i = 0;
        while i < 8 {
            let pattern = REPRESENTATIVES[kind].image(Symmetry::ALL[i]);
            // The same squares again: the mirror image of an instance that is there already.
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
    assert!(count == LANES, "the kinds have as many instances as there are lanes");
    lanes
};

/// Where the table of each kind begins in a phase's table; last, where the patterns end.
pub(crate) const OFFSETS: [usize; KINDS + 1] = {
    let mut offsets = [0; KINDS + 1];
    let mut kind = 0;
    while kind < KINDS {
        offsets[kind + 1] = offsets[kind] + REPRESENTATIVES[kind].states();
        kind += 1;
    }
    offsets
};

/// Where the weight of index zero, all squares empty, stands for each lane.
pub(crate) const CENTRES: [usize; LANES] = {
    let mut centres = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        let kind = INSTANCES[lane].kind;
        centres[lane] = OFFSETS[kind] + REPRESENTATIVES[kind].states() / 2;
        lane += 1;
    }
    centres
};

/// A number that changes with the patterns, so that weights for others are not taken for ours.
pub(crate) const FINGERPRINT: u32 = {
    // FNV-1a over the lengths and squares.
    let mut hash = 0x811c_9dc5_u32;
    let mut kind = 0;
    while kind < KINDS {
        let pattern = REPRESENTATIVES[kind];
        hash = (hash ^ pattern.len as u32).wrapping_mul(0x0100_0193);
        let mut i = 0;
        while i < pattern.len {
            hash = (hash ^ pattern.squares[i].index()).wrapping_mul(0x0100_0193);
            i += 1;
        }
        kind += 1;
    }
    hash
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_the_instances_it_should() {
        let mut counts = [0; KINDS];
        for lane in &INSTANCES {
            counts[lane.kind] += 1;
        }
        assert_eq!(counts, [4, 4, 8, 4, 4, 4, 4, 2, 4, 4, 4, 4]);
    }

    #[test]
    fn only_the_block_of_two_by_five_has_no_mirror() {
        let mirrors = REPRESENTATIVES.map(|pattern| pattern.mirrors().len());
        assert_eq!(mirrors, [2, 2, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
    }

    #[test]
    fn every_square_is_seen() {
        let seen = INSTANCES.iter().fold(0, |seen, lane| seen | lane.pattern.bits());
        assert_eq!(seen, u64::MAX);
    }
}
