//! The value of every legal move, deeper and deeper, until all are proved.

use super::solvers::{Loan, Solvers};
use crate::pool::{STREAM_SLICE, Step, Work};
use crate::refusal::Refusal;
use crate::stream::Outbox;
use crate::wire::move_names;
use isrever_board::{Board, Game, Move, Size};
use isrever_engine::{Control, Goal, PlayerSettings, Solution, Stage};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use utoipa::ToSchema;

/// The time between two events.
const PAUSE: Duration = Duration::from_millis(50);

/// How long the first slice may be while others wait: long enough for first values.
const FIRST_SLICE: Duration = Duration::from_millis(250);

/// An analysis on its way.
pub(crate) struct Analysis {
    board: Board,
    size: Size,
    rule: isrever_board::Rule,
    rows: Vec<Row>,
    stages: Vec<Stage>,
    /// The stage that is under way, and how many rows of it are done.
    stage: usize,
    done: usize,
    /// Whether the score of the position itself is proved.
    is_proved: bool,
    began: Instant,
    deadline: Instant,
    last_event: Option<Instant>,
    nodes: u64,
    solvers: Solvers,
    solver: Option<Loan>,
    outbox: Outbox,
}

/// A move and what is known of it.
#[derive(Clone, Debug)]
struct Row {
    mv: Move,
    next: Board,
    value: i32,
    depth: u32,
    percent: u8,
    is_exact: bool,
    line: Vec<Move>,
}

impl Analysis {
    /// Looks at the position that `game` is at until `deadline`, at most `depth` plies deep.
    ///
    /// # Panics
    /// If the board is larger than 8×8.
    pub(crate) fn new(
        game: &Game,
        depth: Option<u32>,
        deadline: Instant,
        solvers: Solvers,
        outbox: Outbox,
    ) -> Analysis {
        let (position, size) = (game.position(), game.size());
        let board = position.board().expect("boards up to 8x8 have bits");
        let places = position
            .moves()
            .into_iter()
            .map(|square| (Move::Place(square), board.play(square, size).expect("a legal move")));
        let pass = position.must_pass().then(|| (Move::Pass, board.pass()));
        let rows = places.chain(pass).map(|(mv, next)| Row {
            mv,
            next,
            value: 0,
            depth: 0,
            percent: 0,
            is_exact: false,
            line: Vec::new(),
        });
        let after = position.empties() - u32::from(!position.must_pass() && !position.is_over());
        let PlayerSettings { percent, .. } = PlayerSettings::default();
        Analysis {
            board,
            size,
            rule: game.rule(),
            rows: rows.collect(),
            stages: Stage::all(size, after, most_plies(size, depth), percent),
            stage: 0,
            done: 0,
            is_proved: false,
            began: Instant::now(),
            deadline,
            last_event: None,
            nodes: 0,
            solvers,
            solver: None,
            outbox,
        }
    }

    /// One search; false if it was stopped before it was through.
    fn search(&mut self, stop: &AtomicBool) -> bool {
        let Stage { depth, percent } = self.stages[self.stage];
        let (rule, size) = (self.rule, self.size);
        let solver = self.solver.get_or_insert_with(|| self.solvers.lend(rule, size));
        let is_proof = percent == 100;
        if is_proof && self.done == 0 && self.rows.len() > 1 && !self.is_proved {
            // The score of all is known sooner than that of each.
            let goal = Goal::Value { depth: u32::MAX, percent };
            let solution = solver.solve(self.board, goal, Control { stop, ..Control::NONE });
            self.nodes += solution.nodes;
            let best = solution.line.first();
            let row = self.rows.iter().position(|row| Some(&row.mv) == best);
            if let (true, Some(place)) = (solution.is_proved, row) {
                let row = &mut self.rows[place];
                (row.value, row.is_exact) = (solution.score, true);
                (row.depth, row.percent, row.line) = (depth + 1, 100, solution.line);
                self.is_proved = true;
                // It stays first among its equals.
                let row = self.rows.remove(place);
                self.rows.insert(0, row);
            }
            return solution.is_proved;
        }
        let row = &mut self.rows[self.done];
        if !row.is_exact {
            let over = row.next.is_over(size);
            let solution = if over {
                Solution {
                    score: row.next.score(size, rule),
                    is_proved: true,
                    line: Vec::new(),
                    passes: 1,
                    depth: 0,
                    percent: 100,
                    nodes: 1,
                    ordered: 0,
                }
            } else {
                let goal = Goal::Value { depth, percent };
                solver.solve(row.next, goal, Control { stop, ..Control::NONE })
            };
            self.nodes += solution.nodes;
            let is_through = solution.is_proved
                || solution.depth == depth && solution.percent >= percent && !is_proof;
            if !is_through {
                return false;
            }
            row.value = -solution.score;
            (row.depth, row.percent) = (depth + 1, solution.percent);
            row.is_exact = solution.is_proved;
            row.line = solution.line;
            row.line.insert(0, row.mv);
        }
        self.done += 1;
        if self.done == self.rows.len() {
            self.stage += 1;
            self.done = 0;
            self.is_proved |= self.rows.iter().all(|row| row.is_exact);
            self.rows.sort_by_key(|row| -row.value);
        }
        true
    }

    fn is_finished(&self) -> bool {
        self.stage == self.stages.len() || self.rows.iter().all(|row| row.is_exact)
    }

    /// Tells what is known, if it is time to.
    fn tell(&mut self, is_last: bool) {
        let is_known = self.stage > 0 || self.is_proved;
        let is_time = self.last_event.is_none_or(|last| last.elapsed() >= PAUSE);
        if is_known && (is_time || is_last) {
            self.last_event = Some(Instant::now());
            self.outbox.update("values", &self.values());
        }
    }

    fn values(&self) -> Values {
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        rows.sort_by_key(|row| -row.value);
        let best = rows[0];
        Values {
            depth: best.depth,
            percent: best.percent,
            exact: self.is_proved,
            best: best.mv.to_string(),
            value: best.value,
            wld: self.is_proved.then(|| best.value.signum()),
            nodes: self.nodes,
            seconds: self.began.elapsed().as_secs_f64(),
            pv: move_names(&best.line),
            moves: rows.iter().map(|row| MoveValue::of(row)).collect(),
        }
    }

    fn end(&mut self, reason: &'static str) -> Step {
        let (nodes, seconds) = (self.nodes, self.began.elapsed().as_secs_f64());
        self.outbox.done(&End { reason, nodes, seconds });
        Step::Done
    }
}

impl Work for Analysis {
    fn deadline(&self) -> Option<Instant> {
        Some(self.deadline)
    }

    fn slice(&self) -> Duration {
        if self.last_event.is_none() { FIRST_SLICE } else { STREAM_SLICE }
    }

    fn go(&mut self, stop: &Arc<AtomicBool>) -> Step {
        if self.rows.is_empty() {
            return self.end("over");
        }
        while !self.is_finished() {
            let is_through = self.search(stop);
            if Instant::now() >= self.deadline {
                self.tell(true);
                return self.end("time");
            }
            if !is_through {
                return Step::More;
            }
            let is_first = self.last_event.is_none();
            self.tell(false);
            if is_first && self.last_event.is_some() {
                // The slice was long for this; from now on they are short.
                return Step::More;
            }
        }
        let is_proved = self.rows.iter().all(|row| row.is_exact);
        self.is_proved |= is_proved;
        self.tell(true);
        self.end(if is_proved { "proved" } else { "depth" })
    }

    fn refuse(&mut self, refusal: Refusal) {
        self.outbox.fail(&refusal);
    }
}

/// The most plies after a move, if a `depth` with the move is asked for. 4×4 is proved whatever is
/// asked for: there is nothing to guess with, and nothing that takes time.
fn most_plies(size: Size, depth: Option<u32>) -> u32 {
    let depth = depth.filter(|_| size != Size::FOUR);
    depth.map_or(u32::MAX, |depth| depth.saturating_sub(1).max(1))
}

/// What is known of a position and its moves.
#[derive(Serialize, ToSchema)]
pub(crate) struct Values {
    /// Plies, of the best move.
    depth: u32,
    /// How often its cuts are right, in hundredths.
    percent: u8,
    /// Whether the value of the position is proved.
    exact: bool,
    best: String,
    /// In discs, for the side to move.
    value: i32,
    /// The value's sign, where it is proved.
    wld: Option<i32>,
    nodes: u64,
    seconds: f64,
    /// The moves that both sides are expected to make.
    pv: Vec<String>,
    /// Best first.
    moves: Vec<MoveValue>,
}

/// What is known of a move.
#[derive(Serialize, ToSchema)]
pub(crate) struct MoveValue {
    #[serde(rename = "move")]
    mv: String,
    value: i32,
    depth: u32,
    percent: u8,
    exact: bool,
    pv: Vec<String>,
}

impl MoveValue {
    fn of(row: &Row) -> MoveValue {
        MoveValue {
            mv: row.mv.to_string(),
            value: row.value,
            depth: row.depth,
            percent: row.percent,
            exact: row.is_exact,
            pv: move_names(&row.line),
        }
    }
}

/// How an analysis or a proof ended.
#[derive(Serialize, ToSchema)]
pub(crate) struct End {
    /// `proved`, `depth`, `time` or `over`.
    pub(crate) reason: &'static str,
    pub(crate) nodes: u64,
    pub(crate) seconds: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_depth_counts_the_move_and_means_nothing_on_the_smallest_board() {
        assert_eq!([1, 2, 9].map(|depth| most_plies(Size::EIGHT, Some(depth))), [1, 1, 8]);
        assert_eq!(most_plies(Size::EIGHT, None), u32::MAX);
        assert_eq!(most_plies(Size::FOUR, Some(3)), u32::MAX);
    }
}
