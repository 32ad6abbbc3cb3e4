//! The battle platform: people, submissions, battles, games against people, the ladder, finals, administration.

pub(crate) mod administration;
pub(crate) mod battles;
pub(crate) mod casual;
pub(crate) mod finals;
pub(crate) mod ladder;
pub(crate) mod people;
pub(crate) mod versions;

use crate::wire::RuleWord;
use isrever_arena::Rating;
use isrever_board::Size;
use isrever_club::Terms;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What games are played, and within which limits.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TermsBody {
    rule: RuleWord,
    /// The width of the board.
    #[schema(minimum = 4, maximum = 16)]
    size: u8,
    /// Milliseconds for a move.
    move_ms: u64,
    /// Milliseconds for all moves of a side.
    game_ms: u64,
    /// The most memory of an agent, in MiB.
    memory_mib: u64,
}

impl From<&Terms> for TermsBody {
    fn from(terms: &Terms) -> TermsBody {
        let Terms { rule, size, move_ms, game_ms, memory_mib } = *terms;
        TermsBody { rule: rule.into(), size: size.width(), move_ms, game_ms, memory_mib }
    }
}

impl TermsBody {
    fn terms(&self) -> Option<Terms> {
        let size = Size::new(self.size.into()).ok()?;
        let TermsBody { rule, move_ms, game_ms, memory_mib, .. } = self.clone();
        Some(Terms { rule: rule.into(), size, move_ms, game_ms, memory_mib })
    }
}

/// How strong somebody is.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct RatingBody {
    /// On the scale of Elo; the mean of all is 0.
    elo: f64,
    /// The lower end of the 95 % interval; null if there is none.
    low: Option<f64>,
    /// The upper end; null if there is none.
    high: Option<f64>,
}

impl From<Rating> for RatingBody {
    fn from(rating: Rating) -> RatingBody {
        let end = |elo: f64| Some(elo).filter(|elo| elo.is_finite());
        RatingBody { elo: rating.elo, low: end(rating.low), high: end(rating.high) }
    }
}
