//! An agent that plays at random.

use crate::{Agent, Choice, Entry, Forfeit, Limits, Rng, Settings};
use isrever_board::Game;

/// Plays any legal move, all equally likely.
#[derive(Clone, Debug)]
pub struct Random {
    rng: Rng,
}

impl Random {
    /// A player with this `seed`: the same seed plays the same moves in the same games.
    pub fn new(seed: u64) -> Random {
        Random::drawing(Rng::new(seed))
    }

    /// A player that draws its moves from `rng`.
    pub fn drawing(rng: Rng) -> Random {
        Random { rng }
    }

    /// Its entry in a catalogue.
    pub fn entry() -> Entry {
        Entry::new("random", "plays any legal move, all equally likely", |spec, seed| {
            Settings::new(spec)?.finish()?;
            Ok(Box::new(Random::new(seed)))
        })
    }
}

impl Agent for Random {
    fn name(&self) -> String {
        "random".to_owned()
    }

    fn choose(&mut self, game: &Game, _: &Limits) -> Result<Choice, Forfeit> {
        Ok(self.rng.pick(&game.position().moves()).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::{Move, Rule, Size};

    #[test]
    fn a_seed_means_the_same_game_in_every_release() {
        let mut game = Game::new(Rule::Reversed, Size::EIGHT);
        let mut agent = Random::new(1);
        for _ in 0..8 {
            let square = agent.choose(&game, &Limits::default()).unwrap().square;
            game.play(Move::Place(square)).unwrap();
        }
        let moves: String = game.moves().iter().map(Move::to_string).collect();
        assert_eq!(moves, "e6f6d3d6f5c4g7f4");
    }
}
