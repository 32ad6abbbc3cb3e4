//! What every move of a game was worth: its value, what it lost, and the best that could be played.
//!
//! A game goes in, a verdict for each move comes out, told as it is found. The
//! last moves are looked at first: what is proved of the end is known when the
//! moves before it are valued. There is no clock and no printing here.
//!
//! All values are seen by the side that moves, in discs. A loss is what the
//! best move is worth more than the one that was played; where both are proved,
//! so is the loss.

use crate::{Player, Thought};
use isrever_agent::{Limits, Share};
use isrever_board::{Color, Game, Move, Position};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// The part of a move's time that its best answer gets; what was played gets the rest.
const BEST_PART: f64 = 0.6;

/// How hard each move is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnalysisSettings {
    /// Time, plies or boards for each move; without any limit, a second for each of the two
    /// searches that a move may take.
    pub share: Share,
    /// From this many empty squares on, plies are not limited: endings are solved as far as time
    /// and boards allow.
    pub solve_from: u32,
}

impl Default for AnalysisSettings {
    /// A second for each move.
    fn default() -> AnalysisSettings {
        let share = Share { time: Some(Duration::from_secs(1)), ..Share::default() };
        AnalysisSettings { share, solve_from: 16 }
    }
}

/// What is found out about a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis {
    /// A verdict for each move, in the order they were played; `None` for those that were not
    /// reached when it was told to stop.
    pub verdicts: Vec<Option<Verdict>>,
    /// What is thought of the last position, if that was reached.
    pub last: Option<Thought>,
}

/// What is thought of one move.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// How many moves were played before it, passes counted.
    pub ply: usize,
    /// Who made it.
    pub color: Color,
    /// The move.
    pub mv: Move,
    /// What it is worth to who made it.
    pub value: i32,
    /// Whether that is proved.
    pub is_exact: bool,
    /// What was thought of the position before it: the best move, its value and its line.
    pub best: Thought,
    /// How many discs the best move is worth more, never less than 0.
    pub loss: i32,
    /// What is to be said of the move, if anything.
    pub mark: Option<Mark>,
}

impl Verdict {
    /// Whether the loss is proved.
    pub fn is_loss_exact(&self) -> bool {
        self.is_exact && self.best.is_exact
    }

    /// 1 if the mover won with its move, 0 if it drew, −1 if it lost, where that is proved.
    pub fn outcome(&self) -> Option<i32> {
        self.is_exact.then(|| self.value.signum())
    }
}

/// What is to be said of a move that loses discs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mark {
    /// It loses 3 discs or more.
    Inaccuracy,
    /// It loses 6 discs or more; or, provably, a win or a draw.
    Mistake,
    /// It loses 12 discs or more; or, provably, a won game.
    Blunder,
}

impl Mark {
    /// The fewest discs that are lost by a move with this mark.
    pub const fn least_loss(self) -> i32 {
        match self {
            Mark::Inaccuracy => 3,
            Mark::Mistake => 6,
            Mark::Blunder => 12,
        }
    }

    /// The mark as a word; it never changes.
    pub const fn word(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "inaccuracy",
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
        }
    }

    /// The mark as it is written behind a move.
    pub const fn sign(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }

    /// The mark of a move that is worth `value` where `best` was there, both `proved` or not.
    ///
    /// Who throws a game away has erred even if it was by two discs: the win comes before the
    /// margin. That can be said only of what is proved.
    pub fn of(best: i32, value: i32, proved: bool) -> Option<Mark> {
        let loss = best - value;
        let by_discs = [Mark::Blunder, Mark::Mistake, Mark::Inaccuracy]
            .into_iter()
            .find(|mark| loss >= mark.least_loss());
        let by_outcome = match best.signum() - value.signum() {
            _ if !proved => None,
            2 => Some(Mark::Blunder),
            1 => Some(Mark::Mistake),
            _ => None,
        };
        by_discs.max(by_outcome)
    }
}

/// Looks at all moves of `game` up to its present position, the last one first, and tells of each
/// verdict.
///
/// The `stop` flag ends it within a moment, with what was found by then.
///
/// # Panics
/// If the board is larger than 8×8.
pub fn analyze(
    player: &mut Player,
    game: &Game,
    settings: &AnalysisSettings,
    stop: &Arc<AtomicBool>,
    tell: &mut dyn FnMut(&Verdict),
) -> Analysis {
    let mut desk = Desk { player, game, settings, stop };
    let mut verdicts = vec![None; game.ply()];
    let last = desk.think(game.position(), Part::All);
    let last = last.filter(|_| !stop.load(Relaxed));
    let mut after = last.clone();
    for ply in (0..game.ply()).rev() {
        let Some(next) = after else { break };
        let Some(verdict) = desk.verdict(ply, &next) else { break };
        tell(&verdict);
        after = Some(verdict.best.clone());
        verdicts[ply] = Some(verdict);
    }
    Analysis { verdicts, last }
}

/// Which part of the time a search may take, and how deep it may go.
enum Part {
    All,
    Best,
    /// After the move that was played, as deep as after the best, and by the same cuts.
    Played {
        depth: u32,
        percent: u8,
    },
}

/// A game under analysis.
struct Desk<'a> {
    player: &'a mut Player,
    game: &'a Game,
    settings: &'a AnalysisSettings,
    stop: &'a Arc<AtomicBool>,
}

impl Desk<'_> {
    /// What is thought of the move after `ply` others, and `next` of the position after it; `None`
    /// if it was stopped.
    fn verdict(&mut self, ply: usize, next: &Thought) -> Option<Verdict> {
        let position = &self.game.positions()[ply];
        let (color, mv) = (position.turn(), self.game.moves()[ply]);
        if mv == Move::Pass {
            // There is nothing to choose: what comes after it is what it is worth.
            let line = std::iter::once(Move::Pass).chain(next.line.iter().copied()).collect();
            let best = Thought { line, value: -next.value, ..next.clone() };
            let (value, is_exact) = (best.value, best.is_exact);
            return Some(Verdict { ply, color, mv, value, is_exact, best, loss: 0, mark: None });
        }
        let mut best = self.think(position, Part::Best)?;
        let (value, is_exact) = if best.line.first() == Some(&mv) {
            (best.value, best.is_exact)
        } else if next.is_exact {
            (-next.value, true)
        } else {
            let depth = best.depth.saturating_sub(1).max(1);
            let part = Part::Played { depth, percent: best.percent };
            let played = self.think(&self.game.positions()[ply + 1], part)?;
            (-played.value, played.is_exact)
        };
        if value > best.value && !best.is_exact {
            // A closer look has shown that the move was better than any other seemed to be.
            let rest = next.line.iter().copied();
            best.line = std::iter::once(mv).chain(rest).collect();
            (best.value, best.is_exact) = (value, false);
        }
        let loss = best.value - value;
        let mark = Mark::of(best.value, value, is_exact && best.is_exact);
        Some(Verdict { ply, color, mv, value, is_exact, best, loss, mark })
    }

    /// Thinks about a position; `None` if it was stopped meanwhile.
    fn think(&mut self, position: &Position, part: Part) -> Option<Thought> {
        if position.is_over() {
            let value = position.score(self.game.rule(), position.turn());
            let (line, depth, percent, nodes) = (Vec::new(), 0, 100, 0);
            return Some(Thought { line, value, depth, percent, is_exact: true, nodes });
        }
        let AnalysisSettings { share, solve_from } = *self.settings;
        let is_ending = position.empties() <= solve_from;
        let depth = match part {
            Part::Played { depth, .. } if !is_ending => Some(depth),
            _ => share.depth.map(|depth| if is_ending { position.empties() } else { depth }),
        };
        let time = match part {
            Part::All => share.time,
            Part::Best => share.time.map(|time| time.mul_f64(BEST_PART)),
            Part::Played { .. } => share.time.map(|time| time.mul_f64(1.0 - BEST_PART)),
        };
        let limits = Limits { stop: Arc::clone(self.stop), ..Limits::default() };
        let limits = limits.tightened(&Share { time, depth, ..share });
        let game = Game::from_position(self.game.rule(), position.clone());
        let thought = match part {
            Part::Played { percent, .. } => {
                self.player.think_at(percent, &game, &limits, &mut |_| {})
            }
            _ => self.player.think(&game, &limits),
        };
        (!self.stop.load(Relaxed)).then_some(thought)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Control, Goal, PlayerSettings, Settings, Solver};
    use isrever_board::{Rule, Size};
    use rand::SeedableRng;
    use rand::seq::IndexedRandom;
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn player() -> Player {
        Player::new(PlayerSettings { hash_bytes: 1 << 20, ..PlayerSettings::default() })
    }

    fn settings(depth: u32, solve_from: u32) -> AnalysisSettings {
        let share = Share { depth: Some(depth), ..Share::default() };
        AnalysisSettings { share, solve_from }
    }

    fn analyzed(game: &Game, settings: &AnalysisSettings) -> Vec<Verdict> {
        let stop = Arc::new(AtomicBool::new(false));
        let mut told = 0;
        let analysis = analyze(&mut player(), game, settings, &stop, &mut |_| told += 1);
        assert_eq!(told, game.ply());
        analysis.verdicts.into_iter().map(Option::unwrap).collect()
    }

    fn random_game(rule: Rule, size: Size, seed: u64) -> Game {
        let mut dice = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut game = Game::new(rule, size);
        while !game.is_over() {
            let moves = game.position().moves();
            game.play(moves.choose(&mut dice).map_or(Move::Pass, |&s| Move::Place(s))).unwrap();
        }
        game
    }

    #[test]
    fn on_the_smallest_board_every_loss_is_the_difference_of_exact_scores() {
        for rule in Rule::ALL {
            let game = random_game(rule, Size::FOUR, 2);
            let mut solver = Solver::new(Settings::new(rule, Size::FOUR));
            let mut exact = |position: &Position| {
                let board = position.board().unwrap();
                solver.solve(board, Goal::Exact, Control::NONE).score
            };
            let mut lost = 0;
            for verdict in analyzed(&game, &settings(2, 60)) {
                let before = exact(&game.positions()[verdict.ply]);
                let after = -exact(&game.positions()[verdict.ply + 1]);
                assert!(verdict.is_loss_exact(), "{verdict:?}");
                assert_eq!((verdict.best.value, verdict.value), (before, after), "{rule}");
                assert_eq!(verdict.loss, before - after);
                assert_eq!(verdict.outcome(), Some(after.signum()));
                lost += verdict.loss;
            }
            assert!(lost > 0, "a random move is not always the best");
        }
    }

    #[test]
    fn endings_are_proved_and_nothing_is_worth_more_than_the_best() {
        for size in [Size::SIX, Size::EIGHT] {
            let has_pass = |game: &Game| game.moves().contains(&Move::Pass);
            let games = (1..).map(|seed| random_game(Rule::Reversed, size, seed));
            let game = games.into_iter().find(has_pass).unwrap();
            let verdicts = analyzed(&game, &settings(3, 10));
            for verdict in &verdicts {
                let empties = game.positions()[verdict.ply].empties();
                assert_eq!(verdict.is_loss_exact(), empties <= 10, "{size} {verdict:?}");
                assert!(verdict.loss >= 0 && verdict.value <= verdict.best.value);
                assert!(verdict.mv != Move::Pass || verdict.loss == 0);
            }
            let last = verdicts.last().unwrap();
            assert_eq!(last.value, game.score(last.color));
        }
    }

    #[test]
    fn unfinished_games_and_setups_are_analysed_up_to_where_they_are() {
        let mut setup = Game::new(Rule::Reversed, Size::EIGHT);
        for square in ["f5", "d6", "c3"] {
            setup.place(square.parse().unwrap()).unwrap();
        }
        let mut game = Game::from_position(Rule::Normal, setup.position().clone());
        for square in ["d3", "c4", "f4"] {
            game.place(square.parse().unwrap()).unwrap();
        }
        game.undo();
        let stop = Arc::new(AtomicBool::new(false));
        let analysis = analyze(&mut player(), &game, &settings(4, 8), &stop, &mut |_| {});
        assert_eq!(analysis.verdicts.len(), game.ply(), "what was taken back is not looked at");
        let last = analysis.last.unwrap();
        assert_eq!((last.depth, last.is_exact), (4, false));
    }

    #[test]
    fn told_to_stop_it_gives_what_it_has() {
        let game = random_game(Rule::Reversed, Size::SIX, 1);
        let stop = Arc::new(AtomicBool::new(false));
        let analysis = analyze(&mut player(), &game, &settings(2, 6), &stop, &mut |verdict| {
            stop.store(verdict.ply == 20, Relaxed);
        });
        for (ply, verdict) in analysis.verdicts.iter().enumerate() {
            assert_eq!(verdict.is_some(), ply >= 20);
        }
        stop.store(true, Relaxed);
        let nothing = analyze(&mut player(), &game, &settings(2, 6), &stop, &mut |_| {});
        assert!(nothing.last.is_none() && nothing.verdicts.iter().all(Option::is_none));
    }

    #[test]
    fn marks_follow_discs_and_proved_outcomes() {
        for (best, value, proved, mark) in [
            (4, 2, false, None),
            (4, 1, false, Some(Mark::Inaccuracy)),
            (-4, -10, true, Some(Mark::Mistake)),
            (10, -2, false, Some(Mark::Blunder)),
            (2, 0, true, Some(Mark::Mistake)),
            (0, -2, true, Some(Mark::Mistake)),
            (2, -2, true, Some(Mark::Blunder)),
            (2, -2, false, Some(Mark::Inaccuracy)),
            (6, 6, true, None),
        ] {
            assert_eq!(Mark::of(best, value, proved), mark, "{best} {value}");
        }
    }
}
