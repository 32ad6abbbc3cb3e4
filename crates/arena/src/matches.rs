//! Matches: pairs of games between agents, on the threads of the current pool.
//!
//! Two games of a pair share an opening, and each agent plays it once with either
//! colour, so that a lopsided opening favours nobody. Every game has agents of its
//! own, made from seeds. So a pair is a function of its [`Meeting`] alone, as long
//! as its agents look at no clock: neither threads nor other games matter. Games
//! that may hang or must survive a kill are a tournament's ([`Run`](crate::Run)).

use crate::clock::Clock;
use crate::counts::Counts;
use crate::game::Played;
use crate::live::{LiveGame, Maker, Unplayed};
use crate::referee::{Adjudicator, side};
use isrever_agent::Rng;
use isrever_board::{Color, Game};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Two agents, and the opening from which they play.
pub struct Meeting<'a> {
    /// Makes the first and the second agent, anew for each game.
    pub agents: [&'a Maker<'a>; 2],
    /// The opening; it is not over.
    pub opening: Game,
    /// The seeds of the agents, by game and agent.
    pub seeds: [[u64; 2]; 2],
    /// The first agent's colour if they play one game alone, instead of a pair.
    pub single: Option<Color>,
}

impl<'a> Meeting<'a> {
    /// A pair of games whose agents draw their seeds from `rng`.
    pub fn pair(agents: [&'a Maker<'a>; 2], opening: Game, rng: &mut Rng) -> Meeting<'a> {
        // Always four numbers, so that every pair of agents meets the same chances.
        let seeds = [[(); 2]; 2].map(|game| game.map(|()| rng.number()));
        Meeting { agents, opening, seeds, single: None }
    }

    /// The first agent's colour in each game.
    fn colors(&self) -> impl Iterator<Item = Color> + use<> {
        let both = [Color::Black, Color::White];
        let (first, second) = match self.single {
            Some(color) => (color, None),
            None => (both[0], Some(both[1])),
        };
        [first].into_iter().chain(second)
    }
}

/// Looks at a game, and the first agent's colour in it.
pub type See<'a> = dyn Fn(&Played, Color) + Sync + 'a;

/// The conditions under which games are played.
#[derive(Clone, Copy)]
pub struct Match<'a> {
    /// What each side may spend.
    pub clock: Clock,
    /// Decides games before their end, if there is one. Then all games count by their sign.
    pub adjudicator: Option<Adjudicator<'a>>,
    /// Set it, from any thread, and the match ends soon, without a result.
    pub stop: &'a Arc<AtomicBool>,
    /// Is told of each meeting that was played.
    pub done: &'a (dyn Fn() + Sync),
    /// Is shown each game.
    pub see: Option<&'a See<'a>>,
}

impl<'a> Match<'a> {
    /// A match that plays every game to its end.
    pub fn new(clock: Clock, stop: &'a Arc<AtomicBool>, done: &'a (dyn Fn() + Sync)) -> Match<'a> {
        Match { clock, adjudicator: None, stop, done, see: None }
    }

    /// The counts of the meetings with these numbers, all together and seen by the first agent, on
    /// the threads of the current pool.
    pub fn play<'m>(
        &self,
        numbers: Range<u64>,
        meeting: impl Fn(u64) -> Meeting<'m> + Sync,
    ) -> Result<Counts, Unplayed> {
        numbers.into_par_iter().map(|number| self.meet(&meeting(number))).sum()
    }

    /// Plays the games of one meeting on this thread.
    pub fn meet(&self, meeting: &Meeting<'_>) -> Result<Counts, Unplayed> {
        let mut scores = Vec::with_capacity(2);
        for (color, seeds) in meeting.colors().zip(meeting.seeds) {
            let played = self.game(meeting, color, seeds)?;
            let score = played.score_of(color);
            scores.push(if self.adjudicator.is_some() { score.signum() } else { score });
        }
        (self.done)();
        Ok(match scores[..] {
            [one, other] => Counts::of_pair([one, other]),
            _ => Counts::of_game(scores[0]),
        })
    }

    /// One game, in which the first agent has `color`.
    fn game(
        &self,
        meeting: &Meeting<'_>,
        color: Color,
        seeds: [u64; 2],
    ) -> Result<Played, Unplayed> {
        if self.stop.load(Relaxed) {
            return Err(Unplayed::Stopped);
        }
        let mut agents = [0, 1].map(|agent| (meeting.agents[agent], seeds[agent]));
        // Black comes first.
        agents.rotate_left(side(color));
        let live = LiveGame::new(meeting.opening.clone(), self.clock);
        let played = live.play_new(agents, self.adjudicator.as_ref(), self.stop)?;
        if let Some(see) = self.see {
            see(&played, color);
        }
        Ok(played)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::End;
    use crate::live::maker;
    use crate::opening::Openings;
    use isrever_agent::{Agent, Choice, Forfeit, Limits, Random, catalogue};
    use isrever_board::{Rule, Size};
    use std::sync::Mutex;
    use std::sync::atomic::AtomicU64;

    fn openings() -> Vec<Game> {
        Openings::Random(4).draw(Rule::Reversed, Size::SIX, 1, 8)
    }

    fn conditions(stop: &Arc<AtomicBool>) -> Match<'_> {
        Match::new(Clock::of_nodes(100), stop, &|| {})
    }

    fn played(agents: [&Maker<'_>; 2], threads: usize) -> Counts {
        let (openings, stop) = (openings(), Arc::default());
        let meeting = |number: u64| {
            let opening = openings[number as usize % openings.len()].clone();
            Meeting::pair(agents, opening, &mut Rng::stream(3, number))
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| conditions(&stop).play(0..20, meeting)).unwrap()
    }

    #[test]
    fn threads_make_no_difference() {
        let catalogue = catalogue();
        let [mcts, random] = ["mcts:playouts=20", "random"].map(|spec| maker(&catalogue, spec));
        let counts = played([&mcts, &random], 1);
        assert_eq!((counts.games(), counts), (40, played([&mcts, &random], 3)));
    }

    /// Leaves nothing to chance: plays the first or the last of its moves.
    struct Fixed {
        is_first: bool,
    }

    impl Agent for Fixed {
        fn name(&self) -> String {
            "fixed".to_owned()
        }

        fn choose(&mut self, game: &Game, _: &Limits) -> Result<Choice, Forfeit> {
            let moves = game.position().moves();
            Ok(moves[if self.is_first { 0 } else { moves.len() - 1 }].into())
        }
    }

    #[test]
    fn the_second_agent_sees_the_match_turned_round() {
        let make = |is_first| move |_| Ok(Box::new(Fixed { is_first }) as Box<dyn Agent>);
        let [first, last] = [true, false].map(make);
        let counts = played([&first, &last], 2);
        assert_eq!(counts, played([&last, &first], 2).turned());
        assert_ne!(counts, counts.turned());
    }

    #[test]
    fn each_game_has_agents_of_its_own_by_color_and_seed() {
        let asked = Mutex::new(Vec::new());
        let first = |seed| {
            asked.lock().unwrap().push(seed);
            Ok(Box::new(Random::new(seed)) as _)
        };
        let second = |seed| Ok(Box::new(Random::new(seed)) as _);
        let (shown, stop) = (Mutex::new(Vec::new()), Arc::default());
        let see = |played: &Played, color: Color| {
            shown.lock().unwrap().push((color, played.game.clone()));
        };
        let opening = openings().swap_remove(0);
        let meeting = |number| {
            let seeds = [[number, 2], [3, 4]];
            Meeting { agents: [&first, &second], opening: opening.clone(), seeds, single: None }
        };
        let conditions = Match { see: Some(&see), ..conditions(&stop) };
        let counts = [7, 8].map(|number| conditions.meet(&meeting(number)).unwrap());
        assert_eq!(counts.map(|counts| counts.games()), [2, 2]);
        assert_eq!(*asked.lock().unwrap(), [7, 3, 8, 3]);
        let shown = shown.into_inner().unwrap();
        assert_eq!([shown[0].0, shown[1].0], [Color::Black, Color::White]);
        assert_eq!(shown[0].1.moves()[..4], shown[1].1.moves()[..4], "the opening is the same");
    }

    #[test]
    fn an_adjudicator_makes_games_count_by_their_sign() {
        let catalogue = catalogue();
        let random = maker(&catalogue, "random");
        let (stop, asked) = (Arc::default(), AtomicU64::new(0));
        let black_wins = |game: &Game| {
            asked.fetch_add(1, Relaxed);
            assert!(game.position().empties() <= 20);
            if game.position().turn() == Color::Black { 1 } else { -1 }
        };
        let see = |played: &Played, _| assert_eq!(played.end, End::Adjudicated { sign: 1 });
        let adjudicator = Some(Adjudicator { empties: 20, sign: &black_wins });
        let conditions = Match { adjudicator, see: Some(&see), ..conditions(&stop) };
        let opening = openings().swap_remove(0);
        let agents: [&Maker<'_>; 2] = [&random, &random];
        let pair = Meeting::pair(agents, opening, &mut Rng::new(1));
        let counts = conditions.meet(&pair).unwrap();
        assert_eq!((counts.wins, counts.losses, counts.discs), (1, 1, 0));
        for (color, sign) in [(Color::Black, 1), (Color::White, -1)] {
            let single = Meeting { single: Some(color), opening: pair.opening.clone(), ..pair };
            assert_eq!(conditions.meet(&single), Ok(Counts::of_game(sign)));
        }
        assert_eq!(asked.into_inner(), 4);
    }

    #[test]
    fn an_agent_that_cannot_be_made_loses() {
        let catalogue = catalogue();
        let [nobody, random] = ["nobody", "random"].map(|spec| maker(&catalogue, spec));
        let panics = |_| panic!("not today");
        let stop = Arc::default();
        for bad in [&nobody as &Maker<'_>, &panics] {
            let opening = openings().swap_remove(0);
            let meeting = Meeting::pair([bad, &random], opening, &mut Rng::new(1));
            let counts = conditions(&stop).meet(&meeting).unwrap();
            assert_eq!((counts.losses, counts.discs), (2, -72));
        }
    }

    #[test]
    fn a_stopped_match_has_no_result() {
        let catalogue = catalogue();
        let random = maker(&catalogue, "random");
        let stop = Arc::new(AtomicBool::new(false));
        let told = AtomicU64::new(0);
        let done = || {
            // Stops the match after its third meeting.
            stop.store(told.fetch_add(1, Relaxed) == 2, Relaxed);
        };
        let opening = openings().swap_remove(0);
        let meeting = |number| {
            Meeting::pair([&random, &random], opening.clone(), &mut Rng::stream(1, number))
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let conditions = Match { done: &done, ..conditions(&stop) };
        let played = pool.install(|| conditions.play(0..50, meeting));
        assert_eq!(played, Err(Unplayed::Stopped));
        assert_eq!(told.into_inner(), 3);
    }
}
