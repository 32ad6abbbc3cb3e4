//! Runs the steps of an area in its scratch folder and writes down what is answered.

use super::corpus::{Input, Step, words};
use super::files::Files;
use super::mask::masked;
use super::transcript::Transcript;
use super::web::Web;
use anyhow::{Context, Result, bail};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// A program that is silent for so long is stuck.
const PATIENCE: Duration = Duration::from_secs(120);

/// Stands for the path of the program, in commands and in answers.
const PROGRAM: &str = "$PROGRAM";

/// An area that is being run.
struct Area<'a> {
    program: &'a Path,
    scratch: PathBuf,
    files: Files,
    web: Option<Web>,
    transcript: Transcript,
}

/// Runs all steps of an area in an empty folder.
pub(super) fn run(steps: &[Step], program: &Path, scratch: &Path) -> Result<Transcript> {
    // Left over from an earlier run, or not there at all.
    let _ = fs::remove_dir_all(scratch);
    fs::create_dir_all(scratch)?;
    let (files, transcript) = (Files::default(), Transcript::default());
    let mut area = Area { program, scratch: scratch.to_owned(), files, web: None, transcript };
    for step in steps {
        area.step(step).with_context(|| format!("{step:?}"))?;
    }
    if let Some(web) = area.web {
        web.stop()?;
    }
    Ok(area.transcript)
}

impl Area<'_> {
    fn step(&mut self, step: &Step) -> Result<()> {
        match step {
            Step::File { name, text } => {
                fs::write(self.scratch.join(name), text)?;
                self.files.changes(&self.scratch)?;
            }
            Step::Copy(path) => {
                let name = Path::new(path).file_name().context("a file has a name")?;
                fs::copy(path, self.scratch.join(name))?;
                self.files.changes(&self.scratch)?;
            }
            Step::Program { line, input } => {
                let mut text = self.answer(line, input)?;
                for change in self.files.changes(&self.scratch)? {
                    text += &change;
                }
                self.add(format!("isrever {line}"), &text)?;
            }
            Step::Serve(line) => {
                self.web = Some(Web::start(self.command("serve").args(words(line)?))?);
            }
            Step::Request { method, path, body } => {
                let web = self.web.as_mut().context("no server was started")?;
                let text = web.ask(method, path, body)?;
                self.add(format!("{method} {path} {body}").trim_end().to_owned(), &text)?;
            }
        }
        Ok(())
    }

    /// Writes down an answer, without what is never the same twice.
    fn add(&mut self, step: String, text: &str) -> Result<()> {
        let [scratch, program] =
            [self.scratch.as_path(), self.program].map(|path| path.to_string_lossy());
        let text = text.replace(&*scratch, "$SCRATCH").replace(&*program, PROGRAM);
        self.transcript.push(step, masked(&text))
    }

    /// The program in the scratch folder, with as little from outside as can be.
    fn command(&self, word: &str) -> Command {
        let mut command = Command::new(self.program);
        let path = std::env::var_os("PATH").unwrap_or_default();
        command.arg(word).env_clear().env("PATH", path).env("HOME", &self.scratch);
        command.current_dir(&self.scratch);
        command
    }

    /// Runs the program: its output, its errors, and its exit status unless it is 0.
    fn answer(&self, line: &str, input: &[Input]) -> Result<String> {
        let program = self.program.to_string_lossy();
        let words: Vec<_> =
            words(line)?.iter().map(|word| word.replace(PROGRAM, &program)).collect();
        let (first, rest) = words.split_first().context("a command")?;
        let mut child = self
            .command(first)
            .args(rest)
            .stdin(if input.is_empty() { Stdio::null() } else { Stdio::piped() })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", self.program.display()))?;
        let answer = converse(&mut child, input);
        if answer.is_err() {
            let _ = child.kill();
        }
        let status = child.wait()?;
        let mut answer = answer?;
        if !status.success() {
            answer += &format!("exit {}\n", status.code().context("it was killed")?);
        }
        Ok(answer)
    }
}

/// Says to the program what it is to be told, and listens to its end.
fn converse(child: &mut Child, input: &[Input]) -> Result<String> {
    let heard = listen(child.stdout.take().context("it is piped")?);
    let mut stderr = child.stderr.take().context("it is piped")?;
    let mut stdin = child.stdin.take();
    let errors = thread::spawn(move || {
        let mut bytes = Vec::new();
        stderr.read_to_end(&mut bytes).map(|_| bytes)
    });
    let mut output = Vec::new();
    for step in input {
        match step {
            Input::Say(line) => {
                let stdin = stdin.as_mut().context("it is piped")?;
                // A program that has read enough closes the pipe.
                let _ = writeln!(stdin, "{line}");
            }
            Input::Await(beginning) => loop {
                let line = heard.recv_timeout(PATIENCE);
                let line = line.with_context(|| format!("it does not say {beginning:?}"))?;
                let is_awaited = line.starts_with(beginning.as_bytes());
                output.extend(line);
                if is_awaited {
                    break;
                }
            },
        }
    }
    drop(stdin);
    loop {
        match heard.recv_timeout(PATIENCE) {
            Ok(line) => output.extend(line),
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
            Err(error) => bail!("it does not end: {error}"),
        }
    }
    let errors = errors.join().expect("reading does not panic")?;
    let mut text = super::files::readable(output);
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    for line in String::from_utf8_lossy(&errors).lines() {
        text += &format!("! {line}\n");
    }
    Ok(text)
}

/// The lines of a stream as they come.
fn listen(stream: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut stream = BufReader::new(stream);
        loop {
            let mut line = Vec::new();
            match stream.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => break,
                Ok(_) if sender.send(line).is_err() => break,
                Ok(_) => {}
            }
        }
    });
    receiver
}
