//! The objective of the game: **the one home of the twist.**
//!
//! Both rules have the same moves; only the score of a finished game differs,
//! and it differs here and nowhere else. All other code maximises the score of
//! the side to move. `docs/decisions/0001-scoring.md` gives the reasons.

use std::fmt;
use std::str::FromStr;

/// The objective: which side wins.
///
/// ```
/// use isrever_board::Rule;
///
/// // Two discs against eleven, three squares empty.
/// assert_eq!(Rule::Reversed.score(2, 11, 3), 12);
/// assert_eq!(Rule::Normal.score(2, 11, 3), -12);
/// // Being wiped out is the perfect win.
/// assert_eq!(Rule::Reversed.score(0, 20, 44), 64);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Rule {
    /// Fewest discs wins: Reversed Reversi.
    #[default]
    Reversed,
    /// Most discs wins: Othello.
    Normal,
}

impl Rule {
    /// Both rules.
    pub const ALL: [Rule; 2] = [Rule::Reversed, Rule::Normal];

    /// The score of a finished game for the side that has `own` discs.
    ///
    /// Normal: the difference in discs, empty squares counted for the side
    /// that has more discs. Reversed: the same number negated, so being wiped
    /// out is the perfect win. Positive is won, zero drawn, negative lost.
    #[inline]
    pub const fn score(self, own: u32, opponent: u32, empties: u32) -> i32 {
        let margin = own.cast_signed() - opponent.cast_signed();
        let normal = margin + margin.signum() * empties.cast_signed();
        match self {
            Rule::Reversed => -normal,
            Rule::Normal => normal,
        }
    }

    /// The objective in three words.
    pub const fn objective(self) -> &'static str {
        match self {
            Rule::Reversed => "fewer discs win",
            Rule::Normal => "more discs win",
        }
    }

    /// The byte that stands for this rule in files of weights.
    pub const fn to_byte(self) -> u8 {
        match self {
            Rule::Reversed => 0,
            Rule::Normal => 1,
        }
    }

    /// The rule that a byte of such a file stands for.
    pub const fn from_byte(byte: u8) -> Option<Rule> {
        match byte {
            0 => Some(Rule::Reversed),
            1 => Some(Rule::Normal),
            _ => None,
        }
    }
}

/// Writes `reversed` or `normal`.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::Reversed => "reversed",
            Rule::Normal => "normal",
        })
    }
}

impl FromStr for Rule {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Rule, &'static str> {
        match text {
            "reversed" => Ok(Rule::Reversed),
            "normal" => Ok(Rule::Normal),
            _ => Err("not a rule; expected reversed or normal"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empties_go_to_the_side_with_more_discs() {
        assert_eq!(Rule::Normal.score(53, 10, 1), 44);
        assert_eq!(Rule::Reversed.score(53, 10, 1), -44);
        assert_eq!(Rule::Reversed.score(10, 53, 1), 44);
    }

    #[test]
    fn a_wipe_out_is_the_perfect_win_of_the_wiped_out() {
        assert_eq!(Rule::Reversed.score(0, 13, 51), 64);
        assert_eq!(Rule::Normal.score(13, 0, 51), 64);
        assert_eq!(Rule::Reversed.score(0, 5, 11), 16);
    }

    #[test]
    fn equal_discs_draw_whatever_is_empty() {
        for rule in Rule::ALL {
            assert_eq!(rule.score(32, 32, 0), 0);
            assert_eq!(rule.score(7, 7, 50), 0);
        }
    }

    #[test]
    fn every_rule_has_a_byte_and_no_other_byte_is_a_rule() {
        for rule in Rule::ALL {
            assert_eq!(Rule::from_byte(rule.to_byte()), Some(rule));
        }
        assert_eq!((0..=u8::MAX).filter_map(Rule::from_byte).count(), Rule::ALL.len());
    }

    #[test]
    fn the_score_of_one_side_is_minus_the_other_s() {
        for rule in Rule::ALL {
            for own in 0..=36 {
                for opponent in 0..=36 - own {
                    let empties = 36 - own - opponent;
                    let score = rule.score(own, opponent, empties);
                    assert_eq!(score, -rule.score(opponent, own, empties));
                    assert_eq!(rule.to_string().parse(), Ok(rule));
                }
            }
        }
    }
}
