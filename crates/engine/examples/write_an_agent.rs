//! Writes an agent of one's own, and lets it play a match against the engine's first level.

#![allow(clippy::print_stdout, reason = "an example talks to a person")]

use isrever_agent::{Agent, Choice, Forfeit, Limits, Rng};
use isrever_arena::{Clock, Match, Meeting, Openings};
use isrever_board::{Game, Rule, Size};
use isrever_engine::{Level, Player, PlayerSettings};
use std::error::Error;
use std::sync::Arc;

/// Leaves the opponent as many moves as it can: who has many moves must flip many discs.
struct Generous;

impl Agent for Generous {
    fn name(&self) -> String {
        "generous".to_owned()
    }

    fn choose(&mut self, game: &Game, _: &Limits) -> Result<Choice, Forfeit> {
        let position = game.position();
        let replies = |square| position.play(square).map_or(0, |after| after.moves().len());
        let best = position.moves().into_iter().max_by_key(|&square| replies(square));
        // The arena asks only where there is a move.
        Ok(best.expect("there is a move").into())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    // Every game has agents of its own, made from a seed.
    let generous = |_seed| Ok(Box::new(Generous) as Box<dyn Agent>);
    let beginner = |seed| {
        let strength = Level::LEAST.strength();
        let settings = PlayerSettings { strength, seed, ..PlayerSettings::default() };
        Ok(Box::new(Player::new(settings)) as Box<dyn Agent>)
    };

    // Twenty openings of eight random moves; each is played twice, with colours swapped.
    let openings = Openings::Random(8).draw(Rule::Reversed, Size::EIGHT, 1, 20);
    let stop = Arc::default();
    let conditions = Match::new(Clock::of_nodes(100), &stop, &|| {});
    let counts = conditions.play(0..20, |number| {
        let opening = openings[number as usize].clone();
        Meeting::pair([&generous, &beginner], opening, &mut Rng::stream(1, number))
    });
    let counts = counts.map_err(|unplayed| format!("no result: {unplayed:?}"))?;

    let (elo, share) = (counts.elo(), 100.0 * counts.score());
    println!("generous: {} won, {} drawn, {} lost", counts.wins, counts.draws, counts.losses);
    println!(
        "{share:.1} % of the points, {:+.0} Elo ({:+.0} to {:+.0})",
        elo.difference, elo.low, elo.high
    );
    Ok(())
}
