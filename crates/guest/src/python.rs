//! Agents of the course: a Python file with `class AI(object)`, in the sandbox.
//!
//! The interface is the course platform's, unchanged: `__init__(chessboard_size,
//! color, time_out)`, `go(chessboard)` with a numpy array (−1 black, 1 white, 0
//! empty), and `candidate_list`, whose last element is the decision when `go`
//! returns or its time is over. Every game runs in a process of its own.

mod compiled;
mod cores;
mod launch;
mod messages;
mod session;
mod timer;
mod turns;

pub use messages::Entry;
pub(crate) use messages::excerpt;
pub(crate) use session::Session;
pub use session::{Answer, CapturedOutput};
pub use turns::{Turn, Turns};

use crate::interpreter::Interpreter;
use crate::lateness::{lateness, seconds};
use crate::sandbox::{Layer, Policy, Sandbox};
use isrever_agent::{Agent, Choice, Forfeit, Limits, Reason, TimedBy};
use isrever_board::{Color, Game, Move, Position, Size, Square};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use std::{fmt, fs, io};

/// The largest file that can be an agent.
const MOST_SOURCE_BYTES: u64 = 1 << 20;

/// How often an agent's process may be replaced in a game because it does not stop.
const MOST_RESTARTS: u32 = 10;

/// How to run agents.
#[derive(Clone, Debug)]
pub struct PythonSettings {
    /// The Python that runs them.
    pub interpreter: Arc<Interpreter>,
    /// Time for a move; agents are told it.
    pub move_time: Duration,
    /// Time for all moves of a game.
    pub game_time: Duration,
    /// Whether the time for a move also limits callers that allow more.
    pub is_move_time_own: bool,
    /// Whether the time for a game does.
    pub is_game_time_own: bool,
    /// Time for import and `__init__`, counted apart from the moves; in a game, also for all restarts
    /// together of a process that does not stop.
    pub start_time: Duration,
    /// The clock of the moves, unless the caller's limits name the processor's.
    pub timed_by: TimedBy,
    /// Memory of the agent's own.
    pub memory_bytes: u64,
    /// The most it may print in a game.
    pub output_bytes: u64,
    /// Seeds the random numbers of agents that do not seed them themselves.
    pub seed: u64,
    /// Which layers of the sandbox are required.
    pub policy: Policy,
    /// A layer to leave out, as on a machine that lacks it.
    pub without: Option<Layer>,
    /// The turns that it takes with the guests of other processes, if it does.
    pub turns: Option<Arc<Turns>>,
}

impl PythonSettings {
    /// The most memory on the course's platform.
    pub const MEMORY_BYTES: u64 = 100 << 20;

    /// The course's limits: 5 s a move, 180 s a game, 100 MiB.
    pub fn new(interpreter: Arc<Interpreter>) -> PythonSettings {
        PythonSettings {
            interpreter,
            move_time: Duration::from_secs(5),
            game_time: Duration::from_secs(180),
            is_move_time_own: true,
            is_game_time_own: true,
            start_time: Duration::from_secs(20),
            timed_by: TimedBy::Wall,
            memory_bytes: PythonSettings::MEMORY_BYTES,
            output_bytes: 16 << 20,
            seed: 1,
            policy: Policy::Auto,
            without: None,
            turns: None,
        }
    }
}

/// An agent's file.
#[derive(Clone, Debug)]
pub struct Source {
    path: PathBuf,
    /// The folder that it was read from.
    folder: Option<PathBuf>,
    bytes: Arc<[u8]>,
}

/// Why a file is no agent.
#[derive(Debug)]
pub enum SourceError {
    /// It cannot be read.
    Io(io::Error),
    /// It is larger than an agent's file may be.
    TooLarge(u64),
    /// It is a folder or a device.
    NoFile,
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourceError::Io(error) if error.kind() == io::ErrorKind::NotFound => {
                f.write_str("no such file; expected a Python file with a class AI")
            }
            SourceError::Io(error) => write!(f, "{error}; expected a file that can be read"),
            SourceError::TooLarge(bytes) => write!(f, "{bytes} bytes; expected at most 1 MiB"),
            SourceError::NoFile => f.write_str("not a file; expected a Python file"),
        }
    }
}

impl std::error::Error for SourceError {}

impl Source {
    /// A file that is called `path` and contains `bytes`, wherever they come from.
    pub fn new(path: &Path, bytes: &[u8]) -> Source {
        Source { path: path.to_owned(), folder: None, bytes: bytes.into() }
    }

    /// Reads a file. Only the sandbox shows whether it is an agent.
    pub fn read(path: &Path) -> Result<Source, SourceError> {
        let data = fs::metadata(path).map_err(SourceError::Io)?;
        if !data.is_file() {
            return Err(SourceError::NoFile);
        }
        if data.len() > MOST_SOURCE_BYTES {
            return Err(SourceError::TooLarge(data.len()));
        }
        let bytes = fs::read(path).map_err(SourceError::Io)?;
        let folder = path.parent().map(Path::to_owned);
        Ok(Source { folder, ..Source::new(path, &bytes) })
    }

    /// The path it was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The folder that it was read from; `None` if it comes from elsewhere than a disk.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }
}

/// An agent of the course, playing one game.
pub struct Python {
    source: Source,
    settings: PythonSettings,
    session: Option<Session>,
    /// The turn that it has waited for, as long as it thinks.
    turn: Option<Turn>,
    /// How much of the game's time its moves have used.
    spent: Duration,
    /// The time for a move that its constructor is given.
    announced_time: Duration,
    has_started: bool,
    /// How often a process that did not stop was replaced, and the time that this took.
    restarts: u32,
    restart_time: Duration,
    /// The time that the last answer took.
    answer_time: Option<Duration>,
    /// Why its process could not be replaced after a move.
    failure: Option<Forfeit>,
    /// The output of a process that has ended.
    captured_output: CapturedOutput,
}

impl Python {
    /// An agent without a process: that starts with [`Agent::prepare`] or the first move.
    pub fn new(source: Source, settings: PythonSettings) -> Python {
        Python {
            source,
            announced_time: settings.move_time,
            settings,
            session: None,
            turn: None,
            spent: Duration::ZERO,
            has_started: false,
            restarts: 0,
            restart_time: Duration::ZERO,
            answer_time: None,
            failure: None,
            captured_output: CapturedOutput::default(),
        }
    }

    /// The sandbox it runs in, once it has started.
    pub fn sandbox(&self) -> Option<&Sandbox> {
        self.session.as_ref().map(Session::sandbox)
    }

    /// The end of what it printed.
    pub fn printed(&self) -> String {
        self.session.as_ref().map(Session::printed).unwrap_or_default()
    }

    /// Takes the end of what it printed since the last call, and the traceback of its error.
    pub fn captured_output(&mut self) -> CapturedOutput {
        match &mut self.session {
            Some(session) => session.captured_output(),
            None => std::mem::take(&mut self.captured_output),
        }
    }

    /// Whether its file was ever imported and its class created.
    pub fn has_started(&self) -> bool {
        self.has_started
    }

    /// Asks the agent for a legal move; returns its whole answer as well.
    pub fn decide(&mut self, game: &Game, limits: &Limits) -> Result<(Square, Answer), Forfeit> {
        let answer = self.ask(game.position(), limits)?;
        let square = decision(&answer, game).map_err(|forfeit| {
            let printed = self.session.as_mut().map(Session::printed_last).unwrap_or_default();
            Forfeit::new(forfeit.reason, forfeit.details + &printed)
        })?;
        Ok((square, answer))
    }

    /// Asks the agent, and does not check its decision.
    pub fn ask(&mut self, position: &Position, limits: &Limits) -> Result<Answer, Forfeit> {
        self.await_turn(&limits.stop);
        let answer = self.ask_in_turn(position, limits);
        self.turn = None;
        answer
    }

    fn ask_in_turn(&mut self, position: &Position, limits: &Limits) -> Result<Answer, Forfeit> {
        let began = Instant::now();
        let time = limits.deadline.map(|deadline| deadline.saturating_duration_since(began));
        let is_new = self.start(position.size(), position.turn(), time)?;
        let start_time = if is_new { began.elapsed() } else { Duration::ZERO };
        let bound = self.bound(limits, began + start_time);
        let timed_by = match limits.timed_by {
            TimedBy::Wall => self.settings.timed_by,
            TimedBy::Processor => TimedBy::Processor,
        };
        let session = self.session.as_mut().expect("it has just been started");
        let (time, turn) = ((bound.time, timed_by), self.turn.as_ref());
        let answer = session.ask(position, time, &limits.stop, turn);
        if answer.is_err() {
            // The game is lost; end the process.
            self.captured_output = session.captured_output();
            self.session = None;
        }
        let answer = answer?;
        self.spent += answer.time;
        self.answer_time = Some(start_time + answer.time);
        if answer.is_late && bound.reason == Reason::GameTime && answer.time >= bound.time {
            return Err(Forfeit::new(Reason::GameTime, bound.details));
        }
        Ok(answer)
    }

    /// The time for a move that `began` at this moment: the least of the agent's own limits and the
    /// caller's.
    fn bound(&self, limits: &Limits, began: Instant) -> Bound {
        let PythonSettings { move_time, game_time, .. } = self.settings;
        let mut bounds = Vec::new();
        if self.settings.is_move_time_own || limits.deadline.is_none() {
            bounds.push(Bound { time: move_time, reason: Reason::Time, details: String::new() });
        }
        if self.settings.is_game_time_own || limits.clock.is_none() {
            let time = game_time.saturating_sub(self.spent);
            let details = format!("its moves took more than {} s in all", game_time.as_secs_f64());
            bounds.push(Bound { time, reason: Reason::GameTime, details });
        }
        if let Some(deadline) = limits.deadline {
            let time = deadline.saturating_duration_since(began);
            let left = seconds(limits.clock.map_or(time, |clock| clock.remaining));
            let details = format!("of the time for all its moves {left} were left, and are over");
            bounds.push(Bound { time, reason: lateness(limits.clock, time), details });
        }
        // If both end together, the game's time counts.
        let is_game = |bound: &Bound| bound.reason == Reason::GameTime;
        let first = |bound: &Bound| (bound.time, !is_game(bound));
        bounds.into_iter().min_by_key(first).expect("there is the caller's or its own")
    }

    /// Starts a process, unless a usable one runs; returns whether it did. The first start costs no
    /// time. A later one, after a process that did not stop, counts on the agent's clock unless
    /// `settle` did it before.
    fn start(&mut self, size: Size, color: Color, time: Option<Duration>) -> Result<bool, Forfeit> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        // A process that was there before a fork belongs to the parent.
        self.session.take_if(|session| !session.is_ours());
        let is_same = self.session.as_ref().is_some_and(|session| session.side() == (size, color));
        self.settle_session();
        if is_same && self.session.as_ref().is_some_and(Session::is_running) {
            return Ok(false);
        }
        if !self.has_started {
            self.announced_time = time.map_or(self.settings.move_time, |time| {
                // Rounds up, because a little of the time has already passed.
                let rounded = Duration::from_millis((time.as_millis() as u64).div_ceil(10) * 10);
                let is_own = self.settings.is_move_time_own;
                if is_own { rounded.min(self.settings.move_time) } else { rounded }
            });
            return self.begin(size, color, self.settings.start_time).map(|()| true);
        }
        let left = self.settings.game_time.saturating_sub(self.spent);
        if is_same {
            self.restart(size, color, left)?;
        } else {
            self.begin(size, color, self.settings.start_time.min(left))?;
        }
        self.spent += self.session.as_ref().map_or(Duration::ZERO, Session::started_in);
        Ok(true)
    }

    /// Lets the last move end, or ends the process.
    fn settle_session(&mut self) {
        let Some(session) = &mut self.session else { return };
        let time = session.settle(self.turn.as_ref());
        if !session.is_running() {
            self.restart_time += time;
        }
    }

    /// Replaces a process that did not stop, within `left` and what is left for restarts. An agent
    /// that needs more of them than it may have loses: each holds up its opponent.
    fn restart(&mut self, size: Size, color: Color, left: Duration) -> Result<(), Forfeit> {
        let all = self.settings.start_time;
        let rest = all.saturating_sub(self.restart_time).min(left);
        let lost = |restarts: u32| {
            let details = format!(
                "it does not stop when its time is over, and was started again {restarts} times; \
                 expected at most {MOST_RESTARTS} restarts, and {} for all of them",
                seconds(all)
            );
            Forfeit::new(Reason::Time, details)
        };
        if self.restarts == MOST_RESTARTS || rest.is_zero() {
            return Err(lost(self.restarts));
        }
        self.restarts += 1;
        self.begin(size, color, rest).map_err(|forfeit| match forfeit.reason {
            Reason::Time => lost(self.restarts),
            _ => forfeit,
        })?;
        self.restart_time += self.session.as_ref().map_or(Duration::ZERO, Session::started_in);
        Ok(())
    }

    /// Starts a process within `time`.
    fn begin(&mut self, size: Size, color: Color, time: Duration) -> Result<(), Forfeit> {
        self.session = None;
        let settings = PythonSettings { move_time: self.announced_time, ..self.settings.clone() };
        let session =
            Session::start(&self.source, &settings, size, color, time, self.turn.as_ref());
        let session = session.map_err(|(forfeit, output)| {
            self.captured_output = output;
            forfeit
        })?;
        self.has_started = true;
        self.session = Some(session);
        Ok(())
    }
}

/// The time for a move, and the forfeit for overrunning it.
struct Bound {
    time: Duration,
    reason: Reason,
    details: String,
}

impl Agent for Python {
    fn name(&self) -> String {
        format!("python:{}", self.source.path.display())
    }

    fn prepare(
        &mut self,
        game: &Game,
        color: Color,
        time: Option<Duration>,
    ) -> Result<(), Forfeit> {
        self.await_turn(&AtomicBool::new(false));
        let started = self.start(game.size(), color, time);
        self.turn = None;
        started.map(drop)
    }

    fn await_turn(&mut self, stop: &AtomicBool) {
        if let (None, Some(turns)) = (&self.turn, &self.settings.turns) {
            self.turn = turns.take(stop);
        }
    }

    fn settle(&mut self) {
        if self.session.as_ref().is_none_or(Session::is_settled) {
            return;
        }
        self.await_turn(&AtomicBool::new(false));
        self.settle_session();
        let stopped = self.session.as_ref().filter(|session| !session.is_running());
        if let Some((size, color)) = stopped.map(Session::side) {
            // If it fails, the next move reports it.
            self.failure = self.restart(size, color, self.settings.start_time).err();
        }
        self.turn = None;
    }

    fn take_printed(&mut self) -> Option<String> {
        let CapturedOutput { printed, trace } = self.captured_output();
        Some(printed + &trace)
    }

    fn answer_time(&self) -> Option<Duration> {
        self.answer_time
    }

    fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit> {
        self.decide(game, limits).map(|(square, _)| square.into())
    }
}

/// The legal square that an answer decides on, or why it forfeits.
fn decision(answer: &Answer, game: &Game) -> Result<Square, Forfeit> {
    let late = if answer.is_late { " when its time was over" } else { "" };
    match &answer.last {
        None if answer.is_late => {
            let time = seconds(answer.time);
            let details = "candidate_list was still empty; expected a move in it";
            Err(Forfeit::new(Reason::Time, format!("after {time} {details}")))
        }
        None => {
            let details = "candidate_list is empty; expected a legal move in it";
            Err(Forfeit::new(Reason::Illegal, details))
        }
        Some(Entry::Other(what)) => {
            let details = format!(
                "the decision was {}{late}; expected a row and a column, such as (2, 3)",
                excerpt(what)
            );
            Err(Forfeit::new(Reason::Garbage, details))
        }
        Some(Entry::Place(place)) => {
            let square = square(*place, game.size()).ok_or_else(|| {
                let ([row, column], width) = (place, game.size().width());
                let last = width - 1;
                let details = format!(
                    "({row}, {column}) is off the board{late}; expected row and column from 0 to {last}"
                );
                Forfeit::new(Reason::Illegal, details)
            })?;
            let illegal = game.clone().play(Move::Place(square));
            illegal.map_err(|error| {
                let ended = format!("candidate_list ended with {square}{late}; ");
                let ended = if answer.is_late { ended } else { String::new() };
                Forfeit::new(Reason::Illegal, format!("{ended}{error}"))
            })?;
            Ok(square)
        }
    }
}

/// The square at a row and a column, if it is on the board.
pub(crate) fn square([row, column]: [i64; 2], size: Size) -> Option<Square> {
    let within = |number: i64| u8::try_from(number).ok().filter(|&number| number < size.width());
    Some(Square::new(within(column)?, within(row)?))
}
