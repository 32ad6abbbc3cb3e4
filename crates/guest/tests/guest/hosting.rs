//! Helpers that the tests share: agents from files and from a few lines, and games.

use isrever_agent::{Agent, Forfeit, Limits, Reason, TimedBy};
use isrever_board::{Game, Move, Position, Rule, Size};
use isrever_guest::{Interpreter, Python, PythonSettings, Source};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The settings of these tests: little time, so that time-outs cost little, and of the agent's own,
/// so that a busy machine takes none of it.
pub(crate) fn settings() -> PythonSettings {
    let interpreter = Interpreter::find(None).expect("tests need a python3 with numpy");
    PythonSettings {
        move_time: Duration::from_millis(400),
        timed_by: TimedBy::Processor,
        ..PythonSettings::new(interpreter)
    }
}

/// The path of one of our agents' files.
pub(crate) fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agents").join(name)
}

/// The agent in one of our files.
pub(crate) fn agent(name: &str, settings: PythonSettings) -> Python {
    Python::new(Source::read(&file(name)).unwrap(), settings)
}

/// An agent whose file consists of these lines.
pub(crate) fn written(lines: &str, settings: PythonSettings) -> Python {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Relaxed);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(format!("agent-{}-{count}.py", std::process::id()));
    fs::write(&path, lines).unwrap();
    let source = Source::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    Python::new(source, settings)
}

/// The start of a game.
pub(crate) fn game() -> Game {
    Game::new(Rule::Reversed, Size::EIGHT)
}

/// How the agent of `lines` loses the game at its first move.
pub(crate) fn forfeit(lines: &str, settings: PythonSettings) -> Forfeit {
    match written(lines, settings).choose(&game(), &Limits::default()) {
        Ok(choice) => panic!("it plays {}", choice.square),
        Err(forfeit) => forfeit,
    }
}

/// Checks that the agent of `lines` loses for `reason`, with all `words` in the message.
pub(crate) fn loses(lines: &str, settings: PythonSettings, reason: Reason, words: &[&str]) {
    let forfeit = forfeit(lines, settings);
    assert_eq!(forfeit.reason, reason, "{forfeit}");
    for word in words {
        assert!(forfeit.details.contains(word), "{word:?} is not in {forfeit}");
    }
}

/// A whole game between two agents, black first.
pub(crate) fn play(mut game: Game, sides: [&mut dyn Agent; 2]) -> Result<Game, Forfeit> {
    let [black, white] = sides;
    while let Some(turn) = game.turn() {
        if game.position().must_pass() {
            game.play(Move::Pass).unwrap();
            continue;
        }
        let agent = if turn == isrever_board::Color::Black { &mut *black } else { &mut *white };
        let square = agent.choose(&game, &Limits::default())?.square;
        game.play(Move::Place(square)).expect("agents that answer answer legally");
    }
    Ok(game)
}

/// A position from its squares and its side.
pub(crate) fn position(text: &str) -> Position {
    let records = isrever_board::text::read(text.as_bytes(), None, Default::default()).unwrap();
    records[0].game.position().clone()
}
