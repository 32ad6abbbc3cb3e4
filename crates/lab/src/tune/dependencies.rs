//! The folder of a finished tuning, what it rests on, and a tuning run again in memory.

use super::findings::{Spent, findings};
use super::games::Watch;
use super::plan::Plan;
use super::spec::{Spec, SpecError};
use super::work::Tuning;
use crate::experiment::{Dependencies, Findings, Folder, Provenance, Reduced};
use isrever_agent::{AgentSpec, Catalogue};
use isrever_arena::COUNTING;
use isrever_jobs::{Crew, Unfinished};
use isrever_reports::versions_of;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The version of how tunings proceed. A change after which the same specification finds something
/// else raises it: pages rest on it.
pub const TUNING: u32 = 1;

/// Why a tuning could not be run again.
#[derive(Clone, PartialEq, Debug)]
pub enum RerunError {
    /// It makes no sense at its reduced size.
    Spec(SpecError),
    /// Its games came to no end.
    Games(Unfinished),
}

impl fmt::Display for RerunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RerunError::Spec(error) => write!(f, "at its reduced size: {error}"),
            RerunError::Games(Unfinished::Stopped) => f.write_str("stopped before its end"),
            RerunError::Games(Unfinished::Failed(why)) => f.write_str(why),
        }
    }
}

impl std::error::Error for RerunError {}

impl Plan {
    /// The specification with all defaults, as TOML.
    pub fn text(&self) -> String {
        toml::to_string(&self.spec).expect("a specification is a plain table")
    }

    /// The files of a finished tuning.
    pub fn folder(&self, findings: &Findings, provenance: &Provenance) -> Folder {
        let mut folder = Folder::new(&self.text(), findings, provenance);
        if let Some(page) = folder.files.get_mut("page.md") {
            // Experiments are run again by another command than tunings.
            let text = String::from_utf8_lossy(page);
            let again = "isrever tune experiment.toml --dir again";
            *page = text.replace("isrever lab run experiment.toml", again).into_bytes();
        }
        folder
    }

    /// The whole tuning once more, with agents of `catalogue`.
    pub fn rerun(&self, catalogue: &Arc<Catalogue>, threads: usize) -> Result<Folder, RerunError> {
        let crew = Crew::Here(threads);
        let mut tuning = Tuning::new(self, Arc::clone(catalogue), crew, Vec::new())
            .expect("no generation is no wrong one");
        let stop = Arc::default();
        let watch = Watch { done: &|| {}, stop: &stop };
        while tuning.end().is_none() {
            tuning.step(&watch).map_err(RerunError::Games)?;
        }
        let outcome = tuning.finish(&watch).map_err(RerunError::Games)?;
        let (seconds, processor_seconds) = (0.0, None);
        let spent = Spent { seconds, processor_seconds, threads, earlier_generations: 0 };
        let findings = findings(self, catalogue, tuning.history(), &outcome, &spent);
        Ok(self.folder(&findings, &Provenance::default()))
    }

    /// What this program's results of the tuning depend on. Makes a smoke run.
    pub fn dependencies(
        &self,
        catalogue: &Arc<Catalogue>,
        threads: usize,
    ) -> Result<Dependencies, RerunError> {
        let reduced = self.spec.clone().quick().settle(catalogue).map_err(RerunError::Spec)?;
        let folder = reduced.rerun(catalogue, threads)?;
        let reduced = Reduced::of(&reduced.text(), &folder);
        Ok(Dependencies { weights: Vec::new(), versions: versions(&self.spec), reduced })
    }
}

/// The versions of the arena, of tunings and of the reports' agents in `spec`.
fn versions(spec: &Spec) -> BTreeMap<String, u32> {
    let own = [("arena".to_owned(), COUNTING), ("tuning".to_owned(), TUNING)];
    let others = spec.proof.iter().flatten().chain(&spec.against).chain(&spec.agent);
    let known = others.flat_map(|agent| {
        let agent = AgentSpec::new(agent);
        versions_of(agent.name())
            .map(|(name, version)| (name.to_owned(), version))
            .collect::<Vec<_>>()
    });
    own.into_iter().chain(known).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tuning_runs_again_to_the_same_bytes_and_names_what_it_rests_on() {
        let catalogue = Arc::new(isrever_reports::catalogue());
        let spec = Spec {
            agent: Some("greedy:by=squares".to_owned()),
            size: Some(4),
            ending: Some(6),
            ..Spec::default()
        };
        let plan = spec.settle(&catalogue).unwrap();
        let [one, two] = [1, 2].map(|threads| plan.dependencies(&catalogue, threads).unwrap());
        assert_eq!(one, two);
        let names: Vec<&str> = one.versions.keys().map(String::as_str).collect();
        assert_eq!(names, ["arena", "combination", "greedy", "tuning"]);
        assert!(one.reduced.specification.contains("generations = 3"));
        assert!(one.reduced.files.contains_key("parameters.csv"));
    }
}
