//! The run of a tuning: generations, the final, and the last matches of the winner.

use super::games::{GameRunner, Games, Matchup, Watch};
use super::history::{Generation, HistoryError};
use super::objective::{Judged, Objective, Problems};
use super::outcome::{Outcome, Proof};
use super::plan::Plan;
use super::seed::{Purpose, seed};
use isrever_agent::{AgentSpec, Catalogue};
use isrever_arena::{Counts, Openings};
use isrever_jobs::{Crew, Unfinished};
use std::sync::Arc;

/// A finalist plays this many times the games of a generation.
pub(super) const FINAL_GAMES: u64 = 10;

/// The random player, which report 000 measures against.
pub(super) const RANDOM: &str = "random";

/// The openings of the winner's last matches, except against the random player.
const PROOF_OPENINGS: Openings = Openings::Random(8);

/// Why the search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// It reached the number of generations.
    Generations,
    /// It reached the target.
    Target,
    /// Its mean did not improve for too long.
    Patience,
}

/// A running tuning.
pub struct Tuning<'a> {
    plan: &'a Plan,
    catalogue: Arc<Catalogue>,
    crew: Crew,
    history: Vec<Generation>,
    problems: Option<Problems>,
}

impl<'a> Tuning<'a> {
    /// Resumes the tuning of a plan after the generations of its log; `crew` plays its games.
    /// Refuses a log of another tuning.
    pub fn new(
        plan: &'a Plan,
        catalogue: Arc<Catalogue>,
        crew: Crew,
        history: Vec<Generation>,
    ) -> Result<Tuning<'a>, HistoryError> {
        for (generation, place) in history.iter().zip(0..) {
            if generation.generation != place {
                return Err(HistoryError::Order { generation: place });
            }
            let before = &history[..place as usize];
            let values = plan.algorithm.propose(&plan.space, plan.start, plan.seed, before);
            if values != generation.values || generation.fitness.len() != values.len() {
                return Err(HistoryError::Other { generation: place });
            }
        }
        Ok(Tuning { plan, catalogue, crew, history, problems: None })
    }

    /// The generations so far.
    pub fn history(&self) -> &[Generation] {
        &self.history
    }

    /// Why the search ended, if it did.
    pub fn end(&self) -> Option<End> {
        let Plan { generations, target, patience, .. } = *self.plan;
        let reached = |target: f64| self.history.iter().any(|each| each.best >= target);
        if target.is_some_and(reached) {
            return Some(End::Target);
        }
        if self.history.len() as u32 >= generations {
            return Some(End::Generations);
        }
        let means = self.history.iter().map(|each| each.mean);
        let (mut best, mut since) = (f64::NEG_INFINITY, 0);
        for mean in means {
            (best, since) = if mean > best { (mean, 0) } else { (best, since + 1) };
        }
        (patience > 0 && since >= patience).then_some(End::Patience)
    }

    /// The number of steps that are left until the end, if no rule stops the search early.
    pub fn steps_left(&self) -> u64 {
        let Plan { algorithm, objective, generations, finalists, proof, proof_pairs, .. } =
            self.plan;
        let left = self.history.len() as u32..*generations;
        let judged: u64 =
            left.map(|number| objective.matchups(algorithm.individuals(number))).sum();
        let solved = match (&self.problems, objective) {
            (None, Objective::MinimaxLoss { positions, .. }) => *positions as u64,
            _ => 0,
        };
        // The centre, and the best of the last generations.
        let finalists = 1 + (*finalists).min(*generations as usize);
        let last = self.thorough(finalists).matchups(finalists);
        let matches = proof.len() + usize::from(proof.iter().any(is_random));
        solved + judged + last + matches as u64 * proof_pairs
    }

    /// The objective with enough games to tell `finalists` apart.
    fn thorough(&self, finalists: usize) -> Objective {
        let many = self.plan.algorithm.individuals(u32::MAX);
        self.plan.objective.thorough(FINAL_GAMES, [many, finalists])
    }

    fn propose(&self) -> Vec<Vec<f64>> {
        let Plan { algorithm, space, start, seed, .. } = self.plan;
        algorithm.propose(space, *start, *seed, &self.history)
    }

    /// Has the games of the next generation played; or says why it could not.
    pub fn step(&mut self, watch: &Watch<'_>) -> Result<&Generation, Unfinished> {
        let number = self.history.len() as u32;
        let values = self.propose();
        let place = (self.plan.seed, Purpose::Games, number.into());
        let objective = &self.plan.objective;
        let Judged { fitness, games, results } = self.judge(&values, objective, place, watch)?;
        let mut generation = Generation::new(number, games, values, fitness);
        if let Some(results) = results {
            generation = generation.with_results(results, self.history.last());
        }
        self.history.push(generation);
        Ok(self.history.last().expect("it was just added"))
    }

    fn judge(
        &mut self,
        values: &[Vec<f64>],
        objective: &Objective,
        place: (u64, Purpose, u64),
        watch: &Watch<'_>,
    ) -> Result<Judged, Unfinished> {
        let Plan { games, space, seed: run_seed, .. } = self.plan;
        if self.problems.is_none() {
            let drawn = seed(*run_seed, Purpose::Games, 0);
            self.problems = Some(Problems::new(objective, games, drawn, &self.crew, watch)?);
        }
        let problems = self.problems.as_ref().expect("they were just made");
        let runner = self.runner(games);
        objective.judge(&runner, space, problems, values, place, watch)
    }

    fn runner<'b>(&'b self, games: &'b Games) -> GameRunner<'b> {
        GameRunner { catalogue: &self.catalogue, games, crew: &self.crew }
    }

    /// The best of the last generations, and the centre of the last one.
    fn finalists(&self) -> Vec<Vec<f64>> {
        let mut finalists: Vec<Vec<f64>> = Vec::new();
        let last = self.history.last();
        let centre = last.map(|generation| generation.centre(&self.plan.space));
        let champions = self.history.iter().rev().take(self.plan.finalists);
        // Report 003 takes who has lived longest; the others have no ages.
        let chosen = |each: &Generation| each.survivor().to_vec();
        for one in centre.into_iter().chain(champions.map(chosen)) {
            if !finalists.contains(&one) {
                finalists.push(one);
            }
        }
        finalists
    }

    /// Ranks the finalists in new games, then measures the winner in new games again.
    ///
    /// # Panics
    /// If there was no generation.
    pub fn finish(&mut self, watch: &Watch<'_>) -> Result<Outcome, Unfinished> {
        let finalists = self.finalists();
        let place = (self.plan.seed, Purpose::Final, 0);
        let objective = self.thorough(finalists.len());
        let Judged { fitness, games: final_games, .. } =
            self.judge(&finalists, &objective, place, watch)?;
        let mut order: Vec<usize> = (0..finalists.len()).collect();
        order.sort_by(|&one, &other| fitness[other].total_cmp(&fitness[one]));
        let winner = &finalists[order[0]];
        let space = &self.plan.space;
        let agent = space.spec(winner);
        let mut proofs = Vec::new();
        for (against, number) in self.plan.proof.iter().zip(0..) {
            let proof = self.prove(&agent, against, number, watch)?;
            proofs.push(proof);
        }
        let mut before = None;
        if let Some(number) = self.plan.proof.iter().position(is_random) {
            let against = &self.plan.proof[number];
            before = Some(self.prove(space.agent(), against, number as u64, watch)?);
        }
        let judged: u64 = self.history.iter().map(|each| each.games).sum();
        let proved: u64 = proofs.iter().chain(&before).map(|proof| proof.counts.games()).sum();
        Ok(Outcome {
            agent: agent.to_string(),
            preset: space.preset(winner),
            generations: self.history.len() as u32,
            games: judged + final_games + proved,
            finalists: order.iter().map(|&place| fitness[place]).collect(),
            proofs,
            before,
        })
    }

    /// Plays a match of an agent against one opponent: from the start position against the random
    /// player, as in report 000, from random openings against others.
    fn prove(
        &self,
        agent: &AgentSpec,
        against: &AgentSpec,
        number: u64,
        watch: &Watch<'_>,
    ) -> Result<Proof, Unfinished> {
        let is_random = against.name() == RANDOM;
        let openings = if is_random { Openings::Start } else { PROOF_OPENINGS };
        let games = Games { openings, ..self.plan.games.clone() };
        let runner = self.runner(&games);
        let matchup = |pair| Matchup { specs: [agent, against], pair, is_single: false };
        let matchups: Vec<Matchup<'_>> = (0..self.plan.proof_pairs).map(matchup).collect();
        let place = (self.plan.seed, Purpose::Proof, number);
        let counts: Counts = runner.play(&matchups, place, watch)?.into_iter().sum();
        Ok(Proof::new(against.as_str(), &games.openings.to_string(), counts))
    }
}

/// Whether an agent is the random player, with which every figure is compared.
fn is_random(agent: &AgentSpec) -> bool {
    agent.as_str() == RANDOM
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune;
    use isrever_testkit::Backwards;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

    fn plan(more: &str) -> Plan {
        let text = format!(
            "agent = \"greedy:by=squares\"\nparameters = [\"a1\", \"b2\", \"d4\"]\nsize = 6\n\
             ending = 8\ngenerations = 4\nproof-pairs = 10\nfinalists = 3\n{more}"
        );
        tune::Spec::read(&text).unwrap().settle(&isrever_reports::catalogue()).unwrap()
    }

    /// The steps that some work reports, and its result.
    fn counted<T>(work: impl FnOnce(&Watch<'_>) -> T) -> (u64, T) {
        let (done, stop) = (AtomicU64::new(0), Arc::default());
        let count = || {
            done.fetch_add(1, Relaxed);
        };
        let result = work(&Watch { done: &count, stop: &stop });
        (done.load(Relaxed), result)
    }

    /// Machines that know a tuning by its manifests.
    fn elsewhere() -> Crew {
        Crew::Elsewhere(Arc::new(Backwards::new(|manifest| {
            assert_eq!(manifest.kind, tune::KIND);
            tune::open(&manifest.text, Arc::new(isrever_reports::catalogue()), &|_| None)
        })))
    }

    fn run(plan: &Plan, crew: Crew, history: Vec<Generation>) -> (Vec<Generation>, Outcome) {
        let catalogue = Arc::new(isrever_reports::catalogue());
        let mut tuning = Tuning::new(plan, catalogue, crew, history).unwrap();
        while tuning.end().is_none() {
            let before = tuning.steps_left();
            let (done, ()) = counted(|watch| tuning.step(watch).map(|_| ()).unwrap());
            assert_eq!(before - done, tuning.steps_left());
        }
        let left = tuning.steps_left();
        let (done, outcome) = counted(|watch| tuning.finish(watch).unwrap());
        assert!(done <= left, "finalists may be the same: {done} of {left}");
        (tuning.history().to_vec(), outcome)
    }

    #[test]
    fn whole_or_in_pieces_whoever_plays_the_games_it_finds_the_same() {
        for more in [
            "algorithm = \"elitist\"\npopulation = 3\npairs = 4",
            "algorithm = \"binary\"\npopulation = 4\nobjective = \"round-robin\"",
            "population = 4\nobjective = \"neighbours\"\nneighbours = 4",
            "population = 4\nobjective = \"minimax-loss\"\npositions = 4\nempties = [7, 8]",
        ] {
            let plan = plan(more);
            let whole = run(&plan, Crew::Here(1), Vec::new());
            assert_eq!(whole.0.len(), 4);
            for kept in 0..=4 {
                let crew = if kept == 2 { elsewhere() } else { Crew::Here(2) };
                let again = run(&plan, crew, whole.0[..kept].to_vec());
                assert_eq!(again, whole, "{more}, after {kept}");
            }
            let catalogue = isrever_reports::catalogue();
            assert!(catalogue.make(&whole.1.agent, 1).is_ok());
            assert_eq!(whole.1.proofs.len(), 2);
            let before = whole.1.before.unwrap();
            assert_eq!((before.against.as_str(), before.counts.games()), ("random", 20));
        }
    }

    #[test]
    fn rules_to_stop_by() {
        let end = |more: &str, means: &[f64]| {
            let plan = plan(more);
            let each = means.iter().zip(0..);
            let history =
                each.map(|(&mean, number)| Generation::new(number, 1, vec![vec![0.0]], vec![mean]));
            let tuning = Tuning {
                plan: &plan,
                catalogue: Arc::new(isrever_reports::catalogue()),
                crew: Crew::Here(1),
                history: history.collect(),
                problems: None,
            };
            tuning.end()
        };
        assert_eq!(end("", &[0.1, 0.2, 0.3]), None);
        assert_eq!(end("", &[0.1, 0.2, 0.3, 0.4]), Some(End::Generations));
        assert_eq!(end("target = 0.2", &[0.1, 0.2]), Some(End::Target));
        assert_eq!(end("patience = 2", &[0.2, 0.1]), None);
        assert_eq!(end("patience = 2", &[0.2, 0.1, 0.2]), Some(End::Patience));
    }

    #[test]
    fn a_log_of_something_else_is_refused() {
        let plan = plan("population = 4\npairs = 2");
        let (history, _) = run(&plan, Crew::Here(2), Vec::new());
        let refused = |history: Vec<Generation>| {
            let catalogue = Arc::new(isrever_reports::catalogue());
            Tuning::new(&plan, catalogue, Crew::Here(1), history).err().expect("it is refused")
        };
        let mut other = history.clone();
        other[2].values[1][0] = 0.25;
        assert_eq!(refused(other), HistoryError::Other { generation: 2 });
        let mut other = history.clone();
        other[1].fitness.swap(0, 2);
        other[1].fitness[0] += 0.5;
        assert_eq!(refused(other), HistoryError::Other { generation: 2 });
        assert_eq!(refused(history[1..].to_vec()), HistoryError::Order { generation: 0 });
    }

    #[test]
    fn a_stopped_step_changes_nothing() {
        let plan = plan("population = 4\npairs = 2");
        let catalogue = Arc::new(isrever_reports::catalogue());
        let mut tuning = Tuning::new(&plan, catalogue, Crew::Here(2), Vec::new()).unwrap();
        let stop = Arc::new(AtomicBool::new(true));
        let watch = Watch { done: &|| {}, stop: &stop };
        assert!(tuning.step(&watch).is_err() && tuning.history().is_empty());
    }
}
