//! All players: the built-in agents, programs of other people, and callables of this Python.

mod callable;

use crate::arguments::refusal;
use callable::{Callable, Watch};
use isrever_agent::{Catalogue, Entry};
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::path::PathBuf;

/// The name under which callables are entered, followed by a colon and their number.
const CALLABLE: &str = "callable";

/// All agents by name; files of Python are run by the Python that runs this.
pub(crate) fn catalogue(py: Python<'_>) -> PyResult<Catalogue> {
    let mut catalogue = isrever_players::catalogue();
    enter_guests(&mut catalogue, interpreter(py)?);
    Ok(catalogue)
}

/// `$ISREVER_PYTHON`, or the Python that runs this.
pub(crate) fn interpreter(py: Python<'_>) -> PyResult<Option<PathBuf>> {
    if let Some(named) = std::env::var_os("ISREVER_PYTHON") {
        return Ok(Some(named.into()));
    }
    let own: Option<PathBuf> = py.import("sys")?.getattr("executable")?.extract()?;
    // A program with Python in it may have none.
    Ok(own.filter(|program| !program.as_os_str().is_empty()))
}

#[cfg(target_os = "linux")]
fn enter_guests(catalogue: &mut Catalogue, python: Option<PathBuf>) {
    let defaults = isrever_guest::Defaults { python, ..isrever_guest::Defaults::default() };
    isrever_guest::enter(catalogue, defaults);
}

/// There are none where there is no sandbox for them.
#[cfg(not(target_os = "linux"))]
fn enter_guests(_: &mut Catalogue, _: Option<PathBuf>) {}

/// Players as they were given, and the catalogue that knows them all.
pub(crate) struct Players {
    pub(crate) catalogue: Catalogue,
    /// A name, if the player has one of its own, and the spec.
    pub(crate) specs: Vec<(Option<String>, String)>,
}

impl Players {
    /// Reads specs, callables that get a game and give a move, and pairs of a name and either.
    pub(crate) fn read(py: Python<'_>, given: &[Bound<'_, PyAny>]) -> PyResult<Players> {
        let mut catalogue = catalogue(py)?;
        let mut callables: Vec<Callable> = Vec::new();
        let mut specs = Vec::new();
        let mut watch = None;
        for player in given {
            let (name, player) = match player.extract::<(String, Bound<'_, PyAny>)>() {
                Ok((name, player)) => (Some(name), player),
                Err(_) => (None, player.clone()),
            };
            if let Ok(spec) = player.cast::<PyString>() {
                specs.push((name, spec.to_str()?.to_owned()));
            } else if player.is_callable() {
                let own = name.unwrap_or_else(|| distinct(&called(&player), &specs));
                specs.push((Some(own.clone()), format!("{CALLABLE}:{}", callables.len())));
                let watch = match &watch {
                    Some(watch) => watch,
                    None => watch.insert(Watch::new()?),
                };
                callables.push(Callable::new(own, player.unbind(), watch));
            } else {
                let kind = player.get_type();
                let expected = "expected an agent's spec or a function of a game";
                return Err(refusal(format!("a player that is {kind}; {expected}")));
            }
        }
        let about = "a function of Python";
        catalogue.add(Entry::new(CALLABLE, about, move |spec, _| {
            let number: Option<usize> = spec.rest.parse().ok();
            match number.and_then(|number| callables.get(number)) {
                Some(callable) => Ok(Box::new(callable.clone())),
                None => Err(isrever_agent::SpecError::Other {
                    agent: spec.name.to_owned(),
                    offence: "it has no name of its own; expected the function itself".to_owned(),
                }),
            }
        }));
        for (_, spec) in &specs {
            catalogue.make(spec, 1).map_err(refusal)?;
        }
        Ok(Players { catalogue, specs })
    }
}

/// The name, with a number if one of the others has it already: two functions may be called alike.
fn distinct(name: &str, others: &[(Option<String>, String)]) -> String {
    let is_taken = |name: &String| others.iter().any(|(other, _)| other.as_ref() == Some(name));
    let mut names = std::iter::once(name.to_owned()).chain((2..).map(|n| format!("{name} #{n}")));
    names.find(|name| !is_taken(name)).expect("there is no end of names")
}

/// What a function is called.
fn called(function: &Bound<'_, PyAny>) -> String {
    let name = function.getattr("__name__").or_else(|_| function.get_type().getattr("__name__"));
    name.and_then(|name| name.extract()).unwrap_or_else(|_| "function".to_owned())
}
