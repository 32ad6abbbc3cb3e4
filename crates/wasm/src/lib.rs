//! The search behind plain functions, for WebAssembly.
//!
//! A page or a Node program loads the module, asks about a board with [`ask`],
//! and reads the answer with [`value`], [`nodes`] and the other getters. Numbers
//! are all that crosses the border, so no glue needs to be generated. The search
//! is `isrever-search` as it is: one thread, no clock, no files.

#![allow(unsafe_code, reason = "exported symbols have names of their own; nothing here is unsafe")]

use isrever_board::{Board, Move, Rule, Size};
use isrever_search::{Answer, Control, Goal, Question, Searcher, Settings, bench as signature};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The memory of the transposition table, in bytes.
const HASH_BYTES: usize = 16 << 20;

/// A question in work, with its searcher and the answer so far.
struct State {
    searcher: Searcher,
    question: Question,
    answer: Answer,
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

fn state() -> MutexGuard<'static, Option<State>> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Asks about a board of `width` 4, 6 or 8, bit 0 being a1, the player to move; 1 if `reversed`,
/// 0 under the normal rule. A `depth` of 0 asks for the exact score, any other for the value by so
/// many plies, with cuts that are right in `confidence` of 100 cases. Works until about `max_nodes`
/// nodes, or to the end if they are 0. 1 if the answer is complete, 0 if [`resume`] can go on, and
/// -1 if the board is not legal.
#[unsafe(no_mangle)]
pub extern "C" fn ask(
    player: u64,
    opponent: u64,
    width: u32,
    reversed: u32,
    depth: u32,
    confidence: u32,
    max_nodes: u64,
) -> i32 {
    let rule = if reversed == 0 { Rule::Normal } else { Rule::Reversed };
    let size = Size::BITS.into_iter().find(|size| u32::from(size.width()) == width);
    let Some(size) = size else { return -1 };
    if player & opponent != 0 || (player | opponent) & !size.mask() != 0 {
        return -1;
    }
    let goal = match (depth, u8::try_from(confidence)) {
        (0, _) => Goal::Exact,
        (depth, Ok(confidence @ ..=100)) => Goal::Value { depth, confidence },
        _ => return -1,
    };
    let mut state = state();
    // The table lasts from one question to the next of the same rule and size.
    let kept = state.take().map(|state| state.searcher).filter(|kept| kept.is_for(rule, size));
    let settings = Settings { hash_bytes: HASH_BYTES, ..Settings::new(rule, size) };
    let searcher = kept.unwrap_or_else(|| Searcher::new(settings));
    let question = Question::new(Board { player, opponent }, goal);
    *state = Some(State { searcher, question, answer: Answer::game_over(0) });
    drop(state);
    resume(max_nodes)
}

/// Goes on with the question for about `max_nodes` nodes, or to the end if they are 0: 1 if the
/// answer is complete, 0 if not, and -1 if there is no question.
#[unsafe(no_mangle)]
pub extern "C" fn resume(max_nodes: u64) -> i32 {
    let mut state = state();
    let Some(State { searcher, question, answer }) = state.as_mut() else { return -1 };
    let max_nodes = Some(max_nodes).filter(|&nodes| nodes > 0);
    *answer = searcher.ask(question, Control { max_nodes, ..Control::NONE });
    question.is_done().into()
}

fn of_answer<R>(get: impl FnOnce(&Answer) -> R, none: R) -> R {
    state().as_ref().map_or(none, |state| get(&state.answer))
}

/// The value in whole discs for the side to move.
#[unsafe(no_mangle)]
pub extern "C" fn value() -> i32 {
    of_answer(Answer::score, 0)
}

/// 1 if the value is proved.
#[unsafe(no_mangle)]
pub extern "C" fn is_exact() -> u32 {
    of_answer(|answer| answer.is_exact.into(), 0)
}

/// The depth of the last completed iteration.
#[unsafe(no_mangle)]
pub extern "C" fn depth() -> u32 {
    of_answer(|answer| answer.depth, 0)
}

/// Boards visited.
#[unsafe(no_mangle)]
pub extern "C" fn nodes() -> u64 {
    of_answer(|answer| answer.nodes, 0)
}

/// The move at this place of the principal variation: the bit of its square, 64 for a pass, 65 if
/// there is none.
#[unsafe(no_mangle)]
pub extern "C" fn pv(place: u32) -> u32 {
    let mv = of_answer(|answer| answer.pv.get(place as usize).copied(), None);
    match mv {
        Some(Move::Place(square)) => square.index(),
        Some(Move::Pass) => 64,
        None => 65,
    }
}

/// The bench signature: the same number as that of `isrever bench`.
#[unsafe(no_mangle)]
pub extern "C" fn bench() -> u64 {
    signature(|_| {})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_answered_resumed_and_checked() {
        let start = Board::start(Size::FOUR);
        assert_eq!(ask(start.player, start.opponent, 4, 1, 0, 0, 0), 1);
        assert_eq!((value(), is_exact(), pv(99)), (4, 1, 65));
        let start = Board::start(Size::EIGHT);
        assert_eq!(ask(start.player, start.opponent, 8, 1, 6, 73, 100), 0);
        while resume(100_000) == 0 {}
        assert_eq!((depth(), is_exact()), (6, 0));
        assert!(pv(0) < 64 && nodes() > 0);
        assert_eq!(ask(1, 1, 8, 1, 0, 0, 0), -1, "two discs on a square");
        assert_eq!(ask(1 << 40, 2, 4, 1, 0, 0, 0), -1, "off the board");
        assert_eq!(ask(1, 2, 5, 1, 0, 0, 0), -1, "no such board");
    }
}
