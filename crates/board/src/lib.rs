//! Reversi on any even board, under the normal and the reversed objective.
//!
//! What is here: squares, boards, positions and games; moves and flips in
//! portable and vector code; symmetries and hash; perft; random games; pictures;
//! and the text and file formats of the Othello world. What is not: evaluation,
//! search, agents, threads, clocks, files and random numbers of its own.
//!
//! Start at [`Game`] to play, at [`Board`] to search, at [`text`] to read and write.

mod array_board;
mod board;
mod color;
mod game;
mod kernel;
mod perft;
mod picture;
mod playout;
mod position;
mod rule;
mod size;
mod square;
mod stability;
mod symmetry;
pub mod text;

pub use array_board::{ArrayBoard, Cell};
pub use board::Board;
pub use color::Color;
pub use game::{Game, IllegalMove, IllegalReason, Move};
#[cfg(target_arch = "x86_64")]
pub use kernel::{Avx2, Avx512};
pub use kernel::{Isa, Kernel, Scalar, Task, dispatch, dispatch_to};
pub use perft::{Passes, perft, perft_on};
pub use picture::{Dressing, Marks, picture};
pub use playout::{playouts, playouts_on};
pub use position::{Draft, DraftError, Position};
pub use rule::Rule;
pub use size::{Size, SizeError};
pub use square::{Square, SquareError, Squares, squares};
pub use stability::stable;
pub use symmetry::Symmetry;
