//! Reviews a game: what each move was worth, by the engine.

use isrever_agent::Share;
use isrever_arena::Played;
use isrever_board::Move;
use isrever_club::{Judged, Review};
use isrever_engine::{AnalysisSettings, Player, PlayerSettings, analyze};
use isrever_guest::Turns;
use isrever_search::Verdict;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The boards that the engine visits at most in each of the two searches that a move takes. Not a
/// time: what a move was worth must not depend on how busy the judges are.
const NODES: u64 = 250_000;

/// From so many empty squares on endings are solved, as far as that allows.
const SOLVE_FROM: u32 = 18;

/// The engine's memory, in bytes: a judge has other things to run.
const HASH_BYTES: usize = 32 << 20;

/// Reviews a game, a move at each of its `turns`; nothing if the board is too large for the engine.
pub(crate) fn review(played: &Played, turns: Option<&Turns>, stop: &Arc<AtomicBool>) -> Review {
    if !played.game.size().has_bits() {
        return Review::default();
    }
    let share = Share { nodes: Some(NODES), ..Share::default() };
    let settings = AnalysisSettings { share, solve_from: SOLVE_FROM };
    let mut player =
        Player::new(PlayerSettings { hash_bytes: HASH_BYTES, ..PlayerSettings::default() });
    let take = || turns.and_then(|turns| turns.take(stop));
    let mut turn = take();
    let mut report = |_: &Verdict| {
        // Somebody who waits is next.
        drop(turn.take());
        turn = take();
    };
    let analysis = analyze(&mut player, &played.game, &settings, stop, &mut report);
    let judged = |(ply, verdict): (usize, &Option<_>)| {
        let nothing = Judged { best: None, loss: None, better: None, is_exact: false };
        let Some(verdict): &Option<Verdict> = verdict else { return nothing };
        // The opening is nobody's choice, and neither is a pass.
        if ply < played.opening || verdict.mv == Move::Pass {
            return nothing;
        }
        Judged {
            best: Some(verdict.best.value),
            loss: Some(verdict.loss.into()),
            better: verdict.best.best().and_then(Move::square).map(|square| square.to_string()),
            is_exact: verdict.is_loss_exact(),
        }
    };
    Review { moves: analysis.verdicts().iter().enumerate().map(judged).collect() }
}
