//! `isrever convert`: positions and games from one format to another.
//!
//! Everything is converted twice: once to see that it can be, and once to
//! write it. So nothing is written when anything is wrong, and of a long
//! input's output only one game at a time is held in memory; WTHOR's is held
//! whole, since its header counts the games.

use crate::error::Error;
use crate::input::Input;
use crate::options::{DefaultArgs, formats, reading, text};
use crate::output::replace_file;
use isrever_board::text::{self, Format, WriteError, Writer};
use std::ffi::OsString;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::iter;
use std::path::PathBuf;

/// Turn positions and games from one format into another
#[derive(clap::Args, Debug)]
#[command(after_help = formats() + "
Examples:
  isrever convert f5d6c3 --to ggf         a game record of three moves
  isrever convert games.wtb --to moves    a database as lines of moves
  isrever convert game.sgf --to board --at 20
  isrever convert - --to obf -o positions.obf < positions.txt
Nothing is written unless all can be: a wrong line anywhere leaves FILE as it was.
" + &reading())]
pub(crate) struct ConvertArgs {
    /// Positions or games: their text, or a file, or - for standard input
    #[arg(value_name = "TEXT|FILE|-", allow_hyphen_values = true, value_parser = text())]
    pub(crate) text: OsString,

    /// Format to write
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Format,

    /// Format of the input, instead of guessing it
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<Format>,

    /// Write here instead of to standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Stop each game after this many moves, passes counted
    #[arg(long, value_name = "PLY", allow_negative_numbers = true)]
    pub(crate) at: Option<usize>,

    /// Write passes too (only --to moves leaves them out)
    #[arg(long)]
    pub(crate) passes: bool,

    #[command(flatten)]
    pub(crate) defaults: DefaultArgs,
}

/// Converts all, then writes.
pub(crate) fn run(args: &ConvertArgs, out: &mut dyn Write) -> Result<(), Error> {
    if args.passes && args.to != Format::Moves {
        let offence = format_args!("{} needs no such option; expected --to moves", args.to);
        return Err(Error::input("--passes", offence));
    }
    if args.to == Format::Wthor && args.output.is_none() && io::stdout().is_terminal() {
        let offence = "a binary format, and this is a terminal; expected -o FILE";
        return Err(Error::input("--to wthor", offence));
    }
    let input = Input::read(&args.text)?;
    for piece in converted(args, &input)? {
        piece?;
    }
    let pieces = converted(args, &input)?;
    if let Some(path) = &args.output {
        return replace_file(path, pieces);
    }
    let mut out = BufWriter::new(out);
    for piece in pieces {
        out.write_all(&piece?)?;
    }
    Ok(out.flush()?)
}

/// Bytes to write one after the other, made as they are asked for.
type Pieces<'a> = Box<dyn Iterator<Item = Result<Vec<u8>, Error>> + 'a>;

/// The input in the other format, game by game.
fn converted<'a>(args: &'a ConvertArgs, input: &'a Input) -> Result<Pieces<'a>, Error> {
    let mut records = super::records(input, args.from, &args.defaults, args.at)?;
    let to_error = |error: WriteError| Error::input(&input.place, error);
    if args.to == Format::Wthor {
        // The number of games stands at the head of the file, so the whole of it is one piece.
        let mut writer = Writer::new(args.to);
        records.try_for_each(|record| writer.push(&record?).map_err(to_error))?;
        return Ok(Box::new(iter::once(writer.finish().map_err(to_error))));
    }
    let mut writer = Writer::new(args.to);
    Ok(Box::new(records.map(move |record| {
        let record = record?;
        if args.passes {
            return Ok((text::write_moves(&record.game, true) + "\n").into_bytes());
        }
        writer.push(&record).map_err(to_error)?;
        Ok(writer.take())
    })))
}
