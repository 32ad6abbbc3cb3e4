//! A job with everything that it depends on, and what came of it: plain data that goes anywhere.

use isrever_agent::{Choice, Forfeit, Reason};
use isrever_arena::Played;
use isrever_club::{
    Club, ClubError, Job, JobKind, Outcome, Player, Reply, Report, Review, Terms, ToPlay, ToReply,
};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A job with everything that it depends on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Assignment {
    /// Check a submission.
    Check {
        /// Its source.
        source: String,
        /// What it is to play.
        terms: Terms,
    },
    /// Play a game.
    Game {
        /// The game.
        game: ToPlay,
        /// The sources of black and white, where they are versions.
        sources: [Option<String>; 2],
    },
    /// Review a game.
    Review {
        /// The game.
        played: Played,
    },
    /// Let an agent reply to a person.
    Reply {
        /// The question.
        asked: ToReply,
        /// The agent's source.
        source: String,
    },
}

/// What came of a job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The submission was checked.
    Checked(Report),
    /// The game was played.
    Played {
        /// The game.
        played: Played,
        /// What black and white printed.
        outputs: [String; 2],
        /// How long it took, in milliseconds.
        millis: i64,
    },
    /// The game was reviewed.
    Reviewed(Review),
    /// The agent replied.
    Replied(Replied),
    /// The machine could not do it, for this reason; that says nothing of the agents.
    Impossible(String),
}

/// The reply of an agent as plain data.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Replied {
    /// The square, unless the agent failed.
    square: Option<String>,
    value: Option<f64>,
    depth: Option<u32>,
    nodes: u64,
    /// How it failed, in one word, and in more.
    reason: Option<String>,
    details: String,
    micros: u64,
    output: String,
}

impl From<Reply> for Replied {
    fn from(reply: Reply) -> Replied {
        let (choice, forfeit) = match reply.answer {
            Ok(choice) => (Some(choice), None),
            Err(forfeit) => (None, Some(forfeit)),
        };
        Replied {
            square: choice.map(|choice| choice.square.to_string()),
            value: choice.and_then(|choice| choice.value.filter(|value| value.is_finite())),
            depth: choice.and_then(|choice| choice.depth),
            nodes: choice.map_or(0, |choice| choice.nodes),
            reason: forfeit.as_ref().map(|forfeit| forfeit.reason.word().to_owned()),
            details: forfeit.map_or_else(String::new, |forfeit| forfeit.details),
            micros: u64::try_from(reply.taken.as_micros()).unwrap_or(u64::MAX),
            output: reply.output,
        }
    }
}

impl From<&Replied> for Reply {
    fn from(replied: &Replied) -> Reply {
        let Replied { square, value, depth, nodes, reason, details, micros, output } = replied;
        let answer = match square.as_ref().and_then(|square| square.parse().ok()) {
            Some(square) => Ok(Choice { square, value: *value, depth: *depth, nodes: *nodes }),
            None => {
                let reason = reason.as_deref().and_then(Reason::from_word);
                Err(Forfeit::new(reason.unwrap_or(Reason::Garbage), details.clone()))
            }
        };
        Reply { answer, taken: Duration::from_micros(*micros), output: output.clone() }
    }
}

impl Assignment {
    /// Everything that a job depends on.
    pub(crate) fn new(club: &Club, job: &Job) -> Result<Assignment, ClubError> {
        let source = |id| {
            let bytes = club.source_to_judge(id)?;
            // What is submitted is text.
            String::from_utf8(bytes).map_err(|_| ClubError::NoVersion)
        };
        Ok(match job.kind {
            JobKind::Check => {
                Assignment::Check { source: source(job.subject)?, terms: club.terms()? }
            }
            JobKind::Game => {
                let game = club.game_to_play(job)?;
                let of = |player: &Player| player.version().map(source).transpose();
                let sources = [of(&game.players[0])?, of(&game.players[1])?];
                Assignment::Game { game, sources }
            }
            JobKind::Review => Assignment::Review { played: club.game_to_review(job)? },
            JobKind::Reply => {
                let asked = club.reply_to_give(job)?;
                Assignment::Reply { source: source(asked.version)?, asked }
            }
        })
    }
}

impl Verdict {
    /// Keeps what came of a job; or sets the job aside, and says why.
    pub(crate) fn keep(
        &self,
        club: &Club,
        job: &Job,
        now: i64,
    ) -> Result<Option<String>, ClubError> {
        match self {
            Verdict::Checked(report) => club.finish_check(job, report, now)?,
            Verdict::Played { played, outputs, millis } => {
                let outputs = outputs.each_ref().map(String::as_str);
                club.finish_game(job, &Outcome { played, outputs, millis: *millis }, now)?;
            }
            Verdict::Reviewed(review) => club.finish_review(job, review)?,
            Verdict::Replied(replied) => club.finish_reply(job, &replied.into(), now)?,
            Verdict::Impossible(reason) => {
                club.set_job_aside(job, reason)?;
                return Ok(Some(reason.clone()));
            }
        }
        Ok(None)
    }
}
