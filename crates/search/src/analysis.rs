//! Analyses a game: the value of every move, and the best alternative.
//!
//! [`GameAnalysis`] decides which positions must be searched and turns the
//! answers into a [`Verdict`] for each move; the caller searches, within limits
//! of its own. The last moves come first: what is proved of the end is known
//! when the moves before it are valued.
//!
//! All values are seen by the side that moves, in discs. A loss is what the
//! best move is worth more than the one that was played; where both are proved,
//! so is the loss.

use crate::answer::Answer;
use crate::goal::Goal;
use isrever_board::{Color, Game, Move, Position, Symmetry};

/// The part of a move's time for the search of its best alternative; the rest is for the move
/// itself.
const BEST_SHARE: f64 = 0.6;

/// A game under analysis.
///
/// ```
/// use isrever_board::text::{Defaults, read};
/// use isrever_search::{Control, GameAnalysis, Goal, Searcher, Settings};
///
/// let game = read(b"f5d6c3d3c4", None, Defaults::default())?.remove(0).game;
/// let mut searcher = Searcher::new(Settings::new(game.rule(), game.size()));
/// let mut analysis = GameAnalysis::new(game, Some(4), 10);
/// while !analysis.is_done() {
///     // The analysis says what to search; the caller does it, and answers.
///     let answer = analysis.request().map(|request| {
///         let goal = Goal::Value { depth: request.depth.unwrap_or(4), confidence: 73 };
///         searcher.search(request.position.board().unwrap(), goal, Control::NONE)
///     });
///     analysis.answer(answer);
/// }
/// assert!(analysis.verdicts().iter().flatten().all(|verdict| verdict.loss >= 0));
/// # Ok::<(), isrever_board::text::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameAnalysis {
    game: Game,
    depth: Option<u32>,
    solve_from: u32,
    /// A verdict for each move, in the order of the game, as far as there are any.
    verdicts: Vec<Option<Verdict>>,
    /// The answer for the last position.
    last: Option<Answer>,
    /// How many moves, from the first on, have no verdict yet.
    left: usize,
    /// The answer for the position before the move in work.
    best: Option<Answer>,
}

/// A position to search next.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The position; the game is not over there.
    pub position: &'a Position,
    /// The depth to search to; unlimited if `None`.
    pub depth: Option<u32>,
    /// The confidence of cuts, if it matters: a move is compared with the best by equal means.
    pub confidence: Option<u8>,
    /// The part of a move's time, from 0 to 1, that the search may take.
    pub time_share: f64,
}

impl Request<'_> {
    /// What to ask about the position; `confidence` is that of the cuts where it does not matter.
    pub fn goal(&self, confidence: u8) -> Goal {
        let confidence = self.confidence.unwrap_or(confidence);
        Goal::within(self.depth, self.position.empties(), confidence)
    }
}

/// What a move was worth.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// How many moves were played before it, passes counted.
    pub ply: usize,
    /// The side that made it.
    pub color: Color,
    /// The move.
    pub mv: Move,
    /// Its value for the side that made it.
    pub value: i32,
    /// Whether that is proved.
    pub is_exact: bool,
    /// The answer for the position before it: the best move, its value and variation.
    pub best: Answer,
    /// How many discs the best move is worth more, never less than 0.
    pub loss: i32,
    /// How bad the move was, if it was.
    pub mark: Option<Mark>,
}

impl Verdict {
    /// Whether the loss is proved.
    pub fn is_loss_exact(&self) -> bool {
        self.is_exact && self.best.is_exact
    }

    /// 1 if the move won, 0 if it drew, −1 if it lost with best play, where that is proved.
    pub fn outcome(&self) -> Option<i32> {
        self.is_exact.then(|| self.value.signum())
    }
}

/// How bad a move was that lost discs.
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

    /// The mark of a move of `value` where the best had `best`, both `proved` or not.
    ///
    /// Throwing a game away is a mistake even if it takes only two discs, since the win comes before
    /// the margin; only proved values show it.
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

impl GameAnalysis {
    /// Analyses the moves of `game` up to its present position, to this depth if there is one. From
    /// `solve_from` empty squares on, endings are searched to their end.
    ///
    /// # Panics
    /// If the board is larger than 8×8.
    pub fn new(game: Game, depth: Option<u32>, solve_from: u32) -> GameAnalysis {
        assert!(game.size().has_bits(), "only boards up to 8x8 can be searched");
        let left = game.ply();
        let verdicts = vec![None; left];
        GameAnalysis { game, depth, solve_from, verdicts, last: None, left, best: None }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The verdicts in the order of the game; `None` for moves that were not reached yet.
    pub fn verdicts(&self) -> &[Option<Verdict>] {
        &self.verdicts
    }

    /// The answer for the last position, once there is one.
    pub fn last(&self) -> Option<&Answer> {
        self.last.as_ref()
    }

    /// Whether every move has its verdict.
    pub fn is_done(&self) -> bool {
        self.last.is_some() && self.left == 0
    }

    /// The verdict found last.
    pub fn newest(&self) -> Option<&Verdict> {
        self.verdicts.get(self.left)?.as_ref()
    }

    /// The position to search next; `None` if the next verdict needs no search, or all are there.
    pub fn request(&self) -> Option<Request<'_>> {
        let positions = self.game.positions();
        if self.last.is_none() {
            let position = self.game.position();
            return (!position.is_over()).then(|| self.limited(position, None, 1.0));
        }
        let ply = self.left.checked_sub(1)?;
        let mv = self.game.moves()[ply];
        match &self.best {
            _ if mv == Move::Pass => None,
            None => Some(self.limited(&positions[ply], None, BEST_SHARE)),
            Some(best) if best.best() == Some(mv) => None,
            Some(_) if self.after(ply).is_exact => None,
            Some(best) => Some(self.limited(&positions[ply + 1], Some(best), 1.0 - BEST_SHARE)),
        }
    }

    /// A request to search `position`; for the move that was played, as deep as after the `best`
    /// and by the same cuts.
    fn limited<'a>(
        &self,
        position: &'a Position,
        best: Option<&Answer>,
        time_share: f64,
    ) -> Request<'a> {
        let is_ending = position.empties() <= self.solve_from;
        let to_end = || self.depth.map(|_| position.empties());
        let depth = match best {
            _ if is_ending => to_end(),
            Some(best) => Some(best.depth.saturating_sub(1).max(1)),
            None => self.depth,
        };
        Request { position, depth, confidence: best.map(|best| best.confidence), time_share }
    }

    /// The answer for the position after the move `ply`, which is the best of the next one.
    fn after(&self, ply: usize) -> &Answer {
        match self.verdicts.get(ply + 1) {
            Some(verdict) => &verdict.as_ref().expect("later moves come first").best,
            None => self.last.as_ref().expect("the last position comes first"),
        }
    }

    /// Takes the answer to the last request; `None` if there was none. Returns the verdict that
    /// follows from it, if one does.
    ///
    /// # Panics
    /// If there was a request and it is not answered, or the other way round.
    pub fn answer(&mut self, answer: Option<Answer>) -> Option<&Verdict> {
        assert_eq!(answer.is_some(), self.request().is_some(), "each request has its answer");
        if self.last.is_none() {
            let position = self.game.position();
            let over = || Answer::game_over(position.score(self.game.rule(), position.turn()));
            self.last = Some(answer.unwrap_or_else(over));
            return None;
        }
        let ply = self.left.checked_sub(1)?;
        let mv = self.game.moves()[ply];
        let verdict = match (mv, self.best.take(), answer) {
            (Move::Pass, ..) => self.pass_verdict(ply),
            (_, None, best) => {
                self.best = best.map(|best| self.turned_to(ply, mv, best));
                // It may decide by itself what the move was worth.
                return if self.request().is_none() { self.answer(None) } else { None };
            }
            (_, Some(best), played) => self.verdict(ply, best, played),
        };
        self.left = ply;
        self.verdicts[ply] = Some(verdict);
        self.newest()
    }

    /// The `best` answer turned so that it begins with `mv`, if the position looks the same from
    /// there: the four first moves of a game are one move, and none of them loses against another.
    fn turned_to(&self, ply: usize, mv: Move, best: Answer) -> Answer {
        let (size, position) = (self.game.size(), &self.game.positions()[ply]);
        let (Some(board), Some(Move::Place(found)), Move::Place(played)) =
            (position.board(), best.best(), mv)
        else {
            return best;
        };
        let symmetry = Symmetry::ALL.into_iter().find(|symmetry| {
            symmetry.square(found, size) == played && symmetry.board(board, size) == board
        });
        match symmetry {
            Some(symmetry) => best.image(symmetry, size),
            None => best,
        }
    }

    /// A pass leaves no choice: it is worth what comes after it.
    fn pass_verdict(&self, ply: usize) -> Verdict {
        let next = self.after(ply).clone();
        let best = Answer { depth: next.depth, ..next.before(Move::Pass) };
        let (value, is_exact) = (best.score(), best.is_exact);
        let color = self.game.positions()[ply].turn();
        Verdict { ply, color, mv: Move::Pass, value, is_exact, best, loss: 0, mark: None }
    }

    /// The verdict by the answers before the move and, where it was needed, after it.
    fn verdict(&self, ply: usize, mut best: Answer, played: Option<Answer>) -> Verdict {
        let (color, mv) = (self.game.positions()[ply].turn(), self.game.moves()[ply]);
        let next = self.after(ply);
        let (value, is_exact) = match played {
            _ if best.best() == Some(mv) => (best.score(), best.is_exact),
            None => (-next.score(), next.is_exact),
            Some(played) => (-played.score(), played.is_exact),
        };
        if value > best.score() && !best.is_exact {
            // A closer look showed that the move was better than any other seemed to be.
            best.pv = std::iter::once(mv).chain(next.pv.iter().copied()).collect();
            (best.value, best.is_exact) = (value.into(), false);
        }
        // Nothing is better than what is proved to be best, whatever a search that was cut short says.
        let value = value.min(best.score());
        let loss = best.score() - value;
        let mark = Mark::of(best.score(), value, is_exact && best.is_exact);
        Verdict { ply, color, mv, value, is_exact, best, loss, mark }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Control, Goal, Searcher, Settings};
    use isrever_board::{Rule, Size, Square};
    use isrever_testkit::random_game;

    /// Searches what is requested until `stop` says so.
    fn analyze(
        game: &Game,
        depth: u32,
        solve_from: u32,
        stop: impl Fn(&Verdict) -> bool,
    ) -> GameAnalysis {
        let settings = Settings::new(game.rule(), game.size());
        let mut searcher = Searcher::new(Settings { hash_bytes: 1 << 20, ..settings });
        let mut analysis = GameAnalysis::new(game.clone(), Some(depth), solve_from);
        while !analysis.is_done() {
            let answer = analysis.request().map(|request| {
                let board = request.position.board().unwrap();
                searcher.search(board, request.goal(73), Control::NONE)
            });
            if analysis.answer(answer).is_some_and(&stop) {
                break;
            }
        }
        analysis
    }

    fn verdicts(game: &Game, depth: u32, solve_from: u32) -> Vec<Verdict> {
        let analysis = analyze(game, depth, solve_from, |_| false);
        analysis.verdicts().iter().cloned().map(Option::unwrap).collect()
    }

    #[test]
    fn on_the_smallest_board_every_loss_is_the_difference_of_exact_scores() {
        for rule in Rule::ALL {
            let game = random_game(rule, Size::FOUR, 2);
            let mut searcher = Searcher::new(Settings::new(rule, Size::FOUR));
            let mut exact = |position: &Position| {
                let board = position.board().unwrap();
                searcher.search(board, Goal::Exact, Control::NONE).score()
            };
            let mut lost = 0;
            for verdict in verdicts(&game, 2, 60) {
                let before = exact(&game.positions()[verdict.ply]);
                let after = -exact(&game.positions()[verdict.ply + 1]);
                assert!(verdict.is_loss_exact(), "{verdict:?}");
                assert_eq!((verdict.best.score(), verdict.value), (before, after), "{rule}");
                assert_eq!(verdict.loss, before - after);
                assert_eq!(verdict.outcome(), Some(after.signum()));
                lost += verdict.loss;
            }
            assert!(lost > 0, "a random move is not always the best");
        }
    }

    #[test]
    fn endings_are_proved_and_no_move_is_worth_more_than_the_best() {
        for size in [Size::SIX, Size::EIGHT] {
            let has_pass = |game: &Game| game.moves().contains(&Move::Pass);
            let mut games = (1..).map(|seed| random_game(Rule::Reversed, size, seed));
            let game = games.find(has_pass).unwrap();
            let verdicts = verdicts(&game, 3, 10);
            for verdict in &verdicts {
                let empties = game.positions()[verdict.ply].empties();
                assert_eq!(verdict.is_loss_exact(), empties <= 10, "{size} {verdict:?}");
                assert!(verdict.loss >= 0 && verdict.value <= verdict.best.score());
                assert!(verdict.mv != Move::Pass || verdict.loss == 0);
            }
            let last = verdicts.last().unwrap();
            assert_eq!(last.value, game.score(last.color));
        }
    }

    #[test]
    fn unfinished_games_and_setups_are_analysed_up_to_their_present_position() {
        let mut setup = Game::new(Rule::Reversed, Size::EIGHT);
        for square in ["f5", "d6", "c3"] {
            setup.place(square.parse().unwrap()).unwrap();
        }
        let mut game = Game::from_position(Rule::Normal, setup.position().clone());
        for square in ["d3", "c4", "f4"] {
            game.place(square.parse().unwrap()).unwrap();
        }
        game.undo();
        let analysis = analyze(&game, 4, 8, |_| false);
        assert_eq!(analysis.verdicts().len(), game.ply(), "moves taken back are left out");
        let last = analysis.last().unwrap();
        assert_eq!((last.depth, last.is_exact), (4, false));
    }

    #[test]
    fn moves_that_are_the_same_by_symmetry_lose_nothing_against_each_other() {
        let names: [Square; 4] = ["d3", "c4", "f5", "e6"].map(|name| name.parse().unwrap());
        for (found, played) in names.iter().flat_map(|one| names.map(|other| (*one, other))) {
            let mut game = Game::new(Rule::Reversed, Size::EIGHT);
            game.place(played).unwrap();
            let answer = |position: &Position, value: f64, first: Square| {
                let after = position.play(first).unwrap();
                let pv = vec![Move::Place(first), Move::Place(after.moves()[0])];
                Answer { value, is_exact: false, pv, depth: 2, ..Answer::game_over(0) }
            };
            let mut analysis = GameAnalysis::new(game.clone(), Some(2), 0);
            // Searches of different depth differ: the opponent seems to have 3 after the move, while
            // the best move seems to be worth 5.
            let reply = game.position().moves()[0];
            analysis.answer(Some(answer(game.position(), 3.0, reply)));
            let start = game.positions()[0].clone();
            let verdict = analysis.answer(Some(answer(&start, 5.0, found)));
            let verdict = verdict.expect("no search is needed to compare them");
            assert_eq!((verdict.value, verdict.loss, verdict.mark), (5, 0, None));
            assert_eq!(verdict.best.best(), Some(Move::Place(played)));
            let mut line = verdict.best.pv.iter().filter_map(|mv| mv.square());
            let legal = line.try_fold(start, |position, square| position.play(square));
            assert!(legal.is_some(), "{:?} is played from the start", verdict.best.pv);
        }
    }

    #[test]
    fn no_guess_is_better_than_what_is_proved() {
        let mut game = Game::new(Rule::Reversed, Size::FOUR);
        for _ in 0..2 {
            game.place(game.position().moves()[0]).unwrap();
        }
        let (before, after) = (&game.positions()[1], game.position());
        let answer = |value: f64, first: Square, is_exact: bool| {
            let pv = vec![Move::Place(first)];
            Answer { value, is_exact, pv, depth: 2, ..Answer::game_over(0) }
        };
        let mut analysis = GameAnalysis::new(game.clone(), None, 12);
        // The reply seems to lose by 9, so that the move would win by 9; but 4 is all there is.
        analysis.answer(Some(answer(-9.0, after.moves()[0], false)));
        analysis.answer(Some(answer(4.0, before.moves()[1], true)));
        if analysis.verdicts()[1].is_none() {
            analysis.answer(Some(answer(-9.0, after.moves()[0], false)));
        }
        let verdict = analysis.verdicts()[1].as_ref().unwrap();
        assert_eq!((verdict.value, verdict.loss, verdict.mark), (4, 0, None));
        assert_eq!((verdict.is_exact, verdict.best.is_exact), (false, true));
    }

    #[test]
    fn verdicts_come_from_the_last_move_to_the_first() {
        let game = random_game(Rule::Reversed, Size::SIX, 1);
        let analysis = analyze(&game, 2, 6, |verdict| verdict.ply == 20);
        for (ply, verdict) in analysis.verdicts().iter().enumerate() {
            assert_eq!(verdict.is_some(), ply >= 20);
        }
        let nothing = GameAnalysis::new(game, None, 6);
        assert!(nothing.last().is_none() && !nothing.is_done() && nothing.newest().is_none());
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
