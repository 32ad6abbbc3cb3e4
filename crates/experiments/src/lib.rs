//! The experiments of the five reports, each by one name.
//!
//! What is here: the table of them ([`ALL`]), and what they are given to work
//! with ([`Bench`]); each is a file of its own. What is not: how findings become
//! files (`experiment`), and any clock or file: a clock is handed in to the two
//! that measure time, and what they measure never mixes with what repeats.

mod boards;
mod breadth;
mod circle;
mod deeper;
mod efficiency;
mod evaluations;
mod fixed_point;
mod generations;
mod heuristics;
mod matches;
mod nodes;
mod not_invertible;
mod random_games;
mod searcher;
mod stages;
mod strategies;
mod time_outs;
mod winners;

use isrever_lab::experiment::{Figure, Findings, Setting, Specification};
use std::time::Duration;

/// An experiment that can be asked for by name.
pub struct Experiment {
    /// Its name, and that of its folder.
    pub slug: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// Which part of which report it goes back to.
    pub source: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// How long a full run takes on two cores.
    pub duration: &'static str,
    settings: fn() -> Vec<Setting>,
    run: fn(&Bench<'_>) -> Findings,
}

/// All experiments, in the order of the reports.
pub static ALL: &[Experiment] = &[
    breadth::EXPERIMENT,
    nodes::EXPERIMENT,
    winners::EXPERIMENT,
    evaluations::EXPERIMENT,
    strategies::EXPERIMENT,
    not_invertible::EXPERIMENT,
    circle::EXPERIMENT,
    deeper::EXPERIMENT,
    fixed_point::EXPERIMENT,
    time_outs::EXPERIMENT,
    heuristics::EXPERIMENT,
    efficiency::EXPERIMENT,
    generations::EXPERIMENT,
    stages::EXPERIMENT,
];

/// Hears how far an experiment has come.
pub trait Progress: Sync {
    /// So many steps more than were expected so far will be taken.
    fn expect(&self, steps: u64);

    /// So many steps have been taken.
    fn advance(&self, steps: u64);
}

/// What an experiment works with.
pub struct Bench<'a> {
    /// What is asked.
    pub specification: &'a Specification,
    /// How many threads there are for games; other work takes those of the current pool.
    pub threads: usize,
    /// Who hears how far it has come.
    pub progress: &'a dyn Progress,
    /// How long the calling thread has worked, from any beginning: for measuring time, and nothing
    /// else.
    pub clock: &'a (dyn Fn() -> Duration + Sync),
}

impl Experiment {
    /// The experiment called `slug`.
    pub fn by_slug(slug: &str) -> Option<&'static Experiment> {
        ALL.iter().find(|experiment| experiment.slug == slug)
    }

    /// What can be set.
    pub fn settings(&self) -> Vec<Setting> {
        (self.settings)()
    }

    /// What is asked of it if nothing is said: a full run, or a smoke run.
    pub fn specification(&self, is_quick: bool) -> Specification {
        Specification::default_of(self.slug, &self.settings(), is_quick)
    }

    /// Runs it.
    pub fn run(&self, bench: &Bench<'_>) -> Findings {
        let (title, source) = (self.title.to_owned(), self.source.to_owned());
        Findings { title, source, ..(self.run)(bench) }
    }
}

/// A number for sentences, thousands apart.
fn grouped(count: u64) -> String {
    Figure::exact(count as f64, 0).to_string()
}

impl Bench<'_> {
    fn seed(&self) -> u64 {
        self.specification.seed
    }

    fn count(&self, key: &str) -> u64 {
        self.specification.count(key)
    }

    fn counts(&self, key: &str) -> &[u64] {
        self.specification.counts(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_and_settings_are_in_order() {
        let mut slugs = HashSet::new();
        for experiment in ALL {
            assert!(slugs.insert(experiment.slug), "{}", experiment.slug);
            assert!(
                experiment.slug.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-')
            );
            assert!(std::ptr::eq(Experiment::by_slug(experiment.slug).unwrap(), experiment));
            let known: Vec<&str> = ALL.iter().map(|experiment| experiment.slug).collect();
            for is_quick in [false, true] {
                let specification = experiment.specification(is_quick);
                let read =
                    Specification::read(&specification.text(), &known, |_| experiment.settings());
                assert_eq!(read, Ok(specification), "defaults are what they may be");
            }
        }
    }
}
