//! Hides what is never the same twice: times, speeds, dates, version and machine.
//!
//! Every rule names one place; everything else stays as it is.

use Kind::{Date, Grouped, Line, List, Moment, Number, Quoted};
use std::ops::Range;

/// What a rule hides.
#[derive(Clone, Copy)]
enum Kind {
    /// A number such as `0.25` or `1e-7`.
    Number,
    /// A whole number in groups, such as `9,003,751`.
    Grouped,
    /// A date such as `2026-11-16` or `2026.11.16`.
    Date,
    /// A date and a time such as `2026-11-16T15:41:01Z`.
    Moment,
    /// All up to the closing bracket.
    List,
    /// All up to the closing quote.
    Quoted,
    /// All up to the end of the line.
    Line,
}

/// Rules: the text before, what is hidden, and the text behind it.
const BETWEEN: [(&str, Kind, &str); 26] = [
    // Times in JSON, black_seconds, white_seconds and uptime_seconds among them.
    ("seconds\":", Number, ""),
    ("seconds\": ", Number, ""),
    ("\"seconds\":[", List, "]"),
    // isrever bench
    (" nodes in ", Number, " seconds"),
    (" seconds, ", Grouped, " nodes/s"),
    // Dates of tournaments and of saved games.
    ("\"date\":\"", Date, "\""),
    ("[Date \"", Date, "\""),
    ("DT[", Date, "]"),
    ("DT[", Moment, "]"),
    ("  ", Date, "  "),
    ("\"created\":\"", Quoted, "\""),
    ("\"changed\":\"", Quoted, "\""),
    ("\"time\":\"", Quoted, "\""),
    // isrever lab run: how long an experiment took, and what it measured with a clock.
    ("), ", Number, " s\n"),
    (": times faster than bare: ", Line, ""),
    ("boards a second, times those that the report's table means: ", Line, ""),
    // provenance.json, and what isrever lab report tells of it.
    ("\"version\": \"", Quoted, "\""),
    ("\"commit\": \"", Quoted, "\""),
    ("\"compiler\": \"", Quoted, "\""),
    ("\"profile\": \"", Quoted, "\""),
    ("\"machine\": \"", Quoted, "\""),
    ("\"cores\": ", Number, ""),
    ("\"began\": \"", Quoted, "\""),
    ("<p class=\"origin\">", Line, ""),
    // The answers of an exam are those of one version of the program.
    ("\"program\":\"", Quoted, "\""),
    ("\"version\":\"", Quoted, "\""),
];

/// Lines of NBoard that begin so: what follows the last separator is seconds.
const LAST: [(&str, char); 2] = [("nodestats ", ' '), ("=== ", '/')];

/// The last two columns of tables that tell times: those of `perft`, `solve` and `move`.
const COLUMNS: [(&str, &str); 2] = [("seconds", "nodes/s"), ("seconds", "leaves/s")];

/// A game of a tournament as GGF: the third part of a move, as in `B[F5/2.00/0.25]`, is its time.
const EXPORTED: &str = "(;GM[Othello]EV[";

/// Replaces what is hidden.
const HIDDEN: &str = "#";

/// Returns the text without what the rules hide.
pub(super) fn masked(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut columns = None;
    for line in text.split_inclusive('\n') {
        columns = timed_columns(line).or(columns);
        let row = columns.as_ref().and_then(|columns| hide_columns(line, columns));
        masked += &match row {
            Some(row) => row,
            None if line.starts_with(EXPORTED) => hide_times(line),
            None => hide_last(line),
        };
    }
    for (before, kind, after) in BETWEEN {
        masked = hide_between(&masked, before, kind, after);
    }
    masked
}

/// The characters that belong to the columns of [`COLUMNS`], if the line is a table's head.
fn timed_columns(line: &str) -> Option<Range<usize>> {
    let (first, last) = COLUMNS.iter().find(|(_, last)| line.trim_end().ends_with(last))?;
    let end = line.trim_end();
    let before = end.strip_suffix(last)?.trim_end().strip_suffix(first)?.trim_end();
    Some(before.chars().count()..end.chars().count())
}

/// Hides two numbers in these columns; nothing if there is something else.
fn hide_columns(line: &str, columns: &Range<usize>) -> Option<String> {
    let chars: Vec<char> = line.chars().collect();
    let hidden: String = chars.get(columns.clone())?.iter().collect();
    let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit() || ",.".contains(c));
    let mut words = hidden.split_whitespace();
    let numbers = words.by_ref().take(2).filter(|word| is_number(word)).count();
    let rest: String = chars[columns.end..].iter().collect();
    let kept: String = chars[..columns.start].iter().collect();
    (numbers == 2 && words.next().is_none()).then(|| format!("{kept} {HIDDEN} {HIDDEN}{rest}"))
}

/// Hides what follows the last separator of a line of [`LAST`].
fn hide_last(line: &str) -> String {
    let separator = LAST.iter().find(|(beginning, _)| line.starts_with(beginning));
    match separator.and_then(|&(_, separator)| line.rsplit_once(separator).zip(Some(separator))) {
        Some(((rest, _), separator)) => format!("{rest}{separator}{HIDDEN}\n"),
        None => line.to_owned(),
    }
}

/// Hides the times of an exported game's moves.
fn hide_times(line: &str) -> String {
    let hide = |part: &str| match part.splitn(3, '/').collect::<Vec<_>>()[..] {
        // Names may have slashes too.
        [mv, value, _] if is_move(mv) => format!("{mv}/{value}/{HIDDEN}"),
        _ => part.to_owned(),
    };
    line.split(']').map(hide).collect::<Vec<_>>().join("]")
}

/// Whether the text is the beginning of a move in GGF, such as `B[F5`.
fn is_move(text: &str) -> bool {
    let square = text.strip_prefix("B[").or_else(|| text.strip_prefix("W["));
    square.is_some_and(|square| (2..=3).contains(&square.len()))
}

/// Hides what is of this kind between two texts.
fn hide_between(text: &str, before: &str, kind: Kind, after: &str) -> String {
    let (mut masked, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(place) = rest.find(before) {
        let (kept, behind) = rest.split_at(place + before.len());
        masked += kept;
        rest = behind;
        let length = length(rest, kind);
        if length > 0 && rest[length..].starts_with(after) {
            masked += HIDDEN;
            rest = &rest[length..];
        }
    }
    masked + rest
}

/// Measures what is of this kind at the beginning of the text; 0 if nothing is.
fn length(text: &str, kind: Kind) -> usize {
    let until = |is_part: fn(char) -> bool| text.find(|c| !is_part(c)).unwrap_or(text.len());
    match kind {
        Number => until(|c| c.is_ascii_digit() || ".e+-".contains(c)),
        Grouped => until(|c| c.is_ascii_digit() || c == ','),
        Date => match until(|c| c.is_ascii_digit() || "-.".contains(c)) {
            10 => 10,
            _ => 0,
        },
        Moment => match until(|c| c.is_ascii_digit() || "-:TZ".contains(c)) {
            20 => 20,
            _ => 0,
        },
        List => until(|c| c != ']'),
        Quoted => until(|c| c != '"'),
        Line => until(|c| c != '\n'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_from_run_to_run_is_hidden() {
        for (text, hidden) in [
            ("{\"nodes\":7,\"seconds\":4.1e-6}", "{\"nodes\":7,\"seconds\":#}"),
            (
                "\"black_seconds\":0.1,\"white_seconds\":2",
                "\"black_seconds\":#,\"white_seconds\":#",
            ),
            (
                "35,584,356 nodes in 3.9 seconds, 9,003,751 nodes/s\n",
                "35,584,356 nodes in # seconds, # nodes/s\n",
            ),
            ("   1  2026-11-16  cup\n", "   1  #  cup\n"),
            ("[Date \"2026.11.16\"]\n", "[Date \"#\"]\n"),
            ("Breadth (Report 000, 4.1.1), 0.4 s\n", "Breadth (Report 000, 4.1.1), # s\n"),
            ("  all: times faster than bare: 1 ± 2\n", "  all: times faster than bare: #\n"),
            ("  \"commit\": \"bb68c7b30879\",\n", "  \"commit\": \"#\",\n"),
            ("nodestats 101 0.24\n=== D3/2.00/0.00\n", "nodestats 101 #\n=== D3/2.00/#\n"),
            (
                "depth  leaves   seconds    leaves/s\n    1       4  0.000002   2,481,390\n",
                "depth  leaves   seconds    leaves/s\n    1       4 # #\n",
            ),
            (
                "move  nodes  seconds   nodes/s\nh8       70    0.013       542  = known\n   h8 a2\n",
                "move  nodes  seconds   nodes/s\nh8       70 # #  = known\n   h8 a2\n",
            ),
            ("DT[2026-11-16T15:41:01Z]", "DT[#]"),
            ("\"seconds\":[null,0.1,2e-6]", "\"seconds\":[#]"),
            (
                "(;GM[Othello]EV[a/b/c]DT[2026-11-16]TY[6a]B[B3]W[F2/-2/0.1]B[E2//3]B[J10/1/1];)\n",
                "(;GM[Othello]EV[a/b/c]DT[#]TY[6a]B[B3]W[F2/-2/#]B[E2//#]B[J10/1/#];)\n",
            ),
        ] {
            assert_eq!(masked(text), hidden);
        }
    }

    #[test]
    fn what_means_something_stays() {
        for text in [
            "{\"seconds\":null,\"value\":1.5}",
            "(;GM[Othello]PB[ann]TY[8a]DT[2003.12.15_12:33:18.MST]B[F5/1.5/2];)\n",
            "     1  black       12  win by 4    b1              2,221\n",
            "  2  depth3  25.0%  −10\n",
            "set myname Isrever 3\nsearch D3E3 4.00 0 2@73%\n",
        ] {
            assert_eq!(masked(text), text);
        }
    }
}
