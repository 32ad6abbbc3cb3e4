//! Agents of the server's owner: files and programs that were named when it was started.

use crate::checker::Checker;
use isrever_agent::{AgentSpec, Catalogue, Kind};
use isrever_board::{Rule, Size};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// The longest name of an own agent.
const MOST_NAME: usize = 32;

/// Agents of the server's owner, each under a name of its own. Callers know the names alone.
pub struct OwnAgents {
    /// What they are made from: other catalogues than the web board's have programs and files.
    catalogue: Catalogue,
    agents: Vec<OwnAgent>,
    /// Tests their files.
    checker: Option<Arc<dyn Checker>>,
}

/// An agent of the server's owner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OwnAgent {
    pub(crate) name: String,
    pub(crate) spec: AgentSpec,
    pub(crate) kind: Kind,
    /// What it is, in a few words that tell nothing of the server's folders.
    pub(crate) about: String,
    /// The games that it plays.
    pub(crate) games: Vec<(Rule, Size)>,
}

impl OwnAgent {
    /// The sizes of the boards that it plays on, smallest first.
    pub(crate) fn sizes(&self) -> Vec<Size> {
        let plays = |size: &Size| self.games.iter().any(|(_, own)| own == size);
        Size::ALL.into_iter().filter(plays).collect()
    }
}

impl OwnAgents {
    /// None yet; those that are added are made from `catalogue`.
    pub fn new(catalogue: Catalogue) -> OwnAgents {
        OwnAgents { catalogue, agents: Vec::new(), checker: None }
    }

    /// Has `checker` test the files among them.
    #[must_use]
    pub fn with_checker(self, checker: impl Checker + 'static) -> OwnAgents {
        OwnAgents { checker: Some(Arc::new(checker)), ..self }
    }

    /// Adds the agent of `spec` under `name`, or says what is wrong with either.
    pub fn add(&mut self, name: &str, spec: &str) -> Result<(), String> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || name.len() > MOST_NAME || !name.chars().all(is_plain) {
            return Err(format!(
                "{name:?} cannot be a name; expected up to {MOST_NAME} letters, digits, -, _ and ."
            ));
        }
        let is_taken = self.catalogue.find(&AgentSpec::new(name)).is_ok();
        if is_taken || self.find(name).is_some() {
            return Err(format!("{name} is the name of another agent; expected a new one"));
        }
        let spec = AgentSpec::new(spec);
        let entry = self.catalogue.find(&spec).map_err(|error| error.to_string())?;
        entry.make(&spec, 0).map_err(|error| error.to_string())?;
        let kind = entry.kind();
        // Nobody knows which boards a program of its own protocol takes beyond the usual ones.
        let sizes = if kind == Kind::Program { &Size::BITS[..] } else { &Size::ALL[..] };
        let all =
            Rule::ALL.into_iter().flat_map(|rule| sizes.iter().map(move |&size| (rule, size)));
        let games = all.filter(|&(rule, size)| entry.check_game(&spec, rule, size).is_ok());
        let games: Vec<(Rule, Size)> = games.collect();
        if games.is_empty() {
            return Err(format!("{spec} plays on no board that the web board has"));
        }
        let about = about(&spec, kind);
        self.agents.push(OwnAgent { name: name.to_owned(), spec, kind, about, games });
        Ok(())
    }

    /// The agent of this name.
    pub(crate) fn find(&self, name: &str) -> Option<&OwnAgent> {
        self.agents.iter().find(|agent| agent.name == name)
    }

    /// All of them, in the order in which they were added.
    pub(crate) fn list(&self) -> &[OwnAgent] {
        &self.agents
    }

    /// What tests the file of `agent`, if it is a file that can be tested.
    pub(crate) fn checker(&self, agent: &OwnAgent) -> Option<Arc<dyn Checker>> {
        self.checker.clone().filter(|_| agent.kind == Kind::Python)
    }

    /// What they are made from.
    pub(crate) fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }
}

/// What an agent is: the name of its file, not where it is; nothing of a command line.
fn about(spec: &AgentSpec, kind: Kind) -> String {
    match kind {
        Kind::Python => {
            let rest = spec.as_str().split_once(':').map_or("", |(_, rest)| rest);
            let path = Path::new(rest.split(',').next().unwrap_or_default());
            path.file_name().unwrap_or_default().to_string_lossy().into_owned()
        }
        Kind::Program => spec.name().to_owned(),
        _ => spec.to_string(),
    }
}

impl fmt::Debug for OwnAgents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.agents).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_and_new_and_specs_are_checked() {
        let mut own = OwnAgents::new(isrever_players::catalogue());
        own.add("quick", "engine:time=20ms").unwrap();
        own.add("learned", "zero:playouts=2").unwrap();
        for (name, spec, words) in [
            ("", "random", "\"\" cannot be a name"),
            ("my agent", "random", "cannot be a name; expected up to 32 letters"),
            (&"x".repeat(33), "random", "cannot be a name"),
            ("random", "greedy", "random is the name of another agent"),
            ("quick", "greedy", "quick is the name of another agent"),
            ("mine", "python:x.py", "no agent is called \"python\""),
            ("mine", "engine:level=99", "engine was given level=99"),
        ] {
            let refusal = own.add(name, spec).unwrap_err();
            assert!(refusal.contains(words), "{refusal}");
        }
        let names: Vec<&str> = own.list().iter().map(|agent| agent.name.as_str()).collect();
        assert_eq!(names, ["quick", "learned"]);
        assert_eq!(own.find("quick").unwrap().games.len(), 14);
        assert_eq!(own.find("learned").unwrap().games, [(Rule::Reversed, Size::EIGHT)]);
    }
}
