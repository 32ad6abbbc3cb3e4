//! The engine as an agent: it thinks within limits, and always answers.
//!
//! What is here: the player, its thoughts, and its entry in the catalogue. When
//! it must stop is decided in `clock.rs` by readings that `timed` brings; what
//! makes it weaker is in `level.rs`.

mod timed;

use crate::hints::{Hint, Question};
use crate::level::{Level, Terms, draw};
use crate::table::has_room;
use crate::{Control, Goal, Progress, Settings, Solution, Solver, Stage};
use isrever_agent::{Agent, Choice, Entry, Forfeit, Limited, Limits, Reason, Spec, SpecError};
use isrever_board::{Game, Move, Rule, Size};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;
use timed::timed;

/// Time for a move where nothing is limited.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Memory of a player that looks only a few plies ahead, in bytes: more would only be laid out.
const SMALL_HASH_BYTES: usize = 1 << 20;

/// How few plies those are.
const FEW_PLIES: u32 = 8;

/// What the engine may use.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayerSettings {
    /// How many threads search.
    pub threads: usize,
    /// Memory for remembered boards, in bytes.
    pub hash_bytes: usize,
    /// How often, in hundredths, cuts must be right where plies are limited to fewer than are left;
    /// otherwise the way to the end is as daring as the solver likes.
    pub percent: u8,
    /// How well it plays: a level's terms, or the best it can.
    pub terms: Terms,
    /// Where the choices come from that are not the best.
    pub seed: u64,
}

impl Default for PlayerSettings {
    /// One thread, 64 MiB, cuts right in 73 of 100 cases where plies are limited, and the best it
    /// can.
    fn default() -> PlayerSettings {
        PlayerSettings {
            threads: 1,
            hash_bytes: 64 << 20,
            percent: 73,
            terms: Terms::FULL,
            seed: 1,
        }
    }
}

/// What the engine thinks of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thought {
    /// The best moves for both sides as far as they are known; empty if the game is over.
    pub line: Vec<Move>,
    /// What the position is worth to the side to move, in discs.
    pub value: i32,
    /// How many plies deep the search was.
    pub depth: u32,
    /// How often, in hundredths, its cuts are right.
    pub percent: u8,
    /// Whether the value is proved.
    pub is_exact: bool,
    /// Boards visited.
    pub nodes: u64,
}

impl From<Solution> for Thought {
    fn from(solution: Solution) -> Thought {
        Thought {
            line: solution.line,
            value: solution.score,
            depth: solution.depth,
            percent: solution.percent,
            is_exact: solution.is_proved,
            nodes: solution.nodes,
        }
    }
}

impl Thought {
    /// What a search has told of the pass before the one it began last.
    fn on_the_way(progress: Progress) -> Option<Thought> {
        let Progress { guess, depth, percent, nodes, .. } = progress;
        let (value, best) = guess?;
        Some(Thought { line: vec![best?], value, depth, percent, is_exact: false, nodes })
    }

    /// What is thought of a position by who makes the move of `hint` in it.
    fn of(hint: Hint, nodes: u64) -> Thought {
        let Hint { value, depth, percent, is_exact, line, .. } = hint;
        #[expect(clippy::cast_possible_truncation, reason = "values are at most the squares")]
        let value = value.round() as i32;
        Thought { line, value, depth, percent, is_exact, nodes }
    }
}

/// The engine, playing.
pub struct Player {
    settings: PlayerSettings,
    /// Where the search for one rule and size comes back from the thread that used it last, with
    /// what it remembers.
    solver: Option<Receiver<Kept>>,
    /// The rule and size whose weights are known to be unpacked: a glance takes no time then.
    unpacked: Option<(Rule, Size)>,
    /// How long the machine lets us wait.
    longest_wait: Duration,
    /// Who plays on boards larger than 8×8, which the search does not know.
    larger: Option<Box<dyn Agent>>,
}

/// A search, and what it is for.
type Kept = (Rule, Size, Solver);

impl Player {
    /// An engine that remembers nothing yet.
    pub fn new(settings: PlayerSettings) -> Player {
        Player {
            settings,
            solver: None,
            unpacked: None,
            longest_wait: Duration::ZERO,
            larger: None,
        }
    }

    /// The same engine, which leaves boards larger than 8×8 to `agent`. Without one it forfeits
    /// the games on them.
    #[must_use]
    pub fn with_larger_boards(self, agent: Box<dyn Agent>) -> Player {
        Player { larger: Some(agent), ..self }
    }

    /// Thinks about the position that `game` is at, within `limits` and the terms it plays on; for
    /// a second where neither limits anything.
    ///
    /// # Panics
    /// If the board is larger than 8×8.
    pub fn think(&mut self, game: &Game, limits: &Limits) -> Thought {
        self.think_aloud(game, limits, &mut |_| {})
    }

    /// The same, and `tell` hears what is thought so far whenever the search goes a step deeper;
    /// of a player whose terms let it choose loosely, nothing.
    ///
    /// # Panics
    /// If the board is larger than 8×8.
    pub fn think_aloud(
        &mut self,
        game: &Game,
        limits: &Limits,
        tell: &mut dyn FnMut(&Thought),
    ) -> Thought {
        self.think_at(self.settings.percent, game, limits, tell)
    }

    /// The same with cuts that are right so often, in hundredths, where plies are limited.
    pub(crate) fn think_at(
        &mut self,
        percent: u8,
        game: &Game,
        limits: &Limits,
        tell: &mut dyn FnMut(&Thought),
    ) -> Thought {
        let position = game.position();
        let board = position.board().expect("boards up to 8x8 have bits");
        let terms = self.settings.terms;
        let empties = position.empties();
        let limits = limits.tightened(&terms.share(empties)).or_time(DEFAULT_TIME);
        if terms.slack > 0.0 && position.has_move() {
            return self.choose_loosely(game, &limits);
        }
        let depth = limits.depth.unwrap_or(u32::MAX).max(1);
        // To the end there is a proof in the end; before, cuts go deeper.
        let goal = Goal::Value { depth, percent: if depth >= empties { 100 } else { percent } };
        let most_nodes = limits.nodes;
        let lend = self.lend(game);
        let mut last = None;
        let mut hear = |progress: Progress| {
            last = Some(progress);
            if let Some(thought) = Thought::on_the_way(progress) {
                tell(&thought);
            }
        };
        let found = timed(&limits, empties, &mut self.longest_wait, &mut hear, move |timer| {
            lend.to(|solver| {
                let progress = |progress| {
                    timer.note(progress);
                    timer.begin_pass();
                };
                let progress: &(dyn Fn(Progress) + Sync) = &progress;
                let control = Control { stop: timer.stop(), most_nodes, progress, ..Control::NONE };
                solver.solve(board, goal, control)
            })
        });
        if found.is_some() || last.is_some() {
            self.unpacked = Some((game.rule(), game.size()));
        }
        match found {
            Some(solution) if solution.passes > 0 || !position.has_move() => {
                Thought::from(solution)
            }
            Some(solution) => self.glance(game, solution.nodes),
            None => match last.and_then(Thought::on_the_way) {
                Some(thought) => thought,
                None => self.glance(game, 0),
            },
        }
    }

    /// What every move of the position that `game` is at is worth, [`Stage`] after stage until
    /// `limits` say stop or all is proved; for a second where they limit nothing. `tell` hears of
    /// each move as it is looked at, those first that were best before. Gives the moves of the last
    /// completed stage, the best first. On which terms the player plays does not matter.
    ///
    /// # Panics
    /// If the board is larger than 8×8.
    pub fn hints(
        &mut self,
        game: &Game,
        limits: &Limits,
        tell: &mut dyn FnMut(&Hint),
    ) -> Vec<Hint> {
        let limits = limits.or_time(DEFAULT_TIME);
        let most_nodes = limits.nodes;
        let empties = game.position().empties();
        let stages = self.stages(game, limits.depth.unwrap_or(u32::MAX));
        let lend = self.lend(game);
        let asked = game.clone();
        let mut heard: Vec<Hint> = Vec::new();
        let mut hear = |hint: Hint| {
            tell(&hint);
            heard.retain(|known| known.square != hint.square);
            heard.push(hint);
        };
        let found = timed(&limits, empties, &mut self.longest_wait, &mut hear, move |timer| {
            lend.to(|solver| {
                let mut question = Question::new(&asked, timer.stop(), most_nodes);
                let mut hints = question.glance();
                hints.iter().for_each(|hint| timer.note(hint.clone()));
                for stage in stages {
                    let mut tell = |hint: &Hint| timer.note(hint.clone());
                    match question.look(solver, &hints, stage, &mut tell) {
                        Some(found) => hints = found,
                        None => break,
                    }
                }
                hints
            })
        });
        found.unwrap_or(heard)
    }

    /// A move that is not much worse than the best, as the terms allow.
    fn choose_loosely(&mut self, game: &Game, limits: &Limits) -> Thought {
        let PlayerSettings { terms, seed, .. } = self.settings;
        let (empties, most_nodes) = (game.position().empties(), limits.nodes);
        // The last of them is looked at alone: what leads there plays no part in the choice.
        let stage = self.stages(game, limits.depth.unwrap_or(u32::MAX)).pop();
        let asked = game.clone();
        let found = timed(limits, empties, &mut self.longest_wait, &mut |()| {}, move |timer| {
            let mut question = Question::new(&asked, timer.stop(), most_nodes);
            let mut hints = question.glance();
            if let Some(stage) = stage {
                let settings = Settings::new(asked.rule(), asked.size());
                // What was seen before must play no part: the choice follows from seed and board.
                let mut solver = Solver::new(Settings { hash_bytes: SMALL_HASH_BYTES, ..settings });
                hints = question.look(&mut solver, &hints, stage, &mut |_| {}).unwrap_or(hints);
            }
            (hints, question.nodes())
        });
        let Some((hints, nodes)) = found else { return self.glance(game, 0) };
        self.unpacked = Some((game.rule(), game.size()));
        let values: Vec<f64> = hints.iter().map(|hint| hint.value).collect();
        let board = game.position().board().expect("boards up to 8x8 have bits");
        let chosen = draw(&values, terms.slack, seed, board).expect("there is a move");
        Thought::of(hints[chosen].clone(), nodes)
    }

    /// What can be thought of a position with a move when there is no time at all.
    fn glance(&self, game: &Game, nodes: u64) -> Thought {
        let stop = &AtomicBool::new(true);
        let question = Question::new(game, stop, None);
        // To unpack the weights takes longer than there may be time for.
        let is_quick =
            self.unpacked == Some((game.rule(), game.size())) || game.size() == Size::FOUR;
        let hints = if is_quick { question.glance() } else { question.quickest() };
        Thought::of(hints.into_iter().next().expect("there is a move"), nodes)
    }

    /// The searches of every move of the position that `game` is at, at most `most` plies deep, the
    /// move counted, after the glance at the first ply.
    fn stages(&self, game: &Game, most: u32) -> Vec<Stage> {
        let after = game.position().empties().saturating_sub(1);
        let stages = Stage::all(game.size(), after, most.saturating_sub(1), self.settings.percent);
        stages.into_iter().filter(|stage| stage.depth > 0).collect()
    }

    /// The search for such games, for the thread that is to use it.
    fn lend(&mut self, game: &Game) -> Loan {
        let (settings, rule, size) = (self.settings, game.rule(), game.size());
        let (back, solver) = mpsc::channel();
        Loan { settings, rule, size, kept: self.solver.replace(solver), back }
    }
}

/// A search that is lent to a thread.
struct Loan {
    settings: PlayerSettings,
    rule: Rule,
    size: Size,
    kept: Option<Receiver<Kept>>,
    back: Sender<Kept>,
}

impl Loan {
    /// Lends it to `work`, and gives it back.
    fn to<R>(self, work: impl FnOnce(&mut Solver) -> R) -> R {
        let Loan { settings: PlayerSettings { threads, hash_bytes, .. }, rule, size, .. } = self;
        // A thread that was not waited for may still have it: it was told to stop.
        let kept = self.kept.and_then(|kept| kept.recv().ok());
        // One of another kind gives its memory back before there is a new one.
        let kept = kept.filter(|(r, s, _)| (*r, *s) == (rule, size)).map(|(_, _, solver)| solver);
        // To unpack the weights and lay out the memory takes a while: not for who must answer.
        let fresh = || Settings { threads, hash_bytes, ..Settings::new(rule, size) };
        let mut solver = kept.unwrap_or_else(|| Solver::new(fresh()));
        let result = work(&mut solver);
        // A player that is gone needs it no more.
        let _ = self.back.send((rule, size, solver));
        result
    }
}

impl Agent for Player {
    fn name(&self) -> String {
        "engine".to_owned()
    }

    fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit> {
        if !game.position().size().has_bits() {
            return match &mut self.larger {
                Some(agent) => agent.choose(game, limits),
                None => Err(Forfeit::new(Reason::Refused, "no board larger than 8x8")),
            };
        }
        let thought = self.think(game, limits);
        let square = match thought.line.first() {
            Some(&Move::Place(square)) => square,
            _ => unreachable!("asked only where there is a move"),
        };
        Ok(Choice {
            square,
            value: Some(thought.value.into()),
            depth: Some(thought.depth),
            nodes: thought.nodes,
        })
    }
}

/// How to ask for the engine. On boards larger than 8×8 it plays as the agent that `larger` makes.
pub fn entry(larger: fn() -> Box<dyn Agent>) -> Entry {
    let about = "the engine: trained patterns, deep search, perfect endings; level=1 to 20";
    Entry::new("engine", about, move |spec, seed| make(spec, seed, larger()))
}

/// The engine of a spec, with an agent for larger boards.
fn make(spec: Spec<'_>, seed: u64, larger: Box<dyn Agent>) -> Result<Box<dyn Agent>, SpecError> {
    let mut settings = isrever_agent::Settings::new(spec)?;
    let default = PlayerSettings::default();
    let level = settings.read("level", "a number from 1 to 20", |text| text.parse().ok())?;
    let threads = settings.read("threads", "a number from 1 to 1024", |text| {
        text.parse().ok().filter(|threads| (1..=1024).contains(threads))
    })?;
    let hash_mib: Option<usize> = settings.read("hash", "MiB from 1 to 65536", |text| {
        text.parse().ok().filter(|mib| (1..=1 << 16).contains(mib))
    })?;
    let slack = settings.read("slack", "discs from 0 to 64", |text| {
        text.parse().ok().filter(|discs| (0.0..=64.0).contains(discs))
    })?;
    let ending = settings.read("ending", "a number from 0 to 60", |text| {
        text.parse().ok().filter(|empties| (0..=60).contains(empties))
    })?;
    let share = settings.share()?;
    settings.finish()?;
    if let Some(mib) = hash_mib.filter(|mib| !has_room(mib << 20)) {
        let offence = format!("hash={mib}; expected MiB that can be had");
        return Err(SpecError::Other { agent: spec.name.to_owned(), offence });
    }
    let mut terms = level.map_or(Terms::FULL, Level::terms);
    // What is said beside a level is said of it.
    terms.depth = share.depth.or(terms.depth);
    terms.nodes = share.nodes.or(terms.nodes);
    terms.slack = slack.unwrap_or(terms.slack);
    terms.ending = ending.unwrap_or(terms.ending);
    let is_small = terms.depth.is_some_and(|depth| depth <= FEW_PLIES) && terms.ending <= 12;
    let hash_bytes = if is_small { SMALL_HASH_BYTES } else { default.hash_bytes };
    let player = Player::new(PlayerSettings {
        threads: threads.unwrap_or(default.threads),
        hash_bytes: hash_mib.map_or(hash_bytes, |mib| mib << 20),
        terms,
        seed,
        ..default
    })
    .with_larger_boards(larger);
    let time = isrever_agent::Share { time: share.time, ..Default::default() };
    Ok(Limited::new(Box::new(player), time))
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_agent::{Catalogue, Random};
    use std::sync::Arc;

    /// The engine by name, random on larger boards.
    fn catalogue() -> Catalogue {
        Catalogue::new([entry(|| Box::new(Random::new(1)))])
    }

    fn thought(limits: &Limits) -> Thought {
        Player::new(PlayerSettings { hash_bytes: 1 << 20, ..PlayerSettings::default() })
            .think(&Game::new(Rule::Reversed, Size::EIGHT), limits)
    }

    #[test]
    fn a_depth_is_kept_and_gives_the_same_thought_again() {
        let first = thought(&Limits::of_depth(6));
        assert_eq!((first.depth, first.percent, first.is_exact), (6, 73, false));
        assert_eq!(first.line.len(), 6);
        assert_eq!(thought(&Limits::of_depth(6)), first);
    }

    #[test]
    fn thinking_aloud_tells_of_every_step_and_changes_nothing() {
        let game = Game::new(Rule::Reversed, Size::EIGHT);
        let mut player =
            Player::new(PlayerSettings { hash_bytes: 1 << 20, ..PlayerSettings::default() });
        let mut told = Vec::new();
        let tell = &mut |thought: &Thought| told.push((thought.depth, thought.line.len()));
        let last = player.think_aloud(&game, &Limits::of_depth(6), tell);
        assert_eq!(told, [1, 2, 3, 4, 5].map(|depth| (depth, 1)));
        assert_eq!(last, thought(&Limits::of_depth(6)));
    }

    #[test]
    fn on_the_way_to_the_end_cuts_are_daring_and_then_surer_and_surer() {
        let mut game = Game::new(Rule::Reversed, Size::SIX);
        while game.position().empties() > 16 {
            let square = game.position().moves().into_iter().next();
            game.play(square.map_or(Move::Pass, Move::Place)).unwrap();
        }
        let mut told = Vec::new();
        let tell = &mut |thought: &Thought| told.push((thought.depth, thought.percent));
        let last =
            Player::new(PlayerSettings::default()).think_aloud(&game, &Limits::of_depth(16), tell);
        let way = (1..=13).map(|depth| (depth, 49));
        let ends = [49, 73, 87, 95, 98, 99].map(|percent| (16, percent));
        assert_eq!(told, way.chain(ends).collect::<Vec<_>>());
        assert_eq!((last.depth, last.percent, last.is_exact), (16, 100, true));
    }

    #[test]
    fn nodes_are_kept_and_give_the_same_thought_again() {
        let first = thought(&Limits::of_nodes(50_000));
        // Nodes are looked at where boards are remembered; a few leaves may come after.
        assert!((50_000..51_000).contains(&first.nodes), "{}", first.nodes);
        assert!(first.depth >= 3 && !first.line.is_empty());
        assert_eq!(thought(&Limits::of_nodes(50_000)), first);
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
        let terms = Level::new(7).unwrap().terms();
        let mut game = Game::new(Rule::Reversed, Size::EIGHT);
        let mut choices = Vec::new();
        while game.ply() < 30 {
            if game.position().must_pass() {
                game.play(Move::Pass).unwrap();
            }
            let best = Player::new(PlayerSettings::default()).hints(
                &game,
                &Limits::of_depth(terms.depth.unwrap()),
                &mut |_| {},
            );
            let settings = PlayerSettings { terms, seed: 5, ..PlayerSettings::default() };
            let thought = Player::new(settings).think(&game, &Limits::default());
            let chosen = best.iter().find(|hint| thought.line[0] == Move::Place(hint.square));
            assert!(best[0].value - chosen.unwrap().value < terms.slack, "{thought:?}");
            choices.push(thought.line[0] == Move::Place(best[0].square));
            game.play(thought.line[0]).unwrap();
        }
        assert!(choices.contains(&true) && choices.contains(&false), "{choices:?}");
    }

    #[test]
    fn hints_deepen_to_a_proof_and_agree_with_the_thought() {
        let mut player = Player::new(PlayerSettings::default());
        let mut game = Game::new(Rule::Reversed, Size::FOUR);
        game.play(Move::Place("a2".parse().unwrap())).unwrap();
        let mut told = Vec::new();
        let hints = player.hints(&game, &Limits::of_depth(60), &mut |hint| told.push(hint.clone()));
        assert!(hints.iter().all(|hint| hint.is_exact) && hints.len() == 3, "{hints:?}");
        assert_eq!(told.len() % 3, 0);
        assert!(told.windows(2).all(|pair| pair[0].depth <= pair[1].depth));
        let thought = player.think(&game, &Limits::of_depth(60));
        assert_eq!((f64::from(thought.value), true), (hints[0].value, thought.is_exact));
        let mut over = game.clone();
        while !over.position().is_over() {
            let mv =
                over.position().moves().first().map_or(Move::Pass, |&square| Move::Place(square));
            over.play(mv).unwrap();
        }
        assert_eq!(player.hints(&over, &Limits::of_depth(60), &mut |_| {}), []);
        let few = player.hints(&game, &Limits::of_nodes(1), &mut |_| {});
        assert!(few.iter().all(|hint| hint.depth == 1), "a glance is always there");
    }

    #[test]
    fn what_is_wrong_with_an_engine_s_spec_is_named() {
        for (spec, words) in [
            ("engine:level=21", "engine was given level=21; expected a number from 1 to 20"),
            ("engine:slack=-1", "engine was given slack=-1; expected discs from 0 to 64"),
            (
                "engine:lvl=3",
                "engine has no key \"lvl\"; expected level, threads, hash, slack, ending",
            ),
        ] {
            let error = catalogue().make(spec, 1).err().unwrap().to_string();
            assert!(error.starts_with(words), "{error}");
        }
    }
}
