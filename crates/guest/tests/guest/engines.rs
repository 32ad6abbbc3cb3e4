//! Engines behind NBoard and GTP, well behaved and not.

use crate::hosting::play;
use isrever_agent::{Agent, Catalogue, GameClock, Limits, Random, Reason};
use isrever_board::text::{Defaults as Unsaid, read};
use isrever_board::{Color, Game, Rule, Size};
use isrever_guest::{Defaults, Interpreter, enter};
use std::path::Path;
use std::time::Duration;

fn catalogue() -> Catalogue {
    let mut catalogue = isrever_agent::catalogue();
    enter(&mut catalogue, Defaults::default());
    catalogue
}

/// The test engine that speaks `protocol`; `mode` says how it behaves.
fn engine(protocol: &str, mode: &str) -> Box<dyn Agent> {
    let python = Interpreter::find(None).expect("tests need a python3 with numpy");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/engines/{protocol}.py"));
    let (python, file) = (python.program().display(), file.display());
    // Little time, but only for an engine that never answers.
    let time = if mode == "silent" { "300ms" } else { "300s" };
    let spec = format!("{protocol}:time={time},'{python}' '{file}' {mode}");
    catalogue().make(&spec, 1).unwrap()
}

/// Plays the first legal square, as the test engines do.
struct First;

impl Agent for First {
    fn name(&self) -> String {
        "first".to_owned()
    }

    fn choose(
        &mut self,
        game: &Game,
        _: &Limits,
    ) -> Result<isrever_agent::Choice, isrever_agent::Forfeit> {
        Ok(game.position().moves()[0].into())
    }
}

#[test]
fn engines_play_whole_games() {
    for protocol in ["nboard", "gtp"] {
        for (rule, width) in [(Rule::Reversed, 8), (Rule::Normal, 6), (Rule::Reversed, 10)] {
            for seed in 0..2 {
                let start = || Game::new(rule, Size::new(width).unwrap());
                let mut guest = engine(protocol, "plain");
                let game = play(start(), [&mut *guest, &mut Random::new(seed)]);
                let expected = play(start(), [&mut First, &mut Random::new(seed)]);
                assert_eq!(game, expected, "{protocol} on {width}");
                let mut guest = engine(protocol, "plain");
                let game = play(start(), [&mut Random::new(seed), &mut *guest]);
                let expected = play(start(), [&mut Random::new(seed), &mut First]);
                assert_eq!(game, expected, "{protocol} on {width}");
            }
        }
    }
}

#[test]
fn the_engine_s_value_is_returned() {
    let game = Game::new(Rule::Reversed, Size::EIGHT);
    let choice = engine("nboard", "plain").choose(&game, &Limits::default()).unwrap();
    assert_eq!((choice.square.to_string().as_str(), choice.value), ("d3", Some(2.5)));
}

#[test]
fn positions_are_set_up_where_the_protocol_allows_it() {
    let text = "----------------------X----XO------OX------O-------------------- X";
    let game = read(text.as_bytes(), None, Unsaid::default()).unwrap().remove(0).game;
    let choice = engine("nboard", "plain").choose(&game, &Limits::default()).unwrap();
    assert_eq!(choice.square, game.position().moves()[0]);
    let forfeit = engine("gtp", "plain").choose(&game, &Limits::default()).unwrap_err();
    assert_eq!(forfeit.reason, Reason::Refused);
}

#[test]
fn a_game_with_other_moves_is_replayed_from_the_start() {
    let mut guest = engine("gtp", "plain");
    for moves in ["f5d6", "f5d6c3d3", "d3c5", "f5"] {
        let records = read(moves.as_bytes(), None, Unsaid::default()).unwrap();
        let game = &records[0].game;
        let choice = guest.choose(game, &Limits::default()).unwrap();
        assert_eq!(choice.square, game.position().moves()[0], "{moves}");
    }
}

#[test]
fn an_engine_is_sent_its_time() {
    let seconds = |time| Duration::from_millis(time);
    for (mode, time, game, told) in [
        ("exact", 60_000, None, "told 0 60 1"),
        ("exact", 61_500, None, "told 0 61.5 1"),
        ("whole", 61_500, None, "told 0 123 2"),
        ("whole", 90_000, Some(90_000), "told 90 0 0"),
    ] {
        let game_clock = |time| GameClock {
            remaining: seconds(time),
            increment: Duration::ZERO,
            moves_left: None,
        };
        let start = Game::new(Rule::Reversed, Size::EIGHT);
        let mut guest = engine("gtp", mode);
        guest.prepare(&start, Color::Black, None).unwrap();
        let limits = Limits { clock: game.map(game_clock), ..Limits::of_time(seconds(time)) };
        let forfeit = guest.choose(&start, &limits).unwrap_err();
        assert!(forfeit.details.contains(told), "{mode} {time}: {forfeit}");
    }
}

#[test]
fn engines_that_misbehave_lose_for_the_right_reason() {
    for (protocol, mode, reason, words) in [
        ("nboard", "silent", Reason::Time, "no answer within 0."),
        ("nboard", "crash", Reason::Crash, "status 4"),
        ("nboard", "illegal", Reason::Illegal, "a1 is illegal"),
        ("nboard", "garbage", Reason::Garbage, "?!/0"),
        ("nboard", "endless", Reason::Garbage, "without end"),
        ("gtp", "silent", Reason::Time, "no answer within 0."),
        ("gtp", "crash", Reason::Crash, "it printed last: out of ideas"),
        ("gtp", "illegal", Reason::Illegal, "may not pass"),
        ("gtp", "resign", Reason::Garbage, "\"resign\"; expected a square"),
        ("gtp", "garbage", Reason::Garbage, "\"f5\"; expected = or ?"),
    ] {
        let game = Game::new(Rule::Reversed, Size::EIGHT);
        let forfeit = engine(protocol, mode).choose(&game, &Limits::default()).unwrap_err();
        assert_eq!(forfeit.reason, reason, "{protocol} {mode}: {forfeit}");
        assert!(forfeit.details.contains(words), "{protocol} {mode}: {forfeit}");
    }
}
