//! `isrever book check`: whether every record of a book is possible, and every value derived right.

use super::{open, open_if_there, signed};
use crate::error::Error;
use crate::messages::{counted, grouped};
use crate::progress::progress_bar;
use isrever_agent::{Limits, Rng};
use isrever_board::{Color, Game, Move};
use isrever_book::Book;
use isrever_engine::{BookChoice, Player, PlayerSettings};
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Check a book: every record, the order, and every value and bound derived again
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever book check my.book
  isrever book check six.book --perfect 19 --games 1000
With --perfect, a walk over every reply checks that the book has a proved move for either side as long
as so many squares are empty, and that values agree. With --games, the engine then plays so many games
with the book against random moves, with one thread: every move must be proved, and none may give
anything away. The exit status is 3 if anything is wrong, and 2 if the file is no book.")]
pub(super) struct CheckArgs {
    /// The book
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Check that it is a perfect strategy for either side, as long as so many squares are empty
    #[arg(long, value_name = "EMPTIES", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=60))]
    perfect: Option<u32>,

    /// Play so many games against random moves, from both sides
    #[arg(long, value_name = "N", allow_negative_numbers = true, requires = "perfect",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: Option<u32>,

    /// Where the random moves come from
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    seed: u64,
}

/// Checks it, and says that it is right.
pub(super) fn run(args: &CheckArgs, out: &mut dyn Write) -> Result<(), Error> {
    let failed = |why: &dyn std::fmt::Display| Error::failed(args.file.display(), why);
    // The file as it lies there, and then with its journal.
    if let Some(book) = open_if_there(&args.file)? {
        book.check().map_err(|error| failed(&error))?;
    }
    let book = open(&args.file)?;
    book.check().map_err(|error| failed(&error))?;
    let (rule, size) = (book.rule(), book.size());
    let count = counted(book.len() as u64, "position");
    writeln!(out, "{}: {count} ({rule}, {size}x{size}), all right", args.file.display())?;
    let Some(empties) = args.perfect else { return Ok(()) };
    let strategy = book.check_strategy(empties).map_err(|error| failed(&error))?;
    writeln!(
        out,
        "a perfect strategy for either side as long as {} empty: {}; the game is worth {}",
        match empties {
            1 => "1 square is".to_owned(),
            _ => format!("{empties} squares are"),
        },
        counted(strategy.positions as u64, "position"),
        signed(strategy.value.into()),
    )?;
    let Some(games) = args.games else { return Ok(()) };
    // The book is used until the program ends.
    let played = Trial::new(Box::leak(Box::new(book)), args.seed).play(games);
    let times = played.map_err(|fault| failed(&fault))?;
    Ok(writeln!(out, "{}", times.words(games))?)
}

/// Games of the engine with a book against random moves.
struct Trial {
    book: &'static Book,
    seed: u64,
    times: Times,
}

/// How long moves took.
#[derive(Default)]
struct Times(Vec<Duration>);

impl Trial {
    fn new(book: &'static Book, seed: u64) -> Trial {
        Trial { book, seed, times: Times::default() }
    }

    /// Plays the games; or says which move was not proved, or gave something away.
    fn play(mut self, games: u32) -> Result<Times, String> {
        let bar = progress_bar(games.into(), "games");
        for number in 0..games {
            self.game(number).map_err(|fault| format!("game {}: {fault}", number + 1))?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(self.times)
    }

    fn game(&mut self, number: u32) -> Result<(), String> {
        let opening = BookChoice::Book(self.book);
        let mut player = Player::new(PlayerSettings { opening, ..PlayerSettings::default() });
        let mut rng = Rng::game(self.seed, number.into());
        let color = if number.is_multiple_of(2) { Color::Black } else { Color::White };
        let mut game = Game::new(self.book.rule(), self.book.size());
        let mut least = None;
        while !game.is_over() {
            let position = game.position();
            if position.must_pass() {
                game.play(Move::Pass).expect("there is no move");
                continue;
            }
            if position.turn() != color {
                let moves = position.moves();
                let square = rng.pick(&moves);
                game.play(Move::Place(square)).expect("a legal move");
                continue;
            }
            let begun = Instant::now();
            // To the end, however long it takes.
            let limits = Limits::of_depth(60);
            let known = player.book_move(&game, &limits);
            let answer = known.unwrap_or_else(|| player.think(&game, &limits));
            self.times.0.push(begun.elapsed());
            if !answer.is_exact {
                return Err(format!("{position}: a move that is not proved"));
            }
            if least.is_some_and(|least| answer.score() < least) {
                return Err(format!("{position}: {:+}, and {least:?} before", answer.score()));
            }
            least = Some(answer.score());
            game.play(answer.best().expect("there is a move")).expect("a legal move");
        }
        let score = game.score(color);
        match least.is_none_or(|least| score >= least) {
            true => Ok(()),
            false => Err(format!("ended with {score:+}, and {least:?} was proved")),
        }
    }
}

impl Times {
    fn words(mut self, games: u32) -> String {
        self.0.sort_unstable();
        let at = |per_cent: usize| {
            let last = self.0.len().saturating_sub(1);
            let time = self.0.get(last * per_cent / 100).copied().unwrap_or_default();
            format!("{:.3} s", time.as_secs_f64())
        };
        format!(
            "{} games against random moves: {} moves, all proved, none gave anything away; \
             time of a move: median {}, 99 of 100 within {}, longest {}",
            grouped(&games.to_string()),
            grouped(&self.0.len().to_string()),
            at(50),
            at(99),
            at(100),
        )
    }
}
