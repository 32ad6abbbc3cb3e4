//! The brackets that GGF and SGF share: `KEY[value]`, `;`, `(` and `)`.
//!
//! A key is a letter and more letters or digits; one or more values follow in
//! brackets, white space allowed before each. In a value `\` makes the next
//! character plain, so `\]` is a bracket and `\\` a backslash, and a `\` at the
//! end of a line joins it with the next. The lexer keeps no stack: how deep
//! the parentheses go is a number that its caller counts.

use super::Record;
use super::error::quote;
use super::span::{Fault, Span};
use std::borrow::Cow;

/// A piece of GGF or SGF.
pub(super) enum Token<'a> {
    /// `(`
    Open,
    /// `)`
    Close,
    /// `;`
    Node,
    /// A key and what is in the brackets behind it.
    Property(Property<'a>),
}

/// A key and its values, of which there is at least one.
pub(super) struct Property<'a> {
    pub(super) at: usize,
    pub(super) key: &'a str,
    pub(super) values: Vec<Cow<'a, str>>,
    /// Where the first value begins.
    value_at: usize,
}

impl Property<'_> {
    /// The only value, trimmed.
    pub(super) fn value(&self) -> Result<Span<'_>, Fault> {
        match &self.values[..] {
            [value] => Ok(Span::new(value, self.value_at).trim()),
            values => {
                let offence = format!("{} has {} values; expected one", self.key, values.len());
                Err(self.fault(offence))
            }
        }
    }

    /// A fault of the property as a whole.
    pub(super) fn fault(&self, offence: impl Into<String>) -> Fault {
        Fault::new(self.at, offence)
    }

    /// A fault that names the property and its first value.
    pub(super) fn unknown(&self, expected: &str) -> Fault {
        let found = quote(&self.values[0]);
        self.fault(format!("unknown {} {found}; expected {expected}", self.key))
    }
}

/// The only one of the properties called `key`, if it is there.
pub(super) fn only<'a, 'b>(
    properties: impl IntoIterator<Item = &'b Property<'a>>,
    key: &str,
) -> Result<Option<&'b Property<'a>>, Fault>
where
    'a: 'b,
{
    let mut found = properties.into_iter().filter(|property| property.key == key);
    let first = found.next();
    match found.next() {
        Some(second) => Err(second.fault(format!("a second {key}; expected one"))),
        None => Ok(first),
    }
}

/// Cuts a text into tokens.
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, at: 0 }
    }

    /// The offset of the next character to read.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip(&mut self, skipped: impl Fn(char) -> bool) {
        self.at = self.text.len() - self.rest().trim_start_matches(skipped).len();
    }

    /// Skips the number of games that GGF files may put before a game.
    pub(super) fn skip_count(&mut self) {
        self.skip(char::is_whitespace);
        self.skip(|mark| mark.is_ascii_digit());
        self.skip(char::is_whitespace);
    }

    /// The next token, or `None` at the end of the text.
    pub(super) fn next(&mut self) -> Result<Option<Token<'a>>, Fault> {
        self.skip(char::is_whitespace);
        let at = self.at;
        let token = match self.rest().chars().next() {
            None => return Ok(None),
            Some('(') => Token::Open,
            Some(')') => Token::Close,
            Some(';') => Token::Node,
            Some(mark) if mark.is_ascii_alphabetic() => {
                return self.property().map(|property| Some(Token::Property(property)));
            }
            Some(_) => {
                let found = quote(self.rest());
                return Err(Fault::new(at, format!("unknown {found}; expected KEY[value]")));
            }
        };
        self.at += 1;
        Ok(Some(token))
    }

    fn property(&mut self) -> Result<Property<'a>, Fault> {
        let at = self.at;
        self.skip(|mark| mark.is_ascii_alphanumeric());
        let key = &self.text[at..self.at];
        self.skip(char::is_whitespace);
        let value_at = self.at + 1;
        let mut values = Vec::new();
        loop {
            self.skip(char::is_whitespace);
            if !self.rest().starts_with('[') {
                break;
            }
            values.push(self.value(key)?);
        }
        if values.is_empty() {
            let offence = format!("no [ behind {}; expected KEY[value]", quote(key));
            return Err(Fault::new(self.at, offence));
        }
        Ok(Property { at, key, values, value_at })
    }

    /// The value in the bracket that begins here.
    fn value(&mut self, key: &str) -> Result<Cow<'a, str>, Fault> {
        let open = self.at;
        let start = open + 1;
        let mut plain = String::new();
        let mut from = start;
        loop {
            let Some(found) = self.text[from..].find([']', '\\']) else {
                let offence = format!("no ] closes the value of {}; expected ]", quote(key));
                return Err(Fault::new(open, offence));
            };
            let found = from + found;
            if self.text[found..].starts_with(']') {
                self.at = found + 1;
                // Only a value with a backslash has to be copied.
                return Ok(if from == start {
                    Cow::Borrowed(&self.text[start..found])
                } else {
                    plain.push_str(&self.text[from..found]);
                    Cow::Owned(plain)
                });
            }
            plain.push_str(&self.text[from..found]);
            let behind = &self.text[found + 1..];
            let next = behind.chars().next();
            let skipped = match next {
                Some('\n') => 1,
                Some('\r') if behind.starts_with("\r\n") => 2,
                _ => 0,
            };
            plain.extend(next.filter(|_| skipped == 0));
            from = found + 1 + skipped.max(next.map_or(0, char::len_utf8));
        }
    }
}

/// The games of a text, one after the other; `game` reads on behind the parenthesis of each.
pub(super) fn games<'a>(
    text: &'a str,
    game: impl Fn(&mut Lexer<'a>) -> Result<Record, Fault>,
) -> impl Iterator<Item = Result<Record, Fault>> {
    let mut lexer = Lexer::new(text);
    std::iter::from_fn(move || {
        lexer.skip_count();
        if lexer.rest().chars().next()? != '(' {
            let offence = format!("unknown {}; expected (; and a game", quote(lexer.rest()));
            return Some(Err(Fault::new(lexer.at, offence)));
        }
        lexer.at += 1;
        Some(game(&mut lexer))
    })
}

/// Whether a tag can be a property: the formats cannot hold other names.
pub(super) fn is_key(name: &str) -> bool {
    name.starts_with(|mark: char| mark.is_ascii_alphabetic())
        && name.chars().all(|mark| mark.is_ascii_alphanumeric())
}

/// Writes `[value]`, without the NUL characters that no text may have.
pub(super) fn push_value(text: &mut String, value: &str) {
    text.push('[');
    for mark in value.chars().filter(|&mark| mark != '\0') {
        if matches!(mark, ']' | '\\') {
            text.push('\\');
        }
        text.push(mark);
    }
    text.push(']');
}

/// Writes `KEY[value]`.
pub(super) fn push(text: &mut String, key: &str, value: &str) {
    text.push_str(key);
    push_value(text, value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_survive_their_brackets() {
        for value in ["", "plain", "a]b", "\\", "\\]", "[[", "two\nlines", "é]\\é", "\r\n]"] {
            let mut text = String::new();
            push(&mut text, "C1", value);
            push_value(&mut text, "next");
            let Ok(Some(Token::Property(property))) = Lexer::new(&text).next() else {
                panic!("{text:?} is no property")
            };
            assert_eq!(property.key, "C1");
            assert_eq!(property.values, [value, "next"]);
        }
    }

    #[test]
    fn a_backslash_joins_lines() {
        for text in ["C[a\\\nb]", "C[a\\\r\nb]", "C[\\a\\b]"] {
            let Ok(Some(Token::Property(property))) = Lexer::new(text).next() else {
                panic!("{text:?} is no property")
            };
            assert_eq!(property.values, ["ab"]);
        }
    }

    #[test]
    fn names_that_are_no_keys() {
        for (name, expected) in
            [("PB", true), ("x1", true), ("", false), ("1x", false), ("wthor-year", false)]
        {
            assert_eq!(is_key(name), expected, "{name}");
        }
    }
}
