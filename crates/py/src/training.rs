//! Samples for `isrever.train`: plays games, and reads files of samples into arrays.
//!
//! The features have the numbers of `Shape::WIDE`, so that Python knows no pattern.

use crate::arguments::{RuleArg, numbers, refusal};
use crate::array;
use crate::long_call::{Call, run};
use isrever_board::text::{self, Defaults};
use isrever_board::{self as rules, Board, Size};
use isrever_engine::load_weights;
use isrever_eval::{Shape, Weights};
use isrever_lab::Crew;
use isrever_lab::data::{self, DataError, Reader, Sample};
use isrever_lab::exam::leave_out;
use isrever_lab::selfplay::{Games, Plan, Player};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rayon::prelude::*;
use std::convert::Infallible;
use std::fmt::Display;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Records read between two looks at the flag that ends a call.
const RECORDS_BETWEEN_CHECKS: usize = 1 << 16;

/// What is wrong with a file.
pub(crate) fn file_error(path: &Path, offence: impl Display) -> PyErr {
    refusal(format!("{}: {offence}", path.display()))
}

/// A file that cannot be opened or read: a missing one is the caller's mistake.
pub(crate) fn io_error(path: &Path, error: &io::Error) -> PyErr {
    match error.kind() {
        io::ErrorKind::NotFound => file_error(path, "no such file; expected a file"),
        io::ErrorKind::IsADirectory => file_error(path, "a directory; expected a file"),
        _ => PyOSError::new_err(format!("{}: {error}", path.display())),
    }
}

/// The samples of a file of 8×8 boards; fewer if `stop` is set.
fn read(path: &Path, rule: rules::Rule, stop: &AtomicBool) -> Result<Vec<Sample>, DataError> {
    let file = File::open(path)?;
    let length = file.metadata()?.len() as usize;
    let reader = Reader::new(file)?.only(rule, Size::EIGHT)?;
    let mut samples = Vec::with_capacity(length / data::RECORD_BYTES);
    for sample in reader {
        samples.push(sample?);
        if samples.len().is_multiple_of(RECORDS_BETWEEN_CHECKS) && stop.load(Relaxed) {
            break;
        }
    }
    Ok(samples)
}

/// The 8×8 boards of a file of positions, in any format.
fn positions(path: &Path) -> PyResult<Vec<Board>> {
    let bytes = fs::read(path).map_err(|error| io_error(path, &error))?;
    let records = text::records(&bytes, None, Defaults::default());
    let mut boards = Vec::new();
    for (record, number) in records.map_err(|error| file_error(path, error))?.zip(1..) {
        let record = record.map_err(|error| file_error(path, error))?;
        let position = record.game.position();
        match position.board() {
            Some(board) if position.size() == Size::EIGHT => boards.push(board),
            _ => {
                let offence = format!("position {number}: not an 8x8 board; expected one");
                return Err(file_error(path, offence));
            }
        }
    }
    Ok(boards)
}

/// Boards with the features that networks are trained on, and their labels.
#[pyclass(module = "isrever", frozen, get_all)]
pub(crate) struct SampleSet {
    /// The discs of the side to move and of the other side as bits: n × 2 of uint64.
    boards: Py<PyArray2<u64>>,
    /// The features of each board: n × 62 of uint32. First the classes of its 58 patterns; then own
    /// moves, opponent's moves, odd quadrants and parity, counted from `network_rows()` on.
    features: Py<PyArray2<u32>>,
    /// The phase of each board: n of uint8, from 0 to 29.
    phases: Py<PyArray1<u8>>,
    /// What each board is worth to the side to move, in discs: n of float32.
    labels: Py<PyArray1<f32>>,
    /// A hash of boards and labels.
    fingerprint: u64,
}

#[pymethods]
impl SampleSet {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.labels.bind(py).len()
    }
}

impl SampleSet {
    fn new(py: Python<'_>, samples: &[Sample], scores: &[f32]) -> PyResult<SampleSet> {
        let (shape, count) = (Shape::WIDE, samples.len());
        let boards: Bound<'_, PyArray2<u64>> = array::zeros(py, &[count, 2])?;
        let features: Bound<'_, PyArray2<u32>> = array::zeros(py, &[count, shape.feature_count()])?;
        let phases: Bound<'_, PyArray1<u8>> = array::zeros(py, &[count])?;
        let labels: Bound<'_, PyArray1<f32>> = array::zeros(py, &[count])?;
        {
            let mut labels = labels.readwrite();
            labels.as_slice_mut()?.copy_from_slice(scores);
            let (mut boards, mut features) = (boards.readwrite(), features.readwrite());
            let mut phases = phases.readwrite();
            let (boards, features) = (boards.as_slice_mut()?, features.as_slice_mut()?);
            let phases = phases.as_slice_mut()?;
            run(py, None, |call: &Call<()>| {
                let boards = boards.par_chunks_exact_mut(2);
                let features = features.par_chunks_exact_mut(shape.feature_count());
                let rows = boards.zip(features).zip(phases.par_iter_mut()).zip(samples);
                rows.for_each(|(((bits, features), phase), sample)| {
                    if call.stop().load(Relaxed) {
                        return;
                    }
                    let board = sample.board();
                    bits.copy_from_slice(&[board.player, board.opponent]);
                    *phase = shape.phase(sample.discs()) as u8;
                    for (feature, class) in features.iter_mut().zip(shape.features(board)) {
                        *feature = class;
                    }
                });
            })?;
        }
        Ok(SampleSet {
            boards: boards.unbind(),
            features: features.unbind(),
            phases: phases.unbind(),
            labels: labels.unbind(),
            fingerprint: fingerprint(samples, scores),
        })
    }
}

/// A hash of boards and scores, whatever their order.
fn fingerprint(samples: &[Sample], scores: &[f32]) -> u64 {
    let hash = |(sample, score): (&Sample, &f32)| {
        let mixed = sample.board().hash() ^ u64::from(score.to_bits()) << 20;
        (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    };
    samples.par_iter().zip(scores).map(hash).reduce(|| 0, u64::wrapping_add)
}

/// Reads files of samples (`isrever train selfplay`) of 8×8 boards of one rule; returns the set to
/// train on and the set of games held out.
///
/// Equal boards, up to symmetry, become one with the mean of their labels, or with the proved label
/// if there is one. The positions of the files in `exclude`, in any format, are left out, with their
/// images.
#[pyfunction]
#[pyo3(
    signature = (paths, *, rule = RuleArg(rules::Rule::Reversed), exclude = Vec::new()),
    text_signature = "(paths, *, rule='reversed', exclude=[])"
)]
pub(crate) fn training_set(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    rule: RuleArg,
    exclude: Vec<PathBuf>,
) -> PyResult<(SampleSet, SampleSet)> {
    let excluded: Vec<Vec<Board>> =
        exclude.iter().map(|path| positions(path)).collect::<PyResult<_>>()?;
    let excluded = excluded.concat();
    let files = run(py, None, |call: &Call<()>| {
        let read = |path: &PathBuf| read(path, rule.0, call.stop());
        paths.par_iter().map(read).collect::<Vec<Result<Vec<Sample>, DataError>>>()
    })?;
    let mut samples = Vec::with_capacity(paths.len());
    for (path, file) in paths.iter().zip(files) {
        samples.push(file.map_err(|error| match error {
            DataError::Io(error) => io_error(path, &error),
            error => file_error(path, error),
        })?);
    }
    let (mut samples, mut scores) = run(py, None, |_: &Call<()>| {
        let mut all = Vec::with_capacity(samples.iter().map(Vec::len).sum());
        for file in samples {
            all.extend(file);
        }
        data::merge_exactly(leave_out(all, &excluded))
    })?;
    let (mut held_out, mut held_out_scores) = (Vec::new(), Vec::new());
    let mut kept = 0;
    for i in 0..samples.len() {
        if samples[i].is_held_out() {
            held_out.push(samples[i]);
            held_out_scores.push(scores[i]);
        } else {
            (samples[kept], scores[kept]) = (samples[i], scores[i]);
            kept += 1;
        }
    }
    samples.truncate(kept);
    scores.truncate(kept);
    let training = SampleSet::new(py, &samples, &scores)?;
    Ok((training, SampleSet::new(py, &held_out, &held_out_scores)?))
}

/// Plays games on 8×8 and returns their samples, the bytes of a file as `isrever train selfplay`
/// writes it. `isrever.train.selfplay` calls it.
#[pyfunction]
#[pyo3(signature = (games, *, first, seed, rule, player, random, solve_from, lambda_, weights, progress))]
#[expect(clippy::too_many_arguments, reason = "they have names where it is called")]
pub(crate) fn selfplay<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = numbers::games)] games: u64,
    #[pyo3(from_py_with = numbers::first)] first: u64,
    #[pyo3(from_py_with = numbers::seed)] seed: u64,
    rule: RuleArg,
    player: &str,
    #[pyo3(from_py_with = numbers::random)] random: (u32, u32),
    #[pyo3(from_py_with = numbers::ending)] solve_from: u32,
    #[pyo3(from_py_with = numbers::lambda)] lambda_: f32,
    weights: Option<PathBuf>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let player: Player =
        player.parse().map_err(|error| refusal(format!("player {player:?} is {error}")))?;
    let weights = match weights {
        Some(path) => Some(weights_of(&path, rule.0)?),
        None => Weights::embedded(rule.0, Size::EIGHT),
    };
    let plan = Plan {
        player,
        random_plies: random.0..=random.1,
        weights,
        solve_from,
        lambda: lambda_,
        ..Plan::new(rule.0, Size::EIGHT, seed)
    };
    let bytes = run(py, progress, |call| {
        let mut bytes = data::header(rule.0, Size::EIGHT).to_vec();
        let mut played = 0;
        let mut take = |games, samples: &[Sample]| {
            bytes.extend(data::records(samples));
            played += games;
            call.report(|| played);
            Ok::<(), Infallible>(())
        };
        let crew = Crew::Here(std::thread::available_parallelism().map_or(1, usize::from));
        let games =
            Games::new(plan, None).play(&crew, first..first + games, &mut take, call.stop());
        games.expect("threads of this machine play every game");
        bytes
    })?;
    Ok(PyBytes::new(py, &bytes))
}

/// The weights of a file, for 8×8 and `rule`; `embedded` stands for those of the program.
pub(crate) fn weights_of(path: &Path, rule: rules::Rule) -> PyResult<&'static Weights> {
    if let Some(weights) =
        Weights::embedded(rule, Size::EIGHT).filter(|_| path == Path::new("embedded"))
    {
        return Ok(weights);
    }
    let weights = load_weights(path).map_err(|error| file_error(path, error))?;
    let (own, size) = (weights.rule(), weights.shape().size());
    if own != rule {
        let offence = format!("weights for the {own} rule; expected the {rule} rule");
        return Err(file_error(path, offence));
    }
    if size != Size::EIGHT {
        return Err(file_error(path, format!("weights for {size}x{size}; expected 8x8")));
    }
    Ok(weights)
}
