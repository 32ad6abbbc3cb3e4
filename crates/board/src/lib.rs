//! Reversi on any even board, under the normal and the reversed objective.
//!
//! What is here: squares, boards, positions and games; moves and flips in
//! portable and vector code; symmetries and hash; perft; random games; pictures;
//! and the text and file formats of the Othello world. What is not: evaluation,
//! search, agents, threads, clocks, files and random numbers of its own.
//!
//! Start at [`Game`] to play, at [`Board`] to search, at [`text`] to read and write.
//!
//! ```
//! use isrever_board::{Color, Game, Move, Rule, Size};
//!
//! // A whole game on 4×4 in which both sides play their first legal square.
//! let mut game = Game::new(Rule::Reversed, Size::FOUR);
//! while !game.is_over() {
//!     // A side without a legal square must pass.
//!     let square = game.position().moves().first().copied();
//!     game.play(square.map_or(Move::Pass, Move::Place))?;
//! }
//! // Fewer discs win: the score is positive for the side that has fewer.
//! let [black, white] = [Color::Black, Color::White].map(|color| game.position().count(color));
//! assert_eq!(game.score(Color::Black) > 0, black < white);
//! # Ok::<(), isrever_board::IllegalMove>(())
//! ```

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
pub use picture::{Dressing, Marks, caption, picture, result_in_words};
pub use playout::{playouts, playouts_on};
pub use position::{Draft, DraftError, Position};
pub use rule::Rule;
pub use size::{Size, SizeError};
pub use square::{Square, SquareError, Squares, squares};
pub use stability::stable;
pub use symmetry::Symmetry;
