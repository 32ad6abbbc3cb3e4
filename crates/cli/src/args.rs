//! The program's arguments: its commands, and clap's errors in one line.
//!
//! Each command declares its own arguments and decides what they mean together;
//! options that several commands share are in `options`.

use crate::commands::analyze::AnalyzeArgs;
use crate::commands::arena::ArenaArgs;
use crate::commands::gtp::GtpArgs;
use crate::commands::lab::LabArgs;
use crate::commands::nboard::NboardArgs;
use crate::commands::serve::ServeArgs;
use crate::commands::train::TrainArgs;
use crate::commands::tune::TuneArgs;
use crate::fault::Fault;
use crate::input::{Input, MOST_BYTES};
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{CommandFactory, Parser, Subcommand};
use isrever_agent::GameClock;
use isrever_board::text::{Format, MAX_LINE_BYTES};
use isrever_board::{Color, Isa, Passes, Rule, Size};
use isrever_engine::Level;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

const STATUS: &str = "\
Exit status: 0 done; 1 a file or stream could not be read or written; 2 the input is wrong;
3 what was tested failed; 130 stopped by Ctrl-C.
Errors are one line on standard error; wrong input writes nothing elsewhere.";

/// The keys of `show --json`.
const SEEN: &str = r#"
With --json, one object per position and line, with the keys
  game, ply         number of the game; moves played in it, passes counted
  rule, size        reversed or normal; width of the board
  position          as text
  turn, legal       black, white or null (game over); squares to play on
  move, turned      how it came about: a square, pass or null (start); its discs
  value, seconds, comment      what was noted beside that move, or null
  black, white, black_score    discs; worth to black if the game ended here
  scores            known ones for the side to move: [{"move":"f5","score":12}]
                    (move: a square, pass, or null for the position itself)
  scores_rule       the rule they are for, or null where nobody says it
  tags              players, place and more: [["PB","ann"],["PW","bob"]]
"#;

/// The keys of `solve --json`.
const SOLVED: &str = r#"
With --json, one object per position and line, with the keys
  position, rule    as text; reversed or normal
  score             for the side to move; left out with --wld, which does not find it
  wld               1 the side to move wins, 0 draw, -1 it loses
  exact             true: the score is proved; false with --wld: only wld is
  stopped           only after Ctrl-C, true: nothing is proved; score and wld are the best
                    guess, left out if there is none, and moves those that were solved
  best              a square, pass, or null (game over)
  pv                the best moves of both sides, to the end unless --wld
  nodes, seconds    boards visited; time taken
  moves             with --all-moves: {"f5":6,"d6":-2}, best first, empty where there is
                    no square to play on; with --wld 1, 0 or -1 instead of the score
"#;

/// Reversed Reversi: Othello's moves, and the player with fewer discs wins.
///
/// Without a command it serves the web board, as `isrever serve` does.
#[derive(Parser, Debug)]
#[command(name = "isrever", version, after_help = STATUS)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Serve(ServeArgs),
    Play(PlayArgs),
    Show(ShowArgs),
    Convert(ConvertArgs),
    Move(MoveArgs),
    Solve(SolveArgs),
    Analyze(AnalyzeArgs),
    Nboard(NboardArgs),
    Gtp(GtpArgs),
    Perft(PerftArgs),
    Bench(BenchArgs),
    Arena(ArenaArgs),
    Train(TrainArgs),
    Lab(LabArgs),
    Tune(TuneArgs),
    Agents(AgentsArgs),
}

/// What a text leaves open.
#[derive(clap::Args, Debug)]
pub(crate) struct DefaultArgs {
    /// What the players play for: reversed (fewest discs wins) or normal (most discs wins)
    /// [default: reversed; ggf, sgf and wthor say it themselves, obf may]
    #[arg(long, value_name = "RULE")]
    pub(crate) rule: Option<Rule>,

    /// Width of the board, even, 4 to 16 [default: 8, or that of the text]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) size: Option<Size>,
}

/// Play on a board in the terminal
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever play                            black against greedy; fewest discs wins
  isrever play --against random --size 6  a smaller board, a weaker opponent
  isrever play --against maximax:time=2s  a stronger one, two seconds a move
  isrever play --color white --seed 7     the agent begins; another seed, another game
  isrever play --position f5d6c3          goes on from these moves
While playing: a square such as f5, or undo, redo, hint, moves, help, quit.")]
pub(crate) struct PlayArgs {
    /// The opponent: a name that `isrever agents` lists, and settings behind a colon
    #[arg(long, default_value = "greedy", value_name = "NAME[:KEY=VALUE,…]")]
    pub(crate) against: String,

    /// Your discs: black moves first
    #[arg(long, default_value = "black", value_parser = color, value_name = "black|white")]
    pub(crate) color: Color,

    /// Where the agent's random choices come from: the same seed, the same choices
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    pub(crate) seed: u64,

    /// A position or a game to go on from: its text, or a file
    #[arg(long, value_name = "TEXT|FILE", allow_hyphen_values = true, value_parser = text())]
    pub(crate) position: Option<OsString>,

    /// Letters X and O instead of ● and ○
    #[arg(long)]
    pub(crate) ascii: bool,

    #[command(flatten)]
    pub(crate) defaults: DefaultArgs,
}

/// Draw a position, or a game step by step
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever show                            the start position
  isrever show f5d6c3                     the position after these moves
  isrever show --step f5d6c3              every position on the way
  isrever show game.ggf --at 20           the position after 20 moves
  isrever show '---- -OX- -XO- ---- X'    a position, row by row, and the side
  isrever show - --json --rule normal < problems.obf
  isrever show f5d6c3 --svg > board.svg   a picture
On the board: · legal square, [●] last move, (●) disc it turned.
".to_owned() + SEEN + &reading())]
pub(crate) struct ShowArgs {
    /// A position or a game: its text, or a file, or - for standard input
    #[arg(value_name = "TEXT|FILE|-", allow_hyphen_values = true, value_parser = text())]
    pub(crate) text: Option<OsString>,

    /// Every position of the game, not only the last
    #[arg(long)]
    pub(crate) step: bool,

    /// Stop after this many moves, passes counted
    #[arg(long, value_name = "PLY", allow_negative_numbers = true)]
    pub(crate) at: Option<usize>,

    /// Format of the text, instead of guessing it
    #[arg(long, value_name = "FORMAT", requires = "text")]
    pub(crate) from: Option<Format>,

    /// Letters X and O instead of ● and ○
    #[arg(long)]
    pub(crate) ascii: bool,

    /// A picture of the last position, as SVG
    #[arg(long, conflicts_with_all = ["json", "step", "ascii"])]
    pub(crate) svg: bool,

    /// One object per position and line
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) defaults: DefaultArgs,
}

/// Turn positions and games from one format into another
#[derive(clap::Args, Debug)]
#[command(after_help = formats() + "
Examples:
  isrever convert f5d6c3 --to ggf         a game record of three moves
  isrever convert games.wtb --to moves    a database as lines of moves
  isrever convert game.sgf --to board --at 20
  isrever convert - --to obf -o positions.obf < positions.txt
Nothing is written unless all can be: a wrong line anywhere leaves FILE as it was.
" + &reading())]
pub(crate) struct ConvertArgs {
    /// Positions or games: their text, or a file, or - for standard input
    #[arg(value_name = "TEXT|FILE|-", allow_hyphen_values = true, value_parser = text())]
    pub(crate) text: OsString,

    /// Format to write
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Format,

    /// Format of the input, instead of guessing it
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<Format>,

    /// Write here instead of to standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Stop each game after this many moves, passes counted
    #[arg(long, value_name = "PLY", allow_negative_numbers = true)]
    pub(crate) at: Option<usize>,

    /// Write passes too (only --to moves leaves them out)
    #[arg(long)]
    pub(crate) passes: bool,

    #[command(flatten)]
    pub(crate) defaults: DefaultArgs,
}

/// Which positions a command is about.
#[derive(clap::Args, Debug)]
pub(crate) struct PositionArgs {
    /// Positions or games: their text, or a file, or - for standard input [default: the start]
    #[arg(value_name = "TEXT|FILE|-", allow_hyphen_values = true, value_parser = text())]
    pub(crate) text: Option<OsString>,

    /// The same
    #[arg(long, value_name = "TEXT|FILE|-", allow_hyphen_values = true, value_parser = text(),
          conflicts_with = "text")]
    pub(crate) position: Option<OsString>,

    /// A file of positions or games, whatever its name is like
    #[arg(long, value_name = "FILE", conflicts_with_all = ["text", "position"])]
    pub(crate) file: Option<OsString>,
}

impl PositionArgs {
    /// What was given to read; `None` means the start.
    pub(crate) fn input(&self) -> Result<Option<Input>, Fault> {
        match (self.text.as_ref().or(self.position.as_ref()), &self.file) {
            (Some(argument), _) => Input::read(argument).map(Some),
            (None, Some(name)) => Input::read_named(name).map(Some),
            (None, None) => Ok(None),
        }
    }
}

/// Find the best move: what the engine thinks of positions
#[derive(clap::Args, Debug)]
#[command(name = "move", after_help = "\
Examples:
  isrever move --position game.ggf --time 5s
  isrever move f5d6c3 --depth 12
  isrever move f5d6c3 --clock 3m+2s       a wise part of what is left for the game
  isrever move f5d6c3 --level 5 --seed 7  as a weaker player
  isrever move - --json --nodes 100000 < positions.txt
Of a game its last position is looked at. The value is what the side to move can expect to be ahead
by in the end, in discs (behind, when fewest wins); depth 20@49% means 20 plies with cuts that are
right 49 times in 100 at least, depth 12@100% of 12 empty squares that the value is proved. With
--depth, --nodes or --level and one thread the answer is always the same. The answer is there before
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
".to_owned() + &reading())]
pub(crate) struct MoveArgs {
    #[command(flatten)]
    pub(crate) positions: PositionArgs,

    /// Time for each position, such as 5s or 250ms [default: 1s, if nothing else is limited]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) time: Option<Duration>,

    /// What is left for the rest of the game, and what each move adds: 3m+2s, 90s
    #[arg(long, value_name = "TIME[+TIME]", value_parser = clock)]
    pub(crate) clock: Option<GameClock>,

    /// For how many moves of its own that must last [default: the rest of the game]
    #[arg(long, value_name = "N", requires = "clock", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=128))]
    pub(crate) moves_left: Option<u32>,

    /// Look so many plies ahead at most
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=60))]
    pub(crate) depth: Option<u32>,

    /// Visit about so many boards at most
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,

    /// How well to play, from 1, a beginner, to 20, full strength
    #[arg(long, value_name = "L", allow_negative_numbers = true)]
    pub(crate) level: Option<Level>,

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

    /// One object per position and line
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) defaults: DefaultArgs,
}

/// What is left for a game: `3m+2s`.
fn clock(text: &str) -> Result<GameClock, &'static str> {
    let (main, added) = text.split_once('+').map_or((text, None), |(m, a)| (m, Some(a)));
    let remaining = span(main).filter(|remaining| !remaining.is_zero());
    let increment = added.map_or(Some(Duration::ZERO), span);
    let read = remaining.zip(increment);
    let (remaining, increment) = read.ok_or("not a clock; expected one such as 3m+2s or 90s")?;
    Ok(GameClock { remaining, increment, moves_left: None })
}

/// A time of no more than a day: `3m`, `2.5s`, `500ms`, `1h`.
fn span(text: &str) -> Option<Duration> {
    let units = [("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3_600.0)];
    let (number, unit) =
        units.iter().find_map(|&(unit, length)| Some((text.strip_suffix(unit)?, length)))?;
    let seconds = number.parse::<f64>().ok()? * unit;
    let is_plain = number.starts_with(|c: char| c.is_ascii_digit());
    (is_plain && (0.0..=86_400.0).contains(&seconds)).then(|| Duration::from_secs_f64(seconds))
}

/// A time with its unit.
pub(crate) fn time(text: &str) -> Result<Duration, &'static str> {
    isrever_agent::duration(text).ok_or("not a time; expected one such as 5s or 250ms")
}

/// Play endgames perfectly: the score, the best move and the best line
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever solve --size 4                  the whole 4x4 game
  isrever solve --file ffo.obf --rule normal --threads 8
  isrever solve --position game.ggf --all-moves
  isrever solve - --json --wld < positions.txt
  isrever solve --size 6 --force --threads 8 --hash 1024 --resume 6x6.findings
Of a game its last position is solved. Scores are seen by the side to move: win by 6 means that it
ends 6 discs ahead, or 6 behind when fewest wins; empty squares count for the side with more discs.
Known scores of an OBF file are compared (= known, ≠ known) if they are for the rule that is played;
the file says which they are for by a line such as % rule: normal, or else --rule does.
Positions of one run share what was proved, so the nodes of one depend on those before it.
Ctrl-C stops it: the best so far is shown as not proved, and the exit status is 130. A file of
--resume serves all positions of its size and rule; a solve killed in whatever way loses seconds.
".to_owned() + SOLVED + &reading())]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) positions: PositionArgs,

    /// Only whether it is a win, a draw or a loss: quicker
    #[arg(long)]
    pub(crate) wld: bool,

    /// Every legal move's score, best first
    #[arg(long)]
    pub(crate) all_moves: bool,

    /// Threads to share the work
    #[arg(long, default_value_t = 1, value_name = "T", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,

    /// Memory for what was proved, in MiB
    #[arg(long, default_value_t = 64, value_name = "MIB", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub(crate) hash: u32,

    /// Keep what takes long to find in this file, and begin with what is there: a solve that was
    /// killed goes on
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,

    /// Begin even if there are more than 26 empty squares
    #[arg(long)]
    pub(crate) force: bool,

    /// One object per position and line
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) defaults: DefaultArgs,
}

/// Search fixed positions: one number that changes only when the search does
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The signature is the number of boards visited by fixed searches on one thread. It is the same on
every machine; a change of the code that moves it changes what the engine plays.
With --json, one object with the keys signature, nodes and seconds.")]
pub(crate) struct BenchArgs {
    /// One object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Count the games of N plies: the test of move generation
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever perft 9                         8x8, from the start
  isrever perft 20 --size 4 --passes free
  isrever perft 10 --threads 8 --json     one object per depth and line")]
pub(crate) struct PerftArgs {
    /// Count up to this depth
    #[arg(value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) depth: u32,

    /// Width of the board, even, 4 to 16 [default: 8, or that of the text]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) size: Option<Size>,

    /// Count from this position: its text, or a file, or - for standard input
    #[arg(long, value_name = "TEXT|FILE|-", allow_hyphen_values = true, value_parser = text())]
    pub(crate) position: Option<OsString>,

    /// A forced pass counts as a ply, or is free
    #[arg(long, default_value_t, value_name = "ply|free")]
    pub(crate) passes: Passes,

    /// Instructions to use [default: the best of this machine]
    #[arg(long, value_name = "scalar|avx2|avx512")]
    pub(crate) isa: Option<Isa>,

    /// Threads to share the work
    #[arg(long, default_value_t = 1, value_name = "T", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,

    /// One object per depth and line
    #[arg(long)]
    pub(crate) json: bool,
}

/// List the agents that can play
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever agents
  isrever agents --json                   one object per agent and line
An agent is asked for by its name, or by its name and settings: greedy:by=mobility,
maximax:time=5s, mcts:playouts=1000,threads=all. Agents that search take time=5s (or ms), depth=N
and nodes=N, mcts only time; reports' agents also take every parameter of theirs, such as b2=-40, and
preset=NAME for those that a tuning has found.
An unknown key is answered with those there are. Programs of other people play as python:ai.py,
nboard:COMMAND or gtp:COMMAND.")]
pub(crate) struct AgentsArgs {
    /// One object per agent and line
    #[arg(long)]
    pub(crate) json: bool,
}

/// The formats and what they are.
fn formats() -> String {
    let lines = Format::ALL.map(|format| format!("  {format:<6} {}\n", format.about()));
    format!("Formats:\n{}", lines.concat())
}

/// How much is read, and what is not.
pub(crate) fn reading() -> String {
    let (whole, line) = (MOST_BYTES >> 20, MAX_LINE_BYTES >> 20);
    format!(
        "
At most {whole} MiB are read, in lines of at most {line} MiB. The formats board, moves and hex do \
not say their rule. OBF does by a line such as % rule: normal, for the lines below it; files from \
elsewhere have none, are for normal Othello and need --rule normal. Of an SGF game the main line is read; its variations are not kept."
    )
}

/// What is said of an argument that is none of the command's.
pub(crate) const UNKNOWN: &str = "is not known here; expected what --help lists";

/// Text may begin with a hyphen, as boards do; a misspelt option does too, and is refused.
pub(crate) fn text() -> impl TypedValueParser<Value = OsString> {
    OsStringValueParser::new().try_map(|argument| {
        if is_like_an_option(&argument.to_string_lossy()) {
            return Err(UNKNOWN);
        }
        Ok(argument)
    })
}

/// The first of the arguments that is like an option and none of its command's.
///
/// Behind it clap takes the text it was hoping for to be too much, and blames that.
pub(crate) fn unknown_option(typed: impl IntoIterator<Item = OsString>) -> Option<String> {
    let mut typed = typed.into_iter().skip(1).map(|argument| argument.to_string_lossy().into());
    let mut program = Args::command();
    program.build();
    let mut command = program.find_subcommand(typed.next().unwrap_or_else(String::new))?;
    // Commands may have commands of their own.
    while command.has_subcommands() {
        command = command.find_subcommand(typed.next().unwrap_or_else(String::new))?;
    }
    typed.filter(|argument| is_like_an_option(argument)).find(|argument| {
        let name = argument.split('=').next().unwrap_or(argument);
        !command.get_arguments().any(|known| {
            known.get_long().is_some_and(|long| name.strip_prefix("--") == Some(long))
                || known.get_short().is_some_and(|short| name.starts_with(&format!("-{short}")))
        })
    })
}

/// Whether `text` is a hyphen or two and a word, and the word is no board, well typed or not.
fn is_like_an_option(text: &str) -> bool {
    let Some(word) = text.strip_prefix("--").or_else(|| text.strip_prefix('-')) else {
        return false;
    };
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && !word.contains(|c: char| c.is_whitespace() || c == ';')
        && !is_like_a_board(word)
}

/// Whether three of four letters are squares: one that is not is a slip.
fn is_like_a_board(word: &str) -> bool {
    let squares = word.chars().filter(|&c| "XxOo*BbWw-.".contains(c)).count();
    4 * squares >= 3 * word.chars().count()
}

fn color(text: &str) -> Result<Color, &'static str> {
    match text {
        "black" => Ok(Color::Black),
        "white" => Ok(Color::White),
        _ => Err("not a colour; expected black or white"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn clocks_have_a_time_and_perhaps_an_increment() {
        for (text, times) in [
            ("3m+2s", (180_000, 2_000)),
            ("90s", (90_000, 0)),
            ("1h+0s", (3_600_000, 0)),
            ("1.5m+250ms", (90_000, 250)),
        ] {
            let GameClock { remaining, increment, .. } = clock(text).unwrap();
            assert_eq!((remaining.as_millis(), increment.as_millis()), times, "{text}");
        }
        for text in ["", "3", "0s", "3m+", "+2s", "3m+x", "-3m", "3m+-1s", "NaNs", "99h", "3m2s"] {
            assert!(clock(text).is_err(), "{text}");
        }
    }

    #[test]
    fn options_are_told_from_boards() {
        for option in ["--loudly", "-q", "--stepp", "--at=3", "--too", "--bow-wave", "--no-color"] {
            assert!(is_like_an_option(option), "{option}");
        }
        for text in ["-", "--", "-------- X", "--xo--ox--", "--XO X; a1:+3;", "f5", "-1", ""] {
            assert!(!is_like_an_option(text), "{text}");
        }
        for board in ["-O---OX--XO-----X;", "-O---OX--XO----Q", "-O---OX--X0-----X"] {
            assert!(!is_like_an_option(board), "{board}");
        }
    }
}
