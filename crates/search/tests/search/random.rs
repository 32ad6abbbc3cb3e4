//! Boards of random games, the same in every run.

use isrever_board::{Board, Size, squares};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Boards of random games with `empties` empty squares left, ends and passes among them.
pub(crate) fn random_boards(size: Size, empties: u32, count: usize) -> Vec<Board> {
    endless(size, empties).take(count).collect()
}

/// The same without those on which the game is over.
pub(crate) fn unfinished_boards(size: Size, empties: u32, count: usize) -> Vec<Board> {
    endless(size, empties).filter(|board| !board.is_over(size)).take(count).collect()
}

fn endless(size: Size, empties: u32) -> impl Iterator<Item = Board> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(u64::from(empties));
    std::iter::repeat_with(move || {
        let mut board = Board::start(size);
        while board.empties(size).count_ones() > empties && !board.is_over(size) {
            let moves: Vec<_> = squares(board.moves(size)).collect();
            board = match moves.choose(&mut random) {
                Some(&square) => board.play(square, size).expect("a legal move"),
                None => board.pass(),
            };
        }
        board
    })
}
