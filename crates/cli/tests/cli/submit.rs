//! `isrever submit` against a server that answers as a club does: passed, failed, refused, away.

use crate::program::{Answer, agent, command, directory, run};
use isrever_club::{CheckTotal, CheckedCase, Report};
use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Stdio;
use std::thread::{self, JoinHandle};

const TOKEN: &str = "a-token-of-ada";

/// A request: its first line, its head in lower case, and its body.
struct Request {
    line: String,
    head: String,
    body: Vec<u8>,
}

/// A server that gives these answers one after the other; then its requests.
fn server(answers: Vec<(u16, Value)>) -> (String, JoinHandle<Vec<Request>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let serve = move || {
        let mut requests = Vec::new();
        for (status, answer) in answers {
            let (mut stream, _) = listener.accept().unwrap();
            let mut text = Vec::new();
            let end = loop {
                let mut bytes = [0; 4096];
                let count = stream.read(&mut bytes).unwrap();
                text.extend(&bytes[..count]);
                if let Some(end) = text.windows(4).position(|four| four == b"\r\n\r\n") {
                    break end;
                }
                assert!(count > 0, "the head has an end");
            };
            let head = String::from_utf8(text[..end].to_vec()).unwrap();
            let line = head.lines().next().unwrap().to_owned();
            let head = head.to_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length = length.map_or(0, |length| length.parse::<usize>().unwrap());
            let mut body = text[end + 4..].to_vec();
            let had = body.len();
            body.resize(length, 0);
            stream.read_exact(&mut body[had..]).unwrap();
            requests.push(Request { line, head, body });
            let answer = answer.to_string();
            let length = answer.len();
            write!(
                stream,
                "HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{answer}"
            )
            .unwrap();
        }
        requests
    };
    (url, thread::spawn(serve))
}

fn version(state: &str) -> Value {
    json!({"id": 7, "number": 3, "file": "simple.py", "state": state, "active": false,
           "open": false, "created": "2026-01-01T00:00:00Z", "digest": "00"})
}

/// A report of the start position.
fn report(passed: bool) -> Value {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let case = CheckedCase {
        name: "start".to_owned(),
        about: "the start, black to move".to_owned(),
        board: "-----OX--XO-----".to_owned(),
        size: 4,
        color: "black".to_owned(),
        expected: names(&["b1", "a2", "d3", "c4"]),
        list: Some(names(&["b1", "a2"])),
        decision: Some("a2".to_owned()),
        forfeit: None,
        passed,
        faults: if passed { Vec::new() } else { names(&["missing: d3\u{1b}[31m"]) },
        notes: Vec::new(),
        seconds: Some(0.25),
        late: false,
    };
    let (passed, failed) = if passed { (1, 0) } else { (0, 1) };
    let total = CheckTotal { passed, failed, skipped: 0 };
    let report = Report { cases: vec![case], total, seconds: Some(1e9), ..Report::default() };
    serde_json::to_value(report).unwrap()
}

fn submit(url: &str, more: &[&str]) -> Answer {
    let file = agent("simple.py");
    let args = ["submit", file.to_str().unwrap(), "--to", url];
    let mut command = command(args.iter().chain(more));
    let command = command.env("ISREVER_TOKEN", TOKEN).stdin(Stdio::null());
    let output = command.output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    Answer { status: output.status.code(), out, err }
}

#[test]
fn a_file_is_sent_and_its_report_is_shown() {
    let away = json!({"error": {"code": "internal", "message": "not now"}});
    let answers = vec![
        (201, version("waiting")),
        (200, version("waiting")),
        (503, away),
        (200, version("passed")),
        (200, report(true)),
    ];
    let (url, served) = server(answers);
    let out = submit(&url, &["--ascii"]).ok();
    assert!(out.starts_with("simple.py is your version 3; waiting for its check\n\n"), "{out}");
    for words in [
        " 1. start: the start, black to move: passed\n",
        "    Black X to move, expected: (0, 1) = b1, (1, 0) = a2, (2, 3) = d3, (3, 2) = c4\n",
        "    found: (0, 1) = b1, (1, 0) = a2; decision (1, 0) = a2, in 0.250 s\n",
        "1 of 1 cases passed.\n",
        " times slower than yours.\n",
    ] {
        assert!(out.contains(words), "{words:?} is not in {out}");
    }
    let requests = served.join().unwrap();
    let first = &requests[0];
    let seconds = first.line.strip_prefix("POST /api/club/versions?file=simple.py&seconds=");
    let seconds = seconds.and_then(|rest| rest.strip_suffix(" HTTP/1.1")).expect(&first.line);
    assert!(seconds.parse::<f64>().unwrap() > 0.0);
    assert_eq!(first.body, fs::read(agent("simple.py")).unwrap());
    assert!(
        requests.iter().all(|one| one.head.contains(&format!("authorization: bearer {TOKEN}")))
    );
    let lines: Vec<&str> = requests[1..].iter().map(|request| request.line.as_str()).collect();
    let state = "GET /api/club/versions/7 HTTP/1.1";
    assert_eq!(lines, [state, state, state, "GET /api/club/versions/7/report HTTP/1.1"]);
}

#[test]
fn a_check_that_failed_has_a_status_of_its_own() {
    let (url, served) = server(vec![(201, version("failed")), (200, report(false))]);
    let answer = submit(&url, &["--failed"]);
    assert_eq!(answer.status, Some(3), "{}", answer.err);
    assert!(answer.out.contains("    wrong: missing: d3\\u{1b}[31m\n"), "{}", answer.out);
    assert!(answer.err.contains("0 of 1 cases passed; expected all to pass"), "{}", answer.err);
    served.join().unwrap();

    let (url, served) = server(vec![(201, version("failed")), (200, report(false))]);
    let answer = submit(&url, &["--json"]);
    let row: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!((&row["version"]["number"], &row["report"]), (&json!(3), &report(false)));
    served.join().unwrap();

    let (url, served) = server(vec![(201, version("blocked"))]);
    let answer = submit(&url, &["--json"]);
    assert_eq!(answer.status, Some(3));
    assert!(answer.err.contains("an administrator has blocked it"), "{}", answer.err);
    served.join().unwrap();
}

#[test]
fn what_is_refused_is_told_in_one_line() {
    let message = "this is version 2 already; expected another file";
    let refusal = json!({"error": {"code": "known", "message": message}});
    for (answer, words) in [
        ((409, refusal), message),
        ((404, json!("nothing")), "expected the address of a club's page, and a token of it"),
        ((302, json!("elsewhere")), "it answers 302"),
        ((200, json!("a page")), "no answer of a club; expected"),
    ] {
        let (url, served) = server(vec![answer]);
        submit(&url, &[]).refused(&[&url, words]);
        served.join().unwrap();
    }
    // Nobody listens there any more.
    let (url, served) = server(Vec::new());
    served.join().unwrap();
    let answer = submit(&url, &[]);
    assert_eq!((answer.status, answer.out.as_str()), (Some(1), ""), "{}", answer.err);
    assert!(answer.err.starts_with(&format!("isrever: {url}/: ")), "{}", answer.err);
}

#[test]
fn what_cannot_be_sent_is_refused_before_anything_is_asked() {
    let folder = directory("submit");
    let empty = folder.join("token");
    fs::write(&empty, "\n").unwrap();
    let (here, to) = (agent("simple.py"), ["--to", "http://127.0.0.1:1"]);
    let submit = |file: &str, more: &[&str]| run(["submit", file].iter().chain(&to).chain(more));
    let here = here.to_str().unwrap();
    let path = empty.to_str().unwrap();
    submit(here, &["--token-file", path]).refused(&[path, "not a token; expected"]);
    submit(here, &["--token-file", "no/token"]).refused(&["no/token", "no such file"]);
    submit("no.py", &[]).refused(&["no.py", "no such file"]);
    submit(folder.to_str().unwrap(), &[]).refused(&["not a file"]);
    run(["submit", here, "--to", "ftp://x"]).refused(&["--to ftp://x", "expected http://"]);
    run(["submit", here]).refused(&["--to"]);
    if std::env::var_os("ISREVER_TOKEN").is_none() {
        submit(here, &[]).refused(&["--token-file", "no token; expected", "$ISREVER_TOKEN"]);
    }
}
