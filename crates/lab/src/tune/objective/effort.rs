//! What searches cost by each individual's parameters.
//!
//! All individuals search the same positions for the same goal, each on one thread, so that the cost
//! is the same on every machine.

use super::super::games::{GameRunner, Watch};
use super::Judged;
use isrever_agent::{AgentSpec, Catalogue};
use isrever_arena::random_positions;
use isrever_board::{Board, Rule, Size};
use isrever_jobs::Unfinished;
use isrever_search::{Answer, Control, Goal, Parameters, Searcher, Settings};
use rayon::prelude::*;
use std::ops::RangeInclusive;
use std::sync::atomic::Ordering::Relaxed;

/// Memory of a searcher, in bytes.
const HASH_BYTES: usize = 64 << 20;

/// The confidence of searches that do not go to the end.
const CONFIDENCE: u8 = 73;

/// What each part of a search costs, in instructions: as callgrind counts them in searches by many
/// parameters, and for a probe the wait for memory too (docs/records/search-parameters.md). Nodes
/// alone would prefer any ordering that saves one, however dear it is.
const PER_NODE: f64 = 170.0;
const PER_EVALUATION: f64 = 800.0;
const PER_PROBE: f64 = 300.0;

/// The positions, and how far they are searched.
#[derive(Clone, PartialEq, Debug)]
pub struct Searches {
    /// How many positions.
    pub positions: usize,
    /// Their empty squares.
    pub empties: RangeInclusive<u32>,
    /// Plies of a midgame search; exact scores without.
    pub depth: Option<u32>,
}

impl Searches {
    /// How much cheaper than by `before` the searches are by each of `specs`: the mean logarithm of
    /// the ratio. The positions are drawn by `seed`.
    pub(super) fn judge(
        &self,
        runner: &GameRunner<'_>,
        before: &AgentSpec,
        specs: &[AgentSpec],
        seed: u64,
        watch: &Watch<'_>,
    ) -> Result<Judged, Unfinished> {
        let (rule, size) = (runner.games.rule, runner.games.size);
        let drawn = random_positions(self.empties.clone(), rule, size, seed, self.positions);
        let boards: Vec<Board> = drawn
            .iter()
            .map(|game| game.position().board().expect("the plan has checked the size"))
            .collect();
        let settings = |spec| {
            let read = parameters(runner.catalogue, spec, rule, size);
            let parameters = read.expect("the plan has checked the agent");
            let settings = Settings::new(rule, size);
            Settings { parameters, hash_bytes: HASH_BYTES, ..settings }
        };
        let all: Vec<Settings> = std::iter::once(before).chain(specs).map(settings).collect();
        let tasks: Vec<(&Settings, Board)> = all
            .iter()
            .flat_map(|settings| boards.iter().map(move |&board| (settings, board)))
            .collect();
        let one = |&(settings, board): &(&Settings, Board)| {
            if watch.stop.load(Relaxed) {
                return Err(Unfinished::Stopped);
            }
            let goal = match self.depth {
                Some(depth) => Goal::Value { depth, confidence: CONFIDENCE },
                None => Goal::Exact,
            };
            let control = Control { stop: watch.stop, ..Control::NONE };
            let answer = Searcher::new(*settings).search(board, goal, control);
            (watch.done)();
            Ok(cost(&answer).ln())
        };
        let costs: Result<Vec<f64>, Unfinished> = tasks.par_iter().map(one).collect();
        let costs = costs?;
        let mean = |costs: &[f64]| costs.iter().sum::<f64>() / costs.len() as f64;
        let means: Vec<f64> = costs.chunks(boards.len()).map(mean).collect();
        let fitness = means[1..].iter().map(|cost| means[0] - cost).collect();
        Ok(Judged::new(fitness, tasks.len() as u64))
    }
}

/// What a search cost, in instructions.
fn cost(answer: &Answer) -> f64 {
    // At least one node, so that there is a logarithm.
    let parts = [
        PER_NODE * answer.nodes.max(1) as f64,
        PER_EVALUATION * answer.counts.evaluations as f64,
        PER_PROBE * answer.counts.probes as f64,
    ];
    parts.iter().sum()
}

/// The parameters of the search in the spec of an agent, which must have all of them and no others.
pub(in super::super) fn parameters(
    catalogue: &Catalogue,
    spec: &AgentSpec,
    rule: Rule,
    size: Size,
) -> Result<Parameters, String> {
    let read = catalogue.parameters_in(spec, rule, size).map_err(|error| error.to_string())?;
    let refused = || format!("{spec} has other parameters than the search; expected engine");
    let read = read.ok_or_else(refused)?;
    let mut parameters = Parameters::shipped(rule, size);
    for (parameter, &value) in read.table().iter().zip(read.values()) {
        #[expect(clippy::cast_possible_truncation, reason = "the table has whole numbers")]
        let value = value as i32;
        parameters.set(&parameter.name, value).map_err(|_| refused())?;
    }
    Ok(parameters)
}

#[cfg(test)]
mod tests {
    use super::super::super::games::Games;
    use super::super::super::seed::Purpose;
    use super::super::super::space::Space;
    use super::super::{Objective, Problems};
    use super::*;
    use isrever_arena::Openings;
    use isrever_jobs::Crew;
    use std::sync::Arc;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn a_bad_ordering_costs_more_than_the_shipped_one() {
        let catalogue = Arc::new(isrever_players::catalogue());
        let (rule, size) = (Rule::Normal, Size::EIGHT);
        let names = ["corners", "square_a1"].map(str::to_owned);
        let space = Space::in_games(&catalogue, "engine", Some(&names), rule, size).unwrap();
        let shipped = Parameters::shipped(rule, size);
        let start = [shipped.corners, shipped.square_a1].map(f64::from);
        assert_eq!(space.start(), start);
        let games =
            Games { rule, size, openings: Openings::Start, ending: 0, depth: None, nodes: None };
        for (empties, depth) in [(11..=12, None), (30..=31, Some(6))] {
            let objective = Objective::Effort(Searches { positions: 6, empties, depth });
            let judged = [1, 2].map(|threads| {
                let crew = Crew::Here(threads);
                let runner = GameRunner { catalogue: &catalogue, games: &games, crew: &crew };
                let (done, stop) = (AtomicU64::new(0), Arc::default());
                let count = || {
                    done.fetch_add(1, Relaxed);
                };
                let watch = Watch { done: &count, stop: &stop };
                let problems = Problems::new(&objective, &games, 5, &crew, &watch).unwrap();
                let population = [start.to_vec(), vec![256.0, -256.0]];
                let place = (1, Purpose::Games, 3);
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let judged = pool.install(|| {
                    objective.judge(&runner, &space, &problems, &population, place, &watch)
                });
                assert_eq!(done.load(Relaxed), objective.matchups(2));
                judged.unwrap()
            });
            assert_eq!(judged[0], judged[1]);
            assert_eq!(judged[0].fitness[0], 0.0, "it is what the others are compared with");
            if depth.is_none() {
                assert!(judged[0].fitness[1] < -0.01, "{judged:?}");
            }
        }
    }
}
