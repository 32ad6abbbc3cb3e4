//! The counts of a match, and the Elo difference that follows from them.
//!
//! Two games of a pair share an opening, so they are not independent; pairs
//! are. How sure a result is follows from how the points of pairs scatter.

use crate::normal;
use serde::{Deserialize, Serialize};
use std::iter::Sum;
use std::ops::Add;

/// The version of how games are drawn, counted and rated. A change after which equal agents and seeds
/// give other figures raises it: pages of experiments rest on it.
pub const COUNTING: u32 = 2;

/// What happened in a match, seen by the first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Games that it won.
    pub wins: u64,
    /// Games that nobody won.
    pub draws: u64,
    /// Games that it lost.
    pub losses: u64,
    /// Pairs of games in which it made 0, ½, 1, 1½ and 2 points.
    pub pairs: [u64; 5],
    /// By how many discs it won, all games together.
    pub discs: i64,
}

impl Counts {
    /// One pair, by the scores of its games.
    pub fn of_pair(scores: [i32; 2]) -> Counts {
        let count = |sign: i32| scores.iter().filter(|score| score.signum() == sign).count() as u64;
        let (wins, draws, losses) = (count(1), count(0), count(-1));
        let mut pairs = [0; 5];
        pairs[(2 * wins + draws) as usize] = 1;
        let discs = scores.iter().map(|&score| i64::from(score)).sum();
        Counts { wins, draws, losses, pairs, discs }
    }

    /// One game whose pair is not complete, by its score: it tells who is ahead, not how sure
    /// that is.
    pub fn of_game(score: i32) -> Counts {
        let is = |sign: i32| u64::from(score.signum() == sign);
        let (wins, draws, losses) = (is(1), is(0), is(-1));
        Counts { wins, draws, losses, pairs: [0; 5], discs: score.into() }
    }

    /// The same match, seen by the second player.
    #[must_use]
    pub fn turned(self) -> Counts {
        let [a, b, c, d, e] = self.pairs;
        Counts {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
            pairs: [e, d, c, b, a],
            discs: -self.discs,
        }
    }

    /// The sum of utilities: 1 for a game won, −1 for one lost.
    pub fn utility(&self) -> i64 {
        self.wins.cast_signed() - self.losses.cast_signed()
    }

    /// How many games were played.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The share of the points that the first player made, from 0 to 1; half of them if there
    /// were no games.
    pub fn score(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (self.wins as f64 + 0.5 * self.draws as f64) / games as f64,
        }
    }

    /// By how many discs the first player won, per game.
    pub fn mean_discs(&self) -> f64 {
        self.discs as f64 / self.games().max(1) as f64
    }

    /// The standard error of the score, by how the pairs scatter; `None` if there are fewer than
    /// two, which say nothing about it.
    pub fn score_error(&self) -> Option<f64> {
        let pairs: u64 = self.pairs.iter().sum();
        if pairs < 2 {
            return None;
        }
        let points = |place: usize| place as f64 / 4.0;
        let squares = self
            .pairs
            .iter()
            .enumerate()
            .map(|(place, &count)| count as f64 * (points(place) - self.score()).powi(2));
        Some((squares.sum::<f64>() / (pairs - 1) as f64 / pairs as f64).sqrt())
    }

    /// The 95 % interval of the first player's share of the points, by how pairs scatter.
    ///
    /// As Agresti and Coull do for single games, two units are added that went one way and the
    /// other: it holds what it promises near 0 and 1 too, and for few pairs.
    pub fn interval(&self) -> [f64; 2] {
        let centre = (*self + ONE_EACH).score();
        let reach = normal::QUANTILE_95 * self.share_error();
        [(centre - reach).max(0.0), (centre + reach).min(1.0)]
    }

    /// The standard error of the first player's share, the same two units added.
    pub fn share_error(&self) -> f64 {
        (*self + ONE_EACH).score_error().expect("there are two pairs")
    }

    /// The difference in strength that goes with the score, with its 95 % interval.
    pub fn elo(&self) -> Elo {
        let [low, high] = self.interval();
        let pairs: u64 = self.pairs.iter().sum();
        if pairs < 2 {
            let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
            return Elo { difference: elo(self.score()), low, high };
        }
        Elo { difference: elo(self.score()), low: elo(low), high: elo(high) }
    }

    /// How likely it is that the first player is the better one, from 0 to 1; never quite sure,
    /// as a pair won and a pair lost are added here too.
    pub fn superiority(&self) -> f64 {
        match (*self + ONE_EACH).score() - 0.5 {
            0.0 => 0.5,
            lead => normal::below(lead / self.share_error()),
        }
    }
}

/// A pair won and a pair lost.
const ONE_EACH: Counts = Counts { wins: 2, draws: 0, losses: 2, pairs: [1, 0, 0, 0, 1], discs: 0 };

impl Add for Counts {
    type Output = Counts;

    fn add(self, other: Counts) -> Counts {
        Counts {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            pairs: [0, 1, 2, 3, 4].map(|place| self.pairs[place] + other.pairs[place]),
            discs: self.discs + other.discs,
        }
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Counts>>(counts: I) -> Counts {
        counts.fold(Counts::default(), Add::add)
    }
}

/// A difference in strength on the scale of Elo: who is 400 ahead makes ten points for each one
/// of the other. Infinite where one side made all the points.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Elo {
    /// The likeliest.
    pub difference: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// The share of the points that is to be expected of who is so much stronger.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The difference in strength at which this share of the points is to be expected.
fn elo(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    #[test]
    fn pairs_are_counted_by_their_points() {
        let pair = |a, b| Counts::of_pair([a, b]);
        let counts: Counts =
            [pair(2, 8), pair(-4, 6), pair(0, 2), pair(0, 0), pair(-64, 0), pair(-1, -3)]
                .into_iter()
                .sum();
        let expected = Counts { wins: 4, draws: 4, losses: 4, pairs: [1, 1, 2, 1, 1], discs: -54 };
        assert_eq!(counts, expected);
        assert_eq!((counts.games(), counts.score(), counts.mean_discs()), (12, 0.5, -4.5));
    }

    #[test]
    fn hand_computed_values_are_found() {
        // 100 pairs with a mean of 0.6 and squares of (10·0.36 + 20·0.1225 + 20·0.01 + 20·0.0225
        // + 30·0.16) = 11.5, so an error of √(11.5/99/100) = 0.034082.
        let counts =
            Counts { wins: 110, draws: 20, losses: 70, pairs: [10, 20, 20, 20, 30], discs: 300 };
        near(counts.score(), 0.6, 1e-12);
        near(counts.score_error().unwrap(), 0.034_082, 1e-6);
        // With a pair won and one lost the mean is 61/102 = 0.598039, the squares are 12.019608
        // and the error is √(12.019608/101/102) = 0.034157, so that the interval reaches 0.066947.
        let [low, high] = counts.interval();
        near(low, 0.531_092, 1e-6);
        near(high, 0.664_986, 1e-6);
        let elo = counts.elo();
        near(elo.difference, 400.0 * 1.5_f64.log10(), 1e-9);
        near(expected_score(elo.low), low, 1e-9);
        near(expected_score(elo.high), high, 1e-9);
        // 0.098039 is 2.870222 errors; the normal distribution has 0.997949 below that.
        near(counts.superiority(), 0.997_949, 1e-6);
    }

    #[test]
    fn published_values_are_found() {
        // Matches of chess engines as their runner printed them: pairs, Elo ± its interval, LOS.
        for (pairs, difference, reach, superiority) in [
            ([1, 24, 42, 25, 8], 26.11, 31.23, 0.9504),
            ([2, 23, 32, 35, 8], 41.89, 33.28, 0.9938),
            ([1, 11, 47, 25, 16], 77.71, 33.03, 1.0),
        ] {
            // How the points of a pair came about says nothing about the score.
            let points: u64 = (0..5).zip(pairs).map(|(points, count)| points * count).sum();
            let (wins, losses) = (points / 2, 200 - points.div_ceil(2));
            let counts = Counts { wins, draws: points % 2, losses, pairs, discs: 0 };
            let elo = counts.elo();
            near(elo.difference, difference, 0.005);
            // The runner divides by the pairs, not by one less, takes the mean reach, and adds no
            // pairs for few.
            near((elo.high - elo.low) / 2.0, reach, 1.3);
            near(counts.superiority(), superiority, 0.01);
        }
    }

    #[test]
    fn a_match_is_the_opposite_seen_from_the_other_side() {
        let counts = Counts::of_pair([4, 0]) + Counts::of_game(-6);
        let turned = Counts { wins: 1, draws: 1, losses: 1, pairs: [0, 1, 0, 0, 0], discs: 2 };
        assert_eq!((counts.turned(), counts.turned().turned()), (turned, counts));
        assert_eq!((counts.utility(), Counts::of_pair([2, 2]).turned().utility()), (0, -2));
        near(expected_score(counts.elo().difference), counts.score(), 1e-12);
        near(expected_score(400.0), 10.0 / 11.0, 1e-12);
    }

    #[test]
    fn few_pairs_decide_nothing() {
        let none = Counts::default();
        assert_eq!((none.score_error(), none.superiority()), (None, 0.5));
        let Elo { low, high, .. } = Counts::of_pair([10, 10]).elo();
        assert_eq!((low, high), (f64::NEG_INFINITY, f64::INFINITY));
        // Won outright: likelier the better one with each pair, and never sure.
        let sure: Vec<f64> = (1..=10)
            .map(|pairs| Counts { wins: 2 * pairs, pairs: [0, 0, 0, 0, pairs], ..none })
            .map(|counts| counts.superiority())
            .collect();
        assert!(sure.is_sorted() && sure[0] > 0.6 && sure[1] < 0.9 && sure[3] < 0.99, "{sure:?}");
    }

    #[test]
    fn one_sided_matches_are_as_good_as_decided() {
        let won = Counts { wins: 20, pairs: [0, 0, 0, 0, 10], discs: 80, ..Counts::default() };
        let Elo { difference, low, high } = won.elo();
        assert_eq!((difference, high), (f64::INFINITY, f64::INFINITY));
        assert!(low > 100.0 && low < 400.0, "large, and not known how large: {low}");
        assert!(won.superiority() > 0.999);
        assert!(won.turned().superiority() < 0.001);
        let level = Counts { wins: 10, losses: 10, pairs: [0, 0, 10, 0, 0], ..Counts::default() };
        assert_eq!((level.superiority(), level.elo().difference), (0.5, 0.0));
    }
}
