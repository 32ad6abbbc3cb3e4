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

use crate::counts::Counts;

/// The sum of utilities of each player of a cross table (1 for a game won, −1 for one lost), with
/// its standard error by how pairs scatter.
pub fn scores(table: &[Vec<Counts>]) -> Vec<Mean> {
    let score = |row: &Vec<Counts>| {
        let sum: i64 = row.iter().map(Counts::utility).sum();
        let of_pairing = |counts: &Counts| {
            let per_game = counts.score_error().unwrap_or(0.5);
            (2.0 * counts.games() as f64 * per_game).powi(2)
        };
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
        // The error of a share is 0.034082; of 200 games it makes 13.63, of two such √2 more.
        assert!((scores[1].error - 13.633).abs() < 1e-3, "{scores:?}");
        assert!((scores[0].error - 19.280).abs() < 1e-3, "{scores:?}");
    }
}
