//! Shares a perft among threads, with the same totals.

use isrever_board::{Isa, Passes, Position, perft_on};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

/// Pieces of work per thread: enough that none waits long for the last.
const PIECES_PER_THREAD: usize = 16;

/// The number of games of `depth` plies from `position`, counted by `threads` threads, this one
/// included, or by as many of them as the system allows.
pub(crate) fn perft(
    isa: Isa,
    position: &Position,
    depth: u32,
    passes: Passes,
    threads: usize,
) -> u64 {
    if threads <= 1 {
        return perft_on(isa, position, depth, passes);
    }
    let work = split(position, depth, passes, threads * PIECES_PER_THREAD);
    let leaves = AtomicU64::new(work.leaves);
    let next = AtomicUsize::new(0);
    let count = || {
        while let Some(piece) = work.pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
            let found = perft_on(isa, &piece.position, piece.depth, passes);
            leaves.fetch_add(found, Ordering::Relaxed);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(work.pieces.len()) {
            // Refused once, refused again: the threads there are do the work.
            if thread::Builder::new().spawn_scoped(scope, count).is_err() {
                break;
            }
        }
        count();
    });
    leaves.into_inner()
}

/// A position and the plies still to count below it.
struct Piece {
    position: Position,
    depth: u32,
}

/// A tree cut into pieces, and the leaves above the cut.
struct Work {
    pieces: Vec<Piece>,
    leaves: u64,
}

/// Cuts the tree one ply deeper until there are `enough` pieces or nothing left to cut.
fn split(position: &Position, depth: u32, passes: Passes, enough: usize) -> Work {
    let root = Piece { position: position.clone(), depth };
    let mut work = Work { pieces: vec![root], leaves: 0 };
    // The last two plies are counted faster than they are shared out.
    while work.pieces.len() < enough && work.pieces.iter().any(|piece| piece.depth > 2) {
        let mut deeper = Work { pieces: Vec::new(), leaves: work.leaves };
        for piece in work.pieces {
            deeper.expand(piece, passes);
        }
        work = deeper;
    }
    work
}

impl Work {
    /// Puts the children of `piece` in its place, counting it as `perft` does where it has none.
    fn expand(&mut self, piece: Piece, passes: Passes) {
        let Piece { position, depth } = piece;
        if depth == 0 || position.is_over() {
            self.leaves += 1;
        } else if position.has_move() {
            self.pieces.extend(position.moves().into_iter().filter_map(|square| {
                Some(Piece { position: position.play(square)?, depth: depth - 1 })
            }));
        } else {
            let depth = match passes {
                Passes::Ply => depth - 1,
                Passes::Free => depth,
            };
            self.pieces.push(Piece { position: position.pass(), depth });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::Size;

    #[test]
    fn any_number_of_threads_counts_the_same() {
        // On 4x4 the tree is searched past passes and ends, so the cut meets both.
        for (size, depths) in [(Size::FOUR, 1..=14), (Size::SIX, 1..=7), (Size::ALL[3], 1..=4)] {
            let start = Position::start(size);
            for depth in depths {
                for passes in [Passes::Ply, Passes::Free] {
                    let alone = perft(Isa::best(), &start, depth, passes, 1);
                    for threads in [2, 3, 40] {
                        let shared = perft(Isa::best(), &start, depth, passes, threads);
                        assert_eq!(shared, alone, "{size} {depth} {passes} {threads}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_cut_through_passes_and_ends_keeps_the_count() {
        // Thousands of pieces of the 4x4 game: nearly all of it lies above the cut.
        for passes in [Passes::Ply, Passes::Free] {
            let start = Position::start(Size::FOUR);
            let work = split(&start, 12, passes, 20_000);
            let below: u64 = work
                .pieces
                .iter()
                .map(|piece| perft_on(Isa::best(), &piece.position, piece.depth, passes))
                .sum();
            assert!(work.leaves > 0 && work.pieces.len() > 1_000);
            assert_eq!(work.leaves + below, perft_on(Isa::best(), &start, 12, passes));
        }
    }
}
