//! Games between two people in the database: what the referee decides is a change of their row.

use super::row::{self, GameRow, Player, Saved, State};
use super::{Done, Undone};
use crate::date::{now_ms, steady_ms};
use crate::referee::{Action, Foul, Refereed};
use crate::wire::{ColorWord, move_names};
use rusqlite::{Connection, params};

/// Somebody takes the free seat of a game.
pub(crate) struct Join {
    pub(crate) id: String,
    /// The hash of the invitation's code.
    pub(crate) code: String,
    /// The hash of the seat's token.
    pub(crate) token: String,
    pub(crate) name: String,
}

/// A seat asks for something.
pub(crate) struct Act {
    pub(crate) id: String,
    /// The hash of the seat's token.
    pub(crate) token: String,
    pub(crate) action: Action,
    /// The revision that the caller has seen.
    pub(crate) revision: Option<i64>,
    /// The name of the request; empty if it has none.
    pub(crate) request: String,
    /// The id of a rematch, if this makes one.
    pub(crate) next: String,
}

/// Gives the free seat to somebody, with a name.
pub(super) fn join(connection: &Connection, join: &Join) -> rusqlite::Result<Done> {
    let (mut saved, mut refereed) = match loaded(connection, &join.id)? {
        Ok(loaded) => loaded,
        Err(undone) => return Ok(Err(undone)),
    };
    match refereed.join(&join.code, &join.token) {
        Err(foul) => Ok(Err(Undone::Foul(foul))),
        Ok(_) if refereed.revision == saved.revision => Ok(Ok(saved)),
        Ok(side) => {
            let GameRow { black, white, .. } = &mut saved.game;
            let player = if side == ColorWord::Black { black } else { white };
            player.name.clone_from(&join.name);
            write(connection, &saved.game, &refereed)
        }
    }
}

/// Carries out what a seat asks for; a request that was carried out before changes nothing.
pub(super) fn act(connection: &Connection, act: &Act) -> rusqlite::Result<Done> {
    let (saved, mut refereed) = match loaded(connection, &act.id)? {
        Ok(loaded) => loaded,
        Err(undone) => return Ok(Err(undone)),
    };
    let Some(side) = refereed.friends.side_of(&act.token) else {
        return Ok(Err(Undone::Foul(Foul::Stranger)));
    };
    let seat = refereed.friends.seats.of(side);
    if !act.request.is_empty() && seat.as_ref().is_some_and(|seat| seat.request == act.request) {
        return Ok(Ok(saved));
    }
    let is_rematch = refereed.wants_rematch(side, &act.action);
    if let Err(foul) = refereed.act(side, &act.action, act.revision, steady_ms()) {
        return Ok(Err(Undone::Foul(foul)));
    }
    if refereed.revision == saved.revision {
        return Ok(Ok(saved));
    }
    if let Some(seat) = refereed.friends.seats.of_mut(side) {
        seat.request.clone_from(&act.request);
    }
    if is_rematch {
        let friends = refereed.friends.rematch(act.next.clone());
        let GameRow { token, rule, size, start, black, white, .. } = saved.game.clone();
        let next = GameRow {
            id: act.next.clone(),
            token,
            rule,
            size,
            start,
            moves: String::new(),
            ply: 0,
            black: white,
            white: black,
            state: State::Running,
            ending: None,
            earlier: Vec::new(),
            friends: Some(friends),
        };
        if let Err(undone) = row::insert(connection, &next, now_ms())? {
            return Ok(Err(undone));
        }
    }
    write(connection, &saved.game, &refereed)
}

/// Ends the game if a side is out of time.
pub(super) fn settle(connection: &Connection, id: &str) -> rusqlite::Result<Done> {
    let (saved, mut refereed) = match loaded(connection, id)? {
        Ok(loaded) => loaded,
        Err(undone) => return Ok(Err(undone)),
    };
    refereed.settle(steady_ms());
    if refereed.revision == saved.revision {
        return Ok(Ok(saved));
    }
    write(connection, &saved.game, &refereed)
}

/// The running games between two people.
pub(super) fn running(connection: &Connection) -> rusqlite::Result<Vec<Saved>> {
    row::running_friends(connection)
}

/// Lets the clocks of running games go on from where they were: nobody loses the time that the
/// server was away.
pub(super) fn resume(connection: &Connection) -> rusqlite::Result<()> {
    let now = steady_ms();
    for mut saved in running(connection)? {
        let Some(friends) = &mut saved.game.friends else { continue };
        let Some(clock) = friends.clock.as_mut().filter(|clock| clock.running().is_some()) else {
            continue;
        };
        clock.resume(now);
        connection.execute(
            "UPDATE game SET friends = ?2 WHERE id = ?1",
            params![saved.game.id, row::friends_text(saved.game.friends.as_ref())],
        )?;
    }
    Ok(())
}

/// A game between two people, as it is saved and as the referee sees it.
fn loaded(
    connection: &Connection,
    id: &str,
) -> rusqlite::Result<Result<(Saved, Refereed), Undone>> {
    let Some(saved) = row::by_id(connection, id)? else { return Ok(Err(Undone::NoGame)) };
    let (Some(friends), Ok(game)) = (saved.game.friends.clone(), saved.game.replayed()) else {
        return Ok(Err(Undone::NoGame));
    };
    let refereed = Refereed {
        game,
        friends,
        ending: saved.game.ending,
        is_stopped: saved.game.state == State::Stopped,
        revision: saved.revision,
    };
    Ok(Ok((saved, refereed)))
}

/// Saves the game as the referee sees it now, with the players of `row`.
fn write(connection: &Connection, row: &GameRow, now: &Refereed) -> rusqlite::Result<Done> {
    let state = match now.is_over() {
        true if now.is_stopped => State::Stopped,
        true => State::Finished,
        false => State::Running,
    };
    let ending = now.ending.map(row::Ending::words);
    let name = |player: &Player| player.name.clone();
    let mut statement = connection.prepare_cached(
        "UPDATE game SET moves = ?2, ply = ?3, state = ?4, changed = ?5, black_name = ?6, \
         white_name = ?7, ended = ?8, loser = ?9, friends = ?10, revision = ?11 WHERE id = ?1",
    )?;
    statement.execute(params![
        row.id,
        move_names(now.game.moves()).join(","),
        now.game.ply() as u32,
        state.word(),
        now_ms(),
        name(&row.black),
        name(&row.white),
        ending.map(|words| words.0),
        ending.and_then(|words| words.1),
        row::friends_text(Some(&now.friends)),
        now.revision,
    ])?;
    Ok(row::by_id(connection, &row.id)?.ok_or(Undone::NoGame))
}
