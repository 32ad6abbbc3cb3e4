//! The judges of a server: processes of their own, which are started again and end with it.
//!
//! A judge's standard input is a pipe that the server holds. It is closed when
//! the server ends, however that is, and then the judge ends.

use crate::log::LogLevel;
use isrever_guest::confine;
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
    place: usize,
    count: usize,
}

impl Judges {
    /// Starts so many judges for a club.
    pub(super) fn start(count: usize, club: &Path, log: LogLevel) -> Judges {
        let (end, told) = watch::channel(());
        let mut keepers = JoinSet::new();
        for place in 0..count {
            let post = Post { club: club.to_owned(), log, place, count };
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
        let judge = Command::new(THIS_PROGRAM)
            .arg0("isrever")
            .args(["club", "judge", "--until-closed", "--log", self.log.word(), "--"])
            .arg(&self.club)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        if let Some(process) = judge.id() {
            confine(process, self.place, self.count);
        }
        Ok(judge)
    }
}
