//! The clock that a move is timed by: the wall's, or the agent's own processor time.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Which clock a move is timed by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum TimedBy {
    /// The time on the wall.
    #[default]
    Wall,
    /// The time that the agent's program runs or sleeps, but not the time that it waits for a
    /// processor. For machines that are busy with other things. Agents of this project keep to the
    /// wall all the same.
    Processor,
}

impl TimedBy {
    /// The words for all of them, as specs write them.
    pub const WORDS: &[&str] = &["wall", "cpu"];

    /// How long a caller waits, on the wall, for an agent that may take `time`. A program that waits
    /// for a processor for longer than that is given up.
    pub fn longest_wait(self, time: Duration) -> Duration {
        match self {
            TimedBy::Wall => time,
            TimedBy::Processor => time.saturating_mul(100).saturating_add(Duration::from_secs(60)),
        }
    }
}

impl FromStr for TimedBy {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<TimedBy, &'static str> {
        match text {
            "wall" => Ok(TimedBy::Wall),
            "cpu" => Ok(TimedBy::Processor),
            _ => Err("not a clock; expected wall or cpu"),
        }
    }
}

/// Writes `wall` or `cpu`.
impl fmt::Display for TimedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TimedBy::Wall => "wall",
            TimedBy::Processor => "cpu",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_and_written() {
        for word in TimedBy::WORDS {
            assert_eq!(word.parse::<TimedBy>().unwrap().to_string(), *word);
        }
        assert!("sundial".parse::<TimedBy>().is_err());
    }

    #[test]
    fn only_a_program_that_waits_for_a_processor_may_take_longer_on_the_wall() {
        let second = Duration::from_secs(1);
        assert_eq!(TimedBy::Wall.longest_wait(second), second);
        assert_eq!(TimedBy::Processor.longest_wait(second), 160 * second);
        assert_eq!(TimedBy::Processor.longest_wait(Duration::MAX), Duration::MAX);
    }
}
