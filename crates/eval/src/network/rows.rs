//! The rows of all pattern states, one cache line each, in large pages.

use super::{DIMENSIONS, Network};
use crate::indices::MARGIN;
use crate::pages::prefer_large_pages;
use crate::shape::{SHAPES, WIDE};

/// The slots of all patterns.
const SLOTS: usize = SHAPES[WIDE].numbers.patterns_end;

/// All rows of the table.
pub(super) const REACH: usize = MARGIN + SLOTS + MARGIN;

/// The table: a margin, a row for each slot, a margin.
pub(super) struct Rows {
    /// The rows from `start` on, and spare bytes on both sides.
    memory: Vec<i8>,
    start: usize,
}

impl Rows {
    /// Copies to each slot the row of its class; the rows of absent classes are zeros.
    ///
    /// `present` has a bit for each class, and `rows` a row for each bit that is set.
    pub(super) fn new(present: &[u8], rows: &[[u8; DIMENSIONS]]) -> Rows {
        // Zeros of a fresh allocation cost nothing until they are touched.
        let mut memory = vec![0_i8; (REACH + 1) * DIMENSIONS];
        prefer_large_pages(&mut memory);
        let start = memory.as_ptr().align_offset(DIMENSIONS);
        let places = places(present);
        let (table, _) = memory[start..].as_chunks_mut::<DIMENSIONS>();
        let classes = &Network::SHAPE.classes().of_slots[..SLOTS];
        for (row, &class) in table[MARGIN..].iter_mut().zip(classes) {
            if let Some(own) = rows.get(places[class as usize] as usize) {
                *row = own.map(u8::cast_signed);
            }
        }
        Rows { memory, start }
    }

    /// The table.
    #[inline(always)]
    pub(super) fn table(&self) -> &[[i8; DIMENSIONS]; REACH] {
        self.memory[self.start..].as_chunks().0.first_chunk().expect("the table is that long")
    }

    /// The row of each slot.
    pub(super) fn of_slots(&self) -> &[[i8; DIMENSIONS]] {
        &self.table()[MARGIN..][..SLOTS]
    }
}

impl PartialEq for Rows {
    fn eq(&self, other: &Rows) -> bool {
        self.of_slots() == other.of_slots()
    }
}

/// Where the row of each class is: the number of set bits before its own, and far away if that is not
/// set.
fn places(present: &[u8]) -> Vec<u32> {
    let mut places = Vec::with_capacity(8 * present.len());
    let mut next = 0;
    for &byte in present {
        for bit in 0..8 {
            let is_present = byte >> bit & 1;
            places.push(if is_present == 1 { next } else { u32::MAX });
            next += u32::from(is_present);
        }
    }
    places
}
