//! Several tournaments of one game as one table.
//!
//! A player of two tournaments is the same if its name and its agent are. Pairs of
//! games stay pairs, and games that two players repeat move by move count once for
//! what is sure, whichever tournaments they are in.

use crate::counts::Counts;
use crate::pairing::Outcome;
use crate::plan::{Plan, Player};
use crate::standings::Standings;
use crate::store::{Store, StoreError, Tournament};

/// Tournaments of one rule and size, taken together.
#[derive(Clone, Debug)]
pub struct Together {
    /// The tournaments, in the order they began.
    pub tournaments: Vec<Tournament>,
    /// The plan of the first, with the players of all.
    pub plan: Plan,
    /// What all of them did.
    pub standings: Standings,
}

impl Together {
    /// All tournaments of the store with the rule and size of `one`.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn like(one: &Tournament, store: &Store) -> Result<Together, StoreError> {
        let mut tournaments = store.tournaments()?;
        let game = |plan: &Plan| (plan.rule, plan.size);
        tournaments.retain(|other| game(&other.plan) == game(&one.plan));
        let mut players: Vec<Player> = Vec::new();
        let mut place = |player: &Player| {
            let known = players.iter().position(|known| known == player);
            known.unwrap_or_else(|| {
                players.push(player.clone());
                players.len() - 1
            })
        };
        let places: Vec<Vec<usize>> = tournaments
            .iter()
            .map(|tournament| tournament.plan.players.iter().map(&mut place).collect())
            .collect();
        let mut standings = Standings::new(players.len());
        let mut first_pair = 0;
        for (tournament, places) in tournaments.iter().zip(&places) {
            let mut next_pair = first_pair;
            for outcome in store.counted(tournament)? {
                let pair = first_pair + outcome.pair;
                let players = outcome.players.map(|player| places[player]);
                standings.add(&Outcome { pair, players, ..outcome });
                next_pair = next_pair.max(pair + 1);
            }
            first_pair = next_pair;
        }
        let plan = Plan { players: named_apart(players), ..one.plan.clone() };
        Ok(Together { tournaments, plan, standings })
    }

    /// Whether games link everybody to everybody, if only through others. Ratings of players that
    /// nothing links cannot be compared.
    pub fn is_linked(&self) -> bool {
        let table = self.standings.table();
        let mut linked = vec![false; table.len()];
        let mut open: Vec<usize> = (0..table.len().min(1)).collect();
        while let Some(player) = open.pop() {
            if !std::mem::replace(&mut linked[player], true) {
                let met = |(_, counts): &(usize, &Counts)| counts.games() > 0;
                open.extend(table[player].iter().enumerate().filter(met).map(|(other, _)| other));
            }
        }
        linked.iter().all(|&is_linked| is_linked)
    }
}

/// The players, with their agents behind names that two of them have.
fn named_apart(players: Vec<Player>) -> Vec<Player> {
    let names: Vec<String> = players.iter().map(|player| player.name.clone()).collect();
    let is_shared = |name: &str| names.iter().filter(|other| *other == name).count() > 1;
    let apart = |player: Player| match is_shared(&player.name) {
        true => Player { name: format!("{} ({})", player.name, player.agent), ..player },
        false => player,
    };
    players.into_iter().map(apart).collect()
}
