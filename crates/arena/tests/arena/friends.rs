//! Agents that misbehave, and a folder to misbehave in.

use isrever_agent::{Agent, Catalogue, Choice, Entry, Forfeit, Limits, Reason};
use isrever_board::{Color, Game};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The grace that a friend who is late is given, and how much later it says it is.
pub(crate) const GRACE: Duration = Duration::from_millis(1_500);
const LATE: Duration = Duration::from_millis(100);

/// Plays the first legal square until it has moved three times, and then does as its name says.
struct Friend {
    name: &'static str,
    moves: u32,
    /// How long it says that its last answer took: no clock is read, however busy the machine is.
    time: Duration,
}

impl Agent for Friend {
    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit> {
        self.moves += 1;
        let moves = game.position().moves();
        let is_time = self.moves > 3;
        match self.name {
            "cheat" if is_time => {
                let mut squares = game.size().squares();
                Ok(squares.find(|square| !moves.contains(square)).unwrap().into())
            }
            "dawdler" if is_time => {
                let deadline = limits.deadline.expect("there is a clock");
                self.time = deadline.saturating_duration_since(Instant::now()) + 2 * GRACE + LATE;
                Ok(moves[0].into())
            }
            "sleeper" if is_time => loop {
                // For ever: it never answers, not even when it is told to stop.
                std::thread::park();
            },
            "crasher" if is_time => panic!("out of ideas"),
            "quitter" if is_time => Err(Forfeit::new(Reason::Garbage, "it said \"hello\"")),
            _ => Ok(moves[0].into()),
        }
    }

    fn answer_time(&self) -> Option<Duration> {
        Some(self.time)
    }
}

/// Plays as an honest friend, if this machine lets it.
struct Unlucky {
    friend: Friend,
    /// How many games this machine still cannot play.
    void: Arc<AtomicU32>,
}

impl Agent for Unlucky {
    fn name(&self) -> String {
        self.friend.name()
    }

    fn prepare(&mut self, _: &Game, _: Color, _: Option<Duration>) -> Result<(), Forfeit> {
        let left = self.void.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1));
        left.map_or(Ok(()), |_| Err(Forfeit::machine("too many open files")))
    }

    fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit> {
        self.friend.choose(game, limits)
    }
}

/// A friend whom this machine cannot run in its first `void` games.
pub(crate) fn unlucky(void: u32) -> Entry {
    let void = Arc::new(AtomicU32::new(void));
    Entry::new("unlucky", "a friend", move |_, _| {
        let friend = Friend { name: "unlucky", moves: 0, time: Duration::ZERO };
        Ok(Box::new(Unlucky { friend, void: Arc::clone(&void) }) as Box<dyn Agent>)
    })
}

/// The usual agents, and `honest`, `cheat`, `dawdler`, `sleeper`, `crasher`, `quitter` and
/// `absentee`, who cannot be made.
pub(crate) fn catalogue() -> Catalogue {
    let mut catalogue = isrever_agent::catalogue();
    for name in ["honest", "cheat", "dawdler", "sleeper", "crasher", "quitter"] {
        let make = move |_: &isrever_agent::AgentSpec, _: u64| {
            Ok(Box::new(Friend { name, moves: 0, time: Duration::ZERO }) as Box<dyn Agent>)
        };
        catalogue.add(Entry::new(name, "a friend", make));
    }
    catalogue.add(Entry::new("absentee", "a friend", |spec, _| {
        let offence = "not at home; expected nothing else";
        Err(isrever_agent::SpecError::other(spec.name(), offence))
    }));
    catalogue
}

/// A file of the test called `name` that is not there yet.
pub(crate) fn fresh(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    folder.join("cup.db")
}
