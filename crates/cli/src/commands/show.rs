//! `isrever show`: positions and games, drawn.

use crate::draw::{self, Style};
use crate::error::Error;
use crate::input::{Input, Place};
use crate::messages;
use crate::options::{DefaultArgs, reading, text};
use crate::output::json_line;
use crate::plain::plain;
use isrever_board::text::{Format, Record};
use isrever_board::{Color, Dressing, Game, Marks, Move, Square, caption, picture};
use serde::Serialize;
use std::ffi::OsString;
use std::io::{self, BufWriter, Write};

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

/// Draws everything that was given, once all of it is known to be right.
pub(crate) fn run(args: &ShowArgs, out: &mut dyn Write) -> Result<(), Error> {
    let mut out = BufWriter::new(out);
    let Some(argument) = &args.text else {
        let mut record = Record::from(args.defaults.start());
        if let Some(ply) = args.at {
            super::stop_at(&mut record, ply, 1, &Place::Start)?;
        }
        show(args, &mut out, &record, 1, 1)?;
        return Ok(out.flush()?);
    };
    let input = Input::read(argument)?;
    // Read twice and not kept: only one game at a time is held in memory.
    let records = || super::records(&input, args.from, &args.defaults, args.at);
    let mut games = 0;
    for record in records()? {
        record?;
        games += 1;
    }
    if args.svg && games > 1 {
        let offence = format_args!("{games} positions or games; expected one");
        return Err(Error::input("--svg", offence));
    }
    for (record, number) in records()?.zip(1..) {
        show(args, &mut out, &record?, number, games)?;
    }
    Ok(out.flush()?)
}

/// Shows one of the games in the way that was asked for.
fn show(
    args: &ShowArgs,
    out: &mut dyn Write,
    record: &Record,
    number: usize,
    games: usize,
) -> io::Result<()> {
    let game = &record.game;
    if args.svg {
        return draw_picture(out, game);
    }
    if !args.json {
        heading(out, record, number, games)?;
    }
    for ply in if args.step { 0..=game.ply() } else { game.ply()..=game.ply() } {
        if args.json {
            json_line(out, &Seen::new(record, ply, number))?;
        } else {
            draw_step(out, game, ply, Style::of_stdout(args.ascii))?;
        }
    }
    Ok(())
}

/// Which game this is, if there are several, and what is known of it.
fn heading(out: &mut dyn Write, record: &Record, number: usize, games: usize) -> io::Result<()> {
    if number > 1 {
        writeln!(out)?;
    }
    if games > 1 {
        writeln!(out, "Number {number} of {games}")?;
    }
    for (name, value) in &record.tags {
        let name = match name.as_str() {
            "PB" => "Black",
            "PW" => "White",
            "PC" => "Place",
            "DT" => "Date",
            "RE" => "Result",
            other => other,
        };
        writeln!(out, "{}: {}", plain(name), plain(value))?;
    }
    if !record.scores.is_empty() {
        let scores = record.scores.iter().map(|(mv, score)| match mv {
            Some(mv) => format!("{mv} {score:+}"),
            None => format!("{score:+}"),
        });
        let scores: Vec<String> = scores.collect();
        let rule = record.scores_rule.map_or(String::new(), |rule| format!(", {rule} rule"));
        writeln!(out, "Known scores for the side to move{rule}: {}", scores.join(", "))?;
    }
    Ok(())
}

/// The position after move number `ply`, and the move.
fn draw_step(out: &mut dyn Write, game: &Game, ply: usize, style: Style) -> io::Result<()> {
    let position = &game.positions()[ply];
    if ply > 0 {
        writeln!(out, "{}", messages::step(game, ply))?;
    }
    draw::board(out, position, &Marks::of_move(game, ply), style)?;
    writeln!(out, "{}", messages::standing(position, game.rule(), style))?;
    if let Some(turn) = messages::turn(position) {
        writeln!(out, "{turn}")?;
    }
    if ply < game.ply() {
        writeln!(out)?;
    }
    Ok(())
}

/// The position now, as a picture.
fn draw_picture(out: &mut dyn Write, game: &Game) -> io::Result<()> {
    let position = game.position();
    let caption = caption(position, game.rule());
    let marks = Marks::of_last_disc(game);
    let dressing = Dressing { marks: Some(&marks), caption: Some(&caption) };
    out.write_all(picture(position, dressing).as_bytes())
}

/// One position of a game, with the keys of `--json`.
#[derive(Serialize)]
struct Seen<'a> {
    /// Which game of the input, from 1.
    game: usize,
    /// Moves played, passes counted.
    ply: usize,
    rule: String,
    size: u8,
    /// As text.
    position: String,
    /// Whose turn it is; null when the game is over.
    turn: Option<String>,
    /// The squares that side may play on.
    legal: Vec<String>,
    /// The move that led here; null at the start.
    #[serde(rename = "move")]
    mv: Option<String>,
    /// The discs it turned.
    turned: Vec<String>,
    /// What was noted beside the move, or null: its value in discs to the side that played it,
    value: Option<f64>,
    /// the time it took,
    seconds: Option<f64>,
    /// and words.
    comment: Option<&'a str>,
    /// Discs of each side.
    black: u32,
    white: u32,
    /// What the discs are worth to black under the rule, as if the game ended here.
    black_score: i32,
    /// Known scores of this position for the side to move; they belong to the game's last.
    scores: Vec<Known>,
    /// The rule that they are for, where that is known.
    scores_rule: Option<String>,
    /// Players, place, date and the like: name and value, in order, a name perhaps repeated.
    tags: &'a [(String, String)],
}

/// A known score of a position.
#[derive(Serialize)]
struct Known {
    /// Of this move: a square or `pass`; null when it is the score of the position.
    #[serde(rename = "move")]
    mv: Option<String>,
    score: i32,
}

impl Known {
    fn new(&(mv, score): &(Option<Move>, i32)) -> Known {
        Known { mv: mv.map(|mv| mv.to_string()), score }
    }
}

impl Seen<'_> {
    fn new(record: &Record, ply: usize, number: usize) -> Seen<'_> {
        let game = &record.game;
        let position = &game.positions()[ply];
        let names = |squares: &[Square]| squares.iter().map(Square::to_string).collect();
        let last = ply.checked_sub(1);
        let note = last.and_then(|before| record.notes.get(before));
        let scores = if ply == game.ply() { &record.scores[..] } else { &[] };
        Seen {
            game: number,
            ply,
            rule: game.rule().to_string(),
            size: game.size().width(),
            position: position.to_string(),
            turn: (!position.is_over()).then(|| position.turn().to_string()),
            legal: names(&position.moves()),
            mv: last.map(|before| game.moves()[before].to_string()),
            turned: names(&Marks::of_move(game, ply).turned),
            value: note.and_then(|note| note.value),
            seconds: note.and_then(|note| note.seconds),
            comment: note.and_then(|note| note.comment.as_deref()),
            black: position.count(Color::Black),
            white: position.count(Color::White),
            black_score: position.score(game.rule(), Color::Black),
            scores: scores.iter().map(Known::new).collect(),
            scores_rule: record.scores_rule.map(|rule| rule.to_string()),
            tags: &record.tags,
        }
    }
}
