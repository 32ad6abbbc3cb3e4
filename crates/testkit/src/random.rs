//! Random games, boards and positions, the same for a seed in every run.
//!
//! Tests rely on exactly these games; a test here pins them, because `rand` may
//! change how it samples.

use isrever_board::{Board, Color, Draft, Game, Move, Position, Rule, Size, Square, squares};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A turn of a random game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The board before the move, seen by the side to move.
    pub board: Board,
    /// Where that side plays; `None` if it must pass, or the game is over.
    pub square: Option<Square>,
}

/// The turns of one random game after the other, without end. The last turn of each game is the
/// board on which it is over.
pub fn turns(size: Size, seed: u64) -> impl Iterator<Item = Turn> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut board = Board::start(size);
    std::iter::repeat_with(move || {
        let square = choose(board, size, &mut random);
        let turn = Turn { board, square };
        board = match square {
            Some(square) => board.play(square, size).expect("a legal move"),
            None if board.is_over(size) => Board::start(size),
            None => board.pass(),
        };
        turn
    })
}

/// Boards of random games with `empties` empty squares left; finished games and passes are among
/// them.
pub fn random_boards(size: Size, empties: u32, count: usize) -> Vec<Board> {
    endless(size, empties).take(count).collect()
}

/// The same without finished games.
pub fn unfinished_boards(size: Size, empties: u32, count: usize) -> Vec<Board> {
    endless(size, empties).filter(|board| !board.is_over(size)).take(count).collect()
}

fn endless(size: Size, empties: u32) -> impl Iterator<Item = Board> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(u64::from(empties));
    std::iter::repeat_with(move || {
        let mut board = Board::start(size);
        while board.empties(size).count_ones() > empties && !board.is_over(size) {
            board = match choose(board, size, &mut random) {
                Some(square) => board.play(square, size).expect("a legal move"),
                None => board.pass(),
            };
        }
        board
    })
}

fn choose(board: Board, size: Size, random: &mut Xoshiro256PlusPlus) -> Option<Square> {
    let moves: Vec<Square> = squares(board.moves(size)).collect();
    moves.choose(random).copied()
}

/// Boards after `plies` random plies, passes counted, each with a move for the side to move.
pub fn boards_after(size: Size, plies: u32, count: usize, seed: u64) -> Vec<Board> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut boards = Vec::new();
    while boards.len() < count {
        let mut board = Board::start(size);
        for _ in 0..plies {
            let moves: Vec<Square> = squares(board.moves(size)).collect();
            board = match moves.len() {
                0 => board.pass(),
                some => {
                    let place = (random.next_u64() % some as u64) as usize;
                    board.play(moves[place], size).expect("a legal move")
                }
            };
        }
        if board.moves(size) != 0 {
            boards.push(board);
        }
    }
    boards
}

/// A whole random game.
pub fn random_game(rule: Rule, size: Size, seed: u64) -> Game {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut game = Game::new(rule, size);
    while !game.is_over() {
        let moves = game.position().moves();
        let mv = moves.choose(&mut random).map_or(Move::Pass, |&square| Move::Place(square));
        game.play(mv).expect("a legal move");
    }
    game
}

/// All positions of `games` random games on a board of any size, the finished ones included.
pub fn positions(size: Size, games: u64, seed: u64) -> Vec<Position> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut pick = |moves: &[Square]| {
        moves[((u128::from(random.next_u64()) * moves.len() as u128) >> 64) as usize]
    };
    let mut positions = Vec::new();
    for _ in 0..games {
        let mut position = Position::start(size);
        while !position.is_over() {
            positions.push(position.clone());
            position = match position.moves().as_slice() {
                [] => position.pass(),
                moves => position.play(pick(moves)).expect("a legal move"),
            };
        }
        positions.push(position);
    }
    positions
}

/// The position of a board string: squares row by row, then the side to move.
///
/// # Panics
/// If the text is not a position.
pub fn position(text: &str) -> Position {
    let (squares, turn) = text.split_once(' ').expect("squares and the side to move");
    let discs: Vec<Option<Color>> = squares.chars().map(Color::from_letter).collect();
    let size = Size::from_cells(discs.len()).expect("a board");
    let turn = turn.chars().next().and_then(Color::from_letter).expect("a color");
    Draft { size, discs, turn }.check().expect("a position")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(game: &Game) -> String {
        game.moves().iter().map(Move::to_string).collect()
    }

    #[test]
    fn games_are_the_same_in_every_release() {
        let first = turns(Size::EIGHT, 8).map_while(|turn| turn.square).take(8);
        let walked: String = first.map(|square| square.to_string()).collect();
        let game = moves(&random_game(Rule::Reversed, Size::FOUR, 2));
        let last = positions(Size::FOUR, 1, 11).pop().expect("a position");
        assert_eq!([walked, game], ["c4e3f3c5d3f4g5c3", "c4b4a3d2d1d4c1a2d3a4b1passa1"]);
        assert_eq!(last.board(), Some(Board { player: 0x0100_0000, opponent: 0x0e0f_0f0f }));
        let mix = |sum: u64, board: &Board| sum.rotate_left(7) ^ board.player ^ !board.opponent;
        let boards = [random_boards(Size::SIX, 8, 20), boards_after(Size::EIGHT, 9, 12, 1)];
        assert_eq!(
            boards.map(|boards| boards.iter().fold(0, mix)),
            [0xc88b_9d8d_236b_702f, 0xf48f_c42a_3959_cdce]
        );
    }

    #[test]
    fn boards_are_what_they_are_asked_to_be() {
        let boards = random_boards(Size::EIGHT, 10, 50);
        let has_ten = |board: &&Board| board.empties(Size::EIGHT).count_ones() == 10;
        assert!(boards.len() == 50 && boards.iter().filter(has_ten).count() > 40);
        let open = unfinished_boards(Size::FOUR, 3, 50);
        assert!(open.len() == 50 && open.iter().all(|board| !board.is_over(Size::FOUR)));
        let after = boards_after(Size::SIX, 7, 20, 3);
        assert!(after.iter().all(|board| board.moves(Size::SIX) != 0));
    }

    #[test]
    fn turns_follow_each_other_and_games_end() {
        let turns: Vec<Turn> = turns(Size::FOUR, 1).take(200).collect();
        let mut ends = 0;
        for pair in turns.windows(2) {
            let [Turn { board, square }, next] = [pair[0], pair[1]];
            let expected = match square {
                Some(square) => board.play(square, Size::FOUR).unwrap(),
                None if board.is_over(Size::FOUR) => {
                    ends += 1;
                    Board::start(Size::FOUR)
                }
                None => board.pass(),
            };
            assert_eq!(next.board, expected);
        }
        assert!(ends > 10, "{ends}");
    }

    #[test]
    fn positions_are_read() {
        let start = position("-----XO--OX----- X");
        assert_eq!((start.turn(), start.moves().len()), (Color::Black, 4));
    }
}
