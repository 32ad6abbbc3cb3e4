//! A club as its owner meets it: judges that are killed and stopped, a server with judges, files.

use crate::program::{command, directory, run, wait_until};
use isrever_board::{Color, Size};
use isrever_club::{
    AccountId, Backlog, CheckTotal, Club, Doors, FinalState, JobKind, Report, Role, Terms, Work,
};
use isrever_testkit::NatsServer;
use isrever_web::date::now_ms;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const PASSWORD: &str = "correct horse";

/// Little work: what is tested is not how long a hash takes.
const WORK: Work = Work { memory_kib: 64, passes: 1 };

/// An agent that plays, but takes its time; `WAIT` is how many seconds a move takes.
const AGENT: &str = "\
import time
class AI(object):
    def __init__(self, size, color, time_out):
        self.size, self.color, self.candidate_list = size, color, []
    def go(self, board):
        self.candidate_list.clear()
        time.sleep(WAIT)
        for row in range(self.size):
            for column in range(self.size):
                if board[row][column] == 0 and self.turns(board, row, column):
                    self.candidate_list.append((row, column))
    def turns(self, board, row, column):
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                r, c, count = row + down, column + right, 0
                while 0 <= r < self.size and 0 <= c < self.size and board[r][c] == -self.color:
                    r, c, count = r + down, c + right, count + 1
                if count and 0 <= r < self.size and 0 <= c < self.size and board[r][c] == self.color:
                    return True
        return False
";

/// Seconds for a move of an agent that never moves, unlike those that play on.
const FOR_EVER: &str = "10**6";
const A_WHILE: &str = "0.1";

/// A club in a directory of its own, in which three agents have passed their check.
struct Course {
    directory: PathBuf,
    club: Club,
    boss: AccountId,
}

impl Course {
    fn new(name: &str, wait: &str) -> Course {
        let directory = directory(name).join("club");
        let club = Club::open(&directory, WORK).unwrap();
        let code = club.first_invitation(now_ms()).unwrap().unwrap();
        let boss = club.accept(&code, "teacher", PASSWORD, now_ms()).unwrap().visitor.account.id;
        // Times for any machine, and a board for quick games.
        let terms =
            Terms { size: Size::FOUR, move_ms: 600_000, game_ms: 36_000_000, ..Terms::default() };
        club.set_terms(boss, terms, now_ms()).unwrap();
        // A server would arrange battles of its own.
        let doors = Doors { ladder: false, sparring: true };
        club.set_doors(boss, doors, now_ms()).unwrap();
        for name in ["ada", "bob", "carol"] {
            let code = club.invite(boss, Role::Member, "A", 1, now_ms()).unwrap();
            let author = club.accept(&code, name, PASSWORD, now_ms()).unwrap().visitor.account.id;
            let source = AGENT.replace("WAIT", wait);
            club.submit(author, "my_ai.py", source.as_bytes(), None, now_ms()).unwrap();
            let job = club.take_job("test", &[JobKind::Check], now_ms()).unwrap().unwrap();
            let total = CheckTotal { passed: 1, ..CheckTotal::default() };
            club.finish_check(&job, &Report { total, ..Report::default() }, now_ms()).unwrap();
        }
        Course { directory, club, boss }
    }

    /// Starts a final of six games for each pair of games.
    fn start_final(&self, pairs: u64) {
        self.club.start_final(self.boss, "Final", pairs, now_ms()).unwrap();
    }

    fn backlog(&self) -> Backlog {
        self.club.backlog(now_ms()).unwrap()
    }

    /// How many games judges have shown at `since` or later.
    fn live(&self, since: i64) -> usize {
        let games = self.club.live_games(self.boss, now_ms()).unwrap();
        games.iter().filter(|(live, _)| live.updated >= since).count()
    }

    /// A judge process.
    fn judge(&self) -> Process {
        // All of them on the same core: whoever is killed must leave it to the others.
        let args = ["club", "judge", "--log", "info", "--places", "1", self.path()];
        let child = command(args).stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        Process(child)
    }

    fn path(&self) -> &str {
        self.directory.to_str().unwrap()
    }
}

/// A process that ends with the test.
struct Process(Child);

impl Process {
    fn signal(&self, name: &str) {
        signal(name, self.0.id());
    }

    /// The games that a judge told of, once it has ended.
    fn games(&mut self) -> Vec<i64> {
        let mut told = String::new();
        self.0.stderr.take().unwrap().read_to_string(&mut told).unwrap();
        let number = |line: &str| line.split_once("game ")?.1.strip_suffix(": done")?.parse().ok();
        told.lines().filter_map(number).collect()
    }

    fn is_successful(&mut self) -> bool {
        self.0.wait().unwrap().success()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A test that fails leaves nothing behind.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn signal(name: &str, process: u32) {
    let status = Command::new("kill").args([name, &process.to_string()]).status();
    assert!(status.expect("there is a kill").success());
}

/// The judges of a club that run now.
fn judges(club: &Path) -> BTreeSet<u32> {
    let is_judge = |line: &[u8]| {
        let line = String::from_utf8_lossy(line);
        let words: Vec<&str> = line.split('\0').collect();
        words.contains(&"judge") && words.contains(&club.to_str().unwrap())
    };
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let numbered = processes.filter_map(|entry| {
        let number = entry.file_name().to_str()?.parse().ok()?;
        Some((number, fs::read(entry.path().join("cmdline")).ok()?))
    });
    numbered.filter(|(_, line)| is_judge(line)).map(|(number, _)| number).collect()
}

#[test]
fn a_final_goes_on_when_a_judge_is_killed_and_its_proof_can_be_counted() {
    let course = Course::new("killed_judge", A_WHILE);
    course.start_final(2);
    let mut told = Vec::new();
    let mut survivor = course.judge();
    loop {
        let mut victim = course.judge();
        wait_until(|| course.live(0) == 2);
        victim.signal("-KILL");
        assert!(!victim.is_successful());
        told.extend(victim.games());
        let Backlog { waiting, taken, .. } = course.backlog();
        // If it was killed between two games, there is another chance.
        let is_hit = taken == 2;
        assert!(is_hit || waiting > 0, "all is played too early to kill anybody");
        if is_hit {
            break;
        }
    }
    let copies = course.directory.with_file_name("copies");
    fs::create_dir(&copies).unwrap();
    let copy = copies.join("club.db");
    let out = run(["club", "back-up", course.path(), copy.to_str().unwrap()]).ok();
    assert!(out.starts_with(&format!("{}: the whole club, ", copy.display())), "{out}");
    // What the victim had is another's after half a minute.
    let is_over = || course.club.final_round(1, now_ms()).unwrap().state == FinalState::Over;
    wait_until(|| is_over() && course.backlog() == Backlog::default());
    survivor.signal("-TERM");
    assert!(survivor.is_successful());
    told.extend(survivor.games());
    let of_final = course.club.final_round(1, now_ms()).unwrap();
    assert_eq!((of_final.played, of_final.waiting), (12, 0));
    let table = course.club.final_table(1, now_ms()).unwrap();
    let results: u64 = table.iter().flat_map(|row| row.counts).sum();
    assert_eq!(results, 24, "every game counts once for each side");
    assert_eq!(table.iter().map(|row| row.forfeits).sum::<u64>(), 0);
    let different: BTreeSet<i64> = told.iter().copied().collect();
    assert_eq!(different.len(), told.len(), "no game is played twice: {told:?}");
    proof_is_counted(&course);
    copy_is_whole(&course, &copies);
}

/// The proof of a final is a tournament, which `isrever arena show` counts again.
fn proof_is_counted(course: &Course) {
    let proof = course.directory.with_file_name("final.db");
    let file = proof.to_str().unwrap();
    let out = run(["club", "prove", course.path(), "1", file]).ok();
    assert_eq!(
        out,
        format!("Final: 12 games in {file}\nisrever arena show {file} counts them again\n")
    );
    let shown = run(["arena", "show", file, "--json"]).ok();
    let rows: Vec<Value> = shown.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let players: Vec<&Value> = rows.iter().filter(|row| row["kind"] == "player").collect();
    for name in ["ada", "bob", "carol"] {
        let row = players.iter().find(|row| row["player"].as_str().unwrap().contains(name));
        let row = row.unwrap_or_else(|| panic!("{name} is not in {shown}"));
        let count = |key: &str| row[key].as_u64().unwrap();
        assert_eq!(count("wins") + count("draws") + count("losses"), 8, "{row}");
    }
    let names = fs::read_dir(proof.parent().unwrap()).unwrap().flatten();
    let names: BTreeSet<_> = names.map(|entry| entry.file_name()).collect();
    assert!(names.iter().all(|name| !name.to_str().unwrap().starts_with('.')), "{names:?}");
    run(["club", "prove", course.path(), "1", file])
        .refused(&[file, "there already; expected a new file"]);
    run(["club", "prove", course.path(), "2", "new.db"]).refused(&["FINAL 2", "no such final"]);
    run(["club", "prove", course.path(), "0", "new.db"]).refused(&["FINAL 0"]);
}

/// A copy that was made while judges worked is a club.
fn copy_is_whole(course: &Course, copies: &Path) {
    let file = copies.join("club.db");
    let mode = fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "it is for nobody else's eyes");
    let copy = Club::open(copies, WORK).unwrap();
    assert_eq!(copy.accounts().unwrap(), course.club.accounts().unwrap());
    let of_final = copy.final_round(1, now_ms()).unwrap();
    assert_eq!(of_final.played + of_final.waiting, 12);
    let args = ["club", "back-up", course.path(), file.to_str().unwrap()];
    run(args).refused(&["club.db", "there already; expected a new file"]);
    let nowhere = copies.join("no/where");
    let args = ["club", "back-up", course.path(), nowhere.to_str().unwrap()];
    run(args).refused(&["no/where", "no such folder"]);
}

#[test]
fn a_judge_that_is_told_to_stop_gives_its_job_back() {
    let course = Course::new("stopped_judge", FOR_EVER);
    course.start_final(1);
    // More often than a job may end its judges.
    for name in ["-TERM", "-INT", "-TERM", "-INT", "-TERM"] {
        let since = now_ms();
        let mut judge = course.judge();
        wait_until(|| course.live(since) == 1);
        judge.signal(name);
        assert!(judge.is_successful());
        assert_eq!(judge.games(), [0; 0]);
        assert_eq!(course.backlog(), Backlog { waiting: 6, taken: 0, troubled: 0 });
    }
}

#[test]
fn judges_take_turns_on_places_that_there_are() {
    let course = Course::new("places", A_WHILE);
    let judge = |options: &[&str]| run([&["club", "judge", course.path()], options].concat());
    let offence = "--place 3: there are 2 places; expected 1 to 2";
    judge(&["--places", "2", "--place", "3"]).refused(&[offence]);
    for options in [&["--place", "1"][..], &["--places", "0"], &["--places", "2", "--place", "0"]] {
        judge(options).refused(&["expected"]);
    }
    let locks = course.directory.join("turns");
    fs::write(&locks, "no folder").unwrap();
    let failed = judge(&["--places", "2"]);
    assert!(failed.err.contains("turns: "), "{}", failed.err);
}

/// A worker of a cluster with one thread.
fn worker(url: &str) -> Process {
    let args = ["worker", "--cluster", url, "--threads", "1", "--speed", "1000000", "--json"];
    Process(command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
}

#[test]
fn a_cluster_judges_whoever_is_killed_and_what_is_unfinished_is_given_back() {
    let course = Course::new("cluster_judge", A_WHILE);
    let server = NatsServer::plain(&course.directory.with_file_name("server"));
    let url = server.url("");
    let dispatcher = |log: Stdio| {
        let args = ["club", "judge", "--log", "info", "--cluster", &url, course.path()];
        Process(command(args).stdin(Stdio::null()).stderr(log).spawn().unwrap())
    };
    course.start_final(2);
    let mut first = dispatcher(Stdio::null());
    // Nobody is there yet: jobs are taken, and given back in order.
    wait_until(|| course.backlog().taken > 0);
    first.signal("-TERM");
    assert!(first.is_successful());
    assert_eq!(course.backlog(), Backlog { waiting: 12, taken: 0, troubled: 0 });
    let played = || course.club.final_round(1, now_ms()).unwrap().played;
    let (victim, _survivor) = (worker(&url), worker(&url));
    let mut second = dispatcher(Stdio::piped());
    wait_until(|| played() >= 2);
    victim.signal("-KILL");
    let is_over = || course.club.final_round(1, now_ms()).unwrap().state == FinalState::Over;
    wait_until(|| is_over() && course.backlog() == Backlog::default());
    second.signal("-TERM");
    let told = second.games();
    assert!(second.is_successful());
    let different: BTreeSet<i64> = told.iter().copied().collect();
    assert_eq!((different.len(), told.len()), (12, 12), "no game counts twice: {told:?}");
    let table = course.club.final_table(1, now_ms()).unwrap();
    assert_eq!(table.iter().flat_map(|row| row.counts).sum::<u64>(), 24);
    assert_eq!(table.iter().map(|row| row.forfeits).sum::<u64>(), 0);
    let nowhere = run(["club", "judge", course.path(), "--cluster", "nats://127.0.0.1:1"]);
    assert!(nowhere.err.contains("no server answers"), "{}", nowhere.err);
}

/// A server with two judges, and so a third for replies, and what it said first.
fn serve(course: &Path) -> (Process, Value) {
    let data = course.with_file_name("data");
    let data = data.to_str().unwrap();
    let args =
        ["serve", "--port", "0", "--json", "--data", data, "--judges", "2", "--log", "error"];
    let mut server = command(args);
    let mut child = server.arg("--club").arg(course).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (Process(child), serde_json::from_str(&line).unwrap())
}

#[test]
fn a_server_keeps_judges_which_end_with_it_however_it_ends() {
    let course = Course::new("served_judges", FOR_EVER);
    course.start_final(1);
    for name in ["-KILL", "-TERM", "-INT"] {
        let since = now_ms();
        let (mut server, said) = serve(&course.directory);
        assert_eq!(said.get("invitation"), None, "there is an administrator");
        wait_until(|| judges(&course.directory).len() == 3);
        wait_until(|| course.live(since) == 2);
        server.signal(name);
        assert_eq!(server.is_successful(), name != "-KILL");
        if name == "-KILL" {
            wait_until(|| judges(&course.directory).is_empty());
        }
        assert_eq!(judges(&course.directory), BTreeSet::new());
        assert_eq!(course.backlog(), Backlog { waiting: 6, taken: 0, troubled: 0 });
    }
}

#[test]
fn a_person_is_answered_while_all_other_judges_are_at_long_games() {
    let course = Course::new("answered", FOR_EVER);
    // Agents that would never move but for people, who play on a larger board.
    let source = AGENT.replace("time.sleep(WAIT)", "time.sleep(10**6 if self.size == 4 else 0)");
    let club = &course.club;
    let ada = club.accounts().unwrap().into_iter().find(|one| one.name == "ada").unwrap().id;
    let version = club.submit(ada, "my_ai.py", source.as_bytes(), None, now_ms()).unwrap().id;
    let job = club.take_job("test", &[JobKind::Check], now_ms()).unwrap().unwrap();
    let total = CheckTotal { passed: 1, ..CheckTotal::default() };
    club.finish_check(&job, &Report { total, ..Report::default() }, now_ms()).unwrap();
    club.set_open(ada, version, true, now_ms()).unwrap();
    course.start_final(1);
    let (_server, _) = serve(&course.directory);
    wait_until(|| course.live(0) == 2);
    let casual =
        club.begin_casual(course.boss, version, Size::SIX, Color::Black, now_ms()).unwrap();
    let mv = casual.so_far.game.position().moves()[0];
    club.play_casual(course.boss, casual.game, 0, mv, now_ms()).unwrap();
    let answered = || club.casual(course.boss, casual.game).unwrap().so_far.game.ply() >= 2;
    wait_until(answered);
    assert_eq!(course.live(0), 2, "both games go on");
}

#[test]
fn a_server_makes_a_club_invites_its_administrator_and_replaces_judges() {
    let place = directory("new_club").join("club");
    let (_server, said) = serve(&place);
    wait_until(|| judges(&place).len() == 3);
    let first = judges(&place);
    signal("-KILL", *first.iter().next().unwrap());
    wait_until(|| judges(&place).difference(&first).count() == 1 && judges(&place).len() == 3);
    let link = said["invitation"].as_str().unwrap();
    let (url, code) = link.split_once("#/club/join/").unwrap();
    assert_eq!(url, said["url"]);
    let club = Club::open(&place, WORK).unwrap();
    let session = club.accept(code, "teacher", PASSWORD, now_ms()).unwrap();
    assert_eq!(session.visitor.account.role, Role::Administrator);
}

#[test]
fn links_let_the_first_administrator_in_and_those_without_a_password() {
    let place = directory("links").join("club");
    let club = Club::open(&place, WORK).unwrap();
    let path = place.to_str().unwrap();
    let out = run(["club", "link", path, "--url", "https://board.example"]).ok();
    let (purpose, link) = out.trim_end().split_once('\n').unwrap();
    assert!(purpose.starts_with("To become the administrator, open this in a browser"), "{out}");
    let code = link.strip_prefix("https://board.example/#/club/join/").unwrap();
    let boss = club.accept(code, "teacher", PASSWORD, now_ms()).unwrap();
    run(["club", "link", path]).refused(&["the club has an administrator; expected --reset"]);
    run(["club", "link", path, "--reset", "nobody"]).refused(&["--reset", "\"nobody\""]);
    assert!(club.visitor(&boss.cookie, now_ms()).unwrap().is_some());

    let out = run(["club", "link", path, "--reset", "TEACHER", "--json"]).ok();
    let row: Value = serde_json::from_str(&out).unwrap();
    let code = row["code"].as_str().unwrap();
    assert_eq!(row["link"], format!("#/club/join/{code}"));
    assert!(club.visitor(&boss.cookie, now_ms()).unwrap().is_none(), "it is over");
    let back = club.accept(code, "", "another horse", now_ms()).unwrap();
    assert_eq!(back.visitor.account.role, Role::Administrator);
}

#[test]
fn what_is_no_club_is_refused_and_stays_as_it_is() {
    let folder = directory("no_club");
    let (empty, foreign) = (folder.join("empty"), folder.join("foreign"));
    for place in [&empty, &foreign] {
        fs::create_dir(place).unwrap();
    }
    let notes = "my notes, which are longer than a header of SQLite, which has a hundred bytes, \
                 so that it is looked at";
    fs::write(foreign.join("club.db"), notes).unwrap();
    let missing = folder.join("missing");
    for (place, words) in [
        (&empty, "there is no club; expected the directory of isrever serve --club"),
        (&missing, "there is no club"),
        (&foreign, "club.db is not a club's file"),
    ] {
        let path = place.to_str().unwrap();
        run(["club", "judge", path]).refused(&[path, words]);
        run(["club", "link", path]).refused(&[path, words]);
        run(["club", "back-up", path, "copy.db"]).refused(&[path, words]);
        run(["club", "prove", path, "1", "proof.db"]).refused(&[path, words]);
    }
    let data = folder.join("data");
    let args = ["serve", "--port", "0", "--data", data.to_str().unwrap()];
    let with = |more: &[&str]| run(args.iter().chain(more));
    with(&["--club", foreign.to_str().unwrap()]).refused(&["--club", "not a club's file"]);
    with(&["--club", foreign.join("club.db").to_str().unwrap()]).refused(&["--club"]);
    with(&["--judges", "2"]).refused(&["--club"]);
    with(&["--club", missing.to_str().unwrap(), "--judges", "-1"]).refused(&["--judges -1"]);
    assert!(!missing.exists());
    assert_eq!(fs::read_dir(&empty).unwrap().count(), 0);
    assert_eq!(fs::read_to_string(foreign.join("club.db")).unwrap(), notes);
    assert_eq!(fs::read_dir(&foreign).unwrap().count(), 1);

    let club = folder.join("club");
    drop(Club::open(&club, WORK).unwrap());
    let path = club.to_str().unwrap();
    let judge = ["club", "judge", path, "--python", "/no/python"];
    run(judge).refused(&["--python", "cannot be started"]);
}
