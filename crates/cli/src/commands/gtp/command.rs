//! A line of the protocol taken apart: its number, its command and what follows.

/// What was asked, and the number that the answer must repeat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Command<'a> {
    pub(super) number: Option<&'a str>,
    pub(super) name: &'a str,
    pub(super) words: Vec<&'a str>,
}

impl<'a> Command<'a> {
    /// Takes a line apart; `None` if nothing is on it but white space and a comment.
    pub(super) fn read(line: &'a str) -> Option<Command<'a>> {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split(|c: char| c.is_whitespace() || c.is_control());
        let mut words = words.by_ref().filter(|word| !word.is_empty());
        let first = words.next()?;
        let is_number = first.bytes().all(|byte| byte.is_ascii_digit());
        let (number, name) = match is_number {
            true => (Some(first), words.next().unwrap_or("")),
            false => (None, first),
        };
        Some(Command { number, name, words: words.collect() })
    }

    /// The answer as it is written, but for the blank line behind it.
    pub(super) fn answer(number: Option<&str>, answer: &Result<String, String>) -> String {
        let (sign, text) = match answer {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        // A blank line would end the answer.
        let text: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        format!("{sign}{} {}", number.unwrap_or_default(), text.join("\n")).trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_comments_and_white_space_are_understood() {
        let command = |number, name, words: &[&'static str]| {
            Some(Command { number, name, words: words.to_vec() })
        };
        assert_eq!(Command::read("play b F5"), command(None, "play", &["b", "F5"]));
        assert_eq!(
            Command::read("\t12 genmove\u{7} w # now"),
            command(Some("12"), "genmove", &["w"])
        );
        assert_eq!(Command::read("7"), command(Some("7"), "", &[]));
        for nothing in ["", "  ", "# interrupt", "\u{1}\t"] {
            assert_eq!(Command::read(nothing), None);
        }
    }

    #[test]
    fn answers_repeat_the_number_and_have_no_blank_lines() {
        let ok = |text: &str| Ok(text.to_owned());
        assert_eq!(Command::answer(None, &ok("")), "=");
        assert_eq!(Command::answer(Some("3"), &ok("d3")), "=3 d3");
        assert_eq!(Command::answer(None, &ok("a\n\nb\n")), "= a\nb");
        assert_eq!(Command::answer(Some("4"), &Err("no".to_owned())), "?4 no");
    }
}
