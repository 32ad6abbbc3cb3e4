//! One search from the first move to the last, under either rule: values by limited depth, and
//! exact scores.
//!
//! What is here: the questions that can be asked ([`Solver`]), and how they are
//! answered: passes over the tree that begin cheap and guess, and end with a
//! proof where one is asked for. `midgame` has the tree that is evaluated,
//! `probcut` what is cut off there; `endgame` the tree below it, `close` its
//! last nine plies and `last` the last four, `order` and `bounds` what makes it
//! small; `search` is what they have in common. `parallel` shares all of it
//! among threads but what is close to the end, `near` is what each remembers by
//! itself; `control` is how a solve is watched, stopped and taken up again.

mod bounds;
mod close;
mod control;
mod endgame;
mod last;
mod midgame;
mod near;
mod order;
mod parallel;
mod probcut;
mod search;
mod techniques;

pub use control::{Control, Finding, Findings, Progress};
pub use order::OrderWeights;
pub use techniques::Techniques;

use crate::table::Table;
use bounds::{Normal, Objective, Reversed};
use isrever_board::{Board, Isa, Kernel, Move, Rule, Size, Square, Task, dispatch_to, squares};
use isrever_eval::Weights;
use near::Near;
use parallel::Pool;
use search::{Line, PASS, PROVED, Pass, Search, Shared};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The narrow passes before the proof: how many moves each tries at a node.
const NARROW: [usize; 2] = [2, 4];

/// So many plies before the end a search by limited depth goes to the end at once. The plies before
/// make the guess for it, and are what is left where it takes too long.
pub(crate) const END_STEP: u32 = 3;

/// The level of the passes on the way to the end, which are the answer where time runs out first.
const DARING: u8 = 0;

/// How often, in hundredths, the cuts of those passes are right.
pub(crate) fn daring_percent() -> u8 {
    probcut::percent(DARING)
}

/// The level of the pass to the end that guesses for a proof: cuts are right in 87 of 100 cases.
const GUESS: u8 = 2;

/// With fewer empty squares a proof is quicker than a guess.
const NARROW_FROM: u32 = 14;

/// What a solver is to be like.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// What the players play for.
    pub rule: Rule,
    /// The board: 4×4, 6×6 or 8×8.
    pub size: Size,
    /// How many threads search, at least one, or as many of them as the system allows.
    pub threads: usize,
    /// Memory for remembered boards, in bytes.
    pub hash_bytes: usize,
    /// What may be used; everything, but to measure.
    pub techniques: Techniques,
    /// How moves are ordered; as fitted, but to fit.
    pub order: OrderWeights,
    /// What values positions above the endgame; 4×4 needs none.
    pub weights: Option<&'static Weights>,
    /// The instruction set; the best there is, but to measure.
    pub isa: Isa,
}

impl Settings {
    /// One thread, 64 MiB, everything switched on, the weights that the program carries.
    pub fn new(rule: Rule, size: Size) -> Settings {
        Settings {
            rule,
            size,
            threads: 1,
            hash_bytes: 64 << 20,
            techniques: Techniques::ALL,
            order: OrderWeights::fitted(rule, size),
            weights: Weights::embedded(rule, size),
            isa: Isa::best(),
        }
    }
}

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// The score itself.
    Exact,
    /// Only its sign: won, drawn or lost.
    Wld,
    /// The value by a search of limited depth; to the end where the depth reaches it.
    Value {
        /// Plies.
        depth: u32,
        /// How often, in hundredths, a cut must be right: 49, 73, 87, 95, 98, 99, or 100 for no
        /// cuts. On the way to the end cuts are daring whatever is asked for.
        percent: u8,
    },
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The score for the side to move; for [`Goal::Wld`] only its sign means something.
    pub score: i32,
    /// Whether it is proved. If not, the solver was stopped, and this is its best guess.
    pub is_proved: bool,
    /// The best moves for both sides as far as they are known, passes included; after a proof of
    /// the exact score, to the end.
    pub line: Vec<Move>,
    /// How many passes were completed. If none was, the score is only the board's as it stands.
    pub passes: usize,
    /// How many plies deep the last of them was; to the end, as many as there are empty squares.
    pub depth: u32,
    /// How often, in hundredths, its cuts are right: 100 if there were none, 0 if nobody knows.
    pub percent: u8,
    /// Boards visited.
    pub nodes: u64,
    /// Boards above the endgame looked at besides, for the order of moves alone; some programs
    /// count them as visited.
    pub ordered: u64,
}

impl Solution {
    /// The best move; `None` when the game is over.
    pub fn best(&self) -> Option<Move> {
        self.line.first().copied()
    }
}

/// Solves positions of one size under one rule, remembering what it has proved.
pub struct Solver {
    settings: Settings,
    table: Table,
    /// What each thread remembers by itself.
    near: Vec<Near>,
    /// What it was told before, and puts into the table for every search.
    remembered: Vec<Finding>,
}

impl Solver {
    /// A solver that knows nothing yet.
    ///
    /// # Panics
    /// If the board is larger than 8×8, or the weights are for another size.
    pub fn new(settings: Settings) -> Solver {
        assert!(settings.size.has_bits(), "only boards up to 8x8 can be solved");
        let weighed = settings.weights.map_or(settings.size, |weights| weights.shape().size());
        assert_eq!(weighed, settings.size, "the weights are for this size");
        let table = Table::new(settings.hash_bytes);
        let near = (0..settings.threads.max(1)).map(|_| Near::new()).collect();
        Solver { settings, table, near, remembered: Vec::new() }
    }

    /// The score of `board` with best play, and the line that leads to it.
    pub fn solve(&mut self, board: Board, goal: Goal, control: Control<'_>) -> Solution {
        self.table.begin();
        // Under the date of this search: as if it had found them itself, they go last.
        for &finding in &self.remembered {
            self.table.put(finding.board, finding.board.hash(), finding.known(self.settings.size));
        }
        let Solver { settings, table, near, .. } = self;
        let job = Job { settings, table, board, goal, control };
        match settings.rule {
            Rule::Reversed => {
                dispatch_to(settings.isa, RuleJob { job, near, objective: PhantomData::<Reversed> })
            }
            Rule::Normal => {
                dispatch_to(settings.isa, RuleJob { job, near, objective: PhantomData::<Normal> })
            }
        }
    }

    /// The solution after every legal move, seen by the side that makes it; best first.
    ///
    /// Stops early with those that are proved, if told to. Progress is told for each move in turn.
    pub fn solve_moves(
        &mut self,
        board: Board,
        goal: Goal,
        control: Control<'_>,
    ) -> Vec<(Square, Solution)> {
        let progress = |progress: Progress| {
            let guess = progress.guess.map(|(score, best)| (-score, best));
            (control.progress)(Progress { guess, ..progress });
        };
        let control = Control { progress: &progress, ..control };
        let mut solutions = Vec::new();
        for square in squares(board.moves(self.settings.size)) {
            let Some(next) = board.play(square, self.settings.size) else { continue };
            let mut solution = self.solve(next, goal, control);
            if !solution.is_proved {
                break;
            }
            solution.score = -solution.score;
            solution.line.insert(0, Move::Place(square));
            solutions.push((square, solution));
        }
        solutions.sort_by_key(|(_, solution)| -solution.score);
        solutions
    }

    /// Takes what an earlier solve found for granted, from the next solve on.
    pub fn remember(&mut self, finding: Finding) {
        self.remembered.push(finding);
    }
}

/// A pass over the tree to a depth.
struct Step {
    depth: u32,
    pass: Pass,
}

/// One solve.
struct Job<'a> {
    settings: &'a Settings,
    table: &'a Table,
    board: Board,
    goal: Goal,
    control: Control<'a>,
}

/// One solve under a rule that the compiler knows.
struct RuleJob<'a, O> {
    job: Job<'a>,
    near: &'a mut [Near],
    objective: PhantomData<O>,
}

impl<O: Objective> Task for RuleJob<'_, O> {
    type Output = Solution;

    fn run(self, kernel: impl Kernel) -> Solution {
        let RuleJob { job, near, .. } = self;
        let Job { settings, table, control, .. } = job;
        let shared = Shared {
            size: settings.size,
            techniques: settings.techniques,
            order: settings.order,
            weights: job.weights(),
            table,
            stop: control.stop,
            pool: Pool::default(),
            nodes: AtomicU64::new(0),
            ordered: AtomicU64::new(0),
            watched_nodes: control.nodes,
            most_nodes: control
                .most_nodes
                .map_or(u64::MAX, |most| most / settings.threads.max(1) as u64),
            findings: control.findings,
        };
        std::thread::scope(|scope| {
            let (own, others) = near.split_first_mut().expect("there is at least one thread");
            for near in others {
                let serve = || Search::<O, _>::new(kernel, &shared, near).serve();
                // Refused once, refused again: the threads there are do the work.
                if std::thread::Builder::new().spawn_scoped(scope, serve).is_err() {
                    break;
                }
            }
            let solution = job.passes(&mut Search::<O, _>::new(kernel, &shared, own));
            shared.pool.close();
            solution
        })
    }
}

impl Job<'_> {
    /// Guesses by narrow passes, then proves.
    fn passes<O: Objective, K: Kernel>(&self, search: &mut Search<'_, O, K>) -> Solution {
        let Job { control, .. } = self;
        let steps = self.steps(self.empties());
        let passes = steps.len();
        let mut guess = None;
        let mut line = Line::new();
        let (mut done, mut depth, mut percent) = (0, 0, 0);
        for step in steps {
            let guessed = guess.map(|score| (score, line.first().map(|&index| to_move(index))));
            let nodes = search.shared.nodes.load(Relaxed);
            let pass = done + 1;
            (control.progress)(Progress { pass, passes, guess: guessed, depth, percent, nodes });
            search.pass = step.pass;
            let mut found = Line::new();
            let score = self.close_in(search, guess, step.depth, &mut found);
            search.report_nodes();
            if search.is_void() {
                // What was found above the window by then is better than what the pass before
                // liked best; it is searched first, so there is no worse.
                if let (Some(score), false) = (score, found.is_empty()) {
                    (guess, line) = (Some(score), found);
                }
                break;
            }
            (guess, line) = (score, found);
            depth = step.depth;
            // A pass that leaves moves out does not know how often it is right.
            let is_wide = step.pass.width == usize::MAX;
            percent = if is_wide { probcut::percent(step.pass.level) } else { 0 };
            done += 1;
        }
        let [nodes, ordered] =
            [&search.shared.nodes, &search.shared.ordered].map(|sum| sum.load(Relaxed));
        let (score, line) = self.answer(guess, &line);
        let is_proved = done == passes && depth == self.empties() && percent == 100;
        Solution { score, is_proved, line, passes: done, depth, percent, nodes, ordered }
    }

    /// What values positions above the endgame; values are not found without it.
    fn weights(&self) -> Option<&'static Weights> {
        let is_value = matches!(self.goal, Goal::Value { .. });
        self.settings.weights.filter(|_| is_value || self.settings.techniques.evaluation)
    }

    fn empties(&self) -> u32 {
        self.board.empties(self.settings.size).count_ones()
    }

    /// The passes, each of which guesses for the next.
    fn steps(&self, empties: u32) -> Vec<Step> {
        let widest = |depth, level| Step { depth, pass: Pass { width: usize::MAX, level } };
        let proof = Step { depth: empties, pass: Pass::PROOF };
        let is_guessing = self.settings.techniques.narrow_passes && empties >= NARROW_FROM;
        let mut steps = Vec::new();
        match (self.goal, self.weights()) {
            (Goal::Value { depth, percent }, _) => {
                let level = probcut::level(percent);
                // The way to the end is the most daring one; close to the end the end itself is
                // the next step, by surer and surer cuts.
                let is_to_end = depth >= empties;
                let (last, way) = match is_to_end {
                    true => (empties.saturating_sub(END_STEP), DARING),
                    false => (depth, level),
                };
                steps.extend((1..=last).map(|depth| widest(depth, way)));
                if is_to_end {
                    let levels = (DARING..=probcut::SURE).filter(|&sure| sure <= level);
                    steps.extend(levels.map(|level| widest(empties, level)));
                    if level == PROVED {
                        steps.push(proof);
                    }
                }
            }
            (_, Some(_)) if is_guessing => {
                let plies = (4..=empties.saturating_sub(8).min(12)).step_by(2);
                steps.extend(plies.map(|depth| widest(depth, DARING)));
                steps.push(widest(empties, GUESS));
                steps.push(proof);
            }
            (_, None) if is_guessing => {
                let narrow = NARROW.iter().zip(0..).map(|(&width, level)| Pass { width, level });
                steps.extend(narrow.map(|pass| Step { depth: empties, pass }));
                steps.push(proof);
            }
            _ => steps.push(proof),
        }
        steps
    }

    /// The score by one pass: a narrow window about the guess, moved until the score is inside.
    /// Stopped, it is what was found by then, if that is worth anything.
    fn close_in<O: Objective, K: Kernel>(
        &self,
        search: &mut Search<'_, O, K>,
        guess: Option<i32>,
        depth: u32,
        line: &mut Line,
    ) -> Option<i32> {
        // Beyond the best and the worst score, so that even a wipe-out lies inside the window.
        let most = match self.goal {
            Goal::Wld if depth >= self.empties() => 1,
            _ => i32::from(self.settings.size.width()).pow(2) + 1,
        };
        // What this pass has found: the score lies between, ends included.
        let (mut least, mut greatest) = (-most, most);
        let (mut alpha, mut beta) = match guess {
            Some(score) if most > 1 => (score - 1, score + 1),
            _ => (-most, most),
        };
        let mut step = 1;
        loop {
            let score = match search.weights {
                Some(_) => search.principal(&search.root(self.board), alpha, beta, depth, line),
                None => search.full_window(self.board, alpha, beta, line),
            };
            if search.is_void() {
                return (score > alpha).then_some(score);
            }
            if alpha < score && score < beta {
                return Some(score);
            }
            if score <= alpha {
                greatest = greatest.min(score);
                (alpha, beta) = ((score - step).max(least - 1), score + 1);
            } else {
                least = least.max(score);
                (alpha, beta) = (score - 1, (score + step).min(greatest + 1));
            }
            // Beyond the window of the question, or, in a narrow pass, which may contradict
            // itself, beyond what can be: it is as good as known.
            if score <= -most || score >= most || least > greatest {
                return Some(score);
            }
            step *= 2;
        }
    }

    /// The score and the moves to answer with, whatever was found.
    fn answer(&self, guess: Option<i32>, line: &[u8]) -> (i32, Vec<Move>) {
        let mut moves: Vec<Move> = line.iter().map(|&index| to_move(index)).collect();
        let size = self.settings.size;
        if moves.is_empty() && !self.board.is_over(size) {
            // Stopped before the first pass was through: any legal move is all there is.
            let square = squares(self.board.moves(size)).next();
            moves.push(square.map_or(Move::Pass, Move::Place));
        }
        let score = guess.unwrap_or_else(|| self.board.score(size, self.settings.rule));
        (score, moves)
    }
}

fn to_move(index: u8) -> Move {
    match index {
        PASS => Move::Pass,
        _ => Move::Place(Square::from_index(index.into())),
    }
}
