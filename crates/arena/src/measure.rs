//! What an agent or an evaluation is worth: the four performance models of report 000.
//!
//! | model | here |
//! |---|---|
//! | 1, round robin, first colour in turn | [`scores`] |
//! | 2, improved Monte Carlo win rate | [`win_rate`] |
//! | 3, structural minimax value loss | [`minimax_loss`] |
//! | 4, search depth | [`search_depth`] |
//!
//! Each gives its figure with how sure it is. Solved positions come from who
//! asks: this crate knows no solver.

mod depth;
mod loss;
mod mean;
mod rate;

pub use depth::{Depths, search_depth};
pub use loss::{Losses, NodeLoss, Problem, minimax_loss};
pub use mean::Mean;
pub use rate::{WinRate, share_interval, win_rate};

use rate::share_error;

use crate::counts::Counts;

/// The sum of utilities of each player of a cross table (1 for a game won, −1 for one lost), with
/// its standard error by how pairs scatter; a pair won and a pair lost are added to each pairing for
/// that, so that a few pairs that went one way are not taken for certainty.
pub fn scores(table: &[Vec<Counts>]) -> Vec<Mean> {
    let score = |row: &Vec<Counts>| {
        let sum: i64 = row.iter().map(Counts::utility).sum();
        let of_pairing =
            |counts: &Counts| (2.0 * counts.games() as f64 * share_error(counts)).powi(2);
        let variance: f64 = row.iter().filter(|c| c.games() > 0).map(of_pairing).sum();
        let count = row.iter().map(Counts::games).sum();
        Mean { count, mean: sum as f64, error: variance.sqrt() }
    };
    table.iter().map(score).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utilities_are_summed_and_their_errors_with_them() {
        let counts =
            Counts { wins: 110, draws: 20, losses: 70, pairs: [10, 20, 20, 20, 30], discs: 0 };
        let nobody = Counts::default();
        let table = [
            vec![nobody, counts, counts],
            vec![counts.turned(), nobody, nobody],
            vec![counts.turned(), nobody, nobody],
        ];
        let scores = scores(&table);
        assert_eq!(scores.iter().map(|score| score.mean).collect::<Vec<_>>(), [80.0, -40.0, -40.0]);
        // With a pair added to either side the mean is 61/102, the squares are 12.0098, and the
        // error of a share √(12.0098/101/102) = 0.034143; of 200 games that makes 13.657, and of
        // two such √2 more.
        assert!((scores[1].error - 13.657).abs() < 1e-2, "{scores:?}");
        assert!((scores[0].error - 19.314).abs() < 1e-2, "{scores:?}");
        let won = Counts { wins: 20, pairs: [0, 0, 0, 0, 10], ..Counts::default() };
        let scores = super::scores(&[vec![nobody, won], vec![won.turned(), nobody]]);
        assert_eq!(scores[0].mean, 20.0);
        assert!(scores[0].error > 2.0, "ten pairs are not for sure: {scores:?}");
    }
}
