//! Submissions and judges: what is checked, who sees it, and what a dead judge leaves behind.

mod kit;

use isrever_club::{
    Backlog, CheckProgress, Club, ClubError, JobKind, Role, SubmitError, VersionState,
};
use kit::{NOW, administered, member, report};

const HOUR: i64 = 3_600_000;

fn refusal(error: ClubError) -> SubmitError {
    match error {
        ClubError::Submit(error) => error,
        other => panic!("{other}"),
    }
}

/// Has the next version checked.
fn check(club: &Club, has_passed: bool, now: i64) {
    let job = club.take_job("judge", &[JobKind::Check], now).unwrap().unwrap();
    club.finish_check(&job, &report(has_passed), now).unwrap();
}

#[test]
fn a_version_that_passes_plays_and_an_earlier_one_can_be_restored() {
    let (club, teacher) = administered("versions");
    let ada = member(&club, &teacher, "ada").visitor.account.id;
    let first = club.submit(ada, "my_ai.py", b"class AI: pass", None, NOW).unwrap();
    assert_eq!((first.number, first.state), (1, VersionState::Waiting));
    assert!(club.active_versions().unwrap().is_empty());
    check(&club, true, NOW);
    assert_eq!(club.active_versions().unwrap()[0].id, first.id);
    let bad = club.submit(ada, "my_ai.py", b"class AI: fail", None, NOW).unwrap();
    check(&club, false, NOW);
    assert_eq!(club.version(bad.id).unwrap().state, VersionState::Failed);
    assert_eq!(club.active_versions().unwrap()[0].id, first.id, "a failure changes nothing");
    assert!(club.activate(ada, bad.id, NOW).is_err());
    let third = club.submit(ada, "my ai (2).py", b"class AI: ...", None, NOW).unwrap();
    check(&club, true, NOW);
    assert_eq!(club.active_versions().unwrap()[0].id, third.id);
    club.activate(ada, first.id, NOW).unwrap();
    assert_eq!(club.active_versions().unwrap()[0].id, first.id);
    let known = club.submit(ada, "again.py", b"class AI: ...", None, NOW).unwrap_err();
    assert_eq!(refusal(known), SubmitError::Known { number: 3 });
    let numbers: Vec<i64> = club.versions(ada).unwrap().iter().map(|one| one.number).collect();
    assert_eq!(numbers, [3, 2, 1]);
}

#[test]
fn checks_that_end_out_of_order_leave_the_latest_version_active() {
    let (club, teacher) = administered("order");
    let ada = member(&club, &teacher, "ada").visitor.account.id;
    club.submit(ada, "a.py", b"one", None, NOW).unwrap();
    let second = club.submit(ada, "a.py", b"two", None, NOW).unwrap();
    let jobs =
        ["slow", "quick"].map(|judge| club.take_job(judge, &JobKind::ALL, NOW).unwrap().unwrap());
    club.finish_check(&jobs[1], &report(true), NOW).unwrap();
    club.finish_check(&jobs[0], &report(true), NOW).unwrap();
    assert_eq!(club.active_versions().unwrap()[0].id, second.id);
}

#[test]
fn sources_and_reports_are_for_their_author_and_administrators() {
    let (club, teacher) = administered("private");
    let [ada, bob] = ["ada", "bob"].map(|name| member(&club, &teacher, name).visitor.account.id);
    let boss = teacher.visitor.account.id;
    let version = club.submit(ada, "my_ai.py", b"secret", None, NOW).unwrap();
    check(&club, true, NOW);
    for who in [ada, boss] {
        assert_eq!(club.source(who, version.id).unwrap(), b"secret");
        assert!(club.report(who, version.id).unwrap().is_some());
    }
    let is_hidden = |done: Result<(), ClubError>| matches!(done, Err(ClubError::NoVersion));
    for id in 0..10 {
        assert!(is_hidden(club.source(bob, id).map(drop)), "whatever is guessed");
        assert!(is_hidden(club.report(bob, id).map(drop)));
        assert!(is_hidden(club.activate(bob, id, NOW)));
        assert!(is_hidden(club.set_open(bob, id, true, NOW)));
    }
    assert!(club.block_version(bob, version.id, "envy", NOW).is_err());
    club.block_version(boss, version.id, "copied", NOW).unwrap();
    assert!(club.active_versions().unwrap().is_empty());
    assert!(is_hidden(club.activate(ada, version.id, NOW)), "it is blocked");
    assert_eq!(club.log(boss, None, 1).unwrap()[0].subject, "ada v1: copied");
    assert_eq!(club.version(version.id).unwrap().reason.as_deref(), Some("copied"));
    let again = refusal(club.submit(ada, "new.py", b"secret", None, NOW).unwrap_err());
    assert_eq!(again, SubmitError::Blocked { number: 1, reason: "copied".to_owned() });
    assert!(club.unblock_version(ada, version.id, NOW).is_err());
    club.unblock_version(boss, version.id, NOW).unwrap();
    assert!(club.unblock_version(boss, version.id, NOW).is_err(), "it is not blocked any more");
    let unblocked = club.version(version.id).unwrap();
    assert_eq!((unblocked.state, unblocked.reason), (VersionState::Passed, None));
    assert!(club.active_versions().unwrap().is_empty(), "its author decides");
    club.activate(ada, version.id, NOW).unwrap();
    // One that was blocked before its check is checked then.
    let early = club.submit(ada, "my_ai.py", b"early", None, NOW).unwrap();
    let late = club.submit(bob, "my_ai.py", b"late", None, NOW).unwrap();
    assert_eq!(club.place_of_check(late.id, NOW).unwrap(), Some(2));
    club.block_version(boss, early.id, "copied", NOW).unwrap();
    assert_eq!(club.place_of_check(early.id, NOW).unwrap(), None);
    assert_eq!(club.place_of_check(late.id, NOW).unwrap(), Some(1));
    club.unblock_version(boss, early.id, NOW).unwrap();
    assert_eq!(club.version(early.id).unwrap().state, VersionState::Waiting);
    let job = club.take_job("judge", &[JobKind::Check], NOW).unwrap().unwrap();
    assert_eq!(job.subject, late.id);
    assert_eq!(club.place_of_check(late.id, NOW).unwrap(), Some(0), "a judge is at it");
    assert_eq!(club.progress_of_check(late.id, NOW).unwrap(), None, "it has not said how far");
    let progress = CheckProgress { done: 3, cases: 17 };
    club.show_check(&job, progress, NOW).unwrap();
    assert_eq!(club.progress_of_check(late.id, NOW).unwrap(), Some(progress));
    assert_eq!(club.progress_of_check(early.id, NOW).unwrap(), None);
    club.give_back_job(&job).unwrap();
    assert_eq!(club.progress_of_check(late.id, NOW).unwrap(), None, "nobody is at it");
    assert!(club.show_check(&job, progress, NOW).is_err(), "it is no longer this judge's");
    let job = club.take_job("another", &[JobKind::Check], NOW).unwrap().unwrap();
    assert_eq!(club.progress_of_check(job.subject, NOW).unwrap(), None, "from the beginning");
    assert_eq!(club.place_of_check(late.id, NOW).unwrap(), Some(0));
    assert_eq!(club.place_of_check(early.id, NOW).unwrap(), Some(1));
}

#[test]
fn what_is_no_submission_is_refused() {
    let (club, teacher) = administered("refused");
    let ada = member(&club, &teacher, "ada").visitor.account.id;
    for (file, source) in [
        ("my_ai.txt", &b"x"[..]),
        ("../my_ai.py", b"x"),
        (".py", b"x"),
        ("<b>.py", b"x"),
        ("a\n.py", b"x"),
        ("bomb.zip", b"PK"),
        ("a.py", b""),
        ("a.py", b" \n"),
        ("a.py", b"\xff\xfe"),
        ("a.py", b"x\0y"),
        ("a.py", &vec![b'x'; (1 << 20) + 1]),
    ] {
        assert!(club.submit(ada, file, source, None, NOW).is_err(), "{file:?}");
    }
    let code = club.invite(teacher.visitor.account.id, Role::Guest, "", 1, NOW).unwrap();
    let guest = club.accept(&code, "guest", kit::PASSWORD, NOW).unwrap().visitor.account.id;
    assert_eq!(
        refusal(club.submit(guest, "a.py", b"x", None, NOW).unwrap_err()),
        SubmitError::Guest
    );
    let accepted = (0..1_000)
        .filter(|number| {
            club.submit(ada, "a.py", format!("# {number}").as_bytes(), None, NOW).is_ok()
        })
        .count();
    assert_eq!(accepted, 20, "a thousand in a minute");
    assert_eq!(club.backlog(NOW).unwrap(), Backlog { waiting: 20, taken: 0, troubled: 0 });
    assert!(club.submit(ada, "a.py", b"later", None, NOW + HOUR + 1).is_ok());
}

#[test]
fn after_the_deadline_nothing_changes() {
    let (club, teacher) = administered("deadline");
    let (boss, ada) =
        (teacher.visitor.account.id, member(&club, &teacher, "ada").visitor.account.id);
    let first = club.submit(ada, "a.py", b"one", None, NOW).unwrap();
    check(&club, true, NOW);
    club.submit(ada, "a.py", b"two", None, NOW).unwrap();
    assert!(club.set_deadline(ada, None, NOW).is_err());
    club.set_deadline(boss, Some(NOW + HOUR), NOW).unwrap();
    assert!(club.submit(ada, "a.py", b"three", None, NOW + HOUR - 1).is_ok());
    let late = NOW + HOUR;
    assert_eq!(
        refusal(club.submit(ada, "a.py", b"four", None, late).unwrap_err()),
        SubmitError::Frozen
    );
    check(&club, true, late);
    assert_eq!(club.active_versions().unwrap()[0].id, first.id, "a check that ended too late");
    assert!(club.activate(ada, first.id, late).is_err());
    club.set_deadline(boss, None, late).unwrap();
    assert!(club.submit(ada, "a.py", b"four", None, late).is_ok());
}

#[test]
fn a_job_is_done_once_whoever_dies_meanwhile() {
    let (club, teacher) = administered("judges");
    let ada = member(&club, &teacher, "ada").visitor.account.id;
    let version = club.submit(ada, "a.py", b"one", None, NOW).unwrap();
    assert_eq!(club.take_job("games", &[JobKind::Game], NOW).unwrap(), None);
    let first = club.take_job("first", &JobKind::ALL, NOW).unwrap().unwrap();
    assert_eq!((first.kind, first.subject, first.attempt), (JobKind::Check, version.id, 1));
    assert_eq!(club.take_job("second", &JobKind::ALL, NOW).unwrap(), None, "it is taken");
    club.extend_job(&first, NOW + 20_000).unwrap();
    assert_eq!(club.take_job("second", &JobKind::ALL, NOW + 40_000).unwrap(), None, "still at it");
    let second = club.take_job("second", &JobKind::ALL, NOW + 60_000).unwrap().unwrap();
    let is_lost = |done: Result<(), ClubError>| matches!(done, Err(ClubError::Job(_)));
    assert!(
        is_lost(club.finish_check(&first, &report(true), NOW + 60_000)),
        "a dead judge comes back"
    );
    assert!(is_lost(club.extend_job(&first, NOW + 60_000)));
    club.give_back_job(&second).unwrap();
    let third = club.take_job("third", &JobKind::ALL, NOW + 60_000).unwrap().unwrap();
    assert_eq!(third.attempt, 2, "what is given back does not count");
    club.finish_check(&third, &report(true), NOW + 60_000).unwrap();
    assert!(is_lost(club.finish_check(&third, &report(true), NOW + 60_000)), "once");
    assert_eq!(club.backlog(NOW).unwrap(), Backlog::default());
}

#[test]
fn a_job_that_kills_every_judge_is_set_aside_and_the_rest_goes_on() {
    let (club, teacher) = administered("poison");
    let [ada, bob] = ["ada", "bob"].map(|name| member(&club, &teacher, name).visitor.account.id);
    let poison = club.submit(ada, "a.py", b"poison", None, NOW).unwrap();
    let good = club.submit(bob, "b.py", b"good", None, NOW).unwrap();
    let mut now = NOW;
    let mut taken = Vec::new();
    while let Some(job) = club.take_job("judge", &JobKind::ALL, now).unwrap() {
        if job.subject == good.id {
            club.finish_check(&job, &report(true), now).unwrap();
        }
        taken.push(job.subject);
        now += 60_000;
    }
    assert_eq!(taken.iter().filter(|&&id| id == poison.id).count(), 3);
    assert_eq!(club.active_versions().unwrap()[0].id, good.id);
    let troubles = club.troubles().unwrap();
    assert_eq!((troubles.len(), troubles[0].subject), (1, poison.id));
    assert!(troubles[0].reason.contains("without a result"));
    assert_eq!(club.retry_troubles().unwrap(), 1);
    let job = club.take_job("judge", &JobKind::ALL, now).unwrap().unwrap();
    club.set_job_aside(&job, "no Python here").unwrap();
    assert_eq!(club.troubles().unwrap()[0].reason, "no Python here");
    assert_eq!(club.take_job("judge", &JobKind::ALL, now).unwrap(), None);
    assert!(club.set_job_aside(&job, "too late").is_err(), "the judge has it no longer");
    // Tried again, it comes before what was submitted later.
    club.submit(bob, "b.py", b"later", None, now).unwrap();
    assert_eq!(club.retry_troubles().unwrap(), 1);
    let job = club.take_job("judge", &JobKind::ALL, now).unwrap().unwrap();
    assert_eq!(job.subject, poison.id);
}
