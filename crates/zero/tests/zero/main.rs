//! AlphaZero by its public interface: trees that find proofs, games against itself, the agent.

mod agent;
mod selfplay;
mod tree;

use isrever_board::{Board, Rule, Size};
use isrever_zero::{Evaluation, Stakes};

/// 6×6 and the reversed rule, discs counted a little.
fn stakes(rule: Rule, size: Size) -> Stakes {
    Stakes { rule, size, score_weight: 0.1 }
}

/// What somebody without knowledge says about every board, but not twice the same.
fn guess(board: Board) -> Evaluation {
    let hash = board.hash();
    let part = |shift: u32| (hash >> shift & 0xff) as f32 / 255.0 - 0.5;
    let policy = std::array::from_fn(|square| part(square as u32 % 57));
    Evaluation { policy, value: part(3), score: 10.0 * part(11) }
}
