//! `isrever completions`: scripts that let a shell complete the program's arguments.

use clap::Command;
use clap_complete::{Shell, generate};
use std::io::{self, Write};

/// Write a script for a shell that completes commands and options
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever completions bash > ~/.local/share/bash-completion/completions/isrever
  isrever completions zsh > ~/.zfunc/_isrever     with ~/.zfunc in zsh's fpath
  isrever completions fish > ~/.config/fish/completions/isrever.fish")]
pub(crate) struct CompletionsArgs {
    /// Which shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Writes the script for `program`.
pub(crate) fn run(
    args: &CompletionsArgs,
    mut program: Command,
    out: &mut dyn Write,
) -> io::Result<()> {
    // The generator does not expect a stream to fail, so it writes to memory first.
    let mut script = Vec::new();
    generate(args.shell, &mut program, "isrever", &mut script);
    out.write_all(&script)
}
