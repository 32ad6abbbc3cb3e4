//! What is known of the opening: a graph of positions with values, bounds, and how they were found.
//!
//! What is here: [`Finding`], what a search found about one position; [`Graph`],
//! where findings meet, values and proved bounds go from a position to those
//! before it, and the next positions to search are chosen; [`Book`], the same as
//! one sorted file that is read where it lies; [`foreign`], the same as books of
//! Edax and Egaroucid; [`Opening`], the names of openings. What is not: searches,
//! which are in `isrever-search` and are done as jobs of `isrever-lab`.
//!
//! Positions are kept in canonical form, one for all eight images, and always
//! with a side to move that has a move: a pass belongs to the move before it.
//!
//! ```
//! use isrever_board::{Board, Rule, Size};
//! use isrever_book::{Book, Finding, Graph, Policy};
//! use std::collections::HashSet;
//!
//! let (start, _) = Board::start(Size::EIGHT).canonical(Size::EIGHT);
//! let mut graph = Graph::new(Rule::Reversed, Size::EIGHT);
//! // The first position to search is the start.
//! assert_eq!(graph.next(1, &Policy::default(), &HashSet::new()), [start]);
//! let best = isrever_board::squares(start.moves(Size::EIGHT)).next().unwrap();
//! let estimates = vec![0; 4];
//! graph.insert(Finding { value: 1, depth: 8, confidence: 73, nodes: 1000, is_exact: false,
//!                        board: start, best, estimates });
//! graph.propagate();
//! let book = Book::from_bytes(graph.to_bytes("made by hand").into())?;
//! assert_eq!(book.find(Board::start(Size::EIGHT)).unwrap().worth.value, 1);
//! # Ok::<(), isrever_book::BookError>(())
//! ```

mod book;
mod bytes;
mod check;
mod choice;
mod embedded;
mod file;
mod finding;
pub mod foreign;
mod graph;
mod line;
mod openings;
mod proof;
mod step;
mod strategy;
mod tree;
mod view;

pub use book::{Book, Entry};
pub use bytes::Bytes;
pub use check::CheckError;
pub use choice::Policy;
pub use file::BookError;
pub use finding::{Finding, FindingError, UNKNOWN};
pub use graph::{Graph, Worth};
pub use line::{Line, LineError};
pub use openings::{OPENINGS, Opening};
pub use proof::{Strategy, StrategyError};
pub use step::{After, after, played};
pub use tree::Branch;
pub use view::{MoveView, View, What};
