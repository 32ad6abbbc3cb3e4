//! A position as two bitboards in hexadecimal.
//!
//! One position per line: the discs of the side to move, the discs of the
//! other side, then, if need be, the letter of the side to move (black unless
//! said) and the width of the board (8 unless said). The highest bit is `a1`,
//! the next `b1`, the lowest `h8`; a 4×4 or 6×6 board lies in the `a1` corner of
//! the 8×8 one. Each number has 1 to 16 digits in either case, after `0x` or
//! not. `%` and `#` begin a comment. The format does not name the rule.
//!
//! The writer writes 16 lower-case digits for each, the letter, and the width if
//! it is not 8: `0000000810000000 0000001008000000 X`. Larger boards do not fit.

use super::board;
use super::error::{WriteError, quote};
use super::span::{Fault, Span, lines};
use super::{Defaults, Record};
use crate::{Board, Color, Game, Position, Size, squares};

pub(super) fn read(text: &str, defaults: Defaults) -> impl Iterator<Item = Result<Record, Fault>> {
    lines(text).map(move |line| Ok(Game::from_position(defaults.rule, position(line)?).into()))
}

fn position(line: Span<'_>) -> Result<Position, Fault> {
    let (player, rest) = line.word();
    let (opponent, rest) = rest.word();
    let board = Board { player: bits(player)?, opponent: bits(opponent)? };
    let (mut word, mut rest) = rest.word();
    let mut turn = Color::Black;
    if !word.text.is_empty() && !word.text.starts_with(|mark: char| mark.is_ascii_digit()) {
        turn = board::side(word)?;
        (word, rest) = rest.word();
    }
    let size = match word.text {
        "" | "8" => Size::EIGHT,
        "6" => Size::SIX,
        "4" => Size::FOUR,
        _ => {
            let found = quote(word.text);
            return Err(word.fault(format!("unknown width {found}; expected 4, 6 or 8")));
        }
    };
    let more = rest.trim();
    if !more.text.is_empty() {
        return Err(more.fault(format!("{} follows; expected the end", quote(more.text))));
    }
    if let Some(square) = squares(board.player & board.opponent).next() {
        return Err(opponent.fault(format!("two discs on {square}; expected one")));
    }
    if let Some(square) = squares((board.player | board.opponent) & !size.mask()).next() {
        let offence = format!("a disc on {square}; expected none outside the {size}x{size} board");
        return Err(line.fault(offence));
    }
    Position::from_board(board, size, turn).map_err(|error| line.fault(error.to_string()))
}

/// The number's bits, reversed so that `a1` is the lowest.
fn bits(word: Span<'_>) -> Result<u64, Fault> {
    let digits = digits(word.text);
    // Checks the digits one by one: the standard library would accept a sign.
    let is_number = (1..=16).contains(&digits.len()) && is_hex(digits);
    let number = is_number.then(|| u64::from_str_radix(digits, 16).ok()).flatten();
    number.map(u64::reverse_bits).ok_or_else(|| {
        let found = match word.text {
            "" => "no second bitboard".to_owned(),
            text => format!("unknown bitboard {}", quote(text)),
        };
        word.fault(format!("{found}; expected 1 to 16 hexadecimal digits"))
    })
}

fn digits(word: &str) -> &str {
    word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")).unwrap_or(word)
}

fn is_hex(digits: &str) -> bool {
    digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// Whether a line is meant as two bitboards: two numbers of 16 digits, or any after `0x`.
pub(super) fn is_like(line: Span<'_>) -> bool {
    let (player, rest) = line.word();
    let (opponent, _) = rest.word();
    [player.text, opponent.text].into_iter().all(|word| {
        let digits = digits(word);
        is_hex(digits) && (digits.len() == 16 || !digits.is_empty() && digits.len() < word.len())
    })
}

pub(super) fn write(record: &Record, text: &mut String) -> Result<(), WriteError> {
    let position = record.game.position();
    let size = position.size();
    let Some(Board { player, opponent }) = position.board() else {
        let offence = format!("a {size}x{size} board has no bitboards; expected 8x8 at most");
        return Err(WriteError::whole(offence));
    };
    let (player, opponent) = (player.reverse_bits(), opponent.reverse_bits());
    text.push_str(&format!("{player:016x} {opponent:016x} {}", position.turn().letter()));
    if size != Size::EIGHT {
        text.push_str(&format!(" {size}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_one(text: &str) -> Position {
        let record = read(text, Defaults::default()).next().unwrap().unwrap();
        record.game.position().clone()
    }

    #[test]
    fn a1_is_the_highest_bit() {
        let position = read_one("8000000000000000 1");
        assert_eq!(position.disc("a1".parse().unwrap()), Some(Color::Black));
        assert_eq!(position.disc("h8".parse().unwrap()), Some(Color::White));
        let position = read_one("0X1 0x8000000000000000 w");
        assert_eq!(position.disc("h8".parse().unwrap()), Some(Color::White));
    }

    #[test]
    fn the_start_is_written_in_every_size() {
        for (size, text) in [
            (Size::EIGHT, "0000000810000000 0000001008000000 X"),
            (Size::SIX, "0000102000000000 0000201000000000 X 6"),
            (Size::FOUR, "0020400000000000 0040200000000000 X 4"),
        ] {
            let record = Record::from(Game::new(crate::Rule::Reversed, size));
            let mut written = String::new();
            write(&record, &mut written).unwrap();
            assert_eq!(written, text);
            assert_eq!(read_one(text), Position::start(size));
        }
    }
}
