//! Third-party programs as agents: Python files in a sandbox, NBoard and GTP engines.
//!
//! What is here: [`Python`], the course's interface, with its time-outs; the
//! sandbox it runs in ([`Policy`], [`Sandbox`]); the usability test
//! ([`check`]); [`Nboard`] and [`Gtp`]; and [`enter`], which adds all of them
//! to a catalogue. What is not: games and tournaments, which know agents only
//! by their trait, and output for people.
//!
//! Linux only, because the sandbox is its kernel's. Elsewhere the crate is empty.

#![cfg(target_os = "linux")]

pub mod check;
mod engine;
mod entries;
mod gtp;
mod interpreter;
mod lateness;
mod nboard;
mod owner;
mod process;
mod python;
mod sandbox;
mod usage;

pub use engine::Command;
pub use entries::{Defaults, enter, read_python};
pub use gtp::Gtp;
pub use interpreter::{Interpreter, InterpreterError};
pub use nboard::Nboard;
pub use python::{
    Answer, CapturedOutput, Entry, Python, PythonSettings, Source, SourceError, Turn, Turns,
};
pub use sandbox::{Layer, Policy, Sandbox};
