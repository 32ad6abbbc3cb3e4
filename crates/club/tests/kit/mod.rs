//! A club with its first administrator, for the tests.

#![allow(dead_code, reason = "no test needs all of it")]

use isrever_club::{AccountId, CheckTotal, Club, JobKind, Report, Role, Session, VersionId, Work};
use std::path::PathBuf;

/// Some moment.
pub(crate) const NOW: i64 = 1_800_000_000_000;

pub(crate) const PASSWORD: &str = "correct horse";

/// Little work: what is tested is not how long a hash takes.
pub(crate) const WORK: Work = Work { memory_kib: 64, passes: 1 };

/// An empty directory of the test called `name`.
pub(crate) fn directory(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("club").join(name);
    let _ = std::fs::remove_dir_all(&path);
    path
}

pub(crate) fn open(name: &str) -> Club {
    Club::open(&directory(name), WORK).expect("it opens")
}

/// A club with its first administrator.
pub(crate) fn administered(name: &str) -> (Club, Session) {
    let club = open(name);
    let code = club.first_invitation(NOW).expect("a code").expect("nobody is there");
    let session = club.accept(&code, "teacher", PASSWORD, NOW).expect("it is accepted");
    (club, session)
}

/// A new member.
pub(crate) fn member(club: &Club, by: &Session, name: &str) -> Session {
    let by = by.visitor.account.id;
    let code = club.invite(by, Role::Member, "A", 1, NOW).expect("a code");
    club.accept(&code, name, PASSWORD, NOW).expect("it is accepted")
}

/// What a check found, in short.
pub(crate) fn report(has_passed: bool) -> Report {
    let (passed, failed) = if has_passed { (16, 0) } else { (15, 1) };
    Report { total: CheckTotal { passed, failed, skipped: 0 }, ..Report::default() }
}

/// A member with an active version whose source is the name.
pub(crate) fn entrant(club: &Club, teacher: &Session, name: &str) -> (AccountId, VersionId) {
    let id = member(club, teacher, name).visitor.account.id;
    (id, submit(club, id, name))
}

/// Submits a source that passes its check.
pub(crate) fn submit(club: &Club, by: AccountId, source: &str) -> VersionId {
    let version = club.submit(by, "my_ai.py", source.as_bytes(), None, NOW).unwrap();
    let job = club.take_job("judge", &[JobKind::Check], NOW).unwrap().unwrap();
    club.finish_check(&job, &report(true), NOW).unwrap();
    version.id
}
