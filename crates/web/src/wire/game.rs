//! A game in a request: rule, size, start and moves. Checks all of it.

use crate::refusal::{Code, Refusal};
use isrever_board::text::{self, Defaults, Format};
use isrever_board::{Color, Game, Move, Position, Rule, Size, Square};
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use utoipa::ToSchema;

/// The most moves of a game: a 16×16 board has 252 empty squares, and there are passes.
pub(crate) const MOST_MOVES: usize = 512;

/// The rule of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RuleWord {
    /// Fewest discs win.
    #[default]
    Reversed,
    /// Most discs win.
    Normal,
}

impl From<RuleWord> for Rule {
    fn from(word: RuleWord) -> Rule {
        match word {
            RuleWord::Reversed => Rule::Reversed,
            RuleWord::Normal => Rule::Normal,
        }
    }
}

impl From<Rule> for RuleWord {
    fn from(rule: Rule) -> RuleWord {
        match rule {
            Rule::Reversed => RuleWord::Reversed,
            Rule::Normal => RuleWord::Normal,
        }
    }
}

/// A side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ColorWord {
    Black,
    White,
}

impl ColorWord {
    /// Both sides, the first to move first.
    pub(crate) const BOTH: [ColorWord; 2] = [ColorWord::Black, ColorWord::White];

    /// The other side.
    pub(crate) fn other(self) -> ColorWord {
        match self {
            ColorWord::Black => ColorWord::White,
            ColorWord::White => ColorWord::Black,
        }
    }
}

impl From<ColorWord> for Color {
    fn from(word: ColorWord) -> Color {
        match word {
            ColorWord::Black => Color::Black,
            ColorWord::White => Color::White,
        }
    }
}

impl From<Color> for ColorWord {
    fn from(color: Color) -> ColorWord {
        match color {
            Color::Black => ColorWord::Black,
            Color::White => ColorWord::White,
        }
    }
}

/// Moves as a list of squares and `pass`, or as one text with or without commas: `f5,d6` or `f5d6`.
#[derive(Clone, PartialEq, Eq, Debug, Default, ToSchema)]
#[schema(value_type = Vec<String>, example = json!(["f5", "d6", "c3"]))]
pub(crate) struct Moves(pub(crate) Vec<Move>);

impl<'de> Deserialize<'de> for Moves {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Moves, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Moves;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of squares and \"pass\"")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Moves, E> {
                let mut moves = Vec::new();
                for word in text.split([',', ' ']).filter(|word| !word.is_empty()) {
                    push_word(&mut moves, word).map_err(E::custom)?;
                }
                Ok(Moves(moves))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Moves, A::Error> {
                let mut moves = Vec::new();
                while let Some(word) = list.next_element::<String>()? {
                    let mv = one(&word).map_err(de::Error::custom)?;
                    push(&mut moves, mv).map_err(de::Error::custom)?;
                }
                Ok(Moves(moves))
            }
        }

        deserializer.deserialize_any(Reader)
    }
}

/// One move: a square, or a pass.
fn one(word: &str) -> Result<Move, String> {
    match word.parse::<Square>() {
        Ok(square) => Ok(Move::Place(square)),
        Err(_) if word == "pass" => Ok(Move::Pass),
        Err(_) => Err(format!("{word:?} is not a move; expected a square such as f5, or pass")),
    }
}

fn push(moves: &mut Vec<Move>, mv: Move) -> Result<(), String> {
    if moves.len() == MOST_MOVES {
        return Err(format!("too many moves; expected at most {MOST_MOVES}"));
    }
    moves.push(mv);
    Ok(())
}

/// A word between commas: one move, or squares without anything between them.
fn push_word(moves: &mut Vec<Move>, word: &str) -> Result<(), String> {
    if word.len() <= 2 || word == "pass" || !word.is_ascii() {
        return push(moves, one(word)?);
    }
    // A letter begins a square, and its number follows.
    let mut rest = word;
    while !rest.is_empty() {
        let digits = rest.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        let (square, later) = rest.split_at(1 + digits);
        push(moves, one(square)?)?;
        rest = later;
    }
    Ok(())
}

/// The size of a board that the engine searches: 4, 6 or 8.
pub(crate) fn size_of(width: u8) -> Result<Size, Refusal> {
    Size::BITS.into_iter().find(|size| size.width() == width).ok_or_else(|| {
        let message = format!("size cannot be {width}; expected 4, 6 or 8");
        Refusal::of("size", Code::BadRequest, message)
    })
}

/// The size of any board: even, from 4 to 16.
pub(crate) fn any_size_of(width: u8) -> Result<Size, Refusal> {
    Size::new(width.into()).map_err(|_| {
        let message = format!("size cannot be {width}; expected {ANY_SIZE}");
        Refusal::of("size", Code::BadRequest, message)
    })
}

/// The widths of boards in words.
const ANY_SIZE: &str = "4, 6, 8, 10, 12, 14 or 16";

/// The game of a request, or a refusal that says what is wrong with it. Boards larger than 8×8 are
/// refused: they are not searched.
pub(crate) fn game(
    rule: RuleWord,
    size: Option<u8>,
    start: Option<&str>,
    moves: &Moves,
) -> Result<Game, Refusal> {
    size.map(size_of).transpose()?;
    let game = any_game(rule, size, start, moves)?;
    let found = game.size();
    if !found.has_bits() {
        let message = format!("the board is {found}x{found}; expected at most 8x8");
        return Err(Refusal::of("start", Code::BadPosition, message));
    }
    Ok(game)
}

/// The same on a board of any size.
pub(crate) fn any_game(
    rule: RuleWord,
    size: Option<u8>,
    start: Option<&str>,
    moves: &Moves,
) -> Result<Game, Refusal> {
    let rule = rule.into();
    let size = size.map(any_size_of).transpose()?;
    let position = match start {
        None => Position::start(size.unwrap_or_default()),
        Some(text) => position(text, size)?,
    };
    let mut game = Game::from_position(rule, position);
    for (&mv, number) in moves.0.iter().zip(1..) {
        let played = match mv {
            Move::Place(square) => game.place(square),
            Move::Pass => game.play(Move::Pass),
        };
        played.map_err(|error| {
            Refusal::of("moves", Code::IllegalMove, format!("move {number}: {error}"))
        })?;
    }
    Ok(game)
}

fn position(text: &str, size: Option<Size>) -> Result<Position, Refusal> {
    let refusal = |message: String| Refusal::of("start", Code::BadPosition, message);
    let records = text::read(text.as_bytes(), Some(Format::Board), Defaults::default())
        .map_err(|error| refusal(error.to_string()))?;
    let [record] = &records[..] else {
        return Err(refusal(format!("{} positions; expected one", records.len())));
    };
    let position = record.game.position().clone();
    let found = position.size();
    match size {
        Some(size) if size != found => {
            Err(refusal(format!("the board is {found}x{found}; expected {size}x{size}")))
        }
        _ => Ok(position),
    }
}

/// Defines a request of a game and more: the four fields of the game come first.
macro_rules! game_request {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(Debug, serde::Deserialize, utoipa::ToSchema, utoipa::IntoParams)]
        #[into_params(parameter_in = Query)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct $name {
            /// The rule of the game.
            #[serde(default)]
            pub(crate) rule: crate::wire::RuleWord,
            /// Even, from 4 to 16, and 4, 6 or 8 where positions are searched; that of `start`, or 8,
            /// if missing.
            #[schema(minimum = 4, maximum = 16)]
            #[param(minimum = 4, maximum = 16)]
            pub(crate) size: Option<u8>,
            /// The position the game began with, if not the usual one.
            #[schema(max_length = 400)]
            #[param(max_length = 400)]
            pub(crate) start: Option<String>,
            /// The moves; a forced pass may be left out.
            #[serde(default)]
            #[schema(max_items = 512)]
            #[param(style = Form, explode = false)]
            pub(crate) moves: crate::wire::Moves,
            $($(#[$field_meta])* pub(crate) $field: $type,)*
        }

        impl $name {
            /// The game, or a refusal; on 8×8 at most.
            #[allow(dead_code, reason = "a route needs this or the other")]
            pub(crate) fn game(&self) -> Result<isrever_board::Game, crate::refusal::Refusal> {
                crate::wire::game(self.rule, self.size, self.start.as_deref(), &self.moves)
            }

            /// The game on a board of any size, or a refusal.
            #[allow(dead_code, reason = "a route needs this or the other")]
            pub(crate) fn any_game(&self) -> Result<isrever_board::Game, crate::refusal::Refusal> {
                crate::wire::any_game(self.rule, self.size, self.start.as_deref(), &self.moves)
            }
        }
    };
}
pub(crate) use game_request;

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Moves, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    #[test]
    fn moves_come_as_a_list_or_as_a_text() {
        let list = read(r#"["f5","d6","pass","c3"]"#).unwrap();
        assert_eq!(list.0.len(), 4);
        for text in ["f5,d6,pass,c3", "f5d6,pass,c3", "F5 D6 pass C3", ",f5,,d6,pass,c3,"] {
            assert_eq!(read(&format!("{text:?}")), Ok(list.clone()), "{text}");
        }
        assert_eq!(read("\"\"").unwrap().0, []);
        let large = read(r#"["a10","p16","f5","a1","pass"]"#).unwrap();
        assert_eq!(read(r#""a10p16f5a1,pass""#), Ok(large));
    }

    #[test]
    fn what_is_no_move_is_named() {
        for json in
            [r#""f5d""#, r#""f17""#, r#"["q1"]"#, r#""f05""#, r#"["f5d6"]"#, r#""é5""#, "[1]", "7"]
        {
            let error = read(json).unwrap_err();
            assert!(error.contains("expected"), "{json}: {error}");
        }
        let long = format!("\"{}\"", "a1".repeat(MOST_MOVES + 1));
        assert!(read(&long).unwrap_err().starts_with("too many moves; expected at most 512"));
    }

    #[test]
    fn a_game_is_legal_or_refused() {
        let moves = |text: &str| read(&format!("{text:?}")).unwrap();
        let play = |size, start, text| game(RuleWord::Reversed, size, start, &moves(text));
        assert_eq!(play(Some(6), None, "").unwrap().size(), Size::SIX);
        let large = "-".repeat(99) + "X X";
        for (size, start, text, code, message) in [
            (Some(5), None, "", Code::BadRequest, "size cannot be 5; expected 4, 6 or 8"),
            (None, None, "f5,f5", Code::IllegalMove, "move 2: f5 is occupied; expected"),
            (None, None, "pass", Code::IllegalMove, "move 1: black may not pass"),
            (Some(8), Some("----OX--XO------ X"), "", Code::BadPosition, "the board is 4x4; exp"),
            (None, Some("nonsense"), "", Code::BadPosition, ""),
            (None, Some(&large[..]), "", Code::BadPosition, "the board is 10x10; expected at most"),
            (None, Some("---------------- X"), "", Code::BadPosition, ""),
        ] {
            let refusal = play(size, start, text).unwrap_err();
            assert_eq!(refusal.code, code, "{}", refusal.message);
            assert!(refusal.message.starts_with(message), "{}", refusal.message);
        }
    }

    #[test]
    fn any_board_can_be_played_on_and_small_ones_searched() {
        let moves = |text: &str| read(&format!("{text:?}")).unwrap();
        for size in Size::ALL {
            let width = Some(size.width());
            let any = any_game(RuleWord::Reversed, width, None, &Moves::default()).unwrap();
            assert_eq!(any.size(), size);
            let small = game(RuleWord::Reversed, width, None, &Moves::default());
            assert_eq!(small.is_ok(), size.has_bits(), "{size}");
        }
        let large = any_game(RuleWord::Reversed, Some(16), None, &moves("h7g9h10")).unwrap();
        assert_eq!(large.ply(), 3);
        for (size, text, code) in [
            (Some(18), "", Code::BadRequest),
            (Some(7), "", Code::BadRequest),
            (Some(8), "j10", Code::IllegalMove),
        ] {
            let refused = any_game(RuleWord::Reversed, size, None, &moves(text)).unwrap_err();
            assert_eq!(refused.code, code, "{}", refused.message);
        }
    }
}
