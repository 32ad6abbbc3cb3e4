//! The time that report 000's rule leaves unused (3.3.3.1 and 5), and what it could be used for.
//!
//! Boards stand for time, so that the shares repeat: the rule sees the part of its
//! limits that is spent, whatever the limits are of.

use super::random_games::{SIZE, Turn, random_game};
use super::{Context, Experiment, Part, grouped};
use isrever_agent::Limits;
use isrever_arena::Mean;
use isrever_board::{Color, Game, Position, Rule};
use isrever_lab::experiment::{Comparison, Figure, Findings, Picture, Setting, Table};
use isrever_lab::plot::{Series, series};
use isrever_reports::catalogue;
use rayon::prelude::*;

pub(super) const EXPERIMENT: Experiment = Experiment {
    slug: "unused-time",
    title: "The time that the rule leaves unused",
    source: "Report 000, 3.3.3.1 and 5",
    about: "the share of its budget that maximax uses by its rule, by other readings, by options",
    duration: "1 min",
    is_cheap: false,
    rests_on: &[Part::Agents(&["maximax"])],
    settings,
    run,
};

fn settings() -> Vec<Setting> {
    vec![
        Setting::count("positions", "random positions", 4..=100_000, [600, 8]),
        Setting::counts(
            "budgets",
            "boards for a move",
            100..=100_000_000,
            [&[2_000, 20_000, 200_000], &[200, 500]],
        ),
    ]
}

/// Readings of the rule, and uses of the rest.
const READINGS: [(&str, &str); 6] = [
    ("as written", "maximax"),
    ("assumed breadth √b", "maximax:breadth_power=0.5"),
    ("one ply more always fits", "maximax:breadth_power=0"),
    ("q = 1", "maximax:q=1"),
    ("playouts in the rest", "maximax:rest=1"),
    ("more plies in the rest", "maximax:rest=2"),
];

/// Rounds before which the search can end the game are left out: there is nothing to use time for.
const ROUNDS: [usize; 2] = [8, 46];

/// The turn in which game `number` has a round of its own among [`ROUNDS`].
fn position(seed: u64, number: u64) -> Option<(usize, Game)> {
    let [first, last] = ROUNDS;
    let round = first + number as usize % (last - first + 1);
    let mut found: Option<Turn> = None;
    random_game(seed, number, |turn| {
        if turn.round() == round && turn.breadth() > 1 {
            found = Some(*turn);
        }
    });
    let turn = found?;
    let color = if turn.is_black { Color::Black } else { Color::White };
    let position = Position::from_board(turn.board, SIZE, color).expect("it comes from a game");
    Some((round, Game::from_position(Rule::Reversed, position)))
}

/// The shares of a budget used at each position.
fn shares(spec: &str, budget: u64, games: &[(usize, Game)], context: &Context<'_>) -> Vec<f64> {
    games
        .par_iter()
        .map(|(_, game)| {
            let mut agent = catalogue().make(spec, 1).expect("the readings are of an agent");
            let choice = agent.choose(game, &Limits::of_nodes(budget));
            context.progress.advance(1);
            choice.map_or(0.0, |choice| 100.0 * choice.nodes as f64 / budget as f64)
        })
        .collect()
}

/// What the shares say about the report's sentence.
fn meaning([written, root, always]: &[Mean; 3], budget: u64) -> [String; 2] {
    let unused = 100.0 - written.mean;
    let first = format!(
        "With {} boards the rule as written uses {:.0} % of them and leaves {unused:.0} %, where \
         the report says that 20 % of the time is not used.",
        grouped(budget),
        written.mean
    );
    let reserve = "20 % is what q = 0.8 keeps back from the beginning";
    let [by_root, at_any_cost] = [root, always].map(|mean| 100.0 - mean.mean);
    let second = match unused > 30.0 {
        true => format!(
            "{reserve}; the rule, by which one ply more may cost as many times as much as there \
             are moves, begins no iteration once q · q / b of the limit is spent, unless two \
             iterations disagree. With √b, about what pruning leaves of the breadth, {by_root:.0} \
             % stay unused, and {at_any_cost:.0} % if another ply begins whatever it may cost: {}.",
            match (at_any_cost - 20.0).abs() < 3.0 {
                true => "the report's figure is that of a program without the estimate",
                false => "no reading gives the report's figure",
            }
        ),
        false => format!("That is near the report's figure: {reserve}."),
    };
    [first, second]
}

fn run(context: &Context<'_>) -> Findings {
    let budgets = context.counts("budgets");
    let games: Vec<(usize, Game)> = (0..context.count("positions"))
        .filter_map(|number| position(context.seed(), number))
        .collect();
    context.progress.expect((games.len() * budgets.len() * READINGS.len()) as u64);
    let used: Vec<Vec<Vec<f64>>> = READINGS
        .iter()
        .map(|(_, spec)| {
            budgets.iter().map(|&budget| shares(spec, budget, &games, context)).collect()
        })
        .collect();
    let mut table = Table::new(
        "used",
        "Per cent of the budget that is used, with 95 % intervals.",
        &[("reading", 0), ("boards", 0), ("used_percent", 1), ("reach", 1)],
    );
    let mut comparisons = Vec::new();
    for ((name, _), by_budget) in READINGS.iter().zip(&used) {
        for (&budget, shares) in budgets.iter().zip(by_budget) {
            let mean = Mean::of(shares);
            let cells = [mean.mean.into(), mean.reach().into()];
            table.row([(*name).into(), budget.into()].into_iter().chain(cells));
            let what = format!("{name}, {} boards: per cent unused", grouped(budget));
            let report = if *name == READINGS[0].0 { Figure::exact(20.0, 1) } else { Figure::None };
            let ours = Figure::with_reach(100.0 - mean.mean, mean.reach(), 1);
            comparisons.push(Comparison::new(what, report, ours));
        }
    }
    let last = budgets.len() - 1;
    let readings = [0, 1, 2].map(|reading| Mean::of(&used[reading][last]));
    let lines: Vec<Series> = READINGS[..3]
        .iter()
        .zip(&used)
        .map(|((name, _), by_budget)| Series::line(name, by_round(&games, &by_budget[last])))
        .collect();
    let title = format!("Used of {} boards", grouped(budgets[last]));
    let svg = series(&title, ["round (discs on the board)", "per cent used"], &lines);
    Findings {
        question: format!(
            "At {} random positions of rounds {} to {} report 000's agent is given a budget of \
             boards, which its rule for time treats as time: how much of it does it use?",
            games.len(),
            ROUNDS[0],
            ROUNDS[1]
        ),
        comparisons,
        meaning: meaning(&readings, budgets[last]),
        notes: vec![
            "The pseudo-code multiplies the limit by q, and then goes on while time used · assumed \
             breadth < q · limit or the last two iterations disagree, while less than q of the \
             limit is used. Its comment calls the breadth “an upper bound” of how many times as \
             long one ply more takes."
                .to_owned(),
            "Playouts are counted as boards, one for each empty square.".to_owned(),
            "Wherever agents are compared at equal budgets, this one has used a part of its own \
             only: `maximax:rest=2` is the fair opponent. What the uses are worth in games is in \
             [wishes](../wishes/page.md)."
                .to_owned(),
        ],
        tables: vec![table],
        pictures: vec![Picture::new(
            "used",
            "Per cent of the budget used, by round, 95 % intervals as a band.",
            svg,
        )],
        ..Findings::default()
    }
}

/// Means over groups of four rounds.
fn by_round(games: &[(usize, Game)], shares: &[f64]) -> Vec<(f64, f64, f64)> {
    let groups = (ROUNDS[0]..=ROUNDS[1]).step_by(4);
    let mean = |first: usize| {
        let own =
            games.iter().zip(shares).filter(|((round, _), _)| (first..first + 4).contains(round));
        let mean = Mean::of(&own.map(|(_, &share)| share).collect::<Vec<f64>>());
        (mean.count > 1).then(|| (first as f64 + 1.5, mean.mean, mean.reach()))
    };
    groups.filter_map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_s_sentence_is_judged_by_the_shares() {
        let mean = |mean| Mean { count: 10, mean, error: 1.0 };
        let [first, second] = meaning(&[25.0, 45.0, 79.0].map(mean), 20_000);
        assert!(first.contains("uses 25 % of them and leaves 75 %"), "{first}");
        assert!(second.contains("55 % stay unused, and 21 % if"), "{second}");
        assert!(second.ends_with("a program without the estimate."), "{second}");
        let [_, second] = meaning(&[25.0, 45.0, 60.0].map(mean), 20_000);
        assert!(second.ends_with("no reading gives the report's figure."), "{second}");
        let [_, second] = meaning(&[80.0, 85.0, 90.0].map(mean), 20_000);
        assert!(second.starts_with("That is near"), "{second}");
    }

    #[test]
    fn positions_are_of_their_rounds() {
        let found: Vec<(usize, Game)> = (0..40).filter_map(|number| position(1, number)).collect();
        assert!(found.len() > 30);
        for (round, game) in found {
            assert_eq!(64 - game.position().empties() as usize, round);
            assert!(game.position().moves().len() > 1);
        }
    }
}
