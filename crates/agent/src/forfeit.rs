//! Forfeits: an agent loses a game because it crashed, stalled or cheated.
//!
//! Agents of this project never forfeit. Third-party programs do, and records
//! say why.

use std::fmt;

/// An agent's failure to choose a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forfeit {
    /// The kind of failure.
    pub reason: Reason,
    /// The details, for people: "e4 is taken".
    pub details: String,
}

/// The kinds of failure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// It chose an illegal move.
    Illegal,
    /// It did not answer within the time for the move.
    Time,
    /// It used up its time for the whole game.
    GameTime,
    /// It took more memory than allowed.
    Memory,
    /// It ended, raised an error or closed its pipes.
    Crash,
    /// Its answer broke the protocol.
    Garbage,
    /// It does not play this game, or breaks the rules of the course.
    Refused,
    /// It resigned.
    Resigned,
    /// This machine could not run it. That is no fault of the agent: no game is lost by it.
    Machine,
}

impl Forfeit {
    /// A failure for `reason`.
    pub fn new(reason: Reason, details: impl Into<String>) -> Forfeit {
        Forfeit { reason, details: details.into() }
    }

    /// A failure of this machine's, by which no game is lost.
    pub fn machine(details: impl Into<String>) -> Forfeit {
        Forfeit::new(Reason::Machine, details)
    }

    /// Whether it is this machine's failure and not the agent's.
    pub fn is_machine(&self) -> bool {
        self.reason == Reason::Machine
    }
}

impl Reason {
    /// All reasons.
    pub const ALL: [Reason; 9] = [
        Reason::Illegal,
        Reason::Time,
        Reason::GameTime,
        Reason::Memory,
        Reason::Crash,
        Reason::Garbage,
        Reason::Refused,
        Reason::Resigned,
        Reason::Machine,
    ];

    /// The reason as one word, for records. The words never change.
    pub fn word(self) -> &'static str {
        match self {
            Reason::Illegal => "illegal-move",
            Reason::Time => "time",
            Reason::GameTime => "game-time",
            Reason::Memory => "memory",
            Reason::Crash => "crash",
            Reason::Garbage => "garbage",
            Reason::Refused => "refused",
            Reason::Resigned => "resigned",
            Reason::Machine => "machine",
        }
    }

    /// The reason with this `word`.
    pub fn from_word(word: &str) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| reason.word() == word)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Illegal => "illegal move",
            Reason::Time => "too late",
            Reason::GameTime => "time for the game is over",
            Reason::Memory => "too much memory",
            Reason::Crash => "crashed",
            Reason::Garbage => "answered nonsense",
            Reason::Refused => "was refused",
            Reason::Resigned => "resigned",
            Reason::Machine => "cannot be run on this machine",
        })
    }
}

impl fmt::Display for Forfeit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.reason, self.details)
    }
}

impl std::error::Error for Forfeit {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_found_by_its_word() {
        for reason in Reason::ALL {
            assert_eq!(Reason::from_word(reason.word()), Some(reason));
        }
        assert_eq!(Reason::from_word("boredom"), None);
    }

    #[test]
    fn a_forfeit_reads_as_a_sentence() {
        let forfeit = Forfeit::new(Reason::Illegal, "e4 is taken");
        assert_eq!(forfeit.to_string(), "illegal move: e4 is taken");
    }
}
