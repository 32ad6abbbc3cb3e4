//! Two implementations of the rules, eight symmetries and three kernels agree in random games. They
//! meet a million plies of each size that they share.

use isrever_board::{
    ArrayBoard, Board, Cell, Isa, Kernel, Rule, Size, Square, Symmetry, Task, dispatch_to, squares,
};
use isrever_testkit::{positions, turns};

const PLIES: usize = 1_000_000;

/// Calls `visit` with every position of random games until `plies` moves are made.
fn random_plies(size: Size, plies: usize, mut visit: impl FnMut(Board, &[Square])) {
    for turn in turns(size, size.width().into()).take(plies) {
        let moves: Vec<Square> = squares(turn.board.moves(size)).collect();
        visit(turn.board, &moves);
    }
}

fn agrees_with_the_plain_board(size: Size) {
    let (mut passes, mut ends) = (0, 0);
    random_plies(size, PLIES, |board, moves| {
        let plain = ArrayBoard::from_bits(board, size);
        assert_eq!(plain.to_bits(), Some(board));
        assert!(plain.moves().eq(moves.iter().copied()), "{size} {board:x?}");
        for &square in moves {
            let flips = plain.flips(square).iter().fold(0, |bits, flipped| bits | flipped.bit());
            assert_eq!(board.flips(square), flips);
        }
        if let Some(&square) = moves.first() {
            assert_eq!(plain.play(square).unwrap().to_bits(), board.play(square, size));
        } else {
            assert_eq!(plain.is_over(), board.is_over(size));
            assert_eq!(plain.pass().to_bits(), Some(board.pass()));
            for rule in Rule::ALL {
                assert_eq!(plain.score(rule), board.score(size, rule));
            }
            passes += 1;
            ends += usize::from(board.is_over(size));
        }
        assert_eq!(plain.count(Cell::Empty), board.empties(size).count_ones());
    });
    assert!(ends > 1000 && passes > ends, "games ended ({ends}) and sides passed");
}

#[test]
fn boards_agree_on_4x4() {
    agrees_with_the_plain_board(Size::FOUR);
}

#[test]
fn boards_agree_on_6x6() {
    agrees_with_the_plain_board(Size::SIX);
}

#[test]
fn boards_agree_on_8x8() {
    agrees_with_the_plain_board(Size::EIGHT);
}

#[test]
fn symmetries_commute_with_play() {
    for size in Size::BITS {
        random_plies(size, PLIES, |board, moves| {
            let canonical = board.canonical(size).0;
            for symmetry in Symmetry::ALL {
                let image = symmetry.board(board, size);
                assert_eq!(image.moves(size), symmetry.bits(board.moves(size), size));
                assert_eq!(symmetry.inverse().board(image, size), board);
                if let Some(&square) = moves.last() {
                    let next = board.play(square, size).unwrap();
                    let next_image = image.play(symmetry.square(square, size), size).unwrap();
                    assert_eq!(next_image, symmetry.board(next, size));
                }
            }
            let turned = Symmetry::ALL[canonical.hash() as usize % 8].board(board, size);
            assert_eq!(turned.canonical(size).0, canonical);
        });
    }
}

#[test]
fn symmetries_commute_with_play_on_the_plain_board() {
    for size in Size::ALL {
        let turn = |symmetry: Symmetry, board: &ArrayBoard| {
            let mut image = ArrayBoard::empty(size);
            for square in size.squares() {
                image.set(symmetry.square(square, size), board.cell(square));
            }
            image
        };
        for position in positions(size, 1, size.width().into()) {
            let board = position.to_array();
            let Some(square) = board.moves().last() else { continue };
            let next = board.play(square).unwrap();
            for symmetry in Symmetry::ALL {
                let next_image = turn(symmetry, &board).play(symmetry.square(square, size));
                assert_eq!(next_image, Some(turn(symmetry, &next)));
            }
        }
    }
}

/// Compares one kernel with the portable board.
struct Agrees {
    board: Board,
    size: Size,
}

impl Task for Agrees {
    type Output = ();

    fn run(self, kernel: impl Kernel) {
        let Agrees { board, size } = self;
        kernel.run(|| {
            let moves = kernel.moves(board) & size.mask();
            assert_eq!(moves, board.moves(size), "{kernel:?} on {board:x?}");
            for square in squares(moves) {
                assert_eq!(kernel.flips(board, square.index()), board.flips(square));
            }
        });
    }
}

#[test]
fn kernels_agree_with_the_portable_board() {
    for size in Size::BITS {
        random_plies(size, PLIES, |board, _| {
            for isa in Isa::ALL.into_iter().filter(|isa| isa.is_present()) {
                dispatch_to(isa, Agrees { board, size });
            }
        });
    }
}
