//! One way of thinking on both kinds of board.

use crate::features::Features;
use isrever_agent::{Bits, Choice, Watch};
use isrever_board::{Game, Rule};

/// An agent that thinks alike on both kinds of board.
pub(crate) trait Thinker {
    /// The answer for the player of `field`, who has a move.
    fn think<F: Features>(&mut self, field: &F, rule: Rule, watch: &mut Watch<'_>) -> Choice;

    /// The answer for the side to move in `game`.
    fn consult(&mut self, game: &Game, watch: &mut Watch<'_>) -> Choice {
        let (position, rule) = (game.position(), game.rule());
        match position.board() {
            Some(board) => self.think(&Bits { board, size: position.size() }, rule, watch),
            None => self.think(&position.to_array(), rule, watch),
        }
    }
}
