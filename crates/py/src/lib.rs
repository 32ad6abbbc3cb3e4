//! The native half of the Python package `isrever`.
//!
//! What is here: the classes and functions of `isrever._native`, which `python/isrever/` exports,
//! and the conversions from and to Python: arguments (`arguments`, `array`), long calls
//! (`long_call`). What is not: rules, search and games between agents, which the crates below
//! implement, and everything that must be Python itself: the course's class, environments, tables
//! for notebooks.
//!
//! There are no tests here: a test program could not be linked (see `Cargo.toml`). They are in
//! `python/tests`, and run against the wheel.

mod agent;
mod analysis;
mod answer;
mod arguments;
mod array;
mod board;
mod book;
#[cfg(target_os = "linux")]
mod check;
mod engine;
mod game;
mod long_call;
mod network;
mod pickled;
mod players;
mod solve;
mod tournament;
mod training;
mod vector;
mod zero;

use pyo3::prelude::*;

/// The native half of isrever.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    array::prepare(module.py())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("Forfeit", module.py().get_type::<agent::Forfeit>())?;
    module.add_class::<arguments::Rule>()?;
    module.add_class::<board::Board>()?;
    module.add_class::<game::Game>()?;
    module.add_class::<book::Book>()?;
    module.add_class::<book::BookEntry>()?;
    module.add_class::<book::BookMove>()?;
    module.add_class::<engine::Engine>()?;
    module.add_class::<answer::Answer>()?;
    module.add_class::<solve::Progress>()?;
    module.add_class::<analysis::Verdict>()?;
    module.add_class::<agent::Agent>()?;
    module.add_class::<agent::Choice>()?;
    module.add_class::<agent::Parameter>()?;
    module.add_class::<tournament::PlayedGame>()?;
    module.add_class::<tournament::Row>()?;
    module.add_class::<vector::VectorEnv>()?;
    module.add_function(wrap_pyfunction!(board::symmetries, module)?)?;
    module.add_function(wrap_pyfunction!(solve::solve, module)?)?;
    module.add_function(wrap_pyfunction!(solve::solve_moves, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::analyze, module)?)?;
    module.add_function(wrap_pyfunction!(agent::agents, module)?)?;
    module.add_function(wrap_pyfunction!(agent::parameters, module)?)?;
    module.add_function(wrap_pyfunction!(tournament::tournament, module)?)?;
    module.add_class::<training::SampleSet>()?;
    module.add_function(wrap_pyfunction!(training::training_set, module)?)?;
    module.add_function(wrap_pyfunction!(training::selfplay, module)?)?;
    module.add_function(wrap_pyfunction!(network::network_rows, module)?)?;
    module.add_function(wrap_pyfunction!(network::network_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(network::values, module)?)?;
    module.add_class::<zero::ZeroGames>()?;
    module.add_class::<zero::ZeroSamples>()?;
    module.add_function(wrap_pyfunction!(zero::zero_layers, module)?)?;
    module.add_function(wrap_pyfunction!(zero::zero_network_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(zero::zero_evaluations, module)?)?;
    #[cfg(target_os = "linux")]
    {
        module.add_class::<check::Finding>()?;
        module.add_function(wrap_pyfunction!(check::check, module)?)?;
    }
    Ok(())
}
