//! Counts the battles of a simulated class anew: from the games themselves, by rules of its own.
//!
//! Nothing here uses the program's crates, so that a mistake in them would show.

use super::campus::{Campus, Line};
use super::people::{Person, granted};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What a game is worth.
const POINTS: i64 = 5;

/// A game that counts.
pub(super) struct Counted {
    /// Black's and white's names.
    pub(super) names: [String; 2],
    /// Black's and white's accounts, if they have one.
    pub(super) accounts: [Option<i64>; 2],
    pub(super) kind: String,
    pub(super) of_final: Option<i64>,
    /// 1 if black has won, -1 if white has, or 0.
    pub(super) sign: i64,
    /// Black or white, if one of them forfeited it.
    forfeiter: Option<usize>,
}

/// All battles and games as the API shows them.
#[derive(Default)]
pub(super) struct Everything {
    pub(super) battles: Vec<Value>,
    pub(super) games: BTreeMap<i64, Value>,
}

/// A list in an answer.
pub(super) fn rows(list: &Value) -> &[Value] {
    list.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn id(row: &Value) -> Result<i64> {
    row["id"].as_i64().context("a number")
}

impl Everything {
    /// Asks for all battles, page by page, and for every game that is played.
    pub(super) fn fetch(campus: &Campus, teacher: &Person) -> Result<Everything> {
        let mut all = Everything { battles: battles(campus, teacher)?, ..Everything::default() };
        let mut line = Line::default();
        for game in all.battles.iter().flat_map(|battle| rows(&battle["games"])) {
            if game["state"] == "played" {
                let path = format!("/api/club/games/{}", id(game)?);
                let answer = line.insist(campus, "GET", &path, teacher.page(), "")?;
                ensure!(all.games.insert(id(game)?, granted(&answer)?).is_none(), "{path} twice");
            }
        }
        Ok(all)
    }

    /// What is wrong with the battles: each must have exactly its two games, all of them played,
    /// but for those that were set aside.
    pub(super) fn faults(&self, set_aside: &BTreeSet<i64>) -> Result<Vec<String>> {
        let mut faults = Vec::new();
        let mut seen = BTreeSet::new();
        for (number, battle) in (1..).zip(self.battles.iter().rev()) {
            if id(battle)? != number {
                faults.push(format!("battle {number} is not there, but {}", id(battle)?));
                break;
            }
            let counted: Vec<&Value> =
                rows(&battle["games"]).iter().filter(|game| game["state"] != "annulled").collect();
            let places: Vec<i64> =
                counted.iter().filter_map(|game| game["place"].as_i64()).collect();
            if places != [0, 1] {
                faults.push(format!("battle {number} has games at {places:?}"));
            }
            for game in rows(&battle["games"]) {
                let game_id = id(game)?;
                if !seen.insert(game_id) {
                    faults.push(format!("game {game_id} is there twice"));
                }
                if game["state"] == "waiting" && !set_aside.contains(&game_id) {
                    faults.push(format!("game {game_id} is not played"));
                }
            }
        }
        Ok(faults)
    }

    /// All played games, counted by their moves; and what is wrong with them.
    pub(super) fn count(&self) -> Result<(Vec<Counted>, Vec<String>)> {
        let (mut counted, mut faults) = (Vec::new(), Vec::new());
        for (number, game) in &self.games {
            let one = count(game).with_context(|| format!("game {number}"))?;
            if game["score_black"].as_i64().map(i64::signum) != Some(one.sign) {
                faults.push(format!("game {number}: {} for {}", game["score_black"], one.sign));
            }
            counted.push(one);
        }
        Ok((counted, faults))
    }
}

/// All battles, newest first.
pub(super) fn battles(campus: &Campus, teacher: &Person) -> Result<Vec<Value>> {
    let mut all: Vec<Value> = Vec::new();
    let mut path = "/api/club/battles?limit=200".to_owned();
    loop {
        let page = teacher.get(campus, &path)?;
        all.extend(rows(&page["battles"]).iter().cloned());
        let Some(before) = page["next"].as_i64() else { return Ok(all) };
        path = format!("/api/club/battles?limit=200&before={before}");
    }
}

/// Counts a game.
fn count(game: &Value) -> Result<Counted> {
    let [black, white] = if game["place"] == 0 { [0, 1] } else { [1, 0] };
    let players = &game["battle"]["players"];
    let name = |place: usize| players[place]["name"].as_str().unwrap_or_default().to_owned();
    let forfeiter = match game["forfeiter"].as_str() {
        Some("black") => Some(0),
        Some("white") => Some(1),
        _ => None,
    };
    let moves = rows(&game["moves"]).iter().filter_map(|mv| mv["move"].as_str());
    let start = game["start"].as_str().context("a start")?;
    let (discs, is_over) = replay(start, moves)?;
    let sign = match forfeiter {
        Some(side) => [-1, 1][side],
        None => {
            ensure!(is_over && game["end"] == "over", "it ends before its end");
            (discs[1] - discs[0]).signum()
        }
    };
    Ok(Counted {
        names: [name(black), name(white)],
        accounts: [black, white].map(|place| players[place]["account"].as_i64()),
        kind: game["battle"]["kind"].as_str().unwrap_or_default().to_owned(),
        of_final: game["battle"]["of_final"].as_i64(),
        sign,
        forfeiter,
    })
}

/// Plays moves from a start such as `-----OX--XO----- X`: how many discs black and white have, and
/// whether nobody can move.
fn replay<'a>(start: &str, moves: impl Iterator<Item = &'a str>) -> Result<([i64; 2], bool)> {
    let (squares, turn) = start.split_once(' ').context("squares and a turn")?;
    let mut board: Vec<char> = squares.chars().collect();
    let width = board.len().isqrt();
    let mut turn = turn.chars().next().context("a turn")?;
    let other = |color: char| if color == 'X' { 'O' } else { 'X' };
    for name in moves {
        if name == "pass" {
            let can = (0..board.len()).any(|place| !turned(&board, width, place, turn).is_empty());
            ensure!(!can, "a pass where there are moves");
        } else {
            let (column, row) = name.split_at(1);
            let column = column.bytes().next().context("a column")? - b'a';
            let place = (row.parse::<usize>()? - 1) * width + usize::from(column);
            let line = turned(&board, width, place, turn);
            ensure!(!line.is_empty(), "{name} is no move");
            board[place] = turn;
            line.iter().for_each(|&disc| board[disc] = turn);
        }
        turn = other(turn);
    }
    let count = |color: char| board.iter().filter(|&&disc| disc == color).count();
    let discs = ['X', 'O'].map(|color| count(color).cast_signed() as i64);
    let is_stuck =
        |color| (0..board.len()).all(|place| turned(&board, width, place, color).is_empty());
    Ok((discs, is_stuck('X') && is_stuck('O')))
}

/// The discs that a move turns; none if it is not legal.
fn turned(board: &[char], width: usize, place: usize, color: char) -> Vec<usize> {
    let mut all = Vec::new();
    if board.get(place) != Some(&'-') {
        return all;
    }
    let at = |down: isize, right: isize| {
        let row = (place / width).checked_add_signed(down).filter(|&row| row < width)?;
        let column = (place % width).checked_add_signed(right).filter(|&column| column < width)?;
        Some(row * width + column)
    };
    for down in -1..=1 {
        for right in -1..=1 {
            let mut line = Vec::new();
            let mut steps = 1;
            while let Some(next) = at(steps * down, steps * right) {
                if board[next] == '-' || next == place {
                    break;
                }
                if board[next] == color {
                    all.append(&mut line);
                    break;
                }
                line.push(next);
                steps += 1;
            }
        }
    }
    all
}

/// Somebody's games won, drawn, lost and forfeited.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Total {
    pub(super) wins: i64,
    pub(super) draws: i64,
    pub(super) losses: i64,
    forfeits: i64,
}

impl Total {
    /// What a row of a table says.
    fn of(row: &Value) -> Total {
        let number = |key: &str| row[key].as_i64().unwrap_or(-1);
        Total {
            wins: number("wins"),
            draws: number("draws"),
            losses: number("losses"),
            forfeits: number("forfeits"),
        }
    }

    const fn points(self) -> i64 {
        POINTS * (self.wins - self.losses)
    }
}

/// Adds up games by what `key` finds for black and white.
pub(super) fn add_up<'a, K: Ord>(
    games: impl Iterator<Item = &'a Counted>,
    key: impl Fn(&Counted, usize) -> K,
) -> BTreeMap<K, Total> {
    let mut totals: BTreeMap<K, Total> = BTreeMap::new();
    for game in games {
        for side in [0, 1] {
            let total = totals.entry(key(game, side)).or_default();
            match game.sign * [1, -1][side] {
                1 => total.wins += 1,
                0 => total.draws += 1,
                _ => total.losses += 1,
            }
            total.forfeits += i64::from(game.forfeiter == Some(side));
        }
    }
    totals
}

/// Where a table says something else than the count.
pub(super) fn differences<K: Ord>(
    table: &[Value],
    totals: &BTreeMap<K, Total>,
    key: impl Fn(&Value) -> Option<K>,
) -> Vec<String> {
    let mut faults = Vec::new();
    for row in table {
        let counted = key(row).and_then(|key| totals.get(&key)).copied().unwrap_or_default();
        if Total::of(row) != counted || row["points"].as_i64() != Some(counted.points()) {
            faults.push(format!("{} has {row}, but {counted:?}", row["name"]));
        }
    }
    let is_sorted = table.is_sorted_by(|one, next| {
        one["points"].as_i64() >= next["points"].as_i64()
            && one["rank"].as_i64() <= next["rank"].as_i64()
    });
    if !is_sorted {
        faults.push("the table is not in the order of its points".to_owned());
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn games_are_played_again_by_rules_of_their_own() {
        let start = "-----OX--XO----- X";
        let (discs, is_over) = replay(start, ["a2"].into_iter()).unwrap();
        assert_eq!((discs, is_over), ([4, 1], false));
        assert!(replay(start, ["a1"].into_iter()).is_err());
        assert!(replay(start, ["pass"].into_iter()).is_err());
        assert_eq!(replay("XXXXXXXXXXXXXXX- O", [].into_iter()).unwrap(), ([15, 0], true));
    }

    #[test]
    fn totals_are_held_against_a_table() {
        let game = json!({
            "place": 1, "forfeiter": "black", "end": "crash", "score_black": -16, "moves": [],
            "start": "-----OX--XO----- X",
            "battle": {"kind": "ladder", "of_final": null, "players": [
                {"name": "ada", "account": 2}, {"name": "bob", "account": 3}]},
        });
        let counted = [count(&game).unwrap()];
        assert_eq!(counted[0].names, ["bob", "ada"]);
        let totals = add_up(counted.iter(), |game, side| game.accounts[side]);
        let row = |name: &str, account: i64, rank: i64, points: i64, wins: i64| {
            json!({"name": name, "account": account, "rank": rank, "points": points, "wins": wins,
                   "draws": 0, "losses": 1 - wins, "forfeits": 1 - wins})
        };
        let key = |row: &Value| Some(row["account"].as_i64());
        let table = [row("ada", 2, 1, 5, 1), row("bob", 3, 2, -5, 0)];
        assert_eq!(differences(&table, &totals, key), [""; 0]);
        let wrong = [row("ada", 2, 1, 10, 1), row("bob", 3, 2, -5, 0)];
        assert_eq!(differences(&wrong, &totals, key).len(), 1);
    }
}
