//! `isrever convert`: positions and games from one format to another.
//!
//! All is read and converted before anything is written.

use crate::args::ConvertArgs;
use crate::fault::Fault;
use crate::input::Input;
use crate::output::replace_file;
use isrever_board::text::{self, Format, Writer};
use std::io::{self, IsTerminal, Write};

/// Reads all, converts all, then writes.
pub(crate) fn run(args: &ConvertArgs, out: &mut dyn Write) -> Result<(), Fault> {
    if args.passes && args.to != Format::Moves {
        let offence = format_args!("{} needs no such option; expected --to moves", args.to);
        return Err(Fault::input("--passes", offence));
    }
    if args.to == Format::Wthor && args.output.is_none() && io::stdout().is_terminal() {
        let offence = "a binary format, and this is a terminal; expected -o FILE";
        return Err(Fault::input("--to wthor", offence));
    }
    let input = Input::read(&args.text)?;
    let bytes = convert(args, &input)?;
    match &args.output {
        Some(path) => replace_file(path, &bytes),
        None => Ok(out.write_all(&bytes)?),
    }
}

/// The whole input in the other format. Only one game at a time is held in memory.
fn convert(args: &ConvertArgs, input: &Input) -> Result<Vec<u8>, Fault> {
    let records = super::records(input, args.from, &args.defaults, args.at)?;
    if args.passes {
        let lines = records.map(|record| Ok(text::write_moves(&record?.game, true) + "\n"));
        return Ok(lines.collect::<Result<String, Fault>>()?.into_bytes());
    }
    let fault = |error| Fault::input(&input.place, error);
    let mut writer = Writer::new(args.to);
    for record in records {
        writer.push(&record?).map_err(fault)?;
    }
    writer.finish().map_err(fault)
}
