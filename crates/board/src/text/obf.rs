//! OBF, the problem files of Edax: a position per line, with its known scores.
//!
//! ```text
//! O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38; C7:+36;
//! ```
//!
//! Fields end in `;`. The first is a board and its side, as in
//! [`board`]; after a bare position its `;` may be missing. Each other field is
//! the score of a legal move for the side to move, or, without a move, the score
//! of the position; no score exceeds the squares of the board. `%` and `#` begin
//! a comment. Edax cannot name the rule of the scores; here a comment that is
//! exactly `% rule: normal`, `% rule: reversed` or `% rule: unknown` names it
//! for all lines below.
//!
//! The writer writes the present position and the scores: squares in capitals,
//! scores with their sign, a pass as `PA`; before them the rule of the scores,
//! if it is known and not named already.

use super::board;
use super::error::{WriteError, quote};
use super::moves;
use super::span::{Fault, Span, commented_lines};
use super::{Defaults, Record};
use crate::{Game, Move, Position, Rule};

/// What a comment says that says the rule of the scores.
const RULE: &str = "rule:";

/// The rule's name when it is not known.
const UNKNOWN: &str = "unknown";

pub(super) fn read(text: &str, defaults: Defaults) -> impl Iterator<Item = Result<Record, Fault>> {
    let mut scores_rule = None;
    commented_lines(text).filter_map(move |(line, comment)| {
        if !line.text.is_empty() {
            return Some(record(line, scores_rule, defaults));
        }
        match rule(comment) {
            Ok(None) => {}
            Ok(Some(said)) => scores_rule = said,
            Err(fault) => return Some(Err(fault)),
        }
        None
    })
}

/// The rule that a comment says, if it says one at all.
///
/// Only `rule:` and one word do. More words are prose; another word is a slip, and to overlook it
/// would compare scores that are not comparable.
fn rule(comment: Span<'_>) -> Result<Option<Option<Rule>>, Fault> {
    let (head, rest) = comment.word();
    let (name, more) = rest.word();
    let is_said = head.text.eq_ignore_ascii_case(RULE) && more.trim().text.is_empty();
    if !is_said || name.text.is_empty() {
        return Ok(None);
    }
    if name.text == UNKNOWN {
        return Ok(Some(None));
    }
    let rule = name.text.parse().map_err(|_| {
        let found = quote(name.text);
        name.fault(format!("unknown rule {found}; expected reversed, normal or {UNKNOWN}"))
    })?;
    Ok(Some(Some(rule)))
}

fn record(line: Span<'_>, scores_rule: Option<Rule>, defaults: Defaults) -> Result<Record, Fault> {
    let (squares, mut rest) = line.split_once(';').unwrap_or((line, Span::new("", line.at)));
    let rule = scores_rule.unwrap_or(defaults.rule);
    let game = Game::from_position(rule, board::line(squares)?);
    let mut scores = Vec::new();
    while !rest.trim().text.is_empty() {
        let (field, behind) = rest.split_once(';').ok_or_else(|| {
            rest.fault_behind(format!("{} is not ended; expected ;", quote(rest.trim().text)))
        })?;
        scores.push(score(field.trim(), &game)?);
        rest = behind;
    }
    Ok(Record { scores, scores_rule, ..Record::from(game) })
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

/// Says the rule of the scores below.
pub(super) fn write_rule(rule: Option<Rule>, text: &mut String) {
    let name = rule.map_or(UNKNOWN.to_owned(), |rule| rule.to_string());
    text.push_str(&format!("% {RULE} {name}\n"));
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
    use crate::text;

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
    fn the_rule_of_the_scores_is_said_for_all_lines_below() {
        let text = format!(
            "{START}; +1;\n%  Rule:   normal\n{START}; +2; % rule: reversed\n\
             % rule: normal, of course\n% rule:\n{START}; +3;\n# rule: unknown\n{START}; +4;\n"
        );
        let records = text::read(text.as_bytes(), None, Defaults::default()).unwrap();
        let rules = records.iter().map(|record| record.scores_rule);
        let normal = Some(Rule::Normal);
        assert_eq!(rules.collect::<Vec<_>>(), [None, normal, normal, None]);
        let rules = records.iter().map(|record| record.game.rule());
        let (normal, reversed) = (Rule::Normal, Rule::Reversed);
        assert_eq!(rules.collect::<Vec<_>>(), [reversed, normal, normal, reversed]);
        let written = text::write(&records, text::Format::Obf).unwrap();
        let expected = format!(
            "{START}; +1;\n% rule: normal\n{START}; +2;\n{START}; +3;\n\
             % rule: unknown\n{START}; +4;\n"
        );
        assert_eq!(String::from_utf8(written).unwrap(), expected);
        let error = text::read(b"\n % rule: nromal", Some(text::Format::Obf), Defaults::default());
        let line = "line 2, column 10: unknown rule \"nromal\"; \
                    expected reversed, normal or unknown";
        assert_eq!(error.unwrap_err().to_string(), line);
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
