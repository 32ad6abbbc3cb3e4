//! The terms of games: the rule, the board, and what each side may spend.

use crate::account::{AccountId, administrator};
use crate::club::{Club, ClubError};
use crate::{audit, setting};
use isrever_arena::{Clock, Openings};
use isrever_board::{Rule, Size};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

/// What games are played, and within which limits.
///
/// The default is the course's: five seconds a move, three minutes a game, 100 MiB.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "Written", try_from = "Written")]
pub struct Terms {
    /// What is played for.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// Time for a move, in milliseconds.
    pub move_ms: u64,
    /// Time for all moves of a side, in milliseconds.
    pub game_ms: u64,
    /// The most memory of an agent, in MiB.
    pub memory_mib: u64,
}

/// Times for a move and for a game that make sense, in milliseconds.
const MOVE_MS: RangeInclusive<u64> = 10..=600_000;
const GAME_MS: RangeInclusive<u64> = 100..=36_000_000;

/// Memory of an agent that makes sense: Python with numpy needs some 40 MiB.
const MEMORY_MIB: RangeInclusive<u64> = 48..=65_536;

/// Random moves before a game on a board for which there are no balanced openings.
const OPENING_PLIES: u32 = 4;

impl Default for Terms {
    fn default() -> Terms {
        Terms {
            rule: Rule::Reversed,
            size: Size::EIGHT,
            move_ms: 5_000,
            game_ms: 180_000,
            memory_mib: 100,
        }
    }
}

/// Terms in plain data.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    rule: String,
    size: usize,
    move_ms: u64,
    game_ms: u64,
    memory_mib: u64,
}

impl From<Terms> for Written {
    fn from(terms: Terms) -> Written {
        let Terms { rule, size, move_ms, game_ms, memory_mib } = terms;
        Written { rule: rule.to_string(), size: size.width().into(), move_ms, game_ms, memory_mib }
    }
}

impl TryFrom<Written> for Terms {
    type Error = String;

    fn try_from(written: Written) -> Result<Terms, String> {
        let Written { rule, size, move_ms, game_ms, memory_mib } = written;
        let size = Size::new(size).map_err(|error| error.to_string())?;
        let terms = Terms { rule: rule.parse()?, size, move_ms, game_ms, memory_mib };
        terms.check().map_err(|error| error.to_string())?;
        Ok(terms)
    }
}

/// Why games cannot be played so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TermsError {
    what: &'static str,
    value: u64,
    range: RangeInclusive<u64>,
    unit: Unit,
}

/// What a limit is counted in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unit {
    Milliseconds,
    Mebibytes,
}

impl Unit {
    /// A number of them as people write it: in the largest unit in which it is whole.
    fn words(self, count: u64) -> String {
        let units: &[(u64, &str, &str)] = match self {
            Unit::Milliseconds => &[
                (3_600_000, "hour", "hours"),
                (60_000, "minute", "minutes"),
                (1_000, "second", "seconds"),
                (1, "millisecond", "milliseconds"),
            ],
            Unit::Mebibytes => &[(1 << 10, "GiB", "GiB"), (1, "MiB", "MiB")],
        };
        let is_whole = |size: u64| size == 1 || count >= size && count.is_multiple_of(size);
        let found = units.iter().find(|(size, ..)| is_whole(*size));
        let &(size, one, many) = found.expect("the last unit suits every number");
        format!("{} {}", count / size, if count == size { one } else { many })
    }
}

impl fmt::Display for TermsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TermsError { what, value, range, unit } = self;
        let (least, most) = (unit.words(*range.start()), unit.words(*range.end()));
        write!(f, "{what} cannot be {}; expected {least} to {most}", unit.words(*value))
    }
}

impl std::error::Error for TermsError {}

impl Terms {
    /// Whether games can be played so.
    pub fn check(&self) -> Result<(), TermsError> {
        let limits = [
            ("the time for a move", self.move_ms, MOVE_MS, Unit::Milliseconds),
            ("the time for a game", self.game_ms, GAME_MS, Unit::Milliseconds),
            ("an agent's memory", self.memory_mib, MEMORY_MIB, Unit::Mebibytes),
        ];
        match limits.into_iter().find(|(_, value, range, _)| !range.contains(value)) {
            None => Ok(()),
            Some((what, value, range, unit)) => Err(TermsError { what, value, range, unit }),
        }
    }

    /// What each side may spend.
    pub fn clock(&self) -> Clock {
        Clock {
            time: Some(Duration::from_millis(self.move_ms)),
            game_time: Some(Duration::from_millis(self.game_ms)),
            ..Clock::default()
        }
    }

    /// What games begin with where each two players play so many pairs: one pair begins at the
    /// start, several with openings, as agents without chance in them would repeat their game.
    pub fn openings(&self, pairs: u64) -> Openings {
        match pairs {
            0 | 1 => Openings::Start,
            _ if Openings::Balanced.check(self.rule, self.size).is_ok() => Openings::Balanced,
            _ => Openings::Random(OPENING_PLIES),
        }
    }

    /// The terms as text.
    pub(crate) fn write(&self) -> String {
        serde_json::to_string(self).expect("terms are plain data")
    }

    /// The terms of a text that [`Terms::write`] made.
    pub(crate) fn read(text: &str) -> Result<Terms, ClubError> {
        serde_json::from_str(text).map_err(|error| ClubError::Damaged(format!("terms: {error}")))
    }
}

/// What is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Doors {
    /// Whether the ladder goes on.
    pub ladder: bool,
    /// Whether members may have their agents play others, unrated.
    pub sparring: bool,
}

/// Terms of new battles.
pub(crate) fn terms(connection: &Connection) -> Result<Terms, ClubError> {
    setting::get(connection, "terms")?
        .map_or_else(|| Ok(Terms::default()), |text| Terms::read(&text))
}

pub(crate) fn doors(connection: &Connection) -> Result<Doors, ClubError> {
    let is_open = |key| Ok::<_, ClubError>(setting::get(connection, key)?.is_none());
    Ok(Doors { ladder: is_open("ladder")?, sparring: is_open("sparring")? })
}

impl Club {
    /// What new battles are played by.
    pub fn terms(&self) -> Result<Terms, ClubError> {
        terms(&self.connection())
    }

    /// Changes what new battles are played by; those that wait stay as they are.
    pub fn set_terms(&self, by: AccountId, terms: Terms, now: i64) -> Result<(), ClubError> {
        terms.check()?;
        self.transaction(|connection| {
            administrator(connection, by)?;
            let text = terms.write();
            setting::set(connection, "terms", Some(&text))?;
            audit::note(connection, now, Some(by), "set-terms", &text)
        })
    }

    /// What is open.
    pub fn doors(&self) -> Result<Doors, ClubError> {
        doors(&self.connection())
    }

    /// Opens and closes the ladder and the sparring.
    pub fn set_doors(&self, by: AccountId, doors: Doors, now: i64) -> Result<(), ClubError> {
        self.transaction(|connection| {
            administrator(connection, by)?;
            let mut words = Vec::new();
            for (key, is_open) in [("ladder", doors.ladder), ("sparring", doors.sparring)] {
                setting::set(connection, key, (!is_open).then_some("closed"))?;
                words.push(format!("{key} {}", if is_open { "open" } else { "closed" }));
            }
            audit::note(connection, now, Some(by), "set-doors", &words.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_survive_their_text_and_nonsense_does_not() {
        let six = Terms { size: Size::SIX, rule: Rule::Normal, move_ms: 20, ..Terms::default() };
        for terms in [Terms::default(), six] {
            assert_eq!(Terms::read(&terms.write()).unwrap(), terms);
        }
        for (from, to) in [
            ("\"size\":8", "\"size\":7"),
            ("reversed", "sideways"),
            ("\"move_ms\":5000", "\"move_ms\":1"),
            ("\"memory_mib\":100", "\"memory_mib\":1"),
            ("\"game_ms\":180000", "\"game_ms\":180000,\"extra\":1"),
        ] {
            let text = Terms::default().write();
            let broken = text.replace(from, to);
            assert_ne!(text, broken);
            assert!(Terms::read(&broken).is_err(), "{broken}");
        }
        assert_eq!(
            Terms { move_ms: 1, ..Terms::default() }.check().unwrap_err().to_string(),
            "the time for a move cannot be 1 millisecond; expected 10 milliseconds to 10 minutes"
        );
        let little = Terms { memory_mib: 0, ..Terms::default() }.check().unwrap_err();
        assert_eq!(
            little.to_string(),
            "an agent's memory cannot be 0 MiB; expected 48 MiB to 64 GiB"
        );
    }

    #[test]
    fn several_pairs_begin_with_openings() {
        let terms = Terms::default();
        assert_eq!((terms.openings(1), terms.openings(2)), (Openings::Start, Openings::Balanced));
        let ten = Terms { size: Size::new(10).unwrap(), ..terms };
        assert_eq!(ten.openings(3), Openings::Random(OPENING_PLIES));
    }
}
