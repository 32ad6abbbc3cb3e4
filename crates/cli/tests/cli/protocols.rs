//! Engine protocols through pipes: scripts, interruptions, and a game between two processes.

use crate::program::{command, run_with};
use isrever_board::text::{self, Format};
use isrever_board::{Color, Game, Move, Rule, Size};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// An engine at the other end of two pipes.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    out: BufReader<ChildStdout>,
}

impl Engine {
    fn start(args: &[&str]) -> Engine {
        let mut child = command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take();
        let out = BufReader::new(child.stdout.take().expect("piped"));
        Engine { child, input, out }
    }

    fn say(&mut self, line: &str) {
        let input = self.input.as_mut().expect("not closed yet");
        writeln!(input, "{line}").expect("the engine listens");
    }

    /// The next line; empty when there are no more.
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).expect("the engine can be read");
        line.trim_end().to_owned()
    }

    /// Lines up to one that begins with `word`.
    fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.line();
            let is_last = line.starts_with(word);
            assert!(is_last || !line.is_empty(), "no {word} in {lines:?}");
            lines.push(line);
            if is_last {
                return lines;
            }
        }
    }

    /// The answer to a command of the Go Text Protocol.
    fn ask(&mut self, line: &str) -> String {
        self.say(line);
        let mut answer = Vec::new();
        loop {
            match self.line() {
                line if line.is_empty() => break,
                line => answer.push(line),
            }
        }
        answer.join("\n")
    }

    /// Closes the engine's input and waits for its end.
    fn end(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().expect("it ends").success());
    }
}

/// The game as NBoard sends it.
fn ggf(game: &Game) -> String {
    let bytes = text::write(&[game.clone().into()], Format::Ggf).unwrap();
    String::from_utf8(bytes).unwrap().trim_end().to_owned()
}

#[test]
fn two_processes_play_whole_games_with_each_other_under_both_rules() {
    for (rule, size) in [(Rule::Reversed, 8), (Rule::Normal, 8), (Rule::Reversed, 6)] {
        let size = Size::new(size).unwrap();
        let mut game = Game::new(rule, size);
        let mut black = Engine::start(&["nboard", "--level", "6", "--seed", "3"]);
        let mut white = Engine::start(&["gtp", "--level", "6", "--rule", &rule.to_string()]);
        black.say("nboard 2");
        black.say(&format!("set game {}", ggf(&game)));
        assert_eq!(white.ask(&format!("boardsize {size}")), "=");
        while let Some(turn) = game.turn() {
            let name = if turn == Color::Black {
                black.say("go");
                let said = black.until("===").pop().unwrap();
                let name = said.trim_start_matches("=== ").split('/').next().unwrap().to_owned();
                let gtp = if name == "PA" { "pass" } else { &name };
                assert_eq!(white.ask(&format!("play b {gtp}")), "=");
                name
            } else {
                white.ask("genmove w").trim_start_matches("= ").to_owned()
            };
            let mv = match name.as_str() {
                "PA" | "pass" => Move::Pass,
                square => Move::Place(square.parse().expect("a square")),
            };
            game.play(mv).expect("both play by the rules");
            black.say(&format!("move {}", if mv == Move::Pass { "PA" } else { &name }));
        }
        let score = game.score(Color::Black);
        let said = match score {
            0 => "= 0".to_owned(),
            1.. => format!("= B+{score}"),
            _ => format!("= W+{}", -score),
        };
        assert_eq!(white.ask("final_score"), said);
        assert_eq!(white.ask("quit"), "=");
        black.say("quit");
        black.end();
        white.end();
    }
}

#[test]
fn hints_stream_and_a_ping_stops_them() {
    let mut engine = Engine::start(&["nboard"]);
    engine.say("nboard 2");
    let game = Game::new(Rule::Reversed, Size::EIGHT);
    engine.say(&format!("set game {}", ggf(&game)));
    engine.say("hint 2");
    // It deepens for ever: lines come until it is told to stop.
    engine.until("search");
    engine.until("search");
    engine.say("ping 7");
    assert_eq!(engine.until("pong").last().unwrap(), "pong 7");
    engine.say("ping 8");
    assert_eq!(engine.line(), "pong 8", "nothing is heard of the hints any more");
    // A new position and a move stop it as well.
    engine.say("hint 1");
    engine.until("search");
    engine.say("move F5");
    engine.say("go");
    engine.until("status Thinking");
    engine.say(&format!("set game {}", ggf(&game)));
    engine.say("set depth 4");
    assert_eq!(engine.until("set myname").last().unwrap(), "set myname Isrever 4");
    engine.say("go");
    let said = engine.until("===").pop().unwrap();
    let square = said.trim_start_matches("=== ").split('/').next().unwrap();
    let square = square.parse().expect(&said);
    assert!(game.position().moves().contains(&square), "{said}: the old position is forgotten");
    engine.say("move F5");
    engine.say("analyze");
    let lines = engine.until("analysis 1 ");
    assert!(lines.iter().any(|line| line.starts_with("analysis 0 ")), "{lines:?}");
    // The end of input in the midst of a search ends the process.
    engine.say("hint 1");
    engine.until("search");
    engine.end();
}

#[test]
fn nonsense_is_answered_or_passed_over_and_ends_nothing() {
    let long = "x".repeat(100_000);
    let mut engine = Engine::start(&["nboard"]);
    for line in ["", "what", "set", "\u{1b}[2J", "move", "move z9", "hint x", "set game (;", &long]
    {
        engine.say(line);
    }
    engine.say("ping 1");
    let said = engine.until("pong");
    assert_eq!(
        said.iter().filter(|line| line.starts_with("status error: ")).count(),
        5,
        "{said:?}"
    );
    engine.end();

    let mut engine = Engine::start(&["gtp"]);
    assert_eq!(engine.ask("what"), "? unknown command");
    assert!(engine.ask("play b z9").starts_with("? invalid coordinate"));
    assert!(engine.ask("12 play b a1").starts_with("?12 illegal move: a1"));
    assert!(engine.ask(&long).starts_with("? line too long"));
    assert_eq!(engine.ask("\u{1b}13 name"), "=13 Isrever");
    engine.end();
}

#[test]
fn a_script_is_answered_line_by_line_and_its_moves_are_searched() {
    let script =
        "1 boardsize 6\n2 play b e4\n# a comment\n\n3 genmove w\n4 reg_genmove b\n5 quit\n";
    let args = ["gtp", "--depth", "6"];
    let first = run_with(args, script.as_bytes()).ok();
    let answers: Vec<&str> = first.split("\n\n").collect();
    assert_eq!(answers[..2], ["=1", "=2"]);
    assert!(answers[2].starts_with("=3 ") && answers[3].starts_with("=4 "), "{first}");
    assert_eq!(answers[4..], ["=5", ""]);
    assert_eq!(run_with(args, script.as_bytes()).ok(), first, "always the same");
}

#[test]
fn the_end_of_input_ends_a_search_of_a_day() {
    // A move of the book would come at once.
    let mut engine = Engine::start(&["gtp", "--time", "86400s", "--book", "none"]);
    engine.say("3 genmove b");
    drop(engine.input.take());
    let answer = engine.line();
    let square = answer.trim_start_matches("=3 ").parse().expect(&answer);
    assert!(Game::new(Rule::Reversed, Size::EIGHT).position().moves().contains(&square));
    engine.end();
    let out = run_with(["nboard", "--time", "86400s", "--book", "none"], b"go\n").ok();
    assert_eq!(out, "status Thinking\n", "nobody is left to hear the move");
}

#[test]
fn games_of_files_are_loaded() {
    let path = crate::program::directory("gtp").join("game.sgf");
    std::fs::write(&path, "(;GM[2]FF[4]SZ[8]RU[anti];B[f5];W[d6];B[c3])").unwrap();
    let script = format!("loadsgf {0}\nloadsgf {0} 2\nloadsgf {0}.no\nquit\n", path.display());
    let out = run_with(["gtp"], script.as_bytes()).ok();
    let answers: Vec<&str> = out.split("\n\n").collect();
    assert_eq!(answers[..2], ["= white", "= white"]);
    assert!(answers[2].starts_with("? cannot load file: ") && answers[2].contains("no such file"));
}
