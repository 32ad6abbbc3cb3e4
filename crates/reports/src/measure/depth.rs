//! Model 4: how deep a search comes with a budget.
//!
//! With the same search and the same budget, the evaluation that lets the
//! search go deeper prunes better, so it is the better estimate. Agents are
//! asked about the same positions, each made anew for every one.

use isrever_agent::{Agent, Forfeit, Limits};
use isrever_arena::Mean;
use isrever_board::Game;

/// How deep an agent came.
#[derive(Clone, PartialEq, Debug)]
pub struct Depths {
    /// The plies of each position; `None` where the agent told none.
    pub plies: Vec<Option<u32>>,
    /// Boards visited at each.
    pub nodes: Vec<u64>,
}

impl Depths {
    /// The mean depth of the positions where one was told.
    pub fn mean(&self) -> Mean {
        let told: Vec<f64> = self.plies.iter().flatten().map(|&plies| plies.into()).collect();
        Mean::of(&told)
    }

    /// By how much this one came deeper than `other`, position by position: what is hard for both
    /// does not blur it.
    pub fn lead(&self, other: &Depths) -> Mean {
        let both = self.plies.iter().zip(&other.plies);
        let leads = both.filter_map(|(own, other)| Some(f64::from((*own)?) - f64::from((*other)?)));
        Mean::of(&leads.collect::<Vec<f64>>())
    }

    /// The mean number of boards.
    pub fn mean_nodes(&self) -> f64 {
        self.nodes.iter().sum::<u64>() as f64 / self.nodes.len().max(1) as f64
    }
}

/// Asks the agents that `make` makes about each position; `limits` is asked for before each, for
/// deadlines run.
pub fn search_depth(
    positions: &[Game],
    make: &mut dyn FnMut() -> Box<dyn Agent>,
    limits: &dyn Fn() -> Limits,
    done: &mut dyn FnMut(),
) -> Result<Depths, Forfeit> {
    let mut depths = Depths { plies: Vec::new(), nodes: Vec::new() };
    for game in positions {
        let choice = make().choose(game, &limits())?;
        depths.plies.push(choice.depth);
        depths.nodes.push(choice.nodes);
        done();
    }
    Ok(depths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_arena::Openings;
    use isrever_board::{Rule, Size};

    #[test]
    fn more_nodes_go_deeper() {
        let positions = Openings::Random(12).draw(Rule::Reversed, Size::EIGHT, 1, 20);
        let depths = |nodes| {
            let catalogue = crate::catalogue();
            let mut make = || catalogue.make("maximax", 1).unwrap();
            let limits = || Limits::of_nodes(nodes);
            search_depth(&positions, &mut make, &limits, &mut || {}).unwrap()
        };
        let (few, many) = (depths(300), depths(20_000));
        let lead = many.lead(&few);
        assert!(lead.mean - lead.reach() > 0.5, "{lead:?}");
        assert!((many.mean().mean - few.mean().mean - lead.mean).abs() < 1e-9);
        assert!(many.mean_nodes() > few.mean_nodes());
        assert_eq!(depths(300), few);
    }
}
