//! One game between two agents, played on one thread and readable from others.
//!
//! Agents are not trusted: whatever they do, a game ends with a result. An agent
//! that answers late, illegally or not at all loses, and so does one that panics.
//! The thread that plays the game asks the agent, and the agent may never return.
//! So a [`LiveGame`] keeps what has happened where other threads can read it. A
//! thread that finds an answer overdue may take the game away
//! ([`LiveGame::seize`]) and close it; the playing thread notices when, and if, its
//! agent returns.

use crate::clock::Clock;
use crate::game::{End, MoveStats, Played};
use crate::referee::{Adjudicator, Referee, side};
use isrever_agent::{Agent, AgentSpec, Catalogue, Choice, Forfeit, Reason, TimedBy};
use isrever_board::{Color, Game, Move};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Makes an agent from a seed.
pub type Maker<'a> = dyn Fn(u64) -> Result<Box<dyn Agent>, Forfeit> + Sync + 'a;

/// Why a game has no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unplayed {
    /// It was stopped, or seized from an agent that never answered.
    Stopped,
    /// This machine could not run the agent of this colour. Nobody has lost.
    Machine(Color, Forfeit),
}

/// The maker of a spec's agents. A spec that the catalogue does not know makes agents that lose.
pub fn maker<'a, S: Into<AgentSpec>>(
    catalogue: &'a Catalogue,
    spec: S,
) -> impl Fn(u64) -> Result<Box<dyn Agent>, Forfeit> + Sync + use<'a, S> {
    let spec = spec.into();
    move |seed| {
        let made = catalogue.find(&spec).and_then(|entry| entry.make(&spec, seed));
        made.map_err(|error| Forfeit::new(Reason::Refused, error.to_string()))
    }
}

/// A game that is being played.
#[derive(Debug)]
pub struct LiveGame {
    opening: Game,
    clock: Clock,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    moves: Vec<(Move, MoveStats)>,
    /// Which side has been thinking since when, and when its answer is overdue.
    thinking: Option<(Color, Instant, Option<Instant>)>,
    is_seized: bool,
}

impl LiveGame {
    /// A game that begins with this opening.
    pub fn new(opening: Game, clock: Clock) -> LiveGame {
        LiveGame { opening, clock, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A thread that panicked with the lock had not changed the state yet.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game as far as it has come.
    pub fn game(&self) -> Game {
        self.progress().game
    }

    /// The same, and what each move cost, as if it had ended there.
    pub fn progress(&self) -> Played {
        self.so_far(&self.state())
    }

    fn so_far(&self, state: &State) -> Played {
        let (game, stats) = self.replay(state);
        Played { game, opening: self.opening.ply(), stats, end: End::Over }
    }

    fn replay(&self, state: &State) -> (Game, Vec<MoveStats>) {
        let mut game = self.opening.clone();
        let mut stats = vec![MoveStats::default(); game.ply()];
        for &(mv, of_move) in &state.moves {
            game.play(mv).expect("it was played before");
            stats.push(of_move);
        }
        (game, stats)
    }

    /// When the answer that the game waits for will be overdue.
    pub fn overdue_at(&self) -> Option<Instant> {
        self.state().thinking.and_then(|(_, _, overdue)| overdue)
    }

    /// Takes the game away from an agent that has not answered long after its time, and closes it.
    /// `None` if no answer is overdue.
    pub fn seize(&self, now: Instant) -> Option<Played> {
        let mut state = self.state();
        let (color, since, overdue) = state.thinking?;
        if state.is_seized || overdue.is_none_or(|overdue| now < overdue) {
            return None;
        }
        state.is_seized = true;
        let taken = now.saturating_duration_since(since);
        let mut played = self.so_far(&state);
        let late = self.clock.lateness(played.time(color), taken);
        let (reason, allowed) = late.unwrap_or((Reason::Time, taken));
        let details = format!("no answer within {}", seconds(allowed));
        played.end = End::Forfeit { color, forfeit: Forfeit::new(reason, details) };
        Some(played)
    }

    /// Makes both agents by their makers and seeds, black's first, and plays the game to its end.
    /// An agent that cannot be made loses.
    pub fn play_new(
        &self,
        agents: [(&Maker<'_>, u64); 2],
        adjudicator: Option<&Adjudicator<'_>>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Played, Unplayed> {
        let make = |color: Color| {
            let (make, seed) = agents[side(color)];
            let made = catch_unwind(AssertUnwindSafe(|| make(seed)));
            let crash = || Forfeit::new(Reason::Crash, "it panicked at the start");
            made.unwrap_or_else(|_| Err(crash())).map_err(|forfeit| (color, forfeit))
        };
        let made = make(Color::Black).and_then(|black| Ok([black, make(Color::White)?]));
        match made {
            Ok(mut agents) => self.play_adjudicated(&mut agents, adjudicator, stop),
            Err((color, forfeit)) => {
                let mut referee = Referee::new(self.opening.clone());
                lose(&mut referee, color, forfeit)?;
                Ok(referee.into_played().expect("a game that was lost is over"))
            }
        }
    }

    /// Plays the game to its end; black's agent comes first.
    pub fn play(
        &self,
        agents: &mut [Box<dyn Agent>; 2],
        stop: &Arc<AtomicBool>,
    ) -> Result<Played, Unplayed> {
        self.play_adjudicated(agents, None, stop)
    }

    fn play_adjudicated(
        &self,
        agents: &mut [Box<dyn Agent>; 2],
        adjudicator: Option<&Adjudicator<'_>>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Played, Unplayed> {
        let mut referee = Referee::new(self.opening.clone());
        for (agent, color) in agents.iter_mut().zip([Color::Black, Color::White]) {
            let ready = caught(|| {
                agent.await_turn(stop);
                match stop.load(Relaxed) {
                    true => Ok(()),
                    false => agent.prepare(&self.opening, color, self.clock.time),
                }
            });
            if stop.load(Relaxed) {
                return Err(Unplayed::Stopped);
            }
            if let Err(forfeit) = ready {
                lose(&mut referee, color, forfeit)?;
                break;
            }
        }
        loop {
            if let Some(adjudicator) = adjudicator {
                referee.adjudicate(adjudicator);
            }
            let Some(color) = referee.turn() else { break };
            if referee.pass() {
                self.publish(&referee);
                continue;
            }
            let agent = agents[side(color)].as_mut();
            let asked = self.ask(agent, referee.game(), color, referee.used(color), stop);
            match asked.ok_or(Unplayed::Stopped)? {
                Ok((choice, taken)) => referee.answer(&choice, taken),
                Err(forfeit) => lose(&mut referee, color, forfeit)?,
            }
            self.publish(&referee);
            if referee.turn().is_some() {
                // No clock runs while an agent gets ready for its next move.
                let settled = caught(|| {
                    agent.settle();
                    Ok(())
                });
                if let Err(forfeit) = settled {
                    lose(&mut referee, color, forfeit)?;
                }
            }
        }
        Ok(referee.into_played().expect("the game is over"))
    }

    /// Lets other threads see the moves so far.
    fn publish(&self, referee: &Referee) {
        let mut state = self.state();
        let known = self.opening.ply() + state.moves.len();
        state.moves.extend(referee.moves_from(known));
    }

    /// The agent's answer and the time it took, or why it loses. `None` if the game was stopped or
    /// seized meanwhile.
    fn ask(
        &self,
        agent: &mut dyn Agent,
        game: &Game,
        color: Color,
        used: Duration,
        stop: &Arc<AtomicBool>,
    ) -> Option<Result<(Choice, Duration), Forfeit>> {
        let waited = caught(|| {
            agent.await_turn(stop);
            Ok(())
        });
        if let Err(forfeit) = waited {
            return Some(Err(forfeit));
        }
        let began = Instant::now();
        let limits = self.clock.limits(began, used, stop);
        let overdue = self.clock.overdue_at(began, used);
        self.state().thinking = Some((color, began, overdue));
        let answer = caught(|| agent.choose(game, &limits));
        let elapsed = began.elapsed();
        let taken = match (agent.answer_time(), self.clock.timed_by) {
            // The host of a program measures without the lateness of our own threads.
            (Some(measured), _) if answer.is_ok() => measured,
            (_, TimedBy::Wall) => elapsed,
            // Our own agents keep to the wall themselves: if one is late, the machine is.
            (_, TimedBy::Processor) => {
                self.clock.allowance(used).map_or(elapsed, |all| all.min(elapsed))
            }
        };
        let mut state = self.state();
        state.thinking = None;
        if state.is_seized || stop.load(Relaxed) {
            return None;
        }
        Some(answer.and_then(|choice| match self.clock.lateness(used, taken) {
            None => Ok((choice, taken)),
            Some((reason, allowed)) => {
                let [taken, allowed] = [taken, allowed].map(seconds);
                let details = format!("{} took {taken}, allowed {allowed}", choice.square);
                Err(Forfeit::new(reason, details))
            }
        }))
    }
}

/// The agent of this colour loses, unless it failed because of this machine.
fn lose(referee: &mut Referee, color: Color, forfeit: Forfeit) -> Result<(), Unplayed> {
    if forfeit.is_machine() {
        return Err(Unplayed::Machine(color, forfeit));
    }
    referee.forfeit(color, forfeit);
    Ok(())
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

/// Calls an agent. A panic loses it the game, and does no other harm.
fn caught<T>(ask: impl FnOnce() -> Result<T, Forfeit>) -> Result<T, Forfeit> {
    catch_unwind(AssertUnwindSafe(ask))
        .unwrap_or_else(|panic| Err(Forfeit::new(Reason::Crash, panic_message(panic.as_ref()))))
}

/// The message of a panic.
fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let message = panic.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
    message.unwrap_or("it panicked").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_agent::{Limits, Random};
    use isrever_board::{Rule, Size, Square};

    /// Plays the first legal square, after what a friend does before it.
    struct Friend<F>(F);

    impl<F: FnMut(&Game, &Limits) -> Option<Result<Choice, Forfeit>> + Send> Agent for Friend<F> {
        fn name(&self) -> String {
            "friend".to_owned()
        }
        fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit> {
            (self.0)(game, limits).unwrap_or_else(|| Ok(game.position().moves()[0].into()))
        }
    }

    type Answer = Option<Result<Choice, Forfeit>>;

    fn friend(with: impl FnMut(&Game, &Limits) -> Answer + Send + 'static) -> Box<dyn Agent> {
        Box::new(Friend(with))
    }

    fn honest() -> Box<dyn Agent> {
        friend(|_, _| None)
    }

    fn played(agents: [Box<dyn Agent>; 2], clock: Clock) -> Played {
        let live = LiveGame::new(Game::new(Rule::Reversed, Size::SIX), clock);
        let mut agents = agents;
        let played = live.play(&mut agents, &Arc::default()).unwrap();
        assert_eq!(played.stats.len(), played.game.ply());
        assert_eq!(live.game(), played.game);
        played
    }

    fn forfeit(played: &Played) -> (Color, Reason, String) {
        let (color, forfeit) = played.forfeit().expect("it ended by a forfeit");
        (color, forfeit.reason, forfeit.details.clone())
    }

    #[test]
    fn a_game_is_played_to_its_end() {
        let random = || -> Box<dyn Agent> { Box::new(Random::new(5)) };
        let played = played([random(), random()], Clock::of_nodes(1));
        assert_eq!(played.end, End::Over);
        assert!(played.game.is_over());
        assert_eq!(played.score(), played.game.score(Color::Black));
        let noted = played.stats.iter().filter(|stats| stats.time.is_some()).count();
        let placed = played.game.moves().iter().filter(|mv| **mv != Move::Pass).count();
        assert_eq!(noted, placed);
    }

    /// Somebody who never gets as far as a move.
    struct Sleeper;

    impl Agent for Sleeper {
        fn name(&self) -> String {
            "sleeper".to_owned()
        }

        fn prepare(&mut self, _: &Game, color: Color, _: Option<Duration>) -> Result<(), Forfeit> {
            assert_eq!(color, Color::White, "it plays white");
            Err(Forfeit::new(Reason::Refused, "not before noon"))
        }

        fn choose(&mut self, _: &Game, _: &Limits) -> Result<Choice, Forfeit> {
            unreachable!("it was not ready")
        }
    }

    #[test]
    fn who_is_not_ready_loses_before_any_clock_runs() {
        let played = played([honest(), Box::new(Sleeper)], Clock::untimed());
        let expected = (Color::White, Reason::Refused, "not before noon".to_owned());
        assert_eq!(forfeit(&played), expected);
        assert_eq!(played.game.ply(), 0);
    }

    #[test]
    fn moves_of_an_opening_have_no_statistics() {
        let mut opening = Game::new(Rule::Reversed, Size::EIGHT);
        for square in ["f5", "d6", "c3"] {
            opening.place(square.parse().unwrap()).unwrap();
        }
        let live = LiveGame::new(opening.clone(), Clock::untimed());
        let played = live.play(&mut [honest(), honest()], &Arc::default()).unwrap();
        assert_eq!(played.opening, 3);
        assert_eq!(played.game.moves()[..3], opening.moves()[..]);
        assert!(played.stats[..3].iter().all(|stats| *stats == MoveStats::default()));
        assert!(played.stats[3].time.is_some());
    }

    #[test]
    fn who_plays_illegally_loses() {
        let illegal: Square = "d3".parse().unwrap();
        let cheat = friend(move |game, _| (game.ply() > 6).then(|| Ok(illegal.into())));
        let played = played([honest(), cheat], Clock::untimed());
        let (color, reason, details) = forfeit(&played);
        assert_eq!((color, reason), (Color::White, Reason::Illegal));
        assert!(details.starts_with("d3 is occupied; expected "), "{details}");
        assert_eq!((played.score(), played.game.ply()), (36, 7));
    }

    #[test]
    fn who_fails_or_panics_loses() {
        let fails = friend(|_, _| Some(Err(Forfeit::new(Reason::Memory, "120 MB"))));
        let failed = played([fails, honest()], Clock::untimed());
        assert_eq!(forfeit(&failed), (Color::Black, Reason::Memory, "120 MB".to_owned()));
        assert_eq!(failed.score(), -36);
        let panics = friend(|game, _| if game.ply() > 3 { panic!("no idea") } else { None });
        let crashed = played([honest(), panics], Clock::untimed());
        assert_eq!(forfeit(&crashed), (Color::White, Reason::Crash, "no idea".to_owned()));
    }

    /// Rests after a move, while it has the patience, and looks at the clock.
    struct Rester {
        live: Arc<LiveGame>,
        patience: u32,
        has_turn: bool,
    }

    impl Agent for Rester {
        fn name(&self) -> String {
            "rester".to_owned()
        }

        fn choose(&mut self, game: &Game, _: &Limits) -> Result<Choice, Forfeit> {
            assert!(self.live.overdue_at().is_some(), "the clock runs");
            assert!(std::mem::take(&mut self.has_turn), "it has waited for its turn");
            Ok(game.position().moves()[0].into())
        }

        fn await_turn(&mut self, _: &AtomicBool) {
            assert_eq!(self.live.overdue_at(), None, "the clock does not run yet");
            self.has_turn = true;
        }

        fn settle(&mut self) {
            assert_eq!(self.live.overdue_at(), None, "the clock does not run");
            self.patience = self.patience.checked_sub(1).expect("rested enough");
        }
    }

    #[test]
    fn between_moves_agents_settle_while_no_clock_runs() {
        let clock = Clock { time: Some(Duration::from_secs(3_600)), ..Clock::untimed() };
        let live = Arc::new(LiveGame::new(Game::new(Rule::Reversed, Size::SIX), clock));
        let rester = |patience| -> Box<dyn Agent> {
            Box::new(Rester { live: Arc::clone(&live), patience, has_turn: false })
        };
        let played = live.play(&mut [rester(2), rester(99)], &Arc::default()).unwrap();
        assert_eq!(forfeit(&played), (Color::Black, Reason::Crash, "rested enough".to_owned()));
        assert_eq!(played.game.ply(), 5);
    }

    /// Answers at once, and says that it took so long: time without a clock.
    struct Host(Duration);

    fn host(milliseconds: u64) -> Box<dyn Agent> {
        Box::new(Host(Duration::from_millis(milliseconds)))
    }

    impl Agent for Host {
        fn name(&self) -> String {
            "host".to_owned()
        }

        fn choose(&mut self, game: &Game, _: &Limits) -> Result<Choice, Forfeit> {
            Ok(game.position().moves()[0].into())
        }

        fn answer_time(&self) -> Option<Duration> {
            Some(self.0)
        }
    }

    #[test]
    fn who_is_late_loses_and_says_by_how_much() {
        let ms = Duration::from_millis;
        let clock = |time, game_time| Clock {
            time: Some(ms(time)),
            game_time: Some(ms(game_time)),
            grace: ms(10),
            ..Clock::untimed()
        };
        let (color, reason, details) = forfeit(&played([host(30), host(31)], clock(20, 90_000)));
        assert_eq!((color, reason), (Color::White, Reason::Time));
        assert!(details.ends_with("took 0.031 s, allowed 0.020 s"), "{details}");
        // Its moves may take long, but not all of them together.
        let (color, reason, details) = forfeit(&played([host(15), host(0)], clock(90_000, 20)));
        assert_eq!((color, reason), (Color::Black, Reason::GameTime));
        assert!(details.ends_with("took 0.015 s, allowed 0.000 s"), "{details}");
        // Who uses up its time but stays within the grace plays on, and is charged all of it.
        let slow = played([host(10), host(0)], clock(20, 50));
        assert_eq!((slow.end.clone(), slow.time(Color::White)), (End::Over, ms(0)));
        let moves = slow.stats.iter().filter(|stats| stats.time == Some(ms(10))).count();
        assert!(moves > 5 && slow.time(Color::Black) == ms(10) * u32::try_from(moves).unwrap());
    }

    #[test]
    fn by_the_processor_clock_our_own_agents_are_never_late() {
        let (timed_by, time) = (TimedBy::Processor, Some(Duration::ZERO));
        let clock = Clock { timed_by, time, grace: Duration::ZERO, ..Clock::untimed() };
        let played = played([honest(), honest()], clock);
        assert_eq!((played.end.clone(), played.time(Color::Black)), (End::Over, Duration::ZERO));
        // The host of a program has measured: its time is the program's own.
        let late = self::played([host(1), honest()], clock);
        assert_eq!(forfeit(&late).1, Reason::Time);
    }

    #[test]
    fn who_never_answers_loses_the_game_to_whoever_looks() {
        let clock = Clock { time: Some(Duration::from_millis(1)), ..Clock::untimed() };
        let opening = Game::new(Rule::Reversed, Size::EIGHT);
        let live = Arc::new(LiveGame::new(opening, clock));
        let (hangs, hung) = std::sync::mpsc::channel::<()>();
        let (asked, is_asked) = std::sync::mpsc::channel();
        let sleeper = friend(move |_, _| {
            asked.send(()).unwrap();
            let _ = hung.recv();
            None
        });
        let player = std::thread::spawn({
            let live = Arc::clone(&live);
            move || live.play(&mut [sleeper, honest()], &Arc::default())
        });
        is_asked.recv().unwrap();
        let overdue = live.overdue_at().unwrap();
        assert_eq!(live.seize(overdue - Duration::from_millis(1)), None);
        let seized = live.seize(overdue).unwrap();
        assert_eq!(live.seize(overdue), None, "a game ends once");
        let (color, reason, details) = forfeit(&seized);
        assert_eq!((color, reason), (Color::Black, Reason::Time));
        assert_eq!((details.as_str(), seized.game.ply()), ("no answer within 0.001 s", 0));
        drop(hangs);
        let played = player.join().unwrap();
        assert_eq!(played, Err(Unplayed::Stopped), "the game is not its any longer");
    }

    #[test]
    fn a_stopped_game_has_no_result() {
        let stop = Arc::new(AtomicBool::new(false));
        let stops = friend({
            let stop = Arc::clone(&stop);
            move |game, _| {
                stop.store(game.ply() > 4, Relaxed);
                None
            }
        });
        let live = LiveGame::new(Game::new(Rule::Reversed, Size::EIGHT), Clock::untimed());
        assert_eq!(live.play(&mut [stops, honest()], &stop), Err(Unplayed::Stopped));
    }
}
