//! Programs of other people as agents: Python files of the course in a sandbox, engines that
//! speak NBoard or GTP.
//!
//! What is here: [`Python`], the course's interface, with its time-outs; the
//! walls it runs behind ([`Policy`], [`Walls`]); the usability test
//! ([`check`]); [`Nboard`] and [`Gtp`]; and [`enter`], which enters all of them
//! into a catalogue. What is not: games and tournaments, which know agents by
//! their trait alone, and words for people.
//!
//! Linux only: the walls are its kernel's.

mod captive;
mod interpreter;
mod python;
mod sandbox;

pub use interpreter::{Interpreter, InterpreterError};
pub use python::{Answer, Entry, Python, PythonSettings, Source, SourceError};
pub use sandbox::{Layer, Policy, Walls};
