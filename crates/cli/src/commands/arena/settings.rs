//! A tournament's settings, from options and from a file.

use crate::commands::records;
use crate::error::Error;
use crate::input::Input;
use crate::options::DefaultArgs;
use isrever_agent::Catalogue;
use isrever_arena::{Entrant, Openings, Plan, Spec, Sprt};
use isrever_board::{Game, Rule};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The options that say what games are to be like.
#[derive(clap::Args, Debug, Default)]
pub(super) struct GameArgs {
    /// What is played for: reversed (the default) or normal
    #[arg(long, value_name = "RULE")]
    pub(super) rule: Option<String>,

    /// Width of the board, even, 4 to 16 [default: 8]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(super) size: Option<usize>,

    /// Where all random choices come from [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(super) seed: Option<u64>,

    /// Time for a move, such as 5s, 250ms or 3m
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(super) time: Option<String>,

    /// Time for all moves of one side
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(super) game_time: Option<String>,

    /// How much later an answer may come, because the machine was busy [default: 50ms]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(super) grace: Option<String>,

    /// What times of Python agents are measured by: wall (the default), or cpu, which leaves out the
    /// time that they wait for a processor, for busy machines
    #[arg(long, value_name = "wall|cpu")]
    pub(super) clock: Option<String>,

    /// Boards for a move, instead of time: the games are the same on every machine
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(super) nodes: Option<u64>,

    /// Plies to look ahead
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(super) depth: Option<u32>,

    /// Games at once [default: one for each core, and for each thread that an agent has]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(super) concurrency: Option<usize>,
}

impl GameArgs {
    /// The same as a spec.
    pub(super) fn spec(&self) -> Spec {
        Spec {
            rule: self.rule.clone(),
            size: self.size,
            seed: self.seed,
            time: self.time.clone(),
            game_time: self.game_time.clone(),
            grace: self.grace.clone(),
            clock: self.clock.clone(),
            nodes: self.nodes,
            depth: self.depth,
            concurrency: self.concurrency,
            ..Spec::default()
        }
    }
}

/// The options that say who meets whom.
#[derive(clap::Args, Debug, Default)]
pub(super) struct TournamentArgs {
    /// Who plays: agents as `isrever agents` lists them, with settings behind a colon
    #[arg(long, num_args = 1.., value_name = "AGENT")]
    pub(super) players: Vec<String>,

    /// Who plays whom: round-robin (the default), gauntlet (the first against all others),
    /// ladder, challenge (the last climbs the others), sprt (two, until it is clear)
    #[arg(long, value_name = "FORMAT")]
    pub(super) format: Option<String>,

    /// Pairs of games for each two that meet [default: 10; for sprt at most 50000]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(super) pairs: Option<u64>,

    /// How often a ladder is climbed [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(super) rounds: Option<u64>,

    /// What games begin with: start, random:PLIES, balanced (600 that leave neither side ahead, for
    /// reversed on 8x8), or a file of positions or games [default: random:8]
    #[arg(long, value_name = "start|random:PLIES|balanced|FILE")]
    pub(super) openings: Option<String>,

    /// What the tournament is called
    #[arg(long, value_name = "NAME")]
    pub(super) name: Option<String>,

    /// sprt: the first is no stronger than this [default: 0]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub(super) elo0: Option<f64>,

    /// sprt: or it is at least so strong [default: 10]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub(super) elo1: Option<f64>,

    /// sprt: how often the stronger claim may be accepted wrongly [default: 0.05]
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub(super) alpha: Option<f64>,

    /// sprt: how often the weaker one may be [default: 0.05]
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub(super) beta: Option<f64>,

    #[command(flatten)]
    pub(super) game: GameArgs,
}

impl TournamentArgs {
    /// What was typed, and where that is silent what the file says.
    pub(super) fn spec(&self, file: Option<&Path>) -> Result<Spec, Error> {
        let file = file.map(read).transpose()?.unwrap_or_default();
        let entrant = |agent: &String| Entrant { name: None, agent: agent.clone() };
        let typed = Spec {
            name: self.name.clone(),
            format: self.format.clone(),
            players: self.players.iter().map(entrant).collect(),
            pairs: self.pairs,
            rounds: self.rounds,
            openings: self.openings.clone(),
            ..self.game.spec()
        };
        let mut spec = typed.or(file);
        let claims = [self.elo0, self.elo1, self.alpha, self.beta];
        if claims.iter().any(Option::is_some) {
            let said = spec.sprt.unwrap_or_default();
            spec.sprt = Some(Sprt {
                elo0: self.elo0.unwrap_or(said.elo0),
                elo1: self.elo1.unwrap_or(said.elo1),
                alpha: self.alpha.unwrap_or(said.alpha),
                beta: self.beta.unwrap_or(said.beta),
            });
        }
        Ok(spec)
    }
}

impl TournamentArgs {
    /// Makes the files that a tournament names independent of where it is gone on with: those that
    /// `file` names lie beside it, those that were typed where they were typed.
    pub(super) fn anchor(&self, plan: &mut Plan, catalogue: &Catalogue, file: Option<&Path>) {
        let beside = file.and_then(Path::parent).unwrap_or(Path::new(""));
        let folder = |is_typed: bool| if is_typed { Path::new("") } else { beside };
        for player in &mut plan.players {
            if let Some(entry) = catalogue.entry(player.agent.name()) {
                let folder = folder(!self.players.is_empty());
                player.agent = entry.rename_files(&player.agent, |name| found(name, folder));
            }
        }
        if let Openings::File(name) = &mut plan.openings
            && let Some(path) = found(name, folder(self.openings.is_some()))
        {
            *name = path;
        }
    }
}

/// The file of this name in a folder from the root on, if there is one and its name is text.
fn found(name: &str, folder: &Path) -> Option<String> {
    let path = std::path::absolute(folder.join(name)).ok().filter(|path| path.is_file())?;
    path.into_os_string().into_string().ok()
}

/// The tournament of a spec; what is wrong with it is said with the name of the file, if there is
/// one.
pub(super) fn settle(spec: &Spec, file: Option<&Path>) -> Result<Plan, Error> {
    let place = file.map_or_else(|| "arguments".to_owned(), |path| path.display().to_string());
    spec.settle().map_err(|error| Error::input(place, error))
}

fn read(path: &Path) -> Result<Spec, Error> {
    let input = Input::read_named(path.as_os_str())?;
    let to_error = |offence: &dyn std::fmt::Display| Error::input(path.display(), offence);
    let text = std::str::from_utf8(&input.bytes)
        .map_err(|_| to_error(&"not UTF-8; expected a tournament in TOML"))?;
    Spec::read(text).map_err(|error| to_error(&error))
}

/// What the games of a tournament begin with.
pub(super) fn openings(plan: &Plan) -> Result<Vec<Game>, Error> {
    match &plan.openings {
        Openings::File(name) => {
            let path = PathBuf::from(name);
            let mut games = positions(path.as_os_str(), plan)?;
            games.truncate(plan.opening_count());
            Ok(games)
        }
        drawn => Ok(drawn.draw(plan.rule, plan.size, plan.seed, plan.opening_count())),
    }
}

/// The positions and games of a file, all of the tournament's size and none of them over; they
/// are played on under its rule, whatever theirs was.
pub(super) fn positions(name: &OsStr, plan: &Plan) -> Result<Vec<Game>, Error> {
    let input = Input::read_named(name)?;
    let asked = DefaultArgs { rule: None, size: Some(plan.size) };
    let mut games = Vec::new();
    for (record, number) in records(&input, None, &asked, None)?.zip(1..) {
        let game = under(plan.rule, &record?.game);
        if game.is_over() {
            let offence = format_args!("game {number} is over; expected moves to play");
            return Err(Error::input(&input.place, offence));
        }
        games.push(game);
    }
    Ok(games)
}

/// The same moves under another rule.
pub(super) fn under(rule: Rule, game: &Game) -> Game {
    let mut other = Game::from_position(rule, game.start().clone());
    for &mv in game.moves() {
        other.play(mv).expect("the rule does not decide which moves are legal");
    }
    other
}
