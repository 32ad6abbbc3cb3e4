//! The run of a tuning: generations, the final, and the last matches of the winner.

use super::games::{GameRunner, Games, Matchup, Watch};
use super::history::{Generation, HistoryError};
use super::objective::{Objective, Problems};
use super::outcome::{Outcome, Proof};
use super::plan::Plan;
use super::seed::{Purpose, seed};
use isrever_agent::{Catalogue, Spec};
use isrever_arena::{Counts, Openings};

/// How many times the games of a generation each finalist plays.
const FINAL_GAMES: u64 = 10;

/// Who moves at random: report 000 measures against it.
pub(super) const CHANCE: &str = "random";

/// What the matches begin with that prove the winner, but against chance.
const PROOF_OPENINGS: Openings = Openings::Random(8);

/// Why the generations came to an end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// There were as many as asked for.
    Generations,
    /// One was as fit as asked for.
    Target,
    /// None was better than those before for long enough.
    Patience,
}

/// A tuning, as far as it has come.
pub struct Tuning<'a> {
    plan: &'a Plan,
    catalogue: &'a Catalogue,
    history: Vec<Generation>,
    problems: Option<Problems>,
}

impl<'a> Tuning<'a> {
    /// The tuning of a plan after the generations of its log, which must be the ones that follow
    /// from it.
    pub fn new(
        plan: &'a Plan,
        catalogue: &'a Catalogue,
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
        Ok(Tuning { plan, catalogue, history, problems: None })
    }

    /// The generations so far.
    pub fn history(&self) -> &[Generation] {
        &self.history
    }

    /// Why there are no more generations, if there are none.
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

    /// How many steps the watch will hear of until the end, if there are as many generations as
    /// there may be.
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
        let matches = proof.len() + usize::from(proof.iter().any(|against| against == CHANCE));
        solved + judged + last + matches as u64 * proof_pairs
    }

    /// The objective with games enough to tell so many finalists apart.
    fn thorough(&self, finalists: usize) -> Objective {
        let many = self.plan.algorithm.individuals(u32::MAX);
        self.plan.objective.thorough(FINAL_GAMES, [many, finalists])
    }

    fn propose(&self) -> Vec<Vec<f64>> {
        let Plan { algorithm, space, start, seed, .. } = self.plan;
        algorithm.propose(space, *start, *seed, &self.history)
    }

    /// Judges the next generation on the threads of the current pool; `None` if it was stopped.
    pub fn step(&mut self, watch: &Watch<'_>) -> Option<&Generation> {
        let number = self.history.len() as u32;
        let values = self.propose();
        let place = (self.plan.seed, Purpose::Games, number.into());
        let objective = &self.plan.objective;
        let (fitness, games) = self.judge(&values, objective, place, watch)?;
        self.history.push(Generation::new(number, games, values, fitness));
        self.history.last()
    }

    fn judge(
        &mut self,
        values: &[Vec<f64>],
        objective: &Objective,
        place: (u64, Purpose, u64),
        watch: &Watch<'_>,
    ) -> Option<(Vec<f64>, u64)> {
        let Plan { games, space, seed: run_seed, .. } = self.plan;
        if self.problems.is_none() {
            let drawn = seed(*run_seed, Purpose::Games, 0);
            self.problems = Some(Problems::new(objective, games, drawn, watch)?);
        }
        let problems = self.problems.as_ref().expect("they are there");
        let runner = GameRunner::new(self.catalogue, games);
        objective.judge(&runner, space, problems, values, place, watch)
    }

    /// Who is left: the best of the last generations, and the middle of the last one.
    fn finalists(&self) -> Vec<Vec<f64>> {
        let mut finalists: Vec<Vec<f64>> = Vec::new();
        let last = self.history.last();
        let centre = last.map(|generation| generation.centre(&self.plan.space));
        let champions = self.history.iter().rev().take(self.plan.finalists);
        for one in centre.into_iter().chain(champions.map(|each| each.champion().to_vec())) {
            if !finalists.contains(&one) {
                finalists.push(one);
            }
        }
        finalists
    }

    /// Lets the finalists play for the first place, in games that none was chosen by, and the
    /// winner for its figures, in others again. `None` if it was stopped.
    ///
    /// # Panics
    /// If there was no generation.
    pub fn finish(&mut self, watch: &Watch<'_>) -> Option<Outcome> {
        let finalists = self.finalists();
        let place = (self.plan.seed, Purpose::Final, 0);
        let objective = self.thorough(finalists.len());
        let (fitness, final_games) = self.judge(&finalists, &objective, place, watch)?;
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
        if let Some(number) = self.plan.proof.iter().position(|against| against == CHANCE) {
            before = Some(self.prove(space.agent(), CHANCE, number as u64, watch)?);
        }
        let judged: u64 = self.history.iter().map(|each| each.games).sum();
        let proved: u64 = proofs.iter().chain(&before).map(|proof| proof.counts.games()).sum();
        Some(Outcome {
            agent,
            preset: space.preset(winner),
            generations: self.history.len() as u32,
            games: judged + final_games + proved,
            finalists: order.iter().map(|&place| fitness[place]).collect(),
            proofs,
            before,
        })
    }

    /// A match of an agent against one opponent: from the start against chance, as in report
    /// 000, and with random openings against others.
    fn prove(&self, agent: &str, against: &str, number: u64, watch: &Watch<'_>) -> Option<Proof> {
        let is_chance = Spec::new(against).name == CHANCE;
        let openings = if is_chance { Openings::Start } else { PROOF_OPENINGS };
        let games = Games { openings, ..self.plan.games.clone() };
        let runner = GameRunner::new(self.catalogue, &games);
        let matchup = |pair| Matchup { specs: [agent, against], pair, is_single: false };
        let matchups: Vec<Matchup<'_>> = (0..self.plan.proof_pairs).map(matchup).collect();
        let place = (self.plan.seed, Purpose::Proof, number);
        let counts: Counts = runner.play(&matchups, place, watch)?.into_iter().sum();
        Some(Proof::new(against, &games.openings.to_string(), counts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

    fn plan(more: &str) -> Plan {
        let text = format!(
            "agent = \"greedy:by=squares\"\nparameters = [\"a1\", \"b2\", \"d4\"]\nsize = 6\n\
             ending = 8\ngenerations = 4\nproof-pairs = 10\nfinalists = 3\n{more}"
        );
        tune::Spec::read(&text).unwrap().settle(&isrever_reports::catalogue()).unwrap()
    }

    /// How many steps some work tells of, and what comes of it.
    fn counted<T>(work: impl FnOnce(&Watch<'_>) -> T) -> (u64, T) {
        let (done, stop) = (AtomicU64::new(0), Arc::default());
        let count = || {
            done.fetch_add(1, Relaxed);
        };
        let result = work(&Watch { done: &count, stop: &stop });
        (done.load(Relaxed), result)
    }

    fn run(plan: &Plan, threads: usize, history: Vec<Generation>) -> (Vec<Generation>, Outcome) {
        let catalogue = isrever_reports::catalogue();
        let mut tuning = Tuning::new(plan, &catalogue, history).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            while tuning.end().is_none() {
                let before = tuning.steps_left();
                let (done, ()) = counted(|watch| tuning.step(watch).map(|_| ()).unwrap());
                assert_eq!(before - done, tuning.steps_left());
            }
            let left = tuning.steps_left();
            let (done, outcome) = counted(|watch| tuning.finish(watch).unwrap());
            assert!(done <= left, "finalists may be the same: {done} of {left}");
            (tuning.history().to_vec(), outcome)
        })
    }

    #[test]
    fn whole_or_in_pieces_on_any_number_of_threads_it_finds_the_same() {
        for more in [
            "algorithm = \"elitist\"\npopulation = 3\npairs = 4",
            "algorithm = \"binary\"\npopulation = 4\nobjective = \"round-robin\"",
            "population = 4\nobjective = \"neighbours\"\nneighbours = 4",
            "population = 4\nobjective = \"minimax-loss\"\npositions = 4\nempties = [7, 8]",
        ] {
            let plan = plan(more);
            let whole = run(&plan, 1, Vec::new());
            assert_eq!(whole.0.len(), 4);
            for kept in 0..=4 {
                let again = run(&plan, 2, whole.0[..kept].to_vec());
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
            let catalogue = isrever_reports::catalogue();
            let plan = plan(more);
            let each = means.iter().zip(0..);
            let history =
                each.map(|(&mean, number)| Generation::new(number, 1, vec![vec![0.0]], vec![mean]));
            let tuning = Tuning {
                plan: &plan,
                catalogue: &catalogue,
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
        let catalogue = isrever_reports::catalogue();
        let (history, _) = run(&plan, 2, Vec::new());
        let refused = |history: Vec<Generation>| {
            Tuning::new(&plan, &catalogue, history).err().expect("it is refused")
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
    fn who_is_stopped_has_done_nothing() {
        let plan = plan("population = 4\npairs = 2");
        let catalogue = isrever_reports::catalogue();
        let mut tuning = Tuning::new(&plan, &catalogue, Vec::new()).unwrap();
        let stop = Arc::new(AtomicBool::new(true));
        let watch = Watch { done: &|| {}, stop: &stop };
        assert!(tuning.step(&watch).is_none() && tuning.history().is_empty());
    }
}
