//! A file that grows by whole lines, an object each, and is read back when a command goes on.
//!
//! Whoever is killed while it writes leaves a line without an end, which is
//! dropped. Nobody else may go on with the file meanwhile.

use crate::fault::Fault;
use crate::output::json_line;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// The file, locked.
pub(crate) struct Journal<T> {
    path: PathBuf,
    file: File,
    kind: PhantomData<T>,
}

impl<T: Serialize + DeserializeOwned> Journal<T> {
    /// Opens or makes the file of a `command`, and reads what there is; a line that `is_right`
    /// does not like at its place is refused as not being `expected`.
    pub(crate) fn open(
        path: &Path,
        command: &str,
        is_right: impl Fn(&T, usize) -> bool,
        expected: impl Fn(usize) -> String,
    ) -> Result<(Journal<T>, Vec<T>), Fault> {
        let fault = |error| Fault::io(path.display(), &error);
        let options = OpenOptions::new().read(true).append(true).create(true).to_owned();
        let mut file = options.open(path).map_err(fault)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let offence = format_args!("in use by another {command}; expected one at a time");
                return Err(Fault::input(path.display(), offence));
            }
            Err(TryLockError::Error(error)) => return Err(fault(error)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(fault)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(fault)?;
            file.seek(SeekFrom::End(0)).map_err(fault)?;
        }
        let mut rows = Vec::new();
        let lines = bytes[..whole].split_inclusive(|&byte| byte == b'\n');
        for (line, place) in lines.zip(0..) {
            let row = serde_json::from_slice(line).ok().filter(|row| is_right(row, place));
            let row = row.ok_or_else(|| {
                let offence = format_args!("line {}: {}", place + 1, expected(place));
                Fault::input(path.display(), offence)
            })?;
            rows.push(row);
        }
        Ok((Journal { path: path.to_owned(), file, kind: PhantomData }, rows))
    }

    /// Writes a line, and returns when it is on the disk.
    pub(crate) fn add(&mut self, row: &T) -> Result<(), Fault> {
        let mut line = Vec::new();
        json_line(&mut line, row)?;
        // In one piece: whoever is killed meanwhile leaves a line without an end.
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_data());
        written.map_err(|error| Fault::io(self.path.display(), &error))
    }
}
