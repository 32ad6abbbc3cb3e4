//! A judge with real agents: submissions that pass, fail and attack, battles, and reviews.

#![cfg(target_os = "linux")]

mod attacks;
mod course;
mod reports;

use course::{NOW, club, judge, member, submit};
use isrever_arena::End;
use isrever_board::{Color, Size};
use isrever_club::{BattleKind, GameState, JobKind, Player, Turn, VersionId, VersionState};
use isrever_guest::Interpreter;
use isrever_judge::News;
use std::process::Command;

const SIMPLE: &str = include_str!("../../../guest/tests/agents/simple.py");
const DEEPENING: &str = include_str!("../../../guest/tests/agents/deepening.py");

#[test]
fn submissions_are_checked_played_and_reviewed() {
    let (directory, club, boss) = club("battle");
    let [ada, bob] = ["ada", "bob"].map(|name| member(&club, boss, name));
    let talking = SIMPLE.replace(
        "        self.candidate_list.clear()\n",
        "        self.candidate_list.clear()\n        print('thinking <b>hard</b>')\n",
    );
    assert_ne!(talking, SIMPLE);
    let [one, other] = [submit(&club, ada, &talking), submit(&club, bob, DEEPENING)];
    let news = judge(&directory);
    assert!(news.iter().all(|one| matches!(one, News::Done(_))), "{news:?}");
    for (who, version) in [(ada, one), (bob, other)] {
        assert_eq!(club.version(version).unwrap().state, VersionState::Passed);
        let report = club.report(who, version).unwrap().unwrap();
        assert!(report.cases.len() >= 10 && report.has_passed(), "{report:?}");
        assert!(report.seconds.unwrap() > 0.0 && report.own_seconds == Some(0.05));
        assert!(report.slowest.unwrap() > 0.0 && report.memory_bytes.is_some(), "{report:?}");
        assert_eq!(report.printed.is_empty(), who == bob, "{report:?}");
    }
    let opponent = Player::BuiltIn("greedy".to_owned());
    let battle = club.challenge(ada, one, &opponent, NOW).unwrap();
    let ladder = club.ladder(NOW).unwrap();
    assert_eq!(club.arrange_ladder(&ladder, 2, NOW).unwrap(), 1);
    let news = judge(&directory);
    let kinds = |kind| {
        let is = |one: &&News| matches!(one, News::Done(job) if job.kind == kind);
        news.iter().filter(is).count()
    };
    assert_eq!((kinds(JobKind::Game), kinds(JobKind::Review)), (4, 4), "{news:?}");
    let battle = club.battle(ada, battle.id).unwrap();
    for summary in &battle.games {
        assert_eq!((summary.state, summary.end.as_deref()), (GameState::Played, Some("over")));
        let game = club.game(ada, summary.id).unwrap();
        let played = game.played.as_ref().unwrap();
        let own = game.outputs.iter().flatten().next().unwrap();
        assert!(own.starts_with("move ") && own.contains("thinking <b>hard</b>"), "{own}");
        let review = game.review.as_ref().unwrap();
        assert_eq!(review.moves.len(), played.game.ply());
        assert!(review.moves.iter().any(|one| one.is_exact), "endings are solved: {review:?}");
        assert!(review.moves.iter().filter_map(|one| one.loss).all(|loss| loss >= 0.0));
    }
    let rungs = club.ladder(NOW).unwrap().rungs;
    assert_eq!(rungs.iter().map(|rung| rung.points).sum::<i64>(), 0);
    assert!(rungs.iter().all(|rung| rung.counts.iter().sum::<u64>() == 2));
    let kind = Some(BattleKind::Ladder);
    let wanted = isrever_club::Wanted { kind, limit: 9, ..isrever_club::Wanted::default() };
    assert_eq!(club.battles(bob, &wanted).unwrap().len(), 1);
}

#[test]
fn people_play_against_submissions_and_authors_practise() {
    let (directory, club, boss) = club("people");
    let [ada, bob] = ["ada", "bob"].map(|name| member(&club, boss, name));
    let version = submit(&club, ada, SIMPLE);
    judge(&directory);
    club.set_open(ada, version, true, NOW).unwrap();
    let mut casual = club.begin_casual(bob, version, Size::SIX, Color::Black, NOW).unwrap();
    while casual.turn != Turn::Over {
        let game = &casual.so_far.game;
        let mv = game.position().moves()[0];
        casual = club.play_casual(bob, casual.game, game.ply(), mv, NOW).unwrap();
        if casual.turn != Turn::Over {
            let news = judge(&directory);
            assert!(
                matches!(news[0], News::Done(ref job) if job.kind == JobKind::Reply),
                "{news:?}"
            );
            casual = club.casual(bob, casual.game).unwrap();
        }
    }
    assert_eq!(casual.so_far.end, End::Over);
    if club.backlog(NOW).unwrap().waiting > 0 {
        judge(&directory);
    }
    let found = club.weaknesses(ada, version).unwrap();
    assert_eq!((found.games, found.reviewed), (1, 1));
    assert!(!found.worst.is_empty(), "the first legal move is seldom the best: {found:?}");
    // What the author takes home runs with the agent as it was submitted, and says what it is for.
    let [file, agent] = ["practice.py", "my_ai.py"].map(|name| directory.join(name));
    let practice = isrever_club::practice(&found.worst, &club.terms().unwrap());
    std::fs::write(&file, practice).unwrap();
    std::fs::write(&agent, SIMPLE).unwrap();
    let python = Interpreter::find(None).expect("a python3 with numpy");
    let done = Command::new(python.program()).args([&file, &agent]).output().unwrap();
    let said = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(said.lines().count(), found.worst.len() + 1, "{said}");
    assert_eq!(said.matches("as before").count(), found.worst.len(), "it plays no dice: {said}");
    assert!(said.contains(&format!("0 of {} are played best now", found.worst.len())), "{said}");
}

#[test]
fn what_fails_or_attacks_is_reported_and_harms_nobody() {
    let (directory, club, boss) = club("hostile");
    let eve = member(&club, boss, "eve");
    let head = "class AI(object):\n    def __init__(self, size, color, time_out):\n        \
                self.candidate_list = []\n    def go(self, board):\n        ";
    let files = [
        ("syntax", "class AI(object:\n".to_owned()),
        ("nothing", "x = 1\n".to_owned()),
        ("crash", format!("{head}raise ValueError('boom')\n")),
        ("wrong", format!("{head}self.candidate_list[:] = [(0, 0)]\n")),
        ("exit", format!("{head}import sys; sys.exit(0)\n")),
        ("import os", "import os\nclass AI(object): pass\n".to_owned()),
        ("memory", format!("{head}x = bytearray(1 << 32)\n")),
        (
            "forks",
            format!("{head}import _posixsubprocess, posix\n        while True: posix.fork()\n"),
        ),
        ("reads", format!("{head}raise ValueError(open('/etc/shadow').read())\n")),
        (
            "forges",
            format!("{head}import sys\n        sys.stdout.write('\\n' + '{{\"list\": []}}' * 9)\n"),
        ),
    ];
    let ids: Vec<VersionId> = files.iter().map(|(_, source)| submit(&club, eve, source)).collect();
    let good = submit(&club, member(&club, boss, "ada"), SIMPLE);
    let news = judge(&directory);
    assert!(news.iter().all(|one| matches!(one, News::Done(_))), "{news:?}");
    for ((name, _), id) in files.iter().zip(ids) {
        assert_eq!(club.version(id).unwrap().state, VersionState::Failed, "{name}");
        let report = club.report(eve, id).unwrap().unwrap();
        let failed = report.cases.iter().find(|case| !case.passed).unwrap();
        assert!(!failed.faults.is_empty(), "{name}: {failed:?}");
        let text = format!("{report:?}");
        assert!(!text.contains("root:"), "{name} has read what it must not");
    }
    assert_eq!(club.version(good).unwrap().state, VersionState::Passed, "the next one is checked");
}
