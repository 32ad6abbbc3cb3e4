//! What an agent is and what it takes of the machine, as data.

use isrever_board::{Rule, Size};
use std::time::Duration;

/// The kinds of agents.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Kind {
    /// A plain method, for comparison: random, greedy, tree search by playouts.
    #[default]
    Simple,
    /// The agent of a student report.
    Report,
    /// The engine of this project.
    Engine,
    /// A Python file of somebody else, in a sandbox.
    Python,
    /// A program of somebody else.
    Program,
    /// A function of the calling program.
    Function,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 6] =
        [Kind::Simple, Kind::Report, Kind::Engine, Kind::Python, Kind::Program, Kind::Function];

    /// The kind as one word, for lists and records.
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Simple => "simple",
            Kind::Report => "report",
            Kind::Engine => "engine",
            Kind::Python => "python",
            Kind::Program => "program",
            Kind::Function => "function",
        }
    }

    /// Whether somebody else wrote the agent: nobody can tell what it does.
    pub const fn is_foreign(self) -> bool {
        matches!(self, Kind::Python | Kind::Program | Kind::Function)
    }
}

/// The threads that an agent thinks with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Threads {
    /// So many.
    Count(usize),
    /// One for each core.
    All,
}

impl Threads {
    /// Their number on a machine with this many cores.
    pub fn on(self, cores: usize) -> usize {
        match self {
            Threads::Count(count) => count.max(1),
            Threads::All => cores.max(1),
        }
    }
}

/// What an agent takes of the machine, by its spec.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Needs {
    /// The threads it thinks with.
    pub threads: Threads,
    /// The time for a move that its spec sets, whatever its caller allows. With one, its answers
    /// depend on the speed of the machine.
    pub time: Option<Duration>,
    /// The most memory that it takes, in bytes, apart from small change; `None` if nobody knows.
    pub memory_bytes: Option<u64>,
    /// The only rule and size that it plays, if it does not play all.
    pub only: Option<(Rule, Size)>,
}

impl Default for Needs {
    /// One thread, no time of its own, no memory to speak of, every game.
    fn default() -> Needs {
        Needs { threads: Threads::Count(1), time: None, memory_bytes: Some(0), only: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_counted_by_cores_where_all_are_meant() {
        assert_eq!((Threads::Count(3).on(8), Threads::All.on(8)), (3, 8));
        assert_eq!((Threads::Count(0).on(8), Threads::All.on(0)), (1, 1));
    }

    #[test]
    fn words_differ_and_foreign_kinds_are_known() {
        let mut words = Kind::ALL.map(Kind::word);
        words.sort_unstable();
        assert!(words.windows(2).all(|pair| pair[0] != pair[1]));
        let foreign = Kind::ALL.into_iter().filter(|kind| kind.is_foreign()).map(Kind::word);
        assert_eq!(foreign.collect::<Vec<_>>(), ["python", "program", "function"]);
    }
}
