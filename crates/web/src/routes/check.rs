//! Streams the usability test of an own agent's file.

use crate::app::App;
use crate::caller::Caller;
use crate::callers::Kind;
use crate::checker::Checker;
use crate::receive::{Path, Query};
use crate::refusal::{Code, ErrorBody, Refusal};
use crate::stream::Outbox;
use crate::wire::{RuleWord, any_size_of, events};
use axum::extract::State;
use axum::response::Response;
use isrever_agent::AgentSpec;
use isrever_board::{Rule, Size};
use isrever_club::{CheckTotal, CheckedCase};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use utoipa::{IntoParams, ToSchema};

/// The longest test: no case begins after it.
const MOST_TIME: Duration = Duration::from_secs(600);

/// The boards and games of a test.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckRequest {
    /// The rule of the whole games.
    #[serde(default)]
    rule: RuleWord,
    /// The width of the boards; 8 if missing.
    #[param(minimum = 4, maximum = 16)]
    size: Option<u8>,
}

/// The last event: what all cases come to.
#[derive(Serialize, ToSchema)]
pub(crate) struct Checked {
    reason: CheckReason,
    #[serde(flatten)]
    total: CheckTotal,
}

/// Why a test ended.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum CheckReason {
    /// All cases were tried, as far as they could be.
    Over,
    /// There was no time left for the other cases.
    Time,
}

events! {
    /// An event of a test: a case and what came of it, and the total at the end.
    CheckEvents { "case": CheckedCase, "done": Checked, "failed": ErrorBody, }
}

/// Test the file of one of the owner's agents: a stream
#[utoipa::path(
    get,
    path = "/api/agents/{name}/check",
    operation_id = "check_agent",
    tag = "play",
    params(("name" = String, Path, description = "The agent's name"), CheckRequest),
    responses((status = 200, content_type = "text/event-stream", body = CheckEvents))
)]
pub(crate) async fn check(
    State(app): State<App>,
    caller: Caller,
    Path(name): Path<String>,
    Query(request): Query<CheckRequest>,
) -> Result<Response, Refusal> {
    let own = app.players().own();
    let agent = own.find(&name).ok_or_else(|| {
        Refusal::not_found("no such agent of the owner; expected one of /api/agents with own true")
    })?;
    let size = request.size.map(any_size_of).transpose()?.unwrap_or_default();
    let game = (request.rule.into(), size);
    let Some(checker) = own.checker(agent).filter(|_| agent.games.contains(&game)) else {
        let message = format!("{name} has no test for {size}x{size}; expected a Python file");
        return Err(Refusal::new(Code::BadAgent, message));
    };
    let permit = app.callers().enter(caller, Kind::Stream)?;
    let turn = app.players().begin_check()?;
    let outbox = app.streams().open();
    let reader = outbox.reader();
    let leaver = Leaver::default();
    let test = Test { checker, spec: agent.spec.clone(), game, stop: Arc::clone(&leaver.0) };
    tokio::task::spawn_blocking(move || {
        let _turn = turn;
        test.run(&outbox);
    });
    Ok(reader.response((leaver, permit)))
}

/// Ends the test when it is dropped, because its reader has left.
#[derive(Default)]
struct Leaver(Arc<AtomicBool>);

impl Drop for Leaver {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A test in work.
struct Test {
    checker: Arc<dyn Checker>,
    spec: AgentSpec,
    game: (Rule, Size),
    stop: Arc<AtomicBool>,
}

impl Test {
    fn run(&self, outbox: &Outbox) {
        let end = Instant::now() + MOST_TIME;
        let mut is_late = false;
        let total = self.checker.check(&self.spec, self.game, &self.stop, &mut |case| {
            if self.stop.load(Ordering::Relaxed) {
                return false;
            }
            outbox.send("case", &case);
            is_late = Instant::now() >= end;
            !is_late
        });
        match total {
            Ok(total) => {
                let reason = if is_late { CheckReason::Time } else { CheckReason::Over };
                outbox.done(&Checked { reason, total });
            }
            Err(why) => outbox.fail(&Refusal::new(Code::AgentFailed, why)),
        }
    }
}
