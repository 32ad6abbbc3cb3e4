//! What a book knows of a position and each of its moves, as it was asked: not turned or mirrored.

use crate::book::{Book, Entry};
use crate::step::{After, after, played};
use isrever_board::{Board, Square, squares};

/// What a book knows of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// What is known of the position itself; squares are those of its canonical form.
    pub entry: Entry,
    /// Every legal move of which something is known: those that lead into the book first, the best
    /// first.
    pub moves: Vec<MoveView>,
    /// The best line as far as the book goes, ending with the best move of a search, and going on
    /// after it where everything is proved.
    pub line: Vec<Square>,
}

/// A move of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveView {
    /// Where.
    pub square: Square,
    /// What it is worth to the side that plays it, in discs.
    pub value: i8,
    /// What the value rests on.
    pub what: What,
}

/// What the value of a move rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// The game ends with it.
    Over,
    /// It leads to a position of the book, whose worth is the value.
    Known {
        /// The score is at least and at most this, for the side that plays the move: proved.
        bounds: (i8, i8),
        /// How many moves of its best line are in the book.
        plies: u8,
        /// The depth and the confidence of the search at the end of that line.
        depth: u8,
        /// In how many of 100 cases the cuts of that search are right.
        confidence: u8,
    },
    /// It is the best move by the search of the position itself, and has not been looked at since.
    Searched,
    /// A rough estimate, by a shallow search.
    Estimated,
}

impl Book {
    /// What the book knows of a position.
    pub fn view(&self, board: Board) -> Option<View> {
        let size = self.size();
        let entry = self.find(board)?;
        let (canonical, symmetry) = board.canonical(size);
        let inverse = symmetry.inverse();
        let mut moves = Vec::new();
        for (number, square) in squares(canonical.moves(size)).enumerate() {
            let known = self.what(&entry, number, square);
            let square = inverse.square(square, size);
            moves.extend(known.map(|(value, what)| MoveView { square, value, what }));
        }
        let best = self.best(board);
        let is_estimate = |it: &MoveView| it.what == What::Estimated;
        // Of moves that are worth the same, the one that the best line begins with comes first.
        moves.sort_by_key(|it| {
            (is_estimate(it), -i16::from(it.value), Some(it.square) != best, it.square.index())
        });
        Some(View { entry, moves, line: self.line(board) })
    }

    /// The value of a move of the position of `entry`, and what it rests on; `None` if it is unknown.
    fn what(&self, entry: &Entry, number: usize, square: Square) -> Option<(i8, What)> {
        let (finding, size) = (&entry.finding, self.size());
        if let Some(known) = self.reached(finding.board, square) {
            return Some(known);
        }
        // Its images under a symmetry of the board lead to the same position.
        let to = |square| after(finding.board, square, size, self.rule());
        if to(square) == to(finding.best) {
            return Some((finding.value, What::Searched));
        }
        // What was looked at in passing is not better than what is known.
        let (least, most) = (-crate::finding::most(size), entry.worth.value);
        let value = finding.estimate(number, size)?.clamp(least.into(), most.into());
        Some((i8::try_from(value).expect("it is on the board"), What::Estimated))
    }

    /// What a move is worth by the position that it leads to, if that is one of the book or the end of
    /// the game. The position it starts from need not be in the book.
    ///
    /// # Panics
    /// If the move is not legal.
    pub fn reached(&self, board: Board, square: Square) -> Option<(i8, What)> {
        let (next, is_reply) = match after(board, square, self.size(), self.rule()) {
            After::Over(score) => return Some((score, What::Over)),
            After::Position { board, is_reply } => (self.find(board)?, is_reply),
        };
        let back = |value| After::seen_back(value, is_reply);
        let (one, other) = (back(next.worth.lower), back(next.worth.upper));
        let last = self.last_of_line(&next);
        let what = What::Known {
            bounds: (one.min(other), one.max(other)),
            plies: next.worth.plies + 1,
            depth: last.finding.depth,
            confidence: last.finding.confidence,
        };
        Some((back(next.worth.value), what))
    }

    /// The entry at the end of the best line from the position of `entry`: its search is what the
    /// value rests on.
    pub fn last_of_line(&self, entry: &Entry) -> Entry {
        let mut last = entry.clone();
        loop {
            let square = last.worth.best;
            match after(last.finding.board, square, self.size(), self.rule()) {
                After::Position { board, .. } => match self.find(board) {
                    Some(next) if last.worth.plies > 0 => last = next,
                    _ => return last,
                },
                After::Over(_) => return last,
            }
        }
    }

    /// The best move of a position, on the board as it was asked for.
    pub(crate) fn best(&self, board: Board) -> Option<Square> {
        let entry = self.find(board)?;
        let (_, symmetry) = board.canonical(self.size());
        Some(symmetry.inverse().square(entry.worth.best, self.size()))
    }

    /// The best line from a position as far as the book goes; passes are left out. After a search
    /// that proved its score it goes on through positions whose scores are proved too.
    pub fn line(&self, mut board: Board) -> Vec<Square> {
        let size = self.size();
        let mut line = Vec::new();
        let mut is_own_search = false;
        while let Some(entry) = self.find(board) {
            if is_own_search && entry.worth.lower != entry.worth.upper {
                break;
            }
            let square = self.best(board).expect("it is in the book");
            line.push(square);
            board = played(board, square, size);
            is_own_search = entry.worth.plies == 0;
            if is_own_search && !entry.finding.is_exact {
                break;
            }
        }
        line
    }
}
