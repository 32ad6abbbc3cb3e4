//! Values every legal move of a position: one question each, with deepening goals.
//!
//! The best move alone is the business of [`Question`]. Hints, the web board's
//! analysis, `solve --all-moves` and weakened levels need to see all moves.

use crate::answer::Answer;
use crate::control::{Control, Progress};
use crate::goal::Goal;
use crate::iteration::deepening;
use crate::question::Question;
use crate::searcher::{Searcher, Settings};
use isrever_board::{Board, Move, Size, Symmetry, squares};
use isrever_eval::DISC;
use std::sync::atomic::Ordering::Relaxed;

/// A question about every legal move of a board, and how far its answers have come.
///
/// It begins with the static evaluation after each move, and pursues its goals one after the
/// other: each goal for all moves, the best of the last goal first. Where there is only a pass,
/// that is the move. Of moves that are one and the same by a symmetry of the board, a deepening
/// question searches the first, and gives the others its value.
///
/// ```
/// use isrever_board::{Board, Rule, Size};
/// use isrever_search::{Control, EveryMove, Searcher, Settings};
///
/// let settings = Settings::new(Rule::Reversed, Size::EIGHT);
/// let mut searcher = Searcher::new(settings);
/// let mut moves = EveryMove::deepening(Board::start(Size::EIGHT), &settings, 4, 73);
/// searcher.ask_every_move(&mut moves, Control::NONE, &mut |answer| {
///     // Each answer, as soon as it is found.
///     assert!(answer.depth <= 4);
/// });
/// // One answer for each legal move, best first.
/// let values: Vec<f64> = moves.completed().iter().map(|answer| answer.value).collect();
/// assert_eq!(values.len(), 4);
/// assert!(values.is_sorted_by(|better, worse| better >= worse));
/// ```
#[derive(Clone, Debug)]
pub struct EveryMove {
    board: Board,
    goals: Vec<Goal>,
    /// Before it proves the score of each move, it proves that of the position: that is known
    /// sooner.
    proves_position_first: bool,
    /// The symmetries that leave the board as it is, other than the identity, where moves share
    /// their answers by them.
    symmetries: Vec<Symmetry>,
    moves: Vec<MoveState>,
    /// The goal in work, and how many moves have reached it.
    goal: usize,
    done: usize,
    /// The search that was stopped, if one was.
    interrupted: Option<Question>,
    /// Whether the score of the position is proved.
    is_exact: bool,
    /// The answers to the last goal that all moves have reached, best first.
    completed: Vec<Answer>,
    /// The move whose answer the last step found.
    changed: Option<Move>,
    nodes: u64,
}

/// A move and the answer for the side that makes it, with the nodes of all searches up to it.
#[derive(Clone, Debug)]
struct MoveState {
    mv: Move,
    next: Board,
    answer: Answer,
}

impl EveryMove {
    /// Deepens up to `max_depth` plies, the move counted, by cuts of this confidence; to a proof if
    /// that reaches the end of the game.
    pub fn deepening(
        board: Board,
        settings: &Settings,
        max_depth: u32,
        confidence: u8,
    ) -> EveryMove {
        let goals = goals(board, settings, max_depth, confidence);
        let evaluated = evaluate_moves(board, settings);
        let every_move = EveryMove::new(board, settings.size, goals, evaluated);
        let symmetries = own_symmetries(board, settings.size);
        EveryMove { proves_position_first: true, symmetries, ..every_move }
    }

    /// Goes to the last goal of [`EveryMove::deepening`] at once.
    pub fn deepest(board: Board, settings: &Settings, max_depth: u32, confidence: u8) -> EveryMove {
        let last = goals(board, settings, max_depth, confidence).pop().into_iter().collect();
        EveryMove::new(board, settings.size, last, evaluate_moves(board, settings))
    }

    /// Pursues one goal for every move, in the order of squares, without evaluating them first.
    pub fn with_goal(board: Board, size: Size, goal: Goal) -> EveryMove {
        let unknown = legal_moves(board, size).into_iter().map(unknown).collect();
        EveryMove::new(board, size, vec![goal], unknown)
    }

    fn new(board: Board, size: Size, goals: Vec<Goal>, completed: Vec<Answer>) -> EveryMove {
        let state = |answer: &Answer| {
            let mv = answer.best().expect("each answer is about a move");
            MoveState { mv, next: after(board, size, mv), answer: answer.clone() }
        };
        EveryMove {
            board,
            goals,
            proves_position_first: false,
            symmetries: Vec::new(),
            moves: completed.iter().map(state).collect(),
            goal: 0,
            done: 0,
            interrupted: None,
            is_exact: false,
            completed,
            changed: None,
            nodes: 0,
        }
    }

    /// Whether all goals are reached or all moves proved.
    pub fn is_done(&self) -> bool {
        self.goal == self.goals.len() || self.moves.iter().all(|state| state.answer.is_exact)
    }

    /// Whether the score of the position is proved: that of its best move.
    pub fn is_exact(&self) -> bool {
        self.is_exact || self.moves.iter().all(|state| state.answer.is_exact)
    }

    /// What is known of each move so far, best first. Some may have been searched deeper than
    /// others.
    pub fn answers(&self) -> Vec<&Answer> {
        let mut answers: Vec<&Answer> = self.moves.iter().map(|state| &state.answer).collect();
        answers.sort_by(|one, other| other.value.total_cmp(&one.value));
        answers
    }

    /// The answers to the last goal that all moves have reached, best first.
    pub fn completed(&self) -> &[Answer] {
        &self.completed
    }

    /// The answer that the last step found. Its nodes are those of all searches so far.
    pub fn changed(&self) -> Option<&Answer> {
        let mv = self.changed?;
        self.moves.iter().find(|state| state.mv == mv).map(|state| &state.answer)
    }

    /// The answers of the moves that have reached the last goal so far, best first.
    fn reached(&self) -> Vec<Answer> {
        let reached = if self.goal == self.goals.len() { self.moves.len() } else { self.done };
        sorted(self.moves[..reached].iter().map(|state| state.answer.clone()).collect())
    }

    /// Nodes of all searches together.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The board that the next search is about, its goal, and the place of the move; `None` for the
    /// position itself.
    fn next_search(&self) -> (Board, Goal, Option<usize>) {
        let goal = self.goals[self.goal];
        let is_proof = matches!(goal, Goal::Value { confidence: 100, .. });
        let is_first = self.done == 0 && self.moves.len() > 1 && !self.is_exact;
        if self.proves_position_first && is_proof && is_first {
            return (self.board, Goal::Value { depth: u32::MAX, confidence: 100 }, None);
        }
        (self.moves[self.done].next, goal, Some(self.done))
    }

    /// The score of the position is proved: so is that of its best move, which stays first among
    /// equals.
    fn found_position(&mut self, answer: Answer) {
        let best = answer.best();
        if let Some(place) = self.moves.iter().position(|state| Some(state.mv) == best) {
            let mut state = self.moves.remove(place);
            state.answer = Answer { nodes: self.nodes, ..answer };
            self.changed = best;
            self.moves.insert(0, state);
        }
        self.is_exact = true;
    }

    fn found_move(&mut self, place: usize, answer: Option<Answer>) {
        let state = &mut self.moves[place];
        let mv = state.mv;
        if let Some(answer) = answer {
            state.answer = Answer { nodes: self.nodes, ..answer.before(mv) };
        }
        self.count_done(mv);
    }

    /// The answer for the move at `place` by that of a move that has reached the goal, if the board
    /// looks the same from both.
    fn answer_by_symmetry(&self, place: usize, size: Size) -> Option<Answer> {
        let square = self.moves[place].mv.square()?;
        let images = |state: &MoveState| {
            let found = state.mv.square()?;
            let leads_here = |symmetry: &&Symmetry| symmetry.square(found, size) == square;
            let symmetry = self.symmetries.iter().find(leads_here)?;
            Some(state.answer.clone().image(*symmetry, size))
        };
        let answer = self.moves[..self.done].iter().find_map(images)?;
        Some(Answer { nodes: self.nodes, ..answer })
    }

    /// The move has reached the goal; if it is the last one, the next goal begins.
    fn count_done(&mut self, mv: Move) {
        self.changed = Some(mv);
        self.done += 1;
        if self.done == self.moves.len() {
            self.moves.sort_by(|one, other| other.answer.value.total_cmp(&one.answer.value));
            self.completed = self.moves.iter().map(|state| state.answer.clone()).collect();
            (self.goal, self.done) = (self.goal + 1, 0);
        }
    }
}

impl Searcher {
    /// Works on `every_move` for one search: that of the next move. False if it was stopped; then
    /// the next step takes the search up again.
    ///
    /// Progress is reported as the side to move sees it. A limit of nodes is for this step.
    pub fn step_every_move(&mut self, every_move: &mut EveryMove, control: Control<'_>) -> bool {
        if every_move.is_done() {
            return true;
        }
        let (board, goal, place) = every_move.next_search();
        if let Some(place) = place
            && every_move.moves[place].answer.is_exact
        {
            every_move.found_move(place, None);
            return true;
        }
        if let Some(place) = place
            && let Some(answer) = every_move.answer_by_symmetry(place, self.settings.size)
        {
            let mv = every_move.moves[place].mv;
            every_move.moves[place].answer = answer;
            every_move.count_done(mv);
            return true;
        }
        let interrupted = every_move.interrupted.take();
        let mut question = interrupted.unwrap_or_else(|| Question::new(board, goal));
        let before = question.nodes;
        let progress = |progress: Progress| {
            let guess = progress.guess.map(|(score, best)| (-score, best));
            (control.progress)(Progress { guess, ..progress });
        };
        let answer = match place {
            Some(_) => self.ask(&mut question, Control { progress: &progress, ..control }),
            None => self.ask(&mut question, control),
        };
        every_move.nodes += question.nodes - before;
        if !question.is_done() {
            every_move.interrupted = Some(question);
            return false;
        }
        match place {
            None => every_move.found_position(answer),
            Some(place) => every_move.found_move(place, Some(answer)),
        }
        true
    }

    /// Works on `every_move` until it is done, or stopped, or has spent its nodes; reports each
    /// answer as it is found. True if it is done.
    pub fn ask_every_move(
        &mut self,
        every_move: &mut EveryMove,
        control: Control<'_>,
        report: &mut dyn FnMut(&Answer),
    ) -> bool {
        let before = every_move.nodes;
        while !every_move.is_done() {
            let spent = every_move.nodes - before;
            let max_nodes = control.max_nodes.map(|most| most.saturating_sub(spent));
            let is_out = max_nodes == Some(0) || control.stop.load(Relaxed);
            if is_out || !self.step_every_move(every_move, Control { max_nodes, ..control }) {
                return false;
            }
            every_move.changed().into_iter().for_each(&mut *report);
        }
        true
    }
}

impl Searcher {
    /// Pursues `goal` for every legal move: the answers for those that reached it before a stop,
    /// best first.
    pub fn search_moves(&mut self, board: Board, goal: Goal, control: Control<'_>) -> Vec<Answer> {
        let mut every_move = EveryMove::with_goal(board, self.settings.size, goal);
        self.ask_every_move(&mut every_move, control, &mut |_| {});
        every_move.reached()
    }
}

/// The goals of a deepening search of every move of `board`, beyond the static evaluation.
fn goals(board: Board, settings: &Settings, max_depth: u32, confidence: u8) -> Vec<Goal> {
    let size = settings.size;
    let must_pass = board.moves(size) == 0;
    let empties = board.empties(size).count_ones();
    let after = if must_pass { empties } else { empties.saturating_sub(1) };
    let max_depth = max_depth.saturating_sub(1);
    let mut goals = deepening(size, after, max_depth, confidence, &settings.parameters);
    goals.retain(|goal| !matches!(goal, Goal::Value { depth: 0, .. }));
    goals
}

/// The symmetries that leave `board` as it is, other than the identity.
fn own_symmetries(board: Board, size: Size) -> Vec<Symmetry> {
    let others = Symmetry::ALL.into_iter().skip(1);
    others.filter(|symmetry| symmetry.board(board, size) == board).collect()
}

fn after(board: Board, size: Size, mv: Move) -> Board {
    match mv {
        Move::Place(square) => board.play(square, size).expect("a legal move"),
        Move::Pass => board.pass(),
    }
}

/// The legal moves of `board`: squares, or a pass where there is no other; none if the game is over.
fn legal_moves(board: Board, size: Size) -> Vec<Move> {
    let moves: Vec<Move> = squares(board.moves(size)).map(Move::Place).collect();
    match moves.is_empty() && !board.is_over(size) {
        true => vec![Move::Pass],
        false => moves,
    }
}

/// The moves by the evaluation of the boards after them, best first: a search of one ply.
pub fn evaluate_moves(board: Board, settings: &Settings) -> Vec<Answer> {
    let Settings { rule, size, weights, .. } = *settings;
    let answer = |mv: Move| {
        let next = after(board, size, mv);
        if next.is_over(size) {
            return Answer { iterations: 1, ..Answer::game_over(next.score(size, rule)) }
                .before(mv);
        }
        let value = match weights {
            Some(weights) => f64::from(weights.plain_value(next)) / f64::from(DISC),
            None => next.score(size, rule).into(),
        };
        let evaluated = Answer { value, is_exact: false, iterations: 1, ..Answer::game_over(0) };
        evaluated.before(mv)
    };
    sorted(legal_moves(board, size).into_iter().map(answer).collect())
}

/// The moves by how few replies they leave the opponent, fewest first: having moves when the other
/// side runs out of them is good under both rules. The quickest choice of all, for callers who
/// have no time to unpack an evaluation; the values are 0.
pub fn moves_by_mobility(board: Board, size: Size) -> Vec<Answer> {
    let mut moves = legal_moves(board, size);
    moves.sort_by_key(|&mv| after(board, size, mv).moves(size).count_ones());
    moves.into_iter().map(unknown).collect()
}

/// The answer for a move that nothing is known of.
fn unknown(mv: Move) -> Answer {
    Answer { is_exact: false, pv: vec![mv], confidence: 0, ..Answer::game_over(0) }
}

/// Best first; equals as they were.
fn sorted(mut answers: Vec<Answer>) -> Vec<Answer> {
    answers.sort_by(|one, other| other.value.total_cmp(&one.value));
    answers
}
