//! The fitness of a population, whose individuals all play the same games.
//!
//! | objective | fitness |
//! |---|---|
//! | `win-rate` | share of the points against one opponent: report 000's second model |
//! | `round-robin` | share of the points against everybody else of its generation |
//! | `wins` | share of its games won, one against everybody else: report 003's algorithm 17 |
//! | `neighbours` | share of its neighbours that it beats, less ½: report 000's "neighbour killing value" |
//! | `effort` | how much less searches cost than before: the mean logarithm of the ratio |
//! | `minimax-loss` | minus the discs that a move loses against the truth: the third model |
//!
//! The report does not define the neighbour killing value; it says that 0.50
//! is "the best possible" and that its best has 0.40. Here neighbours are the
//! individual with all its numbers a little changed, a neighbour is beaten who
//! makes less than half of the points in two games, colours swapped, and one who
//! makes half counts half. So 0 is as good as its neighbours, and ½ better than
//! every one of them.

mod effort;
mod loss;

pub use effort::Searches;
pub(super) use effort::parameters as search_parameters;
pub(super) use loss::{Problems, Trees, TreesText};

use super::games::{GameRunner, Matchup, Watch};
use super::seed::{Purpose, seed};
use super::space::Space;
use super::work::FINAL_GAMES;
use isrever_agent::{AgentSpec, Rng};
use isrever_arena::Counts;
use isrever_jobs::Unfinished;
use std::ops::RangeInclusive;

/// What a population was found to be worth.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Judged {
    /// The fitness of each individual.
    pub(super) fitness: Vec<f64>,
    /// The games, or answers to problems, that gave it.
    pub(super) games: u64,
    /// The games that each won, lost and drew, where that is what is counted.
    pub(super) results: Option<Vec<[u32; 3]>>,
}

impl Judged {
    fn new(fitness: Vec<f64>, games: u64) -> Judged {
        Judged { fitness, games, results: None }
    }
}

/// What makes an individual fit.
#[derive(Clone, PartialEq, Debug)]
pub enum Objective {
    /// The share of points against an opponent.
    WinRate {
        /// The opponent.
        against: AgentSpec,
        /// Pairs of games that each individual plays.
        pairs: u64,
    },
    /// The share of points against all others.
    RoundRobin {
        /// Games of each two, colours drawn.
        games: u64,
    },
    /// The share of games won: each plays one of its own against every other, colours drawn.
    Wins,
    /// The share of neighbours beaten, less ½.
    Neighbours {
        /// The number of neighbours of each.
        neighbours: u64,
        /// How far they are: the standard deviation of each change, as a part of the range.
        radius: f64,
    },
    /// Minus the discs a move loses in trees below solved positions.
    MinimaxLoss {
        /// The number of positions.
        positions: usize,
        /// Their empty squares.
        empties: RangeInclusive<u32>,
        /// The depth of their trees.
        plies: u32,
    },
    /// How much less searches cost than by the agent as it was.
    Effort(Searches),
}

impl Objective {
    /// Their names.
    pub const NAMES: [&'static str; 6] =
        ["win-rate", "round-robin", "wins", "neighbours", "minimax-loss", "effort"];

    /// The label of the fitness in a picture.
    pub fn label(&self) -> &'static str {
        match self {
            Objective::WinRate { .. } => "share of the points against the opponent",
            Objective::RoundRobin { .. } => "share of the points in the round robin",
            Objective::Wins => "share of the games won against the others",
            Objective::Neighbours { .. } => "share of neighbours beaten, less one half",
            Objective::MinimaxLoss { .. } => "minus the discs that a move loses",
            Objective::Effort(_) => "how much less searches cost, as a logarithm",
        }
    }

    /// The range of the fitness.
    pub(super) fn fitnesses(&self) -> RangeInclusive<f64> {
        match self {
            Objective::WinRate { .. } | Objective::RoundRobin { .. } | Objective::Wins => 0.0..=1.0,
            Objective::Neighbours { .. } => -0.5..=0.5,
            Objective::MinimaxLoss { .. } => -128.0..=0.0,
            Objective::Effort(_) => -50.0..=50.0,
        }
    }

    /// The most empty squares of its positions, if it draws any.
    pub(super) fn most_empties(&self) -> Option<u32> {
        match self {
            Objective::MinimaxLoss { empties, .. } => Some(*empties.end()),
            Objective::Effort(searches) => Some(*searches.empties.end()),
            _ => None,
        }
    }

    /// The same with `times` as many games for each of `few` individuals, instead of `many`.
    #[must_use]
    pub(super) fn thorough(&self, times: u64, [many, few]: [usize; 2]) -> Objective {
        let mut objective = self.clone();
        match &mut objective {
            // Fewer opponents are met more often.
            Objective::RoundRobin { games } => {
                let opponents = |count: usize| count.saturating_sub(1).max(1) as u64;
                *games = (*games * times * opponents(many)).div_ceil(opponents(few));
            }
            Objective::WinRate { pairs: count, .. }
            | Objective::Neighbours { neighbours: count, .. } => *count *= times,
            Objective::Effort(searches) => searches.positions *= times as usize,
            // Their positions are solved already, and the same for all; from the start position
            // more games would be the same games.
            Objective::MinimaxLoss { .. } | Objective::Wins => {}
        }
        objective
    }

    /// The number of neighbours that a finalist meets, if neighbours are the objective.
    pub(super) fn thorough_trials(&self) -> Option<u64> {
        match self.thorough(FINAL_GAMES, [1, 1]) {
            Objective::Neighbours { neighbours, .. } => Some(neighbours),
            _ => None,
        }
    }

    /// The number of matchups, or trees, for so many individuals.
    pub fn matchups(&self, population: usize) -> u64 {
        let population = population as u64;
        match self {
            Objective::WinRate { pairs, .. } => population * pairs,
            Objective::RoundRobin { games } => {
                games * (population * population.saturating_sub(1) / 2)
            }
            Objective::Wins => population * population.saturating_sub(1),
            Objective::Neighbours { neighbours, .. } => population * neighbours,
            Objective::MinimaxLoss { positions, .. } => population * *positions as u64,
            // And by the agent as it was.
            Objective::Effort(searches) => (population + 1) * searches.positions as u64,
        }
    }

    /// The fitness of each individual, and the number of games played for it.
    pub(super) fn judge(
        &self,
        runner: &GameRunner<'_>,
        space: &Space,
        problems: &Problems,
        population: &[Vec<f64>],
        place: (u64, Purpose, u64),
        watch: &Watch<'_>,
    ) -> Result<Judged, Unfinished> {
        let specs: Vec<AgentSpec> = population.iter().map(|values| space.spec(values)).collect();
        match self {
            Objective::WinRate { against, pairs } => {
                let matchups = specs.iter().flat_map(|spec| {
                    let specs = [spec, against];
                    (0..*pairs).map(move |pair| Matchup { specs, pair, is_single: false })
                });
                let counts = runner.play(&matchups.collect::<Vec<_>>(), place, watch)?;
                let share = |counts: &[Counts]| counts.iter().copied().sum::<Counts>().score();
                let fitness = counts.chunks(*pairs as usize).map(share).collect();
                Ok(Judged::new(fitness, 2 * counts.len() as u64))
            }
            Objective::RoundRobin { games } => {
                let mut who = Vec::new();
                let mut matchups = Vec::new();
                for one in 0..specs.len() {
                    for other in one + 1..specs.len() {
                        // As rounds of a tournament: nobody has an opening twice, and all have
                        // the same ones, but each one that it would have had against itself.
                        let round = ((one + other) % specs.len()) as u64;
                        for game in 0..*games {
                            who.push([one, other]);
                            let pair = game * specs.len() as u64 + round;
                            let specs = [&specs[one], &specs[other]];
                            matchups.push(Matchup { specs, pair, is_single: true });
                        }
                    }
                }
                let counts = runner.play(&matchups, place, watch)?;
                let mut all = vec![Counts::default(); specs.len()];
                for ([one, other], counts) in who.into_iter().zip(&counts) {
                    all[one] = all[one] + *counts;
                    all[other] = all[other] + counts.turned();
                }
                Ok(Judged::new(all.iter().map(Counts::score).collect(), counts.len() as u64))
            }
            Objective::Wins => {
                let mut matchups = Vec::new();
                for one in 0..specs.len() {
                    for other in (0..specs.len()).filter(|&other| other != one) {
                        // The order of the two is part of what draws the colours.
                        let specs = [&specs[one], &specs[other]];
                        let pair = ((one + other) % population.len()) as u64;
                        matchups.push(Matchup { specs, pair, is_single: true });
                    }
                }
                let counts = runner.play(&matchups, place, watch)?;
                // Alone, an individual has no games.
                let others = specs.len().saturating_sub(1);
                let own = |one: usize| counts[one * others..(one + 1) * others].iter();
                let sums: Vec<Counts> =
                    (0..specs.len()).map(|one| own(one).copied().sum()).collect();
                let share = |sum: &Counts| sum.wins as f64 / others.max(1) as f64;
                let fitness = sums.iter().map(share).collect();
                let result = |sum: &Counts| [sum.wins, sum.losses, sum.draws].map(|n| n as u32);
                let results = sums.iter().map(result).collect();
                Ok(Judged { results: Some(results), ..Judged::new(fitness, counts.len() as u64) })
            }
            Objective::Neighbours { neighbours, radius } => {
                let others: Vec<Vec<AgentSpec>> = population
                    .iter()
                    .map(|values| self::neighbours(space, values, *neighbours, *radius, place))
                    .collect();
                let matchups = specs.iter().zip(&others).flat_map(|(spec, others)| {
                    others.iter().zip(0..).map(move |(other, pair)| {
                        let specs = [spec, other];
                        Matchup { specs, pair, is_single: false }
                    })
                });
                let counts = runner.play(&matchups.collect::<Vec<_>>(), place, watch)?;
                let share = |counts: &[Counts]| {
                    counts.iter().map(beaten).sum::<f64>() / counts.len() as f64 - 0.5
                };
                let fitness = counts.chunks(*neighbours as usize).map(share).collect();
                Ok(Judged::new(fitness, 2 * counts.len() as u64))
            }
            Objective::Effort(searches) => {
                let (run_seed, purpose, _) = place;
                // The same positions in every generation, and others in the final.
                let seed = seed(run_seed, purpose, 0);
                searches.judge(runner, space.agent(), &specs, seed, watch)
            }
            Objective::MinimaxLoss { plies, .. } => {
                let (fitness, games) = problems.judge(runner, &specs, *plies, watch)?;
                Ok(Judged::new(fitness, games))
            }
        }
    }
}

/// What a neighbour counts for with these results against it: 1 if it is beaten, ½ if nobody is.
pub(super) fn beaten(counts: &Counts) -> f64 {
    match counts.utility().signum() {
        1 => 1.0,
        0 => 0.5,
        _ => 0.0,
    }
}

/// The neighbours of an individual: each of its numbers is changed by chance. All individuals have
/// theirs in the same directions.
pub(super) fn neighbours(
    space: &Space,
    values: &[f64],
    count: u64,
    radius: f64,
    (run_seed, purpose, generation): (u64, Purpose, u64),
) -> Vec<AgentSpec> {
    let seed = seed(run_seed, purpose, generation);
    let neighbour = |number: u64| {
        let mut rng = Rng::stream(seed, !number);
        let point = space.point(values).into_iter().map(|x| x + radius * rng.normal());
        space.spec(&space.at(&point.collect::<Vec<f64>>()))
    };
    (0..count).map(neighbour).collect()
}

#[cfg(test)]
mod tests {
    use super::super::games::Games;
    use super::*;
    use isrever_arena::Openings;
    use isrever_board::{Rule, Size};
    use isrever_jobs::Crew;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    /// As in the report, and turned round: what costs there is what it goes for.
    const BETTER_AND_WORSE: [[f64; 2]; 2] = [[0.58, 0.74], [-1.0, -1.0]];

    fn judged(objective: &Objective, threads: usize) -> Judged {
        judged_of(objective, threads, &BETTER_AND_WORSE)
    }

    fn judged_of(objective: &Objective, threads: usize, population: &[[f64; 2]]) -> Judged {
        let catalogue = Arc::new(isrever_reports::catalogue());
        let names = ["a1", "b2"].map(str::to_owned);
        let space = Space::new(&catalogue, "greedy:by=squares", Some(&names)).unwrap();
        let games = Games {
            rule: Rule::Reversed,
            size: Size::SIX,
            openings: Openings::Random(4),
            ending: 8,
            depth: Some(1),
            nodes: None,
        };
        let (crew, stop) = (Crew::Here(threads), Arc::default());
        let runner = GameRunner { catalogue: &catalogue, games: &games, crew: &crew };
        let done = AtomicU64::new(0);
        let count = || {
            done.fetch_add(1, Relaxed);
        };
        let watch = Watch { done: &count, stop: &stop };
        let problems = Problems::new(objective, &games, 5, &crew, &watch).unwrap();
        let told = done.swap(0, Relaxed);
        let population: Vec<Vec<f64>> = population.iter().map(|values| values.to_vec()).collect();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let place = (1, Purpose::Games, 3);
        let judged = pool.install(|| {
            objective.judge(&runner, &space, &problems, &population, place, &watch).unwrap()
        });
        assert_eq!(done.load(Relaxed), objective.matchups(population.len()), "told {told} before");
        judged
    }

    #[test]
    fn better_weights_are_fitter_by_every_objective_on_any_number_of_threads() {
        for objective in [
            Objective::WinRate { against: "random".into(), pairs: 60 },
            Objective::RoundRobin { games: 60 },
            Objective::MinimaxLoss { positions: 12, empties: 8..=9, plies: 1 },
        ] {
            let one = judged(&objective, 1);
            assert!(one.fitness[0] > one.fitness[1], "{objective:?} {one:?}");
            assert_eq!(one, judged(&objective, 2), "{objective:?}");
        }
    }

    #[test]
    fn those_with_better_weights_win_more_games() {
        // A single game may go either way: sixteen individuals, every other one with better weights.
        let [better, worse] = BETTER_AND_WORSE;
        let shifted = |[one, two]: [f64; 2], by: i32| [one + 0.01 * f64::from(by), two];
        let population: Vec<[f64; 2]> =
            (0..8).flat_map(|by| [shifted(better, by), shifted(worse, by)]).collect();
        let one = judged_of(&Objective::Wins, 1, &population);
        let [better, worse] =
            [0, 1].map(|from| one.fitness.iter().skip(from).step_by(2).sum::<f64>());
        assert!(better > 1.2 * worse, "{better} against {worse}");
        assert_eq!(one, judged_of(&Objective::Wins, 2, &population));
    }

    #[test]
    fn who_is_alone_plays_and_wins_nothing() {
        for objective in [Objective::Wins, Objective::RoundRobin { games: 3 }] {
            let alone = judged_of(&objective, 1, &BETTER_AND_WORSE[..1]);
            assert_eq!((alone.fitness.len(), alone.games), (1, 0), "{objective:?}");
        }
    }

    #[test]
    fn wins_are_counted_for_the_one_whose_games_they_are() {
        let Judged { fitness, games, results } = judged(&Objective::Wins, 2);
        let results = results.unwrap();
        assert_eq!((games, results.len()), (2, 2));
        for (fitness, [wins, losses, draws]) in fitness.iter().zip(results) {
            assert_eq!(wins + losses + draws, 1, "one game against the other");
            assert_eq!(*fitness, f64::from(wins));
        }
    }

    #[test]
    fn neighbours_are_near_and_beaten_or_not() {
        let objective = Objective::Neighbours { neighbours: 40, radius: 0.2 };
        let Judged { fitness, games, .. } = judged(&objective, 2);
        assert_eq!(games, 2 * 2 * 40);
        assert!(fitness.iter().all(|value| (-0.5..=0.5).contains(value)), "{fitness:?}");
        let catalogue = isrever_reports::catalogue();
        let names = ["a1", "b2"].map(str::to_owned);
        let space = Space::new(&catalogue, "greedy:by=squares", Some(&names)).unwrap();
        let near = neighbours(&space, &[0.5, 0.5], 20, 0.01, (1, Purpose::Games, 0));
        for spec in near {
            let values = catalogue.parameters(&spec).unwrap().unwrap();
            assert!((values.get("a1") - 0.5).abs() < 0.1 && values.get("a1") != 0.5, "{spec}");
        }
    }
}
