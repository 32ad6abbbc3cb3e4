//! Report 004: alpha-beta in three stages.
//!
//! Section 2.3.2: early below 24 discs, three plies; middle from 24 to 57, four
//! plies; later from 58, to the end. Section 2.3.3: E = k1·W + k2·(own − opponent
//! mobility) + k3·(own − opponent edge discs) with W = −Σ weight·disc and
//! (k1, k2, k3) = (5, 3, 3) early and (3, 7, 3) in the middle; a decided game is
//! worth ±∞.
//!
//! What the report leaves open, and our choice:
//! - *k2 in the middle* is 7 in 2.3.3 and 5 in the pseudo-code of 2.4.2: the table stands.
//! - *Leaves from 58 discs* are worth ±∞ by who is ahead in 2.3.3 and 2.4.2, though the game is not
//!   over: a search of four plies from 54 discs meets them. `late` is the number of discs from
//!   which this holds; with 64 only finished games are decided.
//! - *A draw* is worth nothing; the pseudo-code counts whatever is not won as lost.
//! - *A game that ends early*, by a wipe-out, is decided as well; of two wins the greater.
//! - *The stage* is that of the board evaluated, the depth that of the board at the root.
//! - *The order of moves* is the board's. The report has no rule for time.

use super::in_proportion;
use crate::alpha_beta::{AlphaBeta, DECIDED, Evaluation, TO_THE_END};
use crate::chooser::Chooser;
use crate::features::{Features, WeightMap, sense};
use isrever_agent::{Agent, Choice, Field, Forfeit, Limits, Parameter, Parameters, Watch};
use isrever_board::{Game, Rule, Size};
use std::sync::LazyLock;

const MAP: [i32; 10] = [100, -5, 10, 5, -45, 1, 1, 3, 2, 1];

static TABLE: LazyLock<Vec<Parameter>> = LazyLock::new(|| {
    let (stages, weights) = ("report 004, 2.3.2", "report 004, 2.3.3");
    let mut table = vec![
        Parameter::whole("early_depth", 3, (1, 12), stages),
        Parameter::whole("middle_depth", 4, (1, 12), stages),
        Parameter::whole("early", 24, (4, 64), stages),
        Parameter::whole("ending", 6, (0, 20), "report 004, 2.3.2: from 58 discs"),
        Parameter::whole("late", 58, (4, 64), "report 004, 2.3.3: leaves by who is ahead"),
        Parameter::whole("early_squares", 5, (-20, 20), weights),
        Parameter::whole("early_mobility", 3, (-20, 20), weights),
        Parameter::whole("early_edge", 3, (-20, 20), weights),
        Parameter::whole("middle_squares", 3, (-20, 20), weights),
        Parameter::whole("middle_mobility", 7, (-20, 20), weights),
        Parameter::whole("middle_edge", 3, (-20, 20), weights),
    ];
    table.extend(Parameter::squares("", MAP, (-100, 100), "report 004, 2.2"));
    table
});

/// Report 004's agent.
#[derive(Clone, Debug)]
pub struct ThreeStage {
    parameters: Parameters,
}

impl ThreeStage {
    /// The tunable parameters.
    pub fn table() -> &'static [Parameter] {
        &TABLE
    }

    /// The agent with these parameters, of its own table.
    pub fn new(parameters: Parameters) -> ThreeStage {
        ThreeStage { parameters }
    }

    /// The agent's evaluation of boards of `size` under `rule`, without its search.
    pub fn evaluation(
        parameters: &Parameters,
        size: Size,
        rule: Rule,
    ) -> impl Evaluation + Send + use<> {
        Evaluator::new(parameters, size, rule)
    }
}

/// Weights of squares, mobility and edge discs.
struct Weights {
    squares: f64,
    mobility: f64,
    edge: f64,
}

struct Evaluator {
    map: WeightMap,
    rule: Rule,
    /// Below this many discs it is early.
    early_below: f64,
    /// From this many discs on who is ahead has won.
    late_from: f64,
    early: Weights,
    middle: Weights,
}

impl Evaluator {
    fn new(parameters: &Parameters, size: Size, rule: Rule) -> Evaluator {
        let weights = |stage: &str| Weights {
            squares: -sense(rule) * parameters.get(&format!("{stage}_squares")),
            mobility: parameters.get(&format!("{stage}_mobility")),
            edge: sense(rule) * parameters.get(&format!("{stage}_edge")),
        };
        Evaluator {
            map: WeightMap::new(&parameters.squares(""), size),
            rule,
            late_from: in_proportion(parameters.get("late"), size),
            early_below: in_proportion(parameters.get("early"), size),
            early: weights("early"),
            middle: weights("middle"),
        }
    }

    fn is_early(&self, field: &impl Features) -> bool {
        discs(field) < self.early_below
    }
}

fn discs(field: &impl Features) -> f64 {
    f64::from(field.counts().iter().sum::<u32>())
}

impl Evaluation for Evaluator {
    fn value(&self, field: &impl Features) -> f64 {
        if discs(field) >= self.late_from {
            // A proved win is worth at least as much.
            return DECIDED * f64::from(field.score(self.rule).signum());
        }
        let weights = if self.is_early(field) { &self.early } else { &self.middle };
        weights.squares * field.weight(&self.map)
            + weights.mobility * field.margin(Field::mobility)
            + weights.edge * field.margin(Features::edge)
    }
}

impl Chooser for ThreeStage {
    fn choose_on<F: Features>(&mut self, field: &F, rule: Rule, watch: &mut Watch<'_>) -> Choice {
        let evaluator = Evaluator::new(&self.parameters, field.size(), rule);
        let depth = if field.empties() <= self.parameters.count("ending") {
            TO_THE_END
        } else if evaluator.is_early(field) {
            self.parameters.count("early_depth")
        } else {
            self.parameters.count("middle_depth")
        };
        let depth = watch.depth(depth);
        AlphaBeta::new(&evaluator, rule, watch).deepen(field, depth, depth)
    }
}

impl Agent for ThreeStage {
    fn name(&self) -> String {
        "threestage".to_owned()
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

    fn value(text: &str, rule: Rule) -> f64 {
        let position = position(text);
        let field = Bits { board: position.board().unwrap(), size: position.size() };
        let parameters = Parameters::new(ThreeStage::table());
        Evaluator::new(&parameters, position.size(), rule).value(&field)
    }

    #[test]
    fn early_by_hand() {
        // On 4×4 it is early below six discs. Black a1, b1; white b2. W = −(100 − 5 + 45); black
        // can play b3 and c3, white nothing; edge discs 2 and 0.
        let text = "XX---O---------- X";
        assert_eq!(value(text, Rule::Reversed), 5.0 * -140.0 + 3.0 * 2.0 + 3.0 * 2.0);
        assert_eq!(value(text, Rule::Normal), 5.0 * 140.0 + 3.0 * 2.0 - 3.0 * 2.0);
    }

    #[test]
    fn the_middle_by_hand() {
        // Six discs: black a1, b1, c1, d1; white b2, c2. W = −(100 − 5 − 5 + 100 + 45 + 45);
        // black can play a3, b3, c3 and d3, white nothing; edge discs 4 and 0.
        let text = "XXXX-OO--------- X";
        assert_eq!(value(text, Rule::Reversed), 3.0 * -280.0 + 7.0 * 4.0 + 3.0 * 4.0);
    }

    #[test]
    fn late_leaves_are_decided_by_who_is_ahead() {
        // 15 of 16 squares are 58 of 64 in proportion, rounded up: black has eight, white seven.
        let text = "XXXXXXXXOOOOOOO- X";
        assert_eq!(value(text, Rule::Reversed), -DECIDED);
        assert_eq!(value(text, Rule::Normal), DECIDED);
        let position = position(text);
        let field = Bits { board: position.board().unwrap(), size: Size::FOUR };
        let catalogue = crate::catalogue();
        let parameters = catalogue.parameters("threestage:late=64").unwrap().unwrap();
        let value = Evaluator::new(&parameters, Size::FOUR, Rule::Reversed).value(&field);
        assert!(value.abs() < 10_000.0, "{value}");
    }

    #[test]
    fn the_depth_follows_the_stage() {
        let mut agent = ThreeStage::new(Parameters::new(ThreeStage::table()));
        let mut game = Game::new(Rule::Reversed, Size::EIGHT);
        let mut depths = Vec::new();
        while !game.is_over() {
            if game.position().must_pass() {
                game.play(isrever_board::Move::Pass).unwrap();
                continue;
            }
            let discs = 64 - game.position().empties();
            let choice = agent.choose(&game, &Limits::default()).unwrap();
            depths.push((discs, choice.depth.unwrap()));
            game.place(choice.square).unwrap();
        }
        for (discs, depth) in depths {
            match discs {
                ..24 => assert_eq!(depth, 3, "{discs}"),
                24..58 => assert_eq!(depth, 4, "{discs}"),
                _ => assert_eq!(depth, 64 - discs),
            }
        }
    }
}
