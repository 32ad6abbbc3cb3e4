//! `isrever convert`: positions and games from one format to another.
//!
//! All is read and converted before anything is written.

use crate::args::ConvertArgs;
use crate::fault::Fault;
use crate::input::Input;
use crate::output::replace_file;
use isrever_board::text::{self, Format, Record};
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
    let mut records = input.records(args.from, args.defaults.defaults())?;
    for record in &records {
        args.defaults.check(&input.place, &record.game)?;
    }
    if let Some(ply) = args.at {
        super::stop_at(&mut records, ply, &input.place)?;
    }
    let bytes = if args.passes {
        with_passes(&records)
    } else {
        text::write(&records, args.to).map_err(|error| Fault::input(&input.place, error))?
    };
    match &args.output {
        Some(path) => replace_file(path, &bytes),
        None => Ok(out.write_all(&bytes)?),
    }
}

/// The moves of each game on a line, passes written.
fn with_passes(records: &[Record]) -> Vec<u8> {
    let lines = records.iter().map(|record| text::write_moves(&record.game, true) + "\n");
    lines.collect::<String>().into_bytes()
}
