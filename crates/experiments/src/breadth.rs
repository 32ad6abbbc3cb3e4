//! How many moves there are in each round (report 000, 4.1.1).
//!
//! The report calls its `account_breadth` at every turn, forced passes included:
//! its figures of the last rounds have the denominators 41, 42, 46 and 57 for 40
//! games, which only turns without moves explain. We count the same way, and a
//! second time without the passes.

use super::matches::Tournament;
use super::random_games::{Turn, mean_of_sums, random_game};
use super::{Context, Experiment, Part, grouped};
use isrever_arena::{Format, Mean, Pairing, Played};
use isrever_board::Color;
use isrever_lab::experiment::{
    Cell, Comparison, Figure, Findings, Picture, Setting, Table, Verdict,
};
use isrever_lab::plot::{Series, series};
use isrever_reports::{Maximax, catalogue};
use rayon::prelude::*;
use std::ops::RangeInclusive;
use std::sync::Arc;

pub(super) const EXPERIMENT: Experiment = Experiment {
    slug: "breadth",
    title: "Breadth of the game tree by round",
    source: "Report 000, 4.1.1",
    about: "legal moves in each round of random games",
    duration: "30 s",
    is_cheap: false,
    rests_on: &[Part::Games, Part::Agents(&["greedy", "combination"])],
    settings,
    run,
};

fn settings() -> Vec<Setting> {
    vec![
        Setting::count("games", "random games", 2..=1_000_000_000, [1_000_000, 2_000]),
        Setting::count(
            "pairs",
            "pairs of games of others than random players",
            2..=1_000_000,
            [2_000, 5],
        ),
    ]
}

/// The rounds with moves, and the report's middle game.
const ALL: RangeInclusive<usize> = 4..=63;
const MIDDLE: RangeInclusive<usize> = 25..=52;

/// The number of games behind the report's figures.
const REPORT_GAMES: f64 = 40.0;

/// The number of batches of games; intervals of sums over rounds follow from the scatter of the
/// batches.
const BATCHES: u64 = 100;

/// The turns of one round, as sums that can be added.
#[derive(Clone, Copy, Default)]
struct Round {
    turns: u64,
    passes: u64,
    moves: u64,
    squares: u64,
}

impl Round {
    fn see(&mut self, turn: &Turn) {
        let moves = u64::from(turn.breadth());
        self.turns += 1;
        self.passes += u64::from(moves == 0);
        self.moves += moves;
        self.squares += moves * moves;
    }

    fn add(&mut self, other: &Round) {
        self.turns += other.turns;
        self.passes += other.passes;
        self.moves += other.moves;
        self.squares += other.squares;
    }

    /// Every turn counts.
    fn all(&self) -> Mean {
        mean_of_sums(self.turns, self.moves, self.squares)
    }

    /// Only turns with a move count.
    fn with_moves(&self) -> Mean {
        mean_of_sums(self.turns - self.passes, self.moves, self.squares)
    }
}

/// Players that the report may have used; it names none, so we count the games of these too.
const PLAYERS: [[&str; 2]; 4] = [
    ["greedy", "random"],
    ["greedy:by=squares", "random"],
    ["greedy-invincible:by=squares", "random-invincible"],
    ["greedy:by=mobility", "random"],
];

/// The means over rounds 6 to 63 and over the middle game, in games of two players from the start
/// position.
fn of_players(context: &Context<'_>, players: [&str; 2]) -> [Mean; 2] {
    let tournament = Tournament {
        catalogue: Arc::new(catalogue()),
        players: players.map(|agent| (agent, agent)).to_vec(),
        format: Format::RoundRobin,
        pairs: context.count("pairs"),
        opening: 0,
        nodes: u64::MAX,
    };
    // Games end in any order; sums of whole numbers do not depend on it.
    let mut batches = vec![[Round::default(); 65]; 10];
    tournament.play(context, |pairing: &Pairing, played: &Played| {
        let rounds = &mut batches[(pairing.pair % 10) as usize];
        let positions = played.game.positions();
        for position in positions.iter().filter(|position| !position.is_over()) {
            let board = position.board().expect("the board has bits");
            let turn = Turn { board, is_black: position.turn() == Color::Black };
            rounds[turn.round()].see(&turn);
        }
    });
    let all = sum(&batches);
    [6..=63, MIDDLE].map(|part| mean_over(&batches, &all, part))
}

fn sum(batches: &[Rounds]) -> Rounds {
    let mut rounds = [Round::default(); 65];
    for batch in batches {
        rounds.iter_mut().zip(batch).for_each(|(round, part)| round.add(part));
    }
    rounds
}

/// All rounds of some games.
type Rounds = [Round; 65];

/// Plays the games in batches, each with its own sums.
fn played(context: &Context<'_>) -> Vec<Rounds> {
    let (seed, games) = (context.seed(), context.count("games"));
    let batches = BATCHES.min(games);
    context.progress.expect(games);
    (0..batches)
        .into_par_iter()
        .map(|batch| {
            let mut rounds = [Round::default(); 65];
            for number in (batch..games).step_by(batches as usize) {
                random_game(seed, number, |turn| rounds[turn.round()].see(turn));
                context.progress.advance(1);
            }
            rounds
        })
        .collect()
}

/// The mean of the means of some rounds. Its error follows from the scatter of the batches, because
/// the rounds of one game are correlated and batches are not.
fn mean_over(batches: &[Rounds], all: &Rounds, part: RangeInclusive<usize>) -> Mean {
    let over = |rounds: &Rounds| {
        let part = &rounds[part.clone()];
        part.iter().map(|round| round.all().mean).sum::<f64>() / part.len() as f64
    };
    let scatter = Mean::of(&batches.iter().map(over).collect::<Vec<f64>>());
    Mean { mean: over(all), ..scatter }
}

fn run(context: &Context<'_>) -> Findings {
    let batches = played(context);
    let games = context.count("games") as f64;
    let rounds = sum(&batches);
    let others = PLAYERS.map(|players| of_players(context, players));
    let means: Vec<Mean> = rounds[ALL].iter().map(Round::all).collect();
    // The error of the report's mean, if its games scatter as ours do.
    let report_reach = |ours: &Mean| ours.reach() * (games / REPORT_GAMES).sqrt();
    let compared = |what: &str, theirs: f64, part: RangeInclusive<usize>| {
        let ours = mean_over(&batches, &rounds, part);
        let report = Figure::with_reach(theirs, report_reach(&ours), 2);
        Comparison::new(what, report, Figure::mean(&ours, 4))
    };
    let distances = means.iter().zip(Maximax::BREADTH).map(|(mean, report)| {
        // The first two rounds have the same number of moves in every game.
        let reach = report_reach(mean).hypot(mean.reach());
        if reach > 0.0 { (mean.mean - report) / reach } else { 0.0 }
    });
    let beyond = distances.filter(|distance| distance.abs() > 1.0).count();
    let last = means[59];
    let comparisons = vec![
        compared("mean of rounds 6 to 63, which is what the report's mean is of", 8.9495, 6..=63),
        compared("mean of rounds 4 to 63, by the report's table", 8.7678, ALL),
        compared("mean of rounds 25 to 52, the middle game", 11.0839, MIDDLE),
        Comparison::new(
            "round 63",
            Figure::with_reach(Maximax::BREADTH[59], report_reach(&last), 3),
            Figure::mean(&last, 4),
        ),
        Comparison::ours(
            "rounds of 58 with the report outside the interval of 40 games; 3 are to be expected",
            Figure::exact(beyond as f64, 0),
        ),
    ];
    let shape = shape(beyond, &comparisons[0]);
    let mean = mean_over(&batches, &rounds, ALL).mean;
    let middle = mean_over(&batches, &rounds, MIDDLE).mean;
    let widest =
        (0..60).fold(0, |best, at| if means[at].mean > means[best].mean { at } else { best });
    let with_moves = rounds[ALL].iter().map(|round| round.with_moves().mean).sum::<f64>() / 60.0;
    Findings {
        question: format!(
            "{} random games; at every turn the legal moves of the side to move are counted, a \
             forced pass being a turn with none.",
            grouped(context.count("games"))
        ),
        comparisons,
        meaning: [
            format!(
                "A random game offers {mean:.2} moves a turn, {middle:.2} in the middle, and most, \
                 {:.1}, in round {}.",
                means[widest].mean,
                widest + ALL.start(),
            ),
            format!(
                "The rule plays no part in random games, so this is Othello's breadth too. {shape}"
            ),
        ],
        notes: vec![
            "The report's means of rounds 57, 61, 62 and 63 are whole numbers over 41, 42, 46 and \
             57, for 40 games: every turn is counted, passes with no moves. Without passes round \
             63 would have one move, not 0.70."
                .to_owned(),
            "The report says that its mean, 8.9495, leaves out rounds 0 to 3 and 64; it is that of \
             rounds 6 to 63 of its table, whose rounds 4 to 63 have the mean 8.7678."
                .to_owned(),
            format!("Without passes the mean of rounds 4 to 63 is {with_moves:.4}."),
            "The report gives no intervals: those shown are ours, for 40 games. Its means lie above \
             those of random games by a little more than chance explains, and within chance of \
             games in which one side is greedy by the report's weights of squares (the table of \
             players): its simulator played agents, which it does not name."
                .to_owned(),
        ],
        tables: vec![players_table(&batches, &rounds, &others), table(&rounds)],
        pictures: vec![picture(&means, &report_reach)],
        ..Findings::default()
    }
}

/// How many of the 58 rounds whose breadth differs from game to game may lie outside an interval of
/// 95 % by chance: more happen in one of 40 cases at most.
const CHANCE: usize = 6;

/// What the report's games look like beside ours: by `beyond`, how many rounds lie outside the
/// interval of 40 games, and by the mean of all.
fn shape(beyond: usize, mean: &Comparison) -> String {
    let mean = match mean.verdict {
        Verdict::Differs => "the mean of all rounds does",
        Verdict::Agrees | Verdict::Open => "nor does the mean of all rounds",
    };
    match beyond <= CHANCE {
        true => format!(
            "Round by round the report's 40 games do not differ from these by more than chance \
             explains ({beyond} of 58 rounds lie outside the interval of so many games, where 3 are \
             to be expected); {mean}."
        ),
        false => format!(
            "Round by round the report's 40 games differ from these by more than chance explains: \
             {beyond} of 58 rounds lie outside the interval of so many games, where 3 are to be \
             expected."
        ),
    }
}

fn players_table(batches: &[Rounds], rounds: &Rounds, others: &[[Mean; 2]]) -> Table {
    let mut table = Table::new(
        "players",
        "Moves a turn by who plays: means over rounds 6 to 63 and 25 to 52, 95 % intervals. The \
         report has 8.9495 and 11.0839, and does not name its players.",
        &[("players", 0), ("mean", 3), ("reach", 3), ("middle", 3), ("middle_reach", 3)],
    );
    let random = [6..=63, MIDDLE].map(|part| mean_over(batches, rounds, part));
    let names = PLAYERS.iter().map(|players| players.join(" and "));
    let names = ["random and random".to_owned()].into_iter().chain(names);
    for (name, [mean, middle]) in names.zip([&random].into_iter().chain(others)) {
        let cells = [mean.mean, mean.reach(), middle.mean, middle.reach()].map(Cell::from);
        table.row([Cell::from(name)].into_iter().chain(cells));
    }
    table
}

fn table(rounds: &Rounds) -> Table {
    let mut table = Table::new(
        "breadth",
        "Legal moves by round with 95 % intervals; passes count as no moves, but in the last mean.",
        &[
            ("round", 0),
            ("report", 3),
            ("mean", 4),
            ("reach", 4),
            ("turns", 0),
            ("passes", 0),
            ("mean_without_passes", 4),
        ],
    );
    for (round, report) in ALL.zip(Maximax::BREADTH) {
        let (sums, mean) = (&rounds[round], rounds[round].all());
        table.row([
            (round as u64).into(),
            report.into(),
            mean.mean.into(),
            mean.reach().into(),
            sums.turns.into(),
            sums.passes.into(),
            sums.with_moves().mean.into(),
        ]);
    }
    table
}

fn picture(means: &[Mean], report_reach: &dyn Fn(&Mean) -> f64) -> Picture {
    let rounds = || ALL.map(|round| round as f64);
    let ours = rounds().zip(means).map(|(round, mean)| (round, mean.mean, mean.reach()));
    let report = rounds().zip(means.iter().zip(Maximax::BREADTH));
    let report = report.map(|(round, (mean, report))| (round, report, report_reach(mean)));
    let svg = series(
        "Legal moves in random games",
        ["round (discs on the board)", "legal moves"],
        &[
            Series::dots("report 000, 40 games", report.collect()),
            Series::line("ours", ours.collect()),
        ],
    );
    let caption = "Legal moves by round with 95 % intervals; ours are narrower than the line.";
    Picture::new("breadth", caption, svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_the_report_s_games_follows_from_them() {
        let mean =
            |ours| Comparison::new("", Figure::exact(9.0, 1), Figure::with_reach(ours, 0.5, 1));
        let near = shape(4, &mean(8.9));
        assert!(near.contains("do not differ") && near.contains("(4 of 58 rounds"), "{near}");
        assert!(near.ends_with("; nor does the mean of all rounds."), "{near}");
        assert!(shape(6, &mean(7.0)).ends_with("; the mean of all rounds does."));
        assert!(shape(7, &mean(9.0)).contains("games differ from these by more than chance"));
    }

    #[test]
    fn passes_count_as_no_moves_or_not_at_all() {
        let round = Round { turns: 4, passes: 1, moves: 12, squares: 50 };
        assert_eq!((round.all().mean, round.with_moves().mean), (3.0, 4.0));
    }

    #[test]
    fn the_report_s_means_are_those_of_its_table() {
        let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
        assert!((mean(&Maximax::BREADTH) - 8.7678).abs() < 5e-5);
        assert!((mean(&Maximax::BREADTH[2..]) - 8.9495).abs() < 5e-5);
        assert!((mean(&Maximax::BREADTH[21..=48]) - 11.0839).abs() < 5e-5);
    }
}
