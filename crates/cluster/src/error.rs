//! What can go wrong between machines, in one line for people.

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
    pub(crate) is_passing: bool,
}

impl ClusterError {
    /// What went wrong, as a clause.
    pub(crate) fn new(what: impl fmt::Display) -> ClusterError {
        // Errors of libraries may have lines.
        let line = what.to_string().lines().collect::<Vec<_>>().join("; ");
        ClusterError { line, is_passing: false }
    }

    /// Something that the server did not do.
    pub(crate) fn server(what: &str, error: &dyn fmt::Display) -> ClusterError {
        ClusterError::new(format_args!("{what}: {error}")).passing()
    }

    /// A file that cannot be read or written.
    pub(crate) fn file(path: &Path, error: &io::Error) -> ClusterError {
        ClusterError::new(format_args!("{}: {error}", path.display()))
    }

    /// The same, which may be better in a moment.
    pub(crate) fn passing(self) -> ClusterError {
        ClusterError { is_passing: true, ..self }
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

/// How long to wait before something is tried again.
const PAUSE: Duration = Duration::from_millis(200);

/// Does something, again and again as long as what goes wrong may pass, but not for longer than
/// `patience`, and not once `is_over` says so.
pub(crate) async fn persist<T, F: Future<Output = Result<T, ClusterError>>>(
    patience: Duration,
    is_over: impl Fn() -> bool,
    mut attempt: impl FnMut() -> F,
) -> Result<T, ClusterError> {
    let begin = Instant::now();
    loop {
        match attempt().await {
            Err(error) if error.is_passing && begin.elapsed() < patience && !is_over() => {
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
