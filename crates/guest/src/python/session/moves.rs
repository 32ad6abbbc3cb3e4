//! The moves of a session: a board goes out, a list comes back, and we keep the clock.
//!
//! The clock runs from sending a board to the arrival of the answer, without what
//! our own threads are late. When it runs out, the decision is the list's last
//! element as the harness has reported it so far, whether or not `go` ever
//! returns. Then the session interrupts `go`; it kills a process that does not
//! stop, and the agent starts a new one. The answer does not wait for that.

use super::Session;
use crate::process::{Received, Until};
use crate::python::messages::{Ask, Entry, MoveList, Reply, number};
use crate::python::timer::Timer;
use crate::python::turns::Turn;
use isrever_agent::{Forfeit, TimedBy};
use isrever_board::Position;
use rustix::process::Signal;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How long a move waits for an interrupted `go`: briefly, because the caller waits too.
const GRACE: Duration = Duration::from_millis(15);

/// How long `go` may take to stop between moves, when no caller waits: time of its own, because a
/// busy machine may let it wait for long.
const SETTLE_TIME: Duration = Duration::from_millis(100);

/// An agent's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The list's first elements.
    pub list: Vec<Entry>,
    /// How many elements there are.
    pub count: u64,
    /// The decision: the last element, none if the list is empty.
    pub last: Option<Entry>,
    /// How long it took.
    pub time: Duration,
    /// Whether the time ran out.
    pub is_late: bool,
    /// Whether the list is complete. Of an agent that cannot be interrupted, only the decision is
    /// known.
    pub is_whole: bool,
    /// The most memory of its own that it has used so far, in bytes.
    pub memory_bytes: u64,
    /// How many bytes it has printed so far.
    pub printed_bytes: u64,
}

impl Session {
    /// Asks for a move in `position`, where the agent is to move, within `time` by the clock
    /// `timed_by`, or until the caller sets `stop`.
    pub(crate) fn ask(
        &mut self,
        position: &Position,
        (time, timed_by): (Duration, TimedBy),
        stop: &AtomicBool,
        turn: Option<&Turn>,
    ) -> Result<Answer, Forfeit> {
        let _cores = self.occupy_cores(turn);
        let until = Until { stop: Some(stop), ..Until::after(timed_by.longest_wait(time)) };
        self.process.signal(Signal::CONT);
        let board = self.size.squares().map(|square| position.disc(square).map_or(0, number));
        self.send(&Ask { board: board.collect() }, until)?;
        self.process.reset_lag();
        let timer = Timer::start(self.process.pid(), timed_by, time);
        let mut last = None;
        let (list, used, is_late) = loop {
            match self.receive(&timer, Some(stop)) {
                Received::Line(line) => {
                    if let Some(list) = self.read_reply(&line, &mut last)? {
                        break (Some(list), timer.used(self.process.lag()), false);
                    }
                }
                received @ (Received::Late | Received::Stopped) => {
                    // The decision of the last moment is known: however late we are, the agent is
                    // not, and is charged its limit.
                    let is_over = received == Received::Late;
                    let used = if is_over { time } else { timer.used(self.process.lag()) };
                    // What is in the pipe now came in time.
                    self.process.read_pipe();
                    break match self.read_buffered(&mut last)? {
                        Some(list) => (Some(list), used, false),
                        None => (self.interrupt(&mut last)?, used, true),
                    };
                }
                received => return Err(self.forfeit(&received)),
            }
        };
        let time = used.min(time);
        if let Some(excess) = self.process.excess() {
            return Err(self.forfeit(&Received::Excess(excess)));
        }
        let memory_bytes = self.process.peak().beyond(self.baseline);
        let printed_bytes = self.process.log().bytes();
        self.suspend();
        let is_whole = list.is_some() || last.is_none();
        let (list, count, last) = match list {
            Some(list) => (list.list, list.count, list.last),
            None => (Vec::from_iter(last.clone()), u64::from(last.is_some()), last),
        };
        Ok(Answer { list, count, last, time, is_late, is_whole, memory_bytes, printed_bytes })
    }

    /// Reads a reply during a move; returns the list when that ends the move.
    fn read_reply(
        &mut self,
        line: &[u8],
        last: &mut Option<Entry>,
    ) -> Result<Option<MoveList>, Forfeit> {
        match Reply::read(line) {
            Some(Reply::Last { last: new }) => *last = new,
            Some(Reply::Done(list) | Reply::Stopped(list)) => return Ok(Some(list)),
            Some(Reply::Raised(raised)) => return Err(self.raised(raised)),
            _ => return Err(self.protocol_error(line)),
        }
        Ok(None)
    }

    /// Reads the replies that came before the time was over.
    fn read_buffered(&mut self, last: &mut Option<Entry>) -> Result<Option<MoveList>, Forfeit> {
        while let Some(line) = self.process.buffered_line() {
            if let Some(list) = self.read_reply(&line, last)? {
                return Ok(Some(list));
            }
        }
        Ok(None)
    }

    /// Interrupts a `go` whose time is over. Returns the list if it stopped; replies of its own
    /// come too late to count.
    fn interrupt(&mut self, last: &mut Option<Entry>) -> Result<Option<MoveList>, Forfeit> {
        let decided = last.clone();
        self.process.signal(Signal::USR1);
        // By its own clock: however busy the machine is, it has the time to stop.
        let timer = Timer::start(self.process.pid(), TimedBy::Processor, GRACE);
        let stopped = loop {
            let Received::Line(line) = self.receive(&timer, None) else {
                self.is_stopping = true;
                break None;
            };
            match Reply::read(&line) {
                Some(Reply::Last { .. }) => {}
                Some(Reply::Stopped(list)) => break Some(list),
                // It ended or failed by itself, a moment too late to count.
                Some(Reply::Done(list)) => break Some(MoveList { last: decided.clone(), ..list }),
                Some(Reply::Raised(_)) => break None,
                _ => return Err(self.protocol_error(&line)),
            }
        };
        *last = decided;
        Ok(stopped)
    }

    /// Waits for the end of the last move, if it has not confirmed that it stopped. Kills a process
    /// that still does not stop. Returns the process's own time that this took.
    pub(crate) fn settle(&mut self, turn: Option<&Turn>) -> Duration {
        if !self.is_stopping {
            return Duration::ZERO;
        }
        let cores = self.occupy_cores(turn);
        self.process.signal(Signal::CONT);
        // The first signal may have come before `go` could be interrupted.
        self.process.signal(Signal::USR1);
        let timer = Timer::start(self.process.pid(), TimedBy::Processor, SETTLE_TIME);
        self.is_running = loop {
            let Received::Line(line) = self.receive(&timer, None) else { break false };
            match Reply::read(&line) {
                Some(Reply::Last { .. }) => {}
                Some(Reply::Stopped(_) | Reply::Done(_) | Reply::Raised(_)) => break true,
                _ => break false,
            }
        };
        self.is_stopping = false;
        let used = timer.used(Duration::ZERO);
        // Its place is free before its process id is.
        drop(cores);
        if self.is_running {
            self.suspend();
        } else {
            self.process.kill();
        }
        used
    }
}
