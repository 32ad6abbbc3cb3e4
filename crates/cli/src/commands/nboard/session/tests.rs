//! Scripted NBoard sessions: commands, answers and searches.

use super::*;
use isrever_board::{Rule, Size};
use std::time::Duration;

const START: &str = "BO[8 ---------------------------O*------*O--------------------------- *]";

fn session() -> Session {
    Session::new(Game::new(Rule::Reversed, Size::EIGHT), None, Share::default())
}

/// What is said, done and searched, each as one line.
fn hear(session: &mut Session, line: &str) -> Vec<String> {
    told(session.hear(&Line::Text(line.to_owned())))
}

fn told(acts: Vec<Act>) -> Vec<String> {
    let word = |act| match act {
        Act::Say(line) => line,
        Act::Stop => "[stop]".to_owned(),
        Act::Think(Task::Move(game, limits)) => {
            let clock = limits.clock.map(|clock| clock.remaining);
            format!("[move at {}, depth {:?}, time {clock:?}]", game.ply(), limits.depth)
        }
        Act::Think(Task::EveryMove(game, limits)) => {
            format!("[hints at {}, depth {:?}]", game.ply(), limits.depth)
        }
        Act::Think(Task::Analysis(game, settings)) => {
            format!("[analysis of {}, depth {:?}]", game.ply(), settings.share.depth)
        }
        Act::Quit => "[quit]".to_owned(),
    };
    acts.into_iter().map(word).collect()
}

fn hint(square: &str, value: f64, depth: u32) -> SearchEvent {
    let place = |name: &str| Move::Place(name.parse().unwrap());
    let pv = vec![place(square), Move::Pass, place("d6")];
    let (confidence, is_exact, nodes) = (73, depth == 60, 100);
    let over = Answer::game_over(0);
    SearchEvent::Value(Answer { value, is_exact, pv, depth, confidence, nodes, ..over }, 0.25)
}

#[test]
fn a_session_as_a_gui_leads_it() {
    let mut session = session();
    assert_eq!(hear(&mut session, "nboard 2"), ["set myname Isrever"]);
    assert_eq!(hear(&mut session, "set depth 12"), ["set myname Isrever 12"]);
    let game = format!("set game (;GM[Othello]PB[a]PW[b]TI[15:00]TY[8a]{START}B[F5//10];)");
    assert!(hear(&mut session, &game).is_empty());
    assert_eq!(session.game.rule(), Rule::Reversed);
    assert_eq!(hear(&mut session, "ping 3"), ["pong 3"]);
    let thinks = ["status Thinking", "[move at 1, depth Some(12), time Some(900s)]"];
    assert_eq!(hear(&mut session, "go"), thinks);
    let found = SearchEvent::Move(Move::Place("d6".parse().unwrap()), Some(-4), 0.514);
    assert_eq!(told(session.found(&found)), ["=== D6/-4.00/0.51", "status"]);
    assert_eq!(session.game.ply(), 1, "the move is not played until the other side says so");
    assert!(hear(&mut session, "move D6/-4.00/0.51").is_empty());
    assert!(hear(&mut session, "c3").is_empty());
    assert_eq!(session.game.ply(), 3);
    assert_eq!(
        session.clocks.left(isrever_board::Color::White).unwrap().remaining,
        Duration::from_millis(899_490)
    );
    assert_eq!(hear(&mut session, "learn"), ["learned"]);
    assert_eq!(hear(&mut session, "quit"), ["[quit]"]);
}

#[test]
fn whatever_is_said_stops_a_search() {
    for line in ["ping 1", "move F5", "set depth 9", "go", "hint 2", "learn", "analyze", "move z9"]
    {
        let mut session = session();
        hear(&mut session, "hint 2");
        assert_eq!(hear(&mut session, line)[..2], ["[stop]", "status"], "{line}");
    }
    let mut session = session();
    hear(&mut session, "hint 2");
    for line in ["", "whatever", "set colour blue"] {
        assert!(hear(&mut session, line).is_empty(), "{line} is passed over");
    }
    assert_eq!(told(session.found(&SearchEvent::End)), ["status"]);
    assert_eq!(hear(&mut session, "ping 2"), ["pong 2"], "there was nothing to stop");
}

#[test]
fn hints_stream_for_as_many_moves_as_were_asked_for() {
    let mut session = session();
    let thinks = ["status Analyzing", "[hints at 0, depth Some(60)]"];
    assert_eq!(hear(&mut session, "hint 2"), thinks);
    let first = ["search F5PAD6 1.50 0 3@73%", "nodestats 100 0.25"];
    assert_eq!(told(session.found(&hint("f5", 1.5, 3))), first);
    assert_eq!(told(session.found(&hint("d3", 0.0, 3))).len(), 2);
    assert!(told(session.found(&hint("c4", -2.0, 3))).is_empty(), "two are better");
    assert_eq!(told(session.found(&hint("e6", 4.0, 60)))[0], "search E6PAD6 4.00 0 100%");
    assert!(told(session.found(&hint("d3", 0.0, 4))).is_empty(), "now two are better");
}

#[test]
fn the_end_is_looked_for_a_little_earlier_than_the_depth_says() {
    let mut session = session();
    hear(&mut session, "set depth 56");
    assert_eq!(hear(&mut session, "hint 1")[1], "[hints at 0, depth Some(60)]");
    hear(&mut session, "set depth 55");
    assert_eq!(hear(&mut session, "hint 1")[1], "[hints at 0, depth Some(55)]");
    assert_eq!(hear(&mut session, "analyze")[3], "[analysis of 0, depth Some(55)]");
    assert_eq!(told(session.found(&SearchEvent::Position(7, -3))), ["analysis 7 -3.00"]);
}

#[test]
fn what_is_wrong_is_said_and_changes_nothing() {
    let mut session = session();
    let before = session.game.clone();
    for (line, words) in [
        ("move A1", "status error: a1 is illegal: black turns no disc there; expected"),
        ("move PA", "status error: black may not pass"),
        ("move i9", "status error: move i9: not a move; expected one such as F5 or PA"),
        ("set game (;GM[Othello]TY[8z];)", "status error: set game: "),
        ("set depth none", "status error: set depth none: not a depth; expected"),
        ("hint -1", "status error: hint -1: not a number of moves; expected"),
    ] {
        let said = hear(&mut session, line);
        assert!(said.len() == 1 && said[0].starts_with(words), "{line}: {said:?}");
        assert_eq!(session.game, before);
    }
    assert!(
        told(session.hear(&Line::TooLong))[0].starts_with("status error: the line is too long")
    );
    hear(&mut session, "set game (;GM[Othello]TY[10a];)");
    assert!(hear(&mut session, "hint 1")[0].contains("10x10; expected at most 8x8"));
    assert_eq!(hear(&mut session, "go")[0], "status Thinking", "a move can be made on any board");
    let over = "set game (;GM[Othello]TY[4a]BO[4 XX-------------- *];)";
    hear(&mut session, over);
    assert!(hear(&mut session, "go")[0].contains("the game is over"));
    assert!(hear(&mut session, "hint 1")[0].contains("the game is over"));
}

#[test]
fn the_rule_of_the_command_line_wins_over_the_type_of_a_game() {
    for (asked, kind, played) in [
        (None, "8", Rule::Normal),
        (None, "8a", Rule::Reversed),
        (Some(Rule::Reversed), "8", Rule::Reversed),
        (Some(Rule::Normal), "8a", Rule::Normal),
    ] {
        let start = Game::new(asked.unwrap_or_default(), Size::EIGHT);
        let mut session = Session::new(start, asked, Share::default());
        let game = format!("set game (;GM[Othello]PB[a]PW[b]TY[{kind}]{START}B[F5//1]W[D6//1];)");
        assert!(hear(&mut session, &game).is_empty());
        assert_eq!((session.game.rule(), session.game.ply()), (played, 2), "{asked:?} {kind}");
    }
}
