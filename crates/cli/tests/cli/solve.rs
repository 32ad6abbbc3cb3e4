//! Endgames: what is answered fits together, whichever way the positions come.

use crate::program::{directory, run, run_with};
use isrever_board::{Color, Game, Move, Position, Rule, Size};
use serde_json::Value;
use std::fs;

/// Games of legal moves, a different one for each `seed`, up to `empties` empty squares.
fn game(rule: Rule, size: Size, empties: u32, seed: usize) -> Game {
    let mut game = Game::new(rule, size);
    while game.position().empties() > empties && !game.is_over() {
        let moves = game.position().moves();
        let mv = match moves.len() {
            0 => Move::Pass,
            count => Move::Place(moves[(seed * 7 + game.ply() * 5) % count]),
        };
        game.play(mv).unwrap();
    }
    game
}

fn objects(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Plays `line` from `position` to the end; what the game is worth to who began it.
fn played(rule: Rule, position: &Position, line: &Value) -> i32 {
    let mut game = Game::from_position(rule, position.clone());
    for mv in line.as_array().unwrap() {
        let mv = match mv.as_str().unwrap() {
            "pass" => Move::Pass,
            square => Move::Place(square.parse().unwrap()),
        };
        game.play(mv).unwrap();
    }
    assert!(game.is_over(), "the line goes to the end");
    game.score(position.turn())
}

#[test]
fn lines_end_with_the_score_and_all_answers_agree() {
    for rule in Rule::ALL {
        let games = (1..=3).flat_map(|seed| {
            [(Size::FOUR, 12), (Size::SIX, 12), (Size::EIGHT, 10)]
                .map(|(size, empties)| game(rule, size, empties, seed))
        });
        let positions: Vec<Position> = games.map(|game| game.position().clone()).collect();
        let text: String = positions.iter().map(|position| format!("{position}\n")).collect();
        let rule_name = rule.to_string();
        let solve = |options: &[&str]| {
            let args = ["solve", "-", "--json", "--rule", &rule_name, "--hash", "1"];
            let answers = run_with(args.iter().chain(options), text.as_bytes()).ok();
            let answers = objects(&answers);
            assert_eq!(answers.len(), positions.len());
            answers
        };
        let (exact, wld) = (solve(&[]), solve(&["--wld"]));
        let (all, threads) = (solve(&["--all-moves"]), solve(&["--threads", "3"]));
        for (at, position) in positions.iter().enumerate() {
            let score = exact[at]["score"].as_i64().unwrap();
            assert_eq!(exact[at]["position"], position.to_string());
            assert_eq!(exact[at]["best"], exact[at]["pv"][0]);
            assert_eq!(i64::from(played(rule, position, &exact[at]["pv"])), score);
            assert_eq!(exact[at]["wld"], score.signum());
            assert_eq!(wld[at]["wld"], score.signum());
            assert_eq!(wld[at].get("score"), None);
            assert_eq!(threads[at]["score"], score);
            assert_eq!(all[at]["score"], score);
            let moves = all[at]["moves"].as_object().unwrap();
            assert_eq!(moves.len(), position.moves().len());
            let best = moves.values().map(|score| score.as_i64().unwrap()).max();
            assert_eq!(best.unwrap_or(score), score);
        }
    }
}

#[test]
fn positions_come_from_an_argument_a_file_or_standard_input() {
    // Without a suffix and with letters of a board, only --file takes it for a file's name.
    let file = directory("solve_sources").join("XO");
    let text = "XO-------------- X\nXXXX------------ X\n";
    fs::write(&file, text).unwrap();
    let scores = |answer: String| -> Vec<i64> {
        objects(&answer).iter().map(|row| row["score"].as_i64().unwrap()).collect()
    };
    let file = file.to_str().unwrap();
    for args in [["solve", "--json", text], ["solve", "--json", file]] {
        assert_eq!(scores(run(args).ok()), [-16, -16]);
    }
    for (option, value) in [("--position", text), ("--position", file), ("--file", file)] {
        assert_eq!(scores(run(["solve", "--json", option, value]).ok()), [-16, -16]);
    }
    for args in [&["-"][..], &["--position", "-"], &["--file", "-"]] {
        let args = ["solve", "--json"].iter().chain(args);
        assert_eq!(scores(run_with(args, text.as_bytes()).ok()), [-16, -16]);
    }
}

#[test]
fn the_same_discs_on_another_board_are_another_position() {
    let boards = [4, 6, 8, 4].map(|width| format!("XO{} X\n", "-".repeat(width * width - 2)));
    let rows = objects(&run(["solve", "--json", "--force", &boards.concat()]).ok());
    let scores: Vec<&Value> = rows.iter().map(|row| &row["score"]).collect();
    assert_eq!(scores, [-16, -36, -64, -16]);
}

#[test]
fn several_positions_are_numbered_and_added_up() {
    let text = "XO-------------- X; C1:+16;\nXO-------------- O; -14;\n";
    let table = run(["solve", "--rule", "normal", text]).ok();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 6, "{table}");
    assert!(lines[1].starts_with("     1  black") && lines[1].ends_with("  = known"), "{table}");
    assert!(lines[3].starts_with("     2  white"), "{table}");
    assert!(lines[3].ends_with("  ≠ known loss by 14"), "{table}");
    assert!(lines[5].starts_with("2 positions, 1 as known, 1 not: "), "{table}");
}

#[test]
fn known_scores_are_compared_under_their_own_rule_only() {
    let text = "% rule: normal\nXO-------------- X; C1:+16;\n";
    let solve = |options: &[&str]| run(["solve", text].iter().chain(options)).ok();
    for (options, score) in [(&[][..], "win by 16"), (&["--rule", "normal"], "win by 16")] {
        let table = solve(options);
        assert!(table.contains(score) && table.contains("= known"), "{table}");
    }
    let table = solve(&["--rule", "reversed", "--all-moves"]);
    assert!(table.contains("loss by 16") && !table.contains("known"), "{table}");
}

#[test]
fn the_rule_of_the_scores_goes_with_them() {
    let (normal, bare) = ("XO-------------- X; C1:+16;", "XO-------------- O; -16;");
    let convert = |text: &str, options: &[&str]| {
        run(["convert", "--to", "obf", text].iter().chain(options)).ok()
    };
    let tagged = format!("% rule: normal\n{normal}\n{normal}\n% rule: unknown\n{bare}\n");
    assert_eq!(convert(&tagged, &[]), tagged);
    // Who asks says what the silent ones are for, not what the others are.
    let asked = format!("% rule: normal\n{normal}\n{normal}\n% rule: reversed\n{bare}\n");
    assert_eq!(convert(&tagged, &["--rule", "reversed"]), asked);
    let seen = run(["show", "--json", "--rule", "reversed", &tagged]).ok();
    let seen = objects(&seen);
    assert_eq!((&seen[0]["rule"], &seen[0]["scores_rule"]), (&"reversed".into(), &"normal".into()));
    run(["solve", "% rule: nromal\nXO-------------- X; +2;"]).refused(&[
        "line 1, column 9",
        "\"nromal\"",
        "reversed, normal or unknown",
    ]);
}

#[test]
fn a_finished_game_needs_no_search_however_many_squares_are_empty() {
    let board = format!("XX{} O", "-".repeat(62));
    let row = &objects(&run(["solve", "--json", &board]).ok())[0];
    assert_eq!((&row["score"], &row["best"], &row["nodes"]), (&64.into(), &Value::Null, &0.into()));
}

#[test]
fn what_cannot_be_solved_is_refused_before_anything_is_said() {
    let large = format!("X{} X", "-".repeat(99));
    let many = game(Rule::Reversed, Size::EIGHT, 27, 1);
    assert_eq!((many.position().empties(), many.start().turn()), (27, Color::Black));
    let many = many.position().to_string();
    let late = format!("XO-------------- X\n{many}\n");
    let cases: &[(&[&str], &[&str])] = &[
        (&[&large], &["the given text", "10x10", "at most 8x8"]),
        (&["--size", "16", "--force"], &["the start position", "16x16", "at most 8x8"]),
        (&["---------------- X"], &["the given text", "no discs"]),
        (&[], &["the start position: 60 empty squares", "years", "at most 26, or --force"]),
        (&["--size", "6"], &["32 empty squares", "minutes on one core", "--force"]),
        (&[&many], &["27 empty squares", "about 4 minutes", "at most 26, or --force"]),
        (&[&late], &["the given text: position 2: 27 empty squares"]),
        (&["XO-------------- X\nXO-------------- Q"], &["line 2, column 18"]),
        (&["--file", "nowhere"], &["nowhere: no such file"]),
        (&["nowhere.obf"], &["nowhere.obf: no such file"]),
        (&["--file", "src"], &["src: a directory"]),
        (&["--file", "a", "--position", "b"], &["--file and --position"]),
        (&["f5", "--file", "b"], &["--file"]),
        (&["--threads", "0"], &["--threads 0", "1 to 1024"]),
        (&["--hash", "0"], &["--hash 0", "1 to 1048576"]),
        (&["--hash", "1048577"], &["--hash 1048577", "1 to 1048576"]),
        (&["--hash", "-1"], &["--hash -1"]),
        (&["--exact"], &["--exact is not known here"]),
        (&["XO-------------- X", "--size", "6"], &["the board is 4x4", "--size 6"]),
    ];
    for (args, words) in cases {
        run(["solve"].iter().chain(*args)).refused(words);
        run(["solve", "--json"].iter().chain(*args)).refused(words);
    }
}
