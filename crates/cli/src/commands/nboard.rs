//! `isrever nboard`: the engine behind version 2 of NBoard's protocol.
//!
//! `order` is what can be said to it, `session` what it answers, `clock` the
//! time that a game's text says is left. Whatever is said stops a search that
//! is going on, and nothing is heard of it again.

mod clock;
mod order;
mod session;

use super::protocol::{self, EngineArgs, Event};
use crate::error::Error;
use crate::options::DefaultArgs;
use session::{Act, Session};
use std::io::{Read, Write};

/// Play and analyse for NBoard, or another program that speaks its protocol
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever nboard                          as NBoard starts it
  isrever nboard --level 8                a weaker opponent
  (printf 'nboard 2\\nset depth 8\\nmove F5\\ngo\\n'; sleep 2) | isrever nboard
                                          by hand: the reply to f5, which begins with ===
Reads commands and writes answers, a line each: nboard, set depth, set game, set contempt, move,
hint, go, ping, learn, analyze, quit; all other lines are ignored, as the protocol wants it. A line
that begins with status says what is wrong with a command. The letter a in the type of a game, as in
TY[8a], says that the player with fewer discs wins; games without it are Othello. --rule overrides
the type of every game, for programs that cannot send TY[8a]. set depth limits the plies; the last
squares are solved from 4 more on. A game with times (TI) and a move's seconds says how long it may
take: both limits are kept. Every command stops a search that is going on, and so does the end of
input, which ends the program.")]
pub(crate) struct NboardArgs {
    #[command(flatten)]
    engine: EngineArgs,

    #[command(flatten)]
    defaults: DefaultArgs,
}

/// Converses until it is told to quit, or the input ends.
pub(crate) fn run(
    args: &NboardArgs,
    input: impl Read + Send + 'static,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let (events, mut runner) = protocol::begin(&args.engine, input);
    let mut session = Session::new(args.defaults.start(), args.defaults.rule, args.engine.share());
    for event in events {
        let acts = match event {
            Event::End => return Ok(()),
            Event::Lines(lines) => lines.iter().flat_map(|line| session.hear(line)).collect(),
            Event::Found(number, event) => match runner.hear(number, event) {
                Some(event) => session.found(&event),
                None => Vec::new(),
            },
        };
        for act in acts {
            match act {
                Act::Say(line) => writeln!(out, "{line}")?,
                Act::Stop => runner.stop(),
                Act::Think(task) => runner.start(task),
                Act::Quit => return Ok(()),
            }
        }
        out.flush()?;
    }
    Ok(())
}
