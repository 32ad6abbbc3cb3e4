//! Analyses a game: the value and loss of every move, and the better move where one was missed.
//!
//! Pass a game as text to analyse another one, in any format that `isrever` reads.

#![allow(clippy::print_stdout, reason = "an example talks to a person")]

use isrever_agent::Share;
use isrever_board::text::{Defaults, read};
use isrever_engine::{AnalysisSettings, Player, PlayerSettings, analyze};
use std::error::Error;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).unwrap_or_else(|| "f5d6c3d3c4f4c5b3c2".to_owned());
    let game = read(text.as_bytes(), None, Defaults::default())?.remove(0).game;

    let mut player = Player::new(PlayerSettings::default());
    let share = Share { depth: Some(8), ..Share::default() };
    let settings = AnalysisSettings { share, ..AnalysisSettings::default() };
    // The flag could stop the analysis from another thread; the callback hears of each verdict.
    let analysis = analyze(&mut player, &game, &settings, &Arc::default(), &mut |_| {});

    for verdict in analysis.verdicts().iter().flatten() {
        let sign = verdict.mark.map_or("", |mark| mark.sign());
        let better = match verdict.best.best() {
            Some(best) if verdict.loss > 0 => format!("   {best} is {:+}", verdict.best.score()),
            _ => String::new(),
        };
        let (ply, color, mv) = (verdict.ply + 1, verdict.color, verdict.mv);
        println!("{ply:2}. {color} {mv}{sign}: {:+}{better}", verdict.value);
    }
    Ok(())
}
