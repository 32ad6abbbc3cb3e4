//! The experiments of the five reports and one of our own, each by one name.
//!
//! What is here: the table of experiments ([`ALL`]), a file for each, the
//! [`Context`] that they run in, and what each of them rests on
//! ([`Experiment::dependencies`]). What is not: how findings become files
//! (`isrever_lab::experiment`), and any clock or file. The caller passes a clock to
//! the two that measure time; their timings stay apart from findings that repeat.

mod boards;
mod breadth;
mod circle;
mod deeper;
mod dependencies;
mod efficiency;
mod evaluations;
mod fixed_point;
mod generations;
mod heuristics;
mod matches;
mod mobility;
mod nodes;
mod not_invertible;
mod random_games;
mod rounds;
mod searcher;
mod stages;
mod strategies;
mod strategy;
mod time_outs;
mod unused_time;
mod winners;
mod wishes;
mod zero;

use dependencies::Part;
use isrever_lab::experiment::{Figure, Findings, Setting, Specification};
use std::time::Duration;

/// An experiment with a name.
pub struct Experiment {
    /// Its name, and that of its folder.
    pub slug: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The report and section it repeats.
    pub source: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// How long a full run takes on two cores.
    pub duration: &'static str,
    /// Whether a full run takes seconds, so that a test repeats it whole.
    pub is_cheap: bool,
    rests_on: &'static [Part],
    settings: fn() -> Vec<Setting>,
    run: fn(&Context<'_>) -> Findings,
}

/// All experiments, in the order of the reports; our own last.
pub static ALL: &[Experiment] = &[
    breadth::EXPERIMENT,
    nodes::EXPERIMENT,
    winners::EXPERIMENT,
    evaluations::EXPERIMENT,
    strategies::EXPERIMENT,
    unused_time::EXPERIMENT,
    rounds::EXPERIMENT,
    mobility::EXPERIMENT,
    not_invertible::EXPERIMENT,
    circle::EXPERIMENT,
    deeper::EXPERIMENT,
    fixed_point::EXPERIMENT,
    time_outs::EXPERIMENT,
    heuristics::EXPERIMENT,
    efficiency::EXPERIMENT,
    generations::EXPERIMENT,
    zero::EXPERIMENT,
    stages::EXPERIMENT,
    wishes::EXPERIMENT,
    strategy::EXPERIMENT,
];

/// Receives the progress of an experiment.
pub trait Progress: Sync {
    /// Announces this many more steps.
    fn expect(&self, steps: u64);

    /// Reports this many steps done.
    fn advance(&self, steps: u64);
}

/// The context of a run.
pub struct Context<'a> {
    /// The settings of this run.
    pub specification: &'a Specification,
    /// The number of threads for games; other work runs on the current pool.
    pub threads: usize,
    /// Receives the progress.
    pub progress: &'a dyn Progress,
    /// The processor time of the calling thread, from any origin: only for timings.
    pub clock: &'a (dyn Fn() -> Duration + Sync),
}

impl Experiment {
    /// The experiment called `slug`.
    pub fn by_slug(slug: &str) -> Option<&'static Experiment> {
        ALL.iter().find(|experiment| experiment.slug == slug)
    }

    /// Its settings.
    pub fn settings(&self) -> Vec<Setting> {
        (self.settings)()
    }

    /// The default settings of a full run or a smoke run.
    pub fn specification(&self, is_quick: bool) -> Specification {
        Specification::default_of(self.slug, &self.settings(), is_quick)
    }

    /// Runs it.
    pub fn run(&self, context: &Context<'_>) -> Findings {
        let (title, source) = (self.title.to_owned(), self.source.to_owned());
        Findings { title, source, ..(self.run)(context) }
    }
}

/// A number with grouped thousands, for sentences.
fn grouped(count: u64) -> String {
    Figure::exact(count as f64, 0).to_string()
}

impl Context<'_> {
    fn seed(&self) -> u64 {
        self.specification.seed
    }

    fn count(&self, key: &str) -> u64 {
        self.specification.count(key)
    }

    fn counts(&self, key: &str) -> Vec<u64> {
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

    #[test]
    fn the_guide_has_the_table_of_settings() {
        let mut table = "| experiment | key | meaning | value | full run | smoke run |\n\
                         |---|---|---|---|---|---|\n"
            .to_owned();
        for experiment in ALL {
            for Setting { key, quick, .. } in experiment.settings() {
                let (slug, name, about, full) =
                    (experiment.slug, key.name, key.about, &key.default);
                let expected = key.expected();
                table +=
                    &format!("| `{slug}` | `{name}` | {about} | {expected} | {full} | {quick} |\n");
            }
        }
        let guide = include_str!("../../../docs/guide/experiments.md");
        assert!(guide.contains(&table), "docs/guide/experiments.md should have\n{table}");
    }
}
