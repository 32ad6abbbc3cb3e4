//! The application as a value: what the routes share, and the router itself.

use crate::callers::Callers;
use crate::pool::Pool;
use crate::search::players::Players;
use crate::search::searchers::Searchers;
use crate::store::{Store, StoreError};
use crate::stream::Streams;
use crate::tournaments::Tournaments;
use crate::{guard, openapi, page, routes};
use axum::Router;
use axum::response::IntoResponse;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What the server is to be like.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where saved games are kept.
    pub data: PathBuf,
    /// The arena's database of tournaments, if they are to be shown.
    pub arena: Option<PathBuf>,
    /// How many threads think.
    pub workers: usize,
    /// How long a request for a move may wait for its turn before it is refused.
    pub patience: Duration,
    /// Names by which the server may be asked for, beside addresses and `localhost`.
    pub allowed_hosts: Vec<String>,
}

impl Settings {
    /// So much patience leaves time to answer within a second.
    pub const PATIENCE: Duration = Duration::from_millis(700);
}

/// What all requests share. Clones are the same.
#[derive(Clone)]
pub struct App(Arc<Shared>);

struct Shared {
    settings: Settings,
    pool: Pool,
    store: Store,
    callers: Callers,
    players: Players,
    searchers: Searchers,
    streams: Streams,
    follows: routes::Follows,
    tournaments: Tournaments,
    began: Instant,
}

/// Why the application cannot begin.
#[derive(Debug)]
pub enum OpenError {
    /// The saved games cannot be used.
    Store(StoreError),
    /// The tournaments cannot be used.
    Arena(PathBuf, isrever_arena::StoreError),
    /// The system gives no threads.
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
    /// Opens the saved games and starts the threads that think.
    pub fn open(settings: Settings) -> Result<App, OpenError> {
        let arena = settings.arena.clone().unwrap_or_default();
        let tournaments = Tournaments::open(settings.arena.as_deref())
            .map_err(|error| OpenError::Arena(arena, error))?;
        let store = Store::open(&settings.data).map_err(OpenError::Store)?;
        let pool = Pool::new(settings.workers, settings.patience).map_err(OpenError::Threads)?;
        Ok(App(Arc::new(Shared {
            settings,
            pool,
            store,
            callers: Callers::default(),
            players: Players::new(),
            searchers: Searchers::default(),
            streams: Streams::default(),
            follows: routes::Follows::default(),
            tournaments,
            began: Instant::now(),
        })))
    }

    /// The routes, ready to be asked.
    pub fn router(&self) -> Router {
        let (api, description) = openapi::routes().split_for_parts();
        api.merge(openapi::document(&description))
            .fallback(page::page)
            .method_not_allowed_fallback(|| async { routes::wrong_method().into_response() })
            .layer(axum::middleware::from_fn_with_state(self.clone(), guard::guard))
            .with_state(self.clone())
    }

    /// Ends all streams and stops all searches; the router refuses to begin new ones.
    pub fn close(&self) {
        self.0.streams.close();
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

    pub(crate) fn players(&self) -> &Players {
        &self.0.players
    }

    pub(crate) fn searchers(&self) -> &Searchers {
        &self.0.searchers
    }

    pub(crate) fn streams(&self) -> &Streams {
        &self.0.streams
    }

    pub(crate) fn follows(&self) -> &routes::Follows {
        &self.0.follows
    }

    pub(crate) fn tournaments(&self) -> &Tournaments {
        &self.0.tournaments
    }

    pub(crate) fn uptime_seconds(&self) -> f64 {
        self.0.began.elapsed().as_secs_f64()
    }
}
