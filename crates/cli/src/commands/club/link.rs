//! `isrever club link`: lets the first administrator in, or anybody who has lost a password.

use super::{failed, join_path, open};
use crate::error::Error;
use crate::output::json_line;
use isrever_club::Club;
use isrever_web::SiteUrl;
use isrever_web::date::now_ms;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

/// Make a link for the first administrator, or for a new password
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever club link /srv/club --url https://board.example
  isrever club link /srv/club --reset ada
Without --reset it is for a club that has no administrator yet, and earlier links of that kind are
worth nothing from then on. With --reset the account's old password and its sessions end at once. A
link is for one person, and for thirty days. Whoever can write the club's file may do this.
With --json one object, with the keys code and link; link begins with # if --url is not given.")]
pub(super) struct LinkArgs {
    /// The club's directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// The account that is to choose a new password
    #[arg(long, value_name = "NAME")]
    reset: Option<String>,

    /// Where the board is, for the whole link
    #[arg(long, value_name = "URL")]
    url: Option<SiteUrl>,

    /// One object
    #[arg(long)]
    json: bool,
}

/// What `--json` says.
#[derive(Serialize)]
struct Row<'a> {
    code: &'a str,
    link: &'a str,
}

/// Makes a code and shows where to type it.
pub(super) fn run(args: &LinkArgs, out: &mut dyn Write) -> Result<(), Error> {
    let club = open(&args.directory)?;
    let (code, purpose) = match &args.reset {
        None => (first(args, &club)?, "become the administrator".to_owned()),
        Some(name) => reset(args, &club, name)?,
    };
    let base = args.url.as_ref().map_or("", SiteUrl::url);
    let link = format!("{base}{}", join_path(&code));
    if args.json {
        return Ok(json_line(out, &Row { code: &code, link: &link })?);
    }
    let place = if base.is_empty() { "behind the board's address" } else { "in a browser" };
    Ok(writeln!(out, "To {purpose}, open this {place}, once and within thirty days:\n{link}")?)
}

/// A code for the first administrator.
fn first(args: &LinkArgs, club: &Club) -> Result<String, Error> {
    let place = args.directory.display();
    let code = club.first_invitation(now_ms()).map_err(|error| failed(&place, error))?;
    code.ok_or_else(|| {
        let offence = "the club has an administrator; expected --reset NAME, or that they invite";
        Error::input(place, offence)
    })
}

/// A code for the new password of an account, and what it is for.
fn reset(args: &LinkArgs, club: &Club, name: &str) -> Result<(String, String), Error> {
    let failed = |error| failed(args.directory.display(), error);
    let account = club.account_called(name).map_err(failed)?.ok_or_else(|| {
        let offence = format_args!("no account is called {name:?}; expected one of the club's");
        Error::input("--reset", offence)
    })?;
    let code = club.reset_password_here(account.id, now_ms()).map_err(failed)?;
    Ok((code, format!("choose a new password for {}", account.name)))
}
