//! The analysis of a game by the engine, within time, depth or nodes for each move.

use crate::Player;
use isrever_agent::{Limits, Share};
use isrever_board::Game;
use isrever_search::{Answer, GameAnalysis, Request, Verdict};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// How hard each move is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnalysisSettings {
    /// Time, depth or nodes for each move; without any limit, a second for each of the two searches
    /// that a move may take.
    pub share: Share,
    /// From this many empty squares on, depth is not limited: endings are solved as far as time and
    /// nodes allow.
    pub solve_from: u32,
}

impl Default for AnalysisSettings {
    /// A second for each move.
    fn default() -> AnalysisSettings {
        let share = Share { time: Some(Duration::from_secs(1)), ..Share::default() };
        AnalysisSettings { share, solve_from: 16 }
    }
}

/// Analyses all moves of `game` up to its present position, the last one first, and reports each
/// verdict.
///
/// The `stop` flag ends it within a moment, with what was found by then.
///
/// # Panics
/// If the board is larger than 8×8.
///
/// ```
/// use isrever_agent::Share;
/// use isrever_board::text::{Defaults, read};
/// use isrever_engine::{AnalysisSettings, Player, PlayerSettings, analyze};
/// use std::sync::Arc;
///
/// let game = read(b"f5d6c3d3c4", None, Defaults::default())?.remove(0).game;
/// let share = Share { depth: Some(4), ..Share::default() };
/// let settings = AnalysisSettings { share, ..AnalysisSettings::default() };
/// let mut player = Player::new(PlayerSettings::default());
/// let mut losses = Vec::new();
/// analyze(&mut player, &game, &settings, &Arc::default(), &mut |verdict| losses.push(verdict.loss));
/// assert_eq!(losses.len(), 5, "one verdict for each move, the last move first");
/// # Ok::<(), isrever_board::text::ReadError>(())
/// ```
pub fn analyze(
    player: &mut Player,
    game: &Game,
    settings: &AnalysisSettings,
    stop: &Arc<AtomicBool>,
    report: &mut dyn FnMut(&Verdict),
) -> GameAnalysis {
    let AnalysisSettings { share, solve_from } = *settings;
    let mut analysis = GameAnalysis::new(game.clone(), share.depth, solve_from);
    while !analysis.is_done() {
        let answer = analysis.request().map(|request| search(player, game, &request, share, stop));
        if stop.load(Relaxed) {
            break;
        }
        analysis.answer(answer).into_iter().for_each(&mut *report);
    }
    analysis
}

/// Searches the position of a request.
fn search(
    player: &mut Player,
    game: &Game,
    request: &Request<'_>,
    share: Share,
    stop: &Arc<AtomicBool>,
) -> Answer {
    let time = share.time.map(|time| time.mul_f64(request.time_share));
    let limits = Limits { stop: Arc::clone(stop), ..Limits::default() };
    let limits = limits.tightened(&Share { time, depth: request.depth, ..share });
    let game = Game::from_position(game.rule(), request.position.clone());
    match request.confidence {
        Some(confidence) => player.think_at(confidence, &game, &limits, &mut |_| {}),
        None => player.think(&game, &limits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlayerSettings;
    use isrever_board::{Move, Rule, Size};

    #[test]
    fn told_to_stop_it_returns_what_it_has() {
        let mut game = Game::new(Rule::Reversed, Size::SIX);
        while !game.is_over() {
            let square = game.position().moves().first().copied();
            game.play(square.map_or(Move::Pass, Move::Place)).unwrap();
        }
        let share = Share { depth: Some(2), ..Share::default() };
        let settings = AnalysisSettings { share, solve_from: 6 };
        let hash_bytes = 1 << 20;
        let mut player = Player::new(PlayerSettings { hash_bytes, ..PlayerSettings::default() });
        let stop = Arc::new(AtomicBool::new(false));
        let half = game.ply() / 2;
        let analysis = analyze(&mut player, &game, &settings, &stop, &mut |verdict| {
            stop.store(verdict.ply == half, Relaxed);
        });
        for (ply, verdict) in analysis.verdicts().iter().enumerate() {
            assert_eq!(verdict.is_some(), ply >= half);
        }
        let nothing = analyze(&mut player, &game, &settings, &stop, &mut |_| {});
        assert!(nothing.last().is_none() && nothing.verdicts().iter().all(Option::is_none));
    }
}
