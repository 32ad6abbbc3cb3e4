//! What streams, subjects and headers are called.

/// The stream of jobs: each goes to one worker, and away when it is done.
pub(crate) const JOBS: &str = "ISREVER_JOBS";

/// The stream of outputs: one for each job.
pub(crate) const OUTPUTS: &str = "ISREVER_OUTPUTS";

/// The store of manifests and files, by digest.
pub(crate) const FILES: &str = "isrever-files";

/// The header with the digest of a job's manifest.
pub(crate) const MANIFEST: &str = "Isrever-Manifest";

/// The header with a job's number.
pub(crate) const NUMBER: &str = "Isrever-Job";

/// The header with the machine that has done a job, as JSON.
pub(crate) const ORIGIN: &str = "Isrever-Origin";

/// The header with why a job was set aside, or failed once more.
pub(crate) const FAILURE: &str = "Isrever-Failure";

/// The subject on which workers answer who they are.
pub(crate) const WHO: &str = "isrever.who";

/// A version as part of a subject.
fn token(version: &str) -> String {
    version.replace(|character: char| !character.is_ascii_alphanumeric(), "_")
}

/// The subject of the jobs of a run.
pub(crate) fn jobs_of(version: &str, kind: &str, run: &str) -> String {
    format!("isrever.jobs.{}.{kind}.{run}", token(version))
}

/// The subjects of all jobs of a kind, or of all kinds with `*`.
pub(crate) fn jobs_of_kind(version: &str, kind: &str) -> String {
    jobs_of(version, kind, "*")
}

/// The durable consumer that gives jobs of a kind to workers.
pub(crate) fn consumer(version: &str, kind: &str) -> String {
    format!("{}-{kind}", token(version))
}

/// The subject of a job's output, or of all outputs of a run with `*`.
pub(crate) fn output(run: &str, number: &str) -> String {
    format!("isrever.outputs.{run}.{number}")
}

/// The subject of a job's last failure.
pub(crate) fn trouble(run: &str, number: &str) -> String {
    format!("isrever.troubles.{run}.{number}")
}
