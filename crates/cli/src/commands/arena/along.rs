//! Ratings by a number in the agents' specs, as a picture: `arena show --along playouts`.

use isrever_agent::AgentSpec;
use isrever_arena::{Plan, Rating, Standings};
use isrever_lab::plot::{Series, series_along_tens};

/// A rated agent with a number.
struct Numbered {
    /// The agent without the number.
    rest: String,
    at: f64,
    rating: Rating,
}

/// The ratings of the agents that have a number for `key`, a line for those that differ in nothing
/// else, and the others as level lines; nothing if no agent has a number.
pub(super) fn picture(plan: &Plan, standings: &Standings, key: &str) -> Option<String> {
    let mut numbered: Vec<Numbered> = Vec::new();
    let mut fixed: Vec<(&str, Rating)> = Vec::new();
    for row in standings.rows().into_iter().filter(|row| row.counts.games() > 0) {
        let player = &plan.players[row.player];
        match number(&player.agent, key) {
            Some(at) => {
                let rest = player.agent.without(|given| given == key).to_string();
                numbered.push(Numbered { rest, at, rating: row.rating });
            }
            None => fixed.push((&player.name, row.rating)),
        }
    }
    numbered.sort_by(|one, other| one.at.total_cmp(&other.at));
    let [first, last] = [numbered.first()?.at, numbered.last()?.at];
    let mut lines: Vec<Series> = Vec::new();
    let mut drawn: Vec<&str> = Vec::new();
    for Numbered { rest, .. } in &numbered {
        if !drawn.contains(&rest.as_str()) {
            drawn.push(rest);
            let own = numbered.iter().filter(|other| other.rest == *rest);
            let points = own.map(|one| (one.at, one.rating.elo, reach(&one.rating)));
            lines.push(Series::line(rest, points.collect()));
        }
    }
    lines.extend(fixed.iter().map(|(name, rating)| {
        Series::line(name, [first, last].map(|at| (at, rating.elo, 0.0)).to_vec())
    }));
    let title = format!("Strength by {key}, 95 % intervals as a band");
    Some(series_along_tens(&title, [key, "Elo, 0 the mean of all players"], &lines))
}

/// The number of an agent for `key`, if it is one that has a place on the axis.
fn number(agent: &AgentSpec, key: &str) -> Option<f64> {
    agent.get(key)?.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 1.0)
}

/// How far an interval reaches, on its shorter side if the other has no end.
fn reach(rating: &Rating) -> f64 {
    (rating.high - rating.elo).min(rating.elo - rating.low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_from_one_have_a_place() {
        let number = |spec: &str| number(&AgentSpec::new(spec), "playouts");
        assert_eq!(number("zero:playouts=100"), Some(100.0));
        for spec in ["zero", "zero:playouts=many", "zero:playouts=0", "zero:playouts=inf"] {
            assert_eq!(number(spec), None, "{spec}");
        }
    }
}
