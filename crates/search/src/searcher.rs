//! The searcher: works on questions, iteration by iteration, and remembers what it found.

use crate::answer::Answer;
use crate::bounds::{Normal, Objective, Reversed};
use crate::control::{Bounds, Control, Progress, StoredNode};
use crate::goal::Goal;
use crate::iteration::Iteration;
use crate::line::Line;
use crate::local_table::LocalTable;
use crate::parameters::Parameters;
use crate::pool::{Crew, Helper, Pool};
use crate::question::Question;
use crate::table::Table;
use crate::techniques::Techniques;
use crate::worker::{Shared, Worker};
use crossbeam_utils::CachePadded;
use isrever_board::{Board, Isa, Kernel, Rule, Size, Task, dispatch_to};
use isrever_eval::Weights;
use std::marker::PhantomData;
use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;

/// How a searcher searches.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// What the players play for.
    pub rule: Rule,
    /// The board: 4×4, 6×6 or 8×8.
    pub size: Size,
    /// The threads.
    pub pool: Pool,
    /// The memory of the transposition table, in bytes.
    pub hash_bytes: usize,
    /// The techniques in use: all of them, except in measurements.
    pub techniques: Techniques,
    /// When techniques are used: as shipped, except in measurements and tunings.
    pub parameters: Parameters,
    /// The evaluation above the endgame; 4×4 needs none.
    pub weights: Option<&'static Weights>,
    /// The instruction set: the best of this machine, except in measurements.
    pub isa: Isa,
}

impl Settings {
    /// One thread, 64 MiB, all techniques, the shipped parameters, the embedded weights.
    pub fn new(rule: Rule, size: Size) -> Settings {
        Settings {
            rule,
            size,
            pool: Pool::SINGLE,
            hash_bytes: 64 << 20,
            techniques: Techniques::ALL,
            parameters: Parameters::shipped(rule, size),
            weights: Weights::embedded(rule, size),
            isa: Isa::best(),
        }
    }
}

/// Answers questions about boards of one size under one rule.
///
/// Its transposition table lasts from one question to the next.
///
/// ```
/// use isrever_board::{Board, Rule, Size};
/// use isrever_search::{Control, Goal, Question, Searcher, Settings};
///
/// // The second player wins 4×4 Reversi by ten discs; under the reversed rule the first wins by four.
/// let mut searcher = Searcher::new(Settings::new(Rule::Reversed, Size::FOUR));
/// let mut question = Question::new(Board::start(Size::FOUR), Goal::Exact);
/// let answer = searcher.ask(&mut question, Control::NONE);
/// assert!(answer.is_exact);
/// assert_eq!(answer.score(), 4);
/// ```
pub struct Searcher {
    pub(crate) settings: Settings,
    table: Table,
    crew: Crew,
    /// A local table for each thread.
    local_tables: Vec<LocalTable>,
    /// Nodes of earlier searches, which every question begins with.
    preloaded: Vec<StoredNode>,
}

impl Searcher {
    /// A searcher with an empty table.
    ///
    /// # Panics
    /// If the board is larger than 8×8, the weights are for another size, or a parameter is beyond
    /// its range.
    pub fn new(settings: Settings) -> Searcher {
        assert!(settings.size.has_bits(), "only boards up to 8x8 can be searched");
        let weighed = settings.weights.map_or(settings.size, |weights| weights.shape().size());
        assert_eq!(weighed, settings.size, "the weights are for this size");
        assert!(settings.parameters.are_allowed(), "parameters are within their ranges");
        let table = Table::new(settings.hash_bytes);
        let crew = Crew::new(settings.pool);
        let local_tables = (0..settings.pool.count()).map(|_| LocalTable::new()).collect();
        Searcher { settings, table, crew, local_tables, preloaded: Vec::new() }
    }

    /// The settings it was made with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Whether it answers questions about boards of this size under this rule.
    pub fn is_for(&self, rule: Rule, size: Size) -> bool {
        (self.settings.rule, self.settings.size) == (rule, size)
    }

    /// Asks about `board` and answers at once, or when stopped.
    pub fn search(&mut self, board: Board, goal: Goal, control: Control<'_>) -> Answer {
        self.ask(&mut Question::new(board, goal), control)
    }

    /// Works on `question` until it is done or stopped. A stopped question can be asked again, and
    /// goes on at the iteration where it was.
    pub fn ask(&mut self, question: &mut Question, control: Control<'_>) -> Answer {
        self.advance(question, usize::MAX, control);
        question.answer(self.settings.rule, self.settings.size)
    }

    /// Works on `question` for one iteration.
    pub fn step(&mut self, question: &mut Question, control: Control<'_>) -> Answer {
        self.advance(question, 1, control);
        question.answer(self.settings.rule, self.settings.size)
    }

    /// Begins every question, from the next on, with a node of an earlier search.
    pub fn preload(&mut self, node: StoredNode) {
        self.preloaded.push(node);
    }

    /// What searches so far have found of `board`, as far as the table still holds it.
    pub fn remembered(&self, board: Board) -> Option<Bounds> {
        let (canonical, _) = board.canonical(self.settings.size);
        let get = |board: Board| self.table.get(board, board.hash());
        // Near the start the table holds canonical boards only, elsewhere boards as they are.
        let nodes = [get(board), get(canonical)].into_iter().flatten();
        nodes.max_by_key(|node| (node.depth, node.selectivity)).map(Bounds::from)
    }

    /// Works on `question` for so many iterations at most.
    fn advance(&mut self, question: &mut Question, iterations: usize, control: Control<'_>) {
        let Searcher { settings, table, crew, local_tables, preloaded } = self;
        let is_value = matches!(question.goal, Goal::Value { .. });
        // A value needs an evaluation; a proof may do without.
        let weights = settings.weights.filter(|_| is_value || settings.techniques.evaluation);
        let empties = question.board.empties(settings.size).count_ones();
        if question.plan.is_none() {
            table.new_generation();
        }
        table.make_room(entries(question.goal, empties, control.expected_entries));
        if question.plan.is_none() {
            let guesses = settings.techniques.narrow_iterations;
            let parameters = &settings.parameters;
            let plan =
                Iteration::plan(question.goal, empties, weights.is_some(), guesses, parameters);
            question.plan = Some(plan);
            // As if this search had found them itself, so that they are replaced last.
            for node in preloaded {
                table.put(node.board, node.board.hash(), node.table_node(settings.size));
            }
        }
        let run =
            Run { settings, table, crew, weights, local_tables, question, iterations, control };
        match settings.rule {
            Rule::Reversed => {
                dispatch_to(settings.isa, RuleRun { run, objective: PhantomData::<Reversed> });
            }
            Rule::Normal => {
                dispatch_to(settings.isa, RuleRun { run, objective: PhantomData::<Normal> });
            }
        }
    }
}

/// More entries than a search stores: the hardest of FFO 40 to 49 store some 2 to the power of their
/// empty squares less six. Where time is limited the next power of two will do: a table that grew by
/// a little for every move would be laid out anew each time.
fn entries(goal: Goal, empties: u32, expected: Option<u64>) -> usize {
    let magnitude = match goal {
        Goal::Value { depth, .. } if depth < empties => depth + 8,
        _ => empties.saturating_sub(4),
    };
    let entries = 1_u64.checked_shl(magnitude).unwrap_or(u64::MAX);
    usize::try_from(
        entries.min(expected.and_then(u64::checked_next_power_of_two).unwrap_or(u64::MAX)),
    )
    .unwrap_or(usize::MAX)
}

/// One uninterrupted piece of work on a question.
struct Run<'a> {
    settings: &'a Settings,
    table: &'a Table,
    crew: &'a mut Crew,
    weights: Option<&'static Weights>,
    local_tables: &'a mut [LocalTable],
    question: &'a mut Question,
    /// The most iterations.
    iterations: usize,
    control: Control<'a>,
}

/// The same under a rule that the compiler knows.
struct RuleRun<'a, O> {
    run: Run<'a>,
    objective: PhantomData<O>,
}

impl<O: Objective> Task for RuleRun<'_, O> {
    type Output = ();

    fn run(self, kernel: impl Kernel) {
        let Run { settings, table, crew, weights, local_tables, question, iterations, control } =
            self.run;
        let shared = Shared {
            size: settings.size,
            techniques: settings.techniques,
            parameters: &settings.parameters,
            weights,
            table,
            stop: control.stop,
            split_points: CachePadded::default(),
            nodes: CachePadded::default(),
            counts: CachePadded::default(),
            caller_nodes: control.nodes,
            max_nodes: control
                .max_nodes
                .map_or(u64::MAX, |most| most / settings.pool.count() as u64),
            stored_nodes: control.stored_nodes,
        };
        let shared = &shared;
        let (own, others) = local_tables.split_first_mut().expect("there is at least one thread");
        let helpers = others.iter_mut().map(|local| -> Helper<'_> {
            Box::new(move || Worker::<O, _>::new(kernel, shared, local).help_until_closed())
        });
        let main = || {
            let _closed = shared.split_points.close_at_end();
            let mut worker = Worker::<O, _>::new(kernel, shared, own);
            for _ in 0..iterations {
                if question.is_done() || !iterate(question, &mut worker, control) {
                    break;
                }
            }
            worker.report_counts();
        };
        crew.run(main, helpers);
        question.nodes += shared.nodes.load(Relaxed);
        question.counts += *shared.counts.lock().unwrap_or_else(PoisonError::into_inner);
    }
}

/// Does the next iteration of a question; false if it was aborted.
fn iterate<O: Objective, K: Kernel>(
    question: &mut Question,
    worker: &mut Worker<'_, O, K>,
    control: Control<'_>,
) -> bool {
    let plan = question.plan.as_ref().expect("the searcher plans before it iterates");
    let (iteration, iterations) = (plan[question.done], plan.len());
    (control.progress)(Progress {
        iteration: question.done + 1,
        iterations,
        guess: question.guess.map(|score| (score, question.best())),
        depth: question.depth,
        confidence: question.confidence,
        nodes: question.nodes + worker.shared.nodes.load(Relaxed),
    });
    worker.iteration = iteration;
    let mut line = Line::new();
    let score = aspirate(question, worker, &mut line);
    worker.report_nodes();
    if worker.is_aborted() {
        // The best move of the last iteration is searched first: a score above the window
        // belongs to it or to a better one. After a pass it is the opponent who has not tried all.
        let has_move = question.board.moves(worker.shared.size) != 0;
        if let (Some(score), false) = (score, line.is_empty())
            && has_move
        {
            (question.guess, question.line) = (Some(score), line);
        }
        return false;
    }
    (question.guess, question.line) = (score, line);
    (question.depth, question.confidence) = (iteration.depth, iteration.confidence());
    question.done += 1;
    true
}

/// Searches one iteration in an aspiration window about the last score, and widens it until the
/// score lies inside. Aborted, the score if it is above the window, and `None` otherwise.
fn aspirate<O: Objective, K: Kernel>(
    question: &Question,
    worker: &mut Worker<'_, O, K>,
    line: &mut Line,
) -> Option<i32> {
    let (board, size) = (question.board, worker.shared.size);
    let depth = worker.iteration.depth;
    // Beyond the best and the worst score, so that even a wipe-out lies inside the window.
    let most = match question.goal {
        Goal::Wld if depth >= board.empties(size).count_ones() => 1,
        _ => i32::from(size.width()).pow(2) + 1,
    };
    // The bounds found by this iteration, both included.
    let (mut lower, mut upper) = (-most, most);
    let (mut alpha, mut beta) = match question.guess {
        Some(score) if most > 1 => (score - 1, score + 1),
        _ => (-most, most),
    };
    let mut step = 1;
    loop {
        let score = match worker.weights {
            Some(_) => worker.pvs(&worker.root(board), alpha, beta, depth, line),
            None => worker.full_window(board, alpha, beta, line),
        };
        if worker.is_aborted() {
            return (score > alpha).then_some(score);
        }
        if alpha < score && score < beta {
            return Some(score);
        }
        if score <= alpha {
            upper = upper.min(score);
            (alpha, beta) = ((score - step).max(lower - 1), score + 1);
        } else {
            lower = lower.max(score);
            (alpha, beta) = (score - 1, (score + step).min(upper + 1));
        }
        // Outside what was asked for, or contradictory, as selective searches may be: good enough.
        if score <= -most || score >= most || lower > upper {
            return Some(score);
        }
        step *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn the_table_is_no_larger_than_there_is_time_to_fill() {
        let mut searcher = Searcher::new(Settings::new(Rule::Reversed, Size::EIGHT));
        let stop = AtomicBool::new(true);
        let mut question = Question::new(Board::start(Size::EIGHT), Goal::Exact);
        for (expected_entries, room) in
            [(Some(4_000), 4_096), (Some(4_095), 4_096), (None, searcher.table.most_room())]
        {
            let control = Control { stop: &stop, expected_entries, ..Control::NONE };
            // The same question, asked again with more time.
            searcher.ask(&mut question, control);
            assert_eq!(searcher.table.room(), room);
        }
    }
}
