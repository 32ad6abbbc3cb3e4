//! The ladder: points and ratings counted from the games, and which battle tells most next.

mod choice;

use crate::account::{Account, AccountId};
use crate::battle::{self, BattleId, BattleKind, New, Player};
use crate::club::{Club, ClubError};
use crate::terms;
use crate::version::{Version, VersionId};
use crate::{account, secret, version};
use choice::{Entrant, choose};
use isrever_agent::Reason;
use isrever_arena::{self as arena, POINTS, Rating, Standings, Trace};
use isrever_board::Color;
use rusqlite::{Connection, Row, params};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// The trend is over so many milliseconds.
const DAY: i64 = 86_400_000;

/// The share of machine time is over so many.
const HOUR: i64 = 3_600_000;

/// Somebody's place on the ladder.
#[derive(Clone, PartialEq, Debug)]
pub struct Rung {
    /// From 1.
    pub rank: usize,
    /// Whose it is.
    pub account: AccountId,
    /// What people call its author.
    pub name: String,
    /// The section of the class; may be empty.
    pub section: String,
    /// The version that plays.
    pub version: VersionId,
    /// Its number among its author's versions.
    pub number: i64,
    /// Five for each game won, less five for each one lost, of all the author's versions.
    pub points: i64,
    /// The same of the last day.
    pub trend: i64,
    /// Games won, drawn and lost, of all the author's versions.
    pub counts: [u64; 3],
    /// How many of those it forfeited.
    pub forfeits: u64,
    /// How many games the version that plays now has played.
    pub version_games: u64,
    /// How strong that version is.
    pub rating: Rating,
    /// How many games of the author's versions ended within the last hour.
    recent: u64,
}

/// The ladder as it is at some moment.
#[derive(Clone, Debug, Default)]
pub struct Ladder {
    /// From the top down.
    pub rungs: Vec<Rung>,
    /// How many games the versions of two authors have played against each other.
    meetings: HashMap<[AccountId; 2], u64>,
}

/// A finished game of the ladder or of a final, as its table needs it.
pub(crate) struct Finished {
    game: i64,
    battle: BattleId,
    place: u8,
    /// The battle's players, the one that is black in its first game first.
    pub(crate) versions: [VersionId; 2],
    score: i32,
    line: String,
    opening: usize,
    reason: String,
    forfeiter: Option<String>,
    ended: i64,
}

fn finished(row: &Row<'_>) -> rusqlite::Result<Finished> {
    Ok(Finished {
        game: row.get(0)?,
        battle: row.get(1)?,
        place: row.get(2)?,
        versions: [row.get(3)?, row.get(4)?],
        score: row.get(5)?,
        line: row.get(6)?,
        opening: row.get::<_, u32>(7)? as usize,
        reason: row.get(8)?,
        forfeiter: row.get(9)?,
        ended: row.get(10)?,
    })
}

/// The finished games of a final, or of the ladder. Tables need little of their records: reading
/// all of each would take ten times as long.
pub(crate) fn games(
    connection: &Connection,
    of_final: Option<i64>,
) -> Result<Vec<Finished>, ClubError> {
    let kind = if of_final.is_some() { BattleKind::Final } else { BattleKind::Ladder };
    let mut statement = connection.prepare_cached(
        "SELECT game.id, battle, place, one, other, score, record ->> '$.moves',
                record ->> '$.opening', record ->> '$.reason', record ->> '$.forfeiter', ended
         FROM battle JOIN game ON battle = battle.id
         WHERE kind = ?1 AND final IS ?2 AND state = 'played' ORDER BY game.id",
    )?;
    let games = statement.query_map(params![kind.word(), of_final], finished)?;
    Ok(games.collect::<rusqlite::Result<_>>()?)
}

impl Finished {
    /// The place of black among the players, then white's.
    const fn colors(&self) -> [usize; 2] {
        if self.place == 0 { [0, 1] } else { [1, 0] }
    }

    /// The game as a table counts it, between players of these places.
    pub(crate) fn outcome(&self, players: [usize; 2]) -> arena::Outcome {
        let [black, white] = self.colors();
        let color = match self.forfeiter.as_deref() {
            Some("black") => Some(Color::Black),
            Some("white") => Some(Color::White),
            _ => None,
        };
        arena::Outcome {
            number: self.game.cast_unsigned(),
            pair: self.battle.cast_unsigned(),
            players: [players[black], players[white]],
            score: if self.place == 0 { self.score } else { -self.score },
            forfeit: color.zip(Reason::from_word(&self.reason)),
            trace: Trace::of_line(&self.line, self.opening, &self.reason),
        }
    }

    /// The place of the player that forfeited it.
    fn forfeiter(&self) -> Option<usize> {
        let [black, white] = self.colors();
        self.forfeiter.as_deref().map(|color| if color == "black" { black } else { white })
    }
}

/// What an account did on the ladder.
#[derive(Clone, Copy, Default)]
struct Tally {
    counts: [u64; 3],
    forfeits: u64,
    trend: i64,
    recent: u64,
    version_games: u64,
}

impl Tally {
    fn add(&mut self, score: i32, ended: i64, now: i64) {
        let sign = score.signum();
        self.counts[match sign {
            1 => 0,
            0 => 1,
            _ => 2,
        }] += 1;
        if ended > now - DAY {
            self.trend += POINTS * i64::from(sign);
        }
        self.recent += u64::from(ended > now - HOUR);
    }

    const fn points(&self) -> i64 {
        POINTS * (self.counts[0].cast_signed() - self.counts[2].cast_signed())
    }
}

/// Everything that the ladder is counted from.
struct Results {
    /// The versions that play, and their authors.
    active: Vec<(Version, Account)>,
    games: Vec<Finished>,
    authors: HashMap<VersionId, AccountId>,
}

fn results(connection: &Connection) -> Result<Results, ClubError> {
    let active = version::active(connection)?.into_iter().map(|version| {
        let account = account::by_id(connection, version.account)?;
        Ok((version, account))
    });
    Ok(Results {
        active: active.collect::<Result<_, ClubError>>()?,
        games: games(connection, None)?,
        authors: version::authors(connection)?,
    })
}

/// Counts the ladder from its games.
fn count(results: Results, now: i64) -> Ladder {
    let Results { active, games, authors } = results;
    // A rating is that of the version which plays now. What an author's earlier ones did says
    // something about their opponents: they count as one more player each.
    let place_of: HashMap<AccountId, usize> =
        active.iter().enumerate().map(|(place, (version, _))| (version.account, place)).collect();
    let mut others: HashMap<AccountId, usize> = HashMap::new();
    let mut tallies: HashMap<AccountId, Tally> = HashMap::new();
    let mut meetings: HashMap<[AccountId; 2], u64> = HashMap::new();
    let mut outcomes = Vec::with_capacity(games.len());
    for game in &games {
        let accounts = game.versions.map(|id| authors.get(&id).copied().unwrap_or_default());
        let mut players = [0, 0];
        for side in [0, 1] {
            let (id, account) = (game.versions[side], accounts[side]);
            let next = active.len() + others.len();
            let now_plays = place_of.get(&account).copied().filter(|&at| active[at].0.id == id);
            players[side] = now_plays.unwrap_or_else(|| *others.entry(account).or_insert(next));
            let tally = tallies.entry(account).or_default();
            tally.add(if side == 0 { game.score } else { -game.score }, game.ended, now);
            tally.forfeits += u64::from(game.forfeiter() == Some(side));
            tally.version_games += u64::from(now_plays.is_some());
        }
        *meetings.entry(pair_of(accounts)).or_default() += 1;
        outcomes.push(game.outcome(players));
    }
    let mut standings = Standings::new(active.len() + others.len());
    outcomes.iter().for_each(|outcome| standings.add(outcome));
    let ratings: HashMap<usize, Rating> =
        standings.rows().into_iter().map(|row| (row.player, row.rating)).collect();
    let mut rungs = Vec::with_capacity(active.len());
    for (place, (version, account)) in active.into_iter().enumerate() {
        let tally = tallies.get(&account.id).copied().unwrap_or_default();
        rungs.push(Rung {
            rank: 0,
            account: account.id,
            name: account.name,
            section: account.section,
            version: version.id,
            number: version.number,
            points: tally.points(),
            trend: tally.trend,
            counts: tally.counts,
            forfeits: tally.forfeits,
            version_games: tally.version_games,
            rating: ratings[&place],
            recent: tally.recent,
        });
    }
    rungs.sort_by(|a, b| {
        let by_rating = b.rating.elo.total_cmp(&a.rating.elo);
        Reverse(a.points).cmp(&Reverse(b.points)).then(by_rating).then(a.account.cmp(&b.account))
    });
    (1..).zip(&mut rungs).for_each(|(rank, rung)| rung.rank = rank);
    Ladder { rungs, meetings }
}

fn pair_of([one, other]: [AccountId; 2]) -> [AccountId; 2] {
    [one.min(other), one.max(other)]
}

impl Ladder {
    /// Those who may play next, as far as `busy` versions leave some.
    fn entrants(&self, busy: &HashSet<VersionId>) -> Vec<Entrant> {
        let free = self.rungs.iter().enumerate().filter(|(_, rung)| !busy.contains(&rung.version));
        free.map(|(place, rung)| Entrant {
            place,
            version_games: rung.version_games,
            recent: rung.recent,
            elo: rung.rating.elo,
        })
        .collect()
    }

    /// How many games the versions of the authors at two places have played against each other.
    fn meetings(&self, one: usize, other: usize) -> u64 {
        let accounts = [one, other].map(|place| self.rungs[place].account);
        self.meetings.get(&pair_of(accounts)).copied().unwrap_or_default()
    }
}

/// The versions with games of the ladder that are yet to be played, and how many such games there are.
fn busy(connection: &Connection) -> Result<(HashSet<VersionId>, usize), ClubError> {
    // Games that were set aside hold nobody up.
    let mut statement = connection.prepare_cached(
        "SELECT one, other FROM job JOIN game ON game.id = subject JOIN battle ON battle.id = battle
         WHERE job.priority = ?1 AND job.trouble IS NULL AND job.kind = 'game'",
    )?;
    let pairs = statement
        .query_map([BattleKind::Ladder.priority()], |row| Ok([row.get(0)?, row.get(1)?]))?;
    let pairs: Vec<[VersionId; 2]> = pairs.collect::<rusqlite::Result<_>>()?;
    Ok((pairs.iter().flatten().copied().collect(), pairs.len()))
}

impl Club {
    /// Numbers of which one changes when the ladder does.
    pub fn ladder_stamp(&self) -> Result<[i64; 2], ClubError> {
        // Games that end, are annulled or arranged; versions that are made active; accounts that are
        // blocked: all of them are in the log or among the games.
        let stamp = self.connection().query_row(
            "SELECT (SELECT count(*) FROM game WHERE state = 'played'),
                    (SELECT ifnull(max(id), 0) FROM audit)",
            [],
            |row| Ok([row.get(0)?, row.get(1)?]),
        )?;
        Ok(stamp)
    }

    /// The ladder, counted from its games.
    pub fn ladder(&self, now: i64) -> Result<Ladder, ClubError> {
        // The file is not held while ratings are computed.
        let results = results(&self.connection())?;
        Ok(count(results, now))
    }

    /// Arranges battles of the ladder until `room` games wait, or everybody is busy; returns how
    /// many battles were arranged.
    pub fn arrange_ladder(
        &self,
        ladder: &Ladder,
        room: usize,
        now: i64,
    ) -> Result<usize, ClubError> {
        let mut arranged = 0;
        loop {
            let seed = secret::seed()?;
            let has_more = self.transaction(|connection| {
                if !terms::doors(connection)?.ladder {
                    return Ok(false);
                }
                let (mut busy, waiting) = busy(connection)?;
                if waiting >= room {
                    return Ok(false);
                }
                // Versions that were replaced since the ladder was counted do not play.
                let active: HashSet<VersionId> =
                    version::active(connection)?.iter().map(|version| version.id).collect();
                let rungs = ladder.rungs.iter().map(|rung| rung.version);
                busy.extend(rungs.filter(|version| !active.contains(version)));
                let meetings = |one, other| ladder.meetings(one, other);
                let Some(places) = choose(&ladder.entrants(&busy), meetings) else {
                    return Ok(false);
                };
                let [one, other] = places.map(|place| Player::Version(ladder.rungs[place].version));
                let new = New {
                    kind: BattleKind::Ladder,
                    of_final: None,
                    asker: None,
                    players: [&one, &other],
                    terms: &terms::terms(connection)?,
                    seed,
                };
                battle::arrange(connection, &new, now)?;
                Ok(true)
            })?;
            if !has_more {
                return Ok(arranged);
            }
            arranged += 1;
        }
    }
}
