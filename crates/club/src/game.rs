//! Games of battles: what a judge needs to play one, and what is kept of it.

use crate::account::{self, AccountId, Role, administrator};
use crate::audit;
use crate::battle::{self, Battle, BattleId, BattleKind, Player, Summary};
use crate::club::{Club, ClubError};
use crate::final_round;
use crate::queue::{self, Job, JobKind};
use crate::review::Review;
use crate::terms::Terms;
use crate::version::VersionId;
use isrever_arena::{End, Played, transcript};
use isrever_board::{Color, Game};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Reviews take turns with games of the ladder, which would leave no time for them.
const REVIEW_PRIORITY: i64 = BattleKind::Ladder.priority();

/// The most characters that are kept of what an agent printed in a game.
const MOST_OUTPUT: usize = 32 << 10;

/// What a game usually takes goes by so many of the latest ones by the same terms, which are looked
/// for among so many.
const LATEST: i64 = 100;
const LOOKED_AT: i64 = 1_000;

/// The number of a game.
pub type GameId = i64;

/// Whether a game is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum GameState {
    /// It is yet to be played.
    Waiting,
    /// It is played, and counts.
    Played,
    /// It does not count.
    Annulled,
}

impl GameState {
    /// All states.
    pub const ALL: [GameState; 3] = [GameState::Waiting, GameState::Played, GameState::Annulled];

    /// The state as one word. The words never change.
    pub const fn word(self) -> &'static str {
        match self {
            GameState::Waiting => "waiting",
            GameState::Played => "played",
            GameState::Annulled => "annulled",
        }
    }

    fn read(word: &str) -> GameState {
        // The table contains no other words.
        GameState::ALL.into_iter().find(|state| state.word() == word).unwrap_or(GameState::Annulled)
    }
}

/// A game that a judge is to play: everything that it depends on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ToPlay {
    /// Its number.
    pub id: GameId,
    /// Black and white.
    pub players: [Player; 2],
    /// How it is played.
    pub terms: Terms,
    /// Where the choices of the agents come from: the seed of a tournament, and a number in it.
    pub seed: u64,
    /// The number of the game in that tournament.
    pub number: u64,
    /// How many pairs each two players play, and which of them it is: by them goes the opening.
    pub pairs: u64,
    /// From 0.
    pub opening: u64,
}

/// What became of a game.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    /// Its moves and its end.
    pub played: &'a Played,
    /// What black and white printed.
    pub outputs: [&'a str; 2],
    /// How long it took, in milliseconds.
    pub millis: i64,
}

/// A game with its moves, as somebody may see it.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// Its number.
    pub id: GameId,
    /// Its battle.
    pub battle: Battle,
    /// 0 if the battle's first player is black, or 1.
    pub place: u8,
    /// Whether it is played.
    pub state: GameState,
    /// Its moves and its end, once it is played; the details of a failure only if the viewer may
    /// know them.
    pub played: Option<Played>,
    /// What black and white printed, as far as the viewer may know.
    pub outputs: [Option<String>; 2],
    /// When it ended: milliseconds since 1970.
    pub ended: Option<i64>,
    /// Why it was annulled.
    pub reason: Option<String>,
    /// What each move was worth, once that is known.
    pub review: Option<Review>,
}

impl Record {
    /// The place of black among the battle's players, then white's.
    pub const fn places(&self) -> [usize; 2] {
        if self.place == 0 { [0, 1] } else { [1, 0] }
    }
}

/// A game that is being played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Live {
    /// Its number.
    pub game: GameId,
    /// Its battle.
    pub battle: BattleId,
    /// The game as far as it has come.
    pub so_far: Game,
    /// The milliseconds that black and white have used.
    pub clocks: [i64; 2],
    /// When a judge last said so: milliseconds since 1970.
    pub updated: i64,
}

/// How many milliseconds the latest games between agents by these terms took on average.
pub(crate) fn usual_millis(
    connection: &Connection,
    terms: &Terms,
) -> Result<Option<i64>, ClubError> {
    let millis = connection
        .prepare_cached(
            "SELECT CAST(avg(millis) AS INTEGER) FROM (
                 SELECT millis FROM (SELECT id, battle, millis FROM game WHERE state = 'played'
                                     ORDER BY id DESC LIMIT ?2) AS latest
                 JOIN battle ON battle.id = battle
                 WHERE kind <> 'casual' AND terms = ?1 ORDER BY latest.id DESC LIMIT ?3)",
        )?
        .query_row(params![terms.write(), LOOKED_AT, LATEST], |row| row.get(0))?;
    Ok(millis)
}

/// Adds a game to a battle, and has it played.
pub(crate) fn add(
    connection: &Connection,
    battle: BattleId,
    place: u8,
    kind: BattleKind,
) -> Result<(), ClubError> {
    let id = add_unasked(connection, battle, place)?;
    queue::add(connection, JobKind::Game, id, kind.priority())
}

/// Adds a game to a battle that no judge plays.
pub(crate) fn add_unasked(
    connection: &Connection,
    battle: BattleId,
    place: u8,
) -> Result<GameId, ClubError> {
    connection
        .prepare_cached("INSERT INTO game (battle, place, state) VALUES (?1, ?2, 'waiting')")?
        .execute(params![battle, place])?;
    Ok(connection.last_insert_rowid())
}

/// Keeps a game that has ended, and has it reviewed when there is time.
pub(crate) fn keep(
    connection: &Connection,
    id: GameId,
    judge: Option<&str>,
    outcome: &Outcome<'_>,
    now: i64,
) -> Result<(), ClubError> {
    let record = serde_json::to_string(outcome.played).expect("a game is plain data");
    let game = by_id(connection, id)?;
    let [black, white] = outcome.outputs.map(cut);
    let (color, outputs) = match game.place {
        0 => (Color::Black, [black, white]),
        _ => (Color::White, [white, black]),
    };
    connection
        .prepare_cached(
            "UPDATE game SET state = 'played', record = ?2, score = ?3, one_output = ?4,
                    other_output = ?5, judge = ?6, millis = ?7, ended = ?8
             WHERE id = ?1 AND state = 'waiting'",
        )?
        .execute(params![
            id,
            record,
            outcome.played.score_of(color),
            outputs[0],
            outputs[1],
            judge,
            outcome.millis,
            now,
        ])?;
    connection.execute("DELETE FROM live WHERE game = ?1", [id])?;
    queue::add(connection, JobKind::Review, id, REVIEW_PRIORITY)?;
    final_round::close_if_over(connection, game.battle)
}

const OF_BATTLE: &str = "SELECT id, place, state, score, record ->> '$.reason', ended FROM game
    WHERE battle = ?1 ORDER BY place, id";

/// The games of a battle in short.
pub(crate) fn of_battle(
    connection: &Connection,
    battle: BattleId,
) -> Result<Vec<Summary>, ClubError> {
    let mut statement = connection.prepare_cached(OF_BATTLE)?;
    let games = statement.query_map([battle], |row| {
        let state: String = row.get(2)?;
        Ok(Summary {
            id: row.get(0)?,
            place: row.get(1)?,
            state: GameState::read(&state),
            score: row.get(3)?,
            end: row.get(4)?,
            ended: row.get(5)?,
        })
    })?;
    Ok(games.collect::<rusqlite::Result<_>>()?)
}

/// What is kept of a game beside its battle.
pub(crate) struct Kept {
    pub(crate) battle: BattleId,
    pub(crate) place: u8,
    pub(crate) state: GameState,
    pub(crate) record: Option<String>,
    pub(crate) outputs: [Option<String>; 2],
    ended: Option<i64>,
    reason: Option<String>,
    review: Option<String>,
}

fn kept(row: &Row<'_>) -> rusqlite::Result<Kept> {
    let state: String = row.get(2)?;
    Ok(Kept {
        battle: row.get(0)?,
        place: row.get(1)?,
        state: GameState::read(&state),
        record: row.get(3)?,
        outputs: [row.get(4)?, row.get(5)?],
        ended: row.get(6)?,
        reason: row.get(7)?,
        review: row.get(8)?,
    })
}

pub(crate) fn by_id(connection: &Connection, id: GameId) -> Result<Kept, ClubError> {
    connection
        .prepare_cached(
            "SELECT battle, place, state, record, one_output, other_output, ended, reason, review
             FROM game WHERE id = ?1",
        )?
        .query_row([id], kept)
        .optional()?
        .ok_or(ClubError::NoGame)
}

/// The game of a text that [`Club::finish_game`] kept.
pub(crate) fn played(text: &str) -> Result<Played, ClubError> {
    serde_json::from_str(text).map_err(|error| ClubError::Damaged(format!("a game: {error}")))
}

/// The first characters of what an agent printed.
pub(crate) fn cut(output: &str) -> Option<&str> {
    let end = (0..=MOST_OUTPUT.min(output.len())).rfind(|&place| output.is_char_boundary(place))?;
    Some(&output[..end]).filter(|output| !output.is_empty())
}

impl Club {
    /// What a judge needs to play the game of a job.
    pub fn game_to_play(&self, job: &Job) -> Result<ToPlay, ClubError> {
        let connection = self.connection();
        let game = by_id(&connection, job.subject)?;
        let Battle { players: [one, other], terms, of_final, .. } =
            battle::by_id(&connection, game.battle)?;
        let (seed, pair): (i64, i64) = connection.query_row(
            "SELECT seed, pair FROM battle WHERE id = ?1",
            [game.battle],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        let (pairs, opening) = match of_final {
            None => (1, 0),
            Some(id) => final_round::opening(&connection, id, pair)?,
        };
        let mut players = [one.player, other.player];
        if game.place == 1 {
            players.reverse();
        }
        let number = pair.cast_unsigned() * 2 + u64::from(game.place);
        Ok(ToPlay {
            id: job.subject,
            players,
            terms,
            seed: seed.cast_unsigned(),
            number,
            pairs,
            opening,
        })
    }

    /// The game that a judge is to review.
    pub fn game_to_review(&self, job: &Job) -> Result<Played, ClubError> {
        let record = by_id(&self.connection(), job.subject)?.record;
        played(&record.ok_or(ClubError::NoGame)?)
    }

    /// Keeps a game that a judge has played, and has it reviewed when there is time.
    pub fn finish_game(&self, job: &Job, outcome: &Outcome<'_>, now: i64) -> Result<(), ClubError> {
        self.transaction(|connection| {
            queue::finish(connection, job)?;
            keep(connection, job.subject, Some(&job.judge), outcome, now)
        })
    }

    /// Says how far a game has come, for those who watch; and that its judge is still at it.
    pub fn show_live(
        &self,
        job: &Job,
        moves: &str,
        clocks: [i64; 2],
        now: i64,
    ) -> Result<(), ClubError> {
        self.transaction(|connection| {
            queue::extend(connection, job, now)?;
            connection
                .prepare_cached(
                    "INSERT OR REPLACE INTO live (game, moves, clocks, updated)
                     VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute(params![
                    job.subject,
                    moves,
                    serde_json::to_string(&clocks).expect("numbers are plain data"),
                    now,
                ])?;
            Ok(())
        })
    }

    /// The games that are being played and that `by` may see, with their battles.
    pub fn live_games(&self, by: AccountId, now: i64) -> Result<Vec<(Live, Battle)>, ClubError> {
        let connection = self.connection();
        // A judge that died leaves a game behind, which another one will begin anew.
        connection.execute(
            "DELETE FROM live WHERE game NOT IN
                 (SELECT subject FROM job WHERE kind = 'game' AND lease >= ?1)",
            [now],
        )?;
        let mut statement = connection.prepare_cached(
            "SELECT game, battle, moves, clocks, updated FROM live JOIN game ON game.id = live.game
             ORDER BY game",
        )?;
        let mut rows = statement.query([])?;
        let mut games = Vec::new();
        while let Some(row) = rows.next()? {
            let battle = battle::by_id(&connection, row.get(1)?)?;
            if !battle::is_visible(&connection, by, &battle)? {
                continue;
            }
            let (moves, clocks): (String, String) = (row.get(2)?, row.get(3)?);
            let damaged = |error| ClubError::Damaged(format!("a live game: {error}"));
            let so_far = transcript(&moves, battle.terms.rule);
            let live = Live {
                game: row.get(0)?,
                battle: battle.id,
                so_far: so_far.map_err(|error| damaged(error.to_string()))?,
                clocks: serde_json::from_str(&clocks)
                    .map_err(|error| damaged(error.to_string()))?,
                updated: row.get(4)?,
            };
            games.push((live, battle));
        }
        Ok(games)
    }

    /// The game with this number, if `by` may see it.
    pub fn game(&self, by: AccountId, id: GameId) -> Result<Record, ClubError> {
        let connection = self.connection();
        let game = by_id(&connection, id)?;
        let battle = battle::by_id(&connection, game.battle)?;
        if !battle::is_visible(&connection, by, &battle)? {
            return Err(ClubError::NoGame);
        }
        let is_all = account::by_id(&connection, by)?.role == Role::Administrator;
        let may_read = |place: usize| is_all || battle.players[place].account == Some(by);
        let [one, other] = game.outputs;
        let mut outputs = [one.filter(|_| may_read(0)), other.filter(|_| may_read(1))];
        if game.place == 1 {
            outputs.reverse();
        }
        let mut played = game.record.as_deref().map(played).transpose()?;
        if let Some(End::Forfeit { color, forfeit }) = played.as_mut().map(|one| &mut one.end) {
            // A traceback shows lines of the source.
            let black = usize::from(game.place);
            if !may_read(if *color == Color::Black { black } else { 1 - black }) {
                forfeit.details.clear();
            }
        }
        Ok(Record {
            id,
            place: game.place,
            state: game.state,
            played,
            outputs,
            ended: game.ended,
            reason: game.reason,
            review: game.review.as_deref().map(Review::read).transpose()?,
            battle,
        })
    }

    /// How many milliseconds the latest games between agents by these terms took on average; none
    /// if there are none.
    pub fn usual_millis(&self, terms: &Terms) -> Result<Option<i64>, ClubError> {
        usual_millis(&self.connection(), terms)
    }

    /// Annuls a game for a reason, and has it played again if that is wanted. A game that was
    /// annulled without that can still be played again, once.
    pub fn annul(
        &self,
        by: AccountId,
        id: GameId,
        reason: &str,
        again: bool,
        now: i64,
    ) -> Result<(), ClubError> {
        self.transaction(|connection| {
            administrator(connection, by)?;
            let game = by_id(connection, id)?;
            let battle = battle::by_id(connection, game.battle)?;
            // A person would have to play it again.
            let again = again && battle.kind != BattleKind::Casual;
            if game.state != GameState::Annulled {
                drop_game(connection, id, reason)?;
            } else if !again || has_successor(connection, &game)? {
                return Err(ClubError::NoGame);
            }
            if again {
                add(connection, game.battle, game.place, battle.kind)?;
            }
            final_round::close_if_over(connection, game.battle)?;
            let action = if again { "replay-game" } else { "annul-game" };
            audit::note(connection, now, Some(by), action, &format!("game {id}: {reason}"))
        })
    }
}

/// Whether another game has taken the place of an annulled one.
fn has_successor(connection: &Connection, game: &Kept) -> Result<bool, ClubError> {
    Ok(connection.query_row(
        "SELECT EXISTS (SELECT 1 FROM game
                        WHERE battle = ?1 AND place = ?2 AND state <> 'annulled')",
        params![game.battle, game.place],
        |row| row.get(0),
    )?)
}

/// Makes a game one that does not count, and nobody plays any more.
fn drop_game(connection: &Connection, id: GameId, reason: &str) -> Result<(), ClubError> {
    connection.execute(
        "UPDATE game SET state = 'annulled', reason = ?2 WHERE id = ?1",
        params![id, reason],
    )?;
    connection.execute(
        "DELETE FROM job WHERE kind IN ('game', 'review', 'reply') AND subject = ?1",
        [id],
    )?;
    connection.execute("DELETE FROM live WHERE game = ?1", [id])?;
    connection.execute("DELETE FROM casual WHERE game = ?1", [id])?;
    Ok(())
}

/// Drops all games of a version that wait to be played.
pub(crate) fn drop_waiting(
    connection: &Connection,
    version: VersionId,
    reason: &str,
) -> Result<(), ClubError> {
    let mut statement = connection.prepare_cached(
        "SELECT game.id, battle FROM game JOIN battle ON battle.id = battle
         WHERE state = 'waiting' AND ?1 IN (one, other)",
    )?;
    let games = statement.query_map([version], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let games: Vec<(GameId, BattleId)> = games.collect::<rusqlite::Result<_>>()?;
    for (id, battle) in games {
        drop_game(connection, id, reason)?;
        final_round::close_if_over(connection, battle)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{STEPS, plan};

    #[test]
    fn games_of_a_battle_are_found_without_a_look_at_all() {
        let connection = Connection::open_in_memory().unwrap();
        STEPS.iter().for_each(|step| connection.execute_batch(step).unwrap());
        let plan = plan(&connection, OF_BATTLE);
        assert!(plan.contains("SEARCH game USING INDEX game_battle"), "{plan}");
    }

    #[test]
    fn output_is_cut_between_characters() {
        assert_eq!((cut(""), cut("é")), (None, Some("é")));
        let long = format!("a{}", "é".repeat(MOST_OUTPUT));
        assert_eq!(cut(&long).unwrap().len(), MOST_OUTPUT - 1);
    }
}
