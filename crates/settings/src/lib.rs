//! The keys of a TOML file as a table: name, kind, default and meaning of each.
//!
//! The reader, its error messages, the lists in `--help` and the tables of the guide all come from
//! that table. [`settings!`] also makes a struct of it. What is not here: rules about several keys
//! together, which the owner of a table checks, and files.

mod document;
mod error;
mod kind;

pub use document::Document;
pub use error::Error;
pub use kind::Kind;

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::fmt::{Debug, Display};
use toml::Value;

/// A key of a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// The values it can have.
    pub kind: Kind,
    /// Its default, in words for people.
    pub default: Cow<'static, str>,
    /// What it means.
    pub about: &'static str,
}

impl Key {
    /// A key with its default in words.
    pub const fn new(
        name: &'static str,
        kind: Kind,
        default: &'static str,
        about: &'static str,
    ) -> Key {
        Key { name, kind, default: Cow::Borrowed(default), about }
    }

    /// The values it can have, in words.
    pub fn expected(&self) -> String {
        self.kind.expected(&self.default)
    }

    /// The error of a value that it cannot have, as the user wrote it.
    pub fn refusal(&self, value: impl Display) -> Error {
        Error::value(self.name, value, self.expected())
    }
}

/// All keys of a file, in the order of its documents.
#[derive(Clone, Copy, Debug)]
pub struct Keys<'a>(pub &'a [Key]);

impl Keys<'_> {
    /// Reads a file of these keys.
    pub fn read<T: DeserializeOwned>(&self, text: &str) -> Result<T, Error> {
        let document = Document::parse(text)?;
        document.check(*self)?;
        document.table().clone().try_into().map_err(|error| Error::of_toml(&error, text))
    }

    /// The key called `name`; an error that names the nearest one if there is none.
    pub fn find(&self, name: &str) -> Result<&Key, Error> {
        let key = self.0.iter().find(|key| key.name == name);
        key.ok_or_else(|| Error::unknown(name, &self.names()))
    }

    /// Refuses a value that the key called `name` cannot have.
    pub fn check(&self, name: &str, value: &(impl Serialize + Debug)) -> Result<(), Error> {
        let key = self.find(name)?;
        match (Value::try_from(value), &key.kind) {
            (Ok(value), kind) if kind.allows(&value) => Ok(()),
            (Ok(value), _) => Err(key.refusal(typed(&value))),
            // No TOML file can have such a number; an option can.
            (Err(_), Kind::Whole(_, u64::MAX)) => Ok(()),
            (Err(_), Kind::Whole(_, most)) => {
                Err(Error::value(name, format_args!("{value:?}"), format_args!("at most {most}")))
            }
            (Err(_), _) => Err(key.refusal(format_args!("{value:?}"))),
        }
    }

    /// The value of the key called `name`, which becomes `default` if it is not set. Refuses one that
    /// the key cannot have.
    pub fn fill<T: Serialize + Debug + Clone>(
        &self,
        name: &str,
        value: &mut Option<T>,
        default: T,
    ) -> Result<T, Error> {
        let value = value.get_or_insert(default);
        self.check(name, value)?;
        Ok(value.clone())
    }

    /// The names of all keys.
    pub fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|key| key.name).collect()
    }

    /// The keys as a table of the guide.
    pub fn markdown(&self) -> String {
        let mut table = "| key | meaning | value | default |\n|---|---|---|---|\n".to_owned();
        for key in self.0 {
            let (name, about, default) = (key.name, key.about, &key.default);
            match &key.kind {
                Kind::Table(inner) => {
                    table += &format!("| `[{name}]` | {about} | a table of the keys below | |\n");
                    for key in *inner {
                        let (about, expected) = (key.about, key.expected());
                        let name = format!("{name}.{}", key.name);
                        table +=
                            &format!("| `{name}` | {about} | {expected} | {} |\n", key.default);
                    }
                }
                _ => table += &format!("| `{name}` | {about} | {} | {default} |\n", key.expected()),
            }
        }
        table
    }
}

/// The greatest whole number of TOML. Options can be greater.
pub const MOST: u64 = u64::MAX / 2;

/// A TOML value as a user would type it, nearly.
pub fn typed(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text:?}"),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Boolean(is_true) => is_true.to_string(),
        Value::Datetime(time) => time.to_string(),
        Value::Array(values) => {
            format!("[{}]", values.iter().map(typed).collect::<Vec<_>>().join(", "))
        }
        Value::Table(_) => "a table".to_owned(),
    }
}

/// Words as a choice: `a, b or c`.
pub fn choice(words: &[impl AsRef<str>]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

/// A setting that may be left open.
pub trait Setting {
    /// This, if it is set, else `other`.
    #[must_use]
    fn or(self, other: Self) -> Self;
}

impl<T> Setting for Option<T> {
    fn or(self, other: Option<T>) -> Option<T> {
        self.or(other)
    }
}

impl<T> Setting for Vec<T> {
    fn or(self, other: Vec<T>) -> Vec<T> {
        if self.is_empty() { other } else { self }
    }
}

/// Makes a struct with a field for each key, its table `KEYS`, and `merge`, which fills what one
/// leaves open from another. A line is `"key" field: Type = kind, default, meaning;`.
#[macro_export]
macro_rules! settings {
    ($(#[$meta:meta])* $vis:vis struct $name:ident {
        $($key:literal $field:ident: $type:ty = $kind:expr, $default:literal, $about:literal;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields, default)]
        $vis struct $name {
            $(
                #[doc = $about]
                #[serde(rename = $key)]
                $vis $field: $type,
            )*
        }

        impl $name {
            /// All keys of a file.
            $vis const KEYS: $crate::Keys<'static> = $crate::Keys(&[
                $($crate::Key::new($key, $kind, $default, $about),)*
            ]);

            /// These settings, and those of `other` where they are open.
            #[must_use]
            fn merge(self, other: $name) -> $name {
                $name { $($field: $crate::Setting::or(self.$field, other.$field),)* }
            }
        }
    };
}

#[cfg(test)]
mod tests;
