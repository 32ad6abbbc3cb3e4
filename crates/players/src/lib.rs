//! All built-in agents in one catalogue, which every screen and command shows.
//!
//! The crates with agents do not know each other; this crate puts their entries
//! together. What is not here: programs of other people. A door that allows them
//! adds their entries itself (`isrever-guest`).

use isrever_agent::{Agent, Catalogue, Parameters};
use isrever_engine::{Player, PlayerSettings};
use isrever_reports::Genetic;
use isrever_zero::Zero;

/// The built-in agents, roughly the weakest first.
pub fn catalogue() -> Catalogue {
    let mut catalogue = isrever_reports::catalogue();
    catalogue.add(Zero::entry());
    catalogue.add(isrever_engine::entry(larger_boards));
    catalogue
}

/// The engine, for boards of every size.
pub fn engine(settings: PlayerSettings) -> Player {
    Player::new(settings).with_larger_boards(larger_boards())
}

/// The player on boards larger than 8×8, where the engine's search cannot: the best of the
/// reports' agents.
fn larger_boards() -> Box<dyn Agent> {
    Box::new(Genetic::new(Parameters::new(Genetic::table())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_agent::{AgentSpec, Entry, Kind, Limits, SpecError, Threads};
    use isrever_board::{Game, Rule, Size};
    use std::time::Duration;

    #[test]
    fn the_list_is_in_its_order() {
        let names: Vec<&str> = catalogue().entries().iter().map(Entry::name).collect();
        let expected = [
            "random",
            "greedy",
            "random-invincible",
            "greedy-invincible",
            "depth3",
            "threestage",
            "fourstage",
            "genetic",
            "maximax",
            "mcts",
            "zero",
            "engine",
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn entries_list_the_keys_that_their_agents_take() {
        let catalogue = catalogue();
        for entry in catalogue.entries() {
            let spec = AgentSpec::new(entry.name());
            let error = catalogue.make(spec.with("nonsense", 1), 1).err();
            let Some(SpecError::UnknownKey { allowed, .. }) = error else {
                panic!("{} takes nonsense: {error:?}", entry.name())
            };
            let parameters = entry.parameters(&spec).unwrap();
            let presets = parameters.iter().filter(|known| !known.presets().is_empty());
            let mut listed: Vec<String> = presets.map(|_| "preset".to_owned()).collect();
            let table = parameters.map_or(&[][..], |parameters| parameters.table());
            listed.extend(table.iter().map(|parameter| parameter.name.clone()));
            listed.extend(entry.keys().iter().map(|key| key.name.to_owned()));
            let [mut allowed, mut listed] = [allowed, listed];
            for keys in [&mut allowed, &mut listed] {
                keys.sort_unstable();
                keys.dedup();
            }
            assert_eq!(allowed, listed, "{}", entry.name());
        }
    }

    #[test]
    fn entries_say_what_they_are_and_what_they_take() {
        let catalogue = catalogue();
        let of_kind = |kind: Kind| -> Vec<&str> {
            let entries = catalogue.entries().iter().filter(|entry| entry.kind() == kind);
            entries.map(Entry::name).collect()
        };
        assert_eq!(of_kind(Kind::Engine), ["zero", "engine"]);
        let reports = ["depth3", "threestage", "fourstage", "genetic", "maximax"];
        assert_eq!(of_kind(Kind::Report), reports);
        assert!(catalogue.entries().iter().all(|entry| !entry.kind().is_foreign()));
        let needs = |text: &str| catalogue.needs(&AgentSpec::new(text)).unwrap();
        assert_eq!(needs("engine").memory_bytes, Some(64 << 20));
        assert_eq!(needs("engine:level=1").memory_bytes, Some(1 << 20));
        assert_eq!(needs("engine:level=1,hash=7").memory_bytes, Some(7 << 20));
        assert_eq!(needs("maximax").memory_bytes, Some(100 << 20));
        assert_eq!(needs("engine:threads=3").threads, Threads::Count(3));
        assert_eq!(needs("maximax:time=3m").time, Some(Duration::from_secs(180)));
        assert_eq!(needs("fourstage").time, None, "the time of its own yields to any limit");
    }

    #[test]
    fn on_larger_boards_the_engine_plays_as_genetic() {
        let game = Game::new(Rule::Reversed, Size::new(10).unwrap());
        let choose = |spec: &str| {
            let limits = Limits::of_nodes(500);
            catalogue().make(spec, 1).unwrap().choose(&game, &limits).unwrap()
        };
        assert_eq!(choose("engine:level=3"), choose("genetic"));
    }
}
