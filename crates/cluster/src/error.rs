//! What can go wrong between machines, in one line for people.

use isrever_jobs::RemoteError;
use std::fmt;

/// Why the cluster cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClusterError(String);

impl ClusterError {
    /// What went wrong, as a clause.
    pub(crate) fn new(what: impl fmt::Display) -> ClusterError {
        // Errors of libraries may have lines.
        ClusterError(what.to_string().lines().collect::<Vec<_>>().join("; "))
    }

    /// Something that the server did not do.
    pub(crate) fn server(what: &str, error: &dyn fmt::Display) -> ClusterError {
        ClusterError::new(format_args!("{what}: {error}"))
    }
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ClusterError {}

impl From<ClusterError> for RemoteError {
    fn from(error: ClusterError) -> RemoteError {
        RemoteError(error.0)
    }
}
