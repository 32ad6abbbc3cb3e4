//! Agents by name: lists them for commands and screens, and makes them from specs.
//!
//! Each agent has an [`Entry`]. Every crate with agents provides entries, and
//! `isrever-players` composes the list. An entry for other people's programs gets
//! the rest of the spec as it was typed.

use crate::limited::Limited;
use crate::parameters::Parameters;
use crate::preset::Preset;
use crate::spec::{Settings, Spec, SpecError};
use crate::{Agent, Mcts, Random};

/// Makes an agent from a spec and a seed.
type Maker = dyn Fn(Spec<'_>, u64) -> Result<Box<dyn Agent>, SpecError> + Send + Sync;

/// Reads an agent's parameters from its settings; `None` if the settings leave it none.
type Reader = fn(&mut Settings<'_>) -> Result<Option<Parameters>, SpecError>;

/// An agent in a catalogue.
pub struct Entry {
    name: &'static str,
    about: &'static str,
    presets: &'static [Preset],
    parameters: Option<Reader>,
    make: Box<Maker>,
}

impl Entry {
    /// An agent called `name`; `about` says in one line how it plays, and `make` makes it from a
    /// spec and a seed.
    pub fn new(
        name: &'static str,
        about: &'static str,
        make: impl Fn(Spec<'_>, u64) -> Result<Box<dyn Agent>, SpecError> + Send + Sync + 'static,
    ) -> Entry {
        Entry { name, about, presets: &[], parameters: None, make: Box::new(make) }
    }

    /// An agent that searches, made from the parameters that `read` returns. Its spec can set each
    /// of them and the limits `time`, `depth` and `nodes`.
    pub fn of_parameters<A: Agent + 'static>(
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

    /// The same agent, with parameters that `read` reads from its settings.
    #[must_use]
    pub fn with_parameters(self, read: Reader) -> Entry {
        Entry { parameters: Some(read), ..self }
    }

    /// The same agent, with `presets`.
    #[must_use]
    pub fn with_presets(self, presets: &'static [Preset]) -> Entry {
        Entry { presets, ..self }
    }

    /// The name in specs.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// One line on how it plays.
    pub fn about(&self) -> &'static str {
        self.about
    }

    /// Named sets of parameter values, for `preset=NAME`.
    pub fn presets(&self) -> &'static [Preset] {
        self.presets
    }
}

/// Agents by name.
pub struct Catalogue {
    entries: Vec<Entry>,
}

/// The agents of this crate.
pub fn catalogue() -> Catalogue {
    Catalogue::new([Random::entry(), Mcts::entry()])
}

impl Catalogue {
    /// These agents, in this order.
    ///
    /// # Panics
    /// If two have the same name.
    pub fn new(entries: impl IntoIterator<Item = Entry>) -> Catalogue {
        let mut catalogue = Catalogue { entries: Vec::new() };
        entries.into_iter().for_each(|entry| catalogue.add(entry));
        catalogue
    }

    /// Adds an agent.
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

    /// Makes the agent of a spec such as `greedy:by=mobility`. All its random choices come from
    /// `seed`.
    pub fn make(&self, spec: &str, seed: u64) -> Result<Box<dyn Agent>, SpecError> {
        let spec = Spec::new(spec);
        match self.entry(spec.name) {
            Some(entry) => (entry.make)(spec, seed),
            None => Err(self.unknown(spec.name)),
        }
    }

    /// The tunable parameters of the agent of a spec, with the values that the spec sets. Each
    /// parameter is a key of the spec. `None` if the agent has none.
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
        let nearest = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
        SpecError::UnknownName { name: name.to_owned(), nearest, known }
    }
}

/// The known word that a user may have meant: at most a third of its letters differ.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let (edits, nearest) = known.map(|other| (edits(word, other), other)).min()?;
    (3 * edits <= nearest.chars().count()).then_some(nearest)
}

/// The edit distance of two words: letters to insert, delete or change.
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
    fn what_is_wrong_with_a_spec_is_named() {
        let catalogue = catalogue();
        assert!(catalogue.make("mcts:playouts=9,threads=1,exploration=0.7,time=1s", 1).is_ok());
        assert!(catalogue.make("mcts:threads=all", 1).is_ok());
        for (spec, message) in [
            ("random:by=luck", "random has no key \"by\"; expected random alone"),
            ("mcts:threads=0", "mcts was given threads=0; expected a whole number from 1 to 1024"),
            ("mcts:depth=3", "mcts has no key \"depth\"; expected exploration, playouts,"),
            (
                "randm",
                "no agent is called \"randm\" (did you mean random?); expected random or mcts",
            ),
            ("deep thought", "no agent is called \"deep thought\"; expected random or mcts"),
            ("", "no agent is called \"\"; expected random or mcts"),
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
