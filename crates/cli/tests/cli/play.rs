//! Whole games through pipes: the program asks, the test answers from what it may play.

use crate::program::{command, run_with};
use isrever_board::text::{self, Record};
use isrever_board::{Color, Position, Rule, Size};
use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

const PROMPT: &str = "your move: ";

/// The program at the other end of two pipes.
struct Dialogue {
    child: Child,
    input: ChildStdin,
    out: BufReader<ChildStdout>,
    /// What the program said last, up to its question or its end.
    said: String,
    /// Whether it asks for another line.
    asks: bool,
}

impl Dialogue {
    fn begin(args: &[&str]) -> Dialogue {
        let mut child = command(["play"].iter().chain(args))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take().expect("piped");
        let out = BufReader::new(child.stdout.take().expect("piped"));
        let mut dialogue = Dialogue { child, input, out, said: String::new(), asks: false };
        dialogue.listen();
        dialogue
    }

    fn listen(&mut self) {
        let mut said = Vec::new();
        self.asks = false;
        for byte in self.out.by_ref().bytes() {
            said.push(byte.expect("the program can be read"));
            if said.ends_with(PROMPT.as_bytes()) {
                self.asks = true;
                break;
            }
        }
        self.said = String::from_utf8(said).expect("the program speaks UTF-8");
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("the program listens");
        self.listen();
    }

    /// The squares that `hint` lists.
    fn squares(&mut self) -> Vec<String> {
        self.say("hint");
        let line = self.said.lines().next().unwrap_or_default();
        let squares = line.strip_prefix("You may play ").expect("hint lists squares");
        squares.trim_end_matches('.').split(' ').map(str::to_owned).collect()
    }

    /// Plays on, always the middle one of the squares, and returns the last words.
    fn finish(mut self) -> String {
        while self.asks {
            let squares = self.squares();
            self.say(&squares[squares.len() / 2]);
        }
        assert!(self.child.wait().expect("the program ends").success());
        self.said
    }
}

/// Checks the last words of a game against the moves they tell.
fn check_end(last: &str, rule: Rule, size: Size, human: Color) {
    let moves = last.lines().last().and_then(|line| line.strip_prefix("Moves: ")).expect(last);
    // The line says the size itself; only the rule is left open.
    let defaults = text::Defaults { rule, ..text::Defaults::default() };
    let games = text::read(moves.as_bytes(), None, defaults).expect(last);
    let [Record { game, .. }] = &games[..] else { panic!("{last}") };
    assert_eq!(game.start(), &Position::start(size));
    assert!(game.is_over(), "{last}");
    let score = game.score(human);
    let said = match score {
        0 => "Neither you nor".to_owned(),
        1.. => format!("You won by {score} against"),
        _ => format!("You lost by {} against", -score),
    };
    assert!(last.contains(&said), "{said} is not in {last}");
}

#[test]
fn whole_games_of_four_sizes_end_with_the_right_result() {
    for (width, args) in [
        ("4", ["--against", "greedy", "--color", "black"]),
        ("6", ["--against", "random", "--color", "white"]),
        ("8", ["--against", "fourstage:nodes=200", "--color", "black"]),
        ("10", ["--against", "random", "--color", "white"]),
    ] {
        let size: Size = width.parse().unwrap();
        let human = if args[3] == "black" { Color::Black } else { Color::White };
        for rule in Rule::ALL {
            let rule_name = rule.to_string();
            let options = ["--size", width, "--rule", &rule_name];
            let last = Dialogue::begin(&[&args[..], &options].concat()).finish();
            check_end(&last, rule, size, human);
        }
    }
}

#[test]
fn a_game_with_nonsense_and_moves_taken_back_ends_as_well() {
    let mut dialogue = Dialogue::begin(&["--size", "6", "--seed", "9"]);
    for turn in 0..8 {
        let squares = dialogue.squares();
        for nonsense in ["nonsense", "z9", "", "a1b2", "pass", "c3"] {
            dialogue.say(nonsense);
            assert!(dialogue.asks);
        }
        dialogue.say(&squares[0].to_uppercase());
        assert!(dialogue.asks, "{}", dialogue.said);
        if turn % 2 == 0 {
            let after = dialogue.squares();
            dialogue.say("undo");
            assert_eq!(dialogue.squares(), squares);
            dialogue.say("redo");
            assert_eq!(dialogue.squares(), after);
        }
    }
    check_end(&dialogue.finish(), Rule::Reversed, Size::SIX, Color::Black);
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let game = |seed| Dialogue::begin(&["--against", "random", "--seed", seed]).finish();
    assert_eq!(game("3"), game("3"));
    assert_ne!(game("3"), game("4"));
}

#[test]
fn the_end_of_input_and_quit_end_politely() {
    for input in ["", "f5", "f5\n", "quit\n", "f5\nquit\n", "\n\n"] {
        let out = run_with(["play"], input.as_bytes()).ok();
        assert!(out.contains("You leave the game unfinished."), "{out}");
    }
}

#[test]
fn examples_are_squares_that_can_be_played_on() {
    for size in ["4", "6", "8", "16"] {
        let mut dialogue = Dialogue::begin(&["--size", size, "--against", "random"]);
        let squares = dialogue.squares();
        let names_one = |said: &str, before: &str, after: &str| {
            let named = said.split_once(before).and_then(|(_, rest)| rest.split_once(after));
            assert!(named.is_some_and(|(named, _)| squares.iter().any(|s| s == named)), "{said}");
        };
        for wrong in ["nonsense".to_owned(), "x".repeat(1_000)] {
            dialogue.say(&wrong);
            names_one(&dialogue.said, "a square such as ", ",");
        }
        dialogue.say("help");
        names_one(&dialogue.said, "You can type:\n  ", " ");
    }
}

#[test]
fn bytes_that_are_no_text_are_asked_again() {
    let out = run_with(["play"], b"\xff\xfe\x00\x1b[2J\nf5\n").ok();
    assert!(out.contains("is neither a square nor an order"), "{out}");
    assert!(!out.contains('\x1b') && out.contains("You play f5"), "{out}");
}
