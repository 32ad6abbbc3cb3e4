//! A number with its interval, and two of them side by side.

use isrever_arena::{Counts, Mean};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Something that was found, by us or by a report.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Figure {
    /// A number.
    Number {
        /// The likeliest value.
        value: f64,
        /// How far the 95 % interval reaches to either side, where that is known.
        reach: Option<f64>,
        /// Digits behind the point that are worth showing.
        decimals: usize,
    },
    /// What is no number: an example, a ranking.
    Words(String),
    /// Nothing: the report has no such figure.
    None,
}

impl Figure {
    /// A number that is exact, or of which nobody said how sure it is.
    pub fn exact(value: f64, decimals: usize) -> Figure {
        Figure::with_reach(value, f64::INFINITY, decimals)
    }

    /// A number that is known to ± `reach` in 95 of 100 cases.
    pub fn with_reach(value: f64, reach: f64, decimals: usize) -> Figure {
        // What is infinite cannot be written as JSON, and says as little as nothing.
        match value.is_finite() {
            true => Figure::Number { value, reach: reach.is_finite().then_some(reach), decimals },
            false => Figure::None,
        }
    }

    /// A mean with its interval.
    pub fn mean(mean: &Mean, decimals: usize) -> Figure {
        Figure::with_reach(mean.mean, mean.reach(), decimals)
    }

    /// The share of the points of a match, in per cent, by how its pairs scatter.
    pub fn score(counts: &Counts) -> Figure {
        let (score, [low, high]) = (counts.score(), counts.interval());
        // The interval leans towards the middle; it is shown as wide as its longer side.
        let reach = (score - low).max(high - score);
        Figure::with_reach(100.0 * score, 100.0 * reach, 1)
    }

    /// What is no number.
    pub fn words(text: impl Into<String>) -> Figure {
        Figure::Words(text.into())
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Figure::Number { value, reach: Some(reach), decimals } => {
                write!(f, "{} ± {}", digits(*value, *decimals), digits(*reach, *decimals))
            }
            Figure::Number { value, reach: None, decimals } => {
                f.write_str(&digits(*value, *decimals))
            }
            Figure::Words(text) => f.write_str(text),
            Figure::None => f.write_str("–"),
        }
    }
}

/// A number for people: so many digits behind the point, thousands apart, a real minus.
pub(crate) fn digits(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, rest) = text.split_once('.').map_or((text.as_str(), ""), |parts| parts);
    let mut out = String::new();
    // What is rounded to nothing has no sign.
    if value < 0.0 && text.contains(|digit: char| ('1'..='9').contains(&digit)) {
        out.push('−');
    }
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if !rest.is_empty() {
        out.push('.');
        out.push_str(rest);
    }
    out
}

/// Whether two figures say the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// They do, as far as noise lets one tell.
    Agrees,
    /// They differ by more than noise explains.
    Differs,
    /// There is nothing to compare, or no telling how sure the figures are.
    Open,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Agrees => "agrees",
            Verdict::Differs => "differs",
            Verdict::Open => "",
        })
    }
}

/// Our figure beside the report's.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Comparison {
    /// What it is a figure of.
    pub what: String,
    /// What the report says.
    pub report: Figure,
    /// What we found.
    pub ours: Figure,
    /// Whether that is the same.
    pub verdict: Verdict,
}

impl Comparison {
    /// Two figures, compared by their intervals; where one has none, by the other's alone.
    pub fn new(what: impl Into<String>, report: Figure, ours: Figure) -> Comparison {
        let verdict = match (&report, &ours) {
            (
                Figure::Number { value: theirs, reach: one, .. },
                Figure::Number { value, reach: other, .. },
            ) if one.is_some() || other.is_some() => {
                let reach = one.unwrap_or(0.0).hypot(other.unwrap_or(0.0));
                if (value - theirs).abs() <= reach { Verdict::Agrees } else { Verdict::Differs }
            }
            (Figure::Words(theirs), Figure::Words(ours)) if theirs == ours => Verdict::Agrees,
            _ => Verdict::Open,
        };
        Comparison { what: what.into(), report, ours, verdict }
    }

    /// A figure that no report has.
    pub fn ours(what: impl Into<String>, ours: Figure) -> Comparison {
        Comparison::new(what, Figure::None, ours)
    }

    /// Two numbers without noise, which agree if they look the same.
    pub fn counted(what: impl Into<String>, report: f64, ours: f64, decimals: usize) -> Comparison {
        let [report, ours] = [report, ours].map(|value| Figure::exact(value, decimals));
        let is_same = report.to_string() == ours.to_string();
        let verdict = if is_same { Verdict::Agrees } else { Verdict::Differs };
        Comparison { what: what.into(), report, ours, verdict }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_well() {
        for (figure, text) in [
            (Figure::exact(26_046.629_1, 1), "26,046.6"),
            (Figure::with_reach(-0.25, 0.125, 2), "−0.25 ± 0.12"),
            (Figure::with_reach(-0.001, f64::INFINITY, 2), "0.00"),
            (Figure::exact(1_234_567.0, 0), "1,234,567"),
            (Figure::words("found"), "found"),
            (Figure::None, "–"),
            (Figure::exact(f64::NAN, 2), "–"),
        ] {
            assert_eq!(figure.to_string(), text);
        }
    }

    #[test]
    fn figures_are_compared_by_both_intervals() {
        let ours = || Figure::with_reach(10.0, 0.3, 2);
        let verdict = |report, ours| Comparison::new("it", report, ours).verdict;
        assert_eq!(verdict(Figure::exact(10.2, 1), ours()), Verdict::Agrees);
        assert_eq!(verdict(Figure::exact(10.4, 1), ours()), Verdict::Differs);
        assert_eq!(verdict(Figure::with_reach(10.4, 0.4, 1), ours()), Verdict::Agrees);
        assert_eq!(verdict(Figure::exact(1.0, 1), Figure::exact(2.0, 1)), Verdict::Open);
        assert_eq!(verdict(Figure::None, ours()), Verdict::Open);
        assert_eq!(verdict(Figure::words("yes"), Figure::words("yes")), Verdict::Agrees);
        let counted = |ours| Comparison::counted("it", 33.3, ours, 1).verdict;
        assert_eq!((counted(100.0 / 3.0), counted(33.4)), (Verdict::Agrees, Verdict::Differs));
    }

    #[test]
    fn figures_survive_json() {
        for figure in [ours(), Figure::words("x"), Figure::None, Figure::exact(0.1, 3)] {
            let text = serde_json::to_string(&figure).unwrap();
            assert_eq!(serde_json::from_str::<Figure>(&text).unwrap(), figure, "{text}");
        }
    }

    fn ours() -> Figure {
        let counts =
            Counts { wins: 110, draws: 20, losses: 70, pairs: [10, 20, 20, 20, 30], discs: 0 };
        Figure::score(&counts)
    }
}
