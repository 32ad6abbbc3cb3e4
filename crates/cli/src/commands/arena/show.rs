//! `isrever arena show`: shows the tournaments of a database.

use super::table::{self, TableError};
use super::{along, store_error};
use crate::error::Error;
use crate::output::json_line;
use isrever_arena::{
    Circle, Counts, Pairing, Plan, Played, Standings, Store, Together, Tournament, circles, csv,
    pgn, record,
};
use isrever_board::text::{Format, Writer};
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

/// The most characters of why a game was forfeited in a line on a screen.
const MOST_OF_REASON: usize = 80;

/// Show a tournament: the table, its games, circles in it
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever arena show arena.db                    the last tournament: ratings and cross table
  isrever arena show arena.db --list             the tournaments there are
  isrever arena show arena.db --results          a line for each game
  isrever arena show arena.db --game 7           game 7 as GGF, with the time of each move
  isrever arena show arena.db --game 7 | isrever show - --step
  isrever arena show arena.db --games > all.ggf  every game
  isrever arena show arena.db --pgn > all.pgn    for tools that rate players by PGN
  isrever arena show arena.db --csv              the table for a spreadsheet
  isrever arena show arena.db --circles          players that beat each other in a circle
  isrever arena show arena.db --together         one table of all tournaments of one game
  isrever arena show arena.db --together --along playouts > growth.svg
Ratings are the likeliest under the model of Bradley and Terry, 0 being the mean; their intervals
take pairs of games for units. Each player is given one draw beforehand, so that all can be rated.
Points are 5 for a win and -5 for a loss, discs are per game. Games that two players repeat move by
move count once for ratings and intervals, unless chance has a hand in them.
With --together all tournaments with the rule and board of the one asked for make one table; a player
is the same in two of them if its name and its agent are. --along draws ratings with 95 % intervals by
a number in the agents' specs, in steps of ten times as much; agents without it are level lines.
With --json one object per line, whose key kind says what it is: tournament, player or pairing; with
--games or --game it is game, with --circles circle.")]
pub(super) struct ShowArgs {
    /// The file that arena run made
    #[arg(value_name = "DB")]
    db: PathBuf,

    /// Which tournament [default: the last]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    tournament: Option<i64>,

    /// The tournaments there are
    #[arg(long, conflicts_with_all = ["tournament", "results", "game", "games", "csv", "pgn", "circles"])]
    list: bool,

    /// A line for each game: who played, and how it ended
    #[arg(long, conflicts_with_all = ["game", "games", "csv", "pgn", "circles", "json"])]
    results: bool,

    /// One game, as GGF
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    game: Option<u64>,

    /// All games, as GGF
    #[arg(long, conflicts_with = "game")]
    games: bool,

    /// The table as CSV
    #[arg(long, conflicts_with_all = ["game", "games", "json"])]
    csv: bool,

    /// Games in the shape of PGN
    #[arg(long, conflicts_with_all = ["csv", "json"])]
    pgn: bool,

    /// Players that beat each other in a circle
    #[arg(long, conflicts_with_all = ["game", "games", "csv", "pgn"])]
    circles: bool,

    /// One table of all tournaments with the same rule and board
    #[arg(long, conflicts_with_all = ["list", "results", "game", "games", "pgn", "circles"])]
    together: bool,

    /// A picture (SVG): ratings by this key of the agents, such as playouts
    #[arg(long, value_name = "KEY",
          conflicts_with_all = ["list", "results", "game", "games", "csv", "pgn", "circles", "json"])]
    along: Option<String>,

    /// How sure each link of a circle must be
    #[arg(long, default_value_t = 0.95, value_name = "P", requires = "circles",
          value_parser = likelihood, allow_negative_numbers = true)]
    level: f64,

    /// One object per line
    #[arg(long)]
    json: bool,
}

fn likelihood(text: &str) -> Result<f64, &'static str> {
    let level = text.parse().ok().filter(|level| (0.5..1.0).contains(level));
    level.ok_or("not a likelihood; expected a number from 0.5 to below 1")
}

/// Shows what was asked for.
pub(super) fn run(args: &ShowArgs, out: &mut dyn Write) -> Result<(), Error> {
    let to_error = |error| store_error(&args.db, error);
    let store = Store::open(&args.db).map_err(to_error)?;
    if args.list {
        return list(&store, args, out).map_err(|error| error.into_error(to_error));
    }
    let tournament = match args.tournament {
        Some(id) => store.tournament(id).map_err(to_error)?,
        None => store.tournaments().map_err(to_error)?.pop().ok_or_else(|| {
            Error::input(args.db.display(), "there is no tournament in it; expected one")
        })?,
    };
    if let Some(number) = args.game {
        let game = number.checked_sub(1).map(|number| store.game(&tournament, number));
        let game = game.transpose().map_err(to_error)?.flatten();
        let (pairing, played) = game.ok_or_else(|| {
            let offence = format_args!(
                "game {number} of tournament {} is not there; expected one of the {} finished",
                tournament.id, tournament.finished
            );
            Error::input(args.db.display(), offence)
        })?;
        return write_game(args, &tournament, &pairing, &played, out);
    }
    if args.results {
        let games = store.games(tournament.id).map_err(to_error)?;
        // Nobody reads the line of a file or pipe at a glance.
        let most = if io::stdout().is_terminal() { MOST_OF_REASON } else { usize::MAX };
        for line in table::results(&tournament.plan, &games, most) {
            writeln!(out, "{line}")?;
        }
        return Ok(());
    }
    if args.games || args.pgn {
        for summary in store.games(tournament.id).map_err(to_error)? {
            let number = summary.outcome.number;
            if let Some((pairing, played)) = store.game(&tournament, number).map_err(to_error)? {
                write_game(args, &tournament, &pairing, &played, out)?;
            }
        }
        return Ok(());
    }
    if args.together {
        let together = Together::like(&tournament, &store).map_err(to_error)?;
        if args.csv || args.along.is_some() {
            return write_table(args, &together.plan, &together.standings, out);
        }
        let shown = table::show_together(&store, &together, args.json, out);
        return shown.map_err(|error| error.into_error(to_error));
    }
    if args.csv || args.along.is_some() {
        let standings = store.standings(&tournament).map_err(to_error)?;
        return write_table(args, &tournament.plan, &standings, out);
    }
    if args.circles {
        let table = store.standings(&tournament).map_err(to_error)?.evidence_table();
        return write_circles(&circles(&table, args.level), &tournament, args, out);
    }
    table::show(&store, &tournament, args.json, out).map_err(|error| error.into_error(to_error))
}

/// The table as CSV, or as a picture along a key.
fn write_table(
    args: &ShowArgs,
    plan: &Plan,
    standings: &Standings,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let text = match &args.along {
        None => csv(plan, standings),
        Some(key) => along::picture(plan, standings, key).ok_or_else(|| {
            let offence = format_args!("no player has a number {key}=; expected one at least");
            Error::input(args.db.display(), offence)
        })?,
    };
    Ok(out.write_all(text.as_bytes())?)
}

fn list(store: &Store, args: &ShowArgs, out: &mut dyn Write) -> Result<(), TableError> {
    for tournament in store.tournaments()? {
        let schedule = store.schedule(&tournament)?;
        if args.json {
            json_line(out, &table::tournament_row(&tournament, &schedule))?;
        } else {
            writeln!(out, "{}", table::list_line(&tournament, &schedule))?;
        }
    }
    Ok(())
}

fn write_game(
    args: &ShowArgs,
    tournament: &Tournament,
    pairing: &Pairing,
    played: &Played,
    out: &mut dyn Write,
) -> Result<(), Error> {
    if args.json {
        return Ok(json_line(out, &table::game_row(tournament, pairing, played))?);
    }
    if args.pgn {
        return Ok(out.write_all(pgn(tournament, pairing, played).as_bytes())?);
    }
    let mut writer = Writer::new(Format::Ggf);
    let written = writer.push(&record(tournament, pairing, played));
    written.map_err(|error| Error::input(args.db.display(), error))?;
    Ok(out.write_all(&writer.take())?)
}

#[derive(Serialize)]
struct CircleRow<'a> {
    kind: &'static str,
    players: [&'a str; 3],
    counts: [Counts; 3],
    superiority: [f64; 3],
    likelihood: f64,
    chance: f64,
}

fn write_circles(
    circles: &[Circle],
    tournament: &Tournament,
    args: &ShowArgs,
    out: &mut dyn Write,
) -> Result<(), Error> {
    if circles.is_empty() && !args.json {
        let level = 100.0 * args.level;
        writeln!(out, "Nobody beats each other in a circle, each link sure to {level} %.")?;
    }
    for circle in circles {
        if args.json {
            let plan = &tournament.plan;
            let row = CircleRow {
                kind: "circle",
                players: circle.players.map(|player| plan.players[player].name.as_str()),
                counts: circle.counts,
                superiority: circle.counts.map(|counts| counts.superiority()),
                likelihood: circle.likelihood,
                chance: circle.chance,
            };
            json_line(out, &row)?;
        } else {
            writeln!(out, "{}", table::circle_line(&tournament.plan, circle))?;
        }
    }
    Ok(())
}
