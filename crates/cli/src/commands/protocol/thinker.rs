//! A thread that thinks while lines come in.

use super::Event;
use isrever_agent::{Agent, Limits};
use isrever_board::{Game, Move};
use isrever_engine::{AnalysisSettings, Hint, Player, PlayerSettings, Terms, Thought, analyze};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Instant;

/// What there is to think about.
#[derive(Clone, Debug)]
pub(in crate::commands) enum Task {
    /// Which move to make in a game that is not over.
    Move(Game, Limits),
    /// What the moves are worth in a game that is not over, on a board of at most 8×8.
    Hints(Game, Limits),
    /// What the positions of a game are worth, on a board of at most 8×8.
    Analysis(Game, AnalysisSettings),
}

/// What was found.
#[derive(Clone, Debug)]
pub(in crate::commands) enum Finding {
    /// The move to make, what it is worth in discs if that is known, and the seconds it took.
    Move(Move, Option<i32>, f64),
    /// What a move is worth; and the seconds since the beginning.
    Hint(Hint, f64),
    /// What a pass is worth where there is no other move.
    Pass(Thought, f64),
    /// What the position after so many moves is worth to the side to move.
    Position(usize, i32),
    /// There is no more to find.
    End,
}

/// Who thinks, one task at a time.
pub(in crate::commands) struct Thinker {
    tasks: Sender<(u64, Task, Arc<AtomicBool>)>,
    /// The task that is thought about, and how to stop it.
    current: Option<(u64, Arc<AtomicBool>)>,
    /// How many tasks there were.
    count: u64,
}

impl Thinker {
    pub(super) fn new(settings: PlayerSettings, events: Sender<Event>) -> Thinker {
        let (tasks, waiting) = mpsc::channel();
        std::thread::spawn(move || work(settings, &waiting, &events));
        Thinker { tasks, current: None, count: 0 }
    }

    /// Begins a task; the one before is stopped, and nobody hears of it again.
    pub(in crate::commands) fn start(&mut self, task: Task) {
        self.stop();
        self.count += 1;
        let stop = Arc::new(AtomicBool::new(false));
        self.current = Some((self.count, Arc::clone(&stop)));
        self.tasks.send((self.count, task, stop)).expect("the thread takes tasks to the end");
    }

    /// Stops what is going on; nobody hears of it again.
    pub(in crate::commands) fn stop(&mut self) {
        self.hurry();
        self.current = None;
    }

    /// Stops what is going on: what was found by then is told.
    pub(in crate::commands) fn hurry(&self) {
        if let Some((_, stop)) = &self.current {
            stop.store(true, Relaxed);
        }
    }

    /// Whether something is going on.
    pub(in crate::commands) fn is_busy(&self) -> bool {
        self.current.is_some()
    }

    /// The finding, if it is one of the present task. The last one ends it.
    pub(in crate::commands) fn hear(&mut self, number: u64, finding: Finding) -> Option<Finding> {
        self.current.as_ref().filter(|(current, _)| *current == number)?;
        if matches!(finding, Finding::Move(..) | Finding::End) {
            self.current = None;
        }
        Some(finding)
    }
}

/// Does one task after the other until nobody has any.
fn work(
    settings: PlayerSettings,
    tasks: &Receiver<(u64, Task, Arc<AtomicBool>)>,
    events: &Sender<Event>,
) {
    let mut player = Player::new(settings);
    let full = PlayerSettings { terms: Terms::FULL, ..settings };
    for (number, task, stop) in tasks {
        // Who does not listen any more has ended the process.
        let mut tell = |finding| drop(events.send(Event::Found(number, finding)));
        match task {
            Task::Move(game, limits) => {
                tell(choose(&mut player, &game, &Limits { stop, ..limits }));
            }
            Task::Hints(game, limits) => {
                hint(&mut player, &game, &Limits { stop, ..limits }, &mut tell);
                tell(Finding::End);
            }
            Task::Analysis(game, settings) => {
                // However weakly it plays, it does not judge others by that.
                let mut analyst = Player::new(full);
                let found = analyze(&mut analyst, &game, &settings, &stop, &mut |verdict| {
                    tell(Finding::Position(verdict.ply, verdict.best.value));
                });
                if let Some(last) = found.last {
                    tell(Finding::Position(game.ply(), last.value));
                }
                tell(Finding::End);
            }
        }
    }
}

fn choose(player: &mut Player, game: &Game, limits: &Limits) -> Finding {
    let began = Instant::now();
    let seconds = || began.elapsed().as_secs_f64();
    if game.position().must_pass() {
        return Finding::Move(Move::Pass, None, seconds());
    }
    let choice = player.choose(game, limits).expect("the engine never fails");
    // On boards of more than 8×8 values are not in discs.
    #[expect(clippy::cast_possible_truncation, reason = "values are at most the squares")]
    let value = choice.value.filter(|_| game.size().has_bits()).map(|value| value.round() as i32);
    Finding::Move(Move::Place(choice.square), value, seconds())
}

fn hint(player: &mut Player, game: &Game, limits: &Limits, tell: &mut dyn FnMut(Finding)) {
    let began = Instant::now();
    let seconds = || began.elapsed().as_secs_f64();
    if game.position().must_pass() {
        tell(Finding::Pass(player.think(game, limits), seconds()));
        return;
    }
    player.hints(game, limits, &mut |hint| tell(Finding::Hint(hint.clone(), seconds())));
}
