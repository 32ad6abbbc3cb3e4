//! Short descriptions of where two transcripts differ.

use super::transcript::{Answer, Transcript};

/// At most so many lines are shown.
const MOST_LINES: usize = 8;
/// Of a long line so many characters are shown, around the first that differs.
const MOST_CHARS: usize = 240;

/// A description of each answer that is different, missing or new.
pub(super) fn differences(old: &Transcript, new: &Transcript) -> Vec<String> {
    let mut differences = Vec::new();
    let mut rest = old.answers.iter();
    for answer in &new.answers {
        // Steps keep their order: those in between are no longer in the corpus.
        let Some(place) = rest.clone().position(|other| other.step == answer.step) else {
            differences.push(format!("$ {}\n  is not recorded\n", answer.step));
            continue;
        };
        for Answer { step, .. } in rest.by_ref().take(place) {
            differences.push(format!("$ {step}\n  is recorded, and not in the corpus\n"));
        }
        let recorded = rest.next().expect("it was found");
        if recorded.text != answer.text {
            let lines = unified(&recorded.text, &answer.text);
            differences.push(format!("$ {}\n{lines}", answer.step));
        }
    }
    for Answer { step, .. } in rest {
        differences.push(format!("$ {step}\n  is recorded, and not in the corpus\n"));
    }
    differences
}

/// Shows the lines that differ, old ones before new ones.
fn unified(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    match old.len() == new.len() {
        true => pairs(&old, &new),
        false => region(&old, &new),
    }
}

/// Shows the lines that differ in two texts of as many lines.
fn pairs(old: &[&str], new: &[&str]) -> String {
    let different = || (1..).zip(old.iter().zip(new)).filter(|(_, (old, new))| old != new);
    let mut text = String::new();
    for (number, (old, new)) in different().take(MOST_LINES) {
        let (old, new) = (window(old, new), window(new, old));
        text += &format!("@@ line {number} @@\n-{old}\n+{new}\n");
    }
    text + &more(' ', different().count())
}

/// Shows all lines from the first to the last that differ.
fn region(old: &[&str], new: &[&str]) -> String {
    let before = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[before..], &new[before..]);
    let after = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[..old.len() - after], &new[..new.len() - after]);
    let mut text = format!("@@ line {} @@\n", before + 1);
    for (sign, lines, others) in [('-', old, new), ('+', new, old)] {
        for (index, line) in lines.iter().take(MOST_LINES).enumerate() {
            let other = others.get(index).copied().unwrap_or_default();
            text += &format!("{sign}{}\n", window(line, other));
        }
        text += &more(sign, lines.len());
    }
    text
}

/// Says how many lines are not shown, if any.
fn more(sign: char, count: usize) -> String {
    match count.saturating_sub(MOST_LINES) {
        0 => String::new(),
        left => format!("{sign}… {left} more\n"),
    }
}

/// The part of a line around the first character that is not the other's.
fn window(line: &str, other: &str) -> String {
    let chars: Vec<char> = line.chars().collect();
    if chars.len() <= MOST_CHARS {
        return line.to_owned();
    }
    let same = chars.iter().zip(other.chars()).take_while(|(a, b)| **a == *b).count();
    let from = same.saturating_sub(MOST_CHARS / 3).min(chars.len() - MOST_CHARS);
    let part: String = chars[from..from + MOST_CHARS].iter().collect();
    let ellipsis = |is_cut: bool| if is_cut { "…" } else { "" };
    format!("{}{part}{}", ellipsis(from > 0), ellipsis(from + MOST_CHARS < chars.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transcript(answers: &[(&str, &str)]) -> Transcript {
        let mut transcript = Transcript::default();
        for (step, text) in answers {
            transcript.push((*step).to_owned(), (*text).to_owned()).unwrap();
        }
        transcript
    }

    #[test]
    fn equal_transcripts_have_no_differences() {
        let one = transcript(&[("a", "1\n2\n"), ("b", "")]);
        assert!(differences(&one, &one.clone()).is_empty());
    }

    #[test]
    fn only_lines_that_differ_are_shown() {
        let old = transcript(&[("a", "1\n2\n3\n"), ("b", "x")]);
        let new = transcript(&[("a", "1\nzwei\n3\n"), ("b", "x")]);
        assert_eq!(differences(&old, &new), ["$ a\n@@ line 2 @@\n-2\n+zwei\n"]);
        let new = transcript(&[("a", "eins\n2\ndrei\n"), ("b", "x")]);
        let lines = "@@ line 1 @@\n-1\n+eins\n@@ line 3 @@\n-3\n+drei\n";
        assert_eq!(differences(&old, &new), [format!("$ a\n{lines}")]);
        let new = transcript(&[("a", "1\n3\n"), ("b", "x")]);
        assert_eq!(differences(&old, &new), ["$ a\n@@ line 2 @@\n-2\n"]);
    }

    #[test]
    fn steps_that_are_missing_or_new_are_named() {
        let old = transcript(&[("a", "1"), ("b", "2"), ("c", "3")]);
        let new = transcript(&[("a", "1"), ("c", "3"), ("d", "4")]);
        assert_eq!(
            differences(&old, &new),
            ["$ b\n  is recorded, and not in the corpus\n", "$ d\n  is not recorded\n"]
        );
    }

    #[test]
    fn of_long_lines_the_part_that_differs_is_shown() {
        let (old, new) = ("x".repeat(1_000), "x".repeat(900) + "y" + &"x".repeat(99));
        let shown = unified(&old, &new);
        assert!(shown.contains('y') && shown.chars().count() < 600, "{shown}");
        let many = unified("", &"line\n".repeat(20));
        assert!(many.ends_with("+… 12 more\n"), "{many}");
    }
}
