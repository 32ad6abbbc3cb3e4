//! The application as a value: everything that the routes share. `router.rs` has the routes.

use crate::address::SiteUrl;
use crate::books::Books;
use crate::callers::Callers;
use crate::club::ServedClub;
use crate::connections::Connections;
use crate::faults::Faults;
use crate::flags::Flags;
use crate::followers::Followers;
use crate::limits::Limits;
use crate::own::OwnAgents;
use crate::pool::Pool;
use crate::search::players::Players;
use crate::search::searchers::Searchers;
use crate::store::{Store, StoreError};
use crate::stream::Streams;
use crate::tournaments::Tournaments;
use isrever_club::Club;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The settings of the server.
#[derive(Clone)]
pub struct Settings {
    /// The directory of saved games.
    pub data: PathBuf,
    /// The arena's database, if tournaments are to be shown.
    pub arena: Option<PathBuf>,
    /// The battle platform, if there is to be one.
    pub club: Option<Arc<Club>>,
    /// How many judges work for it here, which decides how many battles of the ladder wait at least.
    pub judges: usize,
    /// Agents of the server's owner.
    pub own_agents: Arc<OwnAgents>,
    /// Books of the server's owner.
    pub books: Arc<Books>,
    /// How many threads search.
    pub workers: usize,
    /// The longest wait of a request for a move before it is refused.
    pub patience: Duration,
    /// Names of the server in requests, beside addresses and `localhost`.
    pub allowed_hosts: Vec<String>,
    /// Other sites whose pages may ask the API.
    pub allowed_origins: Vec<SiteUrl>,
    /// Addresses of proxies, which are trusted to say for whom they ask.
    pub proxies: Vec<IpAddr>,
    /// Where others reach the server, if its owner says so.
    pub public_url: Option<SiteUrl>,
    /// Where the server listens, if it does.
    pub address: Option<SocketAddr>,
    /// What callers may take of the server.
    pub limits: Limits,
}

impl Settings {
    /// The default, which leaves time to answer within a second.
    pub const PATIENCE: Duration = Duration::from_millis(700);

    /// Saves games in `data`, and leaves everything else at its default.
    pub fn new(data: PathBuf) -> Settings {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
        Settings {
            data,
            arena: None,
            club: None,
            judges: 1,
            own_agents: Arc::new(OwnAgents::new(isrever_players::catalogue())),
            books: Arc::default(),
            workers: cores,
            patience: Settings::PATIENCE,
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            proxies: Vec::new(),
            public_url: None,
            address: None,
            limits: Limits::default(),
        }
    }
}

/// The state that all requests share. Clones share it.
#[derive(Clone)]
pub struct App(Arc<Shared>);

struct Shared {
    settings: Settings,
    pool: Pool,
    store: Store,
    callers: Callers,
    connections: Connections,
    stuck_readers: Faults,
    players: Players,
    searchers: Searchers,
    streams: Streams,
    followers: Followers,
    flags: Flags,
    tournaments: Tournaments,
    club: Option<ServedClub>,
    began: Instant,
}

/// Why the application cannot start.
#[derive(Debug)]
pub enum OpenError {
    /// The saved games cannot be used.
    Store(StoreError),
    /// The tournaments cannot be used.
    Arena(PathBuf, isrever_arena::StoreError),
    /// The system refused a thread.
    Threads(std::io::Error),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Store(error) => error.fmt(f),
            OpenError::Arena(path, error) => write!(f, "{}: {error}", path.display()),
            OpenError::Threads(error) => write!(f, "threads: {error}"),
        }
    }
}

impl std::error::Error for OpenError {}

impl App {
    /// Opens the saved games and starts the search threads.
    pub fn open(settings: Settings) -> Result<App, OpenError> {
        let arena = settings.arena.clone().unwrap_or_default();
        let tournaments = Tournaments::open(settings.arena.as_deref())
            .map_err(|error| OpenError::Arena(arena, error))?;
        let store = Store::open(&settings.data, settings.limits).map_err(OpenError::Store)?;
        let pool = Pool::new(settings.workers, settings.patience).map_err(OpenError::Threads)?;
        let judges = settings.judges;
        let club = settings.club.clone().map(|club| ServedClub::open(club, judges)).transpose();
        let club = club.map_err(OpenError::Threads)?;
        let connections = Connections::new(settings.limits, settings.proxies.clone());
        let players = Players::new(Arc::clone(&settings.own_agents), settings.workers);
        Ok(App(Arc::new(Shared {
            settings,
            pool,
            store,
            callers: Callers::default(),
            connections,
            stuck_readers: Faults::default(),
            players,
            searchers: Searchers::default(),
            streams: Streams::default(),
            followers: Followers::default(),
            flags: Flags::default(),
            tournaments,
            club,
            began: Instant::now(),
        })))
    }

    /// Ends all streams and stops all searches; the router refuses to begin new ones.
    pub fn close(&self) {
        self.0.streams.close();
        if let Some(club) = &self.0.club {
            club.close();
        }
        self.0.flags.close();
        self.0.pool.close();
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.0.settings
    }

    pub(crate) fn pool(&self) -> &Pool {
        &self.0.pool
    }

    pub(crate) fn store(&self) -> &Store {
        &self.0.store
    }

    pub(crate) fn callers(&self) -> &Callers {
        &self.0.callers
    }

    pub(crate) fn connections(&self) -> &Connections {
        &self.0.connections
    }

    /// Logs that a reader took nothing of its answer for too long.
    pub(crate) fn tell_stuck_reader(&self, address: IpAddr) {
        if let Some(times) = self.0.stuck_readers.count(Instant::now()) {
            tracing::warn!(%address, times, "connections closed: the reader took nothing");
        }
    }

    pub(crate) fn players(&self) -> &Players {
        &self.0.players
    }

    pub(crate) fn books(&self) -> &Books {
        &self.0.settings.books
    }

    pub(crate) fn searchers(&self) -> &Searchers {
        &self.0.searchers
    }

    pub(crate) fn streams(&self) -> &Streams {
        &self.0.streams
    }

    pub(crate) fn followers(&self) -> &Followers {
        &self.0.followers
    }

    pub(crate) fn flags(&self) -> &Flags {
        &self.0.flags
    }

    pub(crate) fn tournaments(&self) -> &Tournaments {
        &self.0.tournaments
    }

    pub(crate) fn club(&self) -> Option<&ServedClub> {
        self.0.club.as_ref()
    }

    pub(crate) fn uptime_seconds(&self) -> f64 {
        self.0.began.elapsed().as_secs_f64()
    }
}
