//! Tournaments as people and programs read them: the table, the cross table, a test's state.

use crate::error::Error;
use crate::messages::grouped;
use crate::output::json_line;
use crate::plain::{plain, shortened, told_apart};
use isrever_arena::{
    Circle, Clock, Counts, Elo, Format, Pairing, Plan, Played, Schedule, Standings, Store,
    StoreError, Summary, Together, Tournament, Verdict,
};
use isrever_board::Color;
use isrever_board::text::write_moves;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;
use unicode_width::UnicodeWidthStr;

/// The most characters of a player's name in a table.
const MOST_OF_NAME: usize = 40;

/// Why a table cannot be shown.
pub(super) enum TableError {
    Store(StoreError),
    Io(io::Error),
}

impl TableError {
    pub(super) fn into_error(self, of_store: impl FnOnce(StoreError) -> Error) -> Error {
        match self {
            TableError::Store(error) => of_store(error),
            TableError::Io(error) => error.into(),
        }
    }
}

impl From<StoreError> for TableError {
    fn from(error: StoreError) -> TableError {
        TableError::Store(error)
    }
}

impl From<io::Error> for TableError {
    fn from(error: io::Error) -> TableError {
        TableError::Io(error)
    }
}

/// The whole tournament: what it is, the table, the cross table.
pub(super) fn show(
    store: &Store,
    tournament: &Tournament,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), TableError> {
    let schedule = store.schedule(tournament)?;
    let standings = store.standings(tournament)?;
    if json {
        return Ok(write_json(tournament, &schedule, &standings, out)?);
    }
    let plan = &tournament.plan;
    writeln!(out, "{}", heading(tournament, &schedule))?;
    write_tables(plan, &standings, out)?;
    for line in test_line(plan, &schedule).into_iter().chain(ladder_line(plan, &schedule)) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Several tournaments as one: what they are, one table, one cross table.
pub(super) fn show_together(
    store: &Store,
    together: &Together,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), TableError> {
    for tournament in &together.tournaments {
        let schedule = store.schedule(tournament)?;
        match json {
            true => json_line(out, &tournament_row(tournament, &schedule))?,
            false => writeln!(out, "{}", heading(tournament, &schedule))?,
        }
    }
    let Together { plan, standings, .. } = together;
    if json {
        return Ok(write_players(plan, standings, out)?);
    }
    write_tables(plan, standings, out)?;
    if !together.is_linked() {
        writeln!(
            out,
            "No games link all players: ratings of players that nothing links cannot be compared."
        )?;
    }
    Ok(())
}

/// The table, the cross table, and how many games are different.
fn write_tables(plan: &Plan, standings: &Standings, out: &mut dyn Write) -> io::Result<()> {
    for line in rows(plan, standings) {
        writeln!(out, "{line}")?;
    }
    if plan.players.len() > 2 {
        writeln!(out, "\nPer cent of the points, row against column:")?;
        for line in cross(plan, standings) {
            writeln!(out, "{line}")?;
        }
    }
    writeln!(out, "{}", repeat_line(standings))
}

/// The players' names for a table, no two of them the same.
fn names(plan: &Plan, most: usize) -> Vec<String> {
    let names: Vec<String> = plan.players.iter().map(|player| plain(&player.name)).collect();
    told_apart(&names, most)
}

fn heading(tournament: &Tournament, schedule: &Schedule) -> String {
    let plan = &tournament.plan;
    let (rule, size, seed) = (plan.rule, plan.size, plan.seed);
    let finished = grouped(&schedule.finished().to_string());
    let games = if schedule.is_over() {
        format!("{finished} games")
    } else {
        format!("{finished} of {} games", grouped(&schedule.most_games().to_string()))
    };
    let title = match plan.format.name() {
        format if plan.name == format => format.to_owned(),
        format => format!("{}, {format}", plain(&plan.name)),
    };
    let (clock, openings) = (clock_words(&plan.clock), plain(&plan.openings.to_string()));
    format!(
        "Tournament {}: {title} ({rule}, {size}x{size}); {games}, {clock}, openings {openings}, \
         seed {seed}",
        tournament.id
    )
}

fn clock_words(clock: &Clock) -> String {
    let seconds = |time: Duration| format!("{} s", time.as_secs_f64());
    let mut words = Vec::new();
    words.extend(clock.time.map(|time| format!("{} a move", seconds(time))));
    words.extend(clock.game_time.map(|time| format!("{} a game", seconds(time))));
    words.extend(clock.nodes.map(|nodes| format!("{} nodes a move", grouped(&nodes.to_string()))));
    words.extend(clock.depth.map(|depth| format!("{depth} plies")));
    words.join(", ")
}

/// How many of the games are different, and what follows if they are not.
pub(super) fn repeat_line(standings: &Standings) -> String {
    let games: u64 = standings.table().iter().flatten().map(Counts::games).sum::<u64>() / 2;
    let different = standings.different();
    let numbers = [different, games].map(|number| grouped(&number.to_string()));
    match different == games {
        true => "No two games are the same.".to_owned(),
        false => format!(
            "Only {} of {} games are different: repeated ones count once for what is sure, unless \
             chance has a hand in them. More openings would tell more.",
            numbers[0], numbers[1]
        ),
    }
}

/// Why a player lost otherwise than by discs, behind a comma; nothing if it did not.
pub(super) fn forfeit_words(standings: &Standings, player: usize) -> String {
    reason_words(standings, player).map_or_else(String::new, |reasons| {
        format!(", forfeited {}: {reasons}", standings.forfeits(player))
    })
}

/// How often a player lost for which reason other than discs, if it did.
fn reason_words(standings: &Standings, player: usize) -> Option<String> {
    let reasons = standings.forfeits_by_reason(player);
    let words = reasons.iter().map(|(reason, count)| format!("{count} {}", reason.word()));
    (!reasons.is_empty()).then(|| words.collect::<Vec<_>>().join(", "))
}

/// A number with its sign, the minus as long as the plus.
fn signed(number: f64, digits: usize) -> String {
    format!("{number:+.digits$}").replace('-', "−")
}

/// Text as wide as `width` columns of a terminal, where letters of East Asia take two.
fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

/// The table as lines, best first.
pub(super) fn rows(plan: &Plan, standings: &Standings) -> Vec<String> {
    let rows = standings.rows();
    let names = names(plan, MOST_OF_NAME);
    let width = width(&names);
    let has_forfeits = rows.iter().any(|row| row.forfeits > 0);
    let forfeits = if has_forfeits { "  forfeits" } else { "" };
    let mut lines = vec![format!(
        "rank  {:width$}  games    won  drawn   lost  score  points  discs     Elo       95 %       better than next{forfeits}",
        "player"
    )];
    for (rank, row) in (1..).zip(rows) {
        let Counts { wins, draws, losses, .. } = row.counts;
        let (games, score) = (row.counts.games(), 100.0 * row.counts.score());
        let rating = row.rating;
        let interval = format!("{} to {}", elo_words(rating.low), elo_words(rating.high));
        let over = row.over_next.map_or_else(String::new, |sure| format!("{:.1} %", 100.0 * sure));
        let player = padded(&names[row.player], width);
        if games == 0 {
            lines.push(format!("   –  {player}  {games:>5}"));
            continue;
        }
        let forfeits = reason_words(standings, row.player)
            .map_or_else(String::new, |reasons| format!("  {reasons}"));
        let line = format!(
            "{rank:>4}  {player}  {games:>5}  {wins:>5}  {draws:>5}  {losses:>5}  {score:>4.1}%  \
             {:>6}  {:>5}  {:>6}  {interval:^14}  {over:>15}{forfeits}",
            signed(row.points as f64, 0),
            signed(row.counts.mean_discs(), 1),
            elo_words(rating.elo),
        );
        lines.push(line.trim_end().to_owned());
    }
    lines
}

/// The table in a few columns, for a screen of any width: the best of it, if it is long.
pub(super) fn brief_rows(plan: &Plan, standings: &Standings) -> Vec<String> {
    const MOST_ROWS: usize = 12;
    const MOST_OF_NAME: usize = 26;
    let mut lines = vec![format!("{:26}  games  score  points    Elo       95 %", "player")];
    let (rows, names) = (standings.rows(), names(plan, MOST_OF_NAME));
    for row in rows.iter().take(MOST_ROWS) {
        let interval = format!("{} to {}", elo_words(row.rating.low), elo_words(row.rating.high));
        lines.push(format!(
            "{}  {:>5}  {:>4.0}%  {:>6}  {:>5}  {interval:^14}",
            padded(&names[row.player], MOST_OF_NAME),
            row.counts.games(),
            100.0 * row.counts.score(),
            signed(row.points as f64, 0),
            elo_words(row.rating.elo),
        ));
    }
    if rows.len() > MOST_ROWS {
        lines.push(format!("and {} more", rows.len() - MOST_ROWS));
    }
    lines
}

/// The width of a column of names.
fn width(names: &[String]) -> usize {
    names.iter().map(|name| name.width()).max().unwrap_or(0).max(6)
}

fn cross(plan: &Plan, standings: &Standings) -> Vec<String> {
    let rows = standings.rows();
    let table = standings.table();
    let names = names(plan, MOST_OF_NAME);
    let width = width(&names);
    let numbers: String = (1..=rows.len()).map(|number| format!("{number:>7}")).collect();
    let mut lines = vec![format!("      {:width$}{numbers}", "")];
    for (rank, row) in (1..).zip(&rows) {
        let cell = |other: &isrever_arena::Row| {
            let counts = &table[row.player][other.player];
            match counts.games() {
                0 => format!("{:>7}", "·"),
                _ => format!("{:>7.1}", 100.0 * counts.score()),
            }
        };
        let cells: String = rows.iter().map(cell).collect();
        lines.push(format!("{rank:>4}  {}{cells}", padded(&names[row.player], width)));
    }
    lines
}

/// A line for each game: who played, and how it ended, with the reason of a forfeit in at most
/// `most_of_reason` characters.
pub(super) fn results(plan: &Plan, games: &[Summary], most_of_reason: usize) -> Vec<String> {
    let names = names(plan, MOST_OF_NAME);
    let width = width(&names);
    let mut lines = vec![format!("  game  {:width$}  {:width$}  plies  end", "black", "white")];
    for Summary { outcome, plies, forfeit } in games {
        let [black, white] = outcome.players.map(|player| padded(&names[player], width));
        let winner = if outcome.score > 0 { Color::Black } else { Color::White };
        let end = match (forfeit, outcome.score) {
            (Some(forfeit), _) => {
                let why = plain(&forfeit.to_string());
                format!("{} forfeits: {}", winner.other(), shortened(&why, most_of_reason))
            }
            (None, 0) => "drawn".to_owned(),
            (None, score) => format!("{winner} wins by {}", score.abs()),
        };
        lines.push(format!("{:>6}  {black}  {white}  {plies:>5}  {end}", outcome.number + 1));
    }
    lines
}

/// What a sequential test says so far.
pub(super) fn test_line(plan: &Plan, schedule: &Schedule) -> Option<String> {
    let (points, verdict) = (schedule.test_points()?, schedule.verdict()?);
    let (ratio, [low, high]) = (plan.sprt.ratio(points), plan.sprt.bounds());
    let counted: u64 = points.iter().sum();
    let first = &names(plan, MOST_OF_NAME)[0];
    let words = match verdict {
        Verdict::Open if schedule.is_stale() => {
            "no verdict, the same games are played over and over; more openings are needed"
                .to_owned()
        }
        Verdict::Open => "not clear yet".to_owned(),
        Verdict::Refused => format!("{first} is no more than {} Elo stronger", plan.sprt.elo0),
        Verdict::Accepted => format!("{first} is at least {} Elo stronger", plan.sprt.elo1),
    };
    let points = points.map(|count| grouped(&count.to_string())).join(", ");
    Some(format!(
        "Test of {} against {} Elo: ratio {ratio:.2} ({low:.2} to {high:.2}) after {} pairs \
         ({points}): {words}",
        plan.sprt.elo0,
        plan.sprt.elo1,
        grouped(&counted.to_string()),
    ))
}

fn ladder_line(plan: &Plan, schedule: &Schedule) -> Option<String> {
    let names = names(plan, MOST_OF_NAME);
    let order: Vec<&str> = schedule.ladder()?.iter().map(|&player| &*names[player]).collect();
    Some(format!("The ladder, from the top: {}", order.join(", ")))
}

/// A circle of three, in words.
pub(super) fn circle_line(plan: &Plan, circle: &Circle) -> String {
    let names = names(plan, MOST_OF_NAME);
    let link = |place: usize| {
        let [one, other] = [place, (place + 1) % 3].map(|place| &names[circle.players[place]]);
        let counts = circle.counts[place];
        let (score, sure) = (100.0 * counts.score(), 100.0 * counts.superiority());
        format!("{one} beats {other} ({score:.1} % of {}, sure to {sure:.2} %)", counts.games())
    };
    let links = [0, 1, 2].map(link).join(", ");
    format!(
        "{links}: all three with {:.2} %; by chance somewhere in the table at most {:.3} %",
        100.0 * circle.likelihood,
        100.0 * circle.chance
    )
}

/// A rating or a difference of ratings, with its sign.
pub(super) fn elo_words(elo: f64) -> String {
    match elo {
        f64::INFINITY => "+∞".to_owned(),
        f64::NEG_INFINITY => "−∞".to_owned(),
        _ if elo.round() < 0.0 => format!("−{:.0}", elo.abs()),
        _ => format!("+{:.0}", elo.abs()),
    }
}

/// A tournament with the keys of `--json`.
#[derive(Serialize)]
pub(super) struct TournamentRow {
    kind: &'static str,
    tournament: i64,
    name: String,
    format: String,
    rule: String,
    size: u8,
    seed: u64,
    openings: String,
    pairs: u64,
    date: String,
    finished: u64,
    games: u64,
    over: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    different: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<TestRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ladder: Option<Vec<String>>,
}

#[derive(Serialize)]
struct TestRow {
    elo0: f64,
    elo1: f64,
    pairs: [u64; 5],
    ratio: f64,
    bounds: [f64; 2],
    verdict: Verdict,
}

#[derive(Serialize)]
struct PlayerRow<'a> {
    kind: &'static str,
    rank: usize,
    player: &'a str,
    agent: &'a str,
    #[serde(flatten)]
    counts: Counts,
    games: u64,
    discs_per_game: f64,
    forfeits: u64,
    reasons: BTreeMap<&'static str, u64>,
    points: i64,
    score: f64,
    elo: f64,
    elo_low: f64,
    elo_high: f64,
    over_next: Option<f64>,
}

#[derive(Serialize)]
struct PairingRow<'a> {
    kind: &'static str,
    first: &'a str,
    second: &'a str,
    #[serde(flatten)]
    counts: Counts,
    score: f64,
    elo: f64,
    elo_low: f64,
    elo_high: f64,
    superiority: f64,
    different: u64,
}

/// The tournament, its players and its pairings, one object per line.
fn write_json(
    tournament: &Tournament,
    schedule: &Schedule,
    standings: &Standings,
    out: &mut dyn Write,
) -> io::Result<()> {
    let different = Some(standings.different());
    json_line(out, &TournamentRow { different, ..tournament_row(tournament, schedule) })?;
    write_players(&tournament.plan, standings, out)
}

/// Players and their pairings, one object per line.
fn write_players(plan: &Plan, standings: &Standings, out: &mut dyn Write) -> io::Result<()> {
    let rows = standings.rows();
    for (rank, row) in (1..).zip(&rows) {
        let player = &plan.players[row.player];
        json_line(
            out,
            &PlayerRow {
                kind: "player",
                rank,
                player: &player.name,
                agent: player.agent.as_str(),
                counts: row.counts,
                games: row.counts.games(),
                discs_per_game: row.counts.mean_discs(),
                forfeits: row.forfeits,
                reasons: standings
                    .forfeits_by_reason(row.player)
                    .into_iter()
                    .map(|(reason, count)| (reason.word(), count))
                    .collect(),
                points: row.points,
                score: row.counts.score(),
                elo: row.rating.elo,
                elo_low: row.rating.low,
                elo_high: row.rating.high,
                over_next: row.over_next,
            },
        )?;
    }
    let (table, evidence) = (standings.table(), standings.evidence_table());
    for (place, row) in rows.iter().enumerate() {
        for other in &rows[place + 1..] {
            let counts = table[row.player][other.player];
            if counts.games() == 0 {
                continue;
            }
            let evidence = evidence[row.player][other.player];
            let Elo { difference, low, high } = evidence.elo();
            let name = |player: usize| plan.players[player].name.as_str();
            json_line(
                out,
                &PairingRow {
                    kind: "pairing",
                    first: name(row.player),
                    second: name(other.player),
                    counts,
                    score: counts.score(),
                    elo: difference,
                    elo_low: low,
                    elo_high: high,
                    superiority: evidence.superiority(),
                    different: standings.different_between(row.player, other.player),
                },
            )?;
        }
    }
    Ok(())
}

/// A tournament with the keys of `--json`.
pub(super) fn tournament_row(tournament: &Tournament, schedule: &Schedule) -> TournamentRow {
    let plan = &tournament.plan;
    let test = schedule.test_points().zip(schedule.verdict()).map(|(pairs, verdict)| TestRow {
        elo0: plan.sprt.elo0,
        elo1: plan.sprt.elo1,
        pairs,
        ratio: plan.sprt.ratio(pairs),
        bounds: plan.sprt.bounds(),
        verdict,
    });
    let named = |&player: &usize| plan.players[player].name.clone();
    TournamentRow {
        kind: "tournament",
        tournament: tournament.id,
        name: plan.name.clone(),
        format: plan.format.to_string(),
        rule: plan.rule.to_string(),
        size: plan.size.width(),
        seed: plan.seed,
        openings: plan.openings.to_string(),
        pairs: plan.pairs,
        date: tournament.date.clone(),
        finished: schedule.finished(),
        games: schedule.most_games(),
        over: schedule.is_over(),
        different: None,
        test,
        ladder: schedule.ladder().map(|order| order.iter().map(named).collect()),
    }
}

/// One line about a tournament, for a list.
pub(super) fn list_line(tournament: &Tournament, schedule: &Schedule) -> String {
    let state = match (schedule.is_over(), tournament.plan.format) {
        (true, _) => "over",
        (false, Format::Sprt) => "not decided",
        (false, _) => "not over",
    };
    format!(
        "{:>4}  {}  {:<12} {:>7} games, {state}  {}",
        tournament.id,
        tournament.date,
        tournament.plan.format,
        grouped(&tournament.finished.to_string()),
        plain(&tournament.plan.name),
    )
}

#[derive(Serialize)]
struct GameRow {
    kind: &'static str,
    tournament: i64,
    game: u64,
    pair: u64,
    black: String,
    white: String,
    score: i32,
    winner: Option<&'static str>,
    reason: &'static str,
    forfeiter: Option<String>,
    details: Option<String>,
    opening: usize,
    plies: usize,
    black_seconds: f64,
    white_seconds: f64,
    moves: String,
}

/// A game with the keys of `--json`.
pub(super) fn game_row(
    tournament: &Tournament,
    pairing: &Pairing,
    played: &Played,
) -> impl Serialize {
    let (reason, forfeiter, details) = match played.forfeit() {
        None => ("over", None, None),
        Some((color, forfeit)) => {
            (forfeit.reason.word(), Some(color.to_string()), Some(forfeit.details.clone()))
        }
    };
    let name = |player: usize| tournament.plan.players[player].name.clone();
    let [black, white] = pairing.players.map(name);
    GameRow {
        kind: "game",
        tournament: tournament.id,
        game: pairing.number + 1,
        pair: pairing.pair + 1,
        black,
        white,
        score: played.score(),
        winner: match played.score().signum() {
            1 => Some("black"),
            -1 => Some("white"),
            _ => None,
        },
        reason,
        forfeiter,
        details,
        opening: played.opening,
        plies: played.game.ply(),
        black_seconds: played.time(Color::Black).as_secs_f64(),
        white_seconds: played.time(Color::White).as_secs_f64(),
        moves: write_moves(&played.game, true),
    }
}
