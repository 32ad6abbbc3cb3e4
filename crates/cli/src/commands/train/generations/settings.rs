//! `loop.toml`, the options that a loop began with.
//!
//! Games of other settings must not be mixed, so a loop goes on with the
//! settings that it was begun with or not at all.

use super::LoopArgs;
use crate::error::Error;
use crate::output::replace_file;
use isrever_board::Board;
use std::collections::BTreeMap;
use std::fs;
use std::io;

/// The options that the weights depend on, by name, as they are typed.
fn options(args: &LoopArgs, excluded: &[Board]) -> Vec<(&'static str, String)> {
    // All of them are named here, so that a new one is not forgotten.
    let LoopArgs {
        dir: _,
        generations: _,
        games,
        depth,
        seed,
        rule,
        chunk,
        pairs,
        random,
        solve_from,
        lambda,
        exclude: _,
        until: _,
        threads: _,
        cluster: _,
    } = args;
    vec![
        ("rule", rule.to_string()),
        ("games", games.to_string()),
        ("depth", depth.to_string()),
        ("seed", seed.to_string()),
        ("chunk", chunk.to_string()),
        ("pairs", pairs.to_string()),
        ("random", format!("{}..{}", random.start(), random.end())),
        ("solve-from", solve_from.to_string()),
        ("lambda", lambda.to_string()),
        // What is in the files counts, not what they are called.
        ("exclude", fingerprint(excluded)),
    ]
}

/// The positions that are left out, told from others: how many, and a sum of their hashes.
fn fingerprint(excluded: &[Board]) -> String {
    let sum = excluded.iter().fold(0_u64, |sum, board| sum.wrapping_add(board.hash()));
    format!("{} positions, {sum:016x}", excluded.len())
}

/// Writes down what the loop begins with, or refuses to go on with anything else.
pub(super) fn settle(args: &LoopArgs, excluded: &[Board]) -> Result<(), Error> {
    let path = args.dir.join("loop.toml");
    let options = options(args, excluded);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let lines = options.iter().map(|(name, value)| format!("{name} = \"{value}\"\n"));
            let text = lines.collect::<String>();
            return replace_file(&path, std::iter::once(Ok(text.into_bytes())));
        }
        Err(error) => return Err(Error::io(path.display(), &error)),
    };
    let recorded: BTreeMap<String, String> = toml::from_str(&text).map_err(|_| {
        let offence = "not what a loop was begun with; expected the options of train loop";
        Error::input(path.display(), offence)
    })?;
    for (name, asked) in &options {
        // Loops that were begun before there was a choice took the end of the game alone.
        let before = (*name == "lambda").then_some("1");
        let Some(begun) = recorded.get(*name).map(String::as_str).or(before) else {
            let offence = format_args!("no {name}; expected every option of train loop");
            return Err(Error::input(path.display(), offence));
        };
        if begun != asked && *name == "exclude" {
            let offence = format_args!(
                "{asked}, but the loop in {} was begun with {begun}; \
                 expected the same, or another directory",
                args.dir.display()
            );
            return Err(Error::input("--exclude", offence));
        }
        if begun != asked {
            let offence = format_args!(
                "the loop in {} was begun with --{name} {begun}; \
                 expected the same, or another directory",
                args.dir.display()
            );
            return Err(Error::input(format_args!("--{name} {asked}"), offence));
        }
    }
    Ok(())
}
