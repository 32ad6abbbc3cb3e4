//! GGF, the Generic Game Format of the Generic Game Server.
//!
//! ```text
//! (;GM[Othello]PB[ann]PW[bob]TY[8a]BO[8 -------- … *]B[F5/1.20/3]W[D6//0.5]B[PA];)
//! ```
//!
//! Any number of games, each a row of properties in `(;` and `;)`, perhaps
//! after the number of games in the match (`1 `, `2 `).
//!
//! `GM`, if present, must be `Othello`. `TY` is the type of match: letters
//! around the width. `a` (anti) makes the game reversed, its absence normal.
//! `s` synchro, `k` komi, `r` and a number random start, `b` and `w` the asker's
//! colour are kept in the tag `TY`, which exists only if there is one of them.
//! An unknown letter is refused, because it might change the rules; so is the
//! octagon, 88. `BO` is the start position, after its width; without it the game
//! begins with the start. Without `TY` the size is that of `BO`, or the default.
//!
//! `B` and `W` are moves: a square or a pass (`PA`, `pass`), the value for the
//! mover, the seconds it took; GGF cannot hold comments on moves. A forced pass
//! may be missing. All other properties are tags, wherever they are; for `RE`
//! see [`outcome`].
//!
//! The writer writes a game per line, with `GM`, `TY` and `BO`, squares in
//! capitals.

use super::bracket::{self, Lexer, Property, Token, is_key, only, push};
use super::error::quote;
use super::span::{Fault, Span};
use super::{Defaults, Note, Record, board, moves, outcome, played};
use crate::{Color, Game, Move, Position, Rule, Size};
use std::fmt::{self, Write};

pub(super) fn read(text: &str, defaults: Defaults) -> impl Iterator<Item = Result<Record, Fault>> {
    bracket::games(text, move |lexer| record(lexer, defaults))
}

/// Reads the game after the parenthesis just read.
fn record(lexer: &mut Lexer<'_>, defaults: Defaults) -> Result<Record, Fault> {
    let mut properties = Vec::new();
    loop {
        match lexer.next()? {
            None => return Err(Fault::new(lexer.at(), "the game is not closed; expected ;)")),
            Some(Token::Open) => {
                let offence = "a ( inside a game; expected ;) before it";
                return Err(Fault::new(lexer.at() - 1, offence));
            }
            Some(Token::Close) => break,
            Some(Token::Node) => {}
            Some(Token::Property(property)) => properties.push(property),
        }
    }
    if let Some(property) = only(&properties, "GM")?
        && !property.value()?.text.eq_ignore_ascii_case("Othello")
    {
        return Err(property.unknown("Othello"));
    }
    let kind = only(&properties, "TY")?.map(Property::value).transpose()?;
    let kind = kind.map(Kind::read).transpose()?;
    let position = match only(&properties, "BO")? {
        Some(property) => start(property, kind.as_ref())?,
        None => Position::start(kind.as_ref().map_or(defaults.size, |kind| kind.size)),
    };
    let rule = kind.as_ref().map_or(Rule::Normal, |kind| kind.rule);
    let mut record = Record::from(Game::from_position(rule, position));
    for property in properties {
        match property.key {
            "GM" | "BO" => {}
            "B" => play(&mut record, Color::Black, &property)?,
            "W" => play(&mut record, Color::White, &property)?,
            "TY" => {
                let letters = kind.as_ref().filter(|kind| kind.has_letters());
                record.tags.extend(letters.map(|kind| ("TY".to_owned(), kind.to_string())));
            }
            key => {
                let tags = property.values().map(|value| (key.to_owned(), value.into_owned()));
                record.tags.extend(tags);
            }
        }
    }
    outcome::tidy(&mut record, outcome::to_ggf);
    record.notes = played::tidy(record.notes);
    Ok(record)
}

/// The start position in `BO`.
fn start(property: &Property<'_>, kind: Option<&Kind>) -> Result<Position, Fault> {
    let (width, squares) = property.value()?.word();
    let Ok(size) = width.text.parse::<Size>() else {
        return Err(property.unknown("the width, the squares and the side"));
    };
    let position = board::line(squares)?;
    let expected = kind.map_or(size, |kind| kind.size);
    for found in [size, position.size()] {
        if found != expected {
            let offence = format!("the board is {found}x{found}; expected {expected}x{expected}");
            return Err(property.fault(offence));
        }
    }
    Ok(position)
}

/// Plays a move and keeps its value and time.
fn play(record: &mut Record, color: Color, property: &Property<'_>) -> Result<(), Fault> {
    let span = property.value()?;
    let (name, beside) = span.split_once('/').unwrap_or((span, Span::new("", span.at)));
    let (value, seconds) = beside.split_once('/').unwrap_or((beside, Span::new("", span.at)));
    let mv = moves::whole(name.trim(), record.game.size())?;
    let (value, seconds) = (played::number(value)?, played::seconds(seconds)?);
    let note = Note { value, seconds, comment: None };
    played::add(record, color, mv, note, span)
}

/// The type of a match, `TY`.
struct Kind {
    size: Size,
    rule: Rule,
    is_synchro: bool,
    has_komi: bool,
    /// A random start, perhaps with the number of its discs.
    random: Option<String>,
    /// The colour that the asker wants.
    asker: Option<char>,
}

impl Kind {
    /// A match with no letter but the rule's.
    fn new(size: Size, rule: Rule) -> Kind {
        Kind { size, rule, is_synchro: false, has_komi: false, random: None, asker: None }
    }

    fn read(value: Span<'_>) -> Result<Kind, Fault> {
        const LETTERS: &str = "expected a width and letters of s, k, a, r, b and w";
        let mut kind = Kind::new(Size::EIGHT, Rule::Normal);
        let mut width = None;
        let mut rest = value.text;
        while let Some(letter) = rest.chars().next() {
            rest = if letter.is_ascii_digit() { rest } else { &rest[letter.len_utf8()..] };
            let behind = rest.trim_start_matches(|mark: char| mark.is_ascii_digit());
            let digits = &rest[..rest.len() - behind.len()];
            match letter {
                's' => kind.is_synchro = true,
                'k' => kind.has_komi = true,
                'a' => kind.rule = Rule::Reversed,
                'b' | 'w' => kind.asker = Some(letter),
                'r' => {
                    kind.random = Some(digits.to_owned());
                    rest = behind;
                }
                '0'..='9' if width.is_none() => {
                    width = Some(digits);
                    rest = behind;
                }
                _ => {
                    let found = quote(value.text);
                    return Err(value.fault(format!("unknown TY {found}; {LETTERS}")));
                }
            }
        }
        kind.size = match width {
            Some("88") => return Err(value.fault("TY: 88 is the octagon; expected a square board")),
            _ => width
                .unwrap_or_default()
                .parse()
                .map_err(|error| value.fault(format!("TY: {error}")))?,
        };
        Ok(kind)
    }

    /// Whether it has more than size and rule.
    fn has_letters(&self) -> bool {
        self.is_synchro || self.has_komi || self.random.is_some() || self.asker.is_some()
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |letter, is_there| if is_there { letter } else { "" };
        let synchro = letter("s", self.is_synchro);
        let komi = letter("k", self.has_komi);
        let anti = letter("a", self.rule == Rule::Reversed);
        write!(f, "{synchro}{}{komi}{anti}", self.size)?;
        if let Some(discs) = &self.random {
            write!(f, "r{discs}")?;
        }
        self.asker.map_or(Ok(()), |letter| f.write_char(letter))
    }
}

pub(super) fn write(record: &Record, text: &mut String) {
    let game = &record.game;
    let plain = || Kind::new(game.size(), game.rule());
    text.push_str("(;GM[Othello]");
    let mut has_kind = false;
    for (name, value) in record.tags.iter().filter(|(name, _)| is_key(name)) {
        match name.as_str() {
            "GM" | "BO" | "B" | "W" => {}
            "TY" if has_kind => {}
            "TY" => {
                // The letters come from the tag, the size and the rule from the game.
                let letters = Kind::read(Span::new(value, 0)).unwrap_or_else(|_| plain());
                let kind = Kind { size: game.size(), rule: game.rule(), ..letters };
                push(text, "TY", &kind.to_string());
                has_kind = true;
            }
            "RE" => push(text, "RE", &outcome::to_ggf(value, game.size())),
            _ => push(text, name, value),
        }
    }
    if !has_kind {
        push(text, "TY", &plain().to_string());
    }
    if let Some(result) = outcome::unsaid(record) {
        push(text, "RE", &result);
    }
    let start = game.start().to_string().replace('X', "*");
    push(text, "BO", &format!("{} {start}", game.size()));
    for (index, mv) in game.moves().iter().enumerate() {
        let key = if game.positions()[index].turn() == Color::Black { "B" } else { "W" };
        push(text, key, &noted(*mv, &played::note(record, index)));
    }
    text.push_str(";)");
}

/// The move with its value and time; slashes only before something.
fn noted(mv: Move, note: &Note) -> String {
    let mut text = match mv {
        Move::Pass => "PA".to_owned(),
        Move::Place(square) => square.to_string().to_uppercase(),
    };
    if note.value.is_some() || note.seconds.is_some() {
        text.push('/');
        text.extend(note.value.map(|value| value.to_string()));
    }
    text.extend(note.seconds.map(|seconds| format!("/{seconds}")));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_in_any_order_and_written_in_one() {
        for (text, expected) in [
            ("8", "8"),
            ("a8", "8a"),
            ("8ar20", "8ar20"),
            ("r18a8s", "s8ar18"),
            ("wka10r", "10karw"),
            ("s8r18", "s8r18"),
        ] {
            let kind = Kind::read(Span::new(text, 0)).unwrap();
            assert_eq!(kind.to_string(), expected);
            assert_eq!(kind.has_letters(), expected.contains(['s', 'k', 'r', 'b', 'w']));
        }
    }

    #[test]
    fn the_type_follows_the_game() {
        let mut record = Record::from(Game::new(Rule::Reversed, Size::SIX));
        record.tags.push(("TY".to_owned(), "s8r18".to_owned()));
        let mut text = String::new();
        write(&record, &mut text);
        assert!(text.starts_with("(;GM[Othello]TY[s6ar18]BO[6 "), "{text}");
    }

    #[test]
    fn slashes_are_written_only_before_something() {
        let comment = Some("which has no place here".to_owned());
        let note =
            |value, seconds| noted(Move::Pass, &Note { value, seconds, comment: comment.clone() });
        assert_eq!(note(None, None), "PA");
        assert_eq!(note(Some(-1.5), None), "PA/-1.5");
        assert_eq!(note(None, Some(2.0)), "PA//2");
        assert_eq!(note(Some(0.25), Some(2.0)), "PA/0.25/2");
    }
}
