//! Sentences about a position: the disc counts, who has won, and under which rule.
//!
//! Nothing is decided here: the score of `isrever_board` says who has won. Before the end nobody is
//! ahead: disc counts do not say who will win.

use crate::draw::Style;
use isrever_board::{Color, Game, Move, Position, Rule, Square, result_in_words};

/// What the players play for.
pub(crate) fn objective(rule: Rule) -> &'static str {
    match rule {
        Rule::Reversed => "the player with fewer discs wins",
        Rule::Normal => "the player with more discs wins",
    }
}

/// The discs of both sides, and who has won if the game is over.
pub(crate) fn standing(position: &Position, rule: Rule, style: Style) -> String {
    let (discs, objective) = (discs(position, style), objective(rule));
    if !position.is_over() {
        return format!("{discs}; {objective}.");
    }
    let mut text = format!("Game over: {}. {discs}", result_in_words(position, rule));
    if position.score(rule, Color::Black) != 0 {
        match position.empties() {
            0 => {}
            1 => text += ", and the empty square counts for the side with more",
            empties => {
                text += &format!(", and the {empties} empty squares count for the side with more");
            }
        }
        text += &format!("; {objective}");
    }
    text + "."
}

/// How many discs each side has.
pub(crate) fn discs(position: &Position, style: Style) -> String {
    let count = |color| format!("{} {} {}", name(color), style.disc(color), position.count(color));
    format!("{}, {}", count(Color::Black), count(Color::White))
}

/// Whose turn it is, and what they can do.
pub(crate) fn turn(position: &Position) -> Option<String> {
    if position.is_over() {
        return None;
    }
    let color = name(position.turn());
    Some(if position.must_pass() {
        format!("{color} to move: no legal square, must pass.")
    } else {
        format!("{color} to move: {}.", list(&position.moves()))
    })
}

/// One move of a game: its number, who made it, and what it turned.
pub(crate) fn step(game: &Game, ply: usize) -> String {
    let (before, mv) = (&game.positions()[ply - 1], game.moves()[ply - 1]);
    let color = name(before.turn());
    match mv {
        Move::Pass => format!("Move {ply}: {color} passes, having no legal square."),
        Move::Place(square) => {
            let turned = before.flips(square);
            format!("Move {ply}: {color} plays {square} and turns {}.", list(&turned))
        }
    }
}

/// The colour at the beginning of a sentence.
pub(crate) fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

/// Squares with spaces between.
pub(crate) fn list(squares: &[Square]) -> String {
    squares.iter().map(Square::to_string).collect::<Vec<_>>().join(" ")
}

/// A number of things, one or several: `1 job`, `2,000 jobs`.
pub(crate) fn counted(count: u64, thing: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{} {thing}{ending}", grouped(&count.to_string()))
}

/// Bytes in a unit of their size: `812 B`, `1.4 KiB`, `20.3 MiB`.
pub(crate) fn size(bytes: u64) -> String {
    let mut value = bytes as f64;
    for unit in ["B", "KiB", "MiB", "GiB"] {
        if value < 1024.0 {
            return if unit == "B" { format!("{bytes} B") } else { format!("{value:.1} {unit}") };
        }
        value /= 1024.0;
    }
    format!("{value:.1} TiB")
}

/// A number with a comma before every three digits, for people.
pub(crate) fn grouped(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::{Draft, Size};

    fn said(position: &Position, rule: Rule) -> String {
        standing(position, rule, Style::PLAIN)
    }

    fn position(discs: &str) -> Position {
        let discs = discs.chars().map(Color::from_letter).collect();
        Draft { size: Size::FOUR, discs, turn: Color::Black }.check().unwrap()
    }

    #[test]
    fn sizes_have_one_unit() {
        for (bytes, said) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.0 KiB"),
            (1_500_000, "1.4 MiB"),
            (3 << 40, "3.0 TiB"),
        ] {
            assert_eq!(size(bytes), said);
        }
    }

    #[test]
    fn nobody_is_ahead_before_the_end() {
        let start = position("-OX--OX---------");
        assert_eq!(
            said(&start, Rule::Reversed),
            "Black ● 2, White ○ 2; the player with fewer discs wins."
        );
        let later = start.play("a1".parse().unwrap()).unwrap();
        assert_eq!(
            said(&later, Rule::Reversed),
            "Black ● 4, White ○ 1; the player with fewer discs wins."
        );
        assert_eq!(
            said(&later, Rule::Normal),
            "Black ● 4, White ○ 1; the player with more discs wins."
        );
    }

    #[test]
    fn the_end_says_who_won_and_why() {
        assert_eq!(
            said(&position("XXXX------------"), Rule::Reversed),
            "Game over: White wins by 16. Black ● 4, White ○ 0, and the 12 empty squares count for \
             the side with more; the player with fewer discs wins."
        );
        assert_eq!(
            said(&position("XXXXXXXXXXXOOOOO"), Rule::Normal),
            "Game over: Black wins by 6. Black ● 11, White ○ 5; the player with more discs wins."
        );
        assert_eq!(
            said(&position("XXXXXXXXOOOOOOOO"), Rule::Reversed),
            "Game over: a draw. Black ● 8, White ○ 8."
        );
    }

    #[test]
    fn moves_and_turns_are_told() {
        let mut game = Game::new(Rule::Reversed, Size::EIGHT);
        assert_eq!(turn(game.position()).unwrap(), "Black to move: d3 c4 f5 e6.");
        game.place("f5".parse().unwrap()).unwrap();
        assert_eq!(step(&game, 1), "Move 1: Black plays f5 and turns e5.");
    }

    #[test]
    fn digits_are_grouped_by_three() {
        for (digits, text) in [("0", "0"), ("999", "999"), ("1000", "1,000"), ("123456", "123,456")]
        {
            assert_eq!(grouped(digits), text);
        }
        assert_eq!(grouped(&u64::MAX.to_string()).len(), 26);
    }
}
