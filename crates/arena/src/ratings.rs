//! Rates the players of a tournament from all its pairs at once (Bradley–Terry).
//!
//! The model is that of Bradley and Terry, on the scale of Elo: the share of
//! the points that a player makes against another depends on the difference of
//! their ratings alone. The ratings are the likeliest ones; every player has
//! also drawn one game with somebody of rating 0, so that who won or
//! lost everything is rated at all. The mean of all ratings is 0.
//!
//! Intervals take pairs of games for units, as games of a pair share their
//! opening: how much the points of a pairing's pairs scatter around what the
//! ratings predict is measured, drawn towards what all pairings together show,
//! and carried over to the ratings (the "sandwich" of robust regression).
//!
//! Source: R. A. Bradley, M. E. Terry, *Rank Analysis of Incomplete Block
//! Designs*, Biometrika 39 (1952); H. White, *Maximum Likelihood Estimation of
//! Misspecified Models*, Econometrica 50 (1982).

use crate::counts::{Counts, expected_score};
use crate::normal;

/// Drawn games that every player is given beforehand, against somebody of rating 0.
const VIRTUAL: f64 = 1.0;

/// The scatter of all pairings together counts as much as so many of its level pairs.
const DRAWN_TOGETHER: f64 = 5.0;

/// What a pair of games scatters by if each side is as good, and nobody draws: 2 · ½ · ½.
const LEVEL: f64 = 0.5;

/// Elo of one natural unit of the logistic scale.
fn elo_unit() -> f64 {
    400.0 / std::f64::consts::LN_10
}

/// A rating on the scale of Elo.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// The likeliest; 0 is the mean of all players.
    pub elo: f64,
    /// The lower end of the 95 % interval; infinite for who lost every game.
    pub low: f64,
    /// Its upper end; infinite for who won every game.
    pub high: f64,
}

/// The ratings of all players, and how they hang together.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    ratings: Vec<Rating>,
    /// How the errors of the ratings vary together, in Elo².
    covariance: Vec<Vec<f64>>,
}

impl Ratings {
    /// The ratings by a cross table: `table[a][b]` is what `a` did against `b`.
    pub fn of(table: &[Vec<Counts>]) -> Ratings {
        Ratings::with_virtual(table, VIRTUAL)
    }

    /// The same with so many virtual draws for each player, more than none unless everybody is
    /// linked to everybody by points won and lost.
    fn with_virtual(table: &[Vec<Counts>], draws: f64) -> Ratings {
        let strengths = likeliest(table, draws);
        let (information, scatter) = spread(table, draws, &strengths);
        let covariance = centred(&sandwich(&information, &scatter));
        let unit = elo_unit();
        let mean = strengths.iter().sum::<f64>() / strengths.len().max(1) as f64;
        let ratings = strengths.iter().enumerate().map(|(player, strength)| {
            let elo = (strength - mean) * unit;
            let reach = normal::QUANTILE_95 * covariance[player][player].max(0.0).sqrt() * unit;
            let all: Counts = table[player].iter().copied().sum();
            let is_open = |others: u64| others + all.draws == 0;
            Rating {
                elo,
                low: if is_open(all.wins) { f64::NEG_INFINITY } else { elo - reach },
                high: if is_open(all.losses) { f64::INFINITY } else { elo + reach },
            }
        });
        let ratings = ratings.collect();
        let scale = |row: Vec<f64>| row.into_iter().map(|entry| entry * unit * unit).collect();
        Ratings { ratings, covariance: covariance.into_iter().map(scale).collect() }
    }

    /// The ratings, player by player.
    pub fn all(&self) -> &[Rating] {
        &self.ratings
    }

    /// How likely it is that `one` is better than `other`, from 0 to 1.
    pub fn superiority(&self, one: usize, other: usize) -> f64 {
        let lead = self.ratings[one].elo - self.ratings[other].elo;
        let entry = |a: usize, b: usize| self.covariance[a][b];
        let variance = entry(one, one) + entry(other, other) - 2.0 * entry(one, other);
        match variance > 0.0 {
            true => normal::below(lead / variance.sqrt()),
            false => 0.5,
        }
    }
}

/// The likeliest strengths, on the natural scale.
///
/// One player at a time: the strength at which it is expected to make the points that it made.
/// Every step makes the whole likelier, and there is one summit only.
fn likeliest(table: &[Vec<Counts>], draws: f64) -> Vec<f64> {
    let players = table.len();
    let points: Vec<f64> = (0..players)
        .map(|a| table[a].iter().map(|c| c.wins as f64 + 0.5 * c.draws as f64).sum::<f64>())
        .map(|points: f64| points + 0.5 * draws)
        .collect();
    let mut strengths = vec![0.0; players];
    for _ in 0..10_000 {
        let mut most = 0.0_f64;
        for a in 0..players {
            let (mut expected, mut slope) = weigh(strengths[a], 0.0, draws);
            for b in (0..players).filter(|&b| b != a) {
                let games = table[a][b].games() as f64;
                let (more, steeper) = weigh(strengths[a], strengths[b], games);
                (expected, slope) = (expected + more, slope + steeper);
            }
            if slope > 0.0 {
                // Far from the summit the slope promises too much.
                let step = ((points[a] - expected) / slope).clamp(-1.0, 1.0);
                strengths[a] += step;
                most = most.max(step.abs());
            }
        }
        if most < 1e-10 {
            break;
        }
    }
    strengths
}

/// The points that so many games against `other` are expected to bring, and how fast they grow
/// with one's strength.
fn weigh(own: f64, other: f64, games: f64) -> (f64, f64) {
    let score = expected_score((own - other) * elo_unit());
    (games * score, games * score * (1.0 - score))
}

/// How sharply the likelihood falls off around the strengths, and how much its slope scatters.
fn spread(table: &[Vec<Counts>], draws: f64, strengths: &[f64]) -> (Matrix, Matrix) {
    let players = table.len();
    let mut information = vec![vec![0.0; players]; players];
    let mut scatter = information.clone();
    let pairings = || (0..players).flat_map(move |a| ((a + 1)..players).map(move |b| (a, b)));
    // What was seen and what independent games would show, of each pairing and of all of them.
    let seen = |a: usize, b: usize| -> (f64, f64) {
        let counts = &table[a][b];
        let score = expected_score((strengths[a] - strengths[b]) * elo_unit());
        let squares = counts
            .pairs
            .iter()
            .enumerate()
            .map(|(place, &count)| count as f64 * (0.5 * place as f64 - 2.0 * score).powi(2));
        let pairs: u64 = counts.pairs.iter().sum();
        (squares.sum(), pairs as f64 * 2.0 * score * (1.0 - score))
    };
    let add = |one: (f64, f64), other: (f64, f64)| (one.0 + other.0, one.1 + other.1);
    let all = pairings().map(|(a, b)| seen(a, b)).fold((LEVEL, LEVEL), add);
    let all_pairs: u64 = pairings().flat_map(|(a, b)| table[a][b].pairs).sum();
    // As many degrees of freedom as there are ratings to choose went into the fit; of fewer than
    // twice as many pairs nobody can tell how much that matters.
    let (pairs, chosen) = (all_pairs as f64, players as f64 - 1.0);
    let free = if pairs > 2.0 * chosen { pairs / (pairs - chosen) } else { 2.0 };
    let factor = all.0 / all.1 * free;
    for (a, b) in pairings() {
        let (_, sharp) = weigh(strengths[a], strengths[b], table[a][b].games() as f64);
        let (squares, independent) = seen(a, b);
        let weight = DRAWN_TOGETHER * LEVEL;
        let own = (squares * free + weight * factor) / (independent + weight);
        for (matrix, entry) in [(&mut information, sharp), (&mut scatter, sharp * own)] {
            matrix[a][a] += entry;
            matrix[b][b] += entry;
            matrix[a][b] -= entry;
            matrix[b][a] -= entry;
        }
    }
    for player in 0..players {
        information[player][player] += weigh(strengths[player], 0.0, draws).1;
    }
    (information, scatter)
}

type Matrix = Vec<Vec<f64>>;

/// inverse(A) · B · inverse(A).
fn sandwich(bread: &Matrix, filling: &Matrix) -> Matrix {
    let inverse = inverse(bread);
    product(&product(&inverse, filling), &inverse)
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let entry = |row: &[f64], column: usize| row.iter().zip(b).map(|(x, y)| x * y[column]).sum();
    a.iter().map(|row| (0..b.len()).map(|column| entry(row, column)).collect()).collect()
}

/// The inverse of a symmetric positive matrix, by elimination.
fn inverse(matrix: &Matrix) -> Matrix {
    let size = matrix.len();
    let mut rows: Matrix = (0..size)
        .map(|row| {
            let unit = (0..size).map(|column| f64::from(u8::from(row == column)));
            matrix[row].iter().copied().chain(unit).collect()
        })
        .collect();
    for pivot in 0..size {
        let scale = rows[pivot][pivot];
        if scale.abs() < 1e-300 {
            continue;
        }
        rows[pivot].iter_mut().for_each(|entry| *entry /= scale);
        let pivot_row = rows[pivot].clone();
        for (row, entries) in rows.iter_mut().enumerate().filter(|(row, _)| *row != pivot) {
            debug_assert_ne!(row, pivot);
            let factor = entries[pivot];
            entries.iter_mut().zip(&pivot_row).for_each(|(entry, own)| *entry -= factor * own);
        }
    }
    rows.into_iter().map(|row| row[size..].to_vec()).collect()
}

/// How the differences from the mean vary together.
fn centred(matrix: &Matrix) -> Matrix {
    let size = matrix.len();
    let shift = |row: usize, column: usize| f64::from(u8::from(row == column)) - 1.0 / size as f64;
    let centre: Matrix =
        (0..size).map(|row| (0..size).map(|column| shift(row, column)).collect()).collect();
    product(&product(&centre, matrix), &centre)
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_agent::Rng;

    fn near(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    /// A cross table of results between `a` and `b`, seen by `a`.
    fn table(players: usize, results: &[(usize, usize, Counts)]) -> Vec<Vec<Counts>> {
        let mut table = vec![vec![Counts::default(); players]; players];
        for &(a, b, counts) in results {
            (table[a][b], table[b][a]) = (counts, counts.turned());
        }
        table
    }

    fn games(wins: u64, losses: u64) -> Counts {
        // Pairs as they fall when games are independent.
        let all = (wins + losses) as f64;
        let (p, pairs) = (wins as f64 / all, all / 2.0);
        #[expect(clippy::cast_sign_loss, reason = "shares of a count are not negative")]
        let part = |share: f64| (pairs * share).round() as u64;
        let pairs = [part((1.0 - p).powi(2)), 0, part(2.0 * p * (1.0 - p)), 0, part(p * p)];
        Counts { wins, draws: 0, losses, pairs, discs: 0 }
    }

    #[test]
    fn published_strengths_are_found() {
        // The American League of 1987, home and away together (A. Agresti, *Categorical Data
        // Analysis*, 2nd edition, page 438): the strengths above Baltimore's that H. Turner and
        // D. Firth give (*Bradley–Terry Models in R*, 2012).
        let teams = 7;
        // Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore: wins of row over
        // column.
        let wins = [
            [0, 7, 9, 7, 7, 9, 11],
            [6, 0, 7, 5, 11, 9, 9],
            [4, 6, 0, 7, 7, 8, 12],
            [6, 8, 6, 0, 6, 7, 10],
            [6, 2, 6, 7, 0, 7, 12],
            [4, 4, 5, 6, 6, 0, 6],
            [2, 4, 1, 3, 1, 7, 0],
        ];
        let mut results = Vec::new();
        for a in 0..teams {
            for b in (a + 1)..teams {
                results.push((a, b, games(wins[a][b], wins[b][a])));
            }
        }
        let ratings = Ratings::with_virtual(&table(teams, &results), 0.0);
        let baltimore = ratings.all()[6].elo;
        let expected = [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0.0];
        for (rating, expected) in ratings.all().iter().zip(expected) {
            near((rating.elo - baltimore) / elo_unit(), expected, 1e-3);
        }
    }

    #[test]
    fn two_players_are_rated_as_their_counts_say() {
        let counts =
            Counts { wins: 110, draws: 20, losses: 70, pairs: [10, 20, 20, 20, 30], discs: 0 };
        let ratings = Ratings::with_virtual(&table(2, &[(0, 1, counts)]), 0.0);
        let [one, other] = [ratings.all()[0], ratings.all()[1]];
        let elo = counts.elo();
        near(one.elo - other.elo, elo.difference, 1e-6);
        near(one.elo + other.elo, 0.0, 1e-9);
        // Half of the difference, and half of its interval; a few level pairs were mixed in.
        near(one.high - one.low, (elo.high - elo.low) / 2.0, 1.5);
        near(ratings.superiority(0, 1), counts.superiority(), 0.002);
        near(ratings.superiority(0, 1) + ratings.superiority(1, 0), 1.0, 1e-9);
    }

    #[test]
    fn who_won_everything_has_a_rating_and_no_upper_bound() {
        let won = Counts { wins: 40, pairs: [0, 0, 0, 0, 20], ..Counts::default() };
        let results = [(0, 1, won), (0, 2, won), (1, 2, won)];
        let ratings = Ratings::of(&table(3, &results));
        let [first, second, third] = [0, 1, 2].map(|player| ratings.all()[player]);
        assert!(first.elo > second.elo + 200.0 && second.elo > third.elo + 200.0);
        assert_eq!((first.high, third.low), (f64::INFINITY, f64::NEG_INFINITY));
        assert!(first.low.is_finite() && third.high.is_finite());
        // 40 of 40 say that the difference is large, not that it is known.
        assert!(second.high - second.low > 150.0, "{second:?}");
        let one_game = Ratings::of(&table(2, &[(0, 1, Counts::of_game(10))]));
        let first = one_game.all()[0];
        assert!(first.elo > 0.0 && first.low < -100.0, "one game says next to nothing: {first:?}");
        assert!(Ratings::of(&[]).all().is_empty());
        assert_eq!(Ratings::of(&table(1, &[])).all()[0].elo, 0.0);
    }

    /// How many of the intervals of simulated round robins hold the true rating. In half of the
    /// pairs of `tilt` the opening decides: one game is much easier than the other.
    fn coverage(tilt: f64, seed: u64) -> f64 {
        let truth = [-150.0, -60.0, 10.0, 60.0, 140.0];
        let (mut held, mut all) = (0, 0);
        for number in 0..200 {
            let mut rng = Rng::game(seed, number);
            let mut results = Vec::new();
            for a in 0..truth.len() {
                for b in (a + 1)..truth.len() {
                    let score = expected_score(truth[a] - truth[b]);
                    let tilt = tilt * score.min(1.0 - score);
                    let mut pair = || {
                        [score + tilt, score - tilt]
                            .map(|score| if rng.unit() < score { 2 } else { -2 })
                    };
                    let counts = (0..20).map(|_| Counts::of_pair(pair())).sum();
                    results.push((a, b, counts));
                }
            }
            let ratings = Ratings::of(&table(truth.len(), &results));
            for (rating, truth) in ratings.all().iter().zip(truth) {
                all += 1;
                held += u32::from((rating.low..=rating.high).contains(&truth));
            }
        }
        f64::from(held) / f64::from(all)
    }

    #[test]
    fn intervals_hold_the_truth_as_often_as_promised() {
        // 1,000 intervals, five of a table not independent: 95 % within about 2 %.
        for (tilt, seed) in [(0.0, 1), (0.5, 2), (0.9, 3)] {
            let coverage = coverage(tilt, seed);
            assert!((0.93..0.975).contains(&coverage), "tilt {tilt}: {coverage}");
        }
    }
}
