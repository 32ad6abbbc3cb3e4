//! What the results of an experiment rest on, and its run at reduced size.

use super::{Context, Experiment, Progress};
use isrever_arena::COUNTING;
use isrever_lab::experiment::{Dependencies, Folder, Provenance, Reduced, WeightsFile};
use isrever_lab::tune::TUNING;
use isrever_reports::versions_of;
use std::collections::BTreeMap;

/// A part of the program that an experiment shows figures of.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// How the arena draws openings, counts games and rates players.
    Games,
    /// How tunings proceed.
    Tuning,
    /// How these agents of the reports play.
    Agents(&'static [&'static str]),
    /// Which boards the engine's search visits: equal moves may come out in another order.
    Search,
    /// A file of weights.
    Weights(&'static str),
}

/// The number of boards that `isrever bench` visits, which every change of the search changes.
const SIGNATURE: &str = include_str!("../../../testdata/bench-signature.txt");

/// Tells nobody.
struct Silent;

impl Progress for Silent {
    fn expect(&self, _: u64) {}
    fn advance(&self, _: u64) {}
}

impl Experiment {
    /// What this program's results of the experiment depend on. Makes a smoke run, on the threads of
    /// `context` and with its clock.
    pub fn dependencies(&self, context: &Context<'_>) -> Dependencies {
        Dependencies {
            weights: self.weights(),
            versions: self.versions(),
            reduced: self.reduced(context),
        }
    }

    fn weights(&self) -> Vec<WeightsFile> {
        let is_used = |weights: &WeightsFile| {
            let is_it = |part: &Part| matches!(part, Part::Weights(file) if *file == weights.file);
            self.rests_on.iter().any(is_it)
        };
        WeightsFile::carried().into_iter().filter(is_used).collect()
    }

    fn versions(&self) -> BTreeMap<String, u32> {
        let named = |name: &str, version: u32| (name.to_owned(), version);
        let mut versions = BTreeMap::new();
        for part in self.rests_on {
            match part {
                Part::Games => versions.extend([named("arena", COUNTING)]),
                Part::Tuning => versions.extend([named("tuning", TUNING)]),
                Part::Search => {
                    let signature = SIGNATURE.trim().parse().expect("a whole number");
                    versions.extend([named("search", signature)]);
                }
                Part::Agents(names) => versions.extend(
                    names
                        .iter()
                        .flat_map(|name| versions_of(name))
                        .map(|(name, version)| named(name, version)),
                ),
                Part::Weights(_) => {}
            }
        }
        versions
    }

    fn reduced(&self, context: &Context<'_>) -> Reduced {
        let specification = self.specification(true);
        let quick = Context { specification: &specification, progress: &Silent, ..*context };
        let text = specification.text();
        Reduced::of(&text, &Folder::new(&text, &self.run(&quick), &Provenance::default()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::ALL;
    use super::*;

    #[test]
    fn parts_are_there() {
        for experiment in ALL {
            for part in experiment.rests_on {
                if let Part::Agents(names) = part {
                    let known = |name: &&str| versions_of(name).any(|(known, _)| known == *name);
                    assert!(names.iter().all(known), "{}", experiment.slug);
                }
            }
            let named = experiment.rests_on.iter().filter(|part| matches!(part, Part::Weights(_)));
            assert_eq!(experiment.weights().len(), named.count(), "{}", experiment.slug);
            assert!(experiment.versions().values().all(|&version| version > 0));
        }
    }
}
