//! `isrever move`: what the engine thinks of positions.

use super::solve::{names, speed};
use crate::args::MoveArgs;
use crate::fault::Fault;
use crate::input::Place;
use crate::output::json_line;
use crate::words::grouped;
use isrever_agent::{GameClock, Limits};
use isrever_board::Game;
use isrever_board::text::Record;
use isrever_engine::{Level, Player, PlayerSettings, Terms, Thought};
use serde::Serialize;
use std::io::{self, Write};
use std::time::Instant;

/// Thinks about one position after the other.
pub(crate) fn run(args: &MoveArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let mut desk = Desk::new(args, out);
    let Some(input) = args.positions.input()? else {
        return desk.show(&Record::from(args.defaults.start()), &Place::Start);
    };
    for record in super::records(&input, None, &args.defaults, None)? {
        desk.show(&record?, &input.place)?;
    }
    Ok(())
}

/// The engine, what it may spend, and where its thoughts go.
struct Desk<'a> {
    args: &'a MoveArgs,
    out: &'a mut dyn Write,
    player: Player,
    /// Positions so far.
    count: usize,
}

impl<'a> Desk<'a> {
    fn new(args: &'a MoveArgs, out: &'a mut dyn Write) -> Desk<'a> {
        let player = Player::new(PlayerSettings {
            threads: args.threads.into(),
            hash_bytes: (args.hash as usize) << 20,
            terms: args.level.map_or(Terms::FULL, Level::terms),
            seed: args.seed,
            ..PlayerSettings::default()
        });
        Desk { args, out, player, count: 0 }
    }

    /// Thinks about the last position of `record`, and shows the thought.
    fn show(&mut self, record: &Record, place: &Place) -> Result<(), Fault> {
        self.count += 1;
        let size = record.game.size();
        if !size.has_bits() {
            let offence = format!("the board is {size}x{size}; expected at most 8x8");
            return Err(Fault::input(place, offence));
        }
        // Of each position the same is asked, whatever came before it.
        let MoveArgs { time, clock, moves_left, depth, nodes, .. } = *self.args;
        let begin = Instant::now();
        let deadline = time.map(|time| begin + time);
        let clock = clock.map(|clock| GameClock { moves_left, ..clock });
        let limits = Limits { deadline, clock, depth, nodes, ..Limits::default() };
        let thought = self.player.think(&record.game, &limits);
        let seconds = begin.elapsed().as_secs_f64();
        if self.args.json {
            json_line(self.out, &Row::new(&record.game, &thought, seconds))?;
        } else {
            self.rows(&record.game, &thought, seconds)?;
        }
        Ok(self.out.flush()?)
    }

    fn rows(&mut self, game: &Game, thought: &Thought, seconds: f64) -> io::Result<()> {
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
            if thought.value == 0 { "0".to_owned() } else { format!("{:+}", thought.value) };
        let names = names(&thought.line);
        line(
            [
                &self.count.to_string(),
                &position.turn().to_string(),
                &position.empties().to_string(),
                &value,
                names.first().map_or("-", String::as_str),
            ],
            [
                &format!("{}@{}%", thought.depth, thought.percent),
                &grouped(&thought.nodes.to_string()),
                &format!("{seconds:.3}"),
                &speed(thought.nodes, seconds),
            ],
        )?;
        let line = if names.is_empty() { "game over".to_owned() } else { names.join(" ") };
        writeln!(self.out, "        {line}")
    }
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
    seconds: f64,
}

impl Row {
    fn new(game: &Game, thought: &Thought, seconds: f64) -> Row {
        let pv = names(&thought.line);
        Row {
            position: game.position().to_string(),
            rule: game.rule().to_string(),
            best: pv.first().cloned(),
            value: thought.value,
            depth: thought.depth,
            selectivity: thought.percent,
            exact: thought.is_exact,
            pv,
            nodes: thought.nodes,
            seconds,
        }
    }
}
