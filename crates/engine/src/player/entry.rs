//! The engine's entry in the catalogue: `engine:level=5,threads=2`.

use super::{BookChoice, Player, PlayerSettings, SMALL_HASH_BYTES};
use crate::level::{Level, Strength};
use crate::weights::load_weights;
use isrever_agent::{
    Agent, AgentSpec, Entry, Key, Kind, Limited, Needs, Parameter, Settings, Share, SpecError,
    Threads,
};
use isrever_board::{Rule, Size};
use isrever_search::{self as search, ParameterChanges, has_room};
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

/// The engine's name in specs.
const NAME: &str = "engine";

/// Up to this depth a search needs little memory.
const SHALLOW: u32 = 8;

const LEVEL: Key = Key::new("level", "a number from 1 to 20");
const THREADS: Key = Key::new("threads", "a number from 1 to 1024").of_machine();
const HASH: Key = Key::new("hash", "MiB from 1 to 65536").of_machine();
const SLACK: Key = Key::new("slack", "discs from 0 to 64");
const WEIGHTS: Key = Key::new("weights", "a file of weights").of_file();
const ENDING: Key = Key::new("ending", "a number from 0 to 60");
const BOOK: Key = Key::new("book", "none, embedded, or a file that book grow wrote").of_file();

/// The keys of the engine's settings.
const KEYS: [Key; 10] =
    [LEVEL, THREADS, HASH, SLACK, ENDING, WEIGHTS, BOOK, Key::TIME, Key::DEPTH, Key::NODES];

/// The engine's entry. On boards larger than 8×8 it plays as the agent that `larger` makes.
pub fn entry(larger: fn() -> Box<dyn Agent>) -> Entry {
    let about = "the engine: trained patterns, deep search, perfect endings; level=1 to 20";
    Entry::new(NAME, about, move |spec, seed| make(spec, seed, larger()))
        .of_kind(Kind::Engine)
        .with_keys(&KEYS)
        .with_needs(|settings| {
            let Engine { player, .. } = Engine::read(settings)?;
            Ok(Needs {
                threads: Threads::Count(player.threads),
                memory_bytes: Some(player.hash_bytes as u64),
                only: player.weights.map(|weights| (weights.rule(), weights.shape().size())),
                ..Needs::default()
            })
        })
        .with_parameters(|settings| {
            let (rule, size) = settings.game();
            settings.table(table(rule, size), &[]).map(Some)
        })
        .with_remark(|settings| {
            let (rule, size) = settings.game();
            let Engine { player, no_book, .. } = Engine::read(settings)?;
            let named = settings.text(BOOK.name).unwrap_or_default();
            let other = || Some(format!("book={named}: {}", player.opening.remark(rule, size)?));
            Ok(no_book.or_else(other))
        })
}

/// The search's parameters as those of an agent, with the values shipped for games of this rule and
/// size.
fn table(rule: Rule, size: Size) -> &'static [Parameter] {
    static TABLES: LazyLock<Vec<(Rule, Size, Vec<Parameter>)>> = LazyLock::new(|| {
        let games = Size::BITS.into_iter().flat_map(|size| Rule::ALL.map(|rule| (rule, size)));
        games.map(|(rule, size)| (rule, size, rows(rule, size))).collect()
    });
    // Beyond 8×8 another agent plays, and the table is only told.
    let size = size.min(Size::EIGHT);
    let found = TABLES.iter().find(|(known, width, _)| (*known, *width) == (rule, size));
    &found.expect("there is one for each").2
}

fn rows(rule: Rule, size: Size) -> Vec<Parameter> {
    let shipped = search::Parameters::shipped(rule, size);
    let rows = search::Parameters::TABLE.iter().zip(shipped.values());
    rows.map(|(row, value)| Parameter::whole(row.name, value, (row.least, row.most), row.record))
        .collect()
}

/// What a spec says of the engine.
struct Engine {
    player: PlayerSettings,
    /// The time for a move.
    time: Option<Duration>,
    /// Why it plays without the book that its spec names.
    no_book: Option<String>,
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
        let weights = settings.text(WEIGHTS.name).map(|file| {
            let refusal = |error| SpecError::other(NAME, format!("weights={file}: {error}"));
            load_weights(Path::new(file)).map_err(refusal)
        });
        let weights = weights.transpose()?;
        let share = settings.share()?;
        let mut parameters = ParameterChanges::NONE;
        for row in search::Parameters::TABLE {
            let key = Key::new(row.name, "a whole number");
            let Some(value) = settings.read(&key, |text| text.parse().ok())? else { continue };
            parameters
                .set(row.name, value)
                .map_err(|error| SpecError::other(NAME, error.to_string()))?;
        }
        // Whoever says how it searches wants to see it search.
        let is_free = share.depth.is_none()
            && share.nodes.is_none()
            && slack.is_none()
            && ending.is_none()
            && parameters.is_empty();
        let usual = if is_free { BookChoice::of_level(level) } else { BookChoice::None };
        let named = settings.text(BOOK.name).map(|name| (name, BookChoice::named(name)));
        let (opening, no_book) = match named {
            None => (usual, None),
            Some((_, Ok(opening))) => (opening, None),
            // Without its book it still plays well, so that this is no reason to refuse a game.
            Some((name, Err(error))) => {
                (BookChoice::None, Some(format!("book={name}: {error}; playing without")))
            }
        };
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
            weights,
            opening,
            parameters,
            ..default
        };
        Ok(Engine { player, time: share.time, no_book })
    }
}

/// Makes the engine of a spec, with an agent for larger boards.
fn make(spec: &AgentSpec, seed: u64, larger: Box<dyn Agent>) -> Result<Box<dyn Agent>, SpecError> {
    let mut settings = Settings::new(spec)?;
    let Engine { player, time, .. } = Engine::read(&mut settings)?;
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
    use isrever_agent::{Catalogue, Limits, Random, Reason};
    use isrever_board::{Game, Rule, Size};

    fn catalogue() -> Catalogue {
        Catalogue::new([entry(|| Box::new(Random::new(1)))])
    }

    fn with_weights(file: &str) -> AgentSpec {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../weights");
        AgentSpec::new("engine:depth=2").with("weights", format!("{folder}/{file}"))
    }

    #[test]
    fn what_is_wrong_with_an_engine_s_spec_is_named() {
        for (spec, words) in [
            ("engine:level=21", "engine was given level=21; expected a number from 1 to 20"),
            ("engine:slack=-1", "engine was given slack=-1; expected discs from 0 to 64"),
            (
                "engine:lvl=3",
                "engine has no key \"lvl\"; expected level, threads, hash, slack, ending, weights",
            ),
            (
                "engine:evaluated=99",
                "engine: evaluated cannot be 99; expected a whole number from 8 to 24",
            ),
            ("engine:evaluated=x", "engine was given evaluated=x; expected a whole number"),
            ("engine:weights=no.bin", "engine: weights=no.bin: no such file; expected a file"),
            ("engine:weights=", "engine: weights=: no such file; expected a file"),
            ("engine:weights=/", "engine: weights=/: a directory; expected a file"),
        ] {
            let error = catalogue().make(spec, 1).err().unwrap().to_string();
            assert!(error.starts_with(words), "{error}");
        }
        let error = catalogue().make(with_weights("manifest.toml"), 1).err().unwrap().to_string();
        assert!(error.ends_with("not a file of weights; expected a file that train fit wrote"));
    }

    #[test]
    fn a_book_that_cannot_be_read_is_remarked_on_and_played_without() {
        let catalogue = catalogue();
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let remark = |book: String| {
            let spec = AgentSpec::new("engine").with("book", book);
            let mut agent = catalogue.make(&spec, 1).unwrap();
            let game = Game::new(Rule::Reversed, Size::SIX);
            assert!(agent.choose(&game, &Limits::of_depth(2)).is_ok());
            catalogue.entry(NAME).unwrap().remark(&spec, Rule::Reversed, Size::EIGHT)
        };
        for (book, words) in [
            (format!("{folder}/no.book"), "no such file; expected a file; playing without"),
            (format!("{folder}/books"), "a directory; expected a file; playing without"),
            (
                format!("{folder}/Cargo.toml"),
                "not a book; expected a file that book grow wrote; playing without",
            ),
        ] {
            assert_eq!(remark(book.clone()).unwrap(), format!("book={book}: {words}"));
        }
        let whole = [format!("{folder}/books/reversed.book"), "none".into(), "embedded".into()];
        assert_eq!(whole.map(remark), [None, None, None]);
        let other = remark("embedded-6x6".into()).unwrap();
        assert!(other.ends_with("on 6x6; playing the reversed rule on 8x8 without"), "{other}");
    }

    #[test]
    fn strong_players_have_a_book_unless_their_search_is_set() {
        for (spec, has_book) in [
            ("engine", true),
            ("engine:level=15,threads=2,hash=8,time=1s", true),
            ("engine:level=14", false),
            ("engine:level=14,book=embedded", true),
            ("engine:book=none", false),
            ("engine:depth=20", false),
            ("engine:nodes=1000", false),
            ("engine:slack=1", false),
            ("engine:ending=9", false),
            ("engine:evaluated=12", false),
        ] {
            let spec = AgentSpec::new(spec);
            let engine = Engine::read(&mut Settings::new(&spec).unwrap()).unwrap();
            let limits = Limits::default();
            let book = engine.player.opening.book(Rule::Reversed, Size::EIGHT, &limits);
            assert_eq!(book.is_some(), has_book, "{spec}");
        }
    }

    #[test]
    fn parameters_of_the_search_are_those_of_the_game_unless_they_are_set() {
        let catalogue = catalogue();
        for rule in Rule::ALL {
            for size in Size::BITS {
                let shipped = search::Parameters::shipped(rule, size);
                let told = catalogue.parameters_in("engine:reply=7", rule, size).unwrap().unwrap();
                for (row, value) in search::Parameters::TABLE.iter().zip(shipped.values()) {
                    let expected = if row.name == "reply" { 7 } else { value };
                    assert_eq!(
                        told.get(row.name),
                        f64::from(expected),
                        "{rule} {size} {}",
                        row.name
                    );
                }
                let spec = AgentSpec::new("engine:reply=7");
                let engine = Engine::read(&mut Settings::new(&spec).unwrap()).unwrap();
                let searched = engine.player.search(rule, size).parameters;
                assert_eq!(searched, search::Parameters { reply: 7, ..shipped });
            }
        }
    }

    #[test]
    fn weights_of_a_file_play_their_games_and_no_others() {
        let catalogue = catalogue();
        let game = |rule, size| Game::new(rule, size);
        let choose = |spec: &AgentSpec, game: &Game| {
            catalogue.make(spec, 1).unwrap().choose(game, &Limits::default())
        };
        // The file holds the embedded weights.
        let (six, plain) = (game(Rule::Reversed, Size::SIX), AgentSpec::new("engine:depth=2"));
        let spec = with_weights("reversed-6x6.bin");
        assert_eq!(choose(&spec, &six), choose(&plain, &six));
        let only = catalogue.needs(&spec).unwrap().only;
        assert_eq!(only, Some((Rule::Reversed, Size::SIX)));
        let sizes = [Size::FOUR, Size::EIGHT, Size::new(10).unwrap()];
        let others = sizes.map(|size| game(Rule::Reversed, size));
        for other in others.iter().chain([&game(Rule::Normal, Size::SIX)]) {
            let forfeit = choose(&spec, other).unwrap_err();
            assert_eq!(forfeit.reason, Reason::Refused);
            let words = "weights for the reversed rule on 6x6; expected the ";
            assert!(forfeit.details.starts_with(words), "{forfeit}");
            assert!(catalogue.check(&spec, other.rule(), other.size()).is_err());
        }
        assert_eq!(catalogue.check(&spec, Rule::Reversed, Size::SIX), Ok(()));
    }
}
