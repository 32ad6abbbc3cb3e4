//! Whole games of uniformly random moves, many abreast.
//!
//! The random numbers come from the caller: the same numbers give the same
//! games on every machine and with every kernel.

use crate::kernel::{self, Isa, Kernel, Task, dispatch_to};
use crate::{Board, Size};

/// Games played together: one per vector lane, twice over for the pipeline's sake.
const ABREAST: usize = 16;

/// Plays `games` games from `start` to the end, each move drawn uniformly from the legal ones,
/// and hands each final board to `finished`, seen by the side that was to move at the start.
///
/// `random` gives uniformly distributed numbers; one is used for each disc placed.
pub fn playouts(
    start: Board,
    size: Size,
    games: u64,
    random: impl FnMut() -> u64,
    finished: impl FnMut(Board),
) {
    playouts_on(Isa::best(), start, size, games, random, finished);
}

/// As [`playouts`], with the kernel of `isa`.
pub fn playouts_on(
    isa: Isa,
    start: Board,
    size: Size,
    games: u64,
    random: impl FnMut() -> u64,
    finished: impl FnMut(Board),
) {
    dispatch_to(isa, Playouts { start, size, games, random, finished });
}

struct Playouts<R, F> {
    start: Board,
    size: Size,
    games: u64,
    random: R,
    finished: F,
}

impl<R: FnMut() -> u64, F: FnMut(Board)> Task for Playouts<R, F> {
    type Output = ();

    fn run(mut self, kernel: impl Kernel) {
        kernel.run(|| self.play());
    }
}

impl<R: FnMut() -> u64, F: FnMut(Board)> Playouts<R, F> {
    #[inline(always)]
    fn play(&mut self) {
        let mask = self.size.mask();
        let mut players = [self.start.player; ABREAST];
        let mut opponents = [self.start.opponent; ABREAST];
        let mut moves = [0; ABREAST];
        let mut bits = [0; ABREAST];
        // Whether the lane's player is the side that was to move at the start.
        let mut starter_moves = [true; ABREAST];
        // Lanes that still play; finished ones idle once no new game is left to begin.
        let mut begun = (ABREAST as u64).min(self.games);
        let mut playing = begun;
        let mut is_playing: [bool; ABREAST] = std::array::from_fn(|lane| (lane as u64) < begun);

        while playing > 0 {
            for i in 0..ABREAST {
                moves[i] = kernel::moves(players[i], opponents[i]) & mask;
            }
            for i in 0..ABREAST {
                let mut choices = moves[i];
                if choices == 0 {
                    if !is_playing[i] {
                        bits[i] = 0;
                        continue;
                    }
                    choices = kernel::moves(opponents[i], players[i]) & mask;
                    if choices != 0 {
                        (players[i], opponents[i]) = (opponents[i], players[i]);
                        starter_moves[i] = !starter_moves[i];
                    } else {
                        let end = Board { player: players[i], opponent: opponents[i] };
                        (self.finished)(if starter_moves[i] { end } else { end.pass() });
                        if begun == self.games {
                            playing -= 1;
                            is_playing[i] = false;
                            (players[i], opponents[i], bits[i]) = (0, 0, 0);
                            continue;
                        }
                        begun += 1;
                        (players[i], opponents[i]) = (self.start.player, self.start.opponent);
                        starter_moves[i] = true;
                        // The new game's first move is looked up in the next round.
                        bits[i] = 0;
                        continue;
                    }
                }
                bits[i] = pick(choices, (self.random)());
            }
            for i in 0..ABREAST {
                // A lane without a move this round stays as it is.
                let placed = bits[i] != 0;
                let flips = kernel::flips_of_bit(players[i], opponents[i], bits[i]);
                let own = players[i] | flips | bits[i];
                let next = opponents[i] & !flips;
                (players[i], opponents[i]) =
                    if placed { (next, own) } else { (players[i], opponents[i]) };
                starter_moves[i] ^= placed;
            }
        }
    }
}

/// One of the set bits of `choices`, uniformly as far as `random` is uniform.
#[inline(always)]
fn pick(choices: u64, random: u64) -> u64 {
    let count = u128::from(choices.count_ones());
    let mut rank = ((u128::from(random) * count) >> 64) as u32;
    let mut bits = choices;
    while rank > 0 {
        bits &= bits - 1;
        rank -= 1;
    }
    bits & bits.wrapping_neg()
}
