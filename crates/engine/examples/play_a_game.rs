//! Plays a game: the engine at level 3 against random moves.

#![allow(clippy::print_stdout, reason = "an example talks to a person")]

use isrever_agent::{Agent, Limits, Random};
use isrever_board::{Color, Game, Move, Rule, Size};
use isrever_engine::{Level, Player, PlayerSettings};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let strength = Level::new(3).expect("levels are 1 to 20").strength();
    let mut engine = Player::new(PlayerSettings { strength, ..PlayerSettings::default() });
    let mut random = Random::new(7);

    let mut game = Game::new(Rule::Reversed, Size::EIGHT);
    // `turn` is `None` when the game is over.
    while let Some(color) = game.turn() {
        // A side without a legal square must pass; agents are asked only where there is a move.
        if game.position().must_pass() {
            game.play(Move::Pass)?;
            continue;
        }
        let agent: &mut dyn Agent = match color {
            Color::Black => &mut engine,
            Color::White => &mut random,
        };
        // Levels limit the engine themselves; other limits are a depth, nodes or a time.
        let choice = agent.choose(&game, &Limits::default())?;
        game.play(Move::Place(choice.square))?;
    }

    let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
    println!("{}", moves.join(" "));
    let score = game.score(Color::Black);
    println!("The engine's score is {score:+}: fewer discs win, so positive has fewer.");
    Ok(())
}
