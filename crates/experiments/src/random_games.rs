//! Random games, turn by turn: all legal moves are equally likely, and a pass is a turn.

use isrever_agent::Rng;
use isrever_arena::Mean;
use isrever_board::{Board, Size};

/// The board of all random games: that of the reports.
pub(super) const SIZE: Size = Size::EIGHT;

/// The side to move before a move or a forced pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// The board from the view of that side.
    pub(super) board: Board,
    /// Whether that side is black.
    pub(super) is_black: bool,
}

impl Turn {
    /// The number of discs: the reports' round.
    pub(super) fn round(&self) -> usize {
        (self.board.player | self.board.opponent).count_ones() as usize
    }

    /// How many moves there are.
    pub(super) fn breadth(&self) -> u32 {
        self.board.moves(SIZE).count_ones()
    }
}

/// Plays game `number` of `seed` and passes every turn to `see`. Returns the final board from the
/// view of the side that would be to move; it is not a turn.
pub(super) fn random_game(seed: u64, number: u64, mut see: impl FnMut(&Turn)) -> Turn {
    let mut rng = Rng::stream(seed, number);
    let mut turn = Turn { board: Board::start(SIZE), is_black: true };
    while !turn.board.is_over(SIZE) {
        see(&turn);
        let moves = turn.board.moves(SIZE);
        let next = if moves == 0 {
            turn.board.pass()
        } else {
            let square = rng.square(moves);
            turn.board.play_unchecked(square.bit(), turn.board.flips(square))
        };
        turn = Turn { board: next, is_black: !turn.is_black };
    }
    turn
}

/// The mean of `count` whole numbers from their sum and the sum of their squares, which are exact,
/// so that the order of addition does not matter.
pub(super) fn mean_of_sums(count: u64, sum: u64, squares: u64) -> Mean {
    if count < 2 {
        return Mean { count, mean: sum as f64, error: f64::INFINITY };
    }
    let [count, sum, squares] = [count, sum, squares].map(u128::from);
    let scatter = (count * squares - sum * sum) as f64 / (count as f64 * (count - 1) as f64);
    Mean {
        count: count as u64,
        mean: sum as f64 / count as f64,
        error: (scatter / count as f64).sqrt(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::{Game, Move, Rule};

    #[test]
    fn a_random_game_is_a_game() {
        let mut game = Game::new(Rule::Reversed, SIZE);
        let mut before: Option<Turn> = None;
        let mut boards = Vec::new();
        let end = random_game(3, 5, |turn| {
            assert_eq!(turn.breadth() == 0, before.is_some() && turn.board.moves(SIZE) == 0);
            before = Some(*turn);
            boards.push(*turn);
        });
        // Replay as a game, move by move.
        for turn in boards.iter().chain([&end]) {
            let position = game.position();
            if position.board() != Some(turn.board) {
                let mv = match position.must_pass() {
                    true => Move::Pass,
                    false => {
                        let is_next = |square: &isrever_board::Square| {
                            position.play(*square).unwrap().board() == Some(turn.board)
                        };
                        Move::Place(position.moves().into_iter().find(is_next).unwrap())
                    }
                };
                game.play(mv).unwrap();
            }
            assert_eq!(game.position().board(), Some(turn.board));
        }
        assert!(game.is_over());
        assert_eq!(random_game(3, 5, |_| {}).board, end.board);
        assert_ne!(random_game(3, 6, |_| {}).board, end.board);
    }

    #[test]
    fn sums_give_the_mean_and_error_of_values() {
        let (mean, expected) = (mean_of_sums(4, 12, 50), Mean::of(&[3.0, 0.0, 5.0, 4.0]));
        assert_eq!((mean.count, mean.mean), (4, expected.mean));
        assert!((mean.error - expected.error).abs() < 1e-12);
        assert_eq!(mean_of_sums(1, 3, 9).error, f64::INFINITY);
    }
}
