//! The referee of a game between two people at two screens: what each seat may do, and when.
//!
//! Nothing here reads a clock, a file or a socket: callers pass in the time, and
//! the store keeps what comes out. A refused action changes nothing.

mod clock;
#[cfg(test)]
mod tests;

pub(crate) use clock::{Clock, Control};

use crate::store::{Ending, Loss, Reason};
use crate::wire::{ColorWord, Pair};
use isrever_board::{Color, Game, Move, Square};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What the referee knows of a game beside its moves and players; stored as JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Friends {
    /// SHA-256 of the invitation's code, in hexadecimal digits.
    pub(crate) code: String,
    /// The seats; null for one that nobody has taken yet.
    pub(crate) seats: Pair<Option<Seat>>,
    pub(crate) clock: Option<Clock>,
    /// The revision that made or took back the last move.
    pub(crate) moved: i64,
    /// What one side has offered the other.
    pub(crate) offer: Option<Offer>,
    /// The id of the rematch.
    pub(crate) next: Option<String>,
}

/// A seat that somebody has taken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Seat {
    /// SHA-256 of the seat's token, in hexadecimal digits.
    pub(crate) token: String,
    /// The last request of this seat that was carried out; the same one again changes nothing.
    pub(crate) request: String,
}

/// What one side can offer the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum OfferWord {
    /// To end the game as a draw.
    Draw,
    /// To take back the offering side's last move, and what came after it.
    TakeBack,
    /// To play again with sides swapped.
    Rematch,
}

/// An offer, until it is answered, withdrawn or made void by a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Offer {
    pub(crate) by: ColorWord,
    pub(crate) what: OfferWord,
}

/// What a seat asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    Move(Square),
    Resign,
    Offer(OfferWord),
    Accept(OfferWord),
    /// Declines an offer, or withdraws one's own.
    Decline(OfferWord),
}

/// Why an action is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Foul {
    /// The game has ended.
    Over,
    /// A rematch of a game that goes on.
    NotOver,
    /// Nobody has the other seat yet.
    NotJoined,
    /// The other side is to move.
    NotYourTurn(ColorWord),
    /// The rules forbid the move, in words.
    Illegal(String),
    /// The moves have changed since the revision that the caller has seen.
    Stale(i64),
    /// There is no such offer.
    NoOffer(OfferWord),
    /// The other side's offer must be answered first.
    Unanswered(OfferWord),
    /// The side has made no move that could be taken back.
    NoMove,
    /// Both seats are taken.
    SeatsFull,
    /// The token is of neither seat, or the code is not the invitation's.
    Stranger,
}

/// A game as the referee sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refereed {
    pub(crate) game: Game,
    pub(crate) friends: Friends,
    /// How it ended, if not on the board.
    pub(crate) ending: Option<Ending>,
    /// Given up before it began.
    pub(crate) is_stopped: bool,
    pub(crate) revision: i64,
}

impl OfferWord {
    /// The word in messages.
    pub(crate) fn word(self) -> &'static str {
        match self {
            OfferWord::Draw => "draw",
            OfferWord::TakeBack => "take-back",
            OfferWord::Rematch => "rematch",
        }
    }
}

impl Friends {
    /// A game whose host has the seat of `side`.
    pub(crate) fn new(
        code: String,
        token: String,
        side: ColorWord,
        control: Option<Control>,
    ) -> Friends {
        let mut seats = Pair { black: None, white: None };
        *seats.of_mut(side) = Some(Seat { token, request: String::new() });
        let clock = control.map(Clock::new);
        Friends { code, seats, clock, moved: 0, offer: None, next: None }
    }

    /// The side whose seat has the token of this hash.
    pub(crate) fn side_of(&self, token: &str) -> Option<ColorWord> {
        let has = |side: ColorWord| self.seats.of(side).as_ref().is_some_and(|s| s.token == token);
        ColorWord::BOTH.into_iter().find(|&side| has(side))
    }

    /// The same people again with sides swapped, in the game called `id`, whose revision is 0.
    pub(crate) fn rematch(&mut self, id: String) -> Friends {
        self.next = Some(id);
        self.offer = None;
        let fresh = |seat: &Option<Seat>| {
            seat.as_ref().map(|seat| Seat { token: seat.token.clone(), request: String::new() })
        };
        let Pair { black, white } = &self.seats;
        Friends {
            code: self.code.clone(),
            seats: Pair { black: fresh(white), white: fresh(black) },
            clock: self.clock.as_ref().map(|clock| Clock::new(clock.control)),
            moved: 0,
            offer: None,
            next: None,
        }
    }

    fn is_full(&self) -> bool {
        self.seats.black.is_some() && self.seats.white.is_some()
    }
}

impl Refereed {
    /// Whether nothing can be played any more.
    pub(crate) fn is_over(&self) -> bool {
        self.is_stopped || self.ending.is_some() || self.game.is_over()
    }

    /// Takes the free seat. The same token again has it already.
    pub(crate) fn join(&mut self, code: &str, token: &str) -> Result<ColorWord, Foul> {
        if self.friends.code != code {
            return Err(Foul::Stranger);
        }
        if let Some(side) = self.friends.side_of(token) {
            return Ok(side);
        }
        let is_free = |side: &ColorWord| self.friends.seats.of(*side).is_none();
        let side = ColorWord::BOTH.into_iter().find(is_free).ok_or(Foul::SeatsFull)?;
        if self.is_over() {
            return Err(Foul::Over);
        }
        let seat = Seat { token: token.to_owned(), request: String::new() };
        *self.friends.seats.of_mut(side) = Some(seat);
        self.revision += 1;
        Ok(side)
    }

    /// Ends the game if a side is out of time at `now_ms`.
    pub(crate) fn settle(&mut self, now_ms: i64) {
        if self.is_over() {
            return;
        }
        let flagged = self.friends.clock.as_mut().and_then(|clock| clock.settle(now_ms));
        if let Some(loser) = flagged {
            self.end(Ending::Lost(Loss { reason: Reason::Time, loser }), now_ms);
            self.revision += 1;
        }
    }

    /// Carries out what `side` asks for, who has seen `revision` if that is said.
    pub(crate) fn act(
        &mut self,
        side: ColorWord,
        action: &Action,
        revision: Option<i64>,
        now_ms: i64,
    ) -> Result<(), Foul> {
        let is_flagged = self.friends.clock.as_ref().is_some_and(|c| c.flag(now_ms).is_some());
        if *action != Action::Resign && revision.is_some_and(|seen| seen < self.friends.moved) {
            return Err(Foul::Stale(self.revision));
        }
        let is_about_rematch = matches!(
            action,
            Action::Offer(OfferWord::Rematch)
                | Action::Accept(OfferWord::Rematch)
                | Action::Decline(OfferWord::Rematch)
        );
        match (self.is_over() || is_flagged, is_about_rematch) {
            (true, false) => return Err(Foul::Over),
            (false, true) => return Err(Foul::NotOver),
            // They play it already.
            (true, true) if self.friends.next.is_some() => return Ok(()),
            _ => {}
        }
        if !self.friends.is_full() {
            if *action != Action::Resign {
                return Err(Foul::NotJoined);
            }
            self.is_stopped = true;
        } else {
            match *action {
                Action::Move(square) => self.play(side, square, now_ms)?,
                Action::Resign => {
                    let loss = Loss { reason: Reason::Resigned, loser: side };
                    self.end(Ending::Lost(loss), now_ms);
                }
                Action::Offer(what) => self.offer(side, what, now_ms)?,
                Action::Accept(what) => {
                    let wanted = Offer { by: side.other(), what };
                    if self.friends.offer != Some(wanted) {
                        return Err(Foul::NoOffer(what));
                    }
                    self.agree(wanted, now_ms);
                }
                Action::Decline(what) => {
                    if self.friends.offer.is_none_or(|offer| offer.what != what) {
                        return Err(Foul::NoOffer(what));
                    }
                    self.friends.offer = None;
                }
            }
        }
        self.revision += 1;
        Ok(())
    }

    /// Whether both want to play again: the caller begins the rematch.
    pub(crate) fn wants_rematch(&self, side: ColorWord, action: &Action) -> bool {
        let theirs = Offer { by: side.other(), what: OfferWord::Rematch };
        let is_yes = matches!(action, Action::Offer(what) | Action::Accept(what)
            if *what == OfferWord::Rematch);
        is_yes && self.friends.offer == Some(theirs) && self.is_over()
    }

    fn play(&mut self, side: ColorWord, square: Square, now_ms: i64) -> Result<(), Foul> {
        let turn = self.turn().ok_or(Foul::Over)?;
        if turn != side {
            return Err(Foul::NotYourTurn(turn));
        }
        self.game
            .play(Move::Place(square))
            .map_err(|error| Foul::Illegal(format!("move {}: {error}", self.game.ply() + 1)))?;
        if self.game.position().must_pass() {
            self.game.play(Move::Pass).expect("the side to move must pass");
        }
        // A move answers what the other side has offered, and makes void what it was about.
        let stays = Offer { by: side, what: OfferWord::Draw };
        self.friends.offer = self.friends.offer.filter(|offer| *offer == stays);
        if let Some(clock) = &mut self.friends.clock {
            clock.moved(side, now_ms);
        }
        self.changed_moves(now_ms);
        Ok(())
    }

    fn offer(&mut self, side: ColorWord, what: OfferWord, now_ms: i64) -> Result<(), Foul> {
        let theirs = Offer { by: side.other(), what };
        match self.friends.offer {
            // Both want the same: nobody needs to accept.
            Some(offer) if offer == theirs && what != OfferWord::TakeBack => {
                self.agree(theirs, now_ms);
                return Ok(());
            }
            Some(offer) if offer.by != side => return Err(Foul::Unanswered(offer.what)),
            _ => {}
        }
        if what == OfferWord::TakeBack && self.before_last_move(side).is_none() {
            return Err(Foul::NoMove);
        }
        self.friends.offer = Some(Offer { by: side, what });
        Ok(())
    }

    /// Does what both sides want. A rematch is begun by the caller, who has an id for it.
    fn agree(&mut self, offer: Offer, now_ms: i64) {
        self.friends.offer = None;
        match offer.what {
            OfferWord::Draw => self.end(Ending::Agreed, now_ms),
            OfferWord::TakeBack => {
                let ply = self.before_last_move(offer.by).unwrap_or(self.game.ply());
                while self.game.ply() > ply {
                    self.game.undo();
                }
                self.changed_moves(now_ms);
            }
            OfferWord::Rematch => {}
        }
    }

    /// How many moves there were before the last disc that `side` placed.
    fn before_last_move(&self, side: ColorWord) -> Option<usize> {
        let (color, moves) = (Color::from(side), self.game.moves());
        (0..moves.len()).rfind(|&ply| {
            moves[ply].square().is_some() && self.game.positions()[ply].turn() == color
        })
    }

    fn turn(&self) -> Option<ColorWord> {
        self.game.turn().map(ColorWord::from)
    }

    /// Lets the clock of the side to move run, from the first move on.
    fn changed_moves(&mut self, now_ms: i64) {
        // The revision that `act` makes of it.
        self.friends.moved = self.revision + 1;
        let turn = self.turn().filter(|_| self.game.ply() > 0);
        if let Some(clock) = &mut self.friends.clock {
            clock.run(turn, now_ms);
        }
    }

    fn end(&mut self, ending: Ending, now_ms: i64) {
        self.ending = Some(ending);
        self.friends.offer = None;
        if let Some(clock) = &mut self.friends.clock {
            clock.run(None, now_ms);
        }
    }
}
