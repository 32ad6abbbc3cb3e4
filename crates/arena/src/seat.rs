//! A thread that plays games and can be given up.
//!
//! An agent may never return, and a thread cannot be ended from outside. So
//! games are played on a thread of their own while the caller's watches: it
//! takes the game away from an agent that is long overdue, leaves the thread to
//! its fate, and has a new one for the next game.

use crate::game::Played;
use crate::live::{LiveGame, Unplayed};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// How often the watching thread looks for an overdue answer and at the stop flag.
const POLL: Duration = Duration::from_millis(50);

/// How long a stopped game's thread is waited for.
const STOP_WAIT: Duration = Duration::from_secs(2);

/// A game to play: it is called on the other thread.
type Task = Box<dyn FnOnce() -> Result<Played, Unplayed> + Send>;

/// A thread that plays games: where it gets them, and where it brings what became of them.
type Thread = (Sender<Task>, Receiver<Result<Played, Unplayed>>);

/// Where games are played, one after another.
#[derive(Default)]
pub struct Seat {
    thread: Option<Thread>,
}

impl Seat {
    /// Plays a game by calling `play`; but if an agent does not return, the game ends without it.
    pub fn play(
        &mut self,
        live: &Arc<LiveGame>,
        play: impl FnOnce(&LiveGame) -> Result<Played, Unplayed> + Send + 'static,
        stop: &AtomicBool,
    ) -> Result<Played, Unplayed> {
        let (send, receive) = self.thread.take().unwrap_or_else(start);
        let its = Arc::clone(live);
        let task: Task = Box::new(move || play(&its));
        send.send(task).expect("the thread waits for games");
        let mut give_up_at = None;
        loop {
            match receive.recv_timeout(POLL) {
                Ok(played) => {
                    self.thread = Some((send, receive));
                    return played;
                }
                // Agents' panics are caught: this one is ours.
                Err(RecvTimeoutError::Disconnected) => panic!("a game could not be played"),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Some(played) = live.seize(Instant::now()) {
                return Ok(played);
            }
            if stop.load(Relaxed) {
                let until = *give_up_at.get_or_insert_with(|| Instant::now() + STOP_WAIT);
                if Instant::now() >= until {
                    return Err(Unplayed::Stopped);
                }
            }
        }
    }
}

/// Starts a thread that plays what it is sent until there is nobody to send more.
fn start() -> Thread {
    let (send, tasks) = mpsc::channel::<Task>();
    let (results, receive) = mpsc::channel();
    std::thread::spawn(move || {
        // Whoever gave this thread up does not listen.
        while let Ok(task) = tasks.recv()
            && results.send(task()).is_ok()
        {}
    });
    (send, receive)
}
