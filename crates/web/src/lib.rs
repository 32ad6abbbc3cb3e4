//! The web board.
