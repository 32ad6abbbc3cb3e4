//! Model 3: the discs that an agent loses against exact play, in solved trees.
//!
//! The report proposes it without details; this is our reading. Below each
//! position a full tree of some plies is visited. At every node the agent gives a
//! move and perhaps a value, which are compared with the true minimax values. The
//! move loses as many discs as the best move is better. The value is wrong by
//! half the difference between its sign and the true sign: agents have different
//! scales, but share win, draw and loss. The losses of all nodes add up to the
//! loss of the root.

use isrever_agent::{Agent, Forfeit, Limits};
use isrever_arena::Mean;
use isrever_board::{Game, Move, Square};

/// A position, with the scores of its moves if they are already known.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The game, at that position.
    pub game: Game,
    /// The score of each legal move for the side that plays it; empty if it must be solved.
    pub scores: Vec<(Square, i32)>,
}

/// The loss of one answer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NodeLoss {
    /// By how many discs the best move is better than the chosen one.
    pub discs: i32,
    /// The error of the value, from 0 to 1: half the difference of the signs. `None` if the agent
    /// gave no value.
    pub value: Option<f64>,
}

/// The losses of an agent, root by root.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Losses {
    roots: Vec<Vec<NodeLoss>>,
}

impl Losses {
    /// The losses at the nodes of each root's tree, the root first.
    pub fn roots(&self) -> &[Vec<NodeLoss>] {
        &self.roots
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.roots.iter().map(Vec::len).sum()
    }

    /// The discs lost in a root's tree: the sum over its nodes.
    pub fn summed(&self) -> Mean {
        Mean::of(&self.of_roots(|nodes| nodes.iter().map(|node| f64::from(node.discs)).sum()))
    }

    /// The discs lost per move. Each root counts once, however many nodes it has.
    pub fn discs(&self) -> Mean {
        Mean::of(&self.of_roots(|nodes| average(nodes.iter().map(|node| f64::from(node.discs)))))
    }

    /// The share of moves that were not the best.
    pub fn mistakes(&self) -> Mean {
        let mistake = |node: &NodeLoss| f64::from(u8::from(node.discs > 0));
        Mean::of(&self.of_roots(|nodes| average(nodes.iter().map(mistake))))
    }

    /// The errors of the values accumulated over the nodes of a root's tree, as the report credits
    /// them to the root; `None` if the agent gave none.
    pub fn summed_values(&self) -> Option<Mean> {
        self.told(|errors| errors.sum())
    }

    /// The mean error of the values, from 0 to 1; `None` if the agent gave none.
    pub fn values(&self) -> Option<Mean> {
        self.told(|errors| average(errors))
    }

    /// The mean over roots of `value` of the errors at their nodes.
    fn told(&self, value: impl Fn(&mut dyn Iterator<Item = f64>) -> f64) -> Option<Mean> {
        let is_told = |nodes: &&Vec<NodeLoss>| nodes.iter().any(|node| node.value.is_some());
        let of_root =
            |nodes: &Vec<NodeLoss>| value(&mut nodes.iter().filter_map(|node| node.value));
        let roots: Vec<f64> = self.roots.iter().filter(is_told).map(of_root).collect();
        (!roots.is_empty()).then(|| Mean::of(&roots))
    }

    fn of_roots(&self, value: impl Fn(&[NodeLoss]) -> f64) -> Vec<f64> {
        self.roots.iter().map(|nodes| value(nodes)).collect()
    }
}

fn average(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    sum / f64::max(count, 1.0)
}

/// Asks `agent` at every node of the trees of `plies` plies below `problems`. `solve` gives the
/// score of each legal move for the side that plays it; `done` is called after each root.
pub fn minimax_loss(
    problems: &[Problem],
    plies: u32,
    agent: &mut dyn Agent,
    limits: &Limits,
    solve: &mut dyn FnMut(&Game) -> Vec<(Square, i32)>,
    done: &mut dyn FnMut(),
) -> Result<Losses, Forfeit> {
    let mut losses = Losses::default();
    for problem in problems {
        let mut nodes = Vec::new();
        let known = Some(&problem.scores).filter(|scores| !scores.is_empty());
        grow(&problem.game, known, plies, agent, limits, solve, &mut nodes)?;
        if !nodes.is_empty() {
            losses.roots.push(nodes);
        }
        done();
    }
    Ok(losses)
}

fn grow(
    game: &Game,
    known: Option<&Vec<(Square, i32)>>,
    plies: u32,
    agent: &mut dyn Agent,
    limits: &Limits,
    solve: &mut dyn FnMut(&Game) -> Vec<(Square, i32)>,
    nodes: &mut Vec<NodeLoss>,
) -> Result<(), Forfeit> {
    if game.is_over() {
        return Ok(());
    }
    if game.position().must_pass() {
        // A pass is no choice, and costs no ply.
        let mut passed = game.clone();
        passed.play(Move::Pass).expect("a pass is forced");
        return grow(&passed, None, plies, agent, limits, solve, nodes);
    }
    let scores = known.cloned().unwrap_or_else(|| solve(game));
    let best = scores.iter().map(|&(_, score)| score).max().unwrap_or(0);
    let choice = agent.choose(game, limits)?;
    let chosen = scores.iter().find(|(square, _)| *square == choice.square);
    let Some(&(_, score)) = chosen else {
        let details = format!("{} is not a legal move", choice.square);
        return Err(Forfeit::new(isrever_agent::Reason::Illegal, details));
    };
    let sign = |value: f64| if value == 0.0 { 0.0 } else { value.signum() };
    let wrong = |value: f64| (sign(value) - f64::from(best.signum())).abs() / 2.0;
    nodes.push(NodeLoss { discs: best - score, value: choice.value.map(wrong) });
    if plies > 0 {
        for &(square, _) in &scores {
            let mut next = game.clone();
            next.play(Move::Place(square)).expect("it is legal");
            grow(&next, None, plies - 1, agent, limits, solve, nodes)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_arena::Openings;
    use isrever_board::{Rule, Size};
    use isrever_testkit::brute_force;

    fn solve(game: &Game) -> Vec<(Square, i32)> {
        let (board, size, rule) = (game.position().board().unwrap(), game.size(), game.rule());
        let score = |square: Square| -brute_force(board.play(square, size).unwrap(), size, rule);
        game.position().moves().into_iter().map(|square| (square, score(square))).collect()
    }

    fn problems() -> Vec<Problem> {
        let games = Openings::Random(6).draw(Rule::Reversed, Size::FOUR, 1, 12);
        games.into_iter().map(|game| Problem { game, scores: Vec::new() }).collect()
    }

    fn losses(spec: &str, plies: u32) -> Losses {
        let mut agent = crate::catalogue().make(spec, 1).unwrap();
        let limits = Limits::default();
        minimax_loss(&problems(), plies, agent.as_mut(), &limits, &mut solve, &mut || {}).unwrap()
    }

    #[test]
    fn who_plays_perfectly_loses_nothing_and_others_do() {
        let perfect = losses("random-invincible:ending=12", 2);
        assert_eq!((perfect.roots().len(), perfect.discs().mean), (12, 0.0));
        assert_eq!((perfect.summed().mean, perfect.mistakes().mean), (0.0, 0.0));
        assert_eq!(perfect.values().unwrap().mean, 0.0);
        let random = losses("random", 2);
        assert!(random.discs().mean > 0.5 && random.mistakes().mean > 0.1, "{random:?}");
        assert_eq!((random.values(), random.summed_values()), (None, None));
        let guess = losses("greedy", 2);
        let [mean, summed] = [guess.values(), guess.summed_values()].map(|mean| mean.unwrap().mean);
        assert!(mean > 0.0 && summed > 3.0 * mean, "{mean} {summed}");
        assert!(random.nodes() > 100 && random.summed().mean > random.discs().mean);
    }

    #[test]
    fn known_scores_are_taken_as_they_are() {
        let mut problem = problems().remove(0);
        problem.scores =
            solve(&problem.game).into_iter().map(|(s, score)| (s, score + 2)).collect();
        let mut agent = crate::catalogue().make("greedy", 1).unwrap();
        let mut never = |_: &Game| -> Vec<(Square, i32)> { panic!("it is known") };
        let limits = Limits::default();
        let one = [problem];
        let losses =
            minimax_loss(&one, 0, agent.as_mut(), &limits, &mut never, &mut || {}).unwrap();
        assert_eq!(losses.nodes(), 1);
    }
}
