//! A whole game analysed, the last move first: a quick look at every move, then a thorough one.

use crate::pool::{Step, Work};
use crate::refusal::Refusal;
use crate::stream::Outbox;
use crate::wire::{ColorWord, Pair, move_names};
use isrever_agent::Share;
use isrever_board::{Color, Game, Move};
use isrever_engine::{AnalysisSettings, Mark, Player, PlayerSettings, Verdict, analyze};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use utoipa::ToSchema;

/// Memory of the engine, in bytes.
const HASH_BYTES: usize = 16 << 20;

/// How deep the quick look is, in plies.
const QUICK_DEPTH: u32 = 6;

/// How long a slice may be while others wait, and a move's share of it: one move fits in.
const SLICE: Duration = Duration::from_millis(300);
const SHORT: Duration = Duration::from_millis(200);

/// So close to the end the quick look solves.
const QUICK_SOLVE_FROM: u32 = 8;

/// A review on its way.
pub(crate) struct Review {
    game: Game,
    time: Duration,
    depth: Option<u32>,
    player: Player,
    /// What was found last of each move.
    found: Vec<Option<Verdict>>,
    /// Which look it is, from 1, and how many moves are left in it.
    pass: u8,
    left: usize,
    /// Whether the move under way was broken off, because others waited.
    is_pressed: bool,
    nodes: u64,
    began: Instant,
    outbox: Outbox,
}

/// What is thought of one move.
#[derive(Serialize, ToSchema)]
pub(crate) struct MoveBody {
    /// The first move's is 1.
    ply: usize,
    #[serde(rename = "move")]
    mv: String,
    color: ColorWord,
    /// What the move is worth to who made it, in discs.
    value: i32,
    best: Option<String>,
    best_value: i32,
    /// What the best is worth more.
    loss: i32,
    /// `inaccuracy`, `mistake` or `blunder`.
    mark: Option<&'static str>,
    /// Whether both values are proved.
    exact: bool,
    depth: u32,
    percent: u8,
    /// The moves that would have been best.
    pv: Vec<String>,
    /// What the position after the move is worth to black.
    value_black: i32,
    /// There was nothing else to play.
    forced: bool,
    /// 1 the quick look, 2 the thorough one.
    pass_number: u8,
}

/// What is thought of the whole game.
#[derive(Serialize)]
struct Summary {
    reason: &'static str,
    #[serde(flatten)]
    sides: Pair<Side>,
    nodes: u64,
    seconds: f64,
}

/// One side's moves in numbers.
#[derive(Clone, Copy, Default, Serialize)]
struct Side {
    moves: u32,
    loss: i32,
    inaccuracies: u32,
    mistakes: u32,
    blunders: u32,
}

impl Review {
    /// Looks at every move of `game` for `time`, or `depth` plies deep.
    pub(crate) fn new(game: Game, time: Duration, depth: Option<u32>, outbox: Outbox) -> Review {
        let left = game.ply();
        let settings = PlayerSettings { hash_bytes: HASH_BYTES, ..PlayerSettings::default() };
        Review {
            found: vec![None; left],
            game,
            time,
            depth,
            player: Player::new(settings),
            pass: 1,
            left,
            is_pressed: false,
            nodes: 0,
            began: Instant::now(),
            outbox,
        }
    }

    /// How hard the next move is looked at. Its time is for two positions: before it and after.
    fn settings(&self) -> AnalysisSettings {
        let default = AnalysisSettings::default();
        let depth = |depth| Share { depth: Some(depth), ..Share::default() };
        let time = if self.is_pressed { self.time.min(SHORT) } else { self.time };
        match (self.pass, self.depth) {
            (1, _) => AnalysisSettings { share: depth(QUICK_DEPTH), solve_from: QUICK_SOLVE_FROM },
            (_, Some(plies)) if !self.is_pressed => {
                AnalysisSettings { share: depth(plies), ..default }
            }
            _ => AnalysisSettings {
                share: Share { time: Some(time / 2), ..Share::default() },
                ..default
            },
        }
    }

    /// Looks at one move; nothing if it was broken off.
    fn look(&mut self, ply: usize, stop: &Arc<AtomicBool>) -> Option<Verdict> {
        let mut one = Game::from_position(self.game.rule(), self.game.positions()[ply].clone());
        one.play(self.game.moves()[ply]).expect("it was played before");
        let settings = self.settings();
        let analysis = analyze(&mut self.player, &one, &settings, stop, &mut |_| {});
        self.nodes += analysis.last.map_or(0, |thought| thought.nodes);
        let verdict = analysis.verdicts.into_iter().next().flatten()?;
        self.nodes += verdict.best.nodes;
        Some(Verdict { ply, ..verdict })
    }

    fn tell(&self, verdict: &Verdict) {
        let before = &self.game.positions()[verdict.ply];
        let is_black = verdict.color == Color::Black;
        let best = &verdict.best;
        let body = MoveBody {
            ply: verdict.ply + 1,
            mv: verdict.mv.to_string(),
            color: verdict.color.into(),
            value: verdict.value,
            best: best.line.first().map(Move::to_string),
            best_value: best.value,
            loss: verdict.loss,
            mark: verdict.mark.map(Mark::word),
            exact: verdict.is_exact && best.is_exact,
            depth: best.depth,
            percent: best.percent,
            pv: move_names(&best.line),
            value_black: if is_black { verdict.value } else { -verdict.value },
            forced: before.moves().len() <= 1,
            pass_number: self.pass,
        };
        self.outbox.send("move", &body);
    }

    fn summary(&self) -> Summary {
        let mut sides = Pair { black: Side::default(), white: Side::default() };
        for verdict in self.found.iter().flatten().filter(|verdict| verdict.mv != Move::Pass) {
            let side = match verdict.color {
                Color::Black => &mut sides.black,
                Color::White => &mut sides.white,
            };
            side.moves += 1;
            side.loss += verdict.loss;
            match verdict.mark {
                None => {}
                Some(Mark::Inaccuracy) => side.inaccuracies += 1,
                Some(Mark::Mistake) => side.mistakes += 1,
                Some(Mark::Blunder) => side.blunders += 1,
            }
        }
        let seconds = self.began.elapsed().as_secs_f64();
        Summary { reason: "complete", sides, nodes: self.nodes, seconds }
    }
}

impl Work for Review {
    fn deadline(&self) -> Option<Instant> {
        None
    }

    fn slice(&self) -> Duration {
        SLICE
    }

    fn go(&mut self, stop: &Arc<AtomicBool>) -> Step {
        loop {
            if self.left == 0 {
                if self.pass == 2 || self.game.ply() == 0 {
                    self.outbox.done(&self.summary());
                    return Step::Done;
                }
                (self.pass, self.left) = (2, self.game.ply());
            }
            let ply = self.left - 1;
            let Some(verdict) = self.look(ply, stop) else {
                self.is_pressed = true;
                return Step::More;
            };
            self.is_pressed = false;
            self.tell(&verdict);
            self.found[ply] = Some(verdict);
            self.left = ply;
        }
    }

    fn refuse(&mut self, refusal: Refusal) {
        self.outbox.fail(&refusal);
    }
}
