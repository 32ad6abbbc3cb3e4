//! Many games at once: the boards, the step, observations and masks.
//!
//! Nothing here knows Python. A finished game is replaced by a new one at once, so that every board
//! always has a move or a pass.

use isrever_agent::Rng;
use isrever_board::{Board, Color, Kernel, Rule, Size, Task, dispatch};
use std::collections::TryReserveError;

/// The eight squares of a row by its bits, for observations.
const NUMBERS: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut place = 0;
    while place < 256 * 8 {
        table[place / 8][place % 8] = (((place / 8) >> (place % 8)) & 1) as u8;
        place += 1;
    }
    table
};

/// The same for masks.
const TRUTHS: [[bool; 8]; 256] = {
    let mut table = [[false; 8]; 256];
    let mut place = 0;
    while place < 256 * 8 {
        table[place / 8][place % 8] = NUMBERS[place / 8][place % 8] == 1;
        place += 1;
    }
    table
};

/// An action that the rules forbid.
#[derive(Debug)]
pub(crate) struct Illegal {
    pub(crate) index: usize,
    pub(crate) action: i64,
    /// The legal squares.
    pub(crate) moves: u64,
}

/// The outcome of each board's last step, for the side that made it.
pub(crate) struct Ends<'a> {
    /// 1 for a win, −1 for a loss, 0 for a draw and for every step that ends no game.
    pub(crate) rewards: &'a mut [f32],
    /// The final score in discs, 0 for every step that ends no game.
    pub(crate) scores: &'a mut [i8],
    /// Whether it ended its game.
    pub(crate) dones: &'a mut [bool],
}

/// Finished games by winner.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) black: u64,
    pub(crate) drawn: u64,
    pub(crate) white: u64,
}

/// The boards.
pub(crate) struct Boards {
    rule: Rule,
    size: Size,
    boards: Vec<Board>,
    turns: Vec<Color>,
    /// The legal squares of each board; none where the side to move must pass.
    moves: Vec<u64>,
    rng: Rng,
}

impl Boards {
    /// `count` games at their start, if there is memory for them.
    pub(crate) fn new(
        rule: Rule,
        size: Size,
        count: usize,
        seed: u64,
    ) -> Result<Boards, TryReserveError> {
        let start = Board::start(size);
        Ok(Boards {
            rule,
            size,
            boards: filled(start, count)?,
            turns: filled(Color::Black, count)?,
            moves: filled(start.moves(size), count)?,
            rng: Rng::new(seed),
        })
    }

    /// Restarts all games, but not the random numbers.
    pub(crate) fn reset(&mut self) {
        let start = Board::start(self.size);
        self.boards.fill(start);
        self.turns.fill(Color::Black);
        self.moves.fill(start.moves(self.size));
    }

    /// Restarts the random numbers with this seed.
    pub(crate) fn seed(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    /// Replaces a board. Returns `false` and changes nothing if its game is over.
    pub(crate) fn set(&mut self, index: usize, board: Board, turn: Color) -> bool {
        if board.is_over(self.size) {
            return false;
        }
        (self.boards[index], self.turns[index]) = (board, turn);
        self.moves[index] = board.moves(self.size);
        true
    }

    pub(crate) fn size(&self) -> Size {
        self.size
    }

    pub(crate) fn rule(&self) -> Rule {
        self.rule
    }

    pub(crate) fn len(&self) -> usize {
        self.boards.len()
    }

    /// A board and its side to move.
    pub(crate) fn get(&self, index: usize) -> (Board, Color) {
        (self.boards[index], self.turns[index])
    }

    /// The sides to move.
    pub(crate) fn turns(&self) -> &[Color] {
        &self.turns
    }

    /// How many actions there are: a square each, and the pass.
    pub(crate) fn actions(&self) -> usize {
        self.size.cells() + 1
    }

    /// The bit of each action; zero for the pass and for numbers that are no action.
    fn bits(&self) -> [u64; 64] {
        let mut bits = [0; 64];
        for (bit, square) in bits.iter_mut().zip(self.size.squares()) {
            *bit = square.bit();
        }
        bits
    }

    /// Makes one step on every board, or on those `chosen`; or none at all, if an action is not
    /// legal.
    pub(crate) fn step(
        &mut self,
        actions: &[i64],
        chosen: Option<&[bool]>,
        ends: &mut Ends<'_>,
    ) -> Result<(), Illegal> {
        let (bits, pass) = (self.bits(), self.size.cells().cast_signed() as i64);
        for (index, (&action, &moves)) in actions.iter().zip(&self.moves).enumerate() {
            if chosen.is_some_and(|chosen| !chosen[index]) {
                continue;
            }
            let is_legal = match usize::try_from(action) {
                Ok(square) if action < pass => moves & bits[square] != 0,
                _ => action == pass && moves == 0,
            };
            if !is_legal {
                return Err(Illegal { index, action, moves });
            }
        }
        let mut tally = Tally::default();
        let source = Given { actions, bits };
        match chosen {
            None => dispatch(Step { boards: self, source, ends, tally: &mut tally }),
            Some(chosen) => {
                let source = Chosen { given: source, chosen };
                dispatch(Step { boards: self, source, ends, tally: &mut tally });
            }
        }
        Ok(())
    }

    /// Makes a random step on every board, all legal moves equally likely.
    pub(crate) fn step_randomly(&mut self, ends: &mut Ends<'_>, tally: &mut Tally) {
        let mut rng = self.rng.clone();
        dispatch(Step { boards: self, source: RandomMoves(&mut rng), ends, tally });
        self.rng = rng;
    }

    /// A random action for every board, all legal ones equally likely.
    pub(crate) fn sample(&mut self, actions: &mut [i64]) {
        dispatch(Sample { boards: self, actions });
    }

    /// The discs of the side to move and of the other, a plane each, for every board.
    pub(crate) fn observe(&self, planes: &mut [u8]) {
        let width = usize::from(self.size.width());
        let cells = self.size.cells();
        for (planes, board) in planes.chunks_exact_mut(2 * cells).zip(&self.boards) {
            let (own, other) = planes.split_at_mut(cells);
            spread(&NUMBERS, board.player, width, own);
            spread(&NUMBERS, board.opponent, width, other);
        }
    }

    /// Whether each action is legal, for every board.
    pub(crate) fn masks(&self, masks: &mut [bool]) {
        let width = usize::from(self.size.width());
        let cells = self.size.cells();
        for (mask, &moves) in masks.chunks_exact_mut(cells + 1).zip(&self.moves) {
            let (squares, pass) = mask.split_at_mut(cells);
            spread(&TRUTHS, moves, width, squares);
            pass[0] = moves == 0;
        }
    }
}

/// A vector of `count` equal values, if there is memory for it.
fn filled<T: Clone>(value: T, count: usize) -> Result<Vec<T>, TryReserveError> {
    let mut values = Vec::new();
    values.try_reserve_exact(count)?;
    values.resize(count, value);
    Ok(values)
}

/// Writes the table's entry for each square.
#[inline]
fn spread<T: Copy>(table: &[[T; 8]; 256], bits: u64, width: usize, squares: &mut [T]) {
    for (row, bits) in squares.chunks_exact_mut(width).zip(bits.to_le_bytes()) {
        row.copy_from_slice(&table[usize::from(bits)][..width]);
    }
}

/// A source of moves.
trait Source {
    /// The bit of the next move on board number `index`, one of `moves`; zero for a pass.
    fn bit(&mut self, index: usize, moves: u64, kernel: impl Kernel) -> u64;

    /// Whether there is a move on board number `index`.
    #[inline(always)]
    fn has_move(&self, _index: usize) -> bool {
        true
    }
}

/// The caller's actions, all of them legal.
struct Given<'a> {
    actions: &'a [i64],
    bits: [u64; 64],
}

impl Source for Given<'_> {
    #[inline(always)]
    fn bit(&mut self, index: usize, _: u64, _: impl Kernel) -> u64 {
        let square = usize::try_from(self.actions[index]).ok();
        square.and_then(|square| self.bits.get(square)).copied().unwrap_or(0)
    }
}

/// The caller's actions on the boards that it chose.
struct Chosen<'a> {
    given: Given<'a>,
    chosen: &'a [bool],
}

impl Source for Chosen<'_> {
    #[inline(always)]
    fn bit(&mut self, index: usize, moves: u64, kernel: impl Kernel) -> u64 {
        self.given.bit(index, moves, kernel)
    }

    #[inline(always)]
    fn has_move(&self, index: usize) -> bool {
        self.chosen[index]
    }
}

/// Random moves.
struct RandomMoves<'a>(&'a mut Rng);

impl Source for RandomMoves<'_> {
    #[inline(always)]
    fn bit(&mut self, _: usize, moves: u64, kernel: impl Kernel) -> u64 {
        kernel.nth_bit(moves, self.0.below(moves.count_ones()))
    }
}

/// One step on every board.
struct Step<'a, 'b, S> {
    boards: &'a mut Boards,
    source: S,
    ends: &'a mut Ends<'b>,
    tally: &'a mut Tally,
}

impl<S: Source> Task for Step<'_, '_, S> {
    type Output = ();

    fn run(mut self, kernel: impl Kernel) {
        kernel.run(|| {
            for index in 0..self.boards.len() {
                self.play(index, kernel);
            }
        });
    }
}

impl<S: Source> Step<'_, '_, S> {
    #[inline(always)]
    fn play(&mut self, index: usize, kernel: impl Kernel) {
        self.ends.dones[index] = false;
        self.ends.rewards[index] = 0.0;
        self.ends.scores[index] = 0;
        if !self.source.has_move(index) {
            return;
        }
        let Boards { size, boards, turns, moves, .. } = &mut *self.boards;
        let (board, mask) = (boards[index], size.mask());
        let bit = self.source.bit(index, moves[index], kernel);
        let next = match bit {
            0 => board.pass(),
            _ => board.play_unchecked(bit, kernel.flips(board, bit.trailing_zeros())),
        };
        let replies = kernel.moves(next) & mask;
        (boards[index], turns[index]) = (next, turns[index].other());
        moves[index] = replies;
        if replies == 0 && kernel.moves(next.pass()) & mask == 0 {
            self.end(index);
        }
    }

    /// Records the result of a game, and starts another.
    #[cold]
    fn end(&mut self, index: usize) {
        let Boards { rule, size, boards, turns, moves, .. } = &mut *self.boards;
        // The board is seen by the side to move next; the other side made the step.
        let score = -boards[index].score(*size, *rule);
        let winner = match score.signum() {
            0 => &mut self.tally.drawn,
            sign if (sign > 0) == (turns[index] == Color::White) => &mut self.tally.black,
            _ => &mut self.tally.white,
        };
        *winner += 1;
        self.ends.dones[index] = true;
        self.ends.rewards[index] = score.signum() as f32;
        self.ends.scores[index] = score as i8;
        let start = Board::start(*size);
        (boards[index], turns[index]) = (start, Color::Black);
        moves[index] = start.moves(*size);
    }
}

/// A random action for every board.
struct Sample<'a> {
    boards: &'a mut Boards,
    actions: &'a mut [i64],
}

impl Task for Sample<'_> {
    type Output = ();

    fn run(self, kernel: impl Kernel) {
        kernel.run(|| {
            let Boards { size, moves, rng, .. } = self.boards;
            let mut random = RandomMoves(rng);
            for (index, (action, &moves)) in self.actions.iter_mut().zip(&*moves).enumerate() {
                let bit = random.bit(index, moves, kernel);
                let place = bit.trailing_zeros();
                let square = i64::from(place / 8) * i64::from(size.width()) + i64::from(place % 8);
                *action = if bit == 0 { size.cells().cast_signed() as i64 } else { square };
            }
        });
    }
}
