//! Submitters and workers with a real server between them.

use futures_util::TryStreamExt;
use isrever_cluster::{
    Address, Cluster, News, RunStatus, Unfit, Unopened, Worker, WorkerEvent, cancel, status,
};
use isrever_jobs::{AnyWork, Attachment, Crew, Failure, Manifest, Origin, RunError, Work};
use isrever_testkit::NatsServer;
use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Barrier, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::io::AsyncReadExt;

/// A factor by which nothing is multiplied before the gate is open.
const SLOW: u64 = 999;

/// A factor by which nothing is ever multiplied.
const ENDLESS: u64 = 996;

/// A factor by which only rare machines can multiply.
const RARE: u64 = 998;

/// A factor by which machines can multiply once they have been equipped for it.
const LEARNT: u64 = 997;

static EQUIPPED: AtomicBool = AtomicBool::new(false);

static GATE: AtomicBool = AtomicBool::new(false);

/// Multiplies; but some numbers are poison.
struct Times {
    factor: u64,
    poison: Option<u64>,
    file: Option<PathBuf>,
    memory_bytes: u64,
    speed: Option<u64>,
}

impl Times {
    fn new(factor: u64) -> Times {
        Times { factor, poison: None, file: None, memory_bytes: 0, speed: None }
    }

    fn read(text: &str, find: &dyn Fn(&str) -> Option<PathBuf>) -> Result<Times, String> {
        let (factor, poison) = text.split_once(' ').ok_or("not two numbers")?;
        let file = find("attached-1/factor.txt");
        let from_file = file.as_ref().map(|file| fs::read_to_string(file).unwrap());
        let factor = from_file.as_deref().unwrap_or(factor).trim().parse();
        let factor = factor.map_err(|_| "no factor".to_owned())?;
        Ok(Times { poison: poison.parse().ok(), file, ..Times::new(factor) })
    }
}

impl Work for Times {
    type Job = u64;
    type Output = u64;
    type ThreadState = ();

    fn thread_state(&self) {}

    fn perform(&self, (): &mut (), job: &u64, stop: &Arc<AtomicBool>) -> Result<u64, Failure> {
        assert!(Some(*job) != self.poison, "{job} is poison");
        while self.factor == ENDLESS || (self.factor == SLOW && !GATE.load(Relaxed)) {
            if stop.load(Relaxed) {
                return Err(Failure::Stopped);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(job * self.factor)
    }

    fn manifest(&self) -> Result<Manifest, String> {
        let poison = self.poison.map_or_else(|| "-".to_owned(), |poison| poison.to_string());
        let name = "attached-1/factor.txt".to_owned();
        let attached = self.file.clone().map(|path| Attachment { name, path });
        let text = format!("{} {poison}", self.factor);
        let attachments = attached.into_iter().collect();
        let Times { memory_bytes, speed, .. } = *self;
        Ok(Manifest { text, attachments, memory_bytes, speed, ..Manifest::new("times", &()) })
    }
}

/// An empty directory of the test called `name`.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn address(url: String) -> Address {
    Address { url, ..Address::default() }
}

/// A worker on a thread, which ends with this value.
struct Hired {
    drain: Arc<AtomicBool>,
    stop: Arc<AtomicBool>,
    events: Arc<Mutex<Vec<WorkerEvent>>>,
    thread: Option<JoinHandle<()>>,
}

impl Hired {
    fn new(url: String, name: &str, version: &str) -> Hired {
        Hired::fast(url, name, version, 1e6)
    }

    fn fast(url: String, name: &str, version: &str, speed: f64) -> Hired {
        Hired::at(address(url), name, version, speed)
    }

    /// A worker with more memory than others, on a rare machine.
    fn large(url: String, name: &str) -> Hired {
        Hired::with(address(url), name, "1.0", 1e6, 4 << 30)
    }

    fn at(address: Address, name: &str, version: &str, speed: f64) -> Hired {
        Hired::with(address, name, version, speed, 1 << 30)
    }

    fn with(address: Address, name: &str, version: &str, speed: f64, memory_bytes: u64) -> Hired {
        let is_rare = name.contains("rare");
        let (drain, events) = (Arc::new(AtomicBool::new(false)), Arc::<Mutex<Vec<_>>>::default());
        let (heard, stop) = (Arc::clone(&events), Arc::<AtomicBool>::default());
        let worker = Worker {
            address,
            version: version.to_owned(),
            origin: Origin { worker: name.to_owned(), speed },
            threads: 2,
            memory_bytes,
            kinds: vec!["times".to_owned()],
            attempts: 3,
            folder: directory(&format!("files of {name}")),
            open: Box::new(move |sent, find| {
                let times = Times::read(&sent.text, find)?;
                if times.factor == RARE && !is_rare {
                    return Err(Unopened::Unfit("no machine here is rare".to_owned()));
                }
                if times.factor == LEARNT && !EQUIPPED.load(Relaxed) {
                    return Err(Unopened::Unfit("it is not equipped".to_owned()));
                }
                Ok(Arc::new(times) as Arc<dyn AnyWork>)
            }),
            drain: Arc::clone(&drain),
            stop: Arc::clone(&stop),
            tell: Box::new(move |event| heard.lock().unwrap().push(event)),
        };
        let thread = std::thread::spawn(move || worker.run().unwrap());
        Hired { drain, stop, events, thread: Some(thread) }
    }

    /// Ends it, and says how many jobs it has done: only now it has told of all.
    fn end(self) -> usize {
        let events = Arc::clone(&self.events);
        drop(self);
        count_done(&events.lock().unwrap())
    }

    fn done(&self) -> usize {
        count_done(&self.events.lock().unwrap())
    }
}

impl Drop for Hired {
    fn drop(&mut self) {
        self.drain.store(true, Relaxed);
        let ended = self.thread.take().unwrap().join();
        assert!(ended.is_ok() || std::thread::panicking());
    }
}

fn count_done(events: &[WorkerEvent]) -> usize {
    events.iter().filter(|event| matches!(event, WorkerEvent::Done(..))).count()
}

/// A crew of a cluster, and what it tells.
fn crew(url: String, purpose: &str) -> (Crew, Arc<Mutex<Vec<News>>>) {
    let told = Arc::<Mutex<Vec<News>>>::default();
    (crew_at(address(url), purpose, &told), told)
}

fn crew_at(address: Address, purpose: &str, told: &Arc<Mutex<Vec<News>>>) -> Crew {
    let heard = Arc::clone(told);
    Crew::Elsewhere(Arc::new(Cluster {
        address,
        version: "1.0".to_owned(),
        purpose: purpose.to_owned(),
        title: format!("test:/{purpose}"),
        tell: Box::new(move |news| heard.lock().unwrap().push(news)),
    }))
}

/// The outputs of jobs 0 to `count`, or why there are not all.
fn outputs(crew: &Crew, work: &Times, count: u64) -> Result<Vec<u64>, RunError<String>> {
    let mut outputs = Vec::new();
    let mut take = |_, output| {
        outputs.push(output);
        Ok(())
    };
    crew.in_order(work, 0..count, |number| number, &mut take, &AtomicBool::new(false))?;
    Ok(outputs)
}

#[test]
fn what_comes_out_is_what_threads_of_this_machine_make_of_it() {
    let server = NatsServer::plain(&directory("alike"));
    let workers = ["a", "b"].map(|name| Hired::new(server.url(""), name, "1.0"));
    let (crew, _) = crew(server.url(""), "alike");
    let expected = outputs(&Crew::Here(2), &Times::new(3), 500).unwrap();
    assert_eq!(outputs(&crew, &Times::new(3), 500).unwrap(), expected);
    // Once more, and other work: nothing of the last run is left.
    assert_eq!(outputs(&crew, &Times::new(3), 500).unwrap(), expected);
    let other = outputs(&crew, &Times::new(5), 300).unwrap();
    assert_eq!(other, (0..300).map(|n| 5 * n).collect::<Vec<_>>());
    let done: usize = workers.iter().map(Hired::done).sum();
    assert!(done >= 1_000 && workers.iter().all(|worker| worker.done() > 0), "{done}");
    let status = status(&address(server.url(""))).unwrap();
    assert_eq!((status.queued, status.running, status.runs.len()), (0, 0, 0));
    let names: Vec<_> = status.workers.iter().map(|worker| worker.worker.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
}

#[test]
fn files_go_by_digest() {
    let folder = directory("digests");
    let server = NatsServer::plain(&folder);
    let _worker = Hired::new(server.url(""), "files", "1.0");
    let (crew, _) = crew(server.url(""), "files");
    let file = folder.join("factor.txt");
    for factor in [7, 11] {
        fs::write(&file, factor.to_string()).unwrap();
        let work = Times { file: Some(file.clone()), ..Times::new(0) };
        let expected: Vec<_> = (0..20).map(|n| factor * n).collect();
        assert_eq!(outputs(&crew, &work, 20).unwrap(), expected);
    }
    let work = Times { file: Some(folder.join("missing")), ..Times::new(0) };
    let error = outputs(&crew, &work, 20).unwrap_err().to_string();
    assert!(error.contains("missing: "), "{error}");
}

/// Overwrites what the server's store has for some content.
fn overwrite(server: &NatsServer, is_meant: fn(&[u8]) -> bool) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = async_nats::connect(server.url("")).await.unwrap();
        let context = async_nats::jetstream::new(client);
        let store = context.get_object_store("isrever-files").await.unwrap();
        let objects: Vec<_> = store.list().await.unwrap().try_collect().await.unwrap();
        let mut overwritten = 0;
        for object in objects {
            let mut bytes = Vec::new();
            store.get(&object.name).await.unwrap().read_to_end(&mut bytes).await.unwrap();
            if is_meant(&bytes) {
                // As long as before: the length tells nothing.
                bytes[0] ^= 1;
                store.put(object.name.as_str(), &mut &bytes[..]).await.unwrap();
                overwritten += 1;
            }
        }
        assert_eq!(overwritten, 1);
    });
}

#[test]
fn a_file_or_manifest_whose_bytes_are_not_those_of_its_digest_is_refused_and_sent_again() {
    let folder = directory("altered");
    let server = NatsServer::plain(&folder);
    let file = folder.join("factor.txt");
    fs::write(&file, "7").unwrap();
    let is_file: fn(&[u8]) -> bool = |bytes| bytes == b"7";
    let is_manifest: fn(&[u8]) -> bool = |bytes| bytes.starts_with(b"{");
    let count = 300;
    for (purpose, what, is_meant) in
        [("altered file", "factor.txt", is_file), ("altered manifest", "the manifest", is_manifest)]
    {
        let work = || Times { file: Some(file.clone()), ..Times::new(0) };
        let expected = outputs(&Crew::Here(2), &Times::new(7), count).unwrap();
        // Something is done before.
        let worker = Hired::new(server.url(""), "before", "1.0");
        let stop = AtomicBool::new(false);
        let (begun, _) = crew(server.url(""), purpose);
        let mut take = |number, _| {
            stop.store(number >= 100, Relaxed);
            Ok::<(), String>(())
        };
        assert!(!begun.in_order(&work(), 0..count, |n| n, &mut take, &stop).unwrap());
        let before = worker.end();
        assert!((101..count as usize).contains(&before), "{before}");
        // The run goes on, and what it has sent is overwritten before a worker comes.
        let (resumed, told) = crew(server.url(""), purpose);
        let resumed_work = work();
        let run = std::thread::spawn(move || outputs(&resumed, &resumed_work, count));
        let is_given_out = |run: &RunStatus| run.has_submitter && run.queued > 0;
        wait_until("jobs are queued", || runs(&server).iter().any(is_given_out));
        overwrite(&server, is_meant);
        let worker = Hired::new(server.url(""), "deceived", "1.0");
        let error = run.join().unwrap().unwrap_err().to_string();
        let begin = format!("deceived cannot do these jobs: {what}");
        let end = "; expected what was sent; resuming the run sends it again";
        assert!(error.starts_with(&begin) && error.ends_with(end), "{error}");
        assert!(error.contains("holds something else (") && error.lines().count() == 1, "{error}");
        assert!(!told.lock().unwrap().iter().any(|news| matches!(news, News::SetAside { .. })));
        assert_eq!(worker.end(), 0, "nothing is computed with it");
        // The same command heals it, and what was done is not done again.
        let worker = Hired::new(server.url(""), "after", "1.0");
        let (again, _) = crew(server.url(""), purpose);
        assert_eq!(outputs(&again, &work(), count).unwrap(), expected);
        assert_eq!(worker.end(), count as usize - before);
    }
}

#[test]
fn a_poison_job_is_set_aside_with_its_reason_and_the_rest_is_done() {
    let server = NatsServer::plain(&directory("poison"));
    let worker = Hired::new(server.url(""), "poisoned", "1.0");
    let (crew, told) = crew(server.url(""), "poison");
    let mut taken = BTreeMap::new();
    let given = Mutex::new(0..40_u64);
    let next = || match given.lock().unwrap().next() {
        Some(number) => isrever_jobs::Next::Job(number, number),
        None => isrever_jobs::Next::Nothing,
    };
    let mut take = |done: isrever_jobs::Done<u64>| {
        assert_eq!(done.origin.unwrap().worker, "poisoned");
        taken.insert(done.number, done.output);
        Ok::<(), String>(())
    };
    let work = Times { poison: Some(13), ..Times::new(2) };
    let ended = crew.run(&work, &next, &mut take, &AtomicBool::new(false));
    let error = ended.unwrap_err().to_string();
    assert!(
        error.contains("job 13 was set aside: tried 3 times: it panicked: 13 is poison"),
        "{error}"
    );
    let expected: BTreeMap<u64, u64> = (0..40).filter(|n| *n != 13).map(|n| (n, 2 * n)).collect();
    assert_eq!(taken, expected);
    assert!(
        told.lock().unwrap().iter().any(|news| matches!(news, News::SetAside { number: 13, .. }))
    );
    // Once it has ended, it has told all.
    let events = Arc::clone(&worker.events);
    drop(worker);
    let events = events.lock().unwrap();
    let failed = events.iter().filter(|event| matches!(event, WorkerEvent::Failed(..))).count();
    assert_eq!(failed, 3);
}

#[test]
fn a_manifest_that_no_worker_can_read_ends_the_run_with_a_line() {
    /// Says that it multiplies, and does not say by what.
    struct Nonsense;

    impl Work for Nonsense {
        type Job = u64;
        type Output = u64;
        type ThreadState = ();

        fn thread_state(&self) {}

        fn perform(&self, (): &mut (), _: &u64, _: &Arc<AtomicBool>) -> Result<u64, Failure> {
            unreachable!("it is never done")
        }

        fn manifest(&self) -> Result<Manifest, String> {
            Ok(Manifest::new("times", &"nonsense"))
        }
    }

    let server = NatsServer::plain(&directory("nonsense"));
    let _worker = Hired::new(server.url(""), "reader", "1.0");
    let (crew, _) = crew(server.url(""), "nonsense");
    let mut take = |_, _| Ok::<(), String>(());
    let ended = crew.in_order(&Nonsense, 0..9, |n| n, &mut take, &AtomicBool::new(false));
    let error = ended.unwrap_err().to_string();
    assert_eq!(error, "reader cannot do these jobs: not two numbers");
}

#[test]
fn workers_of_another_version_are_told_of_and_get_no_jobs() {
    let server = NatsServer::plain(&directory("versions"));
    let other = Hired::new(server.url(""), "other", "2.0");
    let (crew, told) = crew(server.url(""), "versions");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let unfit = unfit("other", Unfit::Version("2.0".to_owned()));
            let begin = Instant::now();
            while !told.lock().unwrap().contains(&unfit) {
                assert!(begin.elapsed() < Duration::from_secs(300), "it is not told of");
                std::thread::sleep(Duration::from_millis(20));
            }
            stop.store(true, Relaxed);
        });
        let mut take = |_, _| Ok::<(), String>(());
        let over = crew.in_order(&Times::new(1), 0..100, |n| n, &mut take, &stop);
        assert!(!over.unwrap(), "nobody did it");
    });
    assert_eq!(other.done(), 0);
    // What was stopped is not left in the queue.
    assert_eq!(status(&address(server.url(""))).unwrap().queued, 0);
}

/// The news that a worker does not take the jobs, and nobody else is there.
fn unfit(worker: &str, why: Unfit) -> News {
    News::Workers { fit: 0, threads: 0, unfit: vec![(worker.to_owned(), why)] }
}

/// Waits for something that is to happen.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < Duration::from_secs(300), "not yet: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn many_may_come_to_a_new_server_at_once() {
    for round in 0..8 {
        let server = NatsServer::plain(&directory(&format!("first {round}")));
        let begin = Barrier::new(12);
        std::thread::scope(|scope| {
            let ask = || {
                let asked = address(server.url(""));
                begin.wait();
                status(&asked).map(|status| status.queued)
            };
            let asks = [(); 12].map(|()| scope.spawn(ask));
            for ask in asks {
                assert_eq!(ask.join().unwrap().unwrap(), 0);
            }
        });
    }
}

#[test]
fn runs_at_the_same_time_do_not_hinder_each_other() {
    let server = NatsServer::plain(&directory("two runs"));
    let runs = [2, 3].map(|factor| {
        let (crew, _) = crew(server.url(""), "two runs");
        let run = std::thread::spawn(move || outputs(&crew, &Times::new(factor), 60).unwrap());
        let asked = address(server.url(""));
        let open = 60 * (factor - 1);
        wait_until("its jobs are queued", || status(&asked).unwrap().queued == open);
        (factor, run)
    });
    let _worker = Hired::new(server.url(""), "shared", "1.0");
    for (factor, run) in runs {
        assert!(run.join().unwrap().into_iter().eq((0..60).map(|number| factor * number)));
    }
    assert_eq!(status(&address(server.url(""))).unwrap().queued, 0);
}

#[test]
fn a_worker_holds_no_more_than_it_does_and_what_it_gives_back_is_no_attempt() {
    let server = NatsServer::plain(&directory("given back"));
    let (crew, _) = crew(server.url(""), "given back");
    let run = std::thread::spawn(move || outputs(&crew, &Times::new(SLOW), 12));
    let asked = address(server.url(""));
    let held = || -> Vec<usize> {
        let workers = status(&asked).unwrap().workers;
        workers.iter().map(|worker| worker.running.len()).collect()
    };
    // Three attempts are what a job has, and each of these workers gives two back.
    for round in 0..5 {
        let worker = Hired::new(server.url(""), &format!("given back {round}"), "1.0");
        wait_until("it has begun two", || held() == [2]);
        for _ in 0..5 {
            assert_eq!(held(), [2], "and takes no more");
        }
        worker.stop.store(true, Relaxed);
        assert_eq!(worker.end(), 0);
    }
    GATE.store(true, Relaxed);
    let worker = Hired::new(server.url(""), "patient", "1.0");
    let all = run.join().unwrap().unwrap();
    assert!(all.into_iter().eq((0..12).map(|number| SLOW * number)));
    assert_eq!(worker.end(), 12);
}

#[test]
fn slow_workers_leave_jobs_that_ask_for_speed_to_others() {
    let server = NatsServer::plain(&directory("speed"));
    let slow = Hired::fast(server.url(""), "slow", "1.0", 1e6);
    let (crew, told) = crew(server.url(""), "speed");
    let timed = Times { speed: Some(2_000_000), ..Times::new(3) };
    std::thread::scope(|scope| {
        let all = scope.spawn(|| outputs(&crew, &timed, 60).unwrap());
        let unfit = unfit("slow", Unfit::Speed(2_000_000));
        let begin = Instant::now();
        while !told.lock().unwrap().contains(&unfit) {
            assert!(begin.elapsed() < Duration::from_secs(300), "it is not told of");
            std::thread::sleep(Duration::from_millis(20));
        }
        // It comes later, and finds the jobs.
        let fast = Hired::fast(server.url(""), "fast", "1.0", 2e6);
        assert!(all.join().unwrap().into_iter().eq((0..60).map(|number| 3 * number)));
        assert_eq!((slow.done(), fast.end()), (0, 60));
    });
    // What asks for nothing, any worker does.
    outputs(&crew, &Times::new(3), 20).unwrap();
    assert_eq!(slow.end(), 20);
}

#[test]
fn jobs_that_a_machine_cannot_do_are_left_to_others_however_often_it_meets_them() {
    let server = NatsServer::plain(&directory("memory"));
    let small = Hired::new(server.url(""), "small", "1.0");
    let (crew, told) = crew(server.url(""), "memory");
    let all = Times { memory_bytes: 1 << 30, ..Times::new(5) };
    assert_eq!(outputs(&crew, &all, 9).unwrap()[8], 40, "one after another they have room");
    wait_until("it has told of all", || small.done() == 9);
    let large = Times { memory_bytes: (1 << 30) + 1, ..Times::new(5) };
    let lacking = "a job takes 1025 MiB of memory; this worker has 1024";
    for (work, why) in [(large, lacking), (Times::new(RARE), "no machine here is rare")] {
        let before = small.done();
        std::thread::scope(|scope| {
            let all = scope.spawn(|| outputs(&crew, &work, 20).unwrap());
            let unfit = unfit("small", Unfit::Machine(why.to_owned()));
            wait_until("it is told of", || told.lock().unwrap().contains(&unfit));
            // It has met more jobs than it has attempts, and none is set aside.
            wait_until("it has left some", || {
                let events = small.events.lock().unwrap();
                events.contains(&WorkerEvent::Unfit(why.to_owned()))
            });
            let other = Hired::large(server.url(""), "rare and large");
            let factor = work.factor;
            assert!(all.join().unwrap().into_iter().eq((0..20).map(|number| factor * number)));
            assert_eq!(other.end(), 20);
        });
        assert_eq!(small.done(), before);
    }
}

#[test]
fn a_worker_that_was_equipped_meanwhile_is_fit_again() {
    let server = NatsServer::plain(&directory("equipped"));
    let worker = Hired::new(server.url(""), "learner", "1.0");
    let (crew, _) = crew(server.url(""), "equipped");
    let run = std::thread::spawn(move || outputs(&crew, &Times::new(LEARNT), 5).unwrap());
    let asked = address(server.url(""));
    let unfit = || Some(status(&asked).unwrap().workers.first()?.unfit.len());
    wait_until("it is unfit", || unfit() == Some(1));
    EQUIPPED.store(true, Relaxed);
    assert!(run.join().unwrap().into_iter().eq((0..5).map(|number| LEARNT * number)));
    wait_until("it is fit", || unfit() == Some(0));
    assert_eq!(worker.end(), 5);
}

#[test]
fn a_worker_tells_only_of_jobs_that_threads_are_at() {
    let server = NatsServer::plain(&directory("begun"));
    let worker = Hired::new(server.url(""), "teller", "1.0");
    let (crew, _) = crew(server.url(""), "begun");
    let run = std::thread::spawn(move || outputs(&crew, &Times::new(4), 4_000).unwrap());
    let asked = address(server.url(""));
    // Short jobs: some wait here for one of the two threads.
    while !run.is_finished() {
        let workers = status(&asked).unwrap().workers;
        assert!(workers.iter().all(|worker| worker.running.len() <= 2), "{workers:?}");
    }
    run.join().unwrap();
    assert_eq!(worker.end(), 4_000);
}

/// The runs that a server knows of.
fn runs(server: &NatsServer) -> Vec<RunStatus> {
    status(&address(server.url(""))).unwrap().runs
}

/// A run of `count` jobs whose submitter is gone, and nothing of which was taken back.
fn given_up(
    server: &NatsServer,
    purpose: &str,
    work: &Times,
    count: u64,
    is_left: fn(&RunStatus) -> bool,
) {
    let (crew, _) = crew(server.url(""), purpose);
    let title = format!("test:/{purpose}");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let begun = |run: &RunStatus| run.title.as_ref() == Some(&title) && is_left(run);
            wait_until("it has come so far", || runs(server).iter().any(begun));
            stop.store(true, Relaxed);
        });
        let mut take = |_, _| Ok::<(), String>(());
        let over = crew.in_order(work, 0..count, |n| n, &mut take, &stop);
        assert!(!over.unwrap(), "it was stopped");
    });
}

#[test]
fn runs_are_listed_with_their_jobs_and_whoever_waits_for_them() {
    let folder = directory("listed");
    let server = NatsServer::plain(&folder);
    let file = folder.join("factor.txt");
    fs::write(&file, "3").unwrap();
    let work = Times { file: Some(file), poison: Some(1), ..Times::new(0) };
    let (first, _) = crew(server.url(""), "listed");
    let (second, _) = crew(server.url(""), "listed too");
    let run = std::thread::spawn(move || outputs(&first, &work, 200));
    wait_until("it is there", || runs(&server).iter().any(|run| run.queued == 64));
    let other = std::thread::spawn(move || outputs(&second, &Times::new(5), 7).unwrap());
    wait_until("both are there", || runs(&server).iter().map(|run| run.queued).eq([64, 7]));
    for _ in 0..3 {
        let listed = runs(&server);
        let title: Vec<_> = listed.iter().map(|run| run.title.as_deref().unwrap()).collect();
        assert_eq!(title, ["test:/listed", "test:/listed too"]);
        assert_eq!(listed[0].total, Some(200));
        assert!(listed.iter().all(|run| run.kind == "times" && run.has_submitter));
        assert!(listed.iter().all(|run| (run.running, run.done, run.failed) == (0, 0, 0)));
        assert!(listed[0].bytes > 64 && listed[0].begun_ms < listed[1].begun_ms);
    }
    let worker = Hired::new(server.url(""), "lister", "1.0");
    assert_eq!(other.join().unwrap(), [0, 5, 10, 15, 20, 25, 30]);
    assert!(run.join().unwrap().is_err(), "one is poison");
    worker.end();
    // What was set aside is tried again by the same command; what is done stays until then.
    let listed = runs(&server);
    let counts = |run: &RunStatus| (run.queued, run.done, run.failed, run.has_submitter);
    assert_eq!(listed.iter().map(counts).collect::<Vec<_>>(), [(0, 199, 1, false)]);
}

#[test]
fn a_run_that_was_cancelled_leaves_nothing_and_begins_anew_with_a_word() {
    let folder = directory("cancelled");
    let server = NatsServer::plain(&folder);
    let file = folder.join("factor.txt");
    fs::write(&file, "3").unwrap();
    let asked = address(server.url(""));
    let work = || Times { file: Some(file.clone()), ..Times::new(0) };
    let worker = Hired::new(server.url(""), "canceller", "1.0");
    given_up(&server, "cancelled", &work(), 1_000_000, |run| run.done > 100);
    let [run] = &runs(&server)[..] else { panic!("one run is left") };
    assert!(run.done > 100 && run.queued == 0 && !run.has_submitter, "{run:?}");
    worker.end();
    let cancelled = cancel(&asked, &run.run).unwrap();
    let counts = (cancelled.jobs, cancelled.files, cancelled.had_submitter);
    assert_eq!(counts, (0, 2, false), "{cancelled:?}");
    assert!(cancelled.outputs >= run.done);
    assert_eq!(runs(&server), []);
    // The same once more: its file is sent again, and it says that it was cancelled.
    let (crew, told) = crew(server.url(""), "cancelled");
    let worker = Hired::new(server.url(""), "canceller", "1.0");
    assert!(outputs(&crew, &work(), 20).unwrap().into_iter().eq((0..20).map(|number| 3 * number)));
    assert_eq!(worker.end(), 20);
    let is_so = |news: &News| matches!(news, News::Cancelled { .. });
    assert_eq!(told.lock().unwrap().iter().filter(|news| is_so(news)).count(), 1);
}

#[test]
fn whoever_waits_for_a_cancelled_run_is_told_and_workers_leave_its_jobs() {
    let server = NatsServer::plain(&directory("waited for"));
    let (first, _) = crew(server.url(""), "waited for");
    let (second, _) = crew(server.url(""), "beside it");
    let run = std::thread::spawn(move || outputs(&first, &Times::new(ENDLESS), 500));
    let worker = Hired::new(server.url(""), "leaving", "1.0");
    let endless = || runs(&server).into_iter().find(|run| run.total == Some(500));
    wait_until("it is begun", || endless().is_some_and(|run| run.running == 2));
    let other = std::thread::spawn(move || outputs(&second, &Times::new(5), 30).unwrap());
    wait_until("both are there", || runs(&server).len() == 2);
    let cancelled = cancel(&address(server.url("")), &endless().unwrap().run).unwrap();
    assert!(cancelled.had_submitter, "{cancelled:?}");
    let error = run.join().unwrap().unwrap_err().to_string();
    assert_eq!(error, "the run was cancelled by isrever cluster cancel");
    // Its jobs never end by themselves, and hold the worker no longer; the other run is whole.
    assert!(other.join().unwrap().into_iter().eq((0..30).map(|number| 5 * number)));
    // Begun anew at once, none of its jobs is taken for one of those that were cancelled.
    let (again, told) = crew(server.url(""), "waited for");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let jobs = |run: RunStatus| (run.queued, run.running);
            wait_until("it is begun", || endless().map(jobs) == Some((68, 2)));
            stop.store(true, Relaxed);
        });
        let mut take = |_, _| Ok::<(), String>(());
        let over = again.in_order(&Times::new(ENDLESS), 0..500, |n| n, &mut take, &stop);
        assert!(!over.unwrap(), "it was stopped");
    });
    assert!(told.lock().unwrap().iter().any(|news| matches!(news, News::Cancelled { .. })));
    worker.stop.store(true, Relaxed);
    assert_eq!(worker.end(), 30);
    assert_eq!(runs(&server), []);
    assert_eq!(status(&address(server.url(""))).unwrap().queued, 0);
}

#[test]
fn jobs_that_were_set_aside_are_tried_again_when_the_run_is_resumed() {
    let server = NatsServer::plain(&directory("tried again"));
    let (crew, _) = crew(server.url(""), "tried again");
    let work = Times { poison: Some(13), ..Times::new(2) };
    let worker = Hired::new(server.url(""), "careless", "1.0");
    for _ in 0..2 {
        let error = outputs(&crew, &work, 40).unwrap_err().to_string();
        assert!(error.contains("job 13 was set aside: tried 3 times"), "{error}");
    }
    // Three attempts in each run, and nothing else was done twice.
    let events = Arc::clone(&worker.events);
    drop(worker);
    let events = events.lock().unwrap();
    let failed = events.iter().filter(|event| matches!(event, WorkerEvent::Failed(..))).count();
    assert_eq!((failed, count_done(&events)), (6, 39));
}

#[test]
fn a_run_that_was_killed_goes_on_with_what_was_done_meanwhile() {
    let server = NatsServer::plain(&directory("resumed"));
    let worker = Hired::new(server.url(""), "steady", "1.0");
    let work = Times::new(9);
    // Stopped in the middle: what the worker had begun is done, and waits for whoever asks again.
    let stop = AtomicBool::new(false);
    let (first, _) = crew(server.url(""), "resumed");
    let mut take = |number, _| {
        stop.store(number >= 150, Relaxed);
        Ok::<(), String>(())
    };
    assert!(!first.in_order(&work, 0..100_000, |n| n, &mut take, &stop).unwrap());
    let (second, _) = crew(server.url(""), "resumed");
    let expected: Vec<_> = (0..300).map(|n| 9 * n).collect();
    let before = worker.done();
    assert_eq!(outputs(&second, &work, 300).unwrap(), expected);
    let done = worker.done() - before;
    assert!(done <= 200, "{done} of 300 were done again or anew");
}

#[test]
fn a_server_that_is_killed_and_started_again_forgets_nothing() {
    let mut server = NatsServer::plain(&directory("restarted"));
    let url = server.url("");
    let worker = Hired::new(url.clone(), "patient", "1.0");
    let (crew, _) = crew(url, "restarted");
    let count = 30_000;
    let run = std::thread::spawn(move || outputs(&crew, &Times::new(4), count).unwrap());
    for _ in 0..2 {
        let before = worker.done();
        let begin = Instant::now();
        while worker.done() < before + 200 && !run.is_finished() {
            assert!(begin.elapsed() < Duration::from_secs(300), "nothing is done");
            std::thread::sleep(Duration::from_millis(5));
        }
        server.restart();
    }
    assert_eq!(run.join().unwrap(), (0..count).map(|n| 4 * n).collect::<Vec<_>>());
}

#[test]
fn a_server_that_goes_away_is_told_of_once_and_so_is_its_return() {
    let mut server = NatsServer::plain(&directory("away"));
    let url = server.url("");
    let worker = Hired::new(url.clone(), "waiting", "1.0");
    let (crew, told) = crew(url, "away");
    let run = std::thread::spawn(move || outputs(&crew, &Times::new(4), 30_000).unwrap());
    let is_told = |news: &News| told.lock().unwrap().contains(news);
    let heard = |event: &WorkerEvent| worker.events.lock().unwrap().contains(event);
    let threads = |news: &News| matches!(news, News::Workers { fit: 1, threads: 2, .. });
    wait_until("its worker is counted", || told.lock().unwrap().iter().any(threads));
    server.kill();
    wait_until("all know", || is_told(&News::Away) && heard(&WorkerEvent::Away));
    assert!(!is_told(&News::Back) && !heard(&WorkerEvent::Back));
    server.restart();
    wait_until("all know", || is_told(&News::Back) && heard(&WorkerEvent::Back));
    assert_eq!(run.join().unwrap().len(), 30_000);
    let told = told.lock().unwrap();
    for news in [News::Away, News::Back] {
        assert_eq!(told.iter().filter(|other| **other == news).count(), 1, "{told:?}");
    }
    let first = told.iter().position(threads).unwrap();
    let nobody = |news: &News| matches!(news, News::Workers { fit: 0, .. });
    assert!(
        !told[first..].iter().any(nobody),
        "its worker had not the time to come back: {told:?}"
    );
}

#[test]
fn a_worker_that_is_told_to_stop_does_not_wait_for_a_frozen_server() {
    let mut server = NatsServer::plain(&directory("frozen"));
    let worker = Hired::new(server.url(""), "frozen", "1.0");
    let (crew, _) = crew(server.url(""), "frozen");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let run = scope.spawn(|| {
            let mut take = |_, _| Ok::<(), String>(());
            crew.in_order(&Times::new(ENDLESS), 0..2, |n| n, &mut take, &stop)
        });
        let begun = |event: &&WorkerEvent| matches!(event, WorkerEvent::Begun(_));
        let heard = |is_so: &dyn Fn(&[WorkerEvent]) -> bool| is_so(&worker.events.lock().unwrap());
        wait_until("it has begun two", || {
            heard(&|events| events.iter().filter(begun).count() == 2)
        });
        server.freeze();
        worker.stop.store(true, Relaxed);
        let left = |event: &WorkerEvent| matches!(event, WorkerEvent::Left { jobs: 2, .. });
        wait_until("it leaves them", || heard(&|events| events.iter().any(left)));
        assert_eq!(worker.end(), 0);
        // Others can do them when the server is back: the run still waits for them.
        server.restart();
        let other = Hired::new(server.url(""), "frozen later", "1.0");
        let begins = || other.events.lock().unwrap().iter().filter(begun).count() == 2;
        wait_until("somebody else begins them", begins);
        stop.store(true, Relaxed);
        other.stop.store(true, Relaxed);
        assert!(!run.join().unwrap().unwrap(), "it was stopped");
    });
}

#[test]
fn a_server_without_room_ends_the_run_with_a_line_and_loses_nothing() {
    let folder = directory("full");
    let mut server =
        NatsServer::start(&folder, "jetstream { store_dir: \"streams\", max_file_store: 60000 }");
    let worker = Hired::new(server.url(""), "writer", "1.0");
    let (crew, _) = crew(server.url(""), "full");
    let count = 2_000;
    let error = outputs(&crew, &Times::new(2), count).unwrap_err().to_string();
    let line = "the server has no room for more; expected free space on its disk";
    assert!(error.ends_with(line), "{error}");
    let done = worker.end();
    server.restart_with("jetstream { store_dir: \"streams\" }");
    let worker = Hired::new(server.url(""), "writer", "1.0");
    let all = outputs(&crew, &Times::new(2), count).unwrap();
    assert!(all.into_iter().eq((0..count).map(|number| 2 * number)));
    let again = worker.end();
    assert!(done > 0 && again < count as usize, "what was done is not done again: {done} {again}");
}

#[test]
fn a_server_whose_disk_is_full_ends_the_run_with_a_line_and_loses_nothing() {
    let mut server = match NatsServer::on_small_disk(&directory("full disk"), 1024) {
        Ok(server) => server,
        Err(why) => {
            let _ = writeln!(std::io::stderr(), "a full disk is not tried: {why}");
            return;
        }
    };
    let worker = Hired::new(server.url(""), "filler", "1.0");
    let (crew, _) = crew(server.url(""), "full disk");
    let count = 20_000;
    let error = outputs(&crew, &Times::new(2), count).unwrap_err().to_string();
    // What the server says, or that it says nothing.
    let lines = [
        "the server has no room for more; expected free space on its disk",
        "the server is there and keeps nothing any more; expected free space on its disk, and that \
         it is started again then",
    ];
    assert!(lines.iter().any(|line| error.ends_with(line)), "{error}");
    server.resize_disk(64 * 1024);
    server.restart();
    let done = worker.end();
    let worker = Hired::new(server.url(""), "filler", "1.0");
    let all = outputs(&crew, &Times::new(2), count).unwrap();
    assert!(all.into_iter().eq((0..count).map(|number| 2 * number)));
    let again = worker.end();
    assert!(done > 0 && again < count as usize, "what was done is not done again: {done} {again}");
}

#[test]
fn workers_and_submitters_come_in_by_keys_and_over_tls() {
    let folder = directory("tls");
    let host = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    fs::write(folder.join("certificate.pem"), host.cert.pem()).unwrap();
    fs::write(folder.join("key.pem"), host.signing_key.serialize_pem()).unwrap();
    let user = nkeys::KeyPair::new_user();
    let settings = format!(
        "jetstream {{ store_dir: \"streams\" }}\n\
         tls {{ cert_file: \"certificate.pem\", key_file: \"key.pem\" }}\n\
         authorization {{ users: [ {{ nkey: {} }} ] }}",
        user.public_key()
    );
    let server = NatsServer::start(&folder, &settings);
    let seed = folder.join("seed");
    fs::write(&seed, user.seed().unwrap()).unwrap();
    let url = server.url("").replace("nats://", "tls://");
    let known = Address {
        url,
        key: Some(seed),
        authority: Some(folder.join("certificate.pem")),
        certificate: None,
    };
    let worker = Hired::at(known.clone(), "secured", "1.0", 1e6);
    let crew = crew_at(known.clone(), "tls", &Arc::default());
    let all = outputs(&crew, &Times::new(7), 30).unwrap();
    assert!(all.into_iter().eq((0..30).map(|number| 7 * number)));
    assert_eq!(worker.end(), 30);
    let asked = |address: Address| status(&address).unwrap_err().to_string();
    let stranger = Address { authority: None, ..known.clone() };
    let strange = asked(stranger);
    assert!(strange.contains("no secure connection"), "{strange}");
    let other = folder.join("other");
    fs::write(&other, nkeys::KeyPair::new_user().seed().unwrap()).unwrap();
    let refused = asked(Address { key: Some(other), ..known.clone() });
    assert!(refused.contains("does not let us in; expected its token, user or key"), "{refused}");
    let nameless = asked(Address { key: None, ..known });
    assert!(nameless.contains("does not let us in"), "{nameless}");
}

#[test]
fn whoever_may_not_come_in_is_told_so() {
    let folder = directory("refused");
    let secured = "jetstream { store_dir: \"streams\" }\nauthorization { token: \"s3cret\" }";
    let server = NatsServer::start(&folder, secured);
    let asked = |address: &Address| status(address).map(drop).map_err(|error| error.to_string());
    assert_eq!(asked(&address(server.url("s3cret@"))), Ok(()));
    let key = folder.join("key");
    fs::write(&key, "s3cret\n").unwrap();
    let by_key = Address { key: Some(key.clone()), ..address(server.url("")) };
    assert_eq!(asked(&by_key), Ok(()));
    for url in [server.url(""), server.url("wrong@"), server.url("some:one@")] {
        let error = asked(&address(url)).unwrap_err();
        assert!(error.contains("does not let us in; expected its token"), "{error}");
        assert!(!error.contains("wrong") && !error.contains("some:one"), "{error}");
    }
    fs::write(&key, "two\nlines\n").unwrap();
    assert!(asked(&by_key).unwrap_err().contains("not a key; expected one line"));
    fs::write(&key, "long and secret\n").unwrap();
    let words = secured.replace("s3cret", "long and secret");
    let spoken = NatsServer::start(&directory("spoken"), &words);
    assert_eq!(asked(&Address { key: Some(key), ..address(spoken.url("")) }), Ok(()));
    let nobody = address("nats://127.0.0.1:1".to_owned());
    assert!(!status(&nobody).unwrap_err().is_input(), "it may be the right one");
    assert!(asked(&nobody).unwrap_err().contains("no server answers; expected"));
    let nonsense = address("nats://127.0.0.1:port".to_owned());
    assert!(asked(&nonsense).unwrap_err().contains("not an address; expected"));
    let bare = NatsServer::start(&directory("bare"), "");
    let error = asked(&address(bare.url(""))).unwrap_err();
    assert!(
        error.contains("no JetStream") && error.contains("expected a server with -js"),
        "{error}"
    );
}

/// The port of something that says `first` to each caller, and `answer` to what it says.
fn stranger(first: &'static str, answer: &'static str) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for caller in listener.incoming() {
            std::thread::spawn(move || {
                let mut caller = caller.unwrap();
                let _ = caller.write_all(first.as_bytes());
                let mut asked = [0; 64];
                while caller.read(&mut asked).is_ok_and(|count| count > 0) {
                    let _ = caller.write_all(answer.as_bytes());
                }
            });
        }
    });
    port
}

#[test]
fn what_is_at_a_wrong_address_is_said() {
    let server = NatsServer::plain(&directory("wrong"));
    let asked = |url: String| status(&address(url)).unwrap_err();
    let plain = asked(server.url("").replace("nats://", "tls://"));
    let words = "the server does not speak TLS; expected nats:// for it";
    assert!(plain.is_input() && plain.to_string().contains(words), "{plain}");
    let at = |port: u16| asked(format!("nats://127.0.0.1:{port}"));
    let web = at(stranger("", "HTTP/1.1 400 Bad Request\r\n\r\n"));
    let words = "a web server answers there; expected a NATS server";
    assert!(web.is_input() && web.to_string().contains(words), "{web}");
    let shell = at(stranger("SSH-2.0-OpenSSH_9.2\r\n", ""));
    let words = "not a NATS server: it says \"SSH-2.0-OpenSSH_9.2\"; expected one";
    assert!(shell.is_input() && shell.to_string().contains(words), "{shell}");
    let silence = at(stranger("", ""));
    let words = "something takes connections there and says nothing; expected a NATS server";
    assert!(!silence.is_input() && silence.to_string().contains(words), "{silence}");
    let missing = Address { key: Some(PathBuf::from("no such key")), ..address(server.url("")) };
    let missing = status(&missing).unwrap_err();
    let words = "no such key: no such file; expected one with a token, a seed or credentials";
    assert!(missing.is_input() && missing.to_string() == words, "{missing}");
}

#[test]
fn a_server_that_is_killed_between_two_runs_serves_the_next() {
    let folder = directory("between");
    let mut server = NatsServer::plain(&folder);
    let (crew, _) = crew(server.url(""), "between");
    for round in 1..5 {
        let worker = Hired::new(server.url(""), "between", "1.0");
        let all = outputs(&crew, &Times::new(round), 300).unwrap();
        assert!(all.into_iter().eq((0..300).map(|number| round * number)));
        worker.end();
        server.restart();
    }
}
