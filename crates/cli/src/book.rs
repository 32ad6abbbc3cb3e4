//! The book that the engine plays from, as the user names it.

use isrever_agent::{AgentSpec, Catalogue};
use isrever_engine::BookChoice;
use std::io::{self, Write};

/// Which book the engine plays from.
#[derive(clap::Args, Debug)]
pub(crate) struct OpeningArgs {
    /// Play from this book: none, embedded, or a file that book grow wrote [default: embedded, if the
    /// search is not limited otherwise than by time, and the level is at least 15]
    #[arg(long, value_name = "none|embedded|FILE")]
    book: Option<String>,
}

impl OpeningArgs {
    /// The book that was named, or else `usual`. Of a book that cannot be read, one line says so.
    pub(crate) fn opening(&self, usual: BookChoice) -> BookChoice {
        let Some(name) = &self.book else { return usual };
        BookChoice::named(name).unwrap_or_else(|error| {
            say(&format!("--book {name}: {error}; playing without"));
            BookChoice::None
        })
    }
}

/// Says what the agent of a spec must do without, if anything.
pub(crate) fn remark(catalogue: &Catalogue, spec: &AgentSpec) {
    if let Some(remark) = catalogue.find(spec).ok().and_then(|entry| entry.remark(spec)) {
        say(&format!("agent {spec}: {remark}"));
    }
}

fn say(line: &str) {
    // Without anybody to read it, nothing can be said.
    let _ = writeln!(io::stderr(), "isrever: {line}");
}
