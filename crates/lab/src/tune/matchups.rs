//! Matches between individuals as jobs, which any machine may play.

use super::games::Games;
use super::jobs::{KIND, Text};
use isrever_agent::{AgentSpec, Catalogue, Rng};
use isrever_arena::{Adjudicator, Attached, Counts, Match, Meeting, Openings, Unplayed, maker};
use isrever_board::{Color, Game, Rule, Size};
use isrever_jobs::{Failure, Manifest, Work};
use isrever_search::{Control, Goal, Searcher, Settings};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

/// Memory of a solver in bytes, enough for endings.
const HASH_BYTES: usize = 1 << 20;

/// Matches of agents of a catalogue.
pub(super) struct Matchups {
    catalogue: Arc<Catalogue>,
    games: Games,
    seed: u64,
    agents: Vec<AgentSpec>,
    matchups: Vec<Listed>,
    openings: Vec<Game>,
}

/// Two agents by their places in a list, and the number of their pair of games.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Listed {
    pub(super) agents: [usize; 2],
    pub(super) pair: u64,
    /// One game, whose colours are drawn, instead of two.
    pub(super) is_single: bool,
}

/// Matches in writing.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MatchupsText {
    rule: String,
    size: u8,
    openings: String,
    ending: u32,
    depth: Option<u32>,
    nodes: Option<u64>,
    seed: u64,
    agents: Vec<String>,
    matchups: Vec<Listed>,
}

impl Matchups {
    /// Matches between some of `agents`.
    ///
    /// # Panics
    /// If a matchup names a place that is not there.
    pub(super) fn new(
        catalogue: Arc<Catalogue>,
        games: Games,
        seed: u64,
        agents: Vec<AgentSpec>,
        matchups: Vec<Listed>,
    ) -> Matchups {
        let is_there = |listed: &Listed| listed.agents.iter().all(|&place| place < agents.len());
        assert!(matchups.iter().all(is_there), "all agents are listed");
        let pairs = matchups.iter().map(|matchup| matchup.pair + 1).max().unwrap_or(0);
        let count = usize::try_from(pairs).expect("openings fit into memory");
        let openings = games.openings.draw(games.rule, games.size, seed, count);
        Matchups { catalogue, games, seed, agents, matchups, openings }
    }

    /// The matches of a text.
    pub(super) fn read(
        text: MatchupsText,
        catalogue: Arc<Catalogue>,
        find: &dyn Fn(&str) -> Option<PathBuf>,
    ) -> Result<Matchups, String> {
        let rule: Rule = text.rule.parse().map_err(str::to_owned)?;
        let size = Size::new(text.size.into()).map_err(|why| why.to_string())?;
        let openings: Openings = text.openings.parse().map_err(str::to_owned)?;
        let (ending, depth, nodes) = (text.ending, text.depth, text.nodes);
        let games = Games { rule, size, openings, ending, depth, nodes };
        let agent = |spec: &String| Attached::receive(&AgentSpec::new(spec), &catalogue, find);
        let agents: Vec<AgentSpec> = text.agents.iter().map(agent).collect::<Result<_, _>>()?;
        let places = text.matchups.iter().flat_map(|listed| listed.agents);
        if places.max().is_some_and(|place| place >= agents.len()) {
            return Err("an agent is missing".to_owned());
        }
        Ok(Matchups::new(catalogue, games, text.seed, agents, text.matchups))
    }

    /// Plays a matchup.
    fn play(&self, listed: &Listed, conditions: &Match<'_>) -> Result<Counts, Failure> {
        let specs = listed.agents.map(|place| &self.agents[place]);
        let [first, second] = specs.map(|spec| maker(&self.catalogue, spec));
        let opening = self.openings[listed.pair as usize % self.openings.len()].clone();
        let mut rng = Rng::stream(self.seed, listed.pair);
        let meeting = Meeting::pair([&first, &second], opening, &mut rng);
        let single = listed.is_single.then(|| color(specs, listed.pair, self.seed));
        conditions.meet(&Meeting { single, ..meeting }).map_err(|unplayed| match unplayed {
            Unplayed::Stopped => Failure::Stopped,
            Unplayed::Machine(_, forfeit) => Failure::Machine(format!("a player {forfeit}")),
        })
    }
}

/// The sign of the score for the side to move.
fn prove(game: &Game, solver: &mut Searcher) -> i32 {
    let board = game.position().board().expect("the plan has checked the size");
    // Earlier positions may change how the solver finds the answer, never the answer.
    solver.search(board, Goal::Wld, Control::NONE).score().signum()
}

/// The first player's colour in a single game, drawn by both specs and the pair's number.
fn color(specs: [&AgentSpec; 2], pair: u64, seed: u64) -> Color {
    let bytes = specs.iter().flat_map(|spec| spec.as_str().bytes());
    let number = bytes.fold(pair, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    if Rng::stream(seed, number).below(2) == 0 { Color::Black } else { Color::White }
}

impl Work for Matchups {
    /// The first matchup, and the one after the last.
    type Job = [usize; 2];
    type Output = Vec<Counts>;
    /// Solves endings.
    type ThreadState = Mutex<Searcher>;

    fn thread_state(&self) -> Mutex<Searcher> {
        let settings = Settings::new(self.games.rule, self.games.size);
        Mutex::new(Searcher::new(Settings { hash_bytes: HASH_BYTES, ..settings }))
    }

    fn perform(
        &self,
        solver: &mut Mutex<Searcher>,
        &[first, last]: &[usize; 2],
        stop: &Arc<AtomicBool>,
    ) -> Result<Vec<Counts>, Failure> {
        let Some(matchups) = self.matchups.get(first..last) else {
            return Err(Failure::Machine(format!("there are no matchups {first} to {last}")));
        };
        let solver = &*solver;
        let sign =
            |game: &Game| prove(game, &mut solver.lock().unwrap_or_else(PoisonError::into_inner));
        let conditions = Match {
            adjudicator: Some(Adjudicator { empties: self.games.ending, sign: &sign }),
            ..Match::new(self.games.clock(), stop, &|| {})
        };
        matchups.iter().map(|listed| self.play(listed, &conditions)).collect()
    }

    fn manifest(&self) -> Result<Manifest, String> {
        let attached = Attached::default();
        let send = |agent| Ok(attached.send(agent, &self.catalogue)?.to_string());
        let agents = self.agents.iter().map(send).collect::<Result<_, String>>()?;
        let text = MatchupsText {
            rule: self.games.rule.to_string(),
            size: self.games.size.width(),
            openings: self.games.openings.to_string(),
            ending: self.games.ending,
            depth: self.games.depth,
            nodes: self.games.nodes,
            seed: self.seed,
            agents,
            matchups: self.matchups.clone(),
        };
        let attachments = attached.into_files();
        Ok(Manifest { attachments, ..Manifest::new(KIND, &Text::Matchups(text)) })
    }
}
