//! Runs the steps of an area in its scratch folder and writes down what is answered.

use super::corpus::{Input, Step, words};
use super::files::{Files, readable};
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

/// A program that says nothing for so long hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// Stands for the path of the program, in commands and in answers.
const PROGRAM: &str = "$PROGRAM";

/// Begins what is written down of a step that has no answer.
pub(super) const FAILED: &str = "failed: ";

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
        area.step(step).with_context(|| format!("at the step: {}", step.title()))?;
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
                let mut text = self.answer(line, input).unwrap_or_else(|error| failed(&error));
                text.extend(self.files.changes(&self.scratch)?);
                self.add(step, &text)?;
            }
            Step::Serve(line) => {
                self.web = Some(Web::start(self.command("serve").args(words(line)?))?);
            }
            Step::Request { method, path, body } => {
                let web = self.web.as_mut().context("no server was started")?;
                let text = web.ask(method, path, body).unwrap_or_else(|error| failed(&error));
                self.add(step, &text)?;
            }
        }
        Ok(())
    }

    /// Writes down an answer, and hides what is never the same twice.
    fn add(&mut self, step: &Step, text: &str) -> Result<()> {
        let [scratch, program] =
            [self.scratch.as_path(), self.program].map(|path| path.to_string_lossy());
        let text = text.replace(&*scratch, "$SCRATCH").replace(&*program, PROGRAM);
        self.transcript.push(step.title(), masked(&text))
    }

    /// Makes a command that runs in the scratch folder with an empty environment.
    fn command(&self, word: &str) -> Command {
        let mut command = Command::new(self.program);
        let path = std::env::var_os("PATH").unwrap_or_default();
        command.arg(word).env_clear().env("PATH", path).env("HOME", &self.scratch);
        command.current_dir(&self.scratch);
        command
    }

    /// Runs the program and returns its output, its errors, and its exit status unless it is 0.
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
            let code = status.code().map_or("by a signal".to_owned(), |code| code.to_string());
            answer += &format!("exit {code}\n");
        }
        Ok(answer)
    }
}

/// Stands for the answer to a step that has none, so that the other steps are run all the same.
fn failed(error: &anyhow::Error) -> String {
    format!("{FAILED}{error:#}\n")
}

/// Holds the conversation, and reads all that the program says until it ends.
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
    let mut text = readable(&output);
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    for line in String::from_utf8_lossy(&errors).lines() {
        text += &format!("! {line}\n");
    }
    Ok(text)
}

/// Reads a stream in a thread of its own, and sends on each line as it comes.
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
