//! Battles, the ladder and the final: what counts, who sees it, and that nothing is lost or doubled.

mod kit;

use isrever_agent::{Forfeit, Reason};
use isrever_arena::{End, MoveStats, Played, Standings, Store};
use isrever_board::{Color, Game, Move, Rule, Size};
use isrever_club::{
    AccountId, Backlog, BattleKind, ChallengeError, Club, ClubError, Doors, FinalError, FinalState,
    GameState, Job, JobKind, Judged, Outcome, Player, Review, Role, SubmitError, Terms, VersionId,
    Wanted,
};
use kit::{NOW, administered, directory, entrant, member, submit};
use std::collections::HashMap;
use std::time::Duration;

const MINUTE: i64 = 60_000;

/// How long a game takes, in milliseconds.
const GAME_MILLIS: i64 = 5;

/// A game of one move that somebody lost by crashing.
fn lost_by(color: Color, terms: &Terms) -> Played {
    let mut game = Game::new(terms.rule, terms.size);
    game.play(Move::Place(game.position().moves()[0])).unwrap();
    let end = End::Forfeit { color, forfeit: Forfeit::new(Reason::Crash, "boom") };
    let stats = vec![MoveStats { time: Some(Duration::from_millis(7)), ..MoveStats::default() }];
    Played { game, opening: 0, stats, end }
}

/// Plays the game of a job: the one of the two versions wins that `is_better` says.
fn judge(club: &Club, job: &Job, is_better: &dyn Fn(&Player, &Player) -> bool, now: i64) {
    let game = club.game_to_play(job).unwrap();
    let [black, white] = &game.players;
    let loser = if is_better(black, white) { Color::White } else { Color::Black };
    let played = lost_by(loser, &game.terms);
    let outcome = Outcome { played: &played, outputs: ["black's", "white's"], millis: GAME_MILLIS };
    club.finish_game(job, &outcome, now).unwrap();
}

/// The later version is the better one.
fn later(one: &Player, other: &Player) -> bool {
    one.version() > other.version()
}

/// Plays all games that wait; returns how many.
fn judge_all(club: &Club, now: i64) -> usize {
    let mut played = 0;
    while let Some(job) = club.take_job("judge", &[JobKind::Game], now).unwrap() {
        judge(club, &job, &later, now);
        played += 1;
    }
    played
}

fn refusal(error: ClubError) -> ChallengeError {
    match error {
        ClubError::Challenge(error) => error,
        other => panic!("{other}"),
    }
}

#[test]
fn a_challenge_is_two_games_and_counts_for_nothing() {
    let (club, teacher) = administered("challenge");
    let (ada, mine) = entrant(&club, &teacher, "ada");
    let (bob, other) = entrant(&club, &teacher, "bob");
    let carol = member(&club, &teacher, "carol").visitor.account.id;
    let battle = club.challenge(ada, mine, &Player::Version(other), NOW).unwrap();
    assert_eq!((battle.kind, battle.games.len()), (BattleKind::Challenge, 2));
    let names: Vec<&str> = battle.players.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["ada", "bob"]);
    let jobs = [(); 2].map(|()| club.take_job("judge", &[JobKind::Game], NOW).unwrap().unwrap());
    let games = [0, 1].map(|place| club.game_to_play(&jobs[place]).unwrap());
    let colors = games.each_ref().map(|game| game.players.clone());
    assert_eq!(colors[0], [Player::Version(mine), Player::Version(other)]);
    assert_eq!(colors[1], [Player::Version(other), Player::Version(mine)]);
    assert_eq!((games[0].seed, games[0].number, games[1].number), (games[1].seed, 0, 1));
    for job in &jobs {
        judge(&club, job, &later, NOW + 1);
    }
    let battle = club.battle(ada, battle.id).unwrap();
    assert_eq!(battle.games.iter().map(|game| game.score).collect::<Vec<_>>(), [Some(-64); 2]);
    let record = club.game(ada, battle.games[1].id).unwrap();
    assert_eq!(record.played.unwrap().game.ply(), 1);
    assert_eq!(record.outputs, [None, Some("white's".to_owned())], "of her own agent alone");
    assert_eq!(club.game(bob, record.id).unwrap().outputs[0].as_deref(), Some("black's"));
    let boss = teacher.visitor.account.id;
    assert!(club.game(boss, record.id).unwrap().outputs.iter().all(Option::is_some));
    // It is nobody else's business, whatever is guessed.
    for id in 0..20 {
        assert!(matches!(club.battle(carol, id), Err(ClubError::NoBattle)));
        assert!(matches!(club.game(carol, id), Err(ClubError::NoGame)));
    }
    let all = Wanted { limit: 10, ..Wanted::default() };
    let count = |who| club.battles(who, &all).unwrap().len();
    assert_eq!((count(ada), count(bob), count(carol), count(boss)), (1, 1, 0, 1));
    let ladder = club.ladder(NOW + 1).unwrap();
    assert!(ladder.rungs.iter().all(|rung| rung.points == 0 && rung.counts == [0; 3]));
}

#[test]
fn challenges_are_for_those_who_may_and_not_without_end() {
    let (club, teacher) = administered("quota");
    let (ada, mine) = entrant(&club, &teacher, "ada");
    let (bob, other) = entrant(&club, &teacher, "bob");
    let built_in = Player::BuiltIn("engine:level=3".to_owned());
    let ask = |by, own, opponent: &Player| club.challenge(by, own, opponent, NOW).map_err(refusal);
    assert_eq!(ask(ada, other, &built_in).unwrap_err(), ChallengeError::Own);
    assert_eq!(ask(ada, 99, &built_in).unwrap_err(), ChallengeError::Own);
    assert_eq!(ask(ada, mine, &Player::Version(99)).unwrap_err(), ChallengeError::Opponent);
    let newer = submit(&club, bob, "bob 2");
    let old = ask(ada, mine, &Player::Version(other)).unwrap_err();
    assert_eq!(old, ChallengeError::Opponent, "somebody else's earlier version");
    assert!(ask(bob, newer, &Player::Version(other)).is_ok(), "one's own earlier version");
    let code = club.invite(teacher.visitor.account.id, Role::Guest, "", 1, NOW).unwrap();
    let guest = club.accept(&code, "guest", kit::PASSWORD, NOW).unwrap().visitor.account.id;
    assert_eq!(ask(guest, mine, &built_in).unwrap_err(), ChallengeError::Guest);
    for _ in 0..3 {
        ask(ada, mine, &built_in).unwrap();
    }
    assert_eq!(ask(ada, mine, &built_in).unwrap_err(), ChallengeError::Waiting);
    let mut accepted = 3;
    loop {
        judge_all(&club, NOW);
        match ask(ada, mine, &built_in) {
            Ok(_) => accepted += 1,
            Err(error) => {
                assert_eq!(error, ChallengeError::Often);
                break;
            }
        }
    }
    assert_eq!(accepted, 60);
    let boss = teacher.visitor.account.id;
    assert!(club.set_doors(ada, Doors { ladder: false, sparring: false }, NOW).is_err());
    club.set_doors(boss, Doors { ladder: true, sparring: false }, NOW).unwrap();
    assert_eq!(ask(bob, newer, &built_in).unwrap_err(), ChallengeError::Closed);
}

/// What the ladder must show, counted the plain way.
fn plain_points(club: &Club, by: AccountId) -> HashMap<String, i64> {
    let wanted = Wanted { kind: Some(BattleKind::Ladder), limit: 100_000, ..Wanted::default() };
    let mut points = HashMap::new();
    for battle in club.battles(by, &wanted).unwrap() {
        for game in battle.games.iter().filter(|game| game.state == GameState::Played) {
            let sign = i64::from(game.score.unwrap().signum());
            *points.entry(battle.players[0].name.clone()).or_insert(0) += 5 * sign;
            *points.entry(battle.players[1].name.clone()).or_insert(0) -= 5 * sign;
        }
    }
    points
}

#[test]
fn the_ladder_finds_the_order_and_is_what_the_games_say() {
    let (club, teacher) = administered("ladder");
    let entrants: Vec<(AccountId, VersionId)> =
        (0..8).map(|number| entrant(&club, &teacher, &format!("student{number}"))).collect();
    let mut now = NOW;
    for _ in 0..40 {
        let ladder = club.ladder(now).unwrap();
        let arranged = club.arrange_ladder(&ladder, 4, now).unwrap();
        assert_eq!(arranged, 2, "as many as there is room for");
        assert_eq!(club.arrange_ladder(&ladder, 4, now).unwrap(), 0);
        assert_eq!(judge_all(&club, now), 4);
        now += MINUTE;
    }
    let ladder = club.ladder(now).unwrap();
    // Points reward those who play the one ahead; ratings find the order.
    let mut by_rating: Vec<_> = ladder.rungs.iter().collect();
    by_rating.sort_by(|a, b| b.rating.elo.total_cmp(&a.rating.elo));
    let order: Vec<AccountId> = by_rating.iter().map(|rung| rung.account).collect();
    assert_eq!(order, entrants.iter().rev().map(|(account, _)| *account).collect::<Vec<_>>());
    let points = plain_points(&club, entrants[0].0);
    for rung in &ladder.rungs {
        assert_eq!(rung.points, points[&rung.name], "{}", rung.name);
        assert_eq!(rung.trend, rung.points, "all within a day");
        let [wins, draws, losses] = rung.counts;
        assert_eq!(rung.version_games, wins + draws + losses);
        assert_eq!(rung.forfeits, losses, "all were lost by crashing");
    }
    let games: Vec<u64> = ladder.rungs.iter().map(|rung| rung.version_games).collect();
    assert_eq!(games.iter().sum::<u64>(), 320);
    assert!(games.iter().max().unwrap() - games.iter().min().unwrap() <= 16, "{games:?}");
    assert!(club.ladder(now + 86_400_000).unwrap().rungs.iter().all(|rung| rung.trend == 0));
}

#[test]
fn a_new_version_goes_first_and_has_its_own_rating() {
    let (club, teacher) = administered("newcomer");
    let entrants: Vec<_> =
        (0..4).map(|number| entrant(&club, &teacher, &format!("student{number}"))).collect();
    let mut now = NOW;
    let mut play = |rounds: usize| {
        for _ in 0..rounds {
            club.arrange_ladder(&club.ladder(now).unwrap(), 2, now).unwrap();
            judge_all(&club, now);
            now += MINUTE;
        }
        club.ladder(now).unwrap()
    };
    play(20);
    let (first, old) = entrants[0];
    let rung = |ladder: &isrever_club::Ladder| {
        ladder.rungs.iter().find(|rung| rung.account == first).unwrap().clone()
    };
    let before = rung(&play(0));
    assert!(before.version == old && before.points < 0 && before.rating.elo < -50.0);
    // The worst one gets better than all others.
    let new = submit(&club, first, "student0 again");
    let fresh = rung(&play(0));
    assert_eq!((fresh.version, fresh.version_games), (new, 0));
    assert_eq!(fresh.points, before.points, "points are the author's");
    let after = rung(&play(4));
    assert_eq!(after.version_games, 8, "new versions go first");
    assert_eq!(after.points, before.points + 40);
    assert!(after.rating.elo > 50.0, "its rating is not that of its author's earlier ones");
    // A closed ladder arranges nothing.
    let doors = Doors { ladder: false, sparring: true };
    club.set_doors(teacher.visitor.account.id, doors, now).unwrap();
    assert_eq!(club.arrange_ladder(&club.ladder(now).unwrap(), 9, now).unwrap(), 0);
}

#[test]
fn a_game_is_played_once_whoever_dies_meanwhile() {
    let (club, teacher) = administered("once");
    let (ada, mine) = entrant(&club, &teacher, "ada");
    entrant(&club, &teacher, "bob");
    club.arrange_ladder(&club.ladder(NOW).unwrap(), 1, NOW).unwrap();
    let dead = club.take_job("dead", &[JobKind::Game], NOW).unwrap().unwrap();
    club.show_live(&dead, "f5", [7, 0], NOW + 10).unwrap();
    let live = club.live_games(ada, NOW + 20).unwrap();
    assert_eq!((live.len(), live[0].0.so_far.ply(), live[0].0.clocks), (1, 1, [7, 0]));
    assert_eq!(live[0].1.players[0].player.version().min(Some(mine)), Some(mine));
    let later_on = NOW + 2 * MINUTE;
    assert!(club.live_games(ada, later_on).unwrap().is_empty(), "nobody is at it any more");
    assert_eq!(judge_all(&club, later_on), 2);
    let played = lost_by(Color::Black, &Terms::default());
    let outcome = Outcome { played: &played, outputs: ["", ""], millis: 1 };
    let late = club.finish_game(&dead, &outcome, later_on);
    assert!(matches!(late, Err(ClubError::Job(_))), "another judge has played it");
    let late = club.show_live(&dead, "f5d6", [7, 7], later_on);
    assert!(matches!(late, Err(ClubError::Job(_))));
    let games: u64 =
        club.ladder(later_on).unwrap().rungs.iter().map(|rung| rung.version_games).sum();
    assert_eq!(games, 4, "two games, each for two");
}

#[test]
fn an_annulled_game_does_not_count_and_can_be_played_again() {
    let (club, teacher) = administered("annulled");
    let boss = teacher.visitor.account.id;
    let (ada, _) = entrant(&club, &teacher, "ada");
    entrant(&club, &teacher, "bob");
    club.arrange_ladder(&club.ladder(NOW).unwrap(), 1, NOW).unwrap();
    judge_all(&club, NOW);
    let points = || {
        let mut points: Vec<i64> =
            club.ladder(NOW).unwrap().rungs.iter().map(|rung| rung.points).collect();
        points.sort_unstable();
        points
    };
    assert_eq!(points(), [-10, 10]);
    let battle = club.battles(ada, &Wanted { limit: 1, ..Wanted::default() }).unwrap().remove(0);
    let game = battle.games[0].id;
    assert!(matches!(club.annul(ada, game, "I lost", false, NOW), Err(ClubError::Forbidden)));
    club.annul(boss, game, "power cut", true, NOW).unwrap();
    assert_eq!(points(), [-5, 5]);
    let record = club.game(ada, game).unwrap();
    assert_eq!((record.state, record.reason.as_deref()), (GameState::Annulled, Some("power cut")));
    assert!(club.annul(boss, game, "again", false, NOW).is_err(), "once");
    assert!(club.annul(boss, game, "again", true, NOW).is_err(), "it is to be played already");
    assert_eq!(judge_all(&club, NOW), 1, "the game alone is played again");
    assert_eq!(points(), [-10, 10]);
    // What was only annulled can be played again later.
    let other = battle.games[1].id;
    club.annul(boss, other, "noise", false, NOW).unwrap();
    assert_eq!((judge_all(&club, NOW), points()), (0, vec![-5, 5]));
    club.annul(boss, other, "after all", true, NOW).unwrap();
    assert_eq!((judge_all(&club, NOW), points()), (1, vec![-10, 10]));
    assert_eq!(club.game(ada, other).unwrap().reason.as_deref(), Some("noise"));
    let battle = club.battle(ada, battle.id).unwrap();
    assert_eq!(battle.games.len(), 4, "what was annulled stays in sight");
    assert!(club.log(boss, None, 9).unwrap().iter().any(|one| one.subject.contains("power cut")));
}

#[test]
fn a_review_marks_the_losing_move() {
    let (club, teacher) = administered("review");
    let (ada, _) = entrant(&club, &teacher, "ada");
    entrant(&club, &teacher, "bob");
    club.arrange_ladder(&club.ladder(NOW).unwrap(), 1, NOW).unwrap();
    judge_all(&club, NOW);
    let job = club.take_job("judge", &JobKind::ALL, NOW).unwrap().unwrap();
    assert_eq!(job.kind, JobKind::Review, "when there is nothing else to do");
    let moves = vec![Judged {
        best: Some(2.0),
        loss: Some(6.0),
        better: Some("d3".to_owned()),
        is_exact: false,
    }];
    club.finish_review(&job, &Review { moves: moves.clone() }).unwrap();
    let review = club.game(ada, job.subject).unwrap().review.unwrap();
    assert_eq!((&review.moves, review.losing_move(|_| true)), (&moves, Some(0)));
}

#[test]
fn a_final_is_a_round_robin_that_can_be_stopped_and_proved() {
    let (club, teacher) = administered("final");
    let boss = teacher.visitor.account.id;
    let mut entrants: Vec<(AccountId, VersionId)> = Vec::new();
    let is_few = |done: Result<isrever_club::Final, ClubError>| {
        matches!(done, Err(ClubError::Final(FinalError::Players)))
    };
    assert!(is_few(club.start_final(boss, "Final", 1, NOW)));
    for number in 0..5 {
        entrants.push(entrant(&club, &teacher, &format!("student{number}")));
    }
    let ada = entrants[0].0;
    assert!(matches!(club.start_final(ada, "Final", 1, NOW), Err(ClubError::Forbidden)));
    for (name, pairs) in [("", 1), (" x", 1), ("a\nb", 1), ("Final", 0), ("Final", 101)] {
        assert!(club.start_final(boss, name, pairs, NOW).is_err(), "{name:?} {pairs}");
    }
    let terms = Terms { size: Size::SIX, move_ms: 100, ..Terms::default() };
    club.set_terms(boss, terms, NOW).unwrap();
    let of_final = club.start_final(boss, "Final", 2, NOW).unwrap();
    let id = of_final.id;
    assert_eq!((of_final.waiting, of_final.terms), (40, terms));
    // Whoever submits now does so too late for it.
    submit(&club, ada, "too late");
    let mut now = NOW;
    for _ in 0..10 {
        now += MINUTE;
        let job = club.take_job("judge", &[JobKind::Game], now).unwrap().unwrap();
        judge(&club, &job, &later, now);
    }
    let running = club.take_job("judge", &[JobKind::Game], now).unwrap().unwrap();
    club.stop_final(boss, id, now).unwrap();
    assert!(club.stop_final(boss, id, now).is_err() && club.resume_final(ada, id, now).is_err());
    assert_eq!(club.take_job("judge", &[JobKind::Game], now).unwrap(), None);
    judge(&club, &running, &later, now);
    let state = club.final_round(id, now).unwrap();
    let progress = (state.state, state.played, state.waiting);
    assert_eq!(progress, (FinalState::Stopped, 11, 29), "a game that is being played ends");
    club.resume_final(boss, id, now).unwrap();
    let round = |now| club.final_round(id, now).unwrap();
    let due = |now| round(now).expected_end.map(|end| end - now);
    // One judge, and as long for each game as those took that were played.
    assert_eq!((round(now).judges, due(now)), (1, Some(29 * GAME_MILLIS)));
    club.take_job("another", &[JobKind::Review], now).unwrap();
    assert_eq!(round(now).judges, 1, "one that plays no games is not counted");
    let job = club.take_job("another", &[JobKind::Game], now).unwrap().unwrap();
    assert_eq!((round(now).judges, due(now)), (2, Some(15 * GAME_MILLIS)));
    club.give_back_job(&job).unwrap();
    club.forget_judge("another").unwrap();
    assert_eq!(round(now).judges, 1);
    assert_eq!((round(now + MINUTE).judges, due(now + MINUTE)), (0, None), "nobody is there");
    assert_eq!(judge_all(&club, now), 29);
    let over = club.final_round(id, now).unwrap();
    assert_eq!((over.state, over.played, over.waiting), (FinalState::Over, 40, 0));
    let table = club.final_table(id, now).unwrap();
    let ranked: Vec<VersionId> = table.iter().map(|row| over.players[row.player].version).collect();
    assert_eq!(ranked, entrants.iter().rev().map(|(_, version)| *version).collect::<Vec<_>>());
    let ranks: Vec<usize> = table.iter().map(|row| row.rank).collect();
    assert_eq!(ranks, [1, 2, 3, 4, 5]);
    let points: Vec<i64> = table.iter().map(|row| row.points).collect();
    assert_eq!(points, [80, 40, 0, -40, -80]);
    assert!(table.iter().all(|row| row.ranks[0] <= row.rank && row.rank <= row.ranks[1]));

    let proof = directory("final-proof").with_extension("db");
    let _ = std::fs::remove_file(&proof);
    std::fs::create_dir_all(proof.parent().unwrap()).unwrap();
    club.prove(id, &proof, now).unwrap();
    assert!(club.prove(id, &proof, now).is_err(), "nothing is overwritten");
    let store = Store::open(&proof).unwrap();
    let tournament = store.tournaments().unwrap().remove(0);
    assert_eq!((tournament.plan.seed, tournament.finished), (over.seed, 40));
    assert!(store.schedule(&tournament).unwrap().is_over());
    let standings: Standings = store.standings(&tournament).unwrap();
    for row in standings.rows() {
        let own = table.iter().find(|own| own.player == row.player).unwrap();
        assert_eq!((own.points, own.rating), (row.points, row.rating));
        let digest: String = over.players[row.player].digest.iter().map(hex).collect();
        assert!(tournament.plan.players[row.player].agent.as_str().contains(&digest));
    }
    assert_eq!(store.openings(&tournament).unwrap().len(), 2, "two different ones");
}

fn hex(byte: &u8) -> String {
    format!("{byte:02x}")
}

#[test]
fn the_end_of_a_final_is_estimated_by_the_ladders_games_until_it_has_its_own() {
    let (club, teacher) = administered("estimate");
    let boss = teacher.visitor.account.id;
    let [(_, ada), (_, bob)] = ["ada", "bob"].map(|name| entrant(&club, &teacher, name));
    let estimate = || club.usual_millis(&club.terms().unwrap()).unwrap();
    assert_eq!(estimate(), None);
    club.arrange_ladder(&club.ladder(NOW).unwrap(), 1, NOW).unwrap();
    judge_all(&club, NOW);
    assert_eq!(estimate(), Some(GAME_MILLIS));
    assert_eq!([ada, bob].map(|id| club.recent_failures(id).unwrap()), [2, 0], "ada crashed twice");
    let of_final = club.start_final(boss, "Final", 1, NOW).unwrap();
    assert_eq!(of_final.expected_end, Some(NOW + 2 * GAME_MILLIS));
    // Games by other terms say nothing.
    club.set_terms(boss, Terms { move_ms: 100, ..Terms::default() }, NOW).unwrap();
    assert_eq!(estimate(), None);
    let other = club.start_final(boss, "Quick", 1, NOW).unwrap();
    assert_eq!((other.judges, other.expected_end), (1, None));
}

#[test]
fn who_is_blocked_plays_no_more_and_holds_nobody_up() {
    let (club, teacher) = administered("blocked");
    let boss = teacher.visitor.account.id;
    let (_, bad) = entrant(&club, &teacher, "ada");
    entrant(&club, &teacher, "bob");
    entrant(&club, &teacher, "carol");
    let id = club.start_final(boss, "Final", 1, NOW).unwrap().id;
    club.block_version(boss, bad, "copied", NOW).unwrap();
    assert_eq!(club.backlog(NOW).unwrap(), Backlog { waiting: 2, taken: 0, troubled: 0 });
    judge_all(&club, NOW);
    let state = club.final_round(id, NOW).unwrap();
    assert_eq!((state.state, state.played), (FinalState::Over, 2));
    let table = club.final_table(id, NOW).unwrap();
    let of_bad = table.iter().find(|row| state.players[row.player].version == bad).unwrap();
    assert_eq!((of_bad.points, of_bad.counts), (0, [0; 3]));
    // A game of a finished final that is played again opens it again.
    let battles = club.battles(boss, &Wanted { of_final: Some(id), limit: 9, ..Wanted::default() });
    let played = |game: &&isrever_club::Summary| game.state == GameState::Played;
    let battles = battles.unwrap();
    let game = battles.iter().flat_map(|battle| &battle.games).find(played).unwrap().id;
    club.annul(boss, game, "noise", true, NOW).unwrap();
    assert_eq!(club.final_round(id, NOW).unwrap().state, FinalState::Running);
    judge_all(&club, NOW);
    assert_eq!(club.final_round(id, NOW).unwrap().state, FinalState::Over);
}

#[test]
fn terms_and_doors_are_the_administrators() {
    let (club, teacher) = administered("terms");
    let boss = teacher.visitor.account.id;
    let (ada, mine) = entrant(&club, &teacher, "ada");
    assert_eq!(club.terms().unwrap(), Terms::default());
    let quick = Terms { rule: Rule::Normal, move_ms: 50, ..Terms::default() };
    assert!(matches!(club.set_terms(ada, quick, NOW), Err(ClubError::Forbidden)));
    let absurd = Terms { memory_mib: 1, ..quick };
    assert!(matches!(club.set_terms(boss, absurd, NOW), Err(ClubError::Terms(_))));
    let opponent = Player::BuiltIn("random".to_owned());
    let before = club.challenge(ada, mine, &opponent, NOW).unwrap();
    club.set_terms(boss, quick, NOW).unwrap();
    assert_eq!(club.terms().unwrap(), quick);
    let after = club.challenge(ada, mine, &opponent, NOW).unwrap();
    assert_eq!((before.terms, after.terms), (Terms::default(), quick));
    assert_eq!(club.battle(ada, before.id).unwrap().terms, Terms::default(), "as it was arranged");
    club.set_deadline(boss, Some(NOW), NOW).unwrap();
    let frozen = club.submit(ada, "b.py", b"b", None, NOW);
    assert!(matches!(frozen, Err(ClubError::Submit(SubmitError::Frozen))));
    assert!(club.challenge(ada, mine, &opponent, NOW).is_ok(), "sparring goes on");
}
