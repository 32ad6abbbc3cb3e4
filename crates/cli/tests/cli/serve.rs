//! The web board as a program: it says where it is, survives a kill, and ends when told.

use crate::program::{agent, command, directory, run};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The program, serving.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(data: &Path) -> Server {
        Server::with(data, &[])
    }

    fn with(data: &Path, more: &[&str]) -> Server {
        let args = ["serve", "--port", "0", "--json", "--data", data.to_str().unwrap()];
        let mut child = command(args).args(more).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let row: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(row["data"], data.to_str().unwrap());
        let url = row["url"].as_str().unwrap();
        let address = url.strip_prefix("http://").unwrap().trim_end_matches('/').to_owned();
        Server { child, address }
    }

    /// One request on a connection of its own: the status and the body.
    fn ask(&self, method: &str, path: &str, token: &str, body: &Value) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let body = body.to_string();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\
             content-type: application/json\r\nauthorization: Bearer {token}\r\n\
             content-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    fn json(&self, method: &str, path: &str, token: &str, body: &Value) -> Value {
        let (status, body) = self.ask(method, path, token, body);
        assert!((200..300).contains(&status), "{path}: {status} {body}");
        serde_json::from_str(&body).unwrap()
    }

    fn signal(&self, name: &str) {
        let status = Command::new("kill").args([name, &self.child.id().to_string()]).status();
        assert!(status.expect("there is a kill").success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A test that fails leaves nothing behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Begins a game and plays so many plies in it, saving each: the path, the token and the moves.
fn play(server: &Server, size: u8, plies: usize) -> (String, String, Value) {
    let players = json!({"kind": "human", "name": "Ann"});
    let body = json!({"size": size, "black": players, "white": players});
    let begun = server.json("POST", "/api/games", "", &body);
    let text = |key: &str| begun[key].as_str().unwrap().to_owned();
    let (path, token) = (format!("/api/games/{}", text("id")), text("token"));
    let mut moves = json!([]);
    for ply in 0..plies {
        let body = json!({"size": size, "moves": moves, "agent": "random", "seed": ply});
        let (status, answer) = server.ask("POST", "/api/move", "", &body);
        if status == 409 {
            break;
        }
        let answer: Value = serde_json::from_str(&answer).unwrap();
        moves = answer["position"]["moves"].clone();
        server.json("PUT", &path, &token, &json!({"moves": moves, "ply": ply}));
    }
    (path, token, moves)
}

#[test]
#[cfg(unix)]
fn a_killed_server_has_lost_no_move_and_its_games_go_on() {
    let data = directory("killed_server");
    let mut saved = Vec::new();
    for round in 0..3 {
        let mut server = Server::start(&data);
        saved.push((play(&server, 4, 99), "finished"));
        saved.push((play(&server, 8, 5 + round), "running"));
        // While it is at work: an analysis runs, and others write.
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let request = format!("GET /api/analysis HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
        stream.write_all(request.as_bytes()).unwrap();
        let mut first = [0; 1];
        stream.read_exact(&mut first).unwrap();
        server.signal("-KILL");
        assert!(!server.child.wait().unwrap().success());

        let server = Server::start(&data);
        for ((path, _, moves), state) in &saved {
            let game = server.json("GET", path, "", &Value::Null);
            assert_eq!((&game["moves"], &game["state"]), (moves, &json!(state)), "{path}");
        }
        let list = server.json("GET", "/api/games", "", &Value::Null);
        assert_eq!(list["total"], saved.len(), "none is there twice");
        let ((path, token, moves), _) = saved.pop().unwrap();
        let mut moves = moves;
        let (_, answer) = server.ask("POST", "/api/position", "", &json!({"moves": moves}));
        let position: Value = serde_json::from_str(&answer).unwrap();
        moves.as_array_mut().unwrap().push(position["legal"][0]["square"].clone());
        server.json("PUT", &path, &token, &json!({"moves": moves, "ply": 5 + round}));
        saved.push(((path, token, moves), "running"));
    }
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_it_in_order_even_while_it_thinks() {
    for signal in ["-INT", "-TERM"] {
        let mut server = Server::start(&directory("interrupted_server"));
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let path = "/api/analysis?seconds=60";
        let request = format!("GET {path} HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
        stream.write_all(request.as_bytes()).unwrap();
        let mut lines = BufReader::new(stream).lines();
        assert!(lines.any(|line| line.unwrap().starts_with("event: values")));
        server.signal(signal);
        assert!(server.child.wait().unwrap().success());
        let last = lines.map_while(Result::ok).filter(|line| line.starts_with("event: ")).last();
        assert_eq!(last.as_deref(), Some("event: failed"), "the reader is told");
    }
}

#[test]
fn what_cannot_be_served_is_refused_in_one_line() {
    let folder = directory("refused_server");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let data = folder.join("data");
    run(["serve", "--port", &port, "--data", data.to_str().unwrap()]).refused(&[
        "--port",
        "in use by another program",
        "such as --port",
    ]);
    assert!(!data.exists(), "nothing is touched");
    run(["serve", "--host", "no such host", "--port", "0"]).refused(&["--host", "no address"]);
    run(["serve", "--port", "70000"]).refused(&["--port"]);
    run(["serve", "--port", "-1"]).refused(&["--port"]);

    let foreign = folder.join("foreign");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("games.db"), "my notes, which are longer than a header of SQLite, which has a hundred bytes, so that it is looked at").unwrap();
    let args = ["serve", "--port", "0", "--data", foreign.to_str().unwrap()];
    run(args).refused(&["--data", "games.db", "not a database of games"]);
    let file = folder.join("file");
    fs::write(&file, "x").unwrap();
    run(["serve", "--port", "0", "--data", file.to_str().unwrap()]).refused(&["--data"]);
    let missing = folder.join("none.db");
    let args = ["serve", "--port", "0", "--data", data.to_str().unwrap(), "--arena"];
    run(args.into_iter().chain([missing.to_str().unwrap()])).refused(&["--arena", "none.db"]);
}

#[test]
fn the_log_has_a_line_for_each_request_only_if_asked_for() {
    for (level, lines) in [("warn", 0), ("debug", 2)] {
        let data = directory(&format!("log_{level}"));
        let data = data.to_str().unwrap();
        let args = ["serve", "--port", "0", "--json", "--data", data, "--log", level];
        let mut child =
            command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let row: Value = serde_json::from_str(&line).unwrap();
        let address = row["url"].as_str().unwrap().strip_prefix("http://").unwrap();
        let address = address.trim_end_matches('/').to_owned();
        let mut log = child.stderr.take().unwrap();
        let mut server = Server { child, address };
        for path in ["/api/health?secret=1", "/api/agents"] {
            server.ask("GET", path, "token", &Value::Null);
        }
        server.child.kill().unwrap();
        let mut told = String::new();
        log.read_to_string(&mut told).unwrap();
        assert_eq!(told.lines().filter(|line| line.contains("path=")).count(), lines, "{told}");
        assert!(!told.contains("secret") && !told.contains("token"), "{told}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_owner_s_python_file_plays_prints_and_fails_with_its_traceback() {
    let folder = directory("own_agents");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("mine.py");
    let simple = fs::read_to_string(agent("simple.py")).unwrap();
    let prints = "        print(\"discs\", int((chessboard != 0).sum()))\n";
    let source = simple.replace(
        "        self.candidate_list.clear()\n",
        &format!("        self.candidate_list.clear()\n{prints}"),
    );
    fs::write(&file, &source).unwrap();
    let spec = format!("mine=python:{},time=60s,start=600s", file.display());
    let server = Server::with(&folder.join("data"), &["--agent", &spec]);
    let agents = server.json("GET", "/api/agents", "", &Value::Null);
    let first = &agents["agents"][0];
    assert_eq!((&first["spec"], &first["about"]), (&json!("mine"), &json!("mine.py")));
    let ask = |moves: &Value| {
        let body = json!({"moves": moves, "agent": "mine", "ahead": true});
        let (status, body) = server.ask("POST", "/api/move", "", &body);
        (status, serde_json::from_str::<Value>(&body).unwrap())
    };
    let (status, answer) = ask(&json!([]));
    assert_eq!((status, &answer["output"]), (200, &json!("discs 4\n")), "{answer}");
    let mut moves = answer["position"]["moves"].clone();
    moves.as_array_mut().unwrap().push(answer["position"]["legal"][0]["square"].clone());
    let (status, answer) = ask(&moves);
    assert_eq!((status, &answer["output"]), (200, &json!("discs 6\n")), "{answer}");
    // A new process reads the file again.
    fs::write(&file, source.replace("print(", "raise ValueError(\"boom\") #")).unwrap();
    let (status, answer) = ask(&json!(["d3"]));
    let error = &answer["error"];
    assert_eq!((status, &error["code"]), (424, &json!("agent-failed")), "{answer}");
    assert!(error["message"].as_str().unwrap().contains("ValueError: boom"), "{error}");
    assert!(error["output"].as_str().unwrap().contains("Traceback"), "{error}");
}

#[test]
fn wrong_own_agents_are_refused_before_the_board_is_there() {
    for (text, words) in [
        ("mine", "mine; expected a name and an agent, such as mine=python:my_ai.py"),
        ("mine=pyton:x.py", "no agent is called \"pyton\""),
        ("engine=random", "engine is the name of another agent"),
        ("a b=random", "\"a b\" cannot be a name"),
        ("mine=python:no.py", "no.py: no such file"),
    ] {
        run(["serve", "--port", "0", "--agent", text]).refused(&["--agent", words]);
    }
}

#[test]
fn books_of_the_owner_are_looked_up_and_bad_ones_left_out() {
    let data = directory("serve-books");
    fs::create_dir_all(&data).unwrap();
    let path = |name: &str| data.join(name).to_str().unwrap().to_owned();
    let (good, bad, missing) = (path("good.book"), path("bad.book"), path("missing.book"));
    let grow = ["book", "grow", &good, "--size", "6", "--nodes", "2000", "--positions", "20"];
    assert!(command(grow).output().unwrap().status.success());
    fs::write(&bad, "no book").unwrap();
    let words = ["--port", "0", "--json", "--data", data.to_str().unwrap()];
    let books = ["--book", &bad, "--book", &good, "--book", &good, "--book", &missing];
    let mut serve = command(["serve"]);
    let child = serve.args(words).args(books).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let row: Value = serde_json::from_str(&line).unwrap();
    let url = row["url"].as_str().unwrap();
    let address = url.strip_prefix("http://").unwrap().trim_end_matches('/').to_owned();
    let mut server = Server { child, address };
    let answer = server.json("GET", "/api/book?size=6", "", &Value::Null);
    assert_eq!(answer["books"].as_array().unwrap().last().unwrap()["positions"], 20, "{answer}");
    assert_eq!(answer["moves"][0]["kind"], "known");
    let stderr = server.child.stderr.take().unwrap();
    drop(server);
    let lines: Vec<String> = BufReader::new(stderr).lines().map(Result::unwrap).collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[0].contains("bad.book") && lines[0].contains("not a book"), "{lines:?}");
    assert!(lines[1].contains("a second book for the reversed rule on 6x6"), "{lines:?}");
    assert!(lines[2].contains("missing.book: no such file"), "{lines:?}");
}
