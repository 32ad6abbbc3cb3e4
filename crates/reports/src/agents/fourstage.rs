//! Report 002: four heuristics in four stages, deepening until the time is up.
//!
//! Section III.D: the value is the overall weight of the discs and one more term.
//! Beginning (no disc on an edge): 5 × mobility. Middle (at least one disc on an
//! edge): 15 × frontier. Ending (at least two discs of one colour in corners):
//! 25 × stability. Game end: the difference in discs. Section IV.3: "a list of
//! actions sorted by their overall weights" orders the moves.
//!
//! What the report leaves open, and our choice:
//! - *Whose mobility, frontier and stability*: one's own less the opponent's. "Maximize the
//!   number of frontier discs we have", "with fewer stable discs", "restricting opponent's
//!   mobility" (III.C, III.D) give the signs: own frontier discs are good, own stable discs bad.
//! - *A stable disc* "is connected to corners", by "a horizontal/vertical path … filled with discs
//!   of same color" (III.C): inner discs count too, though some of them can still turn. With
//!   `inner` 0 only discs along the edges count, which cannot.
//! - *The map* lacks its fifth row, which is the fourth again.
//! - *The overall weight of an action* is the weight of its square.
//! - *The game's end*: Algorithm 7 returns the difference in discs as it is, small beside the
//!   weights; the parameter `end` multiplies it. Ours counts empty squares for the winner.
//! - *The depth* "in iterative search … varies from 6 to 10" (III.E): `first` and `last`. The time
//!   is the platform's 5 s. A limit of boards is ours, and may be too small for six plies: with
//!   one the search begins at the first ply, so that it always finishes an iteration.

use super::PLATFORM_TIME;
use crate::alpha_beta::{AlphaBeta, Evaluation};
use crate::chooser::Chooser;
use crate::features::{Features, WeightMap, sense};
use isrever_agent::{Agent, Choice, Field, Forfeit, Limits, Parameter, Parameters, Watch};
use isrever_board::{Game, Rule, Size};
use std::sync::LazyLock;

const MAP: [i32; 10] = [-800, 260, -50, -30, 100, -10, -5, -5, 3, 1];

static TABLE: LazyLock<Vec<Parameter>> = LazyLock::new(|| {
    let source = "report 002, III.D";
    let mut table = vec![
        Parameter::whole("mobility", 5, (-100, 100), source),
        Parameter::whole("frontier", 15, (-100, 100), source),
        Parameter::whole("stability", 25, (-100, 100), source),
        Parameter::whole("end", 1, (1, 1_000_000), "report 002, algorithm 7"),
        Parameter::whole("inner", 1, (0, 1), "report 002, III.C: a horizontal/vertical path"),
        Parameter::whole("first", 6, (1, 60), "report 002, III.E"),
        Parameter::whole("last", 10, (1, 60), "report 002, III.E"),
    ];
    table.extend(Parameter::squares("", MAP, (-1_000, 1_000), "report 002, table II"));
    table
});

/// Report 002's agent.
#[derive(Clone, Debug)]
pub struct FourStage {
    parameters: Parameters,
    /// The depth of the first iteration.
    first: u32,
}

impl FourStage {
    /// The tunable parameters.
    pub fn table() -> &'static [Parameter] {
        &TABLE
    }

    /// The agent with these parameters, of its own table.
    pub fn new(parameters: Parameters) -> FourStage {
        FourStage { first: parameters.count("first"), parameters }
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

/// How far a game has come, short of its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Beginning,
    Middle,
    Ending,
}

fn stage(field: &impl Features) -> Stage {
    let other = field.pass();
    if field.corners().max(other.corners()) >= 2 {
        Stage::Ending
    } else if field.edge() + other.edge() > 0 {
        Stage::Middle
    } else {
        Stage::Beginning
    }
}

struct Evaluator {
    /// What a disc on a square is worth under the rule; moves are ordered by it too.
    map: WeightMap,
    mobility: f64,
    frontier: f64,
    stability: f64,
    /// Whether inner discs can be stable.
    is_inner: bool,
    end: f64,
}

impl Evaluator {
    fn new(parameters: &Parameters, size: Size, rule: Rule) -> Evaluator {
        let sense = sense(rule);
        Evaluator {
            map: WeightMap::new(&parameters.squares("").map(|weight| sense * weight), size),
            mobility: parameters.get("mobility"),
            frontier: sense * parameters.get("frontier"),
            stability: -sense * parameters.get("stability"),
            is_inner: parameters.count("inner") > 0,
            end: parameters.get("end"),
        }
    }
}

impl Evaluation for Evaluator {
    fn value(&self, field: &impl Features) -> f64 {
        let heuristic = match stage(field) {
            Stage::Beginning => self.mobility * field.margin(Field::mobility),
            Stage::Middle => self.frontier * field.margin(Features::frontier),
            Stage::Ending if self.is_inner => self.stability * field.margin(Features::joined),
            Stage::Ending => self.stability * field.margin(Features::anchored),
        };
        field.weight(&self.map) + heuristic
    }

    fn decided(&self, score: i32) -> f64 {
        self.end * f64::from(score)
    }
}

impl Chooser for FourStage {
    fn choose_on<F: Features>(&mut self, field: &F, rule: Rule, watch: &mut Watch<'_>) -> Choice {
        let evaluator = Evaluator::new(&self.parameters, field.size(), rule);
        let [first, last] =
            [self.first, self.parameters.count("last")].map(|depth| watch.depth(depth));
        let mut search = AlphaBeta::new(&evaluator, rule, watch).ordered(&evaluator.map);
        search.deepen(field, first, last.max(first))
    }
}

impl Agent for FourStage {
    fn name(&self) -> String {
        "fourstage".to_owned()
    }

    fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit> {
        let limits = limits.or_time(PLATFORM_TIME);
        self.first = if limits.nodes.is_some() { 1 } else { self.parameters.count("first") };
        Ok(self.choose_in(game, &mut Watch::new(&limits)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::position;
    use isrever_agent::Bits;

    fn value(text: &str, rule: Rule) -> (Stage, f64) {
        let position = position(text);
        let field = Bits { board: position.board().unwrap(), size: position.size() };
        let parameters = Parameters::new(FourStage::table());
        (stage(&field), Evaluator::new(&parameters, position.size(), rule).value(&field))
    }

    #[test]
    fn the_beginning_by_hand() {
        // 6×6, after black's first move, d2: black has c3, d3, d4, d2, white c4. White can play
        // c2, e2 and e4, black b4, b5 and c5. d2 is of the class c2 (−10), the others of c3 (−5).
        let text = "---------X----XX----OX-------------- O";
        let (weight, mobility) = (-5.0 - (-10.0 - 5.0 - 5.0 - 5.0), 0.0);
        assert_eq!(value(text, Rule::Reversed), (Stage::Beginning, weight + 5.0 * mobility));
    }

    #[test]
    fn the_middle_by_hand() {
        // 4×4: black b1, b2; white c2. Frontier: 2 and 1. Weights: 260 + 100 − 100.
        assert_eq!(value("-X---XO--------- X", Rule::Reversed), (Stage::Middle, 260.0 + 15.0));
        assert_eq!(value("-X---XO--------- X", Rule::Normal), (Stage::Middle, -275.0));
    }

    #[test]
    fn it_looks_six_to_ten_plies_ahead() {
        let mut agent = FourStage::new(Parameters::new(FourStage::table()));
        let game = Game::new(Rule::Reversed, Size::FOUR);
        assert_eq!(agent.choose(&game, &Limits::default()).unwrap().depth, Some(10));
        assert_eq!(agent.choose(&game, &Limits::of_depth(4)).unwrap().depth, Some(4));
        // Too few boards for six plies: fewer plies are finished.
        let game = Game::new(Rule::Reversed, Size::EIGHT);
        let choice = agent.choose(&game, &Limits::of_nodes(300)).unwrap();
        assert!(matches!(choice.depth, Some(1..6)), "{choice:?}");
    }

    #[test]
    fn inner_discs_joined_to_a_corner_are_stable() {
        // 4×4: black a1, d1 and b1, b2 below it; white c2.
        let settings = |inner: &str| {
            let position = position("XX-X-XO--------- X");
            let field = Bits { board: position.board().unwrap(), size: Size::FOUR };
            let spec = format!("fourstage:inner={inner}");
            let parameters = crate::catalogue().parameters(&spec).unwrap().unwrap();
            Evaluator::new(&parameters, Size::FOUR, Rule::Reversed).value(&field)
        };
        assert_eq!(settings("0") - settings("1"), 25.0);
    }

    #[test]
    fn the_ending_by_hand() {
        // 4×4: black a1, b1, d1; white c2. Stable: a1 and b1, and d1; white none.
        let weight = -800.0 + 260.0 - 800.0 - 100.0;
        assert_eq!(
            value("XX-X--O--------- X", Rule::Reversed),
            (Stage::Ending, weight - 25.0 * 3.0)
        );
    }
}
