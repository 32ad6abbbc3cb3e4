//! Agents that play the last squares perfectly, and as another agent before.
//!
//! Report 000, 4.2.1: "greedy in the rounds before, end-game search in the last
//! twelve". Its second performance model measures an evaluation by how often
//! such a greedy player beats a random one with the same perfect ending.

use crate::chooser::Chooser;
use crate::ending::perfect_choice;
use crate::features::Features;
use isrever_agent::{Agent, Choice, Forfeit, Limits, Watch};
use isrever_board::{Game, Rule};

/// The default number of empty squares from which play is perfect.
pub const ENDING: u32 = 12;

/// Plays as another agent until few squares are empty, and perfectly from there.
pub struct Invincible {
    before: Box<dyn Agent>,
    name: &'static str,
    ending: u32,
}

impl Invincible {
    /// Plays as `before` until `ending` squares are empty, and is called `name`.
    pub fn new(name: &'static str, before: Box<dyn Agent>, ending: u32) -> Invincible {
        Invincible { before, name, ending }
    }
}

/// Searches the ending; holds no choice if the limits ended the search.
struct Ending(Option<Choice>);

impl Chooser for Ending {
    fn choose_on<F: Features>(&mut self, field: &F, rule: Rule, watch: &mut Watch<'_>) -> Choice {
        self.0 = perfect_choice(field, rule, watch);
        self.0.unwrap_or_else(|| field.moves().next().expect("there is a move").into())
    }
}

impl Agent for Invincible {
    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit> {
        // Always ask, so that the agent draws the same random numbers whether or not the search of
        // the ending finishes in time.
        let before = self.before.choose(game, limits)?;
        let empties = game.position().empties();
        if empties > self.ending || limits.depth.is_some_and(|depth| depth < empties) {
            return Ok(before);
        }
        let mut ending = Ending(None);
        ending.choose_in(game, &mut Watch::new(limits));
        Ok(ending.0.unwrap_or(before))
    }
}
