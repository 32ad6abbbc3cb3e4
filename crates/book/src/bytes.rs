//! Where the bytes of a book lie: in the program, in memory, or in a file.

use memmap2::Mmap;
use std::fs::{self, File};
use std::io;
use std::ops::Deref;
use std::path::Path;

/// The bytes of a book, wherever they lie.
#[derive(Debug)]
pub enum Bytes {
    /// In the program.
    Embedded(&'static [u8]),
    /// In memory.
    Owned(Vec<u8>),
    /// In a file, which the system reads page by page when it is looked at.
    Mapped(Mapped),
}

/// A file that is mapped into memory.
#[derive(Debug)]
pub struct Mapped(Mmap);

impl Bytes {
    /// Maps a file.
    ///
    /// # Errors
    /// If it cannot be opened or mapped, as pipes and devices cannot.
    pub fn map(path: &Path) -> io::Result<Bytes> {
        // Opening a pipe would wait until somebody writes to it.
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a plain file"));
        }
        let file = File::open(path)?;
        if file.metadata()?.len() == 0 {
            return Ok(Bytes::Owned(Vec::new()));
        }
        #[expect(unsafe_code, reason = "a map is as safe as the file is left alone")]
        // SAFETY: Isrever replaces books as a whole and never writes into one, so that the file behind
        // the map does not change. Bytes are copied out one by one and checked before they are used;
        // nothing else is made of them.
        let map = unsafe { Mmap::map(&file)? };
        Ok(Bytes::Mapped(Mapped(map)))
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Embedded(bytes) => bytes,
            Bytes::Owned(bytes) => bytes,
            Bytes::Mapped(Mapped(map)) => map,
        }
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Bytes {
        Bytes::Owned(bytes)
    }
}
