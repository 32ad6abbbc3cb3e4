//! A tuning as a user writes it down: a TOML file, or options.
//!
//! [`Spec::KEYS`] is the table of all keys.

use super::algorithm::{Algorithm, Start};
use super::objective::Objective;
pub use isrever_settings::Error as SpecError;
use isrever_settings::{Kind, MOST, settings};

/// Positions with more empty squares take too long to solve.
pub(super) const MOST_EMPTIES: u32 = 20;

settings! {
    /// A tuning as a user writes it down.
    pub struct Spec {
        "name" name: Option<String> = Kind::Text("a name in quotes"), "`tuning`",
            "what the tuning is called";
        "agent" agent: Option<String> = Kind::Text("an agent such as \"greedy:by=squares\""), "",
            "whose parameters are tuned, as a spec; the values that it gives them are those of `start = \"values\"`";
        "parameters" parameters: Option<Vec<String>> =
            Kind::Texts("a list of names such as [\"a1\", \"b2\"]"), "all of the agent's table",
            "the parameters to tune";
        "algorithm" algorithm: Option<String> = Kind::Choice(&Algorithm::NAMES), "`cma-es`",
            "how individuals are found";
        "population" population: Option<usize> = Kind::Whole(2, 10_000),
            "20, 60, or 2 ⌊4 + 3 ln n⌋ for n parameters",
            "individuals of a generation; for `elitist` parents, with as many children";
        "crossover" crossover: Option<f64> = Kind::Number(0.0, 1.0), "0.7",
            "`elitist`: how often a child has two parents";
        "mutation" mutation: Option<f64> = Kind::Number(0.0, 1.0), "1/n; 0.01",
            "how often a number changes (`elitist`), or a bit (`binary`)";
        "sigma" sigma: Option<f64> = Kind::Number(0.001, 1.0), "0.3",
            "`cma-es`: how far individuals scatter at first, as a part of each range";
        "start" start: Option<String> = Kind::Choice(&Start::NAMES), "`random`",
            "where the search starts: anywhere, or at the values of the agent";
        "generations" generations: Option<u32> = Kind::Whole(1, 100_000), "50",
            "the most generations";
        "target" target: Option<f64> = Kind::FINITE, "none",
            "a fitness that is enough: 0 to 1, for `neighbours` −0.5 to 0.5, for `minimax-loss` 0 or less, for `effort` any";
        "patience" patience: Option<u32> = Kind::Whole(0, 100_000), "0",
            "generations without a better mean after which the search ends; 0 for never";
        "objective" objective: Option<String> = Kind::Choice(&Objective::NAMES), "`win-rate`",
            "what makes an individual fit";
        "against" against: Option<String> = Kind::Text("an agent such as \"random\""), "`random`",
            "`win-rate`: the opponent";
        "pairs" pairs: Option<u64> = Kind::Whole(1, 10_000_000), "100",
            "`win-rate`: pairs of games of each individual";
        "games" games: Option<u64> = Kind::Whole(1, 100_000), "1",
            "`round-robin`: games of each two";
        "neighbours" neighbours: Option<u64> = Kind::Whole(1, 1_000_000), "100",
            "`neighbours`: how many each individual has";
        "radius" radius: Option<f64> = Kind::Number(0.001, 1.0), "0.1",
            "`neighbours`: how far they are, as a part of each range";
        "positions" positions: Option<usize> = Kind::Whole(2, 100_000), "50",
            "`minimax-loss`, `effort`: how many positions";
        "empties" empties: Option<[u32; 2]> = Kind::Span(1, 60), "[10, 12]",
            "`minimax-loss`, `effort`: their empty squares, at most 20 where they are solved; `effort` has [14, 16] by default, or [30, 40] with `depth`";
        "plies" plies: Option<u32> = Kind::Whole(0, 4), "1",
            "`minimax-loss`: how deep their trees are";
        "rule" rule: Option<String> = Kind::Choice(&["reversed", "normal"]), "`reversed`",
            "what is played for";
        "size" size: Option<usize> = Kind::Among(&[4, 6, 8, 10, 12, 14, 16]), "8",
            "width of the board";
        "openings" openings: Option<String> = Kind::Text("start or random:PLIES"),
            "`start` against `random` and for `wins`, else `random:8`", "what games begin with";
        "ending" ending: Option<u32> = Kind::Whole(0, 20), "12",
            "the number of empty squares from which on a proof decides a game; 0 plays every game out";
        "depth" depth: Option<u32> = Kind::Whole(1, 64), "1, if there is no `nodes`",
            "plies for a move; `effort`: of a search, which without them finds exact scores";
        "nodes" nodes: Option<u64> = Kind::Whole(1, MOST), "", "boards for a move";
        "finalists" finalists: Option<usize> = Kind::Whole(1, 1_000), "8",
            "how many of the last generations send their best to the final";
        "proof" proof: Option<Vec<String>> = Kind::Texts("a list of agents such as [\"random\"]"),
            "`random` and the agent as it was; none for `effort`", "the opponents of the winner's last matches";
        "proof-pairs" proof_pairs: Option<u64> = Kind::Whole(2, 10_000_000), "2000",
            "pairs of games of each of those matches";
        "seed" seed: Option<u64> = Kind::Whole(0, MOST), "1", "where all random choices come from";
        "source" source: Option<String> = Kind::Text("the place in a report, in quotes"), "",
            "for the page: the part of a report that it goes back to";
        "report-score" report_score: Option<f64> = Kind::Number(0.0, 1.0), "",
            "for the page: the share of points against `random` in the report";
        "report-fitness" report_fitness: Option<f64> = Kind::FINITE, "",
            "for the page: the fitness of the report's winner by the same objective";
        "report-seconds" report_seconds: Option<f64> = Kind::Number(0.0, 1e9), "",
            "for the page: the seconds that the report's search took";
    }
}

impl Spec {
    /// Reads a TOML file.
    pub fn read(text: &str) -> Result<Spec, SpecError> {
        Spec::KEYS.read(text)
    }

    /// These settings, and those of `other` where they are open.
    #[must_use]
    pub fn or(self, mut other: Spec) -> Spec {
        // One limit replaces both of the other's.
        if self.depth.is_some() || self.nodes.is_some() {
            (other.depth, other.nodes) = (None, None);
        }
        self.merge(other)
    }

    /// The same on a small scale, to see that it works.
    #[must_use]
    pub fn quick(mut self) -> Spec {
        fn limit<T: Ord>(value: &mut Option<T>, most: T) {
            let limited = match value.take() {
                Some(value) => value.min(most),
                None => most,
            };
            *value = Some(limited);
        }
        limit(&mut self.population, 6);
        limit(&mut self.generations, 3);
        match self.objective.as_deref().unwrap_or("win-rate") {
            "win-rate" => limit(&mut self.pairs, 5),
            "round-robin" => limit(&mut self.games, 1),
            "neighbours" => limit(&mut self.neighbours, 5),
            "minimax-loss" | "effort" => limit(&mut self.positions, 4),
            _ => {}
        }
        limit(&mut self.finalists, 2);
        limit(&mut self.proof_pairs, 20);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_small_scale_needs_no_keys_of_other_objectives() {
        let quick = Spec::read("objective = \"neighbours\"\nfinalists = 1").unwrap().quick();
        assert_eq!((quick.neighbours, quick.pairs, quick.finalists), (Some(5), None, Some(1)));
    }

    #[test]
    fn the_guide_has_the_table_of_keys() {
        let guide = include_str!("../../../../docs/guide/formats.md");
        let table = Spec::KEYS.markdown();
        assert!(guide.contains(&table), "docs/guide/formats.md should have\n{table}");
    }
}
