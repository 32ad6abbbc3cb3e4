//! Names of openings: those of Othello, whose moves are the same. What they are worth is not.
//!
//! A position has a name if one of the sequences below leads to it, whatever the order of its moves
//! and however the board is turned or mirrored. A game has the name of the last such position that it
//! passed.
//!
//! Names and sequences are those that players use, as <http://www.samsoft.org.uk/reversi/openings.htm>
//! lists them. In Chinese, names of people stay in Latin letters unless they are written in Chinese
//! characters.

use isrever_board::{Board, Game, Size, Square};
use std::collections::HashMap;
use std::sync::LazyLock;

/// An opening that has a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The moves that lead there, without anything between them.
    pub moves: &'static str,
    /// Its name in English.
    pub name: &'static str,
    /// Its name in Chinese.
    pub chinese: &'static str,
}

/// All openings that have a name, in the order of their moves.
pub const OPENINGS: &[Opening] = &[
    Opening::new("f5d6", "Perpendicular", "垂直"),
    Opening::new("f5d6c3d3c4", "Tiger", "虎"),
    Opening::new("f5d6c3d3c4b3", "Aubrey", "Aubrey"),
    Opening::new("f5d6c3d3c4f4c5b3c2", "Rose-Bill", "Rose-Bill"),
    Opening::new("f5d6c3d3c4f4c5b3c2b4", "Central Rose-Bill", "Central Rose-Bill"),
    Opening::new("f5d6c3d3c4f4c5b3c2e6", "Tamenori", "为则"),
    Opening::new("f5d6c3d3c4f4c5b4b5c6f3e6e3", "Ishii", "石井"),
    Opening::new("f5d6c3d3c4f4c5b4b5c6f3e6e3g6f6g5d7g3", "Mainline Tiger", "虎（主变化）"),
    Opening::new("f5d6c3d3c4f4e3", "Brightwell", "Brightwell"),
    Opening::new("f5d6c3d3c4f4e6", "Leader's Tiger", "Leader 虎"),
    Opening::new("f5d6c3d3c4f4f6", "Stephenson", "Stephenson"),
    Opening::new("f5d6c3d3c4f4f6b4", "Kung", "Kung"),
    Opening::new("f5d6c3d3c4f4f6f3", "Comp'Oth", "Comp'Oth"),
    Opening::new("f5d6c3d3c4f4f6f3e3", "Lightning Bolt", "闪电"),
    Opening::new("f5d6c3d3c4f4f6g5", "No-Kung", "No-Kung"),
    Opening::new("f5d6c3g5", "Bent Ganglion", "弯神经节"),
    Opening::new("f5d6c4d3c5", "Cat", "猫"),
    Opening::new("f5d6c4d3c5f4e3f3c2b4b3", "Berner", "Berner"),
    Opening::new("f5d6c4d3c5f4e3f3c2c6", "Sakaguchi", "坂口"),
    Opening::new("f5d6c4d3e6", "Italian", "意大利"),
    Opening::new("f5d6c4g5", "Ganglion", "神经节"),
    Opening::new("f5d6c4g5c6", "Swallow", "燕"),
    Opening::new("f5d6c5f4d3", "Horse", "马"),
    Opening::new("f5d6c5f4e3c6d3f3", "Ralle", "Ralle"),
    Opening::new("f5d6c5f4e3c6d3f6e6d7", "Rose", "Rose"),
    Opening::new("f5d6c5f4e3c6d3f6e6d7e7", "Greenberg", "Greenberg"),
    Opening::new("f5d6c5f4e3c6d3f6e6d7g3c4", "Rose-Birth", "Rose-Birth"),
    Opening::new("f5d6c5f4e3c6d3f6e6d7g3c4b4", "Rose-Birdie", "Rose-Birdie"),
    Opening::new("f5d6c5f4e3c6d3f6e6d7g3c4g5c3b4e2", "Brightstein", "Brightstein"),
    Opening::new("f5d6c5f4e3c6d3f6e6d7g4", "Flat", "Flat"),
    Opening::new("f5d6c5f4e3c6d3f6e6d7g4c4", "Rotating Flat", "Rotating Flat"),
    Opening::new("f5d6c5f4e3c6d3f6e6d7g4c4g6", "Murakami Variation", "村上变化"),
    Opening::new("f5d6c5f4e3c6d7", "Bhagat", "Bhagat"),
    Opening::new("f5d6c5f4e3c6e6", "Inoue", "井上"),
    Opening::new("f5d6c5f4e3c6e6f6", "Iago", "Iago"),
    Opening::new("f5d6c5f4e3c6f3", "Shaman", "Shaman"),
    Opening::new("f5d6c5f4e3d3", "Mimura", "三村"),
    Opening::new("f5f4", "Parallel", "平行"),
    Opening::new("f5f6", "Diagonal", "对角"),
    Opening::new("f5f6c4f4", "Semi-Wing", "半翼"),
    Opening::new("f5f6d3f4", "Wing", "翼"),
    Opening::new("f5f6e6f4c3", "Buffalo", "水牛"),
    Opening::new("f5f6e6f4c3c4", "Hokuriku Buffalo", "北陆水牛"),
    Opening::new("f5f6e6f4c3d6f3c4c5b4", "Tanida Buffalo", "谷田水牛"),
    Opening::new("f5f6e6f4c3d7f3", "Maruoka Buffalo", "丸冈水牛"),
    Opening::new("f5f6e6f4e3", "Cow", "牛"),
    Opening::new("f5f6e6f4e3c5c4", "Rose-v-Toth", "Rose-v-Toth"),
    Opening::new("f5f6e6f4e3c5c4d3c3", "Landau", "Landau"),
    Opening::new("f5f6e6f4e3c5c4d3f3e2", "Maruoka", "丸冈"),
    Opening::new("f5f6e6f4e3c5c4e7", "Tanida", "谷田"),
    Opening::new("f5f6e6f4e3c5c4e7b5e2", "Sailboat", "帆船"),
    Opening::new("f5f6e6f4e3c5c4e7g4", "Aircraft", "飞机"),
    Opening::new("f5f6e6f4e3c5g5", "Bat", "蝙蝠"),
    Opening::new("f5f6e6f4e3c5g5g3g4f3c4", "Melnikov", "Melnikov"),
    Opening::new("f5f6e6f4e3d6", "Chimney", "烟囱"),
    Opening::new("f5f6e6f4g3", "Rocket", "火箭"),
    Opening::new("f5f6e6f4g3d6", "Lollipop", "棒棒糖"),
    Opening::new("f5f6e6f4g3f3g4", "Hamilton", "Hamilton"),
    Opening::new("f5f6e6f4g4", "Raccoon Dog", "狸"),
    Opening::new("f5f6e6f4g5", "Heath", "Heath"),
    Opening::new("f5f6e6f4g5d6", "Heath-Chimney", "Heath 烟囱"),
    Opening::new("f5f6e6f4g5e7d7", "Iwasaki Variation", "岩崎变化"),
    Opening::new("f5f6e6f4g5e7e3", "Heath-Bat", "Heath 蝙蝠"),
    Opening::new("f5f6e6f4g5e7f7c5e3f3c4d3c2", "Mimura Variation II", "三村变化二"),
    Opening::new("f5f6e6f4g6", "Snake", "蛇"),
    Opening::new("f5f6e6f4g6c5g4g5f3e3c4", "Pyramid", "金字塔"),
    Opening::new("f5f6e6f4g6c6", "Lysons", "Lysons"),
    Opening::new("f5f6e6f4g7", "X-square", "X 位"),
];

/// The plies of the longest sequence: no later position has a name.
const MOST_PLIES: u32 = 18;

/// The openings by the positions they lead to, in canonical form.
static POSITIONS: LazyLock<HashMap<Board, &'static Opening>> = LazyLock::new(|| {
    let position = |opening: &'static Opening| (opening.board().canonical(Size::EIGHT).0, opening);
    OPENINGS.iter().map(position).collect()
});

impl Opening {
    const fn new(moves: &'static str, name: &'static str, chinese: &'static str) -> Opening {
        Opening { moves, name, chinese }
    }

    /// The opening that leads to a position on 8×8, in any of its eight images.
    pub fn at(board: Board) -> Option<&'static Opening> {
        let discs = (board.player | board.opponent).count_ones();
        if discs > MOST_PLIES + 4 {
            return None;
        }
        POSITIONS.get(&board.canonical(Size::EIGHT).0).copied()
    }

    /// The last opening that a game has passed.
    pub fn of(game: &Game) -> Option<&'static Opening> {
        if game.size() != Size::EIGHT {
            return None;
        }
        game.positions().iter().rev().find_map(|position| Opening::at(position.board()?))
    }

    /// Its moves as squares.
    pub fn squares(&self) -> impl Iterator<Item = Square> {
        squares(self.moves)
    }

    /// The position that it leads to.
    fn board(&self) -> Board {
        let play = |board: Board, square| board.play(square, Size::EIGHT).expect("a legal move");
        self.squares().fold(Board::start(Size::EIGHT), play)
    }
}

/// The squares of a sequence.
fn squares(moves: &str) -> impl Iterator<Item = Square> {
    let pairs = (0..moves.len()).step_by(2).map(|at| &moves[at..at + 2]);
    pairs.map(|pair| pair.parse().expect("the tests read every square"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::{Rule, Symmetry};
    use std::collections::HashSet;

    fn game(moves: &str) -> Game {
        let mut game = Game::new(Rule::Reversed, Size::EIGHT);
        for square in squares(moves) {
            game.place(square).unwrap();
        }
        game
    }

    #[test]
    fn every_sequence_is_legal_and_leads_to_a_position_of_its_own() {
        assert_eq!(POSITIONS.len(), OPENINGS.len());
        let names: HashSet<_> = OPENINGS.iter().map(|opening| opening.name).collect();
        assert_eq!(names.len(), OPENINGS.len());
        let longest = OPENINGS.iter().map(|opening| opening.moves.len() / 2).max();
        assert_eq!(longest, Some(MOST_PLIES as usize));
        for opening in OPENINGS {
            assert!(opening.moves.starts_with("f5"), "{opening:?}");
            assert_eq!(Opening::of(&game(opening.moves)), Some(opening));
        }
        assert!(OPENINGS.is_sorted_by_key(|opening| opening.moves));
    }

    #[test]
    fn a_name_holds_for_all_images_and_all_orders_of_moves() {
        let tiger = game("f5d6c3d3c4").position().board().unwrap();
        for symmetry in Symmetry::ALL {
            let image = symmetry.board(tiger, Size::EIGHT);
            assert_eq!(Opening::at(image).map(|opening| opening.name), Some("Tiger"));
        }
        let turned = game("c4e3f6e6f5");
        assert_eq!(Opening::of(&turned).map(|opening| opening.name), Some("Tiger"));
    }

    #[test]
    fn a_game_keeps_the_name_of_the_last_opening_that_it_passed() {
        let name = |moves| Opening::of(&game(moves)).map(|opening| opening.name);
        assert_eq!(name(""), None);
        assert_eq!(name("f5"), None);
        assert_eq!(name("f5d6"), Some("Perpendicular"));
        assert_eq!(name("f5d6c3d3c4f4"), Some("Tiger"), "one move on, which has no name");
        assert_eq!(name("f5d6c3d3c4f4e3"), Some("Brightwell"));
        assert_eq!(Opening::of(&Game::new(Rule::Normal, Size::SIX)), None);
        assert_eq!(Opening::of(&Game::new(Rule::Normal, Size::TEN)), None);
    }

    #[test]
    fn positions_that_cannot_be_met_have_no_name() {
        assert_eq!(Opening::at(Board { player: 0, opponent: 0 }), None);
        assert_eq!(Opening::at(Board { player: !0, opponent: 0 }), None);
    }
}
