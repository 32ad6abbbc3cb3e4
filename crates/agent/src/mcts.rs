//! Monte Carlo tree search (UCT): random playouts, more of them after good moves.
//!
//! Each playout walks down the tree by the upper confidence bound of its moves,
//! adds the moves of the leaf it reaches, and ends in a random game. With several
//! threads, each grows its own tree and the search adds up their visits. Limited by
//! playouts, the answer depends only on the seed and the number of threads.

mod tree;

use crate::limits::Watch;
use crate::parameters::{Parameter, Parameters};
use crate::{
    Agent, AgentSpec, Bits, Candidate, Choice, Entry, Field, Forfeit, Key, Limited, Limits, Needs,
    Rng, Settings, Share, SpecError, Threads,
};
use isrever_board::{Game, Rule, Square};
use std::sync::LazyLock;
use tree::Tree;

/// Playouts if nothing else limits the search.
const PLAYOUTS: u64 = 1_000;

/// The most playouts, whatever the limits: visits must fit into 32 bits.
const MOST_PLAYOUTS: u64 = u32::MAX as u64;

/// The most nodes of all trees together.
const MOST_NODES: usize = 1 << 22;

/// The memory of so many nodes.
const MEMORY_BYTES: u64 = 128 << 20;

const PLAYOUT_COUNT: Key = Key::count("playouts");
const THREADS: Key = Key::new("threads", "a whole number from 1 to 1024, or all").of_machine();

static TABLE: LazyLock<Vec<Parameter>> = LazyLock::new(|| {
    let source = "the square root of 2, as UCT was published";
    vec![Parameter::real("exploration", std::f64::consts::SQRT_2, (0.0, 10.0), source)]
});

/// The settings of a tree search.
#[derive(Clone, Debug)]
pub struct MctsSettings {
    /// Playouts for a move; without a number, as many as the limits allow.
    pub playouts: Option<u64>,
    /// Threads, at least one. A system that refuses some leaves the work to the others.
    pub threads: usize,
    /// The tunable numbers.
    pub parameters: Parameters,
}

impl Default for MctsSettings {
    fn default() -> MctsSettings {
        MctsSettings { playouts: None, threads: 1, parameters: Parameters::new(Mcts::table()) }
    }
}

/// Plays the move that most of its random games began with.
#[derive(Clone, Debug)]
pub struct Mcts {
    settings: MctsSettings,
    rng: Rng,
    /// The moves of the last search.
    found: Found,
}

impl Mcts {
    /// The table of its tunable numbers.
    pub fn table() -> &'static [Parameter] {
        &TABLE
    }

    /// The player of this `seed`.
    pub fn new(settings: MctsSettings, seed: u64) -> Mcts {
        Mcts { settings, rng: Rng::new(seed), found: Found::new() }
    }

    /// Its entry in a catalogue.
    pub fn entry() -> Entry {
        Entry::new(
            "mcts",
            "plays random games and follows the good ones: playouts=1000, threads=1 or all",
            make,
        )
        .with_keys(&[PLAYOUT_COUNT, THREADS, Key::TIME])
        .with_needs(|settings| {
            let threads = threads(settings)?;
            Ok(Needs { threads, memory_bytes: Some(MEMORY_BYTES), ..Needs::default() })
        })
        .with_parameters(|settings| settings.table(Mcts::table(), &[]).map(Some))
    }

    /// The limits of each thread: its part of the playouts, and the time in common.
    fn shares(&self, limits: &Limits) -> Vec<Limits> {
        let is_unlimited = !limits.is_timed() && limits.nodes.is_none();
        let own = self.settings.playouts.or(is_unlimited.then_some(PLAYOUTS));
        let playouts = own.into_iter().chain(limits.nodes).fold(MOST_PLAYOUTS, u64::min);
        let threads = self.settings.threads.max(1) as u64;
        let share = |thread: u64| playouts / threads + u64::from(thread < playouts % threads);
        (0..threads).map(|thread| Limits { nodes: Some(share(thread)), ..limits.clone() }).collect()
    }
}

/// The result of a tree: the moves at the root with visits and wins, in the same order for every
/// tree.
type Found = Vec<(Square, u32, f64)>;

/// The trees of one move: the limits and the seed of each.
struct Forest {
    shares: Vec<Limits>,
    seeds: Vec<u64>,
    exploration: f64,
}

impl Forest {
    /// Grows the tree number `place` until its limits are reached.
    fn grow(&self, place: usize, field: &impl Field, rule: Rule) -> Found {
        let mut tree = Tree::new(field, self.exploration, MOST_NODES / self.shares.len());
        let mut rng = Rng::new(self.seeds[place]);
        let mut watch = Watch::new(&self.shares[place]);
        // A whole game lies between two ticks.
        while !watch.look() && !watch.tick() {
            tree.playout(field, rule, &mut rng);
        }
        tree.root_moves()
    }

    /// Grows all trees, the first on this thread, and adds up their results.
    fn grow_all(&self, field: &impl Field, rule: Rule) -> Found {
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..self.shares.len())
                .map_while(|place| {
                    let work = move || self.grow(place, field, rule);
                    // A system that refuses one thread will refuse the next; the others do the work.
                    std::thread::Builder::new().spawn_scoped(scope, work).ok()
                })
                .collect();
            let mut all = self.grow(0, field, rule);
            for other in others {
                let other = other.join().expect("a playout does not panic");
                for (sum, (_, visits, wins)) in all.iter_mut().zip(other) {
                    sum.1 += visits;
                    sum.2 += wins;
                }
            }
            all
        })
    }
}

/// The move that most playouts began with.
fn best(moves: &[(Square, u32, f64)]) -> Choice {
    let nodes = moves.iter().map(|&(_, visits, _)| u64::from(visits)).sum();
    // The most visited, of those the one that won most; among equals the first.
    let best = moves.iter().copied().reduce(|best, new| {
        let is_better = new.1 > best.1 || new.1 == best.1 && new.2 > best.2;
        if is_better { new } else { best }
    });
    let (square, visits, wins) = best.expect("there is a move");
    Choice { square, value: mean(visits, wins), depth: None, nodes }
}

/// The part of the playouts that were won, if there were any.
fn mean(visits: u32, wins: f64) -> Option<f64> {
    (visits > 0).then(|| wins / f64::from(visits))
}

impl Agent for Mcts {
    fn name(&self) -> String {
        "mcts".to_owned()
    }

    fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit> {
        let shares = self.shares(limits);
        let seeds = shares.iter().map(|_| self.rng.number()).collect();
        let exploration = self.settings.parameters.get("exploration");
        let forest = Forest { shares, seeds, exploration };
        let (position, rule) = (game.position(), game.rule());
        self.found = match position.board() {
            Some(board) => forest.grow_all(&Bits { board, size: position.size() }, rule),
            None => forest.grow_all(&position.to_array(), rule),
        };
        Ok(best(&self.found))
    }

    fn candidates(&self) -> Vec<Candidate> {
        let candidate = |&(square, visits, wins): &(Square, u32, f64)| Candidate {
            square,
            prior: None,
            visits: u64::from(visits),
            value: mean(visits, wins),
        };
        self.found.iter().map(candidate).collect()
    }
}

/// Reads how many threads there are to be.
fn threads(settings: &mut Settings<'_>) -> Result<Threads, SpecError> {
    let threads = settings.read(&THREADS, |text| match text {
        "all" => Some(Threads::All),
        _ => {
            let count = text.parse().ok().filter(|threads| (1..=1024).contains(threads));
            count.map(Threads::Count)
        }
    })?;
    Ok(threads.unwrap_or(Threads::Count(1)))
}

/// Makes the agent of a spec.
fn make(spec: &AgentSpec, seed: u64) -> Result<Box<dyn Agent>, SpecError> {
    let mut settings = Settings::new(spec)?;
    let parameters = settings.table(Mcts::table(), &[])?;
    let playouts = settings.count(&PLAYOUT_COUNT)?;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads(&mut settings)?.on(cores());
    let agent = MctsSettings { playouts, threads, parameters };
    let time = settings.time()?;
    settings.finish()?;
    Ok(Limited::new(Box::new(Mcts::new(agent, seed)), Share { time, ..Share::default() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::{Position, Size};

    fn agent(playouts: u64, threads: usize, seed: u64) -> Mcts {
        let settings =
            MctsSettings { playouts: Some(playouts), threads, ..MctsSettings::default() };
        Mcts::new(settings, seed)
    }

    #[test]
    fn the_seed_decides_also_with_threads() {
        let game = Game::new(Rule::Reversed, Size::SIX);
        for threads in [1, 3] {
            let choose =
                |seed| agent(300, threads, seed).choose(&game, &Limits::default()).unwrap();
            assert_eq!(choose(1), choose(1));
            assert!((2..20).any(|seed| choose(seed).value != choose(1).value));
            assert_eq!(choose(1).nodes, 300);
        }
    }

    #[test]
    fn the_limits_bound_the_playouts() {
        let game = Game::new(Rule::Reversed, Size::SIX);
        assert_eq!(agent(300, 2, 1).choose(&game, &Limits::of_nodes(17)).unwrap().nodes, 17);
        let mut unlimited = Mcts::new(MctsSettings::default(), 1);
        assert_eq!(unlimited.choose(&game, &Limits::default()).unwrap().nodes, PLAYOUTS);
        assert_eq!(unlimited.choose(&game, &Limits::of_depth(3)).unwrap().nodes, PLAYOUTS);
    }

    /// The positions of a random game.
    fn positions(seed: u64) -> Vec<Position> {
        let mut rng = Rng::new(seed);
        let start = Position::start(Size::SIX);
        std::iter::successors(Some(start), |position| match position.moves().as_slice() {
            _ if position.is_over() => None,
            [] => Some(position.pass()),
            moves => position.play(rng.pick(moves)),
        })
        .collect()
    }

    #[test]
    fn it_finds_what_decides_the_game() {
        // With enough playouts of so small endings, nearly every move keeps the result.
        let rule = Rule::Reversed;
        let mut right = 0;
        let mut asked = 0;
        for position in (0..6).flat_map(positions) {
            if !position.has_move() || position.empties() > 6 || position.moves().len() < 2 {
                continue;
            }
            let game = Game::from_position(rule, position);
            let choice = agent(400, 1, 5).choose(&game, &Limits::default()).unwrap();
            let after = game.position().play(choice.square).unwrap();
            right += u32::from(result(&after, rule) == -result(game.position(), rule));
            asked += 1;
        }
        assert!(asked > 10 && right * 10 >= asked * 9, "{right} of {asked}");
    }

    /// Won, drawn or lost for the side to move, by brute force.
    fn result(position: &Position, rule: Rule) -> i32 {
        if position.is_over() {
            return position.score(rule, position.turn()).signum();
        }
        let moves = position.moves();
        if moves.is_empty() {
            return -result(&position.pass(), rule);
        }
        moves.iter().map(|&s| -result(&position.play(s).unwrap(), rule)).max().unwrap()
    }

    #[test]
    fn a_single_move_is_found() {
        let game = Game::from_position(Rule::Reversed, "XXXXXXXXOXO-OOOO X".parse().unwrap());
        let square = agent(5, 1, 1).choose(&game, &Limits::default()).unwrap().square;
        assert_eq!(vec![square], game.position().moves());
    }
}
