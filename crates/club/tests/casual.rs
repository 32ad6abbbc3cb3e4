//! People against agents, and where agents lose.

mod kit;

use isrever_agent::{Forfeit, Reason};
use isrever_board::{Color, Move, Size, Square};
use isrever_club::{
    BattleKind, Casual, CasualError, Club, ClubError, Doors, GameState, Job, JobKind, Judged,
    Reply, Review, Turn, Wanted,
};
use kit::{NOW, administered, entrant, member};
use std::time::Duration;

fn refusal(error: ClubError) -> CasualError {
    match error {
        ClubError::Casual(error) => error,
        other => panic!("{other}"),
    }
}

fn job(club: &Club) -> Job {
    club.take_job("judge", &[JobKind::Reply], NOW).unwrap().expect("the agent is asked")
}

/// The agent plays its first move.
fn reply(club: &Club) {
    let job = job(club);
    let asked = club.reply_to_give(&job).unwrap();
    let answer = Ok(asked.so_far.game.position().moves()[0].into());
    let reply = Reply { answer, taken: Duration::from_millis(3), output: "hm\n".to_owned() };
    club.finish_reply(&job, &reply, NOW).unwrap();
}

/// The person plays the first move.
fn play(club: &Club, casual: &Casual) -> Result<Casual, ClubError> {
    let game = &casual.so_far.game;
    let person = casual.battle.asker.expect("somebody asked");
    club.play_casual(person, casual.game, game.ply(), game.position().moves()[0], NOW + 500)
}

#[test]
fn a_person_plays_an_open_agent_to_the_end() {
    let (club, teacher) = administered("casual");
    let boss = teacher.visitor.account.id;
    let (ada, version) = entrant(&club, &teacher, "ada");
    let [guest, eve] =
        ["guest", "eve"].map(|name| member(&club, &teacher, name).visitor.account.id);
    let begin = |size, color| club.begin_casual(guest, version, size, color, NOW);
    assert_eq!(refusal(begin(Size::SIX, Color::Black).unwrap_err()), CasualError::Opponent);
    assert!(club.open_agents().unwrap().is_empty());
    club.set_open(ada, version, true, NOW).unwrap();
    assert_eq!(club.open_agents().unwrap()[0].name, "ada");
    assert_eq!(
        refusal(begin(Size::FOUR, Color::Black).unwrap_err()),
        CasualError::Size(Size::FOUR)
    );
    for color in [Color::Black, Color::White] {
        let mut casual = begin(Size::SIX, color).unwrap();
        let id = casual.game;
        while casual.turn != Turn::Over {
            if casual.turn == Turn::Person {
                casual = play(&club, &casual).unwrap();
            } else {
                assert_eq!(refusal(play(&club, &casual).unwrap_err()), CasualError::Turn);
                reply(&club);
                casual = club.casual(guest, id).unwrap();
            }
        }
        let game = club.game(guest, id).unwrap();
        let played = game.played.as_ref().unwrap();
        assert!(played.game.is_over() && game.state == GameState::Played);
        assert_eq!((game.battle.kind, game.battle.games.len()), (BattleKind::Casual, 1));
        assert_eq!(game.battle.players[1].name, "guest");
        assert_eq!(game.battle.games[0].score, Some(played.score_of(color.other())));
        let places = played.game.positions().iter().zip(played.game.moves()).zip(&played.stats);
        for ((position, mv), stats) in places {
            let is_person = position.turn() == color;
            let wanted = Duration::from_millis(if is_person { 500 } else { 3 });
            assert_eq!(stats.time, (*mv != Move::Pass).then_some(wanted));
        }
        // The author reads what the agent printed; nobody else does, and others see nothing at all.
        assert_eq!(game.outputs, [None, None]);
        let outputs = club.game(ada, id).unwrap().outputs;
        assert!(outputs[usize::from(color == Color::Black)].as_ref().unwrap().contains("hm"));
        assert!(matches!(club.game(eve, id), Err(ClubError::NoGame)));
        assert!(matches!(club.casual(eve, id), Err(ClubError::NoGame)));
        let more = club.play_casual(guest, id, casual.so_far.game.ply(), Square::new(0, 0), NOW);
        assert_eq!(refusal(more.unwrap_err()), CasualError::Turn);
    }
    let listed = |by, account| {
        let wanted = Wanted { account: Some(account), limit: 9, ..Wanted::default() };
        club.battles(by, &wanted).unwrap().len()
    };
    assert_eq!([listed(guest, guest), listed(ada, ada), listed(boss, guest)], [2, 2, 2]);
    assert_eq!(listed(eve, ada), 0);
    assert_eq!(club.ladder(NOW).unwrap().rungs[0].counts, [0, 0, 0], "it counts for nothing");
    let jobs = [(); 2].map(|()| club.take_job("judge", &JobKind::ALL, NOW).unwrap().unwrap().kind);
    assert_eq!(jobs, [JobKind::Review; 2], "they are reviewed as others are");
}

#[test]
fn a_move_counts_once_and_must_be_legal() {
    let (club, teacher) = administered("casual-moves");
    let (ada, version) = entrant(&club, &teacher, "ada");
    club.set_open(ada, version, true, NOW).unwrap();
    let bob = member(&club, &teacher, "bob").visitor.account.id;
    let casual = club.begin_casual(bob, version, Size::TEN, Color::Black, NOW).unwrap();
    let id = casual.game;
    let corner = Square::new(0, 0);
    let illegal = club.play_casual(bob, id, 0, corner, NOW).unwrap_err();
    assert!(matches!(refusal(illegal), CasualError::Move(_)));
    let first = casual.so_far.game.position().moves()[0];
    assert!(matches!(club.play_casual(ada, id, 0, first, NOW), Err(ClubError::NoGame)), "hers not");
    let once = club.play_casual(bob, id, 0, first, NOW).unwrap();
    assert_eq!(club.play_casual(bob, id, 0, first, NOW).unwrap(), once, "sent twice, made once");
    assert_eq!(once.so_far.game.ply(), 1);
    let second = casual.so_far.game.position().moves()[1];
    let other = club.play_casual(bob, id, 0, second, NOW).unwrap_err();
    assert_eq!(refusal(other), CasualError::Turn, "a move cannot be taken back");
    // An agent whose answer is against the rules, or that fails, has lost.
    let asked = job(&club);
    let bad = Reply { answer: Ok(corner.into()), taken: Duration::ZERO, output: String::new() };
    club.finish_reply(&asked, &bad, NOW).unwrap();
    assert!(club.finish_reply(&asked, &bad, NOW).is_err(), "once");
    let lost = club.casual(bob, id).unwrap();
    let (color, forfeit) = lost.so_far.forfeit().unwrap();
    assert_eq!((color, forfeit.reason, lost.turn), (Color::White, Reason::Illegal, Turn::Over));
    assert_eq!(lost.so_far.score_of(Color::Black), 100);
    assert_eq!([lost.is_authors, club.casual(ada, id).unwrap().is_authors], [false, true]);
    let casual = club.begin_casual(bob, version, Size::SIX, Color::White, NOW).unwrap();
    let asked = job(&club);
    let answer = Err(Forfeit::new(Reason::Crash, "boom"));
    club.finish_reply(&asked, &Reply { answer, ..bad }, NOW).unwrap();
    assert_eq!(club.casual(bob, casual.game).unwrap().so_far.score_of(Color::White), 36);
}

#[test]
fn people_may_give_up_and_agents_may_go() {
    let (club, teacher) = administered("casual-ends");
    let boss = teacher.visitor.account.id;
    let (ada, version) = entrant(&club, &teacher, "ada");
    club.set_open(ada, version, true, NOW).unwrap();
    let bob = member(&club, &teacher, "bob").visitor.account.id;
    let begin = || club.begin_casual(bob, version, Size::EIGHT, Color::White, NOW);
    let given_up = begin().unwrap().game;
    assert!(matches!(club.resign_casual(ada, given_up, NOW), Err(ClubError::NoGame)));
    let over = club.resign_casual(bob, given_up, NOW).unwrap();
    assert_eq!((over.turn, over.so_far.score_of(Color::White)), (Turn::Over, -64));
    assert_eq!(club.resign_casual(bob, given_up, NOW).unwrap(), over);
    assert!(club.take_job("judge", &[JobKind::Reply], NOW).unwrap().is_none());
    let games: Vec<Casual> = (0..5).map(|_| begin().unwrap()).collect();
    assert_eq!(refusal(begin().unwrap_err()), CasualError::Open);
    // A reply to a game that was given up meanwhile is lost.
    let asked = job(&club);
    club.resign_casual(bob, asked.subject, NOW).unwrap();
    let answer = Ok(Square::new(4, 5).into());
    let reply = Reply { answer, taken: Duration::ZERO, output: String::new() };
    assert!(matches!(club.finish_reply(&asked, &reply, NOW), Err(ClubError::Job(_))));
    club.set_doors(boss, Doors { ladder: true, sparring: false }, NOW).unwrap();
    assert_eq!(refusal(begin().unwrap_err()), CasualError::Closed);
    club.block_version(boss, version, "it cheats", NOW).unwrap();
    assert!(club.take_job("judge", &[JobKind::Reply], NOW).unwrap().is_none());
    let left = games.iter().find(|casual| casual.game != asked.subject).unwrap().game;
    assert!(matches!(club.casual(bob, left), Err(ClubError::NoGame)), "it is annulled");
    assert!(club.open_agents().unwrap().is_empty());
}

#[test]
fn weaknesses_are_counted_from_the_reviews() {
    let (club, teacher) = administered("weaknesses");
    let (ada, version) = entrant(&club, &teacher, "ada");
    club.set_open(ada, version, true, NOW).unwrap();
    let bob = member(&club, &teacher, "bob").visitor.account.id;
    let mut casual = club.begin_casual(bob, version, Size::SIX, Color::White, NOW).unwrap();
    while casual.turn != Turn::Over {
        if casual.turn == Turn::Person {
            play(&club, &casual).unwrap();
        } else {
            reply(&club);
        }
        casual = club.casual(bob, casual.game).unwrap();
    }
    let empty = club.weaknesses(ada, version).unwrap();
    assert_eq!((empty.games, empty.reviewed, empty.worst.len()), (1, 0, 0));
    // Each move gives away three discs, whoever makes it; the first one ten.
    let game = &casual.so_far.game;
    let judged = |(ply, mv): (usize, &Move)| {
        let loss = (*mv != Move::Pass).then_some(if ply == 0 { 10.0 } else { 3.0 });
        Judged { best: loss, loss, better: loss.map(|_| "a1".to_owned()), is_exact: ply > 20 }
    };
    let review = Review { moves: game.moves().iter().enumerate().map(judged).collect() };
    let job = club.take_job("judge", &[JobKind::Review], NOW).unwrap().unwrap();
    club.finish_review(&job, &review).unwrap();
    let found = club.weaknesses(ada, version).unwrap();
    let own = game.positions().iter().zip(game.moves());
    let own = own.filter(|(position, mv)| position.turn() == Color::Black && **mv != Move::Pass);
    let count = u32::try_from(own.count()).unwrap();
    let lost = f64::from(count) * 3.0 + 7.0;
    for shares in [&found.phases, &found.squares, &found.choices] {
        assert_eq!(shares.iter().map(|share| share.moves).sum::<u32>(), count);
        assert!((shares.iter().map(|share| share.lost).sum::<f64>() - lost).abs() < 1e-9);
    }
    assert_eq!((found.games, found.reviewed), (1, 1));
    assert_eq!(found.wins + found.draws + found.losses, 1);
    assert_eq!(found.opponents[0].name, "bob");
    assert_eq!(found.opponents[0].moves, count);
    let worst = &found.worst[0];
    assert_eq!((worst.ply, worst.loss, worst.better.as_str()), (0, 10.0, "a1"));
    assert_eq!(worst.board, game.start().letters());
    assert!(matches!(club.weaknesses(bob, version), Err(ClubError::NoVersion)), "hers alone");
    let file = isrever_club::practice(&found.worst, &club.terms().unwrap());
    assert!(file.contains(&format!("(\"{}\", 6, \"black\"", worst.board)) && !file.contains('@'));
}
