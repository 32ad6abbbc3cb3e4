//! Agents that play as they should.

use crate::hosting::{agent, play, settings};
use isrever_agent::{Agent, Random};
use isrever_board::{Color, Game, Rule, Size};

#[test]
fn files_of_the_course_play_whole_games_unchanged() {
    for name in ["simple.py", "vectors.py"] {
        for (rule, color) in [(Rule::Reversed, Color::Black), (Rule::Normal, Color::White)] {
            let mut guest = agent(name, settings());
            let mut random = Random::new(1);
            let game = Game::new(rule, Size::EIGHT);
            let sides: [&mut dyn Agent; 2] = match color {
                Color::Black => [&mut guest, &mut random],
                Color::White => [&mut random, &mut guest],
            };
            let game = play(game, sides).unwrap_or_else(|forfeit| panic!("{name}: {forfeit}"));
            assert!(game.is_over() && game.ply() > 8, "{name}");
        }
    }
}
