//! Agents by name: lists them for commands and screens, and makes them from specs.
//!
//! Every crate with agents provides entries, and `isrever-players` composes the
//! list.

use crate::Agent;
use crate::entry::Entry;
use crate::nearest::nearest;
use crate::needs::Needs;
use crate::parameters::Parameters;
use crate::spec::{AgentSpec, SpecError};
use isrever_board::{Rule, Size};

/// Agents by name.
pub struct Catalogue {
    entries: Vec<Entry>,
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
        assert!(self.entry(entry.name()).is_none(), "{} is entered already", entry.name());
        self.entries.push(entry);
    }

    /// All agents.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The agent called `name`.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name() == name)
    }

    /// The agent that `spec` names.
    pub fn find(&self, spec: &AgentSpec) -> Result<&Entry, SpecError> {
        self.entry(spec.name()).ok_or_else(|| self.unknown(spec.name()))
    }

    /// Makes the agent of a spec such as `greedy:by=mobility`. All its random choices come from
    /// `seed`.
    pub fn make(&self, spec: impl Into<AgentSpec>, seed: u64) -> Result<Box<dyn Agent>, SpecError> {
        let spec = spec.into();
        self.find(&spec)?.make(&spec, seed)
    }

    /// The [parameters](Entry::parameters) of the agent of a spec.
    pub fn parameters(&self, spec: impl Into<AgentSpec>) -> Result<Option<Parameters>, SpecError> {
        let spec = spec.into();
        self.find(&spec)?.parameters(&spec)
    }

    /// The [parameters](Entry::parameters_in) of the agent of a spec, with the defaults for games of
    /// this rule and size.
    pub fn parameters_in(
        &self,
        spec: impl Into<AgentSpec>,
        rule: Rule,
        size: Size,
    ) -> Result<Option<Parameters>, SpecError> {
        let spec = spec.into();
        self.find(&spec)?.parameters_in(&spec, rule, size)
    }

    /// What the agent of a spec [takes of the machine](Entry::needs).
    pub fn needs(&self, spec: &AgentSpec) -> Result<Needs, SpecError> {
        self.find(spec)?.needs(spec)
    }

    /// Makes sure that the agent of a spec can be made, and that it plays `rule` on boards of `size`.
    pub fn check(&self, spec: &AgentSpec, rule: Rule, size: Size) -> Result<(), SpecError> {
        let entry = self.find(spec)?;
        entry.make(spec, 0)?;
        entry.check_game(spec, rule, size)
    }

    fn unknown(&self, name: &str) -> SpecError {
        let known: Vec<String> = self.entries.iter().map(|entry| entry.name().to_owned()).collect();
        let nearest = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
        SpecError::UnknownName { name: name.to_owned(), nearest, known }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Choice, Forfeit, Limits, Threads, catalogue};
    use isrever_board::Game;
    use std::time::Duration;

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
            if spec.rest().is_empty() {
                return Err(SpecError::other(spec.name(), "no program; expected a command line"));
            }
            Ok(Box::new(Echo(spec.rest().to_owned())))
        }));
        let agent = catalogue.make("gtp:/bin/edax --level=4,x:y", 1).unwrap();
        assert_eq!(agent.name(), "/bin/edax --level=4,x:y");
        let error = catalogue.make("gtp", 1).err().unwrap();
        assert_eq!(error.to_string(), "gtp: no program; expected a command line");
    }

    #[test]
    fn needs_follow_from_the_spec() {
        let catalogue = catalogue();
        let needs = |text: &str| catalogue.needs(&AgentSpec::new(text));
        assert_eq!(needs("random"), Ok(Needs::default()));
        assert_eq!(needs("random:time=5s"), Ok(Needs::default()), "it has no such key");
        let mcts = needs("mcts:threads=all,time=3m").unwrap();
        assert_eq!((mcts.threads, mcts.time), (Threads::All, Some(Duration::from_secs(180))));
        assert_eq!(mcts.memory_bytes, Some(128 << 20));
        assert_eq!(needs("mcts:threads=3").unwrap().threads, Threads::Count(3));
        assert!(needs("mcts:threads=none").is_err() && needs("nobody").is_err());
        assert!(!catalogue.entry("random").unwrap().is_timed());
        assert!(catalogue.entry("mcts").unwrap().is_timed());
    }
}
