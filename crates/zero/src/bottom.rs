//! The exact solver at the bottom of the tree.

use crate::tree::Stakes;
use isrever_agent::{Choice, Limits, Watch};
use isrever_board::{Board, Move};
use isrever_search::{Control, Goal, Question, Searcher, Settings};
use std::fmt;

/// Memory of its transposition table: endings as short as these need hardly any.
const HASH_BYTES: usize = 1 << 20;

/// Memory for the proof of a root.
const ROOT_HASH_BYTES: usize = 16 << 20;
/// A root with more empty squares is not worth a try, with time and without.
const PROVE_FROM: [u32; 2] = [22, 14];
/// The nodes of the first try to prove a root; the next has twice as many.
const FIRST_NODES: u64 = 100_000;
/// The most nodes of all tries, where no time is given.
const MOST_NODES: u64 = 2_000_000;
/// No try begins when this part of the time is over: it may take twice as long as all before it.
const LATEST: f64 = 0.15;

/// The best move of a board, if its score can be proved with a part of what the limits allow.
/// `ending` is the most empty squares that it may have, if the caller says so.
pub(crate) fn prove(
    stakes: &Stakes,
    board: Board,
    limits: &Limits,
    ending: Option<u32>,
) -> Option<Choice> {
    let empties = board.empties(stakes.size).count_ones();
    let [timed, untimed] = PROVE_FROM;
    let most = if limits.is_timed() { timed } else { untimed };
    if empties > ending.unwrap_or(most) {
        return None;
    }
    let settings = Settings::new(stakes.rule, stakes.size);
    let settings = Settings { hash_bytes: ROOT_HASH_BYTES, ..settings };
    let mut searcher = Searcher::new(settings);
    let mut question = Question::new(board, Goal::Exact);
    let mut watch = Watch::new(limits);
    let (mut nodes, mut all) = (FIRST_NODES, 0);
    while all + nodes <= MOST_NODES || limits.is_timed() {
        if watch.look() || watch.spent() > LATEST {
            return None;
        }
        let control = Control { stop: &limits.stop, max_nodes: Some(nodes), ..Control::NONE };
        let answer = searcher.ask(&mut question, control);
        all += nodes;
        if question.is_done() {
            let (square, score) = answer.scored_square()?;
            let value = f64::from(stakes.worth(i8::try_from(score).ok()?));
            return Some(Choice {
                square,
                value: Some(value),
                depth: Some(empties),
                nodes: answer.nodes,
            });
        }
        nodes *= 2;
    }
    None
}

/// Proves scores of boards with few empty squares.
pub struct Bottom {
    searcher: Searcher,
    from: u32,
}

impl Bottom {
    /// Proves boards with at most `from` empty squares.
    pub fn new(stakes: &Stakes, from: u32) -> Bottom {
        let settings = Settings::new(stakes.rule, stakes.size);
        Bottom { searcher: Searcher::new(Settings { hash_bytes: HASH_BYTES, ..settings }), from }
    }

    /// The score of the side to move, if few enough squares are empty.
    pub fn solve(&mut self, board: Board) -> Option<i8> {
        let size = self.searcher.settings().size;
        (board.empties(size).count_ones() <= self.from).then(|| self.play_out(board).0)
    }

    /// The score of the side to move with best play, and the moves to the end.
    pub(crate) fn play_out(&mut self, board: Board) -> (i8, Vec<Move>) {
        let answer = self.searcher.search(board, Goal::Exact, Control::NONE);
        let score = i8::try_from(answer.score()).expect("a score is within -64 and 64");
        (score, answer.pv)
    }
}

impl fmt::Debug for Bottom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bottom").field("from", &self.from).finish_non_exhaustive()
    }
}
