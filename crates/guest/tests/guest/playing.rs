//! Agents that play as they should.

use crate::hosting::{agent, play, settings};
use isrever_agent::{Agent, Limits, Random};
use isrever_board::{Color, Game, Move, Rule, Size};
use isrever_guest::check::{Check, cases};
use isrever_guest::{Entry, Python, PythonSettings, Source, Turns};
use std::sync::Arc;
use std::time::Duration;

/// Settings with plenty of time.
fn patient() -> PythonSettings {
    PythonSettings { move_time: Duration::from_secs(30), ..settings() }
}

#[test]
fn files_of_the_course_play_whole_games_unchanged() {
    for name in ["simple.py", "vectors.py"] {
        for (rule, color) in [(Rule::Reversed, Color::Black), (Rule::Normal, Color::White)] {
            let mut guest = agent(name, patient());
            let mut random = Random::new(1);
            let game = Game::new(rule, Size::EIGHT);
            let sides: [&mut dyn Agent; 2] = match color {
                Color::Black => [&mut guest, &mut random],
                Color::White => [&mut random, &mut guest],
            };
            let game = play(game, sides).unwrap_or_else(|forfeit| panic!("{name}: {forfeit}"));
            assert!(game.is_over() && game.ply() > 8, "{name}");
        }
    }
}

#[test]
fn every_size_is_played_by_both_colours() {
    for name in ["simple.py", "vectors.py"] {
        for size in Size::ALL {
            let (mut black, mut white) = (agent(name, patient()), agent(name, patient()));
            let mut game = Game::new(Rule::Reversed, size);
            for ply in 0..6 {
                let side = if ply % 2 == 0 { &mut black } else { &mut white };
                let square = side.choose(&game, &Limits::default()).unwrap().square;
                game.play(Move::Place(square)).unwrap();
            }
        }
    }
}

#[test]
fn an_agent_that_deepens_for_ever_plays_its_last_decision() {
    // The time is the agent's own: it begins, however busy the machine is.
    let mut deepening = agent("deepening.py", settings());
    let mut game = Game::new(Rule::Reversed, Size::SIX);
    let mut random = Random::new(3);
    for ply in 0..8 {
        let choice = if ply % 2 == 0 {
            let (square, answer) = deepening.decide(&game, &Limits::default()).unwrap();
            assert!(answer.is_late);
            assert_eq!(answer.last.is_some(), answer.count > 0);
            square
        } else {
            random.choose(&game, &Limits::default()).unwrap().square
        };
        game.play(Move::Place(choice)).unwrap();
    }
}

#[test]
fn a_file_may_be_in_its_own_encoding() {
    let mut bytes = b"# -*- coding: gbk -*-\n# \xba\xda\xb0\xd7\xc6\xe5\n".to_vec();
    bytes.extend_from_slice(b"NAME = '\xc6\xe5'\nassert len(NAME) == 1\n");
    bytes.extend(std::fs::read(crate::hosting::file("simple.py")).unwrap());
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("encoded.py");
    std::fs::write(&path, bytes).unwrap();
    let source = Source::read(&path).unwrap();
    let mut agent = Python::new(source, patient());
    let game = Game::new(Rule::Reversed, Size::EIGHT);
    agent.choose(&game, &Limits::default()).unwrap();
}

#[test]
fn a_file_in_an_undeclared_encoding_is_refused_as_python_does() {
    let mut bytes = b"x = 1\n# \xba\xda\xb0\xd7\xc6\xe5\n".to_vec();
    bytes.extend(std::fs::read(crate::hosting::file("simple.py")).unwrap());
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("undeclared.py");
    std::fs::write(&path, bytes).unwrap();
    let source = Source::read(&path).unwrap();
    let mut agent = Python::new(source, patient());
    let game = Game::new(Rule::Reversed, Size::EIGHT);
    let forfeit = agent.choose(&game, &Limits::default()).unwrap_err();
    assert!(forfeit.details.contains("SyntaxError: bytes that are not utf-8"), "{forfeit}");
    assert!(forfeit.details.contains("(line 2)"), "{forfeit}");
}

#[test]
fn an_agent_does_not_notice_that_it_is_watched() {
    let class = |head: &str, body: &str| {
        let body: String = body.lines().map(|line| format!("        {line}\n")).collect();
        format!(
            "import copy, pickle\nimport numpy as np\nclass AI(object):\n{head}    \
             def __init__(self, size, color, time_out):\n        self.candidate_list = []\n    \
             def go(self, board):\n{body}"
        )
    };
    let decides = "self.candidate_list = [(2, 3)]";
    let property = "    @property\n    def candidate_list(self): return self._list\n    \
                    @candidate_list.setter\n    def candidate_list(self, value): self._list = value\n";
    for (head, body) in [
        ("", "self.candidate_list = np.array([[0, 0], [2, 3]])"),
        (property, "self.candidate_list.clear()\nself.candidate_list.append((2, 3))"),
        ("    __slots__ = ['candidate_list']\n", decides),
        (
            "    candidate_list = []\n",
            "AI.candidate_list.append((0, 0))\nself.candidate_list = [(2, 3)]",
        ),
        ("", "assert type(self) is AI and self.__class__ is AI\nself.candidate_list = [(2, 3)]"),
        ("", "assert type(self.candidate_list) is list\nself.candidate_list = [(2, 3)]"),
        (
            "",
            "assert type('x', (), {})().__class__.__name__ == 'x'\nself.candidate_list = [(2, 3)]",
        ),
        (
            "",
            "self.candidate_list.append((2, 3))\nother = pickle.loads(pickle.dumps(self))\n\
             assert type(other) is AI and other.candidate_list == self.candidate_list\n\
             assert copy.deepcopy(self).candidate_list == self.candidate_list",
        ),
    ] {
        let mut agent = crate::hosting::written(&class(head, body), patient());
        // The second time it finds the list as it left it.
        for _ in 0..2 {
            let answer =
                agent.ask(Game::new(Rule::Reversed, Size::EIGHT).position(), &Limits::default());
            let answer = answer.unwrap_or_else(|forfeit| panic!("{head}{body}: {forfeit}"));
            assert_eq!(answer.last, Some(Entry::Place([2, 3])), "{head}{body}");
        }
    }
}

#[test]
fn good_agents_pass_the_usability_test_on_every_board() {
    for (name, size) in [("simple.py", Size::EIGHT), ("vectors.py", Size::FOUR)] {
        let source = Source::read(&crate::hosting::file(name)).unwrap();
        let check =
            Check { source, settings: patient(), size, rule: Rule::Reversed, stop: Arc::default() };
        let mut names = Vec::new();
        let summary = check.run(|finding| {
            assert!(finding.is_passed(), "{name}: {finding:?}");
            names.push(finding.case.name);
            Ok::<(), ()>(())
        });
        let summary = summary.unwrap();
        assert_eq!((summary.passed, summary.failed), (cases(size).len() + 2, 0));
        assert_eq!(names.len(), summary.passed);
        assert!(summary.sandbox.is_some());
    }
}

#[test]
fn the_usability_test_finds_what_is_wrong() {
    // Each of these is right in all but one thing.
    for (change, case, words) in [
        (("self.candidate_list.clear()", "pass"), "middle-black", "in the list and not legal"),
        (("in idx:", "in idx[1:]:"), "corner", "missing from the list: (0, 0) = a1"),
        (("0 <= r <", "0 < r <"), "corner", "missing from the list"),
        (("append(best)", "append((0, 0))"), "start", "the decision (0, 0) = a1 is not legal"),
        (("append(best)", "append('best')"), "start", "'best' is in the list"),
        (("if self.candidate_list:", "if True:"), "full", "ValueError"),
        (("def go(", "def gone("), "start", "AttributeError"),
    ] {
        let lines = std::fs::read_to_string(crate::hosting::file("simple.py")).unwrap();
        assert!(lines.contains(change.0), "{}", change.0);
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("changed.py");
        std::fs::write(&path, lines.replace(change.0, change.1)).unwrap();
        let source = Source::read(&path).unwrap();
        let check = check_on_six(source, patient());
        let mut faults = Vec::new();
        let summary = check.run(|finding| {
            if finding.case.name == case {
                faults.extend(finding.faults.iter().cloned());
            }
            Ok::<(), ()>(())
        });
        assert!(summary.unwrap().failed > 0, "{change:?}");
        assert!(faults.iter().any(|fault| fault.contains(words)), "{change:?}: {faults:?}");
    }
}

/// The usability test of a file, on 6×6.
fn check_on_six(source: Source, settings: PythonSettings) -> Check {
    Check { source, settings, size: Size::SIX, rule: Rule::Reversed, stop: Arc::default() }
}

#[test]
fn an_agent_that_cannot_be_interrupted_is_judged_by_its_decision() {
    let lines = std::fs::read_to_string(crate::hosting::file("simple.py")).unwrap();
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("holding.py");
    // C code that no signal handler of Python's comes between, after the list is complete.
    std::fs::write(&path, format!("{}\n        sum(range(10**13))\n", lines.trim_end())).unwrap();
    let source = Source::read(&path).unwrap();
    let settings = PythonSettings { move_time: Duration::from_secs(2), ..patient() };
    let check = check_on_six(source, settings);
    let first = check.run(|finding| Err((finding.faults.clone(), finding.notes.clone())));
    let (faults, notes) = first.expect_err("the first finding ends it");
    assert!(faults.is_empty(), "{faults:?}");
    assert!(notes.iter().any(|note| note.ends_with("last element is known")), "{notes:?}");
}

#[test]
fn the_time_that_ran_out_comes_before_what_is_missing() {
    let settings = PythonSettings { move_time: Duration::from_millis(500), ..settings() };
    let lines = std::fs::read_to_string(crate::hosting::file("simple.py")).unwrap();
    let cleared = "self.candidate_list.clear()";
    let some = format!("{cleared}\n        self.candidate_list.append((1, 2))");
    for (change, said) in [
        (cleared.to_owned(), "the time ran out after 0.5 s, and candidate_list was still empty"),
        (some, "the time ran out after 0.5 s; the list counts as it then was"),
    ] {
        let change = format!("{change}\n        while True: pass");
        let source = Source::new("ai.py".as_ref(), lines.replace(cleared, &change).as_bytes());
        let check = check_on_six(source, settings.clone());
        let first = check.run(|finding| Err(Box::new(finding.clone())));
        let finding = first.expect_err("the first finding ends it");
        assert_eq!(finding.faults[0], said);
        assert!(finding.faults[1].starts_with("missing from the list: "), "{finding:?}");
        assert!(finding.late == 1 && !finding.notes.contains(&finding.faults[0]), "{finding:?}");
    }
}

#[test]
fn a_game_that_is_passed_tells_how_often_the_time_ran_out() {
    let settings = PythonSettings { move_time: Duration::from_millis(100), ..settings() };
    let lines = std::fs::read_to_string(crate::hosting::file("simple.py")).unwrap();
    // It decides at once, and in games it thinks to the end.
    let thinks = "\n        while (chessboard != 0).sum() < 9: pass\n";
    let source = Source::new("ai.py".as_ref(), format!("{}{thinks}", lines.trim_end()).as_bytes());
    let mut games = Vec::new();
    let summary = check_on_six(source, settings).run(|finding| {
        if finding.case.name.starts_with("game-") {
            games.push((finding.is_passed(), finding.late));
        }
        Ok::<(), ()>(())
    });
    assert_eq!(summary.unwrap().failed, 0);
    assert!(games.iter().all(|&(is_passed, late)| is_passed && late > 0), "{games:?}");
}

#[test]
fn agents_take_turns_and_lose_none_when_one_fails() {
    let folder = std::env::temp_dir().join(format!("isrever-turns-{}", std::process::id()));
    let turns = Arc::new(Turns::anywhere(folder.clone(), 1).unwrap());
    let settings = || PythonSettings { turns: Some(Arc::clone(&turns)), ..settings() };
    let lines = std::fs::read_to_string(crate::hosting::file("simple.py")).unwrap();
    let agent =
        |lines: &str| Python::new(Source::new("ai.py".as_ref(), lines.as_bytes()), settings());
    let fails = lines.replace("self.candidate_list.clear()", "raise ValueError");
    let is_played = |white: &str| {
        let game = Game::new(Rule::Reversed, Size::FOUR);
        let (mut black, mut white) = (agent(&lines), agent(white));
        black.prepare(&game, Color::Black, None).unwrap();
        white.prepare(&game, Color::White, None).unwrap();
        play(game, [&mut black, &mut white]).is_ok()
    };
    std::thread::scope(|scope| {
        // Both agents of a game are there all the time, and two games are played at once.
        let whole = scope.spawn(|| is_played(&lines));
        let failed = scope.spawn(|| is_played(&fails));
        assert!(whole.join().unwrap() && !failed.join().unwrap());
        assert!(is_played(&lines), "whoever failed holds no turn");
    });
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_usability_test_shows_what_an_agent_printed_and_how_it_failed() {
    let lines = std::fs::read_to_string(crate::hosting::file("simple.py")).unwrap();
    let talks = "print('to move:', self.color)\n        self.candidate_list.clear()";
    let lines = lines.replace("self.candidate_list.clear()", talks);
    let lines = lines.replace("if self.candidate_list:", "if True:");
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("talking.py");
    std::fs::write(&path, lines).unwrap();
    let source = Source::read(&path).unwrap();
    let check = check_on_six(source, patient());
    let mut notes = std::collections::BTreeMap::new();
    let summary = check.run(|finding| {
        notes.insert(finding.case.name, finding.notes.clone());
        Ok::<(), ()>(())
    });
    assert!(summary.unwrap().failed > 0);
    // Each board's own words, and no others'.
    let of_case = |line: &str, case| notes[case].iter().filter(|note| note.contains(line)).count();
    assert_eq!((of_case("printed: to move: -1", "start"), of_case("Traceback", "start")), (1, 0));
    assert_eq!((of_case("printed: to move: 1", "full"), of_case("Traceback", "full")), (1, 1));
    assert_eq!(of_case("ValueError", "full"), 1, "{:?}", notes["full"]);
}

#[test]
fn a_list_is_reported_in_full_up_to_a_limit() {
    let lines = "
class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.candidate_list = []
    def go(self, chessboard):
        self.candidate_list = [(1, 1)] * 100000
        self.candidate_list.append((2, 3))
";
    let mut agent = crate::hosting::written(lines, patient());
    let game = Game::new(Rule::Reversed, Size::EIGHT);
    let answer = agent.ask(game.position(), &Limits::default()).unwrap();
    assert_eq!((answer.count, answer.list.len()), (100_001, 1_024));
    assert_eq!(answer.last, Some(Entry::Place([2, 3])));
}

#[test]
fn random_choices_come_from_the_seed() {
    let lines = "
import random
import numpy as np
class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.candidate_list = []
    def go(self, chessboard):
        order = hash('same every time') % 1000
        self.candidate_list = [(random.randrange(10**6), np.random.randint(10**6)), (order, 0)]
";
    let list = |seed| {
        let settings = PythonSettings { seed, ..patient() };
        let mut agent = crate::hosting::written(lines, settings);
        let game = Game::new(Rule::Reversed, Size::EIGHT);
        agent.ask(game.position(), &Limits::default()).unwrap().list
    };
    assert_eq!(list(7), list(7));
    assert_ne!(list(7)[0], list(u64::MAX)[0]);
    assert_eq!(list(7)[1], list(8)[1]);
}
