//! The sequential test: two players play until it is clear which hypothesis holds (SPRT).
//!
//! Two claims about the strength of the first player are weighed against each
//! other, `elo0` and `elo1`, by the points of pairs of games. Pairs are
//! independent, games of a pair are not; how much they scatter is estimated
//! from the pairs themselves. The log-likelihood ratio then is that of the
//! likeliest distributions of a pair's points that have the one mean and the
//! other (the generalised test), and the test ends when it leaves the bounds
//! that Wald's errors give.
//!
//! Source: A. Wald, *Sequential Analysis*, 1947; the likeliest distribution with
//! a given mean is that of A. Owen, *Empirical Likelihood*, 2001, section 2.

use crate::counts::expected_score;
use serde::{Deserialize, Serialize};

/// How many pairs count as seen of what was never seen: without them a first pair would decide.
const UNSEEN: f64 = 1e-3;

/// What is claimed, and how sure one wants to be.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Sprt {
    /// The first player is no stronger than this.
    pub elo0: f64,
    /// It is at least so strong.
    pub elo1: f64,
    /// How often the second claim may be accepted though the first is true.
    pub alpha: f64,
    /// How often the first may be, though the second is true.
    pub beta: f64,
}

impl Default for Sprt {
    /// Is it 10 Elo better, with errors of 5 %?
    fn default() -> Sprt {
        Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 }
    }
}

/// What a test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Not clear yet.
    Open,
    /// The first claim stands: no stronger than `elo0`.
    Refused,
    /// The second stands: at least `elo1` stronger.
    Accepted,
}

impl Sprt {
    /// What is wrong with the numbers, if anything.
    pub fn check(&self) -> Result<(), String> {
        let Sprt { elo0, elo1, alpha, beta } = *self;
        if !(elo0 < elo1 && elo0.abs() <= 1000.0 && elo1.abs() <= 1000.0) {
            let range = "expected elo0 below elo1, both from -1000 to 1000";
            return Err(format!("elo0 is {elo0} and elo1 {elo1}; {range}"));
        }
        for (name, error) in [("alpha", alpha), ("beta", beta)] {
            if !(error > 0.0 && error < 0.5) {
                return Err(format!("{name} is {error}; expected more than 0 and less than 0.5"));
            }
        }
        Ok(())
    }

    /// Below the one the first claim is accepted, above the other the second.
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// How much likelier the pairs are under the second claim than under the first, as a natural
    /// logarithm. The pairs are counted by the first player's points: 0, ½, 1, 1½ and 2.
    pub fn ratio(&self, pairs: [u64; 5]) -> f64 {
        if pairs.iter().sum::<u64>() == 0 {
            return 0.0;
        }
        let counts = pairs.map(|count| (count as f64).max(UNSEEN));
        let all: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / all);
        let [mean0, mean1] = [self.elo0, self.elo1].map(expected_score);
        let [tilt0, tilt1] = [mean0, mean1].map(|mean| tilt(shares, mean));
        let one_pair: f64 = (0..5)
            .map(|place| {
                let [under0, under1] = [(mean0, tilt0), (mean1, tilt1)]
                    .map(|(mean, tilt)| 1.0 + tilt * (points(place) - mean));
                shares[place] * (under0 / under1).ln()
            })
            .sum();
        all * one_pair
    }

    /// What the pairs say.
    pub fn verdict(&self, pairs: [u64; 5]) -> Verdict {
        let (ratio, [low, high]) = (self.ratio(pairs), self.bounds());
        match ratio {
            _ if ratio <= low => Verdict::Refused,
            _ if ratio >= high => Verdict::Accepted,
            _ => Verdict::Open,
        }
    }
}

/// The points of a pair as a share.
fn points(place: usize) -> f64 {
    place as f64 / 4.0
}

/// The likeliest distribution with this mean gives each result its share divided by
/// 1 + tilt · (points − mean). The tilt makes it add up, and is found by halving: the sum falls
/// with it.
fn tilt(shares: [f64; 5], mean: f64) -> f64 {
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    let sum = |tilt: f64| -> f64 {
        (0..5)
            .map(|place| (place, points(place) - mean))
            .map(|(place, lead)| shares[place] * lead / (1.0 + tilt * lead))
            .sum()
    };
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if sum(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_agent::Rng;

    fn test(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, ..Sprt::default() }
    }

    #[test]
    fn published_ratios_are_found() {
        // Tests of Stockfish in 2020 and 2021, whose claims were logistic Elo, as fishtest printed
        // them (pull requests 3209, 2493, 3098 and 3331).
        for (elo0, elo1, pairs, ratio) in [
            (-0.25, 1.25, [253, 4282, 17604, 4431, 286], 2.94),
            (0.25, 1.25, [58, 3302, 33130, 3518, 84], 2.97),
            (-1.0, 3.0, [424, 2948, 5832, 3045, 460], 2.94),
            (0.0, 2.0, [1284, 17437, 55536, 18085, 1292], 2.94),
            (-0.25, 1.25, [491, 7345, 29693, 7670, 465], 2.96),
            (0.25, 1.25, [14, 1030, 14318, 1163, 19], 2.93),
        ] {
            let found = test(elo0, elo1).ratio(pairs);
            assert!((found - ratio).abs() < 0.0051, "{pairs:?}: {found} is not {ratio}");
        }
    }

    #[test]
    fn bounds_are_wald_s() {
        let [low, high] = Sprt::default().bounds();
        assert!((low + 2.944_438_98).abs() < 1e-8 && (high - 2.944_438_98).abs() < 1e-8);
        assert_eq!(Sprt::default().verdict([300, 60, 0, 30, 90]), Verdict::Refused);
        assert_eq!(Sprt::default().verdict([1_000, 0, 0, 0, 3_000]), Verdict::Accepted);
        assert_eq!(Sprt::default().verdict([0; 5]), Verdict::Open);
        assert_eq!(Sprt::default().verdict([0, 0, 0, 0, 1]), Verdict::Open);
    }

    #[test]
    fn turning_both_turns_the_ratio() {
        let pairs = [3, 20, 31, 24, 9];
        let turned = [9, 24, 31, 20, 3];
        let (ratio, opposite) = (test(-5.0, 15.0).ratio(pairs), test(-15.0, 5.0).ratio(turned));
        assert!((ratio + opposite).abs() < 1e-9, "{ratio} {opposite}");
    }

    /// How many of 400 tests between players of this strength accept the second claim; the points
    /// of a pair are drawn from games that share their luck.
    fn accepted(sprt: &Sprt, elo: f64, seed: u64) -> u32 {
        let score = expected_score(elo);
        let mut accepted = 0;
        for number in 0..400 {
            let mut rng = Rng::game(seed, number);
            let mut pairs = [0; 5];
            loop {
                // Three games in ten are draws, and half of the openings are lopsided: there the
                // second game of a pair undoes the first.
                let mut game = |score: f64| match rng.unit() {
                    draw if draw < 0.3 => 1,
                    luck => 2 * usize::from((luck - 0.3) / 0.7 < (score - 0.15) / 0.7),
                };
                let tilt = if game(0.5) == 1 { 0.2 } else { 0.0 };
                pairs[game(score + tilt) + game(score - tilt)] += 1;
                match sprt.verdict(pairs) {
                    Verdict::Open => {}
                    verdict => {
                        accepted += u32::from(verdict == Verdict::Accepted);
                        break;
                    }
                }
            }
        }
        accepted
    }

    #[test]
    fn errors_are_as_rare_as_promised() {
        // 5 % of 400 are 20, with a deviation of 4.4.
        let sprt = Sprt { elo0: 0.0, elo1: 40.0, ..Sprt::default() };
        let (wrong, right) = (accepted(&sprt, 0.0, 1), accepted(&sprt, 40.0, 2));
        assert!(wrong <= 33, "{wrong}");
        assert!(right >= 367, "{right}");
        // Between the claims either may be accepted.
        let open = accepted(&sprt, 20.0, 3);
        assert!((120..280).contains(&open), "{open}");
    }

    #[test]
    fn claims_that_make_no_sense_are_named() {
        assert_eq!(Sprt::default().check(), Ok(()));
        let message = test(10.0, 0.0).check().unwrap_err();
        assert!(message.starts_with("elo0 is 10 and elo1 0; expected elo0 below"), "{message}");
        let message = Sprt { alpha: 0.7, ..Sprt::default() }.check().unwrap_err();
        assert_eq!(message, "alpha is 0.7; expected more than 0 and less than 0.5");
        assert!(test(f64::NAN, 5.0).check().is_err());
    }
}
