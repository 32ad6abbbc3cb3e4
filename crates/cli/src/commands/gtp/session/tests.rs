//! Scripted GTP sessions: commands, answers and searches.

use super::*;
use isrever_board::text::{self, Defaults};

fn read(name: &str) -> Result<Record, String> {
    match name {
        "game.sgf" => {
            let sgf = b"(;GM[2]FF[4]SZ[8]RU[anti];B[f5];W[d6];B[c3])";
            Ok(text::read(sgf, None, Defaults::default()).unwrap().remove(0))
        }
        _ => Err(format!("{name}: no such file")),
    }
}

fn session(size: Size) -> Session<'static> {
    Session::new(Game::new(Rule::Reversed, size), Share::default(), &read)
}

/// What is answered to a line that nobody must think about.
fn answer(session: &mut Session<'_>, line: &str) -> String {
    match session.hear(&Line::Text(line.to_owned())).as_slice() {
        [Act::Say(answer)] | [Act::Say(answer), Act::Quit] => answer.clone(),
        acts => panic!("{line}: {acts:?}"),
    }
}

/// The game that a line makes the engine think about.
fn searched(session: &mut Session<'_>, line: &str) -> (Game, Limits) {
    match session.hear(&Line::Text(line.to_owned())).as_slice() {
        [Act::Think(Task::Move(game, limits))] => (game.clone(), limits.clone()),
        acts => panic!("{line}: {acts:?}"),
    }
}

fn found(session: &mut Session<'_>, square: &str) -> String {
    let mv = Move::Place(square.parse().unwrap());
    match session.found(&SearchEvent::Move(mv, Some(2), 1.5)).as_slice() {
        [Act::Say(answer)] => answer.clone(),
        acts => panic!("{acts:?}"),
    }
}

#[test]
fn the_required_commands_are_answered() {
    let mut session = session(Size::EIGHT);
    assert_eq!(answer(&mut session, "protocol_version"), "= 2");
    assert_eq!(answer(&mut session, "1 name"), "=1 Isrever");
    assert_eq!(answer(&mut session, "known_command genmove"), "= true");
    assert_eq!(answer(&mut session, "known_command fly"), "= false");
    let listed = answer(&mut session, "list_commands");
    for name in listed.trim_start_matches("= ").lines() {
        let said = session.hear(&Line::Text(name.to_owned()));
        let is_unknown =
            matches!(&said[..], [Act::Say(answer)] if answer.contains("unknown command"));
        assert!(!is_unknown && !said.is_empty(), "{name}");
    }
    for nothing in ["", "# a comment", "  \t"] {
        assert!(session.hear(&Line::Text(nothing.to_owned())).is_empty());
    }
    let said = session.hear(&Line::Text("9 quit".to_owned()));
    assert!(matches!(&said[..], [Act::Say(answer), Act::Quit] if answer == "=9"), "{said:?}");
}

#[test]
fn what_is_wrong_is_answered_and_changes_nothing() {
    let mut session = session(Size::EIGHT);
    let before = session.game.clone();
    for (line, words) in [
        ("3 fly", "?3 unknown command"),
        ("17", "?17 unknown command"),
        ("play", "? play"),
        ("play b", "? play b"),
        ("play x f5", "? invalid colour \"x\"; expected b or w"),
        ("play b z9", "? invalid coordinate \"z9\"; expected a square"),
        ("play b a1", "? illegal move: a1 is illegal"),
        ("play b pass", "? illegal move: black may not pass"),
        ("play w d6", "? it is black's turn"),
        ("genmove", "? genmove"),
        ("genmove w", "? it is black's turn"),
        ("genmove purple", "? invalid colour"),
        ("undo", "? cannot undo"),
        ("boardsize 9", "? unacceptable size"),
        ("boardsize", "? boardsize"),
        ("set_game Chess", "? unknown game \"Chess\"; expected"),
        ("loadsgf none.sgf", "? cannot load file: none.sgf: no such file"),
        ("loadsgf game.sgf 0", "? cannot load file: \"0\" is no number"),
        ("time_settings a b c", "? time_settings a b c: expected"),
        ("time_left b -1 0", "? time_left b -1 0: expected"),
        ("final_score", "? cannot score"),
    ] {
        let said = answer(&mut session, line);
        assert!(said.starts_with(words), "{line}: {said}");
        assert_eq!(session.game, before, "{line}");
    }
    let said = session.hear(&Line::TooLong);
    assert!(matches!(&said[..], [Act::Say(answer)] if answer.starts_with("? line too long")));
}

#[test]
fn moves_are_played_searched_and_taken_back() {
    let mut session = session(Size::EIGHT);
    assert_eq!(answer(&mut session, "play B F5"), "=");
    let (game, _) = searched(&mut session, "4 genmove w");
    assert_eq!(game, session.game);
    assert_eq!(found(&mut session, "d6"), "=4 d6");
    assert_eq!(session.game.ply(), 2);
    searched(&mut session, "reg_genmove b");
    assert_eq!(found(&mut session, "c3"), "= c3");
    assert_eq!(session.game.ply(), 2, "only asked for");
    assert_eq!(answer(&mut session, "undo"), "=");
    assert_eq!(answer(&mut session, "gogui-rules_side_to_move"), "= white");
    assert_eq!(answer(&mut session, "gogui-rules_legal_moves"), "= f4 d6 f6");
    assert_eq!(answer(&mut session, "loadsgf game.sgf"), "= white");
    assert_eq!((session.game.ply(), session.game.rule()), (3, Rule::Reversed));
    assert_eq!(answer(&mut session, "loadsgf game.sgf 2"), "= white");
    assert_eq!(session.game.ply(), 1);
    assert_eq!(answer(&mut session, "set_game othello"), "=");
    assert_eq!((session.game.ply(), session.game.rule()), (0, Rule::Normal));
    assert_eq!(answer(&mut session, "gogui-rules_game_id"), "= Othello");
    assert_eq!(answer(&mut session, "boardsize 6"), "=");
    assert!(answer(&mut session, "showboard").contains("Black X 2, White O 2; the player"));
    let rows = answer(&mut session, "gogui-rules_board");
    assert_eq!(rows.lines().nth(2), Some(". . O X . ."));
}

#[test]
fn passes_are_said_or_implied_and_taken_back_with_their_move() {
    // White, to move, has no square; black then has one, and the game is over.
    let start = text::read(b"XO-------------- O", None, Defaults::default()).unwrap();
    let start = start[0].game.clone();
    let new = || Session::new(start.clone(), Share::default(), &read);
    let mut session = new();
    assert_eq!(answer(&mut session, "gogui-rules_legal_moves"), "= pass");
    assert_eq!(answer(&mut session, "genmove w"), "= pass");
    assert_eq!(answer(&mut session, "play b c1"), "=");
    assert_eq!(answer(&mut session, "final_score"), "= W+16", "wiped out: the perfect win");
    assert_eq!(answer(&mut session, "genmove w"), "= pass", "the game is over");
    assert!(answer(&mut session, "gogui-rules_final_result").contains("White wins by 16"));
    let mut session = new();
    assert_eq!(answer(&mut session, "play b c1"), "=");
    assert_eq!(session.game.ply(), 2);
    assert_eq!(answer(&mut session, "undo"), "=");
    assert_eq!(session.game.ply(), 0);
    assert!(answer(&mut session, "play b d4").starts_with("? illegal move"));
    assert_eq!(session.game.ply(), 0, "the implied pass was taken back");
    searched(&mut session, "reg_genmove b");
    found(&mut session, "c1");
    assert_eq!(session.game.ply(), 0);
    searched(&mut session, "genmove b");
    found(&mut session, "c1");
    assert_eq!(answer(&mut session, "undo"), "=");
    assert_eq!(session.game.ply(), 0);
}

#[test]
fn time_is_told_and_kept() {
    let mut session = session(Size::EIGHT);
    assert_eq!(answer(&mut session, "time_settings 60 0 0"), "=");
    let clock = |limits: Limits| limits.clock.unwrap();
    let (_, limits) = searched(&mut session, "genmove b");
    assert_eq!(clock(limits).remaining, Duration::from_secs(60));
    found(&mut session, "f5");
    assert_eq!(answer(&mut session, "time_left w 12.5 0"), "=");
    let (_, limits) = searched(&mut session, "genmove w");
    assert_eq!(clock(limits).remaining, Duration::from_millis(12_500));
    found(&mut session, "d6");
    let (_, limits) = searched(&mut session, "genmove b");
    assert_eq!(clock(limits).remaining, Duration::from_millis(58_500));
    found(&mut session, "c3");
    assert_eq!(answer(&mut session, "time_settings 0 30 3"), "=");
    let (_, limits) = searched(&mut session, "genmove w");
    assert_eq!(clock(limits).moves_left, Some(3));
}
