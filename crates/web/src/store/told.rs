//! What agents of the server's owner told with their moves: their time, and what they printed.

use rusqlite::{Connection, params};

/// The most bytes that are kept of what was told in a game; the earliest give way.
pub(super) const MOST_BYTES: i64 = 256 << 10;

/// The most moves of a game of which it is kept, variations included.
pub(super) const MOST_MOVES: i64 = 1024;

/// What an agent told with a move.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Told {
    /// The squares up to the move and with it, a comma between.
    pub(crate) line: String,
    /// The agent's spec.
    pub(crate) agent: String,
    pub(crate) seconds: f64,
    /// What it has printed since its last move.
    pub(crate) output: String,
}

/// Keeps what was told with moves of a game; a move that was told of before is told of anew.
pub(super) fn add(connection: &Connection, game: &str, told: &[Told]) -> rusqlite::Result<()> {
    if told.is_empty() {
        return Ok(());
    }
    let mut statement = connection.prepare_cached(
        "INSERT OR REPLACE INTO told (game, line, agent, seconds, output) \
         VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for Told { line, agent, seconds, output } in told {
        statement.execute(params![game, line, agent, seconds, output])?;
    }
    let mut trim = connection.prepare_cached(
        "DELETE FROM told WHERE game = ?1 AND number IN (SELECT number FROM (SELECT number, \
         sum(length(line) + length(CAST(agent AS BLOB)) + length(CAST(output AS BLOB))) OVER newest AS bytes, count(*) OVER newest AS moves \
         FROM told WHERE game = ?1 WINDOW newest AS (ORDER BY number DESC)) \
         WHERE bytes > ?2 OR moves > ?3)",
    )?;
    trim.execute(params![game, MOST_BYTES, MOST_MOVES])?;
    Ok(())
}

/// What was told with moves of a game, earliest first.
pub(super) fn of(connection: &Connection, game: &str) -> rusqlite::Result<Vec<Told>> {
    let query = "SELECT line, agent, seconds, output FROM told WHERE game = ?1 ORDER BY number";
    let mut statement = connection.prepare_cached(query)?;
    let told = statement.query_map([game], |row| {
        Ok(Told {
            line: row.get(0)?,
            agent: row.get(1)?,
            seconds: row.get(2)?,
            output: row.get(3)?,
        })
    })?;
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(number: usize, output: &str) -> Told {
        let (agent, output) = ("mine".to_owned(), output.to_owned());
        Told { line: format!("f5,{number}"), agent, seconds: 0.5, output }
    }

    fn lines(connection: &Connection, game: &str) -> Vec<String> {
        of(connection, game).unwrap().into_iter().map(|each| each.line).collect()
    }

    #[test]
    fn the_newest_are_kept_of_each_game() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(super::super::SCHEMA).unwrap();
        add(&connection, "other", &[told(0, "x")]).unwrap();
        let long = "é".repeat(4 << 10);
        for number in 0..40 {
            add(&connection, "game", &[told(number, &long)]).unwrap();
        }
        let kept = lines(&connection, "game");
        // Lines and names take room too.
        let each = (8 << 10) + "f5,39".len() + "mine".len();
        assert_eq!(kept.len(), usize::try_from(MOST_BYTES).unwrap() / each);
        assert_eq!((kept[0].as_str(), kept.last().unwrap().as_str()), ("f5,9", "f5,39"));
        let wide: Vec<Told> = (0..1000)
            .map(|number| Told { line: "a1,".repeat(511) + &number.to_string(), ..told(0, "") })
            .collect();
        add(&connection, "wide", &wide).unwrap();
        assert!((100..200).contains(&lines(&connection, "wide").len()), "long lines give way too");
        add(&connection, "game", &[told(39, "again")]).unwrap();
        let last = of(&connection, "game").unwrap().pop().unwrap();
        assert_eq!(last, told(39, "again"), "told anew");
        let silent: Vec<Told> = (0..2000).map(|number| told(number, "")).collect();
        add(&connection, "game", &silent).unwrap();
        assert_eq!(i64::try_from(lines(&connection, "game").len()).unwrap(), MOST_MOVES);
        assert_eq!(lines(&connection, "other"), ["f5,0"]);
    }
}
