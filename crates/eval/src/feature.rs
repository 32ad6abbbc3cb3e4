//! What else a position shows, beside its patterns, and the list of all it shows.
//!
//! Every feature has one weight in a phase's table: after those of the patterns
//! come the numbers of moves of either side, the number of quadrants with an
//! odd number of empty squares, and one weight for every board by the parity of
//! its empty squares.

use crate::class::classes;
use crate::pattern::{INSTANCES, KINDS, LANES, OFFSETS};
use isrever_board::{Board, Kernel, Scalar};

/// How many features a position shows.
pub const FEATURES: usize = LANES + 4;

/// Numbers of moves that are told apart; the last means that many or more.
const MOVES: usize = 32;

/// Where each kind of feature begins in a phase's table.
const OWN_MOVES: usize = OFFSETS[KINDS];
const OPPONENT_MOVES: usize = OWN_MOVES + MOVES;
const ODD_QUADRANTS: usize = OPPONENT_MOVES + MOVES;
const PARITY: usize = ODD_QUADRANTS + 5;

/// The weights of one phase.
pub(crate) const SLOTS: usize = PARITY + 2;

/// The slots of the features that are not patterns.
#[inline(always)]
pub(crate) fn other_slots(board: Board, own_moves: u64, opponent_moves: u64) -> [usize; 4] {
    const QUADRANT: u64 = 0x0f0f_0f0f;
    let empties = !(board.player | board.opponent);
    let mut odd = 0;
    for shift in [0, 4, 32, 36] {
        odd += (empties >> shift & QUADRANT).count_ones() as usize & 1;
    }
    [
        OWN_MOVES + (own_moves.count_ones() as usize).min(MOVES - 1),
        OPPONENT_MOVES + (opponent_moves.count_ones() as usize).min(MOVES - 1),
        ODD_QUADRANTS + odd,
        PARITY + (odd & 1),
    ]
}

/// The slots of everything that `board` shows, patterns first, square by square.
///
/// Slow on purpose: it is the oracle of [`Indices`](crate::Indices).
pub(crate) fn slots(board: Board) -> [usize; FEATURES] {
    let mut slots = [0; FEATURES];
    for (slot, instance) in slots.iter_mut().zip(&INSTANCES) {
        // Digits are counted from zero here: 0 for the opponent, 1 for nobody, 2 for the player.
        let mut state = 0;
        for square in instance.pattern.squares().iter().rev() {
            let player = usize::from(board.player & square.bit() != 0);
            let opponent = usize::from(board.opponent & square.bit() != 0);
            state = 3 * state + 1 + player - opponent;
        }
        *slot = OFFSETS[instance.kind] + state;
    }
    let (own, opponent) = (Scalar.moves(board), Scalar.moves(board.pass()));
    slots[LANES..].copy_from_slice(&other_slots(board, own, opponent));
    slots
}

/// Everything that `board` shows, as numbers below [`CLASSES`](crate::CLASSES).
///
/// What is the same up to symmetry has the same number; weights are fitted and kept by it.
pub fn features(board: Board) -> [u32; FEATURES] {
    let classes = classes();
    slots(board).map(|slot| classes[slot])
}

/// The smallest number each feature can have, in the order of [`features`]; the largest is less
/// than 65,536 above it.
pub fn feature_bases() -> [u32; FEATURES] {
    let classes = classes();
    let mut bases = [0; FEATURES];
    for (base, instance) in bases.iter_mut().zip(&INSTANCES) {
        *base = classes[OFFSETS[instance.kind]];
    }
    let others = [OWN_MOVES, OPPONENT_MOVES, ODD_QUADRANTS, PARITY];
    bases[LANES..].copy_from_slice(&others.map(|slot| classes[slot]));
    bases
}
