//! A position in an answer: everything that a board on a screen needs, so that it needs no rules.

use super::{ColorWord, RuleWord};
use isrever_board::{Color, Game, Move, Position};
use isrever_book::Opening;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The present position of a game.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct PositionBody {
    rule: RuleWord,
    /// Even, from 4 to 16.
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
    /// The legal squares and the discs that they turn.
    legal: Vec<Legal>,
    /// The side to move has no square, and the other has.
    must_pass: bool,
    /// The side that has just passed; only with `ahead`.
    #[serde(skip_serializing_if = "Option::is_none")]
    passed: Option<ColorWord>,
    /// Whether neither side has a move.
    over: bool,
    /// The score if the game ended here; positive is good under its rule.
    score: Pair<i32>,
    /// The side that is ahead by this score.
    leader: Option<ColorWord>,
    /// How the game ended, if it is over.
    result: Option<Result>,
    /// The last move; with `ahead`, the one before a forced pass.
    last: Option<Played>,
    /// The last opening with a name that the game passed; left out if it passed none.
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<OpeningBody>,
    /// Every move with the board after it, if the request asks for it.
    history: Option<Vec<Step>>,
}

/// The name of an opening, which is that of Othello's.
#[derive(Clone, Copy, Serialize, ToSchema)]
pub(crate) struct OpeningBody {
    /// In English.
    name: &'static str,
    /// In Chinese.
    chinese: &'static str,
}

impl From<&Opening> for OpeningBody {
    fn from(opening: &Opening) -> OpeningBody {
        OpeningBody { name: opening.name, chinese: opening.chinese }
    }
}

/// Discs of both sides.
#[derive(Clone, Copy, Serialize, ToSchema)]
pub(crate) struct Discs {
    /// Black ones.
    black: u32,
    /// White ones.
    white: u32,
    /// Squares without one.
    empty: u32,
}

/// A value for each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Pair<T> {
    /// Black's.
    pub(crate) black: T,
    /// White's.
    pub(crate) white: T,
}

impl<T> Pair<T> {
    /// The value of `side`.
    pub(crate) fn of(&self, side: ColorWord) -> &T {
        match side {
            ColorWord::Black => &self.black,
            ColorWord::White => &self.white,
        }
    }

    /// The value of `side`, to change.
    pub(crate) fn of_mut(&mut self, side: ColorWord) -> &mut T {
        match side {
            ColorWord::Black => &mut self.black,
            ColorWord::White => &mut self.white,
        }
    }
}

/// A legal square.
#[derive(Clone, Serialize, ToSchema)]
struct Legal {
    /// Where a disc can be put.
    square: String,
    /// The discs that it turns.
    flips: Vec<String>,
    /// The position after it with forced passes played; only with `ahead`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(no_recursion)]
    after: Option<Box<PositionBody>>,
}

/// How a game ended.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[schema(as = GameResult)]
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
    /// A square or `pass`.
    mv: String,
    color: ColorWord,
    /// The discs that it turned.
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
    /// The scores, by that of black.
    pub(crate) fn of_score(black: i32) -> Pair<i32> {
        Pair { black, white: -black }
    }
}

impl Result {
    /// The winner; none after a draw.
    pub(crate) fn winner(&self) -> Option<ColorWord> {
        self.winner
    }

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
    /// Describes the present position of `game`.
    pub(crate) fn new(game: &Game, with_history: bool) -> PositionBody {
        let position = game.position();
        let black = game.score(Color::Black);
        let legal = position.moves().into_iter().map(|square| Legal {
            square: square.to_string(),
            flips: names(position.flips(square)),
            after: None,
        });
        let step = |ply: usize| Step {
            ply,
            played: Played::of(game, ply),
            board: game.positions()[ply].letters(),
            discs: Discs::of(&game.positions()[ply]),
        };
        PositionBody {
            rule: game.rule().into(),
            size: game.size().width(),
            start: game.start().to_string(),
            moves: move_names(game.moves()),
            position: position.to_string(),
            board: position.letters(),
            turn: game.turn().map(ColorWord::from),
            ply: game.ply(),
            discs: Discs::of(position),
            legal: legal.collect(),
            must_pass: position.must_pass(),
            passed: None,
            over: game.is_over(),
            score: Pair::of_score(black),
            leader: ahead(black),
            result: Result::of(game),
            last: (game.ply() > 0).then(|| Played::of(game, game.ply())),
            opening: Opening::of(game).map(OpeningBody::from),
            history: with_history.then(|| (1..=game.ply()).map(step).collect()),
        }
    }

    /// Describes the present position of `game`, forced passes played, and the position after each
    /// legal move, so that a page can play the next move without a request.
    pub(crate) fn ahead(mut game: Game, with_history: bool) -> PositionBody {
        pass_if_forced(&mut game);
        let mut body = PositionBody::after_passes(&game, with_history);
        for (legal, square) in body.legal.iter_mut().zip(game.position().moves()) {
            let mut next = game.clone();
            next.place(square).expect("the square is legal");
            pass_if_forced(&mut next);
            legal.after = Some(Box::new(PositionBody::after_passes(&next, false)));
        }
        body
    }

    /// Describes the present position of `game`. After a pass it names the side that passed, and
    /// `last` is the move before it, which boards mark.
    fn after_passes(game: &Game, with_history: bool) -> PositionBody {
        let body = PositionBody::new(game, with_history);
        if game.moves().last() != Some(&Move::Pass) {
            return body;
        }
        let (ply, before) = (game.ply() - 1, &game.positions()[game.ply() - 1]);
        let last = (ply > 0).then(|| Played::of(game, ply));
        PositionBody { passed: Some(before.turn().into()), last, ..body }
    }
}

/// Plays the pass of a side that has no square, where the other side has one.
pub(crate) fn pass_if_forced(game: &mut Game) {
    if game.position().must_pass() {
        game.play(Move::Pass).expect("the side to move must pass");
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
        assert!(body["result"].is_null() && body.get("opening").is_none());
        assert!(body.get("passed").is_none() && body["legal"][0].get("after").is_none());
    }

    #[test]
    fn a_position_ahead_shows_what_follows_each_move() {
        // Every position of several games, some of which have forced passes.
        let (mut passes, mut squares) = (0, 0);
        for number in 0..8 {
            let mut game = Game::new(Rule::Reversed, Size::FOUR);
            while !game.is_over() {
                check_ahead(&mut game, &mut passes, &mut squares);
                let moves = game.position().moves();
                game.place(moves[number % moves.len()]).unwrap();
            }
            let over = serde_json::to_value(PositionBody::ahead(game, false)).unwrap();
            assert!(over["result"].is_object() && over["legal"] == serde_json::json!([]));
        }
        assert!(passes > 0 && squares > 100, "{passes} {squares}");
    }

    /// Checks what is said of a position ahead, and plays its forced pass.
    fn check_ahead(game: &mut Game, passes: &mut usize, squares: &mut usize) {
        let body = serde_json::to_value(PositionBody::ahead(game.clone(), false)).unwrap();
        pass_if_forced(game);
        assert_eq!(body["must_pass"], false);
        assert_eq!(body["moves"], serde_json::json!(move_names(game.moves())));
        *passes += usize::from(body.get("passed").is_some());
        let (legal, moves) = (body["legal"].as_array().unwrap(), game.position().moves());
        assert_eq!(legal.len(), moves.len());
        for (legal, square) in legal.iter().zip(moves) {
            let mut next = game.clone();
            next.place(square).unwrap();
            let mut wanted = serde_json::to_value(PositionBody::ahead(next, false)).unwrap();
            for legal in wanted["legal"].as_array_mut().unwrap() {
                legal.as_object_mut().unwrap().remove("after");
            }
            assert_eq!(legal["after"], wanted, "the same, but for what follows it");
            assert_eq!(legal["after"]["last"]["move"], legal["square"]);
            *squares += 1;
        }
    }
}
