//! The files that steps write into the scratch folder.

use super::mask::masked;
use crate::hash::hash;
use anyhow::Result;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Of longer files only the hash is told.
const MOST_BYTES: usize = 2_000;

/// Whether a file is never the same twice: databases hold dates, and `timings…` hold times. The
/// commands that show a database compare what is in it.
fn is_volatile(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or(name);
    name.starts_with("timings") || name.contains(".db")
}

/// Remembers the files of a folder by their hashes.
#[derive(Default)]
pub(super) struct Files(BTreeMap<String, String>);

impl Files {
    /// Describes each file that is new, changed or gone since the last call.
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

/// Tells the lines of a file if it is short and text, else its hash.
fn told(name: &str, bytes: &[u8]) -> String {
    match text(bytes) {
        Some(text) if text.len() <= MOST_BYTES => {
            let lines: String = text.lines().map(|line| format!("| {line}\n")).collect();
            format!("wrote {name}:\n{lines}")
        }
        Some(text) => format!("wrote {name}: {}\n", summary(masked(text).as_bytes())),
        None => format!("wrote {name}: {}\n", summary(bytes)),
    }
}

/// Returns the bytes as text, or their hash if they are none.
pub(super) fn readable(bytes: &[u8]) -> String {
    text(bytes).map_or_else(|| summary(bytes), str::to_owned)
}

fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

fn summary(bytes: &[u8]) -> String {
    format!("{} bytes, SHA-256 {}", bytes.len(), hash(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_told_once() {
        let folder = std::env::temp_dir().join(format!("isrever-files-{}", std::process::id()));
        fs::create_dir_all(folder.join("sub")).unwrap();
        let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
        write("sub/a.txt", b"one\ntwo\n");
        write("b.bin", b"\0\xff");
        write("cup.db", b"dates");
        let mut files = Files::default();
        let first = files.changes(&folder).unwrap();
        assert!(first[0].starts_with("wrote b.bin: 2 bytes, SHA-256 "), "{first:?}");
        assert_eq!(first[1..], ["wrote sub/a.txt:\n| one\n| two\n"]);
        write("sub/a.txt", b"one\ntwo\n");
        assert!(files.changes(&folder).unwrap().is_empty(), "the same bytes are no change");
        fs::remove_file(folder.join("b.bin")).unwrap();
        assert_eq!(files.changes(&folder).unwrap(), ["removed b.bin\n"]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn long_files_are_told_by_the_hash_of_what_is_not_hidden() {
        let text = |seconds: f64| "x\n".repeat(2_000) + &format!("\"seconds\":{seconds}\n");
        assert_eq!(told("a", text(0.1).as_bytes()), told("a", text(0.2).as_bytes()));
        assert_ne!(told("a", text(0.1).as_bytes()), told("a", b"x\n".repeat(2_000).as_slice()));
        assert_eq!(readable(b"f5\n"), "f5\n");
        assert!(readable(b"\0").starts_with("1 bytes, SHA-256 6e340b9c"));
    }
}
