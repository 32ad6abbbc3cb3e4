//! A tuning with all defaults filled in and checked.

use super::algorithm::{Algorithm, Start};
use super::games::Games;
use super::objective::{Objective, Searches, search_parameters};
use super::space::Space;
use super::spec::{MOST_EMPTIES, Spec, SpecError};
use isrever_agent::{AgentSpec, Catalogue};
use isrever_arena::Openings;
use isrever_board::{Rule, Size};
use isrever_reports::ENDING;
use isrever_settings::Keys;

/// Everything that a result depends on.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The specification with all defaults.
    pub spec: Spec,
    /// The parameters to search.
    pub space: Space,
    /// How individuals are found.
    pub algorithm: Algorithm,
    /// What makes them fit.
    pub objective: Objective,
    /// Where the search starts.
    pub start: Start,
    /// The most generations.
    pub generations: u32,
    /// A fitness that ends the search.
    pub target: Option<f64>,
    /// Generations without a better mean after which the search ends; 0 for never.
    pub patience: u32,
    /// How many of the last generations send their best to the final.
    pub finalists: usize,
    /// The opponents of the winner's last matches.
    pub proof: Vec<AgentSpec>,
    /// Pairs of games of each of those matches.
    pub proof_pairs: u64,
    /// The seed of all random choices.
    pub seed: u64,
    /// The share of points against a random player in the report, to be shown beside ours.
    pub report_score: Option<f64>,
    /// The fitness of the report's winner.
    pub report_fitness: Option<f64>,
    /// The seconds that the report's search took.
    pub report_seconds: Option<f64>,
    pub(super) games: Games,
}

/// Keys that only some algorithms have.
const OF_ALGORITHMS: &[(&str, &[&str])] =
    &[("crossover", &["elitist"]), ("mutation", &["elitist", "binary"]), ("sigma", &["cma-es"])];

/// Keys that only some objectives have.
const OF_OBJECTIVES: &[(&str, &[&str])] = &[
    ("against", &["win-rate"]),
    ("pairs", &["win-rate"]),
    ("games", &["round-robin"]),
    ("neighbours", &["neighbours"]),
    ("radius", &["neighbours"]),
    ("positions", &["minimax-loss", "effort"]),
    ("empties", &["minimax-loss", "effort"]),
    ("plies", &["minimax-loss"]),
    ("nodes", &["win-rate", "round-robin", "wins", "neighbours", "minimax-loss"]),
];

const KEYS: Keys<'static> = Spec::KEYS;

/// Reads an agent of `catalogue`. Refuses one of ours that is limited by time: no two runs of it need
/// be alike. Third-party programs cannot do without.
fn untimed(catalogue: &Catalogue, key: &str, agent: &str) -> Result<AgentSpec, SpecError> {
    let spec = AgentSpec::new(agent);
    let entry = catalogue.find(&spec).map_err(|error| SpecError::new(key, error))?;
    entry.make(&spec, 0).map_err(|error| SpecError::new(key, error))?;
    let needs = entry.needs(&spec).map_err(|error| SpecError::new(key, error))?;
    if entry.kind().is_foreign() || needs.time.is_none() {
        return Ok(spec);
    }
    let offence = format_args!(
        "{agent} is limited by time, so no two runs need be alike; expected depth or nodes"
    );
    Err(SpecError::new(key, offence))
}

impl Spec {
    /// Fills in the defaults, with agents of `catalogue`. Refuses a tuning that makes no sense.
    pub fn settle(&self, catalogue: &Catalogue) -> Result<Plan, SpecError> {
        let mut spec = self.clone();
        let seed = KEYS.fill("seed", &mut spec.seed, 1)?;
        let algorithm = KEYS.fill("algorithm", &mut spec.algorithm, "cma-es".to_owned())?;
        let objective = KEYS.fill("objective", &mut spec.objective, "win-rate".to_owned())?;
        self.refuse_others(&algorithm, &objective)?;
        let Some(agent) = &self.agent else {
            let offence = "not said; expected one such as greedy:by=squares";
            return Err(SpecError::new("agent", offence));
        };
        let names = self.parameters.as_deref();
        let place = if names.is_some() { "parameters" } else { "agent" };
        let (rule, size) = spec.fill_game()?;
        let space = Space::in_games(catalogue, agent, names, rule, size)
            .map_err(|error| SpecError::new(place, error))?;
        untimed(catalogue, "agent", agent)?;
        let algorithm = spec.fill_algorithm(&algorithm, space.width())?;
        let objective = spec.fill_objective(&objective, catalogue)?;
        let games = spec.fill_games(&objective, rule, size)?;
        if let Some(most) = objective.most_empties() {
            if most > size.cells() as u32 - 4 {
                return Err(SpecError::new("empties", "more than the board has; expected fewer"));
            }
            let is_solved =
                !matches!(&objective, Objective::Effort(Searches { depth: Some(_), .. }));
            if is_solved && most > MOST_EMPTIES {
                let expected = format_args!("at most {MOST_EMPTIES} where they are solved");
                return Err(SpecError::value("empties", most, expected));
            }
        }
        if let Objective::Effort(_) = objective {
            search_parameters(catalogue, space.agent(), rule, size)
                .map_err(|offence| SpecError::new("agent", offence))?;
        }
        let start = KEYS.fill("start", &mut spec.start, Start::NAMES[0].to_owned())?;
        let start = if start == Start::NAMES[0] { Start::Random } else { Start::Values };
        let generations = KEYS.fill("generations", &mut spec.generations, 50)?;
        let patience = KEYS.fill("patience", &mut spec.patience, 0)?;
        if let Some(target) = self.target
            && !objective.fitnesses().contains(&target)
        {
            let (least, most) = objective.fitnesses().into_inner();
            let expected = format_args!("a fitness from {least} to {most}");
            return Err(SpecError::value("target", target, expected));
        }
        let finalists = KEYS.fill("finalists", &mut spec.finalists, 8)?;
        let proof_pairs = KEYS.fill("proof-pairs", &mut spec.proof_pairs, 2_000)?;
        let base = match objective {
            Objective::Effort(_) => Vec::new(),
            _ => vec!["random".to_owned(), agent.clone()],
        };
        let proof = KEYS.fill("proof", &mut spec.proof, base)?;
        let proof = proof.iter().map(|agent| untimed(catalogue, "proof", agent));
        let proof = proof.collect::<Result<_, _>>()?;
        KEYS.fill("name", &mut spec.name, "tuning".to_owned())?;
        spec.parameters =
            Some(space.parameters().map(|parameter| parameter.name.clone()).collect());
        Ok(Plan {
            target: spec.target,
            report_score: spec.report_score,
            report_fitness: spec.report_fitness,
            report_seconds: spec.report_seconds,
            spec,
            space,
            algorithm,
            objective,
            start,
            generations,
            patience,
            finalists,
            proof,
            proof_pairs,
            seed,
            games,
        })
    }

    /// Refuses keys of other algorithms and objectives.
    fn refuse_others(&self, algorithm: &str, objective: &str) -> Result<(), SpecError> {
        let set = toml::Table::try_from(self).expect("a specification is a plain table");
        for (asked, keys) in [(algorithm, OF_ALGORITHMS), (objective, OF_OBJECTIVES)] {
            for &(key, owners) in keys {
                if set.contains_key(key) && !owners.contains(&asked) {
                    let owners = owners.join(" or ");
                    let offence =
                        format_args!("means nothing to {asked}; expected it with {owners}");
                    return Err(SpecError::new(key, offence));
                }
            }
        }
        Ok(())
    }

    fn fill_algorithm(&mut self, name: &str, width: usize) -> Result<Algorithm, SpecError> {
        // The usual number for functions without noise, doubled.
        #[expect(clippy::cast_sign_loss, reason = "there is a parameter")]
        let usual = 2 * (4.0 + 3.0 * (width as f64).ln()) as usize;
        let (usual, least) = match name {
            "elitist" => (20, 2),
            "binary" => (60, 2),
            _ => (usual, 4),
        };
        let population = KEYS.fill("population", &mut self.population, usual)?;
        if population < least {
            let expected = format_args!("at least {least} for {name}");
            return Err(SpecError::value("population", population, expected));
        }
        match name {
            "elitist" => {
                let crossover = KEYS.fill("crossover", &mut self.crossover, 0.7)?;
                let mutation = KEYS.fill("mutation", &mut self.mutation, 1.0 / width as f64)?;
                Ok(Algorithm::Elitist { population, crossover, mutation })
            }
            "binary" => {
                let mutation = KEYS.fill("mutation", &mut self.mutation, 0.01)?;
                Ok(Algorithm::Binary { population, mutation })
            }
            _ => {
                let sigma = KEYS.fill("sigma", &mut self.sigma, 0.3)?;
                Ok(Algorithm::CmaEs { population, sigma })
            }
        }
    }

    fn fill_objective(
        &mut self,
        name: &str,
        catalogue: &Catalogue,
    ) -> Result<Objective, SpecError> {
        match name {
            "win-rate" => {
                let against = KEYS.fill("against", &mut self.against, "random".to_owned())?;
                let against = untimed(catalogue, "against", &against)?;
                let pairs = KEYS.fill("pairs", &mut self.pairs, 100)?;
                Ok(Objective::WinRate { against, pairs })
            }
            "round-robin" => {
                let games = KEYS.fill("games", &mut self.games, 1)?;
                Ok(Objective::RoundRobin { games })
            }
            "wins" => Ok(Objective::Wins),
            "neighbours" => {
                let neighbours = KEYS.fill("neighbours", &mut self.neighbours, 100)?;
                let radius = KEYS.fill("radius", &mut self.radius, 0.1)?;
                Ok(Objective::Neighbours { neighbours, radius })
            }
            "effort" => {
                let positions = KEYS.fill("positions", &mut self.positions, 50)?;
                let depth = self.depth;
                let usual = if depth.is_some() { [30, 40] } else { [14, 16] };
                let [least, most] = KEYS.fill("empties", &mut self.empties, usual)?;
                Ok(Objective::Effort(Searches { positions, empties: least..=most, depth }))
            }
            _ => {
                let positions = KEYS.fill("positions", &mut self.positions, 50)?;
                let plies = KEYS.fill("plies", &mut self.plies, 1)?;
                let [least, most] = KEYS.fill("empties", &mut self.empties, [10, 12])?;
                Ok(Objective::MinimaxLoss { positions, empties: least..=most, plies })
            }
        }
    }

    fn fill_game(&mut self) -> Result<(Rule, Size), SpecError> {
        let rule = KEYS.fill("rule", &mut self.rule, Rule::default().to_string())?;
        let width = KEYS.fill("size", &mut self.size, 8)?;
        let rule = rule.parse().expect("the table has the rules");
        Ok((rule, Size::new(width).expect("the table has the sizes")))
    }

    fn fill_games(
        &mut self,
        objective: &Objective,
        rule: Rule,
        size: Size,
    ) -> Result<Games, SpecError> {
        let ending = KEYS.fill("ending", &mut self.ending, ENDING)?;
        let needs_proof = ending > 0 || objective.most_empties().is_some();
        if needs_proof && !size.has_bits() {
            let offence = format_args!(
                "cannot be {size} where endings are proved; expected 4, 6 or 8, or ending = 0"
            );
            return Err(SpecError::new("size", offence));
        }
        let is_from_start = match objective {
            // Against a random player every game from the start differs; other games would repeat.
            Objective::WinRate { against, .. } => against.as_str() == "random",
            // As report 003 has it: no two of a generation meet more than twice.
            Objective::Wins => true,
            _ => false,
        };
        let usual = if is_from_start { "start" } else { "random:8" };
        let text = KEYS.fill("openings", &mut self.openings, usual.to_owned())?;
        let wrong = |offence: String| SpecError::new("openings", offence);
        let openings = match text.parse().map_err(|error: &str| wrong(error.to_owned()))? {
            Openings::File(name) => {
                let value = format_args!("the file {name:?}");
                return Err(SpecError::value("openings", value, "start or random:PLIES"));
            }
            openings => openings,
        };
        openings.check(rule, size).map_err(wrong)?;
        // Without a limit agents would take their time, and no two games would be alike.
        // A search for its effort goes to the end without one.
        let is_game = !matches!(objective, Objective::Effort(_));
        if is_game && self.depth.is_none() && self.nodes.is_none() {
            self.depth = Some(1);
        }
        self.depth.map_or(Ok(()), |depth| KEYS.check("depth", &depth))?;
        self.nodes.map_or(Ok(()), |nodes| KEYS.check("nodes", &nodes))?;
        Ok(Games { rule, size, openings, ending, depth: self.depth, nodes: self.nodes })
    }
}

#[cfg(test)]
mod tests;
