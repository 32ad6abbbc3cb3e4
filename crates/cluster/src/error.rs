//! What can go wrong between machines, in one line for people.

use async_nats::jetstream::{self, ErrorCode};
use isrever_jobs::RemoteError;
use std::error::Error;
use std::fmt;
use std::future::Future;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// Why the cluster cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClusterError {
    line: String,
    /// Whether it may be better in a moment, as when the server is just starting.
    is_passing: bool,
    /// Whether the address, a key or a certificate is wrong.
    is_input: bool,
}

impl ClusterError {
    /// What went wrong, as a clause.
    pub(crate) fn new(what: impl fmt::Display) -> ClusterError {
        // Errors of libraries may have lines.
        let line = what.to_string().lines().collect::<Vec<_>>().join("; ");
        ClusterError { line, is_passing: false, is_input: false }
    }

    /// Something that the server did not do.
    pub(crate) fn server(what: &str, error: &dyn fmt::Display) -> ClusterError {
        ClusterError::new(format_args!("{what}: {error}")).passing()
    }

    /// The server's disk is full, or what it may use of it.
    pub(crate) fn full() -> ClusterError {
        ClusterError::new("the server has no room for more; expected free space on its disk")
    }

    /// A file that cannot be read or written.
    pub(crate) fn file(path: &Path, error: &io::Error) -> ClusterError {
        ClusterError::new(format_args!("{}: {error}", path.display()))
    }

    /// The same, which may be better in a moment.
    pub(crate) fn passing(self) -> ClusterError {
        ClusterError { is_passing: true, ..self }
    }

    /// The same, of an address, a key or a certificate.
    pub(crate) fn input(self) -> ClusterError {
        ClusterError { is_input: true, ..self }
    }

    /// Whether the address, a key or a certificate is wrong, as far as can be told: a server that does
    /// not answer may be the right one.
    pub fn is_input(&self) -> bool {
        self.is_input
    }
}

/// An error, what caused it, what caused that, and so on.
pub(crate) fn causes<'a>(
    error: &'a (dyn Error + 'static),
) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

/// An error with what caused it, each once.
pub(crate) fn with_causes(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    for cause in causes(error).map(ToString::to_string) {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// The server's own word on what went wrong.
pub(crate) fn told<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a jetstream::Error> {
    causes(error).find_map(|cause| cause.downcast_ref::<jetstream::Error>())
}

/// Whether the server has no room for a message.
pub(crate) fn is_full(error: &(dyn Error + 'static)) -> bool {
    let full = [ErrorCode::INSUFFICIENT_RESOURCES, ErrorCode::STORAGE_RESOURCES_EXCEEDED];
    told(error).is_some_and(|error| full.contains(&error.error_code()))
}

/// How long to wait before something is tried again.
const PAUSE: Duration = Duration::from_millis(200);

/// Does something, again and again as long as what goes wrong may pass, but not for longer than
/// `patience`, and not once `is_over`, which is told what went wrong, says so.
pub(crate) async fn persist<T, F: Future<Output = Result<T, ClusterError>>>(
    patience: Duration,
    mut is_over: impl FnMut(&ClusterError) -> bool,
    mut attempt: impl FnMut() -> F,
) -> Result<T, ClusterError> {
    let begin = Instant::now();
    loop {
        match attempt().await {
            Err(error) if error.is_passing && begin.elapsed() < patience && !is_over(&error) => {
                tokio::time::sleep(PAUSE).await;
            }
            result => return result,
        }
    }
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line)
    }
}

impl Error for ClusterError {}

impl From<ClusterError> for RemoteError {
    fn from(error: ClusterError) -> RemoteError {
        RemoteError(error.line)
    }
}
