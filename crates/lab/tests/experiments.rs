//! The folders in `experiments/` are what the program would write for the same results.

use isrever_lab::experiment::{Folder, Verdict};
use isrever_lab::tune::Spec;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Folders of experiments that are kept with the code.
fn kept() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let entries = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_dir()).collect()
}

fn read(path: &Path) -> Folder {
    let mut folder = Folder::default();
    for entry in fs::read_dir(path).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        folder.files.insert(name, fs::read(entry.path()).unwrap());
    }
    folder
}

#[test]
fn pages_tables_and_pictures_are_those_of_their_results() {
    let kept = kept();
    assert!(kept.len() >= 18, "{kept:?}");
    for path in kept {
        let folder = read(&path);
        let made = Folder::new(
            folder.specification().unwrap(),
            &folder.findings().unwrap(),
            &folder.provenance().unwrap(),
        );
        for (name, bytes) in made.files {
            // Tunings are run again by another command.
            let text = String::from_utf8(folder.files[&name].clone()).unwrap();
            let text = text.replace(
                "isrever tune experiment.toml --dir again",
                "isrever lab run experiment.toml",
            );
            assert!(text.as_bytes() == bytes, "{} is not up to date", path.join(name).display());
        }
    }
}

#[test]
fn what_differs_is_explained_and_nothing_reads_like_a_fault() {
    for path in kept() {
        let findings = read(&path).findings().unwrap();
        let timed = findings.timings.iter().flat_map(|timings| &timings.comparisons);
        let mut compared = findings.comparisons.iter().chain(timed);
        if compared.any(|comparison| comparison.verdict == Verdict::Differs) {
            assert!(!findings.notes.is_empty(), "{}", path.display());
        }
        for sentence in &findings.meaning {
            assert!(sentence.ends_with('.') && !sentence.contains("NaN"), "{sentence}");
        }
    }
}

#[test]
fn kept_tunings_rest_on_what_this_program_has() {
    let catalogue = Arc::new(isrever_players::catalogue());
    let mut checked = 0;
    for path in kept() {
        let folder = read(&path);
        let Ok(spec) = Spec::read(folder.specification().unwrap()) else { continue };
        let plan = spec.settle(&catalogue).unwrap();
        let then = folder.dependencies().unwrap().expect("a tuning names its dependencies");
        let now = plan.dependencies(&catalogue, 2).unwrap();
        assert_eq!(then.changes(&now), [], "{} is stale", path.display());
        checked += 1;
    }
    assert!(checked >= 4);
}
