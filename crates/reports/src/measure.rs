//! The four performance models of report 000: what an agent or evaluation is worth.
//!
//! | model | here |
//! |---|---|
//! | 1, round robin, first colour in turn | [`scores`] |
//! | 2, improved Monte Carlo win rate | [`win_rate`] |
//! | 3, structural minimax value loss | [`minimax_loss`] |
//! | 4, search depth | [`search_depth`] |
//!
//! Each gives a figure and its uncertainty. The caller passes in solved
//! positions: this crate has no solver.

mod depth;
mod loss;
mod rate;

pub use depth::{Depths, search_depth};
pub use loss::{Losses, NodeLoss, Problem, minimax_loss};
pub use rate::{WinRate, win_rate};

use isrever_arena::{Counts, Mean, Standings};

/// The sum of a player's utilities (1 for a game won, −1 for one lost) and its uncertainty.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Score {
    /// The sum, its standard error, and the number of games.
    pub sum: Mean,
    /// The 95 % interval, within the number of games played.
    pub interval: [f64; 2],
    /// The report's `Perf`: the player's part of the scores of all players.
    ///
    /// The report (2.1.3) divides a sum of utilities by the sum of all, which is nought, since what
    /// one wins the other loses. Here a game won counts 1, one drawn ½ and one lost 0, which orders
    /// players alike, and the parts of all players add up to 1.
    pub perf: f64,
}

/// The scores of all players. Errors follow from the scatter of pairs; adding one pair won and one
/// pair lost to each pairing keeps them from vanishing when a few pairs all went one way.
pub fn scores(standings: &Standings) -> Vec<Score> {
    let (table, evidence) = (standings.table(), standings.evidence_table());
    let points = |counts: &Counts| counts.score() * counts.games() as f64;
    let all: f64 = table.iter().flatten().map(points).sum();
    let score = |(row, evidence): (&Vec<Counts>, &Vec<Counts>)| {
        let mean = row.iter().map(Counts::utility).sum::<i64>() as f64;
        let of_pairing = |(counts, evidence): (&Counts, &Counts)| {
            (2.0 * counts.games() as f64 * evidence.share_error()).powi(2)
        };
        let met = row.iter().zip(evidence).filter(|(counts, _)| counts.games() > 0);
        let variance: f64 = met.map(of_pairing).sum();
        let count = row.iter().map(Counts::games).sum();
        let sum = Mean { count, mean, error: variance.sqrt() };
        let most = count as f64;
        let interval = [mean - sum.reach(), mean + sum.reach()].map(|end| end.clamp(-most, most));
        let points: f64 = row.iter().map(points).sum();
        Score { sum, interval, perf: if all > 0.0 { points / all } else { 0.0 } }
    };
    table.iter().zip(&evidence).map(score).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_arena::{Outcome, Trace};

    /// Pairs of players by the scores of their games, no two games alike.
    fn standings(players: usize, pairs: &[([usize; 2], [i32; 2], u64)]) -> Standings {
        let mut standings = Standings::new(players);
        let mut numbers = 0..;
        for &([first, second], scores, count) in pairs {
            for _ in 0..count {
                for (players, score) in
                    [([first, second], scores[0]), ([second, first], -scores[1])]
                {
                    let number: u64 = numbers.next().unwrap();
                    let trace = Trace::of_line(&format!("a{number}"), 1, "over");
                    let (pair, forfeit) = (number / 2, None);
                    standings.add(&Outcome { number, pair, players, score, forfeit, trace });
                }
            }
        }
        standings
    }

    #[test]
    fn utilities_are_summed_and_their_errors_with_them() {
        // By points of a pair: 10, 20, 20, 20, 30.
        let results = |players: [usize; 2]| {
            [([-2, -2], 10), ([-2, 0], 20), ([2, -2], 20), ([2, 0], 20), ([2, 2], 30)]
                .map(|(scores, count)| (players, scores, count))
        };
        let scores = scores(&standings(3, &[results([0, 1]), results([0, 2])].concat()));
        let sums: Vec<f64> = scores.iter().map(|score| score.sum.mean).collect();
        assert_eq!(sums, [80.0, -40.0, -40.0]);
        // 240 of 400 points, and 80 of 200 for each of the others.
        for (score, perf) in scores.iter().zip([0.6, 0.2, 0.2]) {
            assert!((score.perf - perf).abs() < 1e-12, "{scores:?}");
        }
        // With a pair added to either side the mean is 61/102, the squares are 12.0196, and the
        // error of a share √(12.0196/101/102) = 0.034157; of 200 games that makes 13.663, and of
        // two such √2 more.
        assert!((scores[1].sum.error - 13.663).abs() < 1e-2, "{scores:?}");
        assert!((scores[0].sum.error - 19.322).abs() < 1e-2, "{scores:?}");
    }

    #[test]
    fn nobody_wins_more_games_than_are_played() {
        let scores = scores(&standings(2, &[([0, 1], [2, 2], 10)]));
        assert_eq!((scores[0].sum.mean, scores[0].interval[1]), (20.0, 20.0));
        assert!(scores[0].sum.error > 2.0, "ten pairs are not for sure: {scores:?}");
        assert!(scores[0].interval[0] < 17.0 && scores[1].interval[0] == -20.0, "{scores:?}");
    }
}
