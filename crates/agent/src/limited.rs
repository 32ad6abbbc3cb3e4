//! An agent that keeps limits of its own, however much its caller allows.

use crate::settings::Settings;
use crate::spec::SpecError;
use crate::{Agent, Candidate, Choice, Forfeit, Limits, Share};
use isrever_board::{Color, Game};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Another agent within its own limits: `maximax:time=1s`.
pub struct Limited {
    agent: Box<dyn Agent>,
    share: Share,
}

impl Limited {
    /// `agent` within `share`; the bare agent if `share` limits nothing.
    #[expect(clippy::new_ret_no_self, reason = "an agent without limits needs no wrapper")]
    pub fn new(agent: Box<dyn Agent>, share: Share) -> Box<dyn Agent> {
        if share == Share::default() { agent } else { Box::new(Limited { agent, share }) }
    }

    /// `agent` within the limits among its last settings, which must be all that is left of them.
    pub fn wrap(
        agent: Box<dyn Agent>,
        mut settings: Settings<'_>,
    ) -> Result<Box<dyn Agent>, SpecError> {
        let share = settings.share()?;
        settings.finish()?;
        Ok(Limited::new(agent, share))
    }
}

impl Agent for Limited {
    fn name(&self) -> String {
        self.agent.name()
    }

    fn prepare(
        &mut self,
        game: &Game,
        color: Color,
        time: Option<Duration>,
    ) -> Result<(), Forfeit> {
        let time = time.into_iter().chain(self.share.time).min();
        self.agent.prepare(game, color, time)
    }

    fn await_turn(&mut self, stop: &AtomicBool) {
        self.agent.await_turn(stop);
    }

    fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, Forfeit> {
        self.agent.choose(game, &limits.tightened(&self.share))
    }

    fn candidates(&self) -> Vec<Candidate> {
        self.agent.candidates()
    }

    fn take_printed(&mut self) -> Option<String> {
        self.agent.take_printed()
    }

    fn answer_time(&self) -> Option<Duration> {
        self.agent.answer_time()
    }

    fn settle(&mut self) {
        self.agent.settle();
    }
}
