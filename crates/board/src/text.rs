//! Positions and games as text and files.
