//! A club for the tests: an administrator, members, and a judge who does all there is to do.

use isrever_agent::TimedBy;
use isrever_board::Size;
use isrever_club::{AccountId, Club, Role, Terms, VersionId, Work};
use isrever_guest::{Interpreter, PythonSettings, Turns};
use isrever_judge::{Judge, Judging, News, Run};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// When everything happens.
pub(crate) const NOW: i64 = 1_800_000_000_000;
const PASSWORD: &str = "correct horse";

/// Little work: what is tested is not how long a hash takes.
const WORK: Work = Work { memory_kib: 64, passes: 1 };

/// A club in a directory of its own, with an administrator and quick games on a small board.
pub(crate) fn club(name: &str) -> (PathBuf, Club, AccountId) {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("judge").join(name);
    let _ = std::fs::remove_dir_all(&directory);
    let club = Club::open(&directory, WORK).unwrap();
    let code = club.first_invitation(NOW).unwrap().unwrap();
    let boss = club.accept(&code, "teacher", PASSWORD, NOW).unwrap().visitor.account.id;
    set_width(&club, boss, 4);
    (directory, club, boss)
}

/// Has what follows played on boards of this width.
pub(crate) fn set_width(club: &Club, boss: AccountId, width: usize) {
    let size = Size::new(width).unwrap();
    club.set_terms(boss, Terms { size, move_ms: 2_000, game_ms: 600_000, ..Terms::default() }, NOW)
        .unwrap();
}

/// A new member.
pub(crate) fn member(club: &Club, boss: AccountId, name: &str) -> AccountId {
    let code = club.invite(boss, Role::Member, "A", 1, NOW).unwrap();
    club.accept(&code, name, PASSWORD, NOW).unwrap().visitor.account.id
}

/// Submits a source.
pub(crate) fn submit(club: &Club, by: AccountId, source: &str) -> VersionId {
    club.submit(by, "my_ai.py", source.as_bytes(), Some(0.05), NOW).unwrap().id
}

/// A judge does everything that is to do, until nothing is.
pub(crate) fn judge(directory: &Path) -> Vec<News> {
    let interpreter = Interpreter::find(None).expect("a python3 with numpy");
    // Agents have time of their own, so that a busy machine takes none of it.
    let timed_by = TimedBy::Processor;
    let turns = Turns::anywhere(directory.join("turns"), 1).expect("a folder for locks");
    let turns = Some(Arc::new(turns));
    let python = PythonSettings { timed_by, turns, ..PythonSettings::new(interpreter) };
    let club = Club::open(directory, WORK).unwrap();
    let other = Club::open(directory, WORK).unwrap();
    let catalogue = Arc::new(isrever_players::catalogue());
    let judging = Judging { catalogue, python, run: Run::default() };
    let judge = Judge::new(club, "judge", judging);
    let stop = Arc::new(AtomicBool::new(false));
    let mut all = Vec::new();
    judge.work(&stop, &mut |news| {
        all.push(news);
        let backlog = other.backlog(i64::MAX - (1 << 40)).unwrap();
        stop.store(backlog.waiting + backlog.taken == 0, Relaxed);
    });
    all
}
