//! Games between agents, counted and rated, for `play_match` and `arena.rate`.

use crate::arguments::{RuleArg, SizeArg, TimedByArg, number, numbers, refusal};
use crate::game::{self, Game};
use crate::long_call::{Call, run};
use crate::pickled::pickled;
use crate::players::Players;
use isrever_arena::{
    Clock, Counts, Crew, Entrant, Openings, Outcome, Pairing, Plan, Played, Run, Schedule, Spec,
    Standings,
};
use isrever_board::{self as rules, Color};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// A finished game of a tournament.
#[pyclass(module = "isrever", frozen)]
#[derive(Clone)]
pub(crate) struct PlayedGame {
    game: Game,
    /// The names of black and white.
    #[pyo3(get)]
    black: String,
    #[pyo3(get)]
    white: String,
    /// Black's score, in discs; the whole board for a forfeit.
    #[pyo3(get)]
    score: i32,
    /// The side that forfeited: −1 black, 1 white, or `None`.
    #[pyo3(get)]
    forfeit: Option<i8>,
    /// Why it forfeited, as the command line says it.
    #[pyo3(get)]
    reason: Option<String>,
    /// The time that black and white used.
    #[pyo3(get)]
    seconds: (f64, f64),
    /// The time of each move of the game, `None` for passes and moves of the opening.
    #[pyo3(get)]
    times: Vec<Option<f64>>,
    /// The number of the pair of games that it belongs to, from 1 on.
    #[pyo3(get)]
    pair: u64,
    /// Its number in the tournament, from 1 on.
    #[pyo3(get)]
    number: u64,
}

pickled!(PlayedGame { game, black, white, score, forfeit, reason, seconds, times, pair, number });

impl PlayedGame {
    fn new(plan: &Plan, pairing: &Pairing, played: &Played) -> PlayedGame {
        let [black, white] = pairing.players.map(|player| plan.players[player].name.clone());
        let time = |color| played.time(color).as_secs_f64();
        let (forfeit, reason) =
            played.forfeit().map(|(color, forfeit)| (number(color), forfeit.to_string())).unzip();
        PlayedGame {
            game: played.game.clone().into(),
            black,
            white,
            score: played.score(),
            forfeit,
            reason,
            seconds: (time(Color::Black), time(Color::White)),
            times: played.stats.iter().map(|stats| Some(stats.time?.as_secs_f64())).collect(),
            pair: pairing.pair + 1,
            number: pairing.number + 1,
        }
    }

    /// Who forfeited and why, if somebody did.
    fn end(&self) -> Option<String> {
        let reason = self.reason.as_ref()?;
        let name = if self.forfeit? < 0 { &self.black } else { &self.white };
        Some(format!("{name} forfeits: {reason}"))
    }
}

#[pymethods]
impl PlayedGame {
    /// The game, its opening included.
    #[getter]
    fn game(&self) -> Game {
        self.game.clone()
    }

    fn _repr_svg_(&self) -> String {
        let marks = rules::Marks::of_last_disc(self.game.inner());
        let end = self.end().unwrap_or_else(|| format!("{:+} for black", self.score));
        let caption = [format!("{} – {}", self.black, self.white), end];
        let dressing = rules::Dressing { marks: Some(&marks), caption: Some(&caption) };
        rules::picture(self.game.inner().position(), dressing)
    }

    fn __repr__(&self) -> String {
        let PlayedGame { number, black, white, score, .. } = self;
        let end = self.end().map(|end| format!(", {end}")).unwrap_or_default();
        format!("<PlayedGame {number} {black} - {white} {score:+}{end}>")
    }
}

/// A player's results and its rating.
#[pyclass(module = "isrever", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct Row {
    name: String,
    wins: u64,
    draws: u64,
    losses: u64,
    /// The share of the points, from 0 to 1.
    score: f64,
    /// Points of the course: 5 for a win, −5 for a loss.
    points: i64,
    /// Games lost by forfeit.
    forfeits: u64,
    /// How many of these for which reason: `time`, `crash`, `illegal-move`, …
    reasons: BTreeMap<String, u64>,
    /// The mean score in discs.
    discs: f64,
    /// The rating; the mean of all players is 0.
    elo: f64,
    /// The ends of its 95 % interval.
    low: f64,
    high: f64,
}

pickled!(Row {
    name,
    wins,
    draws,
    losses,
    score,
    points,
    forfeits,
    reasons,
    discs,
    elo,
    low,
    high
});

#[pymethods]
impl Row {
    fn __repr__(&self) -> String {
        let Row { name, wins, draws, losses, elo, .. } = self;
        let reasons: Vec<String> =
            self.reasons.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        let forfeits = match self.forfeits {
            0 => String::new(),
            forfeits => format!(", forfeited {forfeits}: {}", reasons.join(", ")),
        };
        format!("<Row {name} +{wins} ={draws} -{losses} elo {elo:+.0}{forfeits}>")
    }
}

/// The progress of a tournament: games finished, games in all, and the game that has just ended.
type Report = (u64, u64, PlayedGame);

/// The result of a tournament: the games by number, the table with the best rated first, and for the
/// first two players the difference in Elo, its interval, and the likelihood of superiority.
type Results = (Vec<PlayedGame>, Vec<Row>, (f64, f64, f64, f64));

/// Plays a tournament of specs and functions. `isrever.play_match` and `isrever.arena` call it.
#[pyfunction]
#[pyo3(signature = (players, *, format, pairs, rule, size, openings, time, game_time, clock, nodes, depth, seed, concurrency, progress))]
#[expect(clippy::too_many_arguments, reason = "they have names where it is called")]
pub(crate) fn tournament(
    py: Python<'_>,
    players: Vec<Bound<'_, PyAny>>,
    format: &str,
    #[pyo3(from_py_with = numbers::pairs)] pairs: u64,
    rule: RuleArg,
    size: SizeArg,
    openings: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = numbers::move_time)] time: Option<Duration>,
    #[pyo3(from_py_with = numbers::game_time)] game_time: Option<Duration>,
    clock: TimedByArg,
    #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
    #[pyo3(from_py_with = numbers::depth)] depth: Option<u32>,
    #[pyo3(from_py_with = numbers::seed)] seed: u64,
    #[pyo3(from_py_with = numbers::concurrency)] concurrency: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Results> {
    let Players { catalogue, specs } = Players::read(py, &players)?;
    let limits = Clock { time, game_time, nodes, depth, ..Clock::untimed() };
    // Without any limit, the course's clock.
    let limits = if limits == Clock::untimed() { Clock::default() } else { limits };
    let clock = Clock { timed_by: clock.0, ..limits };
    let entrant = |(name, agent): (Option<String>, String)| Entrant { name, agent };
    let spec = Spec {
        players: specs.into_iter().map(entrant).collect(),
        format: Some(format.to_owned()),
        size: Some(size.0.width().into()),
        pairs: Some(pairs),
        seed: Some(seed),
        nodes,
        depth,
        ..Spec::default()
    };
    let mut plan = Plan { rule: rule.0, clock, ..spec.settle().map_err(refusal)? };
    for player in &plan.players {
        catalogue.check(&player.agent, plan.rule, plan.size).map_err(refusal)?;
    }
    let openings = read_openings(openings, &mut plan)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let at_once = concurrency.or_else(|| plan.most_at_once(&catalogue, cores)).unwrap_or(cores);
    let (plan, catalogue) = (&plan, Arc::new(catalogue));
    let mut games: Vec<(u64, PlayedGame)> = Vec::new();
    let mut standings = Standings::new(plan.players.len());
    let played = run(py, progress, |call: &Call<Report>| {
        let drawn = || plan.openings.draw(plan.rule, plan.size, plan.seed, plan.opening_count());
        let openings = openings.unwrap_or_else(drawn);
        let keep = |pairing: &Pairing, played: &Played| {
            standings.add(&Outcome::of(pairing, played));
            games.push((pairing.number, PlayedGame::new(plan, pairing, played)));
            Ok::<(), Infallible>(())
        };
        let mut tell = |news: &isrever_arena::News<'_>| {
            let game = || PlayedGame::new(plan, &news.pairing, news.played);
            call.report(|| (news.schedule.finished(), news.schedule.most_games(), game()));
        };
        let stop = Arc::clone(call.stop());
        let mut run = Run { catalogue, crew: Crew::Here(at_once), stop, tell: &mut tell };
        run.play_all(plan, openings, Schedule::new(plan), keep)
    })?;
    played.map_err(|error| PyOSError::new_err(error.to_string()))?;
    games.sort_by_key(|(number, _)| *number);
    let first = standings.evidence(0, 1);
    let elo = first.elo();
    let certainty = (elo.difference, elo.low, elo.high, first.superiority());
    let rows = standings.rows().into_iter().map(|row| table_row(plan, &standings, &row)).collect();
    Ok((games.into_iter().map(|(_, game)| game).collect(), rows, certainty))
}

fn table_row(plan: &Plan, standings: &Standings, row: &isrever_arena::Row) -> Row {
    let reasons = standings.forfeits_by_reason(row.player).into_iter();
    let Counts { wins, draws, losses, .. } = row.counts;
    Row {
        name: plan.players[row.player].name.clone(),
        wins,
        draws,
        losses,
        score: row.counts.score(),
        points: row.points,
        forfeits: row.forfeits,
        reasons: reasons.map(|(reason, count)| (reason.word().to_owned(), count)).collect(),
        discs: row.counts.mean_discs(),
        elo: row.rating.elo,
        low: row.rating.low,
        high: row.rating.high,
    }
}

/// Reads the openings: the caller's positions and games; or `None` for `start`, `random:PLIES` and
/// `balanced`, which go into the plan.
fn read_openings(given: &Bound<'_, PyAny>, plan: &mut Plan) -> PyResult<Option<Vec<rules::Game>>> {
    if let Ok(words) = given.extract::<String>() {
        let openings: Openings =
            words.parse().map_err(|error| refusal(format!("openings: {words:?} is {error}")))?;
        if let Openings::File(_) = openings {
            let expected = "expected start, random:PLIES, balanced or a list of games or boards";
            return Err(refusal(format!("openings: {words:?}; {expected}")));
        }
        let checked = openings.check(plan.rule, plan.size);
        checked.map_err(|offence| refusal(format!("openings: {offence}")))?;
        plan.openings = openings;
        return Ok(None);
    }
    let mut openings = Vec::new();
    for item in given.try_iter()? {
        let opening = game::from_argument(&item?, Some(RuleArg(plan.rule)))?;
        if opening.size() != plan.size {
            let (own, size) = (opening.size(), plan.size);
            return Err(refusal(format!("an opening {own} wide; expected boards {size} wide")));
        }
        if opening.is_over() {
            return Err(refusal("an opening that is over; expected positions to play on"));
        }
        openings.push(opening);
    }
    if openings.is_empty() {
        return Err(refusal("no openings; expected at least one"));
    }
    Ok(Some(openings))
}
