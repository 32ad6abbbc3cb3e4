//! Other machines that are here, and as unreliable as others may be.

use isrever_jobs::{AnyWork, Done, Manifest, Next, Remote, RemoteError, Tasks};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Opens the work of a manifest, as a worker does.
type Opener = dyn Fn(&Manifest) -> Result<Arc<dyn AnyWork>, String> + Send + Sync;

/// A remote that is here. All goes to it and back as bytes; it does jobs in bunches, each from its
/// end, and every third job twice.
pub struct Backwards {
    open: Box<Opener>,
}

impl Backwards {
    /// A remote that opens work so.
    pub fn new(
        open: impl Fn(&Manifest) -> Result<Arc<dyn AnyWork>, String> + Send + Sync + 'static,
    ) -> Backwards {
        Backwards { open: Box::new(open) }
    }
}

impl Remote for Backwards {
    fn run(
        &self,
        manifest: &Manifest,
        tasks: &mut dyn Tasks,
        stop: &AtomicBool,
    ) -> Result<(), RemoteError> {
        let mut performer = (self.open)(manifest).map_err(RemoteError)?.performer();
        loop {
            let mut bunch = Vec::new();
            while bunch.len() < 7
                && let Next::Job(number, job) = tasks.next()
            {
                bunch.push((number, job));
            }
            if bunch.is_empty() || stop.load(Relaxed) {
                return Ok(());
            }
            for (number, job) in bunch.into_iter().rev() {
                let output = performer.perform(&job, &Arc::default());
                let output = output.ok_or_else(|| RemoteError("not a job".to_owned()))?;
                let output = output.map_err(|failure| RemoteError(failure.to_string()))?;
                for _ in 0..1 + u64::from(number % 3 == 0) {
                    let output = output.clone();
                    if !tasks.take(Done { number, output, origin: None }) {
                        return Ok(());
                    }
                }
            }
        }
    }
}
