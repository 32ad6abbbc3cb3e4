//! Books: grown, killed, resumed, shown, checked, exported, imported; and files that are none.

use crate::program::{command, directory, run, run_with};
#[cfg(unix)]
use isrever_agent::Rng;
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::fs;
#[cfg(unix)]
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
#[cfg(unix)]
use std::process::{Command, Stdio};
#[cfg(unix)]
use std::thread;
#[cfg(unix)]
use std::time::{Duration, Instant, SystemTime};

/// Grows a book on 6×6 by small searches.
fn grow(book: &Path, positions: usize) -> Vec<String> {
    let (book, positions) = (book.to_str().unwrap(), positions.to_string());
    let words = ["book", "grow", book, "--size", "6", "--nodes", "3000", "--group", "8", "--json"];
    words.iter().map(|&word| word.to_owned()).chain(["--positions".to_owned(), positions]).collect()
}

fn words<'a>(words: &'a [&'a str]) -> Vec<&'a str> {
    words.to_vec()
}

/// What a command says, which must succeed.
fn said(args: &[&str]) -> String {
    run(words(args)).ok()
}

/// The values of all lines by their position.
fn lines(text: &str) -> BTreeMap<String, Value> {
    let line = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        (value["position"].as_str().unwrap().to_owned(), value)
    };
    text.lines().map(line).collect()
}

#[test]
fn the_same_command_makes_the_same_book_on_any_number_of_threads() {
    let folder = directory("book_same");
    let [one, three] = ["one.book", "three.book"].map(|name| folder.join(name));
    run(grow(&one, 60).into_iter().chain(["--threads".into(), "1".into()])).ok();
    run(grow(&three, 60).into_iter().chain(["--threads".into(), "3".into()])).ok();
    assert!(fs::read(&one).unwrap() == fs::read(&three).unwrap());
    assert!(!folder.join("one.book.journal").exists(), "nothing is left beside it");
    let checked = said(&["book", "check", one.to_str().unwrap()]);
    assert!(checked.ends_with("one.book: 60 positions (reversed, 6x6), all right\n"), "{checked}");
}

#[test]
fn it_says_how_fast_it_grew() {
    let folder = directory("book_speed");
    let book = folder.join("my.book");
    let grown = |positions| {
        let words = grow(&book, positions).into_iter().filter(|word| word != "--json");
        run(words.chain(["--threads".into(), "2".into()])).ok()
    };
    let said = grown(40);
    let (_, speed) = said.trim_end().split_once("; ").expect(&said);
    let (rate, rest) = speed.split_once(" positions per core-second, ").expect(&said);
    let share = rest.strip_suffix(" % of the time outside searches").expect(&said);
    let [rate, share] = [rate, share].map(|number| number.parse::<f64>().expect(&said));
    assert!(rate > 0.0 && (0.0..=100.0).contains(&share), "{said}");
    // Where nothing is searched, there is no speed.
    let again = grown(40);
    assert!(again.contains(", 0 of them new in ") && !again.contains("second"), "{again}");
}

/// Fails unless the book has all that was `told`, and is whole; gives what it has.
#[cfg(unix)]
fn nothing_is_lost(book: &str, told: &BTreeMap<String, Value>) -> BTreeMap<String, Value> {
    said(&["book", "check", book]);
    let known = lines(&said(&["book", "export", book]));
    for (position, found) in told {
        let known = &known[position];
        for key in ["value", "best", "depth", "exact", "moves"] {
            assert_eq!(known[key], found[key], "{position}");
        }
    }
    known
}

#[test]
#[cfg(unix)]
fn whatever_moment_it_is_killed_at_nothing_that_was_told_is_lost() {
    let folder = directory("book_killed");
    let [whole, pieces] = ["whole.book", "pieces.book"].map(|name| folder.join(name));
    let book = pieces.to_str().unwrap();
    let mut told = BTreeMap::new();
    for round in 0..10 {
        let mut child = command(grow(&pieces, 1_000)).stdout(Stdio::piped()).spawn().unwrap();
        let mut heard = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut text = String::new();
        // Right after the first, or some later: never at the same moment.
        for line in heard.by_ref().take(1 + round * 7 % 12) {
            text += &(line.unwrap() + "\n");
        }
        child.kill().unwrap();
        child.wait().unwrap();
        told.extend(lines(&text));
        assert!(!told.is_empty());
        nothing_is_lost(book, &told);
    }
    // It goes on, and ends.
    let count = lines(&said(&["book", "export", book])).len() + 20;
    run(grow(&pieces, count)).ok();
    assert_eq!(lines(&said(&["book", "export", book])).len(), count);
    assert!(!folder.join("pieces.book.journal").exists());
    // A finding depends on its position alone, whoever found it and when.
    run(grow(&whole, 30)).ok();
    let known = lines(&said(&["book", "export", book]));
    let both: Vec<_> = lines(&said(&["book", "export", whole.to_str().unwrap()]))
        .into_iter()
        .filter(|(position, _)| known.contains_key(position))
        .collect();
    assert!(both.len() > 10);
    for (position, line) in both {
        assert_eq!(line["value"], known[&position]["value"]);
    }
}

#[test]
#[cfg(unix)]
#[expect(clippy::print_stdout, reason = "a failure shows the seed that leads to it again")]
fn a_kill_at_any_instant_and_while_the_file_is_replaced_loses_nothing() {
    // Another seed each time, and other instants; a failed test shows which.
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    let seed = std::env::var("ISREVER_KILL_SEED")
        .map_or(now.as_nanos() as u64, |seed| seed.parse().expect("ISREVER_KILL_SEED is a number"));
    println!("ISREVER_KILL_SEED={seed}");
    let mut rng = Rng::new(seed);
    let folder = directory("book_killed_at_random");
    let path = folder.join("pieces.book");
    let book = path.to_str().unwrap();
    let is_temporary = |name: &str| name != "pieces.book" && name != "pieces.book.journal";
    let temporary = || {
        let names = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| is_temporary(name.to_str().unwrap())).count()
    };
    let mut told = BTreeMap::new();
    let (mut known, mut torn) = (0, 0);
    for round in 0..24 {
        let more = 1 + rng.below(12) as usize;
        let mut child = command(grow(&path, known + more)).stdout(Stdio::piped()).spawn().unwrap();
        let before = temporary();
        let output = child.stdout.take().unwrap();
        // Every other time as soon as the new file is there, which then is written and renamed;
        // else after some findings and a moment.
        let heard = if round % 2 == 0 {
            let reader = thread::spawn(move || io::read_to_string(output).unwrap());
            while temporary() == before && child.try_wait().unwrap().is_none() {
                std::hint::spin_loop();
            }
            spin(Duration::from_micros(rng.below(100).into()));
            child.kill().unwrap();
            reader.join().unwrap()
        } else {
            let mut output = BufReader::new(output);
            let mut text = String::new();
            for _ in 0..rng.below(more as u32) {
                output.read_line(&mut text).unwrap();
            }
            spin(Duration::from_micros(rng.below(5_000).into()));
            child.kill().unwrap();
            output.read_to_string(&mut text).unwrap();
            text
        };
        torn += u32::from(!child.wait().unwrap().success());
        // A last line without its end was not told.
        let whole = heard.rfind('\n').map_or("", |end| &heard[..=end]);
        told.extend(lines(whole));
        if !told.is_empty() {
            known = nothing_is_lost(book, &told).len();
        }
    }
    assert!(torn > 0, "all have ended before they were killed");
    run(grow(&path, known + 5)).ok();
    assert_eq!(nothing_is_lost(book, &told).len(), known + 5);
}

/// Lets so much time go by.
#[cfg(unix)]
fn spin(time: Duration) {
    let begun = Instant::now();
    while begun.elapsed() < time {
        std::hint::spin_loop();
    }
}

#[test]
fn a_book_is_shown_exported_and_put_together_again() {
    let folder = directory("book_parts");
    let [first, second, third] =
        ["first.book", "second.book", "third.book"].map(|name| folder.join(name));
    let [one, two, three] = [&first, &second, &third].map(|path| path.to_str().unwrap());
    run(grow(&first, 40)).ok();
    // Black is to move at the start; all four moves are one and the same.
    let start: Value = serde_json::from_str(&said(&["book", "show", one, "--json"])).unwrap();
    assert_eq!((&start["known"], start["moves"].as_array().unwrap().len()), (&true.into(), 4));
    let moves = start["moves"].as_array().unwrap();
    assert!(moves.iter().all(|shown| shown["kind"] == "known" && shown["value"] == start["value"]));
    let text = said(&["book", "show", one, "c2"]);
    assert!(text.contains("best line: ") && text.contains(" in the book, then "), "{text}");
    let far = said(&["book", "show", one, "c2b2a2a1", "--json"]);
    assert!(far.contains("\"known\":false"), "{far}");
    let stats: Value = serde_json::from_str(&said(&["book", "stats", one, "--json"])).unwrap();
    assert_eq!((&stats["positions"], &stats["plies"][0]["positions"]), (&40.into(), &1.into()));
    assert!(said(&["book", "stats", one]).contains("3,000 nodes a position"));
    // Exported and imported, it has the same positions; and with itself, no more.
    let exported = folder.join("lines.jsonl");
    let file = exported.to_str().unwrap();
    said(&["book", "export", one, "-o", file]);
    let imported = said(&["book", "import", two, file, "--size", "6"]);
    assert!(
        imported.contains("40 positions") && imported.contains("of 40 40 are new"),
        "{imported}"
    );
    assert_eq!(said(&["book", "export", one]), said(&["book", "export", two]));
    let again = said(&["book", "import", two, one]);
    assert!(again.contains("40 positions") && again.contains("of 40 0 are new"), "{again}");
    // A proof is better than any search.
    said(&["book", "grow", three, "--size", "4", "--exact", "--full", "3", "--plies", "3"]);
    let proved: Value = serde_json::from_str(&said(&["book", "show", three, "--json"])).unwrap();
    assert_eq!(
        (&proved["value"], &proved["lower"], &proved["exact"]),
        (&4.into(), &4.into(), &true.into())
    );
    run(words(&["book", "import", three, one]))
        .refused(&["a book of the reversed rule on 6x6; expected the reversed rule on 4x4"]);
}

#[test]
fn books_of_other_programs_come_and_go() {
    let folder = directory("book_foreign");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (ours, six) = (path("ours.book"), path("six.book"));
    let normal = ["--rule", "normal", "--nodes", "2000", "--positions", "30"];
    run(["book", "grow", &ours].into_iter().chain(normal)).ok();
    let values = |book: &str| -> Vec<(String, Value, Value)> {
        let lines = lines(&said(&["book", "export", book]));
        let of = |(position, mut line): (String, Value)| {
            (position, line["book"]["value"].take(), line["book"]["best"].take())
        };
        lines.into_iter().map(of).collect()
    };
    for (name, program) in [("theirs.dat", "Edax"), ("theirs.egbk3", "Egaroucid")] {
        let (theirs, back) = (path(name), path(&format!("{program}.book")));
        said(&["book", "export", &ours, "-o", &theirs]);
        let kind = program.to_lowercase();
        let output = command(words(&["book", "export", &ours, "--format", &kind])).output();
        let bytes = output.unwrap().stdout;
        assert!(fs::read(&theirs).unwrap() == bytes, "to standard output too");
        // A new book is of the rule and the size that the programs play.
        let imported = said(&["book", "import", &back, &theirs]);
        assert!(imported.contains("30 positions (normal, 8x8); of 30 30 are new"), "{imported}");
        assert_eq!(values(&back), values(&ours));
        said(&["book", "check", &back]);
        let stats = said(&["book", "stats", &back]);
        assert!(stats.contains(&format!("imported from a book of {program}")), "{stats}");
        // What was searched here counts nodes, and is better.
        let again = said(&["book", "import", &ours, &theirs]);
        assert!(again.contains("of 30 0 are new and 0 better"), "{again}");
        let better = said(&["book", "import", &back, &ours]);
        assert!(better.contains("of 30 0 are new and 30 better"), "{better}");
        // Ours alone can be looked into, and only what is whole is imported.
        run(words(&["book", "show", &theirs]))
            .refused(&[&format!("a book of {program}; expected one of ours")]);
        let mut newer = bytes.clone();
        newer[if program == "Edax" { 8 } else { 9 }] = 9;
        let mut wrong = bytes.clone();
        let last = bytes.len() - 3;
        wrong[last..].copy_from_slice(&[0xfe, 0, 21]);
        for (bytes, expected) in [
            (&bytes[..bytes.len() - 1], "that was cut short or changed"),
            (&bytes[..5], "not a book of"),
            (&b"something"[..], "not a book of"),
            (&newer, ", version 9; expected version"),
            (&wrong, "holds something impossible"),
        ] {
            fs::write(&theirs, bytes).unwrap();
            run(words(&["book", "import", &back, &theirs])).refused(&[expected]);
        }
        fs::write(&theirs, &bytes).unwrap();
        run(grow(&folder.join("six.book"), 8)).ok();
        run(words(&["book", "import", &six, &theirs]))
            .refused(&["a book of the normal rule on 8x8; expected the reversed rule on 6x6"]);
        run(words(&["book", "export", &six, "-o", &path(&format!("no.{name}"))]))
            .refused(&["a book of the reversed rule; expected one of the normal rule"]);
        assert!(!folder.join(format!("no.{name}")).exists());
    }
}

#[test]
fn pictures_are_drawn_of_a_book() {
    let folder = directory("book_pictures");
    let book = folder.join("my.book");
    run(grow(&book, 40)).ok();
    let pictures = folder.join("pictures");
    let text = ["book", "stats", book.to_str().unwrap()];
    let with = said(&[&text[..], &["--plot", pictures.to_str().unwrap()]].concat());
    assert_eq!(with, said(&text));
    for name in ["positions", "depths", "values", "confidences"] {
        let svg = fs::read_to_string(pictures.join(format!("{name}.svg"))).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("40 positions, reversed rule"), "{svg}");
    }
}

#[test]
fn what_is_no_book_is_refused_in_one_line() {
    let folder = directory("book_refused");
    let whole = folder.join("whole.book");
    run(grow(&whole, 20)).ok();
    let bytes = fs::read(&whole).unwrap();
    let path = folder.join("some.book");
    let book = path.to_str().unwrap();
    let refused = |bytes: &[u8], args: &[&str], expected: &str| {
        fs::write(&path, bytes).unwrap();
        run(words(args)).refused(&[expected]);
    };
    let changed = |at: usize, to: u8| {
        let mut changed = bytes.clone();
        changed[at] = to;
        changed
    };
    for command in ["check", "show", "stats", "export"] {
        let args = ["book", command, book];
        for (bytes, expected) in [
            (&bytes[..bytes.len() - 1], "a book that was cut short or changed"),
            (&bytes[..20], "not a book; expected a file that book grow wrote"),
            (&b"{}\n"[..], "not a book; expected"),
            (&changed(8, 2), "a book of format 2; expected format 1"),
            (&changed(9, 7), "a book for rule number 7; expected 0 or 1"),
            (&changed(10, 7), "a book for boards 7 squares wide; expected 4, 6 or 8"),
            (&changed(100, 1), "a book that was cut short or changed"),
        ] {
            refused(bytes, &args, expected);
        }
    }
    let grow = ["book", "grow", book, "--positions", "30"];
    refused(&bytes[..60], &grow, "cut short");
    refused(
        &bytes,
        &["book", "grow", book, "--positions", "30", "--rule", "normal"],
        "a book of the reversed rule; expected one of the normal rule",
    );
    refused(
        &bytes,
        &["book", "grow", book, "--positions", "30", "--size", "8"],
        "a book for 6x6; expected one for 8x8",
    );
    run(words(&["book", "grow", book]))
        .refused(&["expected --positions, --time, --plies or --perfect"]);
    run(words(&["book", "grow", book, "--positions", "30", "--size", "10"]))
        .refused(&["--size 10: expected 4, 6 or 8"]);
    let none = folder.join("no.book");
    let none = none.to_str().unwrap();
    run(words(&["book", "grow", none, "--size", "4", "--perfect", "13"]))
        .refused(&["--perfect: 13 empty squares on 4x4; expected at most 12"]);
    run(words(&["book", "grow", none, "--size", "6", "--plies", "2", "--weights", book]))
        .refused(&["expected"]);
    let left = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(left.map(|name| name.into_string().unwrap()).all(|name| !name.starts_with("no.")));
    for name in ["embedded", "embedded-6x6"] {
        run(words(&["book", "grow", name, "--positions", "30"]))
            .refused(&["the name of a book in the program; expected a file to write to"]);
    }
    run(words(&["book", "import", book, folder.to_str().unwrap()]))
        .refused(&["a directory; expected a book or lines of JSON"]);
    run(words(&["book", "stats", book, "--plot", book])).refused(&["a file; expected a directory"]);
    // What is exported is no book, and does not take the place of one.
    for output in [&path, &whole] {
        run(words(&["book", "export", book, "-o", output.to_str().unwrap()]))
            .refused(&["a book; expected another file to write to"]);
    }
    assert!(fs::read(&whole).unwrap() == bytes && fs::read(&path).unwrap() == bytes);
    run(words(&["book", "show", book, "c2", "--position", "c2"]))
        .refused(&["cannot be used together"]);
    run(words(&["book", "check", folder.join("none").to_str().unwrap()]))
        .refused(&["no such file; expected a book"]);
    #[cfg(unix)]
    {
        // Nobody waits for somebody who might write into a pipe.
        let pipe = folder.join("pipe");
        let pipe = pipe.to_str().unwrap();
        assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
        run(words(&["book", "show", pipe])).refused(&["not a plain file"]);
        // What is exported goes into one, and nobody asks what is in it already.
        let reader = {
            let pipe = pipe.to_owned();
            thread::spawn(move || fs::read(pipe).unwrap())
        };
        said(&["book", "export", book, "-o", pipe]);
        assert_eq!(
            String::from_utf8(reader.join().unwrap()).unwrap(),
            said(&["book", "export", book])
        );
        let answered = run(words(&["move", "f5", "--depth", "2", "--book", pipe]));
        assert_eq!(answered.status, Some(0));
        assert!(answered.err.contains("not a plain file"), "{answered:?}");
    }
    // A journal that is none is left alone.
    let journal = folder.join("some.book.journal");
    assert!(!journal.exists(), "nothing was begun");
    fs::write(&journal, "something\n").unwrap();
    run(words(&grow)).refused(&["line 1: not a journal; expected one that book grow wrote"]);
    assert_eq!(fs::read_to_string(&journal).unwrap(), "something\n");
    // Lines that are none, each with its place.
    fs::remove_file(&journal).unwrap();
    let file = folder.join("lines.jsonl");
    fs::write(&file, "{\"position\": 1}\n").unwrap();
    run(words(&["book", "import", book, file.to_str().unwrap()])).refused(&["lines.jsonl:1: "]);
    assert!(fs::read(&path).unwrap() == bytes, "the book is as it was");
}

#[test]
fn a_perfect_strategy_is_grown_checked_and_played() {
    let folder = directory("book_perfect");
    let path = folder.join("four.book");
    let book = path.to_str().unwrap();
    said(&["book", "grow", book, "--size", "4", "--perfect", "5"]);
    let checked = said(&["book", "check", book, "--perfect", "5", "--games", "40"]);
    assert!(checked.contains("a perfect strategy for either side as long as 5"), "{checked}");
    assert!(checked.contains("the game is worth +4\n"), "{checked}");
    assert!(checked.contains("40 games against random moves"), "{checked}");
    let failed = run(words(&["book", "check", book, "--perfect", "4"]));
    assert_eq!(failed.status, Some(3));
    assert!(failed.err.ends_with("not in the book; expected a perfect strategy\n"), "{failed:?}");
    // Nothing is left to do, also not for a book that is to be larger; and nothing new is noted.
    let recipe = || said(&["book", "stats", book]).matches("made by: ").count();
    assert_eq!(recipe(), 1);
    let again = said(&["book", "grow", book, "--perfect", "5"]);
    assert!(again.contains(", 0 of them new in "), "{again}");
    let short = said(&["book", "grow", book, "--plies", "1", "--positions", "999", "--exact"]);
    assert!(short.ends_with("; nothing is left to search within these limits\n"), "{short}");
    assert_eq!(recipe(), 1 + usize::from(!short.contains(", 0 of them new in ")));
    // What is proved is said to be, and the best line goes on through it.
    let shown = said(&["book", "show", book]);
    assert!(shown.contains("proved\n") && !shown.contains("estimate"), "{shown}");
    let line = shown.lines().find_map(|line| line.strip_prefix("best line: ")).unwrap();
    assert!(line.split(' ').count() > 4, "{shown}");
}

#[test]
fn the_embedded_book_is_read_wherever_a_book_is() {
    let stats: Value =
        serde_json::from_str(&said(&["book", "stats", "embedded", "--json"])).unwrap();
    assert!(stats["bytes"].as_u64().unwrap() > 1 << 20, "{stats}");
    let copy = directory("book_embedded").join("copy.book");
    let imported = said(&["book", "import", copy.to_str().unwrap(), "embedded"]);
    let positions = stats["positions"].as_u64().unwrap().to_string();
    let digits: String = imported.chars().filter(char::is_ascii_digit).collect();
    assert!(digits.contains(&positions), "{imported}");
}

#[test]
fn the_embedded_6x6_book_is_perfect_and_the_engine_plays_from_it() {
    let checked = said(&["book", "check", "embedded-6x6", "--perfect", "19", "--games", "4"]);
    assert!(checked.contains("a perfect strategy for either side as long as 19 squares are empty"));
    assert!(checked.contains("\n4 games against random moves: "), "{checked}");
    let answer = |game: &str| -> Value {
        let of_game = ["move", game, "--size", "6", "--json"];
        serde_json::from_str(&said(&of_game)).unwrap()
    };
    // A proved move at once, also after a reply that loses two discs more than the others.
    let first = answer("--------------OX----XO-------------- X");
    assert_eq!([&first["book"], &first["exact"]], [true, true]);
    let reply = answer(&format!("{}b2", first["best"].as_str().unwrap()));
    assert_eq!([&reply["book"], &reply["exact"]], [true, true], "{reply}");
    assert_eq!([&first["value"], &reply["value"]], [2, 4]);
}

#[test]
fn openings_are_listed_and_a_sample_is_searched_again() {
    let rows = said(&["book", "openings", "embedded", "--plies", "2"]);
    let rows: Vec<&str> = rows.lines().collect();
    assert_eq!(rows.len(), 1 + 1 + 1 + 3, "{rows:?}");
    for (row, opening) in rows[1..].iter().zip(["the start", "f5", "f5f4", "f5d6", "f5f6"]) {
        assert!(row.starts_with(opening), "{row}");
    }
    let table = said(&["book", "openings", "embedded", "--plies", "1", "--markdown"]);
    assert!(
        table.starts_with("| opening | black | rests on | expected line |\n|---|---|---|---|\n")
    );
    let line = said(&["book", "openings", "embedded", "--plies", "0", "--json"]);
    let start: Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&start["moves"], &start["ply"]), (&"".into(), &0.into()));
    // The page is what the command prints.
    let whole = said(&["book", "openings", "embedded", "--markdown"]);
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/theory/openings.md");
    assert!(fs::read_to_string(page).unwrap().ends_with(&whole), "print the page anew");
    let named = said(&["book", "openings", "embedded", "--named", "--markdown"]);
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/theory/names.md");
    assert!(fs::read_to_string(page).unwrap().ends_with(&named), "print the page anew");
    assert!(named.contains("\n| Tiger: f5d6c3d3c4 | "), "{named}");
    let verify = ["book", "verify", "embedded", "--count", "3", "--nodes", "2000"];
    let said_twice = [said(&verify), said(&verify)];
    assert_eq!(said_twice[0], said_twice[1]);
    assert!(said_twice[0].starts_with("3 positions, 2,000 nodes each\n"), "{}", said_twice[0]);
    let rows = said(&[&verify[..], &["--json"]].concat());
    assert_eq!(lines(&rows).len(), 3);
}

#[test]
fn the_record_of_the_embedded_book_is_what_it_holds() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/records/book.md");
    let page = fs::read_to_string(page).unwrap();
    let stats = said(&["book", "stats", "embedded"]);
    assert!(page.contains(&format!("```\n{stats}```\n")), "put this on the page:\n{stats}");
    let bytes: Value =
        serde_json::from_str(&said(&["book", "stats", "embedded", "--json"])).unwrap();
    let bytes = bytes["bytes"].as_u64().unwrap();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../books/reversed.book");
    assert_eq!(fs::metadata(file).unwrap().len(), bytes);
    let [millions, thousands, ones] = [bytes / 1_000_000, bytes / 1_000 % 1_000, bytes % 1_000];
    let words = format!("has {millions},{thousands:03},{ones:03} bytes");
    assert!(page.contains(&words), "not on the page: {words}");
    let checked = said(&["book", "check", "embedded"]);
    assert!(checked.contains("30,050 positions") && page.contains("**30,050 positions**"));
}

#[test]
fn the_theory_page_says_of_openings_what_the_embedded_book_says() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/theory.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, rest) = page.split_once("## Openings\n").expect("it has a part on openings");
    let part = rest.split("\n## ").next().unwrap();
    let shown = |moves: &str| -> Value {
        let words = ["book", "show", "embedded", moves, "--json"];
        let given = words.into_iter().filter(|word| !word.is_empty());
        serde_json::from_str(&run(given).ok()).unwrap()
    };
    // The table: opening, name, value for Black, line.
    let mut rows = 0;
    for row in part.lines().filter(|line| line.starts_with("| f5")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let &[opening, name, value, line] = &cells[..] else { panic!("{row}: not four cells") };
        let moves = opening.replace(' ', "");
        let listed = said(&["book", "openings", "embedded", "--plies", "2", "--markdown"]);
        let expected = format!("| {moves} | {value} | ");
        let known = listed.lines().find(|line| line.starts_with(&expected));
        let known = known.unwrap_or_else(|| panic!("{row}: the book does not say so:\n{listed}"));
        assert!(known.ends_with(&format!(" | {} |", line.replace(' ', ""))), "{row}: {known}");
        let opening = shown(&moves)["opening"].as_str().unwrap_or_default().to_lowercase();
        assert_eq!(opening, name, "{row}");
        rows += 1;
    }
    assert_eq!(rows, 4);
    // The sentences: values for the side to move, and what each move loses.
    const NUMBERS: [&str; 11] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let value = |moves: &str| shown(moves)["value"].as_i64().unwrap();
    let loss = |moves: &str, square: &str| {
        let (shown, best) = (shown(moves), value(moves));
        let of_square = |row: &&Value| row["move"] == square;
        let row = shown["moves"].as_array().unwrap().iter().find(of_square).unwrap().clone();
        NUMBERS[usize::try_from(best - row["value"].as_i64().unwrap()).unwrap()]
    };
    let lead = NUMBERS[usize::try_from(value("")).unwrap()];
    assert_eq!(loss("f5", "d6"), loss("f5", "f6"));
    assert_eq!(loss("f5d6", "c3"), loss("f5d6", "c4"));
    assert_eq!(loss("f5f6", "d3"), loss("f5f6", "c4"));
    assert_eq!([loss("f5d6", "c5"), loss("f5f6", "e6"), loss("f5f4", "e3")], ["no"; 3]);
    let stats: Value =
        serde_json::from_str(&said(&["book", "stats", "embedded", "--json"])).unwrap();
    let [positions, nodes] = ["positions", "nodes"].map(|key| stats[key].as_u64().unwrap());
    let depths = stats["plies"].as_array().unwrap().iter();
    let depth = |row: &Value| row["depth"].as_f64().unwrap() * row["positions"].as_f64().unwrap();
    let depth = depths.map(depth).sum::<f64>() / positions as f64;
    for sentence in [
        format!("has {},{:03} positions", positions / 1_000, positions % 1_000),
        format!("by a search of {:.1} million nodes", nodes as f64 / positions as f64 / 1e6),
        format!("(about {depth:.0} plies with daring cuts)"),
        format!("**Black is ahead**, by {lead} discs"),
        format!("the parallel opening loses {} discs more", loss("f5", "f4")),
        format!("After the perpendicular reply c5 keeps the {lead} discs; c3 and c4"),
        format!("lose {} of them; c6", loss("f5d6", "c3")),
        format!("c7 give {} and {} away", loss("f5d6", "c6"), loss("f5d6", "c7")),
        format!("d3 and c4 lose {} discs, f7 {}", loss("f5f6", "d3"), loss("f5f6", "f7")),
        format!("e3 is best, {} discs before f3", loss("f5f4", "f3")),
    ] {
        assert!(part.contains(&sentence), "not on the page: {sentence}");
    }
    let rose = "f5d6c5f4e3c6d3f6e6d7";
    assert!(part.contains("Othello's Rose**, f5 d6 c5 f4 e3 c6 d3 f6 e6 d7, and"));
    assert_eq!(
        [&shown(rose)["opening"], &shown(&format!("{rose}e7"))["opening"]],
        ["Rose", "Greenberg"]
    );
    assert_eq!([loss(rose, "e7"), loss("f5d6", "c5")], ["no"; 2]);
    // Openings with a name: name, moves, value, line; and what leaving the best line loses.
    let all = said(&["book", "openings", "embedded", "--named", "--json"]);
    let all: Vec<Value> = all.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(part.contains(&format!("Some of the {} openings with a name", all.len())));
    let of_name = |name: &str| {
        all.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("no {name}"))
    };
    let (_, named) = part.split_once("### Othello's openings here\n").unwrap();
    let rows = named.lines().filter(|line| line.starts_with("| ")).skip(1);
    assert_eq!(rows.clone().count(), 14);
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let &[name, moves, value, line] = &cells[..] else { panic!("{row}: not four cells") };
        let known = of_name(name);
        assert_eq!(known["moves"], moves.replace(' ', ""), "{row}");
        let said = value.replace('−', "-").parse::<i64>().unwrap();
        assert_eq!(known["value"], said, "{row}");
        let pv: Vec<&str> =
            known["pv"].as_array().unwrap().iter().map(|square| square.as_str().unwrap()).collect();
        assert_eq!(pv.join(" "), line, "{row}");
    }
    let worth = |name: &str| of_name(name)["value"].as_i64().unwrap();
    let number = |discs: i64| NUMBERS[usize::try_from(discs).unwrap()];
    let lost = |name: &str, to_black: i64| number((value("") - worth(name)) * to_black);
    let one = |number: &str| match number {
        "one" => "a disc".to_owned(),
        _ => number.to_owned(),
    };
    let aubrey = number(worth("Aubrey") - worth("Tiger"));
    for sentence in [
        format!("White loses {} with d3 instead of c6, the Mimura", one(lost("Mimura", -1))),
        format!("and {} with f3 instead of f6, the Ralle", lost("Ralle", -1)),
        format!("{} discs with d3 instead of e3, the Horse", lost("Horse", 1)),
        format!("and all {} with f3 instead of d3, the Shaman", lost("Shaman", 1)),
        format!("Tiger and Cat keep {} of Black's discs", number(worth("Cat"))),
        format!("b3, the Aubrey, loses {aubrey}."),
        format!("Cow and Heath keep all {}.", number(worth("Heath"))),
        format!("Buffalo and Snake lose {}, the Raccoon Dog", lost("Snake", 1)),
        format!("the Raccoon Dog {}, the Rocket", lost("Raccoon Dog", 1)),
        format!("the Rocket {}.", lost("Rocket", 1)),
    ] {
        assert!(named.contains(&sentence), "not on the page: {sentence}");
    }
    for alike in [["Rose", "Cow"], ["Cow", "Heath"], ["Tiger", "Cat"], ["Buffalo", "Snake"]] {
        assert_eq!(worth(alike[0]), worth(alike[1]), "{alike:?}");
    }
}

#[test]
fn the_theory_page_has_its_worths_from_the_experiment() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let read = |file: &str| fs::read_to_string(format!("{root}/{file}")).unwrap();
    let (theory, measured) = (read("docs/theory.md"), read("experiments/strategy/page.md"));
    let (_, part) = theory.split_once("## What things are worth\n").expect("it has such a part");
    // A figure is the word before the sign and the one after it.
    let figures = |text: &str| -> Vec<String> {
        let bare = |word: &str| {
            word.trim_matches(|sign: char| !sign.is_ascii_digit() && sign != '−').to_owned()
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let signs = words.windows(3).filter(|words| words[1] == "±");
        signs.map(|words| format!("{} ± {}", bare(words[0]), bare(words[2]))).collect()
    };
    let measured: HashSet<String> = figures(&measured).into_iter().collect();
    let told = figures(part);
    assert!(told.len() > 60, "{} figures", told.len());
    for figure in told {
        assert!(measured.contains(&figure), "the experiment does not have {figure}");
    }
}

#[test]
fn the_engine_answers_from_a_book_and_without_one_that_is_broken() {
    let folder = directory("book_move");
    let answer = |args: &[&str]| -> Value {
        serde_json::from_str(&said(&[&["move", "--json"], args].concat())).unwrap()
    };
    let known = answer(&["f5"]);
    assert_eq!((&known["book"], &known["nodes"]), (&true.into(), &0.into()));
    for args in [&["f5", "--book", "none", "--time", "50ms"][..], &["f5", "--nodes", "3000"]] {
        assert_eq!(answer(args)["book"], false, "{args:?}");
    }
    assert_eq!(answer(&["f5", "--nodes", "3000", "--book", "embedded"])["book"], true);
    assert_eq!(answer(&["--size", "6", "--nodes", "3000"])["book"], false);
    // The game goes on without a book that is none, that was cut short, or that is newer.
    let whole = folder.join("whole.book");
    run(words(&["book", "grow", whole.to_str().unwrap(), "--nodes", "1000", "--positions", "5"]))
        .ok();
    let whole = fs::read(&whole).unwrap();
    let [mut newer, mut changed] = [whole.clone(), whole.clone()];
    newer[8] = 2;
    changed[100] ^= 1;
    let broken = folder.join("broken.book");
    let name = broken.to_str().unwrap();
    let foreign = b"EDAX and something more, long enough to have a head of its own";
    for (bytes, complaint) in [
        (&whole[..whole.len() - 1], "a book that was cut short or changed"),
        (&whole[..20], "not a book; expected a file that book grow wrote"),
        (&changed, "a book that was cut short or changed"),
        (&newer, "a book of format 2; expected format 1"),
        (foreign, "not a book; expected a file that book grow wrote"),
        (b"nothing", "not a book; expected a file that book grow wrote"),
    ] {
        fs::write(&broken, bytes).unwrap();
        let answered = run(words(&["move", "f5", "--depth", "2", "--book", name]));
        assert!(answered.err.contains(complaint), "{complaint}: {answered:?}");
        assert!(answered.err.ends_with("; playing without\n"), "{answered:?}");
        assert_eq!((answered.status, answered.err.lines().count()), (Some(0), 1));
        assert!(!answered.out.is_empty(), "{answered:?}");
        let input = b"genmove black\nquit\n";
        let protocol = run_with(["gtp", "--depth", "2", "--book", name], input);
        assert_eq!(protocol.err.matches("playing without").count(), 1, "{protocol:?}");
        let answer = protocol.out.strip_prefix("= ").unwrap_or_default().lines().next();
        assert!(["d3", "c4", "f5", "e6"].contains(&answer.unwrap_or_default()), "{protocol:?}");
    }
    // A book for other games is not used, and one line says so.
    let six = answer(&["--size", "6", "--book", "embedded-6x6", "--depth", "2"]);
    assert_eq!(six["book"], true);
    for args in [&["f5"][..], &["--size", "6", "--rule", "normal"]] {
        let options = ["--depth", "2", "--book", "embedded-6x6"];
        let answered = run([&["move"], args, &options].concat());
        assert!(answered.err.contains("--book embedded-6x6: a book of the reversed rule on 6x6; "));
        assert_eq!((answered.status, answered.err.lines().count()), (Some(0), 1), "{answered:?}");
    }
    let input = b"genmove black\ngenmove white\nquit\n";
    let protocol = run_with(["gtp", "--depth", "2", "--book", "embedded-6x6"], input);
    assert_eq!(protocol.err.matches(" 8x8 without\n").count(), 1, "{protocol:?}");
    let agent = format!("engine:book={name}");
    let db = folder.join("arena.db");
    let options = ["arena", "run", "--pairs", "1", "--nodes", "100", "--db", db.to_str().unwrap()];
    for (agent, remark) in
        [(&agent[..], "playing without"), ("engine:book=embedded-6x6", "8x8 without")]
    {
        let played = run([&options[..], &["--players", agent, "random"]].concat());
        assert_eq!((played.status, played.err.matches(remark).count()), (Some(0), 1), "{played:?}");
    }
}
