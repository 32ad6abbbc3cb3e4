//! OBF, the problem files of Edax: a position per line, and what is known of it.
//!
//! ```text
//! O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38; C7:+36;
//! ```
//!
//! Fields end in `;`. The first is a board and its side, as in
//! [`board`]; behind a bare position its `;` may be missing. Each
//! other field is the score of a legal move for the side to move, or the score
//! of the position without a move before it, within the squares of the board.
//! `%` and `#` begin a comment. The rule is not said.
//!
//! Written are the present position and the scores: squares in capitals,
//! scores with their sign, a pass as `PA`.

use super::board;
use super::error::{WriteError, quote};
use super::moves;
use super::span::{Fault, Span, lines};
use super::{Defaults, Record};
use crate::{Game, Move, Position};

pub(super) fn read(text: &str, defaults: Defaults) -> impl Iterator<Item = Result<Record, Fault>> {
    lines(text).map(move |line| record(line, defaults))
}

fn record(line: Span<'_>, defaults: Defaults) -> Result<Record, Fault> {
    let (squares, mut rest) = line.split_once(';').unwrap_or((line, Span::new("", line.at)));
    let game = Game::from_position(defaults.rule, board::line(squares)?);
    let mut scores = Vec::new();
    while !rest.trim().text.is_empty() {
        let (field, behind) = rest.split_once(';').ok_or_else(|| {
            rest.fault_behind(format!("{} is not ended; expected ;", quote(rest.trim().text)))
        })?;
        scores.push(score(field.trim(), &game)?);
        rest = behind;
    }
    Ok(Record { scores, ..Record::from(game) })
}

/// The score in a field, and the move it is for.
fn score(field: Span<'_>, game: &Game) -> Result<(Option<Move>, i32), Fault> {
    let (mv, number) = match field.split_once(':') {
        None => (None, field),
        Some((name, number)) => {
            let name = name.trim();
            let mv = moves::whole(name, game.size())?;
            game.clone().play(mv).map_err(|error| name.fault(error.to_string()))?;
            (Some(mv), number.trim())
        }
    };
    let limit = limit(game.position());
    let score = number.text.parse().ok().filter(|score| (-limit..=limit).contains(score));
    let score = score.ok_or_else(|| {
        let found = quote(number.text);
        number.fault(format!("unknown score {found}; expected a number from -{limit} to +{limit}"))
    })?;
    Ok((mv, score))
}

/// The best score there is: a board of one colour.
fn limit(position: &Position) -> i32 {
    i32::from(position.size().width()).pow(2)
}

pub(super) fn write(record: &Record, text: &mut String) -> Result<(), WriteError> {
    let position = record.game.position();
    let limit = limit(position);
    text.push_str(&format!("{position};"));
    for (mv, score) in &record.scores {
        let (name, is_legal) = match mv {
            None => (String::new(), true),
            Some(Move::Pass) => ("PA:".to_owned(), position.must_pass()),
            Some(Move::Place(square)) => {
                (format!("{square}:").to_uppercase(), position.play(*square).is_some())
            }
        };
        if !is_legal || !(-limit..=limit).contains(score) {
            let offence = format!(
                "no score {name}{score:+}; expected a legal move and a number from -{limit} to +{limit}"
            );
            return Err(WriteError::whole(offence));
        }
        text.push_str(&format!(" {name}{score:+};"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rule;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    #[test]
    fn scores_are_kept_and_written_back() {
        let text = format!("% two\n{START}; F5:+2; d3 : -64 ;-3;\n\n{START} # bare\n");
        let records: Result<Vec<_>, _> = read(&text, Defaults::default()).collect();
        let records = records.unwrap();
        let square = |name: &str| Some(Move::Place(name.parse().unwrap()));
        assert_eq!(records[0].scores, [(square("f5"), 2), (square("d3"), -64), (None, -3)]);
        assert_eq!(records[0].game, Game::new(Rule::Reversed, crate::Size::EIGHT));
        assert!(records[1].scores.is_empty());
        let mut written = String::new();
        write(&records[0], &mut written).unwrap();
        assert_eq!(written, format!("{START}; F5:+2; D3:-64; -3;"));
    }

    #[test]
    fn scores_that_could_not_be_read_are_not_written() {
        for (mv, score) in [(Some(Move::Pass), 0), (None, 65), (None, i32::MIN)] {
            let game = Game::new(Rule::Normal, crate::Size::EIGHT);
            let record = Record { scores: vec![(mv, score)], ..Record::from(game) };
            assert!(write(&record, &mut String::new()).is_err());
        }
    }
}
