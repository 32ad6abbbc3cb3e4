//! Keeps what numba compiled while an agent started, for later starts of the very same file.
//!
//! The harness reports the files of numba's cache when the agent is ready, before it has seen a
//! board: no game learns anything of another. They are kept in memory, for this process alone, and
//! given only to agents with the same source and the same Python. What is in them is as hostile as
//! the agent that wrote them, and reaches nobody else.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The most characters of all files of an agent, in base64: a little more than the harness sends.
const MOST_CHARACTERS: usize = 6 << 20;

/// The most agents whose files are kept; the oldest make room.
const MOST_AGENTS: usize = 32;

/// Files by name, in pieces in base64; pieces of one file follow each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Files {
    pub(super) pieces: Vec<(String, String)>,
    characters: usize,
}

impl Files {
    /// Adds a piece; `false` if there is no room for it.
    pub(super) fn add(&mut self, name: String, piece: String) -> bool {
        self.characters += name.len() + piece.len();
        let has_room = self.characters <= MOST_CHARACTERS;
        if has_room {
            self.pieces.push((name, piece));
        }
        has_room
    }
}

/// An agent's files.
struct Kept {
    source: Box<[u8]>,
    program: PathBuf,
    files: Arc<Files>,
}

static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

/// Ignores poisoning: the list is consistent at every moment.
fn kept() -> MutexGuard<'static, Vec<Kept>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The files of an agent with this source, run by the Python at `program`, if some are kept.
pub(super) fn find(source: &[u8], program: &Path) -> Option<Arc<Files>> {
    let kept = kept();
    let same = kept.iter().find(|kept| *kept.source == *source && kept.program == program);
    same.map(|kept| Arc::clone(&kept.files))
}

/// Keeps files, unless there are none or the agent has some already.
pub(super) fn keep(source: &[u8], program: &Path, files: Files) {
    if files.pieces.is_empty() || find(source, program).is_some() {
        return;
    }
    let mut kept = kept();
    if kept.len() >= MOST_AGENTS {
        kept.remove(0);
    }
    kept.push(Kept { source: source.into(), program: program.to_owned(), files: Arc::new(files) });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(piece: &str) -> Files {
        let mut files = Files::default();
        assert!(files.add("ai.nbi".to_owned(), piece.to_owned()));
        files
    }

    #[test]
    fn files_are_kept_for_the_same_source_and_python_alone() {
        let (python, other) = (Path::new("/a/python3"), Path::new("/b/python3"));
        keep(b"one", python, files("MQ=="));
        keep(b"one", python, files("Mg=="));
        keep(b"none", python, Files::default());
        assert_eq!(find(b"one", python).as_deref(), Some(&files("MQ==")), "the first ones stay");
        for (source, program) in [(&b"two"[..], python), (b"one", other), (b"none", python)] {
            assert_eq!(find(source, program), None);
        }
        for number in 0..MOST_AGENTS {
            keep(format!("other {number}").as_bytes(), python, files(""));
        }
        assert_eq!(find(b"one", python), None, "the oldest makes room");
    }

    #[test]
    fn there_is_an_end_to_what_is_kept() {
        let mut files = files("");
        assert!(!files.add("large".to_owned(), "A".repeat(MOST_CHARACTERS)));
        assert_eq!(files.pieces.len(), 1);
    }
}
