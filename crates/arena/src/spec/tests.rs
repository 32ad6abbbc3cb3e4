//! Tournaments that are read, settled and refused.

use super::*;

const CUP: &str = r#"
    name = "cup"
    format = "gauntlet"
    players = ["engine", "random", { name = "quick", agent = "maximax:time=10ms" }, "random"]
    size = 6
    pairs = 20
    nodes = 1000
    openings = "random:4"
"#;

#[test]
fn a_file_is_read_and_settled() {
    let spec = Spec::read(CUP).unwrap();
    let plan = spec.settle().unwrap();
    let names: Vec<&str> = plan.players.iter().map(|player| player.name.as_str()).collect();
    assert_eq!(names, ["engine", "random", "quick", "random #2"]);
    assert_eq!((plan.format, plan.size, plan.pairs), (Format::Gauntlet, Size::SIX, 20));
    assert_eq!(plan.clock, Clock::of_nodes(1_000));
    assert_eq!((plan.rule, plan.seed), (Rule::Reversed, 1));
    let test = "format = \"sprt\"\nplayers = [\"greedy\", \"random\"]\n[sprt]\nelo1 = 20.0";
    let ladder = "format = \"ladder\"\nplayers = [\"greedy\", \"random\"]\nrounds = 3";
    for text in [CUP, test, ladder] {
        let plan = Spec::read(text).unwrap().settle().unwrap();
        assert_eq!(Spec::from(&plan).settle().unwrap(), plan, "what is kept is the same");
        let json = serde_json::to_string(&Spec::from(&plan)).unwrap();
        assert_eq!(serde_json::from_str::<Spec>(&json).unwrap().plan().unwrap(), plan);
    }
}

#[test]
fn without_limits_the_course_s_clock_is_used() {
    let clock = Spec::of(&["random", "greedy"]).settle().unwrap().clock;
    assert_eq!(clock, Clock::default());
    let grace = Some("0s".to_owned());
    let strict = Spec { grace, ..Spec::of(&["random", "greedy"]) }.settle().unwrap().clock;
    assert_eq!(strict, Clock { grace: Duration::ZERO, ..Clock::default() });
}

#[test]
fn options_go_before_the_file() {
    let options = Spec { pairs: Some(3), time: Some("2s".to_owned()), ..Spec::default() };
    let plan = options.or(Spec::read(CUP).unwrap()).settle().unwrap();
    assert_eq!((plan.pairs, plan.players.len()), (3, 4));
    assert_eq!((plan.clock.time, plan.clock.nodes), (Some(Duration::from_secs(2)), None));
}

#[test]
fn what_is_wrong_is_named_with_its_place_and_what_was_expected() {
    for (text, message) in [
        ("pears = 3", "line 1: pears: no such key; expected name, format, players,"),
        ("pair = 3", "line 1: pair: no such key (did you mean pairs?); expected name,"),
        ("\n\npairs = true", "line 3: pairs: cannot be true; expected a whole number from 1"),
        ("pairs = -3", "line 1: pairs: cannot be -3; expected a whole number from 1"),
        ("pairs = ", "line 1: "),
        ("\nplayers = [{ nam = 3 }]", "line 2: nam: no such key (did you mean name?); expected"),
        ("players = [3]", "line 1: players: cannot be 3; expected a list of agents such as"),
        ("[sprt]\nelo2 = 1", "line 2: elo2: no such key (did you mean elo0?); expected elo0,"),
        ("format = \"swiss\"", "line 1: format: cannot be \"swiss\"; expected round-robin, "),
    ] {
        let error = Spec::read(text).unwrap_err().to_string();
        assert!(error.starts_with(message) && error.contains("expected"), "{error}");
    }
    let base = || Spec::of(&["random", "greedy"]);
    let text = |text: &str| Some(text.to_owned());
    for (spec, message) in [
        (Spec::of(&["random"]), "players: 1 player; expected 2 to 1000"),
        (
            Spec { format: text("sprt"), ..Spec::of(&["a", "b", "c"]) },
            "players: 3 players; expected two",
        ),
        (
            Spec { format: text("swiss"), ..base() },
            "format: cannot be \"swiss\"; expected round-robin, gauntlet,",
        ),
        (
            Spec { rule: text("odd"), ..base() },
            "rule: cannot be \"odd\"; expected reversed or normal",
        ),
        (Spec { size: Some(7), ..base() }, "size: cannot be 7; expected 4, 6,"),
        (Spec { time: text("5"), ..base() }, "time: \"5\" is not a time; expected one such as 5s"),
        (
            Spec { nodes: Some(0), ..base() },
            "nodes: cannot be 0; expected a whole number from 1 up",
        ),
        (Spec { pairs: Some(0), ..base() }, "pairs: cannot be 0; expected at least 1, and"),
        (Spec { openings: text("random:0"), ..base() }, "openings: not a number of moves;"),
        (
            Spec {
                sprt: Some(Sprt { beta: 0.0, ..Sprt::default() }),
                format: text("sprt"),
                ..base()
            },
            "sprt: beta is 0; expected",
        ),
        (
            Spec { sprt: Some(Sprt::default()), ..base() },
            "sprt: a round-robin has none; expected format sprt",
        ),
        (
            Spec { rounds: Some(2), format: text("challenge"), ..base() },
            "rounds: a challenge has none; expected format ladder",
        ),
        (Spec { name: text(" "), ..base() }, "name: cannot be \" \"; expected one line"),
        (
            Spec { openings: text("random:12"), size: Some(4), ..base() },
            "openings: no game on 4x4 goes on after 12 moves; expected fewer, or start",
        ),
        (
            Spec { openings: text("random:40"), size: Some(6), ..base() },
            "openings: no game on 6x6 goes on after 40 moves;",
        ),
        (
            Spec { openings: text("balanced"), size: Some(6), ..base() },
            "openings: balanced ones are for reversed on 8x8; expected those",
        ),
    ] {
        let error = spec.settle().unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
    let nobody = Spec::read("players = [\"random\", { name = \"a\" }]").unwrap();
    let error = nobody.settle().unwrap_err().to_string();
    assert_eq!(error, "players: one has no agent; expected one such as greedy for each");
    let twice = r#"players = [{name="a",agent="random"},{name="a",agent="greedy"}]"#;
    let error = Spec::read(twice).unwrap().settle().unwrap_err().to_string();
    assert_eq!(error, "players: two are called \"a\"; expected different names");
}

#[test]
fn the_guide_has_the_table_of_keys() {
    let guide = include_str!("../../../../docs/guide/formats.md");
    let table = Spec::KEYS.markdown();
    assert!(guide.contains(&table), "docs/guide/formats.md should have\n{table}");
}
