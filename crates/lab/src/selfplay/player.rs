//! Who moves in games against oneself.

use super::{Dice, SIZE};
use isrever_board::{Board, Square, squares};
use std::fmt;
use std::str::FromStr;

/// A way to choose a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player {
    /// Any move, all equally likely.
    Random,
    /// The move that leaves the opponent the fewest moves; of equals, any.
    ///
    /// To have moves when the other side runs out of them is good under both rules: who has no
    /// choice must turn what should not be turned.
    Mobile,
}

impl Player {
    const ALL: [Player; 2] = [Player::Random, Player::Mobile];

    /// A legal move of `board`, which has at least one.
    pub(super) fn choose(self, board: Board, dice: &mut Dice) -> Square {
        let moves = board.moves(SIZE);
        match self {
            Player::Random => dice.square(moves),
            Player::Mobile => {
                let mut fewest = u32::MAX;
                let mut best = 0;
                for square in squares(moves) {
                    let after = board.play_unchecked(square.bit(), board.flips(square));
                    let replies = after.moves(SIZE).count_ones();
                    if replies < fewest {
                        (fewest, best) = (replies, 0);
                    }
                    if replies == fewest {
                        best |= square.bit();
                    }
                }
                dice.square(best)
            }
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::Random => "random",
            Player::Mobile => "mobile",
        })
    }
}

/// A text that names no player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayerError;

impl fmt::Display for PlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a player; expected random or mobile")
    }
}

impl std::error::Error for PlayerError {}

impl FromStr for Player {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<Player, PlayerError> {
        Player::ALL.into_iter().find(|player| player.to_string() == text).ok_or(PlayerError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for player in Player::ALL {
            assert_eq!(player.to_string().parse(), Ok(player));
        }
        assert_eq!("nobody".parse::<Player>(), Err(PlayerError));
    }

    #[test]
    fn the_mobile_player_leaves_the_fewest_replies() {
        let mut dice = Dice::new(1, 1);
        let mut board = Board::start(SIZE);
        while !board.is_over(SIZE) {
            let replies = |square| board.play(square, SIZE).unwrap().moves(SIZE).count_ones();
            let Some(fewest) = squares(board.moves(SIZE)).map(replies).min() else {
                board = board.pass();
                continue;
            };
            assert_eq!(replies(Player::Mobile.choose(board, &mut dice)), fewest);
            board = board.play(Player::Random.choose(board, &mut dice), SIZE).unwrap();
        }
    }
}
