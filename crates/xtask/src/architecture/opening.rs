//! The sentence that opens a source file.

use anyhow::{Result, ensure};

/// The most characters of a sentence that reads well in a table.
const MOST: usize = 120;

/// The first sentence of the comment that opens a file: `//!` in Rust, `//` in TypeScript, `"""` in
/// Python. It has no full stop at its end, and ends at its colon if it is too long.
pub(super) fn sentence(text: &str) -> Result<String> {
    let paragraph = paragraph(text);
    let sentence = match paragraph.split_once(". ") {
        Some((sentence, _)) => sentence,
        None => paragraph.strip_suffix('.').unwrap_or(&paragraph),
    };
    ensure!(!sentence.is_empty(), "it opens with no sentence; expected `//! What is here.`");
    let is_long = |sentence: &str| sentence.chars().count() > MOST;
    let sentence = match sentence.split_once(": ") {
        Some((start, _)) if is_long(sentence) => start,
        _ => sentence,
    };
    ensure!(
        !is_long(sentence),
        "its first sentence is too long; expected at most {MOST} characters: {sentence}"
    );
    Ok(sentence.replace('|', "\\|"))
}

/// The first paragraph of the opening comment, on one line.
fn paragraph(text: &str) -> String {
    let marks = ["//!", "//", "\"\"\""];
    let Some(mark) = marks.into_iter().find(|mark| text.starts_with(mark)) else {
        return String::new();
    };
    let is_block = mark == "\"\"\"";
    let mut words = Vec::new();
    for line in text.lines() {
        let line = match line.strip_prefix(mark) {
            Some(line) => line,
            None if is_block => line,
            None => break,
        };
        let end = line.strip_suffix(mark).filter(|_| is_block);
        words.extend(end.unwrap_or(line).split_whitespace());
        if end.is_some() || line.trim().is_empty() {
            break;
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_is_taken_in_every_language() {
        for text in [
            "//! Rules of the\n//! game. And more.\n\nuse std;\n",
            "// Rules of the game. And more.\n\nimport x\n",
            "\"\"\"Rules of the game.\"\"\"\n\nimport x\n",
            "\"\"\"Rules of\nthe game.\n\nMore.\n\"\"\"\n",
            "//! Rules of the game.\n//!\n//! More.\n",
        ] {
            assert_eq!(sentence(text).unwrap(), "Rules of the game", "{text}");
        }
        let long = format!("//! Rules: {}.\n", "very ".repeat(30));
        assert_eq!(sentence(&long).unwrap(), "Rules");
        assert_eq!(sentence("//! Draws `a|b`.\n").unwrap(), "Draws `a\\|b`");
    }

    #[test]
    fn files_that_say_nothing_or_too_much_are_refused() {
        assert!(sentence("use std;\n//! Late.\n").unwrap_err().to_string().contains("no sentence"));
        let long = format!("//! {}.\n", "very ".repeat(30));
        assert!(sentence(&long).unwrap_err().to_string().contains("at most 120"), "{long}");
    }
}
