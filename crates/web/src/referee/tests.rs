//! The referee case by case, and against any interleaving of requests.

use super::*;
use isrever_board::{Rule, Size};
use proptest::prelude::*;

const BLACK: ColorWord = ColorWord::Black;
const WHITE: ColorWord = ColorWord::White;

/// A game that nobody has joined yet.
fn invited(control: Option<Control>) -> Refereed {
    let friends = Friends::new("code".into(), "black".into(), BLACK, control);
    let game = Game::new(Rule::default(), Size::FOUR);
    Refereed { game, friends, ending: None, is_stopped: false, revision: 0 }
}

/// A game between two people.
fn joined(control: Option<Control>) -> Refereed {
    let mut game = invited(control);
    assert_eq!(game.join("code", "white"), Ok(WHITE));
    game
}

/// Plays the first legal square for the side to move.
fn play(game: &mut Refereed, now_ms: i64) -> ColorWord {
    let side = game.turn().unwrap();
    let square = game.game.position().moves()[0];
    game.act(side, &Action::Move(square), Some(game.revision), now_ms).unwrap();
    side
}

#[test]
fn seats_are_taken_once_and_by_the_code() {
    let mut game = invited(None);
    assert_eq!(game.join("another", "white"), Err(Foul::Stranger));
    assert_eq!(game.join("code", "black"), Ok(BLACK), "the host is there already");
    let square = game.game.position().moves()[0];
    assert_eq!(game.act(BLACK, &Action::Move(square), None, 0), Err(Foul::NotJoined));
    assert_eq!(game.join("code", "white"), Ok(WHITE));
    assert_eq!(game.revision, 1);
    assert_eq!(game.join("code", "white"), Ok(WHITE), "a request twice");
    assert_eq!((game.join("code", "third"), game.revision), (Err(Foul::SeatsFull), 1));
    assert_eq!(game.friends.side_of("third"), None);
}

#[test]
fn an_invitation_can_be_given_up() {
    let mut game = invited(None);
    game.act(BLACK, &Action::Resign, None, 0).unwrap();
    assert!(game.is_over() && game.ending.is_none());
    assert_eq!(game.join("code", "white"), Err(Foul::Over));
}

#[test]
fn moves_are_made_in_turn_and_by_the_rules() {
    let mut game = joined(None);
    let squares = game.game.position().moves();
    let corner = Action::Move("a1".parse().unwrap());
    assert_eq!(game.act(WHITE, &Action::Move(squares[0]), None, 0), Err(Foul::NotYourTurn(BLACK)));
    assert!(matches!(game.act(BLACK, &corner, None, 0), Err(Foul::Illegal(_))));
    assert_eq!(game.game.ply(), 0);
    let seen = game.revision;
    play(&mut game, 0);
    let square = game.game.position().moves()[0];
    let stale = game.act(WHITE, &Action::Move(square), Some(seen), 0);
    assert_eq!(stale, Err(Foul::Stale(game.revision)));
    game.act(BLACK, &Action::Offer(OfferWord::Draw), None, 0).unwrap();
    // An offer is no reason to refuse a move that did not know of it.
    game.act(WHITE, &Action::Move(square), Some(game.revision - 1), 0).unwrap();
}

#[test]
fn a_take_back_needs_both_and_goes_before_ones_own_move() {
    let mut game = joined(None);
    let (ask, accept) = (Action::Offer(OfferWord::TakeBack), Action::Accept(OfferWord::TakeBack));
    assert_eq!(game.act(BLACK, &ask, None, 0), Err(Foul::NoMove));
    play(&mut game, 0);
    assert_eq!(game.act(WHITE, &ask, None, 0), Err(Foul::NoMove));
    game.act(BLACK, &ask, None, 0).unwrap();
    assert_eq!(game.act(BLACK, &accept, None, 0), Err(Foul::NoOffer(OfferWord::TakeBack)));
    game.act(WHITE, &Action::Decline(OfferWord::TakeBack), None, 0).unwrap();
    assert_eq!((game.game.ply(), game.friends.offer), (1, None));
    game.act(BLACK, &ask, None, 0).unwrap();
    game.act(WHITE, &accept, None, 0).unwrap();
    assert_eq!(game.game.ply(), 0);
    // After the answer to it, both moves go.
    play(&mut game, 0);
    play(&mut game, 0);
    game.act(BLACK, &ask, None, 0).unwrap();
    game.act(WHITE, &accept, None, 0).unwrap();
    assert_eq!((game.game.ply(), game.turn()), (0, Some(BLACK)));
    // The other side moves before it has seen the request: that declines it.
    play(&mut game, 0);
    let seen = game.revision;
    game.act(BLACK, &ask, Some(seen), 0).unwrap();
    play(&mut game, 0);
    assert_eq!((game.game.ply(), game.friends.offer), (2, None));
    assert_eq!(game.act(WHITE, &accept, None, 0), Err(Foul::NoOffer(OfferWord::TakeBack)));
    // And a request that comes after that move, but does not know of it, is refused.
    assert_eq!(game.act(BLACK, &ask, Some(seen), 0), Err(Foul::Stale(game.revision)));
}

#[test]
fn a_draw_is_offered_accepted_declined_and_void_after_a_move() {
    let (offer, accept) = (Action::Offer(OfferWord::Draw), Action::Accept(OfferWord::Draw));
    let mut game = joined(None);
    game.act(BLACK, &offer, None, 0).unwrap();
    // One's own move leaves the offer alone; the other side's move declines it.
    play(&mut game, 0);
    assert!(game.friends.offer.is_some());
    play(&mut game, 0);
    assert_eq!(game.friends.offer, None);
    game.act(WHITE, &offer, None, 0).unwrap();
    let other = Action::Offer(OfferWord::TakeBack);
    assert_eq!(game.act(BLACK, &other, None, 0), Err(Foul::Unanswered(OfferWord::Draw)));
    game.act(WHITE, &Action::Decline(OfferWord::Draw), None, 0).unwrap();
    assert_eq!(game.act(BLACK, &accept, None, 0), Err(Foul::NoOffer(OfferWord::Draw)), "withdrawn");
    game.act(WHITE, &offer, None, 0).unwrap();
    game.act(BLACK, &accept, None, 0).unwrap();
    assert_eq!(game.ending, Some(Ending::Agreed));
    assert_eq!(game.act(WHITE, &Action::Resign, None, 0), Err(Foul::Over));
    // Both at once: the second offer accepts the first.
    let mut game = joined(None);
    game.act(BLACK, &offer, Some(0), 0).unwrap();
    game.act(WHITE, &offer, Some(0), 0).unwrap();
    assert_eq!(game.ending, Some(Ending::Agreed));
}

#[test]
fn a_rematch_swaps_the_seats() {
    let mut game = joined(Some(Control { seconds: 60, increment: 1 }));
    let (offer, accept) = (Action::Offer(OfferWord::Rematch), Action::Accept(OfferWord::Rematch));
    assert_eq!(game.act(BLACK, &offer, None, 0), Err(Foul::NotOver));
    game.act(WHITE, &Action::Resign, None, 0).unwrap();
    assert!(!game.wants_rematch(BLACK, &offer));
    game.act(BLACK, &offer, None, 0).unwrap();
    assert!(!game.wants_rematch(BLACK, &offer), "one's own offer is not the other side's");
    assert!(game.wants_rematch(WHITE, &accept) && game.wants_rematch(WHITE, &offer));
    game.act(WHITE, &accept, None, 0).unwrap();
    let next = game.friends.rematch("next".into());
    assert_eq!((next.side_of("black"), next.side_of("white")), (Some(WHITE), Some(BLACK)));
    assert_eq!(next.clock, Some(Clock::new(Control { seconds: 60, increment: 1 })));
    let before = game.clone();
    game.act(WHITE, &offer, None, 0).unwrap();
    assert_eq!(game, before, "they play it already");
}

#[test]
fn the_clock_runs_from_the_first_move_and_ends_the_game() {
    let mut game = joined(Some(Control { seconds: 10, increment: 2 }));
    game.settle(1_000_000);
    assert!(!game.is_over(), "nobody has moved");
    play(&mut game, 1_000_000);
    let clock = |game: &Refereed| game.friends.clock.clone().unwrap();
    assert_eq!(clock(&game).running(), Some(WHITE));
    play(&mut game, 1_004_000);
    assert_eq!(clock(&game).left(1_005_000), Pair { black: 9_000, white: 8_000 });
    // A take-back gives no time back, and lets the other clock run.
    game.act(WHITE, &Action::Offer(OfferWord::TakeBack), None, 1_005_000).unwrap();
    game.act(BLACK, &Action::Accept(OfferWord::TakeBack), None, 1_006_000).unwrap();
    assert_eq!(clock(&game).left(1_006_000), Pair { black: 8_000, white: 8_000 });
    assert_eq!(clock(&game).running(), Some(WHITE));
    // Nobody was there when it ran out: whoever comes next finds the loss.
    let square = game.game.position().moves()[0];
    let late = game.act(WHITE, &Action::Move(square), None, 1_014_000);
    assert_eq!((late, game.ending), (Err(Foul::Over), None));
    let before = game.revision;
    game.settle(1_014_000);
    let loss = Loss { reason: Reason::Time, loser: WHITE };
    assert_eq!((game.ending, game.revision), (Some(Ending::Lost(loss)), before + 1));
    game.settle(2_000_000);
    assert_eq!(game.revision, before + 1);
    assert_eq!(clock(&game).left(2_000_000), Pair { black: 8_000, white: 0 });
}

/// Any request of any seat, with any revision that was seen.
fn requests() -> impl Strategy<Value = Vec<(bool, u8, u8, i64, i64)>> {
    let request = (any::<bool>(), 0..12_u8, any::<u8>(), 0..6_i64, 0..40_000_i64);
    prop::collection::vec(request, 0..120)
}

proptest! {
    #[test]
    fn any_requests_leave_a_legal_game_on_which_both_agree(list in requests(), size in 0..2_usize) {
        let size = [Size::FOUR, Size::SIX][size];
        let mut game = joined(Some(Control { seconds: 600, increment: 3 }));
        game.game = Game::new(Rule::default(), size);
        let mut now_ms = 0;
        // What a follower has heard last: the moves of each revision.
        let mut heard = (game.revision, game.game.moves().to_vec());
        for (is_black, what, pick, behind, wait) in list {
            let side = if is_black { BLACK } else { WHITE };
            let offers = [OfferWord::Draw, OfferWord::TakeBack, OfferWord::Rematch];
            let offer = offers[usize::from(pick) % 3];
            let squares = game.game.position().moves();
            let action = match what {
                0..=6 if !squares.is_empty() => {
                    Action::Move(squares[usize::from(pick) % squares.len()])
                }
                7 => Action::Move("a1".parse().unwrap()),
                8 if pick == 0 => Action::Resign,
                9 => Action::Accept(offer),
                10 => Action::Decline(offer),
                _ => Action::Offer(offer),
            };
            now_ms += wait;
            game.settle(now_ms);
            let before = game.clone();
            let seen = (behind > 0).then_some(game.revision - behind + 1);
            match game.act(side, &action, seen, now_ms) {
                // What was refused has changed nothing.
                Err(_) => prop_assert_eq!(&game, &before),
                Ok(()) => {
                    prop_assert_eq!(game.revision, before.revision + 1);
                    let (old, new) = (before.game.moves(), game.game.moves());
                    match &action {
                        // A move adds itself, and a pass where one is forced; it was this side's.
                        Action::Move(square) => {
                            prop_assert!(new.starts_with(old));
                            prop_assert_eq!(new[old.len()], Move::Place(*square));
                            prop_assert_eq!(before.turn(), Some(side));
                            prop_assert!(new[old.len() + 1..].iter().all(|mv| *mv == Move::Pass));
                        }
                        Action::Accept(OfferWord::TakeBack) => {
                            prop_assert!(old.starts_with(new) && new.len() < old.len());
                            prop_assert_eq!(game.turn(), Some(side.other()));
                        }
                        _ => prop_assert_eq!(old, new),
                    }
                }
            }
            // Both have the same game, whatever they have heard: it can be replayed from the start,
            // and the side to move can move.
            let mut replayed = Game::from_position(Rule::default(), game.game.start().clone());
            for mv in game.game.moves() {
                prop_assert!(replayed.play(*mv).is_ok());
            }
            prop_assert_eq!(replayed.position(), game.game.position());
            prop_assert!(!game.game.position().must_pass());
            prop_assert!(!(game.is_over() && game.friends.clock.clone().unwrap().running().is_some()));
            prop_assert!(game.revision >= heard.0);
            if game.revision == heard.0 {
                prop_assert_eq!(game.game.moves(), &heard.1[..]);
            }
            heard = (game.revision, game.game.moves().to_vec());
            let json = serde_json::to_string(&game.friends).unwrap();
            prop_assert_eq!(serde_json::from_str::<Friends>(&json).unwrap(), game.friends.clone());
        }
    }
}
