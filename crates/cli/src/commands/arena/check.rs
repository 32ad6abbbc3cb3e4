//! `isrever arena check`: the usability test of a Python agent, board by board.

use crate::cases::{CaseView, say_total};
use crate::commands::bench::core_speed;
use crate::draw::Style;
use crate::error::Error;
use crate::messages;
use crate::output::json_line;
use crate::players::interpreter;
use isrever_agent::{TimedBy, duration};
use isrever_board::{Rule, Size, Square};
use isrever_club::CheckTotal;
use isrever_guest::check::{Check, Finding, Summary};
use isrever_guest::{Interpreter, Policy, PythonSettings, Source};
use isrever_judge::checked_case;
use serde::Serialize;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Test a Python agent of the course: boards with known answers, then two whole games
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever arena check ai.py
  isrever arena check ai.py --failed          only what went wrong
  isrever arena check ai.py --size 6 --json
  isrever arena check ai.py --python /usr/bin/python3.11 --memory 200
  isrever arena check ai.py --reference 5000000      is this machine as fast as the tournament's?
On every board candidate_list must hold all legal squares as (row, column), each at least once, and
nothing else; its last element is the decision. Where there is no move it stays empty. When the time
runs out, the list counts as it is then.

The agent runs in a sandbox: no network, no files but those of Python and a folder of its own, no
other processes, and the limits below. Its memory is what it takes beyond that of Python, numpy and
numba just before its file is executed, as the kernel counts private writable memory (VmData), or
resident memory with page tables where that is more.
  auto   every layer that this machine has; refuses without limits, seccomp and Landlock
  full   refuses without namespaces too
  weak   every layer that this machine has, even if that is none
  off    limits alone: for your own agents

Exit status: 0 passed; 2 the input is wrong; 3 the agent failed a case.

With --json, one object per case and line, with the keys
  case, about       its name; what is special about the board
  position, size, color, rule    the board as text; its width; the agent's side; what games are for
  expected          the legal squares
  list, decision    what the agent's list held; its last element; null where it has no answer
  forfeit           why the game would be lost: illegal-move, time, game-time, memory, crash,
                    garbage or refused; null if it would not
  passed, faults, notes          whether nothing is wrong; what is; what is worth knowing
  seconds, late     time taken, null for games; whether it ran out, in games at any move
  memory_bytes, printed_bytes    so far
and a last object with the keys passed, failed, skipped, python, numpy, numba (null without),
sandbox, missing, and with --reference speed (of a core here, in positions a second) and factor (that
over the reference)")]
pub(crate) struct CheckArgs {
    /// The agent's file
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The Python that runs it [default: $ISREVER_PYTHON, or the first python3 with numpy]
    #[arg(long, value_name = "PROGRAM")]
    python: Option<OsString>,

    /// How much of the sandbox is required
    #[arg(long, default_value_t, value_name = "auto|full|weak|off")]
    sandbox: Policy,

    /// Time for a move
    #[arg(long, default_value = "5s", value_name = "TIME", value_parser = duration)]
    time: Duration,

    /// Time for all moves of a game
    #[arg(long, default_value = "180s", value_name = "TIME", value_parser = duration)]
    game_time: Duration,

    /// What its times are measured by: cpu leaves out the time that it waits for a processor
    #[arg(long, default_value_t, value_name = "wall|cpu")]
    clock: TimedBy,

    /// Memory of its own, in MiB
    #[arg(long, default_value_t = 100, value_name = "MIB", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,

    /// How fast a core is where it will play, in positions a second as `isrever cluster status` and
    /// `isrever bench` tell it: says how much faster or slower this machine is
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    reference: Option<u64>,

    /// Width of the board, even, 4 to 16
    #[arg(long, default_value_t, value_name = "S", allow_negative_numbers = true)]
    size: Size,

    /// What the whole games are played for
    #[arg(long, default_value_t, value_name = "reversed|normal")]
    rule: Rule,

    /// Draw only the boards of cases that failed, and of games in which the time for a move ran out
    #[arg(long)]
    failed: bool,

    /// Letters X and O instead of ● and ○
    #[arg(long)]
    ascii: bool,

    /// One object per case and line
    #[arg(long, conflicts_with_all = ["failed", "ascii"])]
    json: bool,
}

/// Tests the agent and shows each case as it comes.
pub(crate) fn run(args: &CheckArgs, out: &mut dyn Write) -> Result<(), Error> {
    let file = args.file.display();
    let source = Source::read(&args.file).map_err(|error| Error::input(file.to_string(), error))?;
    let interpreter = interpreter(args.python.as_deref())?;
    let settings = PythonSettings {
        move_time: args.time,
        game_time: args.game_time,
        timed_by: args.clock,
        memory_bytes: args.memory << 20,
        policy: args.sandbox,
        ..PythonSettings::new(Arc::clone(&interpreter))
    };
    let check = Check { source, settings, size: args.size, rule: args.rule, stop: Arc::default() };
    if !args.json {
        writeln!(out, "{file} by {interpreter}\n")?;
    }
    let style = Style::of_stdout(args.ascii);
    let view = CaseView { style, rule: Some(args.rule), is_failed_only: args.failed };
    let mut number = 0;
    let summary = check.run(|finding| {
        number += 1;
        if args.json {
            json_line(out, &Row::new(finding, args.rule))?;
        } else {
            view.show(number, &checked_case(finding), out)?;
        }
        Ok::<(), Error>(out.flush()?)
    })?;
    if let Some(trouble) = &summary.trouble {
        return Err(Error::Io(format!("{file} {trouble}")));
    }
    let speed = args.reference.map(Speed::measure);
    if args.json {
        json_line(out, &Total::new(&summary, &interpreter, speed))?;
    } else {
        say(&summary, out)?;
        speed.map_or(Ok(()), |speed| speed.say(args.time, out))?;
    }
    let Summary { passed, failed, skipped, .. } = summary;
    if failed == 0 {
        return Ok(());
    }
    out.flush()?;
    let count = passed + failed + skipped;
    let expected = "expected all to pass";
    Err(Error::failed(file, format_args!("{passed} of {count} cases passed; {expected}")))
}

/// What all cases come to, for people.
fn say(summary: &Summary, out: &mut dyn Write) -> Result<(), Error> {
    let Summary { passed, failed, skipped, sandbox, .. } = summary;
    say_total(&CheckTotal { passed: *passed, failed: *failed, skipped: *skipped }, out)?;
    if let Some(sandbox) = sandbox {
        writeln!(out, "Sandbox: {sandbox}.")?;
        for (layer, _) in &sandbox.missing {
            writeln!(out, "What an agent can do without {layer}: {}.", layer.gap())?;
        }
    }
    Ok(())
}

/// How fast a core of this machine is, and over how fast one is elsewhere.
#[derive(Clone, Copy, Serialize)]
struct Speed {
    speed: f64,
    factor: f64,
}

impl Speed {
    fn measure(reference: u64) -> Speed {
        let speed = core_speed();
        Speed { speed: speed.round(), factor: speed / reference as f64 }
    }

    /// Says what it means for an agent with so much time for a move.
    fn say(self, time: Duration, out: &mut dyn Write) -> Result<(), Error> {
        let Speed { speed, factor } = self;
        let speed = messages::grouped(&format!("{speed:.0}"));
        let (here, there) = (time.as_secs_f64(), time.as_secs_f64() * factor);
        writeln!(
            out,
            "A core of this machine does {speed} nodes/s, {factor:.2} times the reference: what takes \
             {here:.1} s here takes {there:.1} s there."
        )?;
        Ok(())
    }
}

/// One case, with the keys of `--json`.
#[derive(Serialize)]
struct Row<'a> {
    case: &'a str,
    about: &'a str,
    position: String,
    size: u8,
    color: String,
    rule: String,
    expected: Vec<String>,
    list: Option<Vec<String>>,
    decision: Option<String>,
    forfeit: Option<&'static str>,
    passed: bool,
    faults: &'a [String],
    notes: &'a [String],
    seconds: Option<f64>,
    late: bool,
    memory_bytes: Option<u64>,
    printed_bytes: Option<u64>,
}

impl Row<'_> {
    fn new(finding: &Finding, rule: Rule) -> Row<'_> {
        let names = |squares: &[Square]| squares.iter().map(Square::to_string).collect();
        let (position, answer) = (&finding.case.position, finding.answer.as_ref());
        Row {
            case: finding.case.name,
            about: finding.case.about,
            position: position.to_string(),
            size: position.size().width(),
            color: position.turn().to_string(),
            rule: rule.to_string(),
            expected: names(&finding.expected),
            list: answer.map(|_| names(&finding.found())),
            decision: finding.decision().map(|square| square.to_string()),
            forfeit: finding.forfeit.as_ref().map(|forfeit| forfeit.reason.word()),
            passed: finding.is_passed(),
            faults: &finding.faults,
            notes: &finding.notes,
            seconds: answer.map(|answer| answer.time.as_secs_f64()),
            late: finding.late > 0,
            memory_bytes: answer.map(|answer| answer.memory_bytes),
            printed_bytes: answer.map(|answer| answer.printed_bytes),
        }
    }
}

/// What all cases come to, with the keys of `--json`.
#[derive(Serialize)]
struct Total<'a> {
    passed: usize,
    failed: usize,
    skipped: usize,
    python: &'a str,
    numpy: &'a str,
    numba: Option<&'a str>,
    sandbox: Vec<String>,
    missing: Vec<String>,
    #[serde(flatten)]
    speed: Option<Speed>,
}

impl Total<'_> {
    fn new<'a>(summary: &Summary, python: &'a Interpreter, speed: Option<Speed>) -> Total<'a> {
        let sandbox = summary.sandbox.clone().unwrap_or_default();
        Total {
            passed: summary.passed,
            failed: summary.failed,
            skipped: summary.skipped,
            python: python.version(),
            numpy: python.numpy(),
            numba: python.numba(),
            sandbox: sandbox.active.iter().map(ToString::to_string).collect(),
            missing: sandbox.missing.iter().map(|(layer, why)| format!("{layer}: {why}")).collect(),
            speed,
        }
    }
}
