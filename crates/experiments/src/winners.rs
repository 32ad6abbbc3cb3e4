//! Corners and stable discs of winners and losers (report 000, 4.1.3).

use super::matches::Tournament;
use super::random_games::{SIZE, Turn, mean_of_sums, random_game};
use super::{Context, Experiment, Part, grouped};
use isrever_agent::{Bits, Field};
use isrever_arena::{Format, Mean, Pairing, Played};
use isrever_board::{Color, Rule};
use isrever_lab::experiment::{Comparison, Figure, Findings, Picture, Setting, Table};
use isrever_lab::plot::{Series, series};
use isrever_reports::{Features, catalogue};
use rayon::prelude::*;
use std::sync::Arc;

pub(super) const EXPERIMENT: Experiment = Experiment {
    slug: "winners",
    title: "Corners and stable discs of winners",
    source: "Report 000, 4.1.3",
    about: "corners and stable discs of winners and losers, in random games and in good ones",
    duration: "10 s",
    is_cheap: false,
    rests_on: &[Part::Games, Part::Agents(&["genetic"])],
    settings,
    run,
};

fn settings() -> Vec<Setting> {
    vec![
        Setting::count("games", "random games", 10..=100_000_000, [200_000, 500]),
        Setting::count("pairs", "pairs of games between searching agents", 2..=100_000, [2_000, 2]),
        Setting::count("depth", "plies of the searching agents", 1..=6, [2, 1]),
        Setting::count("opening", "random moves before they search", 0..=20, [10, 10]),
        Setting::count("round", "a round before the end to look at too", 8..=60, [44, 44]),
    ]
}

const RULE: Rule = Rule::Reversed;

/// Counts by round: winners' corners, losers' corners, winners' stable discs, losers'.
type Counted = [u64; 4];

/// Additive sums over one round of many games.
#[derive(Clone, Copy, Default)]
struct Round {
    seen: u64,
    sums: Counted,
    squares: Counted,
}

impl Round {
    fn add(&mut self, other: &Round) {
        self.seen += other.seen;
        for kind in 0..4 {
            self.sums[kind] += other.sums[kind];
            self.squares[kind] += other.squares[kind];
        }
    }

    fn mean(&self, kind: usize) -> Mean {
        mean_of_sums(self.seen, self.sums[kind], self.squares[kind])
    }
}

/// Sums over games; the winner of a game is known at its end.
#[derive(Clone)]
struct Sums {
    rounds: Vec<Round>,
    /// The final counts of the winner and the loser of each decided game.
    ends: Vec<Counted>,
    draws: u64,
    /// The winner's lead in corners and in stable discs, by round and game.
    leads: Vec<Vec<[i8; 2]>>,
}

impl Sums {
    fn new() -> Sums {
        let (rounds, leads) = (vec![Round::default(); 65], vec![Vec::new(); 65]);
        Sums { rounds, ends: Vec::new(), draws: 0, leads }
    }

    /// Adds a game: its turns, and its end as the last of them.
    fn add(&mut self, turns: &[Turn]) {
        let Some(end) = turns.last() else { return };
        let score = end.board.score(SIZE, RULE);
        if score == 0 {
            self.draws += 1;
            return;
        }
        let black_wins = (score > 0) == end.is_black;
        for turn in turns {
            let counted = counted(turn, turn.is_black == black_wins);
            let squares = counted.map(|count| count * count);
            self.rounds[turn.round()].add(&Round { seen: 1, sums: counted, squares });
            let lead = |kind: usize| (counted[kind] as i8) - (counted[kind + 1] as i8);
            self.leads[turn.round()].push([lead(0), lead(2)]);
        }
        self.ends.push(counted(end, end.is_black == black_wins));
    }

    fn join(mut self, other: Sums) -> Sums {
        self.rounds.iter_mut().zip(&other.rounds).for_each(|(round, more)| round.add(more));
        self.ends.extend(other.ends);
        self.leads.iter_mut().zip(other.leads).for_each(|(leads, more)| leads.extend(more));
        self.draws += other.draws;
        self
    }

    /// The mean of `pick` over the final counts.
    fn end(&self, pick: impl Fn(&Counted) -> f64) -> Mean {
        Mean::of(&self.ends.iter().map(pick).collect::<Vec<f64>>())
    }

    /// The winners' lead over the losers in `round`: in corners (0) or in stable discs (2).
    fn lead(&self, round: usize, kind: usize) -> Mean {
        Mean::of(
            &self.leads[round].iter().map(|lead| f64::from(lead[kind / 2])).collect::<Vec<_>>(),
        )
    }

    /// The mean of column `kind` in each round before the last, and at the end.
    fn line(&self, kind: usize) -> Vec<(f64, f64, f64)> {
        let rounds = self.rounds[..64].iter().zip(0_u8..).filter(|(round, _)| round.seen > 1);
        let end = self.end(|counted| counted[kind] as f64);
        rounds
            .map(|(round, number)| (f64::from(number), round.mean(kind)))
            .chain([(64.0, end)])
            .map(|(at, mean)| (at, mean.mean, mean.reach()))
            .collect()
    }
}

/// Corners and stable discs of the winner and of the loser; `turn`'s player wins or loses.
fn counted(turn: &Turn, player_wins: bool) -> Counted {
    let player = Bits { board: turn.board, size: SIZE };
    let (winner, loser) =
        if player_wins { (player, player.pass()) } else { (player.pass(), player) };
    [winner.corners(), loser.corners(), winner.stable(), loser.stable()].map(u64::from)
}

/// Random games, summed in order on any number of threads.
fn random(context: &Context<'_>) -> Sums {
    const BATCH: u64 = 100;
    let games = context.count("games");
    context.progress.expect(games);
    let batches: Vec<Sums> = (0..games.div_ceil(BATCH))
        .into_par_iter()
        .map(|batch| {
            let mut sums = Sums::new();
            for number in batch * BATCH..games.min((batch + 1) * BATCH) {
                let mut turns = Vec::with_capacity(70);
                let end = random_game(context.seed(), number, |turn| turns.push(*turn));
                turns.push(end);
                sums.add(&turns);
                context.progress.advance(1);
            }
            sums
        })
        .collect();
    batches.into_iter().fold(Sums::new(), Sums::join)
}

/// Games of a searching agent against itself.
fn searched(context: &Context<'_>) -> Sums {
    let agent = format!("genetic:depth={},final=10", context.count("depth"));
    let tournament = Tournament {
        catalogue: Arc::new(catalogue()),
        players: vec![("one", &agent), ("other", &agent)],
        format: Format::RoundRobin,
        pairs: context.count("pairs"),
        opening: context.count("opening") as u32,
        nodes: u64::MAX,
    };
    let mut games: Vec<(u64, Sums)> = Vec::new();
    tournament.play(context, |pairing: &Pairing, played: &Played| {
        let turns: Vec<Turn> = played
            .game
            .positions()
            .iter()
            .map(|position| Turn {
                board: position.board().expect("the board has bits"),
                is_black: position.turn() == Color::Black,
            })
            .collect();
        let mut sums = Sums::new();
        sums.add(&turns);
        games.push((pairing.number, sums));
    });
    // Games end in any order.
    games.sort_by_key(|(number, _)| *number);
    games.into_iter().map(|(_, sums)| sums).fold(Sums::new(), Sums::join)
}

const KINDS: [&str; 4] = [
    "corners of winners",
    "corners of losers",
    "stable discs of winners",
    "stable discs of losers",
];

/// A difference in words.
fn compared(difference: &Mean, decimals: usize) -> String {
    let word = if difference.mean < 0.0 { "fewer" } else { "more" };
    format!("{:.decimals$} {word}", difference.mean.abs())
}

/// What an earlier round shows, where stable discs are not just all discs.
fn in_round(round: usize, leads: &[[Mean; 2]; 2]) -> String {
    let is_fewer = |lead: &Mean| lead.mean + lead.reach() < 0.0;
    let told = leads.each_ref().map(|[corners, stable]| {
        format!("{} corners and {} stable discs", compared(corners, 2), compared(stable, 2))
    });
    let verdict = match leads.iter().flatten().filter(|lead| is_fewer(lead)).count() {
        4 => {
            "so it is not the full board alone that makes it so, and the reports that make \
              corners (000, 001, 002, 004) and stable discs (002, 003) bad are right"
        }
        0 => "so before the board is full neither tells who wins",
        _ => "so before the board is full not all of it tells who wins",
    };
    format!(
        "In round {round} winners have {} than losers in random games, {} in searched ones: {verdict}; \
         report 000 named the measurement and did not make it.",
        told[0], told[1]
    )
}

fn run(context: &Context<'_>) -> Findings {
    let groups = [("random games", random(context)), ("searched games", searched(context))];
    let mut comparisons = Vec::new();
    let mut table = Table::new(
        "winners",
        "At the end of decided games: means with 95 % intervals.",
        &[("games", 0), ("what", 0), ("decided", 0), ("mean", 3), ("reach", 3)],
    );
    for (name, sums) in &groups {
        for (kind, what) in KINDS.iter().enumerate() {
            let mean = sums.end(|counted| counted[kind] as f64);
            comparisons.push(Comparison::ours(format!("{what}, {name}"), Figure::mean(&mean, 3)));
            let (games, means) = (mean.count.into(), [mean.mean, mean.reach()]);
            table.row([(*name).into(), (*what).into(), games, means[0].into(), means[1].into()]);
        }
    }
    let round = context.count("round") as usize;
    for (name, sums) in &groups {
        for (kind, what) in [(0, "corners"), (2, "stable discs")] {
            let lead = sums.lead(round, kind);
            let what = format!("{what} of winners less those of losers in round {round}, {name}");
            comparisons.push(Comparison::ours(what, Figure::mean(&lead, 3)));
        }
    }
    let early = groups.each_ref().map(|(_, sums)| [0, 2].map(|kind| sums.lead(round, kind)));
    let differences = groups.each_ref().map(|(_, sums)| {
        let corners = sums.end(|c| c[0] as f64 - c[1] as f64);
        let stable = sums.end(|c| c[2] as f64 - c[3] as f64);
        (corners, stable)
    });
    let mut rounds = Table::new(
        "rounds",
        "Means by round, over decided games.",
        &[
            ("games", 0),
            ("round", 0),
            ("winner_corners", 3),
            ("loser_corners", 3),
            ("winner_stable", 3),
            ("loser_stable", 3),
        ],
    );
    for (name, sums) in &groups {
        for (round, number) in sums.rounds.iter().zip(0_u64..).filter(|(round, _)| round.seen > 0) {
            let means = [0, 1, 2, 3].map(|kind| round.mean(kind).mean.into());
            rounds.row([(*name).into(), number.into()].into_iter().chain(means));
        }
    }
    let pictures = groups
        .iter()
        .zip(["random", "searched"])
        .map(|((name, sums), file)| {
            let lines: Vec<Series> = KINDS
                .iter()
                .enumerate()
                .map(|(kind, what)| Series::line(what, sums.line(kind)))
                .collect();
            let title = format!("Winners and losers, {name}");
            let svg = series(&title, ["round (discs on the board)", "discs"], &lines);
            let caption = format!("Means by round, {name}; the last point is the end of the game.");
            Picture::new(file, caption, svg)
        })
        .collect();
    let [(random_corners, random_stable), (corners, stable)] = differences;
    Findings {
        question: format!(
            "{} random games and {} games of report 003's agent against itself, {} plies deep: \
             corners and stable discs of who wins and who loses.",
            grouped(context.count("games")),
            grouped(2 * context.count("pairs")),
            context.count("depth")
        ),
        comparisons,
        meaning: [
            format!(
                "At the end winners have {} corners and {} stable discs than losers in random \
                 games, {} and {} in searched ones.",
                compared(&random_corners, 2),
                compared(&random_stable, 1),
                compared(&corners, 2),
                compared(&stable, 1)
            ),
            in_round(round, &early),
        ],
        notes: vec![
            format!(
                "Draws are left out: {} of the random games, {} of the searched ones.",
                grouped(groups[0].1.draws),
                grouped(groups[1].1.draws)
            ),
            "A disc counts as stable if in each of the four lines through it there is the edge, a \
             full line, or a stable disc of its colour beside it. On a full board all discs are \
             stable, so the last rounds repeat the number of discs."
                .to_owned(),
        ],
        tables: vec![table, rounds],
        pictures,
        ..Findings::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::Board;

    #[test]
    fn the_sentence_about_a_round_follows_from_its_figures() {
        let lead = |mean| Mean { count: 100, mean, error: 0.1 };
        let fewer = [[lead(-1.0), lead(-2.0)], [lead(-1.0), lead(-2.0)]];
        assert!(in_round(44, &fewer).contains("1.00 fewer corners and 2.00 fewer stable discs"));
        assert!(in_round(44, &fewer).contains("are right"));
        let mixed = [[lead(-1.0), lead(0.05)], [lead(-1.0), lead(-2.0)]];
        assert!(in_round(44, &mixed).contains("not all of it"));
    }

    #[test]
    fn what_a_winner_has_is_the_winner_s_whoever_is_to_move() {
        // Black holds a1 alone, white all the rest of the first row but for nothing else: white
        // has more and loses.
        let board = Board { player: 1, opponent: 0xfe };
        let end = Turn { board, is_black: true };
        let mut sums = Sums::new();
        sums.add(&[end]);
        sums.add(&[Turn { board: board.pass(), is_black: false }]);
        assert_eq!(sums.ends[0], sums.ends[1]);
        let [won_corners, lost_corners, ..] = sums.ends[0];
        assert_eq!((won_corners, lost_corners), (1, 1));
        assert_eq!(sums.rounds[8].seen, 2);
        assert_eq!(sums.lead(8, 0).mean, 0.0);
        assert!(sums.lead(8, 2).mean < 0.0, "white's seven are stable, and lose");
    }
}
