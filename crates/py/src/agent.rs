//! `isrever.Agent`: an agent of the catalogue, by its spec.

use crate::arguments::{self, LimitArgs, RuleArg, numbers, refusal};
use crate::attend::{Call, attend, unless_thinking};
use crate::pickled::pickled;
use crate::players;
use isrever_agent as agent;
use pyo3::create_exception;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::Mutex;
use std::time::{Duration, Instant};

create_exception!(
    isrever,
    Forfeit,
    PyRuntimeError,
    "An agent that is somebody else's program failed to give a legal move in time."
);

/// An agent's answer.
#[pyclass(module = "isrever", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct Choice {
    /// The square to play on.
    r#move: String,
    /// What it is worth to the agent, on a scale of its own, if it says.
    value: Option<f64>,
    /// How many plies it has looked ahead, if it counts them.
    depth: Option<u32>,
    /// How many boards it visited, or how many games it played out.
    nodes: u64,
    /// The time it took.
    seconds: f64,
}

pickled!(Choice { r#move, value, depth, nodes, seconds });

#[pymethods]
impl Choice {
    fn __repr__(&self) -> String {
        let Choice { r#move, nodes, .. } = self;
        format!("<Choice {move} nodes {nodes}>")
    }
}

/// An agent by its spec, such as `greedy:by=mobility`, `engine:level=5` or `python:ai.py`. All its
/// random choices come from the seed. `agents()` lists the names.
#[pyclass(module = "isrever", frozen)]
pub(crate) struct Agent {
    spec: String,
    agent: Mutex<Box<dyn agent::Agent>>,
}

#[pymethods]
impl Agent {
    #[new]
    #[pyo3(signature = (spec, *, seed = 1))]
    fn new(
        py: Python<'_>,
        spec: String,
        #[pyo3(from_py_with = numbers::seed)] seed: u64,
    ) -> PyResult<Agent> {
        let agent = players::catalogue(py)?.make(&spec, seed).map_err(refusal)?;
        Ok(Agent { spec, agent: Mutex::new(agent) })
    }

    /// What it was made of.
    #[getter]
    fn spec(&self) -> &str {
        &self.spec
    }

    /// The move it plays, within the limits; where nothing is limited, within those of its own.
    #[pyo3(signature = (game, *, rule = None, time = None, depth = None, nodes = None, clock = None))]
    #[expect(clippy::too_many_arguments, reason = "they have names where it is called")]
    fn choose(
        &self,
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        rule: Option<RuleArg>,
        #[pyo3(from_py_with = numbers::time)] time: Option<Duration>,
        #[pyo3(from_py_with = numbers::depth)] depth: Option<u32>,
        #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
        #[pyo3(from_py_with = numbers::clock)] clock: Option<Duration>,
    ) -> PyResult<Choice> {
        let game = arguments::game(game, rule)?;
        if !game.position().has_move() {
            let must = if game.is_over() { "the game is over" } else { "the side must pass" };
            return Err(refusal(format!("{must}; expected a position with a move")));
        }
        let began = Instant::now();
        let mut limits = LimitArgs { time, depth, nodes, clock }.settle();
        let agent = &mut *unless_thinking(&self.agent, "agent")?;
        let chosen = attend(py, None, |call: &Call<()>| {
            limits.stop = call.stop().clone();
            agent.choose(&game, &limits)
        })?;
        let choice = chosen.map_err(|forfeit| Forfeit::new_err(forfeit.to_string()))?;
        Ok(Choice {
            r#move: choice.square.to_string(),
            value: choice.value,
            depth: choice.depth,
            nodes: choice.nodes,
            seconds: began.elapsed().as_secs_f64(),
        })
    }

    fn __repr__(&self) -> String {
        format!("Agent('{}')", self.spec)
    }
}

/// The names of all agents, each with a line on how it plays.
#[pyfunction]
pub(crate) fn agents(py: Python<'_>) -> PyResult<Vec<(&'static str, &'static str)>> {
    let catalogue = players::catalogue(py)?;
    Ok(catalogue.entries().iter().map(|entry| (entry.name(), entry.about())).collect())
}

/// A number that an agent's play depends on; every one is a key of its spec.
#[pyclass(module = "isrever", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct Parameter {
    /// What it is called in specs.
    name: String,
    /// Its value in the spec.
    value: f64,
    /// Its value unless somebody says otherwise.
    default: f64,
    /// The least value that makes sense.
    least: f64,
    /// The greatest.
    most: f64,
    /// What values are multiples of; 0 if any number will do.
    step: f64,
}

pickled!(Parameter { name, value, default, least, most, step });

#[pymethods]
impl Parameter {
    fn __repr__(&self) -> String {
        let Parameter { name, value, least, most, .. } = self;
        format!("<Parameter {name}={value} from {least} to {most}>")
    }
}

/// What can be tuned of an agent, with the values that its spec gives; nothing for one that has no
/// parameters.
#[pyfunction]
pub(crate) fn parameters(py: Python<'_>, spec: &str) -> PyResult<Vec<Parameter>> {
    let found = players::catalogue(py)?.parameters(spec).map_err(refusal)?;
    let Some(found) = found else { return Ok(Vec::new()) };
    let parameter = |(parameter, &value): (&agent::Parameter, &f64)| {
        let agent::Parameter { name, default, least, most, step, .. } = parameter.clone();
        Parameter { name, value, default, least, most, step }
    };
    Ok(found.table().iter().zip(found.values()).map(parameter).collect())
}
