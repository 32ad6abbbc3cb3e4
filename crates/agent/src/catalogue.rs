//! The agents by name. A new agent is entered here, and every list and command knows it.
//!
//! Crates above enter more: [`Catalogue::add`] takes any name, and whoever
//! answers to it gets the rest of the spec as it was typed.

use crate::combination::Combination;
use crate::greedy::Measure;
use crate::invincible::{ENDING, Invincible};
use crate::limited::Limited;
use crate::parameters::{Parameter, Parameters};
use crate::preset::Preset;
use crate::reports::{Depth3, FourStage, Genetic, Maximax, ThreeStage};
use crate::spec::{Settings, Spec, SpecError};
use crate::{Agent, Greedy, Mcts, MctsSettings, Random, Share};

/// What makes an agent of a spec and a seed.
type Maker = dyn Fn(Spec<'_>, u64) -> Result<Box<dyn Agent>, SpecError> + Send + Sync;

/// What reads an agent's parameters from its settings, if with these it has some.
type Reader = fn(&mut Settings<'_>) -> Result<Option<Parameters>, SpecError>;

/// An agent that can be asked for by name.
pub struct Entry {
    name: &'static str,
    about: &'static str,
    presets: &'static [Preset],
    parameters: Option<Reader>,
    make: Box<Maker>,
}

impl Entry {
    /// An agent called `name`, with one line on how it plays, that `make` makes of a spec and a
    /// seed.
    pub fn new(
        name: &'static str,
        about: &'static str,
        make: impl Fn(Spec<'_>, u64) -> Result<Box<dyn Agent>, SpecError> + Send + Sync + 'static,
    ) -> Entry {
        Entry { name, about, presets: &[], parameters: None, make: Box::new(make) }
    }

    /// An agent that searches, made of the parameters that `read` reads. Its spec can set every one
    /// of them and the limits `time`, `depth` and `nodes`.
    fn of_parameters<A: Agent + 'static>(
        name: &'static str,
        about: &'static str,
        read: Reader,
        make: fn(Parameters) -> A,
    ) -> Entry {
        let make = move |spec: Spec<'_>, _| -> Result<Box<dyn Agent>, SpecError> {
            let mut settings = Settings::new(spec)?;
            let parameters = read(&mut settings)?.expect("the agent has parameters");
            Limited::wrap(Box::new(make(parameters)), settings)
        };
        Entry::new(name, about, make).with_parameters(read)
    }

    /// The same agent, whose parameters `read` reads from its settings.
    #[must_use]
    fn with_parameters(self, read: Reader) -> Entry {
        Entry { parameters: Some(read), ..self }
    }

    /// The same agent, which knows `presets`.
    #[must_use]
    fn with_presets(self, presets: &'static [Preset]) -> Entry {
        Entry { presets, ..self }
    }

    /// What to ask for.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// One line on how it plays.
    pub fn about(&self) -> &'static str {
        self.about
    }

    /// Values of its parameters that can be asked for together, as `preset=NAME`.
    pub fn presets(&self) -> &'static [Preset] {
        self.presets
    }
}

/// Agents by name.
pub struct Catalogue {
    entries: Vec<Entry>,
}

/// The agents of this crate, roughly the weakest first.
pub fn catalogue() -> Catalogue {
    let entries = vec![
        Entry::new("random", "plays any legal move, all equally likely", |spec, seed| {
            Settings::new(spec)?.finish()?;
            Ok(Box::new(Random::new(seed)))
        }),
        Entry::new(
            "greedy",
            "looks one move ahead: by=discs (the default), mobility, squares or combination",
            |spec, seed| {
                let mut settings = Settings::new(spec)?;
                let measure = measure(&mut settings, "discs")?;
                settings.finish()?;
                Ok(Box::new(Greedy::by(measure, seed)))
            },
        )
        .with_parameters(|settings| Ok(measure(settings, "discs")?.into_parameters()))
        .with_presets(Combination::presets()),
        Entry::new(
            "random-invincible",
            "random, and perfect with 12 empty squares or ending=N",
            |spec, seed| {
                let mut settings = Settings::new(spec)?;
                let before = Box::new(Random::new(seed));
                let ending = settings.count("ending")?.unwrap_or(ENDING);
                Limited::wrap(
                    Box::new(Invincible::new("random-invincible", before, ending)),
                    settings,
                )
            },
        ),
        Entry::new(
            "greedy-invincible",
            "greedy by=squares or another measure, and perfect with 12 empty squares or ending=N",
            |spec, seed| {
                let mut settings = Settings::new(spec)?;
                let before = Box::new(Greedy::by(measure(&mut settings, "squares")?, seed));
                let ending = settings.count("ending")?.unwrap_or(ENDING);
                Limited::wrap(
                    Box::new(Invincible::new("greedy-invincible", before, ending)),
                    settings,
                )
            },
        )
        .with_parameters(|settings| Ok(measure(settings, "squares")?.into_parameters()))
        .with_presets(Combination::presets()),
        Entry::of_parameters(
            "depth3",
            "report 001: three plies; squares, mobility and discs",
            |settings| read(settings, Depth3::table(), &[]),
            Depth3::new,
        ),
        Entry::of_parameters(
            "threestage",
            "report 004: three, then four plies, and the end; squares, mobility and edges",
            |settings| read(settings, ThreeStage::table(), &[]),
            ThreeStage::new,
        ),
        Entry::of_parameters(
            "fourstage",
            "report 002: deepens for 5 s; squares, and mobility, frontier or stability by stage",
            |settings| read(settings, FourStage::table(), &[]),
            FourStage::new,
        ),
        Entry::of_parameters(
            "genetic",
            "report 003: deepens for 4 s, a final search at the end; weights of a genetic algorithm",
            |settings| read(settings, Genetic::table(), Genetic::presets()),
            Genetic::new,
        )
        .with_presets(Genetic::presets()),
        Entry::of_parameters(
            "maximax",
            "report 000: deepens for 5 s by a rule for time; a table, tuned weights of squares",
            |settings| read(settings, Maximax::table(), Combination::presets()),
            Maximax::new,
        )
        .with_presets(Combination::presets()),
        Entry::new(
            "mcts",
            "plays random games and follows the good ones: playouts=1000, threads=1 or all",
            mcts,
        )
        .with_parameters(|settings| read(settings, Mcts::table(), &[])),
    ];
    Catalogue { entries }
}

/// The parameters of a table, changed as the settings say.
fn read(
    settings: &mut Settings<'_>,
    table: &'static [Parameter],
    presets: &'static [Preset],
) -> Result<Option<Parameters>, SpecError> {
    let mut parameters = Parameters::new(table).with_presets(presets);
    settings.parameters(&mut parameters)?;
    Ok(Some(parameters))
}

/// What a greedy agent goes by, with its parameters if it has some.
fn measure(settings: &mut Settings<'_>, default: &str) -> Result<Measure, SpecError> {
    let expected = "discs, mobility, squares or combination";
    let measure = settings.read("by", expected, Measure::by_name)?;
    let measure = measure.or_else(|| Measure::by_name(default));
    let mut measure = measure.expect("the default is the name of a measure");
    if let Measure::Combination(parameters) = &mut measure {
        settings.parameters(parameters)?;
    }
    Ok(measure)
}

fn mcts(spec: Spec<'_>, seed: u64) -> Result<Box<dyn Agent>, SpecError> {
    let mut settings = Settings::new(spec)?;
    let parameters = read(&mut settings, Mcts::table(), &[])?.expect("it has parameters");
    let playouts = settings.count("playouts")?;
    let threads = settings.read("threads", "a whole number from 1 to 1024, or all", |text| {
        if text == "all" {
            return Some(std::thread::available_parallelism().map_or(1, usize::from));
        }
        text.parse().ok().filter(|threads| (1..=1024).contains(threads))
    })?;
    let agent = MctsSettings { playouts, threads: threads.unwrap_or(1), parameters };
    let time = settings.time()?;
    settings.finish()?;
    Ok(Limited::new(Box::new(Mcts::new(agent, seed)), Share { time, ..Share::default() }))
}

impl Catalogue {
    /// Enters one more agent.
    ///
    /// # Panics
    /// If the name is taken.
    pub fn add(&mut self, entry: Entry) {
        assert!(self.entry(entry.name).is_none(), "{} is entered already", entry.name);
        self.entries.push(entry);
    }

    /// All agents.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The agent called `name`.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// The agent of a spec such as `greedy:by=mobility`, ready to play. All its random choices
    /// come from `seed`.
    pub fn make(&self, spec: &str, seed: u64) -> Result<Box<dyn Agent>, SpecError> {
        let spec = Spec::new(spec);
        match self.entry(spec.name) {
            Some(entry) => (entry.make)(spec, seed),
            None => Err(self.unknown(spec.name)),
        }
    }

    /// What can be tuned of the agent of a spec, with the values it has there; every parameter is a
    /// key of the spec. `None` if there is nothing.
    pub fn parameters(&self, spec: &str) -> Result<Option<Parameters>, SpecError> {
        let spec = Spec::new(spec);
        let entry = self.entry(spec.name).ok_or_else(|| self.unknown(spec.name))?;
        match entry.parameters {
            Some(read) => read(&mut Settings::new(spec)?),
            None => Ok(None),
        }
    }

    fn unknown(&self, name: &str) -> SpecError {
        let known: Vec<String> = self.entries.iter().map(|entry| entry.name.to_owned()).collect();
        let nearest = known.iter().map(|other| (edits(name, other), other)).min();
        // A third of the letters may be wrong; beyond that it is another word.
        let nearest = nearest.filter(|(edits, other)| 3 * edits <= other.chars().count());
        let nearest = nearest.map(|(_, other)| other.clone());
        SpecError::UnknownName { name: name.to_owned(), nearest, known }
    }
}

/// How many letters must be put in, left out or changed to make one word of another.
fn edits(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (place, letter) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = place + 1;
        for (column, &wanted) in other.iter().enumerate() {
            let change = diagonal + usize::from(letter != wanted);
            diagonal = row[column + 1];
            row[column + 1] = change.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Choice, Forfeit, Limits};
    use isrever_board::Game;

    #[test]
    fn agents_answer_to_their_names() {
        let catalogue = catalogue();
        for entry in catalogue.entries() {
            assert_eq!(catalogue.make(entry.name(), 1).unwrap().name(), entry.name());
            assert!(!entry.about().is_empty() && !entry.about().contains('\n'));
        }
    }

    #[test]
    fn specs_that_are_understood() {
        let catalogue = catalogue();
        for spec in [
            "greedy:by=mobility",
            "greedy:by=squares,b2=0.5",
            "random-invincible:ending=8",
            "greedy-invincible:by=combination,late_mobility=0.3,nodes=5000",
            "depth3:depth=4,mobility=7",
            "threestage:depth=2,middle_edge=-3",
            "fourstage:time=250ms,end=1000",
            "genetic:nodes=1000,end_move_d4=-36",
            "maximax:time=5s,q=0.5",
            "mcts:playouts=1000,threads=1,exploration=0.7,time=1s",
            "mcts:threads=all",
        ] {
            assert!(catalogue.make(spec, 1).is_ok(), "{spec}");
        }
    }

    #[test]
    fn presets_are_read_and_single_values_changed_beside_them() {
        let catalogue = catalogue();
        let mut count = 0;
        for entry in catalogue.entries() {
            for preset in entry.presets() {
                let plain = match entry.name() {
                    "greedy" => "greedy:by=squares,",
                    name => &format!("{name}:"),
                };
                let spec = format!("{plain}preset={}", preset.name);
                let [tuned, plain] = [&spec, plain.trim_end_matches(',')]
                    .map(|spec| catalogue.parameters(spec).unwrap().unwrap());
                assert_ne!(tuned.values(), plain.values(), "{spec}");
                assert!(catalogue.make(&spec, 1).is_ok(), "{spec}");
                count += 1;
            }
        }
        assert_eq!(count, 7, "two for three agents, and one");
        let own = catalogue.parameters("maximax:preset=tuned-squares,a1=0.25").unwrap().unwrap();
        let preset = catalogue.parameters("maximax:preset=tuned-squares").unwrap().unwrap();
        assert_eq!((own.get("a1"), own.get("b1")), (0.25, preset.get("b1")));
        let unknown = catalogue.make("maximax:preset=luck", 1).err().unwrap().to_string();
        let expected = "expected tuned-squares or tuned-combination";
        assert_eq!(unknown, format!("maximax was given preset=luck; {expected}"));
    }

    #[test]
    fn what_is_wrong_with_a_spec_is_named() {
        let catalogue = catalogue();
        for (spec, message) in [
            ("random:by=luck", "random has no key \"by\"; expected random alone"),
            (
                "greedy:by=luck",
                "greedy was given by=luck; expected discs, mobility, squares or combination",
            ),
            ("greedy:b2=1", "greedy has no key \"b2\"; expected by"),
            ("random-invincible:ending=x", "random-invincible was given ending=x; expected a"),
            ("depth3:depth=99", "depth3: depth cannot be 99; expected a whole number from 1 to 12"),
            ("depth3:b2=two", "depth3 was given b2=two; expected a number"),
            ("depth3:depht=3", "depth3 has no key \"depht\"; expected depth, ending, squares,"),
            ("mcts:threads=0", "mcts was given threads=0; expected a whole number from 1 to 1024"),
            ("mcts:depth=3", "mcts has no key \"depth\"; expected exploration, playouts,"),
            (
                "gredy",
                "no agent is called \"gredy\" (did you mean greedy?); expected random, greedy,",
            ),
            ("deep thought", "no agent is called \"deep thought\"; expected random, greedy,"),
            ("", "no agent is called \"\"; expected random, greedy,"),
        ] {
            let error = catalogue.make(spec, 1).err().unwrap().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn others_can_be_entered_and_get_their_rest_as_it_stands() {
        struct Echo(String);
        impl Agent for Echo {
            fn name(&self) -> String {
                self.0.clone()
            }
            fn choose(&mut self, game: &Game, _: &Limits) -> Result<Choice, Forfeit> {
                Ok(game.position().moves()[0].into())
            }
        }
        let mut catalogue = catalogue();
        catalogue.add(Entry::new("gtp", "a program", |spec, _| {
            if spec.rest.is_empty() {
                let offence = "no program; expected a command line".to_owned();
                return Err(SpecError::Other { agent: spec.name.to_owned(), offence });
            }
            Ok(Box::new(Echo(spec.rest.to_owned())))
        }));
        let agent = catalogue.make("gtp:/bin/edax --level=4,x:y", 1).unwrap();
        assert_eq!(agent.name(), "/bin/edax --level=4,x:y");
        let error = catalogue.make("gtp", 1).err().unwrap();
        assert_eq!(error.to_string(), "gtp: no program; expected a command line");
    }

    #[test]
    fn edits_are_counted() {
        for (one, other, count) in [
            ("", "", 0),
            ("", "abc", 3),
            ("gredy", "greedy", 1),
            ("mtcs", "mcts", 2),
            ("a", "b", 1),
        ] {
            assert_eq!((edits(one, other), edits(other, one)), (count, count), "{one} {other}");
        }
    }
}
