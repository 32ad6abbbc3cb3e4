//! `isrever show`: positions and games, drawn.

use crate::args::ShowArgs;
use crate::draw::{self, Marks, Style};
use crate::fault::Fault;
use crate::input::Input;
use crate::words;
use isrever_board::text::Record;
use isrever_board::{Color, Game, Square};
use serde::Serialize;
use std::io::{self, BufWriter, Write};

/// Draws everything that was given, once all of it is known to be right.
pub(crate) fn run(args: &ShowArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let records = meaning(args)?;
    let style = Style::of_stdout(args.ascii);
    let mut out = BufWriter::new(out);
    let games = records.len();
    if args.svg {
        let [record] = &records[..] else {
            let offence = format_args!("{games} positions or games; expected one");
            return Err(Fault::input("--svg", offence));
        };
        draw_picture(&mut out, &record.game)?;
        return Ok(out.flush()?);
    }
    for (record, number) in records.iter().zip(1..) {
        let game = &record.game;
        if !args.json {
            heading(&mut out, record, number, games)?;
        }
        for ply in if args.step { 0..=game.ply() } else { game.ply()..=game.ply() } {
            if args.json {
                let seen = Seen::new(game, ply, number);
                writeln!(out, "{}", serde_json::to_string(&seen).map_err(io::Error::from)?)?;
            } else {
                draw_step(&mut out, game, ply, style)?;
            }
        }
    }
    Ok(out.flush()?)
}

/// The games to show, each gone to the move asked for.
fn meaning(args: &ShowArgs) -> Result<Vec<Record>, Fault> {
    let defaults = args.defaults.defaults();
    let Some(argument) = &args.text else {
        let record = Record::from(Game::new(defaults.rule, defaults.size));
        return Ok(vec![record]);
    };
    let input = Input::read(argument)?;
    let mut records = input.records(args.from, defaults)?;
    for record in &records {
        args.defaults.check(&input.place, &record.game)?;
    }
    if let Some(ply) = args.at {
        super::stop_at(&mut records, ply, &input.place)?;
    }
    Ok(records)
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
        writeln!(out, "{}: {}", clean(name), clean(value))?;
    }
    if !record.scores.is_empty() {
        let scores = record.scores.iter().map(|(mv, score)| match mv {
            Some(mv) => format!("{mv} {score:+}"),
            None => format!("{score:+}"),
        });
        let scores: Vec<String> = scores.collect();
        writeln!(out, "Known scores for the side to move: {}", scores.join(", "))?;
    }
    Ok(())
}

/// The position after move number `ply`, and the move.
fn draw_step(out: &mut dyn Write, game: &Game, ply: usize, style: Style) -> io::Result<()> {
    let position = &game.positions()[ply];
    if ply > 0 {
        writeln!(out, "{}", words::step(game, ply))?;
    }
    draw::board(out, position, &Marks::of_move(game, ply), style)?;
    writeln!(out, "{}", words::standing(position, game.rule(), style))?;
    if let Some(turn) = words::turn(position) {
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
    let caption = words::caption(position, game.rule());
    draw::svg::board(out, position, &Marks::of_last_disc(game), &caption)
}

/// What files say may not drive the terminal.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// One position of a game, with the keys of `--json`.
#[derive(Serialize)]
struct Seen {
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
    /// Discs of each side.
    black: u32,
    white: u32,
    /// What the discs are worth to black under the rule, as if the game ended here.
    black_score: i32,
}

impl Seen {
    fn new(game: &Game, ply: usize, number: usize) -> Seen {
        let position = &game.positions()[ply];
        let names = |squares: &[Square]| squares.iter().map(Square::to_string).collect();
        let last = ply.checked_sub(1).map(|before| game.moves()[before].to_string());
        Seen {
            game: number,
            ply,
            rule: game.rule().to_string(),
            size: game.size().width(),
            position: position.to_string(),
            turn: (!position.is_over()).then(|| position.turn().to_string()),
            legal: names(&position.moves()),
            mv: last,
            turned: names(&Marks::of_move(game, ply).turned),
            black: position.count(Color::Black),
            white: position.count(Color::White),
            black_score: position.score(game.rule(), Color::Black),
        }
    }
}
