//! Writes games and tables for other programs: records for GGF, PGN, CSV.

use crate::game::{MoveStats, Played};
use crate::pairing::Pairing;
use crate::plan::Plan;
use crate::standings::Standings;
use crate::store::Tournament;
use isrever_agent::Reason;
use isrever_board::text::{Note, Record, write_moves};
use std::fmt::Write;

/// When, where and by whom a game was played.
#[derive(Clone, Copy, Debug)]
pub struct Occasion<'a> {
    /// What it was played for.
    pub event: &'a str,
    /// Its number there.
    pub round: u64,
    /// The day: `2026-11-15`.
    pub date: &'a str,
    /// The names of black and white.
    pub players: [&'a str; 2],
}

/// The game with its players, its times, the values that its agents gave, and how it ended: as
/// GGF and SGF can tell it.
pub fn record(tournament: &Tournament, pairing: &Pairing, played: &Played) -> Record {
    let plan = &tournament.plan;
    let occasion = Occasion {
        event: &plan.name,
        round: pairing.number + 1,
        date: &tournament.date,
        players: pairing.players.map(|player| plan.players[player].name.as_str()),
    };
    occasion.record(played)
}

impl Occasion<'_> {
    /// The game as GGF and SGF can tell it.
    pub fn record(&self, played: &Played) -> Record {
        let mut record = Record::from(played.game.clone());
        let [black, white] = self.players;
        let mut tag = |key: &str, value: String| record.tags.push((key.to_owned(), value));
        tag("EV", self.event.to_owned());
        tag("RO", self.round.to_string());
        tag("DT", self.date.to_owned());
        tag("PB", black.to_owned());
        tag("PW", white.to_owned());
        if let Some((color, forfeit)) = played.forfeit() {
            let flag = match forfeit.reason {
                Reason::Time | Reason::GameTime => "t",
                _ => "r",
            };
            tag("RE", format!("{:+}.00:{flag}", played.score()));
            tag("CO", format!("{color} forfeits ({}): {forfeit}", forfeit.reason.word()));
        }
        let note = |stats: &MoveStats| Note {
            value: stats.value,
            seconds: stats.time.map(|time| time.as_secs_f64()),
            comment: None,
        };
        record.notes = played.stats.iter().map(note).collect();
        record
    }
}

/// The game in the shape of PGN, for tools that rate players by it: who played, who won; the moves
/// stand in a comment.
pub fn pgn(tournament: &Tournament, pairing: &Pairing, played: &Played) -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let name = |player: usize| quoted(&tournament.plan.players[player].name);
    let [black, white] = pairing.players.map(name);
    let result = match played.score().signum() {
        1 => "0-1",
        -1 => "1-0",
        _ => "1/2-1/2",
    };
    let termination = match played.forfeit() {
        None => "normal".to_owned(),
        Some((color, forfeit)) => format!("{color} forfeits: {}", forfeit.reason.word()),
    };
    let (rule, size) = (tournament.plan.rule, tournament.plan.size);
    let mut text = String::new();
    for (tag, value) in [
        ("Event", quoted(&tournament.plan.name)),
        ("Site", "?".to_owned()),
        ("Date", tournament.date.replace('-', ".")),
        ("Round", format!("{}.{}", pairing.pair + 1, pairing.number % 2 + 1)),
        ("White", white),
        ("Black", black),
        ("Result", result.to_owned()),
        ("Variant", format!("{rule} reversi {size}x{size}")),
        ("Termination", termination),
    ] {
        let _ = writeln!(text, "[{tag} \"{value}\"]");
    }
    let moves = write_moves(&played.game, true);
    let _ = writeln!(text, "\n{{ {moves} }} {result}\n");
    text
}

/// The table as CSV: a row for each player, best first, and a column for what it made of the
/// points against each of the others, in percent.
pub fn csv(plan: &Plan, standings: &Standings) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let (rows, table) = (standings.rows(), standings.table());
    let head = "rank,player,agent,games,wins,draws,losses,forfeits,points,score,discs,elo,elo_low,elo_high";
    let mut text = head.to_owned();
    for row in &rows {
        let _ = write!(text, ",{}", quoted(&plan.players[row.player].name));
    }
    text.push('\n');
    for (rank, row) in (1..).zip(&rows) {
        let player = &plan.players[row.player];
        let counts = &row.counts;
        let finite =
            |number: f64| if number.is_finite() { format!("{number:.1}") } else { String::new() };
        let _ = write!(
            text,
            "{rank},{},{},{},{},{},{},{},{},{:.4},{:.2},{},{},{}",
            quoted(&player.name),
            quoted(player.agent.as_str()),
            counts.games(),
            counts.wins,
            counts.draws,
            counts.losses,
            row.forfeits,
            row.points,
            counts.score(),
            counts.mean_discs(),
            finite(row.rating.elo),
            finite(row.rating.low),
            finite(row.rating.high),
        );
        for other in &rows {
            let against = &table[row.player][other.player];
            let _ = match against.games() {
                0 => write!(text, ","),
                _ => write!(text, ",{:.2}", 100.0 * against.score()),
            };
        }
        text.push('\n');
    }
    text
}
