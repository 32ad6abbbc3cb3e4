//! What the project's records have of AlphaZero: its learning, growth with playouts, games at 5 s a move.

use isrever_arena::Counts;
use serde::Deserialize;
use std::collections::HashMap;

/// Ratings of a run's networks, by `isrever train curve`.
const CURVE: &str = include_str!("../../../../docs/records/zero/curve.csv");
/// The log of the run, by `python -m isrever.zero`.
const LOG: &str = include_str!("../../../../docs/records/zero/log.jsonl");
/// Ratings by playouts beside levels, by `isrever arena show --together --csv`.
const GROWTH: &str = include_str!("../../../../docs/records/zero/growth.csv");
/// Games against the reports' agents at 5 s a move, by `isrever arena show --together --json`.
const FIVE_SECONDS: &str = include_str!("../../../../docs/records/zero/five-seconds.jsonl");

/// Generations that are told together.
const TOGETHER: u64 = 10;

/// A network on the learning curve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Learned {
    pub(super) generation: u64,
    pub(super) games: u64,
    pub(super) seconds: f64,
    pub(super) elo: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// What some generations took.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Part {
    /// The last generation of the part.
    pub(super) last: u64,
    pub(super) games: u64,
    pub(super) samples: u64,
    pub(super) evaluations: u64,
    pub(super) play_seconds: f64,
    pub(super) learn_seconds: f64,
    /// Losses of the last generation.
    pub(super) policy_loss: f64,
    pub(super) result_loss: f64,
}

/// What learning took.
pub(super) struct Costs {
    pub(super) games: u64,
    pub(super) evaluations: u64,
    pub(super) parts: Vec<Part>,
}

impl Costs {
    /// Seconds of games and learning.
    pub(super) fn seconds(&self) -> f64 {
        self.parts.iter().map(|part| part.play_seconds + part.learn_seconds).sum()
    }
}

/// The strength of zero with so many playouts.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Grown {
    pub(super) playouts: u64,
    pub(super) games: u64,
    pub(super) elo: f64,
    /// The ends of the interval, as far as it has some.
    pub(super) ends: [Option<f64>; 2],
}

/// The strength of another player beside it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Level {
    pub(super) player: String,
    pub(super) games: u64,
    pub(super) elo: f64,
    pub(super) ends: [Option<f64>; 2],
}

/// The learning curve.
pub(super) fn learned() -> Vec<Learned> {
    rows(CURVE)
        .iter()
        .map(|row| Learned {
            generation: row.count("generation"),
            games: row.count("games"),
            seconds: row.number("seconds"),
            elo: row.number("elo"),
            low: row.number("low"),
            high: row.number("high"),
        })
        .collect()
}

#[derive(Deserialize)]
struct Logged {
    generation: u64,
    games: u64,
    samples: u64,
    evaluations: u64,
    play_seconds: f64,
    learn_seconds: f64,
    losses: HashMap<String, f64>,
}

/// What learning took, in parts.
pub(super) fn costs() -> Costs {
    let logged: Vec<Logged> = LOG
        .lines()
        .map(|line| serde_json::from_str(line).expect("the record is a run's log"))
        .collect();
    let mut parts: Vec<Part> = Vec::new();
    for line in &logged {
        if line.generation % TOGETHER == 1 || parts.is_empty() {
            parts.push(Part::default());
        }
        let part = parts.last_mut().expect("one was just begun");
        part.last = line.generation;
        part.games += line.games;
        part.samples += line.samples;
        part.evaluations += line.evaluations;
        part.play_seconds += line.play_seconds;
        part.learn_seconds += line.learn_seconds;
        (part.policy_loss, part.result_loss) = (line.losses["policy"], line.losses["result"]);
    }
    Costs {
        games: logged.iter().map(|line| line.games).sum(),
        evaluations: logged.iter().map(|line| line.evaluations).sum(),
        parts,
    }
}

/// Strength by playouts, the fewest first, and the other players, the best first.
pub(super) fn growth() -> (Vec<Grown>, Vec<Level>) {
    let (mut grown, mut levels) = (Vec::new(), Vec::new());
    for row in rows(GROWTH) {
        let (games, elo) = (row.count("games"), row.number("elo"));
        let ends = ["elo_low", "elo_high"].map(|end| row.text(end).parse().ok());
        match row.text("agent").split_once("playouts=") {
            Some((_, playouts)) => {
                let playouts = playouts.parse().expect("playouts are a number");
                grown.push(Grown { playouts, games, elo, ends });
            }
            None => {
                let agent = row.text("agent");
                let player = match agent.split_once("level=") {
                    Some((_, level)) => format!("level {level}"),
                    None => agent.to_owned(),
                };
                levels.push(Level { player, games, elo, ends });
            }
        }
    }
    grown.sort_by_key(|one| one.playouts);
    (grown, levels)
}

/// A pairing of the games at 5 s a move.
#[derive(Deserialize)]
struct Met {
    second: String,
    #[serde(flatten)]
    counts: Counts,
}

/// The results of zero with 1,000 playouts against each of the reports' agents, by name, which had
/// 5 s a move.
pub(super) fn five_seconds() -> Vec<(String, Counts)> {
    let met = |line| serde_json::from_str(line).expect("the record has a pairing on each line");
    let named = |Met { second, counts }: Met| {
        let name = second.split(':').next().unwrap_or_default();
        (name.to_owned(), counts)
    };
    FIVE_SECONDS.lines().map(met).map(named).collect()
}

/// A row of a CSV file: its cells by the heads of their columns.
struct Row(Vec<(&'static str, &'static str)>);

impl Row {
    fn text(&self, name: &str) -> &'static str {
        let cell = self.0.iter().find(|(column, _)| *column == name);
        cell.expect("the record has such a column").1
    }

    fn number(&self, name: &str) -> f64 {
        self.text(name).parse().expect("the record has a number there")
    }

    fn count(&self, name: &str) -> u64 {
        self.text(name).parse().expect("the record has a count there")
    }
}

/// The rows of a CSV file of this project.
fn rows(text: &'static str) -> Vec<Row> {
    let mut lines = text.lines();
    let head = lines.next().map(cells).unwrap_or_default();
    lines.map(|line| Row(head.iter().copied().zip(cells(line)).collect())).collect()
}

/// The cells of a line; those with commas are in quotes, and no quotes are inside.
fn cells(line: &'static str) -> Vec<&'static str> {
    let mut cells = Vec::new();
    let mut rest = Some(line);
    while let Some(line) = rest {
        let (cell, behind) = match line.strip_prefix('"').and_then(|line| line.split_once('"')) {
            Some((cell, behind)) => (cell, behind.strip_prefix(',')),
            None => line.split_once(',').map_or((line, None), |(cell, rest)| (cell, Some(rest))),
        };
        cells.push(cell);
        rest = behind;
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_records_are_read() {
        let learned = learned();
        assert!(learned.len() > 2 && learned.iter().all(|one| one.low < one.elo));
        assert!(learned.is_sorted_by(|one, next| one.generation < next.generation));
        let costs = costs();
        let last = learned.last().unwrap();
        assert_eq!((costs.games, costs.parts.last().unwrap().last), (last.games, last.generation));
        assert!((costs.seconds() - last.seconds).abs() < 1.0);
        assert_eq!(costs.parts.iter().map(|part| part.games).sum::<u64>(), costs.games);
        let (grown, levels) = growth();
        assert!(grown.len() > 2 && grown.is_sorted_by(|one, next| one.playouts < next.playouts));
        assert!(!levels.is_empty() && levels.iter().all(|level| level.games > 0));
        let five_seconds = five_seconds();
        assert_eq!(five_seconds.len(), 5);
        for (agent, counts) in five_seconds {
            assert!(counts.games() > 0 && !agent.contains(':'), "{agent}");
        }
    }

    #[test]
    fn cells_are_told_apart_by_commas_outside_of_quotes() {
        assert_eq!(cells("1,\"a,b\",,c,"), ["1", "a,b", "", "c", ""]);
        assert_eq!(cells("\"zero:playouts=1\""), ["zero:playouts=1"]);
    }
}
