//! The stages of a generation: games, a fit, matches. What is there is not done again.

use super::super::{fit as fitting, load_weights, selfplay};
use super::log::{Match, Row};
use super::{ACCEPTED_FROM, LoopArgs};
use crate::cluster::Interruption;
use crate::error::Error;
use crate::output::remove_begun;
use crate::progress::progress_bar;
use isrever_arena::Elo;
use isrever_board::{Board, Size};
use isrever_eval::{Shape, Weights};
use isrever_lab::data::merge;
use isrever_lab::duel::Duel;
use isrever_lab::exam::leave_out;
use isrever_lab::plot::{self, Generation};
use isrever_lab::selfplay::{Games, Plan, Player};
use isrever_lab::{Effort, FitOptions, PhaseReport, fit};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::PathBuf;

/// The board that generations are played on.
const SIZE: Size = Size::EIGHT;

/// How far a generation is when the time is over.
pub(super) enum Wait {
    /// So many chunks of games are there, of so many.
    Games { generation: u32, chunks: u64, of: u64 },
    /// Its weights are there.
    Match { generation: u32 },
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wait::Games { generation, chunks, of } => {
                write!(f, "Generation {generation} has {chunks} of {of} chunks of games")?;
            }
            Wait::Match { generation } => {
                write!(f, "Generation {generation} has its weights, and no match yet")?;
            }
        }
        f.write_str("; the time is over. The same command goes on.")
    }
}

/// The work of a loop.
pub(super) struct Stages<'a> {
    args: &'a LoopArgs,
    /// Positions that are not to be fitted to.
    excluded: &'a [Board],
    /// Whether the time is over.
    is_late: &'a dyn Fn() -> bool,
    /// Ends the games of a cluster.
    interruption: &'a Interruption,
    /// Whether anything was done: a loop in pieces, however short, comes to its end.
    has_worked: Cell<bool>,
    /// Weights that were asked for: they stay as long as the program runs, so once is enough.
    loaded: RefCell<BTreeMap<u32, &'static Weights>>,
}

impl<'a> Stages<'a> {
    pub(super) fn new(
        args: &'a LoopArgs,
        excluded: &'a [Board],
        is_late: &'a dyn Fn() -> bool,
        interruption: &'a Interruption,
    ) -> Stages<'a> {
        let (has_worked, loaded) = (Cell::new(false), RefCell::default());
        Stages { args, excluded, is_late, interruption, has_worked, loaded }
    }

    /// Whether nothing more is to be begun.
    fn is_over(&self) -> bool {
        self.has_worked.get() && (self.is_late)()
    }

    /// Removes what a loop that was killed had only begun to write.
    pub(super) fn tidy(&self) -> Result<(), Error> {
        let directories = (0..self.args.generations).map(|generation| self.directory(generation));
        let mut directories = directories.chain([self.args.dir.clone()]).filter(|dir| dir.exists());
        directories.try_for_each(|directory| remove_begun(&directory))
    }

    /// Does all that is missing of a generation whose forebears are accepted, unless the time is
    /// over before.
    pub(super) fn generation(&self, generation: u32) -> Result<Result<Row, Wait>, Error> {
        let directory = self.directory(generation);
        fs::create_dir_all(&directory).map_err(|error| Error::io(directory.display(), &error))?;
        let of = self.chunks();
        for chunk in (0..of).filter(|&chunk| !self.chunk(generation, chunk).exists()) {
            if self.is_over() {
                return Ok(Err(Wait::Games { generation, chunks: chunk, of }));
            }
            self.play(generation, chunk)?;
        }
        if !directory.join("weights.bin").exists() {
            if self.is_over() {
                return Ok(Err(Wait::Games { generation, chunks: of, of }));
            }
            self.fit(generation)?;
        }
        let reports = self.reports(generation)?;
        // Generation 0 has no match to wait for.
        if generation > 0 && self.is_over() {
            return Ok(Err(Wait::Match { generation }));
        }
        let matches = self.matches(generation)?;
        let accepted =
            matches.first().is_none_or(|first| first.counts.superiority() >= ACCEPTED_FROM);
        Ok(Ok(Row {
            generation,
            player: self.player(generation).to_string(),
            games: self.args.games,
            samples: reports.iter().map(|report| report.samples).sum(),
            held_out: reports.iter().map(|report| report.held_out).sum(),
            errors: fitting::overall(&reports, |report| report.after),
            matches,
            accepted,
        }))
    }

    /// Plays a chunk of games.
    fn play(&self, generation: u32, chunk: u64) -> Result<(), Error> {
        let LoopArgs { games, seed, rule, random, solve_from, lambda, .. } = self.args;
        let weights = generation.checked_sub(1).map(|before| self.weights(before)).transpose()?;
        let plan = Plan {
            player: self.player(generation),
            random_plies: random.clone(),
            weights,
            solve_from: *solve_from,
            lambda: *lambda,
            ..Plan::new(*rule, SIZE, *seed)
        };
        // The games of all generations are numbered through, so that no two begin alike.
        let before = u64::from(generation) * games;
        let first = chunk * self.args.chunk;
        let last = (first + self.args.chunk).min(*games);
        let bar = progress_bar(*games, &format!("games of generation {generation}"));
        bar.set_position(first);
        let file = generation.checked_sub(1).map(|before| self.weights_file(before));
        let played = Games::new(plan, file.as_deref());
        let output = self.chunk(generation, chunk);
        let crew = self.args.cluster.crew(self.args.threads.count(), &output, "games");
        let numbers = before + first..before + last;
        let crew = (&crew, self.interruption);
        selfplay::play(&played, crew, numbers, (*rule, SIZE), &output, &bar)?;
        bar.finish_and_clear();
        self.has_worked.set(true);
        Ok(())
    }

    /// Fits weights to the games of this generation, and of the one before if a search played it.
    fn fit(&self, generation: u32) -> Result<(), Error> {
        let rule = self.args.rule;
        let mut samples = Vec::new();
        let first = if generation >= 2 { generation - 1 } else { generation };
        for generation in first..=generation {
            for chunk in 0..self.chunks() {
                fitting::read(&self.chunk(generation, chunk), rule, SIZE, &mut samples)?;
            }
        }
        let samples = merge(leave_out(samples, self.excluded));
        let (shape, unit) = (Shape::EIGHT, format!("phases of generation {generation}"));
        let bar = progress_bar(shape.phase_count() as u64, &unit);
        let (weights, reports) = fit(rule, shape, &samples, FitOptions::default(), &|_| bar.inc(1));
        bar.finish_and_clear();
        self.has_worked.set(true);
        let directory = self.directory(generation);
        // The weights come last: where they are, the report is.
        fitting::write_report(&directory.join("report.jsonl"), &reports)?;
        fitting::write(&directory.join("weights.bin"), weights.to_bytes())
    }

    /// Plays against the generation before this one, and against generation 1.
    fn matches(&self, generation: u32) -> Result<Vec<Match>, Error> {
        let LoopArgs { pairs, seed, rule, depth, .. } = self.args;
        let mut matches = Vec::new();
        for against in opponents(generation) {
            let weights = [self.weights(generation)?, self.weights(against)?];
            // Another seed than that of the games: nobody has learnt these openings.
            let duel = Duel::new(*rule, weights, Effort::Depth(*depth), !seed);
            let unit = format!("pairs, generation {generation} against {against}");
            let bar = progress_bar(*pairs, &unit);
            let counts = duel.play(0..*pairs, &|| bar.inc(1));
            bar.finish_and_clear();
            self.has_worked.set(true);
            matches.push(Match::new(against, counts));
        }
        Ok(matches)
    }

    /// Puts the weights of a generation where they are looked for.
    pub(super) fn publish(&self, generation: u32) -> Result<(), Error> {
        let from = self.directory(generation).join("weights.bin");
        let bytes = fs::read(&from).map_err(|error| Error::io(from.display(), &error))?;
        fitting::write(&self.args.dir.join("weights.bin"), bytes)
    }

    /// Draws the errors and the strength of all generations.
    pub(super) fn draw(&self, rows: &[Row], title: &str) -> Result<(), Error> {
        // The scale begins at generation 1: every other one has played against it.
        let strength = |generation: u32| -> Option<Elo> {
            let played = |row: u32, against: u32| {
                let matches = rows.get(row as usize)?.matches.iter();
                Some(matches.into_iter().find(|played| played.against == against)?.counts.elo())
            };
            match generation {
                0 => played(1, 0).map(|Elo { difference, low, high }| Elo {
                    difference: -difference,
                    low: -high,
                    high: -low,
                }),
                1 => Some(Elo { difference: 0.0, low: 0.0, high: 0.0 }),
                _ => played(generation, 1),
            }
        };
        let mut generations = Vec::new();
        for row in rows {
            let (number, reports) = (row.generation, self.reports(row.generation)?);
            generations.push(Generation { number, reports, elo: strength(number) });
        }
        let svg = plot::generations(title, "Elo against generation 1", &generations);
        fitting::write(&self.args.dir.join("plot.svg"), svg.into_bytes())
    }

    /// How the phases of a generation were fitted.
    fn reports(&self, generation: u32) -> Result<Vec<PhaseReport>, Error> {
        let path = self.directory(generation).join("report.jsonl");
        let text = fs::read_to_string(&path).map_err(|error| Error::io(path.display(), &error))?;
        let reports = text.lines().map(serde_json::from_str);
        reports.collect::<Result<_, _>>().map_err(|_| {
            Error::input(path.display(), "not a report of a fit; expected the one by train loop")
        })
    }

    fn weights(&self, generation: u32) -> Result<&'static Weights, Error> {
        if let Some(weights) = self.loaded.borrow().get(&generation) {
            return Ok(weights);
        }
        let weights = load_weights(&self.weights_file(generation), self.args.rule, SIZE)?;
        self.loaded.borrow_mut().insert(generation, weights);
        Ok(weights)
    }

    fn weights_file(&self, generation: u32) -> PathBuf {
        self.directory(generation).join("weights.bin")
    }

    fn player(&self, generation: u32) -> Player {
        match generation {
            0 => Player::Mobile,
            _ => Player::Engine { depth: self.args.depth },
        }
    }

    fn chunks(&self) -> u64 {
        self.args.games.div_ceil(self.args.chunk)
    }

    fn directory(&self, generation: u32) -> PathBuf {
        self.args.dir.join(format!("g{generation:02}"))
    }

    fn chunk(&self, generation: u32, chunk: u64) -> PathBuf {
        self.directory(generation).join(format!("games-{chunk:04}.dat"))
    }
}

/// Whom a generation plays against: the one before it, which decides, and generation 1.
fn opponents(generation: u32) -> impl Iterator<Item = u32> {
    let early = (generation > 2).then_some(1);
    generation.checked_sub(1).into_iter().chain(early)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generation_plays_the_one_before_and_generation_1_once_each() {
        let expected: [&[u32]; 5] = [&[], &[0], &[1], &[2, 1], &[3, 1]];
        for (generation, expected) in (0..).zip(expected) {
            assert_eq!(opponents(generation).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn who_waits_is_told_for_what() {
        let games = Wait::Games { generation: 2, chunks: 3, of: 40 }.to_string();
        assert!(games.starts_with("Generation 2 has 3 of 40 chunks of games; "), "{games}");
        let fitted = Wait::Match { generation: 2 }.to_string();
        assert!(fitted.starts_with("Generation 2 has its weights, and no match yet; "), "{fitted}");
    }
}
