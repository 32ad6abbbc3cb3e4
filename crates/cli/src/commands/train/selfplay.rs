//! `isrever train selfplay`: games, kept as samples.

use super::{SelfplayArgs, load_weights};
use crate::error::Error;
use crate::messages::grouped;
use crate::output::replace_file;
use crate::progress::progress_bar;
use isrever_eval::Weights;
use isrever_lab::data::{header, records};
use isrever_lab::selfplay::Plan;
use std::cell::Cell;
use std::io::Write;

/// Plays the games and writes their samples as they come.
pub(super) fn run(args: &SelfplayArgs, out: &mut dyn Write) -> Result<(), Error> {
    let Some(end) = args.first.checked_add(args.games) else {
        let offence = "too large together with --first; expected fewer games";
        return Err(Error::input(format_args!("--games {}", args.games), offence));
    };
    args.threads.start()?;
    let weights = match &args.weights {
        Some(path) => Some(load_weights(path, args.rule, args.size)?),
        None => Weights::embedded(args.rule, args.size),
    };
    let plan = Plan::new(args.rule, args.size, args.seed);
    let plan = Plan {
        player: args.player,
        random_plies: args.random.clone().unwrap_or(plan.random_plies),
        weights,
        solve_from: args.solve_from.unwrap_or(plan.solve_from),
        lambda: args.lambda,
        ..plan
    };
    let bar = progress_bar(args.games, "games");
    let count = Cell::new(0);
    let batches = plan.batches(args.first..end).map(|batch| {
        bar.inc(batch.games);
        count.set(count.get() + batch.samples.len());
        Ok(records(&batch.samples))
    });
    let header = header(args.rule, args.size).to_vec();
    replace_file(&args.output, std::iter::once(Ok(header)).chain(batches))?;
    bar.finish_and_clear();
    let count = grouped(&count.get().to_string());
    let games = grouped(&args.games.to_string());
    writeln!(out, "{}: {count} samples of {games} games ({})", args.output.display(), args.rule)?;
    Ok(())
}
