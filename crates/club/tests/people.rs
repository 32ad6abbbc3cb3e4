//! People of a club, from the first administrator to a whole class, and those who mean no good.

mod kit;

use isrever_club::{Club, ClubError, Enrolled, LogInError, OpenError, Role};
use kit::{NOW, PASSWORD, WORK, administered, directory, member, open};
use std::net::{IpAddr, Ipv4Addr};

const DAY: i64 = 86_400_000;
const HOME: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
#[test]
fn the_first_link_makes_the_administrator_and_nobody_else() {
    let club = open("first");
    let old = club.first_invitation(NOW).unwrap().unwrap();
    let code = club.first_invitation(NOW).unwrap().unwrap();
    assert!(club.accept(&old, "thief", PASSWORD, NOW).is_err(), "an older link is worth nothing");
    let session = club.accept(&code, "teacher", PASSWORD, NOW).unwrap();
    assert_eq!(session.visitor.account.role, Role::Administrator);
    assert!(club.accept(&code, "thief", PASSWORD, NOW).is_err(), "it is for one");
    assert_eq!(club.first_invitation(NOW).unwrap(), None);
    let names: Vec<String> = club.accounts().unwrap().into_iter().map(|one| one.name).collect();
    assert_eq!(names, ["teacher"]);
}

#[test]
fn a_session_lasts_until_it_is_ended_or_forgotten() {
    let (club, teacher) = administered("session");
    member(&club, &teacher, "Ada");
    let session = club.log_in("ADA", PASSWORD, HOME, NOW).unwrap();
    assert_eq!(session.visitor.account.name, "Ada", "case does not matter");
    let known = club.visitor(&session.cookie, NOW).unwrap().unwrap();
    assert_eq!(known, session.visitor);
    assert_ne!(known.form, teacher.visitor.form);
    assert!(club.visitor("nonsense", NOW).unwrap().is_none());
    // Used every day it lasts, but not for ever.
    let mut days = 0;
    while club.visitor(&session.cookie, NOW + days * DAY).unwrap().is_some() {
        days += 10;
    }
    assert!((100..=120).contains(&days), "{days}");
    let session = club.log_in("Ada", PASSWORD, HOME, NOW).unwrap();
    assert!(club.visitor(&session.cookie, NOW + 15 * DAY).unwrap().is_none(), "unused");
    let session = club.log_in("Ada", PASSWORD, HOME, NOW).unwrap();
    club.log_out(&session.cookie).unwrap();
    assert!(
        club.visitor(&session.cookie, NOW).unwrap().is_none(),
        "a stolen cookie is worth nothing"
    );
}

#[test]
fn guessing_passwords_is_slow_and_says_nothing_about_names() {
    let (club, teacher) = administered("guessing");
    member(&club, &teacher, "ada");
    let wrong =
        |name: &str, now: i64| club.log_in(name, "not the password", HOME, now).unwrap_err();
    let (known, unknown) = (wrong("ada", NOW), wrong("nobody", NOW));
    assert_eq!(known.to_string(), unknown.to_string());
    for _ in 0..5 {
        wrong("ada", NOW);
    }
    let refused = club.log_in("ada", PASSWORD, HOME, NOW).unwrap_err();
    assert!(matches!(refused, LogInError::Wait(ms) if ms > 0), "{refused}");
    let elsewhere = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
    let refused = club.log_in("Ada", PASSWORD, elsewhere, NOW).unwrap_err();
    assert!(matches!(refused, LogInError::Wait(_)), "from anywhere, whatever the case: {refused}");
    assert!(club.log_in("teacher", PASSWORD, elsewhere, NOW).is_ok(), "others are not kept out");
    assert!(club.log_in("ada", PASSWORD, HOME, NOW + DAY).is_ok(), "not for ever");
    for number in 0..120 {
        wrong(&format!("guess{number}"), NOW);
    }
    let refused = club.log_in("teacher", PASSWORD, HOME, NOW).unwrap_err();
    assert!(matches!(refused, LogInError::Wait(_)), "one machine cannot try many names: {refused}");
}

#[test]
fn a_new_password_ends_what_the_old_one_began() {
    let (club, teacher) = administered("password");
    let ada = member(&club, &teacher, "ada");
    let (id, by) = (ada.visitor.account.id, teacher.visitor.account.id);
    let refused = club.change_password(id, "wrong guess", "another horse", NOW).unwrap_err();
    assert!(matches!(refused, ClubError::WrongPassword));
    assert!(club.change_password(id, PASSWORD, "short", NOW).is_err());
    club.change_password(id, PASSWORD, "another horse", NOW).unwrap();
    assert!(club.visitor(&ada.cookie, NOW).unwrap().is_none());
    assert!(club.log_in("ada", PASSWORD, HOME, NOW).is_err());
    let ada = club.log_in("ada", "another horse", HOME, NOW).unwrap();

    let code = club.reset_password(by, id, NOW).unwrap();
    assert!(club.visitor(&ada.cookie, NOW).unwrap().is_none());
    assert!(club.log_in("ada", "another horse", HOME, NOW).is_err());
    assert_eq!(club.invitation(&code, NOW).unwrap().name.as_deref(), Some("ada"));
    let ada = club.accept(&code, "somebody else", "third horse", NOW).unwrap();
    assert_eq!(ada.visitor.account.id, id, "the link is for one account, whatever name is sent");
    assert!(club.accept(&code, "ada", PASSWORD, NOW).is_err(), "once");
    assert!(club.reset_password(id, by, NOW).is_err(), "members reset nobody's");
}

#[test]
fn who_owns_the_machine_can_let_an_administrator_in_again() {
    let (club, teacher) = administered("locked-out");
    let id = teacher.visitor.account.id;
    let code = club.reset_password_here(id, NOW).unwrap();
    assert!(club.visitor(&teacher.cookie, NOW).unwrap().is_none());
    assert!(club.log_in("teacher", PASSWORD, HOME, NOW).is_err());
    let back = club.accept(&code, "", "another horse", NOW).unwrap();
    assert_eq!((back.visitor.account.id, back.visitor.account.role), (id, Role::Administrator));
    let log = club.log(id, None, 10).unwrap();
    let reset = log.iter().find(|entry| entry.action == "reset-password").unwrap();
    assert_eq!((reset.actor.as_deref(), reset.subject.as_str()), (None, "teacher"));
    assert!(matches!(club.reset_password_here(id + 99, NOW), Err(ClubError::NoAccount)));
}

#[test]
fn members_administer_nothing_and_somebody_always_does() {
    let (club, teacher) = administered("roles");
    let ada = member(&club, &teacher, "ada").visitor.account.id;
    let boss = teacher.visitor.account.id;
    let is_forbidden = |done: Result<(), ClubError>| matches!(done, Err(ClubError::Forbidden));
    assert!(is_forbidden(club.set_role(ada, ada, Role::Administrator, NOW)));
    assert!(is_forbidden(club.set_blocked(ada, boss, true, NOW)));
    assert!(is_forbidden(club.invite(ada, Role::Administrator, "", 1, NOW).map(drop)));
    assert!(is_forbidden(club.enrol(ada, "name\nbob\n", false, NOW).map(drop)));
    assert!(is_forbidden(club.log(ada, None, 10).map(drop)));
    assert!(is_forbidden(club.rename(ada, boss, "fool", NOW)));
    assert!(is_forbidden(club.set_section(ada, ada, "B", NOW)));
    assert!(is_forbidden(club.remove_account(ada, boss, NOW)));
    assert!(is_forbidden(club.invitations(ada, NOW).map(drop)));
    assert!(is_forbidden(club.withdraw(ada, "00", NOW)));
    for done in [
        club.set_role(boss, boss, Role::Member, NOW),
        club.set_blocked(boss, boss, true, NOW),
        club.remove_account(boss, boss, NOW),
    ] {
        assert!(matches!(done, Err(ClubError::LastAdministrator)), "{done:?}");
    }
    club.set_role(boss, ada, Role::Administrator, NOW).unwrap();
    club.set_blocked(ada, boss, true, NOW).unwrap();
    assert!(club.visitor(&teacher.cookie, NOW).unwrap().is_none());
    assert!(matches!(club.log_in("teacher", PASSWORD, HOME, NOW), Err(LogInError::Blocked)));
    assert!(is_forbidden(club.set_role(boss, boss, Role::Administrator, NOW)), "not while blocked");
}

#[test]
fn a_class_list_makes_accounts_once() {
    let (club, teacher) = administered("class");
    let by = teacher.visitor.account.id;
    let mut list = "name,section\n".to_owned();
    for number in 0..200 {
        list += &format!("s{number:03},{}\n", if number % 2 == 0 { "A" } else { "B" });
    }
    let enrolled = club.enrol(by, &list, false, NOW).unwrap().enrolled;
    assert_eq!(enrolled.len(), 200);
    let again = club.enrol(by, &(list + "late,B\n"), false, NOW).unwrap();
    let names = |made: &[Enrolled]| made.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
    assert_eq!((names(&again.enrolled), again.known.len()), (vec!["late".to_owned()], 200));
    let wrong = "name\nNew One\nNew One\nlate\n../x\n";
    let refused = club.enrol(by, wrong, false, NOW).unwrap();
    assert_eq!((refused.enrolled.len(), &refused.left[..]), (0, &["New One".to_owned()][..]));
    assert_eq!(refused.faults.iter().map(|fault| fault.line).collect::<Vec<_>>(), [3, 5]);
    assert!(club.account_called("New One").unwrap().is_none(), "all or nothing");
    let taken = club.enrol(by, wrong, true, NOW).unwrap();
    assert_eq!((names(&taken.enrolled), taken.faults.len()), (vec!["New One".to_owned()], 2));
    assert_eq!(taken.known, ["late"]);
    assert!(club.log_in("s007", "", HOME, NOW).is_err(), "nobody gets in without a password");
    let session = club.accept(&enrolled[7].code, "", PASSWORD, NOW).unwrap();
    let account = session.visitor.account;
    assert_eq!((&account.name[..], &account.section[..]), ("s007", "B"));
    assert!(club.accept(&enrolled[8].code, "", PASSWORD, NOW + 31 * DAY).is_err(), "too late");
}

#[test]
fn invitations_are_listed_without_their_codes_and_can_be_withdrawn() {
    let (club, teacher) = administered("invitations");
    let by = teacher.visitor.account.id;
    let code = club.invite(by, Role::Member, "A", 2, NOW).unwrap();
    let enrolled = club.enrol(by, "name,section\nada,B\n", false, NOW + 1).unwrap().enrolled;
    let open = club.invitations(by, NOW + 1).unwrap();
    let shown: Vec<_> = open.iter().map(|one| (one.invitation.name.as_deref(), one.uses)).collect();
    assert_eq!(shown, [(Some("ada"), 1), (None, 2)]);
    assert_eq!((open[1].created, &open[1].invitation.section[..]), (Some(NOW), "A"));
    let text = format!("{open:?}");
    assert!(!text.contains(&code) && !text.contains(&enrolled[0].code));
    let digest = isrever_club::secret::hex(&open[1].digest);
    club.withdraw(by, &digest, NOW + 2).unwrap();
    assert!(club.withdraw(by, &digest, NOW + 2).is_err(), "it is gone");
    assert!(club.accept(&code, "eve", PASSWORD, NOW + 2).is_err());
    assert_eq!(club.invitations(by, NOW + 2).unwrap(), open[..1]);
    assert_eq!(club.log(by, None, 1).unwrap()[0].action, "withdraw");
    assert_eq!(club.invitations(by, NOW + 31 * DAY).unwrap(), [], "nobody can accept them");
}

#[test]
fn accounts_change_their_names_and_sections_and_go_if_they_have_done_nothing() {
    let (club, teacher) = administered("changed_accounts");
    let by = teacher.visitor.account.id;
    let [ada, bob] = ["ada", "bob"].map(|name| member(&club, &teacher, name).visitor.account.id);
    club.rename(by, ada, "Ada King", NOW).unwrap();
    club.rename(by, ada, "ADA King", NOW).unwrap();
    assert!(club.rename(by, ada, "Bob", NOW).is_err(), "somebody is called so");
    assert!(club.rename(by, ada, "<b>", NOW).is_err());
    club.set_section(by, ada, "Monday 10", NOW).unwrap();
    assert!(club.set_section(by, ada, "<b>", NOW).is_err());
    let session = club.log_in("ada king", PASSWORD, HOME, NOW).unwrap().visitor.account;
    assert_eq!((&session.name[..], &session.section[..]), ("ADA King", "Monday 10"));
    club.submit(ada, "my_ai.py", b"x", None, NOW).unwrap();
    assert!(matches!(club.remove_account(by, ada, NOW), Err(ClubError::HasPlayed(_))));
    club.remove_account(by, bob, NOW).unwrap();
    assert!(matches!(club.account(bob), Err(ClubError::NoAccount)));
    assert!(club.log_in("bob", PASSWORD, HOME, NOW).is_err());
    let log = club.log(by, None, 3).unwrap();
    assert_eq!((&log[0].action[..], &log[0].subject[..]), ("remove-account", "bob"));
    assert_eq!((&log[1].action[..], &log[1].subject[..]), ("submit", "ADA King v1"));
}

#[test]
fn tokens_speak_for_an_account_until_they_are_removed() {
    let (club, teacher) = administered("tokens");
    let ada = member(&club, &teacher, "ada").visitor.account.id;
    let token = club.add_token(ada, "laptop", NOW).unwrap();
    assert_eq!(club.bearer(&token, NOW).unwrap().unwrap().name, "ada");
    assert_eq!(club.tokens(ada).unwrap()[0].used, Some(NOW));
    assert!(club.bearer("nonsense", NOW).unwrap().is_none());
    assert!(club.visitor(&token, NOW).unwrap().is_none(), "a token is no cookie");
    assert!(
        !club.remove_token(teacher.visitor.account.id, "laptop", NOW).unwrap(),
        "not another's"
    );
    assert!(club.remove_token(ada, "laptop", NOW).unwrap());
    assert!(club.bearer(&token, NOW).unwrap().is_none());
    for number in 0..20 {
        club.add_token(ada, &format!("token {number}"), NOW).unwrap();
    }
    assert!(matches!(club.add_token(ada, "one more", NOW), Err(ClubError::TooManyTokens)));
    let token = club.add_token(teacher.visitor.account.id, "mine", NOW).unwrap();
    club.set_blocked(teacher.visitor.account.id, ada, true, NOW).unwrap();
    assert!(club.bearer(&token, NOW).unwrap().is_some());
}

#[test]
fn everything_is_in_the_log_in_order_and_without_secrets() {
    let (club, teacher) = administered("log");
    let by = teacher.visitor.account.id;
    let ada = member(&club, &teacher, "ada").visitor.account.id;
    let code = club.reset_password(by, ada, NOW + 1).unwrap();
    club.set_role(by, ada, Role::Guest, NOW + 2).unwrap();
    let log = club.log(by, None, 100).unwrap();
    let actions: Vec<&str> = log.iter().rev().map(|entry| &entry.action[..]).collect();
    assert_eq!(
        actions,
        ["accept", "log-in", "invite", "accept", "log-in", "reset-password", "set-role"]
    );
    assert_eq!(log[0].subject, "ada: guest");
    assert_eq!(log[0].actor.as_deref(), Some("teacher"));
    let text = format!("{log:?}");
    assert!(!text.contains(&code) && !text.contains(PASSWORD) && !text.contains("argon2"));
    assert_eq!(club.log(by, Some(log[0].id), 1).unwrap()[0], log[1]);
}

#[test]
fn a_copy_of_the_file_is_a_club_and_foreign_files_are_not() {
    let (club, teacher) = administered("copy");
    let place = directory("copied");
    std::fs::create_dir_all(&place).unwrap();
    club.back_up(&place.join("club.db")).unwrap();
    assert!(club.back_up(&place.join("club.db")).is_err(), "nothing is overwritten");
    let copy = Club::open(&place, WORK).unwrap();
    assert_eq!(copy.accounts().unwrap(), club.accounts().unwrap());
    assert!(copy.visitor(&teacher.cookie, NOW).unwrap().is_some());

    let place = directory("foreign");
    std::fs::create_dir_all(&place).unwrap();
    let file = rusqlite::Connection::open(place.join("club.db")).unwrap();
    file.execute_batch("CREATE TABLE t (x); PRAGMA user_version = 1").unwrap();
    assert!(matches!(Club::open(&place, WORK), Err(OpenError::Foreign)));
    file.execute_batch(
        "DROP TABLE t; PRAGMA application_id = 1230197315; PRAGMA user_version = 99",
    )
    .unwrap();
    assert!(matches!(Club::open(&place, WORK), Err(OpenError::Newer)));
    let place = directory("nonsense");
    std::fs::create_dir_all(&place).unwrap();
    std::fs::write(place.join("club.db"), "not a database, but long enough to look at twice")
        .unwrap();
    assert!(matches!(Club::open(&place, WORK), Err(OpenError::Foreign)));
}

#[test]
fn two_processes_can_have_it_open() {
    let place = directory("two");
    let clubs = [Club::open(&place, WORK).unwrap(), Club::open(&place, WORK).unwrap()];
    let code = clubs[0].first_invitation(NOW).unwrap().unwrap();
    let teacher = clubs[1].accept(&code, "teacher", PASSWORD, NOW).unwrap();
    let by = teacher.visitor.account.id;
    let code = clubs[0].invite(by, Role::Member, "A", 40, NOW).unwrap();
    std::thread::scope(|scope| {
        for (number, club) in clubs.iter().enumerate() {
            let code = &code;
            scope.spawn(move || {
                for one in 0..30 {
                    let _ = club.accept(code, &format!("m{number}x{one}"), PASSWORD, NOW);
                }
            });
        }
    });
    assert_eq!(clubs[0].accounts().unwrap().len(), 1 + 40, "the invitation was for forty");
}

#[cfg(unix)]
#[test]
fn nobody_else_on_the_machine_reads_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let (club, _teacher) = administered("permissions");
    for file in std::fs::read_dir(club.directory()).unwrap().flatten() {
        let mode = file.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{}", file.path().display());
    }
}
