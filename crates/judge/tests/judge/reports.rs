//! Agents of the course's form, as five reports describe theirs, submitted unchanged.

use crate::course::{NOW, club, judge, member, submit};
use isrever_club::{VersionId, VersionState};
use isrever_judge::News;
use isrever_testkit::REPORTS;

#[test]
fn agents_of_the_reports_pass_and_play() {
    let (directory, club, boss) = club("reports");
    let mut versions: Vec<VersionId> = Vec::new();
    for (number, source) in REPORTS.iter().enumerate() {
        let author = member(&club, boss, &format!("report{number:03}"));
        versions.push(submit(&club, author, source));
    }
    let news = judge(&directory);
    assert!(news.iter().all(|one| matches!(one, News::Done(_))), "{news:?}");
    for (number, &version) in versions.iter().enumerate() {
        let report = club.report(boss, version).unwrap().unwrap();
        let failed: Vec<_> = report.cases.iter().filter(|case| !case.passed).collect();
        assert!(failed.is_empty(), "report {number:03}: {failed:?}");
        assert_eq!(club.version(version).unwrap().state, VersionState::Passed);
    }
    // Everybody plays the next one.
    let ladder = club.ladder(NOW).unwrap();
    assert_eq!(club.arrange_ladder(&ladder, 4, NOW).unwrap(), 2);
    judge(&directory);
    let rungs = club.ladder(NOW).unwrap().rungs;
    assert_eq!(rungs.len(), 5);
    assert_eq!(rungs.iter().map(|rung| rung.counts.iter().sum::<u64>()).sum::<u64>(), 8);
    assert_eq!(rungs.iter().map(|rung| rung.forfeits).sum::<u64>(), 0, "{rungs:?}");
}
