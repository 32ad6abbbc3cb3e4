//! The embedded weights are those of the manifest.

use isrever_board::{Board, Rule, Size};
use isrever_eval::{DISC, Shape, Weights};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;

/// The largest file that may be embedded for a rule.
const MOST_BYTES: u64 = 16 << 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    weights: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    file: String,
    kind: String,
    rule: String,
    size: usize,
    bytes: u64,
    sha256: String,
    recipe: String,
}

#[test]
fn the_manifest_lists_every_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../weights");
    let manifest: Manifest =
        toml::from_str(&fs::read_to_string(folder.join("manifest.toml")).unwrap()).unwrap();
    for Entry { file, kind, rule, size, bytes, sha256, recipe } in &manifest.weights {
        let content = fs::read(folder.join(file)).unwrap();
        let hash: String =
            Sha256::digest(&content).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!((content.len() as u64, &hash), (*bytes, sha256), "{file}");
        assert!(*bytes <= MOST_BYTES, "{file} is too large");
        let trainer = if kind == "zero" { "isrever.zero" } else { "isrever train" };
        assert!(recipe.contains(trainer), "{file}");
        let rule: Rule = rule.parse().unwrap();
        // The network of `zero` is that crate's; its tests read it.
        if kind == "zero" {
            continue;
        }
        let embedded = Weights::embedded(rule, Size::new(*size).unwrap()).unwrap();
        assert!(Weights::from_bytes(&content).unwrap() == *embedded, "{file}");
        // A network has margins for pruning that were measured with it.
        let is_network = embedded.is_network();
        assert_eq!(kind, if is_network { "network" } else { "linear" }, "{file}");
        assert_eq!(embedded.is_calibrated(), is_network, "{file}");
    }
    let mut listed: Vec<_> = manifest.weights.iter().map(|entry| entry.file.clone()).collect();
    listed.push("manifest.toml".to_owned());
    let mut present: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    listed.sort();
    present.sort();
    assert_eq!(listed, present);
}

#[test]
fn each_rule_has_its_weights_on_boards_with_patterns() {
    for rule in Rule::ALL {
        for size in Size::ALL {
            let Some(weights) = Weights::embedded(rule, size) else {
                assert!(Shape::of(size).is_none());
                continue;
            };
            assert_eq!((weights.rule(), weights.shape().size()), (rule, size));
            // Neither side is far ahead at the start.
            assert!(weights.plain_value(Board::start(size)).abs() < 8 * DISC);
        }
    }
}
