//! The entry of `zero` in a catalogue: `zero:playouts=800`.

use super::{Zero, ZeroSettings};
use crate::network::{Network, NetworkError};
use isrever_agent::{
    Agent, AgentSpec, Entry, Key, Kind, Limited, LoadError, LoadedFiles, Needs, Settings, Share,
    SpecError, Threads,
};
use std::path::Path;
use std::time::Duration;

const NAME: &str = "zero";
const PLAYOUTS: Key = Key::count("playouts");
const THREADS: Key = Key::new("threads", "a whole number from 1 to 1024").of_machine();
const HASH: Key = Key::new("hash", "MiB from 1 to 65536").of_machine();
const ENDING: Key = Key::new("ending", "empty squares from 0 to 60");
const WEIGHTS: Key = Key::new("weights", "a file with a network").of_file();

/// The memory of the tree without a number, in MiB.
const DEFAULT_MIB: usize = 64;

/// The files that were read; none is longer than 256 MiB.
static LOADED: LoadedFiles<Network> = LoadedFiles::new(256 << 20);

/// The network in a file that `python -m isrever.zero` wrote. It stays until the program ends.
///
/// # Errors
/// If there is no such file, or it holds something else.
pub fn load_network(path: &Path) -> Result<&'static Network, LoadError<NetworkError>> {
    LOADED.load(path, Network::from_bytes)
}

impl Zero {
    /// Its entry in a catalogue.
    pub fn entry() -> Entry {
        let about = "AlphaZero: a tree search guided by a network: playouts=800, time=5s";
        Entry::new(NAME, about, make)
            .of_kind(Kind::Engine)
            .with_keys(&[WEIGHTS, PLAYOUTS, THREADS, HASH, ENDING, Key::TIME])
            .with_needs(|settings| {
                let (zero, _) = read(settings)?;
                Ok(Needs {
                    threads: Threads::Count(zero.threads),
                    memory_bytes: Some(zero.tree_bytes as u64),
                    only: Some((zero.network.rule(), zero.network.shape().size())),
                    ..Needs::default()
                })
            })
    }
}

/// What a spec says, and the time for a move.
fn read(settings: &mut Settings<'_>) -> Result<(ZeroSettings, Option<Duration>), SpecError> {
    let network = match settings.text(WEIGHTS.name) {
        Some(file) => {
            let refusal = |error| SpecError::other(NAME, format!("weights={file}: {error}"));
            load_network(Path::new(file)).map_err(refusal)?
        }
        None => Network::embedded(),
    };
    let playouts = settings.count(&PLAYOUTS)?;
    let within = |text: &str, most: usize| {
        text.parse().ok().filter(|number: &usize| (1..=most).contains(number))
    };
    let threads = settings.read(&THREADS, |text| within(text, 1024))?.unwrap_or(1);
    let mib = settings.read(&HASH, |text| within(text, 1 << 16))?.unwrap_or(DEFAULT_MIB);
    let ending = settings
        .read(&ENDING, |text| text.parse().ok().filter(|empties| (0..=60).contains(empties)))?;
    let time = settings.time()?;
    Ok((ZeroSettings { network, playouts, threads, tree_bytes: mib << 20, ending }, time))
}

/// Makes the agent of a spec. Nothing in it is random: the seed does not matter.
fn make(spec: &AgentSpec, _seed: u64) -> Result<Box<dyn Agent>, SpecError> {
    let mut settings = Settings::new(spec)?;
    let (zero, time) = read(&mut settings)?;
    settings.finish()?;
    Ok(Limited::new(Box::new(Zero::new(zero)), Share { time, ..Share::default() }))
}
