//! A running program of somebody else's: lines to it, lines from it, and its end.
//!
//! Nothing here waits longer than it is told to, whatever the program does,
//! and nothing it writes takes more memory than a fixed bound. When a
//! [`Captive`] is dropped its processes are killed and reaped, and its folder
//! is gone.

mod folder;
mod log;
mod tether;

pub(crate) use folder::Folder;
pub(crate) use log::Log;
pub(crate) use tether::Ending;

use crate::sandbox::bounds::{FOLDER_BYTES, Memory};
use crate::sandbox::launch::{Plan, Started, Streams, are_apart};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::io::{Errno, read, write};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, Signal};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tether::Tether;

/// How long the flag, the memory and the folder may go unnoticed.
const TICK: Duration = Duration::from_millis(20);

/// How long a program whose pipe is closed may take to be gone.
const LEAVING: Duration = Duration::from_millis(200);

/// What is read at once.
const PIECE: usize = 64 << 10;

/// How many of those are taken from a pipe at once: more than fit into one.
const MOST_PIECES: usize = 32;

/// A program that runs.
pub(crate) struct Captive {
    tether: Arc<Tether>,
    pipes: Pipes,
    /// What came and is not yet a line.
    buffer: Vec<u8>,
    longest_line: usize,
    log: Log,
    /// The most memory that may be resident; `None` before it is known.
    most_memory: Option<u64>,
    peak: Memory,
    looked: Instant,
    /// Where it may write, if that is on a disk.
    folder: Option<Folder>,
}

/// Our ends of the program's streams.
pub(crate) struct Pipes {
    requests: OwnedFd,
    replies: OwnedFd,
    /// `None` once the program has closed it.
    errors: Option<OwnedFd>,
}

/// What came of waiting for a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// A line, without its end.
    Line(Vec<u8>),
    /// The pipe is closed.
    Closed,
    /// The deadline has passed.
    Late,
    /// The flag was set.
    Stopped,
    /// The program used more than it may.
    Excess(Excess),
}

/// What a program may use too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Excess {
    Memory,
    Folder,
    Output,
    Line,
}

/// Until when to wait.
#[derive(Clone, Copy)]
pub(crate) struct Until<'a> {
    pub(crate) deadline: Instant,
    pub(crate) stop: Option<&'a AtomicBool>,
}

impl Until<'_> {
    /// For `time` from now on.
    pub(crate) fn after(time: Duration) -> Until<'static> {
        Until { deadline: Instant::now() + time, stop: None }
    }
}

/// New streams: the program's ends and ours.
pub(crate) fn streams() -> io::Result<(Streams, Pipes)> {
    let new = || pipe_with(PipeFlags::CLOEXEC);
    let ((input, requests), (replies, output), (errors, wrong)) = (new()?, new()?, new()?);
    for ours in [&requests, &replies, &errors] {
        rustix::io::ioctl_fionbio(ours, true)?;
    }
    let streams = Streams { input, output, errors: wrong };
    if !are_apart(&streams) {
        return Err(io::Error::other("the standard streams of this process are closed"));
    }
    Ok((streams, Pipes { requests, replies, errors: Some(errors) }))
}

impl Captive {
    /// Takes charge of a program that was started with the other ends of `pipes`.
    pub(crate) fn new(started: Started, pipes: Pipes, longest_line: usize, log: Log) -> Captive {
        Captive {
            tether: Tether::new(started),
            pipes,
            buffer: Vec::new(),
            longest_line,
            log,
            most_memory: None,
            peak: Memory::default(),
            looked: Instant::now(),
            folder: None,
        }
    }

    /// Starts a program without walls, which may start others.
    pub(crate) fn start(mut plan: Plan, longest_line: usize, log: Log) -> io::Result<Captive> {
        plan.is_kept = true;
        let (streams, pipes) = streams()?;
        let started = plan.start(streams).map_err(|failure| io::Error::from(failure.error))?;
        Ok(Captive::new(started, pipes, longest_line, log))
    }

    /// Keeps an eye on the folder that the program may write to.
    pub(crate) fn watch_folder(&mut self, folder: Folder) {
        self.folder = Some(folder);
    }

    /// Keeps an eye on the program's resident memory.
    pub(crate) fn watch_memory(&mut self, most: u64) {
        self.most_memory = Some(most);
        self.peak = Memory::default();
    }

    /// The process.
    pub(crate) fn pid(&self) -> Pid {
        self.tether.pid()
    }

    /// What the program uses now, if it is there.
    pub(crate) fn memory(&mut self) -> Option<Memory> {
        let memory = Memory::of(self.tether.pid())?;
        self.peak.data = self.peak.data.max(memory.data);
        self.peak.resident = self.peak.resident.max(memory.resident);
        Some(memory)
    }

    /// The most that it was seen to use since its memory is watched.
    pub(crate) fn peak(&self) -> Memory {
        self.peak
    }

    /// What it printed.
    pub(crate) fn log(&self) -> &Log {
        &self.log
    }

    /// The same, to take from.
    pub(crate) fn log_mut(&mut self) -> &mut Log {
        &mut self.log
    }

    /// Sends a signal to the process.
    pub(crate) fn signal(&self, signal: Signal) {
        self.tether.signal(signal);
    }

    /// Writes `bytes` to the program, and hears it meanwhile only if it prints.
    pub(crate) fn tell(&mut self, mut bytes: &[u8], until: Until<'_>) -> Result<(), Heard> {
        while !bytes.is_empty() {
            match write(&self.pipes.requests, bytes) {
                Ok(written) => bytes = &bytes[written..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    if let Some(heard) = self.look(until) {
                        return Err(heard);
                    }
                    self.wait(until, PollFlags::OUT);
                }
                Err(_) => return Err(Heard::Closed),
            }
        }
        Ok(())
    }

    /// The next line, or why there is none.
    pub(crate) fn hear(&mut self, until: Until<'_>) -> Heard {
        loop {
            if let Some(heard) = self.look(until) {
                return heard;
            }
            if let Some(line) = self.line() {
                return Heard::Line(line);
            }
            if self.buffer.len() > self.longest_line {
                return Heard::Excess(Excess::Line);
            }
            self.wait(until, PollFlags::empty());
            if !self.fill() {
                // What it printed last may say why it ended.
                self.read_errors();
                return self.line().map_or(Heard::Closed, Heard::Line);
            }
        }
    }

    /// A line that is there already.
    pub(crate) fn heard_already(&mut self) -> Option<Vec<u8>> {
        self.line()
    }

    /// Reads once what is in the pipe now.
    pub(crate) fn catch_up(&mut self) {
        self.fill();
    }

    /// Looks at the clock, the flag and, from time to time, at what is used.
    fn look(&mut self, until: Until<'_>) -> Option<Heard> {
        let now = Instant::now();
        if now >= until.deadline {
            return Some(Heard::Late);
        }
        if until.stop.is_some_and(|stop| stop.load(Relaxed)) {
            return Some(Heard::Stopped);
        }
        if now.duration_since(self.looked) >= TICK {
            self.looked = now;
            return self.excess().map(Heard::Excess);
        }
        None
    }

    /// What the program uses too much of, if anything.
    pub(crate) fn excess(&mut self) -> Option<Excess> {
        if let Some(most) = self.most_memory
            && self.memory().is_some_and(|memory| memory.resident > most)
        {
            return Some(Excess::Memory);
        }
        if self.folder.as_ref().is_some_and(|folder| folder.bytes() > FOLDER_BYTES) {
            return Some(Excess::Folder);
        }
        self.log.is_over().then_some(Excess::Output)
    }

    /// Waits until there is something to do, a tick at most, and keeps what is printed.
    fn wait(&mut self, until: Until<'_>, writing: PollFlags) {
        let left = until.deadline.saturating_duration_since(Instant::now()).min(TICK);
        let left = Timespec { tv_sec: 0, tv_nsec: left.subsec_nanos().into() };
        let mut fds = vec![PollFd::new(&self.pipes.replies, PollFlags::IN)];
        if !writing.is_empty() {
            fds.push(PollFd::new(&self.pipes.requests, writing));
        }
        fds.extend(self.pipes.errors.iter().map(|errors| PollFd::new(errors, PollFlags::IN)));
        // Interrupted or not, the caller looks again.
        let _ = poll(&mut fds, Some(&left));
        self.read_errors();
    }

    fn read_errors(&mut self) {
        let Some(errors) = &self.pipes.errors else { return };
        let mut piece = [0; PIECE];
        match read(errors, &mut piece) {
            Ok(0) => self.pipes.errors = None,
            Ok(count) => self.log.keep(&piece[..count]),
            Err(_) => {}
        }
    }

    /// Keeps all that was printed and is in the pipe now; not what a program adds meanwhile
    /// without end.
    pub(crate) fn read_all_errors(&mut self) {
        for _ in 0..MOST_PIECES {
            let before = self.log.bytes();
            self.read_errors();
            if self.log.bytes() == before {
                break;
            }
        }
    }

    /// Reads what there is of replies; `false` when there will be no more.
    fn fill(&mut self) -> bool {
        let mut piece = [0; PIECE];
        match read(&self.pipes.replies, &mut piece) {
            Ok(0) => false,
            Ok(count) => {
                self.buffer.extend_from_slice(&piece[..count]);
                true
            }
            Err(error) => error == Errno::AGAIN || error == Errno::INTR,
        }
    }

    /// The first whole line of what came.
    fn line(&mut self) -> Option<Vec<u8>> {
        let end = self.buffer.iter().position(|&byte| byte == b'\n')?;
        let mut line: Vec<u8> = self.buffer.drain(..=end).collect();
        line.pop();
        Some(line)
    }

    /// How a program that has closed its pipe has ended. It is given a moment for it.
    pub(crate) fn ending(&mut self) -> Ending {
        let has_gone = self.tether.has_gone(LEAVING);
        let ending = self.end();
        if has_gone { ending } else { Ending::Ended }
    }

    /// Kills whatever is left of it, and reaps it.
    pub(crate) fn end(&mut self) -> Ending {
        self.tether.end()
    }
}

impl Drop for Captive {
    fn drop(&mut self) {
        self.end();
    }
}
