//! The brackets that GGF and SGF share: `KEY[value]`, `;`, `(` and `)`.
//!
//! A key is a letter and more letters or digits; one or more values follow in
//! brackets, white space allowed before each. In a value `\` makes the next
//! character plain, so `\]` is a bracket and `\\` a backslash, and a `\` at the
//! end of a line joins it with the next. The lexer keeps no stack: its caller
//! counts how deep the parentheses are nested. [`MAX_GAME_BYTES`] bounds what a
//! caller keeps of a game.

use super::error::quote;
use super::span::{Fault, Span};
use super::{MAX_GAME_BYTES, Record};
use std::borrow::Cow;

/// A token of GGF or SGF.
pub(super) enum Token<'a> {
    /// `(`
    Open,
    /// `)`
    Close,
    /// `;`
    Node,
    /// A key and the values in brackets after it.
    Property(Property<'a>),
}

/// A key and its values, at least one.
pub(super) struct Property<'a> {
    pub(super) at: usize,
    pub(super) key: &'a str,
    /// How many semicolons precede it: properties of one node have the same number.
    pub(super) node: usize,
    first: Cow<'a, str>,
    /// Where the first value begins.
    first_at: usize,
    /// The brackets after the first. A hostile file may have millions of them, so they are parsed
    /// only on request.
    more: &'a str,
}

impl<'a> Property<'a> {
    /// The first value, untrimmed.
    pub(super) fn first(&self) -> &str {
        &self.first
    }

    /// All the values, untrimmed.
    pub(super) fn values(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let mut more = self.more;
        let more = std::iter::from_fn(move || {
            let (_, raw) = more.split_once('[')?;
            let (value, behind) = raw.split_at(closing(raw)?);
            more = behind;
            Some(plain(value))
        });
        std::iter::once(Cow::Borrowed(self.first())).chain(more)
    }

    /// The first value if it is short enough for a move, else an empty one.
    pub(super) fn short_value(&self) -> Cow<'a, str> {
        if self.first.len() <= 16 { self.first.clone() } else { Cow::Borrowed("") }
    }

    /// The only value, trimmed.
    pub(super) fn value(&self) -> Result<Span<'_>, Fault> {
        match self.values().count() {
            1 => Ok(Span::new(&self.first, self.first_at).trim()),
            count => Err(self.fault(format!("{} has {count} values; expected one", self.key))),
        }
    }

    /// A fault of the property as a whole.
    pub(super) fn fault(&self, offence: impl Into<String>) -> Fault {
        Fault::new(self.at, offence)
    }

    /// A fault that names the property and its first value.
    pub(super) fn unknown(&self, expected: &str) -> Fault {
        let found = quote(&self.first);
        self.fault(format!("unknown {} {found}; expected {expected}", self.key))
    }
}

/// The offset of the `]` that closes the value at the beginning of `text`.
fn closing(text: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let found = from + text[from..].find([']', '\\'])?;
        if text[found..].starts_with(']') {
            return Some(found);
        }
        // The backslash escapes any character.
        from = found + 1 + text[found + 1..].chars().next()?.len_utf8();
    }
}

/// The value between brackets without its backslashes; copied only if it has any.
fn plain(raw: &str) -> Cow<'_, str> {
    let Some((before, mut rest)) = raw.split_once('\\') else { return Cow::Borrowed(raw) };
    let mut plain = before.to_owned();
    loop {
        let mut marks = rest.chars();
        rest = match rest.strip_prefix('\n').or_else(|| rest.strip_prefix("\r\n")) {
            Some(next_line) => next_line,
            None => {
                plain.extend(marks.next());
                marks.as_str()
            }
        };
        let Some((before, behind)) = rest.split_once('\\') else {
            plain.push_str(rest);
            return Cow::Owned(plain);
        };
        plain.push_str(before);
        rest = behind;
    }
}

/// The property `key`, which may occur only once, if there is one.
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
    /// How many semicolons have been read.
    nodes: usize,
    /// Where the game begins whose length is limited.
    game: Option<usize>,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, at: 0, nodes: 0, game: None }
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

    /// Lifts the limit on the game's length, because the caller keeps nothing of the rest.
    pub(super) fn lift_bound(&mut self) {
        self.game = None;
    }

    /// The next token, or `None` at the end of the text.
    pub(super) fn next(&mut self) -> Result<Option<Token<'a>>, Fault> {
        let token = self.token()?;
        match self.game {
            Some(game) if self.at - game > MAX_GAME_BYTES => Err(Fault::new(game, too_long())),
            _ => Ok(token),
        }
    }

    fn token(&mut self) -> Result<Option<Token<'a>>, Fault> {
        self.skip(char::is_whitespace);
        let at = self.at;
        let token = match self.rest().chars().next() {
            None => return Ok(None),
            Some('(') => Token::Open,
            Some(')') => Token::Close,
            Some(';') => {
                self.nodes += 1;
                Token::Node
            }
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
        let first_at = self.at + 1;
        let Some(first) = self.raw_value(key)? else {
            let offence = format!("no [ behind {}; expected KEY[value]", quote(key));
            return Err(Fault::new(self.at, offence));
        };
        let more_at = self.at;
        while self.raw_value(key)?.is_some() {}
        let more = &self.text[more_at..self.at];
        Ok(Property { at, key, node: self.nodes, first: plain(first), first_at, more })
    }

    /// The text in the next brackets, backslashes included, if brackets come next.
    fn raw_value(&mut self, key: &str) -> Result<Option<&'a str>, Fault> {
        self.skip(char::is_whitespace);
        let Some(raw) = self.rest().strip_prefix('[') else { return Ok(None) };
        let Some(length) = closing(raw) else {
            let offence = format!("no ] closes the value of {}; expected ]", quote(key));
            return Err(Fault::new(self.at, offence));
        };
        self.at += length + 2;
        Ok(Some(&raw[..length]))
    }
}

/// The fault of a game of more than [`MAX_GAME_BYTES`].
pub(super) fn too_long() -> String {
    format!("the game is too long; expected at most {MAX_GAME_BYTES} bytes")
}

/// The games of a text, one after the other; `game` reads each from after its parenthesis.
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
        lexer.game = Some(lexer.at);
        lexer.at += 1;
        Some(game(&mut lexer))
    })
}

/// Whether a tag's name can be a key.
pub(super) fn is_key(name: &str) -> bool {
    name.starts_with(|mark: char| mark.is_ascii_alphabetic())
        && name.chars().all(|mark| mark.is_ascii_alphanumeric())
}

/// Writes `[value]` without NUL characters, which no text may contain.
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
    fn values_are_read_back_from_their_brackets() {
        for value in ["", "plain", "a]b", "\\", "\\]", "[[", "two\nlines", "é]\\é", "\r\n]"] {
            let mut text = String::new();
            push(&mut text, "C1", value);
            push_value(&mut text, "next");
            let Ok(Some(Token::Property(property))) = Lexer::new(&text).next() else {
                panic!("{text:?} is no property")
            };
            assert_eq!(property.key, "C1");
            assert_eq!(property.values().collect::<Vec<_>>(), [value, "next"]);
            assert_eq!(property.first(), value);
        }
    }

    #[test]
    fn a_backslash_joins_lines() {
        for text in ["C[a\\\nb]", "C[a\\\r\nb]", "C[\\a\\b]"] {
            let Ok(Some(Token::Property(property))) = Lexer::new(text).next() else {
                panic!("{text:?} is no property")
            };
            assert_eq!(property.values().collect::<Vec<_>>(), ["ab"]);
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
