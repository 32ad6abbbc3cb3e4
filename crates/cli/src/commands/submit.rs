//! `isrever submit`: sends an agent's file to a club, and shows what its check finds.

mod server;

use crate::cases::{CaseView, say_total};
use crate::draw::Style;
use crate::error::Error;
use crate::output::json_line;
use crate::plain::plain;
use isrever_club::{CheckTotal, Report};
use isrever_web::SiteUrl;
use serde::Serialize;
use server::{Server, State, Version};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The most bytes of a file that are read; the club takes less.
const MOST_BYTES: u64 = 4 << 20;

/// Where a token is if no file is named.
const VARIABLE: &str = "ISREVER_TOKEN";

/// Submit a Python agent to a club, and see what its check finds
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever submit my_ai.py --to https://board.example
  isrever submit my_ai.py --to https://board.example --token-file ~/.isrever-token --failed
The file is checked by the club's judges as isrever arena check does; if it passes, it plays for you
from then on. You get a token on the club's page, and name a file that it is in, or set
ISREVER_TOKEN to it. Without TLS (http://) others in the network can read it.
Before, a fixed exercise in Python is timed here, so that you learn how much slower or faster the
judges' machine is. Ctrl-C stops the waiting; what is submitted stays so.

Exit status: 0 passed; 1 the server cannot be reached; 2 the file or the token is refused; 3 the
agent failed its check.

With --json one object, with the keys version (id, number, file, state), seconds (of the exercise
here) and report (cases, total, seconds, own_seconds, sandbox)")]
pub(crate) struct SubmitArgs {
    /// The agent's file
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Where the club's page is
    #[arg(long, value_name = "URL")]
    to: SiteUrl,

    /// A file with your token [default: what $ISREVER_TOKEN says]
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,

    /// Draw only the boards of cases that failed, and of games in which the time for a move ran out
    #[arg(long)]
    failed: bool,

    /// Letters X and O instead of ● and ○
    #[arg(long)]
    ascii: bool,

    /// One object
    #[arg(long, conflicts_with_all = ["failed", "ascii"])]
    json: bool,
}

/// What `--json` says.
#[derive(Serialize)]
struct Row<'a> {
    version: &'a Version,
    seconds: Option<f64>,
    report: &'a Report,
}

/// Submits the file and waits for its check.
pub(crate) fn run(args: &SubmitArgs, out: &mut dyn Write) -> Result<(), Error> {
    let name = args.file.file_name().and_then(|name| name.to_str()).ok_or_else(|| {
        Error::input(args.file.display(), "not a name in UTF-8; expected one such as my_ai.py")
    })?;
    let source = read(&args.file)?;
    let server = Server::new(&args.to, &token(args.token_file.as_deref())?)?;
    let seconds = own_seconds();
    let version = server.submit(name, &source, seconds)?;
    if !args.json {
        let (number, file) = (version.number, plain(name));
        writeln!(out, "{file} is your version {number}; waiting for its check\n")?;
        out.flush()?;
    }
    let version = server.checked(version)?;
    if version.state == State::Blocked {
        return Err(Error::failed(args.file.display(), "an administrator has blocked it"));
    }
    let report = server.report(&version)?;
    if args.json {
        json_line(out, &Row { version: &version, seconds, report: &report })?;
    } else {
        show(args, seconds, &report, out)?;
    }
    out.flush()?;
    let CheckTotal { passed, failed, skipped } = report.total;
    let count = passed + failed + skipped;
    if version.state == State::Passed {
        return Ok(());
    }
    let expected = "expected all to pass";
    let offence = format_args!("{passed} of {count} cases passed; {expected}");
    Err(Error::failed(args.file.display(), offence))
}

/// All cases, what they come to, and how fast the judges' machine is.
fn show(
    args: &SubmitArgs,
    seconds: Option<f64>,
    report: &Report,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let style = Style::of_stdout(args.ascii);
    let view = CaseView { style, rule: None, is_failed_only: args.failed };
    for (case, number) in report.cases.iter().zip(1..) {
        view.show(number, case, out)?;
    }
    say_total(&report.total, out)?;
    if let Some(sandbox) = &report.sandbox {
        writeln!(out, "Sandbox: {}.", plain(sandbox))?;
    }
    if let Some(words) = speed(report.seconds, seconds) {
        writeln!(out, "{words}")?;
    }
    Ok(())
}

/// How fast the judges' machine is, by how long the same exercise takes there and here.
fn speed(theirs: Option<f64>, own: Option<f64>) -> Option<String> {
    let factor = theirs? / own?;
    let words = match factor {
        _ if !factor.is_finite() || factor <= 0.0 => return None,
        _ if factor >= 1.05 => format!("{factor:.1} times slower than yours"),
        _ if factor <= 1.0 / 1.05 => format!("{:.1} times faster than yours", 1.0 / factor),
        _ => "as fast as yours".to_owned(),
    };
    Some(format!("The judges' machine is {words}."))
}

/// How long the judges' exercise takes here; none where agents cannot be run.
#[cfg(target_os = "linux")]
fn own_seconds() -> Option<f64> {
    // Without Python one can submit all the same.
    let interpreter = crate::players::interpreter(None).ok()?;
    let settings = isrever_guest::PythonSettings::new(interpreter);
    isrever_judge::exercise(&settings).ok().map(|time| time.as_secs_f64())
}

#[cfg(not(target_os = "linux"))]
fn own_seconds() -> Option<f64> {
    None
}

/// What is in a file.
fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let place = path.display();
    let refused = |offence: &str| Error::input(&place, format_args!("{offence}; expected a file"));
    match fs::metadata(path) {
        Ok(there) if there.is_file() => {}
        Ok(_) => return Err(refused("not a file")),
        Err(_) => return Err(refused("no such file")),
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| Error::io(&place, &error))?;
    file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(|error| Error::io(&place, &error))?;
    Ok(bytes)
}

/// The token by which the club knows the author.
fn token(file: Option<&Path>) -> Result<String, Error> {
    let expected = "expected what the club's page gave you";
    let (place, text) = match file {
        Some(file) => (file.display().to_string(), String::from_utf8(read(file)?).ok()),
        None => {
            let text = std::env::var_os(VARIABLE).ok_or_else(|| {
                let offence = format_args!("no token; expected a file with it, or ${VARIABLE}");
                Error::input("--token-file", offence)
            })?;
            (format!("${VARIABLE}"), text.into_string().ok())
        }
    };
    let token = text.unwrap_or_default().trim().to_owned();
    if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Error::input(place, format_args!("not a token; {expected}")));
    }
    Ok(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_is_told_from_where_one_sits() {
        let said = |theirs, own| speed(Some(theirs), Some(own)).unwrap();
        assert_eq!(said(0.14, 0.1), "The judges' machine is 1.4 times slower than yours.");
        assert_eq!(said(0.1, 0.2), "The judges' machine is 2.0 times faster than yours.");
        assert_eq!(said(0.1, 0.101), "The judges' machine is as fast as yours.");
        assert_eq!(speed(None, Some(1.0)), None);
        assert_eq!(speed(Some(1.0), Some(0.0)), None);
    }
}
