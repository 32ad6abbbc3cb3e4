//! Makes text from elsewhere safe to print in our lines.
//!
//! Names of files and players and what was typed are shown back. Nothing in
//! them may break the line, drive the terminal or turn the reading direction.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// Unicode's format characters (Cf: joiners, marks of direction, tags) and its separators of
/// lines and paragraphs, all of them invisible.
const INVISIBLE: [RangeInclusive<char>; 21] = [
    '\u{ad}'..='\u{ad}',
    '\u{600}'..='\u{605}',
    '\u{61c}'..='\u{61c}',
    '\u{6dd}'..='\u{6dd}',
    '\u{70f}'..='\u{70f}',
    '\u{890}'..='\u{891}',
    '\u{8e2}'..='\u{8e2}',
    '\u{180e}'..='\u{180e}',
    '\u{200b}'..='\u{200f}',
    '\u{2028}'..='\u{202e}',
    '\u{2060}'..='\u{2064}',
    '\u{2066}'..='\u{206f}',
    '\u{feff}'..='\u{feff}',
    '\u{fff9}'..='\u{fffb}',
    '\u{110bd}'..='\u{110bd}',
    '\u{110cd}'..='\u{110cd}',
    '\u{13430}'..='\u{1343f}',
    '\u{1bca0}'..='\u{1bca3}',
    '\u{1d173}'..='\u{1d17a}',
    '\u{e0001}'..='\u{e0001}',
    '\u{e0020}'..='\u{e007f}',
];

/// `text` on one line: white space as spaces, and what cannot be seen as its code.
pub(crate) fn plain(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => line.push(' '),
            c if c.is_control() || INVISIBLE.iter().any(|range| range.contains(&c)) => {
                line.extend(c.escape_unicode());
            }
            c => line.push(c),
        }
    }
    line
}

/// `text` in at most `most` characters: from its middle, what is too much is left out.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let head = most / 2;
    let tail = most - head - 1;
    let (begin, end) = (text.chars().take(head), text.chars().skip(length - tail));
    begin.chain(['…']).chain(end).collect()
}

/// `names`, each in at most `most` characters if so few tell all of them apart: names that would look
/// the same are shown from where they differ.
pub(crate) fn told_apart(names: &[String], most: usize) -> Vec<String> {
    if most < 4 {
        return names.to_vec();
    }
    let short: Vec<String> = names.iter().map(|name| shortened(name, most)).collect();
    let mut shown = short.clone();
    for same in BTreeSet::from_iter(&short) {
        let places: Vec<usize> = (0..names.len()).filter(|&place| short[place] == *same).collect();
        let group = || places.iter().map(|&place| names[place].as_str());
        let first = &names[places[0]];
        if group().all(|name| name == first) {
            continue;
        }
        let head = group().map(|name| alike(first, name)).min().unwrap_or(0);
        let rests: Vec<String> = group().map(|name| name.chars().skip(head).collect()).collect();
        let begin: String = first.chars().take(head).collect();
        let begin = shortened(&begin, most / 2);
        let room = most - begin.chars().count();
        for (&place, rest) in places.iter().zip(told_apart(&rests, room)) {
            shown[place] = begin.clone() + &rest;
        }
    }
    let count = |names: &[String]| BTreeSet::from_iter(names).len();
    if count(&shown) == count(names) { shown } else { names.to_vec() }
}

/// How many characters two texts begin with alike.
fn alike(one: &str, other: &str) -> usize {
    one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_look_different_however_they_are_shortened() {
        let told = |names: &[&str], most| {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            told_apart(&names, most)
        };
        let folder = "python:/home/course/of/the/autumn/students";
        let file = |name: &str| format!("{folder}/{name}/handed/in/at/last/main.py");
        let [ada, bob] = ["ada", "bob"].map(file);
        assert_eq!(
            told(&[&ada, "greedy", &bob, &ada], 40),
            [
                "python:/ho…students/ada/handed…t/main.py",
                "greedy",
                "python:/ho…students/bob/handed…t/main.py",
                "python:/ho…students/ada/handed…t/main.py"
            ]
        );
        // A name that no other looks like is cut in its middle.
        assert_eq!(told(&[&ada, "greedy"], 40)[0], shortened(&ada, 40));
        // They differ in several places, far from each other.
        let twice = ["11", "12", "21", "22"]
            .map(|pair| file(&format!("{}/{}/{}", &pair[..1], "y".repeat(99), &pair[1..])));
        let names = [&ada, &bob, &twice[0], &twice[1], &twice[2], &twice[3]].map(String::as_str);
        for most in [0, 3, 4, 9, 26, 40, 200] {
            let shown = told(&names, most);
            assert_eq!(BTreeSet::from_iter(&shown).len(), names.len(), "{shown:#?}");
            let is_short = shown.iter().all(|name| name.chars().count() <= most);
            assert!(is_short || most < 26, "{shown:#?}");
        }
        assert_eq!(told(&["a", "a"], 9), ["a", "a"]);
    }

    #[test]
    fn what_cannot_be_seen_is_shown_as_its_code() {
        assert_eq!(plain("a\nb\r\tc"), "a b  c");
        for (text, shown) in [
            ("\u{1b}[31m", "\\u{1b}[31m"),
            ("\u{85}", "\\u{85}"),
            ("ann\u{202e}bob", "ann\\u{202e}bob"),
            ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
            ("\u{2066}\u{feff}\u{e0041}", "\\u{2066}\\u{feff}\\u{e0041}"),
        ] {
            assert_eq!(plain(text), shown);
        }
        // Letters of every script stay, composed or not, and so do marks we write ourselves.
        for text in ["Émile", "e\u{301}", "オセロ", "עברית", "\"a\\b\" ● … ☃"] {
            assert_eq!(plain(text), text);
        }
    }

    #[test]
    fn long_texts_keep_both_ends() {
        assert_eq!(shortened("games.txt", 9), "games.txt");
        assert_eq!(shortened("a/very/long/way/games.txt", 15), "a/very/…mes.txt");
        let long = "é".repeat(1_000);
        assert_eq!(shortened(&long, 200).chars().count(), 200);
    }
}
