//! `isrever club back-up` and `isrever club prove`: files of a club for other places.

use super::{failed, open};
use crate::error::Error;
use crate::messages::{counted, size};
use crate::output::{json_line, new_file};
use isrever_club::{ClubError, FinalId};
use isrever_web::date::now_ms;
use serde::Serialize;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Copy a whole club to one file, while people and judges go on
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever club back-up /srv/club /backup/club-monday.db
The copy is of one moment, with accounts, submissions, games and the log. It is there whole or not
at all, and nothing is overwritten. To go back to it, stop the server, and put the copy into an
empty directory under the name club.db.
The copy has everybody's sources: on Unix its owner alone may read it.
With --json one object, with the keys file and bytes.")]
pub(super) struct BackUpArgs {
    /// The club's directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// The file to write, which must not be there
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// One object
    #[arg(long)]
    json: bool,
}

/// Write all games of a final to one file, which anybody can count again
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever club prove /srv/club 1 final.db
  isrever arena show final.db
The file is a tournament of isrever arena, with every move of every game, and the hash of every
agent's source. Of a final that is not over it has the games so far. Nothing is overwritten.
With --json one object, with the keys file, final, state, played and waiting.")]
pub(super) struct ProveArgs {
    /// The club's directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// The number of the final
    #[arg(value_name = "FINAL", allow_negative_numbers = true,
          value_parser = clap::value_parser!(i64).range(1..))]
    number: FinalId,

    /// The file to write, which must not be there
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// One object
    #[arg(long)]
    json: bool,
}

/// What `club back-up --json` says.
#[derive(Serialize)]
struct Copy<'a> {
    file: &'a Path,
    bytes: u64,
}

/// What `club prove --json` says.
#[derive(Serialize)]
struct Proof<'a> {
    file: &'a Path,
    #[serde(rename = "final")]
    number: FinalId,
    state: &'a str,
    played: u64,
    waiting: u64,
}

/// Copies the club.
pub(super) fn back_up(args: &BackUpArgs, out: &mut dyn Write) -> Result<(), Error> {
    let club = open(&args.directory)?;
    new_file(&args.file, |path| {
        private_file(path).map_err(|error| Error::io(args.file.display(), &error))?;
        club.back_up(path).map_err(|error| failed(args.file.display(), error))
    })?;
    let bytes = fs::metadata(&args.file).map_or(0, |there| there.len());
    if args.json {
        return Ok(json_line(out, &Copy { file: &args.file, bytes })?);
    }
    Ok(writeln!(out, "{}: the whole club, {}", args.file.display(), size(bytes))?)
}

/// Makes an empty file for nobody else's eyes, to be filled.
fn private_file(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

/// Writes a final's games.
pub(super) fn prove(args: &ProveArgs, out: &mut dyn Write) -> Result<(), Error> {
    let club = open(&args.directory)?;
    let in_club = |error| failed(args.directory.display(), error);
    let of_final = club.final_round(args.number, now_ms()).map_err(|error| match error {
        ClubError::Final(error) => {
            let offence = format_args!("{error}; expected the number of one that has begun");
            Error::input(format_args!("FINAL {}", args.number), offence)
        }
        other => in_club(other),
    })?;
    new_file(&args.file, |path| {
        club.prove(args.number, path, now_ms())
            .map_err(|error| failed(args.file.display(), error))?;
        // The right to add games ended with the store.
        let mut lock = path.as_os_str().to_owned();
        lock.push(".lock");
        fs::remove_file(lock).map_err(|error| Error::io(args.file.display(), &error))
    })?;
    let (file, state) = (args.file.as_path(), of_final.state.word());
    let (played, waiting) = (of_final.played, of_final.waiting);
    if args.json {
        let number = args.number;
        return Ok(json_line(out, &Proof { file, number, state, played, waiting })?);
    }
    let (games, file) = (counted(played, "game"), file.display());
    writeln!(out, "{}: {games} in {file}", of_final.name)?;
    if waiting > 0 {
        writeln!(out, "The final is {state}: {} to come", counted(waiting, "game"))?;
    }
    Ok(writeln!(out, "isrever arena show {file} counts them again")?)
}
