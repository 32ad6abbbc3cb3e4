//! Games for `isrever.zero`: a network's games against itself, and what it learns from them.

use crate::arguments::{RuleArg, SizeArg, numbers, refusal};
use crate::long_call::{Call, run};
use isrever_board::{Board, Size};
use isrever_zero::{
    Evaluation, Finished, FloatNetwork, Network, Plan, Sample, SelfPlay, Shape, Stakes,
};
use numpy::{
    PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray2,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rayon::prelude::*;

/// Words of a board: discs and moves of either side.
const WORDS: usize = 4;
/// Squares of a policy, whatever the size of the board.
const SQUARES: usize = 64;
/// The most groups, and teams of a group: a million games.
const MOST_GROUPS: usize = 4;
const MOST_TEAMS: usize = 4096;
/// Boards that a processor evaluates at once.
const BOARDS_AT_ONCE: usize = 16;
/// Stands between the moves of two games.
const END_OF_GAME: u8 = 255;

/// Logits, and expected results and scores.
type Said<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray2<f32>>);

/// What a network is told about a board.
fn words(board: Board, size: Size) -> [u64; WORDS] {
    [board.player, board.opponent, board.moves(size), board.pass().moves(size)]
}

/// Games of a network against itself, many at once. Each waits for what the network says about one
/// board. `isrever.zero` plays them.
#[pyclass(module = "isrever")]
pub(crate) struct ZeroGames {
    games: SelfPlay,
    groups: usize,
    size: Size,
}

impl ZeroGames {
    fn group(&self, group: usize) -> PyResult<usize> {
        let groups = self.groups;
        let wrong = || refusal(format!("group {group}; expected 0 to {}", groups - 1));
        (group < groups).then_some(group).ok_or_else(wrong)
    }

    /// The rows of an array for the boards of a group.
    fn rows<'a>(
        &self,
        out: &'a mut PyReadwriteArray2<'_, u64>,
    ) -> PyResult<&'a mut [[u64; WORDS]]> {
        let (shape, expected) = (out.shape(), [self.games.group_len(), WORDS]);
        if shape != expected {
            return Err(refusal(format!("out has shape {shape:?}; expected {expected:?}")));
        }
        let out = out.as_slice_mut().map_err(|error| refusal(format!("out: {error}")))?;
        Ok(out.as_chunks_mut().0)
    }
}

#[pymethods]
impl ZeroGames {
    #[new]
    #[pyo3(signature = (
        size, rule, *, groups, teams, seed, visits, fast_visits, full_share, random_plies,
        solve_leaves_from, solve_games_from, score_weight
    ))]
    #[expect(clippy::too_many_arguments, reason = "they have names where it is called")]
    fn new(
        py: Python<'_>,
        size: SizeArg,
        rule: RuleArg,
        groups: usize,
        teams: usize,
        #[pyo3(from_py_with = numbers::seed)] seed: u64,
        visits: usize,
        fast_visits: usize,
        full_share: f64,
        random_plies: u32,
        solve_leaves_from: u32,
        solve_games_from: u32,
        score_weight: f64,
    ) -> PyResult<ZeroGames> {
        let size = size.with_bits()?;
        if !(1..=MOST_GROUPS).contains(&groups) || !(1..=MOST_TEAMS).contains(&teams) {
            let expected = format!("expected 1 to {MOST_GROUPS}, and 1 to {MOST_TEAMS}");
            return Err(refusal(format!("{groups} groups of {teams} teams; {expected}")));
        }
        #[expect(clippy::cast_possible_truncation, reason = "from 0 to 1")]
        let score_weight = score_weight as f32;
        let plan = Plan {
            stakes: Stakes { rule: rule.0, size, score_weight },
            visits,
            fast_visits,
            full_share,
            random_plies,
            solve_leaves_from,
            solve_games_from,
            seed,
        };
        plan.check().map_err(refusal)?;
        let games = py.detach(|| SelfPlay::new(plan, groups, teams));
        Ok(ZeroGames { games, groups, size })
    }

    /// The number of games in a group.
    #[getter]
    fn group_len(&self) -> usize {
        self.games.group_len()
    }

    /// Writes the boards that a group waits for into `out`: n × 4 of uint64, the discs of the side
    /// to move and of the other, and the moves of either, as bits.
    fn boards(
        &self,
        group: usize,
        #[pyo3(from_py_with = writable)] mut out: PyReadwriteArray2<'_, u64>,
    ) -> PyResult<()> {
        let group = self.group(group)?;
        for (row, board) in self.rows(&mut out)?.iter_mut().zip(self.games.boards(group)) {
            *row = words(board, self.size);
        }
        Ok(())
    }

    /// Hands each game of a group what the network says about its board, and takes it to the next
    /// board, which it writes into `out` as `boards` does: logits for the squares, n × 64 of float32,
    /// and the expected result (−1 to 1) and score, n × 2 of float32.
    fn step(
        &mut self,
        py: Python<'_>,
        group: usize,
        #[pyo3(from_py_with = readable)] policy: PyReadonlyArray2<'_, f32>,
        #[pyo3(from_py_with = readable)] values: PyReadonlyArray2<'_, f32>,
        #[pyo3(from_py_with = writable)] mut out: PyReadwriteArray2<'_, u64>,
    ) -> PyResult<()> {
        let group = self.group(group)?;
        let count = self.games.group_len();
        for (name, array, width) in [("policy", &policy, SQUARES), ("values", &values, 2)] {
            let (shape, expected) = (array.shape(), [count, width]);
            if shape != expected {
                return Err(refusal(format!("{name} has shape {shape:?}; expected {expected:?}")));
            }
        }
        let policy = policy.as_slice().map_err(|error| refusal(format!("policy: {error}")))?;
        let values = values.as_slice().map_err(|error| refusal(format!("values: {error}")))?;
        let rows = self.rows(&mut out)?;
        if !py.detach(|| policy.par_iter().chain(values).all(|number| number.is_finite())) {
            return Err(refusal("the network said infinity or NaN; expected finite numbers"));
        }
        let (policies, _) = policy.as_chunks::<SQUARES>();
        let (values, _) = values.as_chunks::<2>();
        let evaluation = |place: usize| {
            let [value, score] = values[place];
            Evaluation { policy: policies[place], value, score }
        };
        let (games, size) = (&mut self.games, self.size);
        py.detach(|| games.step(group, evaluation, |board| words(board, size), rows));
        Ok(())
    }

    /// Takes the games that are over by now.
    fn take(&mut self) -> ZeroSamples {
        ZeroSamples { games: self.games.take(), size: self.size }
    }
}

/// Games that are over, and the boards to learn from.
#[pyclass(module = "isrever", frozen)]
pub(crate) struct ZeroSamples {
    games: Vec<Finished>,
    size: Size,
}

impl ZeroSamples {
    fn samples(&self) -> impl Iterator<Item = &Sample> {
        self.games.iter().flat_map(|game| &game.samples)
    }

    fn array<'py, T: numpy::Element>(
        &self,
        py: Python<'py>,
        of: impl Fn(&Sample) -> T,
    ) -> Bound<'py, PyArray1<T>> {
        PyArray1::from_iter(py, self.samples().map(of))
    }
}

#[pymethods]
impl ZeroSamples {
    fn __len__(&self) -> usize {
        self.samples().count()
    }

    /// The number of games.
    #[getter]
    fn games(&self) -> usize {
        self.games.len()
    }

    /// The boards as `ZeroGames.boards` has them: n × 4 of uint64.
    #[getter]
    fn boards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        let flat: Vec<u64> =
            self.samples().flat_map(|sample| words(sample.board, self.size)).collect();
        PyArray1::from_vec(py, flat).reshape([self.__len__(), WORDS])
    }

    /// The improved policy, a part of 65535 for each square: n × 64 of uint16.
    #[getter]
    fn policies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u16>>> {
        let flat: Vec<u16> = self.samples().flat_map(|sample| sample.policy).collect();
        PyArray1::from_vec(py, flat).reshape([self.__len__(), SQUARES])
    }

    /// The final score of the side to move: n of int8.
    #[getter]
    fn scores<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        self.array(py, |sample| sample.score)
    }

    /// The squares that the side to move owns in the end, as bits: n of uint64.
    #[getter]
    fn owned<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        self.array(py, |sample| sample.owned)
    }

    /// The square of the opponent's reply, 64 without one: n of uint8.
    #[getter]
    fn replies<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        self.array(py, |sample| sample.reply)
    }

    /// The games: a byte for the square of each move, from 0 (a1) to 63, and 255 after the last.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let games = self.games.iter();
        let bytes: Vec<u8> =
            games.flat_map(|game| game.moves.iter().copied().chain([END_OF_GAME])).collect();
        PyBytes::new(py, &bytes)
    }
}

fn readable<'py>(given: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArray2<'py, f32>> {
    given.extract().map_err(|_| refusal("no such array; expected two dimensions of float32"))
}

fn writable<'py>(given: &Bound<'py, PyAny>) -> PyResult<PyReadwriteArray2<'py, u64>> {
    let wrong = "no such array; expected two dimensions of uint64 that can be written";
    given.extract().map_err(|_| refusal(wrong))
}

/// The layers of a network in the order of their numbers: name, squares that it sees, inputs and
/// outputs of each.
#[pyfunction]
pub(crate) fn zero_layers(
    size: SizeArg,
    blocks: usize,
    channels: usize,
) -> PyResult<Vec<(String, usize, usize, usize)>> {
    let shape = Shape::new(size.with_bits()?, blocks, channels).map_err(refusal)?;
    let layers = shape.layers().into_iter();
    Ok(layers.map(|layer| (layer.name, layer.taps, layer.inputs, layer.outputs)).collect())
}

/// The bytes of a file with this network: the weights and then the biases of each of its layers, all
/// float32 in a row. Its activations are measured on boards as `ZeroGames.boards` has them.
#[pyfunction]
#[pyo3(signature = (parameters, boards, *, size, rule, blocks, channels))]
pub(crate) fn zero_network_bytes<'py>(
    py: Python<'py>,
    parameters: &Bound<'py, PyAny>,
    boards: &Bound<'py, PyAny>,
    size: SizeArg,
    rule: RuleArg,
    blocks: usize,
    channels: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let shape = Shape::new(size.with_bits()?, blocks, channels).map_err(refusal)?;
    let wrong = "no such array; expected float32 in one piece";
    let parameters: PyReadonlyArray1<'_, f32> = parameters.extract().map_err(|_| refusal(wrong))?;
    let parameters = parameters.as_slice().map_err(|_| refusal(wrong))?;
    let float = FloatNetwork::new(rule.0, shape, parameters).map_err(refusal)?;
    let boards = read_boards(boards)?;
    let bytes = run(py, None, |_: &Call<()>| Network::quantize(&float, &boards).to_bytes())?;
    Ok(PyBytes::new(py, &bytes))
}

/// What the network of such bytes says about boards as `ZeroGames.boards` has them, on this
/// processor: logits, n × 64 of float32, and expected result and score, n × 2 of float32.
#[pyfunction]
pub(crate) fn zero_evaluations<'py>(
    py: Python<'py>,
    network: &[u8],
    boards: &Bound<'py, PyAny>,
) -> PyResult<Said<'py>> {
    let network = Network::from_bytes(network).map_err(refusal)?;
    let boards = read_boards(boards)?;
    let evaluations: Vec<Evaluation> = run(py, None, |_: &Call<()>| {
        let evaluate = |boards: &[Board]| {
            let mut out = Vec::with_capacity(boards.len());
            network.evaluate(boards, &mut out);
            out
        };
        boards.par_chunks(BOARDS_AT_ONCE).flat_map_iter(evaluate).collect()
    })?;
    let policies: Vec<f32> = evaluations.iter().flat_map(|said| said.policy).collect();
    let values: Vec<f32> = evaluations.iter().flat_map(|said| [said.value, said.score]).collect();
    let count = evaluations.len();
    Ok((
        PyArray1::from_vec(py, policies).reshape([count, SQUARES])?,
        PyArray1::from_vec(py, values).reshape([count, 2])?,
    ))
}

/// Boards as `ZeroGames.boards` has them.
fn read_boards(given: &Bound<'_, PyAny>) -> PyResult<Vec<Board>> {
    const WHAT: &str = "boards in one piece, n x 4 of uint64";
    let words: PyReadonlyArray2<'_, u64> =
        given.extract().map_err(|_| refusal(format!("no such array; expected {WHAT}")))?;
    if words.shape()[1] != WORDS {
        return Err(refusal(format!("an array of shape {:?}; expected {WHAT}", words.shape())));
    }
    let words =
        words.as_slice().map_err(|_| refusal(format!("an array in pieces; expected {WHAT}")))?;
    let (rows, _) = words.as_chunks::<WORDS>();
    let boards = rows.iter().map(|&[player, opponent, ..]| Board { player, opponent });
    let boards: Vec<Board> = boards.collect();
    match boards.iter().position(|board| board.player & board.opponent != 0) {
        Some(number) => {
            let offence = format!("two discs on one square of board {number}");
            Err(refusal(format!("{offence}; expected at most one")))
        }
        None => Ok(boards),
    }
}
