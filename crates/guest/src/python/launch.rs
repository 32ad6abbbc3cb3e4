//! Starts the parser and the harness in the sandbox, with the environment and the limits of a guest.

use super::PythonSettings;
use super::messages::MOST_LINE_BYTES;
use crate::process::{Folder, GuestProcess, Log, Pipes, streams, sweep_abandoned};
use crate::sandbox::limits::ResourceLimits;
use crate::sandbox::{Guest, Layer, Sandbox};
use isrever_agent::Forfeit;
use std::cell::RefCell;
use std::time::Duration;

/// The Python program that compiles the agent's file, and then executes [`HARNESS`].
const PARSER: &str = concat!(include_str!("errors.py"), include_str!("parse.py"));

/// The Python program that runs the agent.
const HARNESS: &str = concat!(include_str!("errors.py"), include_str!("harness.py"));

/// Longer than any caller lets a game take.
const LONGEST_GAME: Duration = Duration::from_secs(86_400);

/// A guest's environment. Numerical libraries get one thread, because more would take memory and
/// other players' processors; sets keep the same order in every run.
const VARIABLES: [&str; 9] = [
    "PATH=/usr/bin:/bin",
    "LANG=C.UTF-8",
    "PYTHONHASHSEED=0",
    "OPENBLAS_NUM_THREADS=1",
    "OMP_NUM_THREADS=1",
    "MKL_NUM_THREADS=1",
    "NUMEXPR_NUM_THREADS=1",
    "NUMBA_NUM_THREADS=1",
    "MALLOC_ARENA_MAX=1",
];

/// Starts the harness in the sandbox.
pub(super) fn launch(settings: &PythonSettings) -> Result<(GuestProcess, Sandbox), Forfeit> {
    sweep_abandoned();
    let own: RefCell<Option<Folder>> = RefCell::default();
    let folder = || {
        let mut own = own.borrow_mut();
        let folder = match own.take() {
            Some(folder) => folder,
            None => Folder::new()?,
        };
        Ok(own.insert(folder).path().to_owned())
    };
    let program = settings.interpreter.program();
    let name = program.to_string_lossy().into_owned();
    // The last argument shows in lists of processes, and names the host.
    let host = format!("guest-of-{}", std::process::id());
    let flags = ["-s", "-S", "-B", "-u", "-c"].map(str::to_owned);
    let scripts = [PARSER.to_owned(), name.clone(), HARNESS.to_owned(), host];
    let arguments: Vec<String> = [name].into_iter().chain(flags).chain(scripts).collect();
    // A caller that may allow more than the agent's own time keeps the game's clock itself.
    let game_time = if settings.is_game_time_own { settings.game_time } else { LONGEST_GAME };
    let guest = Guest {
        program,
        arguments: &arguments,
        variables: &VARIABLES,
        readable: settings.interpreter.readable(),
        folder: &folder,
        limits: ResourceLimits::new(settings.start_time + game_time),
        policy: settings.policy,
        without: settings.without,
    };
    let ours: RefCell<Option<Pipes>> = RefCell::default();
    let (started, sandbox) = guest
        .start(|| {
            let (streams, pipes) = streams()?;
            *ours.borrow_mut() = Some(pipes);
            Ok(streams)
        })
        .map_err(|error| Forfeit::machine(error.to_string()))?;
    let pipes = ours.into_inner().expect("a program that was started has streams");
    let log = Log::new(settings.output_bytes);
    let mut process = GuestProcess::new(started, pipes, MOST_LINE_BYTES, log);
    process.enter_cgroup();
    if !sandbox.active.contains(&Layer::Namespaces)
        && let Some(folder) = own.into_inner()
    {
        process.watch_folder(folder);
    }
    Ok((process, sandbox))
}
