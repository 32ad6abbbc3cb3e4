//! Reads the corpus: files of commands, step by step.
//!
//! ```text
//! # A comment.
//! file cup.toml             writes a file of the lines below it
//! | size = 6
//! copy testdata/formats/games.ggf    copies a file of the repository
//! isrever show games.ggf    runs the program, words quoted as in a shell
//! < f5                      a line for its standard input
//! > ===                     waits for a line that begins so, before the next line is sent
//! serve --data games        starts the web server, which runs until the end of the area
//! GET /api/agents           asks it, as do POST, PUT and DELETE with a body behind the path
//! STREAM /api/solve         reads a stream of events to its end
//! ```

use anyhow::{Context, Result, bail};

/// One step of an area.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Step {
    File { name: String, text: String },
    Copy(String),
    Program { line: String, input: Vec<Input> },
    Serve(String),
    Request { method: String, path: String, body: String },
}

/// A part of a conversation with the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Input {
    /// Sends a line to its standard input.
    Say(String),
    /// Waits for a line of output that begins so.
    Await(String),
}

impl Step {
    /// The step as the corpus has it, without its input.
    pub(super) fn title(&self) -> String {
        match self {
            Step::File { name, .. } => format!("file {name}"),
            Step::Copy(path) => format!("copy {path}"),
            Step::Program { line, .. } => format!("isrever {line}"),
            Step::Serve(line) => format!("serve {line}"),
            Step::Request { method, path, body } => {
                format!("{method} {path} {body}").trim_end().to_owned()
            }
        }
    }
}

/// Reads a file of commands.
pub(super) fn read(text: &str) -> Result<Vec<Step>> {
    let mut steps: Vec<Step> = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.to_owned();
        match (word, steps.last_mut()) {
            ("" | "#", _) => {}
            ("|", Some(Step::File { text, .. })) => *text += &(rest + "\n"),
            ("<", Some(Step::Program { input, .. })) => input.push(Input::Say(rest)),
            (">", Some(Step::Program { input, .. })) => input.push(Input::Await(rest)),
            ("file", _) => steps.push(Step::File { name: rest, text: String::new() }),
            ("copy", _) => steps.push(Step::Copy(rest)),
            ("isrever", _) => steps.push(Step::Program { line: rest, input: Vec::new() }),
            ("serve", _) => steps.push(Step::Serve(rest)),
            ("GET" | "POST" | "PUT" | "DELETE" | "STREAM", _) => {
                let (path, body) = rest.split_once(' ').unwrap_or((&rest, ""));
                let (path, body) = (path.to_owned(), body.to_owned());
                steps.push(Step::Request { method: word.to_owned(), path, body });
            }
            _ => bail!("line {number}: {line:?} is no step"),
        }
    }
    Ok(steps)
}

/// The words of a command line.
pub(super) fn words(line: &str) -> Result<Vec<String>> {
    shlex::split(line).with_context(|| format!("a quote is open in {line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_with_what_belongs_to_them() {
        let text =
            "# Some.\nfile a.txt\n| f5\n|\n\nisrever gtp\n< go\n> = \nGET /a\nPOST /b {\"c\": 1}\n";
        let owned = str::to_owned;
        let request = |method: &str, path: &str, body: &str| Step::Request {
            method: owned(method),
            path: owned(path),
            body: owned(body),
        };
        let input = vec![Input::Say(owned("go")), Input::Await(owned("= "))];
        let steps = [
            Step::File { name: owned("a.txt"), text: owned("f5\n\n") },
            Step::Program { line: owned("gtp"), input },
            request("GET", "/a", ""),
            request("POST", "/b", "{\"c\": 1}"),
        ];
        assert_eq!(read(text).unwrap(), steps);
        assert_eq!(words("show 'X- O' --json").unwrap(), ["show", "X- O", "--json"]);
    }

    #[test]
    fn what_is_no_step_is_refused_with_its_line() {
        for text in ["isrever agents\nshow f5\n", "isrever agents\n| x\n", "\n< x\n"] {
            assert!(read(text).unwrap_err().to_string().starts_with("line 2: "), "{text}");
        }
        assert!(words("show 'f5").is_err());
    }
}
