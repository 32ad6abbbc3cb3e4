//! The files that steps write into the scratch folder.

use super::mask::masked;
use anyhow::Result;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Longer files are told by their hash alone.
const MOST_BYTES: usize = 2_000;

/// Files that are never the same twice: databases have dates in them, and `timings…` are times.
/// What is in the databases is compared by the commands that show it.
fn is_volatile(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or(name);
    name.starts_with("timings") || name.contains(".db")
}

/// The files of a folder and their hashes, as they were when it was last looked at.
#[derive(Default)]
pub(super) struct Files(BTreeMap<String, String>);

impl Files {
    /// Says of each file that is new, other than before or gone what is in it now.
    pub(super) fn changes(&mut self, folder: &Path) -> Result<Vec<String>> {
        let mut found = BTreeMap::new();
        gather(folder, "", &mut found)?;
        let mut changes = Vec::new();
        for (name, bytes) in &found {
            let hash = hash(bytes);
            if self.0.get(name) != Some(&hash) {
                changes.push(told(name, bytes));
                self.0.insert(name.clone(), hash);
            }
        }
        let gone: Vec<String> =
            self.0.keys().filter(|name| !found.contains_key(*name)).cloned().collect();
        for name in gone {
            self.0.remove(&name);
            changes.push(format!("removed {name}\n"));
        }
        Ok(changes)
    }
}

fn gather(folder: &Path, prefix: &str, found: &mut BTreeMap<String, Vec<u8>>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            gather(&entry.path(), &format!("{name}/"), found)?;
        } else if !is_volatile(&name) {
            found.insert(name, fs::read(entry.path())?);
        }
    }
    Ok(())
}

/// What is told of a file: its lines if it is short and text, else its hash.
fn told(name: &str, bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.len() <= MOST_BYTES => {
            let lines: String = text.lines().map(|line| format!("| {line}\n")).collect();
            format!("wrote {name}:\n{lines}")
        }
        Ok(text) => format!("wrote {name}: {}\n", summary(masked(text).as_bytes())),
        Err(_) => format!("wrote {name}: {}\n", summary(bytes)),
    }
}

/// The bytes as text, or what stands for them if they are none.
pub(super) fn readable(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| summary(error.as_bytes()))
}

fn summary(bytes: &[u8]) -> String {
    format!("{} bytes, SHA-256 {}", bytes.len(), hash(bytes))
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
