//! `isrever serve`, and `isrever` alone: the web board.

#[cfg(target_os = "linux")]
mod check;
#[cfg(target_os = "linux")]
mod judges;

use crate::commands::book;
use crate::commands::club::{failed, join_path, open_at};
use crate::error::Error;
use crate::log::{self, LogLevel};
use crate::output::json_line;
use crate::players;
use isrever_club::Club;
use isrever_web::date::now_ms;
use isrever_web::{
    App, BindError, Books, Bound, OpenError, OwnAgents, Settings, SiteUrl, bind, serve,
};
use serde::Serialize;
use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::available_parallelism;

/// Serve the web board: play, analyse, watch and learn in a browser
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever                                 the board, for this machine alone
  isrever serve --port 8000               at another port
  isrever serve --host 0.0.0.0 --data /srv/games
                                          for everybody in the network; their games are kept there
  isrever serve --arena arena.db          shows the tournaments of isrever arena run
  isrever serve --host 0.0.0.0 --allow-host board.example
                                          by a name: others are refused, as a page may invent one
  isrever serve --allow-host board.example --proxy 127.0.0.1
                                          behind a proxy on this machine, which says who asks
  isrever serve --agent mine=python:my_ai.py
                                          play against your own agent, and watch it
  isrever serve --book my.book            with a book of yours in the explorer
  isrever serve --public-url https://board.example
                                          what invitations name; the same name is allowed
  isrever serve --club /srv/club --host 0.0.0.0 --public-url https://board.example
                                          with a battle platform for a course, and its judges
  isrever serve --log debug               with a line for every request
Ctrl-C or SIGTERM stops it, with exit status 0. Games are saved move by move: a server that was
killed has lost none. The API is described for people at /api/docs, for programs at
/api/openapi.json, and in docs/guide/web-api.md.

A club is accounts, submitted agents and their battles, in one directory, which is made if it is not
there. While it has no administrator, a link that makes one is printed. Its judges are processes of
their own, which end with the server, however that ends, and one more that only lets agents reply to
people; isrever club judge starts others.

With --json, one object when it is ready, with the keys
  url, data         where the board is; where games are saved
  invitation        the link for the first administrator, while the club has none")]
pub(crate) struct ServeArgs {
    /// Who can reach it: an address of this machine; 0.0.0.0 for everybody
    #[arg(long, default_value = HOST, value_name = "ADDRESS")]
    host: String,

    /// Where it listens; 0 for any free port
    #[arg(long, default_value_t = PORT, value_name = "N", allow_negative_numbers = true)]
    port: u16,

    /// Where games are saved [default: isrever in the user's directory for data]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// A database of isrever arena, whose tournaments are shown
    #[arg(long, value_name = "FILE")]
    arena: Option<PathBuf>,

    /// An agent of yours, under a name of its own: mine=python:my_ai.py, or any agent that isrever
    /// agents lists, with its settings. Whoever can reach the board can play against it
    #[arg(long, value_name = "NAME=AGENT")]
    agent: Vec<String>,

    /// A book of isrever book for the explorer, one for each rule and size [default: the program's
    /// own]. One that cannot be read is left out
    #[arg(long, value_name = "FILE")]
    book: Vec<PathBuf>,

    /// A name by which browsers may ask for it, beside localhost and addresses
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,

    /// The address of another site whose pages may ask the API
    #[arg(long, value_name = "URL")]
    allow_origin: Vec<SiteUrl>,

    /// Where others reach it, for invitations [default: its address in the network]
    #[arg(long, value_name = "URL")]
    public_url: Option<SiteUrl>,

    /// The directory of a battle platform [default: none]
    #[arg(long, value_name = "DIR")]
    club: Option<PathBuf>,

    /// Judges to start for the club; 0 for none [default: one for each core]
    #[arg(long, value_name = "N", requires = "club", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(0..=1024))]
    judges: Option<u16>,

    /// The address of a proxy whose X-Forwarded-For says who asks: limits then hold for each caller
    #[arg(long, value_name = "ADDRESS")]
    proxy: Vec<IpAddr>,

    /// What to log: faults (error, warn), a little more (info), or every request (debug)
    #[arg(long, value_enum, default_value_t, value_name = "LEVEL")]
    log: LogLevel,

    /// Threads that think [default: one for each core]
    #[arg(long, value_name = "T", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// One object with the address when it is ready
    #[arg(long)]
    json: bool,
}

const HOST: &str = "127.0.0.1";
const PORT: u16 = 7788;

impl Default for ServeArgs {
    fn default() -> ServeArgs {
        let (host, log) = (HOST.to_owned(), LogLevel::default());
        ServeArgs {
            host,
            port: PORT,
            data: None,
            arena: None,
            agent: Vec::new(),
            book: Vec::new(),
            allow_host: Vec::new(),
            allow_origin: Vec::new(),
            public_url: None,
            club: None,
            judges: None,
            proxy: Vec::new(),
            log,
            threads: None,
            json: false,
        }
    }
}

/// What `--json` says.
#[derive(Serialize)]
struct Row<'a> {
    url: &'a str,
    data: &'a Path,
    #[serde(skip_serializing_if = "Option::is_none")]
    invitation: Option<&'a str>,
}

/// Serves until it is told to stop.
pub(crate) fn run(args: &ServeArgs, out: &mut dyn Write) -> Result<(), Error> {
    let data = args.data.clone().map_or_else(default_data, Ok)?;
    let cores = available_parallelism().map_or(1, NonZeroUsize::get);
    let judges = judge_count(args, cores)?;
    let settings = Settings {
        arena: args.arena.clone(),
        own_agents: Arc::new(own_agents(&args.agent)?),
        books: Arc::new(books(&args.book)),
        workers: args.threads.map_or(cores, usize::from),
        allowed_hosts: args.allow_host.clone(),
        allowed_origins: args.allow_origin.clone(),
        // Those that work elsewhere cannot be counted here.
        judges,
        proxies: args.proxy.iter().map(IpAddr::to_canonical).collect(),
        public_url: args.public_url.clone(),
        ..Settings::new(data.clone())
    };
    log::start(args.log);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(cores.min(4))
        .enable_all()
        .build()
        .map_err(|error| Error::io("threads", &error))?;
    runtime.block_on(async {
        // From here on a signal ends it in order, whatever it is doing.
        let stop = stopped()?;
        // The socket first: if it is taken, nothing is touched.
        let bound = bind(&args.host, args.port).await.map_err(|error| refused(args, &error))?;
        let club = args.club.as_deref().map(|directory| open_at("--club", directory));
        let club = club.transpose()?.map(Arc::new);
        let invitation = match &club {
            Some(club) => invitation(args, &bound, club)?,
            None => None,
        };
        let settings = Settings { club, address: Some(bound.address()), ..settings };
        let app = App::open(settings).map_err(|error| match error {
            OpenError::Store(error) => Error::input("--data", error),
            OpenError::Arena(..) => Error::input("--arena", error),
            OpenError::Threads(error) => Error::io("threads", &error),
        })?;
        tell(args, &bound, &data, invitation.as_deref(), out)?;
        serve_with_judges(args, judges, app, bound, stop).await;
        Ok(())
    })
}

/// How many judges to start. Refuses if they could not judge.
#[cfg(target_os = "linux")]
fn judge_count(args: &ServeArgs, cores: usize) -> Result<usize, Error> {
    let count = match (&args.club, args.judges) {
        (None, _) => 0,
        (Some(_), asked) => asked.map_or(cores, usize::from),
    };
    if count > 0 {
        players::interpreter(None)?;
    }
    Ok(count)
}

/// There are none where there is no sandbox for agents.
#[cfg(not(target_os = "linux"))]
fn judge_count(args: &ServeArgs, _: usize) -> Result<usize, Error> {
    match args.judges {
        None | Some(0) => Ok(0),
        Some(_) => Err(Error::input("--judges", "judges need Linux; expected 0")),
    }
}

/// Serves until it is told to stop, with judges that end at the same time.
#[cfg(target_os = "linux")]
async fn serve_with_judges(
    args: &ServeArgs,
    count: usize,
    app: App,
    bound: Bound,
    stop: impl Future<Output = ()> + Send + 'static,
) {
    let judges = args.club.as_deref().map(|club| judges::Judges::start(count, club, args.log));
    let (end, told) = tokio::sync::oneshot::channel::<()>();
    let stop = async move {
        stop.await;
        drop(end);
    };
    let judges_end = async move {
        // Whether it is told or the server is gone.
        let _ = told.await;
        if let Some(judges) = judges {
            judges.end().await;
        }
    };
    tokio::join!(serve(app, bound, stop), judges_end);
}

/// Serves until it is told to stop.
#[cfg(not(target_os = "linux"))]
async fn serve_with_judges(
    _: &ServeArgs,
    _: usize,
    app: App,
    bound: Bound,
    stop: impl Future<Output = ()> + Send + 'static,
) {
    serve(app, bound, stop).await;
}

/// The link that makes the first administrator of a club, while there is none.
fn invitation(args: &ServeArgs, bound: &Bound, club: &Club) -> Result<Option<String>, Error> {
    let code = club.first_invitation(now_ms()).map_err(|error| failed("--club", error))?;
    let base = match &args.public_url {
        Some(public) => public.url().to_owned(),
        None => url(bound.address()),
    };
    Ok(code.map(|code| format!("{base}{}", join_path(&code))))
}

/// The agents of `NAME=AGENT`.
fn own_agents(named: &[String]) -> Result<OwnAgents, Error> {
    let mut own = with_checker(OwnAgents::new(players::catalogue()));
    for text in named {
        let (name, spec) = text.split_once('=').ok_or_else(|| {
            let expected = "expected a name and an agent, such as mine=python:my_ai.py";
            Error::input("--agent", format!("{text}; {expected}"))
        })?;
        own.add(name, spec).map_err(|refusal| Error::input("--agent", refusal))?;
    }
    Ok(own)
}

/// The books of these files. What is wrong with one is said on standard error: a board without a book
/// is better than none.
fn books(paths: &[PathBuf]) -> Books {
    let mut books = Books::default();
    for path in paths {
        let added = book::open(path)
            .and_then(|book| books.add(book).map_err(|error| Error::input(path.display(), error)));
        if let Some(line) = added.as_ref().err().and_then(Error::line) {
            let _ = writeln!(io::stderr(), "isrever: {line}; serving without it");
        }
    }
    books
}

/// Has files tested as `isrever arena check` tests them.
#[cfg(target_os = "linux")]
fn with_checker(own: OwnAgents) -> OwnAgents {
    own.with_checker(check::FileChecker)
}

/// There are no files where there is no sandbox for them.
#[cfg(not(target_os = "linux"))]
fn with_checker(own: OwnAgents) -> OwnAgents {
    own
}

/// Says where it is.
fn tell(
    args: &ServeArgs,
    bound: &Bound,
    data: &Path,
    invitation: Option<&str>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let url = url(bound.address());
    if args.json {
        json_line(out, &Row { url: &url, data, invitation })?;
    } else {
        writeln!(out, "The board is at {url}")?;
        writeln!(out, "Games are saved in {}", data.display())?;
        if let Some(club) = &args.club {
            writeln!(out, "The club is in {}", club.display())?;
        }
        if let Some(invitation) = invitation {
            writeln!(out, "Become its administrator, once: {invitation}")?;
        }
        if !bound.address().ip().is_loopback() {
            writeln!(out, "Everybody who can reach this machine can play; nothing is encrypted")?;
        }
        writeln!(out, "Ctrl-C stops it; isrever --help says what else there is")?;
    }
    out.flush()
}

/// What to open in a browser.
fn url(address: SocketAddr) -> String {
    if address.ip().is_unspecified() {
        return format!("http://localhost:{}/", address.port());
    }
    format!("http://{address}/")
}

fn refused(args: &ServeArgs, error: &BindError) -> Error {
    match error {
        BindError::NoAddress(_) => Error::input("--host", error),
        BindError::InUse(_) => {
            let offence = format!("{error}, such as --port {}", args.port.wrapping_add(1).max(1));
            Error::input("--port", offence)
        }
        BindError::Io(..) => Error::input(
            "--host",
            format_args!("{error}; expected an address of this machine, and a port above 1023"),
        ),
    }
}

/// Where games are saved if nobody says: where the system keeps what users have made.
fn default_data() -> Result<PathBuf, Error> {
    let of = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || of("HOME").map(|home| home.join(".local/share"));
    let directory = of("XDG_DATA_HOME").or_else(home).or_else(|| of("LOCALAPPDATA"));
    directory
        .map(|directory| directory.join("isrever"))
        .ok_or_else(|| Error::input("--data", "no home directory; expected a directory for games"))
}

/// Ready when a person or the system says stop.
fn stopped() -> Result<impl Future<Output = ()>, Error> {
    let to_error = |error: io::Error| Error::io("signals", &error);
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut interrupt = signal(SignalKind::interrupt()).map_err(to_error)?;
        let mut terminate = signal(SignalKind::terminate()).map_err(to_error)?;
        Ok(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        })
    }
    #[cfg(not(unix))]
    {
        let _ = to_error;
        Ok(async {
            // Without a handler there is nothing to wait for but the end of the process.
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
        })
    }
}
