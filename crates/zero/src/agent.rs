//! The agent `zero`: a tree search guided by a network, within the limits of a move.
//!
//! Threads share one tree; each evaluates the boards of its own visits. The tree
//! below the moves that are played stays for the next move. On one thread, limited
//! by playouts, the answers depend on nothing but the game.

mod entry;

pub use entry::load_network;

use crate::bottom::{Bottom, prove};
use crate::network::Network;
use crate::tree::{Edge, Guide, Stakes, Tree, Visit};
use isrever_agent::{Agent, Candidate, Choice, Forfeit, Limits, Reason, Watch};
use isrever_board::{Board, Game, squares};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Playouts if nothing else limits the search.
const PLAYOUTS: u64 = 800;
/// The part of the time that the search takes: the rest is for the last evaluations.
const TIME_SHARE: f64 = 0.95;
/// Visits prove boards with so many empty squares or fewer, unless the settings say fewer.
const SOLVE_LEAVES_FROM: u32 = 9;
/// What discs count beside the result.
const SCORE_WEIGHT: f32 = 0.1;

/// The settings of the agent.
#[derive(Clone, Copy, Debug)]
pub struct ZeroSettings {
    /// Who guides the search.
    pub network: &'static Network,
    /// Playouts for a move; without a number, as many as the limits allow.
    pub playouts: Option<u64>,
    /// Threads, at least one.
    pub threads: usize,
    /// The memory of the tree, in bytes.
    pub tree_bytes: usize,
    /// The exact solver helps with at most so many empty squares; without a number, where it pays.
    pub ending: Option<u32>,
}

/// Plays as a network and a tree search advise.
#[derive(Debug)]
pub struct Zero {
    settings: ZeroSettings,
    tree: Tree,
    /// Whether the last answer came from the tree.
    has_searched: bool,
}

impl Zero {
    /// A player with an empty tree.
    pub fn new(settings: ZeroSettings) -> Zero {
        let (rule, size) = (settings.network.rule(), settings.network.shape().size());
        let stakes = Stakes { rule, size, score_weight: SCORE_WEIGHT };
        let most_edges = settings.tree_bytes / Tree::EDGE_BYTES;
        let tree = Tree::new(stakes, Board::start(size), most_edges);
        Zero { settings, tree, has_searched: false }
    }

    /// The moves of the last search, with visits and values.
    pub fn edges(&self) -> &[Edge] {
        self.tree.root_edges()
    }

    /// The memory that its tree takes.
    pub fn tree_bytes(&self) -> usize {
        self.tree.bytes()
    }

    /// Grows the tree of `board` within the limits; returns the number of playouts.
    fn search(&mut self, board: Board, limits: &Limits) -> u64 {
        self.tree.advance(board);
        let is_unlimited = !limits.is_timed() && limits.nodes.is_none();
        let own = self.settings.playouts.or(is_unlimited.then_some(PLAYOUTS));
        let most = own.into_iter().chain(limits.nodes).min().unwrap_or(u64::MAX);
        let limits = limits.part(TIME_SHARE);
        let search = Search {
            network: self.settings.network,
            tree: Mutex::new(&mut self.tree),
            limits: Limits { nodes: None, ..limits },
            solve_from: self.settings.ending.unwrap_or(u32::MAX).min(SOLVE_LEAVES_FROM),
            most,
            started: AtomicU64::new(0),
        };
        // The network's own opinion comes first, however little time there is.
        search.evaluate_root();
        std::thread::scope(|scope| {
            for _ in 1..self.settings.threads {
                // A system that refuses one thread will refuse the next; the others do the work.
                if std::thread::Builder::new().spawn_scoped(scope, || search.grow()).is_err() {
                    break;
                }
            }
            search.grow();
        });
        search.started.load(Relaxed).min(most)
    }
}

/// A search that threads share.
struct Search<'a> {
    network: &'static Network,
    tree: Mutex<&'a mut Tree>,
    limits: Limits,
    solve_from: u32,
    most: u64,
    started: AtomicU64,
}

impl<'a> Search<'a> {
    fn tree(&self) -> MutexGuard<'_, &'a mut Tree> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Evaluates the root, unless it is in the tree: a playout of its own.
    fn evaluate_root(&self) {
        let mut tree = self.tree();
        if !tree.root_edges().is_empty() {
            return;
        }
        let mut visit = Visit::default();
        tree.descend(None, Guide::Puct, &mut |_| None, &mut visit);
        let mut said = Vec::with_capacity(1);
        self.network.evaluate(&[visit.board()], &mut said);
        tree.evaluated(&visit, &said[0]);
        self.started.fetch_add(1, Relaxed);
    }

    /// Makes playouts until the limits are reached or the root is proved.
    fn grow(&self) {
        let mut watch = Watch::new(&self.limits);
        let mut bottom = Bottom::new(self.tree().stakes(), self.solve_from);
        let mut visit = Visit::default();
        let mut said = Vec::with_capacity(1);
        while !watch.look() && self.started.fetch_add(1, Relaxed) < self.most {
            let mut tree = self.tree();
            if tree.proved().is_some() {
                break;
            }
            let mut solve = |board| bottom.solve(board);
            if tree.descend(None, Guide::Puct, &mut solve, &mut visit) {
                drop(tree);
                said.clear();
                self.network.evaluate(&[visit.board()], &mut said);
                self.tree().evaluated(&visit, &said[0]);
            }
        }
    }
}

/// The move to play: one proved to win, the highest; otherwise the most visited that is not proved
/// to lose; before any visit the one that the network likes best.
fn best(edges: &[Edge]) -> &Edge {
    let rank = |edge: &Edge| {
        let won = edge.proved.filter(|&score| score > 0);
        let is_lost = edge.proved.is_some_and(|score| score < 0);
        // Among lost moves the one that loses least.
        let lost_by = edge.proved.filter(|_| is_lost).unwrap_or(0);
        (won, !is_lost, lost_by, edge.visits)
    };
    let order = |one: &&Edge, other: &&Edge| {
        let likes = || one.prior.total_cmp(&other.prior);
        rank(one).cmp(&rank(other)).then_with(likes)
    };
    edges.iter().max_by(order).expect("the side to move has a move")
}

impl Agent for Zero {
    fn name(&self) -> String {
        "zero".to_owned()
    }

    fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit> {
        let stakes = *self.tree.stakes();
        let position = game.position();
        let board = position.board().filter(|_| position.size() == stakes.size);
        let Some(board) = board.filter(|_| game.rule() == stakes.rule) else {
            let (rule, size) = (stakes.rule, stakes.size);
            let details = format!("its network plays {size}x{size} under the {rule} rule");
            return Err(Forfeit::new(Reason::Refused, details));
        };
        self.has_searched = false;
        let moves = board.moves(stakes.size);
        if moves.is_power_of_two() {
            return Ok(squares(moves).next().expect("there is one").into());
        }
        if let Some(choice) = prove(&stakes, board, limits, self.settings.ending) {
            return Ok(choice);
        }
        let nodes = self.search(board, limits);
        self.has_searched = true;
        let best = best(self.edges());
        let value = best.value().map(f64::from);
        Ok(Choice { square: best.square, value, depth: None, nodes })
    }

    fn candidates(&self) -> Vec<Candidate> {
        let edges = if self.has_searched { self.edges() } else { &[] };
        let candidate = |edge: &Edge| Candidate {
            square: edge.square,
            prior: Some(f64::from(edge.prior)),
            visits: u64::from(edge.visits),
            value: edge.value().map(f64::from),
        };
        edges.iter().map(candidate).collect()
    }
}
