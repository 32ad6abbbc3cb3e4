//! How an analysed game is shown: a table with a graph for people, objects for programs.

use crate::commands::solve::names;
use crate::messages;
use crate::output::json_line;
use crate::plain::plain;
use isrever_board::text::Record;
use isrever_board::{Color, Move};
use isrever_search::{GameAnalysis, Mark, Verdict};
use serde::Serialize;
use std::io::{self, Write};

/// How many moves of a line fit into the table.
const LINE_MOVES: usize = 8;

/// The steps of the graph, from the worst to the best for black.
const STEPS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const ASCII_STEPS: [char; 8] = ['1', '2', '3', '4', '5', '6', '7', '8'];

/// The least that the graph has room for, up and down, in discs: small things stay small.
const LEAST_REACH: i32 = 8;

/// One of the games, and what was found out about it.
pub(super) struct Report<'a> {
    pub(super) number: usize,
    pub(super) games: usize,
    pub(super) ascii: bool,
    pub(super) record: &'a Record,
    pub(super) found: &'a GameAnalysis,
}

impl Report<'_> {
    /// The verdicts there are, in the order of the game.
    fn verdicts(&self) -> impl Iterator<Item = &Verdict> {
        self.found.verdicts().iter().flatten()
    }

    /// One object for each move.
    pub(super) fn objects(&self, out: &mut dyn Write) -> io::Result<()> {
        for verdict in self.verdicts() {
            json_line(out, &self.row(verdict))?;
        }
        Ok(())
    }

    /// A line for each move, a graph, and what it comes to for each side.
    pub(super) fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        self.heading(out)?;
        let row = ["move", "side", "played", "value", "loss", "best", "value", "line"];
        line(out, row.map(str::to_owned))?;
        for verdict in self.verdicts() {
            line(out, cells(verdict))?;
        }
        if let Some(graph) = self.graph() {
            writeln!(out, "\n{graph}")?;
        }
        for color in [Color::Black, Color::White] {
            if let Some(sum) = self.sum(color) {
                writeln!(out, "{sum}")?;
            }
        }
        Ok(())
    }

    /// A game that ended before its first move.
    pub(super) fn without_moves(&self, out: &mut dyn Write) -> io::Result<()> {
        self.heading(out)?;
        writeln!(out, "No moves were played.")
    }

    /// Which game this is, who plays, and for what.
    fn heading(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.number > 1 {
            writeln!(out)?;
        }
        if self.games > 1 {
            writeln!(out, "Number {} of {}", self.number, self.games)?;
        }
        let player = |tag, color| match self.record.tag(tag) {
            Some(name) => format!("{} ({})", plain(name), messages::name(color)),
            None => messages::name(color).to_owned(),
        };
        let (black, white) = (player("PB", Color::Black), player("PW", Color::White));
        let game = &self.record.game;
        writeln!(out, "{black} against {white}: {}", messages::objective(game.rule()))
    }

    /// What black could expect in each position, from the start to the last.
    fn graph(&self) -> Option<String> {
        let for_black = |color, value: i32| if color == Color::Black { value } else { -value };
        let positions = self.record.game.positions();
        let last = self.found.last();
        let last = last.map(|last| for_black(positions[positions.len() - 1].turn(), last.score()));
        let values = self.verdicts().map(|verdict| for_black(verdict.color, verdict.best.score()));
        let values: Vec<i32> = values.chain(last).collect();
        if values.len() < 2 {
            return None;
        }
        let steps = if self.ascii { ASCII_STEPS } else { STEPS };
        let reach = values.iter().map(|value| value.abs()).max().unwrap_or(0).max(LEAST_REACH);
        let graph: String = values.iter().map(|&value| steps[step(value, reach)]).collect();
        let (least, most) = (values.iter().min()?, values.iter().max()?);
        let scale = format!("{} to {} discs", signed(*least), signed(*most));
        Some(format!("Black's prospects, position by position ({scale}):\n{graph}"))
    }

    /// What the moves of `color` come to.
    fn sum(&self, color: Color) -> Option<String> {
        let own = || {
            let is_own = |verdict: &&Verdict| verdict.color == color && verdict.mv != Move::Pass;
            self.verdicts().filter(is_own)
        };
        let moves = own().count();
        let lost: i32 = own().map(|verdict| verdict.loss).sum();
        let best = own().filter(|verdict| verdict.loss == 0).count();
        let with = |mark| own().filter(|verdict| verdict.mark == Some(mark)).count();
        let marked = [Mark::Blunder, Mark::Mistake, Mark::Inaccuracy].map(|mark| {
            let count = with(mark);
            let word = match (mark, count) {
                (Mark::Inaccuracy, 2..) | (Mark::Inaccuracy, 0) => "inaccuracies".to_owned(),
                (_, 1) => mark.word().to_owned(),
                _ => format!("{}s", mark.word()),
            };
            format!("{count} {word}")
        });
        (moves > 0).then(|| {
            let mean = f64::from(lost) / moves as f64;
            let name = messages::name(color);
            let marked = marked.join(", ");
            format!(
                "{name}: {best} of {moves} moves the best, {mean:.2} discs lost a move; {marked}"
            )
        })
    }

    fn row(&self, verdict: &Verdict) -> Row {
        let game = &self.record.game;
        let pv = names(&verdict.best.pv);
        Row {
            game: self.number,
            ply: verdict.ply + 1,
            rule: game.rule().to_string(),
            position: game.positions()[verdict.ply].to_string(),
            side: verdict.color.to_string(),
            mv: verdict.mv.to_string(),
            value: verdict.value,
            exact: verdict.is_exact,
            wld: verdict.outcome(),
            best: pv.first().cloned(),
            best_value: verdict.best.score(),
            best_exact: verdict.best.is_exact,
            loss: verdict.loss,
            loss_exact: verdict.is_loss_exact(),
            mark: verdict.mark.map(Mark::word),
            pv,
            depth: verdict.best.depth,
            selectivity: verdict.best.confidence,
            nodes: verdict.best.nodes,
        }
    }
}

/// One move, with the keys of `--json`.
#[derive(Serialize)]
struct Row {
    game: usize,
    ply: usize,
    rule: String,
    position: String,
    side: String,
    #[serde(rename = "move")]
    mv: String,
    value: i32,
    exact: bool,
    wld: Option<i32>,
    best: Option<String>,
    best_value: i32,
    best_exact: bool,
    loss: i32,
    loss_exact: bool,
    mark: Option<&'static str>,
    pv: Vec<String>,
    depth: u32,
    selectivity: u8,
    nodes: u64,
}

/// The cells of one move's line.
fn cells(verdict: &Verdict) -> [String; 8] {
    let Verdict { ply, color, mv, value, best, loss, .. } = verdict;
    let star = |is_exact| if is_exact { "*" } else { " " };
    let mark = verdict.mark.map_or(String::new(), |mark| format!(" {}", mark.sign()));
    let mut line = names(&best.pv);
    let is_long = line.len() > LINE_MOVES;
    line.truncate(LINE_MOVES);
    line.extend(is_long.then(|| "…".to_owned()));
    // Of a pass there is nothing to lose.
    let loss = match (mv, loss) {
        (Move::Pass, _) | (_, 0) => String::new(),
        _ => format!("{loss}{}", star(verdict.is_loss_exact())),
    };
    [
        (ply + 1).to_string(),
        color.to_string(),
        format!("{mv}{mark}"),
        format!("{}{}", signed(*value), star(verdict.is_exact)),
        loss,
        best.pv.first().map_or("-".to_owned(), Move::to_string),
        format!("{}{}", signed(best.score()), star(best.is_exact)),
        line.join(" "),
    ]
}

fn line(out: &mut dyn Write, cells: [String; 8]) -> io::Result<()> {
    let [number, side, played, value, loss, best, best_value, moves] = cells;
    let line = format!(
        "{number:>4}  {side:<5}  {played:<7}  {value:>5}  {loss:>4}  {best:<4}  {best_value:>5}  \
         {moves}"
    );
    writeln!(out, "{}", line.trim_end())
}

/// A value with its sign.
fn signed(value: i32) -> String {
    if value == 0 { "0".to_owned() } else { format!("{value:+}") }
}

/// The step of the graph for a value from −`reach` to `reach`.
fn step(value: i32, reach: i32) -> usize {
    let last = i32::try_from(STEPS.len()).expect("eight") - 1;
    // Rounded to the nearest: nothing at all lies between the two steps in the middle.
    let doubled = 2 * (value + reach) * last + 2 * reach;
    usize::try_from(doubled / (4 * reach)).unwrap_or(0).min(STEPS.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_graph_reaches_from_the_lowest_to_the_highest_step() {
        for (value, place) in [(-10, 0), (-9, 0), (-1, 3), (0, 4), (1, 4), (9, 7), (10, 7)] {
            assert_eq!(step(value, 10), place, "{value}");
        }
    }
}
