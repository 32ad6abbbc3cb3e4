//! When the time is over: the decision is the last element of the list at that moment.
//!
//! Nothing here depends on how fast the machine is: the agents never return by themselves, and what
//! they need a processor for is timed by their own.

use crate::hosting::{game, position, settings, written};
use isrever_agent::{Agent, Forfeit, GameClock, Limits, Reason, TimedBy};
use isrever_board::{Color, Game};
use isrever_guest::{Entry, Python, PythonSettings};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// C code that holds the interpreter: no other thread and no signal handler of Python's runs.
const HOLD: &str = "sum(range(10**13))";

/// Python code that can be interrupted.
const LOOP: &str = "while True: pass";

/// An agent that does this in `go`, after counting its moves.
fn agent(body: &str, settings: PythonSettings) -> Python {
    let body: String = body.lines().map(|line| format!("        {line}\n")).collect();
    let lines = format!(
        "import time\nclass AI(object):\n    def __init__(self, size, color, time_out):\n        \
         self.candidate_list = []\n        self.count = 0\n    def go(self, board):\n        \
         self.count += 1\n{body}"
    );
    written(&lines, settings)
}

/// What the agent has decided for when its time is over.
fn decided(body: &str, end: &str) -> Option<Entry> {
    decided_within(settings().move_time, body, end)
}

/// The same with so much time for the move.
fn decided_within(move_time: Duration, body: &str, end: &str) -> Option<Entry> {
    let answer = agent(&format!("{body}\n{end}"), PythonSettings { move_time, ..settings() })
        .ask(game().position(), &Limits::default())
        .unwrap_or_else(|forfeit| panic!("{body}: {forfeit}"));
    assert!(answer.is_late, "{body}");
    answer.last
}

#[test]
fn every_change_of_the_list_is_reported_at_once() {
    let place = Some(Entry::Place([2, 3]));
    for (body, last) in [
        ("self.candidate_list.append((2, 3))", &place),
        ("self.candidate_list = [(2, 3)]", &place),
        ("self.candidate_list = [(r, 3) for r in range(3)]", &place),
        ("self.candidate_list = list(((0, 0), (2, 3)))", &place),
        ("self.candidate_list = self.candidate_list + [(2, 3)]", &place),
        ("self.candidate_list += [(0, 0), (2, 3)]", &place),
        ("self.candidate_list.extend([(0, 0), [2, 3]])", &place),
        ("self.candidate_list[:] = [(2, 3)]", &place),
        ("self.candidate_list = [(2, 3), (0, 0)]\nself.candidate_list.pop()", &place),
        ("self.candidate_list = [(2, 3), (0, 0)]\ndel self.candidate_list[1:]", &place),
        ("self.candidate_list = [(2, 3), (0, 0)]\nself.candidate_list.remove((0, 0))", &place),
        ("self.candidate_list = [(2, 3), (0, 0)]\nself.candidate_list.reverse()", &place),
        ("self.candidate_list = [(2, 3), (0, 0)]\nself.candidate_list.sort()", &place),
        ("self.candidate_list = [(0, 0)]\nself.candidate_list[0] = (2, 3)", &place),
        ("self.candidate_list = [(2, 3)]\nself.candidate_list.insert(0, (0, 0))", &place),
        ("self.candidate_list = [(2, 3)]\nself.candidate_list *= 2", &place),
        ("self.candidate_list = [(2, 3)]\nself.candidate_list.clear()", &None),
        ("old = self.candidate_list\nself.candidate_list = [(2, 3)]\nold.append((0, 0))", &place),
        ("self.candidate_list.append('d3')", &Some(Entry::Other("'d3'".to_owned()))),
    ] {
        assert_eq!(decided(body, HOLD), *last, "{body}");
    }
}

#[test]
fn a_late_agent_reads_what_its_list_held_when_its_time_was_over() {
    for (body, said) in [
        ("", "too late: after 0.400 s candidate_list was still empty; expected a move in it"),
        ("self.candidate_list = ['d3']", "the decision was 'd3' when its time was over; expected"),
        ("self.candidate_list = [(8, 0)]", "(8, 0) is off the board when its time was over; exp"),
        (
            "self.candidate_list = [(0, 0)]",
            "candidate_list ended with a1 when its time was over; a1 ",
        ),
    ] {
        for end in [LOOP, HOLD] {
            let body = format!("{body}\n{end}");
            let lost = agent(&body, settings()).choose(&game(), &Limits::default()).unwrap_err();
            assert!(lost.to_string().contains(said), "{body}: {lost}");
        }
    }
}

#[test]
fn a_list_with_a_second_name_is_still_watched() {
    let body = "moves = []\nself.candidate_list = moves\nassert self.candidate_list is moves\n\
                moves.append((2, 3))";
    assert_eq!(decided(body, LOOP), Some(Entry::Place([2, 3])));
    // Here the agent gives way to other threads before it holds the interpreter: for so long that
    // on a busy machine, too, one that looks at the list is given a processor.
    let body = format!("{body}\ntime.sleep(4)");
    let time = Duration::from_secs(5);
    assert_eq!(decided_within(time, &body, HOLD), Some(Entry::Place([2, 3])));
    let body = "import collections\nself.candidate_list = collections.deque([(2, 3)])";
    assert_eq!(decided(body, LOOP), Some(Entry::Place([2, 3])));
}

#[test]
fn an_agent_that_stops_keeps_its_state_and_one_that_does_not_is_restarted() {
    for (end, second) in [(LOOP, 2), (HOLD, 1)] {
        let mut agent =
            agent(&format!("self.candidate_list = [(self.count, 0)]\n{end}"), settings());
        for count in [1, second] {
            let answer = agent.ask(game().position(), &Limits::default()).unwrap();
            assert_eq!(answer.last, Some(Entry::Place([count, 0])), "{end}");
        }
    }
}

#[test]
fn the_time_of_the_game_ends_too() {
    let game_time = Duration::from_millis(900);
    let mut agent = agent(
        "self.candidate_list = [(2, 3)]\nwhile True: pass",
        PythonSettings { game_time, ..settings() },
    );
    let mut reasons = Vec::new();
    for _ in 0..3 {
        reasons.push(agent.choose(&game(), &Limits::default()).map_err(|lost| lost.reason));
    }
    let plays = reasons.iter().take_while(|played| played.is_ok()).count();
    assert!((1..3).contains(&plays), "{reasons:?}");
    assert_eq!(reasons[plays].as_ref().unwrap_err(), &Reason::GameTime);
}

#[test]
fn overrunning_the_caller_s_game_time_is_reported_as_game_time() {
    // The move may take a minute; of the game there is next to nothing, or nothing, left.
    for (left, end) in [(300, LOOP), (300, HOLD), (0, LOOP)] {
        let mut agent = agent(&format!("self.candidate_list = [(2, 3)]\n{end}"), settings());
        agent.prepare(&game(), Color::Black, None).unwrap();
        let remaining = Duration::from_millis(left);
        let clock = GameClock { remaining, increment: Duration::ZERO, moves_left: None };
        let limits = Limits { clock: Some(clock), ..Limits::of_time(remaining) };
        let forfeit = agent.choose(&game(), &limits).unwrap_err();
        assert_eq!(forfeit.reason, Reason::GameTime, "{forfeit}");
        assert!(forfeit.details.contains(&format!("0.{left:03} s were left")), "{forfeit}");
    }
}

#[test]
fn an_agent_that_is_not_ready_in_time_loses() {
    let start_time = Duration::from_millis(1_500);
    let lines = "while True: pass";
    let mut agent = written(lines, PythonSettings { start_time, ..settings() });
    let forfeit = agent.choose(&game(), &Limits::default()).unwrap_err();
    assert_eq!(forfeit.reason, Reason::Time, "{forfeit}");
    assert!(forfeit.details.contains("not ready"), "{forfeit}");
}

#[test]
fn the_caller_s_limits_are_kept_when_they_are_tighter() {
    let settings = PythonSettings { move_time: Duration::from_secs(600), ..settings() };
    let mut agent = agent("self.candidate_list = [(2, 3)]\nwhile True: pass", settings);
    agent.prepare(&game(), Color::Black, None).unwrap();
    // The second move is stopped before it begins.
    let choice = agent.choose(&game(), &Limits::of_time(Duration::from_secs(3))).unwrap();
    assert_eq!(choice.square.to_string(), "d3");
    let stopped = Limits { stop: Arc::new(AtomicBool::new(true)), ..Limits::default() };
    let answer = agent.ask(game().position(), &stopped).unwrap();
    assert!(answer.is_late);
}

#[test]
fn an_agent_may_use_the_caller_s_time_to_the_end() {
    let body = "began = time.time()\nwhile True:\n    \
                self.candidate_list = [(int((time.time() - began) * 1000), 0)]";
    let settings = PythonSettings { move_time: Duration::from_secs(600), ..settings() };
    let mut agent = agent(body, settings);
    agent.prepare(&game(), Color::Black, None).unwrap();
    // A busy machine may keep the agent waiting at the end of a move, but not of all of them.
    let mut last = || {
        let limits = Limits::of_time(Duration::from_millis(300));
        let answer = agent.ask(game().position(), &limits).unwrap();
        match answer.last {
            Some(Entry::Place([milliseconds, _])) => milliseconds,
            other => panic!("{other:?}"),
        }
    };
    assert!((0..40).any(|_| last() > 270));
}

#[test]
fn an_agent_is_restarted_while_no_clock_runs() {
    let lines = format!(
        "import time\ntime.sleep(1)\nclass AI(object):\n    \
         def __init__(self, size, color, time_out):\n        self.candidate_list = []\n    \
         def go(self, board):\n        self.candidate_list = [(2, 3)]\n        {HOLD}\n"
    );
    let mut agent = written(&lines, settings());
    agent.prepare(&game(), Color::Black, None).unwrap();
    for _ in 0..2 {
        // To begin anew takes longer than a move may.
        let limits = Limits::of_time(Duration::from_millis(900));
        let choice = agent.choose(&game(), &limits).unwrap();
        assert_eq!(choice.square.to_string(), "d3");
        agent.settle();
    }
}

/// Plays until the agent loses; how many moves it made, and why it lost.
fn plays_until_it_loses(agent: &mut Python) -> (u32, Forfeit) {
    agent.prepare(&game(), Color::Black, None).unwrap();
    for moves in 0..100 {
        match agent.choose(&game(), &Limits::default()) {
            Ok(_) => agent.settle(),
            Err(forfeit) => return (moves, forfeit),
        }
    }
    panic!("it plays for ever")
}

#[test]
fn an_agent_that_does_not_stop_is_restarted_only_so_often() {
    let settings = PythonSettings { move_time: Duration::from_millis(50), ..settings() };
    let mut agent = agent(&format!("self.candidate_list = [(2, 3)]\n{HOLD}"), settings);
    let (moves, forfeit) = plays_until_it_loses(&mut agent);
    assert_eq!((moves, forfeit.reason), (11, Reason::Time), "{forfeit}");
    assert!(forfeit.details.contains("was started again 10 times; expected at most 10"));
}

#[test]
fn all_restarts_together_take_no_longer_than_a_start_may() {
    // It sleeps for a fifth of the time for its start. That is long beside what a busy machine adds,
    // whose disk and whose other programs keep a start waiting.
    let lines = format!(
        "import time\nclass AI(object):\n    def __init__(self, size, color, time_out):\n        \
         time.sleep(4)\n        self.candidate_list = []\n    def go(self, board):\n        \
         self.candidate_list = [(2, 3)]\n        {HOLD}\n"
    );
    let times = (Duration::from_millis(50), Duration::from_secs(20));
    let settings = PythonSettings { move_time: times.0, start_time: times.1, ..settings() };
    let (moves, forfeit) = plays_until_it_loses(&mut written(&lines, settings));
    assert_eq!(forfeit.reason, Reason::Time, "{forfeit}");
    assert!((2..=5).contains(&moves), "{moves}: {forfeit}");
    assert!(forfeit.details.contains("it does not stop when its time is over"), "{forfeit}");
    assert!(forfeit.details.contains("20.000 s for all of them"), "{forfeit}");
}

#[test]
fn an_agent_that_thinks_to_the_end_is_charged_its_limit_and_no_more() {
    // However late this thread is, and however long the agent takes to stop.
    for end in [LOOP, HOLD] {
        let settings = PythonSettings { timed_by: TimedBy::Wall, ..settings() };
        let mut agent = agent(&format!("self.candidate_list = [(2, 3)]\n{end}"), settings);
        agent.prepare(&game(), Color::Black, None).unwrap();
        let time = Duration::from_millis(200);
        let answer = agent.ask(game().position(), &Limits::of_time(time)).unwrap();
        assert!(answer.is_late && answer.time <= time, "{end}: {answer:?}");
        assert_eq!(agent.answer_time(), Some(answer.time));
    }
}

#[test]
fn by_the_processor_clock_sleeping_counts_and_all_threads_do() {
    let sleeps = "time.sleep(10**6)";
    let threads = "import threading\nfor _ in range(3):\n    threading.Thread(target=sum, \
                   args=(range(10**13),), daemon=True).start()\ntime.sleep(10**6)";
    for end in [sleeps, threads, LOOP] {
        let mut agent = agent(&format!("self.candidate_list = [(2, 3)]\n{end}"), settings());
        let answer = agent.ask(game().position(), &Limits::default()).unwrap();
        assert!(answer.is_late && answer.time == settings().move_time, "{end}: {answer:?}");
        assert_eq!(answer.last, Some(Entry::Place([2, 3])), "{end}");
    }
}

#[test]
fn the_list_of_an_earlier_move_counts_until_it_is_cleared() {
    let mut agent = agent("if self.count == 1: self.candidate_list.append((2, 3))", settings());
    let first = agent.ask(game().position(), &Limits::default()).unwrap();
    let second = agent.ask(game().position(), &Limits::default()).unwrap();
    assert_eq!((first.last.clone(), first.count), (Some(Entry::Place([2, 3])), 1));
    assert_eq!(second.last, first.last);
}

#[test]
fn the_constructor_gets_the_platform_s_arguments() {
    let lines = "
class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        assert (chessboard_size, color, time_out) == (4, 1, 5) and type(time_out) is int
        self.candidate_list = []
    def go(self, chessboard):
        assert chessboard.shape == (4, 4) and chessboard.dtype == int
        assert chessboard.tolist() == [[0, 0, 0, 0], [0, 1, -1, 0], [0, -1, -1, -1], [0, 0, 0, 0]]
        self.candidate_list.append((1, 3))
";
    let settings = PythonSettings { move_time: Duration::from_secs(5), ..settings() };
    let position = position("-----OX--XXX---- O");
    let game = Game::from_position(isrever_board::Rule::Normal, position);
    let choice = written(lines, settings).choose(&game, &Limits::default()).unwrap();
    assert_eq!(choice.square.to_string(), "d2");
}

#[test]
fn the_constructor_gets_the_time_for_a_move() {
    let lines = "
class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.time_out = time_out
        self.candidate_list = []
    def go(self, chessboard):
        self.candidate_list.append((int(self.time_out * 100), 0))
";
    let settings = PythonSettings { move_time: Duration::from_secs(5), ..settings() };
    for (time, told) in [(None, 500), (Some(2_500), 250), (Some(60_000), 500)] {
        let mut agent = written(lines, settings.clone());
        let time = time.map(Duration::from_millis);
        agent.prepare(&game(), Color::Black, time).unwrap();
        let answer = agent.ask(game().position(), &Limits::default()).unwrap();
        assert_eq!(answer.last, Some(Entry::Place([told, 0])));
    }
}

#[test]
fn a_caller_may_allow_more_than_the_course_does() {
    let lines = "
class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.time_out = time_out
        self.candidate_list = []
    def go(self, chessboard):
        self.candidate_list.append((self.time_out, 0))
";
    let settings = PythonSettings {
        move_time: Duration::from_millis(1),
        game_time: Duration::from_millis(1),
        is_move_time_own: false,
        is_game_time_own: false,
        ..settings()
    };
    let mut agent = written(lines, settings);
    agent.prepare(&game(), Color::Black, Some(Duration::from_secs(60))).unwrap();
    let remaining = Duration::from_secs(600);
    let clock = GameClock { remaining, increment: Duration::ZERO, moves_left: None };
    let limits = Limits { clock: Some(clock), ..Limits::of_time(Duration::from_secs(60)) };
    let answer = agent.ask(game().position(), &limits).unwrap();
    assert_eq!(answer.last, Some(Entry::Place([60, 0])));
}
