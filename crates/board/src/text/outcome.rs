//! The result of a game, the tag `RE`, which GGF and SGF write differently.
//!
//! GGF gives black's score and a flag: `-40.00`, `+64.00:r` (resigned), `:t`
//! (out of time), `:s` (agreed), `?` (unknown). SGF names the winner: `W+40`,
//! `B+R`, `B+T`, `0`, `?`. Each reader and writer converts the tag to its own
//! form, and keeps a tag in neither form as it is. Where SGF gives no margin,
//! GGF gets the whole board; SGF cannot hold the flag `s`.
//!
//! A result that follows from the moves is no tag: writers add it when the game
//! is over, and readers drop it again.

use super::Record;
use crate::{Color, Game, Size};

/// `RE` in GGF's form.
pub(super) fn to_ggf(value: &str, size: Size) -> String {
    let (sign, margin) = match value.split_once('+') {
        Some(("B", margin)) => ('+', margin),
        Some(("W", margin)) => ('-', margin),
        _ if value == "Void" => return "?".to_owned(),
        _ if value == "Draw" => return "+0.00".to_owned(),
        _ => return value.to_owned(),
    };
    let whole = size.cells();
    match margin {
        "R" | "Resign" => format!("{sign}{whole}.00:r"),
        "T" | "Time" => format!("{sign}{whole}.00:t"),
        _ => match number(margin) {
            Some(margin) => format!("{sign}{margin:.2}"),
            None => value.to_owned(),
        },
    }
}

/// `RE` in SGF's form, for which the size does not matter.
pub(super) fn to_sgf(value: &str, _: Size) -> String {
    let (score, flag) = value.split_once(':').unwrap_or((value, ""));
    let (winner, margin) = match score.split_at_checked(1) {
        Some(("+", margin)) => ('B', margin),
        Some(("-", margin)) => ('W', margin),
        _ => return value.to_owned(),
    };
    match (number(margin), flag) {
        (None, _) => value.to_owned(),
        (Some(_), "r") => format!("{winner}+R"),
        (Some(_), "t") => format!("{winner}+T"),
        (Some(0.0), _) => "0".to_owned(),
        (Some(margin), _) => format!("{winner}+{margin}"),
    }
}

/// A margin: digits, perhaps a point and more digits.
fn number(text: &str) -> Option<f64> {
    let is_plain = text.bytes().all(|digit| digit.is_ascii_digit() || digit == b'.');
    // A text with more digits is no margin of any board.
    (is_plain && text.len() <= 8).then(|| text.parse().ok()).flatten()
}

/// The result by the moves in GGF's form, once the game is over.
fn of(game: &Game) -> Option<String> {
    game.is_over().then(|| format!("{:+}.00", game.score(Color::Black)))
}

/// The result to write, in GGF's form, if no tag gives it.
pub(super) fn unsaid(record: &Record) -> Option<String> {
    if record.tag("RE").is_some() { None } else { of(&record.game) }
}

/// Converts the tag to the form of the format just read, and drops it if the moves imply it.
pub(super) fn tidy(record: &mut Record, form: impl Fn(&str, Size) -> String) {
    let size = record.game.size();
    let said = of(&record.game).map(|result| form(&result, size));
    for (_, value) in record.tags.iter_mut().filter(|(name, _)| name == "RE") {
        *value = form(value, size);
    }
    record.tags.retain(|(name, value)| name != "RE" || Some(value) != said.as_ref());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_becomes_the_other() {
        for (ggf, sgf) in [
            ("-40.00", "W+40"),
            ("+2.50", "B+2.5"),
            ("+64.00:r", "B+R"),
            ("-64.00:t", "W+T"),
            ("?", "?"),
        ] {
            assert_eq!(to_sgf(ggf, Size::EIGHT), sgf);
            assert_eq!(to_ggf(sgf, Size::EIGHT), ggf);
        }
        assert_eq!(to_sgf("-40.00:r", Size::EIGHT), "W+R");
        assert_eq!(to_sgf("+0.00", Size::EIGHT), "0");
        assert_eq!(to_sgf("+12.00:s", Size::EIGHT), "B+12");
        assert_eq!(to_ggf("Draw", Size::EIGHT), "+0.00");
        assert_eq!(to_ggf("B+Resign", Size::SIX), "+36.00:r");
    }

    #[test]
    fn its_own_form_stays_as_it_is() {
        for value in ["-40.00:r", "+1.000", "?", "0", "", "-", "B+", "W+x", "+-3", "é:", "B++1"] {
            assert_eq!(to_ggf(value, Size::EIGHT), value);
        }
        for value in ["W+40", "B+R", "0", "Draw", "Void", "?", "", "+", "-x:r", "+1e5", "+."] {
            assert_eq!(to_sgf(value, Size::EIGHT), value);
        }
    }
}
