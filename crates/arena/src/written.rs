//! A finished game in plain data, as stores keep it and other machines send it.

use crate::game::{End, MoveStats, Played};
use isrever_agent::{Forfeit, Reason};
use isrever_board::text::{self, Defaults, write_moves};
use isrever_board::{Color, Game, Rule, Size};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What is kept of a move: microseconds, value, depth, nodes.
pub(crate) type Noted = (Option<u64>, Option<f64>, Option<u32>, Option<u64>);

/// A finished game in plain data. Games that an adjudicator decided are not written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Written {
    /// What was played for.
    pub(crate) rule: String,
    /// How many of the moves are the opening's.
    pub(crate) opening: usize,
    /// A transcript with all passes.
    pub(crate) moves: String,
    /// What each move cost.
    pub(crate) thoughts: Vec<Noted>,
    /// `over`, or why somebody forfeited.
    pub(crate) reason: String,
    /// Who, if somebody did.
    pub(crate) forfeiter: Option<String>,
    /// The details of a forfeit.
    pub(crate) details: Option<String>,
}

impl From<Played> for Written {
    fn from(played: Played) -> Written {
        Written::from(&played)
    }
}

impl From<&Played> for Written {
    fn from(played: &Played) -> Written {
        let noted = |stats: &MoveStats| {
            let micros = stats.time.map(|time| u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
            (micros, stats.value, stats.depth, stats.nodes)
        };
        let is_adjudicated = matches!(played.end, End::Adjudicated { .. });
        assert!(!is_adjudicated, "tournaments play every game out");
        let forfeit = played.forfeit();
        Written {
            rule: played.game.rule().to_string(),
            opening: played.opening,
            moves: write_moves(&played.game, true),
            thoughts: played.stats.iter().map(noted).collect(),
            reason: forfeit.map_or("over", |(_, forfeit)| forfeit.reason.word()).to_owned(),
            forfeiter: forfeit.map(|(color, _)| color.to_string()),
            details: forfeit.map(|(_, forfeit)| forfeit.details.clone()),
        }
    }
}

impl TryFrom<Written> for Played {
    type Error = String;

    fn try_from(written: Written) -> Result<Played, String> {
        let rule = written.rule.parse()?;
        let game = transcript(&written.moves, rule).map_err(|error| format!("moves: {error}"))?;
        if written.thoughts.len() != game.ply() || written.opening > game.ply() {
            return Err("it lacks the statistics of some moves".to_owned());
        }
        let of_move = |(micros, value, depth, nodes): Noted| MoveStats {
            time: micros.map(Duration::from_micros),
            value,
            depth,
            nodes,
        };
        let forfeit = forfeit(&written.reason, written.forfeiter.as_deref(), written.details)?;
        let end = forfeit.map_or(End::Over, |(color, forfeit)| End::Forfeit { color, forfeit });
        let stats = written.thoughts.into_iter().map(of_move).collect();
        Ok(Played { game, opening: written.opening, stats, end })
    }
}

/// Who forfeited and how, by what is kept of it.
pub(crate) fn forfeit(
    reason: &str,
    forfeiter: Option<&str>,
    details: Option<String>,
) -> Result<Option<(Color, Forfeit)>, String> {
    let color = match forfeiter {
        None if reason == "over" => return Ok(None),
        Some("black") => Color::Black,
        Some("white") => Color::White,
        _ => return Err(format!("nobody forfeited by {reason:?}")),
    };
    let reason = Reason::from_word(reason).ok_or_else(|| format!("unknown reason {reason:?}"))?;
    Ok(Some((color, Forfeit::new(reason, details.unwrap_or_default()))))
}

/// The game of a line that [`write_moves`] wrote.
pub fn transcript(line: &str, rule: Rule) -> Result<Game, text::ReadError> {
    let defaults = Defaults { rule, size: Size::EIGHT };
    let mut records = text::read(line.as_bytes(), Some(text::Format::Moves), defaults)?;
    Ok(records.swap_remove(0).game)
}
