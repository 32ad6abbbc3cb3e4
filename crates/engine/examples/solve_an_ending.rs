//! Solves an ending: the exact score, the best line, and the score of every move.
//!
//! Pass a position as text to solve another one, in any format that `isrever` reads.

#![allow(clippy::print_stdout, reason = "an example talks to a person")]

use isrever_board::text::{Defaults, read};
use isrever_search::{Control, Goal, Searcher, Settings};
use std::error::Error;

/// Eleven empty squares, white to move.
const ENDING: &str = "--X-XX----XXXXX-OXXOXXX-OXXXOXX-OXXXXOXXOOXXXXXXOXXXXX-XXXXXXXXX O";

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).unwrap_or_else(|| ENDING.to_owned());
    let game = read(text.as_bytes(), None, Defaults::default())?.remove(0).game;
    let board = game.position().board().ok_or("only boards up to 8x8 can be solved")?;

    let mut searcher = Searcher::new(Settings::new(game.rule(), game.size()));
    let answer = searcher.search(board, Goal::Exact, Control::NONE);
    let pv: Vec<String> = answer.pv.iter().map(ToString::to_string).collect();
    println!("{:+} discs for the side to move, proved in {} nodes", answer.score(), answer.nodes);
    println!("best line: {}", pv.join(" "));

    // The searcher keeps its table, so that each move is solved faster than from nothing.
    for answer in searcher.search_moves(board, Goal::Exact, Control::NONE) {
        let best = answer.best().expect("each answer is about a move");
        println!("{best}: {:+}", answer.score());
    }
    Ok(())
}
