//! Agents of a catalogue that take an exam.

use super::{Question, SIZE};
use isrever_agent::{AgentSpec, Catalogue, Forfeit, Limits, Reason};
use isrever_board::{Color, Game, Position, Rule, Square};
use rayon::prelude::*;
use std::fmt;

/// An agent that takes an exam.
#[derive(Clone, Copy)]
pub struct AgentCandidate<'a> {
    /// Makes the agent.
    pub catalogue: &'a Catalogue,
    /// The agent, with its limits.
    pub spec: &'a AgentSpec,
    /// The rule.
    pub rule: Rule,
}

impl AgentCandidate<'_> {
    /// Answers every question, on the threads of the current pool; calls `done` after each.
    ///
    /// # Errors
    /// If the agent forfeits at a question.
    ///
    /// # Panics
    /// If the catalogue cannot make the agent.
    pub fn take(
        &self,
        questions: &[Question],
        done: &(dyn Fn() + Sync),
    ) -> Result<Vec<Square>, Unanswered> {
        let answer = |(place, question): (usize, &Question)| {
            let number = place + 1;
            let answer = self.answer(number as u64, question);
            done();
            answer.map_err(|forfeit| Unanswered { number, forfeit })
        };
        questions.par_iter().enumerate().map(answer).collect()
    }

    /// The answer of a new agent, whose random choices come from `seed`: one question must not help
    /// with the next.
    fn answer(&self, seed: u64, question: &Question) -> Result<Square, Forfeit> {
        let board = question.board();
        let position = Position::from_board(board, SIZE, Color::Black);
        let game = Game::from_position(self.rule, position.expect("a question has discs"));
        let agent = self.catalogue.make(self.spec, seed);
        let mut agent = agent.expect("the caller has checked the spec");
        let square = agent.choose(&game, &Limits::default())?.square;
        match board.moves(SIZE) & square.bit() {
            0 => Err(Forfeit::new(Reason::Illegal, format!("{square} is not a legal move"))),
            _ => Ok(square),
        }
    }
}

/// A question that an agent did not answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unanswered {
    /// The number of the question, from 1.
    pub number: usize,
    /// What went wrong.
    pub forfeit: Forfeit,
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unanswered { number, forfeit } = self;
        write!(f, "no answer to position {number} ({forfeit}); expected a legal move")
    }
}

impl std::error::Error for Unanswered {}

#[cfg(test)]
mod tests {
    use super::super::tests::questions;
    use super::*;
    use isrever_agent::{Agent, Choice, Entry};

    /// Plays where nobody may.
    struct Cheat;

    impl Agent for Cheat {
        fn name(&self) -> String {
            "cheat".to_owned()
        }

        fn choose(&mut self, game: &Game, _: &Limits) -> Result<Choice, Forfeit> {
            let board = game.position().board().expect("an exam is on 8x8");
            Ok(isrever_board::squares(board.player).next().expect("it has a disc").into())
        }
    }

    fn take(spec: &str, questions: &[Question]) -> Result<Vec<Square>, Unanswered> {
        let mut catalogue = isrever_players::catalogue();
        catalogue.add(Entry::new("cheat", "lies", |_, _| Ok(Box::new(Cheat))));
        let spec = AgentSpec::new(spec);
        let rule = Rule::Reversed;
        AgentCandidate { catalogue: &catalogue, spec: &spec, rule }.take(questions, &|| {})
    }

    #[test]
    fn agents_that_see_to_the_end_make_no_mistake() {
        let questions = questions(Rule::Reversed);
        for spec in ["engine:depth=60", "zero:playouts=1"] {
            // Both prove endings as short as these.
            let answers = take(spec, &questions).unwrap();
            for (question, answer) in questions.iter().zip(answers) {
                let mut solver = super::super::solver(
                    Rule::Reversed,
                    super::super::tests::carried(Rule::Reversed),
                );
                let score = question.score_of(answer, &mut solver, isrever_search::Control::NONE);
                assert_eq!(score, Some(question.best()), "{spec}");
            }
        }
    }

    #[test]
    fn the_same_agent_answers_alike_and_chance_differs_by_question() {
        let questions = questions(Rule::Reversed);
        let twice = [&questions[..1], &questions[..1]].concat();
        assert_eq!(take("random", &twice), take("random", &twice));
        let many: Vec<Question> = std::iter::repeat_n(questions[0].clone(), 30).collect();
        let answers = take("random", &many).unwrap();
        assert!(answers.iter().any(|&square| square != answers[0]), "{answers:?}");
    }

    #[test]
    fn an_illegal_answer_is_told_with_its_question() {
        let questions = questions(Rule::Reversed);
        let error = take("cheat", &questions).unwrap_err().to_string();
        assert!(error.starts_with("no answer to position "), "{error}");
        assert!(error.ends_with("is not a legal move); expected a legal move"), "{error}");
    }
}
