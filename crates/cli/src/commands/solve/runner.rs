//! Solves positions one after the other.

use super::SolveArgs;
use super::resume_file::{MIN_NODES, ResumeFile};
use super::watch::Watch;
use super::{Solved, hash_bytes};
use isrever_board::{Board, Game, Rule, Size};
use isrever_search::{
    Answer, Control, EveryMove, Goal, Pool, Searcher, Settings, StoredNode, StoredNodes,
};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

/// A searcher with its progress line and the file it resumes from.
pub(super) struct Runner<'a> {
    args: &'a SolveArgs,
    pub(super) watch: Watch,
    /// Set when it is time to stop.
    stop: &'a AtomicBool,
    /// The searcher of the last position: what it has proved holds for one rule and size.
    searcher: Option<Searcher>,
    resume_file: Option<ResumeFile>,
    /// The nodes that the file held; with a file, all positions are of one rule and size.
    stored: Vec<StoredNode>,
}

impl<'a> Runner<'a> {
    /// A runner for `count` positions, with the file it resumes from and the nodes that it held.
    pub(super) fn new(
        args: &'a SolveArgs,
        count: usize,
        stop: &'a AtomicBool,
        resume_file: Option<(ResumeFile, Vec<StoredNode>)>,
    ) -> Runner<'a> {
        let (resume_file, stored) = resume_file.unzip();
        let (watch, stored) = (Watch::new(count, args.wld), stored.unwrap_or_default());
        Runner { args, watch, stop, searcher: None, resume_file, stored }
    }

    /// The file that keeps stored nodes.
    pub(super) fn resume_file(&self) -> Option<&ResumeFile> {
        self.resume_file.as_ref()
    }

    /// Solves the last position of `game`.
    pub(super) fn solve(&mut self, game: &Game) -> Solved {
        let (rule, position) = (game.rule(), game.position());
        if position.is_over() {
            self.watch.begin(None);
            let answer = Answer::game_over(position.score(rule, position.turn()));
            return Solved { answer, moves: Vec::new(), seconds: 0.0 };
        }
        let board = position.board().expect("larger boards were refused");
        let moves = Some(position.moves().len()).filter(|&count| self.args.all_moves && count > 0);
        // Before the clock starts: clearing the table takes longer than many searches.
        self.prepare(rule, position.size());
        self.watch.begin(moves);
        let begin = Instant::now();
        let (answer, moves) = self.search(board, moves);
        Solved { answer, moves, seconds: begin.elapsed().as_secs_f64() }
    }

    /// Solves the board, or each of its moves, if their number is given.
    fn search(&mut self, board: Board, count: Option<usize>) -> (Answer, Vec<Answer>) {
        let goal = if self.args.wld { Goal::Wld } else { Goal::Exact };
        let (watch, resume_file) = (&self.watch, self.resume_file.as_ref());
        let progress = |progress| watch.tell(progress);
        let report = |node| resume_file.into_iter().for_each(|file| file.add(node));
        let control = Control {
            stop: self.stop,
            progress: &progress,
            nodes: Some(watch.nodes()),
            stored_nodes: resume_file
                .map(|_| StoredNodes { min_nodes: MIN_NODES, report: &report }),
            ..Control::NONE
        };
        let searcher = self.searcher.as_mut().expect("prepared before");
        let Some(count) = count else {
            return (searcher.search(board, goal, control), Vec::new());
        };
        let moves = solve_moves(searcher, board, goal, control);
        // Stopped, the best of those that were solved must do, or any move.
        let best = moves.first().cloned();
        let best = best.unwrap_or_else(|| searcher.search(board, goal, control));
        let (nodes, is_exact) = (watch.nodes().load(Relaxed), moves.len() == count);
        (Answer { nodes, is_exact, ..best }, moves)
    }

    /// Prepares the searcher for such positions: the last one, if they are of the same kind.
    fn prepare(&mut self, rule: Rule, size: Size) {
        if self.searcher.as_ref().is_some_and(|searcher| searcher.is_for(rule, size)) {
            return;
        }
        // Frees its memory before there is another.
        self.searcher = None;
        let pool = Pool::threads(self.args.threads.into());
        let hash_bytes = hash_bytes(self.args).expect("checked before");
        let settings = Settings { pool, hash_bytes, ..Settings::new(rule, size) };
        let mut searcher = Searcher::new(settings);
        self.stored.drain(..).for_each(|node| searcher.preload(node));
        self.searcher = Some(searcher);
    }
}

/// The answer for each move, best first, with the nodes that it took; stopped, for those that were
/// solved by then.
fn solve_moves(
    searcher: &mut Searcher,
    board: Board,
    goal: Goal,
    control: Control<'_>,
) -> Vec<Answer> {
    let mut every_move = EveryMove::with_goal(board, searcher.settings().size, goal);
    let (mut nodes_before, mut nodes) = (0, HashMap::new());
    let mut report = |answer: &Answer| {
        nodes.insert(answer.best(), answer.nodes - nodes_before);
        nodes_before = answer.nodes;
    };
    searcher.ask_every_move(&mut every_move, control, &mut report);
    let own = |answer: &Answer| {
        let nodes = *nodes.get(&answer.best())?;
        Some(Answer { nodes, ..answer.clone() })
    };
    every_move.answers().into_iter().filter_map(own).collect()
}
