//! `isrever` on the command line: the one place that prints.
//!
//! What is here: what was typed ([`args`], [`options`]), where text comes from ([`input`])
//! and goes to ([`output`], line by line to a [`journal`]), how a board looks
//! ([`draw`]), what is said about it ([`messages`]), what can go wrong ([`error`]),
//! how text from elsewhere is shown ([`plain`]), what a check found ([`cases`]),
//! who can play ([`players`]),
//! how far long work has come ([`progress`]), who else may do it ([`cluster`]),
//! what is logged ([`log`]), what the program is made of ([`provenance`]), and one file per command
//! ([`commands`]). What is not: rules, formats, search and agents, which are
//! crates of their own.
//!
//! Everything but clap's help is written with `writeln!` to a stream that a
//! command is given, never with `println!`, which panics when the reader has
//! gone; the lints against it stay on.

mod args;
mod book;
mod cases;
mod cluster;
mod commands;
mod draw;
mod error;
mod input;
mod journal;
mod log;
mod messages;
mod options;
mod output;
mod plain;
mod players;
mod progress;
mod provenance;
mod weights;

use args::{Args, Command};
use commands::serve::ServeArgs;
use error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let error = match args::typed() {
        Ok(args) => match run(args) {
            Ok(()) => return ExitCode::SUCCESS,
            Err(error) => error,
        },
        // Help and version are no errors, unless they cannot be written.
        Err(typed) if !typed.use_stderr() => {
            match typed.print().and_then(|()| io::stdout().flush()) {
                Ok(()) => return ExitCode::SUCCESS,
                Err(error) => Error::from(error),
            }
        }
        Err(typed) => args::error(&typed),
    };
    if let Some(line) = error.line() {
        // With standard error closed there is nobody left to tell.
        let _ = writeln!(io::stderr(), "isrever: {line}");
    }
    error.exit_code()
}

fn run(args: Args) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    match args.command {
        None => commands::serve::run(&ServeArgs::default(), &mut out)?,
        Some(Command::Serve(args)) => commands::serve::run(&args, &mut out)?,
        Some(Command::Play(args)) => commands::play::run(&args, io::stdin().lock(), &mut out)?,
        Some(Command::Show(args)) => commands::show::run(&args, &mut out)?,
        Some(Command::Convert(args)) => commands::convert::run(&args, &mut out)?,
        Some(Command::Move(args)) => commands::best_move::run(&args, &mut out)?,
        Some(Command::Solve(args)) => commands::solve::run(&args, &mut out)?,
        Some(Command::Analyze(args)) => commands::analyze::run(&args, &mut out)?,
        Some(Command::Nboard(args)) => commands::nboard::run(&args, io::stdin(), &mut out)?,
        Some(Command::Gtp(args)) => commands::gtp::run(&args, io::stdin(), &mut out)?,
        Some(Command::Perft(args)) => commands::perft::run(&args, &mut out)?,
        Some(Command::Bench(args)) => commands::bench::run(&args, &mut out)?,
        Some(Command::Book(args)) => commands::book::run(&args, &mut out)?,
        Some(Command::Arena(args)) => commands::arena::run(&args, &mut out)?,
        Some(Command::Train(args)) => commands::train::run(&args, &mut out)?,
        Some(Command::Lab(args)) => commands::lab::run(&args, &mut out)?,
        Some(Command::Tune(args)) => commands::tune::run(&args, &mut out)?,
        Some(Command::Worker(args)) => commands::worker::run(&args, &mut out)?,
        Some(Command::Cluster(args)) => commands::cluster::run(&args, &mut out)?,
        Some(Command::Club(args)) => commands::club::run(&args, &mut out)?,
        Some(Command::Submit(args)) => commands::submit::run(&args, &mut out)?,
        Some(Command::Agents(args)) => commands::agents::run(&args, &mut out)?,
        Some(Command::Completions(args)) => {
            commands::completions::run(&args, args::command(), &mut out)?;
        }
        Some(Command::Man(args)) => commands::man::run(&args, args::command(), &mut out)?,
    }
    Ok(out.flush()?)
}
