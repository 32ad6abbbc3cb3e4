//! Where an agent loses: what the reviews of its games say about it, for its author.

use crate::account::AccountId;
use crate::battle::Player;
use crate::club::{Club, ClubError};
use crate::game::GameId;
use crate::review::Review;
use crate::version::VersionId;
use crate::{battle, game, version};
use isrever_arena::Played;
use isrever_board::{Color, Move, Position, Size, Square};
use rusqlite::Connection;
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The latest games that are looked at.
const MOST_GAMES: u32 = 500;

/// The worst moves that are shown.
const MOST_MISTAKES: usize = 30;

/// A move that gives away fewer discs is not shown.
const MISTAKE: f64 = 2.0;

/// Where an agent loses.
#[derive(Clone, PartialEq, Debug, Default, Serialize, ToSchema)]
pub struct Weaknesses {
    /// The games that it has played, the latest 500 at most.
    pub games: u32,
    /// Those of them whose moves' worth is known.
    pub reviewed: u32,
    /// Games that it won.
    pub wins: u32,
    /// Games that nobody won.
    pub draws: u32,
    /// Games that it lost.
    pub losses: u32,
    /// Games that it lost by a failure, by its kind.
    pub forfeits: Vec<Failures>,
    /// Its moves by the phase of the game: `opening`, `midgame`, `endgame`.
    pub phases: Vec<Share>,
    /// Its moves by where they went: `corner`, `beside-corner`, `edge`, `inside`.
    pub squares: Vec<Share>,
    /// Its moves by how many it had to choose from: `one`, `few` (two to four), `many`.
    pub choices: Vec<Share>,
    /// Its opponents, those first against whom it lost most.
    pub opponents: Vec<Against>,
    /// The moves that gave away most.
    pub worst: Vec<Mistake>,
}

/// Games that were lost by failures of one kind.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Failures {
    /// The kind in one word.
    pub reason: String,
    /// How many.
    pub count: u32,
}

/// Moves of one kind.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct Share {
    /// The kind.
    pub kind: String,
    /// How many moves the reviews judged.
    pub moves: u32,
    /// The discs that they gave away in all.
    pub lost: f64,
}

/// Games against one opponent.
#[derive(Clone, PartialEq, Debug, Default, Serialize, ToSchema)]
pub struct Against {
    /// Who.
    pub name: String,
    /// How many games.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// Games that nobody won.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// How many moves the reviews judged.
    pub moves: u32,
    /// The discs that they gave away in all.
    pub lost: f64,
}

/// A move that gave discs away.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct Mistake {
    /// The game.
    #[schema(value_type = i64)]
    pub game: GameId,
    /// How many moves were played before it.
    pub ply: usize,
    /// The squares, row by row from a1: `X`, `O` and `-`.
    pub board: String,
    /// The width of the board.
    pub size: u8,
    /// The side to move, `black` or `white`.
    pub color: String,
    /// What was played.
    #[serde(rename = "move")]
    pub played: String,
    /// What was better.
    pub better: String,
    /// How many discs the move gave away.
    pub loss: f64,
    /// Whether that is proved.
    pub exact: bool,
}

/// Counts moves by kind; all kinds are there from the beginning.
struct Tally(Vec<Share>);

impl Tally {
    fn new(kinds: &[&str]) -> Tally {
        let share = |kind: &&str| Share { kind: (*kind).to_owned(), moves: 0, lost: 0.0 };
        Tally(kinds.iter().map(share).collect())
    }

    fn add(&mut self, kind: &str, loss: f64) {
        if let Some(share) = self.0.iter_mut().find(|share| share.kind == kind) {
            share.moves += 1;
            share.lost += loss;
        }
    }
}

/// The thirds of a game.
fn phase(position: &Position) -> &'static str {
    let cells = position.size().cells() as u32 - 4;
    match position.empties() * 3 {
        left if left > cells * 2 => "opening",
        left if left > cells => "midgame",
        _ => "endgame",
    }
}

/// Where a square is.
fn region(size: Size, square: Square) -> &'static str {
    let last = size.width() - 1;
    // How far it is from the nearest edge in each direction, the nearer first.
    let from_edge = |place: u8| place.min(last - place);
    let mut distance = [from_edge(square.column()), from_edge(square.row())];
    distance.sort_unstable();
    match distance {
        [0, 0] => "corner",
        [0 | 1, 1] => "beside-corner",
        [0, _] => "edge",
        _ => "inside",
    }
}

fn freedom(count: usize) -> &'static str {
    match count {
        0 | 1 => "one",
        2..=4 => "few",
        _ => "many",
    }
}

/// Everything that is counted game by game.
struct Count {
    found: Weaknesses,
    phases: Tally,
    squares: Tally,
    choices: Tally,
    forfeits: BTreeMap<&'static str, u32>,
    opponents: BTreeMap<String, Against>,
}

impl Count {
    fn new() -> Count {
        Count {
            found: Weaknesses::default(),
            phases: Tally::new(&["opening", "midgame", "endgame"]),
            squares: Tally::new(&["corner", "beside-corner", "edge", "inside"]),
            choices: Tally::new(&["one", "few", "many"]),
            forfeits: BTreeMap::new(),
            opponents: BTreeMap::new(),
        }
    }

    /// Adds a game of the agent's, which was `own` in it.
    fn add(&mut self, id: GameId, played: &Played, review: &Review, own: Color, opponent: &str) {
        let against = self.opponents.entry(opponent.to_owned()).or_default();
        against.games += 1;
        self.found.games += 1;
        let (all, theirs) = match played.score_of(own).signum() {
            1 => (&mut self.found.wins, &mut against.wins),
            -1 => (&mut self.found.losses, &mut against.losses),
            _ => (&mut self.found.draws, &mut against.draws),
        };
        *all += 1;
        *theirs += 1;
        if let Some((_, forfeit)) = played.forfeit().filter(|(color, _)| *color == own) {
            *self.forfeits.entry(forfeit.reason.word()).or_default() += 1;
        }
        self.found.reviewed += u32::from(!review.moves.is_empty());
        let moves = played.game.moves().iter().zip(played.game.positions()).enumerate();
        for ((ply, (mv, position)), judged) in moves.zip(&review.moves) {
            let (Move::Place(square), Some(loss)) = (mv, judged.loss) else { continue };
            if position.turn() != own {
                continue;
            }
            against.moves += 1;
            against.lost += loss;
            self.phases.add(phase(position), loss);
            self.squares.add(region(position.size(), *square), loss);
            self.choices.add(freedom(position.moves().len()), loss);
            if let Some(better) = judged.better.clone().filter(|_| loss >= MISTAKE) {
                self.found.worst.push(Mistake {
                    game: id,
                    ply,
                    board: position.letters(),
                    size: position.size().width(),
                    color: position.turn().to_string(),
                    played: square.to_string(),
                    better,
                    loss,
                    exact: judged.is_exact,
                });
            }
        }
    }

    fn finish(self) -> Weaknesses {
        let mut worst = self.found.worst;
        worst.sort_by(|a, b| b.loss.total_cmp(&a.loss).then(b.game.cmp(&a.game)));
        // The same board comes up in many games.
        let mut seen = std::collections::HashSet::new();
        worst.retain(|mistake| seen.insert((mistake.board.clone(), mistake.color.clone())));
        worst.truncate(MOST_MISTAKES);
        let named = |(name, against): (String, Against)| Against { name, ..against };
        let mut opponents: Vec<Against> = self.opponents.into_iter().map(named).collect();
        opponents.sort_by(|a, b| b.losses.cmp(&a.losses).then(b.lost.total_cmp(&a.lost)));
        let failures = |(reason, count): (&str, u32)| Failures { reason: reason.to_owned(), count };
        Weaknesses {
            forfeits: self.forfeits.into_iter().map(failures).collect(),
            phases: self.phases.0,
            squares: self.squares.0,
            choices: self.choices.0,
            opponents,
            worst,
            ..self.found
        }
    }
}

impl Club {
    /// Where a version loses, for its author and administrators.
    pub fn weaknesses(&self, by: AccountId, id: VersionId) -> Result<Weaknesses, ClubError> {
        // The file is not held while games are played again.
        let games = games_of(&self.connection(), by, id)?;
        let mut count = Count::new();
        for Reviewed { game, color, opponent, record, review } in games {
            let review = review.as_deref().map(Review::read).transpose()?.unwrap_or_default();
            count.add(game, &game::played(&record)?, &review, color, &opponent);
        }
        Ok(count.finish())
    }
}

/// A game of a version as the table has it.
struct Reviewed {
    game: GameId,
    /// The version's side.
    color: Color,
    opponent: String,
    record: String,
    review: Option<String>,
}

/// The latest games of a version, if `by` may know what there is to know of it.
fn games_of(
    connection: &Connection,
    by: AccountId,
    id: VersionId,
) -> Result<Vec<Reviewed>, ClubError> {
    version::confidant(connection, by, id)?;
    let mut statement = connection.prepare_cached(
        "SELECT game.id, place, battle, record, review FROM game
             JOIN battle ON battle.id = battle
             WHERE state = 'played' AND ?1 IN (one, other) ORDER BY game.id DESC LIMIT ?2",
    )?;
    let mut rows = statement.query((id, MOST_GAMES))?;
    let mut games = Vec::new();
    while let Some(row) = rows.next()? {
        let place: u8 = row.get(1)?;
        let players = battle::by_id(connection, row.get(2)?)?.players;
        // In a game against itself it is the first player.
        let own = usize::from(players[0].player != Player::Version(id));
        let color = if own == usize::from(place) { Color::Black } else { Color::White };
        let opponent = players[1 - own].name.clone();
        let (game, record, review) = (row.get(0)?, row.get(3)?, row.get(4)?);
        games.push(Reviewed { game, color, opponent, record, review });
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_has_a_region() {
        let count = |size: Size, wanted: &str| {
            size.squares().filter(|&square| region(size, square) == wanted).count()
        };
        for size in Size::ALL {
            let width = usize::from(size.width());
            assert_eq!(count(size, "corner"), 4, "{size}");
            assert_eq!(count(size, "beside-corner"), 12, "{size}");
            assert_eq!(count(size, "edge"), 4 * (width - 4), "{size}");
            assert_eq!(count(size, "inside"), (width - 2) * (width - 2) - 4, "{size}");
        }
    }
}
