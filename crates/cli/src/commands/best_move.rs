//! `isrever move`: the engine's move and value for positions.

use super::solve::{names, speed};
use crate::book::OpeningArgs;
use crate::error::Error;
use crate::input::Place;
use crate::messages::grouped;
use crate::options::{DefaultArgs, PositionArgs, reading};
use crate::output::json_line;
use crate::weights;
use isrever_agent::{GameClock, Limits, duration};
use isrever_board::Game;
use isrever_board::text::Record;
use isrever_engine::{BookChoice, Level, Player, PlayerSettings, Strength};
use isrever_eval::Weights;
use isrever_search::Answer;
use serde::Serialize;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Find the best move: what the engine thinks of positions
#[derive(clap::Args, Debug)]
#[command(name = "move", after_help = "\
Examples:
  isrever move --position game.ggf --time 5s
  isrever move f5d6c3 --depth 12
  isrever move f5d6c3 --clock 3m+2s       a wise part of what is left for the game
  isrever move f5d6c3 --level 5 --seed 7  as a weaker player
  isrever move - --json --nodes 100000 < positions.txt
Of a game its last position is searched. The value is what the side to move can expect to win by, in
discs: it has so many more in the end, or fewer under the reversed rule. Depth 20@49% means 20 plies
with cuts that are right 49 times in 100 at least, depth 12@100% of 12 empty squares that the value is proved. With
--depth, --nodes or --level and one thread the answer is always the same. Where nothing but time is
limited, moves of the embedded book are answered at once; --book none searches. The answer is there before
the time is over, on a busy machine too: a small part is kept in reserve, and more where the machine
stalls.

With --json, one object per position and line, with the keys
  position, rule    as text; reversed or normal
  best              a square, pass, or null (game over)
  value             for the side to move, in discs
  depth, selectivity           plies; how often, in hundredths, cuts are right
  exact             true: the value is proved
  pv                the best moves of both sides, as far as they were looked at
  nodes, seconds    boards visited; time taken
  book              true: the move is one of the book, and nothing was searched
".to_owned() + &reading())]
pub(crate) struct MoveArgs {
    #[command(flatten)]
    pub(crate) positions: PositionArgs,

    /// Time for each position, such as 5s, 250ms or 3m [default: 1s, if nothing else is limited]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time: Option<Duration>,

    /// What is left for the rest of the game, and what each move adds: 3m+2s, 90s
    #[arg(long, value_name = "TIME[+TIME]")]
    pub(crate) clock: Option<GameClock>,

    /// For how many moves of its own that must last [default: the rest of the game]
    #[arg(long, value_name = "N", requires = "clock", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=128))]
    pub(crate) moves_left: Option<u32>,

    /// Look at most this many plies ahead
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=60))]
    pub(crate) depth: Option<u32>,

    /// Visit at most about this many boards
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,

    /// How well to play, from 1, a beginner, to 20, full strength
    #[arg(long, value_name = "L", allow_negative_numbers = true)]
    pub(crate) level: Option<Level>,

    /// Evaluate by this file of weights, which train fit wrote [default: those in the program]
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,

    /// Where a level's choices come from: the same seed, the same choices
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    pub(crate) seed: u64,

    /// Threads to share the work
    #[arg(long, default_value_t = 1, value_name = "T", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,

    /// Memory for what was found, in MiB
    #[arg(long, default_value_t = 64, value_name = "MIB", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=1 << 16))]
    pub(crate) hash: u32,

    #[command(flatten)]
    pub(crate) opening: OpeningArgs,

    /// One object per position and line
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) defaults: DefaultArgs,
}

/// Searches one position after the other.
pub(crate) fn run(args: &MoveArgs, out: &mut dyn Write) -> Result<(), Error> {
    let mut runner = Runner::new(args, out)?;
    let Some(input) = args.positions.input()? else {
        return runner.show(&Record::from(args.defaults.start()), &Place::Start);
    };
    for record in super::records(&input, None, &args.defaults, None)? {
        runner.show(&record?, &input.place)?;
    }
    Ok(())
}

/// The engine, its arguments, and the output.
struct Runner<'a> {
    args: &'a MoveArgs,
    out: &'a mut dyn Write,
    player: Player,
    opening: BookChoice,
    weights: Option<&'static Weights>,
    /// Positions so far.
    count: usize,
}

impl<'a> Runner<'a> {
    fn new(args: &'a MoveArgs, out: &'a mut dyn Write) -> Result<Runner<'a>, Error> {
        let weights = args.weights.as_deref().map(weights::load).transpose()?;
        let opening = args.opening.opening(BookChoice::of_level(args.level));
        let player = Player::new(PlayerSettings {
            opening,
            threads: args.threads.into(),
            hash_bytes: (args.hash as usize) << 20,
            strength: args.level.map_or(Strength::FULL, Level::strength),
            seed: args.seed,
            weights,
            ..PlayerSettings::default()
        });
        Ok(Runner { args, out, player, opening, weights, count: 0 })
    }

    /// Thinks about the last position of `record`, and shows the answer.
    fn show(&mut self, record: &Record, place: &Place) -> Result<(), Error> {
        self.count += 1;
        let size = record.game.size();
        if !size.has_bits() {
            let offence = format!("the board is {size}x{size}; expected at most 8x8");
            return Err(Error::input(place, offence));
        }
        if let (Some(path), Some(weights)) = (&self.args.weights, self.weights) {
            weights::check(path, weights, record.game.rule(), size)?;
        }
        let MoveArgs { time, clock, moves_left, depth, nodes, .. } = *self.args;
        let begin = Instant::now();
        // The caller has waited since it started this process, however long that took.
        let waited = if self.count == 1 { age() } else { Duration::ZERO };
        let deadline = time.map(|time| begin + time.saturating_sub(waited));
        let clock = clock.map(|clock| GameClock { moves_left, ..clock });
        let limits = Limits { deadline, clock, depth, nodes, ..Limits::default() };
        self.args.opening.remark(self.opening, record.game.rule(), size);
        let known = self.player.book_move(&record.game, &limits);
        let is_of_book = known.is_some();
        let answer = known.unwrap_or_else(|| self.player.think(&record.game, &limits));
        let seconds = begin.elapsed().as_secs_f64();
        if self.args.json {
            json_line(self.out, &Row::new(&record.game, &answer, is_of_book, seconds))?;
        } else {
            self.rows(&record.game, &answer, is_of_book, seconds)?;
        }
        Ok(self.out.flush()?)
    }

    fn rows(
        &mut self,
        game: &Game,
        answer: &Answer,
        is_of_book: bool,
        seconds: f64,
    ) -> io::Result<()> {
        let mut line = |row: [&str; 5], cost: [&str; 4]| {
            let ([number, side, empties, value, best], [depth, nodes, seconds, speed]) =
                (row, cost);
            writeln!(
                self.out,
                "{number:>6}  {side:<5}  {empties:>7}  {value:>5}  {best:<4}  {depth:>7}  \
                 {nodes:>13}  {seconds:>8}  {speed:>12}"
            )
        };
        if self.count == 1 {
            let row = ["number", "side", "empties", "value", "move"];
            line(row, ["depth", "nodes", "seconds", "nodes/s"])?;
        }
        let position = game.position();
        let value =
            if answer.score() == 0 { "0".to_owned() } else { format!("{:+}", answer.score()) };
        let names = names(&answer.pv);
        line(
            [
                &self.count.to_string(),
                &position.turn().to_string(),
                &position.empties().to_string(),
                &value,
                names.first().map_or("-", String::as_str),
            ],
            [
                &format!("{}@{}%", answer.depth, answer.confidence),
                &grouped(&answer.nodes.to_string()),
                &format!("{seconds:.3}"),
                &speed(answer.nodes, seconds),
            ],
        )?;
        let line = if names.is_empty() { "game over".to_owned() } else { names.join(" ") };
        let source = if is_of_book { " (book)" } else { "" };
        writeln!(self.out, "        {line}{source}")
    }
}

/// How long ago this process was started, where the system says: on a busy machine a good part of
/// the time may be over before it has its first moment.
fn age() -> Duration {
    let read = || {
        let stat = fs::read_to_string("/proc/self/stat").ok()?;
        // The name may be anything; behind it are numbers, of which the start is the twentieth, in
        // hundredths of a second since the machine was.
        let ticks: f64 = stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()?;
        let uptime = fs::read_to_string("/proc/uptime").ok()?;
        let uptime: f64 = uptime.split_whitespace().next()?.parse().ok()?;
        Some(uptime - ticks / 100.0)
    };
    // What is longer is no age of a process that has just begun.
    let age = read().filter(|age| (0.0..60.0).contains(age));
    age.map_or(Duration::ZERO, Duration::from_secs_f64)
}

/// One position, with the keys of `--json`.
#[derive(Serialize)]
struct Row {
    position: String,
    rule: String,
    best: Option<String>,
    value: i32,
    depth: u32,
    selectivity: u8,
    exact: bool,
    pv: Vec<String>,
    nodes: u64,
    book: bool,
    seconds: f64,
}

impl Row {
    fn new(game: &Game, answer: &Answer, book: bool, seconds: f64) -> Row {
        let pv = names(&answer.pv);
        Row {
            position: game.position().to_string(),
            rule: game.rule().to_string(),
            best: pv.first().cloned(),
            value: answer.score(),
            depth: answer.depth,
            selectivity: answer.confidence,
            exact: answer.is_exact,
            pv,
            nodes: answer.nodes,
            book,
            seconds,
        }
    }
}
