//! The engine's entry in the catalogue: `engine:level=5,threads=2`.

use super::{Player, PlayerSettings, SMALL_HASH_BYTES};
use crate::level::{Level, Strength};
use isrever_agent::{Agent, Entry, Limited, Settings, Share, Spec, SpecError};
use isrever_search::has_room;

/// Up to this depth a search needs little memory.
const SHALLOW: u32 = 8;

/// How to ask for the engine. On boards larger than 8×8 it plays as the agent that `larger` makes.
pub fn entry(larger: fn() -> Box<dyn Agent>) -> Entry {
    let about = "the engine: trained patterns, deep search, perfect endings; level=1 to 20";
    Entry::new("engine", about, move |spec, seed| make(spec, seed, larger()))
}

/// The engine of a spec, with an agent for larger boards.
fn make(spec: Spec<'_>, seed: u64, larger: Box<dyn Agent>) -> Result<Box<dyn Agent>, SpecError> {
    let mut settings = Settings::new(spec)?;
    let default = PlayerSettings::default();
    let level = settings.read("level", "a number from 1 to 20", |text| text.parse().ok())?;
    let threads = settings.read("threads", "a number from 1 to 1024", |text| {
        text.parse().ok().filter(|threads| (1..=1024).contains(threads))
    })?;
    let hash_mib: Option<usize> = settings.read("hash", "MiB from 1 to 65536", |text| {
        text.parse().ok().filter(|mib| (1..=1 << 16).contains(mib))
    })?;
    let slack = settings.read("slack", "discs from 0 to 64", |text| {
        text.parse().ok().filter(|discs| (0.0..=64.0).contains(discs))
    })?;
    let ending = settings.read("ending", "a number from 0 to 60", |text| {
        text.parse().ok().filter(|empties| (0..=60).contains(empties))
    })?;
    let share = settings.share()?;
    settings.finish()?;
    if let Some(mib) = hash_mib.filter(|mib| !has_room(mib << 20)) {
        let offence = format!("hash={mib}; expected MiB that can be had");
        return Err(SpecError::Other { agent: spec.name.to_owned(), offence });
    }
    let mut strength = level.map_or(Strength::FULL, Level::strength);
    // What is said beside a level is said of it.
    strength.depth = share.depth.or(strength.depth);
    strength.nodes = share.nodes.or(strength.nodes);
    strength.slack = slack.unwrap_or(strength.slack);
    strength.ending = ending.unwrap_or(strength.ending);
    let is_small = strength.depth.is_some_and(|depth| depth <= SHALLOW) && strength.ending <= 12;
    let hash_bytes = if is_small { SMALL_HASH_BYTES } else { default.hash_bytes };
    let player = Player::new(PlayerSettings {
        threads: threads.unwrap_or(default.threads),
        hash_bytes: hash_mib.map_or(hash_bytes, |mib| mib << 20),
        strength,
        seed,
        ..default
    })
    .with_larger_boards(larger);
    let time = Share { time: share.time, ..Default::default() };
    Ok(Limited::new(Box::new(player), time))
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
