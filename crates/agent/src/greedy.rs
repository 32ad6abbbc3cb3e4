//! The agent that looks one move ahead and no further.

use crate::random::Hat;
use crate::{Agent, Choice, Limits};
use isrever_board::{Game, Square};

/// Plays the move after which the discs, counted at once, are worth most to it.
///
/// Under the reversed rule that turns as few discs as possible, under the
/// normal rule as many. Among equal moves it draws one by its seed, so that
/// different seeds give different games.
#[derive(Clone, Debug)]
pub struct Greedy {
    hat: Hat,
}

impl Greedy {
    /// The player of this `seed`: the same seed plays the same moves in the same games.
    pub fn new(seed: u64) -> Greedy {
        Greedy { hat: Hat::new(seed) }
    }
}

impl Agent for Greedy {
    fn name(&self) -> String {
        "greedy".to_owned()
    }

    fn choose(&mut self, game: &Game, _: &Limits) -> Choice {
        self.hat.draw(&best_at_once(game)).into()
    }
}

/// The moves with the best score right after them, row by row.
fn best_at_once(game: &Game) -> Vec<Square> {
    let position = game.position();
    let scored: Vec<(i32, Square)> = position
        .moves()
        .into_iter()
        .filter_map(|square| {
            let after = position.play(square)?;
            Some((after.score(game.rule(), position.turn()), square))
        })
        .collect();
    let best = scored.iter().map(|&(score, _)| score).max();
    scored.into_iter().filter(|&(score, _)| Some(score) == best).map(|(_, square)| square).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::{Color, Draft, Rule, Size};

    /// Black turns one disc with d1, d3 and c4, and two with d2 and b4.
    fn choices(rule: Rule) -> Vec<String> {
        let row = |text: &str| text.chars().map(Color::from_letter).collect::<Vec<_>>();
        let discs = row("-XO-XOO--O------");
        let draft = Draft { size: Size::FOUR, discs, turn: Color::Black };
        let game = Game::from_position(rule, draft.check().unwrap());
        best_at_once(&game).iter().map(Square::to_string).collect()
    }

    #[test]
    fn it_takes_what_is_best_now_under_either_rule() {
        assert_eq!(choices(Rule::Normal), ["d2", "b4"]);
        assert_eq!(choices(Rule::Reversed), ["d1", "d3", "c4"]);
    }
}
