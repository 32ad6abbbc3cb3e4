//! Tests of a whole table: reading, errors, merging, documents.

use crate::{Key, Kind, MOST};

const LIMITS: &[Key] = &[
    Key::new("least", Kind::Number(-1.0, 1.0), "0", "the least"),
    Key::new("most", Kind::FINITE, "1", "the most"),
];
const PLAYER: &[Key] = &[
    Key::new("name", Kind::Text("a name"), "", "the name"),
    Key::new("agent", Kind::Text("an agent"), "", "the agent"),
];

settings! {
    /// Something to set.
    struct Sample {
        "name" name: Option<String> = Kind::Text("a name in quotes"), "`sample`", "its name";
        "format" format: Option<String> = Kind::Choice(&["cup", "ladder", "league"]), "`cup`", "its format";
        "players" players: Vec<toml::Value> = Kind::Items("agents in quotes", PLAYER), "", "who plays";
        "parameters" parameters: Option<Vec<String>> = Kind::Texts("a list of names"), "all", "which";
        "max-nodes" nodes: Option<u64> = Kind::Whole(1, u64::MAX), "", "nodes";
        "games" games: Option<u32> = Kind::Whole(1, 9), "3", "games";
        "size" size: Option<u64> = Kind::Among(&[4, 6, 8]), "8", "the width";
        "depths" depths: Option<Vec<u64>> = Kind::Wholes(1, 8), "[2, 3]", "depths";
        "empties" empties: Option<[u32; 2]> = Kind::Span(1, 20), "[10, 12]", "empty squares";
        "limits" limits: Option<toml::Table> = Kind::Table(LIMITS), "", "limits";
    }
}

fn read(text: &str) -> Result<Sample, String> {
    Sample::KEYS.read(text).map_err(|error| error.to_string())
}

#[test]
fn what_the_table_allows_is_read() {
    let sample = read(
        "name = \"a\"\nformat = \"ladder\"\nplayers = [\"b\", { agent = \"c\" }]\nmax-nodes = 7\n\
         parameters = []\ngames = 9\nsize = 6\ndepths = [3, 1]\nempties = [5, 5]\n\
         [limits]\nleast = -1\nmost = 2.5",
    )
    .unwrap();
    assert_eq!((sample.nodes, sample.games, sample.size), (Some(7), Some(9), Some(6)));
    assert_eq!((sample.players.len(), sample.empties), (2, Some([5, 5])));
    assert_eq!(read("").unwrap(), Sample::default());
}

#[test]
fn errors_name_line_key_value_and_what_was_expected() {
    for (text, expected) in [
        (
            "\ngame = 3",
            "line 2: game: no such key (did you mean games?); expected name, format, players, \
             parameters, max-nodes, games, size, depths, empties or limits",
        ),
        ("name = 3", "line 1: name: cannot be 3; expected a name in quotes"),
        ("format = \"c\"", "line 1: format: cannot be \"c\"; expected cup, ladder or league"),
        ("players = [\n\"a\",\n3]", "line 3: players: cannot be 3; expected agents in quotes"),
        ("players = \"a\"", "line 1: players: cannot be \"a\"; expected agents in quotes"),
        (
            "players = [{ nam = 3 }]",
            "line 1: nam: no such key (did you mean name?); expected name or agent",
        ),
        ("players = [{ name = 3 }]", "line 1: name: cannot be 3; expected a name"),
        ("parameters = [1]", "line 1: parameters: cannot be [1]; expected a list of names"),
        ("max-nodes = -1", "line 1: max-nodes: cannot be -1; expected a whole number from 1 up"),
        ("games = 10", "line 1: games: cannot be 10; expected a whole number from 1 to 9"),
        ("games = 1.5", "line 1: games: cannot be 1.5; expected a whole number from 1 to 9"),
        ("size = 5", "line 1: size: cannot be 5; expected 4, 6 or 8"),
        (
            "depths = [2, 2]",
            "line 1: depths: cannot be [2, 2]; expected a list such as [2, 3] of two or more \
             different whole numbers from 1 to 8",
        ),
        (
            "empties = [12, 10]",
            "line 1: empties: cannot be [12, 10]; expected the fewest and the most, from 1 to 20, \
             such as [10, 12]",
        ),
        ("limits = 3", "line 1: limits: cannot be 3; expected a table"),
        ("[limits]\nleast = 2", "line 2: least: cannot be 2; expected a number from -1 to 1"),
        ("[limits]\nmost = inf", "line 2: most: cannot be inf; expected a number"),
        ("[limits]\n\nmore = 1", "line 3: more: no such key; expected least or most"),
        // The first one in the file.
        ("size = 5\nformat = 3\nanything = 1", "line 1: size: cannot be 5; expected 4, 6 or 8"),
    ] {
        assert_eq!(read(text).unwrap_err(), expected);
    }
    for text in
        ["games = ", "games", "games = 1\ngames = 2", "\u{0}", "games = 99999999999999999999"]
    {
        let error = read(text).unwrap_err();
        assert!(error.starts_with("line ") && error.contains("expected"), "{error}");
    }
}

#[test]
fn options_are_held_to_the_same_table() {
    let mut sample = Sample { nodes: Some(u64::MAX), ..Sample::default() };
    let keys = Sample::KEYS;
    assert_eq!(keys.fill("max-nodes", &mut sample.nodes, 1), Ok(u64::MAX));
    assert_eq!(keys.fill("games", &mut sample.games, 3), Ok(3));
    assert_eq!(sample.games, Some(3), "the default is filled in");
    let error = keys.fill("games", &mut Some(0), 3).unwrap_err().to_string();
    assert_eq!(error, "games: cannot be 0; expected a whole number from 1 to 9");
    let error = keys.check("games", &u64::MAX).unwrap_err().to_string();
    assert_eq!(error, "games: cannot be 18446744073709551615; expected at most 9");
    let bounded = Key::new("seed", Kind::Whole(0, MOST), "1", "the seed");
    assert_eq!(bounded.expected(), "a whole number from 0 up");
    assert!(crate::Keys(&[bounded]).check("seed", &(MOST + 1)).is_err(), "no file can have it");
    assert!(keys.check("anything", &1).is_err());
}

#[test]
fn one_fills_what_the_other_leaves_open() {
    let typed = Sample { games: Some(2), players: vec!["a".into()], ..Sample::default() };
    let file = read("games = 3\nsize = 4\nplayers = [\"b\"]\nname = \"c\"").unwrap();
    let both = typed.merge(file);
    assert_eq!((both.games, both.size, both.name.as_deref()), (Some(2), Some(4), Some("c")));
    assert_eq!(both.players, ["a".into()]);
}

#[test]
fn the_guide_s_table_has_a_row_for_each_key() {
    let table = Sample::KEYS.markdown();
    assert_eq!(table.lines().count(), 2 + 10 + 2);
    assert!(table.contains("| `size` | the width | 4, 6 or 8 | 8 |\n"), "{table}");
    assert!(
        table.contains("| `limits.least` | the least | a number from -1 to 1 | 0 |\n"),
        "{table}"
    );
}
