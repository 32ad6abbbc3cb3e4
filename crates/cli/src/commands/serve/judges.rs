//! The judges of a server: processes of their own, which are started again and end with it.
//!
//! A judge's standard input is a pipe that the server holds. It is closed when
//! the server ends, however that is, and then the judge ends. One more than asked
//! for does nothing but let agents reply to people, who would else wait for the
//! end of somebody's game.

use crate::log::LogLevel;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::process::{Child, Command};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

/// How long a judge has for ending in order.
const GRACE: Duration = Duration::from_secs(5);

/// How long to wait before a judge that has ended is started again; twice as long each time it ends
/// early, up to the most.
const PAUSE: Duration = Duration::from_secs(1);
const MOST_PAUSE: Duration = Duration::from_secs(60);

/// This program, even if its file has been replaced since: judges are of the server's version.
const THIS_PROGRAM: &str = "/proc/self/exe";

/// The judges of a server. They end with it.
pub(super) struct Judges {
    end: watch::Sender<()>,
    keepers: JoinSet<()>,
}

/// What a judge is started with.
#[derive(Clone)]
struct Post {
    club: PathBuf,
    log: LogLevel,
    /// How many judges share the cores.
    places: usize,
    duty: Duty,
}

/// What a judge is there for.
#[derive(Clone, Copy)]
enum Duty {
    /// Everything, on the cores of its place.
    All { place: usize },
    /// Replies to people alone, between the moves of others on whatever core is free first.
    Replies,
}

impl Judges {
    /// Starts so many judges for a club, and one for replies alone if there are any.
    pub(super) fn start(count: usize, club: &Path, log: LogLevel) -> Judges {
        let (end, told) = watch::channel(());
        let mut keepers = JoinSet::new();
        let all = (1..=count).map(|place| Duty::All { place });
        let replies = (count > 0).then_some(Duty::Replies);
        for duty in all.chain(replies) {
            let post = Post { club: club.to_owned(), log, places: count, duty };
            keepers.spawn(keep(post, told.clone()));
        }
        Judges { end, keepers }
    }

    /// Ends all judges, and returns when they have ended.
    pub(super) async fn end(self) {
        drop(self.end);
        self.keepers.join_all().await;
    }
}

/// Keeps one judge at work until told otherwise.
async fn keep(post: Post, mut told: watch::Receiver<()>) {
    let mut pause = PAUSE;
    loop {
        let begun = Instant::now();
        match post.start() {
            Ok(mut judge) => {
                // Waiting for a process would close it.
                let pipe = judge.stdin.take();
                tokio::select! {
                    ended = judge.wait() => {
                        let how = ended.map_or_else(|error| error.to_string(), |how| how.to_string());
                        tracing::warn!("a judge has ended ({how}); another one follows");
                    }
                    _ = told.changed() => {
                        drop(pipe);
                        if timeout(GRACE, judge.wait()).await.is_err() {
                            // It may have ended by now.
                            let _ = judge.kill().await;
                        }
                        return;
                    }
                }
            }
            Err(error) => tracing::error!("no judge can be started: {error}"),
        }
        pause = if begun.elapsed() > MOST_PAUSE { PAUSE } else { pause };
        tokio::select! {
            () = sleep(pause) => {}
            _ = told.changed() => return,
        }
        pause = MOST_PAUSE.min(pause * 2);
    }
}

impl Post {
    fn start(&self) -> io::Result<Child> {
        let mut judge = Command::new(THIS_PROGRAM);
        judge.arg0("isrever").args(["club", "judge", "--until-closed", "--log", self.log.word()]);
        judge.args(["--places", &self.places.to_string()]);
        match self.duty {
            Duty::All { place } => judge.args(["--place", &place.to_string()]),
            Duty::Replies => judge.arg("--replies"),
        };
        judge
            .arg("--")
            .arg(&self.club)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .kill_on_drop(true)
            .spawn()
    }
}
