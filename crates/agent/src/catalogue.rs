//! Agents by name: the list that commands and screens show, and the maker of agents from specs.
//!
//! Each agent has an [`Entry`]. The crates that have agents list theirs, and
//! `isrever-players` puts them together; programs of other people are entered
//! under any name and get the rest of the spec as it was typed.

use crate::limited::Limited;
use crate::parameters::Parameters;
use crate::preset::Preset;
use crate::spec::{Settings, Spec, SpecError};
use crate::{Agent, Mcts, Random};

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

    /// The same agent, whose parameters `read` reads from its settings.
    #[must_use]
    pub fn with_parameters(self, read: Reader) -> Entry {
        Entry { parameters: Some(read), ..self }
    }

    /// The same agent, which knows `presets`.
    #[must_use]
    pub fn with_presets(self, presets: &'static [Preset]) -> Entry {
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
