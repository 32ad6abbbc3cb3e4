//! `isrever analyze`: values every move of a game.
//!
//! All games are read and checked before the first is looked at. The verdicts
//! are the engine's; `report` is how they are shown.

mod report;

use crate::error::Error;
use crate::input::Input;
use crate::options::{DefaultArgs, reading, text};
use crate::progress::progress_bar;
use isrever_agent::{Share, duration};
use isrever_board::text::Format;
use isrever_engine::{AnalysisSettings, Player, PlayerSettings, analyze};
use report::Report;
use std::ffi::OsString;
use std::io::Write;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Say of every move of a game what it was worth, what it lost, and what was best
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever analyze game.ggf
  isrever analyze f5d6c3d3c4f4c5b3c2 --depth 12
  isrever analyze games.txt --time 5s --threads 4
  isrever analyze - --json --depth 10 < game.sgf
Values are in discs, seen by the side that moves: what it can expect to win by. A star says that a
number is proved. The loss is how much more the best move is worth. The marks are
  ?!  inaccuracy    a loss of 3 discs or more
  ?   mistake       6 or more; or, provably, a win for a draw or a draw for a loss
  ??  blunder       12 or more; or, provably, a win for a loss
With --depth or --nodes and one thread the verdicts are always the same. Ctrl-C shows what was found
by then; the last moves are searched first. Games without moves are skipped, if there are others.

With --json, one object per move and line, in the order they were played, with the keys
  game, ply         number of the game; number of the move, passes counted, both from 1
  rule, position    reversed or normal; the position before the move, as text
  side, move        black or white; a square or pass
  value, exact      what the move is worth to its side; whether that is proved
  wld               1 it wins, 0 it draws, -1 it loses with best play, if proved; or null
  best, best_value, best_exact   the best move there was, the same of it
  loss, loss_exact  best_value - value; whether that is proved
  mark              inaccuracy, mistake, blunder or null
  pv                the best moves of both sides, from the position before the move
  depth, selectivity, nodes      of the search for them, as in isrever move
".to_owned() + &reading())]
pub(crate) struct AnalyzeArgs {
    /// Games: their text, or a file, or - for standard input
    #[arg(value_name = "TEXT|FILE|-", allow_hyphen_values = true, value_parser = text())]
    text: OsString,

    /// Format of the text, instead of guessing it
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,

    /// Stop each game after this many moves, passes counted
    #[arg(long, value_name = "PLY", allow_negative_numbers = true)]
    at: Option<usize>,

    /// Time for each move, such as 5s, 250ms or 3m [default: 1s, if nothing else is limited]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,

    /// Look at most this many plies ahead
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,

    /// Visit at most about this many boards, for each of the two searches that a move may take
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// From this many empty squares on look to the end, whatever --depth says
    #[arg(long, default_value_t = 16, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(0..=60))]
    solve_from: u32,

    /// Threads to share the work
    #[arg(long, default_value_t = 1, value_name = "T", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// Memory for what was found, in MiB
    #[arg(long, default_value_t = 64, value_name = "MIB", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=1 << 16))]
    hash: u32,

    /// A graph in letters that every terminal has
    #[arg(long)]
    ascii: bool,

    /// One object per move and line
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    defaults: DefaultArgs,
}

impl AnalyzeArgs {
    fn settings(&self) -> AnalysisSettings {
        let share = Share { time: self.time, depth: self.depth, nodes: self.nodes };
        let default = AnalysisSettings::default();
        let share = if share == Share::default() { default.share } else { share };
        AnalysisSettings { share, solve_from: self.solve_from }
    }
}

/// Looks at one game after the other, once all of them are known to be games.
pub(crate) fn run(args: &AnalyzeArgs, out: &mut dyn Write) -> Result<(), Error> {
    let input = Input::read(&args.text)?;
    // Read twice and not kept: only one game at a time is held in memory.
    let records = || super::records(&input, args.from, &args.defaults, args.at);
    let (mut games, mut moves) = (0, 0);
    for record in records()? {
        let record = record?;
        games += 1;
        moves += record.game.ply();
        let size = record.game.size();
        if !size.has_bits() {
            let offence =
                format_args!("game {games} is on a board of {size}x{size}; expected at most 8x8");
            return Err(Error::input(&input.place, offence));
        }
    }
    // A game that was forfeited at once has no moves; the others are looked at all the same.
    if moves == 0 {
        let offence = "has no moves; expected a game (isrever move looks at positions)";
        return Err(Error::input(&input.place, format_args!("game 1 {offence}")));
    }
    let stop = super::stopped_by_ctrl_c();
    let bar = progress_bar(moves as u64, "moves");
    let settings = args.settings();
    let mut player = Player::new(PlayerSettings {
        threads: args.threads.into(),
        hash_bytes: (args.hash as usize) << 20,
        ..PlayerSettings::default()
    });
    let mut done = 0;
    for (record, number) in records()?.zip(1..) {
        let record = record?;
        let found = analyze(&mut player, &record.game, &settings, &stop, &mut |_| {
            done += 1;
            bar.inc(1);
        });
        let report = Report { number, games, ascii: args.ascii, record: &record, found: &found };
        bar.suspend(|| match args.json {
            true => report.objects(out),
            false if record.game.ply() == 0 => report.without_moves(out),
            false => report.table(out),
        })?;
        out.flush()?;
        if stop.load(Relaxed) && done < moves {
            return Err(Error::Stopped(format!("stopped: {done} of {moves} moves looked at")));
        }
    }
    bar.finish_and_clear();
    Ok(())
}
