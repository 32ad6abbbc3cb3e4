//! The threads of a search, given by the caller.
//!
//! A search does not start threads itself: it hands its workers to the pool
//! that the caller chose. On systems without threads, such as WebAssembly,
//! [`Pool::SINGLE`] runs everything on the caller's thread.

/// Runs `main` on the calling thread, and each of `helpers` on a thread of its own meanwhile;
/// returns when all have returned. May leave out helpers for which there is no thread.
pub type RunThreads = fn(main: &mut dyn FnMut(), helpers: Vec<Box<dyn FnOnce() + Send + '_>>);

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
    run: RunThreads,
}

impl Pool {
    /// The caller's thread alone.
    pub const SINGLE: Pool = Pool { threads: 1, run: |main, _| main() };

    /// Threads of the operating system, started for each search; at least the caller's.
    #[cfg(not(target_family = "wasm"))]
    pub fn threads(count: usize) -> Pool {
        Pool::new(count, run_scoped)
    }

    /// So many threads, the caller's included, that `run` provides.
    pub const fn new(count: usize, run: RunThreads) -> Pool {
        Pool { threads: if count == 0 { 1 } else { count }, run }
    }

    /// How many threads search, the caller's included.
    pub const fn count(&self) -> usize {
        self.threads
    }

    pub(crate) fn run<'a, R>(
        &self,
        main: impl FnOnce() -> R,
        helpers: impl Iterator<Item = Box<dyn FnOnce() + Send + 'a>>,
    ) -> R {
        let (mut main, mut result) = (Some(main), None);
        let helpers: Vec<_> = helpers.take(self.threads - 1).collect();
        let mut main = || result = main.take().map(|main| main());
        (self.run)(&mut main, helpers);
        result.expect("a pool runs the main worker once")
    }
}

/// Starts a thread for each helper. If the system refuses one, the others do the work.
#[cfg(not(target_family = "wasm"))]
fn run_scoped(main: &mut dyn FnMut(), helpers: Vec<Box<dyn FnOnce() + Send + '_>>) {
    std::thread::scope(|scope| {
        for helper in helpers {
            if std::thread::Builder::new().spawn_scoped(scope, helper).is_err() {
                break;
            }
        }
        main();
    });
}
