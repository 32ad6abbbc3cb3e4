//! What each key of a tuning's file can be: one table for what is read and what is refused.

use super::{SpecError, wrong};
use crate::experiment::typed;
use serde::Serialize;
use std::fmt;

/// What a value can be.
enum Kind {
    /// Words; what they are.
    Text(&'static str),
    /// A list of words; what they are.
    Texts(&'static str),
    /// A whole number, from the least to the most; `u64::MAX` for no most.
    Whole(u64, u64),
    /// A number, from the least to the most.
    Number(f64, f64),
    /// The width of a board; which there are the board knows.
    Width,
    /// The fewest and the most empty squares; which is which is checked with the board.
    Span,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Text(what) | Kind::Texts(what) => f.write_str(what),
            Kind::Whole(least, u64::MAX) => write!(f, "a whole number from {least} up"),
            Kind::Whole(least, most) => write!(f, "a whole number from {least} to {most}"),
            Kind::Number(least, most) if least.is_finite() => {
                write!(f, "a number from {least} to {most}")
            }
            Kind::Number(..) => f.write_str("a number"),
            Kind::Width => f.write_str("4, 6, 8, 10, 12, 14 or 16"),
            Kind::Span => {
                write!(f, "the fewest and the most, from 1 to {MOST_EMPTIES}, such as [10, 12]")
            }
        }
    }
}

impl Kind {
    fn allows(&self, value: &toml::Value) -> bool {
        let whole = |value: &toml::Value| u64::try_from(value.as_integer()?).ok();
        let number = |value: &toml::Value| {
            value.as_float().or_else(|| value.as_integer().map(|number| number as f64))
        };
        match self {
            Kind::Text(_) => value.is_str(),
            Kind::Texts(_) => {
                value.as_array().is_some_and(|values| values.iter().all(toml::Value::is_str))
            }
            Kind::Whole(least, most) => {
                whole(value).is_some_and(|number| (*least..=*most).contains(&number))
            }
            Kind::Number(least, most) => {
                number(value).is_some_and(|number| (*least..=*most).contains(&number))
            }
            Kind::Width => whole(value).is_some(),
            Kind::Span => value.as_array().is_some_and(|ends| {
                ends.len() == 2
                    && ends.iter().all(|end| whole(end).is_some_and(|end| end <= MOST_EMPTIES))
            }),
        }
    }
}

/// With more empty squares positions are not solved in time.
pub(super) const MOST_EMPTIES: u64 = 20;

const ANY: Kind = Kind::Number(f64::NEG_INFINITY, f64::INFINITY);

const KEYS: [(&str, Kind); 34] = [
    ("name", Kind::Text("a name in quotes")),
    ("agent", Kind::Text("an agent such as \"greedy:by=squares\"")),
    ("parameters", Kind::Texts("a list of names such as [\"a1\", \"b2\"]")),
    ("algorithm", Kind::Text("elitist, binary or cma-es")),
    ("population", Kind::Whole(2, 10_000)),
    ("crossover", Kind::Number(0.0, 1.0)),
    ("mutation", Kind::Number(0.0, 1.0)),
    ("sigma", Kind::Number(0.001, 1.0)),
    ("start", Kind::Text("random or values")),
    ("generations", Kind::Whole(1, 100_000)),
    // What fitness can be depends on the objective.
    ("target", ANY),
    ("patience", Kind::Whole(0, 100_000)),
    ("objective", Kind::Text("win-rate, round-robin, neighbours or minimax-loss")),
    ("against", Kind::Text("an agent such as \"random\"")),
    ("pairs", Kind::Whole(1, 10_000_000)),
    ("games", Kind::Whole(1, 100_000)),
    ("neighbours", Kind::Whole(1, 1_000_000)),
    ("radius", Kind::Number(0.001, 1.0)),
    ("positions", Kind::Whole(2, 100_000)),
    ("empties", Kind::Span),
    ("plies", Kind::Whole(0, 4)),
    ("rule", Kind::Text("reversed or normal")),
    ("size", Kind::Width),
    ("openings", Kind::Text("start or random:PLIES")),
    ("ending", Kind::Whole(0, 20)),
    ("depth", Kind::Whole(1, 64)),
    ("nodes", Kind::Whole(1, u64::MAX)),
    ("finalists", Kind::Whole(1, 1_000)),
    ("proof", Kind::Texts("a list of agents such as [\"random\"]")),
    ("proof-pairs", Kind::Whole(2, 10_000_000)),
    ("seed", Kind::Whole(0, u64::MAX)),
    ("source", Kind::Text("the place in a report, in quotes")),
    ("report-score", Kind::Number(0.0, 1.0)),
    ("report-seconds", Kind::Number(0.0, 1e9)),
];

/// Refuses values of another kind than their key has. What is not TOML, and keys that there are
/// not, are left to the reader.
pub(super) fn check(text: &str) -> Result<(), SpecError> {
    let Ok(table) = text.parse::<toml::Table>() else {
        return Ok(());
    };
    for (key, kind) in &KEYS {
        if let Some(value) = table.get(*key).filter(|value| !kind.allows(value)) {
            return Err(refusal(key, &typed(value), kind));
        }
    }
    Ok(())
}

fn refusal(key: &'static str, value: &dyn fmt::Display, kind: &Kind) -> SpecError {
    wrong(key, format_args!("cannot be {value}; expected {kind}"))
}

/// `value`, or `default`, if it is what the key can be.
///
/// # Panics
/// If there is no such key.
pub(super) fn within<T: Serialize + fmt::Display + Copy>(
    key: &'static str,
    value: Option<T>,
    default: T,
) -> Result<T, SpecError> {
    let kind = KEYS.iter().find(|(known, _)| *known == key).map(|(_, kind)| kind);
    let (kind, value) = (kind.expect("the key is in the table"), value.unwrap_or(default));
    match toml::Value::try_from(value) {
        Ok(written) if kind.allows(&written) => Ok(value),
        _ => Err(refusal(key, &value, kind)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Spec;
    use super::*;

    #[test]
    fn the_table_has_every_key_of_a_specification() {
        let unknown = Spec::read("nobody = 1").unwrap_err().to_string();
        let known: Vec<&str> = unknown.split('"').skip(3).step_by(2).collect();
        assert_eq!(known, KEYS.map(|(key, _)| key), "{unknown}");
    }

    #[test]
    fn a_value_of_another_kind_is_named_with_its_key_and_what_could_be() {
        for (key, kind) in &KEYS {
            let value = if matches!(kind, Kind::Text(_)) { "3" } else { "true" };
            let found = Spec::read(&format!("{key} = {value}")).unwrap_err().to_string();
            assert_eq!(found, format!("{key}: cannot be {value}; expected {kind}"));
        }
    }
}
