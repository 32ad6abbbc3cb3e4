//! A running program of somebody else's: lines to it, lines from it, and its end.
//!
//! Every wait has a deadline, whatever the program does, and its output takes no
//! more memory than a fixed bound. Dropping a [`GuestProcess`] kills and reaps
//! its processes, and removes its folder.

mod folder;
mod handle;
mod log;

pub(crate) use folder::{Folder, sweep_abandoned};
pub(crate) use handle::Exit;
pub(crate) use log::Log;

use crate::sandbox::cgroup::{ALLOWANCE, Cgroup};
use crate::sandbox::child::{Plan, Streams, are_beyond_standard};
use crate::sandbox::limits::{FOLDER_BYTES, Memory, THREADS};
use crate::sandbox::spawner::Started;
use crate::sandbox::{StartError, retried};
use crate::usage::own_wait;
use handle::ProcessHandle;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::io::{Errno, read, write};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, Signal};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The time between two looks at the stop flag, the memory and the folder.
const TICK: Duration = Duration::from_millis(20);

/// How long a program may take to exit after closing its pipe.
const EXIT_GRACE: Duration = Duration::from_millis(200);

/// How many bytes one call reads.
const CHUNK: usize = 64 << 10;

/// The most chunks that are read from a pipe at once: more than a pipe holds.
const MOST_CHUNKS: usize = 32;

/// A running program.
pub(crate) struct GuestProcess {
    handle: Arc<ProcessHandle>,
    pipes: Pipes,
    /// Bytes received after the last whole line.
    buffer: Vec<u8>,
    longest_line: usize,
    log: Log,
    /// The memory it may have at most; `None` before that is known.
    most_memory: Option<Memory>,
    peak: Memory,
    /// When we last checked what the program uses.
    checked: Instant,
    /// The folder it may write to, if that is on a disk.
    folder: Option<Folder>,
    /// How long this thread had waited for a processor when it last stopped waiting for the program,
    /// and how much of that came since the time before.
    waited: Duration,
    lag: Duration,
    /// Its control group, where the machine lets us make one.
    cgroup: Option<Cgroup>,
}

/// Our ends of the program's streams.
pub(crate) struct Pipes {
    requests: OwnedFd,
    replies: OwnedFd,
    /// `None` once the program has closed it.
    errors: Option<OwnedFd>,
}

/// The result of waiting for a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Received {
    /// A line, without its end.
    Line(Vec<u8>),
    /// The pipe is closed.
    Closed,
    /// The deadline has passed.
    Late,
    /// The stop flag was set.
    Stopped,
    /// The program used more than it may.
    Excess(Excess),
}

/// Which of its limits a program exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Excess {
    Memory,
    Threads,
    Folder,
    Output,
    Line,
}

/// How long to wait.
#[derive(Clone, Copy)]
pub(crate) struct Until<'a> {
    pub(crate) deadline: Instant,
    pub(crate) stop: Option<&'a AtomicBool>,
}

impl Until<'_> {
    /// Waits for `time` from now on.
    pub(crate) fn after(time: Duration) -> Until<'static> {
        Until { deadline: Instant::now() + time, stop: None }
    }
}

/// Opens the pipes to a program: its ends and ours.
pub(crate) fn streams() -> io::Result<(Streams, Pipes)> {
    let new = || pipe_with(PipeFlags::CLOEXEC);
    let ((input, requests), (replies, output), (errors, wrong)) = (new()?, new()?, new()?);
    for ours in [&requests, &replies, &errors] {
        rustix::io::ioctl_fionbio(ours, true)?;
    }
    let streams = Streams { input, output, errors: wrong };
    if !are_beyond_standard(&streams) {
        return Err(io::Error::other("the standard streams of this process are closed"));
    }
    Ok((streams, Pipes { requests, replies, errors: Some(errors) }))
}

impl GuestProcess {
    /// Takes charge of a program that was started with the other ends of `pipes`.
    pub(crate) fn new(
        started: Started,
        pipes: Pipes,
        longest_line: usize,
        log: Log,
    ) -> GuestProcess {
        GuestProcess {
            handle: ProcessHandle::new(started),
            pipes,
            buffer: Vec::new(),
            longest_line,
            log,
            most_memory: None,
            peak: Memory::default(),
            checked: Instant::now(),
            folder: None,
            waited: own_wait(),
            lag: Duration::ZERO,
            cgroup: None,
        }
    }

    /// Starts a program outside the sandbox. It may start others.
    pub(crate) fn start(
        plan: impl Fn() -> Plan,
        longest_line: usize,
        log: Log,
    ) -> Result<GuestProcess, StartError> {
        let (started, pipes) = retried(|| {
            let (streams, pipes) = streams()?;
            let mut plan = plan();
            plan.has_reaper = true;
            let started = plan.start(streams).map_err(|failure| io::Error::from(failure.error))?;
            Ok((started, pipes))
        })?;
        Ok(GuestProcess::new(started, pipes, longest_line, log))
    }

    /// Limits the size of the folder that the program may write to, and owns it.
    pub(crate) fn watch_folder(&mut self, folder: Folder) {
        self.folder = Some(folder);
    }

    /// Puts the program into a control group, where the machine lets us make one.
    pub(crate) fn enter_cgroup(&mut self) {
        self.cgroup = Cgroup::with(self.handle.pid());
    }

    /// Limits the program's memory to `own` bytes beyond `baseline` from now on.
    pub(crate) fn watch_memory(&mut self, baseline: Memory, own: u64) {
        self.most_memory = Some(Memory {
            resident: baseline.resident.saturating_add(own),
            charged: baseline.charged.saturating_add(own).saturating_add(ALLOWANCE),
            ..baseline
        });
        self.peak = Memory::default();
        if let Some(cgroup) = &self.cgroup {
            cgroup.limit(own);
        }
    }

    /// Whether the kernel has killed it because its control group was full.
    pub(crate) fn was_out_of_memory(&self) -> bool {
        self.cgroup.as_ref().is_some_and(Cgroup::was_full)
    }

    /// The process id.
    pub(crate) fn pid(&self) -> Pid {
        self.handle.pid()
    }

    /// Whether this process started it, and not one that this was forked from.
    pub(crate) fn is_ours(&self) -> bool {
        self.handle.is_ours()
    }

    /// The memory that the program uses now; `None` if it has exited.
    pub(crate) fn memory(&mut self) -> Option<Memory> {
        let mut memory = Memory::of(self.handle.pid())?;
        memory.charged = self.cgroup.as_ref().and_then(Cgroup::charged).unwrap_or(0);
        self.peak = self.peak.max(memory);
        Some(memory)
    }

    /// The most memory seen in use since [`GuestProcess::watch_memory`].
    pub(crate) fn peak(&self) -> Memory {
        self.peak
    }

    /// What the program printed to standard error.
    pub(crate) fn log(&self) -> &Log {
        &self.log
    }

    /// The log, to take lines out of.
    pub(crate) fn log_mut(&mut self) -> &mut Log {
        &mut self.log
    }

    /// Sends a signal to the process.
    pub(crate) fn signal(&self, signal: Signal) {
        self.handle.signal(signal);
    }

    /// How much later than it came we may have seen what came last, because this thread had no
    /// processor.
    pub(crate) fn lag(&self) -> Duration {
        self.lag
    }

    /// Forgets what this thread waited before, or another one did.
    pub(crate) fn reset_lag(&mut self) {
        (self.waited, self.lag) = (own_wait(), Duration::ZERO);
    }

    /// Writes `bytes` to the program. Meanwhile reads only what it prints, no replies.
    pub(crate) fn send(&mut self, mut bytes: &[u8], until: Until<'_>) -> Result<(), Received> {
        while !bytes.is_empty() {
            match write(&self.pipes.requests, bytes) {
                Ok(written) => bytes = &bytes[written..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    if let Some(received) = self.check(until) {
                        return Err(received);
                    }
                    self.wait(until, PollFlags::OUT);
                }
                Err(_) => return Err(Received::Closed),
            }
        }
        Ok(())
    }

    /// Waits for the next line; says why if there is none.
    pub(crate) fn receive(&mut self, until: Until<'_>) -> Received {
        loop {
            if let Some(received) = self.check(until) {
                return received;
            }
            if let Some(line) = self.buffered_line() {
                return Received::Line(line);
            }
            if self.buffer.len() > self.longest_line {
                return Received::Excess(Excess::Line);
            }
            self.wait(until, PollFlags::empty());
            if !self.fill() {
                // Its last output may say why it exited.
                self.read_errors();
                return self.buffered_line().map_or(Received::Closed, Received::Line);
            }
        }
    }

    /// Reads once what the pipe holds now, without waiting.
    pub(crate) fn read_pipe(&mut self) {
        self.fill();
    }

    /// Checks the clock, the stop flag and, every [`TICK`], the program's limits.
    fn check(&mut self, until: Until<'_>) -> Option<Received> {
        let now = Instant::now();
        if now >= until.deadline {
            return Some(Received::Late);
        }
        if until.stop.is_some_and(|stop| stop.load(Relaxed)) {
            return Some(Received::Stopped);
        }
        if now.duration_since(self.checked) >= TICK {
            self.checked = now;
            return self.excess().map(Received::Excess);
        }
        None
    }

    /// The limit that the program exceeds now, if any.
    pub(crate) fn excess(&mut self) -> Option<Excess> {
        if let (Some(most), Some(memory)) = (self.most_memory, self.memory()) {
            if memory.resident > most.resident || memory.charged > most.charged {
                return Some(Excess::Memory);
            }
            if memory.threads > THREADS {
                return Some(Excess::Threads);
            }
        }
        let pid = self.handle.pid();
        let is_full = |folder: &Folder| folder.bytes(Some(pid)) > FOLDER_BYTES;
        if self.folder.as_ref().is_some_and(is_full) {
            return Some(Excess::Folder);
        }
        self.log.is_over().then_some(Excess::Output)
    }

    /// Waits for a pipe to become ready, for a [`TICK`] at most, and logs what is printed.
    fn wait(&mut self, until: Until<'_>, writing: PollFlags) {
        let left = until.deadline.saturating_duration_since(Instant::now()).min(TICK);
        let left = Timespec { tv_sec: 0, tv_nsec: left.subsec_nanos().into() };
        let mut fds = vec![PollFd::new(&self.pipes.replies, PollFlags::IN)];
        if !writing.is_empty() {
            fds.push(PollFd::new(&self.pipes.requests, writing));
        }
        fds.extend(self.pipes.errors.iter().map(|errors| PollFd::new(errors, PollFlags::IN)));
        // The caller checks again, also after an interruption.
        let _ = poll(&mut fds, Some(&left));
        let waited = own_wait();
        self.lag = waited.saturating_sub(self.waited);
        self.waited = waited;
        self.read_errors();
    }

    fn read_errors(&mut self) {
        let Some(errors) = &self.pipes.errors else { return };
        let mut chunk = [0; CHUNK];
        match read(errors, &mut chunk) {
            Ok(0) => self.pipes.errors = None,
            Ok(count) => self.log.append(&chunk[..count]),
            Err(_) => {}
        }
    }

    /// Logs everything printed that the pipe holds now. The number of reads is bounded, because a
    /// program may go on printing without end.
    pub(crate) fn read_all_errors(&mut self) {
        for _ in 0..MOST_CHUNKS {
            let before = self.log.bytes();
            self.read_errors();
            if self.log.bytes() == before {
                break;
            }
        }
    }

    /// Reads the replies that have come; `false` once the program has closed the pipe.
    fn fill(&mut self) -> bool {
        let mut chunk = [0; CHUNK];
        match read(&self.pipes.replies, &mut chunk) {
            Ok(0) => false,
            Ok(count) => {
                self.buffer.extend_from_slice(&chunk[..count]);
                true
            }
            Err(error) => error == Errno::AGAIN || error == Errno::INTR,
        }
    }

    /// Takes the first whole line out of the buffer.
    pub(crate) fn buffered_line(&mut self) -> Option<Vec<u8>> {
        let end = self.buffer.iter().position(|&byte| byte == b'\n')?;
        let mut line: Vec<u8> = self.buffer.drain(..=end).collect();
        line.pop();
        Some(line)
    }

    /// How a program that closed its pipe exited. Waits a moment for it to do so, then kills it.
    pub(crate) fn exit(&mut self) -> Exit {
        let has_exited = self.handle.exits_within(EXIT_GRACE);
        let exit = self.kill();
        if has_exited { exit } else { Exit::Killed }
    }

    /// Kills whatever is left of the program, and reaps it.
    pub(crate) fn kill(&mut self) -> Exit {
        self.handle.kill()
    }
}

impl Drop for GuestProcess {
    fn drop(&mut self) {
        self.kill();
    }
}
