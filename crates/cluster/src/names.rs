//! What streams, subjects and headers are called.

/// The stream of jobs: each goes to one worker, and away when it is done.
pub(crate) const JOBS: &str = "ISREVER_JOBS";

/// The stream of outputs: one for each job.
pub(crate) const OUTPUTS: &str = "ISREVER_OUTPUTS";

/// The store of manifests and files, by digest.
pub(crate) const FILES: &str = "isrever-files";

/// The stream of what is known of runs: one record for each.
pub(crate) const RUNS: &str = "ISREVER_RUNS";

/// The header with the digest of a job's manifest.
pub(crate) const MANIFEST: &str = "Isrever-Manifest";

/// The header with the machine that has done a job, as JSON.
pub(crate) const ORIGIN: &str = "Isrever-Origin";

/// The header with why a job was set aside, or failed once more.
pub(crate) const FAILURE: &str = "Isrever-Failure";

/// The subject on which workers answer who they are.
pub(crate) const WHO: &str = "isrever.who";

/// The subject on which submitters answer which run is theirs.
pub(crate) const SUBMITTERS: &str = "isrever.submitters";

/// The subject on which workers hear of runs that are cancelled.
pub(crate) const CANCELLED: &str = "isrever.cancelled";

/// A version as part of a subject.
fn token(version: &str) -> String {
    version.replace(|character: char| !character.is_ascii_alphanumeric(), "_")
}

/// Jobs of a kind that wait for workers: all of them, or those with cores of some speed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Queue {
    pub(crate) kind: String,
    /// The slowest core that may do them, in positions a second.
    pub(crate) speed: Option<u64>,
}

impl Queue {
    /// The queue of a kind for all.
    pub(crate) fn of(kind: &str) -> Queue {
        Queue { kind: kind.to_owned(), speed: None }
    }

    /// As part of a subject: `game`, or `game-2000000`.
    fn token(&self) -> String {
        match self.speed {
            None => self.kind.clone(),
            Some(speed) => format!("{}-{speed}", self.kind),
        }
    }

    /// The queue of such a part.
    pub(crate) fn parse(token: &str) -> Queue {
        let parsed = token.rsplit_once('-').and_then(|(kind, speed)| {
            Some(Queue { kind: kind.to_owned(), speed: Some(speed.parse().ok()?) })
        });
        parsed.unwrap_or_else(|| Queue::of(token))
    }

    /// The durable consumer that gives its jobs to workers of a version.
    pub(crate) fn consumer(&self, version: &str) -> String {
        format!("{}-{}", token(version), self.token())
    }

    /// The queue of a consumer, if it is one of this version.
    pub(crate) fn of_consumer(name: &str, version: &str) -> Option<Queue> {
        let token = name.strip_prefix(&token(version))?.strip_prefix('-')?;
        Some(Queue::parse(token))
    }

    /// The subject of a job: no two jobs share one, so that none is queued twice.
    pub(crate) fn job(&self, version: &str, run: &str, number: u64) -> String {
        format!("isrever.jobs.{}.{}.{run}.{number}", token(version), self.token())
    }

    /// The subjects of all its jobs.
    pub(crate) fn jobs(&self, version: &str) -> String {
        format!("isrever.jobs.{}.{}.>", token(version), self.token())
    }

    /// Whether a core of this speed may do its jobs.
    pub(crate) fn takes(&self, speed: f64) -> bool {
        self.speed.is_none_or(|slowest| speed >= slowest as f64)
    }
}

/// The subjects of all jobs of a run, of whatever version and queue.
pub(crate) fn jobs_of(run: &str) -> String {
    format!("isrever.jobs.*.*.{run}.*")
}

/// The subject of what is known of a run, or of all with `*`.
pub(crate) fn record(run: &str) -> String {
    format!("isrever.runs.{run}")
}

/// The subject of a job's output, or of all outputs of a run with `*`.
pub(crate) fn output(run: &str, number: &str) -> String {
    format!("isrever.outputs.{run}.{number}")
}

/// The subject on which a run's submitter hears what cannot be stored, such as that there is no room.
pub(crate) fn notices(run: &str) -> String {
    format!("isrever.notices.{run}")
}

/// The subject of what workers note about a job that none of them has done.
pub(crate) fn trouble(run: &str, number: &str) -> String {
    format!("isrever.troubles.{run}.{number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queues_are_known_by_their_consumers() {
        let fast = Queue { kind: "game".to_owned(), speed: Some(2_000_000) };
        for queue in [Queue::of("game"), fast.clone()] {
            let name = queue.consumer("1.0-ab");
            assert_eq!(Queue::of_consumer(&name, "1.0-ab"), Some(queue));
            assert_eq!(Queue::of_consumer(&name, "1.1-ab"), None);
        }
        assert_eq!(fast.job("1.0", "run", 7), "isrever.jobs.1_0.game-2000000.run.7");
        assert_eq!(fast.jobs("1.0"), "isrever.jobs.1_0.game-2000000.>");
        assert!(fast.takes(2e6) && !fast.takes(1.9e6) && Queue::of("game").takes(1.0));
    }
}
