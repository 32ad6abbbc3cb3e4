//! A file of positions on which an author can try an agent again at home.

use crate::terms::Terms;
use crate::weakness::Mistake;
use std::fmt::Write;

/// The program around the positions.
const PROGRAM: &str = include_str!("practice.py");

/// A Python program that tries an agent of the course's form on these positions.
pub fn practice(worst: &[Mistake], terms: &Terms) -> String {
    let mut positions = String::new();
    for Mistake { game, board, size, color, played, better, loss, .. } in worst {
        // All of them are letters, digits and dashes, which no quotation mark is among.
        // Writing to a string cannot fail.
        let _ = writeln!(
            positions,
            "    (\"{board}\", {size}, \"{color}\", \"{played}\", \"{better}\", {loss:.1}, {game}),"
        );
    }
    let seconds = terms.move_ms as f64 / 1000.0;
    PROGRAM.replace("@POSITIONS@", &positions).replace("@SECONDS@", &seconds.to_string())
}
