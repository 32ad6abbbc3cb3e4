//! The threads of a search, given by the caller.
//!
//! A search does not start threads itself: it hands its workers to the pool
//! that the caller chose. A [`Crew`] are the threads of one searcher; they live
//! as long as it does, because a hint asks many short questions. On systems
//! without threads, such as WebAssembly, [`Pool::SINGLE`] runs everything on
//! the caller's thread.

#[cfg(not(target_family = "wasm"))]
mod own;

#[cfg(not(target_family = "wasm"))]
use own::OwnThreads;

pub(crate) use std::thread::panicking;

/// Runs `main` on the calling thread, and each of `helpers` on a thread of its own meanwhile;
/// returns when all have returned. May leave out helpers for which there is no thread.
pub type RunThreads = fn(main: &mut dyn FnMut(), helpers: Vec<Helper<'_>>);

/// What one thread does besides the caller's.
pub type Helper<'a> = Box<dyn FnOnce() + Send + 'a>;

/// How many threads search, and who runs them.
///
/// ```
/// use isrever_board::{Board, Rule, Size};
/// use isrever_search::{Control, Goal, Pool, Searcher, Settings};
///
/// let settings = Settings::new(Rule::Reversed, Size::FOUR);
/// let mut searcher = Searcher::new(Settings { pool: Pool::threads(2), ..settings });
/// let answer = searcher.search(Board::start(Size::FOUR), Goal::Exact, Control::NONE);
/// assert_eq!(answer.score(), 4, "threads change the time, never the score");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pool {
    threads: usize,
    runs: Runs,
}

/// Who runs the threads.
#[derive(Clone, Copy, Debug)]
enum Runs {
    /// Each searcher, its own.
    #[cfg(not(target_family = "wasm"))]
    Own,
    /// The caller.
    Given(RunThreads),
}

impl Pool {
    /// The caller's thread alone.
    pub const SINGLE: Pool = Pool::new(1, |main, _| main());

    /// Threads of the operating system, the caller's included; each searcher starts the others when
    /// it first searches, and keeps them.
    #[cfg(not(target_family = "wasm"))]
    pub const fn threads(count: usize) -> Pool {
        Pool { threads: if count == 0 { 1 } else { count }, runs: Runs::Own }
    }

    /// So many threads, the caller's included, that `run` provides.
    pub const fn new(count: usize, run: RunThreads) -> Pool {
        Pool { threads: if count == 0 { 1 } else { count }, runs: Runs::Given(run) }
    }

    /// How many threads search, the caller's included.
    pub const fn count(&self) -> usize {
        self.threads
    }
}

/// The threads of one searcher.
pub(crate) struct Crew {
    pool: Pool,
    /// The searcher's own threads, once it has searched.
    #[cfg(not(target_family = "wasm"))]
    own: OwnThreads,
}

impl Crew {
    /// Those of `pool`; none is started yet.
    pub(crate) fn new(pool: Pool) -> Crew {
        Crew {
            pool,
            #[cfg(not(target_family = "wasm"))]
            own: OwnThreads::default(),
        }
    }

    /// Runs `main` on the calling thread and as many of `helpers` as there are threads beside it;
    /// returns when all have returned.
    pub(crate) fn run<'a, R>(
        &mut self,
        main: impl FnOnce() -> R,
        helpers: impl Iterator<Item = Helper<'a>>,
    ) -> R {
        let helpers = helpers.take(self.pool.threads - 1);
        match self.pool.runs {
            #[cfg(not(target_family = "wasm"))]
            Runs::Own => self.own.run(main, helpers),
            Runs::Given(run) => {
                let (mut main, mut result) = (Some(main), None);
                let mut main = || result = main.take().map(|main| main());
                run(&mut main, helpers.collect());
                result.expect("a pool runs the main worker once")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_thread_has_no_helpers() {
        for pool in [Pool::SINGLE, Pool::threads(1), Pool::threads(0)] {
            let helpers =
                (0..3).map(|_| -> Helper<'_> { Box::new(|| panic!("there is no thread")) });
            assert_eq!(Crew::new(pool).run(|| 7, helpers), 7);
        }
    }
}
