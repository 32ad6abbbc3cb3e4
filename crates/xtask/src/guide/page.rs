//! The blocks of commands on a page, and the annotations above them.
//!
//! An annotation is an HTML comment on the line above a block, which readers do not see:
//!
//! ```text
//! <!-- guide: skip REASON -->       runs none of the block
//! <!-- guide: server -->            each command serves until it has answered a request
//! <!-- guide: client -->            a server runs meanwhile, in place of 127.0.0.1:7788
//! <!-- guide: with A as B -->       runs commands that say A with B in its place
//! <!-- guide: input hint quit -->   each command reads these lines
//! <!-- guide: copy PATH -->         the folder has this file of the repository
//! <!-- guide: copy PATH as NAME --> the same by another name
//! ```
//!
//! Several stand on lines of their own between `<!-- guide:` and `-->`.

use anyhow::{Context, Result, bail, ensure};

/// A block of commands.
#[derive(Default)]
pub(super) struct Block {
    /// Its line on the page.
    pub(super) line: usize,
    pub(super) kind: Kind,
    /// What to put in place of what.
    pub(super) with: Vec<(String, String)>,
    /// What each command reads.
    pub(super) input: String,
    /// Files of the repository, each with its name in the folder.
    pub(super) copies: Vec<(String, String)>,
    /// The commands, each with its line on the page.
    pub(super) commands: Vec<(usize, String)>,
}

/// How the commands of a block are run.
#[derive(Default, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    #[default]
    Run,
    Server,
    Client,
    Skip(String),
}

impl Block {
    pub(super) fn is_skipped(&self) -> bool {
        matches!(self.kind, Kind::Skip(_))
    }

    /// Takes one annotation.
    fn annotate(&mut self, words: &str) -> Result<()> {
        let (word, rest) = words.split_once(' ').unwrap_or((words, ""));
        match (word, rest) {
            ("server", "") => self.kind = Kind::Server,
            ("client", "") => self.kind = Kind::Client,
            ("skip", reason) if !reason.is_empty() => self.kind = Kind::Skip(reason.to_owned()),
            ("copy", path) if !path.is_empty() => {
                let (path, name) = path.split_once(" as ").unwrap_or((path, path));
                self.copies.push((path.to_owned(), name.to_owned()));
            }
            ("input", _) => {
                self.input = rest.split_whitespace().map(|w| w.to_owned() + "\n").collect();
            }
            ("with", rest) => {
                let (old, new) = rest.split_once(" as ").context("expected `with OLD as NEW`")?;
                self.with.push((old.to_owned(), new.to_owned()));
            }
            _ => {
                bail!("no annotation {words:?}; expected skip, server, client, with, input or copy")
            }
        }
        Ok(())
    }

    /// Puts what is to be run in place of what is written; an error if nothing is there to replace.
    fn finish(mut self) -> Result<Block> {
        for (old, new) in &self.with {
            let mut is_used = false;
            for (_, command) in &mut self.commands {
                is_used |= command.contains(old);
                *command = command.replace(old, new);
            }
            ensure!(is_used, "line {}: no command says {old:?}", self.line);
        }
        ensure!(!self.commands.is_empty(), "line {}: a block without commands", self.line);
        Ok(self)
    }
}

/// Reads the `sh` blocks of a page.
pub(super) fn read(page: &str) -> Result<Vec<Block>> {
    let (mut blocks, mut block) = (Vec::new(), Block::default());
    let mut lines = (1..).zip(page.lines());
    // Whether annotations wait for their block, which must be on the next line.
    let mut is_annotated = false;
    while let Some((number, line)) = lines.next() {
        if let Some(words) = line.strip_prefix("<!-- guide:") {
            is_annotated = true;
            let (mut words, mut rest) = (words, number);
            loop {
                let (end, is_end) = match words.strip_suffix("-->") {
                    Some(words) => (words, true),
                    None => (words, false),
                };
                if !end.trim().is_empty() {
                    block.annotate(end.trim()).with_context(|| format!("line {rest}"))?;
                }
                if is_end {
                    break;
                }
                (rest, words) = lines.next().context("an annotation does not end")?;
            }
        } else if line == "```sh" {
            block.line = number;
            let mut command = String::new();
            for (number, line) in lines.by_ref().take_while(|(_, line)| *line != "```") {
                match line.strip_suffix('\\') {
                    Some(begun) => command += begun,
                    None if line.is_empty() || line.starts_with('#') => {}
                    None => block.commands.push((number, std::mem::take(&mut command) + line)),
                }
            }
            blocks.push(std::mem::take(&mut block).finish()?);
            is_annotated = false;
        } else {
            ensure!(!is_annotated, "line {number}: expected ```sh below an annotation");
        }
    }
    Ok(blocks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_with_their_annotations() {
        let page = "```json\n{}\n```\n<!-- guide: server -->\n```sh\nisrever serve\n```\n\
                    <!-- guide:\nwith --games 5000 as --games 2\ninput hint quit\ncopy a/b.toml as c\n-->\n\
                    ```sh\n# All of them:\nisrever train --games 5000   # many\n\nisrever \\\n  play\n```\n";
        let blocks = read(page).unwrap();
        assert_eq!(blocks.len(), 2);
        assert_eq!((blocks[0].line, &blocks[0].kind), (5, &Kind::Server));
        assert_eq!(blocks[0].commands, [(6, "isrever serve".to_owned())]);
        assert_eq!((blocks[1].kind == Kind::Run, blocks[1].input.as_str()), (true, "hint\nquit\n"));
        assert_eq!(blocks[1].copies, [("a/b.toml".to_owned(), "c".to_owned())]);
        let commands = [(15, "isrever train --games 2   # many"), (18, "isrever   play")];
        assert_eq!(blocks[1].commands, commands.map(|(line, text)| (line, text.to_owned())));
    }

    #[test]
    fn annotations_that_mean_nothing_are_refused() {
        for (page, expected) in [
            ("<!-- guide: skip -->\n```sh\nx\n```\n", "line 1"),
            ("<!-- guide: ignore it -->\n```sh\nx\n```\n", "line 1"),
            ("<!-- guide: with y as z -->\n```sh\nx\n```\n", "no command says \"y\""),
            ("<!-- guide: server -->\nText.\n", "expected ```sh"),
            ("<!-- guide: server\n", "does not end"),
            ("```sh\n```\n", "without commands"),
        ] {
            let error = format!("{:#}", read(page).err().unwrap());
            assert!(error.contains(expected), "{page}: {error}");
        }
    }
}
