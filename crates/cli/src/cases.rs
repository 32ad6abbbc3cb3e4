//! Shows what the check of an agent found, board by board, wherever it was made.

use crate::draw::{self, Style};
use crate::error::Error;
use crate::messages;
use crate::plain::plain;
use isrever_board::{Color, Marks, Position, Rule, Square};
use isrever_club::{CheckTotal, CheckedCase};
use std::io::Write;

/// How cases are shown.
pub(crate) struct CaseView {
    /// What boards look like.
    pub(crate) style: Style,
    /// What whole games are played for, if that is known.
    pub(crate) rule: Option<Rule>,
    /// Whether only the boards of cases that failed are drawn, and of games in which the time for a
    /// move ran out.
    pub(crate) is_failed_only: bool,
}

impl CaseView {
    /// Shows one case, for people.
    pub(crate) fn show(
        &self,
        number: usize,
        case: &CheckedCase,
        out: &mut dyn Write,
    ) -> Result<(), Error> {
        let verdict = if case.passed { "passed" } else { "FAILED" };
        writeln!(out, "{number:2}. {}: {}: {verdict}", plain(&case.name), plain(&case.about))?;
        let is_game = case.list.is_none();
        if self.is_failed_only && case.passed && !(is_game && case.late) {
            return Ok(());
        }
        let (position, color) = position(case)?;
        draw::board(out, &position, &Marks::default(), self.style)?;
        let (side, disc) = (messages::name(color), self.style.disc(color));
        match (case.list.is_some() || case.forfeit.is_some(), case.expected.as_slice()) {
            (true, []) => writeln!(out, "    {side} {disc}, expected: an empty list")?,
            (true, squares) => {
                writeln!(out, "    {side} {disc} to move, expected: {}", tuples(squares))?;
            }
            (false, _) => {
                let standing = match self.rule {
                    Some(rule) => messages::standing(&position, rule, self.style),
                    None => messages::discs(&position, self.style),
                };
                writeln!(out, "    {standing}")?;
            }
        }
        if let Some(list) = &case.list {
            let found = if list.is_empty() { "an empty list".to_owned() } else { tuples(list) };
            let decision = case.decision.as_ref().map(|name| format!("; decision {}", tuple(name)));
            let (decision, seconds) = (decision.unwrap_or_default(), case.seconds.unwrap_or(0.0));
            writeln!(out, "    found: {found}{decision}, in {seconds:.3} s")?;
        }
        for fault in &case.faults {
            writeln!(out, "    wrong: {}", plain(fault))?;
        }
        for note in &case.notes {
            writeln!(out, "    {}", plain(note))?;
        }
        Ok(writeln!(out)?)
    }
}

/// The board of a case, and the side that the agent moves for.
fn position(case: &CheckedCase) -> Result<(Position, Color), Error> {
    let read = || {
        let color = [Color::Black, Color::White]
            .into_iter()
            .find(|color| color.to_string() == case.color)?;
        let position: Position = format!("{} {}", case.board, color.letter()).parse().ok()?;
        Some((position, color))
    };
    read().ok_or_else(|| {
        let offence = format_args!("{:?} for {:?}; expected a board", case.board, case.color);
        Error::Io(format!("case {}: {offence}", plain(&case.name)))
    })
}

/// Squares as agents write them, with their names.
fn tuples(names: &[String]) -> String {
    names.iter().map(|name| tuple(name)).collect::<Vec<String>>().join(", ")
}

fn tuple(name: &str) -> String {
    match name.parse::<Square>() {
        Ok(square) => format!("({}, {}) = {square}", square.row(), square.column()),
        Err(_) => plain(name).to_string(),
    }
}

/// What all cases come to, for people.
pub(crate) fn say_total(total: &CheckTotal, out: &mut dyn Write) -> Result<(), Error> {
    let CheckTotal { passed, failed, skipped } = total;
    writeln!(out, "{passed} of {} cases passed.", passed + failed + skipped)?;
    if *skipped > 0 {
        writeln!(out, "{skipped} were not tried: the agent could not be started.")?;
    }
    Ok(())
}
