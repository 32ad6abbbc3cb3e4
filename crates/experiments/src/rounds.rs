//! Rounds are discs (report 000, 2.2.1, theorem 1 and corollary 1), and whose turn a round is.
//!
//! Every move of random games adds one disc and turns others; a pass adds none. The
//! report's colour of a round, by whether its number is even, holds until a side
//! passes.

use super::boards::replay;
use super::random_games::{SIZE, Turn, random_game};
use super::{Context, Experiment, grouped};
use isrever_board::{Cell, Move, Position, Square};
use isrever_lab::experiment::{Comparison, Figure, Findings, Setting, Table};
use rayon::prelude::*;

pub(super) const EXPERIMENT: Experiment = Experiment {
    slug: "rounds",
    title: "Rounds are the number of discs",
    source: "Report 000, 2.2.1, theorem 1 and corollary 1",
    about: "discs never become fewer, a round is their number; and whose turn it is by the round",
    duration: "5 s",
    is_cheap: true,
    rests_on: &[],
    settings,
    run,
};

fn settings() -> Vec<Setting> {
    vec![
        Setting::count("games", "random games", 10..=10_000_000, [100_000, 200]),
        Setting::count("checked", "games replayed on the array board", 0..=100_000, [1_000, 20]),
    ]
}

/// What random games show, in whole numbers.
#[derive(Clone, Copy, Default)]
struct Seen {
    games: u64,
    moves: u64,
    passes: u64,
    /// Moves after which there is not one disc more than before.
    exceptions: u64,
    /// Turns of the other colour than the number of the round says.
    other_color: u64,
    turns: u64,
    /// Games without a pass.
    without_pass: u64,
}

impl Seen {
    fn add(self, other: Seen) -> Seen {
        Seen {
            games: self.games + other.games,
            moves: self.moves + other.moves,
            passes: self.passes + other.passes,
            exceptions: self.exceptions + other.exceptions,
            other_color: self.other_color + other.other_color,
            turns: self.turns + other.turns,
            without_pass: self.without_pass + other.without_pass,
        }
    }
}

/// Whether black moves in this round by the report: `C_t = 2 · (t mod 2) − 1`, black being −1.
fn is_black_by_report(round: usize) -> bool {
    round.is_multiple_of(2)
}

fn game(seed: u64, number: u64) -> Seen {
    let mut turns: Vec<Turn> = Vec::with_capacity(70);
    let end = random_game(seed, number, |turn| turns.push(*turn));
    let mut seen = Seen { games: 1, turns: turns.len() as u64, ..Seen::default() };
    let rounds = turns.iter().chain([&end]).map(Turn::round).collect::<Vec<usize>>();
    for (turn, pair) in turns.iter().zip(rounds.windows(2)) {
        let is_pass = turn.breadth() == 0;
        seen.passes += u64::from(is_pass);
        seen.moves += u64::from(!is_pass);
        seen.exceptions += u64::from(pair[1] != pair[0] + usize::from(!is_pass));
        seen.other_color += u64::from(turn.is_black != is_black_by_report(pair[0]));
    }
    seen.without_pass = u64::from(seen.passes == 0);
    seen
}

/// The moves of a random game, for a board that shares no code with the bitboards.
fn moves(seed: u64, number: u64) -> Vec<Move> {
    let mut boards = Vec::with_capacity(70);
    let end = random_game(seed, number, |turn| boards.push(turn.board));
    boards.push(end.board);
    boards
        .windows(2)
        .map(|pair| {
            let before = pair[0].player | pair[0].opponent;
            let added = (pair[1].player | pair[1].opponent) & !before;
            match added {
                0 => Move::Pass,
                bit => Move::Place(Square::new(
                    (bit.trailing_zeros() % 8) as u8,
                    (bit.trailing_zeros() / 8) as u8,
                )),
            }
        })
        .collect()
}

/// Whether the array board has a disc more after every move of a game, and as many after a pass.
fn is_confirmed(seed: u64, number: u64) -> bool {
    let (start, moves) = (Position::start(SIZE), moves(seed, number));
    let mut discs = 4;
    (1..=moves.len()).all(|count| {
        let Some((board, _)) = replay(&start, &moves[..count]) else { return false };
        discs += u32::from(matches!(moves[count - 1], Move::Place(_)));
        board.count(Cell::Player) + board.count(Cell::Opponent) == discs
    })
}

fn run(context: &Context<'_>) -> Findings {
    let (games, checked) = (context.count("games"), context.count("checked"));
    context.progress.expect(games + checked);
    let seed = context.seed();
    let done = |seen: Seen| {
        context.progress.advance(1);
        seen
    };
    let seen = (0..games)
        .into_par_iter()
        .map(|number| done(game(seed, number)))
        .reduce(Seen::default, Seen::add);
    let disputed = (0..checked)
        .into_par_iter()
        .filter(|&number| {
            context.progress.advance(1);
            !is_confirmed(seed, number)
        })
        .count();
    let percent = |part: u64, of: u64| Figure::exact(100.0 * part as f64 / of.max(1) as f64, 2);
    let mut table = Table::new("rounds", "What the games show.", &[("what", 0), ("number", 0)]);
    for (what, number) in [
        ("games", seen.games),
        ("moves", seen.moves),
        ("passes", seen.passes),
        ("moves that do not add one disc, and passes that add any", seen.exceptions),
        ("games without a pass", seen.without_pass),
        ("turns", seen.turns),
        ("turns of the other colour than the round's number says", seen.other_color),
    ] {
        table.row([what.into(), number.into()]);
    }
    let holds = seen.exceptions == 0 && disputed == 0;
    Findings {
        question: format!(
            "In {} random games: does every move add exactly one disc, so that the round is the \
             number of discs; and is it the turn of the colour that the round's number says?",
            grouped(games)
        ),
        comparisons: vec![
            Comparison::counted(
                format!("exceptions in {} moves and passes", grouped(seen.moves + seen.passes)),
                0.0,
                seen.exceptions as f64,
                0,
            ),
            Comparison::counted(
                format!("games that the plain board disputes, of {}", grouped(checked)),
                0.0,
                disputed as f64,
                0,
            ),
            Comparison::new(
                "per cent of turns of the other colour than C_t says",
                Figure::exact(0.0, 2),
                percent(seen.other_color, seen.turns),
            ),
            Comparison::ours("per cent of games without a pass", percent(seen.without_pass, games)),
        ],
        meaning: [
            match holds {
                true => "Theorem 1 and its corollary hold without exception: discs never become \
                         fewer, and the round is their number."
                    .to_owned(),
                false => {
                    "The games have exceptions to theorem 1: one of the boards is wrong.".to_owned()
                }
            },
            match seen.other_color {
                0 => {
                    "The colour of every turn is that of its round, too: nobody passed.".to_owned()
                }
                _ => format!(
                    "The report's formula for the colour that moves in a round, C_t = 2 · (t mod \
                     2) − 1, holds only until a side passes: {:.1} % of the turns are the other \
                     colour's.",
                    100.0 * seen.other_color as f64 / seen.turns.max(1) as f64
                ),
            },
        ],
        notes: vec![
            "A pass is a turn and no round: it adds no disc. The report's definition of C_t leaves \
             passes out, its search (3.3.3.2) does not."
                .to_owned(),
            "Proof: RESULT sets one empty square and changes the colour of others, so the number \
             of squares that are not empty grows by one. The games are here to show that the \
             program does what the proof says."
                .to_owned(),
        ],
        tables: vec![table],
        ..Findings::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_counted_and_replayed() {
        let seen = (0..50).map(|number| game(3, number)).fold(Seen::default(), Seen::add);
        assert_eq!((seen.games, seen.exceptions), (50, 0));
        assert_eq!(seen.turns, seen.moves + seen.passes);
        assert!(seen.moves > 50 * 50 && seen.without_pass < 50 && seen.other_color > 0);
        assert!((0..10).all(|number| is_confirmed(3, number)));
        assert!(is_black_by_report(4) && !is_black_by_report(5));
    }
}
