//! SGF, the Smart Game Format, version 4, as Othello programs use it.
//!
//! ```text
//! (;GM[2]FF[4]SZ[8]RU[anti]PB[ann]PW[bob];B[f5]C[safe];W[d6]V[2.5]TS[12];B[PA])
//! ```
//!
//! Any number of games. The main line is the game; variations are kept as moves
//! alone, 256 at most, and those that are not legal are dropped.
//! `GM`, if present, must be 2. `SZ` is the width; without it, the default.
//! SGF does not define the variant: we write `RU[anti]`, and read it and
//! `RU[reversed]` as reversed; anything else, or no `RU`, is normal.
//!
//! The game begins with the start, or with `AB` and `AW`, which then name all
//! the discs, and `PL`, by default black. They come before the first move.
//!
//! `B` and `W` are moves. `B[d3]` is the square d3 and so is `B[dc]`, a letter
//! for the column and one for the row: a digit makes the difference. `PA` and
//! `pass` pass, and so does `pa`, except on a 16×16 board, where it is p1. An
//! empty value is refused, and a forced pass may be missing. With a move, `V` is
//! its value, seen by black as SGF requires, `TS` (our own property) the seconds
//! it took, and `C` a comment; several are joined, each on its own line.
//!
//! Other properties of the first node, its comment included, are tags, one for
//! each value, those of one name together. For `RE` see [`outcome`].
//!
//! The reader drops every other property of later nodes, the comments of later
//! nodes without a move, and the notes of variations.
//!
//! The writer writes a game per line, squares as `d3`, passes as `PA`. A property
//! occurs in a node only once, with all its values; `RU` has one.

use super::bracket::{self, Lexer, Property, Token, is_key, only, push, push_value};
use super::error::quote;
use super::span::{Fault, Span};
use super::variations::{self, Lines};
use super::{Defaults, Note, Record, moves, outcome, played};
use crate::{Color, Draft, Game, Move, Position, Rule, Size, Square};
use std::borrow::Cow;
use std::collections::HashMap;

/// The properties that are not tags.
const OWN: [&str; 11] = ["GM", "FF", "SZ", "AB", "AW", "AE", "PL", "B", "W", "V", "TS"];

/// The properties that set up the start position.
const SETUP: [&str; 4] = ["AB", "AW", "AE", "PL"];

pub(super) fn read(text: &str, defaults: Defaults) -> impl Iterator<Item = Result<Record, Fault>> {
    bracket::games(text, move |lexer| {
        let (properties, others) = lines(lexer)?;
        let mut record = record(&properties, defaults)?;
        add_variations(&mut record, &others);
        Ok(record)
    })
}

/// A move of a variation: its side and its value, not yet read.
type Raw<'a> = (Color, Cow<'a, str>);

/// The properties of the main line, after the parenthesis just read, and the moves of every other
/// line from the start.
fn lines<'a>(lexer: &mut Lexer<'a>) -> Result<(Vec<Property<'a>>, Vec<Vec<Raw<'a>>>), Fault> {
    let (mut properties, mut others) = (Vec::new(), Vec::new());
    let mut path: Vec<Raw<'a>> = Vec::new();
    // How many moves of the path stand before each open parenthesis.
    let mut open = vec![0_usize];
    let (mut is_first, mut is_leaf) = (true, false);
    while !open.is_empty() {
        match lexer.next()? {
            None => return Err(Fault::new(lexer.at(), "the game is not closed; expected )")),
            Some(Token::Open) => open.push(path.len()),
            Some(Token::Close) => {
                // The first closing one ends the main line; the rest are variations.
                let is_kept = is_leaf && !is_first && others.len() < variations::MOST;
                if is_kept && path.len() <= variations::MOST_MOVES {
                    others.push(path.clone());
                }
                (is_first, is_leaf) = (false, false);
                lexer.lift_bound();
                path.truncate(open.pop().unwrap_or(0));
            }
            Some(Token::Node) => {}
            Some(Token::Property(property)) => {
                let color = match property.key {
                    "B" => Some(Color::Black),
                    "W" => Some(Color::White),
                    _ => None,
                };
                // What is longer is no variation of a game.
                if let Some(color) = color.filter(|_| path.len() <= variations::MOST_MOVES) {
                    path.push((color, property.short_value()));
                    is_leaf = true;
                }
                if is_first {
                    properties.push(property);
                }
            }
        }
    }
    Ok((properties, others))
}

/// Adds the variations that are legal.
fn add_variations(record: &mut Record, others: &[Vec<Raw<'_>>]) {
    if others.is_empty() {
        return;
    }
    let mut lines = Lines::new(&record.game, &[]);
    for other in others {
        let game = Game::from_position(record.game.rule(), record.game.start().clone());
        let mut line = Record::from(game);
        let is_legal = other.iter().all(|(color, value)| {
            let span = Span::new(value, 0).trim();
            named(span, line.game.size())
                .and_then(|mv| played::add(&mut line, *color, mv, Note::default(), span))
                .is_ok()
        });
        if is_legal {
            lines.add(&line.game);
        }
    }
    record.variations = lines.variations();
}

/// The game of these properties; nodes without properties do not count.
fn record(properties: &[Property<'_>], defaults: Defaults) -> Result<Record, Fault> {
    let mut nodes = properties.chunk_by(|one, next| one.node == next.node);
    let root = nodes.next().unwrap_or_default();
    if let Some(property) = only(root, "GM")?
        && property.value()?.text != "2"
    {
        return Err(property.unknown("2, which is Othello"));
    }
    let size = match only(root, "SZ")? {
        Some(property) => {
            let width = property.value()?;
            width.text.parse().map_err(|error| width.fault(format!("SZ: {error}")))?
        }
        None => defaults.size,
    };
    let rules = only(root, "RU")?.map(Property::value).transpose()?;
    let rule =
        if rules.is_some_and(|rules| is_anti(rules.text)) { Rule::Reversed } else { Rule::Normal };
    let mut record = Record::from(Game::from_position(rule, start(properties, size)?));
    // The comment of the first node is a tag of the game.
    play(&mut record, root)?;
    for node in nodes {
        play(&mut record, node)?;
        comment(&mut record, node);
    }
    let is_tag = |property: &&Property<'_>| {
        let is_rule = property.key == "RU" && rule == Rule::Reversed;
        !OWN.contains(&property.key) && !is_rule
    };
    let mut tags: Vec<_> = root.iter().filter(is_tag).collect();
    group(&mut tags, |property| property.key);
    for property in tags {
        let tag = |value: Cow<'_, str>| (property.key.to_owned(), value.into_owned());
        record.tags.extend(property.values().map(tag));
    }
    outcome::tidy(&mut record, outcome::to_sgf);
    record.notes = played::tidy(record.notes);
    Ok(record)
}

/// Groups tags of one name at the place of the first.
fn group<'a, T>(tags: &mut [T], name: impl Fn(&T) -> &'a str) {
    let mut places = HashMap::new();
    for (place, tag) in tags.iter().enumerate() {
        places.entry(name(tag)).or_insert(place);
    }
    tags.sort_by_key(|tag| places[name(tag)]);
}

/// Whether `RU` names the reversed rule.
fn is_anti(rules: &str) -> bool {
    ["anti", "reversed"].iter().any(|name| rules.trim().eq_ignore_ascii_case(name))
}

/// The position of the setup before the first move.
fn start(properties: &[Property<'_>], size: Size) -> Result<Position, Fault> {
    let is_move = |property: &Property<'_>| matches!(property.key, "B" | "W");
    let (setup, played) =
        properties.split_at(properties.iter().position(is_move).unwrap_or(properties.len()));
    if let Some(late) = played.iter().find(|property| SETUP.contains(&property.key)) {
        return Err(late.fault(format!("{} after a move; expected it before", late.key)));
    }
    let mut draft = Position::start(size).draft();
    let mut at = None;
    for property in setup {
        let color = match property.key {
            "AB" => Color::Black,
            "AW" => Color::White,
            "AE" => return Err(property.fault("AE clears squares; expected only AB and AW")),
            _ => continue,
        };
        if at.is_none() {
            draft.discs.fill(None);
            at = Some(property.at);
        }
        for value in property.values() {
            place(&mut draft, &value, color)
                .map_err(|offence| property.fault(format!("{} has {offence}", property.key)))?;
        }
    }
    if let Some(property) = only(setup, "PL")? {
        draft.turn = match property.value()?.text.to_ascii_lowercase().as_str() {
            "b" | "black" => Color::Black,
            "w" | "white" => Color::White,
            _ => return Err(property.unknown("B or W")),
        };
    }
    draft.check().map_err(|error| Fault::new(at.unwrap_or(0), error.to_string()))
}

/// Puts a disc on the empty square that a value names.
fn place(draft: &mut Draft, value: &str, color: Color) -> Result<(), String> {
    let (found, size) = (quote(value), draft.size);
    let square = point(value.trim())
        .filter(|&square| size.contains(square))
        .ok_or_else(|| format!("{found}; expected a square of the {size}x{size} board"))?;
    let row = usize::from(square.row()) * usize::from(size.width());
    match draft.discs[row + usize::from(square.column())].replace(color) {
        None => Ok(()),
        Some(_) => Err(format!("{found} again; expected each square once")),
    }
}

/// The square `d3` or `dc`.
fn point(text: &str) -> Option<Square> {
    if let [column @ (b'a'..=b'z' | b'A'..=b'Z'), row @ (b'a'..=b'z' | b'A'..=b'Z')] =
        text.as_bytes()
    {
        let [column, row] = [column, row].map(|letter| letter.to_ascii_lowercase() - b'a');
        return (column < 16 && row < 16).then(|| Square::new(column, row));
    }
    text.parse().ok()
}

/// Plays the moves of a node and keeps their notes.
fn play(record: &mut Record, node: &[Property<'_>]) -> Result<(), Fault> {
    let mut beside = Note::default();
    let mut mover = None;
    for property in node {
        match property.key {
            "V" => beside.value = played::number(property.value()?)?,
            "TS" => beside.seconds = played::seconds(property.value()?)?,
            "B" | "W" => {
                let color = if property.key == "B" { Color::Black } else { Color::White };
                let span = property.value()?;
                let mv = named(span, record.game.size())?;
                played::add(record, color, mv, Note::default(), span)?;
                mover = Some(color);
            }
            _ => {}
        }
    }
    if let (Some(color), Some(note)) = (mover, record.notes.last_mut()) {
        *note = Note { value: beside.value.map(|value| for_side(value, color)), ..beside };
    }
    Ok(())
}

/// Keeps the comment of the node that was just played, if it has a move.
fn comment(record: &mut Record, node: &[Property<'_>]) {
    let has_move = node.iter().any(|property| matches!(property.key, "B" | "W"));
    if let Some(note) = record.notes.last_mut().filter(|_| has_move) {
        let comments = node.iter().filter(|property| property.key == "C");
        let comment = comments.flat_map(Property::values).collect::<Vec<_>>().join("\n");
        note.comment = Some(comment).filter(|comment| !comment.is_empty());
    }
}

/// The move that a value names.
fn named(span: Span<'_>, size: Size) -> Result<Move, Fault> {
    let text = span.text;
    let is_pass =
        text == "PA" || text.eq_ignore_ascii_case("pass") || text == "pa" && size.width() < 16;
    match point(text) {
        _ if is_pass => Ok(Move::Pass),
        Some(square) => Ok(Move::Place(square)),
        None => Err(moves::unknown(span)),
    }
}

/// Black's value of a move seen by `color`, or the other way round.
fn for_side(value: f64, color: Color) -> f64 {
    if color == Color::Black { value } else { -value }
}

pub(super) fn write(record: &Record, text: &mut String) {
    let game = &record.game;
    text.push_str("(;GM[2]FF[4]");
    push(text, "SZ", &game.size().to_string());
    if game.rule() == Rule::Reversed {
        push(text, "RU", "anti");
    }
    let is_written = |(name, value): &&(String, String)| {
        // The game determines the rule, not the tag.
        let is_rule = name == "RU" && (game.rule() == Rule::Reversed || is_anti(value));
        is_key(name) && !OWN.contains(&name.as_str()) && !is_rule
    };
    let mut tags: Vec<_> = record.tags.iter().filter(is_written).collect();
    group(&mut tags, |(name, _)| name);
    let mut last = "";
    for (name, value) in tags {
        match name.as_str() {
            name if name != last => text.push_str(name),
            // The reader requires a single `RU`.
            "RU" => continue,
            _ => {}
        }
        if name == "RE" {
            push_value(text, &outcome::to_sgf(value, game.size()));
        } else {
            push_value(text, value);
        }
        last = name;
    }
    if let Some(result) = outcome::unsaid(record) {
        push(text, "RE", &outcome::to_sgf(&result, game.size()));
    }
    if *game.start() != Position::start(game.size()) {
        push_setup(text, game.start());
    }
    push_line(text, record, &Lines::new(game, &record.variations), 0, Some(0));
    text.push(')');
}

/// Writes the moves after a node: those of its line, then in parentheses the lines that part from
/// it. `main` is how many moves of the game lead to the node, on the main line.
fn push_line(
    text: &mut String,
    record: &Record,
    lines: &Lines,
    from: usize,
    mut main: Option<usize>,
) {
    let mut at = from;
    while let [next] = lines.node(at).children[..] {
        push_move(text, record, lines, next, main);
        (at, main) = (next, main.map(|index| index + 1));
    }
    for (place, &child) in lines.node(at).children.iter().enumerate() {
        text.push('(');
        let main = main.filter(|_| place == 0);
        push_move(text, record, lines, child, main);
        push_line(text, record, lines, child, main.map(|index| index + 1));
        text.push(')');
    }
}

/// Writes a node with its move, and its note if it is move number `main` of the game.
fn push_move(text: &mut String, record: &Record, lines: &Lines, node: usize, main: Option<usize>) {
    let Some((turn, mv)) = lines.node(node).played else { return };
    text.push(';');
    let name = match mv {
        Move::Pass => "PA".to_owned(),
        Move::Place(square) => square.to_string(),
    };
    push(text, key(turn), &name);
    let Some(index) = main else { return };
    let Note { value, seconds, comment } = played::note(record, index);
    if let Some(value) = value {
        push(text, "V", &for_side(value, turn).to_string());
    }
    if let Some(seconds) = seconds {
        push(text, "TS", &seconds.to_string());
    }
    if let Some(comment) = comment {
        push(text, "C", &comment);
    }
}

/// SGF's letter for a side.
fn key(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}

/// Writes the discs and the side to move.
fn push_setup(text: &mut String, position: &Position) {
    for color in [Color::Black, Color::White] {
        let squares = position.size().squares();
        let mut squares = squares.filter(|&square| position.disc(square) == Some(color)).peekable();
        if squares.peek().is_some() {
            text.push('A');
            text.push_str(key(color));
        }
        for square in squares {
            push_value(text, &square.to_string());
        }
    }
    push(text, "PL", key(position.turn()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_one(text: &str) -> Record {
        let mut records = read(text, Defaults::default());
        let record = records.next().unwrap().unwrap_or_else(|fault| {
            panic!("{}: {text}", fault.placed(text));
        });
        assert!(records.next().is_none());
        record
    }

    #[test]
    fn both_forms_of_a_square_are_read() {
        let game = read_one("(;GM[2]RU[anti];B[f5];W[d6];B[c3])");
        assert_eq!(game.game.rule(), Rule::Reversed);
        assert_eq!(read_one("(;GM[2]RU[Reversed];B[fe];W[df];B[cc])"), game);
        assert_eq!(read_one("(;GM[2];B[f5])").game.rule(), Rule::Normal);
    }

    #[test]
    fn variations_are_kept_and_written_again() {
        let game = read_one("(;GM[2];B[f5];W[d6];B[c3])");
        let squares =
            |line: &[Move]| line.iter().map(Move::to_string).collect::<Vec<_>>().join(" ");
        for (text, expected) in [
            ("(;GM[2];B[f5](;W[d6];B[c3])(;W[f6];C[(;]))", &["f5 f6"][..]),
            (
                "(;GM[2](;B[f5](;W[d6](;B[c3]))(;W[f4]))(;B[c4](;W[c3])(;W[e3])))",
                &["f5 f4", "c4 c3", "c4 e3"],
            ),
            ("( ;GM[2] ;B[f5] ;C[note] ;W[d6] (;B[c3]) () (;B[zz]) (;W[c3]) )", &[]),
            // A line that ends within another is no line of its own.
            ("(;GM[2];B[f5](;W[d6];B[c3])(;W[f4])(;W[d6])(;W[f4];B[e3]))", &["f5 f4 e3"]),
        ] {
            let record = read_one(text);
            let found: Vec<_> = record.variations.iter().map(|line| squares(line)).collect();
            assert_eq!(found, expected, "{text}");
            let mut written = String::new();
            write(&record, &mut written);
            assert_eq!(read_one(&written), record, "{written}");
            assert_eq!(Record { variations: Vec::new(), ..record }, game);
        }
        let mut written = String::new();
        write(&read_one("(;GM[2];B[f5](;W[d6];B[c3])(;W[f4];B[e3]))"), &mut written);
        assert_eq!(written, "(;GM[2]FF[4]SZ[8];B[f5](;W[d6];B[c3])(;W[f4];B[e3]))");
    }

    #[test]
    fn hostile_trees_do_no_harm() {
        let deep = format!("(;GM[2]{};B[f5]{})", "(".repeat(100_000), ")".repeat(100_000));
        assert_eq!(read_one(&deep).game.ply(), 1);
        let wide = format!("(;GM[2];B[f5]{})", "(;W[d6])(;W[f4])".repeat(50_000));
        assert_eq!(read_one(&wide).variations.len(), 1);
        let long = format!("(;GM[2];B[f5](;W[d6])(;W[f4]{}))", ";B[a1]".repeat(50_000));
        assert!(read_one(&long).variations.is_empty());
    }

    #[test]
    fn setup_makes_the_start() {
        let record = read_one("(;GM[2]SZ[4]AB[a1]AW[ba]PL[W];B[c1])");
        assert_eq!(record.game.start().to_string(), "XO-------------- O");
        assert_eq!(record.game.moves().len(), 2, "the pass is implied");
        assert!(record.game.is_over());
        let mut text = String::new();
        write(&record, &mut text);
        let expected = "(;GM[2]FF[4]SZ[4]RE[B+16]AB[a1]AW[b1]PL[W];W[PA];B[c1])";
        assert_eq!(text, expected);
        assert_eq!(read_one(&text), record);
    }

    #[test]
    fn values_are_black_s_in_the_file_and_the_mover_s_in_the_record() {
        let text = "(;GM[2]FF[4]SZ[8];B[f5]V[1.5];W[d6]V[2]TS[0.25];B[c3])";
        let record = read_one(text);
        let values: Vec<_> = record.notes.iter().map(|note| note.value).collect();
        assert_eq!(values, [Some(1.5), Some(-2.0), None]);
        assert_eq!(record.notes[1].seconds, Some(0.25));
        let mut written = String::new();
        write(&record, &mut written);
        assert_eq!(written, text);
    }

    #[test]
    fn pa_is_a_square_only_where_there_is_a_column_p() {
        let named = |text, width| named(Span::new(text, 0), Size::new(width).unwrap()).ok();
        assert_eq!(named("pa", 16), Some(Move::Place(Square::new(15, 0))));
        assert_eq!(named("PA", 16), Some(Move::Pass));
        assert_eq!(named("pa", 8), Some(Move::Pass));
        assert_eq!(named("Pass", 16), Some(Move::Pass));
        assert_eq!(named("", 8), None);
    }
}
