//! Model 4: how deep a search gets within its limits.
//!
//! With the same search and the same limits, the evaluation that lets the search
//! go deeper prunes better, so it is the better estimate. All agents get the same
//! positions; each position gets a new agent.

use isrever_agent::{Agent, Forfeit, Limits};
use isrever_arena::Mean;
use isrever_board::Game;

/// How deep an agent searched.
#[derive(Clone, PartialEq, Debug)]
pub struct Depths {
    /// The depth at each position in plies; `None` where the agent reported none.
    pub plies: Vec<Option<u32>>,
    /// The nodes visited at each position.
    pub nodes: Vec<u64>,
}

impl Depths {
    /// The mean depth over the positions with a reported depth.
    pub fn mean(&self) -> Mean {
        let told: Vec<f64> = self.plies.iter().flatten().map(|&plies| plies.into()).collect();
        Mean::of(&told)
    }

    /// The mean difference in depth to `other`, paired by position so that positions that are hard
    /// for both add no noise.
    pub fn lead(&self, other: &Depths) -> Mean {
        let both = self.plies.iter().zip(&other.plies);
        let leads = both.filter_map(|(own, other)| Some(f64::from((*own)?) - f64::from((*other)?)));
        Mean::of(&leads.collect::<Vec<f64>>())
    }

    /// The mean number of nodes.
    pub fn mean_nodes(&self) -> f64 {
        self.nodes.iter().sum::<u64>() as f64 / self.nodes.len().max(1) as f64
    }
}

/// Asks a new agent from `make` about each position. Calls `limits` before each, because deadlines
/// are points in time.
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
