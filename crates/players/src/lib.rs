//! All built-in agents in one catalogue: the one list that every screen and command shows.
//!
//! The crates that have agents do not know each other; here they are put
//! together. What is not here: programs of other people, which those who allow
//! them enter themselves (`isrever-guest`).

use isrever_agent::{Agent, Catalogue, Parameters};
use isrever_engine::{Player, PlayerSettings};
use isrever_reports::Genetic;

/// The built-in agents, roughly the weakest first.
pub fn catalogue() -> Catalogue {
    let mut catalogue = isrever_reports::catalogue();
    catalogue.add(isrever_engine::entry(larger_boards));
    catalogue
}

/// The engine, for boards of every size.
pub fn engine(settings: PlayerSettings) -> Player {
    Player::new(settings).with_larger_boards(larger_boards())
}

/// The player on boards larger than 8×8, where the engine's search cannot: the best of the
/// reports' agents.
fn larger_boards() -> Box<dyn Agent> {
    Box::new(Genetic::new(Parameters::new(Genetic::table())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use isrever_agent::{Entry, Limits};
    use isrever_board::{Game, Rule, Size};

    #[test]
    fn the_list_is_in_its_order() {
        let names: Vec<&str> = catalogue().entries().iter().map(Entry::name).collect();
        let expected = [
            "random",
            "greedy",
            "random-invincible",
            "greedy-invincible",
            "depth3",
            "threestage",
            "fourstage",
            "genetic",
            "maximax",
            "mcts",
            "engine",
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn on_larger_boards_the_engine_plays_as_genetic() {
        let game = Game::new(Rule::Reversed, Size::new(10).unwrap());
        let choose = |spec: &str| {
            let limits = Limits::of_nodes(500);
            catalogue().make(spec, 1).unwrap().choose(&game, &limits).unwrap()
        };
        assert_eq!(choose("engine:level=3"), choose("genetic"));
    }
}
