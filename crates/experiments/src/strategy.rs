//! What mobility, corners, edges, parity and discs are worth by phase, under both rules.
//!
//! The engine plays games against itself with some random moves. One position of
//! each phase of each game is valued by a search, near the end by a proof, and a
//! least-squares fit for each phase says what one unit of each feature adds to the
//! value. The exam's proved positions check that the searches are no worse witnesses
//! than proofs. `docs/theory.md` has the advice that follows.

mod features;
mod positions;
mod regression;
mod worth;

use self::features::{COUNT, FEATURES, Feature};
use self::positions::{Sampling, Valued, exam_len};
use self::regression::{Estimate, spread};
use self::worth::{Phase, Worth};
use super::{Context, Experiment, Part, grouped};
use isrever_board::Rule;
use isrever_lab::experiment::{Cell, Comparison, Figure, Findings, Picture, Setting, Table};
use isrever_lab::plot::{Series, series_about_zero};

pub(super) const EXPERIMENT: Experiment = Experiment {
    slug: "strategy",
    title: "What things are worth",
    source: "Beyond the reports",
    about: "mobility, corners, edges, parity and discs in discs by phase, beside Othello's",
    duration: "3 min",
    is_cheap: false,
    rests_on: &[Part::Search, Part::Weights("reversed.bin"), Part::Weights("normal.bin")],
    settings,
    run,
};

fn settings() -> Vec<Setting> {
    const PHASES: [u64; 10] = [5, 10, 15, 20, 25, 30, 35, 40, 45, 50];
    vec![
        Setting::count("games", "games under each rule", 20..=1_000_000, [4_000, 60]),
        Setting::counts(
            "empties",
            "empty squares of the positions, or one more",
            2..=54,
            [&PHASES, &[6, 26]],
        ),
        Setting::count("depth", "plies of the searches for values", 1..=20, [8, 2]),
        Setting::count("solve", "empty squares from which values are proved", 0..=20, [14, 8]),
        Setting::count("opening", "random moves at the beginning", 0..=20, [6, 6]),
        Setting::count("random", "most per cent of random moves after it", 0..=100, [40, 40]),
    ]
}

/// The rules by their names in tables and pictures.
const RULES: [(&str, Rule); 2] = [("reversed", Rule::Reversed), ("Othello", Rule::Normal)];

/// All that was found.
struct Found {
    /// The empty squares of the phases.
    empties: Vec<u64>,
    /// By rule and phase.
    phases: [Vec<Phase>; 2],
    /// The exam by proofs and by searches.
    exam: [Phase; 2],
    /// Searched values less proved ones on the exam: mean and standard deviation.
    strayed: (f64, f64),
}

impl Found {
    fn worth(&self, rule: usize, phase: usize, feature: usize) -> Option<&Worth> {
        self.phases[rule][phase].worth[feature].as_ref()
    }

    /// The phase that has closest to so many empty squares.
    fn nearest(&self, empties: u64) -> usize {
        let distance = |&place: &usize| self.empties[place].abs_diff(empties);
        (0..self.empties.len()).min_by_key(distance).unwrap_or(0)
    }
}

fn run(context: &Context<'_>) -> Findings {
    let sampling = Sampling::new(context);
    context.progress.expect(2 * context.count("games") + exam_len());
    let phases = RULES.map(|(_, rule)| {
        let phases = sampling.positions(context, rule);
        phases.iter().map(|positions| Phase::of(positions)).collect()
    });
    let exam = sampling.exam(context);
    let column = |place: usize| exam.iter().map(|pair| pair[place]).collect::<Vec<Valued>>();
    let difference = |[proved, searched]: &[Valued; 2]| f64::from(searched.value - proved.value);
    let found = Found {
        empties: context.counts("empties"),
        phases,
        strayed: spread(exam.iter().map(difference)),
        exam: [0, 1].map(|place| Phase::of(&column(place))),
    };
    findings(context, &found)
}

fn findings(context: &Context<'_>, found: &Found) -> Findings {
    let [games, depth, solve, opening, random] =
        ["games", "depth", "solve", "opening", "random"].map(|key| context.count(key));
    Findings {
        question: format!(
            "{} games of the engine under each rule give one position of each phase. A search of \
             {depth} plies values it, with {solve} or fewer empty squares a proof, and for each \
             phase a least-squares fit says how many discs of the final score one unit of each \
             feature adds for the side to move.",
            grouped(games)
        ),
        comparisons: comparisons(found),
        meaning: meaning(found),
        notes: vec![
            format!(
                "Games: {opening} random moves, then the engine by one ply. Each side of each game \
                 draws how many of its moves are random, up to {random} per cent."
            ),
            "Features are the player's less the opponent's. Frontier: discs beside empty squares. \
             X-squares and C-squares count while their corner is empty. Edges: the four middle \
             squares of each edge. Stable discs do not count corners. Parity: 1 if the number of \
             empty squares is odd, so that the side to move makes the last move if nobody passes. \
             Odd regions: connected empty squares, diagonally too, of an odd number; two more of \
             them are one unit."
                .to_owned(),
            "Together: one unit more while all other features stay the same; since discs are among \
             them, a corner is compared with a disc elsewhere. Alone: one unit more with all that \
             usually comes with it. A feature that is the same in 95 % of a phase is left out \
             there."
                .to_owned(),
            "Intervals are of 95 %, by errors that allow for uneven scatter (White 1980, with \
             MacKinnon and White's correction). A game gives a phase one position only, so \
             positions of a fit are independent. These are worths in games like these: a fit shows \
             what goes together, not what causes what."
                .to_owned(),
        ],
        tables: tables(found),
        pictures: pictures(found),
        ..Findings::default()
    }
}

fn figure(estimate: Option<Estimate>) -> Figure {
    match estimate {
        Some(estimate) => Figure::with_reach(estimate.value, estimate.reach(), 2),
        None => Figure::None,
    }
}

fn together(worth: Option<&Worth>) -> Option<Estimate> {
    worth.map(|worth| worth.together)
}

fn comparisons(found: &Found) -> Vec<Comparison> {
    let middle = found.nearest(30);
    let empties = found.empties[middle];
    let mut comparisons = Vec::new();
    for (rule, (name, _)) in RULES.iter().enumerate() {
        for (feature, Feature { unit, .. }) in FEATURES.iter().enumerate() {
            if let Some(worth) = found.worth(rule, middle, feature) {
                let what = format!("{name}, {empties} empty squares: {unit}");
                comparisons.push(Comparison::ours(what, figure(Some(worth.together))));
            }
        }
    }
    let (mean, deviation) = found.strayed;
    for (what, value) in [("mean", mean), ("standard deviation", deviation)] {
        let what = format!("exam, searched values less proved ones: {what}");
        comparisons.push(Comparison::ours(what, Figure::exact(value, 2)));
    }
    comparisons
}

/// The place of a feature.
fn place(name: &str) -> usize {
    let found = FEATURES.iter().position(|feature| feature.name == name);
    found.expect("a feature of this experiment")
}

fn meaning(found: &Found) -> [String; 2] {
    let middle = found.nearest(30);
    let discs = |rule: usize, name: &str| -> String {
        figure(together(found.worth(rule, middle, place(name)))).to_string()
    };
    let explained = |rule: usize| match found.phases[rule][middle].explained {
        Some(share) => format!("{:.0} %", 100.0 * share),
        None => "nothing".to_owned(),
    };
    let empties = found.empties[middle];
    [
        format!(
            "With {empties} empty squares a legal move more is worth {} discs in the reversed game \
             and {} in Othello, a corner {} and {}, and a disc more {} and {}.",
            discs(0, "mobility"),
            discs(1, "mobility"),
            discs(0, "corners"),
            discs(1, "corners"),
            discs(0, "discs"),
            discs(1, "discs"),
        ),
        format!(
            "All ten features together explain {} of the values' variance there, in Othello {}; by \
             phase they are worth what the pictures show.",
            explained(0),
            explained(1),
        ),
    ]
}

fn tables(found: &Found) -> Vec<Table> {
    let mut tables = vec![wide(found, 0, "reversed"), wide(found, 1, "othello"), exam(found)];
    let mut phases = Table::new(
        "phases",
        "Positions of each phase, how many values are proved, their standard deviation, and how \
         much of their variance all features explain.",
        &[
            ("rule", 0),
            ("empties", 0),
            ("positions", 0),
            ("proved", 0),
            ("deviation", 1),
            ("explained", 3),
        ],
    );
    let mut all = Table::new(
        "worth",
        "All features in all phases, together and alone, with 95 % intervals.",
        &[
            ("rule", 0),
            ("empties", 0),
            ("feature", 0),
            ("together", 3),
            ("together_reach", 3),
            ("alone", 3),
            ("alone_reach", 3),
            ("correlation", 3),
            ("deviation", 3),
        ],
    );
    for (rule, (name, _)) in RULES.iter().enumerate() {
        for (place, &empties) in found.empties.iter().enumerate() {
            let phase = &found.phases[rule][place];
            let (positions, proved) = (phase.positions.into(), phase.proved.into());
            let (deviation, explained) = (phase.deviation.into(), phase.explained.into());
            phases.row([(*name).into(), empties.into(), positions, proved, deviation, explained]);
            for (feature, worth) in FEATURES.iter().zip(&phase.worth) {
                let Some(Worth { together, alone, correlation, deviation }) = worth else {
                    continue;
                };
                let numbers = [
                    together.value,
                    together.reach(),
                    alone.value,
                    alone.reach(),
                    *correlation,
                    *deviation,
                ];
                let head: [Cell; 3] = [(*name).into(), empties.into(), feature.name.into()];
                all.row(head.into_iter().chain(numbers.map(Cell::from)));
            }
        }
    }
    tables.extend([phases, all]);
    tables
}

/// The features of a rule by phase, the opening first.
fn wide(found: &Found, rule: usize, name: &str) -> Table {
    let heads: Vec<String> =
        found.empties.iter().rev().map(|empties| format!("{empties}_empty")).collect();
    let columns = std::iter::once("feature").chain(heads.iter().map(String::as_str));
    let columns: Vec<(&str, usize)> = columns.map(|head| (head, 0)).collect();
    let caption = format!(
        "Discs for one unit of each feature, all together, by empty squares: {}.",
        RULES[rule].0
    );
    let mut table = Table::new(name, caption, &columns);
    for feature in 0..COUNT {
        let cell = |phase: usize| match together(found.worth(rule, phase, feature)) {
            Some(estimate) => Cell::Text(figure(Some(estimate)).to_string()),
            None => Cell::Missing,
        };
        let cells = (0..found.empties.len()).rev().map(cell);
        table.row(std::iter::once(Cell::from(FEATURES[feature].name)).chain(cells));
    }
    table
}

/// The exam by proofs and searches, beside games at about as many empty squares.
fn exam(found: &Found) -> Table {
    let phase = found.nearest(25);
    let mut table = Table::new(
        "exam",
        format!(
            "Discs for one unit on the {} positions of the exam, 24 to 28 empty squares, by proved \
             scores and by searched values of the same positions, beside the games with {}.",
            found.exam[0].positions, found.empties[phase]
        ),
        &[("feature", 0), ("proved", 0), ("searched", 0), ("games", 0)],
    );
    for (feature, Feature { name, .. }) in FEATURES.iter().enumerate() {
        let worths = [
            found.exam[0].worth[feature].as_ref(),
            found.exam[1].worth[feature].as_ref(),
            found.worth(0, phase, feature),
        ];
        let cells = worths.map(|worth| Cell::Text(figure(together(worth)).to_string()));
        table.row(std::iter::once(Cell::from(*name)).chain(cells));
    }
    table
}

fn pictures(found: &Found) -> Vec<Picture> {
    let picture = |(feature, Feature { name, title, unit, .. }): (usize, &Feature)| {
        let line = |rule: usize| {
            let points = found.empties.iter().enumerate().rev().filter_map(|(phase, &empties)| {
                let Estimate { value, error } = found.worth(rule, phase, feature)?.together;
                let reach = Estimate { value, error }.reach();
                // Positions have so many empty squares or one more.
                Some((63.5 - empties as f64, value, reach))
            });
            Series::line(RULES[rule].0, points.collect())
        };
        let axes = ["discs on the board", "discs of the final score"];
        let svg = series_about_zero(&format!("{title}: {unit}"), axes, &[line(0), line(1)]);
        let caption = format!("{title}, what {unit} is worth by phase, 95 % intervals as a band.");
        Picture::new(name, caption, svg)
    };
    FEATURES.iter().enumerate().map(picture).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Progress;
    use super::*;
    use std::time::Duration;

    struct Unwatched;

    impl Progress for Unwatched {
        fn expect(&self, _: u64) {}
        fn advance(&self, _: u64) {}
    }

    #[test]
    fn a_reduced_run_gives_the_same_findings_twice() {
        let specification = EXPERIMENT.specification(true);
        let clock = || Duration::ZERO;
        let context = Context {
            specification: &specification,
            threads: 1,
            progress: &Unwatched,
            clock: &clock,
        };
        let findings = run(&context);
        assert_eq!(findings, run(&context));
        assert_eq!(findings.pictures.len(), COUNT);
        let rows = |name: &str| {
            let table = findings.tables.iter().find(|table| table.name == name);
            table.map(|table| table.rows.len())
        };
        assert_eq!([rows("reversed"), rows("othello"), rows("exam")], [Some(COUNT); 3]);
        assert_eq!(rows("phases"), Some(4));
    }

    #[test]
    fn the_theory_page_quotes_the_results_and_shows_every_picture() {
        const PAGE: &str = include_str!("../../../docs/theory.md");
        const RESULTS: [&str; 3] = [
            include_str!("../../../experiments/strategy/reversed.csv"),
            include_str!("../../../experiments/strategy/othello.csv"),
            include_str!("../../../experiments/strategy/exam.csv"),
        ];
        let (_, section) = PAGE.split_once("## What things are worth\n").unwrap();
        let section = section.split("\n## ").next().unwrap();
        let parts: Vec<&str> = section.split(" ± ").collect();
        let is_number = |letter: char| letter.is_ascii_digit() || ".−".contains(letter);
        for pair in parts.windows(2) {
            let value = pair[0].rsplit(|letter| !is_number(letter)).next().unwrap();
            let reach = pair[1].split(|letter| !is_number(letter)).next().unwrap();
            let quoted = format!("{value} ± {}", reach.trim_end_matches('.'));
            let is_cell = |csv: &&str| csv.split([',', '\n']).any(|cell| cell == quoted);
            assert!(RESULTS.iter().any(is_cell), "{quoted} is none of the experiment's figures");
        }
        assert!(parts.len() > 20, "the page gives its figures with their intervals");
        for Feature { name, .. } in FEATURES {
            assert!(section.contains(&format!("(../experiments/strategy/{name}.svg)")), "{name}");
        }
    }
}
