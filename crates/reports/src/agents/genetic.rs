//! Report 003: minimax with weights from a genetic algorithm.
//!
//! Algorithm 1: below 54 discs, search 3, 4, … 19 plies deep until the time is
//! up ("if d >= 20 then break"); from there on two plies, and then a "final search" for a win, else a draw
//! (algorithm 13). Algorithm 12: E = weights of squares + stability (opponent − own)
//! × 218 + mobility + frontier (own − opponent) × −52, later −27 + difference
//! (own − opponent) × −52, later −51. The period changes at 35 discs (II.A).
//!
//! What the report leaves open, and our choice:
//! - *Three of its four maps are lost.* Mobility is weighed by the one that is left, that of the
//!   end, in both periods; squares by report 002's map, a quarter of it, in both. The tables
//!   say so; `preset=tuned-maps` has all four as our own run of the algorithm found them.
//! - *Mobility* has maps (II.B) but is "the length of the legal moves" in II.D: a legal move is
//!   worth the weight of its square, own less the opponent's.
//! - *A frontier disc* "has no piece in its eight directions": has an empty square beside it.
//! - *A stable disc* "can not be reversed at any time": those that [`Features::stable`] proves.
//! - *The win that algorithm 11 returns at once*, even where the opponent chooses, is returned
//!   only where it is the mover's.
//! - *A finished game* is won, drawn or lost; the margin does not count.
//! - *The wish of III.A*, "using sigmoid instead of dividing the game into begin and end", is the
//!   parameter `sigmoid`: how many discs about the period's end the change takes; 0 is the cut.
//! - *The time* is the 4 s a turn that III.B says were used of the platform's 5.

use super::in_proportion;
use crate::alpha_beta::{AlphaBeta, DECIDED, Evaluation};
use crate::cache::Cached;
use crate::chooser::Chooser;
use crate::ending::{Goal, perfect};
use crate::features::{Features, WeightMap, sense};
use isrever_agent::{Agent, Choice, Forfeit, Limits, Parameter, Parameters, Preset, Watch};
use isrever_board::{Game, Rule, Size};
use std::sync::LazyLock;
use std::time::Duration;

/// The depths of the deepening, first and last.
const DEPTHS: (u32, u32) = (3, 19);

/// The depth of the search that precedes the final one.
const DEPTH_BEFORE_FINAL: u32 = 2;

const TIME: Duration = Duration::from_secs(4);

/// The mobility map of the end, the one that is left.
const MOVES: [i32; 10] = [34, 41, 43, 56, -52, 36, -24, -9, 5, -36];

/// Report 002's map, a quarter of it.
const SQUARES: [i32; 10] = [-200, 65, -12, -8, 25, -2, -1, -1, 1, 0];

/// Results of the tuner.
const PRESETS: [Preset; 1] = [Preset {
    name: "tuned-maps",
    experiment: "experiments/tune-maps",
    values: include_str!("../../../../experiments/tune-maps/preset.txt"),
}];

static TABLE: LazyLock<Vec<Parameter>> = LazyLock::new(|| {
    let range = (-255, 255);
    let source = "report 003, II.B";
    let lost = "ours: lost in report 003, taken from report 002, table II";
    let mut table = vec![
        Parameter::whole("period", 35, (4, 64), "report 003, II.A"),
        Parameter::whole("sigmoid", 0, (0, 20), "report 003, III.A: a wish; 0 is the cut"),
        Parameter::whole("final", 10, (0, 20), "report 003, algorithm 1: from 54 discs"),
        Parameter::whole("stability", 218, range, source),
        Parameter::whole("start_frontier", -52, range, source),
        Parameter::whole("end_frontier", -27, range, source),
        Parameter::whole("start_difference", -52, range, source),
        Parameter::whole("end_difference", -51, range, source),
    ];
    table.extend(Parameter::squares("start_", SQUARES, range, lost));
    table.extend(Parameter::squares("end_", SQUARES, range, lost));
    let lost = "ours: lost in report 003, taken from its end period";
    table.extend(Parameter::squares("start_move_", MOVES, range, lost));
    table.extend(Parameter::squares("end_move_", MOVES, range, source));
    table
});

/// Report 003's agent.
#[derive(Clone, Debug)]
pub struct Genetic {
    parameters: Parameters,
    evaluator: Cached<Evaluator>,
}

impl Genetic {
    /// The tunable parameters.
    pub fn table() -> &'static [Parameter] {
        &TABLE
    }

    /// Results of the tuner.
    pub fn presets() -> &'static [Preset] {
        &PRESETS
    }

    /// The agent with these parameters, of its own table.
    pub fn new(parameters: Parameters) -> Genetic {
        Genetic { parameters, evaluator: Cached::default() }
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

/// The weights of one period.
#[derive(Clone, Debug)]
struct Period {
    squares: WeightMap,
    moves: WeightMap,
    frontier: f64,
    difference: f64,
}

impl Period {
    fn new(parameters: &Parameters, name: &str, size: Size) -> Period {
        Period {
            squares: WeightMap::new(&parameters.squares(&format!("{name}_")), size),
            moves: WeightMap::new(&parameters.squares(&format!("{name}_move_")), size),
            frontier: parameters.get(&format!("{name}_frontier")),
            difference: parameters.get(&format!("{name}_difference")),
        }
    }
}

#[derive(Clone, Debug)]
struct Evaluator {
    sense: f64,
    /// The first period ends at this many discs.
    start_below: f64,
    /// The discs that the change takes, as the scale of a logistic function; 0 for a cut.
    width: f64,
    start: Period,
    end: Period,
    stability: f64,
}

impl Evaluator {
    fn new(parameters: &Parameters, size: Size, rule: Rule) -> Evaluator {
        Evaluator {
            sense: sense(rule),
            start_below: in_proportion(parameters.get("period"), size),
            width: in_proportion(parameters.get("sigmoid"), size),
            start: Period::new(parameters, "start", size),
            end: Period::new(parameters, "end", size),
            stability: parameters.get("stability"),
        }
    }

    /// The value by the weights of one period.
    fn of_period(&self, field: &impl Features, period: &Period) -> f64 {
        let discs = field.weight(&period.squares) - self.stability * field.margin(Features::stable)
            + period.frontier * field.margin(Features::frontier)
            + period.difference * field.difference();
        self.sense * discs + field.move_weight(&period.moves)
    }
}

impl Evaluation for Evaluator {
    fn value(&self, field: &impl Features) -> f64 {
        let discs = f64::from(field.counts().iter().sum::<u32>());
        if self.width > 0.0 {
            let end = 1.0 / (1.0 + ((self.start_below - discs) / self.width).exp());
            let values = [&self.start, &self.end].map(|period| self.of_period(field, period));
            return (1.0 - end) * values[0] + end * values[1];
        }
        let period = if discs < self.start_below { &self.start } else { &self.end };
        self.of_period(field, period)
    }

    fn decided(&self, score: i32) -> f64 {
        DECIDED * f64::from(score.signum())
    }
}

impl Chooser for Genetic {
    fn choose_on<F: Features>(&mut self, field: &F, rule: Rule, watch: &mut Watch<'_>) -> Choice {
        let (size, parameters) = (field.size(), &self.parameters);
        let evaluator = self.evaluator.get(size, rule, || Evaluator::new(parameters, size, rule));
        if field.empties() > self.parameters.count("final") {
            let last = watch.depth(DEPTHS.1);
            let first = DEPTHS.0.min(last);
            return AlphaBeta::new(evaluator, rule, watch).deepen(field, first, last);
        }
        let depth = watch.depth(DEPTH_BEFORE_FINAL);
        let choice = AlphaBeta::new(evaluator, rule, watch).deepen(field, depth, depth);
        let empties = field.empties();
        if watch.depth(empties) < empties {
            return choice;
        }
        // Where every move loses, or the time is up, the two plies decide.
        match perfect(field, rule, Goal::Result, watch) {
            Some((square, result)) if result >= 0 => Choice {
                square,
                value: Some(evaluator.decided(result)),
                depth: Some(empties),
                nodes: watch.nodes(),
            },
            _ => Choice { nodes: watch.nodes(), ..choice },
        }
    }
}

impl Agent for Genetic {
    fn name(&self) -> String {
        "genetic".to_owned()
    }

    fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit> {
        let limits = limits.or_time(TIME);
        Ok(self.choose_in(game, &mut Watch::new(&limits)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{position, positions};
    use isrever_agent::{Bits, Field};

    fn value(text: &str, rule: Rule) -> f64 {
        let position = position(text);
        let field = Bits { board: position.board().unwrap(), size: position.size() };
        let parameters = Parameters::new(Genetic::table());
        Evaluator::new(&parameters, position.size(), rule).value(&field)
    }

    #[test]
    fn the_start_by_hand() {
        // On 4×4 the start lasts to eight discs. Black a1, b1; white b2. Squares −200 + 65 − 25;
        // stable: a1 and b1 against none; frontier: both against one; difference 1; moves: black
        // b3 (as b2, −52) and c3 (as b2, −52), white none.
        let text = "XX---O---------- X";
        let discs = -160.0 - 218.0 * 2.0 - 52.0 - 52.0;
        assert_eq!(value(text, Rule::Reversed), discs - 104.0);
        assert_eq!(value(text, Rule::Normal), -discs - 104.0);
    }

    #[test]
    fn a_sigmoid_goes_from_one_period_to_the_other() {
        let catalogue = crate::catalogue();
        let value = |discs: usize, settings: &str| {
            let text: String = (0..64).map(|place| if place < discs { 'X' } else { '-' }).collect();
            let position = position(&format!("{text} X"));
            let field = Bits { board: position.board().unwrap(), size: Size::EIGHT };
            let parameters = catalogue.parameters(format!("genetic:{settings}")).unwrap().unwrap();
            Evaluator::new(&parameters, Size::EIGHT, Rule::Reversed).value(&field)
        };
        for discs in [8, 35, 60] {
            let [start, end] = ["period=64", "period=4"].map(|settings| value(discs, settings));
            let mixed = value(discs, "sigmoid=4");
            assert!(mixed >= start.min(end) && mixed <= start.max(end), "{start} {mixed} {end}");
            let near = |other: f64| (mixed - other).abs() < 0.01 * (start - end).abs();
            match discs {
                8 => assert!(near(start)),
                35 => assert!(near((start + end) / 2.0)),
                _ => assert!(near(end)),
            }
        }
    }

    #[test]
    fn the_end_by_hand() {
        // The first two rows black, a3 white: nine discs. Black: two corners, four squares beside
        // them and two b2s, −400 + 260 + 50; white a3, 65. All of black's are stable, none of
        // white's; frontier: the second row against a3; difference 7. Black can play a4 (34).
        let text = "XXXXXXXXO------- X";
        let position = position(text);
        let field = Bits { board: position.board().unwrap(), size: Size::FOUR };
        assert_eq!(field.margin(Features::stable), 8.0);
        let discs = (-400.0 + 4.0 * 65.0 + 50.0 - 65.0) - 218.0 * 8.0 - 27.0 * 3.0 - 51.0 * 7.0;
        assert_eq!(value(text, Rule::Reversed), discs + 34.0);
    }

    #[test]
    fn the_final_search_finds_wins() {
        let mut agent = Genetic::new(Parameters::new(Genetic::table()));
        let rule = Rule::Reversed;
        for position in positions(Size::EIGHT, 3, 2) {
            if position.empties() > 8 || !position.has_move() {
                continue;
            }
            let field = Bits { board: position.board().unwrap(), size: Size::EIGHT };
            let limits = Limits::default();
            let (_, result) =
                perfect(&field, rule, Goal::Result, &mut Watch::new(&limits)).unwrap();
            let game = Game::from_position(rule, position);
            let choice = agent.choose(&game, &Limits::of_nodes(10_000_000)).unwrap();
            let next = field.play(choice.square);
            let after = if next.is_over() {
                -next.score(rule).signum()
            } else if next.has_move() {
                -perfect(&next, rule, Goal::Result, &mut Watch::new(&limits)).unwrap().1
            } else {
                perfect(&next.pass(), rule, Goal::Result, &mut Watch::new(&limits)).unwrap().1
            };
            assert_eq!(after, result);
        }
    }
}
