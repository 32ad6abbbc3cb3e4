//! Agents that choose a move the same way on bitboards and on the array board.

use crate::features::Features;
use isrever_agent::{Bits, Choice, Watch};
use isrever_board::{Game, Rule};

/// An agent whose choice is written once, over [`Features`], and compiled for both boards.
pub(crate) trait Chooser {
    /// Chooses for the player of `field`, who has a move.
    fn choose_on<F: Features>(&mut self, field: &F, rule: Rule, watch: &mut Watch<'_>) -> Choice;

    /// Chooses for the side to move in `game`.
    fn choose_in(&mut self, game: &Game, watch: &mut Watch<'_>) -> Choice {
        let (position, rule) = (game.position(), game.rule());
        match position.board() {
            Some(board) => self.choose_on(&Bits { board, size: position.size() }, rule, watch),
            None => self.choose_on(&position.to_array(), rule, watch),
        }
    }
}
