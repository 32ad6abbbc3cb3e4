//! Detects the format of a text from the text alone.
//!
//! A NUL byte near the beginning is WTHOR's header. A parenthesis opens GGF or
//! SGF: `GM` is a number in SGF and a name in GGF, and without it `TY` and `BO`
//! indicate GGF. Otherwise the lines decide: a board with a semicolon is OBF, a
//! board with its side and more is a game with its start, two bitboards are
//! hexadecimal unless they are moves that can be played on a board of the
//! default size, and everything else is moves. Garbage gets a format too, so
//! that the reader of the nearest one can report what is wrong.

use super::bracket::{Lexer, Token};
use super::span::{Span, lines, without_mark};
use super::{Defaults, Format, board, hex, moves};

/// The format that the bytes are most likely in, if what they do not say is as in `defaults`.
pub fn detect(bytes: &[u8], defaults: Defaults) -> Format {
    if bytes.iter().take(16).any(|&byte| byte == 0) {
        return Format::Wthor;
    }
    // Behind the first byte that is no text the reader stops anyway.
    let text = without_mark(bytes).utf8_chunks().next().map_or("", |chunk| chunk.valid());
    tree(text).unwrap_or_else(|| by_lines(text, defaults))
}

/// GGF or SGF, if the text opens like them.
fn tree(text: &str) -> Option<Format> {
    let mut lexer = Lexer::new(text);
    lexer.skip_count();
    if !matches!(lexer.next(), Ok(Some(Token::Open))) {
        return None;
    }
    let mut format = Format::Sgf;
    let mut is_begun = false;
    while let Ok(Some(token)) = lexer.next() {
        let Token::Property(property) = token else {
            // What tells them apart stands in the first node that has anything.
            if is_begun {
                break;
            }
            continue;
        };
        is_begun = true;
        match property.key {
            "GM" => {
                return Some(if is_number(property.first()) { Format::Sgf } else { Format::Ggf });
            }
            "TY" | "BO" => format = Format::Ggf,
            _ => {}
        }
    }
    Some(format)
}

/// Whether a value is digits and nothing else.
fn is_number(value: &str) -> bool {
    let digits = value.trim();
    !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
}

/// One of the formats that come in lines.
fn by_lines(text: &str, defaults: Defaults) -> Format {
    let mut shapes = lines(text).map(|line| (shape(line, defaults), line));
    let Some((first, _)) = shapes.next() else { return Format::Moves };
    if first != Format::Board {
        return first;
    }
    // A bare board fits three formats; a later line may say which.
    let is_telling = |(shape, line): &(Format, Span<'_>)| match shape {
        Format::Obf => true,
        // Without a number it is a row of a grid that went wrong.
        Format::Moves => line.text.contains(|mark: char| mark.is_ascii_digit()),
        _ => false,
    };
    shapes.find(is_telling).map_or(Format::Board, |(shape, _)| shape)
}

/// The format of one line.
fn shape(line: Span<'_>, defaults: Defaults) -> Format {
    let (head, rest) = line.word();
    let is_board = board::is_like(head.text) || board::is_like(line.text);
    if is_board && line.text.contains(';') {
        return Format::Obf;
    }
    if hex::is_like(line) {
        let is_game = moves::game(line, defaults).is_ok();
        return if is_game { Format::Moves } else { Format::Hex };
    }
    // Sixteen squares or more are a whole board; two words behind them are a side and moves.
    if head.text.len() >= 16 && board::is_like(head.text) {
        let (side, moves) = rest.word();
        let has_moves = side.text.chars().count() > 1 || !moves.trim().text.is_empty();
        let is_game = has_moves && !board::is_like(rest.text);
        return if is_game { Format::Moves } else { Format::Board };
    }
    let is_side = line.text.chars().count() == 1 && board::side(line).is_ok();
    if is_board || is_side { Format::Board } else { Format::Moves }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;

    #[test]
    fn formats_are_told_apart() {
        let board = "-----OX--XO-----";
        for (text, expected) in [
            ("", Format::Moves),
            ("f5d6c3", Format::Moves),
            ("% note\n1. f5 2. d6", Format::Moves),
            ("BOARD X b1", Format::Moves),
            ("BOARDX b1", Format::Moves),
            ("BOARD X\nBOARD X b1", Format::Moves),
            ("BOARD X", Format::Board),
            ("BOARD", Format::Board),
            ("BOARDX", Format::Board),
            ("----\n-OX-\n-XO-\n----\nX", Format::Board),
            ("- - - -\n- O X -\n- X O -\n- - - - X", Format::Board),
            ("BOARD X;", Format::Obf),
            ("BOARD X\nBOARD X; B1:+3;", Format::Obf),
            ("0000000810000000 0000001008000000", Format::Hex),
            ("0x810000000 0x1008000000 X", Format::Hex),
            ("f5d6c3d3c4f4c5b3 c2e3d2c6b4b5a5a4", Format::Moves),
            ("f5d6c3d3c4f4c5b3 c2e3d2c6b4b5a5a5", Format::Hex),
            ("(;GM[Othello]", Format::Ggf),
            ("2 (;PB[GM[2]GM[othello];)", Format::Ggf),
            ("(;GM[Chess]TY[8a]B[e4];)", Format::Ggf),
            ("(;FF[4]GM[Chess]", Format::Ggf),
            ("(;FF[4]SZ[8]TY[8a]GM[ 2 ])", Format::Sgf),
            ("(;GM[1])", Format::Sgf),
            ("(;GM[])", Format::Ggf),
            ("(;TY[8a]", Format::Ggf),
            ("(;PB[ann]BO[8 ", Format::Sgf),
            ("(;PB[ann]BO[8 ]", Format::Ggf),
            ("(;;PB[ann];BO[8 ];GM[Othello])", Format::Sgf),
            ("(;PB[ann](;GM[Othello]))", Format::Sgf),
            ("\u{feff} \n(;FF[4]GM[2])", Format::Sgf),
            ("(;C[GM[Othello\\]])", Format::Sgf),
            ("\u{14}\u{1a}\0", Format::Wthor),
        ] {
            let text = text.replace("BOARD", board);
            assert_eq!(detect(text.as_bytes(), Defaults::default()), expected, "{text:?}");
        }
        assert_eq!(detect(b"\xff\xfe", Defaults::default()), Format::Moves);
        assert_eq!(detect(b"(;GM[Othello]\xff", Defaults::default()), Format::Ggf);
    }

    #[test]
    fn moves_that_look_like_bitboards_are_tried_on_the_default_board() {
        let text = b"e4c5b4a5a4e3a6b5 d5b6b3e5f4a3f2f3";
        let sized = |size| detect(text, Defaults { size, ..Defaults::default() });
        assert_eq!(sized(Size::SIX), Format::Moves);
        assert_eq!(sized(Size::EIGHT), Format::Hex);
    }
}
