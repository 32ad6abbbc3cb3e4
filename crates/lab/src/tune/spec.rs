//! A tuning as it is written down: a TOML file, or options.
//!
//! What is not said has a default; what is not known, or is said of another
//! algorithm or objective than the one asked for, is refused by name.

mod keys;

use super::algorithm::Algorithm;
use super::games::Games;
use super::objective::Objective;
use super::plan::{Plan, Start};
use super::space::Space;
use isrever_agent::{Catalogue, Spec as AgentSpec};
use isrever_arena::Openings;
pub use isrever_arena::SpecError;
use isrever_board::{Rule, Size};
use isrever_reports::ENDING;
use keys::{MOST_EMPTIES, within};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What was written down of a tuning.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Spec {
    /// What it is called.
    pub name: Option<String>,
    /// Whose parameters are tuned; what its spec says of them is where a search may start.
    pub agent: Option<String>,
    /// Which of them; all if that is not said.
    pub parameters: Option<Vec<String>>,
    /// `elitist`, `binary` or `cma-es`.
    pub algorithm: Option<String>,
    /// Individuals of a generation; for `elitist` parents, with as many children.
    pub population: Option<usize>,
    /// `elitist`: how often a child has two parents.
    pub crossover: Option<f64>,
    /// `elitist`: how often a number changes; `binary`: a bit.
    pub mutation: Option<f64>,
    /// `cma-es`: how far individuals scatter at first, as a part of each range.
    pub sigma: Option<f64>,
    /// `random`, or `values` for those that the agent has.
    pub start: Option<String>,
    /// The most generations.
    pub generations: Option<u32>,
    /// A fitness that is enough.
    pub target: Option<f64>,
    /// Generations without a better mean after which the search ends; 0 for never.
    pub patience: Option<u32>,
    /// `win-rate`, `round-robin`, `neighbours` or `minimax-loss`.
    pub objective: Option<String>,
    /// `win-rate`: the opponent.
    pub against: Option<String>,
    /// `win-rate`: pairs of games of each individual.
    pub pairs: Option<u64>,
    /// `round-robin`: games of each two.
    pub games: Option<u64>,
    /// `neighbours`: how many each individual has.
    pub neighbours: Option<u64>,
    /// `neighbours`: how far they are, as a part of each range.
    pub radius: Option<f64>,
    /// `minimax-loss`: how many positions.
    pub positions: Option<usize>,
    /// `minimax-loss`: their empty squares, the fewest and the most.
    pub empties: Option<[u32; 2]>,
    /// `minimax-loss`: how deep their trees are.
    pub plies: Option<u32>,
    /// `reversed` or `normal`.
    pub rule: Option<String>,
    /// Width of the board.
    pub size: Option<usize>,
    /// `start` or `random:PLIES`.
    pub openings: Option<String>,
    /// From this many empty squares on games are decided by proof; 0 if they are played out.
    pub ending: Option<u32>,
    /// Plies that agents look ahead.
    pub depth: Option<u32>,
    /// Boards that agents look at.
    pub nodes: Option<u64>,
    /// How many of the last generations send their best to the final.
    pub finalists: Option<usize>,
    /// Whom the winner plays for its figure.
    pub proof: Option<Vec<String>>,
    /// Pairs of games of each of those matches.
    pub proof_pairs: Option<u64>,
    /// Where all random choices come from.
    pub seed: Option<u64>,
    /// Which part of which report it goes back to.
    pub source: Option<String>,
    /// The share of points against `random` that the report has.
    pub report_score: Option<f64>,
    /// The seconds that its search took.
    pub report_seconds: Option<f64>,
}

/// Agents that are other people's programs.
const GUESTS: [&str; 3] = ["python", "nboard", "gtp"];

fn wrong(key: &'static str, offence: impl fmt::Display) -> SpecError {
    SpecError::Value { key, offence: offence.to_string() }
}

/// Refuses an agent of ours that looks at a clock: no two runs of it need be alike. Programs of
/// other people cannot do without.
fn refuse_clocks(key: &'static str, agent: &str) -> Result<(), SpecError> {
    let AgentSpec { name, rest } = AgentSpec::new(agent);
    let is_clock = |item: &str| item.trim_start().starts_with("time=");
    match !GUESTS.contains(&name) && rest.split(',').any(is_clock) {
        true => {
            let offence = format_args!(
                "{agent} is limited by time, so no two runs need be alike; expected depth or nodes"
            );
            Err(wrong(key, offence))
        }
        false => Ok(()),
    }
}

/// `value`, or the first of `names`, if it is one of them.
fn named(
    key: &'static str,
    value: Option<&str>,
    default: &'static str,
    names: &[&'static str],
) -> Result<&'static str, SpecError> {
    let value = value.unwrap_or(default);
    names.iter().find(|name| **name == value).copied().ok_or_else(|| {
        wrong(key, format_args!("cannot be {value:?}; expected {}", names.join(", ")))
    })
}

impl Spec {
    /// Reads a TOML file.
    pub fn read(text: &str) -> Result<Spec, SpecError> {
        // Types first: serde would name Rust's, and no key.
        keys::check(text)?;
        isrever_arena::read_toml(text)
    }

    /// This, where it says something, else what `other` says.
    #[must_use]
    pub fn or(self, other: Spec) -> Spec {
        // Who limits moves one way does not mean the other's limit too.
        let limits = if self.depth.or(self.nodes.map(|_| 0)).is_some() { &self } else { &other };
        let (depth, nodes) = (limits.depth, limits.nodes);
        Spec {
            name: self.name.or(other.name),
            agent: self.agent.or(other.agent),
            parameters: self.parameters.or(other.parameters),
            algorithm: self.algorithm.or(other.algorithm),
            population: self.population.or(other.population),
            crossover: self.crossover.or(other.crossover),
            mutation: self.mutation.or(other.mutation),
            sigma: self.sigma.or(other.sigma),
            start: self.start.or(other.start),
            generations: self.generations.or(other.generations),
            target: self.target.or(other.target),
            patience: self.patience.or(other.patience),
            objective: self.objective.or(other.objective),
            against: self.against.or(other.against),
            pairs: self.pairs.or(other.pairs),
            games: self.games.or(other.games),
            neighbours: self.neighbours.or(other.neighbours),
            radius: self.radius.or(other.radius),
            positions: self.positions.or(other.positions),
            empties: self.empties.or(other.empties),
            plies: self.plies.or(other.plies),
            rule: self.rule.or(other.rule),
            size: self.size.or(other.size),
            openings: self.openings.or(other.openings),
            ending: self.ending.or(other.ending),
            depth,
            nodes,
            finalists: self.finalists.or(other.finalists),
            proof: self.proof.or(other.proof),
            proof_pairs: self.proof_pairs.or(other.proof_pairs),
            seed: self.seed.or(other.seed),
            source: self.source.or(other.source),
            report_score: self.report_score.or(other.report_score),
            report_seconds: self.report_seconds.or(other.report_seconds),
        }
    }

    /// The tuning that this means, with agents of `catalogue`.
    pub fn settle(&self, catalogue: &Catalogue) -> Result<Plan, SpecError> {
        let algorithm = named("algorithm", self.algorithm.as_deref(), "cma-es", &Algorithm::NAMES)?;
        let objective =
            named("objective", self.objective.as_deref(), "win-rate", &Objective::NAMES)?;
        self.refuse_others(algorithm, objective)?;
        let Some(agent) = &self.agent else {
            return Err(wrong("agent", "not said; expected one such as greedy:by=squares"));
        };
        let names = self.parameters.as_deref();
        let space = Space::new(catalogue, agent, names)
            .map_err(|error| wrong(if names.is_some() { "parameters" } else { "agent" }, error))?;
        refuse_clocks("agent", agent)?;
        let mut spec = self.clone();
        let algorithm = spec.fill_algorithm(algorithm, space.width())?;
        let objective = spec.fill_objective(objective, catalogue)?;
        let games = spec.fill_games(&objective)?;
        if let Objective::MinimaxLoss { empties, .. } = &objective
            && *empties.end() > games.size.cells() as u32 - 4
        {
            return Err(wrong("empties", "more than the board has; expected fewer"));
        }
        let start = named("start", self.start.as_deref(), Start::NAMES[0], &Start::NAMES)?;
        spec.start = Some(start.to_owned());
        let start = if start == "random" { Start::Random } else { Start::Values };
        let generations = within("generations", self.generations, 50)?;
        let patience = within("patience", self.patience, 0)?;
        if let Some(target) = self.target
            && !objective.fitnesses().contains(&target)
        {
            let (least, most) = (*objective.fitnesses().start(), *objective.fitnesses().end());
            let offence =
                format_args!("cannot be {target}; expected a fitness from {least} to {most}");
            return Err(wrong("target", offence));
        }
        for (key, value) in
            [("report-score", self.report_score), ("report-seconds", self.report_seconds)]
        {
            within(key, value, 0.0)?;
        }
        let finalists = within("finalists", self.finalists, 8)?;
        let proof_pairs = within("proof-pairs", self.proof_pairs, 2_000)?;
        let base = [String::from("random"), agent.clone()];
        let proof = self.proof.clone().unwrap_or_else(|| base.to_vec());
        for agent in &proof {
            catalogue.make(agent, 0).map_err(|error| wrong("proof", error))?;
            refuse_clocks("proof", agent)?;
        }
        let name = self.name.clone().unwrap_or_else(|| "tuning".to_owned());
        let seed = self.seed.unwrap_or(1);
        let tuned = space.parameters().map(|parameter| parameter.name.clone()).collect();
        spec = Spec {
            name: Some(name),
            parameters: Some(tuned),
            generations: Some(generations),
            patience: Some(patience),
            finalists: Some(finalists),
            proof: Some(proof.clone()),
            proof_pairs: Some(proof_pairs),
            seed: Some(seed),
            ..spec
        };
        Ok(Plan {
            target: spec.target,
            report_score: spec.report_score,
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

    /// Refuses keys of other algorithms and objectives than these.
    fn refuse_others(&self, algorithm: &str, objective: &str) -> Result<(), SpecError> {
        let of_algorithms: [(&'static str, bool, &[&str]); 3] = [
            ("crossover", self.crossover.is_some(), &["elitist"]),
            ("mutation", self.mutation.is_some(), &["elitist", "binary"]),
            ("sigma", self.sigma.is_some(), &["cma-es"]),
        ];
        let of_objectives: [(&'static str, bool, &[&str]); 8] = [
            ("against", self.against.is_some(), &["win-rate"]),
            ("pairs", self.pairs.is_some(), &["win-rate"]),
            ("games", self.games.is_some(), &["round-robin"]),
            ("neighbours", self.neighbours.is_some(), &["neighbours"]),
            ("radius", self.radius.is_some(), &["neighbours"]),
            ("positions", self.positions.is_some(), &["minimax-loss"]),
            ("empties", self.empties.is_some(), &["minimax-loss"]),
            ("plies", self.plies.is_some(), &["minimax-loss"]),
        ];
        for (asked, keys) in [(algorithm, &of_algorithms[..]), (objective, &of_objectives)] {
            for &(key, is_said, owners) in keys {
                if is_said && !owners.contains(&asked) {
                    let owners = owners.join(" or ");
                    let offence =
                        format_args!("means nothing to {asked}; expected it with {owners}");
                    return Err(wrong(key, offence));
                }
            }
        }
        Ok(())
    }

    fn fill_algorithm(&mut self, name: &'static str, width: usize) -> Result<Algorithm, SpecError> {
        self.algorithm = Some(name.to_owned());
        // The usual number for functions without noise, doubled.
        #[expect(clippy::cast_sign_loss, reason = "there is a parameter")]
        let usual = 2 * (4.0 + 3.0 * (width as f64).ln()) as usize;
        let (usual, least) = match name {
            "elitist" => (20, 2),
            "binary" => (60, 2),
            _ => (usual, 4),
        };
        let population = within("population", self.population, usual)?;
        if population < least {
            let offence =
                format_args!("cannot be {population}; expected at least {least} for {name}");
            return Err(wrong("population", offence));
        }
        self.population = Some(population);
        match name {
            "elitist" => {
                let crossover = within("crossover", self.crossover, 0.7)?;
                let mutation = within("mutation", self.mutation, 1.0 / width as f64)?;
                (self.crossover, self.mutation) = (Some(crossover), Some(mutation));
                Ok(Algorithm::Elitist { population, crossover, mutation })
            }
            "binary" => {
                let mutation = within("mutation", self.mutation, 0.01)?;
                self.mutation = Some(mutation);
                Ok(Algorithm::Binary { population, mutation })
            }
            _ => {
                let sigma = within("sigma", self.sigma, 0.3)?;
                self.sigma = Some(sigma);
                Ok(Algorithm::CmaEs { population, sigma })
            }
        }
    }

    fn fill_objective(
        &mut self,
        name: &'static str,
        catalogue: &Catalogue,
    ) -> Result<Objective, SpecError> {
        self.objective = Some(name.to_owned());
        match name {
            "win-rate" => {
                let against = self.against.get_or_insert_with(|| "random".to_owned()).clone();
                catalogue.make(&against, 0).map_err(|error| wrong("against", error))?;
                refuse_clocks("against", &against)?;
                let pairs = within("pairs", self.pairs, 100)?;
                self.pairs = Some(pairs);
                Ok(Objective::WinRate { against, pairs })
            }
            "round-robin" => {
                let games = within("games", self.games, 1)?;
                self.games = Some(games);
                Ok(Objective::RoundRobin { games })
            }
            "neighbours" => {
                let neighbours = within("neighbours", self.neighbours, 100)?;
                let radius = within("radius", self.radius, 0.1)?;
                (self.neighbours, self.radius) = (Some(neighbours), Some(radius));
                Ok(Objective::Neighbours { neighbours, radius })
            }
            _ => {
                let positions = within("positions", self.positions, 50)?;
                let plies = within("plies", self.plies, 1)?;
                let [least, most] = *self.empties.get_or_insert([10, 12]);
                if !(1..=most).contains(&least) || u64::from(most) > MOST_EMPTIES {
                    let offence = format_args!(
                        "cannot be [{least}, {most}]; expected the fewest and the most, from 1 to \
                         {MOST_EMPTIES}"
                    );
                    return Err(wrong("empties", offence));
                }
                (self.positions, self.plies) = (Some(positions), Some(plies));
                Ok(Objective::MinimaxLoss { positions, empties: least..=most, plies })
            }
        }
    }

    fn fill_games(&mut self, objective: &Objective) -> Result<Games, SpecError> {
        let rule: Rule = match &self.rule {
            None => Rule::Reversed,
            Some(rule) => rule.parse().map_err(|error| wrong("rule", error))?,
        };
        let size = match self.size {
            None => Size::EIGHT,
            Some(width) => Size::new(width).map_err(|error| wrong("size", error))?,
        };
        let ending = within("ending", self.ending, ENDING)?;
        let needs_proof = ending > 0 || matches!(objective, Objective::MinimaxLoss { .. });
        if needs_proof && !size.has_bits() {
            let offence = format_args!(
                "cannot be {size} where endings are proved; expected 4, 6 or 8, or ending = 0"
            );
            return Err(wrong("size", offence));
        }
        // Against chance every game differs from the start; others would repeat theirs.
        let is_against_chance =
            matches!(objective, Objective::WinRate { against, .. } if against == "random");
        let usual = if is_against_chance { "start" } else { "random:8" };
        let openings = self.openings.get_or_insert_with(|| usual.to_owned());
        let openings = match openings.parse().map_err(|error| wrong("openings", error))? {
            Openings::File(name) => {
                let offence =
                    format_args!("cannot be the file {name:?}; expected start or random:PLIES");
                return Err(wrong("openings", offence));
            }
            openings => openings,
        };
        openings.check(rule, size).map_err(|offence| wrong("openings", offence))?;
        within("depth", self.depth, 1)?;
        within("nodes", self.nodes, 1)?;
        // Without a limit agents would take their time, and no two games would be alike.
        let depth = self.depth.or(self.nodes.is_none().then_some(1));
        (self.rule, self.size) = (Some(rule.to_string()), Some(usize::from(size.width())));
        (self.ending, self.depth) = (Some(ending), depth);
        Ok(Games { rule, size, openings, ending, depth, nodes: self.nodes })
    }

    /// The same on a small scale, to see that it works.
    #[must_use]
    pub fn quick(self) -> Spec {
        let most =
            |value: Option<u64>, most: u64| Some(value.map_or(most, |value| value.min(most)));
        let counts = |value: Option<usize>, most: usize| Some(value.map_or(most, |v| v.min(most)));
        let is = |name: &str| self.objective.as_deref().unwrap_or("win-rate") == name;
        let (of_rate, of_robin) = (is("win-rate"), is("round-robin"));
        let (of_neighbours, of_loss) = (is("neighbours"), is("minimax-loss"));
        Spec {
            population: counts(self.population, 6),
            generations: Some(self.generations.map_or(3, |generations| generations.min(3))),
            pairs: if of_rate { most(self.pairs, 5) } else { self.pairs },
            games: if of_robin { most(self.games, 1) } else { self.games },
            neighbours: if of_neighbours { most(self.neighbours, 5) } else { self.neighbours },
            positions: if of_loss { counts(self.positions, 4) } else { self.positions },
            finalists: counts(self.finalists, 2),
            proof_pairs: most(self.proof_pairs, 20),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(text: &str) -> Result<Plan, SpecError> {
        Spec::read(text)?.settle(&isrever_reports::catalogue())
    }

    #[test]
    fn what_is_settled_means_the_same_when_it_is_read_again() {
        for text in [
            "agent = \"greedy:by=squares\"",
            "agent = \"genetic\"\nalgorithm = \"binary\"\nobjective = \"round-robin\"\nnodes = 50",
            "agent = \"maximax\"\nalgorithm = \"elitist\"\nobjective = \"neighbours\"\nradius = 0.2",
            "agent = \"depth3\"\nparameters = [\"b2\"]\nobjective = \"minimax-loss\"\nempties = [6, 8]",
        ] {
            let first = plan(text).unwrap();
            let again = first.spec.settle(&isrever_reports::catalogue()).unwrap();
            assert_eq!(again.spec, first.spec, "{text}");
            assert_eq!((again.algorithm, &again.objective), (first.algorithm, &first.objective));
            let quick = first.spec.clone().quick().settle(&isrever_reports::catalogue()).unwrap();
            assert!(quick.generations == 3 && quick.objective.matchups(6) <= 30, "{quick:?}");
        }
    }

    #[test]
    fn options_come_before_the_file() {
        let file = Spec::read("agent = \"genetic\"\ndepth = 3\nseed = 7\npairs = 5").unwrap();
        let typed = Spec { nodes: Some(50), seed: Some(8), ..Spec::default() };
        let both = typed.or(file);
        assert_eq!(
            (both.seed, both.pairs, both.depth, both.nodes),
            (Some(8), Some(5), None, Some(50))
        );
    }

    #[test]
    fn what_is_wrong_is_named_with_what_was_expected() {
        let refusal = |text: &str| plan(text).unwrap_err().to_string();
        let agent = "agent = \"greedy:by=squares\"\n";
        for (more, words) in [
            ("speed = 3", "line 2: unknown field \"speed\", expected one of \"name\", \"agent\""),
            (
                "pairs = \"many\"",
                "pairs: cannot be \"many\"; expected a whole number from 1 to 10000000",
            ),
            (
                "population = -4",
                "population: cannot be -4; expected a whole number from 2 to 10000",
            ),
            ("seed = 1.5", "seed: cannot be 1.5; expected a whole number from 0 up"),
            ("sigma = [1]", "sigma: cannot be [1]; expected a number from 0.001 to 1"),
            ("algorithm = 3", "algorithm: cannot be 3; expected elitist, binary or cma-es"),
            ("proof = \"random\"", "proof: cannot be \"random\"; expected a list of agents"),
            ("parameters = []", "parameters: none; expected some of a1, b1"),
            ("parameters = [\"a1\", \"a1\"]", "parameters: a1 is named twice; expected each once"),
            ("target = 3", "target: cannot be 3; expected a fitness from 0 to 1"),
            (
                "against = \"genetic:time=1s\"",
                "against: genetic:time=1s is limited by time, so no two runs need be alike; expected",
            ),
            (
                "algorithm = \"luck\"",
                "algorithm: cannot be \"luck\"; expected elitist, binary, cma-es",
            ),
            (
                "objective = \"luck\"",
                "objective: cannot be \"luck\"; expected win-rate, round-robin",
            ),
            ("start = \"here\"", "start: cannot be \"here\"; expected random, values"),
            ("population = 1", "population: cannot be 1; expected a whole number from 2 to 10000"),
            ("population = 3", "population: cannot be 3; expected at least 4 for cma-es"),
            (
                "mutation = 0.1",
                "mutation: means nothing to cma-es; expected it with elitist or binary",
            ),
            ("radius = 0.1", "radius: means nothing to win-rate; expected it with neighbours"),
            (
                "parameters = [\"a1\", \"z9\"]",
                "parameters: no parameter is called \"z9\"; expected some of a1, b1",
            ),
            ("against = \"nobody\"", "against: no agent is called \"nobody\""),
            ("proof = [\"nobody\"]", "proof: no agent is called \"nobody\""),
            ("size = 10", "size: cannot be 10 where endings are proved; expected 4, 6 or 8"),
            ("rule = \"odd\"", "rule: "),
            (
                "openings = \"book.txt\"",
                "openings: cannot be the file \"book.txt\"; expected start or",
            ),
            ("depth = 0", "depth: cannot be 0; expected"),
            ("sigma = nan", "sigma: cannot be NaN; expected a number from 0.001 to 1"),
            ("target = inf", "target: cannot be inf; expected a fitness from 0 to 1"),
        ] {
            let found = refusal(&format!("{agent}{more}"));
            assert!(found.starts_with(words), "{found}");
        }
        assert!(refusal("seed = 1").starts_with("agent: not said; expected one such as greedy"));
        assert!(
            refusal("agent = \"random\"").starts_with("agent: random has no parameters; expected")
        );
        let loss = format!("{agent}objective = \"minimax-loss\"\nempties = [12, 10]");
        assert!(refusal(&loss).starts_with("empties: cannot be [12, 10]; expected the fewest"));
    }
}
