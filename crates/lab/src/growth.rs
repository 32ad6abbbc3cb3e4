//! Grows a book: searches positions one after the other, as jobs that any machine may do.
//!
//! The book decides which positions come next ([`Policy`]). They are chosen in
//! groups: while the jobs of one group are done, the next is queued already, so
//! that no thread waits; and each is chosen when the one before the last is
//! complete, so that the same book grows whoever does the work.

mod searches;
mod timed;

pub use searches::Searches;
pub use timed::Clock;

use isrever_board::Board;
use isrever_book::{Graph, Line, LineError, Policy};
use isrever_jobs::{Crew, InOrder, Next, RunError};
use std::cell::RefCell;
use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use timed::Timed;

/// How a book is to grow.
#[derive(Clone, Debug)]
pub struct Growth {
    /// How positions are searched.
    pub searches: Searches,
    /// Which positions come next.
    pub policy: Policy,
    /// How many positions are chosen at a time. The book depends on it a little.
    pub group: usize,
    /// No more positions than this.
    pub most: usize,
}

/// Why what a job found is not in the graph.
#[derive(Debug)]
pub enum TakeError<E> {
    /// Another machine has sent something else.
    Wrong(WrongFinding),
    /// It was not taken.
    Taken(E),
}

/// What another machine has sent in place of a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WrongFinding {
    /// Something that is none.
    Line(LineError),
    /// A finding about another position.
    Other,
}

impl fmt::Display for WrongFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrongFinding::Line(error) => write!(f, "not a finding: {error}"),
            WrongFinding::Other => f.write_str("a finding about another position"),
        }
    }
}

impl std::error::Error for WrongFinding {}

/// What is being done.
struct State<'a> {
    graph: &'a mut Graph,
    /// Chosen, and given to nobody yet.
    queue: VecDeque<Board>,
    /// Chosen, and not in the graph yet.
    pending: HashSet<Board>,
    /// The same in the order in which they were given out.
    given: VecDeque<Board>,
    /// How many of each group are not in the graph yet.
    groups: VecDeque<usize>,
}

impl Growth {
    /// Lets `graph` grow until it has enough positions, there are no more, or somebody sets `stop`.
    /// `take` is given what was found about each position, in an order that does not depend on who
    /// does the work, before it is in the graph. The graph is propagated in the end.
    ///
    /// Returns the time by `clock` that this machine's threads spent inside searches, those that were
    /// stopped included; none if other machines do the work.
    ///
    /// # Errors
    /// If `take` returns one, or the work cannot be done.
    pub fn run<E>(
        &self,
        graph: &mut Graph,
        crew: &Crew,
        clock: Clock<'_>,
        take: &mut dyn FnMut(&Line) -> Result<(), E>,
        stop: &AtomicBool,
    ) -> Result<Duration, RunError<TakeError<E>>> {
        let size = graph.size();
        let begun = graph.len();
        graph.propagate();
        let mut state = State {
            graph,
            queue: VecDeque::new(),
            pending: HashSet::new(),
            given: VecDeque::new(),
            groups: VecDeque::new(),
        };
        self.choose(&mut state);
        self.choose(&mut state);
        let state = Mutex::new(state);
        let lock = || -> MutexGuard<'_, State<'_>> {
            state.lock().unwrap_or_else(PoisonError::into_inner)
        };
        // Jobs are given out only as they are chosen, which limits how far they run ahead.
        let order = InOrder::new(0..u64::MAX, u64::MAX);
        let next = || {
            let state = lock();
            if state.queue.is_empty() {
                return if state.pending.is_empty() { Next::Nothing } else { Next::Wait };
            }
            let state = RefCell::new(state);
            order.next(|_| {
                let mut state = state.borrow_mut();
                let board = state.queue.pop_front().expect("there is one");
                state.given.push_back(board);
                [board.player, board.opponent]
            })
        };
        let mut in_order = |_, line: Line| {
            let wrong = |wrong| Err(TakeError::Wrong(wrong));
            let finding = match line.finding(size) {
                Ok(finding) => finding,
                Err(error) => return wrong(WrongFinding::Line(error)),
            };
            if lock().given.pop_front() != Some(finding.board) {
                return wrong(WrongFinding::Other);
            }
            take(&line).map_err(TakeError::Taken)?;
            let mut state = lock();
            state.pending.remove(&finding.board);
            state.graph.insert(finding);
            let first = state.groups.front_mut().expect("it belongs to a group");
            *first -= 1;
            while state.groups.front() == Some(&0) {
                state.groups.pop_front();
                state.graph.propagate();
                self.choose(&mut state);
            }
            Ok(())
        };
        let total = self.most.saturating_sub(begun) as u64;
        let searches = Timed::new(&self.searches, clock);
        let done = crew.run_of(
            Some(total),
            &searches,
            &next,
            &mut |done| order.take(done, &mut in_order),
            stop,
        );
        lock().graph.propagate();
        done.map(|()| searches.spent())
    }

    /// Chooses a group, if there is anything to choose.
    fn choose(&self, state: &mut State<'_>) {
        let new = state.pending.iter().filter(|board| !state.graph.contains(**board)).count();
        let left = self.most.saturating_sub(state.graph.len() + new);
        let mut chosen = state.graph.shallow(self.group, &self.policy, &state.pending);
        if chosen.is_empty() {
            chosen = state.graph.next(self.group.min(left), &self.policy, &state.pending);
        }
        if !chosen.is_empty() || !state.pending.is_empty() && left > 0 {
            state.groups.push_back(chosen.len());
        }
        state.pending.extend(&chosen);
        state.queue.extend(chosen);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Evaluator;
    use isrever_board::{Rule, Size};
    use isrever_book::Book;
    use isrever_testkit::Backwards;
    use std::convert::Infallible;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    fn growth(most: usize) -> Growth {
        let evaluator = Evaluator::embedded(Rule::Reversed, Size::SIX);
        let searches = Searches { evaluator, nodes: Some(2_000), shallow: 2 };
        Growth { searches, policy: Policy::default(), group: 4, most }
    }

    const NO_CLOCK: Clock<'_> = &|| Duration::ZERO;

    fn grow(growth: &Growth, graph: &mut Graph, crew: &Crew) -> usize {
        let mut lines = 0;
        let mut take = |_: &Line| -> Result<(), Infallible> {
            lines += 1;
            Ok(())
        };
        growth.run(graph, crew, NO_CLOCK, &mut take, &AtomicBool::new(false)).unwrap();
        lines
    }

    #[test]
    fn the_same_book_grows_whoever_does_the_work() {
        let with = |crew: &Crew| {
            let mut graph = Graph::new(Rule::Reversed, Size::SIX);
            assert_eq!(grow(&growth(40), &mut graph, crew), 40);
            graph.to_bytes("")
        };
        let expected = with(&Crew::Here(1));
        assert!(with(&Crew::Here(3)) == expected);
        let elsewhere = Crew::Elsewhere(Arc::new(Backwards::new(|manifest| {
            let searches = Searches::read(&manifest.text, &|_| None, &|_| unreachable!());
            Ok(Arc::new(searches?))
        })));
        assert!(with(&elsewhere) == expected);
        let book = Book::from_bytes(expected.into()).unwrap();
        assert_eq!((book.len(), book.check()), (40, Ok(())));
    }

    #[test]
    fn the_time_inside_searches_is_that_of_this_machine() {
        // A clock that is a second further whenever somebody looks at it.
        let looks = AtomicU64::new(0);
        let clock = || Duration::from_secs(looks.fetch_add(1, Relaxed));
        let spent = |crew: &Crew| {
            let mut graph = Graph::new(Rule::Reversed, Size::SIX);
            let mut take = |_: &Line| Ok::<(), Infallible>(());
            let stop = AtomicBool::new(false);
            growth(20).run(&mut graph, crew, &clock, &mut take, &stop).unwrap()
        };
        assert_eq!(spent(&Crew::Here(1)), Duration::from_secs(20));
        assert!(spent(&Crew::Here(3)) >= Duration::from_secs(20), "threads' times are added up");
        let elsewhere = Crew::Elsewhere(Arc::new(Backwards::new(|manifest| {
            let searches = Searches::read(&manifest.text, &|_| None, &|_| unreachable!());
            Ok(Arc::new(searches?))
        })));
        assert_eq!(spent(&elsewhere), Duration::ZERO);
    }

    #[test]
    fn a_book_goes_on_growing_and_stops_where_it_should() {
        let mut graph = Graph::new(Rule::Reversed, Size::SIX);
        assert_eq!(grow(&growth(7), &mut graph, &Crew::Here(2)), 7);
        assert_eq!(grow(&growth(25), &mut graph, &Crew::Here(2)), 18);
        assert_eq!(grow(&growth(25), &mut graph, &Crew::Here(2)), 0);
        assert_eq!(graph.len(), 25);
        // Where all positions are known, there is nothing to do.
        let policy = Policy { full: 3, most_plies: 3, ..Policy::default() };
        let mut graph = Graph::new(Rule::Reversed, Size::SIX);
        let all = Growth { policy, ..growth(1_000) };
        assert_eq!(grow(&all, &mut graph, &Crew::Here(2)), 1 + 1 + 3 + 14);
        assert_eq!(grow(&all, &mut graph, &Crew::Here(2)), 0);
    }

    #[test]
    fn searches_that_count_are_repeated_with_more_nodes_before_the_book_grows() {
        let mut graph = Graph::new(Rule::Reversed, Size::SIX);
        grow(&growth(30), &mut graph, &Crew::Here(2));
        let counts: Vec<_> = graph.findings().map(|it| (it.board, it.nodes)).collect();
        let is_own = |graph: &Graph, board| graph.find(board).unwrap().1.plies == 0;
        let own = counts.iter().filter(|(board, _)| is_own(&graph, *board)).count();
        assert!((5..30).contains(&own), "{own}");
        let deeper = |most| {
            let searches = Searches { nodes: Some(6_000), ..growth(30).searches };
            let policy = Policy { deepen: Some(6_000), ..Policy::default() };
            Growth { searches, policy, ..growth(most) }
        };
        // Some positions may come to count only by what the others were found to be.
        let again = grow(&deeper(30), &mut graph, &Crew::Here(2));
        assert!(again >= own && graph.len() == 30, "{again} of {own}");
        for finding in graph.findings().filter(|it| !it.is_exact && is_own(&graph, it.board)) {
            assert!(finding.nodes >= 5_400, "{finding:?}");
        }
        assert_eq!(grow(&deeper(30), &mut graph, &Crew::Here(2)), 0);
        assert!(grow(&deeper(35), &mut graph, &Crew::Here(2)) >= 5 && graph.len() == 35);
    }

    #[test]
    fn what_is_not_taken_ends_it_and_a_stop_too() {
        let mut graph = Graph::new(Rule::Reversed, Size::SIX);
        let mut left = 5;
        let mut take = |_: &Line| {
            left -= 1;
            if left == 0 { Err("full") } else { Ok(()) }
        };
        let stop = AtomicBool::new(false);
        let crew = Crew::Here(2);
        let error = growth(30).run(&mut graph, &crew, NO_CLOCK, &mut take, &stop).unwrap_err();
        assert!(matches!(error, RunError::Take(TakeError::Taken("full"))), "{error:?}");
        assert_eq!(graph.len(), 4, "what was taken is kept");
        let stop = AtomicBool::new(true);
        let mut never = |_: &Line| -> Result<(), Infallible> { unreachable!("it is stopped") };
        growth(30).run(&mut graph, &crew, NO_CLOCK, &mut never, &stop).unwrap();
        assert_eq!(graph.len(), 4);
    }
}
