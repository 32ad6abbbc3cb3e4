//! Fits find what is there to be found, and find the same on any number of threads.

use isrever_agent::Rng;
use isrever_board::{Board, Rule, Size};
use isrever_eval::{DISC, Shape, Weights};
use isrever_lab::data::{Label, Sample, merge};
use isrever_lab::{FitOptions, PhaseReport, fit};
use isrever_testkit::turns;

/// Boards of random games, `discs` discs each.
fn boards(size: Size, count: usize, discs: std::ops::Range<u32>) -> Vec<Board> {
    let boards = turns(size, 1).filter(|turn| turn.square.is_some()).map(|turn| turn.board);
    let has_discs = |board: &Board| discs.contains(&(board.player | board.opponent).count_ones());
    boards.filter(has_discs).take(count).collect()
}

/// Samples whose scores are the values by `weights`, to whole discs; one in fifty is held out.
fn labelled(boards: &[Board], weights: &Weights) -> Vec<Sample> {
    let score = |board| (f64::from(weights.plain_value(board)) / f64::from(DISC)).round() as i32;
    let sample = |&board: &Board| {
        let sample = Sample::new(board, weights.shape().size(), score(board), Label::Played);
        sample.held_out(sample.board().hash().is_multiple_of(50))
    };
    merge(boards.iter().map(sample).collect())
}

fn fitted(
    shape: &'static Shape,
    samples: &[Sample],
    threads: usize,
) -> (Weights, Vec<PhaseReport>) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    // There is no noise here to draw weights away from.
    let options = FitOptions { ridge: 1.0, ..FitOptions::default() };
    pool.install(|| fit(Rule::Normal, shape, samples, options, &|_| {}))
}

/// Shapes of both boards.
const SHAPES: [&Shape; 2] = [Shape::SIX, Shape::EIGHT];

/// Weights that only what is seen everywhere has: short diagonals and the numbers of moves.
fn known(shape: &Shape) -> Weights {
    let mut rng = Rng::new(2);
    let mut weights = vec![0; shape.class_count()];
    let seen = weights.len() - 251;
    // Smaller on the small board, so that few values reach the best score there is.
    let cells = i32::from(shape.size().width()).pow(2);
    for weight in &mut weights[seen..] {
        *weight = ((rng.below(4096).cast_signed() - 2048) * cells / 64) as i16;
    }
    Weights::linear(Rule::Normal, shape, &vec![weights; shape.phase_count()])
}

#[test]
fn known_weights_are_found_again() {
    for shape in SHAPES {
        let samples = labelled(&boards(shape.size(), 40_000, 20..24), &known(shape));
        let (weights, reports) = fitted(shape, &samples, 2);
        assert_reports_hold(&samples, &weights, &reports);
    }
}

/// Reports of phases 8 and 9 tell of small errors, and of the right ones.
fn assert_reports_hold(samples: &[Sample], weights: &Weights, reports: &[PhaseReport]) {
    for report in &reports[8..10] {
        assert!(report.held_out > 200);
        // Scores are rounded to whole discs, which alone makes an error of 0.29.
        assert!(report.after.rmse < 0.05 * report.before.rmse, "{report:?}");
    }
    let held_out: Vec<&Sample> = samples.iter().filter(|s| s.is_held_out()).collect();
    let distance = |sample: &&Sample| {
        (f64::from(weights.plain_value(sample.board())) / f64::from(DISC)
            - f64::from(sample.score()))
        .abs()
    };
    let mean: f64 = held_out.iter().map(distance).sum::<f64>() / held_out.len() as f64;
    let told = reports.iter().map(|report| report.after.mae * report.held_out as f64).sum::<f64>();
    assert!((mean - told / held_out.len() as f64).abs() < 1e-4);
}

#[test]
fn threads_make_no_difference() {
    let shape = Shape::EIGHT;
    let samples = labelled(&boards(shape.size(), 3_000, 4..64), &known(shape));
    let (one, reports) = fitted(shape, &samples, 1);
    let (two, same_reports) = fitted(shape, &samples, 2);
    assert_eq!(one.to_bytes(), two.to_bytes());
    assert_eq!(reports, same_reports);
    let counted: usize = reports.iter().map(|report| report.samples + report.held_out).sum();
    assert_eq!(counted, samples.len());
}

#[test]
fn boards_held_out_are_not_fitted_to() {
    let shape = Shape::EIGHT;
    let samples = labelled(&boards(shape.size(), 500, 30..32), &known(shape));
    let (weights, _) = fitted(shape, &samples, 1);
    let without: Vec<Sample> =
        samples.iter().copied().filter(|sample| !sample.is_held_out()).collect();
    assert!(without.len() < samples.len());
    // They say when to stop; one step each is taken from the same samples.
    let one_step = |samples: &[Sample]| {
        let options = FitOptions { iterations: 1, ..FitOptions::default() };
        fit(Rule::Normal, shape, samples, options, &|_| {}).0
    };
    assert_eq!(one_step(&samples), one_step(&without));
    assert!(weights.phase(shape.phase(30)).unwrap().iter().any(|&weight| weight != 0));
}

#[test]
fn no_samples_make_weights_of_nothing() {
    for shape in SHAPES {
        let (weights, reports) = fitted(shape, &[], 1);
        assert_eq!(weights.plain_value(Board::start(shape.size())), 0);
        assert_eq!(reports.len(), shape.phase_count());
        assert!(reports.iter().all(|report| report.samples + report.held_out == 0));
    }
}
