//! The players of self-play games.

use isrever_agent::Rng;
use isrever_board::{Board, Move, Size, Square, squares};
use isrever_search::{Control, Goal, Searcher};
use std::fmt;
use std::str::FromStr;

/// A way to choose a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player {
    /// Any move, all equally likely.
    Random,
    /// The move that leaves the opponent the fewest moves; of equals, any.
    ///
    /// Mobility is good under both rules: a side without a choice must make bad moves.
    Mobile,
    /// The best move of a search.
    Engine {
        /// Its plies.
        depth: u32,
    },
}

/// The most plies of a search: a game takes minutes by then.
const MOST_PLIES: u32 = 20;

impl Player {
    /// Chooses a move of `board`, which has one. Returns the value of the board too, if it searched.
    pub(super) fn choose(
        self,
        board: Board,
        size: Size,
        solver: &mut Searcher,
        rng: &mut Rng,
    ) -> (Square, Option<i32>) {
        let moves = board.moves(size);
        match self {
            Player::Random => (rng.square(moves), None),
            Player::Mobile => {
                let mut fewest = u32::MAX;
                let mut best = 0;
                for square in squares(moves) {
                    let after = board.play_unchecked(square.bit(), board.flips(square));
                    let replies = after.moves(size).count_ones();
                    if replies < fewest {
                        (fewest, best) = (replies, 0);
                    }
                    if replies == fewest {
                        best |= square.bit();
                    }
                }
                (rng.square(best), None)
            }
            Player::Engine { depth } => {
                let goal = Goal::Value { depth, confidence: 100 };
                let solution = solver.search(board, goal, Control::NONE);
                match solution.best() {
                    Some(Move::Place(square)) => (square, Some(solution.score())),
                    _ => unreachable!("the board has a move"),
                }
            }
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Player::Random => f.write_str("random"),
            Player::Mobile => f.write_str("mobile"),
            Player::Engine { depth } => write!(f, "engine:{depth}"),
        }
    }
}

/// A text that names no player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayerError;

impl fmt::Display for PlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "not a player; expected random, mobile, or engine:N with a depth of 1 to {MOST_PLIES}"
        )
    }
}

impl std::error::Error for PlayerError {}

impl FromStr for Player {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Player, PlayerError> {
        match text.split_once(':') {
            None if text == "random" => Ok(Player::Random),
            None if text == "mobile" => Ok(Player::Mobile),
            Some(("engine", depth)) => match depth.parse() {
                Ok(depth @ 1..=MOST_PLIES) => Ok(Player::Engine { depth }),
                _ => Err(PlayerError),
            },
            _ => Err(PlayerError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::Rule;
    use isrever_search::Settings;

    const SIZE: Size = Size::SIX;

    #[test]
    fn names_are_read_back() {
        for player in [Player::Random, Player::Mobile, Player::Engine { depth: 4 }] {
            assert_eq!(player.to_string().parse(), Ok(player));
        }
        for text in ["nobody", "engine", "engine:", "engine:0", "engine:21", "random:1"] {
            assert_eq!(text.parse::<Player>(), Err(PlayerError), "{text}");
        }
    }

    #[test]
    fn the_mobile_player_leaves_the_fewest_replies() {
        let mut rng = Rng::stream(1, 1);
        let mut solver = Searcher::new(Settings::new(Rule::Reversed, SIZE));
        let mut board = Board::start(SIZE);
        while !board.is_over(SIZE) {
            let replies = |square| board.play(square, SIZE).unwrap().moves(SIZE).count_ones();
            let Some(fewest) = squares(board.moves(SIZE)).map(replies).min() else {
                board = board.pass();
                continue;
            };
            let (mobile, _) = Player::Mobile.choose(board, SIZE, &mut solver, &mut rng);
            assert_eq!(replies(mobile), fewest);
            let (any, _) = Player::Random.choose(board, SIZE, &mut solver, &mut rng);
            board = board.play(any, SIZE).unwrap();
        }
    }
}
