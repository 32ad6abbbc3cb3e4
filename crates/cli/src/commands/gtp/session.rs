//! A GTP session: which answer follows which command.

use super::clock::Clocks;
use super::command::Command;
use crate::commands::protocol::{Line, MOST_LINE_BYTES, SearchEvent, Task};
use crate::draw::{self, Style};
use crate::messages;
use crate::plain::plain;
use isrever_agent::{Limits, Share};
use isrever_board::text::Record;
use isrever_board::{Color, Game, Marks, Move, Rule, Size, Square};
use std::time::Duration;

/// The commands, in the order they are listed in.
const COMMANDS: [&str; 27] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "time_settings",
    "time_left",
    "set_game",
    "list_games",
    "loadsgf",
    "showboard",
    "final_score",
    "gogui-interrupt",
    "gogui-rules_board",
    "gogui-rules_board_size",
    "gogui-rules_final_result",
    "gogui-rules_game_id",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
];

/// What is to be done about what was said.
#[derive(Clone, Debug)]
pub(super) enum Act {
    /// Answer; a blank line follows.
    Say(String),
    Think(Task),
    Quit,
}

/// An answer that waits for a move.
#[derive(Clone, Debug)]
struct Question {
    number: Option<String>,
    /// Whether the move is to be played.
    plays: bool,
    /// How many passes were played before it.
    implied: usize,
}

/// What reads a file of a game, or says why not.
type Reader<'a> = dyn Fn(&str) -> Result<Record, String> + 'a;

/// What is known so far.
pub(super) struct Session<'a> {
    game: Game,
    clocks: Clocks,
    /// What the engine allows itself for each move.
    share: Share,
    /// How many plies each command has played: a pass may have been implied.
    steps: Vec<usize>,
    asked: Option<Question>,
    read: &'a Reader<'a>,
}

impl<'a> Session<'a> {
    /// A conversation that begins with `game`.
    pub(super) fn new(game: Game, share: Share, read: &'a Reader<'a>) -> Session<'a> {
        let (clocks, steps) = (Clocks::default(), Vec::new());
        Session { game, clocks, share, steps, asked: None, read }
    }

    /// Whether a line says nothing: it disturbs nobody.
    pub(super) fn is_nothing(line: &Line) -> bool {
        // GoGui asks a thinking engine to come to an end by a comment.
        matches!(line, Line::Text(text) if Command::read(text).is_none()
            && !text.trim_start().starts_with("# interrupt"))
    }

    /// Whether a line ends the conversation.
    pub(super) fn is_quit(line: &Line) -> bool {
        matches!(line, Line::Text(text) if Command::read(text).is_some_and(|c| c.name == "quit"))
    }

    /// What a line asks for. Not to be called while a move is awaited.
    pub(super) fn hear(&mut self, line: &Line) -> Vec<Act> {
        let text = match line {
            Line::Text(text) => text,
            Line::TooLong => {
                let offence = format!("line too long; expected at most {MOST_LINE_BYTES} bytes");
                return vec![Act::Say(Command::answer(None, &Err(offence)))];
            }
        };
        let Some(command) = Command::read(text) else { return Vec::new() };
        let answer = match command.name {
            "genmove" | "reg_genmove" => match self.ask(&command) {
                Ok(task) => return vec![Act::Think(task)],
                Err(Silent::Answer(answer)) => Ok(answer),
                Err(Silent::Refusal(offence)) => Err(offence),
            },
            _ => self.obey(&command),
        };
        // What was sent may stand in it.
        let answer = answer.map_err(|offence| plain(&offence));
        let said = Act::Say(Command::answer(command.number, &answer));
        match command.name {
            "quit" => vec![said, Act::Quit],
            _ => vec![said],
        }
    }

    fn obey(&mut self, command: &Command<'_>) -> Result<String, String> {
        let done = |()| String::new();
        match (command.name, command.words.as_slice()) {
            ("protocol_version", _) => Ok("2".to_owned()),
            ("name", _) => Ok("Isrever".to_owned()),
            ("version", _) => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            ("known_command", [name, ..]) => Ok(COMMANDS.contains(name).to_string()),
            ("list_commands", _) => Ok(COMMANDS.join("\n")),
            ("quit" | "komi" | "gogui-interrupt", _) => Ok(String::new()),
            ("boardsize", [width, ..]) => self.set_size(width).map(done),
            ("clear_board", _) => {
                self.begin(self.game.rule(), self.game.size());
                Ok(String::new())
            }
            ("play", [color, name, ..]) => self.play(color, name).map(done),
            ("undo", _) => self.undo().map(done),
            ("time_settings", [main, period, moves, ..]) => {
                let expected = "expected time_settings main_time byo_yomi_time byo_yomi_stones";
                let agreed = seconds(main).zip(seconds(period)).zip(moves.parse().ok());
                let ((main, period), moves) = agreed.ok_or_else(|| offence(command, expected))?;
                self.clocks = Clocks::agree(main, period, moves);
                Ok(String::new())
            }
            ("time_left", [color, time, moves, ..]) => {
                let expected = "expected time_left color time stones";
                let said = seconds(time).zip(moves.parse().ok());
                let (time, moves) = said.ok_or_else(|| offence(command, expected))?;
                self.clocks.set(read_color(color)?, time, moves);
                Ok(String::new())
            }
            ("list_games", _) => Ok(Rule::ALL.map(game_name).join("\n")),
            ("set_game", words) => self.set_game(&words.join(" ")).map(done),
            ("loadsgf", [name, rest @ ..]) => self.load(name, rest.first().copied()),
            ("showboard", _) => Ok(self.drawn()),
            ("final_score", _) => self.final_score(),
            ("gogui-rules_game_id", _) => Ok(game_name(self.game.rule()).to_owned()),
            ("gogui-rules_board", _) => Ok(self.rows()),
            ("gogui-rules_board_size", _) => Ok(self.game.size().to_string()),
            ("gogui-rules_legal_moves", _) => Ok(match self.game.position().must_pass() {
                true => "pass".to_owned(),
                false => messages::list(&self.game.position().moves()),
            }),
            ("gogui-rules_side_to_move", _) => Ok(self.game.position().turn().to_string()),
            ("gogui-rules_final_result", _) => Ok(match self.game.is_over() {
                true => messages::standing(self.game.position(), self.game.rule(), Style::PLAIN),
                false => String::new(),
            }),
            (name, _) if COMMANDS.contains(&name) => {
                Err(offence(command, "something is missing; expected more arguments"))
            }
            _ => Err("unknown command".to_owned()),
        }
    }

    fn begin(&mut self, rule: Rule, size: Size) {
        self.game = Game::new(rule, size);
        self.steps.clear();
        self.clocks.begin();
    }

    fn set_size(&mut self, width: &str) -> Result<(), String> {
        let size: Size = width.parse().map_err(|_| "unacceptable size".to_owned())?;
        self.begin(self.game.rule(), size);
        Ok(())
    }

    fn set_game(&mut self, name: &str) -> Result<(), String> {
        let rule = Rule::ALL.into_iter().find(|&rule| game_name(rule).eq_ignore_ascii_case(name));
        let expected =
            || format!("unknown game {name:?}; expected {}", Rule::ALL.map(game_name).join(" or "));
        self.begin(rule.ok_or_else(expected)?, self.game.size());
        Ok(())
    }

    /// Plays what is forced before it is the turn of `color`.
    fn turn_to(&mut self, color: Color) -> Result<usize, String> {
        let turn = self.game.position().turn();
        if turn == color {
            return Ok(0);
        }
        match self.game.play(Move::Pass) {
            Ok(()) => Ok(1),
            Err(_) if self.game.is_over() => Ok(0),
            Err(_) => Err(format!("it is {turn}'s turn; expected {turn}")),
        }
    }

    fn play(&mut self, color: &str, name: &str) -> Result<(), String> {
        let color = read_color(color)?;
        let mv = match name.to_ascii_lowercase().as_str() {
            "pass" | "pa" => Move::Pass,
            _ => Move::Place(name.parse::<Square>().map_err(|_| {
                format!("invalid coordinate {name:?}; expected a square such as f5, or pass")
            })?),
        };
        let implied = self.turn_to(color)?;
        match self.game.play(mv) {
            Ok(()) => {
                self.steps.push(implied + 1);
                Ok(())
            }
            Err(error) => {
                self.take_back(implied);
                Err(format!("illegal move: {error}"))
            }
        }
    }

    fn undo(&mut self) -> Result<(), String> {
        let plies = self.steps.pop().ok_or_else(|| "cannot undo".to_owned())?;
        self.take_back(plies);
        Ok(())
    }

    /// What to think about so that `genmove` can be answered, or the answer.
    fn ask(&mut self, command: &Command<'_>) -> Result<Task, Silent> {
        let plays = command.name == "genmove";
        let [color, ..] = command.words.as_slice() else {
            return Err(Silent::Refusal(offence(command, "expected a colour")));
        };
        let color = read_color(color).map_err(Silent::Refusal)?;
        if self.game.is_over() {
            return Err(Silent::Answer("pass".to_owned()));
        }
        let implied = self.turn_to(color).map_err(Silent::Refusal)?;
        if self.game.position().must_pass() {
            if plays {
                self.game.play(Move::Pass).expect("the pass is forced");
                self.steps.push(implied + 1);
            }
            return Err(Silent::Answer("pass".to_owned()));
        }
        let clock = self.clocks.left(color);
        let limits = Limits { clock, ..Limits::default() }.tightened(&self.share);
        let number = command.number.map(str::to_owned);
        self.asked = Some(Question { number, plays, implied });
        Ok(Task::Move(self.game.clone(), limits))
    }

    /// The move is there.
    pub(super) fn found(&mut self, event: &SearchEvent) -> Vec<Act> {
        let (SearchEvent::Move(mv, _, seconds), Some(asked)) = (event, self.asked.take()) else {
            return Vec::new();
        };
        if asked.plays {
            let color = self.game.position().turn();
            self.clocks.spend(color, Duration::from_secs_f64(*seconds));
            self.game.play(*mv).expect("the engine plays legal moves");
            self.steps.push(asked.implied + 1);
        } else {
            self.take_back(asked.implied);
        }
        vec![Act::Say(Command::answer(asked.number.as_deref(), &Ok(mv.to_string())))]
    }

    fn take_back(&mut self, plies: usize) {
        for _ in 0..plies {
            self.game.undo();
        }
    }

    /// Goes to the position before move number `before` of a file, or after its last.
    fn load(&mut self, name: &str, before: Option<&str>) -> Result<String, String> {
        let cannot = |offence: String| format!("cannot load file: {offence}");
        let mut game = (self.read)(name).map_err(cannot)?.game;
        if let Some(before) = before {
            let number = before.parse().ok().filter(|&number| number > 0);
            let number: usize = number.ok_or_else(|| {
                cannot(format!("{before:?} is no number of a move; expected one from 1 up"))
            })?;
            while game.ply() >= number {
                game.undo();
            }
        }
        self.game = game;
        self.steps = vec![1; self.game.ply()];
        self.clocks.begin();
        Ok(self.game.position().turn().to_string())
    }

    fn final_score(&self) -> Result<String, String> {
        if !self.game.is_over() {
            return Err("cannot score: the game is not over".to_owned());
        }
        let score = self.game.score(Color::Black);
        Ok(match score {
            0 => "0".to_owned(),
            1.. => format!("B+{score}"),
            _ => format!("W+{}", -score),
        })
    }

    /// The board for people.
    fn drawn(&self) -> String {
        let position = self.game.position();
        let mut board = b"\n".to_vec();
        let style = Style::LETTERS;
        let drawn = draw::board(&mut board, position, &Marks::of_last_disc(&self.game), style);
        drawn.expect("memory can be written to");
        let board = String::from_utf8_lossy(&board).into_owned();
        board + &messages::standing(position, self.game.rule(), style)
    }

    /// The board for programs: a row for each line, from the top.
    fn rows(&self) -> String {
        let text = self.game.position().draft().discs;
        let letter = |disc: &Option<Color>| match disc {
            Some(Color::Black) => "X",
            Some(Color::White) => "O",
            None => ".",
        };
        let width = usize::from(self.game.size().width());
        let rows =
            text.chunks(width).map(|row| row.iter().map(letter).collect::<Vec<_>>().join(" "));
        rows.collect::<Vec<_>>().join("\n")
    }
}

/// Why there is nothing to think about.
enum Silent {
    Answer(String),
    Refusal(String),
}

/// What a game is called, by its rule.
fn game_name(rule: Rule) -> &'static str {
    match rule {
        Rule::Reversed => "Reversed Othello",
        Rule::Normal => "Othello",
    }
}

fn read_color(text: &str) -> Result<Color, String> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Color::Black),
        "w" | "white" => Ok(Color::White),
        _ => Err(format!("invalid colour {text:?}; expected b or w")),
    }
}

fn seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    // More than some days is no time for a game.
    (0.0..1e6).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

/// What is wrong with the arguments of a command.
fn offence(command: &Command<'_>, expected: &str) -> String {
    format!("{} {}: {expected}", command.name, command.words.join(" "))
}

#[cfg(test)]
mod tests;
