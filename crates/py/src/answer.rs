//! `isrever.Answer`: the result of a search of a position, or of one of its moves.

use crate::pickled::pickled;
use isrever_board::Move;
use isrever_search as search;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use std::time::Instant;

/// The result of a search, seen by the side to move.
#[pyclass(module = "isrever", frozen, from_py_object)]
#[derive(Clone)]
pub(crate) struct Answer {
    value: f64,
    /// The best move, or `pass`; `None` when the game is over.
    #[pyo3(get)]
    best: Option<String>,
    /// The depth of the search, in plies.
    #[pyo3(get)]
    depth: u32,
    /// The confidence of its selective cuts, in percent; 100 if there were none.
    #[pyo3(get)]
    confidence: u8,
    /// Whether the value is proved.
    #[pyo3(get)]
    exact: bool,
    /// The principal variation: the best moves of both sides, as far as known.
    #[pyo3(get)]
    pv: Vec<String>,
    /// Nodes searched; if every move gets a value, by all moves so far.
    #[pyo3(get)]
    nodes: u64,
    /// The time since the question was asked.
    #[pyo3(get)]
    seconds: f64,
}

pickled!(Answer { value, best, depth, confidence, exact, pv, nodes, seconds });

impl Answer {
    pub(crate) fn new(answer: &search::Answer, began: Instant) -> Answer {
        let pv: Vec<String> = answer.pv.iter().map(Move::to_string).collect();
        Answer {
            value: answer.value,
            best: pv.first().cloned(),
            depth: answer.depth,
            confidence: answer.confidence,
            exact: answer.is_exact,
            pv,
            nodes: answer.nodes,
            seconds: began.elapsed().as_secs_f64(),
        }
    }

    /// The same with only the sign of the value.
    pub(crate) fn wld(self) -> Answer {
        let value = if self.value == 0.0 { 0.0 } else { self.value.signum() };
        Answer { value, ..self }
    }

    fn rounded(&self) -> i64 {
        #[expect(clippy::cast_possible_truncation, reason = "no value exceeds the squares")]
        let rounded = self.value.round() as i64;
        rounded
    }
}

#[pymethods]
impl Answer {
    /// The value for the side to move, in discs: an `int` from a search, a `float` from a static
    /// evaluation between two discs. Of a search for win, draw or loss, only its sign.
    #[getter]
    fn value(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self.value.fract() == 0.0 {
            true => self.rounded().into_py_any(py),
            false => self.value.into_py_any(py),
        }
    }

    /// The value in whole discs.
    #[getter]
    fn score(&self) -> i64 {
        self.rounded()
    }

    /// The same as `best`.
    #[getter]
    fn r#move(&self) -> Option<&str> {
        self.best.as_deref()
    }

    /// The same as `confidence`.
    #[getter]
    fn percent(&self) -> u8 {
        self.confidence
    }

    /// The same as `pv`.
    #[getter]
    fn line(&self) -> Vec<String> {
        self.pv.clone()
    }

    fn __repr__(&self) -> String {
        let Answer { best, value, depth, nodes, .. } = self;
        let best = best.as_deref().unwrap_or("None");
        let exact = if self.exact { "exact" } else { "not exact" };
        let value = match value.fract() == 0.0 {
            true => format!("{:+}", self.rounded()),
            false => format!("{value:+.2}"),
        };
        format!("<Answer {best} {value} depth {depth} nodes {nodes} {exact}>")
    }
}
