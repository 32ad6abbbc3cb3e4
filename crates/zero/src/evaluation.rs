//! What a network says about a board.

/// What a network says about a board, seen by the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evaluation {
    /// How good a move to each square is: the greater, the more likely. Only those of legal moves
    /// mean something, and only relative to each other (they are logits).
    pub policy: [f32; 64],
    /// The probability of a win less that of a loss, from −1 to 1.
    pub value: f32,
    /// The expected score in discs.
    pub score: f32,
}
