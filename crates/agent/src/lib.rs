//! Who plays: the agent trait, simple agents, and the list of them by name.
//!
//! What is here: [`Agent`], and agents that need no evaluation and no search.
//! What is not: the rules (`isrever-board` has them), the engine, and any
//! random number that does not come from a seed passed in.

mod alpha_beta;
mod catalogue;
mod combination;
mod ending;
mod features;
mod field;
mod greedy;
mod invincible;
mod limits;
mod mcts;
mod parameters;
mod random;
mod reports;
#[cfg(test)]
mod sample;

pub use alpha_beta::{AlphaBeta, Best, DECIDED, Evaluation, TO_THE_END};
pub use catalogue::{Entry, UnknownAgent, by_name, catalogue};
pub use combination::Combination;
pub use ending::{Goal, perfect};
pub use features::{CLASSES, Features, WeightMap, sense};
pub use field::{Bits, Field};
pub use greedy::{Greedy, Measure};
pub use invincible::{ENDING, Invincible};
pub use limits::{Choice, Limits, Share, Watch};
pub use mcts::{Mcts, MctsSettings};
pub use parameters::{Parameter, ParameterError, Parameters};
pub use random::Random;
pub use reports::{Depth3, FourStage, Genetic, Maximax, ThreeStage};

use isrever_board::Game;

/// Something that plays.
///
/// It sees the whole game: the rule, the history, and the position now. It
/// plays for the side to move, whichever that is, and on every board size.
pub trait Agent: Send {
    /// What the agent is called in lists, dialogues and records.
    fn name(&self) -> String;

    /// The square to play on, one of `game.position().moves()`, and what else there is to say.
    ///
    /// Asked only when the side to move has a move: passes are the caller's business. However
    /// tight the limits are, there is an answer within a moment.
    fn choose(&mut self, game: &Game, limits: &Limits) -> Choice;
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::{Color, Move, Rule, Size};

    /// Plays a whole game and checks every answer.
    fn play(
        rule: Rule,
        size: Size,
        black: &mut dyn Agent,
        white: &mut dyn Agent,
        mut checked: impl FnMut(&Game),
    ) -> Game {
        let mut game = Game::new(rule, size);
        while let Some(turn) = game.turn() {
            if game.position().must_pass() {
                game.play(Move::Pass).unwrap();
                continue;
            }
            let limits = Limits::default();
            let square = match turn {
                Color::Black => black.choose(&game, &limits).square,
                Color::White => white.choose(&game, &limits).square,
            };
            assert!(game.position().moves().contains(&square), "{turn} plays {square}");
            checked(&game);
            game.play(Move::Place(square)).unwrap();
        }
        game
    }

    #[test]
    fn every_agent_answers_legally_in_thousands_of_positions_of_every_size() {
        for size in Size::ALL {
            for rule in Rule::ALL {
                for entry in catalogue() {
                    let mut positions = 0;
                    for seed in 0.. {
                        let (mut one, mut two) = (entry.make(seed), entry.make(seed + 1_000));
                        play(rule, size, &mut *one, &mut *two, |_| positions += 1);
                        if positions > 1_000 {
                            break;
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_same_seed_plays_the_same_game() {
        for entry in catalogue() {
            let game = |seed| {
                let (mut one, mut two) = (entry.make(seed), entry.make(seed + 1));
                play(Rule::Reversed, Size::EIGHT, &mut *one, &mut *two, |_| {})
            };
            assert_eq!(game(5), game(5), "{}", entry.name);
            assert!((0..5).any(|seed| game(seed) != game(seed + 10)), "{}", entry.name);
        }
    }

    #[test]
    fn greedy_beats_random_under_both_rules() {
        const GAMES: u64 = 300;
        for rule in Rule::ALL {
            // Not on 4x4, where it gains nothing: 48 % and 53 % of 20,000 games.
            for size in [Size::SIX, Size::EIGHT] {
                // Wins count two and draws one, so that half of all points is no advantage.
                let points: u64 = (0..GAMES)
                    .map(|seed| {
                        let (mut greedy, mut random) = (Greedy::new(seed), Random::new(seed));
                        let score = if seed % 2 == 0 {
                            play(rule, size, &mut greedy, &mut random, |_| {}).score(Color::Black)
                        } else {
                            play(rule, size, &mut random, &mut greedy, |_| {}).score(Color::White)
                        };
                        1u64.saturating_add_signed(i64::from(score.signum()))
                    })
                    .sum();
                let percent = points * 50 / GAMES;
                assert!(percent >= 55, "{rule} {size}: greedy made {percent} % of the points");
            }
        }
    }
}
