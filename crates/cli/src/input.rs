//! Reads input: an argument is the text itself, a file's name, or `-`.
//!
//! Reading is bounded here, once for all commands. What the bytes mean is the
//! business of `isrever_board::text`.

use crate::error::Error;
use isrever_board::text::{self, Defaults, Format, Record};
use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The most that is read, from a file or a stream.
pub(crate) const MOST_BYTES: u64 = 64 << 20;

/// How the files of our formats are called: such an argument means a file, there or not.
const SUFFIXES: [&str; 10] =
    [".txt", ".obf", ".ggf", ".sgf", ".wtb", ".jou", ".trn", ".hex", ".moves", ".json"];

/// Bytes and where they come from.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) place: Place,
    pub(crate) bytes: Vec<u8>,
}

/// Where bytes come from, as messages call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// There is no argument; what is meant is the position that games start with.
    Start,
    /// The argument is the text itself.
    Argument,
    /// `-`.
    Stdin,
    /// A file that is there.
    File(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Start => f.write_str("the start position"),
            Place::Argument => f.write_str("the given text"),
            Place::Stdin => f.write_str("standard input"),
            Place::File(name) => f.write_str(name),
        }
    }
}

impl Input {
    /// Reads what `argument` means.
    pub(crate) fn read(argument: &OsStr) -> Result<Input, Error> {
        if argument == "-" {
            let bytes = read_bounded(io::stdin().lock(), &Place::Stdin)?;
            return Ok(Input { place: Place::Stdin, bytes });
        }
        if let Ok(metadata) = fs::metadata(argument) {
            return Input::read_file(Path::new(argument), &metadata);
        }
        let Some(text) = argument.to_str() else {
            let offence = "not UTF-8 and not a file; expected text in UTF-8, a file, or -";
            return Err(Error::input(argument.display(), offence));
        };
        if looks_like_a_file(text) {
            let offence = "no such file; expected a file, - for standard input, or the text itself";
            return Err(Error::input(text, offence));
        }
        Ok(Input { place: Place::Argument, bytes: text.as_bytes().to_vec() })
    }

    /// Reads the file called `name`, or standard input if that is `-`.
    pub(crate) fn read_named(name: &OsStr) -> Result<Input, Error> {
        if name == "-" {
            return Input::read(name);
        }
        match fs::metadata(name) {
            Ok(metadata) => Input::read_file(Path::new(name), &metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let offence = "no such file; expected a file, or - for standard input";
                Err(Error::input(name.display(), offence))
            }
            Err(error) => Err(Error::io(name.display(), &error)),
        }
    }

    fn read_file(path: &Path, metadata: &fs::Metadata) -> Result<Input, Error> {
        let place = Place::File(path.display().to_string());
        if metadata.is_dir() {
            return Err(Error::input(place, "a directory; expected a file"));
        }
        let file = File::open(path).map_err(|error| Error::io(&place, &error))?;
        let bytes = read_bounded(file, &place)?;
        Ok(Input { place, bytes })
    }

    /// The positions and games in the bytes, one at a time: at least one, or an error.
    pub(crate) fn records(
        &self,
        format: Option<Format>,
        defaults: Defaults,
    ) -> Result<impl Iterator<Item = Result<Record, Error>>, Error> {
        let to_error = |error| Error::input(&self.place, error);
        let records = text::records(&self.bytes, format, defaults).map_err(to_error)?;
        Ok(records.map(move |record| record.map_err(to_error)))
    }

    /// The only position or game in the bytes.
    pub(crate) fn record(&self, defaults: Defaults) -> Result<Record, Error> {
        let (mut first, mut count) = (None, 0);
        for record in self.records(None, defaults)? {
            let record = record?;
            first.get_or_insert(record);
            count += 1;
        }
        match first {
            Some(record) if count == 1 => Ok(record),
            _ => {
                let offence = format_args!("{count} positions or games; expected one");
                Err(Error::input(&self.place, offence))
            }
        }
    }
}

/// Everything `stream` has, if it is not too much.
fn read_bounded(stream: impl Read, place: &Place) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    stream
        .take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Error::io(place, &error))?;
    if bytes.len() as u64 > MOST_BYTES {
        let mebibytes = MOST_BYTES >> 20;
        let offence = format_args!("longer than {mebibytes} MiB; expected at most that");
        return Err(Error::input(place, offence));
    }
    Ok(bytes)
}

/// Whether nobody can have meant `text` as the text itself: so a misspelt file's name is called
/// that, and not a bad move. Slashes stand in game records too, but those have brackets.
fn looks_like_a_file(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    SUFFIXES.iter().any(|suffix| lower.ends_with(suffix))
        || (text.contains('/') && !text.contains('('))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_told_from_texts() {
        for name in ["game.ggf", "no/where", "GAMES.WTB", "../x", "a.txt"] {
            assert!(looks_like_a_file(name), "{name}");
        }
        for text in ["f5d6c3", "--XO....", "(;GM[Othello]B[F5/1.0/2];)", "", "....O.X"] {
            assert!(!looks_like_a_file(text), "{text}");
        }
    }

    #[test]
    fn reading_stops_at_the_bound() {
        let error = read_bounded(io::repeat(b'x'), &Place::Stdin).unwrap_err();
        let line = "standard input: longer than 64 MiB; expected at most that";
        assert_eq!(error.line(), Some(line));
        assert_eq!(read_bounded(&b"abc"[..], &Place::Stdin).unwrap(), b"abc");
    }
}
