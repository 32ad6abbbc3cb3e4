//! Agents made of parts: any evaluation under one search, or any search with one evaluation.

use isrever_agent::{Agent, Bits, Choice, Forfeit, Limits, Watch};
use isrever_board::Game;
use isrever_reports::{AlphaBeta, Evaluation, TO_THE_END, WeightMap};

/// The search of a [`Searcher`].
#[derive(Clone, Debug)]
pub(super) enum Search {
    /// A fixed depth.
    Plies(u32),
    /// Iterative deepening until the limits.
    Deepening,
    /// The same, with squares of great weight first.
    Ordered(WeightMap),
}

/// Plain alpha-beta with an evaluation.
pub(super) struct Searcher<E> {
    name: &'static str,
    evaluation: E,
    search: Search,
}

impl<E: Evaluation + Send> Searcher<E> {
    /// An agent called `name`.
    pub(super) fn new(name: &'static str, evaluation: E, search: Search) -> Searcher<E> {
        Searcher { name, evaluation, search }
    }
}

impl<E: Evaluation + Send> Agent for Searcher<E> {
    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit> {
        let position = game.position();
        let board = position.board().expect("experiments are made on boards up to 8×8");
        let field = Bits { board, size: position.size() };
        let mut watch = Watch::new(limits);
        let mut search = AlphaBeta::new(&self.evaluation, game.rule(), &mut watch);
        if let Search::Ordered(map) = &self.search {
            search = search.ordered(map);
        }
        let (first, last) = match self.search {
            Search::Plies(plies) => (plies, plies),
            Search::Deepening | Search::Ordered(_) => (1, TO_THE_END),
        };
        Ok(search.deepen(&field, first, last))
    }
}
