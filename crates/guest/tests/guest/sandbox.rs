//! The sandbox: its layers and policies, what counts as memory, and what its messages say.

use crate::hosting::{game, loses, settings, written};
use isrever_agent::{Agent, Limits, Reason};
use isrever_guest::{Layer, Policy, Python, PythonSettings, Source};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// An agent that only decides.
const QUIET: &str = "
class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.candidate_list = []
    def go(self, chessboard):
        self.candidate_list = [(2, 3)]
";

#[test]
fn an_agent_reports_its_layers_and_refuses_to_run_without_required_ones() {
    let needed = [Layer::Limits, Layer::Seccomp, Layer::Landlock];
    for (policy, without, plays) in [
        (Policy::Auto, None, true),
        (Policy::Auto, Some(Layer::Namespaces), true),
        (Policy::Auto, Some(Layer::Landlock), false),
        (Policy::Auto, Some(Layer::Seccomp), false),
        (Policy::Full, Some(Layer::Namespaces), false),
        (Policy::Weak, Some(Layer::Landlock), true),
        (Policy::Weak, Some(Layer::Seccomp), true),
        (Policy::Off, None, true),
    ] {
        let mut agent = written(QUIET, PythonSettings { policy, without, ..settings() });
        let chosen = agent.choose(&game(), &Limits::default());
        match (plays, &chosen) {
            (true, Ok(_)) => {
                let sandbox = agent.sandbox().unwrap();
                let count = sandbox.active.iter().filter(|layer| needed.contains(layer)).count();
                let expected = match (policy, without) {
                    (Policy::Off, _) => 1,
                    (_, Some(layer)) if needed.contains(&layer) => 2,
                    _ => 3,
                };
                assert_eq!(count, expected, "{policy} {sandbox}");
                let is_said = |layer| sandbox.missing.iter().any(|(missing, _)| *missing == layer);
                assert!(without.is_none_or(is_said), "{sandbox}");
            }
            (false, Err(forfeit)) => {
                assert_eq!(forfeit.reason, Reason::Machine);
                let words = format!("lacks {} here", without.unwrap());
                assert!(forfeit.details.contains(&words), "{forfeit}");
            }
            _ => panic!("{policy} {without:?}: {chosen:?}"),
        }
    }
}

#[test]
fn memory_is_counted_above_what_python_and_numpy_take() {
    let lines = |mib: u32| {
        format!(
            "import numpy as np
class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.candidate_list = []
    def go(self, chessboard):
        self.mine = np.ones({mib} << 20, dtype=np.uint8)
        self.candidate_list = [(2, 3)]
"
        )
    };
    let settings = |mib: u64| PythonSettings {
        memory_bytes: mib << 20,
        move_time: Duration::from_secs(10),
        ..settings()
    };
    // The whole interpreter takes far more than 4 MiB; nothing of that is the agent's.
    written(&lines(1), settings(4)).choose(&game(), &Limits::default()).unwrap();
    let mut agent = written(&lines(60), settings(70));
    let answer = agent.ask(game().position(), &Limits::default()).unwrap();
    let own_mib = answer.memory_bytes >> 20;
    assert!((60..70).contains(&own_mib), "{own_mib}");
    loses(&lines(60), settings(50), Reason::Memory, &["MemoryError", "50 MiB of its own"]);
}

/// An agent with `code` at its head, that takes `mib` MiB and keeps them until they are counted.
fn with_code(code: &str, mib: u32) -> String {
    format!(
        "{code}\n{}",
        QUIET.replace(
            "= [(2, 3)]",
            &format!("= [(2, 3)]\n        self.kept = bytearray({mib} << 20)")
        )
    )
}

#[test]
fn dead_source_code_gives_no_memory() {
    // Its syntax tree takes hundreds of MiB, and is freed before the agent runs.
    let dead = format!("def dead():\n    return [{}]", "[],".repeat(300_000));
    let settings = || PythonSettings { move_time: Duration::from_secs(20), ..settings() };
    loses(&with_code(&dead, 150), settings(), Reason::Memory, &["100 MiB of its own"]);
}

#[test]
fn parsing_a_long_file_costs_the_agent_nothing() {
    let numbers: String = (0..120_000).map(|number| format!("{},", number * 7)).collect();
    let settings = PythonSettings { move_time: Duration::from_secs(20), ..settings() };
    let mut agent = written(&with_code(&format!("TABLE = [{numbers}]"), 40), settings);
    let answer = agent.ask(game().position(), &Limits::default()).unwrap();
    let own_mib = answer.memory_bytes >> 20;
    assert!((40..80).contains(&own_mib), "{own_mib}");
}

const NO_CLASS: &str = "the file has no class AI; expected one";

#[test]
fn files_that_are_no_agents_lose_for_the_right_reason() {
    for (lines, reason, words) in [
        ("raise ValueError('no')", Reason::Crash, "ValueError: no (line 1 in <module>)"),
        ("class AI(", Reason::Crash, "SyntaxError"),
        ("return 1", Reason::Crash, "SyntaxError: 'return' outside function (line 1)"),
        ("x = '\0'", Reason::Crash, "null bytes"),
        ("x = 1\nfrom fractions import Fraction", Reason::Refused, NO_CLASS),
        ("class Foo: pass", Reason::Refused, "no class AI; it has Foo; rename it to AI"),
        (
            "class Foo: pass\nclass Bar: pass\nAI = Foo()",
            Reason::Refused,
            "no class AI; it has Foo and Bar; rename one of them to AI",
        ),
        (
            "for name in 'ABCDEFG': globals()[name] = type(name, (), {})",
            Reason::Refused,
            "it has A, B, C, D, E and 2 more; rename",
        ),
        ("class AI(object): pass", Reason::Crash, "TypeError"),
        (
            "import numpy, os.path as p",
            Reason::Refused,
            "line 1 imports os, which the course forbids; expected a file without that import",
        ),
        ("x = 1\nfrom os import getcwd", Reason::Refused, "line 2 imports os"),
        ("def f():\n    import os", Reason::Refused, "line 2 imports os"),
        ("import no_such_module", Reason::Crash, "ModuleNotFoundError"),
        ("x = bytearray(1 << 30)", Reason::Memory, "100 MiB"),
        ("import sys; sys.exit(0)", Reason::Crash, "SystemExit"),
        ("import posix; posix._exit(5)", Reason::Crash, "status 5"),
        ("print('bye'); import posix; posix._exit(5)", Reason::Crash, "it printed last: bye"),
        ("class AI(object):\n    def __init__(self, a, b, c): 1/0", Reason::Crash, "in __init__"),
        ("", Reason::Refused, NO_CLASS),
    ] {
        loses(lines, settings(), reason, &[words]);
    }
}

#[test]
fn an_agent_in_several_files_reads_that_it_is_one_file() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("several-files");
    fs::create_dir_all(folder.join("parts")).unwrap();
    fs::write(folder.join("helper.py"), "").unwrap();
    let path = folder.join("ai.py");
    let loses = |source: Source, words: &str| {
        let forfeit = Python::new(source, settings()).choose(&game(), &Limits::default());
        let forfeit = forfeit.unwrap_err();
        assert_eq!(forfeit.reason, Reason::Crash, "{forfeit}");
        assert!(forfeit.details.contains(words), "{words:?} is not in {forfeit}");
    };
    let later = QUIET.replace("self.candidate_list = [(2, 3)]", "import helper");
    for (lines, words) in [
        ("import helper", "(line 1 in <module>); an agent is one file: paste helper.py into it"),
        (&later, "in go); an agent is one file: paste helper.py into it"),
        (
            "from parts.moves import best",
            "an agent is one file: paste what it needs of parts/ into it",
        ),
        (
            "import elsewhere.far",
            "an agent is one file, and the Python that runs it has no module elsewhere",
        ),
        (
            "from .helper import best",
            "(line 1 in <module>); an agent is one file: paste what it needs from other files into it",
        ),
        ("raise ModuleNotFoundError('no', name='../x')", "ModuleNotFoundError: no (line 1 in"),
    ] {
        fs::write(&path, lines).unwrap();
        loses(Source::read(&path).unwrap(), words);
    }
    // What came from elsewhere has no files beside it.
    loses(Source::new(&path, b"import helper"), "the Python that runs it has no module helper");
}

#[test]
fn a_message_names_the_limit_the_sandbox_s_rule_and_the_last_output() {
    let lines = |body: &str| {
        let head = "import posix, socket\nclass AI(object):\n    def __init__(self, a, b, c):\n        \
                    self.candidate_list = []\n    def go(self, board):\n";
        let body: String = body.lines().map(|line| format!("        {line}\n")).collect();
        format!("{head}{body}")
    };
    let settings = || PythonSettings { move_time: Duration::from_secs(10), ..settings() };
    let output = PythonSettings { output_bytes: 1 << 20, ..settings() };
    let endless = lines("while True: print('x' * 65536)");
    loses(&endless, output, Reason::Garbage, &["it printed more than the 1 MiB it may"]);
    for (body, rule) in [
        ("socket.socket()", "the sandbox allows no network"),
        ("open('/etc/passwd')", "no files but Python's own"),
        ("posix.fork()", "the sandbox allows no other processes"),
    ] {
        loses(&lines(body), settings(), Reason::Crash, &[rule]);
    }
    // Without the sandbox the message names only the agent's error.
    let off = PythonSettings { policy: Policy::Off, ..settings() };
    let forfeit = crate::hosting::forfeit(&lines("open('/no/such')"), off);
    assert!(!forfeit.details.contains("sandbox"), "{forfeit}");
    let talks = lines("for n in range(9): print('depth', n)\nraise ValueError('no')");
    let words = ["ValueError: no", "it printed last: depth 6 | depth 7 | depth 8"];
    loses(&talks, settings(), Reason::Crash, &words);
    let talks = lines("print('a1 it is')\nself.candidate_list = [(0, 0)]");
    loses(&talks, settings(), Reason::Illegal, &["it printed last: a1 it is"]);
}

#[test]
fn the_output_of_an_agent_is_captured() {
    let lines = "
class AI(object):
    def __init__(self, a, b, c):
        self.candidate_list = []
    def go(self, board):
        print('thinking')
        self.candidate_list = [(2, 3)]
        if len(board) == 6: self.fail()
    def fail(self):
        return 1 / 0
";
    let mut agent = written(lines, settings());
    agent.choose(&game(), &Limits::default()).unwrap();
    assert_eq!(agent.captured_output().printed, "thinking\n");
    assert_eq!(agent.captured_output().printed, "");
    let six = isrever_board::Game::new(isrever_board::Rule::Reversed, isrever_board::Size::SIX);
    agent.choose(&six, &Limits::default()).unwrap_err();
    let words = agent.captured_output();
    assert_eq!(words.printed, "thinking\n");
    for part in ["Traceback", "line 8, in go", "line 10, in fail", "return 1 / 0", "ZeroDivision"] {
        assert!(words.trace.contains(part), "{part} is not in {}", words.trace);
    }
    // The output of a file that fails to load is captured as well.
    let mut agent = written("print('hello')\nraise KeyError('x')", settings());
    agent.choose(&game(), &Limits::default()).unwrap_err();
    let words = agent.captured_output();
    assert_eq!(words.printed, "hello\n");
    assert!(words.trace.contains("line 2") && words.trace.contains("KeyError"), "{}", words.trace);
}
