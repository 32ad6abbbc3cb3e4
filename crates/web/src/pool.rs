//! A pool of search threads with bounded, fair queues.
//!
//! It does two kinds of work. A *request* runs once and answers; while others
//! wait it must answer soon with what it has. A *stream* runs in many slices,
//! which are short while others wait. Dropping the [`WorkHandle`] stops the
//! search at once. A timer thread watches the clock for all. Where there are as
//! many streams as there may be, one that has had its time makes room for another.
//!
//! Play comes first: *light* work, a move that takes milliseconds, has threads
//! and a queue of its own. *Heavy* work waits, runs and is refused apart from
//! it, on threads that yield the processor to all others.

mod queue;
mod work;

pub(crate) use work::{Step, Work};

use crate::caller::Caller;
use crate::faults::Faults;
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

/// The most requests of one weight that may wait.
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
    /// Wakes a thread for light or heavy work: there is some, or the pool is closed.
    work: [Condvar; 2],
    /// Requests that were refused because too many waited, or for too long.
    refused: Faults,
    /// Wakes the timer: work has begun or waits.
    clock: Condvar,
}

struct State {
    /// Light and heavy work that waits.
    queues: [Queue<Client, Task>; 2],
    /// The work of each thread: those for light work, then those for heavy work.
    running: Vec<Option<Running>>,
    streams: usize,
    /// How many slices were done.
    slices: u64,
    is_closed: bool,
}

/// Whom the queues treat fairly.
type Client = (IpAddr, u16);

/// How much a search takes of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Weight {
    /// Milliseconds: a move of a level that looks only a few moves ahead.
    Light = 0,
    /// As much as it is given.
    Heavy = 1,
}

impl Weight {
    const ALL: [Weight; 2] = [Weight::Light, Weight::Heavy];
}

/// Work that waits or runs.
struct Task {
    work: Box<dyn Work>,
    ticket: Arc<Ticket>,
    weight: Weight,
    is_stream: bool,
    since: Instant,
}

/// The flags by which others stop work.
#[derive(Default)]
struct Ticket {
    is_cancelled: AtomicBool,
    /// Whether it must make room for another stream.
    is_leaving: AtomicBool,
    /// Ends the running slice.
    stop: Arc<AtomicBool>,
}

struct Running {
    ticket: Arc<Ticket>,
    weight: Weight,
    /// The end of the slice, if others of its weight wait.
    turn: Instant,
    /// The end of the work.
    deadline: Option<Instant>,
    /// From when on it may be ended to make room for another stream.
    may_leave_from: Option<Instant>,
}

/// How busy the pool is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Load {
    pub(crate) running: usize,
    pub(crate) queued: usize,
    /// Threads for heavy work.
    pub(crate) workers: usize,
}

/// The caller's hold on its work: dropping it cancels the work.
pub(crate) struct WorkHandle {
    pool: Pool,
    ticket: Arc<Ticket>,
}

impl Pool {
    /// Starts this many threads, at least one, for work of each weight. Requests that have waited for
    /// `patience` are refused.
    pub(crate) fn new(workers: usize, patience: Duration) -> std::io::Result<Pool> {
        let workers = workers.max(1);
        let state = State {
            queues: [Queue::new(), Queue::new()],
            running: (0..2 * workers).map(|_| None).collect(),
            streams: 0,
            slices: 0,
            is_closed: false,
        };
        let shared = Shared {
            patience,
            state: Mutex::new(state),
            work: [Condvar::new(), Condvar::new()],
            refused: Faults::default(),
            clock: Condvar::new(),
        };
        let pool = Pool { shared: Arc::new(shared), threads: Arc::default() };
        let mut threads = Vec::new();
        for (weight, number) in Weight::ALL.into_iter().flat_map(|weight| {
            (0..workers).map(move |number| (weight, weight as usize * workers + number))
        }) {
            let shared = Arc::clone(&pool.shared);
            let name = format!("search-{number}");
            let work = move || shared.serve(number, weight);
            threads.push(thread::Builder::new().name(name).spawn(work)?);
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
        weight: Weight,
        think: impl FnOnce(&Arc<AtomicBool>) -> R + Send + 'static,
    ) -> impl Future<Output = Result<R, Refusal>> + Send {
        let (work, answer) = Request::new(think);
        let handle = self.submit(caller, Box::new(work), weight, false);
        async move {
            let _handle = handle?;
            // No answer comes if `think` panicked.
            answer.await.unwrap_or_else(|_| Err(Refusal::internal()))
        }
    }

    /// Starts a stream, which is heavy work and reports through its own outbox.
    pub(crate) fn stream(
        &self,
        caller: Caller,
        work: Box<dyn Work>,
    ) -> Result<WorkHandle, Refusal> {
        self.submit(caller, work, Weight::Heavy, true)
    }

    fn submit(
        &self,
        caller: Caller,
        work: Box<dyn Work>,
        weight: Weight,
        is_stream: bool,
    ) -> Result<WorkHandle, Refusal> {
        let ticket = Arc::new(Ticket::default());
        let mut state = self.shared.lock();
        let is_full = match is_stream {
            true => state.streams >= MOST_STREAMS && !state.make_room(Instant::now()),
            false => state.queues[weight as usize].len() >= MOST_WAITING + MOST_STREAMS,
        };
        if is_full || state.is_closed {
            drop(state);
            if !is_stream {
                self.shared.count_refusals(1);
            }
            return Err(Refusal::busy());
        }
        state.streams += usize::from(is_stream);
        let (task_ticket, since) = (Arc::clone(&ticket), Instant::now());
        let task = Task { work, ticket: task_ticket, weight, is_stream, since };
        state.queues[weight as usize].push(caller.client(), task);
        self.shared.work[weight as usize].notify_one();
        self.shared.clock.notify_one();
        Ok(WorkHandle { pool: self.clone(), ticket })
    }

    /// Counts running and waiting work.
    pub(crate) fn load(&self) -> Load {
        let state = self.shared.lock();
        Load {
            running: state.running.iter().flatten().count(),
            queued: state.queues.iter().map(Queue::len).sum(),
            workers: state.running.len() / 2,
        }
    }

    /// How many slices of work were done.
    pub(crate) fn slices(&self) -> u64 {
        self.shared.lock().slices
    }

    /// Whether requests were refused lately because too many waited, or for too long.
    pub(crate) fn has_refused_moves(&self, now: Instant) -> bool {
        self.shared.refused.is_recent(now)
    }

    /// Whether half of what may wait does.
    pub(crate) fn is_queue_long(&self) -> bool {
        self.shared.lock().queues.iter().any(|queue| queue.len() >= MOST_WAITING / 2)
    }

    /// Stops all work and ends the threads.
    pub(crate) fn close(&self) {
        let mut state = self.shared.lock();
        state.is_closed = true;
        for running in state.running.iter().flatten() {
            running.ticket.cancel();
        }
        let left: Vec<Task> =
            state.queues.iter_mut().flat_map(|queue| queue.remove(|_| true)).collect();
        drop(state);
        for mut task in left {
            task.work.refuse(Refusal::busy());
        }
        self.shared.work.iter().for_each(Condvar::notify_all);
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
        let is_own = |task: &Task| Arc::ptr_eq(&task.ticket, &self.ticket);
        let gone: Vec<Task> =
            state.queues.iter_mut().flat_map(|queue| queue.remove(is_own)).collect();
        state.streams -= gone.iter().filter(|task| task.is_stream).count();
        // Drops the work without holding the lock.
        drop(state);
    }
}

impl Ticket {
    fn cancel(&self) {
        // In this order, because a new slice clears `stop` before it reads `is_cancelled`.
        self.is_cancelled.store(true, SeqCst);
        self.stop.store(true, SeqCst);
    }
}

impl State {
    /// Ends the stream that could have left first, to make room for another; false if none may be
    /// ended.
    fn make_room(&mut self, now: Instant) -> bool {
        let stays = |ticket: &Ticket| !ticket.is_leaving.load(SeqCst);
        let running = self.running.iter().flatten();
        let running = running.map(|running| (running.may_leave_from, &running.ticket));
        let waiting = self.queues.iter().flat_map(Queue::iter);
        let waiting = waiting.map(|task| (task.work.may_leave_from(), &task.ticket));
        let due = running.chain(waiting).filter_map(|(from, ticket)| Some((from?, ticket)));
        let due = due.filter(|(from, ticket)| *from <= now && stays(ticket));
        let Some((_, ticket)) = due.min_by_key(|(from, _)| *from) else { return false };
        // One that waits hears of it when its turn comes, which is soon: it has no more work.
        ticket.is_leaving.store(true, SeqCst);
        ticket.stop.store(true, SeqCst);
        true
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts refused requests, and logs some of them.
    fn count_refusals(&self, count: usize) {
        for _ in 0..count {
            if let Some(times) = self.refused.count(Instant::now()) {
                tracing::warn!(times, "searches refused: too many are asked for");
            }
        }
    }

    /// Does work of one weight until the pool is closed.
    fn serve(&self, number: usize, weight: Weight) {
        if weight == Weight::Heavy {
            yield_to_others();
        }
        let place = weight as usize;
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return;
            }
            let Some((client, mut task)) = state.queues[place].take() else {
                state = self.work[place].wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let began = Instant::now();
            task.ticket.stop.store(false, SeqCst);
            let (ticket, turn) = (Arc::clone(&task.ticket), began + task.work.slice());
            let (deadline, may_leave_from) = (task.work.deadline(), task.work.may_leave_from());
            let running = Running { ticket, weight, turn, deadline, may_leave_from };
            state.running[number] = Some(running);
            self.clock.notify_one();
            drop(state);

            let step = self.slice(&mut task);

            state = self.lock();
            state.running[number] = None;
            let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
            state.slices += 1;
            state.queues[place].charge(client, micros * u64::from(task.work.threads().max(1)));
            let is_wanted = !task.ticket.is_cancelled.load(SeqCst) && !state.is_closed;
            if step == Step::More && is_wanted {
                state.queues[place].push(client, task);
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
        let is_leaving = || task.ticket.is_leaving.load(SeqCst);
        let (work, stop) = (&mut task.work, &task.ticket.stop);
        let step = catch_unwind(AssertUnwindSafe(|| match is_leaving() {
            true => Step::More,
            false => work.go(stop),
        }));
        match step {
            Ok(Step::More) if is_leaving() => {
                task.work.leave();
                Step::Done
            }
            Ok(step) => step,
            Err(_) => {
                tracing::error!(weight = ?task.weight, "a search failed");
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
            let is_waiting = |weight: Weight| !state.queues[weight as usize].is_empty();
            let mut next: Option<Instant> = None;
            let mut note = |time: Instant| next = Some(next.map_or(time, |next| next.min(time)));
            for running in state.running.iter().flatten() {
                let turn = is_waiting(running.weight).then_some(running.turn);
                let Some(end) = turn.into_iter().chain(running.deadline).min() else { continue };
                if end <= now {
                    running.ticket.stop.store(true, SeqCst);
                } else {
                    note(end);
                }
            }
            for task in state.queues.iter().flat_map(Queue::iter).filter(|task| !task.is_stream) {
                note(task.since + self.patience);
            }
            let is_late = |task: &Task| !task.is_stream && task.since + self.patience <= now;
            let late: Vec<Task> =
                state.queues.iter_mut().flat_map(|queue| queue.remove(is_late)).collect();
            if !late.is_empty() {
                drop(state);
                self.count_refusals(late.len());
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

/// How nice threads for heavy work are: where others want the same processor, they get a tenth.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Lets all other threads of the program go first where they want the same processor.
#[cfg(target_os = "linux")]
fn yield_to_others() {
    // On Linux this concerns the calling thread alone. Without it, moves are only a little slower.
    let _ = rustix::process::nice(NICENESS);
}

/// Other systems share the processor alike.
#[cfg(not(target_os = "linux"))]
fn yield_to_others() {}

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

    /// A stream that runs until it is stopped, may leave at once, and tells when it does.
    struct Patient(mpsc::Sender<()>, Instant);

    impl Work for Patient {
        fn deadline(&self) -> Option<Instant> {
            None
        }

        fn may_leave_from(&self) -> Option<Instant> {
            Some(self.1)
        }

        fn leave(&mut self) {
            // The test may have ended.
            let _ = self.0.send(());
        }

        fn go(&mut self, stop: &Arc<AtomicBool>) -> Step {
            while !stop.load(SeqCst) {
                thread::yield_now();
            }
            Step::More
        }

        fn refuse(&mut self, _: Refusal) {}
    }

    /// Heavy work that has begun and ignores the flag: it ends when something is sent to it.
    fn deaf(pool: &Pool) -> (impl Future<Output = Result<(), Refusal>>, mpsc::Sender<()>) {
        let (release, released) = mpsc::channel();
        let (began, has_begun) = mpsc::channel();
        let question = pool.ask(caller(1), Weight::Heavy, move |_| {
            began.send(()).unwrap();
            released.recv().unwrap();
        });
        has_begun.recv().unwrap();
        (question, release)
    }

    #[tokio::test]
    async fn a_request_is_answered_while_a_stream_would_go_on_for_ever() {
        let pool = Pool::new(1, LONG).unwrap();
        let (stream, slices) = endless(&pool, 1);
        for number in 0..3 {
            assert_eq!(pool.ask(caller(2), Weight::Heavy, move |_| number).await, Ok(number));
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
    async fn light_work_is_answered_whatever_heavy_work_there_is() {
        let pool = Pool::new(1, LONG).unwrap();
        // Nothing else that is heavy can run.
        let (deaf, release) = deaf(&pool);
        let heavy: Vec<_> = (0..MOST_WAITING + MOST_STREAMS)
            .map(|_| pool.ask(caller(1), Weight::Heavy, |_| ()))
            .collect();
        let refused = pool.ask(caller(2), Weight::Heavy, |_| ()).await;
        assert_eq!(refused, Err(Refusal::busy()), "heavy work is refused first");
        assert!(pool.is_queue_long() && pool.has_refused_moves(Instant::now()));
        for number in 0..100 {
            let light = pool.ask(caller(1), Weight::Light, move |_| number).await;
            assert_eq!(light, Ok(number), "even of the same caller");
        }
        release.send(()).unwrap();
        assert_eq!(deaf.await, Ok(()));
        drop(heavy);
        assert!(!pool.is_queue_long());
        pool.close();
    }

    #[tokio::test]
    async fn who_leaves_stops_the_search() {
        let pool = Pool::new(1, LONG).unwrap();
        let (began, has_begun) = mpsc::channel();
        let (ended, has_ended) = mpsc::channel();
        let question = pool.ask(caller(1), Weight::Heavy, move |stop| {
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
        let failed: Result<(), Refusal> =
            pool.ask(caller(1), Weight::Heavy, |_| panic!("on purpose")).await;
        assert_eq!(failed, Err(Refusal::internal()));
        assert_eq!(pool.ask(caller(1), Weight::Heavy, |_| 7).await, Ok(7));
        pool.close();
        assert_eq!(pool.ask(caller(1), Weight::Heavy, |_| 7).await, Err(Refusal::busy()), "closed");
    }

    #[tokio::test]
    async fn there_is_an_end_to_what_may_wait_and_to_patience() {
        let pool = Pool::new(1, Duration::from_millis(300)).unwrap();
        // Nothing else that is heavy can run.
        let (deaf, release) = deaf(&pool);
        let waiting: Vec<_> = (0..MOST_WAITING + MOST_STREAMS)
            .map(|_| pool.ask(caller(2), Weight::Heavy, |_| ()))
            .collect();
        assert_eq!(
            pool.ask(caller(3), Weight::Heavy, |_| ()).await,
            Err(Refusal::busy()),
            "too many wait"
        );
        for question in waiting {
            assert_eq!(question.await, Err(Refusal::busy()), "they waited for too long");
        }
        release.send(()).unwrap();
        assert_eq!(deaf.await, Ok(()));
        pool.close();
    }

    #[tokio::test]
    async fn a_stream_that_has_had_its_time_makes_room_for_another() {
        let pool = Pool::new(2, LONG).unwrap();
        let (left, has_left) = mpsc::channel();
        let began = Instant::now();
        let _patient: Vec<_> = (0..3)
            .map(|port| pool.stream(caller(port), Box::new(Patient(left.clone(), began))).unwrap())
            .collect();
        let _others: Vec<_> = (3..MOST_STREAMS).map(|n| endless(&pool, n as u16)).collect();
        let late: Vec<_> = (0..3).map(|n| endless(&pool, 90 + n)).collect();
        assert!(late.iter().all(|(stream, _)| stream.is_ok()));
        for _ in 0..3 {
            has_left.recv().unwrap();
        }
        assert!(endless(&pool, 99).0.is_err(), "all others may stay");
        pool.close();
    }

    #[tokio::test]
    async fn streams_are_few_and_places_are_given_back() {
        let pool = Pool::new(2, LONG).unwrap();
        let streams: Vec<_> = (0..MOST_STREAMS).map(|n| endless(&pool, n as u16)).collect();
        assert!(streams.iter().all(|(stream, _)| stream.is_ok()));
        assert!(endless(&pool, 99).0.is_err());
        assert_eq!(
            pool.ask(caller(99), Weight::Heavy, |_| 7).await,
            Ok(7),
            "requests still get their turn"
        );
        drop(streams);
        while pool.shared.lock().streams > 0 {
            tokio::task::yield_now().await;
        }
        assert!(endless(&pool, 99).0.is_ok());
        pool.close();
    }
}
