//! The book that the engine plays from, as the user names it.

use isrever_agent::{AgentSpec, Catalogue};
use isrever_board::{Rule, Size};
use isrever_engine::BookChoice;
use std::cell::RefCell;
use std::collections::HashSet;
use std::io::{self, Write};

/// Which book the engine plays from.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct OpeningArgs {
    /// Play from this book: none, embedded, or a file that book grow wrote [default: embedded, if the
    /// search is not limited otherwise than by time, and the level is at least 15]
    #[arg(long, value_name = "none|embedded|FILE")]
    book: Option<String>,

    /// The games of which it was said that the book is for others
    #[arg(skip)]
    told: RefCell<HashSet<(Rule, Size)>>,
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

    /// Says once if `opening` is not for games of this rule and size.
    pub(crate) fn remark(&self, opening: BookChoice, rule: Rule, size: Size) {
        if let (Some(name), Some(remark)) = (&self.book, opening.remark(rule, size))
            && self.told.borrow_mut().insert((rule, size))
        {
            say(&format!("--book {name}: {remark}"));
        }
    }
}

/// Says what the agent of a spec must do without in games of this rule and size, if anything.
pub(crate) fn remark(catalogue: &Catalogue, spec: &AgentSpec, (rule, size): (Rule, Size)) {
    let entry = catalogue.find(spec).ok();
    if let Some(remark) = entry.and_then(|entry| entry.remark(spec, rule, size)) {
        say(&format!("agent {spec}: {remark}"));
    }
}

fn say(line: &str) {
    // Without anybody to read it, nothing can be said.
    let _ = writeln!(io::stderr(), "isrever: {line}");
}
