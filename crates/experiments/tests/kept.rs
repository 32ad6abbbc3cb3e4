//! The folders in `experiments/` are what this program would write: the cheap ones are run whole, the
//! others at the reduced size that their folders record.

use isrever_experiments::{ALL, Context, Experiment, Progress};
use isrever_lab::experiment::{Folder, Provenance, Specification, different_files};
use std::fs;
use std::path::Path;
use std::time::Duration;

struct Silent;

impl Progress for Silent {
    fn expect(&self, _: u64) {}
    fn advance(&self, _: u64) {}
}

fn kept(experiment: &Experiment) -> Folder {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let mut folder = Folder::default();
    for entry in fs::read_dir(root.join(experiment.slug)).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        folder.files.insert(name, fs::read(entry.path()).unwrap());
    }
    folder
}

/// The specification of a kept folder.
fn specification(experiment: &Experiment, folder: &Folder) -> Specification {
    let text = folder.specification().unwrap();
    Specification::read(text, &[experiment.slug], |_| experiment.settings()).unwrap()
}

fn in_context<R>(specification: &Specification, run: impl FnOnce(&Context<'_>) -> R) -> R {
    let clock = || Duration::ZERO;
    run(&Context { specification, threads: 2, progress: &Silent, clock: &clock })
}

#[test]
fn kept_folders_rest_on_what_this_program_has() {
    for experiment in ALL {
        let folder = kept(experiment);
        let then = folder.dependencies().unwrap();
        let then = then.unwrap_or_else(|| panic!("{} names no dependencies", experiment.slug));
        let now = in_context(&specification(experiment, &folder), |context| {
            experiment.dependencies(context)
        });
        let changes: Vec<String> = then.changes(&now).iter().map(ToString::to_string).collect();
        assert!(
            changes.is_empty(),
            "{} is stale: {}; isrever lab run {0} writes it anew",
            experiment.slug,
            changes.join("; ")
        );
    }
}

#[test]
fn cheap_experiments_give_their_own_bytes_again() {
    let mut repeated = 0;
    for experiment in ALL.iter().filter(|experiment| experiment.is_cheap) {
        let folder = kept(experiment);
        let specification = specification(experiment, &folder);
        let findings = in_context(&specification, |context| experiment.run(context));
        let made = Folder::new(&specification.text(), &findings, &Provenance::default());
        assert_eq!(different_files(&made, &folder), [""; 0], "{}", experiment.slug);
        repeated += 1;
    }
    assert!(repeated >= 4);
}
