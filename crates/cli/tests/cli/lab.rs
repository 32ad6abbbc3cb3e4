//! Experiments: folders that repeat, a page of them all, and refusals that leave nothing behind.

use crate::program::{command, directory, run};
use isrever_experiments::ALL;
use isrever_lab::experiment::is_repeatable;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn text(path: &Path) -> &str {
    path.to_str().expect("the test's paths are UTF-8")
}

/// All files of all folders in a directory, by folder and name.
fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for folder in fs::read_dir(directory).unwrap() {
        let folder = folder.unwrap();
        for file in fs::read_dir(folder.path()).unwrap() {
            let file = file.unwrap();
            let names = [folder.file_name(), file.file_name()];
            let name = names.map(|name| name.into_string().unwrap()).join("/");
            files.insert(name, fs::read(file.path()).unwrap());
        }
    }
    files
}

#[test]
fn every_experiment_repeats_on_one_thread_and_two_and_they_make_one_page() {
    let directory = directory("lab");
    let mut made = Vec::new();
    for threads in ["1", "2"] {
        let out = directory.join(threads);
        let answer =
            run(["lab", "run", "all", "--quick", "--json", "--threads", threads, "-o", text(&out)]);
        let rows: Vec<Value> =
            answer.ok().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let slugs: Vec<&str> = rows.iter().map(|row| row["experiment"].as_str().unwrap()).collect();
        assert_eq!(slugs, ALL.iter().map(|experiment| experiment.slug).collect::<Vec<_>>());
        for row in &rows {
            assert!(!row["comparisons"].as_array().unwrap().is_empty(), "{row}");
            assert!(row["meaning"][1].as_str().unwrap().ends_with('.'), "{row}");
        }
        made.push(files(&out));
    }
    let [one, two] = made.try_into().unwrap();
    assert!(one.keys().eq(two.keys()));
    for (name, bytes) in &one {
        let file = name.split('/').next_back().unwrap();
        if is_repeatable(file) {
            assert!(two[name] == *bytes, "{name} depends on the threads");
        }
        if file.ends_with(".svg") {
            assert!(bytes.starts_with(b"<svg"), "{name}");
        }
    }
    // One of them by its own specification, with nothing run before it.
    let (alone, again) = (directory.join("alone"), directory.join("1/nodes/experiment.toml"));
    run(["lab", "run", text(&again), "-o", text(&alone)]).ok();
    for (name, bytes) in files(&alone) {
        assert!(one[&name] == bytes || name == "nodes/provenance.json", "{name}");
    }
    for experiment in ALL {
        for file in ["experiment.toml", "page.md", "provenance.json", "results.json"] {
            let name = format!("{}/{file}", experiment.slug);
            assert!(one.contains_key(&name), "{name}");
        }
    }
    let page = directory.join("page.html");
    run(["lab", "report", text(&directory.join("1")), "-o", text(&page)]).ok();
    let html = fs::read_to_string(page).unwrap();
    for experiment in ALL {
        assert!(html.contains(&format!("<section id=\"{}\">", experiment.slug)));
    }
    assert!(!html.contains("<script") && !html.contains("src=") && !html.contains("@import"));
}

#[test]
fn a_folder_s_own_specification_gives_the_same_bytes_and_replaces_it() {
    let directory = directory("lab-again");
    let out = text(&directory);
    run(["lab", "run", "breadth", "--quick", "--set", "games=40", "--seed", "7", "-o", out]).ok();
    let first = files(&directory);
    let specification = directory.join("breadth/experiment.toml");
    run(["lab", "run", text(&specification), "-o", out]).ok();
    let second = files(&directory);
    for (name, bytes) in &first {
        let is_same = second[name] == *bytes;
        assert!(is_same || name == "breadth/provenance.json", "{name}");
    }
    let checked = run(["lab", "check", out, "--whole", "--json"]).ok();
    assert_eq!(checked, "{\"folder\":\"breadth\",\"stale\":false,\"changes\":[]}\n");
    run(["lab", "run", text(&specification), "--seed", "8", "-o", out]).ok();
    assert!(files(&directory)["breadth/results.json"] != first["breadth/results.json"]);
}

#[test]
fn a_folder_that_the_program_would_write_otherwise_is_named() {
    let directory = directory("lab-check");
    let out = text(&directory);
    run(["lab", "run", "circle", "not-invertible", "--quick", "-o", out]).ok();
    let [dependencies, links] =
        ["dependencies.json", "links.csv"].map(|file| directory.join("circle").join(file));
    let written = fs::read_to_string(&dependencies).unwrap();
    let changed = written.replace("\"depth3\": ", "\"depth3\": 9");
    assert!(changed != written);
    fs::write(&dependencies, changed).unwrap();
    let answer = run(["lab", "check", out]);
    assert_eq!(answer.status, Some(3), "{answer:?}");
    assert!(answer.err.contains("1 of 2 folders are stale"), "{}", answer.err);
    assert!(answer.out.contains("not-invertible     up to date\n"), "{}", answer.out);
    assert!(answer.out.contains("circle             stale: depth3: version "), "{}", answer.out);
    run(["lab", "check", out, "--only", "not-invertible"]).ok();
    fs::write(&dependencies, &written).unwrap();
    run(["lab", "check", out]).ok();
    // What only a full run shows.
    fs::write(&links, "edited").unwrap();
    run(["lab", "check", out]).ok();
    let answer = run(["lab", "check", out, "--whole"]);
    assert_eq!(answer.status, Some(3), "{answer:?}");
    assert!(answer.err.contains("1 of 2 folders are stale"), "{}", answer.err);
    assert!(answer.out.contains("circle             stale: differs: links.csv\n"));
    fs::remove_file(&dependencies).unwrap();
    let answer = run(["lab", "check", out]);
    assert!(answer.out.contains("stale: does not say what it depends on"), "{}", answer.out);
    run(["lab", "check", out, "--only", "luck"]).refused(&["expected not-invertible, circle"]);
    run(["lab", "check", "nowhere"]).refused(&["no such directory"]);
}

#[test]
fn a_smoke_run_takes_the_place_of_no_full_one() {
    let directory = directory("lab-quick");
    let lab = |args: &[&str]| {
        let output = command([&["lab", "run", "not-invertible"], args].concat())
            .current_dir(&directory)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    lab(&["--set", "plies=3"]);
    let full = files(&directory.join("experiments"));
    lab(&["--quick"]);
    assert_eq!(files(&directory.join("experiments")), full);
    assert!(directory.join("trial/not-invertible/page.md").is_file());
}

#[test]
fn what_is_wrong_is_named_with_what_could_be_and_nothing_is_written() {
    let directory = directory("lab-wrong");
    let file = directory.join("wrong.toml");
    let out = directory.join("out");
    let (file, out) = (text(&file), text(&out));
    for (content, offence) in [
        (
            "experiment = \"nodes\"\ngmaes = 3",
            "line 2: gmaes: no such key (did you mean games?); expected experiment, seed, games, depth or fit-depths",
        ),
        (
            "experiment = \"nodes\"\ngames = -3",
            "line 2: games: cannot be -3; expected a whole number from 2 to 1000000",
        ),
        (
            "experiment = \"nodes\"\ngames = \"all\"",
            "line 2: games: cannot be \"all\"; expected a whole number",
        ),
        (
            "experiment = \"nods\"",
            "line 1: experiment: cannot be \"nods\" (did you mean nodes?); expected breadth, nodes",
        ),
        ("seed = 1", "experiment: not said; expected breadth"),
        ("agent = \"genetic\"", "a tuning; expected isrever tune "),
        (
            "experiment = \"nodes\"\nfit-depths = [3]",
            "line 2: fit-depths: cannot be [3]; expected a list such as [2, 3, 4, 5, 6, 7, 8] of two or more",
        ),
        ("experiment = ", "line 1: "),
        ("\u{0}", "line 1: "),
    ] {
        fs::write(file, content).unwrap();
        run(["lab", "run", file, "-o", out]).refused(&[offence]);
    }
    fs::write(file, "experiment = \"breadth\"").unwrap();
    for (args, offence) in [
        (
            &["lab", "run", "bredth"][..],
            "no such experiment (did you mean breadth?); expected all, breadth, nodes",
        ),
        (&["lab", "run", "missing.toml"], "no such file; expected a specification"),
        (&["lab", "run", file, "--quick"], "expected no --quick beside it"),
        (&["lab", "run", "breadth", file], "asked for twice; expected each experiment once"),
        (&["lab", "run", "breadth", "--set", "games"], "no setting; expected KEY=VALUE"),
        (&["lab", "run", "breadth", "--set", "games=0"], "expected a whole number from 2"),
        (&["lab", "run", "all", "--set", "depth=3"], "for breadth: depth: no such key"),
        (
            &["lab", "run"],
            "something is missing; expected NAME|all|FILE.toml, as isrever lab run --help says\n",
        ),
    ] {
        run(args.iter().chain(&["-o", out])).refused(&[offence]);
    }
    assert!(!Path::new(out).exists());
    // What is somebody else's is left alone.
    fs::create_dir_all(Path::new(out).join("breadth")).unwrap();
    let note = Path::new(out).join("breadth/note.txt");
    fs::write(&note, "mine").unwrap();
    let answer = run(["lab", "run", "breadth", "--quick", "-o", out]);
    answer.refused(&["holds something else than an experiment"]);
    assert_eq!(fs::read_to_string(note).unwrap(), "mine");
    for (args, offence) in [
        (["lab", "report", "nowhere"], "no such directory"),
        (["lab", "report", out], "no experiments; expected folders that lab run wrote"),
    ] {
        run(args).refused(&[offence]);
    }
    assert!(!Path::new(out).join("report.html").exists());
}
