//! How solved positions are shown: a table for people, objects for programs.

use super::SolveArgs;
use super::Solved;
use crate::error::Error;
use crate::messages::grouped;
use crate::output::json_line;
use isrever_board::text::Record;
use isrever_board::{Move, Square};
use isrever_search::Answer;
use serde::{Serialize, Serializer};
use std::io::{self, Write};

/// The table or the objects, as far as they have come.
pub(super) struct Report<'a> {
    args: &'a SolveArgs,
    out: &'a mut dyn Write,
    /// How many positions there are,
    count: usize,
    /// and how many of them are shown.
    done: usize,
    nodes: u64,
    seconds: f64,
    /// How often a known score of a position was found too, and was not.
    known: [usize; 2],
}

impl<'a> Report<'a> {
    /// Begins to show the answers for `count` positions.
    pub(super) fn new(
        args: &'a SolveArgs,
        count: usize,
        out: &'a mut dyn Write,
    ) -> io::Result<Report<'a>> {
        if !args.json {
            let row = ["number", "side", "empties", "score", "move"];
            line(out, row, ["nodes", "seconds", "nodes/s"], "")?;
        }
        let (nodes, seconds, known) = (0, 0.0, [0, 0]);
        Ok(Report { args, out, count, done: 0, nodes, seconds, known })
    }

    /// Shows the answer for the last position of `record`.
    pub(super) fn add(&mut self, record: &Record, solved: &Solved) -> Result<(), Error> {
        self.done += 1;
        self.nodes += solved.answer.nodes;
        self.seconds += solved.seconds;
        if self.args.json {
            json_line(self.out, &Row::new(record, solved, self.args))?;
        } else {
            self.rows(record, solved)?;
        }
        Ok(self.out.flush()?)
    }

    /// Says what it comes to, if there were several.
    pub(super) fn end(self) -> Result<(), Error> {
        if self.args.json || self.count < 2 {
            return Ok(());
        }
        let Report { out, count, nodes, seconds, known: [same, other], .. } = self;
        write!(out, "{count} positions")?;
        if same + other > 0 {
            write!(out, ", {same} as known, {other} not")?;
        }
        let (nodes, speed) = (grouped(&nodes.to_string()), speed(nodes, seconds));
        Ok(writeln!(out, ": {nodes} nodes in {seconds:.3} seconds, {speed} nodes/s")?)
    }

    /// A row for the position, its principal variation, and the rows of its moves.
    fn rows(&mut self, record: &Record, solved: &Solved) -> io::Result<()> {
        let position = record.game.position();
        let Solved { answer, moves, seconds } = solved;
        let wld = self.args.wld;
        // What is not proved is not compared.
        let known = self.known_score(record, None).filter(|_| answer.is_exact);
        if let Some(known) = known {
            self.known[usize::from(!is_same(known, answer.score(), wld))] += 1;
        }
        let best = answer.best().map_or("-".to_owned(), |mv| mv.to_string());
        let row = [
            &*self.done.to_string(),
            &position.turn().to_string(),
            &position.empties().to_string(),
            &if is_unknown(answer) { "?".to_owned() } else { outcome(answer.score(), wld) },
            &best,
        ];
        let cost = [
            &*grouped(&answer.nodes.to_string()),
            &format!("{seconds:.3}"),
            &speed(answer.nodes, *seconds),
        ];
        let remark = match answer.is_exact {
            true => comparison(known, answer.score(), wld),
            false => "not proved".to_owned(),
        };
        line(self.out, row, cost, &remark)?;
        if answer.pv.is_empty() {
            writeln!(self.out, "        game over")?;
        } else {
            writeln!(self.out, "        {}", names(&answer.pv).join(" "))?;
        }
        for answer in moves {
            let (score, mv) = (answer.score(), answer.best().expect("an answer about a move"));
            let row = ["", "", "", &outcome(score, wld), &mv.to_string()];
            let remark = comparison(self.known_score(record, mv.square()), score, wld);
            line(self.out, row, [&grouped(&answer.nodes.to_string()), "", ""], &remark)?;
        }
        Ok(())
    }

    /// The score that the record says the position has, or the move on `square`.
    ///
    /// Only if it is for the rule that is played.
    fn known_score(&self, record: &Record, square: Option<Square>) -> Option<i32> {
        if record.scores_rule != Some(record.game.rule()) {
            return None;
        }
        let mut scores = record.scores.iter();
        let Some(square) = square else {
            // Where only moves have scores, the best of them is the position's.
            let whole = scores.clone().find(|(mv, _)| mv.is_none());
            return whole.or_else(|| scores.max_by_key(|(_, score)| *score)).map(|(_, s)| *s);
        };
        scores.find(|(mv, _)| *mv == Some(Move::Place(square))).map(|(_, score)| *score)
    }
}

/// One line of the table.
fn line(out: &mut dyn Write, row: [&str; 5], cost: [&str; 3], remark: &str) -> io::Result<()> {
    let ([number, side, empties, score, best], [nodes, seconds, speed]) = (row, cost);
    let line = format!(
        "{number:>6}  {side:<5}  {empties:>7}  {score:<10}  {best:<4}  \
         {nodes:>15}  {seconds:>9}  {speed:>13}  {remark}"
    );
    writeln!(out, "{}", line.trim_end())
}

pub(in crate::commands) fn speed(nodes: u64, seconds: f64) -> String {
    grouped(&format!("{:.0}", nodes as f64 / seconds.max(1e-9)))
}

/// Whether the search was stopped before it had even a guess.
fn is_unknown(answer: &Answer) -> bool {
    !answer.is_exact && answer.iterations == 0
}

/// A score in words; only who wins, if only that is known.
pub(super) fn outcome(score: i32, wld: bool) -> String {
    let word = match score.signum() {
        1 => "win",
        0 => return "draw".to_owned(),
        _ => "loss",
    };
    if wld { word.to_owned() } else { format!("{word} by {}", score.unsigned_abs()) }
}

/// Whether the `score` is the `known` one, as far as it was looked for.
fn is_same(known: i32, score: i32, wld: bool) -> bool {
    if wld { known.signum() == score.signum() } else { known == score }
}

fn comparison(known: Option<i32>, score: i32, wld: bool) -> String {
    match known {
        None => String::new(),
        Some(known) if is_same(known, score, wld) => "= known".to_owned(),
        Some(known) => format!("≠ known {}", outcome(known, wld)),
    }
}

pub(in crate::commands) fn names(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

/// One solved position, with the keys of `--json`.
#[derive(Serialize)]
struct Row {
    /// As text.
    position: String,
    rule: String,
    /// For the side to move; not there if only its sign was asked for, or nothing is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
    /// The sign of the score.
    #[serde(skip_serializing_if = "Option::is_none")]
    wld: Option<i32>,
    /// Whether the score is proved, and not only its sign.
    exact: bool,
    /// A square or `pass`; null when the game is over.
    best: Option<String>,
    /// Moves of both sides.
    pv: Vec<String>,
    nodes: u64,
    seconds: f64,
    /// Square and score, best first.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "in_order")]
    moves: Option<Vec<(String, i32)>>,
    /// Only there if it is: nothing is proved then.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<bool>,
}

impl Row {
    fn new(record: &Record, solved: &Solved, args: &SolveArgs) -> Row {
        let Solved { answer, moves, seconds } = solved;
        let is_known = !is_unknown(answer);
        let told = |score: i32| if args.wld { score.signum() } else { score };
        let pair = |answer: &Answer| Some((answer.best()?.to_string(), told(answer.score())));
        let scores = || moves.iter().filter_map(pair);
        Row {
            position: record.game.position().to_string(),
            rule: record.game.rule().to_string(),
            score: (!args.wld && is_known).then_some(answer.score()),
            wld: is_known.then(|| answer.score().signum()),
            exact: answer.is_exact && !args.wld,
            best: answer.best().map(|mv| mv.to_string()),
            pv: names(&answer.pv),
            nodes: answer.nodes,
            seconds: *seconds,
            moves: args.all_moves.then(|| scores().collect()),
            stopped: (!answer.is_exact).then_some(true),
        }
    }
}

/// Pairs as an object that keeps their order.
fn in_order<S: Serializer>(
    pairs: &Option<Vec<(String, i32)>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().flatten().map(|(name, score)| (name, score)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_told_and_compared_as_far_as_they_are_known() {
        assert_eq!(outcome(6, false), "win by 6");
        assert_eq!(outcome(-6, false), "loss by 6");
        assert_eq!(outcome(-6, true), "loss");
        assert_eq!((outcome(0, true), outcome(0, false)), ("draw".to_owned(), "draw".to_owned()));
        assert_eq!(comparison(None, 4, false), "");
        assert_eq!(comparison(Some(4), 4, false), "= known");
        assert_eq!(comparison(Some(38), 4, false), "≠ known win by 38");
        assert_eq!(comparison(Some(38), 1, true), "= known");
        assert_eq!(comparison(Some(-2), 1, true), "≠ known loss");
    }
}
