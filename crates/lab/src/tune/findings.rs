//! The findings of a tuning, beside those of a report.

use super::games::Games;
use super::history::Generation;
use super::objective::Objective;
use super::outcome::{Outcome, Proof};
use super::plan::Plan;
use super::work::RANDOM;
use crate::experiment::{Comparison, Figure, Findings, Picture, Table, Timings};
use crate::plot;
use isrever_agent::Catalogue;

/// The time that a tuning took.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spent {
    /// Seconds from the beginning to the end.
    pub seconds: f64,
    /// Seconds of all processors together, if the system counts them.
    pub processor_seconds: Option<f64>,
    /// The number of threads.
    pub threads: usize,
    /// The number of generations of earlier runs.
    pub earlier_generations: usize,
}

/// The findings of a finished tuning.
pub fn findings(
    plan: &Plan,
    catalogue: &Catalogue,
    history: &[Generation],
    outcome: &Outcome,
    spent: &Spent,
) -> Findings {
    let spec = &plan.spec;
    let [agent, algorithm, objective] = [&spec.agent, &spec.algorithm, &spec.objective]
        .map(|text| text.as_deref().unwrap_or_default());
    let question = format!(
        "Which values of {} parameters make `{agent}` best? Searched by `{algorithm}` for \
         `{objective}`, {} generations, {} {} in all.",
        plan.space.width(),
        outcome.generations,
        Figure::exact(outcome.games as f64, 0),
        if let Objective::Effort(_) = plan.objective { "searches" } else { "games" },
    );
    let of_report = plan.report_score.map_or(Figure::None, |score| Figure::exact(100.0 * score, 1));
    let comparisons = outcome.proofs.iter().map(|proof| {
        let what = format!("per cent of the points against `{}`", proof.against);
        // The report's figure is against the random player.
        let report = if proof.against == RANDOM { of_report.clone() } else { Figure::None };
        Comparison::new(what, report, Figure::score(&proof.counts))
    });
    let before = outcome.before.iter().map(|proof| {
        let what = format!("the same of `{agent}` as it was, against `{}`", proof.against);
        Comparison::ours(what, Figure::score(&proof.counts))
    });
    Findings {
        title: spec.name.clone().unwrap_or_default(),
        source: spec.source.clone().unwrap_or_else(|| "a tuning".to_owned()),
        question,
        comparisons: fitness(plan, outcome).into_iter().chain(comparisons).chain(before).collect(),
        meaning: meaning(plan, outcome),
        notes: notes(plan, outcome),
        tables: [parameters(plan, catalogue, outcome), generations(history)]
            .into_iter()
            .chain((!outcome.proofs.is_empty()).then(|| matches(outcome)))
            .collect(),
        pictures: vec![picture(plan, history)],
        timings: Some(timings(plan, spent)),
    }
}

/// The winner's fitness in new games beside that of the report's, if the report has one.
fn fitness(plan: &Plan, outcome: &Outcome) -> Option<Comparison> {
    let report = Figure::exact(plan.report_fitness?, 2);
    let ours = *outcome.finalists.first()?;
    let figure = match plan.objective.thorough_trials() {
        // The variance of a share is at most a quarter.
        Some(trials) => Figure::with_reach(ours, 1.96 * (0.25 / trials as f64).sqrt(), 3),
        None => Figure::exact(ours, 3),
    };
    let what = format!("{}, of the winner in new games", plan.objective.label());
    Some(Comparison::new(what, report, figure))
}

/// The best and the mean of every generation.
pub fn picture(plan: &Plan, history: &[Generation]) -> Picture {
    let points: Vec<(f64, f64)> = history.iter().map(|each| (each.best, each.mean)).collect();
    let title = plan.spec.name.as_deref().unwrap_or_default();
    let svg = plot::tuning(title, plan.objective.label(), &points);
    let caption = match plan.objective {
        // The curve alone looks as if the search got worse.
        Objective::RoundRobin { .. } => {
            "The best and the mean fitness of every generation: the mean of a round robin is one \
             half whatever happens, and the best comes near it as the others become as good; what \
             was gained the matches show."
        }
        _ => "The best and the mean fitness of every generation.",
    };
    Picture::new("fitness", caption, svg)
}

/// Compares the winner with the report, and with its opponents.
fn meaning(plan: &Plan, outcome: &Outcome) -> [String; 2] {
    if let (Objective::Effort(_), Some(gain)) = (&plan.objective, outcome.finalists.first()) {
        let first = format!(
            "By the winner's parameters a search costs {:.3} of what it costs by those before, in \
             positions that no generation has searched.",
            (-gain).exp()
        );
        let second = "Proofs find the same by any parameters. What others of a midgame search are \
                      worth in games is for the arena to tell.";
        return [first, second.to_owned()];
    }
    let share = |proof: &Proof| format!("{:.1} %", 100.0 * proof.score);
    let chance = outcome.proofs.iter().find(|proof| proof.against == RANDOM);
    let first = match (chance, plan.report_score) {
        (Some(proof), Some(score)) => format!(
            "The winner makes {} of the points against `{RANDOM}`, where the report has {:.1} %.",
            share(proof),
            100.0 * score
        ),
        (Some(proof), None) => {
            format!("The winner makes {} of the points against `{RANDOM}`.", share(proof))
        }
        (None, _) => "The winner has not played against chance.".to_owned(),
    };
    let told = |proof: &Proof| {
        let verdict = match (proof.low > 0.5, proof.high < 0.5) {
            (true, _) => "is better than",
            (_, true) => "is worse than",
            _ => "cannot be told from",
        };
        format!("{verdict} `{}` ({})", proof.against, share(proof))
    };
    let others = outcome.proofs.iter().filter(|proof| proof.against != RANDOM);
    let verdicts: Vec<String> = others.map(told).collect();
    let limit = match (plan.games.depth, plan.games.nodes) {
        (Some(1), None) => "One move ahead".to_owned(),
        (Some(depth), None) => format!("{depth} moves ahead"),
        (None, Some(nodes)) => format!("With {nodes} boards a move"),
        _ => "Looking as far".to_owned(),
    };
    let arena = "what it is worth in a deeper search is for the arena to tell";
    let second = match verdicts.is_empty() {
        true => format!("It has met nobody else; {arena}."),
        false => format!("{limit} it {}; {arena}.", verdicts.join(", and ")),
    };
    [first, second]
}

/// Why the winner's figure differs from the report's, as far as the games show.
fn why(plan: &Plan, outcome: &Outcome) -> Option<String> {
    let score = plan.report_score?;
    let before = outcome.before.as_ref()?;
    let [was, low, high] = [before.score, before.low, before.high].map(|share| 100.0 * share);
    let found = format!(
        "By the same measure the agent makes {was:.1} % ({low:.1} to {high:.1}) with the numbers \
         that it had before"
    );
    Some(match (before.low..=before.high).contains(&score) {
        true => format!("{found}, as in the report: the rest is what this search gained."),
        false => format!(
            "{found}: if those are the report's, its {:.1} % was not measured quite like this, and \
             only what is beyond {was:.1} % was gained by this search.",
            100.0 * score
        ),
    })
}

fn notes(plan: &Plan, outcome: &Outcome) -> Vec<String> {
    let log = "`log.jsonl` has every individual; a compressed one is read by `zcat log.jsonl.gz`.";
    let winner = format!("The winner as an agent: `{}`.", outcome.agent);
    if let Objective::Effort(_) = plan.objective {
        let chosen = format!(
            "The winner is the fittest of {} finalists in fresh positions, ten times as many as a \
             generation's. A search costs what its nodes, evaluations and looks into the table do, \
             in instructions.",
            outcome.finalists.len()
        );
        return vec![chosen, winner, log.to_owned()];
    }
    let ending = plan.games.ending;
    let decided = match ending {
        0 => "Games are played to their end.".to_owned(),
        _ => format!(
            "Games are decided by proof as soon as {ending} squares are empty, as if both sides \
             played on perfectly."
        ),
    };
    let mut notes: Vec<String> = why(plan, outcome).into_iter().collect();
    notes.extend([
        decided,
        format!(
            "The winner is the fittest of {} finalists in fresh games: the best of the last \
             generations, and the centre of the better half of the last one. Its figures are from \
             other fresh games, each opening played with both colours; intervals are by how pairs \
             scatter.",
            outcome.finalists.len()
        ),
        winner,
        log.to_owned(),
    ]);
    notes
}

fn parameters(plan: &Plan, catalogue: &Catalogue, outcome: &Outcome) -> Table {
    let caption = "The parameters that were tuned, as they were and as they are.";
    let mut table =
        Table::new("parameters", caption, &[("parameter", 0), ("before", 4), ("after", 4)]);
    let Games { rule, size, .. } = plan.games;
    let tuned = catalogue.parameters_in(&outcome.agent, rule, size).ok().flatten();
    let tuned = tuned.expect("the winner has parameters");
    for (parameter, before) in plan.space.parameters().zip(plan.space.start()) {
        let after = tuned.get(&parameter.name);
        table.row([parameter.name.as_str().into(), before.into(), after.into()]);
    }
    table
}

fn generations(history: &[Generation]) -> Table {
    let columns = [("generation", 0), ("games", 0), ("best", 4), ("mean", 4)];
    let mut table = Table::new("generations", "The fitness of every generation.", &columns);
    for each in history {
        let number = u64::from(each.generation);
        table.row([number.into(), each.games.into(), each.best.into(), each.mean.into()]);
    }
    table
}

fn matches(outcome: &Outcome) -> Table {
    let columns = [
        ("against", 0),
        ("openings", 0),
        ("won", 0),
        ("drawn", 0),
        ("lost", 0),
        ("score", 4),
        ("low", 4),
        ("high", 4),
    ];
    let caption = "What the winner is worth: shares of the points with their 95 % intervals.";
    let mut table = Table::new("matches", caption, &columns);
    for proof in &outcome.proofs {
        table.row([
            proof.against.as_str().into(),
            proof.openings.as_str().into(),
            proof.counts.wins.into(),
            proof.counts.draws.into(),
            proof.counts.losses.into(),
            proof.score.into(),
            proof.low.into(),
            proof.high.into(),
        ]);
    }
    table
}

fn timings(plan: &Plan, spent: &Spent) -> Timings {
    let report = plan.report_seconds.map_or(Figure::None, |seconds| Figure::exact(seconds, 0));
    let mut comparisons = vec![Comparison::new("seconds", report, Figure::exact(spent.seconds, 1))];
    if let Some(seconds) = spent.processor_seconds {
        comparisons.push(Comparison::ours("processor seconds", Figure::exact(seconds, 1)));
    }
    comparisons.push(Comparison::ours("threads", Figure::exact(spent.threads as f64, 0)));
    let mut notes = Vec::new();
    if spent.earlier_generations > 0 {
        notes.push(format!(
            "The first {} generations were judged by an earlier run, whose time is not counted.",
            spent.earlier_generations
        ));
    }
    Timings { comparisons, notes, ..Timings::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_arena::Counts;

    #[test]
    fn a_report_s_figures_stand_beside_ours() {
        let catalogue = isrever_reports::catalogue();
        let text = "name = \"ten weights\"\nagent = \"greedy:by=squares\"\n\
                    parameters = [\"a1\", \"d4\"]\nreport-score = 0.85\nreport-seconds = 10000.0";
        let plan = super::super::Spec::read(text).unwrap().settle(&catalogue).unwrap();
        let counts = (0..500).map(|_| Counts::of_pair([1, 1])).sum::<Counts>();
        let outcome = Outcome {
            agent: plan.space.spec(&[0.5, -0.25]).to_string(),
            preset: plan.space.preset(&[0.5, -0.25]),
            generations: 1,
            games: 1_000,
            finalists: vec![1.0],
            proofs: vec![
                Proof::new("random", "start", counts),
                Proof::new("greedy:by=squares", "random:8", counts.turned()),
            ],
            before: Some(Proof::new("random", "start", counts)),
        };
        let history = [Generation::new(0, 10, vec![vec![0.5, -0.25]], vec![1.0])];
        let spent = Spent {
            seconds: 20.0,
            processor_seconds: Some(38.5),
            threads: 2,
            earlier_generations: 1,
        };
        let found = findings(&plan, &catalogue, &history, &outcome, &spent);
        assert_eq!(found.title, "ten weights");
        let report = |place: usize| found.comparisons[place].report.to_string();
        assert_eq!((report(0), report(1)), ("85.0".to_owned(), "–".to_owned()));
        assert_eq!(
            found.meaning,
            [
                "The winner makes 100.0 % of the points against `random`, where the report has \
                 85.0 %.",
                "One move ahead it is worse than `greedy:by=squares` (0.0 %); what it is worth in \
                 a deeper search is for the arena to tell."
            ]
        );
        assert!(
            found.notes[0].starts_with("By the same measure the agent makes 100.0 % (99."),
            "{}",
            found.notes[0]
        );
        assert!(found.notes[0].contains("its 85.0 % was not measured quite like this"));
        let parameters = found.tables[0].csv();
        assert!(parameters.ends_with("a1,0.5829,0.5000\nd4,-0.7308,-0.2500\n"), "{parameters}");
        let timings = found.timings.unwrap();
        assert_eq!(timings.comparisons[0].report.to_string(), "10,000");
        assert!(timings.notes[0].contains("first 1 generations"));
    }
}
