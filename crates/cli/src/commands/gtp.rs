//! `isrever gtp`: the engine by the Go Text Protocol, version 2, as it is used for Othello.
//!
//! `session` is what is answered to what is said, `clock` the time that is left.
//! A command is answered before the next one is looked at. Lines that come
//! while the engine thinks, and were not there before, make it answer at once
//! with the best it has: whoever sends them does not wait. Lines that came
//! together are a script, and wait for each other.

mod clock;
mod command;
mod session;

use super::protocol::{self, EngineArgs, Event, Line};
use crate::error::Error;
use crate::input::Input;
use crate::options::DefaultArgs;
use isrever_board::text::Defaults;
use session::{Act, Session};
use std::collections::VecDeque;
use std::ffi::OsStr;
use std::io::{Read, Write};

/// Play by the Go Text Protocol, as programs that drive Othello engines do
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever gtp
  isrever gtp --rule normal --level 12
  printf 'play b f5\\ngenmove w\\nshowboard\\nquit\\n' | isrever gtp
Reads commands and answers = or ?, a blank line after each answer; list_commands says what there is.
Squares are named as always: a1 is the top left one, no letter is left out. A forced pass may be
sent or left out. The board starts with the rule of --rule; set_game Othello and set_game Reversed
Othello change it. Times by time_settings and time_left are kept. A command that comes while it
thinks, and the end of input, make it answer with the best it has; after the end of input it ends.")]
pub(crate) struct GtpArgs {
    #[command(flatten)]
    engine: EngineArgs,

    #[command(flatten)]
    defaults: DefaultArgs,
}

/// Converses until it is told to quit, or the input ends.
pub(crate) fn run(
    args: &GtpArgs,
    input: impl Read + Send + 'static,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let (events, mut runner) = protocol::begin(&args.engine, input);
    let read = |name: &str| {
        let read = Input::read_named(OsStr::new(name));
        let record = read.and_then(|input| input.record(Defaults::default()));
        record.map_err(|error| error.line().unwrap_or("cannot be read").to_owned())
    };
    let mut session = Session::new(args.defaults.start(), args.engine.share(), &read);
    let mut waiting: VecDeque<Line> = VecDeque::new();
    let mut has_ended = false;
    for event in events {
        let mut acts = match event {
            Event::Lines(lines) => {
                if runner.is_busy() && !lines.iter().all(Session::is_nothing) {
                    runner.hurry();
                }
                waiting.extend(lines);
                Vec::new()
            }
            Event::End => {
                has_ended = true;
                // A script that ends with quit is done first: it ends by itself.
                if !waiting.iter().any(Session::is_quit) {
                    runner.hurry();
                }
                Vec::new()
            }
            Event::Found(number, event) => match runner.hear(number, event) {
                Some(event) => session.found(&event),
                None => Vec::new(),
            },
        };
        loop {
            for act in acts.drain(..) {
                match act {
                    Act::Say(answer) => write!(out, "{answer}\n\n")?,
                    Act::Think(task) => runner.start(task),
                    Act::Quit => return Ok(out.flush()?),
                }
            }
            out.flush()?;
            if runner.is_busy() {
                if has_ended && !waiting.iter().any(Session::is_quit) {
                    runner.hurry();
                }
                break;
            }
            match waiting.pop_front() {
                Some(line) => acts = session.hear(&line),
                None if has_ended => return Ok(()),
                None => break,
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Args, Command};
    use clap::Parser;
    use std::io;

    /// Gives its parts one by one: each comes when the one before was read.
    struct Parts(VecDeque<&'static str>);

    impl Read for Parts {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let part = self.0.pop_front().unwrap_or_default();
            buffer[..part.len()].copy_from_slice(part.as_bytes());
            Ok(part.len())
        }
    }

    fn answers(options: &[&str], parts: &[&'static str]) -> Vec<String> {
        let args = Args::try_parse_from(["isrever", "gtp"].iter().chain(options)).unwrap();
        let Some(Command::Gtp(args)) = args.command else { panic!("{args:?}") };
        let mut out = Vec::new();
        run(&args, Parts(parts.iter().copied().collect()), &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        out.split_terminator("\n\n").map(str::to_owned).collect()
    }

    #[test]
    fn a_command_that_comes_later_makes_it_move_at_once() {
        for later in ["2 name\n3 quit\n", "# interrupt\n2 name\n3 quit\n"] {
            // Without it, it would think for a day.
            let said = answers(&["--time", "86400s"], &["1 genmove b\n", later]);
            assert!(said[0].starts_with("=1 ") && said[0].len() == 5, "{said:?}");
            assert_eq!(said[1..], ["=2 Isrever", "=3"]);
        }
    }

    #[test]
    fn a_script_waits_for_its_moves_and_comments_disturb_nobody() {
        let moves = |parts: &[&'static str]| answers(&["--nodes", "20000"], parts);
        let together = moves(&["genmove b\ngenmove w\nquit\n"]);
        assert_eq!(together.len(), 3);
        assert_eq!(moves(&["genmove b\ngenmove w\nquit\n", "# nothing\n", "\n"]), together);
    }

    #[test]
    fn the_end_of_input_is_the_end_even_without_quit() {
        assert_eq!(answers(&[], &["name\n", "play b f5"]), ["= Isrever", "="]);
        let said = answers(&["--time", "86400s"], &["genmove b\ngenmove w\n"]);
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(answers(&[], &[]).is_empty());
    }
}
