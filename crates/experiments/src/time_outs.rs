//! Moves that take too long, by depth (report 001, 3): its agent, our code.
//!
//! The agent plays as it is, three plies deep, against a random player. At each of
//! its moves the search runs at every depth, up to a node limit. The nodes repeat
//! everywhere; the seconds, and so the moves that take more than five of them,
//! depend on the machine.

use super::{Context, Experiment, Part, grouped};
use isrever_agent::{Agent, Limits, Parameters, Random, Rng};
use isrever_arena::{Clock, LiveGame, Mean};
use isrever_board::{Color, Game, Move, Rule, Size};
use isrever_lab::experiment::{Comparison, Figure, Findings, Picture, Setting, Table, Timings};
use isrever_lab::plot::{Series, series, series_by_tens};
use isrever_reports::Depth3;
use std::sync::Arc;

pub(super) const EXPERIMENT: Experiment = Experiment {
    slug: "time-outs",
    title: "Moves past five seconds, by depth",
    source: "Report 001, 3",
    about: "report 001's agent at depths 2 to 10: boards and seconds of each move of its games",
    duration: "3 min",
    is_cheap: false,
    rests_on: &[Part::Agents(&["depth3"])],
    settings,
    run,
};

fn settings() -> Vec<Setting> {
    vec![
        Setting::count("games", "games of the agent against a random player", 2..=1_000, [3, 2]),
        Setting::counts(
            "depths",
            "plies of the search",
            1..=12,
            [&[2, 3, 4, 5, 6, 7, 8, 9, 10], &[2, 3]],
        ),
        Setting::count(
            "most-nodes",
            "boards at which a search is given up",
            1_000..=10_000_000_000,
            [100_000_000, 10_000],
        ),
    ]
}

/// The course's limit.
const LIMIT_SECONDS: f64 = 5.0;

/// The report's depths, and its moves per game past the limit.
const REPORT: [(u64, f64); 4] = [(2, 2.0), (3, 5.0), (4, 11.0), (5, 19.0)];

/// One search.
#[derive(Clone, Copy)]
struct Searched {
    nodes: u64,
    seconds: f64,
}

fn agent(depth: u64) -> Depth3 {
    let mut parameters = Parameters::new(Depth3::table());
    parameters.set("depth", depth as f64).expect("depths are checked by the settings");
    Depth3::new(parameters)
}

/// The positions of game `number` in which the agent is to move; it plays either colour in turn.
fn positions(context: &Context<'_>, number: u64) -> Vec<Game> {
    let own = if number.is_multiple_of(2) { Color::Black } else { Color::White };
    let random = Random::drawing(Rng::stream(context.seed(), number));
    let mut agents: [Box<dyn Agent>; 2] = [Box::new(agent(3)), Box::new(random)];
    agents.rotate_left(usize::from(own == Color::White));
    let live = LiveGame::new(Game::new(Rule::Reversed, Size::EIGHT), Clock::untimed());
    let played = live.play(&mut agents, &Arc::default()).expect("nobody stops the game");
    assert_eq!(played.forfeit(), None, "our agents do not fail");
    let mut game = Game::new(Rule::Reversed, Size::EIGHT);
    let mut asked = Vec::new();
    for &mv in played.game.moves() {
        if game.turn() == Some(own) && mv != Move::Pass {
            asked.push(game.clone());
        }
        game.play(mv).expect("it was played before");
    }
    asked
}

fn run(context: &Context<'_>) -> Findings {
    let (depths, most) = (context.counts("depths"), context.count("most-nodes"));
    let games: Vec<Vec<Game>> =
        (0..context.count("games")).map(|n| positions(context, n)).collect();
    let moves: usize = games.iter().map(Vec::len).sum();
    context.progress.expect((moves * depths.len()) as u64);
    // By depth, game and move. One at a time: other work on the machine would be measured too.
    let searched: Vec<Vec<Vec<Searched>>> = depths
        .iter()
        .map(|&depth| {
            let search = |game: &Game| {
                let began = (context.clock)();
                let choice = agent(depth).choose(game, &Limits::of_nodes(most));
                let seconds = ((context.clock)() - began).as_secs_f64();
                context.progress.advance(1);
                Searched { nodes: choice.expect("our agents do not fail").nodes, seconds }
            };
            games.iter().map(|game| game.iter().map(search).collect()).collect()
        })
        .collect();
    let mut table = Table::new(
        "nodes",
        "Boards for one move by depth, 95 % intervals over games; searches given up count as far \
         as they came.",
        &[("depth", 0), ("mean", 0), ("reach", 0), ("most", 0), ("given_up", 0)],
    );
    let mut points = Vec::new();
    let mut means = Vec::new();
    for (&depth, games) in depths.iter().zip(&searched) {
        let of_game = |game: &Vec<Searched>| {
            game.iter().map(|one| one.nodes as f64).sum::<f64>() / game.len() as f64
        };
        let mean = Mean::of(&games.iter().map(of_game).collect::<Vec<f64>>());
        let all = || games.iter().flatten().map(|one| one.nodes);
        let given_up = all().filter(|&nodes| nodes >= most).count() as u64;
        let largest = all().max().unwrap_or(0);
        table.row([
            depth.into(),
            mean.mean.into(),
            mean.reach().into(),
            largest.into(),
            given_up.into(),
        ]);
        points.push((depth as f64, mean.mean, mean.reach()));
        means.push((depth, mean));
    }
    let growth = match means.as_slice() {
        [.., (one, first), (other, second)] => {
            (second.mean / first.mean).powf(1.0 / (other - one) as f64)
        }
        _ => f64::NAN,
    };
    Findings {
        question: format!(
            "At each of the {moves} moves of report 001's agent in {} games against a random \
             player, its search is run at depths {}.",
            games.len(),
            listed(&depths)
        ),
        comparisons: means
            .iter()
            .map(|(depth, mean)| {
                Comparison::ours(format!("boards for a move, depth {depth}"), Figure::mean(mean, 0))
            })
            .collect(),
        meaning: [
            format!("Each ply more takes {growth:.1} times as many boards at the greatest depths."),
            "How many moves run past five seconds at each depth, beside the report's table, is in \
             the timings."
                .to_owned(),
        ],
        notes: vec![format!(
            "The search is the report's: alpha-beta without ordering, to the end with fewer than \
             five empty squares. A search is given up at {} boards.",
            grouped(most)
        )],
        tables: vec![table],
        pictures: vec![Picture::new(
            "nodes",
            "Boards for one move by depth, 95 % intervals over games as a band.",
            series_by_tens(
                "Report 001's search",
                ["depth (plies)", "boards for a move"],
                &[Series::line("ours", points)],
            ),
        )],
        timings: Some(timings(&depths, &searched)),
        ..Findings::default()
    }
}

fn timings(depths: &[u64], searched: &[Vec<Vec<Searched>>]) -> Timings {
    let mut table = Table::new(
        "timings",
        "Moves of a game past five seconds, mean of games with 95 % intervals; and what speed the \
         report's number means for its program.",
        &[
            ("depth", 0),
            ("report", 0),
            ("ours", 2),
            ("reach", 2),
            ("longest_seconds", 4),
            ("nodes_per_second", 0),
            ("report_nodes_per_second", 1),
            ("times_faster", 0),
        ],
    );
    let mut comparisons = Vec::new();
    let mut ratios = Vec::new();
    let (mut theirs_late, mut ours_late) = (Vec::new(), Vec::new());
    for (&depth, games) in depths.iter().zip(searched) {
        let late = |game: &Vec<Searched>| {
            game.iter().filter(|one| one.seconds > LIMIT_SECONDS).count() as f64
        };
        let mean = Mean::of(&games.iter().map(late).collect::<Vec<f64>>());
        let all = || games.iter().flatten();
        let longest = all().map(|one| one.seconds).fold(0.0, f64::max);
        let nodes = all().map(|one| one.nodes as f64).sum::<f64>();
        let speed = nodes / all().map(|one| one.seconds).sum::<f64>();
        let report = REPORT.iter().find(|(plies, _)| *plies == depth).map(|&(_, late)| late);
        let theirs = report.and_then(|late| speed_of(games, late));
        let ratio = theirs.map(|theirs| speed / theirs).filter(|ratio| ratio.is_finite());
        ratios.extend(ratio);
        table.row([
            depth.into(),
            report.into(),
            mean.mean.into(),
            mean.reach().into(),
            longest.into(),
            speed.into(),
            theirs.into(),
            ratio.into(),
        ]);
        theirs_late.extend(report.map(|late| (depth as f64, late, 0.0)));
        ours_late.push((depth as f64, mean.mean, mean.reach()));
        let what = format!("moves of a game past 5 s, depth {depth}");
        let report = report.map_or(Figure::None, |late| Figure::exact(late, 0));
        comparisons.push(Comparison::new(what, report, Figure::mean(&mean, 2)));
    }
    if !ratios.is_empty() {
        let what = "boards a second, times those that the report's table means";
        comparisons.push(Comparison::ours(what, Figure::mean(&Mean::of(&ratios), 0)));
    }
    Timings {
        comparisons,
        notes: vec![
            in_time(&ours_late),
            "The report's program is Python. Its speed is not told: it is taken to be the number of \
             boards a second at which as many moves of our games would take more than five seconds \
             as the report counted. If its table and ours spoke of one search, all depths would \
             give the same speed; where they do not, moves of the report cost more than their \
             boards, or its games are others."
                .to_owned(),
        ],
        tables: vec![table],
        pictures: vec![Picture::new(
            "timings",
            "Moves of a game past five seconds by depth, the report's beside ours; ours with 95 % \
             intervals over games.",
            series(
                "Moves past five seconds",
                ["depth (plies)", "moves of a game"],
                &[Series::dots("ours", ours_late), Series::dots("report 001", theirs_late)],
            ),
        )],
    }
}

/// How deep our search is in time, beside the report's.
fn in_time(late: &[(f64, f64, f64)]) -> String {
    let deepest = late.iter().take_while(|(_, late, _)| *late == 0.0).last();
    let own = match deepest {
        Some((depth, ..)) => format!("up to depth {depth:.0} no move took more than five seconds"),
        None => "at every depth some move took more than five seconds".to_owned(),
    };
    let (first, most) = REPORT[0];
    let beside = match deepest {
        Some(&(depth, ..)) if depth >= first as f64 => {
            "what kept it from looking deeper is how long its program takes for a board"
        }
        _ => "so our program is as slow as the report's",
    };
    format!("Here {own}; the report counts {most} a game already at depth {first}: {beside}.")
}

/// Numbers for a sentence.
fn listed(numbers: &[u64]) -> String {
    let words: Vec<String> = numbers.iter().map(u64::to_string).collect();
    match words.as_slice() {
        [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => words.concat(),
    }
}

/// The nodes per second at which a game has this many moves past the limit on average: with that
/// many larger searches in each game, the next search takes exactly the limit.
fn speed_of(games: &[Vec<Searched>], late: f64) -> Option<f64> {
    let mut nodes: Vec<u64> = games.iter().flatten().map(|one| one.nodes).collect();
    nodes.sort_unstable_by(|one, other| other.cmp(one));
    #[expect(clippy::cast_sign_loss, reason = "counts are not negative")]
    let place = (late * games.len() as f64) as usize;
    nodes.get(place).map(|&nodes| nodes as f64 / LIMIT_SECONDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_deep_is_in_time_is_told_by_the_moves_that_were_late() {
        let late = [(2.0, 0.0, 0.0), (3.0, 0.0, 0.0), (4.0, 1.5, 0.5), (5.0, 0.0, 0.0)];
        assert!(
            in_time(&late).starts_with("Here up to depth 3 no move took"),
            "{}",
            in_time(&late)
        );
        assert!(in_time(&late).contains("2 a game already at depth 2: what kept it"));
        let slow = in_time(&late[2..]);
        assert!(slow.starts_with("Here at every depth some move") && slow.contains("as slow"));
    }

    #[test]
    fn a_speed_follows_from_the_moves_that_are_late() {
        let search = |nodes| Searched { nodes, seconds: 0.0 };
        let games = [vec![search(10), search(500), search(40)], vec![search(900), search(50)]];
        // One late move a game, two in all: 900 and 500 are, 50 is just not.
        assert_eq!(speed_of(&games, 1.0), Some(10.0));
        assert_eq!(speed_of(&games, 3.0), None);
        assert_eq!(listed(&[2, 3, 10]), "2, 3 and 10");
    }
}
