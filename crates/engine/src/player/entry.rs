//! The engine's entry in the catalogue: `engine:level=5,threads=2`.

use super::{Player, PlayerSettings, SMALL_HASH_BYTES};
use crate::level::{Level, Strength};
use isrever_agent::{
    Agent, AgentSpec, Entry, Key, Kind, Limited, Needs, Settings, Share, SpecError, Threads,
};
use isrever_search::has_room;
use std::time::Duration;

/// Up to this depth a search needs little memory.
const SHALLOW: u32 = 8;

const LEVEL: Key = Key::new("level", "a number from 1 to 20");
const THREADS: Key = Key::new("threads", "a number from 1 to 1024").of_machine();
const HASH: Key = Key::new("hash", "MiB from 1 to 65536").of_machine();
const SLACK: Key = Key::new("slack", "discs from 0 to 64");
const ENDING: Key = Key::new("ending", "a number from 0 to 60");

/// The keys of the engine's settings.
const KEYS: [Key; 8] = [LEVEL, THREADS, HASH, SLACK, ENDING, Key::TIME, Key::DEPTH, Key::NODES];

/// The engine's entry. On boards larger than 8×8 it plays as the agent that `larger` makes.
pub fn entry(larger: fn() -> Box<dyn Agent>) -> Entry {
    let about = "the engine: trained patterns, deep search, perfect endings; level=1 to 20";
    Entry::new("engine", about, move |spec, seed| make(spec, seed, larger()))
        .of_kind(Kind::Engine)
        .with_keys(&KEYS)
        .with_needs(|settings| {
            let Engine { player, .. } = Engine::read(settings)?;
            Ok(Needs {
                threads: Threads::Count(player.threads),
                memory_bytes: Some(player.hash_bytes as u64),
                ..Needs::default()
            })
        })
}

/// What a spec says of the engine.
struct Engine {
    player: PlayerSettings,
    /// The time for a move.
    time: Option<Duration>,
}

impl Engine {
    /// Reads the settings; the seed stays as it is by default.
    fn read(settings: &mut Settings<'_>) -> Result<Engine, SpecError> {
        let default = PlayerSettings::default();
        let level = settings.read(&LEVEL, |text| text.parse().ok())?;
        let threads = settings.read(&THREADS, |text| {
            text.parse().ok().filter(|threads| (1..=1024).contains(threads))
        })?;
        let hash_mib: Option<usize> = settings
            .read(&HASH, |text| text.parse().ok().filter(|mib| (1..=1 << 16).contains(mib)))?;
        let slack = settings
            .read(&SLACK, |text| text.parse().ok().filter(|discs| (0.0..=64.0).contains(discs)))?;
        let ending = settings
            .read(&ENDING, |text| text.parse().ok().filter(|empties| (0..=60).contains(empties)))?;
        let share = settings.share()?;
        let mut strength = level.map_or(Strength::FULL, Level::strength);
        // Settings beside a level change it.
        strength.depth = share.depth.or(strength.depth);
        strength.nodes = share.nodes.or(strength.nodes);
        strength.slack = slack.unwrap_or(strength.slack);
        strength.ending = ending.unwrap_or(strength.ending);
        let is_small =
            strength.depth.is_some_and(|depth| depth <= SHALLOW) && strength.ending <= 12;
        let hash_bytes = if is_small { SMALL_HASH_BYTES } else { default.hash_bytes };
        let player = PlayerSettings {
            threads: threads.unwrap_or(default.threads),
            hash_bytes: hash_mib.map_or(hash_bytes, |mib| mib << 20),
            strength,
            ..default
        };
        Ok(Engine { player, time: share.time })
    }
}

/// Makes the engine of a spec, with an agent for larger boards.
fn make(spec: &AgentSpec, seed: u64, larger: Box<dyn Agent>) -> Result<Box<dyn Agent>, SpecError> {
    let mut settings = Settings::new(spec)?;
    let Engine { player, time } = Engine::read(&mut settings)?;
    settings.finish()?;
    if spec.get(HASH.name).is_some() && !has_room(player.hash_bytes) {
        let mib = player.hash_bytes >> 20;
        let offence = format!("hash={mib}; expected MiB that can be had");
        return Err(SpecError::other(spec.name(), offence));
    }
    let player = Player::new(PlayerSettings { seed, ..player }).with_larger_boards(larger);
    Ok(Limited::new(Box::new(player), Share { time, ..Share::default() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_agent::{Catalogue, Random};

    #[test]
    fn what_is_wrong_with_an_engine_s_spec_is_named() {
        for (spec, words) in [
            ("engine:level=21", "engine was given level=21; expected a number from 1 to 20"),
            ("engine:slack=-1", "engine was given slack=-1; expected discs from 0 to 64"),
            (
                "engine:lvl=3",
                "engine has no key \"lvl\"; expected level, threads, hash, slack, ending",
            ),
        ] {
            let catalogue = Catalogue::new([entry(|| Box::new(Random::new(1)))]);
            let error = catalogue.make(spec, 1).err().unwrap().to_string();
            assert!(error.starts_with(words), "{error}");
        }
    }
}
