//! The server of a simulated class, in one life after the other.
//!
//! It is killed and started again on the same port. Requests that a life's end
//! interrupts are told from those that a living server did not answer.

use crate::http::{Answer, Client};
use crate::rng::Rng;
use crate::server::Server;
use anyhow::{Context, Result, bail, ensure};
use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a server may take to answer after its start.
const PATIENCE: Duration = Duration::from_secs(120);

/// How long to wait before something is asked again.
const PAUSE: Duration = Duration::from_millis(50);

/// Something that was killed.
#[derive(Clone)]
pub(super) struct Kill {
    /// Seconds since the beginning.
    pub(super) at: f64,
    pub(super) what: &'static str,
    /// Seconds until a server answered again; 0 for a judge.
    pub(super) gone: f64,
}

/// The server and where its files are.
pub(super) struct Campus {
    program: PathBuf,
    folder: PathBuf,
    judges: u16,
    port: u16,
    server: Mutex<Option<Server>>,
    /// Even while the server is up, odd while it is not.
    life: AtomicU64,
    kills: Mutex<Vec<Kill>>,
    pub(super) began: Instant,
}

/// A connection of somebody's, which is opened again when it has to be.
#[derive(Default)]
pub(super) struct Line(Option<(u64, Client)>);

/// What became of a request.
pub(super) enum Reply {
    /// It was answered, after so many milliseconds.
    Answered(Answer, f64),
    /// The server was killed meanwhile.
    Interrupted,
}

impl Campus {
    /// Starts a server in an empty folder.
    pub(super) fn open(program: &Path, folder: &Path, judges: u16) -> Result<Campus> {
        for part in ["tmp", "data"] {
            fs::create_dir_all(folder.join(part))?;
        }
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let campus = Campus {
            program: program.to_owned(),
            folder: folder.to_owned(),
            judges,
            port,
            server: Mutex::default(),
            life: AtomicU64::new(1),
            kills: Mutex::default(),
            began: Instant::now(),
        };
        campus.start()?;
        Ok(campus)
    }

    /// The program that serves.
    pub(super) fn program(&self) -> &Path {
        &self.program
    }

    /// Where the club's file is.
    pub(super) fn club(&self) -> PathBuf {
        self.folder.join("club")
    }

    /// Where agents have their folders.
    pub(super) fn temporary(&self) -> PathBuf {
        self.folder.join("tmp")
    }

    fn start(&self) -> Result<()> {
        let log = File::options().create(true).append(true).open(self.folder.join("server.log"))?;
        let mut serve = Command::new(&self.program);
        serve.arg("serve").arg("--club").arg(self.club()).arg("--data");
        serve.arg(self.folder.join("data")).args(["--judges", &self.judges.to_string()]);
        serve.env("TMPDIR", self.temporary()).stderr(log);
        let server = Server::start_at(&mut serve, self.port)?;
        *self.lock() = Some(server);
        self.life.fetch_add(1, SeqCst);
        Ok(())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Server>> {
        self.server.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The code of the administrator's invitation, which the first server tells.
    pub(super) fn invitation(&self) -> Result<String> {
        let server = self.lock();
        let link = server.as_ref().and_then(|server| server.said()["invitation"].as_str());
        let code = link.and_then(|link| link.rsplit('/').next()).context("an invitation")?;
        Ok(code.to_owned())
    }

    /// Kills the server, starts another one at once, and waits until that answers.
    pub(super) fn kill_server(&self) -> Result<()> {
        let (at, begin) = (self.seconds(), Instant::now());
        self.life.fetch_add(1, SeqCst);
        let server = self.lock().take();
        server.context("a server is there")?.kill()?;
        self.start()?;
        let mut line = Line::default();
        while !matches!(line.ask(self, "GET", "/api/health", "", "")?, Reply::Answered(..)) {
            ensure!(begin.elapsed() < PATIENCE, "the new server does not answer");
        }
        let gone = begin.elapsed().as_secs_f64();
        self.note(Kill { at, what: "server", gone });
        Ok(())
    }

    /// Kills one of the judges, if there is one at the moment.
    pub(super) fn kill_judge(&self, rng: &mut Rng) -> Result<()> {
        let judges = self.judge_processes();
        let Some(judge) = rng.one_of(&judges) else { return Ok(()) };
        // It may have ended by itself meanwhile.
        Command::new("kill").args(["-KILL", &judge.to_string()]).status()?;
        self.note(Kill { at: self.seconds(), what: "judge", gone: 0.0 });
        Ok(())
    }

    fn note(&self, kill: Kill) {
        self.kills.lock().unwrap_or_else(PoisonError::into_inner).push(kill);
    }

    /// Everything that was killed so far.
    pub(super) fn kills(&self) -> Vec<Kill> {
        self.kills.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Seconds since the beginning.
    pub(super) fn seconds(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    /// The process of the server, if it is up.
    pub(super) fn server_process(&self) -> Option<u32> {
        self.lock().as_ref().map(Server::id)
    }

    /// The judges of the club that run now.
    pub(super) fn judge_processes(&self) -> Vec<u32> {
        let club = self.club();
        let club = club.to_string_lossy();
        processes(|words| words.contains(&"judge") && words.contains(&&*club))
    }

    /// Stops the server in order.
    pub(super) fn stop(&self) -> Result<()> {
        self.lock().take().context("a server is there")?.stop()
    }

    /// The life that the server is in, if it is up.
    fn life(&self) -> Option<u64> {
        Some(self.life.load(SeqCst)).filter(|life| life.is_multiple_of(2))
    }
}

/// The numbers of all processes whose words `is_wanted` accepts.
pub(super) fn processes(is_wanted: impl Fn(&[&str]) -> bool) -> Vec<u32> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let numbered = entries.flatten().filter_map(|entry| {
        let number: u32 = entry.file_name().to_str()?.parse().ok()?;
        let line = fs::read(entry.path().join("cmdline")).ok()?;
        let line = String::from_utf8_lossy(&line).into_owned();
        let words: Vec<&str> = line.split('\0').collect();
        is_wanted(&words).then_some(number)
    });
    numbered.collect()
}

impl Line {
    /// Sends a request, on a new connection if the old one is of an earlier life or was closed
    /// meanwhile. An error if a server that is up does not answer.
    pub(super) fn ask(
        &mut self,
        campus: &Campus,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> Result<Reply> {
        let Some(life) = campus.life() else {
            thread::sleep(PAUSE);
            return Ok(Reply::Interrupted);
        };
        if self.0.as_ref().is_some_and(|(of, _)| *of != life) {
            self.0 = None;
        }
        let was_open = self.0.is_some();
        let begin = Instant::now();
        let mut answer = self.try_ask(campus, life, method, path, headers, body);
        // A server may close a connection that rests; browsers then open another one.
        if answer.is_err() && was_open && method == "GET" && campus.life() == Some(life) {
            answer = self.try_ask(campus, life, method, path, headers, body);
        }
        let millis = begin.elapsed().as_secs_f64() * 1e3;
        match answer {
            // Whoever is answered is answered, but the time counts only within a life.
            Ok(answer) => Ok(Reply::Answered(answer, millis)),
            Err(_) if campus.life() != Some(life) => Ok(Reply::Interrupted),
            Err(error) => {
                // The server may be dying at this moment, a little before that is known.
                thread::sleep(PAUSE);
                if campus.life() == Some(life) { Err(error) } else { Ok(Reply::Interrupted) }
            }
        }
    }

    fn try_ask(
        &mut self,
        campus: &Campus,
        life: u64,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> Result<Answer> {
        if self.0.is_none() {
            let address = format!("127.0.0.1:{}", campus.port);
            self.0 = Some((life, Client::connect(&address)?));
        }
        let Some((_, client)) = &mut self.0 else { bail!("it was just opened") };
        let answer = client.ask(method, path, headers, body);
        if answer.is_err() {
            self.0 = None;
        }
        answer.with_context(|| format!("{method} {path}"))
    }

    /// Asks until there is an answer, however often the server is killed.
    pub(super) fn insist(
        &mut self,
        campus: &Campus,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> Result<Answer> {
        loop {
            if let Reply::Answered(answer, _) = self.ask(campus, method, path, headers, body)? {
                return Ok(answer);
            }
        }
    }
}
