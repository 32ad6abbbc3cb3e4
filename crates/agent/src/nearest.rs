//! Guesses which word a user meant by one that nobody knows.

/// The known word that a user may have meant: at most a third of its letters differ.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Two letters that changed places are one slip.
    let edits = |other: &'a str| (strsim::osa_distance(word, other), other);
    let (edits, nearest) = known.into_iter().map(edits).min()?;
    (3 * edits <= nearest.chars().count()).then_some(nearest)
}

/// ` (did you mean …?)` with the known word that is [nearest](nearest()), or nothing if none is near.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(word, known) {
        Some(nearest) => format!(" (did you mean {nearest}?)"),
        None => String::new(),
    }
}

/// The words of a list such as `a, b or c`; numbers and what is longer than a word are left out.
pub fn listed_words(list: &str) -> impl Iterator<Item = &str> {
    let parts = list.split(", ").flat_map(|part| part.split(" or "));
    parts.filter(|part| part.starts_with(|c: char| c.is_alphabetic()) && !part.contains(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_mended_and_another_word_is_not() {
        let known = ["solve", "serve", "show", "mcts"];
        for (word, meant) in [
            ("sovle", Some("solve")),
            ("mtcs", Some("mcts")),
            ("shw", Some("show")),
            ("servee", Some("serve")),
            ("dance", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, known), meant, "{word}");
        }
        assert_eq!(did_you_mean("sevre", known), " (did you mean serve?)");
        assert_eq!(did_you_mean("dance", known), "");
        assert_eq!(nearest("x", []), None);
    }

    #[test]
    fn lists_are_taken_apart_into_words() {
        let words = |list| listed_words(list).collect::<Vec<_>>();
        assert_eq!(words("reversed or normal"), ["reversed", "normal"]);
        assert_eq!(words("discs, mobility or squares"), ["discs", "mobility", "squares"]);
        assert_eq!(words("a whole number from 1 up"), [""; 0]);
        assert_eq!(words("a time such as 5s, 250ms or 3m"), [""; 0]);
    }
}
