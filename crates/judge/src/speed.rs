//! How fast this machine runs Python: the time of a fixed exercise.

use isrever_agent::{Agent, Forfeit, Limits};
use isrever_board::{Game, Rule, Size};
use isrever_guest::{Python, PythonSettings, Source};
use std::path::Path;
use std::time::Duration;

/// The shortest of so many attempts counts, as everything else of a machine only adds to it.
const ATTEMPTS: usize = 5;

/// How long the exercise takes here, where agents are run by these settings.
///
/// # Errors
/// If this machine cannot run agents.
pub fn exercise(settings: &PythonSettings) -> Result<Duration, Forfeit> {
    let source = Source::new(Path::new("speed.py"), include_bytes!("speed.py"));
    let usual = PythonSettings::new(settings.interpreter.clone());
    let (policy, turns) = (settings.policy, settings.turns.clone());
    let mut agent = Python::new(source, PythonSettings { policy, turns, ..usual });
    let game = Game::new(Rule::Reversed, Size::EIGHT);
    let mut shortest = Duration::MAX;
    for _ in 0..ATTEMPTS {
        let (_, answer) = agent.decide(&game, &Limits::default())?;
        agent.settle();
        shortest = shortest.min(answer.time);
    }
    Ok(shortest)
}
