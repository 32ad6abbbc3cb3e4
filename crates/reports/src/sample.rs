//! Positions for the tests of this crate.

use isrever_agent::Hat;
use isrever_board::{Color, Draft, Position, Size};

/// All positions of `games` random games, the finished ones included.
pub(crate) fn positions(size: Size, games: u64, seed: u64) -> Vec<Position> {
    let mut positions = Vec::new();
    let mut hat = Hat::new(seed);
    for _ in 0..games {
        let mut position = Position::start(size);
        while !position.is_over() {
            positions.push(position.clone());
            position = match position.moves().as_slice() {
                [] => position.pass(),
                moves => position.play(hat.draw(moves)).unwrap(),
            };
        }
        positions.push(position);
    }
    positions
}

/// The position of a board string: squares row by row, then the side to move.
pub(crate) fn position(text: &str) -> Position {
    let (squares, turn) = text.split_once(' ').unwrap();
    let discs: Vec<Option<Color>> = squares.chars().map(Color::from_letter).collect();
    let size = Size::from_cells(discs.len()).unwrap();
    let turn = turn.chars().next().and_then(Color::from_letter).unwrap();
    Draft { size, discs, turn }.check().unwrap()
}
