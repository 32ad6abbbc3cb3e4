//! A position in an answer: everything that a board on a screen needs, so that it needs no rules.

use super::{ColorWord, RuleWord};
use isrever_board::{Color, Game, Move, Position};
use serde::Serialize;
use utoipa::ToSchema;

/// Where a game has come to.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct PositionBody {
    rule: RuleWord,
    /// 4, 6 or 8.
    size: u8,
    /// The position the game began with.
    start: String,
    /// All moves, passes written out.
    moves: Vec<String>,
    /// The position now: its squares and the side to move.
    position: String,
    /// Its squares alone, row by row from a1: `X`, `O` and `-`.
    board: String,
    /// The side to move; none when the game is over.
    turn: Option<ColorWord>,
    /// How many moves were played, passes included.
    ply: usize,
    discs: Discs,
    /// Where the side to move may place a disc, and what would turn.
    legal: Vec<Legal>,
    /// The side to move has no square, and the other has.
    must_pass: bool,
    over: bool,
    /// What the discs are worth if the game ended here; positive is good under its rule.
    score: Pair<i32>,
    /// Who is ahead by that.
    leader: Option<ColorWord>,
    result: Option<Result>,
    /// The last move.
    last: Option<Played>,
    /// Every move with the board after it, if that was asked for.
    history: Option<Vec<Step>>,
}

/// Discs of both sides.
#[derive(Clone, Copy, Serialize, ToSchema)]
pub(crate) struct Discs {
    black: u32,
    white: u32,
    empty: u32,
}

/// Something of both sides.
#[derive(Clone, Copy, Serialize, ToSchema)]
pub(crate) struct Pair<T> {
    pub(crate) black: T,
    pub(crate) white: T,
}

/// A legal square.
#[derive(Clone, Serialize, ToSchema)]
struct Legal {
    square: String,
    flips: Vec<String>,
}

/// How a game ended.
#[derive(Clone, Copy, Serialize, ToSchema)]
pub(crate) struct Result {
    /// None after a draw.
    winner: Option<ColorWord>,
    score: Pair<i32>,
    discs: Discs,
}

/// A move that was played.
#[derive(Clone, Serialize, ToSchema)]
struct Played {
    #[serde(rename = "move")]
    mv: String,
    color: ColorWord,
    flips: Vec<String>,
}

/// A move and the board after it.
#[derive(Clone, Serialize, ToSchema)]
struct Step {
    /// The first move's is 1.
    ply: usize,
    #[serde(flatten)]
    played: Played,
    board: String,
    discs: Discs,
}

impl Discs {
    pub(crate) fn of(position: &Position) -> Discs {
        let [black, white] = [Color::Black, Color::White].map(|color| position.count(color));
        Discs { black, white, empty: position.size().cells() as u32 - black - white }
    }
}

impl Pair<i32> {
    /// The score of black, and so of white.
    pub(crate) fn of_score(black: i32) -> Pair<i32> {
        Pair { black, white: -black }
    }
}

impl Result {
    /// The result of a game, if it is over.
    pub(crate) fn of(game: &Game) -> Option<Result> {
        game.is_over().then(|| {
            let black = game.score(Color::Black);
            let discs = Discs::of(game.position());
            Result { winner: ahead(black), score: Pair::of_score(black), discs }
        })
    }
}

impl PositionBody {
    /// Where `game` has come to.
    pub(crate) fn new(game: &Game, with_history: bool) -> PositionBody {
        let position = game.position();
        let black = game.score(Color::Black);
        let legal = position.moves().into_iter().map(|square| Legal {
            square: square.to_string(),
            flips: names(position.flips(square)),
        });
        let step = |ply: usize| Step {
            ply,
            played: Played::of(game, ply),
            board: squares(&game.positions()[ply]),
            discs: Discs::of(&game.positions()[ply]),
        };
        PositionBody {
            rule: game.rule().into(),
            size: game.size().width(),
            start: game.start().to_string(),
            moves: move_names(game.moves()),
            position: position.to_string(),
            board: squares(position),
            turn: game.turn().map(ColorWord::from),
            ply: game.ply(),
            discs: Discs::of(position),
            legal: legal.collect(),
            must_pass: position.must_pass(),
            over: game.is_over(),
            score: Pair::of_score(black),
            leader: ahead(black),
            result: Result::of(game),
            last: (game.ply() > 0).then(|| Played::of(game, game.ply())),
            history: with_history.then(|| (1..=game.ply()).map(step).collect()),
        }
    }
}

impl Played {
    /// Move number `ply`, from 1.
    fn of(game: &Game, ply: usize) -> Played {
        let (mv, before) = (game.moves()[ply - 1], &game.positions()[ply - 1]);
        let flips = mv.square().map_or_else(Vec::new, |square| before.flips(square));
        Played { mv: mv.to_string(), color: before.turn().into(), flips: names(flips) }
    }
}

/// The side for which a score of black is good.
fn ahead(black: i32) -> Option<ColorWord> {
    match black {
        0 => None,
        1.. => Some(ColorWord::Black),
        _ => Some(ColorWord::White),
    }
}

/// The squares of a position as one word.
fn squares(position: &Position) -> String {
    position
        .size()
        .squares()
        .map(|square| position.disc(square).map_or('-', Color::letter))
        .collect()
}

fn names(squares: Vec<isrever_board::Square>) -> Vec<String> {
    squares.into_iter().map(|square| square.to_string()).collect()
}

/// Moves by their names.
pub(crate) fn move_names(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::{Rule, Size};

    #[test]
    fn a_position_says_all_there_is_to_draw() {
        let mut game = Game::new(Rule::Reversed, Size::EIGHT);
        game.place("f5".parse().unwrap()).unwrap();
        let body = serde_json::to_value(PositionBody::new(&game, true)).unwrap();
        assert_eq!(body["turn"], "white");
        assert_eq!(body["discs"], serde_json::json!({"black": 4, "white": 1, "empty": 59}));
        assert_eq!(body["legal"][1], serde_json::json!({"square": "d6", "flips": ["d5"]}));
        assert_eq!(body["leader"], "white", "fewer discs lead");
        assert_eq!(body["last"]["flips"], serde_json::json!(["e5"]));
        assert_eq!(body["history"][0]["board"], body["board"]);
        assert_eq!(body["history"][0]["move"], "f5");
        assert_eq!(body["position"], format!("{} O", body["board"].as_str().unwrap()));
        assert!(body["result"].is_null());
    }
}
