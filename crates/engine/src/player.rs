//! The engine as an agent: it searches within limits, and always answers.
//!
//! `opening.rs` plays out of a book; `clock.rs` decides when it must stop, by readings that `watchdog` brings;
//! `level.rs` says how it plays below full strength; `entry.rs` is its entry in
//! the catalogue.

mod entry;
mod opening;
mod watchdog;

pub use entry::entry;
pub use opening::BookChoice;

use crate::level::{Strength, weakened_choice};
use isrever_agent::{Agent, Choice, Forfeit, Limits, Reason};
use isrever_board::{Board, Game, Move, Rule, Size};
use isrever_eval::Weights;
use isrever_search::{
    Answer, Control, EveryMove, Goal, ParameterChanges, Pool, Progress, Searcher, Settings,
    evaluate_moves, moves_by_mobility,
};
use std::fmt;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;
use watchdog::{Listener, watch};

/// The time for a move where nothing is limited.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The memory of a shallow search, in bytes: clearing more would take longer than the search.
const SMALL_HASH_BYTES: usize = 1 << 20;

/// What the engine may use, and how it plays.
#[derive(Clone, Copy, Debug)]
pub struct PlayerSettings {
    /// How many threads search.
    pub threads: usize,
    /// The memory of the transposition table, in bytes.
    pub hash_bytes: usize,
    /// In how many of 100 cases cuts must be right where the depth is limited to less than the end;
    /// otherwise the search plans its own way to the end.
    pub confidence: u8,
    /// How strongly it plays.
    pub strength: Strength,
    /// The seed of weakened choices, and of those among good moves of a book.
    pub seed: u64,
    /// The book that it plays from.
    pub opening: BookChoice,
    /// Weights in place of the embedded ones, in games of their rule and size. As an agent, the
    /// player refuses other games.
    pub weights: Option<&'static Weights>,
    /// Parameters of the search in place of the shipped ones.
    pub parameters: ParameterChanges,
}

impl Default for PlayerSettings {
    /// One thread, 64 MiB, cuts right in 73 of 100 cases where the depth is limited, full strength,
    /// no book.
    fn default() -> PlayerSettings {
        PlayerSettings {
            threads: 1,
            hash_bytes: 64 << 20,
            confidence: 73,
            strength: Strength::FULL,
            seed: 1,
            opening: BookChoice::None,
            weights: None,
            parameters: ParameterChanges::NONE,
        }
    }
}

impl PlayerSettings {
    /// Checks that its weights, if they are from a file, are for this game's rule and size.
    ///
    /// # Errors
    /// If they are for another.
    pub fn check(&self, game: &Game) -> Result<(), OtherWeights> {
        match self.weights {
            Some(weights) if !is_for(weights, game.rule(), game.size()) => {
                let own = (weights.rule(), weights.shape().size());
                Err(OtherWeights { own, expected: (game.rule(), game.size()) })
            }
            _ => Ok(()),
        }
    }

    /// The settings of a search for games of this rule and size.
    fn search(&self, rule: Rule, size: Size) -> Settings {
        let settings = Settings::new(rule, size);
        Settings {
            pool: Pool::threads(self.threads),
            hash_bytes: self.hash_bytes,
            weights: self
                .weights
                .filter(|weights| is_for(weights, rule, size))
                .or(settings.weights),
            parameters: self.parameters.applied_to(settings.parameters),
            ..settings
        }
    }
}

/// Weights that are for another rule or size than a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherWeights {
    own: (Rule, Size),
    expected: (Rule, Size),
}

impl fmt::Display for OtherWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((own_rule, own), (rule, size)) = (self.own, self.expected);
        write!(f, "weights for the {own_rule} rule on {own}x{own}; ")?;
        write!(f, "expected the {rule} rule on {size}x{size}")
    }
}

impl std::error::Error for OtherWeights {}

/// The engine, playing.
///
/// ```
/// use isrever_agent::Limits;
/// use isrever_board::{Game, Rule, Size};
/// use isrever_engine::{Player, PlayerSettings};
///
/// let mut player = Player::new(PlayerSettings::default());
/// let game = Game::new(Rule::Reversed, Size::EIGHT);
/// let answer = player.think(&game, &Limits::of_depth(6));
/// assert_eq!(answer.depth, 6);
/// assert!(answer.best().is_some());
/// ```
pub struct Player {
    settings: PlayerSettings,
    /// Where the searcher for one rule and size comes back from the thread that used it last, with
    /// its table.
    searcher: Option<Receiver<Searcher>>,
    /// The rule and size whose weights are known to be unpacked, so that an evaluation takes no
    /// time.
    unpacked: Option<(Rule, Size)>,
    /// How long the machine has delayed us.
    longest_wait: Duration,
    /// Plays on boards larger than 8×8, which the search does not know.
    larger: Option<Box<dyn Agent>>,
}

impl Player {
    /// An engine with an empty table.
    pub fn new(settings: PlayerSettings) -> Player {
        Player {
            settings,
            searcher: None,
            unpacked: None,
            longest_wait: Duration::ZERO,
            larger: None,
        }
    }

    /// The same engine, which leaves boards larger than 8×8 to `agent`. Without one it forfeits
    /// games on them.
    #[must_use]
    pub fn with_larger_boards(self, agent: Box<dyn Agent>) -> Player {
        Player { larger: Some(agent), ..self }
    }

    /// The move of its book for the present position of `game`, if it has one that a search within
    /// `limits` would not improve.
    ///
    /// # Panics
    /// If the board is larger than 8×8.
    pub fn book_move(&mut self, game: &Game, limits: &Limits) -> Option<Answer> {
        let book = self.settings.opening.book(game.rule(), game.size(), limits)?;
        let board = board(game);
        // A thread that nobody waited for may still have the searcher: then there is none at hand.
        let searcher = self.searcher.as_ref().and_then(|kept| kept.try_recv().ok());
        let at_hand = searcher.as_ref().filter(|known| known.is_for(game.rule(), game.size()));
        let answer = opening::book_move(book, board, &self.settings, limits, at_hand);
        if let Some(searcher) = searcher {
            let (back, kept) = mpsc::channel();
            back.send(searcher).expect("the other end is here");
            self.searcher = Some(kept);
        }
        answer
    }

    /// Searches the present position of `game` within `limits` and its strength; for a second where
    /// neither limits anything.
    ///
    /// # Panics
    /// If the board is larger than 8×8.
    pub fn think(&mut self, game: &Game, limits: &Limits) -> Answer {
        self.think_aloud(game, limits, &mut |_| {})
    }

    /// The same, and `listener` hears the answer so far before every iteration; from a player whose
    /// choice is weakened, nothing.
    ///
    /// # Panics
    /// If the board is larger than 8×8.
    pub fn think_aloud(
        &mut self,
        game: &Game,
        limits: &Limits,
        listener: Listener<'_, Answer>,
    ) -> Answer {
        self.think_at(self.settings.confidence, game, limits, listener)
    }

    /// The same with cuts of this confidence where the depth is limited.
    pub(crate) fn think_at(
        &mut self,
        confidence: u8,
        game: &Game,
        limits: &Limits,
        listener: Listener<'_, Answer>,
    ) -> Answer {
        let (position, board) = (game.position(), board(game));
        let strength = self.settings.strength;
        let empties = position.empties();
        let limits = limits.tightened(&strength.share(empties)).or_time(DEFAULT_TIME);
        if strength.slack > 0.0 && position.has_move() {
            return self.choose_weakened(game, &limits);
        }
        let goal = Goal::within(limits.depth, empties, confidence);
        let max_nodes = limits.nodes;
        let loan = self.lend(game);
        let mut last = None;
        let mut hear = |progress: Progress| {
            last = Some(progress);
            answer_so_far(progress).into_iter().for_each(&mut *listener);
        };
        let found = watch(&limits, empties, &mut self.longest_wait, &mut hear, move |watched| {
            loan.lend(|searcher| {
                let progress = |progress| {
                    watched.note(progress);
                    watched.begin_iteration();
                };
                let control = Control {
                    stop: watched.stop(),
                    max_nodes,
                    expected_entries: watched.expected_entries(searcher.settings().pool),
                    progress: &progress,
                    ..Control::NONE
                };
                searcher.search(board, goal, control)
            })
        });
        if found.is_some() || last.is_some() {
            self.unpacked = Some((game.rule(), game.size()));
        }
        match found {
            Some(answer) if answer.iterations > 0 || position.is_over() => answer,
            Some(answer) => Answer { nodes: answer.nodes, ..self.quickest_answer(game) },
            None => last.and_then(answer_so_far).unwrap_or_else(|| self.quickest_answer(game)),
        }
    }

    /// The value of every move of the present position of `game`, deepening until `limits` say stop
    /// or all is proved; for a second where they limit nothing. `listener` hears the answer for
    /// each move as it is found, with the nodes of all moves so far. Returns the moves of the last
    /// completed iteration, best first. The player's strength does not matter.
    ///
    /// # Panics
    /// If the board is larger than 8×8.
    pub fn every_move(
        &mut self,
        game: &Game,
        limits: &Limits,
        listener: Listener<'_, Answer>,
    ) -> Vec<Answer> {
        if !game.position().has_move() {
            return Vec::new();
        }
        let limits = limits.or_time(DEFAULT_TIME);
        let (board, confidence, max_nodes) = (board(game), self.settings.confidence, limits.nodes);
        let (empties, max_depth) = (game.position().empties(), limits.depth.unwrap_or(u32::MAX));
        let loan = self.lend(game);
        let mut heard: Vec<Answer> = Vec::new();
        let mut hear = |answer: Answer| {
            heard.retain(|known| known.best() != answer.best());
            heard.push(answer.clone());
            listener(answer);
        };
        let found = watch(&limits, empties, &mut self.longest_wait, &mut hear, move |watched| {
            loan.lend(|searcher| {
                let settings = *searcher.settings();
                let mut moves = EveryMove::deepening(board, &settings, max_depth, confidence);
                moves.completed().iter().for_each(|answer| watched.note(answer.clone()));
                let expected_entries = watched.expected_entries(settings.pool);
                let control =
                    Control { stop: watched.stop(), max_nodes, expected_entries, ..Control::NONE };
                let mut report = |answer: &Answer| watched.note(answer.clone());
                searcher.ask_every_move(&mut moves, control, &mut report);
                moves.completed().to_vec()
            })
        });
        found.unwrap_or(heard)
    }

    /// A weakened choice: a move that is not much worse than the best, as the strength allows.
    fn choose_weakened(&mut self, game: &Game, limits: &Limits) -> Answer {
        let PlayerSettings { strength, seed, confidence, .. } = self.settings;
        let (board, max_nodes) = (board(game), limits.nodes);
        let (empties, max_depth) = (game.position().empties(), limits.depth.unwrap_or(u32::MAX));
        let (own, rule, size) = (self.settings, game.rule(), game.size());
        let found = watch(limits, empties, &mut self.longest_wait, &mut |()| {}, move |watched| {
            // A table of its own: the choice follows from seed and board, not from earlier moves.
            let (pool, hash_bytes) = (Pool::SINGLE, SMALL_HASH_BYTES);
            let settings = Settings { pool, hash_bytes, ..own.search(rule, size) };
            let mut moves = EveryMove::deepest(board, &settings, max_depth, confidence);
            if !moves.is_done() {
                let control = Control { stop: watched.stop(), max_nodes, ..Control::NONE };
                Searcher::new(settings).ask_every_move(&mut moves, control, &mut |_| {});
            }
            (moves.completed().to_vec(), moves.nodes())
        });
        let Some((mut answers, nodes)) = found else { return self.quickest_answer(game) };
        self.unpacked = Some((game.rule(), game.size()));
        let values: Vec<f64> = answers.iter().map(|answer| answer.value).collect();
        let chosen =
            weakened_choice(&values, strength.slack, seed, board).expect("there is a move");
        Answer { nodes, ..answers.swap_remove(chosen) }
    }

    /// The answer where the game goes on and there is no time at all.
    fn quickest_answer(&self, game: &Game) -> Answer {
        let (rule, size, board) = (game.rule(), game.size(), board(game));
        if game.position().must_pass() {
            let passed = Game::from_position(rule, game.position().pass());
            return self.quickest_answer(&passed).before(Move::Pass);
        }
        // Unpacking the weights may take longer than there is time for.
        let is_quick = self.unpacked == Some((rule, size)) || size == Size::FOUR;
        let answers = match is_quick {
            true => evaluate_moves(board, &self.settings.search(rule, size)),
            false => moves_by_mobility(board, size),
        };
        answers.into_iter().next().expect("there is a move")
    }

    /// The searcher for such games, to be lent to the thread that uses it.
    fn lend(&mut self, game: &Game) -> Loan {
        let (settings, rule, size) = (self.settings, game.rule(), game.size());
        let (back, searcher) = mpsc::channel();
        Loan { settings, rule, size, kept: self.searcher.replace(searcher), back }
    }
}

/// Whether weights are for games of this rule and size.
fn is_for(weights: &Weights, rule: Rule, size: Size) -> bool {
    (weights.rule(), weights.shape().size()) == (rule, size)
}

/// The position that `game` is at.
fn board(game: &Game) -> Board {
    game.position().board().expect("only boards up to 8x8 are searched")
}

/// The answer of the iteration before the one that begins.
fn answer_so_far(progress: Progress) -> Option<Answer> {
    let Progress { iteration, guess, depth, confidence, nodes, .. } = progress;
    let (score, best) = guess?;
    let (value, pv, iterations) = (score.into(), vec![best?], iteration - 1);
    let answer = Answer::game_over(0);
    Some(Answer { value, is_exact: false, pv, depth, confidence, iterations, nodes, ..answer })
}

/// A searcher on its way to the thread that uses it.
struct Loan {
    settings: PlayerSettings,
    rule: Rule,
    size: Size,
    kept: Option<Receiver<Searcher>>,
    back: Sender<Searcher>,
}

impl Loan {
    /// Lends the searcher to `work`, and gives it back.
    fn lend<R>(self, work: impl FnOnce(&mut Searcher) -> R) -> R {
        let Loan { settings, rule, size, kept, back } = self;
        // A thread that nobody waited for may still have it: it was told to stop.
        let kept = kept.and_then(|kept| kept.recv().ok());
        // One of another kind is dropped before a new one takes its memory.
        let kept = kept.filter(|searcher| searcher.is_for(rule, size));
        // Unpacking weights and clearing memory takes a while: not on the thread that must answer.
        let mut searcher = kept.unwrap_or_else(|| Searcher::new(settings.search(rule, size)));
        let result = work(&mut searcher);
        // A player that is gone needs it no more.
        let _ = back.send(searcher);
        result
    }
}

impl Agent for Player {
    fn name(&self) -> String {
        "engine".to_owned()
    }

    fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit> {
        let refused = |other: OtherWeights| Forfeit::new(Reason::Refused, other.to_string());
        self.settings.check(game).map_err(refused)?;
        if !game.position().size().has_bits() {
            return match &mut self.larger {
                Some(agent) => agent.choose(game, limits),
                None => Err(Forfeit::new(Reason::Refused, "no board larger than 8x8")),
            };
        }
        let answer = self.book_move(game, limits).unwrap_or_else(|| self.think(game, limits));
        let square = match answer.best() {
            Some(Move::Place(square)) => square,
            _ => unreachable!("asked only where there is a move"),
        };
        Ok(Choice {
            square,
            value: Some(answer.score().into()),
            depth: Some(answer.depth),
            nodes: answer.nodes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Level;
    use isrever_agent::{Catalogue, Random};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    /// The engine by name, random on larger boards.
    fn catalogue() -> Catalogue {
        Catalogue::new([entry(|| Box::new(Random::new(1)))])
    }

    fn small() -> Player {
        Player::new(PlayerSettings { hash_bytes: 1 << 20, ..PlayerSettings::default() })
    }

    fn answer(limits: &Limits) -> Answer {
        small().think(&Game::new(Rule::Reversed, Size::EIGHT), limits)
    }

    #[test]
    fn however_little_time_there_is_a_pass_is_worth_no_more_than_the_board() {
        let games =
            [Size::SIX, Size::EIGHT].into_iter().flat_map(|size| (0..30).map(move |n| (size, n)));
        for (size, number) in games {
            let mut played = Game::new(Rule::Reversed, size);
            while !played.is_over() {
                let moves = played.position().moves();
                let chosen = moves.get((number * 31 + played.ply() * 17) % moves.len().max(1));
                played.play(chosen.map_or(Move::Pass, |&square| Move::Place(square))).unwrap();
            }
            for position in played.positions().iter().filter(|position| position.must_pass()) {
                let game = Game::from_position(Rule::Reversed, position.clone());
                for nodes in [1, 2, 5, 20, 100, 1_000] {
                    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                    let answer = small().think(&game, &limits);
                    let most = size.cells() as f64;
                    assert!(answer.value.abs() <= most, "{position} {nodes}: {answer:?}");
                    assert_eq!(answer.best(), Some(Move::Pass));
                }
                let stopped = Limits::default();
                stopped.stop.store(true, std::sync::atomic::Ordering::Relaxed);
                let answer = small().think(&game, &stopped);
                assert!(answer.value.abs() <= size.cells() as f64, "{position}: {answer:?}");
                assert_eq!(answer.best(), Some(Move::Pass));
            }
        }
    }

    #[test]
    fn a_depth_is_kept_and_gives_the_same_answer_again() {
        let first = answer(&Limits::of_depth(6));
        assert_eq!((first.depth, first.confidence, first.is_exact), (6, 73, false));
        assert_eq!(first.pv.len(), 6);
        assert_eq!(answer(&Limits::of_depth(6)), first);
    }

    #[test]
    fn reporting_every_iteration_changes_nothing() {
        let game = Game::new(Rule::Reversed, Size::EIGHT);
        let mut player =
            Player::new(PlayerSettings { hash_bytes: 1 << 20, ..PlayerSettings::default() });
        let mut told = Vec::new();
        let tell = &mut |answer: Answer| told.push((answer.depth, answer.pv.len()));
        let last = player.think_aloud(&game, &Limits::of_depth(6), tell);
        assert_eq!(told, [1, 2, 3, 4, 5].map(|depth| (depth, 1)));
        assert_eq!(last, answer(&Limits::of_depth(6)));
    }

    #[test]
    fn on_the_way_to_the_end_cuts_are_daring_and_then_surer_and_surer() {
        let mut game = Game::new(Rule::Reversed, Size::SIX);
        while game.position().empties() > 16 {
            let square = game.position().moves().into_iter().next();
            game.play(square.map_or(Move::Pass, Move::Place)).unwrap();
        }
        let mut told = Vec::new();
        let tell = &mut |answer: Answer| told.push((answer.depth, answer.confidence));
        let last =
            Player::new(PlayerSettings::default()).think_aloud(&game, &Limits::of_depth(16), tell);
        let way = (1..=13).map(|depth| (depth, 49));
        let ends = [49, 73, 87, 95, 98, 99].map(|confidence| (16, confidence));
        assert_eq!(told, way.chain(ends).collect::<Vec<_>>());
        assert_eq!((last.depth, last.confidence, last.is_exact), (16, 100, true));
    }

    #[test]
    fn nodes_are_kept_and_give_the_same_answer_again() {
        let first = answer(&Limits::of_nodes(50_000));
        // Nodes are looked at where boards are remembered; a few leaves may come after.
        assert!((50_000..51_000).contains(&first.nodes), "{}", first.nodes);
        assert!(first.depth >= 3 && !first.pv.is_empty());
        assert_eq!(answer(&Limits::of_nodes(50_000)), first);
    }

    #[test]
    fn without_any_time_there_is_a_legal_move() {
        let game = Game::new(Rule::Reversed, Size::EIGHT);
        let stopped = Limits { stop: Arc::new(AtomicBool::new(true)), ..Limits::default() };
        for limits in [Limits::of_time(Duration::ZERO), stopped] {
            let choice = Player::new(PlayerSettings::default()).choose(&game, &limits).unwrap();
            assert!(game.position().moves().contains(&choice.square));
        }
    }

    #[test]
    fn small_and_large_boards_are_played_too() {
        for rule in Rule::ALL {
            for width in [4, 6, 10] {
                let size = Size::new(width).unwrap();
                let game = Game::new(rule, size);
                let mut player = catalogue().make("engine", 1).unwrap();
                let choice = player.choose(&game, &Limits::of_depth(2)).unwrap();
                assert!(game.position().moves().contains(&choice.square));
            }
        }
        let large = Game::new(Rule::Reversed, Size::new(10).unwrap());
        let mut alone = Player::new(PlayerSettings::default());
        let forfeit = alone.choose(&large, &Limits::of_depth(2)).unwrap_err();
        assert_eq!(forfeit.reason, Reason::Refused);
    }

    #[test]
    fn levels_answer_alike_for_a_seed_and_play_legal_moves_to_the_end() {
        for level in Level::all().filter(|level| level.number() <= 12) {
            let play = |seed| {
                let spec = format!("engine:level={level}");
                let mut agent = catalogue().make(&spec, seed).unwrap();
                let mut game = Game::new(Rule::Reversed, Size::SIX);
                while !game.is_over() {
                    let mv = match game.position().must_pass() {
                        true => Move::Pass,
                        false => {
                            Move::Place(agent.choose(&game, &Limits::default()).unwrap().square)
                        }
                    };
                    game.play(mv).expect("a legal move");
                }
                game
            };
            assert_eq!(play(3), play(3), "level {level}");
        }
    }

    #[test]
    fn a_level_gives_away_no_more_than_it_may_and_its_choice_needs_no_history() {
        let strength = Level::new(7).unwrap().strength();
        let mut game = Game::new(Rule::Reversed, Size::EIGHT);
        let mut choices = Vec::new();
        while game.ply() < 30 {
            if game.position().must_pass() {
                game.play(Move::Pass).unwrap();
            }
            let best = Player::new(PlayerSettings::default()).every_move(
                &game,
                &Limits::of_depth(strength.depth.unwrap()),
                &mut |_| {},
            );
            let settings = PlayerSettings { strength, seed: 5, ..PlayerSettings::default() };
            let answer = Player::new(settings).think(&game, &Limits::default());
            let chosen = best.iter().find(|other| other.pv[0] == answer.pv[0]);
            assert!(best[0].value - chosen.unwrap().value < strength.slack, "{answer:?}");
            choices.push(answer.pv[0] == best[0].pv[0]);
            game.play(answer.pv[0]).unwrap();
        }
        assert!(choices.contains(&true) && choices.contains(&false), "{choices:?}");
    }

    #[test]
    fn hints_deepen_to_a_proof_and_agree_with_the_search() {
        let mut player = Player::new(PlayerSettings::default());
        let mut game = Game::new(Rule::Reversed, Size::FOUR);
        game.play(Move::Place("a2".parse().unwrap())).unwrap();
        let mut told = Vec::new();
        let moves =
            player.every_move(&game, &Limits::of_depth(60), &mut |answer| told.push(answer));
        assert!(moves.iter().all(|answer| answer.is_exact) && moves.len() == 3, "{moves:?}");
        // The evaluation of three moves, the score of the position, and that of each move.
        assert_eq!(told.len(), 3 + 1 + 3);
        assert!(told.windows(2).all(|pair| pair[0].depth <= pair[1].depth));
        let answer = player.think(&game, &Limits::of_depth(60));
        assert_eq!((answer.value, true), (moves[0].value, answer.is_exact));
        let mut over = game.clone();
        while !over.position().is_over() {
            let mv =
                over.position().moves().first().map_or(Move::Pass, |&square| Move::Place(square));
            over.play(mv).unwrap();
        }
        assert_eq!(player.every_move(&over, &Limits::of_depth(60), &mut |_| {}), []);
        let few = player.every_move(&game, &Limits::of_nodes(1), &mut |_| {});
        assert!(few.iter().all(|answer| answer.depth == 1), "one ply is always there");
    }
}
