//! Uses for the time that report 000's rule leaves: its wish for playouts, or more plies.
//!
//! Section 5: "20% of the time is not used. We can probably run MCTS at the rest
//! of the time in further study." How the two searches agree on a move the report
//! does not say. Here the playouts only object: their favourite is played if it won
//! more of them than the search's own move, by two standard errors.

use isrever_agent::{Agent, Candidate, Choice, Limits, Mcts, MctsSettings, Parameter, Parameters};
use isrever_board::{Game, Square};

/// What the rest of the time is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rest {
    /// Nothing: the report's agent.
    Unused,
    /// Random playouts.
    Playouts,
    /// More plies, until the limits.
    Plies,
}

/// The playouts of one position are the same whenever they are asked for.
const SEED: u64 = 1;

/// Standard errors by which the playouts' favourite must be better.
const SURE: f64 = 2.0;

impl Rest {
    /// Its line in the table of parameters.
    pub(super) fn parameter() -> Parameter {
        let source = "report 000, 5: unused (0); its wish, playouts (1); ours, more plies (2)";
        Parameter::whole("rest", 0, (0, 2), source)
    }

    /// What `parameters` say.
    pub(super) fn of(parameters: &Parameters) -> Rest {
        match parameters.count("rest") {
            1 => Rest::Playouts,
            2 => Rest::Plies,
            _ => Rest::Unused,
        }
    }
}

/// The answer after playouts in what `choice` has left of `limits`.
pub(super) fn play_out(game: &Game, limits: &Limits, choice: Choice) -> Choice {
    // A playout visits a board for each empty square.
    let boards = u64::from(game.position().empties()).max(1);
    let left = |nodes: u64| nodes.saturating_sub(choice.nodes) / boards;
    let rest = Limits { nodes: limits.nodes.map(left), clock: None, depth: None, ..limits.clone() };
    if rest.nodes == Some(0) || !rest.is_timed() && rest.nodes.is_none() {
        return choice;
    }
    let mut playouts = Mcts::new(MctsSettings::default(), SEED);
    match playouts.choose(game, &rest) {
        Ok(played) => Choice {
            square: objection(&playouts.candidates(), choice.square).unwrap_or(choice.square),
            nodes: choice.nodes + boards * played.nodes,
            ..choice
        },
        Err(_) => choice,
    }
}

/// The move that won more playouts than `own` beyond chance, if there is one.
fn objection(candidates: &[Candidate], own: Square) -> Option<Square> {
    let favourite = candidates.iter().max_by_key(|candidate| candidate.visits)?;
    let own = candidates.iter().find(|candidate| candidate.square == own)?;
    let lead = favourite.value? - own.value?;
    // The variance of a share is at most a quarter.
    let error = |candidate: &Candidate| 0.25 / candidate.visits.max(1) as f64;
    let is_sure = lead > SURE * (error(favourite) + error(own)).sqrt();
    is_sure.then_some(favourite.square)
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::{Rule, Size};

    fn candidate(square: &str, visits: u64, value: f64) -> Candidate {
        let square = square.parse().unwrap();
        Candidate { square, prior: None, visits, value: (visits > 0).then_some(value) }
    }

    #[test]
    fn playouts_object_only_when_they_are_sure() {
        let own: Square = "a1".parse().unwrap();
        let moves = |visits| [candidate("a1", visits, 0.4), candidate("b1", 4 * visits, 0.6)];
        assert_eq!(objection(&moves(4), own), None);
        assert_eq!(objection(&moves(100), own), Some("b1".parse().unwrap()));
        assert_eq!(objection(&[candidate("a1", 9, 0.9), candidate("b1", 0, 0.0)], own), None);
    }

    #[test]
    fn the_boards_that_are_left_are_played_out_and_no_more() {
        let game = Game::new(Rule::Reversed, Size::SIX);
        let choice = Choice { nodes: 300, ..Choice::from("c2".parse::<Square>().unwrap()) };
        let [some, none] = [1_000, 310].map(|nodes| {
            let limits = Limits::of_nodes(nodes);
            play_out(&game, &limits, choice).nodes
        });
        assert!((969..=1_000).contains(&some), "{some}");
        assert_eq!(none, 300, "ten boards are no game");
        assert_eq!(play_out(&game, &Limits::of_depth(3), choice), choice);
    }
}
