//! Attacks by submissions: none passes its check, and those that wait for a battle harm nobody.

use crate::course::{NOW, club, judge, member, set_width, submit};
use isrever_club::{GameState, Player, VersionId, VersionState};
use isrever_judge::News;
use isrever_testkit::attacks::{Attack, attacks};

/// One attack of so many is tried here; `cargo xtask club class` tries all.
const STEP: usize = 16;

/// A secret that attackers want, beside the club.
const SECRET: &str = "the solution of everybody else";

fn some(from: usize) -> Vec<&'static Attack> {
    attacks().into_iter().skip(from).step_by(STEP).collect()
}

#[test]
fn no_attack_passes_its_check_and_nobody_else_is_harmed() {
    let (directory, club, boss) = club("attacks");
    let neighbour = directory.join("neighbour.py");
    std::fs::write(&neighbour, SECRET).unwrap();
    let eve = member(&club, boss, "eve");
    let attacks = some(STEP - 1);
    let mut versions: Vec<VersionId> = Vec::new();
    for attack in &attacks {
        versions.push(submit(&club, eve, &attack.file(neighbour.to_str().unwrap())));
    }
    let good = submit(&club, member(&club, boss, "ada"), crate::SIMPLE);
    let news = judge(&directory);
    assert!(news.iter().all(|one| matches!(one, News::Done(_))), "{news:?}");
    for (attack, version) in attacks.iter().zip(versions) {
        let state = club.version(version).unwrap().state;
        assert_eq!(state, VersionState::Failed, "{}", attack.name);
        let report = format!("{:?}", club.report(eve, version).unwrap());
        assert!(!report.contains(SECRET), "{} has read it", attack.name);
    }
    assert_eq!(club.version(good).unwrap().state, VersionState::Passed);
    assert_eq!(std::fs::read_to_string(neighbour).unwrap(), SECRET);
}

#[test]
fn attacks_in_battles_end_with_a_result_and_tell_nothing() {
    let (directory, club, boss) = club("sleepers");
    let neighbour = directory.join("neighbour.py");
    std::fs::write(&neighbour, SECRET).unwrap();
    let attacks = some(STEP / 2 - 1);
    let mut sleepers = Vec::new();
    for (number, attack) in attacks.iter().enumerate() {
        let author = member(&club, boss, &format!("mallory{number}"));
        let source = attack.sleeper(neighbour.to_str().unwrap(), 6);
        sleepers.push((author, submit(&club, author, &source)));
    }
    judge(&directory);
    // They wake up on a larger board.
    set_width(&club, boss, 6);
    let opponent = Player::BuiltIn("random".to_owned());
    let mut battles = Vec::new();
    for (attack, &(author, version)) in attacks.iter().zip(&sleepers) {
        assert_eq!(club.version(version).unwrap().state, VersionState::Passed, "{}", attack.name);
        battles.push(club.challenge(author, version, &opponent, NOW).unwrap().id);
    }
    let news = judge(&directory);
    assert!(news.iter().all(|one| matches!(one, News::Done(_))), "{news:?}");
    for (attack, battle) in attacks.iter().zip(battles) {
        for summary in club.battle(boss, battle).unwrap().games {
            assert_eq!(summary.state, GameState::Played, "{}", attack.name);
            let game = club.game(boss, summary.id).unwrap();
            assert!(!format!("{game:?}").contains(SECRET), "{} has read it", attack.name);
        }
    }
    assert_eq!(std::fs::read_to_string(neighbour).unwrap(), SECRET);
    assert_eq!(club.backlog(NOW).unwrap().troubled, 0);
}
