//! Games between two people: seats, moves, offers, clocks, presence, and servers that start again.

use crate::client::{Answer, Client, Events, directory, request};
use axum::body::Body;
use axum::http::Method;
use isrever_web::Settings;
use serde_json::{Value, json};

const TOKEN: &str = "guestguestguestguestguestguest12";

/// A game that was begun: its path, the host's token and the invitation's code.
struct Hosted {
    id: String,
    token: String,
    code: String,
}

async fn host(client: &Client, clock: Value) -> Hosted {
    let body = json!({"size": 4, "side": "black", "name": "Ann", "clock": clock});
    let begun = client.post("/api/friends", body).await;
    assert_eq!(begun.status, 201, "{}", begun.text());
    let begun = begun.json();
    let text = |key: &str| begun[key].as_str().unwrap().to_owned();
    assert_eq!(begun["side"], "black");
    Hosted { id: text("id"), token: text("token"), code: text("code") }
}

impl Hosted {
    async fn join(&self, client: &Client, token: &str) -> Answer {
        let body = json!({"code": self.code, "token": token, "name": "Bob"});
        client.post(&format!("/api/friends/{}/join", self.id), body).await
    }

    async fn act(&self, client: &Client, token: &str, body: Value) -> Answer {
        let path = format!("/api/friends/{}/act", self.id);
        client.with_token(Method::POST, &path, token, body).await
    }

    async fn show(&self, client: &Client) -> Value {
        client.get(&format!("/api/games/{}", self.id)).await.json()
    }

    /// Follows the game, from a seat if there is a token.
    async fn follow(&self, client: &Client, token: Option<&str>) -> Events {
        client.stream_with(&format!("/api/games/{}/follow", self.id), token).await
    }
}

/// A game that both have joined.
async fn joined(client: &Client, clock: Value) -> Hosted {
    let game = host(client, clock).await;
    let answer = game.join(client, TOKEN).await.json();
    assert_eq!(answer["side"], "white");
    game
}

/// The next event of this name.
async fn next(stream: &mut Events, name: &str) -> Value {
    loop {
        let event = stream.next().await.expect("the stream goes on");
        if event.name == name {
            return event.data;
        }
    }
}

fn play(square: &str) -> Value {
    json!({"action": "move", "move": square})
}

#[tokio::test]
async fn each_seat_moves_for_itself_and_nobody_else_does() {
    let client = Client::new("friends-seats");
    let game = host(&client, Value::Null).await;
    let path = format!("/api/friends/{}/join", game.id);
    let wrong = json!({"code": "nonsense", "token": TOKEN, "name": "Eve"});
    client.post(&path, wrong).await.refused(403, "wrong-token");
    let weak = json!({"code": game.code, "token": "123", "name": "Eve"});
    client.post(&path, weak).await.refused(400, "bad-request");
    game.act(&client, &game.token, play("b1")).await.refused(409, "not-joined");
    assert_eq!(game.show(&client).await["white"]["name"], "?");
    let first = game.join(&client, TOKEN).await.json();
    let again = game.join(&client, TOKEN).await.json();
    assert_eq!((&first, &first["side"]), (&again, &json!("white")), "asked twice, joined once");
    game.join(&client, &TOKEN.replace("12", "99")).await.refused(409, "seats-full");

    game.act(&client, TOKEN, play("b1")).await.refused(409, "not-your-turn");
    game.act(&client, "another", play("b1")).await.refused(403, "wrong-token");
    let bare = request(
        Method::POST,
        &format!("/api/friends/{}/act", game.id),
        play("b1").to_string().into(),
    );
    client.ask(bare).await.refused(401, "no-token");
    let message = game.act(&client, &game.token, play("a1")).await.refused(400, "illegal-move");
    assert!(message.contains("a1"), "{message}");
    game.act(&client, &game.token, play("z9")).await.refused(400, "bad-request");
    let moved = game.act(&client, &game.token, play("b1")).await.json();
    assert_eq!((&moved["moves"], &moved["black"]["name"]), (&json!(["b1"]), &json!("Ann")));
    let late = json!({"action": "move", "move": "a1", "revision": 1});
    game.act(&client, TOKEN, late).await.refused(409, "conflict");
    // The saved game cannot be changed behind the referee's back.
    let games = format!("/api/games/{}", game.id);
    for token in [game.token.as_str(), TOKEN, ""] {
        let body = json!({"moves": []});
        client.with_token(Method::PUT, &games, token, body).await.refused(403, "wrong-token");
        client
            .with_token(Method::DELETE, &games, token, Value::Null)
            .await
            .refused(403, "wrong-token");
    }
    assert_eq!(game.show(&client).await["moves"], json!(["b1"]));
    let nothing =
        client.with_token(Method::POST, "/api/friends/nosuchgame12/act", TOKEN, play("b1"));
    nothing.await.refused(404, "not-found");
}

#[tokio::test]
async fn a_request_that_is_sent_twice_is_carried_out_once() {
    let client = Client::new("friends-twice");
    let game = joined(&client, Value::Null).await;
    let body = json!({"action": "move", "move": "b1", "revision": 1, "request": "first"});
    let once = game.act(&client, &game.token, body.clone()).await.json();
    let twice = game.act(&client, &game.token, body.clone()).await.json();
    assert_eq!(once, twice);
    game.act(&client, TOKEN, play("a1")).await.json();
    // Also after the other side has moved on.
    let thrice = game.act(&client, &game.token, body).await.json();
    assert_eq!(thrice["moves"], json!(["b1", "a1"]));
    let long = json!({"action": "resign", "request": "x".repeat(65)});
    game.act(&client, &game.token, long).await.refused(400, "bad-request");
}

#[tokio::test]
async fn offers_are_made_answered_and_void() {
    let client = Client::new("friends-offers");
    let game = joined(&client, Value::Null).await;
    let say = |action: &str, offer: &str| json!({"action": action, "offer": offer});
    let black = async |body: Value| game.act(&client, &game.token, body).await;
    let white = async |body: Value| game.act(&client, TOKEN, body).await;
    black(say("offer", "take-back")).await.refused(409, "no-offer");
    black(json!({"action": "offer"})).await.refused(400, "bad-request");
    black(play("b1")).await.json();
    let asked = black(say("offer", "take-back")).await.json();
    assert_eq!(asked["friends"]["offer"], json!({"by": "black", "what": "take-back"}));
    black(say("accept", "take-back")).await.refused(409, "no-offer");
    let back = white(say("accept", "take-back")).await.json();
    assert_eq!((&back["moves"], &back["friends"]["offer"]), (&json!([]), &Value::Null));
    white(say("accept", "take-back")).await.refused(409, "no-offer");
    white(say("offer", "rematch")).await.refused(409, "no-offer");
    // Both offer a draw at once.
    black(say("offer", "draw")).await.json();
    let drawn = white(say("offer", "draw")).await.json();
    assert_eq!(drawn["end"], json!({"reason": "agreed", "winner": null}));
    assert_eq!(drawn["state"], "finished");
    black(play("b1")).await.refused(409, "game-over");
    let file = client.get("/api/games/export?format=sgf").await.text();
    assert!(file.contains("RE[Draw]"), "{file}");
}

#[tokio::test]
async fn a_rematch_swaps_the_sides_and_keeps_the_tokens() {
    let client = Client::new("friends-rematch");
    let game = joined(&client, json!({"seconds": 60, "increment": 1})).await;
    let rematch = json!({"action": "offer", "offer": "rematch"});
    game.act(&client, TOKEN, json!({"action": "resign"})).await.json();
    game.act(&client, &game.token, rematch.clone()).await.json();
    let agreed = game.act(&client, TOKEN, rematch).await.json();
    let next = agreed["friends"]["next"].as_str().expect("an id").to_owned();
    let again = Hosted { id: next, token: TOKEN.to_owned(), code: game.code.clone() };
    let shown = again.show(&client).await;
    let names = (&shown["black"]["name"], &shown["white"]["name"]);
    assert_eq!(names, (&json!("Bob"), &json!("Ann")));
    assert_eq!(shown["friends"]["clock"]["left"], json!({"black": 60_000, "white": 60_000}));
    again.act(&client, &game.token, play("b1")).await.refused(409, "not-your-turn");
    assert_eq!(again.act(&client, TOKEN, play("b1")).await.json()["moves"], json!(["b1"]));
}

#[tokio::test]
async fn followers_hear_moves_and_who_is_there() {
    let client = Client::new("friends-follow");
    let game = joined(&client, Value::Null).await;
    let mut black = game.follow(&client, Some(&game.token)).await;
    let here = next(&mut black, "presence").await;
    assert_eq!(here, json!({"black": true, "white": false, "watchers": 0}));
    let white = game.follow(&client, Some(TOKEN)).await;
    let mut watcher = game.follow(&client, None).await;
    loop {
        let there = next(&mut black, "presence").await;
        if there == json!({"black": true, "white": true, "watchers": 1}) {
            break;
        }
    }
    drop(white);
    while next(&mut black, "presence").await["white"] == json!(true) {}
    game.act(&client, &game.token, play("b1")).await.json();
    for stream in [&mut black, &mut watcher] {
        while next(stream, "game").await["moves"] != json!(["b1"]) {}
    }
    // The stream goes on after the end: somebody may want a rematch.
    game.act(&client, TOKEN, json!({"action": "resign"})).await.json();
    assert_eq!(next(&mut black, "game").await["end"]["winner"], "black");
    game.act(&client, TOKEN, json!({"action": "offer", "offer": "rematch"})).await.json();
    // A newer event may have taken the place of one that was not read.
    while next(&mut watcher, "game").await["friends"]["offer"]["what"] != json!("rematch") {}
    let mut stranger =
        request(Method::GET, &format!("/api/games/{}/follow", game.id), Body::empty());
    stranger.headers_mut().insert("authorization", "Bearer nonsense".parse().unwrap());
    client.ask(stranger).await.refused(403, "wrong-token");
    drop((black, watcher));
    client.rest().await;
}

#[tokio::test]
async fn the_server_decides_a_loss_on_time() {
    let client = Client::new("friends-time");
    let game = joined(&client, json!({"seconds": 1, "increment": 0})).await;
    let mut watcher = game.follow(&client, None).await;
    assert_eq!(next(&mut watcher, "game").await["friends"]["clock"]["running"], Value::Null);
    game.act(&client, &game.token, play("b1")).await.json();
    // Nobody moves, nobody asks: the server says it by itself.
    loop {
        let heard = next(&mut watcher, "game").await;
        if heard["state"] == "finished" {
            assert_eq!(heard["end"], json!({"reason": "time", "winner": "black"}));
            assert_eq!(heard["friends"]["clock"]["left"]["white"], 0);
            break;
        }
        assert_eq!(heard["friends"]["clock"]["running"], "white");
    }
    game.act(&client, TOKEN, play("a1")).await.refused(409, "game-over");
    for (clock, field) in [
        (json!({"seconds": 0, "increment": 0}), "clock.seconds"),
        (json!({"seconds": 60, "increment": 9_999}), "clock.increment"),
    ] {
        let body = json!({"side": "black", "name": "Ann", "clock": clock});
        let refused = client.post("/api/friends", body).await;
        refused.refused(400, "bad-request");
        assert!(refused.text().contains(field), "{}", refused.text());
    }
}

#[tokio::test]
async fn everything_is_there_again_after_the_server_has_started_again() {
    let folder = directory("friends-restart");
    let client = Client::at(folder.clone());
    let game = joined(&client, json!({"seconds": 3600, "increment": 5})).await;
    game.act(&client, &game.token, play("b1")).await.json();
    let offer = json!({"action": "offer", "offer": "draw", "request": "one"});
    let before = game.act(&client, &game.token, offer.clone()).await.json();
    drop(client);
    let client = Client::at(folder);
    let after = game.act(&client, &game.token, offer).await.json();
    for key in ["moves", "revision", "state", "black", "white"] {
        assert_eq!(before[key], after[key], "{key}");
    }
    assert_eq!(before["friends"]["offer"], after["friends"]["offer"]);
    let left = |game: &Value| game["friends"]["clock"]["left"]["white"].as_i64().unwrap();
    assert!(left(&after) <= 3_600_000 && left(&after) > left(&before) - 3_600_000);
    let accepted = game.act(&client, TOKEN, json!({"action": "accept", "offer": "draw"})).await;
    assert_eq!(accepted.json()["end"]["reason"], "agreed");
}

#[tokio::test]
async fn an_invitation_that_was_given_up_leads_nowhere() {
    let client = Client::new("friends-cancelled");
    let game = host(&client, Value::Null).await;
    let stopped = game.act(&client, &game.token, json!({"action": "resign"})).await.json();
    assert_eq!((&stopped["state"], &stopped["end"]), (&json!("stopped"), &Value::Null));
    game.join(&client, TOKEN).await.refused(409, "game-over");
}

#[tokio::test]
async fn the_address_for_others_is_what_the_owner_says() {
    let client = Client::new("friends-address");
    assert_eq!(client.get("/api/address").await.json(), json!({"url": null, "public": false}));
    let settings = Settings {
        public_url: Some("https://play.example".parse().unwrap()),
        ..Settings::new(directory("friends-public"))
    };
    let client = Client::with(settings);
    let told = client.get("/api/address").await.json();
    assert_eq!(told, json!({"url": "https://play.example/", "public": true}));
    let mut named = request(Method::GET, "/api/health", Body::empty());
    named.headers_mut().insert("host", "play.example".parse().unwrap());
    assert_eq!(client.ask(named).await.status, 200, "its name is allowed");
    let settings = Settings {
        address: Some("192.168.7.9:7788".parse().unwrap()),
        ..Settings::new(directory("friends-network"))
    };
    let told = Client::with(settings).get("/api/address").await.json();
    assert_eq!(told["url"], "http://192.168.7.9:7788/");
}
