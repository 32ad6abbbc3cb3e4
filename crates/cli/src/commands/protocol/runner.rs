//! A thread that searches while lines come in.

use super::Event;
use crate::book::OpeningArgs;
use isrever_agent::{Agent, Limits};
use isrever_board::{Game, Move};
use isrever_engine::{AnalysisSettings, Player, PlayerSettings, Strength, analyze};
use isrever_search::Answer;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Instant;

/// What to search.
#[derive(Clone, Debug)]
pub(in crate::commands) enum Task {
    /// Which move to make in a game that is not over.
    Move(Game, Limits),
    /// The value of every move in a game that is not over, on a board of at most 8×8.
    EveryMove(Game, Limits),
    /// The value of each position of a game, on a board of at most 8×8.
    Analysis(Game, AnalysisSettings),
}

/// What was found.
#[derive(Clone, Debug)]
pub(in crate::commands) enum SearchEvent {
    /// The move to make, its value in discs if that is known, and the seconds it took.
    Move(Move, Option<i32>, f64),
    /// The answer for one move, with the nodes and seconds since the beginning.
    Value(Answer, f64),
    /// The value of the position after so many moves for the side to move.
    Position(usize, i32),
    /// There is no more to find.
    End,
}

/// The thread, which works on one task at a time.
pub(in crate::commands) struct Runner {
    tasks: Sender<(u64, Task, Arc<AtomicBool>)>,
    /// The task in work, and its stop flag.
    current: Option<(u64, Arc<AtomicBool>)>,
    /// The number of the last task.
    count: u64,
}

impl Runner {
    pub(super) fn new(
        settings: PlayerSettings,
        opening: OpeningArgs,
        events: Sender<Event>,
    ) -> Runner {
        let (tasks, waiting) = mpsc::channel();
        std::thread::spawn(move || work(settings, &opening, &waiting, &events));
        Runner { tasks, current: None, count: 0 }
    }

    /// Begins a task. The one before is stopped, and its findings are dropped.
    pub(in crate::commands) fn start(&mut self, task: Task) {
        self.stop();
        self.count += 1;
        let stop = Arc::new(AtomicBool::new(false));
        self.current = Some((self.count, Arc::clone(&stop)));
        self.tasks.send((self.count, task, stop)).expect("the thread takes tasks to the end");
    }

    /// Stops the present task, and drops its findings.
    pub(in crate::commands) fn stop(&mut self) {
        self.hurry();
        self.current = None;
    }

    /// Stops the present task; it still reports what it found by then.
    pub(in crate::commands) fn hurry(&self) {
        if let Some((_, stop)) = &self.current {
            stop.store(true, Relaxed);
        }
    }

    /// Whether there is a task in work.
    pub(in crate::commands) fn is_busy(&self) -> bool {
        self.current.is_some()
    }

    /// The event, if it belongs to the present task. The last one ends it.
    pub(in crate::commands) fn hear(
        &mut self,
        number: u64,
        event: SearchEvent,
    ) -> Option<SearchEvent> {
        self.current.as_ref().filter(|(current, _)| *current == number)?;
        if matches!(event, SearchEvent::Move(..) | SearchEvent::End) {
            self.current = None;
        }
        Some(event)
    }
}

/// Works on one task after the other until the session ends.
fn work(
    settings: PlayerSettings,
    opening: &OpeningArgs,
    tasks: &Receiver<(u64, Task, Arc<AtomicBool>)>,
    events: &Sender<Event>,
) {
    let mut player = isrever_players::engine(settings);
    let full = PlayerSettings { strength: Strength::FULL, ..settings };
    for (number, task, stop) in tasks {
        // A session that no longer listens has ended.
        let mut tell = |event| drop(events.send(Event::Found(number, event)));
        match task {
            Task::Move(game, limits) => {
                opening.remark(settings.opening, game.rule(), game.size());
                tell(choose(&mut player, &game, &Limits { stop, ..limits }));
            }
            Task::EveryMove(game, limits) => {
                every_move(&mut player, &game, &Limits { stop, ..limits }, &mut tell);
                tell(SearchEvent::End);
            }
            Task::Analysis(game, settings) => {
                // A weakened player still judges moves at full strength.
                let mut analyzer = Player::new(full);
                let analysis = analyze(&mut analyzer, &game, &settings, &stop, &mut |verdict| {
                    tell(SearchEvent::Position(verdict.ply, verdict.best.score()));
                });
                if let Some(last) = analysis.last() {
                    tell(SearchEvent::Position(game.ply(), last.score()));
                }
                tell(SearchEvent::End);
            }
        }
    }
}

fn choose(player: &mut Player, game: &Game, limits: &Limits) -> SearchEvent {
    let began = Instant::now();
    let seconds = || began.elapsed().as_secs_f64();
    if game.position().must_pass() {
        return SearchEvent::Move(Move::Pass, None, seconds());
    }
    let choice = player.choose(game, limits).expect("the engine never fails");
    // On boards of more than 8×8 values are not in discs.
    #[expect(clippy::cast_possible_truncation, reason = "values are at most the squares")]
    let value = choice.value.filter(|_| game.size().has_bits()).map(|value| value.round() as i32);
    SearchEvent::Move(Move::Place(choice.square), value, seconds())
}

fn every_move(
    player: &mut Player,
    game: &Game,
    limits: &Limits,
    tell: &mut (dyn FnMut(SearchEvent) + Send),
) {
    let began = Instant::now();
    let seconds = || began.elapsed().as_secs_f64();
    if game.position().must_pass() {
        tell(SearchEvent::Value(player.think(game, limits), seconds()));
        return;
    }
    player.every_move(game, limits, &mut |answer| tell(SearchEvent::Value(answer, seconds())));
}
