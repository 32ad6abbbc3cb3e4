//! A pool of search threads with a bounded, fair queue.
//!
//! It does two kinds of work. A *request* runs once and answers; while others
//! wait it must answer soon with what it has. A *stream* runs in many slices,
//! which are short while others wait. Dropping the [`WorkHandle`] stops the
//! search at once. A timer thread watches the clock for all.

mod queue;
mod work;

pub(crate) use work::{Step, Work};

use crate::receive::Caller;
use crate::refusal::Refusal;
use queue::Queue;
use std::future::Future;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use work::Request;

/// The most requests that may wait.
const MOST_WAITING: usize = 512;

/// The most streams at a time; each has memory of its own.
const MOST_STREAMS: usize = 16;

/// Search threads. Clones share them.
#[derive(Clone)]
pub(crate) struct Pool {
    shared: Arc<Shared>,
    threads: Arc<Mutex<Vec<JoinHandle<()>>>>,
}

struct Shared {
    /// How long a request may wait for its turn.
    patience: Duration,
    state: Mutex<State>,
    /// Wakes a thread: there is work, or the pool is closed.
    work: Condvar,
    /// Wakes the timer: work has begun or waits.
    clock: Condvar,
}

struct State {
    queue: Queue<Client, Task>,
    /// The work of each thread.
    running: Vec<Option<Running>>,
    streams: usize,
    is_closed: bool,
}

/// Whom the queue treats fairly: an address, or a connection from this machine, where a proxy may
/// speak for many.
type Client = (IpAddr, u16);

/// Work that waits or runs.
struct Task {
    work: Box<dyn Work>,
    ticket: Arc<Ticket>,
    is_stream: bool,
    since: Instant,
}

/// The flags by which others stop work.
#[derive(Default)]
struct Ticket {
    is_cancelled: AtomicBool,
    /// Ends the running slice.
    stop: Arc<AtomicBool>,
}

struct Running {
    ticket: Arc<Ticket>,
    /// The end of the slice, if others wait.
    turn: Instant,
    /// The end of the work.
    deadline: Option<Instant>,
}

/// How busy the pool is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Load {
    pub(crate) running: usize,
    pub(crate) queued: usize,
    pub(crate) workers: usize,
}

/// The caller's hold on its work: dropping it cancels the work.
pub(crate) struct WorkHandle {
    pool: Pool,
    ticket: Arc<Ticket>,
}

impl Pool {
    /// Starts this many threads, at least one. Requests that have waited for `patience` are refused.
    pub(crate) fn new(workers: usize, patience: Duration) -> std::io::Result<Pool> {
        let workers = workers.max(1);
        let state = State {
            queue: Queue::new(),
            running: (0..workers).map(|_| None).collect(),
            streams: 0,
            is_closed: false,
        };
        let shared = Shared {
            patience,
            state: Mutex::new(state),
            work: Condvar::new(),
            clock: Condvar::new(),
        };
        let pool = Pool { shared: Arc::new(shared), threads: Arc::default() };
        let mut threads = Vec::new();
        for number in 0..workers {
            let shared = Arc::clone(&pool.shared);
            let name = format!("search-{number}");
            threads.push(thread::Builder::new().name(name).spawn(move || shared.serve(number))?);
        }
        let shared = Arc::clone(&pool.shared);
        let clock = thread::Builder::new().name("search-clock".to_owned());
        threads.push(clock.spawn(move || shared.keep_time())?);
        *pool.threads.lock().unwrap_or_else(PoisonError::into_inner) = threads;
        Ok(pool)
    }

    /// Runs `think` on one of the threads, and waits for its answer. When the flag is set, it must
    /// answer soon.
    pub(crate) fn ask<R: Send + 'static>(
        &self,
        caller: Caller,
        think: impl FnOnce(&Arc<AtomicBool>) -> R + Send + 'static,
    ) -> impl Future<Output = Result<R, Refusal>> + Send {
        let (work, answer) = Request::new(think);
        let handle = self.submit(caller, Box::new(work), false);
        async move {
            let _handle = handle?;
            // No answer comes if `think` panicked.
            answer.await.unwrap_or_else(|_| Err(Refusal::internal()))
        }
    }

    /// Starts a stream, which reports through its own outbox.
    pub(crate) fn stream(
        &self,
        caller: Caller,
        work: Box<dyn Work>,
    ) -> Result<WorkHandle, Refusal> {
        self.submit(caller, work, true)
    }

    fn submit(
        &self,
        caller: Caller,
        work: Box<dyn Work>,
        is_stream: bool,
    ) -> Result<WorkHandle, Refusal> {
        let client = (caller.address, if caller.address.is_loopback() { caller.port } else { 0 });
        let ticket = Arc::new(Ticket::default());
        let mut state = self.shared.lock();
        let is_full = match is_stream {
            true => state.streams >= MOST_STREAMS,
            false => state.queue.len() >= MOST_WAITING + MOST_STREAMS,
        };
        if is_full || state.is_closed {
            return Err(Refusal::busy());
        }
        state.streams += usize::from(is_stream);
        let task = Task { work, ticket: Arc::clone(&ticket), is_stream, since: Instant::now() };
        state.queue.push(client, task);
        self.shared.work.notify_one();
        self.shared.clock.notify_one();
        Ok(WorkHandle { pool: self.clone(), ticket })
    }

    /// Counts running and waiting work.
    pub(crate) fn load(&self) -> Load {
        let state = self.shared.lock();
        Load {
            running: state.running.iter().flatten().count(),
            queued: state.queue.len(),
            workers: state.running.len(),
        }
    }

    /// Stops all work and ends the threads.
    pub(crate) fn close(&self) {
        let mut state = self.shared.lock();
        state.is_closed = true;
        for running in state.running.iter().flatten() {
            running.ticket.cancel();
        }
        let left = state.queue.remove(|_| true);
        drop(state);
        for mut task in left {
            task.work.refuse(Refusal::busy());
        }
        self.shared.work.notify_all();
        self.shared.clock.notify_all();
        let threads =
            std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            // A panic of a thread was reported when it happened.
            let _ = thread.join();
        }
    }
}

impl Drop for WorkHandle {
    fn drop(&mut self) {
        self.ticket.cancel();
        let mut state = self.pool.shared.lock();
        let gone = state.queue.remove(|task| Arc::ptr_eq(&task.ticket, &self.ticket));
        state.streams -= gone.iter().filter(|task| task.is_stream).count();
    }
}

impl Ticket {
    fn cancel(&self) {
        // In this order, because a new slice clears `stop` before it reads `is_cancelled`.
        self.is_cancelled.store(true, SeqCst);
        self.stop.store(true, SeqCst);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does work until the pool is closed.
    fn serve(&self, number: usize) {
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return;
            }
            let Some((client, mut task)) = state.queue.take() else {
                state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let began = Instant::now();
            task.ticket.stop.store(false, SeqCst);
            let (ticket, turn) = (Arc::clone(&task.ticket), began + task.work.slice());
            let deadline = task.work.deadline();
            state.running[number] = Some(Running { ticket, turn, deadline });
            self.clock.notify_one();
            drop(state);

            let step = self.slice(&mut task);

            state = self.lock();
            state.running[number] = None;
            let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
            state.queue.charge(client, micros);
            let is_wanted = !task.ticket.is_cancelled.load(SeqCst) && !state.is_closed;
            if step == Step::More && is_wanted {
                state.queue.push(client, task);
            } else {
                state.streams -= usize::from(task.is_stream);
                // Drops the work without holding the lock.
                drop(state);
                drop(task);
                state = self.lock();
            }
        }
    }

    fn slice(&self, task: &mut Task) -> Step {
        if task.ticket.is_cancelled.load(SeqCst) {
            return Step::Done;
        }
        let (work, stop) = (&mut task.work, &task.ticket.stop);
        match catch_unwind(AssertUnwindSafe(|| work.go(stop))) {
            Ok(step) => step,
            Err(_) => {
                task.work.refuse(Refusal::internal());
                Step::Done
            }
        }
    }

    /// Ends slices whose time is over, and refuses requests that have waited too long.
    fn keep_time(&self) {
        let mut state = self.lock();
        while !state.is_closed {
            let now = Instant::now();
            let is_waiting = !state.queue.is_empty();
            let mut next: Option<Instant> = None;
            let mut note = |time: Instant| next = Some(next.map_or(time, |next| next.min(time)));
            for running in state.running.iter().flatten() {
                let turn = is_waiting.then_some(running.turn);
                let Some(end) = turn.into_iter().chain(running.deadline).min() else { continue };
                if end <= now {
                    running.ticket.stop.store(true, SeqCst);
                } else {
                    note(end);
                }
            }
            for task in state.queue.iter().filter(|task| !task.is_stream) {
                note(task.since + self.patience);
            }
            let late =
                state.queue.remove(|task| !task.is_stream && task.since + self.patience <= now);
            if !late.is_empty() {
                drop(state);
                for mut task in late {
                    task.work.refuse(Refusal::busy());
                }
                state = self.lock();
                continue;
            }
            state = match next {
                None => self.clock.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(time) => {
                    let pause = time.saturating_duration_since(now);
                    let woken = self.clock.wait_timeout(state, pause);
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    /// Longer than any machine is busy.
    const LONG: Duration = Duration::from_secs(600);

    fn caller(port: u16) -> Caller {
        Caller { address: [127, 0, 0, 1].into(), port }
    }

    /// A stream that runs until it is stopped, and reports every slice.
    struct Endless(mpsc::Sender<()>);

    impl Work for Endless {
        fn deadline(&self) -> Option<Instant> {
            None
        }

        fn go(&mut self, stop: &Arc<AtomicBool>) -> Step {
            while !stop.load(SeqCst) {
                thread::yield_now();
            }
            // The test may have ended.
            let _ = self.0.send(());
            Step::More
        }

        fn refuse(&mut self, _: Refusal) {}
    }

    fn endless(pool: &Pool, port: u16) -> (Result<WorkHandle, Refusal>, mpsc::Receiver<()>) {
        let (slices, slice) = mpsc::channel();
        (pool.stream(caller(port), Box::new(Endless(slices))), slice)
    }

    #[tokio::test]
    async fn a_request_is_answered_while_a_stream_would_go_on_for_ever() {
        let pool = Pool::new(1, LONG).unwrap();
        let (stream, slices) = endless(&pool, 1);
        for number in 0..3 {
            assert_eq!(pool.ask(caller(2), move |_| number).await, Ok(number));
        }
        assert!(slices.recv().is_ok(), "the stream made room");
        drop(stream);
        while pool.load() != (Load { running: 0, queued: 0, workers: 1 }) {
            tokio::task::yield_now().await;
        }
        pool.close();
        assert!(slices.iter().count() < 1_000, "it is gone, and its sender with it");
    }

    #[tokio::test]
    async fn who_leaves_stops_the_search() {
        let pool = Pool::new(1, LONG).unwrap();
        let (began, has_begun) = mpsc::channel();
        let (ended, has_ended) = mpsc::channel();
        let question = pool.ask(caller(1), move |stop| {
            began.send(()).unwrap();
            while !stop.load(SeqCst) {
                thread::yield_now();
            }
            ended.send(()).unwrap();
        });
        has_begun.recv().unwrap();
        drop(question);
        has_ended.recv().unwrap();
        pool.close();
    }

    #[tokio::test]
    async fn a_job_that_fails_is_our_fault_and_harms_no_other() {
        let pool = Pool::new(1, LONG).unwrap();
        let failed: Result<(), Refusal> = pool.ask(caller(1), |_| panic!("on purpose")).await;
        assert_eq!(failed, Err(Refusal::internal()));
        assert_eq!(pool.ask(caller(1), |_| 7).await, Ok(7));
        pool.close();
        assert_eq!(pool.ask(caller(1), |_| 7).await, Err(Refusal::busy()), "closed");
    }

    #[tokio::test]
    async fn there_is_an_end_to_what_may_wait_and_to_patience() {
        let pool = Pool::new(1, Duration::from_millis(300)).unwrap();
        let (release, released) = mpsc::channel::<()>();
        let (began, has_begun) = mpsc::channel();
        // Ignores the flag, so that nothing else can run.
        let deaf = pool.ask(caller(1), move |_| {
            began.send(()).unwrap();
            released.recv().unwrap();
        });
        has_begun.recv().unwrap();
        let waiting: Vec<_> =
            (0..MOST_WAITING + MOST_STREAMS).map(|_| pool.ask(caller(2), |_| ())).collect();
        assert_eq!(pool.ask(caller(3), |_| ()).await, Err(Refusal::busy()), "too many wait");
        for question in waiting {
            assert_eq!(question.await, Err(Refusal::busy()), "they waited for too long");
        }
        release.send(()).unwrap();
        assert_eq!(deaf.await, Ok(()));
        pool.close();
    }

    #[tokio::test]
    async fn streams_are_few_and_places_are_given_back() {
        let pool = Pool::new(2, LONG).unwrap();
        let streams: Vec<_> = (0..MOST_STREAMS).map(|n| endless(&pool, n as u16)).collect();
        assert!(streams.iter().all(|(stream, _)| stream.is_ok()));
        assert!(endless(&pool, 99).0.is_err());
        assert_eq!(pool.ask(caller(99), |_| 7).await, Ok(7), "requests still get their turn");
        drop(streams);
        while pool.shared.lock().streams > 0 {
            tokio::task::yield_now().await;
        }
        assert!(endless(&pool, 99).0.is_ok());
        pool.close();
    }
}
