//! `isrever arena run` and `resume`: play tournaments and keep every game.

use super::settings::{self, TournamentArgs};
use super::table;
use super::{agent_error, at_once, catalogue, check_agents, store_error};
use crate::cluster::ClusterArgs;
use crate::commands::stopped_by_ctrl_c;
use crate::error::Error;
use crate::output::json_line;
use crate::plain::plain;
use crate::progress::style;
use indicatif::ProgressBar;
use isrever_agent::Catalogue;
use isrever_arena::{
    Attached, News, Outcome, Pen, Plan, Player, Run, RunError, Schedule, Spec, Standings, Store,
    StoreError, Tournament,
};
use isrever_board::{Color, Game};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How often the table on the screen changes at most.
const REFRESH: Duration = Duration::from_millis(250);

/// Play a tournament and keep every game
#[derive(clap::Args, Debug)]
#[command(after_help = format!("\
Examples:
  isrever arena run --players random greedy depth3 --pairs 20 --nodes 2000
  isrever arena run cup.toml --db cup.db
  isrever arena run --format gauntlet --players engine:time=100ms genetic maximax --time 1s
  isrever arena run --format sprt --players maximax:q=0.5 maximax --elo1 20 --nodes 5000
Every opening is played twice, colours swapped. Without a limit each side has 5 s for a move and
180 s for a game, as on the course's platform; a side that answers later than that and the grace
loses, and so does one that plays illegally, crashes or never answers. A Python file or a program
that cannot even start is refused before the first game. Games limited by nodes or depth are the
same for the same seed, however many are played at once. No more timed games run at once than there
are cores for the threads of their agents.
A tournament may be written down in TOML, with the keys {};
docs/guide/formats.md says what they mean. Options override the file. Paths in it are relative to
the file.
Each finished game is in the database at once: arena resume goes on after a kill, arena show shows
what is there. Several tournaments fit in one database.
With --json one object per game as it is finished, then what arena show --json prints.", Spec::KEYS.names().join(", ")))]
pub(super) struct RunArgs {
    /// A tournament in TOML
    #[arg(value_name = "SPEC.toml")]
    spec: Option<PathBuf>,

    /// Keep it in this file
    #[arg(long, default_value = "arena.db", value_name = "FILE")]
    db: PathBuf,

    /// One object per line
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    tournament: TournamentArgs,

    #[command(flatten)]
    cluster: ClusterArgs,
}

/// Go on with a tournament that was stopped or killed
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  isrever arena resume arena.db
  isrever arena resume arena.db --tournament 3
Finished games stay, the others are played. Without --tournament it goes on with all tournaments
that are not over, the oldest first.")]
pub(super) struct ResumeArgs {
    /// The file that arena run made
    #[arg(value_name = "DB")]
    db: PathBuf,

    /// Only this one
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    tournament: Option<i64>,

    /// Games at once [default: one for each core, and for each thread that an agent has]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    concurrency: Option<usize>,

    /// One object per line
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    cluster: ClusterArgs,
}

/// Plays a new tournament.
pub(super) fn run(args: &RunArgs, out: &mut dyn Write) -> Result<(), Error> {
    let file = args.spec.as_deref();
    let spec = args.tournament.spec(file)?;
    let mut plan = settings::settle(&spec, file)?;
    let catalogue = catalogue();
    args.tournament.anchor(&mut plan, &catalogue, file);
    check_agents(&plan, &catalogue, file)?;
    let at_once = at_once(&plan, &catalogue, spec.concurrency)?;
    let openings = settings::openings(&plan)?;
    check_cluster(&args.cluster, &plan, &catalogue, file)?;
    // Workers start agents with a Python of their own.
    if !args.cluster.is_wanted() {
        check_starts(&plan, &catalogue, file)?;
    }
    let to_error = |error| store_error(&args.db, error);
    let mut store = Store::create(&args.db).map_err(to_error)?;
    let pen = store.pen().map_err(to_error)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let id = store.enter(&pen, &plan, &openings, now.cast_signed()).map_err(to_error)?;
    let tournament = store.tournament(id).map_err(to_error)?;
    let stop = stopped_by_ctrl_c();
    let cluster = &args.cluster;
    let mut runner = Runner { path: &args.db, store, pen, json: args.json, cluster, stop };
    runner.play(&tournament, at_once, out)
}

/// Refuses a tournament with an agent of somebody else's that cannot even start: it would lose every
/// game.
fn check_starts(plan: &Plan, catalogue: &Catalogue, file: Option<&Path>) -> Result<(), Error> {
    let game = Game::new(plan.rule, plan.size);
    for Player { agent, .. } in &plan.players {
        let to_error = |error| agent_error(agent, file, error);
        let entry = catalogue.find(agent).map_err(to_error)?;
        if !entry.kind().is_foreign() {
            continue;
        }
        let mut made = entry.make(agent, plan.seed).map_err(to_error)?;
        if let Err(forfeit) = made.prepare(&game, Color::Black, plan.clock.time) {
            if forfeit.is_machine() {
                return Err(Error::Io(format!("agent {agent} {forfeit}")));
            }
            let offence =
                format_args!("it cannot start; expected one that can: {}", forfeit.details);
            return Err(agent_error(agent, file, offence));
        }
    }
    Ok(())
}

/// Makes sure that a cluster can play it, if one is to, before anything is written.
fn check_cluster(
    cluster: &ClusterArgs,
    plan: &Plan,
    catalogue: &Catalogue,
    file: Option<&Path>,
) -> Result<(), Error> {
    if !cluster.is_wanted() {
        return Ok(());
    }
    let sent = Attached::default();
    for player in &plan.players {
        let goes = sent.send(&player.agent, catalogue);
        goes.map_err(|error| agent_error(&player.agent, file, error))?;
    }
    cluster.reach()
}

/// Goes on with what is there.
pub(super) fn resume(args: &ResumeArgs, out: &mut dyn Write) -> Result<(), Error> {
    let to_error = |error| store_error(&args.db, error);
    let store = Store::open(&args.db).map_err(to_error)?;
    let pen = store.pen().map_err(to_error)?;
    let tournaments = match args.tournament {
        Some(id) => vec![store.tournament(id).map_err(to_error)?],
        None => store.tournaments().map_err(to_error)?,
    };
    let mut open = Vec::new();
    let catalogue = catalogue();
    for tournament in tournaments {
        if args.tournament.is_some() || !store.schedule(&tournament).map_err(to_error)?.is_over() {
            check_agents(&tournament.plan, &catalogue, Some(&args.db))?;
            check_cluster(&args.cluster, &tournament.plan, &catalogue, Some(&args.db))?;
            let at_once = at_once(&tournament.plan, &catalogue, args.concurrency)?;
            open.push((at_once, tournament));
        }
    }
    if open.is_empty() && !args.json {
        writeln!(out, "Nothing is left to play in {}.", args.db.display())?;
    }
    let stop = stopped_by_ctrl_c();
    let cluster = &args.cluster;
    let mut runner = Runner { path: &args.db, store, pen, json: args.json, cluster, stop };
    open.iter().try_for_each(|(at_once, tournament)| runner.play(tournament, *at_once, out))
}

/// Plays tournaments of one file.
struct Runner<'a> {
    path: &'a Path,
    store: Store,
    pen: Pen,
    json: bool,
    cluster: &'a ClusterArgs,
    stop: Arc<AtomicBool>,
}

impl Runner<'_> {
    fn play(
        &mut self,
        tournament: &Tournament,
        at_once: usize,
        out: &mut dyn Write,
    ) -> Result<(), Error> {
        let to_error = |error: StoreError| store_error(self.path, error);
        let standings = self.store.standings(tournament).map_err(to_error)?;
        let schedule = self.store.schedule(tournament).map_err(to_error)?;
        let mut screen = Screen::new(tournament, standings, &schedule);
        let mut told = Ok(());
        let json = self.json;
        let mut tell = |news: &News<'_>| {
            screen.show(news);
            if json && told.is_ok() {
                told = json_line(out, &table::game_row(tournament, &news.pairing, news.played));
            }
        };
        let stop = Arc::clone(&self.stop);
        let Tournament { id, created, .. } = tournament;
        let crew = self.cluster.crew(at_once, self.path, &format!("{id} {created}"));
        let mut run = Run { catalogue: catalogue(), crew, stop, tell: &mut tell };
        let is_over = run.play(&mut self.store, &self.pen, tournament);
        let is_over = is_over.map_err(|error| match error {
            RunError::Take(error) => to_error(error),
            RunError::Machine(..) | RunError::Remote(..) => Error::Io(format!(
                "{error}; no game is lost by that, and arena resume plays the rest"
            )),
        })?;
        screen.bar.finish_and_clear();
        told?;
        table::show(&self.store, tournament, json, out)
            .map_err(|error| error.into_error(|error| store_error(self.path, error)))?;
        if is_over {
            return if json { Ok(()) } else { self.tell_where(tournament, out) };
        }
        let finished = self.store.schedule(tournament).map_err(to_error)?.finished();
        let resume = format!("isrever arena resume {}", self.path.display());
        Err(Error::Stopped(format!("stopped: {finished} games are kept; {resume} goes on")))
    }
}

impl Runner<'_> {
    /// Says where the games are, and how to see them.
    fn tell_where(&self, tournament: &Tournament, out: &mut dyn Write) -> Result<(), Error> {
        let tournaments = self.store.tournaments();
        let last = tournaments.map_err(|error| store_error(self.path, error))?.pop();
        let which = match last {
            Some(last) if last.id == tournament.id => String::new(),
            _ => format!(" --tournament {}", tournament.id),
        };
        let path = plain(&self.path.display().to_string());
        let show = format!("isrever arena show {path}{which}");
        writeln!(out, "Every game is kept in {path}: {show} --results lists them,")?;
        Ok(writeln!(out, "{show} --game 1 | isrever show - --step replays the first.")?)
    }
}

/// The live table and the bar below it, if a person is watching.
struct Screen<'a> {
    tournament: &'a Tournament,
    standings: Standings,
    bar: ProgressBar,
    changed: Option<Instant>,
}

impl Screen<'_> {
    fn new<'a>(
        tournament: &'a Tournament,
        standings: Standings,
        schedule: &Schedule,
    ) -> Screen<'a> {
        let bar = ProgressBar::new(schedule.most_games());
        bar.set_style(style("{msg}\n{bar:40} {pos} of {len} games, {time}"));
        // What was played before says nothing about how long the rest takes.
        bar.set_position(schedule.finished());
        bar.reset_eta();
        Screen { tournament, standings, bar, changed: None }
    }

    fn show(&mut self, news: &News<'_>) {
        self.standings.add(&Outcome::of(&news.pairing, news.played));
        self.bar.set_length(news.schedule.most_games());
        self.bar.set_position(news.schedule.finished());
        if !self.bar.is_hidden() && self.changed.is_none_or(|last| last.elapsed() > REFRESH) {
            self.changed = Some(Instant::now());
            let mut lines = table::brief_rows(&self.tournament.plan, &self.standings);
            lines.extend(table::test_line(&self.tournament.plan, news.schedule));
            self.bar.set_message(lines.join("\n"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_knows_its_games_before_the_first_is_played() {
        let spec = Spec::read("players = [\"random\", \"greedy\"]\npairs = 9").unwrap();
        let plan = spec.settle().unwrap();
        let tournament = Tournament { id: 1, plan, created: 0, date: String::new(), finished: 0 };
        let schedule = Schedule::new(&tournament.plan);
        let screen = Screen::new(&tournament, Standings::new(2), &schedule);
        assert_eq!((screen.bar.position(), screen.bar.length()), (0, Some(18)));
    }
}
