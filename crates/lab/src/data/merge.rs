//! Merges samples: one for each board.

use super::{Label, Sample};
use rayon::prelude::*;

/// Sorts the samples and keeps one for each board: a proved one if there is one, else one with
/// the mean of their scores. It is held out if all of them are: openings are common to all games.
///
/// The order of the samples, and the number of threads, make no difference.
pub fn merge(samples: Vec<Sample>) -> Vec<Sample> {
    merge_each(samples, |_| ())
}

/// The same, and beside each sample its score before it is rounded.
pub fn merge_exactly(samples: Vec<Sample>) -> (Vec<Sample>, Vec<f32>) {
    let mut scores = Vec::new();
    let samples = merge_each(samples, |score| scores.push(score as f32));
    (samples, scores)
}

/// Merges, and calls `each` with the score of each sample that is kept.
fn merge_each(mut samples: Vec<Sample>, mut each: impl FnMut(f64)) -> Vec<Sample> {
    samples.par_sort_unstable();
    let mut kept = 0;
    let mut begin = 0;
    while begin < samples.len() {
        let board = samples[begin].board;
        let alike = samples[begin..].iter().take_while(|sample| sample.board == board).count();
        // Sorted, so that the most reliable label comes last.
        let (sample, score) = one(&samples[begin..begin + alike]);
        samples[kept] = sample;
        each(score);
        kept += 1;
        begin += alike;
    }
    samples.truncate(kept);
    samples
}

/// One sample for samples of one board, and its score before it is rounded.
fn one(alike: &[Sample]) -> (Sample, f64) {
    let is_held_out = alike.iter().all(Sample::is_held_out);
    let last = alike[alike.len() - 1].held_out(is_held_out);
    if last.label == Label::Exact {
        return (last, last.score.into());
    }
    let sum: i64 = alike.iter().map(|sample| i64::from(sample.score)).sum();
    let mean = sum as f64 / alike.len() as f64;
    (Sample { score: mean.round() as i8, ..last }, mean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::{Board, Size, Symmetry};

    fn sample(player: u64, score: i32, label: Label) -> Sample {
        Sample::new(Board { player, opponent: 2 }, Size::EIGHT, score, label)
    }

    #[test]
    fn one_sample_stays_of_each_board() {
        use Label::{Exact, Played};
        let samples = vec![
            sample(1, 10, Played),
            sample(4, -3, Played),
            sample(8, 60, Played),
            sample(1, 13, Played),
            sample(8, 2, Exact),
            sample(4, -4, Played),
        ];
        let (exactly, mut means) = merge_exactly(samples.clone());
        assert_eq!(exactly, merge(samples.clone()));
        means.sort_unstable_by(f32::total_cmp);
        assert_eq!(means, [-3.5, 2.0, 11.5]);
        let mut scores: Vec<i32> = merge(samples).iter().map(Sample::score).collect();
        scores.sort_unstable();
        // 11.5 and −3.5 are rounded away from zero.
        assert_eq!(scores, [-4, 2, 12]);
    }

    #[test]
    fn boards_that_are_fitted_to_anywhere_are_not_held_out() {
        let played = |score, is_held_out| sample(1, score, Label::Played).held_out(is_held_out);
        assert!(merge(vec![played(1, true), played(3, true)])[0].is_held_out());
        assert!(!merge(vec![played(1, true), played(3, false)])[0].is_held_out());
        assert!(!merge(vec![played(5, true), played(3, false)])[0].is_held_out());
    }

    #[test]
    fn images_of_a_board_are_one() {
        let board = Board { player: 1, opponent: 2 };
        for size in [Size::SIX, Size::EIGHT] {
            let image = Symmetry::ALL[5].board(board, size);
            let samples = [board, image].map(|board| Sample::new(board, size, 4, Label::Played));
            assert_eq!(merge(samples.to_vec()).len(), 1);
        }
        assert!(merge(Vec::new()).is_empty());
    }
}
