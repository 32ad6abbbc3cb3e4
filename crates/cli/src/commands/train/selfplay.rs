//! `isrever train selfplay`: games, kept as samples.

use super::{SelfplayArgs, load_weights};
use crate::cluster::{Interruption, run_error};
use crate::error::Error;
use crate::messages::grouped;
use crate::output::replace_file_by;
use crate::progress::progress_bar;
use indicatif::ProgressBar;
use isrever_board::{Rule, Size};
use isrever_eval::Weights;
use isrever_jobs::Crew;
use isrever_lab::data::{Sample, header, records};
use isrever_lab::selfplay::{Games, Plan};
use std::io::Write;
use std::ops::Range;
use std::path::Path;

/// Plays the games and writes their samples as they come.
pub(super) fn run(args: &SelfplayArgs, out: &mut dyn Write) -> Result<(), Error> {
    let Some(end) = args.first.checked_add(args.games) else {
        let offence = "too large together with --first; expected fewer games";
        return Err(Error::input(format_args!("--games {}", args.games), offence));
    };
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
    args.cluster.reach()?;
    let games = Games::new(plan, args.weights.as_deref());
    let crew = args.cluster.crew(args.threads.count(), &args.output, "games");
    let bar = progress_bar(args.games, "games");
    let (numbers, board) = (args.first..end, (args.rule, args.size));
    let interruption = args.cluster.interruption();
    let count = play(&games, (&crew, &interruption), numbers, board, &args.output, &bar)?;
    bar.finish_and_clear();
    let count = grouped(&count.to_string());
    let games = grouped(&args.games.to_string());
    writeln!(out, "{}: {count} samples of {games} games ({})", args.output.display(), args.rule)?;
    Ok(())
}

/// Has games played, writes their samples to a file as they come, and returns their number.
pub(super) fn play(
    games: &Games,
    (crew, interruption): (&Crew, &Interruption),
    numbers: Range<u64>,
    (rule, size): (Rule, Size),
    output: &Path,
    bar: &ProgressBar,
) -> Result<u64, Error> {
    let mut count = 0;
    replace_file_by(output, |file| {
        file.add(&header(rule, size))?;
        let mut take = |games, samples: &[Sample]| {
            bar.inc(games);
            count += samples.len() as u64;
            file.add(&records(samples))
        };
        let played = interruption.during(|stop| games.play(crew, numbers, &mut take, stop));
        match played.map_err(run_error)? {
            true => Ok(()),
            // Nothing is written until all is there.
            false => {
                bar.finish_and_clear();
                Err(Interruption::stopped("the cluster keeps the games that it has played"))
            }
        }
    })?;
    Ok(count)
}
