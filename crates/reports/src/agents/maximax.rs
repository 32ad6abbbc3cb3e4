//! Report 000: double-alpha maximax, deepened as long as the time allows.
//!
//! Section 3.3.3.1 is the rule for time, 3.3.3.2 the search: one function for
//! both colours, a table that sorts moves by what the iteration before has found,
//! and decided games worth −1, 0 or 1, more than any guess, so that the same
//! search plays the ending. The evaluation is that of 4.2 (see `combination`).
//!
//! What the report leaves open, and our choice:
//! - *q*, which balances time and search, is 0.8: "20% of the time is not used" (5) is what it
//!   keeps back. The time itself is the platform's 5 s. The rule as written begins no iteration
//!   after q·q/breadth of it, less than a tenth, unless the last two iterations disagree: some six
//!   tenths of the time are left over. `rest` says what for.
//! - *The assumed breadth* of one ply more is the measured one (4.1.1) of the round that ply
//!   reaches, in proportion on other boards: "an upper bound" by the pseudo-code's comment. With
//!   `breadth_power` ½ it is what 4.1.2 supposes that pruning leaves of it.
//! - *M*, the most entries of the table, is 2¹⁸: within the platform's 100 MB.
//! - *A move that loses* is not better than the worst value, and the pseudo-code then has none:
//!   the first in order stands.
//! - *The end of deepening* for drawn games: when nothing was guessed. The pseudo-code goes on
//!   after a proved loss; that is decided too.
//! - *At remaining depth 1* the pseudo-code takes the first of the sorted moves: here it is the
//!   best by evaluation, known to the table or not.

mod rest;

use super::PLATFORM_TIME;
use crate::alpha_beta::Evaluation;
use crate::cache::Cached;
use crate::chooser::Chooser;
use crate::combination::Combination;
use crate::features::Features;
use isrever_agent::{Agent, Choice, Forfeit, Limits, Parameter, Parameters, Watch};
use isrever_board::{Game, Rule, Size, Square};
use rest::Rest;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The depth of the first iteration.
const FIRST_DEPTH: u32 = 2;

/// The most entries of the table.
const MOST_ENTRIES: usize = 1 << 18;

/// Added to values from the table, so that they sort before evaluations.
const KNOWN_FIRST: f64 = 2.0;

static TABLE: LazyLock<Vec<Parameter>> = LazyLock::new(|| {
    let mut table = Combination::table().to_vec();
    let source = "ours: report 000, 5, has \"20% of the time is not used\"";
    table.push(Parameter::real("q", 0.8, (0.1, 1.0), source));
    let source = "report 000, 3.3.3.1: an upper bound";
    table.push(Parameter::real("breadth_power", 1.0, (0.0, 1.0), source));
    table.push(Rest::parameter());
    table
});

/// Report 000's agent.
#[derive(Clone, Debug)]
pub struct Maximax {
    parameters: Parameters,
    evaluation: Cached<Combination>,
    /// Whether the last search proved its result.
    is_decided: bool,
}

impl Maximax {
    /// The most memory of its table: the limit of the course's platform, which it keeps.
    pub(crate) const MEMORY_BYTES: u64 = 100 << 20;

    /// The mean number of moves in rounds 4 to 63, as the report measured it (4.1.1).
    pub const BREADTH: [f64; 60] = [
        4.0, 3.0, 4.625, 5.05, 5.75, 6.075, 7.125, 7.45, 8.05, 8.125, 8.975, 8.925, 9.1, 9.975,
        9.725, 10.35, 11.0, 10.575, 11.525, 11.275, 11.4, 12.15, 11.525, 11.85, 12.275, 11.975,
        12.425, 11.725, 12.9, 12.25, 12.975, 12.375, 12.75, 11.725, 12.175, 11.575, 12.075, 11.125,
        11.6, 10.85, 10.75, 10.125, 10.5, 9.05, 9.5, 8.5, 8.475, 7.65, 7.5, 6.675, 6.95, 5.55, 5.3,
        4.46341463, 4.15, 3.475, 2.825, 2.11904762, 1.43478261, 0.70175439,
    ];

    /// The tunable parameters.
    pub fn table() -> &'static [Parameter] {
        &TABLE
    }

    /// The agent with these parameters, of its own table.
    pub fn new(parameters: Parameters) -> Maximax {
        Maximax { parameters, evaluation: Cached::default(), is_decided: false }
    }
}

/// The expected number of moves in `round`, the number of discs on the board.
fn average_breadth(round: u32, size: Size) -> f64 {
    let part = f64::from(round) / size.cells() as f64;
    let place = (part * 64.0).clamp(4.0, 63.0) - 4.0;
    // The number of moves grows with the width of the board.
    #[expect(clippy::cast_sign_loss, reason = "clamped to the table")]
    let breadth = Maximax::BREADTH[place as usize];
    breadth * f64::from(size.width()) / 8.0
}

/// Whether to begin another iteration, by 3.3.3.1: the game is not decided, less than `q` of the
/// limits is spent, and either the iteration, expected to cost `breadth` times as much, fits in or
/// the last two iterations disagree.
fn goes_on(spent: f64, q: f64, breadth: f64, is_same_move: bool, is_decided: bool) -> bool {
    !is_decided && spent < q && (spent * breadth < q || !is_same_move)
}

/// One search, with its evaluation and its table.
struct Search<'a, 'w, F> {
    evaluation: &'a Combination,
    rule: Rule,
    watch: &'a mut Watch<'w>,
    /// Values for the player of each board, from the iteration before. The search only looks up
    /// entries and never iterates over them, because their order differs from run to run.
    table: HashMap<F, f64>,
    /// Evaluations in this iteration, other than for sorting.
    evaluations: u64,
}

/// The best values that the player and the opponent already have on the path.
type Alphas = (f64, f64);

impl<F: Features> Search<'_, '_, F> {
    /// The value of `field` for its player within `depth` plies, and the best move.
    fn maximax(
        &mut self,
        field: &F,
        depth: u32,
        (mut own, other): Alphas,
    ) -> (f64, Option<Square>) {
        if self.watch.tick() {
            return (0.0, None);
        }
        if !field.has_move() {
            let passed = field.pass();
            if !passed.has_move() {
                return (self.evaluation.decided(field.score(self.rule)), None);
            }
            if depth == 1 {
                self.evaluations += 1;
                return (self.evaluation.value(field), None);
            }
            let value = -self.maximax(&passed, depth - 1, (other, own)).0;
            self.remember(field, value);
            return (value, None);
        }
        if depth == 1 {
            return self.best_at_once(field);
        }
        let mut best = (f64::NEG_INFINITY, None);
        for (square, next) in self.sorted(field) {
            let value = -self.maximax(&next, depth - 1, (other, own)).0;
            if self.watch.is_over() {
                break;
            }
            if value > best.0 {
                best = (value, Some(square));
                own = own.max(value);
            }
            // The other side already has something better.
            if -best.0 <= other {
                break;
            }
        }
        self.remember(field, best.0);
        best
    }

    /// The best move by evaluation alone; the first among equals.
    fn best_at_once(&mut self, field: &F) -> (f64, Option<Square>) {
        let mut best = (f64::NEG_INFINITY, None);
        for square in field.moves() {
            if self.watch.tick() {
                break;
            }
            self.evaluations += 1;
            let value = self.evaluation.value(&field.play(square).pass());
            if value > best.0 {
                best = (value, Some(square));
            }
        }
        best
    }

    /// The moves and the boards after them, the most promising first.
    fn sorted(&self, field: &F) -> Vec<(Square, F)> {
        let mut children: Vec<(f64, Square, F)> = field
            .moves()
            .map(|square| {
                let next = field.play(square);
                let key = match self.table.get(&next) {
                    Some(value) => KNOWN_FIRST - value,
                    None => self.evaluation.value(&next.pass()),
                };
                (key, square, next)
            })
            .collect();
        children.sort_by(|one, other| other.0.total_cmp(&one.0));
        children.into_iter().map(|(_, square, next)| (square, next)).collect()
    }

    fn remember(&mut self, field: &F, value: f64) {
        if self.watch.is_over() {
            return;
        }
        if let Some(known) = self.table.get_mut(field) {
            *known = value;
        } else if self.table.len() < MOST_ENTRIES {
            self.table.insert(field.clone(), value);
        }
    }
}

impl Chooser for Maximax {
    fn choose_on<F: Features>(&mut self, field: &F, rule: Rule, watch: &mut Watch<'_>) -> Choice {
        let (size, q) = (field.size(), self.parameters.get("q"));
        let (power, rest) = (self.parameters.get("breadth_power"), Rest::of(&self.parameters));
        let parameters = &self.parameters;
        let evaluation =
            self.evaluation.get(size, rule, || Combination::new(parameters, size, rule));
        let last_depth = watch.depth(u32::MAX);
        let mut search = Search { evaluation, rule, watch, table: HashMap::new(), evaluations: 0 };
        let mut choice = Choice::from(search.sorted(field)[0].0);
        self.is_decided = false;
        for depth in FIRST_DEPTH.min(last_depth)..=last_depth {
            search.evaluations = 0;
            let (value, square) = search.maximax(field, depth, (-1.0, -1.0));
            if search.watch.is_over() {
                break;
            }
            let is_same_move = square == Some(choice.square);
            let square = square.unwrap_or(choice.square);
            choice = Choice { square, value: Some(value), depth: Some(depth), nodes: 0 };
            let is_decided = value.abs() == 1.0 || search.evaluations == 0;
            let round = size.cells() as u32 - field.empties();
            let breadth = average_breadth(round + depth, size).powf(power);
            let spent = search.watch.spent();
            self.is_decided = is_decided;
            let goes_on = match rest {
                Rest::Plies => !is_decided,
                _ => goes_on(spent, q, breadth, is_same_move, is_decided),
            };
            if !goes_on {
                break;
            }
        }
        Choice { nodes: search.watch.nodes(), ..choice }
    }
}

impl Agent for Maximax {
    fn name(&self) -> String {
        "maximax".to_owned()
    }

    fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit> {
        let limits = limits.or_time(PLATFORM_TIME);
        let rest = Rest::of(&self.parameters);
        let part = if rest == Rest::Plies { 1.0 } else { self.parameters.get("q") };
        let choice = self.choose_in(game, &mut Watch::new(&limits.part(part)));
        Ok(match rest {
            Rest::Playouts if !self.is_decided => rest::play_out(game, &limits, choice),
            _ => choice,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::positions;
    use isrever_agent::{Bits, Field};

    fn evaluation(size: Size, rule: Rule) -> Combination {
        Combination::new(&Parameters::new(Maximax::table()), size, rule)
    }

    /// The minimax estimate as section 2.2.3 defines it.
    fn estimate(field: &Bits, depth: u32, rule: Rule, e: &Combination) -> f64 {
        if depth == 0 {
            e.value(field)
        } else if field.is_over() {
            e.decided(field.score(rule))
        } else if !field.has_move() {
            -estimate(&field.pass(), depth - 1, rule, e)
        } else {
            let values = field.moves().map(|s| -estimate(&field.play(s), depth - 1, rule, e));
            values.fold(f64::NEG_INFINITY, f64::max)
        }
    }

    #[test]
    fn the_search_is_the_estimate_at_every_depth_with_and_without_a_table() {
        for (size, depths) in [(Size::FOUR, 5), (Size::SIX, 4)] {
            for position in positions(size, 3, 17).into_iter().step_by(3) {
                if !position.has_move() {
                    continue;
                }
                let field = Bits { board: position.board().unwrap(), size };
                for rule in Rule::ALL {
                    let limits = Limits::default();
                    let e = evaluation(size, rule);
                    let mut search = Search {
                        evaluation: &e,
                        rule,
                        watch: &mut Watch::new(&limits),
                        table: HashMap::new(),
                        evaluations: 0,
                    };
                    for depth in 1..=depths {
                        let (value, square) = search.maximax(&field, depth, (-1.0, -1.0));
                        let close = |one: f64, other: f64| (one - other).abs() < 1e-12;
                        assert!(close(value, estimate(&field, depth, rule, &e)), "{position:?}");
                        let next = field.play(square.unwrap());
                        assert!(close(value, -estimate(&next, depth - 1, rule, &e)));
                    }
                }
            }
        }
    }

    #[test]
    fn time_is_spent_by_the_rule() {
        // Early on, a ply more fits in.
        assert!(goes_on(0.05, 0.8, 10.0, true, false));
        // It does not, but the last two iterations disagree.
        assert!(!goes_on(0.1, 0.8, 10.0, true, false));
        assert!(goes_on(0.1, 0.8, 10.0, false, false));
        // Too late for anything, and nothing left to find.
        assert!(!goes_on(0.8, 0.8, 0.5, false, false));
        assert!(!goes_on(0.0, 0.8, 10.0, false, true));
    }

    #[test]
    fn the_rest_is_used_if_it_is_asked_for() {
        let game = Game::new(Rule::Reversed, Size::SIX);
        let nodes = |spec: &str| {
            let mut agent = crate::catalogue().make(spec, 1).unwrap();
            agent.choose(&game, &Limits::of_nodes(5_000)).unwrap().nodes
        };
        assert!(nodes("maximax") < 4_000, "a part of the boards is kept back");
        assert!(nodes("maximax:rest=1") > 4_900);
        assert_eq!(nodes("maximax:rest=2"), 5_000);
        assert!(nodes("maximax:breadth_power=0") >= nodes("maximax"));
    }

    #[test]
    fn breadth_is_that_of_the_round() {
        assert_eq!(average_breadth(4, Size::EIGHT), 4.0);
        assert_eq!(average_breadth(25, Size::EIGHT), 12.15);
        assert_eq!(average_breadth(99, Size::EIGHT), Maximax::BREADTH[59]);
        assert_eq!(average_breadth(100, Size::new(16).unwrap()), 2.0 * 12.15);
    }

    #[test]
    fn it_solves_small_endings_and_stops_there() {
        let rule = Rule::Reversed;
        let mut agent = Maximax::new(Parameters::new(Maximax::table()));
        for position in positions(Size::SIX, 4, 3) {
            if position.has_move() && position.empties() <= 6 {
                let field = Bits { board: position.board().unwrap(), size: Size::SIX };
                let value = estimate(&field, 20, rule, &evaluation(Size::SIX, rule));
                let game = Game::from_position(rule, position);
                let choice = agent.choose(&game, &Limits::of_depth(30)).unwrap();
                assert_eq!(choice.value, Some(value));
            }
        }
    }
}
