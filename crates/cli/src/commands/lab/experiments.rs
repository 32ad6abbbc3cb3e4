//! Experiments as jobs: whole ones, which any machine may run.

use crate::progress::style;
use crate::provenance::{provenance, thread_time};
use indicatif::ProgressBar;
use isrever_experiments::{ALL, Context, Experiment, Progress};
use isrever_jobs::{Failure, Manifest, Work};
use isrever_lab::experiment::{Folder, Specification};
use isrever_web::date::now_ms;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What manifests of experiments say they are.
pub(crate) const KIND: &str = "experiment";

/// Experiments, and what is asked of each.
pub(crate) struct Experiments {
    pub(super) planned: Vec<(&'static Experiment, Specification)>,
    /// How many threads run one.
    pub(super) threads: usize,
    /// Shows how far one has come.
    pub(super) bar: ProgressBar,
}

/// Reads a specification of one of the experiments.
pub(super) fn specification(text: &str) -> Result<Specification, impl fmt::Display> {
    let known: Vec<&str> = ALL.iter().map(|experiment| experiment.slug).collect();
    let settings =
        |slug: &str| Experiment::by_slug(slug).map_or_else(Vec::new, Experiment::settings);
    Specification::read(text, &known, settings)
}

/// The experiment of a specification.
pub(super) fn experiment(specification: &Specification) -> &'static Experiment {
    let experiment = Experiment::by_slug(&specification.experiment);
    experiment.expect("only those that there are can be read")
}

impl Experiments {
    /// The experiments of a manifest's text, each on a thread of its own.
    pub(crate) fn read(text: &str) -> Result<Experiments, String> {
        let refused = |what: &dyn fmt::Display| format!("not experiments: {what}");
        let texts: Vec<String> = serde_json::from_str(text).map_err(|why| refused(&why))?;
        let planned = texts.iter().map(|text| {
            let specification = specification(text).map_err(|why| refused(&why))?;
            Ok((experiment(&specification), specification))
        });
        let planned = planned.collect::<Result<_, String>>()?;
        Ok(Experiments { planned, threads: 1, bar: ProgressBar::hidden() })
    }

    /// Begins to show how far an experiment has come.
    fn show(&self, place: usize) {
        // How much there is to do, the experiment says: until then nothing of it is done.
        self.bar.unset_length();
        self.bar.reset();
        let slug = self.planned[place].0.slug;
        self.bar.set_message(match self.planned.len() {
            1 => slug.to_owned(),
            count => format!("{} of {count}, {slug}", place + 1),
        });
    }
}

impl Work for Experiments {
    /// The place of an experiment.
    type Job = usize;
    /// The files of its folder.
    type Output = BTreeMap<String, String>;
    type ThreadState = Result<ThreadPool, String>;

    fn thread_state(&self) -> Result<ThreadPool, String> {
        let pool = ThreadPoolBuilder::new().num_threads(self.threads).build();
        pool.map_err(|error| format!("no threads: {error}"))
    }

    fn perform(
        &self,
        pool: &mut Result<ThreadPool, String>,
        &place: &usize,
        _: &Arc<AtomicBool>,
    ) -> Result<BTreeMap<String, String>, Failure> {
        let pool = pool.as_ref().map_err(|why| Failure::Machine(why.clone()))?;
        let Some((experiment, specification)) = self.planned.get(place) else {
            return Err(Failure::Machine(format!("there is no experiment {place}")));
        };
        self.show(place);
        let (bar, threads) = (Bar(&self.bar), self.threads);
        let (began_ms, began) = (now_ms(), Instant::now());
        let clock = thread_clock();
        let context = Context { specification, threads, progress: &bar, clock: &clock };
        let findings = pool.install(|| experiment.run(&context));
        let provenance = provenance(began_ms, began.elapsed(), threads);
        let dependencies = pool.install(|| experiment.dependencies(&context));
        let folder = Folder::new(&specification.text(), &findings, &provenance)
            .with_dependencies(&dependencies);
        let text = |bytes| String::from_utf8(bytes).expect("experiments write text");
        Ok(folder.files.into_iter().map(|(name, bytes)| (name, text(bytes))).collect())
    }

    fn manifest(&self) -> Result<Manifest, String> {
        let texts: Vec<String> =
            self.planned.iter().map(|(_, specification)| specification.text()).collect();
        Ok(Manifest::new(KIND, &texts))
    }
}

/// The folder of these files.
pub(super) fn folder(files: BTreeMap<String, String>) -> Folder {
    Folder { files: files.into_iter().map(|(name, text)| (name, text.into_bytes())).collect() }
}

/// A bar of one experiment at a time.
pub(super) fn experiment_bar() -> ProgressBar {
    let bar = ProgressBar::no_length();
    bar.set_style(style("{msg}: {bar:30} {percent} %, {time}"));
    bar
}

/// Shows progress on a bar.
pub(super) struct Bar<'a>(pub(super) &'a ProgressBar);

impl Progress for Bar<'_> {
    fn expect(&self, steps: u64) {
        self.0.set_length(self.0.length().unwrap_or(0) + steps);
    }

    fn advance(&self, steps: u64) {
        self.0.inc(steps);
    }
}

/// The clock of experiments that measure time: that of the calling thread, or of the wall where the
/// system tells no other.
pub(super) fn thread_clock() -> impl Fn() -> Duration + Sync {
    let began = Instant::now();
    move || thread_time().unwrap_or_else(|| began.elapsed())
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_lab::experiment::is_repeatable;

    #[test]
    fn what_is_written_for_other_machines_runs_the_same_experiments() {
        let planned = ["breadth", "winners"].map(|slug| {
            let experiment = Experiment::by_slug(slug).unwrap();
            (experiment, experiment.specification(true))
        });
        let bar = ProgressBar::hidden();
        let here = Experiments { planned: planned.to_vec(), threads: 2, bar };
        let there = Experiments::read(&here.manifest().unwrap().text).unwrap();
        for place in 0..2 {
            let run = |experiments: &Experiments| {
                let mut state = experiments.thread_state();
                let files = experiments.perform(&mut state, &place, &Arc::default()).unwrap();
                files.into_iter().filter(|(name, _)| is_repeatable(name)).collect::<Vec<_>>()
            };
            assert_eq!(run(&here), run(&there));
        }
        let none = here.perform(&mut here.thread_state(), &2, &Arc::default());
        assert_eq!(none, Err(Failure::Machine("there is no experiment 2".to_owned())));
        assert!(Experiments::read("[\"experiment = 'luck'\"]").is_err());
    }
}
