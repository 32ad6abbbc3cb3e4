//! The battle platform without HTTP: accounts, submissions, ladder and final in one SQLite file.
//!
//! What is here: [`Club`], the open file, and what people may do with it. Every
//! change that somebody makes is in the audit log, in the same transaction.
//! Passwords are kept as argon2id hashes; log-ins, invitations and tokens as
//! hashes of codes that nobody can guess. Callers pass in the time. Points and
//! ratings are not kept but counted, so that what is shown can be counted again.
//! What is not: HTTP, pages, and the sandbox in which games are played.

mod account;
mod audit;
mod battle;
mod casual;
mod class;
mod club;
mod final_round;
mod game;
mod invitation;
mod ladder;
mod limiter;
mod password;
mod practice;
mod queue;
mod report;
mod review;
mod schema;
pub mod secret;
mod session;
mod setting;
mod terms;
mod token;
mod version;
mod weakness;

pub use account::{Account, AccountId, NameError, Role};
pub use audit::Entry;
pub use battle::{
    Battle, BattleId, BattleKind, ChallengeError, Contestant, Player, Summary, Wanted,
};
pub use casual::{CASUAL_SIZES, Casual, CasualError, OpenAgent, Reply, ToReply, Turn};
pub use class::{ClassError, Enrolled, Enrolment, FaultKind, RowFault};
pub use club::{Club, ClubError, OpenError};
pub use final_round::{Final, FinalError, FinalId, FinalRow, FinalState, Finalist, Grade, grade};
pub use game::{GameId, GameState, Live, Outcome, Record, ToPlay};
pub use invitation::{Invitation, InvitationError, Open as OpenInvitation};
pub use ladder::{Ladder, Rung};
pub use limiter::Limiter;
pub use password::{PasswordError, Work};
pub use practice::practice;
pub use queue::{Backlog, Job, JobError, JobKind, Trouble};
pub use report::{CheckProgress, CheckTotal, CheckedCase, Report};
pub use review::{Judged, Review};
pub use secret::RandomError;
pub use session::{LogInError, Session, Visitor};
pub use terms::{Doors, Terms, TermsError};
pub use token::Token;
pub use version::{SubmitError, Version, VersionId, VersionState};
pub use weakness::{Against, Failures, Mistake, Share, Weaknesses};
