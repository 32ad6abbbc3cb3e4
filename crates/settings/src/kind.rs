//! The values that a key can have.

use crate::{Key, MOST, choice};
use toml::Value;

/// The values that a key can have.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    /// Any text; the words describe it.
    Text(&'static str),
    /// One of some words.
    Choice(&'static [&'static str]),
    /// A list of texts; the words describe it.
    Texts(&'static str),
    /// A whole number from the first to the second; [`MOST`] for any that a file can have, `u64::MAX`
    /// for any that an option can have.
    Whole(u64, u64),
    /// One of some whole numbers.
    Among(&'static [u64]),
    /// A list of two or more different whole numbers from the first to the second.
    Wholes(u64, u64),
    /// The least and the most of a range of whole numbers, both from the first to the second.
    Span(u64, u64),
    /// A number from the first to the second.
    Number(f64, f64),
    /// A list of texts or of tables with these keys; the words describe it.
    Items(&'static str, &'static [Key]),
    /// A table with these keys.
    Table(&'static [Key]),
}

impl Kind {
    /// Any finite number.
    pub const FINITE: Kind = Kind::Number(f64::MIN, f64::MAX);

    /// The values in words, given the `default` as an example.
    pub(crate) fn expected(&self, default: &str) -> String {
        match self {
            Kind::Text(words) | Kind::Texts(words) | Kind::Items(words, _) => (*words).to_owned(),
            Kind::Choice(words) => choice(words),
            Kind::Whole(least, MOST..) => format!("a whole number from {least} up"),
            Kind::Whole(least, most) => format!("a whole number from {least} to {most}"),
            Kind::Among(numbers) => {
                choice(&numbers.iter().map(u64::to_string).collect::<Vec<String>>())
            }
            Kind::Wholes(least, most) => format!(
                "a list such as {default} of two or more different whole numbers from {least} to \
                 {most}"
            ),
            Kind::Span(least, most) => {
                format!("the fewest and the most, from {least} to {most}, such as {default}")
            }
            kind if *kind == Kind::FINITE => "a number".to_owned(),
            Kind::Number(least, most) => format!("a number from {least} to {most}"),
            Kind::Table(_) => "a table".to_owned(),
        }
    }

    /// Whether a value is one of them. Says nothing about the keys of tables.
    pub(crate) fn allows(&self, value: &Value) -> bool {
        let texts =
            |value: &Value| value.as_array().is_some_and(|all| all.iter().all(Value::is_str));
        match self {
            Kind::Text(_) => value.is_str(),
            Kind::Choice(words) => value.as_str().is_some_and(|word| words.contains(&word)),
            Kind::Texts(_) => texts(value),
            Kind::Whole(least, most) => {
                whole(value).is_some_and(|number| (*least..=*most).contains(&number))
            }
            Kind::Among(numbers) => whole(value).is_some_and(|number| numbers.contains(&number)),
            Kind::Wholes(least, most) => wholes(value).is_some_and(|mut numbers| {
                let count = numbers.len();
                numbers.sort_unstable();
                numbers.dedup();
                let is_inside = numbers.iter().all(|number| (*least..=*most).contains(number));
                count >= 2 && numbers.len() == count && is_inside
            }),
            Kind::Span(least, most) => wholes(value).is_some_and(
                |ends| matches!(ends[..], [low, high] if *least <= low && low <= high && high <= *most),
            ),
            Kind::Number(least, most) => {
                let whole = || value.as_integer().map(|number| number as f64);
                let number = value.as_float().or_else(whole);
                number.is_some_and(|number| (*least..=*most).contains(&number))
            }
            Kind::Items(..) => value
                .as_array()
                .is_some_and(|all| all.iter().all(|value| value.is_str() || value.is_table())),
            Kind::Table(_) => value.is_table(),
        }
    }
}

fn whole(value: &Value) -> Option<u64> {
    u64::try_from(value.as_integer()?).ok()
}

fn wholes(value: &Value) -> Option<Vec<u64>> {
    value.as_array()?.iter().map(whole).collect()
}
