//! A file that grows by whole lines and is read back when a command resumes.
//!
//! A process that is killed while it appends leaves a last line without an end;
//! the next one drops it. A lock keeps a second process out, also after the file
//! was replaced. What the lines say is up to the command; most write one JSON
//! object per line.

use crate::error::Error;
use crate::output::{json_line, replace_locked};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The open file, locked.
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    /// The length of the whole lines.
    bytes: u64,
}

impl Journal {
    /// Opens or creates the file of an `owner`, such as "solve", and reads it.
    ///
    /// `read` gets the whole lines and the torn last one. If it returns an error, the file stays as
    /// it is; else the torn line is cut off.
    pub(crate) fn open<T>(
        path: &Path,
        owner: &str,
        read: impl FnOnce(&[u8], &[u8]) -> Result<T, String>,
    ) -> Result<(Journal, T), Error> {
        let to_error = |error| Error::io(path.display(), &error);
        let refuse = |offence: &str| Error::input(path.display(), offence);
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            return Err(refuse("not an ordinary file; expected one to add lines to"));
        }
        let options = OpenOptions::new().read(true).append(true).create(true).to_owned();
        let mut file = options.open(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => refuse("no such directory; expected a file that can be made"),
            _ => to_error(error),
        })?;
        // On file systems without locks the user must see to it that only one process writes.
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) || !leads_to(path, &file) {
            return Err(refuse(&format!("in use by another {owner}; expected one at a time")));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(to_error)?;
        let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let (whole, torn) = bytes.split_at(end);
        let contents = read(whole, torn).map_err(|offence| refuse(&offence))?;
        let mut journal = Journal { path: path.to_owned(), file, bytes: end as u64 };
        if !torn.is_empty() {
            journal.cut().map_err(to_error)?;
        }
        Ok((journal, contents))
    }

    /// Opens a file of JSON objects, one per line. Refuses a line that `is_right` rejects at its
    /// place, counted from 0, with the words of `expected`.
    pub(crate) fn of_rows<T: DeserializeOwned>(
        path: &Path,
        owner: &str,
        is_right: impl Fn(&T, usize) -> bool,
        expected: impl Fn(usize) -> String,
    ) -> Result<(Journal, Vec<T>), Error> {
        Journal::open(path, owner, |whole, _| {
            let lines = whole.split_inclusive(|&byte| byte == b'\n').enumerate();
            let row = |(place, line)| {
                let row = serde_json::from_slice(line).ok().filter(|row| is_right(row, place));
                row.ok_or_else(|| format!("line {}: {}", place + 1, expected(place)))
            };
            lines.map(row).collect()
        })
    }

    /// Whether there is no line.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Appends whole lines by one write. They survive the end of this process, not that of the
    /// machine.
    pub(crate) fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        let written = self.file.write_all(lines);
        match &written {
            Ok(()) => self.bytes += lines.len() as u64,
            // A line behind half a line would be damaged. The first error is the one to report.
            Err(_) => drop(self.cut()),
        }
        written
    }

    /// Appends whole lines, and returns when they are on the disk.
    pub(crate) fn append_durably(&mut self, lines: &[u8]) -> Result<(), Error> {
        let written = self.append(lines).and_then(|()| self.file.sync_data());
        written.map_err(|error| self.io_error(&error))
    }

    /// Appends a JSON object as a line, and returns when it is on the disk.
    pub(crate) fn add(&mut self, row: &impl Serialize) -> Result<(), Error> {
        let mut line = Vec::new();
        json_line(&mut line, row)?;
        self.append_durably(&line)
    }

    /// Replaces all lines. A process that is killed meanwhile leaves the old ones.
    pub(crate) fn replace(&mut self, lines: &[u8]) -> Result<(), Error> {
        self.file = replace_locked(&self.path, lines)?;
        self.bytes = lines.len() as u64;
        Ok(())
    }

    /// An error of this file.
    pub(crate) fn io_error(&self, error: &io::Error) -> Error {
        Error::io(self.path.display(), error)
    }

    /// Cuts off what follows the whole lines.
    fn cut(&mut self) -> io::Result<()> {
        self.file.set_len(self.bytes)?;
        self.file.seek(SeekFrom::End(0)).map(drop)
    }

    /// Makes all further writes fail, like a full disk.
    #[cfg(test)]
    pub(crate) fn fill_disk(&mut self) {
        self.file = File::open(&self.path).unwrap();
    }
}

/// Whether `path` still leads to `file`: another process may just have replaced it.
#[cfg(unix)]
fn leads_to(path: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |there: fs::Metadata| (there.dev(), there.ino());
    file.metadata().map(place).ok() == fs::metadata(path).map(place).ok()
}

/// Other systems do not replace a file that is open.
#[cfg(not(unix))]
fn leads_to(_: &Path, _: &File) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("isrever-journal-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(name);
        let _ = fs::remove_file(&path);
        path
    }

    fn open(path: &Path) -> Result<(Journal, Vec<u32>), Error> {
        let is_next = |row: &u32, place: usize| *row as usize == place;
        Journal::of_rows(path, "test", is_next, |place| format!("not {place}; expected it"))
    }

    fn refusal(path: &Path) -> String {
        let Err(Error::Input(line)) = open(path) else { panic!("it is refused") };
        line
    }

    #[test]
    fn lines_come_back_and_more_follow() {
        let path = path("resumed");
        for count in 0..4 {
            let (mut journal, rows) = open(&path).unwrap();
            assert_eq!(rows, (0..count).collect::<Vec<u32>>());
            assert_eq!(journal.is_empty(), count == 0);
            journal.add(&count).unwrap();
        }
        assert_eq!(fs::read(&path).unwrap(), b"0\n1\n2\n3\n");
    }

    #[test]
    fn wherever_it_is_torn_the_whole_lines_count() {
        let path = path("torn");
        let text = "0\n1\n2";
        for end in 0..=text.len() {
            fs::write(&path, &text[..end]).unwrap();
            let whole = text[..end].matches('\n').count();
            let (mut journal, rows) = open(&path).unwrap();
            assert_eq!(rows.len(), whole);
            assert_eq!(fs::read(&path).unwrap().len(), 2 * whole, "the torn line is gone");
            journal.add(&(whole as u32)).unwrap();
            drop(journal);
            assert_eq!(open(&path).unwrap().1.len(), whole + 1);
        }
    }

    #[test]
    fn a_file_of_something_else_stays_as_it_is() {
        let path = path("strange");
        fs::write(&path, "0\n7\n2").unwrap();
        assert!(refusal(&path).ends_with("strange: line 2: not 1; expected it"));
        assert_eq!(fs::read(&path).unwrap(), b"0\n7\n2");
        assert!(refusal(path.parent().unwrap()).contains("not an ordinary file; expected"));
        let nowhere = path.with_file_name("no").join("where");
        assert!(refusal(&nowhere).contains("no such directory; expected"));
    }

    #[test]
    fn a_second_opener_is_refused_until_the_first_is_gone() {
        let path = path("locked");
        let (mut journal, _) = open(&path).unwrap();
        let expected = "in use by another test; expected one at a time";
        assert!(refusal(&path).ends_with(expected));
        // The lock goes with the name, not with the first file that had it.
        journal.replace(b"0\n").unwrap();
        assert!(refusal(&path).ends_with(expected));
        drop(journal);
        assert_eq!(open(&path).unwrap().1, [0]);
    }

    #[test]
    fn what_is_replaced_survives_and_lines_follow_it() {
        let path = path("replaced");
        let (mut journal, _) = open(&path).unwrap();
        journal.add(&5).unwrap();
        journal.replace(b"0\n1\n").unwrap();
        journal.add(&2).unwrap();
        journal.replace(b"").unwrap();
        assert!(journal.is_empty());
        journal.replace(b"0\n").unwrap();
        journal.add(&1).unwrap();
        drop(journal);
        assert_eq!(open(&path).unwrap().1, [0, 1]);
        let entries = fs::read_dir(path.parent().unwrap()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        assert!(!names.into_iter().any(|name| name.contains(".replaced.")), "nothing is left");
    }

    #[test]
    fn a_failed_write_is_reported_with_the_name() {
        let path = path("full");
        let (mut journal, _) = open(&path).unwrap();
        journal.add(&0).unwrap();
        journal.fill_disk();
        let Err(Error::Io(line)) = journal.add(&1) else { panic!("it cannot be written") };
        assert!(line.contains("full: "), "{line}");
        assert_eq!(fs::read(&path).unwrap(), b"0\n");
    }
}
