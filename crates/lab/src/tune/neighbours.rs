//! Report 000's neighbour killing value of one agent, without a tuning.

use super::games::{GameRunner, Matchup, Watch};
use super::objective::{Objective, beaten, neighbours};
use super::plan::Plan;
use super::seed::Purpose;
use isrever_agent::{AgentSpec, Catalogue};
use isrever_arena::Mean;
use isrever_jobs::{Crew, Unfinished};
use std::sync::Arc;

impl Plan {
    /// The share of its neighbours that the agent of this plan beats as it is, less ½, with its
    /// standard error; `None` if that is not what the plan is about. At best ½.
    pub fn neighbour_killing(
        &self,
        catalogue: &Arc<Catalogue>,
        threads: usize,
        watch: &Watch<'_>,
    ) -> Result<Option<Mean>, Unfinished> {
        let Objective::Neighbours { neighbours: count, radius } = self.objective else {
            return Ok(None);
        };
        let place = (self.seed, Purpose::Proof, 0);
        let values = self.space.start();
        let own = self.space.spec(&values);
        let others: Vec<AgentSpec> = neighbours(&self.space, &values, count, radius, place);
        let matchup = |(other, pair)| Matchup { specs: [&own, other], pair, is_single: false };
        let matchups: Vec<Matchup<'_>> = others.iter().zip(0..).map(matchup).collect();
        let crew = Crew::Here(threads);
        let runner = GameRunner { catalogue, games: &self.games, crew: &crew };
        let counts = runner.play(&matchups, place, watch)?;
        let shares: Vec<f64> = counts.iter().map(|counts| beaten(counts) - 0.5).collect();
        Ok(Some(Mean::of(&shares)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Spec;
    use super::*;

    fn value(agent: &str, threads: usize) -> Mean {
        let catalogue = Arc::new(isrever_reports::catalogue());
        let spec = Spec {
            agent: Some(agent.to_owned()),
            objective: Some("neighbours".to_owned()),
            neighbours: Some(200),
            radius: Some(0.4),
            // Openings must leave something to play before a proof decides.
            size: Some(6),
            ending: Some(8),
            ..Spec::default()
        };
        let plan = spec.settle(&catalogue).unwrap();
        let stop = Arc::default();
        let watch = Watch { done: &|| {}, stop: &stop };
        plan.neighbour_killing(&catalogue, threads, &watch).unwrap().unwrap()
    }

    #[test]
    fn better_numbers_beat_more_of_their_neighbours_on_any_number_of_threads() {
        // What costs in the report is what the other goes for.
        let [good, bad] = ["greedy:by=squares", "greedy:by=squares,a1=-1,b1=1,b2=-1"]
            .map(|agent| value(agent, 2));
        assert!(good.mean > bad.mean, "{good:?} {bad:?}");
        assert!((-0.5..=0.5).contains(&good.mean) && good.count == 200);
        assert_eq!(good, value("greedy:by=squares", 1));
    }
}
