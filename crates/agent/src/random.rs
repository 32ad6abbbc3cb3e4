//! The agent that draws its moves from a hat, and the hat.

use crate::{Agent, Choice, Entry, Forfeit, Limits, Settings};
use isrever_board::{Game, Square};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Plays any legal move, all equally likely.
#[derive(Clone, Debug)]
pub struct Random {
    hat: Hat,
}

impl Random {
    /// The player of this `seed`: the same seed plays the same moves in the same games.
    pub fn new(seed: u64) -> Random {
        Random { hat: Hat::new(seed) }
    }

    /// How to ask for it.
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
        Ok(self.hat.draw(&game.position().moves()).into())
    }
}

/// A seeded source of choices among squares.
///
/// The choice is made by our own arithmetic, not by `rand`'s sampling, which
/// may change between its releases: old games can be played again for ever.
#[derive(Clone, Debug)]
pub struct Hat(Xoshiro256PlusPlus);

impl Hat {
    /// The source of this `seed`.
    pub fn new(seed: u64) -> Hat {
        Hat(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// One of `squares`, all equally likely (but for one part in 2⁵⁶). One number is used.
    ///
    /// # Panics
    /// If there are none.
    pub fn draw(&mut self, squares: &[Square]) -> Square {
        squares[self.below(squares.len())]
    }

    /// A number below `end`, all equally likely. One number of the source is used.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.0.next_u64()) * end as u128) >> 64) as usize
    }

    /// Any number, to seed another source.
    pub fn number(&mut self) -> u64 {
        self.0.next_u64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::{Move, Rule, Size};

    #[test]
    fn every_square_is_drawn_about_equally_often() {
        let squares: Vec<Square> = Size::FOUR.squares().take(7).collect();
        let mut hat = Hat::new(3);
        let mut drawn = [0; 7];
        for _ in 0..70_000 {
            let square = hat.draw(&squares);
            drawn[squares.iter().position(|&s| s == square).unwrap()] += 1;
        }
        // Five standard deviations of the binomial distribution are 463.
        assert!(drawn.iter().all(|count| (9_500..10_500).contains(count)), "{drawn:?}");
    }

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
