//! Tournaments in memory, and their tables and pictures.

use super::Context;
use isrever_agent::{AgentSpec, Catalogue};
use isrever_arena::{
    Clock, Counts, Crew, Format, Openings, Outcome, Pairing, Plan, Played, Player, Run, Schedule,
    Spec, Standings,
};
use isrever_board::{Rule, Size};
use isrever_lab::experiment::{Cell, Figure, Picture, Table};
use isrever_lab::plot::shares;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A tournament on 8×8 under the reversed rule, without clocks.
#[derive(Clone)]
pub(super) struct Tournament<'a> {
    /// The known agents.
    pub(super) catalogue: Arc<Catalogue>,
    /// The players: their specs and their names.
    pub(super) players: Vec<(&'a str, &'a str)>,
    /// Round robin, or all against the first.
    pub(super) format: Format,
    /// Pairs of games in each pairing.
    pub(super) pairs: u64,
    /// The number of random moves of an opening; 0 begins at the start position.
    pub(super) opening: u32,
    /// The node limit of a move for players that set none.
    pub(super) nodes: u64,
}

impl Tournament<'_> {
    /// Plays the tournament, passes every game to `see`, and returns the cross table: `table[a][b]`
    /// counts the results of `a` against `b`.
    pub(super) fn play(
        &self,
        context: &Context<'_>,
        mut see: impl FnMut(&Pairing, &Played),
    ) -> Vec<Vec<Counts>> {
        let plan = self.plan(context.seed());
        let openings = plan.openings.draw(plan.rule, plan.size, plan.seed, plan.opening_count());
        let schedule = Schedule::new(&plan);
        context.progress.expect(schedule.most_games());
        let mut standings = Standings::new(plan.players.len());
        let keep = |pairing: &Pairing, played: &Played| {
            see(pairing, played);
            standings.add(&Outcome::of(pairing, played));
            Ok::<(), Infallible>(())
        };
        let mut tell = |_: &isrever_arena::News<'_>| context.progress.advance(1);
        let mut run = Run {
            catalogue: Arc::clone(&self.catalogue),
            crew: Crew::Here(context.threads),
            stop: Arc::new(AtomicBool::new(false)),
            tell: &mut tell,
        };
        let is_over = run.play_all(&plan, openings, schedule, keep);
        assert!(is_over.expect("agents of this project run everywhere"), "nobody stops it");
        standings.table()
    }

    fn plan(&self, seed: u64) -> Plan {
        let player = |&(name, agent): &(&str, &str)| Player {
            name: name.to_owned(),
            agent: AgentSpec::new(agent),
        };
        let plan = Spec::of(&["random", "random"]).settle().expect("two players are a tournament");
        let openings = match self.opening {
            0 => Openings::Start,
            plies => Openings::Random(plies),
        };
        Plan {
            format: self.format,
            players: self.players.iter().map(player).collect(),
            rule: Rule::Reversed,
            size: Size::EIGHT,
            clock: Clock::of_nodes(self.nodes),
            openings,
            pairs: self.pairs,
            seed,
            ..plan
        }
    }
}

/// The results of each player against all others.
pub(super) fn totals(table: &[Vec<Counts>]) -> Vec<Counts> {
    table.iter().map(|row| row.iter().copied().sum()).collect()
}

/// The columns of results, with the decimals of each.
const RESULTS: [(&str, usize); 7] = [
    ("games", 0),
    ("wins", 0),
    ("draws", 0),
    ("losses", 0),
    ("points_percent", 1),
    ("reach", 1),
    ("discs", 2),
];

/// An empty table of results: who played, then the results.
pub(super) fn results(name: &str, caption: &str, who: &[&str]) -> Table {
    let who = who.iter().map(|&column| (column, 0));
    Table::new(name, caption, &who.chain(RESULTS).collect::<Vec<_>>())
}

/// A row of such a table.
pub(super) fn result(
    who: impl IntoIterator<Item = Cell>,
    counts: &Counts,
) -> impl Iterator<Item = Cell> {
    let (score, reach) = share(counts);
    who.into_iter().chain([
        counts.games().into(),
        counts.wins.into(),
        counts.draws.into(),
        counts.losses.into(),
        score.into(),
        reach.into(),
        counts.mean_discs().into(),
    ])
}

/// A table of players and their results.
pub(super) fn scores(name: &str, caption: &str, players: &[&str], counts: &[Counts]) -> Table {
    let mut table = results(name, caption, &["player"]);
    for (player, counts) in players.iter().zip(counts) {
        table.row(result([(*player).into()], counts));
    }
    table
}

/// A cross table: per cent of the points, row against column.
pub(super) fn cross(players: &[&str], table: &[Vec<Counts>]) -> Table {
    let columns: Vec<(&str, usize)> =
        [("player", 0)].into_iter().chain(players.iter().map(|&player| (player, 1))).collect();
    let caption = "Per cent of the points, row against column.";
    let mut cross = Table::new("cross", caption, &columns);
    for (player, row) in players.iter().zip(table) {
        let cell = |counts: &Counts| (counts.games() > 0).then(|| 100.0 * counts.score()).into();
        cross.row([(*player).into()].into_iter().chain(row.iter().map(cell)));
    }
    cross
}

/// The players' shares of the points with their intervals.
pub(super) fn picture(name: &str, title: &str, players: &[&str], counts: &[Counts]) -> Picture {
    let rows: Vec<(String, f64, f64)> = players
        .iter()
        .zip(counts)
        .map(|(player, counts)| {
            let (score, reach) = share(counts);
            ((*player).to_owned(), score, reach)
        })
        .collect();
    let caption = format!("{title}: per cent of the points with 95 % intervals.");
    Picture::new(name, caption, shares(title, "per cent of the points", &rows))
}

/// The share of the points in per cent, and the half-width of its interval.
pub(super) fn share(counts: &Counts) -> (f64, f64) {
    match Figure::score(counts) {
        Figure::Number { value, reach, .. } => (value, reach.unwrap_or(f64::INFINITY)),
        Figure::Words(_) | Figure::None => unreachable!("a score is a number"),
    }
}
