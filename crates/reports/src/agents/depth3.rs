//! Report 001: minimax with alpha-beta pruning, three plies deep.
//!
//! Section 3.3.3: "depth in this project is 3 … when empty grid on chessboard is
//! less than 5, depth will be ∞". Section 3.4: F = 10·F1 + 5·F2 + 1·F3 with
//! F1 = −(chessboard score of the own discs), F2 = action points of one's own −
//! those of the enemy, F3 = −(own − enemy discs), and the scores of squares.
//!
//! What the report leaves open, and our choice:
//! - *A finished game* is "win or loss" (5.1.1), which outranks any F; of two wins the greater.
//! - *The score at (0,6)* is printed as 200 without its sign; the map is symmetric, so −200.
//! - *The order of moves* is the board's, as the pseudo-code loops.
//! - *A step that takes too long* "will be cutoff immediately" (4.3): the best move so far stands.
//!
//! Its wishes (5.1.2, 5.2) are parameters that do nothing unless they are set:
//! - *"While a corner is taken by enemy, grids in side around the corner should have a higher
//!   score"*: `beside` is added to the score of own discs on the three squares beside such a corner.
//! - *"If the action points of enemy/agent is too large, depth can be decreased"*: with more than
//!   `wide` moves for both sides together it looks a ply less far, with fewer than `narrow` one
//!   farther.

use crate::alpha_beta::{AlphaBeta, Evaluation, TO_THE_END};
use crate::chooser::Chooser;
use crate::features::{Features, WeightMap, sense};
use isrever_agent::{Agent, Choice, Field, Forfeit, Limits, Parameter, Parameters, Watch};
use isrever_board::{Game, Rule, Size, Square};
use std::sync::LazyLock;

const MAP: [i32; 10] = [10_000, -200, 250, 250, -45, -1, -1, 3, 2, 1];

static TABLE: LazyLock<Vec<Parameter>> = LazyLock::new(|| {
    let source = "report 001, 3.4";
    let mut table = vec![
        Parameter::whole("depth", 3, (1, 12), "report 001, 3.3.3"),
        Parameter::whole("ending", 4, (0, 20), "report 001, 3.3.3: fewer than 5 empty squares"),
        Parameter::whole("squares", 10, (0, 100), source),
        Parameter::whole("mobility", 5, (-100, 100), source),
        Parameter::whole("difference", 1, (-100, 100), source),
        Parameter::whole("beside", 0, (-10_000, 10_000), "report 001, 5.2: a wish; 0 is without"),
        Parameter::whole("wide", 0, (0, 100), "report 001, 5.2: a wish; 0 is without"),
        Parameter::whole("narrow", 0, (0, 100), "report 001, 5.1.2: a wish; 0 is without"),
    ];
    table.extend(Parameter::squares("", MAP, (-10_000, 10_000), source));
    table
});

/// Report 001's agent.
#[derive(Clone, Debug)]
pub struct Depth3 {
    parameters: Parameters,
}

impl Depth3 {
    /// The tunable parameters.
    pub fn table() -> &'static [Parameter] {
        &TABLE
    }

    /// The agent with these parameters, of its own table.
    pub fn new(parameters: Parameters) -> Depth3 {
        Depth3 { parameters }
    }

    /// The agent's evaluation of boards of `size` under `rule`, without its search.
    pub fn evaluation(
        parameters: &Parameters,
        size: Size,
        rule: Rule,
    ) -> impl Evaluation + Send + use<> {
        Evaluator::new(parameters, size, rule)
    }

    /// The depth before the ending.
    fn depth(&self, field: &impl Features) -> u32 {
        let [depth, wide, narrow] =
            ["depth", "wide", "narrow"].map(|name| self.parameters.count(name));
        if wide == 0 && narrow == 0 {
            return depth;
        }
        let moves = field.mobility() + field.pass().mobility();
        match moves {
            moves if wide > 0 && moves > wide => (depth - 1).max(1),
            moves if moves < narrow => depth + 1,
            _ => depth,
        }
    }
}

struct Evaluator {
    map: WeightMap,
    squares: f64,
    mobility: f64,
    difference: f64,
    /// What a square is worth more beside a corner that the opponent has.
    beside: f64,
}

impl Evaluator {
    fn new(parameters: &Parameters, size: Size, rule: Rule) -> Evaluator {
        Evaluator {
            map: WeightMap::new(&parameters.squares(""), size),
            squares: -sense(rule) * parameters.get("squares"),
            mobility: parameters.get("mobility"),
            difference: -sense(rule) * parameters.get("difference"),
            beside: parameters.get("beside"),
        }
    }
}

/// The player's discs beside a corner that the opponent has.
fn beside_taken(field: &impl Features) -> usize {
    let last = field.size().width() - 1;
    // The corner beside a square, or the square itself if it is none of those three.
    let near = |coordinate: u8| match coordinate {
        1 => 0,
        coordinate if coordinate + 1 == last => last,
        coordinate => coordinate,
    };
    let corner = |square: Square| Square::new(near(square.column()), near(square.row()));
    let is_corner = |square: &Square| {
        [square.column(), square.row()].into_iter().all(|at| at == 0 || at == last)
    };
    let taken: Vec<Square> = field.pass().discs().filter(is_corner).collect();
    field.discs().filter(|&square| taken.contains(&corner(square))).count()
}

impl Evaluation for Evaluator {
    fn value(&self, field: &impl Features) -> f64 {
        // Counting takes time; without the wish there is nothing to count.
        let taken = if self.beside == 0.0 { 0 } else { beside_taken(field) };
        let beside = self.beside * taken as f64;
        self.squares * (self.map.sum(field.discs()) + beside)
            + self.mobility * field.margin(Field::mobility)
            + self.difference * field.difference()
    }
}

impl Chooser for Depth3 {
    fn choose_on<F: Features>(&mut self, field: &F, rule: Rule, watch: &mut Watch<'_>) -> Choice {
        let evaluator = Evaluator::new(&self.parameters, field.size(), rule);
        let is_ending = field.empties() <= self.parameters.count("ending");
        let depth = if is_ending { TO_THE_END } else { self.depth(field) };
        let depth = watch.depth(depth);
        AlphaBeta::new(&evaluator, rule, watch).deepen(field, depth, depth)
    }
}

impl Agent for Depth3 {
    fn name(&self) -> String {
        "depth3".to_owned()
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

    #[test]
    fn the_value_by_hand() {
        // Black a1 and b1, white b2. Black can play b3 and c3, over b2; white nothing: it has one
        // disc, and no line from it ends beyond black's.
        let position = position("XX---O---------- X");
        let field = Bits { board: position.board().unwrap(), size: Size::FOUR };
        let parameters = Parameters::new(Depth3::table());
        let reversed = Evaluator::new(&parameters, Size::FOUR, Rule::Reversed);
        let moves = [field.mobility(), field.pass().mobility()];
        assert_eq!(moves, [2, 0]);
        let f = -10.0 * (10_000.0 - 200.0) + 5.0 * 2.0 - 1.0;
        assert_eq!(reversed.value(&field), f);
        // Seen by white, only white's own disc is weighed: −10 · −45, − 5 · 2, + 1.
        assert_eq!(reversed.value(&field.pass()), 450.0 - 10.0 + 1.0);
        let normal = Evaluator::new(&parameters, Size::FOUR, Rule::Normal);
        assert_eq!(normal.value(&field), 98_000.0 + 10.0 + 1.0);
    }

    #[test]
    fn it_looks_three_plies_ahead_and_to_the_end_from_four_empty_squares() {
        let mut agent = Depth3::new(Parameters::new(Depth3::table()));
        let game = Game::new(Rule::Reversed, Size::EIGHT);
        assert_eq!(agent.choose(&game, &Limits::default()).unwrap().depth, Some(3));
        assert_eq!(agent.choose(&game, &Limits::of_depth(2)).unwrap().depth, Some(2));
        // Black's only move, d3, is the last of the game.
        let ending = Game::from_position(Rule::Reversed, position("XXXXXXXXOXO-OOOO X"));
        let choice = agent.choose(&ending, &Limits::default()).unwrap();
        assert_eq!(choice.value, Some(ending_value(&ending, choice)));
    }

    #[test]
    fn its_wishes_are_granted_if_they_are_asked_for() {
        let catalogue = crate::catalogue();
        let parameters = |spec: &str| catalogue.parameters(spec).unwrap().unwrap();
        // White has a1; black b1, a2 and b2 beside it, d2 beside an empty corner, and c3.
        let position = position("OX--XX-X--X----- X");
        let field = Bits { board: position.board().unwrap(), size: Size::FOUR };
        assert_eq!((beside_taken(&field), beside_taken(&field.pass())), (3, 0));
        let value = |spec: &str| {
            Evaluator::new(&parameters(spec), Size::FOUR, Rule::Reversed).value(&field)
        };
        assert_eq!(value("depth3:beside=100") - value("depth3"), -10.0 * 300.0);
        // Four moves each at the start.
        let game = Game::new(Rule::Reversed, Size::EIGHT);
        let depth = |spec: &str| {
            let mut agent = Depth3::new(parameters(spec));
            agent.choose(&game, &Limits::default()).unwrap().depth
        };
        assert_eq!(depth("depth3:wide=8,narrow=8"), Some(3));
        assert_eq!(depth("depth3:wide=7"), Some(2));
        assert_eq!(depth("depth3:narrow=9"), Some(4));
        assert_eq!(depth("depth3:depth=1,wide=1"), Some(1));
    }

    /// What the agent's move leads to where nothing is left to choose.
    fn ending_value(game: &Game, choice: Choice) -> f64 {
        let mut game = game.clone();
        let turn = game.position().turn();
        game.place(choice.square).unwrap();
        assert!(game.is_over());
        crate::alpha_beta::DECIDED * f64::from(game.score(turn))
    }
}
