//! The battle platform over HTTP: who may do what, and what nobody may.

use crate::client::{Answer, Client, directory, request};
use axum::body::Body;
use axum::http::{HeaderValue, Method, Request};
use isrever_agent::{Forfeit, Reason};
use isrever_arena::{End, MoveStats, Played};
use isrever_board::{Color, Game, Move};
use isrever_club::{CheckTotal, Club, Job, JobKind, Judged, Outcome, Reply, Report, Review, Work};
use isrever_web::Settings;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

const PASSWORD: &str = "correct horse";

/// Little work: what is tested is not how long a hash takes.
const WORK: Work = Work { memory_kib: 64, passes: 1 };

/// An application with a club, and its administrator.
pub(crate) struct ClubClient {
    pub(crate) client: Client,
    club: Arc<Club>,
    boss: Browser,
    token: String,
}

/// Somebody's browser: its cookie, and the code that the page knows.
#[derive(Clone, Default)]
struct Browser {
    cookie: Option<String>,
    form: Option<String>,
    account: i64,
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    i64::try_from(since.as_millis()).unwrap()
}

impl Client {
    /// An application with a club.
    pub(crate) fn with_club(name: &str) -> ClubClient {
        let data = directory(&format!("club-{name}"));
        let club = Arc::new(Club::open(&data.join("club"), WORK).unwrap());
        let code = club.first_invitation(now()).unwrap().unwrap();
        let session = club.accept(&code, "teacher", PASSWORD, now()).unwrap();
        let account = session.visitor.account.id;
        let token = club.add_token(account, "tests", now()).unwrap();
        let settings = Settings {
            club: Some(Arc::clone(&club)),
            workers: 2,
            patience: Duration::from_secs(600),
            ..Settings::new(data)
        };
        let boss =
            Browser { cookie: Some(session.cookie), form: Some(session.visitor.form), account };
        ClubClient { client: Client::with(settings), club, boss, token }
    }
}

impl Browser {
    fn of(answer: &Answer) -> Browser {
        let cookie = answer.headers["set-cookie"].to_str().unwrap();
        let value = cookie.strip_prefix("isrever=").unwrap().split(';').next().unwrap();
        let body = answer.json();
        Browser {
            cookie: Some(value.to_owned()),
            form: Some(body["form"].as_str().unwrap().to_owned()),
            account: body["account"]["id"].as_i64().unwrap(),
        }
    }
}

impl ClubClient {
    /// What a program of the administrator's sends.
    pub(crate) fn bearer(&self) -> HeaderValue {
        HeaderValue::from_str(&format!("Bearer {}", self.token)).unwrap()
    }

    /// What the administrator's browser sends.
    pub(crate) fn cookie(&self) -> HeaderValue {
        let cookie = self.boss.cookie.as_deref().unwrap();
        HeaderValue::from_str(&format!("isrever={cookie}")).unwrap()
    }

    async fn ask(&self, by: &Browser, mut asked: Request<Body>) -> Answer {
        if let Some(cookie) = &by.cookie {
            let cookie = format!("isrever={cookie}");
            asked.headers_mut().insert("cookie", cookie.parse().unwrap());
        }
        if let Some(form) = &by.form {
            asked.headers_mut().insert("x-form-code", form.parse().unwrap());
        }
        self.client.ask(asked).await
    }

    async fn get(&self, by: &Browser, path: &str) -> Answer {
        self.ask(by, request(Method::GET, path, Body::empty())).await
    }

    async fn send(&self, by: &Browser, method: Method, path: &str, body: Value) -> Answer {
        self.ask(by, request(method, path, body.to_string().into())).await
    }

    async fn post(&self, by: &Browser, path: &str, body: Value) -> Answer {
        self.send(by, Method::POST, path, body).await
    }

    /// A new member, who has logged in.
    async fn member(&self, name: &str) -> Browser {
        let invited = json!({"role": "member", "section": "A", "uses": 1});
        let code = self.post(&self.boss, "/api/club/invitations", invited).await.json();
        let path = format!("/api/club/invitations/{}", code["code"].as_str().unwrap());
        let accepted = json!({"name": name, "password": PASSWORD});
        Browser::of(&self.post(&Browser::default(), &path, accepted).await)
    }

    /// Submits a source; the number of the version.
    async fn submit(&self, by: &Browser, source: &str) -> i64 {
        let path = "/api/club/versions?file=my_ai.py&seconds=0.05";
        let answer = self.ask(by, request(Method::POST, path, source.to_owned().into())).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        answer.json()["id"].as_i64().unwrap()
    }

    fn job(&self, kinds: &[JobKind]) -> Option<Job> {
        self.club.take_job("judge", kinds, now()).unwrap()
    }

    /// A judge passes everything that waits.
    fn pass(&self) {
        while let Some(job) = self.job(&[JobKind::Check]) {
            let python = Some("Python 3.11.2, numpy 1.24.2, no numba".to_owned());
            let total = CheckTotal { passed: 16, failed: 0, skipped: 0 };
            let report = Report { total, seconds: Some(0.1), python, ..Report::default() };
            self.club.finish_check(&job, &report, now()).unwrap();
        }
    }

    /// A judge has black lose everything that waits, and reviews it.
    fn judge(&self) -> usize {
        let mut played = 0;
        while let Some(job) = self.job(&[JobKind::Game, JobKind::Review]) {
            if job.kind == JobKind::Review {
                let moves =
                    vec![Judged { best: Some(2.0), loss: Some(9.0), better: None, is_exact: true }];
                self.club.finish_review(&job, &Review { moves }).unwrap();
                continue;
            }
            let terms = self.club.game_to_play(&job).unwrap().terms;
            let mut game = Game::new(terms.rule, terms.size);
            game.play(Move::Place(game.position().moves()[0])).unwrap();
            let forfeit = Forfeit::new(Reason::Crash, "boom <b>");
            let end = End::Forfeit { color: Color::Black, forfeit };
            let time = Some(Duration::from_millis(7));
            let stats = vec![MoveStats { time, ..MoveStats::default() }];
            let outcome = Outcome {
                played: &Played { game, opening: 0, stats, end },
                outputs: ["black <script>", "white"],
                millis: 5,
            };
            self.club.finish_game(&job, &outcome, now()).unwrap();
            played += 1;
        }
        played
    }

    /// Waits until the ladder is counted anew and says so.
    async fn ladder_with(&self, by: &Browser, is_so: impl Fn(&Value) -> bool) -> Value {
        loop {
            let ladder = self.get(by, "/api/club/ladder").await.json();
            if is_so(&ladder) {
                return ladder;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

#[tokio::test]
async fn the_cookie_is_secure_where_others_come_by_tls() {
    for (public_url, is_secure) in
        [(None, false), (Some("http://play.example"), false), (Some("https://play.example"), true)]
    {
        let data = directory("club-secure");
        let club = Arc::new(Club::open(&data.join("club"), WORK).unwrap());
        let code = club.first_invitation(now()).unwrap().unwrap();
        club.accept(&code, "teacher", PASSWORD, now()).unwrap();
        let settings = Settings {
            club: Some(club),
            public_url: public_url.map(|url| url.parse().unwrap()),
            ..Settings::new(data)
        };
        let asked = json!({"name": "teacher", "password": PASSWORD});
        let answer = Client::with(settings).post("/api/club/session", asked).await;
        let cookie = answer.headers["set-cookie"].to_str().unwrap();
        let has = |wanted: &str| cookie.split("; ").any(|part| part == wanted);
        assert_eq!((answer.status.as_u16(), has("Secure")), (200, is_secure), "{public_url:?}");
        assert!(has("HttpOnly") && has("SameSite=Strict"), "{cookie}");
    }
}

#[tokio::test]
async fn without_a_club_there_is_none() {
    let client = Client::new("no-club");
    client.get("/api/club").await.refused(404, "not-found");
    client.get("/api/club/ladder").await.refused(404, "not-found");
}

#[tokio::test]
async fn people_come_in_by_invitation_and_go_out_for_good() {
    let served = Client::with_club("people");
    let nobody = Browser::default();
    assert_eq!(served.get(&nobody, "/api/club").await.json()["visitor"], Value::Null);
    let ada = served.member("ada").await;
    let seen = served.get(&ada, "/api/club").await.json();
    assert_eq!(seen["visitor"]["account"]["name"], "ada");
    assert_eq!(seen["visitor"]["form"].as_str(), ada.form.as_deref());
    let log_in = |name: &str, password: &str| json!({"name": name, "password": password});
    let answer = served.post(&nobody, "/api/club/session", log_in("ADA", PASSWORD)).await;
    let cookie = answer.headers["set-cookie"].to_str().unwrap().to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let again = Browser::of(&answer);
    served.send(&again, Method::DELETE, "/api/club/session", json!({})).await;
    served.get(&again, "/api/club/tokens").await.refused(401, "log-in");
    assert_eq!(served.get(&ada, "/api/club/tokens").await.status, 200, "the other session goes on");
    // Guessing: after six wrong passwords not even the right one is taken for a while.
    for _ in 0..6 {
        let wrong = served.post(&nobody, "/api/club/session", log_in("ada", "guess")).await;
        wrong.refused(401, "log-in");
    }
    let locked = served.post(&nobody, "/api/club/session", log_in("ada", PASSWORD)).await;
    locked.refused(429, "too-many");
    let unknown = served.post(&nobody, "/api/club/session", log_in("nobody", "guess")).await;
    unknown.refused(401, "log-in");
    served.get(&nobody, "/api/club/invitations/guess").await.refused(404, "not-found");
    // Names are no markup.
    let invited = json!({"role": "member", "section": "A", "uses": 1});
    let code = served.post(&served.boss, "/api/club/invitations", invited).await.json();
    let path = format!("/api/club/invitations/{}", code["code"].as_str().unwrap());
    let marked = log_in("<b>eve</b>", PASSWORD);
    served.post(&nobody, &path, marked).await.refused(400, "bad-request");
    let change = json!({"old": "wrong", "password": "another horse"});
    let refused = served.send(&ada, Method::PUT, "/api/club/password", change).await;
    refused.refused(400, "bad-request");
    let change = json!({"old": PASSWORD, "password": "another horse"});
    assert_eq!(served.send(&ada, Method::PUT, "/api/club/password", change).await.status, 204);
    served.get(&ada, "/api/club/tokens").await.refused(401, "log-in");
}

#[tokio::test]
async fn changes_need_the_code_that_only_the_page_knows() {
    let served = Client::with_club("forms");
    let ada = served.member("ada").await;
    let label = json!({"label": "laptop"});
    for form in [None, Some("guess".to_owned()), served.boss.form.clone()] {
        let forged = Browser { form, ..ada.clone() };
        let refused = served.post(&forged, "/api/club/tokens", label.clone()).await;
        refused.refused(403, "wrong-form");
    }
    let made = served.post(&ada, "/api/club/tokens", label).await.json();
    let token = made["token"].as_str().unwrap();
    let own = served.client.with_token(Method::GET, "/api/club/versions", token, json!({})).await;
    assert_eq!(own.status, 200);
    let answer = served.send(&ada, Method::DELETE, "/api/club/tokens/laptop", json!({})).await;
    assert_eq!(answer.status, 204);
    let gone = served.client.with_token(Method::GET, "/api/club/versions", token, json!({})).await;
    gone.refused(401, "log-in");
}

#[tokio::test]
async fn submissions_are_private_and_battles_are_played() {
    let served = Client::with_club("battles");
    let (ada, bob) = (served.member("ada").await, served.member("bob").await);
    let [mine, other] = [served.submit(&ada, "one").await, served.submit(&bob, "two").await];
    let report = format!("/api/club/versions/{mine}/report");
    served.get(&ada, &report).await.refused(404, "not-found");
    served.pass();
    let shown = served.get(&ada, &report).await.json();
    assert_eq!((&shown["own_seconds"], &shown["seconds"]), (&json!(0.05), &json!(0.1)));
    assert_eq!(served.get(&ada, &format!("/api/club/versions/{mine}/source")).await.text(), "one");
    assert_eq!(served.get(&served.boss, &report).await.status, 200);
    for path in ["", "/source", "/report"] {
        for id in 0..9 {
            let path = format!("/api/club/versions/{id}{path}");
            let expected = if id == other { 200 } else { 404 };
            assert_eq!(served.get(&bob, &path).await.status, expected, "{path}");
        }
    }
    let foreign = json!({"active": true});
    let path = format!("/api/club/versions/{mine}");
    served.send(&bob, Method::PUT, &path, foreign).await.refused(404, "not-found");
    let known = request(Method::POST, "/api/club/versions?file=a.py", "one".into());
    served.ask(&ada, known).await.refused(409, "conflict");
    let huge = vec![b'x'; (1 << 20) + 1];
    let huge = request(Method::POST, "/api/club/versions?file=a.py", huge.into());
    served.ask(&ada, huge).await.refused(413, "too-large");

    for wrong in [
        json!({"version": mine}),
        json!({"version": mine, "opponent": {"version": other, "agent": "random"}}),
        json!({"version": mine, "opponent": {"agent": "python:/etc/passwd"}}),
        json!({"version": other, "opponent": {"agent": "random"}}),
        json!({"version": mine, "opponent": {"version": 999}}),
    ] {
        let answer = served.post(&ada, "/api/club/battles", wrong.clone()).await;
        assert_eq!(answer.status, 400, "{wrong}: {}", answer.text());
    }
    let asked = json!({"version": mine, "opponent": {"agent": "engine:level=2"}});
    let battle = served.post(&ada, "/api/club/battles", asked).await.json();
    assert_eq!(battle["players"][1]["name"], "engine:level=2");
    // The ladder goes on by itself.
    let two = |ladder: &Value| ladder["count"] == 2;
    served.ladder_with(&ada, two).await;
    let mut played = 0;
    while played < 4 {
        played += served.judge();
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let done = |ladder: &Value| {
        let rungs = ladder["rungs"].as_array().unwrap();
        rungs.iter().all(|rung| rung["version_games"].as_u64().unwrap() >= 2)
    };
    let ladder = served.ladder_with(&ada, done).await;
    assert_eq!(ladder["own"]["name"], "ada");
    assert_eq!(ladder["sections"], json!(["A"]));
    let sum: i64 =
        ladder["rungs"].as_array().unwrap().iter().map(|r| r["points"].as_i64().unwrap()).sum();
    assert_eq!(sum, 0);
    let elsewhere = served.get(&ada, "/api/club/ladder?section=B").await.json();
    assert_eq!(elsewhere["rungs"], json!([]));

    let path = format!("/api/club/battles/{}", battle["id"]);
    let shown = served.get(&ada, &path).await.json();
    served.get(&bob, &path).await.refused(404, "not-found");
    let game = format!("/api/club/games/{}", shown["games"][0]["id"]);
    served.get(&bob, &game).await.refused(404, "not-found");
    let record = served.get(&ada, &game).await.json();
    assert_eq!((&record["end"], &record["forfeiter"]), (&json!("crash"), &json!("black")));
    assert_eq!(record["black_output"], "black <script>", "as it was printed");
    assert_eq!(record["white_output"], Value::Null, "of her own agent alone");
    assert_eq!((&record["losing_move"], &record["reviewed"]), (&json!(0), &json!(true)));
    assert_eq!(record["moves"][0]["loss"], json!(9.0));
    let file = served.get(&ada, &format!("{game}/file?format=ggf")).await;
    assert!(file.text().contains("PB[ada]"), "{}", file.text());
    served.get(&ada, &format!("{game}/file?format=zip")).await.refused(400, "bad-request");
    let listed = served.get(&bob, "/api/club/battles?kind=challenge").await.json();
    assert_eq!(listed["battles"], json!([]));
    let listed = served.get(&bob, "/api/club/battles?kind=ladder&limit=1").await.json();
    assert_eq!(listed["battles"].as_array().unwrap().len(), 1);
    served.get(&bob, "/api/club/games/x").await.refused(404, "not-found");
    assert_eq!(served.get(&bob, "/api/club/live").await.status, 200);
}

#[tokio::test]
async fn people_play_agents_that_are_open_to_them() {
    let served = Client::with_club("casual");
    let (ada, bob, eve) =
        (served.member("ada").await, served.member("bob").await, served.member("eve").await);
    let version = served.submit(&ada, "one").await;
    served.pass();
    let wanted = json!({"version": version, "size": 6, "color": "black"});
    let begin = |wanted: Value| served.post(&bob, "/api/club/casual", wanted);
    begin(wanted.clone()).await.refused(400, "bad-request");
    let open = json!({"open": true});
    served.send(&ada, Method::PUT, &format!("/api/club/versions/{version}"), open).await;
    let opponents = served.get(&bob, "/api/club/opponents").await.json();
    assert_eq!(opponents["opponents"][0]["name"], "ada");
    assert_eq!(opponents["sizes"], json!([6, 8, 10]));
    begin(json!({"version": version, "size": 7, "color": "black"}))
        .await
        .refused(400, "bad-request");
    begin(json!({"version": version, "size": 12, "color": "black"}))
        .await
        .refused(400, "bad-request");
    let begun = begin(wanted).await;
    assert_eq!(begun.status, 201);
    let begun = begun.json();
    assert_eq!((&begun["turn"], &begun["discs"]), (&json!("person"), &json!([2, 2])));
    let path = format!("/api/club/casual/{}", begun["game"]);
    let moves = format!("{path}/moves");
    let first = begun["legal"][0].as_str().unwrap();
    for wrong in ["a1", "zz", "", "<b>"] {
        let answer = served.post(&bob, &moves, json!({"move": wrong, "ply": 0})).await;
        answer.refused(400, "illegal-move");
    }
    served.post(&eve, &moves, json!({"move": first, "ply": 0})).await.refused(404, "not-found");
    served.get(&eve, &path).await.refused(404, "not-found");
    for _ in 0..2 {
        let moved = served.post(&bob, &moves, json!({"move": first, "ply": 0})).await.json();
        assert_eq!((&moved["turn"], &moved["moves"]), (&json!("agent"), &json!([first])));
        assert!(moved["waiting"].as_f64().unwrap() >= 0.0 && moved["legal"] == json!([]));
    }
    let early = served.post(&bob, &moves, json!({"move": "a1", "ply": 1})).await;
    early.refused(409, "not-your-turn");
    let job = served.job(&[JobKind::Reply]).unwrap();
    let answer = Err(Forfeit::new(Reason::Crash, "secret line of hers"));
    let reply = Reply { answer, taken: Duration::ZERO, output: "hers <b>".to_owned() };
    served.club.finish_reply(&job, &reply, now()).unwrap();
    let over = served.get(&bob, &path).await.json();
    assert_eq!(
        (&over["turn"], &over["end"], &over["score"]),
        (&json!("over"), &json!("crash"), &json!(36))
    );
    assert_eq!(over["details"], Value::Null, "its author's alone");
    let hers = served.get(&ada, &path).await.json();
    assert_eq!(hers["details"], "secret line of hers");
    assert_eq!(served.post(&bob, &format!("{path}/resignation"), json!({})).await.json(), over);
    let record = served.get(&bob, &format!("/api/club/games/{}", begun["game"])).await.json();
    assert_eq!((&record["black"], &record["white"]), (&json!("bob"), &json!("ada")));
    assert_eq!(record["boards"].as_array().unwrap().len(), 2);
    assert_eq!(record["details"], Value::Null, "its author's alone");
    let file =
        served.get(&bob, &format!("/api/club/games/{}/file?format=json", begun["game"])).await;
    assert_eq!(file.json(), record);
    served.judge();
    let found = served.get(&ada, &format!("/api/club/versions/{version}/weaknesses")).await.json();
    assert_eq!((&found["games"], &found["losses"]), (&json!(1), &json!(1)));
    assert_eq!(found["forfeits"], json!([{"reason": "crash", "count": 1}]));
    let practice = served.get(&ada, &format!("/api/club/versions/{version}/practice")).await;
    assert!(practice.text().contains("POSITIONS = ["));
    for what in ["weaknesses", "practice"] {
        let path = format!("/api/club/versions/{version}/{what}");
        served.get(&bob, &path).await.refused(404, "not-found");
    }
}

#[tokio::test]
async fn floods_and_bombs_are_refused() {
    let served = Client::with_club("floods");
    let eve = served.member("eve").await;
    // Nothing that comes is unpacked: a bomb is a file that is no text.
    let bombs: [&[u8]; 3] = [b"\x1f\x8b\x08\x00\x00\x00\x00\x00", b"PK\x03\x04\x14\x00", b"a\0b"];
    for bomb in bombs {
        let mut packed =
            request(Method::POST, "/api/club/versions?file=a.py", bomb.to_vec().into());
        packed.headers_mut().insert("content-encoding", "gzip".parse().unwrap());
        served.ask(&eve, packed).await.refused(400, "bad-request");
    }
    for name in ["..%2fa.py", "a.zip", "%3Cb%3E.py", "", "a%0A.py"] {
        let path = format!("/api/club/versions?file={name}");
        served
            .ask(&eve, request(Method::POST, &path, "x = 1".into()))
            .await
            .refused(400, "bad-request");
    }
    let mut taken = 0;
    for number in 0..1_000 {
        let source = format!("x = {number}");
        let sent = request(Method::POST, "/api/club/versions?file=a.py", source.into());
        let answer = served.ask(&eve, sent).await;
        match answer.status.as_u16() {
            201 => taken += 1,
            429 => {}
            other => panic!("{other}: {}", answer.text()),
        }
    }
    assert_eq!(taken, 20);
}

#[tokio::test]
async fn administration_is_for_administrators() {
    let served = Client::with_club("administration");
    let ada = served.member("ada").await;
    let version = served.submit(&ada, "one").await;
    served.pass();
    let account = format!("/api/club/accounts/{}", served.boss.account);
    let (block, annul) =
        (format!("/api/club/versions/{version}/block"), "/api/club/games/1/annulment");
    let tries: [(Method, &str, Value); 18] = [
        (Method::GET, "/api/club/accounts", json!({})),
        (Method::PUT, &account, json!({"blocked": true})),
        (Method::POST, &format!("{account}/password"), json!({})),
        (Method::POST, "/api/club/invitations", json!({"role": "administrator", "uses": 1})),
        (Method::POST, "/api/club/class", json!("name\nx\n")),
        (Method::PUT, "/api/club/settings", json!({"ladder_open": false})),
        (Method::PUT, "/api/club/settings", json!({})),
        (Method::PUT, &account, json!({"name": "fool"})),
        (Method::DELETE, &account, json!({})),
        (Method::GET, "/api/club/invitations", json!({})),
        (Method::DELETE, "/api/club/invitations/00", json!({})),
        (Method::DELETE, &block, json!({})),
        (Method::POST, &block, json!({"reason": "envy"})),
        (Method::POST, annul, json!({"reason": "I lost"})),
        (Method::POST, "/api/club/finals", json!({"name": "Final", "pairs": 1})),
        (Method::GET, "/api/club/log", json!({})),
        (Method::GET, "/api/club/state", json!({})),
        (Method::POST, "/api/club/state/retry", json!({})),
    ];
    for (method, path, body) in tries {
        let answer = served.send(&ada, method.clone(), path, body.clone()).await;
        assert_eq!(answer.status, 403, "{method} {path}: {}", answer.text());
        let nobody = served.send(&Browser::default(), method.clone(), path, body).await;
        assert_eq!(nobody.status, 401, "{method} {path}");
    }
    let boss = &served.boss;
    let list = request(Method::POST, "/api/club/class", "name,section\nbob,B\nada,A\n".into());
    let enrolled = served.ask(boss, list).await.json();
    assert_eq!(enrolled["accounts"].as_array().unwrap().len(), 1, "ada is there already");
    assert_eq!(enrolled["known"], json!(["ada"]));
    let list = |take: &str| {
        let list = "\u{feff}name;section\r\nCarol King;B\r\n<b>;B\r\n";
        request(Method::POST, &format!("/api/club/class{take}"), list.into())
    };
    let refused = served.ask(boss, list("")).await.json();
    assert_eq!((&refused["accounts"], &refused["left"]), (&json!([]), &json!(["Carol King"])));
    assert_eq!(
        (&refused["wrong"][0]["line"], &refused["wrong"][0]["kind"]),
        (&json!(3), &json!("name"))
    );
    let taken = served.ask(boss, list("?take=right")).await.json();
    assert_eq!((&taken["accounts"][0]["name"], &taken["left"]), (&json!("Carol King"), &json!([])));
    let open = served.get(boss, "/api/club/invitations").await.json();
    let open = open["invitations"].as_array().unwrap();
    let of = |name: &str| open.iter().find(|one| one["name"] == name).unwrap();
    assert_eq!((open.len(), &of("bob")["section"]), (2, &json!("B")));
    let path = format!("/api/club/invitations/{}", of("bob")["digest"].as_str().unwrap());
    assert_eq!(served.send(boss, Method::DELETE, &path, json!({})).await.status, 204);
    served.send(boss, Method::DELETE, &path, json!({})).await.refused(404, "not-found");
    let accounts = served.get(boss, "/api/club/accounts").await.json();
    let carol =
        accounts["accounts"].as_array().unwrap().iter().find(|one| one["name"] == "Carol King");
    let path = format!("/api/club/accounts/{}", carol.unwrap()["id"]);
    let change = json!({"name": "Carol Queen", "section": "C"});
    let changed = served.send(boss, Method::PUT, &path, change).await.json();
    assert_eq!((&changed["name"], &changed["section"]), (&json!("Carol Queen"), &json!("C")));
    assert_eq!(served.send(boss, Method::DELETE, &path, json!({})).await.status, 204);
    let path = format!("/api/club/accounts/{}", ada.account);
    served.send(boss, Method::DELETE, &path, json!({})).await.refused(409, "conflict");
    let terms = json!({"rule": "reversed", "size": 6, "move_ms": 1000, "game_ms": 60000, "memory_mib": 100});
    let change = json!({"terms": terms, "sparring_open": false, "deadline_ms": 1});
    let changed = served.send(boss, Method::PUT, "/api/club/settings", change).await;
    assert_eq!(changed.status, 204, "{}", changed.text());
    let shown = served.get(&ada, "/api/club").await.json();
    assert_eq!((&shown["terms"], &shown["sparring_open"]), (&terms, &json!(false)));
    assert_eq!(shown["deadline"], "1970-01-01T00:00:00Z");
    let late = request(Method::POST, "/api/club/versions?file=a.py", "late".into());
    served.ask(&ada, late).await.refused(409, "closed");
    let asked = json!({"version": version, "opponent": {"agent": "random"}});
    served.post(&ada, "/api/club/battles", asked).await.refused(409, "closed");
    for (terms, field) in [(json!(7), "size"), (json!(0), "size")] {
        let wrong = json!({"terms": {"rule": "reversed", "size": terms, "move_ms": 1000, "game_ms": 60000, "memory_mib": 100}});
        let answer = served.send(boss, Method::PUT, "/api/club/settings", wrong).await;
        answer.refused(400, "bad-request");
        assert!(answer.text().contains(field));
    }
    served
        .post(boss, "/api/club/finals", json!({"name": "Final", "pairs": 1}))
        .await
        .refused(409, "conflict");
    assert_eq!(served.post(boss, &block, json!({"reason": "copied"})).await.status, 204);
    let log = served.get(boss, "/api/club/log?limit=2").await.json();
    assert_eq!(log["entries"][0]["action"], "block-version");
    assert_eq!(log["entries"][0]["subject"], "ada v1: copied");
    assert!(log["next"].is_i64());
    let shown = format!("/api/club/versions/{version}");
    let blocked = served.get(&ada, &shown).await.json();
    assert_eq!((&blocked["state"], &blocked["reason"]), (&json!("blocked"), &json!("copied")));
    served.send(boss, Method::PUT, "/api/club/settings", json!({"no_deadline": true})).await;
    let again = request(Method::POST, "/api/club/versions?file=a.py", "one".into());
    served.ask(&ada, again).await.refused(403, "forbidden");
    assert_eq!(served.send(boss, Method::DELETE, &block, json!({})).await.status, 204);
    let unblocked = served.get(&ada, &shown).await.json();
    assert_eq!((&unblocked["state"], &unblocked["reason"]), (&json!("passed"), &json!(null)));
    let state = served.get(boss, "/api/club/state").await.json();
    assert_eq!((&state["waiting"], &state["judges_there"]), (&json!(0), &json!(0)));
    assert_eq!(state["game_millis"], json!(null));
    assert_eq!(state["python"], "Python 3.11.2, numpy 1.24.2, no numba");
    served
        .send(boss, Method::PUT, &account, json!({"role": "guest"}))
        .await
        .refused(409, "conflict");
    let path = format!("/api/club/accounts/{}", ada.account);
    assert_eq!(served.send(boss, Method::PUT, &path, json!({"blocked": true})).await.status, 200);
    served.get(&ada, "/api/club/ladder").await.refused(401, "log-in");
    let code = served.send(boss, Method::POST, &format!("{path}/password"), json!({})).await.json();
    assert!(code["code"].is_string());
}

#[tokio::test]
async fn a_final_has_a_table_a_proof_and_grades() {
    let served = Client::with_club("final");
    let (ada, bob) = (served.member("ada").await, served.member("bob").await);
    served.submit(&ada, "one").await;
    served.submit(&bob, "two").await;
    served.pass();
    let boss = &served.boss;
    let closed = json!({"ladder_open": false});
    served.send(boss, Method::PUT, "/api/club/settings", closed).await;
    while served.judge() > 0 {}
    let begun =
        served.post(boss, "/api/club/finals", json!({"name": "Final", "pairs": 1})).await.json();
    let path = format!("/api/club/finals/{}", begun["id"]);
    let stopped = served.send(boss, Method::PUT, &path, json!({"state": "stopped"})).await.json();
    assert_eq!((&stopped["state"], &stopped["waiting"]), (&json!("stopped"), &json!(2)));
    served
        .send(boss, Method::PUT, &path, json!({"state": "over"}))
        .await
        .refused(400, "bad-request");
    served.send(boss, Method::PUT, &path, json!({"state": "running"})).await;
    served.judge();
    let shown = served.get(&ada, &path).await.json();
    assert_eq!((&shown["final"]["state"], &shown["final"]["played"]), (&json!("over"), &json!(2)));
    assert_eq!(shown["rows"].as_array().unwrap().len(), 2);
    let proof = served.get(&ada, &format!("{path}/proof")).await;
    assert!(proof.bytes.starts_with(b"SQLite format 3"));
    let left: Vec<_> = std::fs::read_dir(served.club.directory()).unwrap().flatten().collect();
    assert!(left.iter().all(|file| !file.file_name().to_string_lossy().starts_with("proof")));
    served.get(&ada, &format!("{path}/grades")).await.refused(403, "forbidden");
    let grades = served.get(boss, &format!("{path}/grades?rule=50:A,100:B")).await.text();
    assert_eq!(grades.lines().count(), 3);
    assert!(grades.lines().skip(1).all(|line| line.ends_with(",B") || line.ends_with(",A")));
    served.get(boss, &format!("{path}/grades?rule=nonsense")).await.refused(400, "bad-request");
    served.get(&ada, "/api/club/finals/99").await.refused(404, "not-found");
    assert_eq!(served.get(&ada, "/api/club/finals").await.json()["finals"][0]["name"], "Final");
}
