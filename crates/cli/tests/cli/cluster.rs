//! Work on many machines, with a real server.

use crate::arena_kill::games;
use crate::program::{command, directory, run};
use isrever_lab::experiment::is_repeatable;
use isrever_testkit::NatsServer;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Lines};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A process that is killed with this value.
pub(crate) struct Process(pub(crate) Child);

impl Process {
    pub(crate) fn start(args: &[&str]) -> Process {
        let mut command = command(args);
        Process(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts"))
    }

    /// A process whose output is of no interest; its errors are shown.
    pub(crate) fn silent(args: &[&str]) -> Process {
        let mut command = command(args);
        Process(command.stdout(Stdio::null()).stderr(Stdio::inherit()).spawn().expect("it starts"))
    }

    /// A worker with one thread, once it waits for jobs.
    pub(crate) fn worker(url: &str, name: &str) -> Process {
        Process::told_worker(url, name).0
    }

    /// The same, and the last line that it has told.
    fn told_worker(url: &str, name: &str) -> (Process, JoinHandle<Option<String>>) {
        let (process, lines) = Process::ready_worker(url, name);
        // It goes on for as long as somebody listens.
        (process, std::thread::spawn(move || lines.map_while(Result::ok).last()))
    }

    /// A worker with one thread that waits for jobs, and what else it tells.
    pub(crate) fn ready_worker(url: &str, name: &str) -> (Process, Lines<BufReader<ChildStdout>>) {
        let args = ["worker", "--cluster", url, "--threads", "1", "--speed", "1000000", "--json"];
        let mut process = Process::start(&[&args[..], &["--name", name]].concat());
        let mut lines = process.lines();
        let first = lines.next().expect("it says that it is ready").unwrap();
        let row: Value = serde_json::from_str(&first).unwrap();
        assert_eq!((&row["event"], &row["worker"]), (&"ready".into(), &name.into()));
        (process, lines)
    }

    fn lines(&mut self) -> Lines<BufReader<ChildStdout>> {
        BufReader::new(self.0.stdout.take().expect("nobody has taken it")).lines()
    }

    pub(crate) fn signal(&self, signal: &str) {
        let status = Command::new("kill").args([signal, &self.0.id().to_string()]).status();
        assert!(status.expect("there is kill").success());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.0.kill().expect("it is ours, dead or alive");
        self.0.wait().expect("it has ended");
    }
}

/// The number of a game in a line of `arena run --json`.
fn game(line: &str) -> Option<u64> {
    let row: Value = serde_json::from_str(line).ok()?;
    (row["kind"] == "game").then(|| row["game"].as_u64().unwrap())
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().expect("it is text")
}

/// A tournament of 504 games, of a few milliseconds each.
pub(crate) const TOURNAMENT: [&str; 11] = [
    "arena",
    "run",
    "--json",
    "--pairs",
    "84",
    "--nodes",
    "2000",
    "--players",
    "depth3",
    "greedy",
    "mcts:playouts=60",
];

/// The files of a folder that are the same in every run.
fn repeatable(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let named = files.map(|file| (file.file_name().into_string().unwrap(), file.path()));
    let same = named.filter(|(name, _)| is_repeatable(name));
    same.map(|(name, path)| (name, fs::read(path).unwrap())).collect()
}

#[test]
fn what_is_tuned_solved_found_and_run_on_a_cluster_is_the_same_as_here() {
    let folder = directory("cluster-others");
    let server = NatsServer::plain(&folder.join("server"));
    let url = server.url("");
    let worker = Process::worker(&url, "one");
    let cluster = ["--cluster", &url];
    let [here, there] = ["here", "there"].map(|name| folder.join(name));
    for path in [&here, &there] {
        fs::create_dir(path).unwrap();
    }
    let both = |name: &str, args: &[&str]| {
        let paths = [&here, &there].map(|folder| folder.join(name));
        let [one, other] = [0, 1].map(|place| [args, &[text(&paths[place])]].concat());
        run(one).ok();
        run([&other[..], &cluster].concat()).ok();
        paths
    };
    let same = |name: &str, args: &[&str]| {
        let [one, other] = both(name, args).map(|path| fs::read(path).unwrap());
        assert!(one == other && !one.is_empty(), "{name}");
    };
    let exam = ["train", "exam", "make", "--count", "6", "--empties", "8..9", "-o"];
    same("exam.obf", &exam);
    let openings = ["train", "openings", "--plies", "4", "--count", "9", "--depth", "3", "-o"];
    same("openings.txt", &openings);
    let positions = ["--positions", "30", "--group", "8"];
    let book = [&["book", "grow", "--size", "6", "--nodes", "2000"][..], &positions].concat();
    same("six.book", &book);
    for exam in [&here, &there].map(|folder| folder.join("exam.obf")) {
        let more: &[&str] = if exam.starts_with(&there) { &cluster } else { &[] };
        run([&["train", "exam", "take", text(&exam), "--depth", "1,2"], more].concat()).ok();
    }
    let [one, other] = [&here, &there].map(|folder| fs::read(folder.join("exam.obf")).unwrap());
    assert!(one == other, "chosen moves are solved alike");
    let squares = "greedy:by=squares";
    let tune = ["tune", "--agent", squares, "--parameters", "a1,b2", "--quick", "--dir"];
    let experiments = ["lab", "run", "breadth", "winners", "--quick", "--out"];
    let [tuned_here, tuned_there] = both("tuning", &tune).map(|path| repeatable(&path));
    assert_eq!(tuned_here, tuned_there);
    assert!(tuned_here.contains_key("winner.json"));
    let [ran_here, ran_there] = both("experiments", &experiments);
    for slug in ["breadth", "winners"] {
        let [one, other] = [&ran_here, &ran_there].map(|path| repeatable(&path.join(slug)));
        assert_eq!(one, other, "{slug}");
        assert!(one.contains_key("results.json"));
    }
    // Openings have enough before the last job, and the others end with theirs: nothing is left.
    assert_eq!(ask(&url)["runs"], Value::Array(Vec::new()));
    drop(worker);
}

#[test]
#[cfg(target_os = "linux")]
fn games_of_a_python_agent_on_a_cluster_are_those_of_this_machine() {
    let folder = directory("cluster-python");
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/examples/my_ai.py");
    let file = folder.join("my_ai.py");
    fs::copy(example, &file).unwrap();
    // It has a fixed rule, and more time than it can need: nothing depends on a clock.
    let agent = format!("python:{},time=600s", file.display());
    let options = ["arena", "run", "--size", "6", "--pairs", "2", "--nodes", "500", "--players"];
    let tournament = [&options[..], &[&agent, "depth3", "greedy"]].concat();
    let [here, there] = ["here.db", "there.db"].map(|name| folder.join(name));
    run([&tournament[..], &["--db", text(&here)]].concat()).ok();
    let expected = games(&here);
    assert_eq!(expected.len(), 12);
    assert!(expected.values().all(|game| game.forfeit().is_none()), "{expected:?}");

    let server = NatsServer::plain(&folder.join("server"));
    let url = server.url("");
    let cluster = ["--db", text(&there), "--cluster", &url];
    let mut submitter = Process::start(&[&tournament[..], &cluster].concat());
    await_status(&url, |status| status["queued"] == 12);
    // The worker has it from the server, not from here.
    fs::remove_file(&file).unwrap();
    let worker = Process::worker(&url, "one");
    submitter.lines().for_each(|line| drop(line.unwrap()));
    assert!(submitter.0.wait().unwrap().success());
    assert_eq!(games(&there), expected);
    drop(worker);
}

#[test]
fn a_worker_that_is_asked_to_end_finishes_or_gives_back() {
    let folder = directory("cluster-drained");
    let server = NatsServer::plain(&folder.join("server"));
    let url = server.url("");
    let (first, told) = Process::told_worker(&url, "one");
    let mut workers = [first, Process::worker(&url, "two")];
    let db = folder.join("drained.db");
    let cluster = ["--db", text(&db), "--cluster", &url];
    let mut submitter = Process::start(&[&TOURNAMENT[..], &cluster].concat());
    let mut lines = submitter.lines();
    lines.by_ref().map_while(Result::ok).filter_map(|line| game(&line)).take(50).for_each(drop);
    workers[0].signal("-TERM");
    assert!(workers[0].0.wait().unwrap().success(), "it ends by itself");
    let last: Value = serde_json::from_str(&told.join().unwrap().unwrap()).unwrap();
    assert!(last["event"] == "ended" && last["done"].as_u64().unwrap() > 0, "{last}");
    lines.by_ref().for_each(|line| drop(line.unwrap()));
    assert!(submitter.0.wait().unwrap().success());
    assert_eq!(games(&db).len(), 504);
    // The last worker may still be taking its last job off the queue.
    let nothing = Value::Array(Vec::new());
    let status = await_status(&url, |status| status["workers"][0]["running"] == nothing);
    assert_eq!(status["workers"].as_array().unwrap().len(), 1);
    assert_eq!((&status["queued"], &status["running"]), (&0.into(), &0.into()));
    assert_eq!(status["workers"][0]["worker"], "two");
    let table = run(["cluster", "status", "--cluster", &url]).ok();
    assert!(table.contains("two") && table.contains("waits"), "{table}");
}

#[test]
fn who_watches_sees_the_server_go_and_come_back() {
    let mut server = NatsServer::plain(&directory("cluster-watched").join("server"));
    let url = server.url("");
    let mut watch = command(["cluster", "status", "--watch", "--json", "--cluster", &url]);
    let child = watch.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut watching = Process(child);
    let mut shown = watching.lines();
    shown.next().expect("the server is there").unwrap();
    server.kill();
    let errors = watching.0.stderr.take().expect("nobody has taken it");
    let mut errors = BufReader::new(errors).lines();
    let gone = errors.next().expect("it is missed").unwrap();
    assert!(gone.starts_with("isrever: ") && gone.ends_with("; trying again"), "{gone}");
    server.restart();
    // More than could have been shown before it went.
    for line in shown.by_ref().take(3) {
        let status: Value = serde_json::from_str(&line.unwrap()).unwrap();
        assert!(status["runs"].is_array(), "{status}");
    }
    watching.signal("-INT");
    assert!(watching.0.wait().unwrap().success());
}

#[test]
fn what_cannot_be_sent_or_reached_is_said_in_one_line() {
    let folder = directory("cluster-refused");
    let server = NatsServer::plain(&folder.join("server"));
    let url = server.url("");
    let ended = |status: i32, args: &[&str], words: &str| {
        let answer = run(args);
        let said = (answer.status, answer.err.lines().count());
        assert_eq!(said, (Some(status), 1), "{}", answer.err);
        assert!(answer.err.contains(words), "{}", answer.err);
    };
    let db = folder.join("programs.db");
    let programs = ["arena", "run", "--pairs", "1", "--players", "random", "nboard:sh"];
    ended(
        2,
        &[&programs[..], &["--db", text(&db), "--cluster", &url]].concat(),
        "nboard:sh runs a program of this machine; expected agents",
    );
    assert!(!db.exists(), "nothing is written");
    let nobody = "nats://127.0.0.1:1";
    let output = folder.join("games.dat");
    let selfplay = ["train", "selfplay", "--games", "1", "-o", text(&output), "--cluster", nobody];
    ended(1, &selfplay, "nats://127.0.0.1:1: no server answers; expected a NATS server there");
    ended(1, &["cluster", "status", "--cluster", nobody], "no server answers; expected");
    assert!(!output.exists());
}

#[test]
fn a_wrong_address_or_token_is_wrong_input_and_leaves_nothing_behind() {
    let folder = directory("cluster-wrong");
    let secured = "jetstream { store_dir: \"streams\" }\nauthorization { token: \"s3cret\" }";
    let server = NatsServer::start(&folder.join("server"), secured);
    let (bare, wrong, plain) =
        (server.url(""), server.url("wrong@"), server.url("").replace("nats://", "tls://"));
    let work = folder.join("work");
    fs::create_dir(&work).unwrap();
    let [db, file, dir] = ["cup.db", "file", "dir"].map(|name| work.join(name));
    let [db, file, dir] = [&db, &file, &dir].map(|path| text(path));
    let tune = ["tune", "--agent", "greedy:by=squares", "--parameters", "a1", "--dir", dir];
    let commands: [&[&str]; 9] = [
        &["book", "grow", file, "--positions", "1"],
        &["arena", "run", "--pairs", "1", "--players", "random", "greedy", "--db", db],
        &["train", "selfplay", "--games", "1", "-o", file],
        &["train", "loop", "--dir", dir],
        &["train", "exam", "make", "--count", "1", "-o", file],
        &["train", "openings", "--count", "1", "-o", file],
        &tune,
        &["lab", "run", "breadth", "--out", dir],
        &["worker"],
    ];
    let key = folder.join("key");
    for (cluster, words) in [
        (&["--cluster", ""][..], "the cluster's address is empty; expected one such as nats://"),
        (&["--cluster", "http://127.0.0.1"], "http://127.0.0.1: not an address; expected one"),
        (&["--cluster", &bare, "--cluster-key", text(&key)], "key: no such file; expected one"),
        (&["--cluster", &wrong], "does not let us in; expected its token, user or key"),
        (&["--cluster", &plain], "the server does not speak TLS; expected nats:// for it"),
    ] {
        for command in commands {
            run([command, cluster].concat()).refused(&[words]);
            assert_eq!(fs::read_dir(&work).unwrap().count(), 0, "{command:?} {cluster:?}");
        }
    }
}

/// What a cluster is doing.
pub(crate) fn ask(url: &str) -> Value {
    let told = run(["cluster", "status", "--cluster", url, "--json"]).ok();
    serde_json::from_str(&told).unwrap()
}

/// The state of a cluster, once it is as wanted.
fn await_status(url: &str, mut is_so: impl FnMut(&Value) -> bool) -> Value {
    let begin = Instant::now();
    loop {
        let status = ask(url);
        if is_so(&status) {
            return status;
        }
        assert!(begin.elapsed() < Duration::from_secs(300), "{status}");
    }
}

#[test]
fn ctrl_c_withdraws_what_is_queued_whatever_the_command() {
    let folder = directory("cluster-stopped");
    let server = NatsServer::plain(&folder.join("server"));
    let url = server.url("");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (db, file, exam) = (path("cup.db"), path("file"), path("exam.obf"));
    let [dir, tuning, trial, made] = ["dir", "tuning", "trial", "made"].map(path);
    run(["train", "exam", "make", "--count", "4", "--empties", "8..9", "-o", &exam]).ok();
    let squares = "greedy:by=squares";
    let book = path("eight.book");
    let commands: [&[&str]; 9] = [
        &["book", "grow", &book, "--positions", "9"],
        &["arena", "run", "--pairs", "9", "--players", "random", "greedy", "--db", &db],
        &["train", "selfplay", "--games", "900", "-o", &file],
        &["train", "loop", "--games", "900", "--dir", &dir],
        &["train", "exam", "make", "--count", "9", "--empties", "8..9", "-o", &made],
        &["train", "exam", "take", &exam, "--agent", "random"],
        &["train", "openings", "--plies", "4", "--count", "9", "-o", &file],
        &["tune", "--agent", squares, "--parameters", "a1,b2", "--quick", "--dir", &tuning],
        &["lab", "run", "breadth", "--quick", "--out", &trial],
    ];
    for (args, signal) in commands.into_iter().zip(["-INT", "-TERM"].into_iter().cycle()) {
        let mut command = command([args, &["--cluster", &url]].concat());
        let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let mut process = Process(child.expect("it starts"));
        let is_queued = |status: &Value| {
            let run = &status["runs"][0];
            run["has_submitter"] == true && run["queued"].as_u64().unwrap() > 0
        };
        let status = await_status(&url, is_queued);
        assert_eq!(status["runs"].as_array().unwrap().len(), 1, "{args:?}: {status}");
        process.signal(signal);
        let err = std::io::read_to_string(process.0.stderr.take().unwrap()).unwrap();
        assert_eq!(process.0.wait().unwrap().code(), Some(130), "{args:?}: {err}");
        let last = err.lines().last().unwrap();
        assert!(last.starts_with("isrever: stopped: ") && last.ends_with(" goes on"), "{err}");
        let left = ask(&url);
        let nothing = Value::Array(Vec::new());
        assert_eq!((&left["queued"], &left["runs"]), (&0.into(), &nothing), "{args:?}");
    }
    assert!(!Path::new(&file).exists());
}

#[test]
fn a_run_whose_submitter_was_killed_is_listed_and_cancelled() {
    let folder = directory("cluster-cancelled");
    let server = NatsServer::plain(&folder.join("server"));
    let url = server.url("");
    let file = folder.join("games.dat");
    let selfplay = ["train", "selfplay", "--games", "900", "-o", text(&file), "--cluster", &url];
    let process = Process::start(&selfplay);
    await_status(&url, |status| status["queued"] == 29);
    drop(process);
    let status = await_status(&url, |status| status["runs"][0]["has_submitter"] == false);
    let left = &status["runs"][0];
    assert_eq!((&left["queued"], &left["total"]), (&29.into(), &29.into()));
    let name = left["run"].as_str().unwrap();
    let table = run(["cluster", "status", "--cluster", &url]).ok();
    assert!(table.contains(name) && table.contains("gone"), "{table}");
    assert!(table.contains(&format!(":{}", file.display())), "{table}");
    let cancel = |args: &[&str]| run([&["cluster", "cancel", "--cluster", &url], args].concat());
    cancel(&["nobody", "--yes"]).refused(&["\"nobody\": no such run; expected one that"]);
    cancel(&[name]).refused(&["nobody can be asked; expected --yes"]);
    let told: Value = serde_json::from_str(&cancel(&[&name[..6], "--yes", "--json"]).ok()).unwrap();
    assert_eq!((&told["run"], &told["jobs"]), (&name.into(), &29.into()));
    assert_eq!(ask(&url)["runs"], Value::Array(Vec::new()));
    // It begins anew, and says why.
    let worker = Process::worker(&url, "one");
    let again = run(selfplay);
    assert_eq!(again.status, Some(0), "{}", again.err);
    let [said, why] = ["isrever: cluster: the run was cancelled ", " ago; it begins anew\n"];
    assert!(again.err.contains(said) && again.err.contains(why), "{}", again.err);
    drop(worker);
}
