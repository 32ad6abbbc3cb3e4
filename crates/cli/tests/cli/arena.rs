//! Tournaments and measures.

use crate::program::{directory, run, run_with};
use serde_json::Value;
use std::fs;
use std::time::Duration;

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn of_kind<'a>(rows: &'a [Value], kind: &str) -> Vec<&'a Value> {
    rows.iter().filter(|row| row["kind"] == kind).collect()
}

/// Runs a small tournament into a database of the test called `name`.
fn tournament(name: &str, options: &[&str]) -> (String, Vec<Value>) {
    let db = directory(name).join("cup.db").display().to_string();
    let usual = ["arena", "run", "--size", "6", "--nodes", "100", "--json", "--db", &db];
    let rows = objects(&run(usual.iter().chain(options)).ok());
    (db, rows)
}

#[test]
fn a_tournament_is_played_kept_and_shown() {
    let options = ["--players", "random", "greedy", "depth3", "--pairs", "4"];
    let (db, rows) = tournament("arena_shown", &options);
    let games = of_kind(&rows, "game");
    assert_eq!(games.len(), 24);
    assert!(games.iter().all(|game| game["reason"] == "over" && game["forfeiter"].is_null()));
    let players = of_kind(&rows, "player");
    assert_eq!(players.iter().map(|row| row["player"].clone()).next(), Some("depth3".into()));
    let points: i64 = players.iter().map(|row| row["points"].as_i64().unwrap()).sum();
    assert_eq!((points, of_kind(&rows, "pairing").len()), (0, 3));
    let elo: f64 = players.iter().map(|row| row["elo"].as_f64().unwrap()).sum();
    assert!(elo.abs() < 1e-6);

    let show = |options: &[&str]| run(["arena", "show", &db].iter().chain(options)).ok();
    let shown = objects(&show(&["--json"]));
    assert_eq!(shown, rows[24..], "what run printed in the end");
    let words = show(&[]);
    assert!(words.starts_with("Tournament 1: round-robin (reversed, 6x6); 24 games, 100 nodes"));
    assert!(words.contains("\n   1  depth3 ") && words.contains("row against column"), "{words}");
    assert!(show(&["--csv"]).starts_with("rank,player,agent,games,wins,"));
    assert_eq!(show(&["--pgn"]).matches("[Result ").count(), 24);
    assert!(show(&["--list"]).contains("24 games, over"), "{}", show(&["--list"]));
    assert!(show(&["--circles"]).starts_with("Nobody beats each other in a circle"));
    assert_eq!(show(&["--circles", "--json"]), "");
    let results = show(&["--results"]);
    assert_eq!(results.lines().count(), 1 + 24);
    let mut in_order = games.clone();
    in_order.sort_by_key(|game| game["game"].as_u64());
    for (game, line) in in_order.iter().zip(results.lines().skip(1)) {
        let score = game["score"].as_i64().unwrap();
        let end = match score {
            0 => "drawn".to_owned(),
            _ => format!("{} wins by {}", if score > 0 { "black" } else { "white" }, score.abs()),
        };
        assert!(line.ends_with(&format!("{}  {end}", game["plies"])), "{line}: {game}");
    }

    // A game is read by the other commands, with its times.
    let ggf = show(&["--game", "5"]);
    let positions = objects(&run_with(["show", "-", "--json", "--step"], ggf.as_bytes()).ok());
    let kept = objects(&show(&["--game", "5", "--json"])).remove(0);
    assert_eq!(positions.len() as u64 - 1, kept["plies"].as_u64().unwrap());
    assert_eq!(positions.last().unwrap()["black_score"], kept["score"]);
    let timed = positions.iter().filter(|row| !row["seconds"].is_null()).count();
    assert!(timed > 20, "{timed}");
    let all = run_with(["convert", "-", "--to", "moves"], show(&["--games"]).as_bytes()).ok();
    assert_eq!(all.lines().count(), 24);
}

#[test]
fn the_same_seed_plays_the_same_games_however_many_at_once() {
    let moves = |name, more: &[&str]| {
        let options = ["--players", "greedy", "maximax", "mcts:playouts=10", "--pairs", "2"];
        let (_, rows) = tournament(name, &[&options[..], more].concat());
        let mut games: Vec<(u64, String)> = of_kind(&rows, "game")
            .iter()
            .map(|row| (row["game"].as_u64().unwrap(), row["moves"].to_string()))
            .collect();
        games.sort();
        games
    };
    let alone = moves("arena_alone", &["--concurrency", "1"]);
    assert_eq!(alone.len(), 12);
    assert_eq!(moves("arena_together", &["--concurrency", "4"]), alone);
    assert_ne!(moves("arena_other_seed", &["--seed", "2"]), alone);
}

#[test]
fn a_file_says_what_is_played_and_options_go_before_it() {
    let folder = directory("arena_spec");
    let (spec, db) = (folder.join("cup.toml"), folder.join("cup.db"));
    let openings = folder.join("openings.txt");
    fs::write(&openings, "c2d2e1\nc2b2a2\n").unwrap();
    let text = format!(
        "name = \"autumn cup\"\nformat = \"gauntlet\"\nsize = 6\npairs = 3\nnodes = 50\n\
         openings = {:?}\nplayers = [\"greedy\", {{ name = \"dice\", agent = \"random\" }}, \"random\"]\n",
        openings.display().to_string()
    );
    fs::write(&spec, text).unwrap();
    let [spec, db] = [spec, db].map(|path| path.display().to_string());
    let rows = objects(&run(["arena", "run", &spec, "--db", &db, "--pairs", "2", "--json"]).ok());
    let games = of_kind(&rows, "game");
    assert_eq!(games.len(), 8);
    assert!(games.iter().all(|game| {
        let moves = game["moves"].as_str().unwrap();
        game["opening"] == 3 && (moves.contains("c2d2e1") || moves.contains("c2b2a2"))
    }));
    let row = of_kind(&rows, "tournament")[0];
    assert_eq!((&row["name"], &row["format"]), (&"autumn cup".into(), &"gauntlet".into()));
    let names: Vec<String> =
        of_kind(&rows, "player").iter().map(|row| row["player"].to_string()).collect();
    assert!(names.contains(&"\"dice\"".to_owned()), "{names:?}");
    // A second tournament goes into the same file.
    let words = run(["arena", "run", &spec, "--db", &db, "--pairs", "1"]).ok();
    assert!(words.contains(&format!("Every game is kept in {db}: ")), "{words}");
    assert!(words.contains(&format!("isrever arena show {db} --results lists them")), "{words}");
    assert!(words.contains(&format!("\nisrever arena show {db} --game 1 | isrever show -")));
    assert_eq!(run(["arena", "show", &db, "--list"]).ok().lines().count(), 2);
    let first = objects(&run(["arena", "show", &db, "--tournament", "1", "--json"]).ok());
    assert_eq!(first[0]["finished"], 8);
    run(["arena", "show", &db, "--tournament", "3"]).refused(&["no tournament 3", "1, 2"]);
    let nothing = run(["arena", "resume", &db]).ok();
    assert!(nothing.starts_with("Nothing is left to play"), "{nothing}");
}

#[test]
fn tournaments_of_one_game_are_rated_together() {
    let (db, first) =
        tournament("arena_rated_together", &["--players", "mcts:playouts=5", "depth3"]);
    let add = |options: &[&str]| {
        let usual = ["arena", "run", "--nodes", "100", "--json", "--pairs", "4", "--db", &db];
        objects(&run(usual.iter().chain(options)).ok())
    };
    add(&["--size", "6", "--seed", "2", "--players", "mcts:playouts=50", "depth3", "greedy"]);
    // Another board stays apart.
    add(&["--size", "4", "--players", "random", "greedy"]);
    let show = |options: &[&str]| run(["arena", "show", &db].iter().chain(options)).ok();
    let together = ["--together", "--tournament", "2"];
    let rows = objects(&show(&[&together[..], &["--json"]].concat()));
    assert_eq!(of_kind(&rows, "tournament").len(), 2);
    let players = of_kind(&rows, "player");
    assert_eq!((players.len(), of_kind(&rows, "pairing").len()), (4, 4));
    let games = |name: &str| {
        let row = players.iter().find(|row| row["player"] == name);
        row.map(|row| row["games"].as_u64().unwrap())
    };
    let met = of_kind(&first, "pairing")[0];
    let before =
        ["wins", "draws", "losses"].map(|key| met[key].as_u64().unwrap()).iter().sum::<u64>();
    assert_eq!((games("depth3"), games("mcts:playouts=5")), (Some(before + 16), Some(before)));
    let elo: f64 = players.iter().map(|row| row["elo"].as_f64().unwrap()).sum();
    assert!(elo.abs() < 1e-6);

    let words = show(&together);
    assert!(words.starts_with("Tournament 1: ") && words.contains("\nTournament 2: "), "{words}");
    assert!(!words.contains("Tournament 3") && !words.contains("link"), "{words}");
    let csv = show(&[&together[..], &["--csv"]].concat());
    assert_eq!((csv.lines().count(), csv.contains("\"mcts:playouts=50\"")), (5, true), "{csv}");
    let svg = show(&[&together[..], &["--along", "playouts"]].concat());
    assert!(svg.starts_with("<svg") && svg.contains(">depth3<") && svg.contains(">mcts<"), "{svg}");

    // Players of another name, or agents under the same name, are others.
    let spec = directory("arena_apart").join("apart.toml");
    let players = "[{ name = \"depth3\", agent = \"greedy\" }, \"random\"]";
    fs::write(&spec, format!("size = 6\nplayers = {players}\n")).unwrap();
    add(&[&spec.display().to_string()]);
    let words = show(&["--together"]);
    assert!(words.contains("depth3 (depth3)") && words.contains("depth3 (greedy)"), "{words}");
    assert!(words.contains("No games link all players"), "{words}");
    run(["arena", "show", &db, "--along", "playouts"])
        .refused(&["no player has a number playouts="]);
    run(["arena", "show", &db, "--together", "--games"]).refused(&["--together", "--games"]);
}

#[test]
fn a_test_ends_with_a_verdict_and_a_ladder_with_an_order() {
    let options = ["--format", "sprt", "--players", "depth3", "random", "--elo1", "50"];
    let (db, rows) = tournament("arena_sprt", &options);
    let test = &of_kind(&rows, "tournament")[0]["test"];
    assert_eq!(test["verdict"], "accepted");
    assert!(test["ratio"].as_f64().unwrap() >= test["bounds"][1].as_f64().unwrap());
    let words = run(["arena", "show", &db]).ok();
    assert!(words.contains("depth3 is at least 50 Elo stronger"), "{words}");

    let options = ["--format", "ladder", "--players", "random", "greedy", "depth3", "--pairs", "2"];
    let (db, rows) = tournament("arena_ladder", &options);
    assert_eq!(of_kind(&rows, "tournament")[0]["ladder"][0], "depth3");
    let words = run(["arena", "show", &db]).ok();
    assert!(words.contains("The ladder, from the top: depth3, "), "{words}");
}

#[test]
fn the_same_games_over_and_over_make_nobody_surer() {
    let options = ["--players", "depth3", "genetic", "--openings", "start", "--pairs"];
    let (_, once) = tournament("arena_once", &[&options[..], &["1"]].concat());
    let (db, often) = tournament("arena_often", &[&options[..], &["20"]].concat());
    assert_eq!(of_kind(&often, "tournament")[0]["different"], 2);
    let pairing = of_kind(&often, "pairing")[0];
    assert_eq!((&pairing["different"], &pairing["pairs"]), (&2.into(), &often_pairs(pairing)));
    for key in ["elo_low", "elo_high", "superiority"] {
        assert_eq!(pairing[key], of_kind(&once, "pairing")[0][key], "{key}");
    }
    let (one, other) = (of_kind(&once, "player"), of_kind(&often, "player"));
    assert_eq!((&one[0]["elo"], &one[0]["elo_low"]), (&other[0]["elo"], &other[0]["elo_low"]));
    let words = run(["arena", "show", &db]).ok();
    assert!(words.contains("Only 2 of 40 games are different"), "{words}");
    assert!(!words.contains(" -") && words.contains(" −"), "one minus sign: {words}");

    let options = ["--format", "sprt", "--players", "depth3", "genetic", "--openings", "start"];
    let (db, rows) = tournament("arena_stale", &options);
    assert_eq!(of_kind(&rows, "tournament")[0]["test"]["verdict"], "open");
    let words = run(["arena", "show", &db]).ok();
    assert!(words.contains("no verdict, the same games are played over and over"), "{words}");
}

/// Twenty pairs that all ended as the first.
fn often_pairs(pairing: &Value) -> Value {
    let pairs = pairing["pairs"].as_array().unwrap();
    pairs.iter().map(|count| if count == 0 { 0 } else { 20 }).collect::<Vec<u64>>().into()
}

#[test]
fn balanced_openings_are_at_hand() {
    let db = directory("arena_balanced").join("cup.db").display().to_string();
    let usual = ["arena", "run", "--nodes", "100", "--json", "--db", &db];
    let options = ["--players", "random", "greedy", "--pairs", "3", "--openings", "balanced"];
    let rows = objects(&run(usual.iter().chain(&options)).ok());
    let games = of_kind(&rows, "game");
    assert!(games.len() == 6 && games.iter().all(|game| game["opening"] == 8), "{games:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn files_that_a_tournament_names_lie_beside_it_and_are_found_from_anywhere() {
    let folder = directory("arena_beside");
    let file = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    file("openings.txt", "c2d2e1\n");
    file(
        "raise.py",
        "class AI(object):\n    def __init__(self, chessboard_size, color, time_out):\n        \
         self.candidate_list = []\n    def go(self, chessboard):\n        raise ValueError('no')\n",
    );
    file(
        "cup.toml",
        "size = 6\npairs = 1\nnodes = 50\nopenings = \"openings.txt\"\n\
         players = [\"random\", \"python:raise.py,time=60s\", { name = \"棋手\", agent = \"greedy\" }]\n",
    );
    let [spec, db] = ["cup.toml", "cup.db"].map(|name| folder.join(name).display().to_string());
    let words = run(["arena", "run", &spec, "--db", &db]).ok();
    assert!(words.contains("python:raise.py,time=60s") && words.contains("4 crash"), "{words}");
    let line = |name: &str| words.lines().find(|line| line.contains(name)).unwrap().to_owned();
    // Two letters that are as wide as four.
    let place =
        |name: &str, text: &str| line(name)[..line(name).find(text).unwrap()].chars().count();
    assert_eq!(place("棋手", "    4 ") + 2, place("random", "    4 "), "{words}");
    let kept = objects(&run(["arena", "show", &db, "--json"]).ok());
    let player = kept.iter().find(|row| row["player"] == "python:raise.py,time=60s").unwrap();
    assert!(player["agent"].as_str().unwrap().starts_with("python:/"), "{player}");
    assert_eq!((&player["reasons"]["crash"], &player["forfeits"]), (&4.into(), &4.into()));
    let results = run(["arena", "show", &db, "--results"]).ok();
    assert_eq!(results.matches("  white forfeits: ").count(), 2, "{results}");
    assert!(results.contains("ValueError: no"), "{results}");

    let path = folder.join("raise.py").display().to_string();
    let agent = format!("python:{path},time=60s");
    let measure =
        ["arena", "measure", "round-robin", &agent, "greedy", "--pairs", "2", "--size", "6"];
    let words = run(measure).ok();
    assert!(words.contains("forfeited 4: 4 crash"), "{words}");
}

#[test]
fn agents_are_measured_four_ways() {
    let measure = |options: &[&str]| {
        let more = ["--json", "--size", "6"];
        objects(&run(["arena", "measure"].iter().chain(options).chain(&more)).ok())
    };
    let rows = measure(&["round-robin", "random", "greedy", "depth3", "--nodes", "50"]);
    assert_eq!((rows.len(), &rows[0]["agent"]), (3, &"depth3".into()));
    assert!(rows.iter().all(|row| row["low"].as_f64() < row["score"].as_f64()));
    assert!(rows.iter().all(|row| row["high"].as_f64() <= row["games"].as_f64()), "{rows:?}");
    assert!(rows.iter().all(|row| row["forfeits"] == 0 && row["different"] == row["games"]));

    let options = ["win-rate", "depth3", "--against", "random", "--nodes", "50", "--reach", "0.06"];
    let row = measure(&options).remove(0);
    assert_eq!(row["narrow"], true);
    assert!(row["low"].as_f64().unwrap() > 0.6 && row["high"].as_f64().unwrap() <= 1.0, "{row}");
    assert_eq!(measure(&options)[0], row, "the same again");

    let options = ["minimax-loss", "random", "engine", "--count", "6", "--empties", "7..8"];
    let rows = measure(&[&options[..], &["--plies", "1", "--depth", "20"]].concat());
    assert!(rows[0]["discs"]["mean"].as_f64().unwrap() > 0.5, "{rows:?}");
    assert_eq!(rows[1]["discs"]["mean"], 0.0, "it solves");
    assert_eq!((rows[1]["value"]["mean"].as_f64(), rows[0]["value"].is_null()), (Some(0.0), true));

    let options = ["search-depth", "genetic", "genetic", "random", "--nodes", "500"];
    let rows = measure(&[&options[..], &["--count", "10", "--empties", "10..20"]].concat());
    assert_eq!((rows[0]["told"].as_u64(), rows[2]["told"].as_u64()), (Some(10), Some(0)));
    assert_eq!((rows[1]["lead"].as_f64(), rows[0]["lead"].is_null()), (Some(0.0), true));
}

#[test]
fn known_scores_of_a_file_are_used() {
    let file = directory("arena_known").join("known.obf");
    // Black moves on 4×4; what the moves are said to be worth is not so, and is taken as said.
    fs::write(&file, "% rule: reversed\n-XO-XOO--O------ X; d1:+4; d2:+2; d3:+2; b4:+2; c4:+2;\n")
        .unwrap();
    let name = file.to_str().unwrap();
    let options = ["minimax-loss", "random", "--positions", name, "--plies", "0", "--size", "4"];
    let rows = objects(&run(["arena", "measure"].iter().chain(&options).chain(&["--json"])).ok());
    assert_eq!((rows[0]["roots"].as_u64(), rows[0]["nodes"].as_u64()), (Some(1), Some(1)));
    let loss = rows[0]["discs"]["mean"].as_f64().unwrap();
    assert!(loss == 0.0 || loss == 2.0, "{loss}");
}

#[test]
fn what_is_no_tournament_is_refused_and_nothing_is_written() {
    let folder = directory("arena_refused");
    let db = folder.join("cup.db");
    let name = db.to_str().unwrap();
    let spec = folder.join("bad.toml");
    fs::write(&spec, "players = [\"random\", \"greedy\"]\npears = 3\n").unwrap();
    let stranger = folder.join("stranger.toml");
    fs::write(&stranger, "players = [\"random\", \"gredy\"]\n").unwrap();
    let stranger = stranger.display().to_string();
    let openings = folder.join("over.txt");
    fs::write(&openings, format!("XX{} O\n", "-".repeat(62))).unwrap();
    let [spec, openings] = [spec, openings].map(|path| path.display().to_string());
    let two = ["--players", "random", "greedy"];
    let cases: &[(&[&str], &[&str])] = &[
        (&[], &["players: 0 players; expected 2 to 1000"]),
        (&["--players", "random"], &["players: 1 player"]),
        (&["--players", "random", "gredy"], &["agent gredy", "did you mean greedy"]),
        (&["--players", "random", "greedy:by=luck"], &["by=luck; expected discs"]),
        (
            &[&two[..], &["--format", "swiss"]].concat(),
            &["format: cannot be \"swiss\"", "round-robin"],
        ),
        (&[&two[..], &["--time", "5"]].concat(), &["time: \"5\" is not a time"]),
        (&[&two[..], &["--pairs", "0"]].concat(), &["pairs: cannot be 0"]),
        (&[&two[..], &["--size", "7"]].concat(), &["size: cannot be 7; expected 4, 6"]),
        (&[&two[..], &["--openings", "nowhere.txt"]].concat(), &["nowhere.txt: no such file"]),
        (&[&two[..], &["--openings", &openings]].concat(), &["over.txt", "game 1 is over"]),
        (&[&two[..], &["--openings", "random:0"]].concat(), &["openings", "random:1"]),
        (&[&two[..], &["--concurrency", "1000"]].concat(), &["concurrency", "running clocks"]),
        (&[&two[..], &["--concurrency", "0"]].concat(), &["concurrency", "at least 1"]),
        (
            &[&two[..], &["--format", "sprt", "--elo1", "-5"]].concat(),
            &["sprt: elo0 is 0 and elo1 -5"],
        ),
        (&[&two[..], &["--elo1", "5"]].concat(), &["sprt: a round-robin has none"]),
        (&[&two[..], &["--rounds", "2"]].concat(), &["rounds: a round-robin has none"]),
        (&[&two[..], &["--name", ""]].concat(), &["name: cannot be \"\"; expected one line"]),
        (&[&two[..], &["--time", "-1s"]].concat(), &["time: \"-1s\" is not a time; expected one"]),
        (
            &[&two[..], &["--size", "4", "--openings", "random:12"]].concat(),
            &["openings: no game on 4x4 goes on after 12 moves"],
        ),
        (&[&two[..], &["--size", "6", "--openings", "balanced"]].concat(), &["reversed on 8x8"]),
        (&[&stranger], &["stranger.toml: agent gredy", "did you mean greedy"]),
        (&[&spec], &["bad.toml: line 2: pears: no such key", "pairs"]),
        (&["nowhere.toml"], &["nowhere.toml: no such file"]),
    ];
    for (args, words) in cases {
        run(["arena", "run", "--db", name].iter().chain(*args)).refused(words);
        assert!(!db.exists(), "{args:?}");
    }
    let lost = folder.join("nowhere/cup.db").display().to_string();
    run(["arena", "run", "--db", &lost].iter().chain(&two)).refused(&["no such folder"]);
    run(["arena"]).refused(&[
        "arguments: a command is missing; expected one that isrever arena --help lists",
    ]);
    run(["arena", "measure"]).refused(&["a command is missing"]);
    for command in ["show", "resume"] {
        run(["arena", command, name]).refused(&["no such file; expected one that arena run made"]);
        run(["arena", command, "Cargo.toml"]).refused(&["not a file of tournaments"]);
    }
    run(["arena", "measure", "win-rate", "greedy", "--reach", "0"]).refused(&["--reach 0"]);
    run(["arena", "measure", "win-rate", "gredy"]).refused(&["agent gredy"]);
    run(["arena", "measure", "minimax-loss", "greedy", "--empties", "30..30"])
        .refused(&["30 empty squares", "at most 20"]);
    run(["arena", "measure", "search-depth", "greedy", "--empties", "5..3"]).refused(&["5..3"]);
}

/// The file of a Python agent in a folder of the test called `name`, which does `deed` in its
/// constructor and then plays the first legal square.
#[cfg(target_os = "linux")]
fn written_agent(folder: &std::path::Path, deed: &str) -> String {
    let honest = concat!(env!("CARGO_MANIFEST_DIR"), "/../guest/tests/agents/simple.py");
    let lines = fs::read_to_string(honest).unwrap();
    let made = "        self.candidate_list = []\n";
    assert!(lines.contains(made));
    fs::create_dir_all(folder).unwrap();
    let file = folder.join("main.py");
    fs::write(&file, lines.replace(made, &format!("{made}        {deed}\n"))).unwrap();
    file.display().to_string()
}

#[cfg(target_os = "linux")]
#[test]
fn an_agent_that_cannot_start_is_refused_before_the_first_game() {
    let folder = directory("arena_no_start");
    let db = folder.join("cup.db");
    let refused = |players: &[&str], words: &[&str]| {
        let usual = ["arena", "run", "--pairs", "1", "--size", "4", "--nodes", "10", "--db"];
        let args = [&usual[..], &[db.to_str().unwrap(), "--players"], players].concat();
        run(args).refused(words);
        assert!(!db.exists(), "{players:?}");
    };
    let file = folder.join("ai.py");
    let agent = format!("python:{}", file.display());
    for (lines, words) in [
        (
            "class Foo: pass",
            "it cannot start; expected one that can: the file has no class AI; it has Foo; rename it",
        ),
        ("class AI(", "it cannot start; expected one that can: SyntaxError: "),
        (
            "import no_such",
            "it cannot start; expected one that can: ModuleNotFoundError: No module named 'no_such'",
        ),
        (
            "import os",
            "it cannot start; expected one that can: line 1 imports os, which the course forbids",
        ),
    ] {
        fs::write(&file, lines).unwrap();
        refused(&["random", &agent], &[&format!("agent {agent}: {words}")]);
    }
    refused(&["random", "nboard:true"], &["agent nboard:true: it cannot start; "]);

    // One that has started may fail later: those games are lost, and no others.
    let white = written_agent(&folder.join("white"), "if color == 1: raise ValueError('no')");
    let options = ["--pairs", "1", "--players", "random", &format!("python:{white},time=60s")];
    let (_, rows) = tournament("arena_no_start_white", &options);
    let games = of_kind(&rows, "game");
    let lost = games.iter().filter(|game| game["reason"] == "crash").count();
    assert_eq!((games.len(), lost), (2, 1), "{games:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_tournament_goes_on_with_an_agent_that_cannot_start_any_more() {
    let folder = directory("arena_no_restart");
    let file = written_agent(&folder, "pass");
    let db = folder.join("cup.db").display().to_string();
    let agent = format!("python:{file},time=60s");
    let start = ["arena", "run", "--size", "4", "--pairs", "20", "--db", &db, "--json"];
    let args = [&start[..], &["--nodes", "10", "--players", "random", &agent]].concat();
    let args: Vec<String> = args.into_iter().map(str::to_owned).collect();
    let (told, is_over) = crate::arena_kill::killed(&args, 1, Duration::ZERO);
    assert!(!told.is_empty() && !is_over);
    fs::write(&file, "class AI(").unwrap();
    let rows = objects(&run(["arena", "resume", &db, "--json"]).ok());
    let row = of_kind(&rows, "tournament")[0];
    assert_eq!((&row["finished"], &row["over"]), (&40.into(), &true.into()));
}

#[cfg(target_os = "linux")]
#[test]
fn names_and_reasons_are_long_enough_to_tell_agents_and_failures_apart() {
    let folder = directory("arena_names_files")
        .join("a/long/way/to/the/files/of/all/students/of/the/course");
    let raises = "if color == 1: raise ValueError('no ' + 'luck ' * 30 + 'at all')";
    let [one, other] = ["ada", "bob"].map(|name| {
        let file = written_agent(&folder.join(name), raises);
        format!("python:{file},time=60s,memory=200")
    });
    let (db, _) = tournament("arena_names", &["--pairs", "1", "--players", &one, &other]);
    let words = run(["arena", "show", &db]).ok();
    let results = run(["arena", "show", &db, "--results"]).ok();
    for name in ["/ada/", "/bob/"] {
        let line = words.lines().find(|line| line.contains(name)).expect(&words);
        let shown = line.split_whitespace().nth(1).unwrap();
        assert!(shown.contains('…') && shown.chars().count() == 40, "{line}");
        assert!(results.contains(name), "{results}");
    }
    // Nobody reads the line of a pipe at a glance: it is whole.
    assert_eq!(results.matches("luck at all (line ").count(), 2, "{results}");
}

/// Agents of other people that misbehave, each in a way of its own, and why they lose.
#[cfg(target_os = "linux")]
const STRANGERS: [(&str, &str, &str); 5] = [
    ("liar", "self.candidate_list.append((0, 0))", "illegal-move"),
    ("idler", "while True: pass", "time"),
    ("raiser", "raise ValueError('no')", "crash"),
    ("babbler", "self.candidate_list.append('here')", "garbage"),
    ("glutton", "self.hoard = [bytearray(1 << 20) for _ in range(10000)]", "memory"),
];

#[cfg(target_os = "linux")]
#[test]
fn strangers_lose_by_what_they_do_and_the_tournament_goes_on() {
    let folder = directory("arena_strangers");
    let honest = concat!(env!("CARGO_MANIFEST_DIR"), "/../guest/tests/agents/simple.py");
    let mut players = vec!["random".to_owned(), format!("python:{honest}")];
    for (name, deed, _) in STRANGERS {
        let file = folder.join(format!("{name}.py"));
        let text = format!(
            "class AI(object):\n    def __init__(self, chessboard_size, color, time_out):\n        \
             self.candidate_list = []\n    def go(self, chessboard):\n        {deed}\n"
        );
        fs::write(&file, text).unwrap();
        players.push(format!("python:{},time=400ms", file.display()));
    }
    // Their own time: on a busy machine they are late by what they do alone.
    let mut options = vec!["--format", "gauntlet", "--pairs", "1", "--clock", "cpu", "--players"];
    options.extend(players.iter().map(String::as_str));
    let (_, rows) = tournament("arena_guests", &options);
    let games = of_kind(&rows, "game");
    assert_eq!(games.len(), 2 * (players.len() - 1));
    for game in games {
        let sides = ["black", "white"].map(|side| game[side].as_str().unwrap().to_owned());
        let stranger = STRANGERS
            .iter()
            .find(|(name, ..)| sides.iter().any(|side| side.contains(&format!("{name}.py"))));
        match stranger {
            None => assert_eq!(game["reason"], "over", "{game}"),
            Some((name, _, reason)) => {
                assert_eq!(game["reason"], *reason, "{game}");
                let loser = game["forfeiter"].as_str().unwrap();
                assert!(game[loser].as_str().unwrap().contains(name), "{game}");
            }
        }
    }
}
