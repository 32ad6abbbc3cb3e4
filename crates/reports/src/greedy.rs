//! The greedy agent, which looks one move ahead, and the measures it can go by.

use crate::alpha_beta::Evaluation;
use crate::cache::Cached;
use crate::chooser::Chooser;
use crate::combination::Combination;
use crate::features::Features;
use isrever_agent::{Agent, Choice, Field, Forfeit, Limits, Parameters, Rng, Watch};
use isrever_board::{Game, Rule, Square};

/// The value of a board to a greedy agent.
#[derive(Clone, PartialEq, Debug)]
pub enum Measure {
    /// The discs, counted as if the game were over: few under the reversed rule, many under the
    /// normal one.
    Discs,
    /// More moves than the opponent, under both rules. Against random players that makes 74 % of
    /// the points under the normal rule, and 26 % under the reversed one (2,000 games): there,
    /// mobility helps only together with other features.
    Mobility,
    /// Report 000's evaluation, by its weights of squares alone or with mobility.
    Combination(Parameters),
}

impl Measure {
    /// The names of the measures.
    pub const NAMES: [&'static str; 4] = ["discs", "mobility", "squares", "combination"];

    /// The measure called `name`, with the report's weights if it has weights.
    pub fn by_name(name: &str) -> Option<Measure> {
        let of = |table| {
            Measure::Combination(Parameters::new(table).with_presets(Combination::presets()))
        };
        match name {
            "discs" => Some(Measure::Discs),
            "mobility" => Some(Measure::Mobility),
            "squares" => Some(of(Combination::squares_table())),
            "combination" => Some(of(Combination::table())),
            _ => None,
        }
    }

    /// Its parameters, if it has any.
    pub(crate) fn into_parameters(self) -> Option<Parameters> {
        match self {
            Measure::Combination(parameters) => Some(parameters),
            Measure::Discs | Measure::Mobility => None,
        }
    }

    /// The moves that lead to the best value, row by row, and that value.
    fn best_at_once<F: Features>(
        &self,
        field: &F,
        rule: Rule,
        cache: &mut Cached<Combination>,
    ) -> (Vec<Square>, f64) {
        let size = field.size();
        match self {
            Measure::Discs => best(field, |after| f64::from(after.score(rule))),
            Measure::Mobility => best(field, |after| after.margin(Field::mobility)),
            Measure::Combination(parameters) => {
                let evaluation = cache.get(size, rule, || Combination::new(parameters, size, rule));
                best(field, |after| evaluation.value(after))
            }
        }
    }
}

/// The moves after which `value` is greatest for the side that moved.
fn best<F: Features>(field: &F, value: impl Fn(&F) -> f64) -> (Vec<Square>, f64) {
    let (mut best, mut greatest) = (Vec::new(), f64::NEG_INFINITY);
    for square in field.moves() {
        let value = value(&field.play(square).pass());
        if value > greatest {
            (best, greatest) = (Vec::new(), value);
        }
        if value == greatest {
            best.push(square);
        }
    }
    (best, greatest)
}

/// Plays the move that leads to the best board.
///
/// Its seed decides among equal moves, so different seeds give different games.
#[derive(Clone, Debug)]
pub struct Greedy {
    measure: Measure,
    evaluation: Cached<Combination>,
    rng: Rng,
}

impl Greedy {
    /// The player that counts discs: the same seed plays the same moves in the same games.
    pub fn new(seed: u64) -> Greedy {
        Greedy::by(Measure::Discs, seed)
    }

    /// The player that goes by `measure`.
    pub fn by(measure: Measure, seed: u64) -> Greedy {
        Greedy { measure, evaluation: Cached::default(), rng: Rng::new(seed) }
    }
}

impl Chooser for Greedy {
    fn choose_on<F: Features>(&mut self, field: &F, rule: Rule, _: &mut Watch<'_>) -> Choice {
        let (squares, value) = self.measure.best_at_once(field, rule, &mut self.evaluation);
        let nodes = u64::from(field.mobility());
        Choice { square: self.rng.pick(&squares), value: Some(value), depth: Some(1), nodes }
    }
}

impl Agent for Greedy {
    fn name(&self) -> String {
        "greedy".to_owned()
    }

    fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit> {
        Ok(self.choose_in(game, &mut Watch::new(limits)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::position;
    use isrever_agent::Bits;

    /// Black turns one disc with d1, d3 and c4, and two with d2 and b4.
    fn choices(measure: &str, rule: Rule) -> Vec<String> {
        let position = position("-XO-XOO--O------ X");
        let field = Bits { board: position.board().unwrap(), size: position.size() };
        let measure = Measure::by_name(measure).unwrap();
        let (squares, _) = measure.best_at_once(&field, rule, &mut Cached::default());
        squares.iter().map(Square::to_string).collect()
    }

    #[test]
    fn it_takes_what_is_best_now_under_either_rule() {
        assert_eq!(choices("discs", Rule::Normal), ["d2", "b4"]);
        assert_eq!(choices("discs", Rule::Reversed), ["d1", "d3", "c4"]);
    }

    #[test]
    fn mobility_is_good_under_either_rule() {
        assert_eq!(choices("mobility", Rule::Normal), choices("mobility", Rule::Reversed));
    }

    #[test]
    fn squares_cost_under_the_reversed_rule() {
        // The square itself and twice each disc turned: d1 costs 0.58 + 2 · 0.32, d3 and c4
        // 0.32 + 2 · 0.74, d2 and b4 0.32 + 4 · 0.74.
        assert_eq!(choices("squares", Rule::Reversed), ["d1"]);
        assert_eq!(choices("squares", Rule::Normal), ["d2", "b4"]);
    }

    #[test]
    fn every_measure_has_a_name() {
        for name in Measure::NAMES {
            assert!(Measure::by_name(name).is_some(), "{name}");
        }
        assert_eq!(Measure::by_name("luck"), None);
    }
}
