//! The referee of one game: whose turn it is, what an answer means, when the game ends.
//!
//! A [`Referee`] holds the game and its rules of conduct, and nothing else: it has
//! no clock and starts no thread. Whoever drives it asks the agents, on a thread
//! ([`LiveGame`](crate::LiveGame)) or in an asynchronous task (the web board).

use crate::game::{End, MoveStats, Played};
use isrever_agent::{Choice, Forfeit, Reason};
use isrever_board::{Color, Game, Move};
use std::time::Duration;

/// Decides games before their end.
///
/// It tells who wins, not by how much: a match with an adjudicator counts all its games by their
/// sign.
#[derive(Clone, Copy)]
pub struct Adjudicator<'a> {
    /// It decides the game once so few squares are empty.
    pub empties: u32,
    /// The sign of the score for the side to move under perfect play.
    pub sign: &'a (dyn Fn(&Game) -> i32 + Sync),
}

/// A game in progress.
pub struct Referee {
    game: Game,
    opening: usize,
    stats: Vec<MoveStats>,
    /// The time that black and white have used.
    used: [Duration; 2],
    end: Option<End>,
}

impl Referee {
    /// A game that goes on from `opening`.
    pub fn new(opening: Game) -> Referee {
        let plies = opening.ply();
        let end = opening.is_over().then_some(End::Over);
        let stats = vec![MoveStats::default(); plies];
        Referee { game: opening, opening: plies, stats, used: [Duration::ZERO; 2], end }
    }

    /// The game as far as it has come.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The side to move; `None` once the game has ended.
    pub fn turn(&self) -> Option<Color> {
        if self.end.is_some() { None } else { Some(self.game.position().turn()) }
    }

    /// The time that `color` has used so far.
    pub fn used(&self, color: Color) -> Duration {
        self.used[side(color)]
    }

    /// Makes the pass that the side to move is forced to; `false` if it has a move.
    pub fn pass(&mut self) -> bool {
        let must_pass = self.end.is_none() && self.game.position().must_pass();
        if must_pass {
            self.play(Move::Pass, MoveStats::default());
        }
        must_pass
    }

    /// Plays the answer of the side to move, which took `taken`. An illegal one loses.
    ///
    /// # Panics
    /// If the game has ended.
    pub fn answer(&mut self, choice: &Choice, taken: Duration) {
        let color = self.turn().expect("the game goes on");
        self.used[side(color)] += taken;
        self.play(Move::Place(choice.square), MoveStats::new(choice, taken));
    }

    fn play(&mut self, mv: Move, stats: MoveStats) {
        let color = self.game.position().turn();
        match self.game.play(mv) {
            Ok(()) => self.stats.push(stats),
            Err(illegal) => {
                self.forfeit(color, Forfeit::new(Reason::Illegal, illegal.to_string()));
            }
        }
        if self.end.is_none() && self.game.is_over() {
            self.end = Some(End::Over);
        }
    }

    /// Ends the game: `color` loses it.
    pub fn forfeit(&mut self, color: Color, forfeit: Forfeit) {
        self.end = Some(End::Forfeit { color, forfeit });
    }

    /// Whether one side has forfeited the game.
    pub fn has_forfeit(&self) -> bool {
        matches!(self.end, Some(End::Forfeit { .. }))
    }

    /// Lets `adjudicator` end the game, if it goes on and few enough squares are empty.
    pub fn adjudicate(&mut self, adjudicator: &Adjudicator<'_>) {
        let Some(turn) = self.turn() else { return };
        if self.game.position().empties() <= adjudicator.empties {
            let sign = (adjudicator.sign)(&self.game).signum();
            let sign = if turn == Color::Black { sign } else { -sign };
            self.end = Some(End::Adjudicated { sign });
        }
    }

    /// The moves from `ply` on, each with its statistics.
    pub(crate) fn moves_from(&self, ply: usize) -> impl Iterator<Item = (Move, MoveStats)> {
        let moves = self.game.moves()[ply..].iter().copied();
        moves.zip(self.stats[ply..].iter().copied())
    }

    /// The game that has ended; `None` if it goes on.
    pub fn into_played(self) -> Option<Played> {
        let Referee { game, opening, stats, end, .. } = self;
        Some(Played { game, opening, stats, end: end? })
    }
}

/// A colour's place among `[black, white]`.
pub(crate) fn side(color: Color) -> usize {
    usize::from(color == Color::White)
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_board::{Rule, Size};

    const TAKEN: Duration = Duration::from_millis(7);

    fn first_move(referee: &Referee) -> Choice {
        referee.game().position().moves()[0].into()
    }

    /// Plays the first legal move of each position until `empties` squares are empty.
    fn played(empties: u32) -> Referee {
        let mut referee = Referee::new(Game::new(Rule::Reversed, Size::SIX));
        while referee.turn().is_some() && referee.game().position().empties() > empties {
            if !referee.pass() {
                let choice = first_move(&referee);
                referee.answer(&choice, TAKEN);
            }
        }
        referee
    }

    #[test]
    fn a_game_is_played_to_its_end() {
        let referee = played(0);
        assert_eq!(referee.turn(), None);
        let used = [Color::Black, Color::White].map(|color| referee.used(color));
        let played = referee.into_played().unwrap();
        assert_eq!((played.end.clone(), played.game.is_over()), (End::Over, true));
        assert_eq!(played.stats.len(), played.game.ply());
        assert_eq!([Color::Black, Color::White].map(|color| played.time(color)), used);
        assert_eq!(played.score_of(Color::White), -played.score());
    }

    #[test]
    fn a_game_that_goes_on_has_no_result() {
        assert_eq!(played(20).into_played(), None);
    }

    #[test]
    fn an_illegal_answer_loses_and_is_not_played() {
        let mut referee = played(25);
        let (plies, turn) = (referee.game().ply(), referee.turn().unwrap());
        referee.answer(&"c3".parse::<isrever_board::Square>().unwrap().into(), TAKEN);
        let played = referee.into_played().unwrap();
        assert_eq!((played.game.ply(), played.score_of(turn)), (plies, -36));
        let (loser, forfeit) = played.forfeit().unwrap();
        assert_eq!((loser, forfeit.reason), (turn, Reason::Illegal));
    }

    #[test]
    fn an_adjudicator_decides_for_the_side_to_move() {
        for empties in [20, 21] {
            let mut referee = played(empties);
            let turn = referee.turn().unwrap();
            referee.adjudicate(&Adjudicator { empties: empties - 1, sign: &|_| 1 });
            assert_eq!(referee.turn(), Some(turn), "too many squares are empty");
            referee.adjudicate(&Adjudicator { empties, sign: &|_| 1 });
            let played = referee.into_played().unwrap();
            assert_eq!((played.score_of(turn), played.forfeit()), (1, None));
        }
    }
}
