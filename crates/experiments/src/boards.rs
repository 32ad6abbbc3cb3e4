//! Pictures of boards, and checks on the array board that share no code with the searches.

use isrever_board::{
    ArrayBoard, Cell, Color, Dressing, Marks, Move, Position, Rule, Square, picture,
};
use isrever_lab::experiment::Picture;

/// A picture of a position, with the move that led to it if there is one.
pub(super) fn board(
    name: &str,
    caption: &str,
    position: &Position,
    words: [String; 2],
    last: Option<(Square, Vec<Square>)>,
) -> Picture {
    let marks = last.map(|(square, turned)| Marks { last: Some(square), turned });
    let svg = picture(position, Dressing { marks: marks.as_ref(), caption: Some(&words) });
    Picture::new(name, caption, svg)
}

/// The side to move, in words.
pub(super) fn to_move(position: &Position) -> String {
    let color = match position.turn() {
        Color::Black => "black",
        Color::White => "white",
    };
    format!("{color} to move")
}

/// The score of `board` for the side to move with perfect play, by brute force: no pruning, no
/// bitboards, no table.
pub(super) fn brute_force(board: &ArrayBoard, rule: Rule) -> i32 {
    let mut best: Option<i32> = None;
    for square in board.moves() {
        let next = board.play(square).expect("it is a move");
        best = best.max(Some(-brute_force(&next, rule)));
    }
    match best {
        Some(best) => best,
        None if board.pass().moves().next().is_some() => -brute_force(&board.pass(), rule),
        None => {
            let [own, other, empty] =
                [Cell::Player, Cell::Opponent, Cell::Empty].map(|cell| board.count(cell));
            rule.score(own, other, empty)
        }
    }
}

/// Replays a game on the array board from the start. Returns the final board and whether black is
/// to move there, or `None` if a move is illegal.
pub(super) fn replay(start: &Position, moves: &[Move]) -> Option<(ArrayBoard, bool)> {
    let mut board = start.to_array();
    let mut is_black = start.turn() == Color::Black;
    for mv in moves {
        board = match mv {
            Move::Place(square) => board.play(*square)?,
            Move::Pass if board.moves().next().is_none() => board.pass(),
            Move::Pass => return None,
        };
        is_black = !is_black;
    }
    Some((board, is_black))
}

/// Black's score of a game, replayed on the array board; `None` if the game is not finished.
pub(super) fn replayed_score(start: &Position, moves: &[Move], rule: Rule) -> Option<i32> {
    let (board, is_black) = replay(start, moves)?;
    let is_over = board.moves().next().is_none() && board.pass().moves().next().is_none();
    // With no move left, brute force only counts the discs.
    let score = is_over.then(|| brute_force(&board, rule))?;
    Some(if is_black { score } else { -score })
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_agent::Rng;
    use isrever_board::{Game, Size};
    use isrever_search::{Control, Goal, Searcher, Settings};

    #[test]
    fn trying_everything_agrees_with_the_solver_and_games_can_be_played_again() {
        let mut solver = Searcher::new(Settings::new(Rule::Reversed, Size::SIX));
        for seed in 0..4 {
            let mut rng = Rng::stream(seed, 0);
            let mut game = Game::new(Rule::Reversed, Size::SIX);
            while !game.is_over() {
                let position = game.position();
                if position.empties() == 6 {
                    let board = position.board().unwrap();
                    let solved = solver.search(board, Goal::Exact, Control::NONE).score();
                    assert_eq!(brute_force(&position.to_array(), Rule::Reversed), solved);
                }
                let mv = match position.moves().as_slice() {
                    [] => Move::Pass,
                    moves => Move::Place(moves[rng.below(moves.len() as u32) as usize]),
                };
                game.play(mv).unwrap();
            }
            let score = replayed_score(game.start(), game.moves(), Rule::Reversed);
            assert_eq!(score, Some(game.score(Color::Black)));
            assert_eq!(replayed_score(game.start(), &game.moves()[..9], Rule::Reversed), None);
            assert_eq!(replay(game.start(), &[Move::Pass]), None);
        }
    }
}
