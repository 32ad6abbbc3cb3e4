//! Where positions are solved, one after the other.

use super::journal::{FROM_NODES, Journal};
use super::watch::Watch;
use super::{Answer, hash_bytes};
use crate::args::SolveArgs;
use isrever_board::{Board, Game, Rule, Size};
use isrever_engine::{Control, Finding, Findings, Goal, Settings, Solution, Solver};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

/// A solver, who watches it, and what it begins with.
pub(super) struct Desk<'a> {
    args: &'a SolveArgs,
    pub(super) watch: Watch,
    /// Set when it is time to stop.
    stop: &'a AtomicBool,
    /// What was proved under a rule on a board of a size is not true of others.
    solver: Option<(Rule, Size, Solver)>,
    journal: Option<Journal>,
    /// What the journal held, for the solver; all positions are of one kind then.
    findings: Vec<Finding>,
}

impl<'a> Desk<'a> {
    /// A desk for `count` positions. What the journal held comes with it.
    pub(super) fn new(
        args: &'a SolveArgs,
        count: usize,
        stop: &'a AtomicBool,
        journal: Option<(Journal, Vec<Finding>)>,
    ) -> Desk<'a> {
        let (journal, findings) = journal.unzip();
        let findings = findings.unwrap_or_default();
        Desk { args, watch: Watch::new(count, args.wld), stop, solver: None, journal, findings }
    }

    /// The file that findings are kept in.
    pub(super) fn journal(&self) -> Option<&Journal> {
        self.journal.as_ref()
    }

    /// Solves the last position of `game`.
    pub(super) fn answer(&mut self, game: &Game) -> Answer {
        let (rule, position) = (game.rule(), game.position());
        if position.is_over() {
            self.watch.begin(None);
            let score = position.score(rule, position.turn());
            let solution = Solution {
                score,
                is_proved: true,
                line: Vec::new(),
                passes: 0,
                depth: 0,
                percent: 100,
                nodes: 0,
                ordered: 0,
            };
            return Answer { solution, moves: Vec::new(), seconds: 0.0 };
        }
        let board = position.board().expect("larger boards were refused");
        let moves = Some(position.moves().len()).filter(|&count| self.args.all_moves && count > 0);
        // The clock runs for the search alone: to lay out its memory takes longer than many do.
        self.lay_out(rule, position.size());
        self.watch.begin(moves);
        let begin = Instant::now();
        let mut answer = self.search(board, moves);
        answer.seconds = begin.elapsed().as_secs_f64();
        answer
    }

    /// Solves the board, or each of its moves, if their number is given.
    fn search(&mut self, board: Board, count: Option<usize>) -> Answer {
        let goal = if self.args.wld { Goal::Wld } else { Goal::Exact };
        let (watch, journal) = (&self.watch, self.journal.as_ref());
        let progress = |progress| watch.tell(progress);
        let tell = |finding| journal.into_iter().for_each(|journal| journal.add(finding));
        let control = Control {
            stop: self.stop,
            most_nodes: None,
            progress: &progress,
            nodes: Some(watch.nodes()),
            findings: journal.map(|_| Findings { from_nodes: FROM_NODES, tell: &tell }),
        };
        let (_, _, solver) = self.solver.as_mut().expect("laid out before");
        let Some(count) = count else {
            let solution = solver.solve(board, goal, control);
            return Answer { solution, moves: Vec::new(), seconds: 0.0 };
        };
        let moves = solver.solve_moves(board, goal, control);
        // Stopped, the best of those that were solved is all there is, or any move.
        let best = moves.first().map(|(_, solution)| solution.clone());
        let best = best.unwrap_or_else(|| solver.solve(board, goal, control));
        let is_proved = moves.len() == count;
        let solution = Solution { nodes: watch.nodes().load(Relaxed), is_proved, ..best };
        Answer { solution, moves, seconds: 0.0 }
    }

    /// Lays out the solver for such positions: the last one, unless they are of another kind.
    fn lay_out(&mut self, rule: Rule, size: Size) {
        if self.solver.as_ref().is_some_and(|(r, s, _)| (*r, *s) == (rule, size)) {
            return;
        }
        // Its memory goes back before there is another.
        self.solver = None;
        let threads = self.args.threads.into();
        let hash_bytes = hash_bytes(self.args).expect("checked before");
        let mut solver = Solver::new(Settings { threads, hash_bytes, ..Settings::new(rule, size) });
        self.findings.drain(..).for_each(|finding| solver.remember(finding));
        self.solver = Some((rule, size, solver));
    }
}
