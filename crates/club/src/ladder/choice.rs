//! Which battle of the ladder comes next.
//!
//! Somebody whose version is new goes first; then those who played least within
//! the last hour, so that everybody has the same share of the judges. In turn a
//! version challenges the next one ahead, as on the course's platform, and meets
//! the one against whom a game tells most: as strong as it is, and not met before.

use isrever_arena::expected_score;

/// A version that has played fewer games is new.
const NEW: u64 = 8;

/// Somebody who may play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Entrant {
    /// The place on the ladder, from 0.
    pub(super) place: usize,
    /// How many games its version has played.
    pub(super) version_games: u64,
    /// How many games its author's versions have played within the last hour.
    pub(super) recent: u64,
    /// How strong it is.
    pub(super) elo: f64,
}

/// The places of two who play next, the challenger first, if there are two. `entrants` are in the
/// order of the ladder; `meetings` says how many games two of them have played.
pub(super) fn choose(
    entrants: &[Entrant],
    meetings: impl Fn(usize, usize) -> u64,
) -> Option<[usize; 2]> {
    let urgency = |entrant: &Entrant| {
        let is_new = entrant.version_games < NEW;
        let played = if is_new { entrant.version_games } else { entrant.recent };
        (!is_new, played, std::cmp::Reverse(entrant.place))
    };
    let (at, challenger) =
        entrants.iter().enumerate().min_by_key(|(_, entrant)| urgency(entrant))?;
    let battles = challenger.version_games / 2;
    let opponent = match battles.is_multiple_of(2) {
        true => at.checked_sub(1).or(Some(at + 1)).and_then(|next| entrants.get(next))?,
        false => {
            let information = |other: &Entrant| {
                let score = expected_score(challenger.elo - other.elo);
                score * (1.0 - score) / (1.0 + meetings(challenger.place, other.place) as f64)
            };
            let others = entrants.iter().filter(|other| other.place != challenger.place);
            others.max_by(|a, b| information(a).total_cmp(&information(b)))?
        }
    };
    Some([challenger.place, opponent.place])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entrants(of: &[(u64, u64, f64)]) -> Vec<Entrant> {
        let entrant = |(place, &(version_games, recent, elo)): (usize, &(u64, u64, f64))| Entrant {
            place,
            version_games,
            recent,
            elo,
        };
        of.iter().enumerate().map(entrant).collect()
    }

    #[test]
    fn new_versions_go_first_and_challenge_the_next_ahead() {
        let all = entrants(&[(40, 9, 90.0), (40, 2, 30.0), (0, 50, 0.0), (20, 0, -60.0)]);
        assert_eq!(choose(&all, |_, _| 0), Some([2, 1]));
        assert_eq!(choose(&all[..1], |_, _| 0), None);
        assert_eq!(choose(&[], |_, _| 0), None);
        // At the top there is nobody ahead.
        let top = entrants(&[(0, 0, 0.0), (40, 1, 0.0)]);
        assert_eq!(choose(&top, |_, _| 0), Some([0, 1]));
    }

    #[test]
    fn everybody_has_the_same_share_whatever_their_place() {
        // A hundred battles among ten: nobody plays more than a few games more than others.
        let mut all = entrants(&[(NEW, 0, 0.0); 10]);
        let mut met = std::collections::HashMap::new();
        for _ in 0..100 {
            let count = |a: usize, b: usize| *met.get(&[a.min(b), a.max(b)]).unwrap_or(&0);
            let [one, other] = choose(&all, count).unwrap();
            assert_ne!(one, other);
            *met.entry([one.min(other), one.max(other)]).or_insert(0) += 2;
            for place in [one, other] {
                all[place].version_games += 2;
                all[place].recent += 2;
            }
        }
        let played: Vec<u64> = all.iter().map(|entrant| entrant.recent).collect();
        let (least, most) = (played.iter().min().unwrap(), played.iter().max().unwrap());
        assert!(most - least <= 8, "{played:?}");
        assert!(met.len() > 20, "many different opponents: {}", met.len());
    }

    #[test]
    fn every_other_battle_is_the_one_that_tells_most() {
        let all = entrants(&[(40, 9, 500.0), (40, 9, 20.0), (NEW + 2, 0, 0.0), (40, 9, -300.0)]);
        assert_eq!(choose(&all, |_, _| 0), Some([2, 1]), "the closest in strength");
        let often = |one: usize, other: usize| if one + other == 3 { 50 } else { 0 };
        assert_eq!(choose(&all, often), Some([2, 3]), "but not over and over");
    }
}
