//! What administrators do: invite, enrol, set terms, annul, block; and see how all is going.

use super::TermsBody;
use super::people::AccountBody;
use crate::app::App;
use crate::date;
use crate::member::Member;
use crate::receive::{Body, MOST_FILE_BYTES, Path, Query, bytes, whole};
use crate::refusal::{Code, Refusal};
use crate::routes::share::File;
use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use isrever_club::secret::hex;
use isrever_club::{ClubError, Doors, FaultKind, JobKind, OpenInvitation, Role};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// The number of log entries on a page: default and range.
const PAGE: u32 = 100;
const PAGE_RANGE: (u32, u32) = (1, 1_000);

/// The most characters of a reason.
const MOST_REASON: usize = 200;

/// Whom to invite.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InviteRequest {
    role: Role,
    /// The section of the class; may be empty.
    #[serde(default)]
    section: String,
    /// How many may accept it.
    #[schema(minimum = 1, maximum = 1000)]
    uses: u32,
}

/// The code of a link.
#[derive(Serialize, ToSchema)]
pub(crate) struct CodeBody {
    /// What the link ends with; told only once.
    code: String,
}

/// Make an invitation: for administrators
#[utoipa::path(
    post,
    path = "/api/club/invitations",
    operation_id = "invite",
    tag = "club",
    request_body = InviteRequest,
    responses((status = 201, body = CodeBody))
)]
pub(crate) async fn invite(
    member: Member,
    Body(request): Body<InviteRequest>,
) -> Result<(StatusCode, Json<CodeBody>), Refusal> {
    let by = member.id();
    let InviteRequest { role, section, uses } = request;
    let code = member.club.ask(move |club, now| club.invite(by, role, &section, uses, now));
    Ok((StatusCode::CREATED, Json(CodeBody { code: code.await? })))
}

/// Invitations that can still be accepted.
#[derive(Serialize, ToSchema)]
pub(crate) struct InvitationsBody {
    /// Those that last longest first.
    invitations: Vec<OpenInvitationBody>,
}

/// An invitation that can still be accepted, without its code.
#[derive(Serialize, ToSchema)]
struct OpenInvitationBody {
    /// SHA-256 of its code, in hexadecimal digits.
    digest: String,
    /// The account whose password is to be chosen; null if the account is yet to be made.
    name: Option<String>,
    role: Role,
    /// The section of the class; may be empty.
    section: String,
    /// How many may still accept it.
    uses: i64,
    /// When it was made; null if an older program made it.
    created: Option<String>,
    /// Until when it can be accepted.
    expires: String,
}

/// Invitations that can still be accepted: for administrators
#[utoipa::path(
    get,
    path = "/api/club/invitations",
    operation_id = "list_invitations",
    tag = "club",
    responses((status = 200, body = InvitationsBody))
)]
pub(crate) async fn invitations(member: Member) -> Result<Json<InvitationsBody>, Refusal> {
    let by = member.id();
    let found = member.club.ask(move |club, now| club.invitations(by, now)).await?;
    let open = |one: OpenInvitation| OpenInvitationBody {
        digest: hex(&one.digest),
        name: one.invitation.name,
        role: one.invitation.role,
        section: one.invitation.section,
        uses: one.uses,
        created: one.created.map(date::words),
        expires: date::words(one.expires),
    };
    Ok(Json(InvitationsBody { invitations: found.into_iter().map(open).collect() }))
}

/// Withdraw an invitation: for administrators
#[utoipa::path(
    delete,
    path = "/api/club/invitations/{code}",
    operation_id = "withdraw_invitation",
    tag = "club",
    params(("code" = String, Path, description = "The digest of its code, as the list has it")),
    responses((status = 204, description = "It is done"))
)]
pub(crate) async fn withdraw(
    member: Member,
    Path(digest): Path<String>,
) -> Result<StatusCode, Refusal> {
    let by = member.id();
    member.club.ask(move |club, now| club.withdraw(by, &digest, now)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// What becomes of a class list with wrong rows.
#[derive(Clone, Copy, PartialEq, Eq, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Take {
    /// All of it is taken, or nothing.
    #[default]
    All,
    /// The right rows are taken.
    Right,
}

/// How a class list is taken.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct EnrolRequest {
    /// `right` to leave out wrong rows; with `all`, one wrong row keeps everybody out.
    #[serde(default)]
    #[param(inline)]
    take: Take,
}

/// What became of a class list.
#[derive(Serialize, ToSchema)]
pub(crate) struct EnrolledBody {
    /// The accounts that were made, in the order of the list.
    accounts: Vec<EnrolledAccount>,
    /// Names that existed already, and are left as they are.
    known: Vec<String>,
    /// Names that would have been taken in, were it not for the wrong rows.
    left: Vec<String>,
    /// The wrong rows.
    wrong: Vec<WrongRow>,
}

/// An account that a class list made.
#[derive(Serialize, ToSchema)]
struct EnrolledAccount {
    /// What people call it.
    name: String,
    /// The section of the class; may be empty.
    section: String,
    /// What the link ends with by which its owner chooses a password; told only once.
    code: String,
}

/// A row of a class list that says something impossible.
#[derive(Serialize, ToSchema)]
struct WrongRow {
    /// The line of the file, from 1 with the header.
    line: u64,
    /// The name in it.
    name: String,
    kind: FaultKind,
    /// What is wrong, and what was expected.
    message: String,
}

/// Make the accounts of a class list, CSV with a column `name`: for administrators
#[utoipa::path(
    post,
    path = "/api/club/class",
    operation_id = "enrol_class",
    tag = "club",
    params(EnrolRequest),
    request_body(content((File = "application/octet-stream"))),
    responses((status = 201, body = EnrolledBody))
)]
pub(crate) async fn enrol(
    State(app): State<App>,
    member: Member,
    Query(request): Query<EnrolRequest>,
    sent: Request,
) -> Result<(StatusCode, Json<EnrolledBody>), Refusal> {
    member.administrator()?;
    let list = bytes(&app, sent, MOST_FILE_BYTES).await?;
    let list = String::from_utf8(list.to_vec()).map_err(|_| {
        Refusal::new(Code::BadRequest, "the list is not text; expected CSV in UTF-8")
    })?;
    let by = member.id();
    let is_partial = request.take == Take::Right;
    let enrolment =
        member.club.ask(move |club, now| club.enrol(by, &list, is_partial, now)).await?;
    let account = |one: isrever_club::Enrolled| EnrolledAccount {
        name: one.name,
        section: one.section,
        code: one.code,
    };
    let row = |fault: isrever_club::RowFault| WrongRow {
        line: fault.line,
        name: fault.name,
        kind: fault.kind,
        message: fault.message,
    };
    let body = EnrolledBody {
        accounts: enrolment.enrolled.into_iter().map(account).collect(),
        known: enrolment.known,
        left: enrolment.left,
        wrong: enrolment.faults.into_iter().map(row).collect(),
    };
    Ok((StatusCode::CREATED, Json(body)))
}

/// All accounts.
#[derive(Serialize, ToSchema)]
pub(crate) struct AccountsBody {
    /// By name.
    accounts: Vec<AccountBody>,
}

/// All accounts: for administrators
#[utoipa::path(
    get,
    path = "/api/club/accounts",
    operation_id = "list_accounts",
    tag = "club",
    responses((status = 200, body = AccountsBody))
)]
pub(crate) async fn accounts(member: Member) -> Result<Json<AccountsBody>, Refusal> {
    member.administrator()?;
    let accounts = member.club.ask(|club, _| club.accounts()).await?;
    Ok(Json(AccountsBody { accounts: accounts.iter().map(AccountBody::from).collect() }))
}

/// What to change of an account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AccountChange {
    /// What people are to call it; as it is if missing.
    name: Option<String>,
    /// The section of the class; as it is if missing.
    section: Option<String>,
    /// What it may do; as it is if missing.
    role: Option<Role>,
    /// Whether it may do nothing; as it is if missing.
    blocked: Option<bool>,
}

/// Change an account: for administrators
#[utoipa::path(
    put,
    path = "/api/club/accounts/{id}",
    operation_id = "change_account",
    tag = "club",
    params(("id" = i64, Path, description = "The account's number")),
    request_body = AccountChange,
    responses((status = 200, body = AccountBody))
)]
pub(crate) async fn change_account(
    member: Member,
    Path(id): Path<i64>,
    Body(change): Body<AccountChange>,
) -> Result<Json<AccountBody>, Refusal> {
    let by = member.id();
    let account = member.club.ask(move |club, now| {
        if let Some(name) = &change.name {
            club.rename(by, id, name, now)?;
        }
        if let Some(section) = &change.section {
            club.set_section(by, id, section, now)?;
        }
        if let Some(role) = change.role {
            club.set_role(by, id, role, now)?;
        }
        if let Some(is_blocked) = change.blocked {
            club.set_blocked(by, id, is_blocked, now)?;
        }
        club.account(id)
    });
    Ok(Json((&account.await?).into()))
}

/// Remove an account that has neither submitted nor played: for administrators
#[utoipa::path(
    delete,
    path = "/api/club/accounts/{id}",
    operation_id = "remove_account",
    tag = "club",
    params(("id" = i64, Path, description = "The account's number")),
    responses((status = 204, description = "It is done"))
)]
pub(crate) async fn remove_account(
    member: Member,
    Path(id): Path<i64>,
) -> Result<StatusCode, Refusal> {
    let by = member.id();
    member.club.ask(move |club, now| club.remove_account(by, id, now)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// End an account's password, and get a link by which to choose another: for administrators
#[utoipa::path(
    post,
    path = "/api/club/accounts/{id}/password",
    operation_id = "reset_password",
    tag = "club",
    params(("id" = i64, Path, description = "The account's number")),
    responses((status = 201, body = CodeBody))
)]
pub(crate) async fn reset_password(
    member: Member,
    Path(id): Path<i64>,
) -> Result<(StatusCode, Json<CodeBody>), Refusal> {
    let by = member.id();
    let code = member.club.ask(move |club, now| club.reset_password(by, id, now)).await?;
    Ok((StatusCode::CREATED, Json(CodeBody { code })))
}

/// What to change of the club's settings; what is missing stays as it is.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SettingsRequest {
    /// What new battles are played by.
    terms: Option<TermsBody>,
    /// Whether the ladder goes on.
    ladder_open: Option<bool>,
    /// Whether members may have their agents play others, unrated.
    sparring_open: Option<bool>,
    /// When submissions close, in milliseconds since 1970.
    deadline_ms: Option<i64>,
    /// True to take the deadline away.
    #[serde(default)]
    no_deadline: bool,
}

/// Change the club's settings: for administrators
#[utoipa::path(
    put,
    path = "/api/club/settings",
    operation_id = "change_settings",
    tag = "club",
    request_body = SettingsRequest,
    responses((status = 204, description = "It is done"))
)]
pub(crate) async fn settings(
    member: Member,
    Body(request): Body<SettingsRequest>,
) -> Result<StatusCode, Refusal> {
    let by = member.id();
    let terms = request.terms.as_ref().map(|terms| {
        let message = "the board has no such size; expected 4, 6, 8, 10, 12, 14 or 16";
        terms.terms().ok_or_else(|| Refusal::of("terms.size", Code::BadRequest, message))
    });
    let terms = terms.transpose()?;
    member
        .club
        .ask(move |club, now| {
            if let Some(terms) = terms {
                club.set_terms(by, terms, now)?;
            }
            let doors = club.doors()?;
            let wanted = Doors {
                ladder: request.ladder_open.unwrap_or(doors.ladder),
                sparring: request.sparring_open.unwrap_or(doors.sparring),
            };
            if wanted != doors {
                club.set_doors(by, wanted, now)?;
            }
            if request.no_deadline || request.deadline_ms.is_some() {
                club.set_deadline(by, request.deadline_ms, now)?;
            }
            Ok::<_, ClubError>(())
        })
        .await?;
    member.administrator()?;
    Ok(StatusCode::NO_CONTENT)
}

/// Checks a reason.
fn reason(text: &str) -> Result<String, Refusal> {
    let text = text.trim();
    let is_plain = !text.is_empty() && !text.contains(char::is_control);
    if is_plain && text.chars().count() <= MOST_REASON {
        return Ok(text.to_owned());
    }
    let message = format!("not a reason; expected 1 to {MOST_REASON} characters on one line");
    Err(Refusal::of("reason", Code::BadRequest, message))
}

/// Why a game is annulled, and whether it is played again.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnnulRequest {
    /// For everybody to read.
    reason: String,
    /// Whether it is played again.
    #[serde(default)]
    again: bool,
}

/// Annul a game, and perhaps have it played again: for administrators
#[utoipa::path(
    post,
    path = "/api/club/games/{id}/annulment",
    operation_id = "annul_game",
    tag = "club",
    params(("id" = i64, Path, description = "The game's number")),
    request_body = AnnulRequest,
    responses((status = 204, description = "It is done"))
)]
pub(crate) async fn annul(
    member: Member,
    Path(id): Path<i64>,
    Body(request): Body<AnnulRequest>,
) -> Result<StatusCode, Refusal> {
    let (by, reason) = (member.id(), reason(&request.reason)?);
    member.club.ask(move |club, now| club.annul(by, id, &reason, request.again, now)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Why a version is blocked.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BlockRequest {
    /// For its author, and for the log.
    reason: String,
}

/// Block a version: for administrators
#[utoipa::path(
    post,
    path = "/api/club/versions/{id}/block",
    operation_id = "block_version",
    tag = "club",
    params(("id" = i64, Path, description = "The version's number among all")),
    request_body = BlockRequest,
    responses((status = 204, description = "It is done"))
)]
pub(crate) async fn block(
    member: Member,
    Path(id): Path<i64>,
    Body(request): Body<BlockRequest>,
) -> Result<StatusCode, Refusal> {
    let (by, reason) = (member.id(), reason(&request.reason)?);
    member.club.ask(move |club, now| club.block_version(by, id, &reason, now)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Let a version that was blocked be what its check made it: for administrators
#[utoipa::path(
    delete,
    path = "/api/club/versions/{id}/block",
    operation_id = "unblock_version",
    tag = "club",
    params(("id" = i64, Path, description = "The version's number among all")),
    responses((status = 204, description = "It is done"))
)]
pub(crate) async fn unblock(member: Member, Path(id): Path<i64>) -> Result<StatusCode, Refusal> {
    let by = member.id();
    member.club.ask(move |club, now| club.unblock_version(by, id, now)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Which entries of the log are wanted.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogRequest {
    /// The `next` of the page before.
    before: Option<i64>,
    /// How many; 100 if missing.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<u32>,
}

/// An entry of the log.
#[derive(Serialize, ToSchema)]
struct EntryBody {
    /// Its number; later ones have larger ones.
    id: i64,
    /// When.
    time: String,
    /// Who did it; null for the server itself.
    actor: Option<String>,
    /// What was done, such as `log-in`.
    action: String,
    /// To whom or to what.
    subject: String,
}

/// A page of the log.
#[derive(Serialize, ToSchema)]
pub(crate) struct LogBody {
    /// Newest first.
    entries: Vec<EntryBody>,
    /// The `before` of the next page; null if this is the last.
    next: Option<i64>,
}

/// Who did what, and when: for administrators
#[utoipa::path(
    get,
    path = "/api/club/log",
    operation_id = "show_log",
    tag = "club",
    params(LogRequest),
    responses((status = 200, body = LogBody))
)]
pub(crate) async fn log(
    member: Member,
    Query(request): Query<LogRequest>,
) -> Result<Json<LogBody>, Refusal> {
    let limit = whole("limit", request.limit.unwrap_or(PAGE), PAGE_RANGE)?;
    let by = member.id();
    // One more than wanted tells whether there is another page.
    let found = member.club.ask(move |club, _| club.log(by, request.before, limit + 1)).await?;
    let is_last = found.len() <= limit as usize;
    let entry = |entry: isrever_club::Entry| EntryBody {
        id: entry.id,
        time: date::words(entry.time),
        actor: entry.actor,
        action: entry.action,
        subject: entry.subject,
    };
    let entries: Vec<EntryBody> = found.into_iter().take(limit as usize).map(entry).collect();
    let next = entries.last().filter(|_| !is_last).map(|entry| entry.id);
    Ok(Json(LogBody { entries, next }))
}

/// A job that was set aside.
#[derive(Serialize, ToSchema)]
struct TroubleBody {
    /// What was to be done: `check`, `game` or `review`.
    kind: String,
    /// The version's or the game's number.
    subject: i64,
    /// Why it was not done.
    reason: String,
}

/// How all is going.
#[derive(Serialize, ToSchema)]
pub(crate) struct StateBody {
    /// Jobs that wait for a judge.
    waiting: u64,
    /// Jobs that judges are at.
    taken: u64,
    /// Jobs that were set aside.
    troubles: Vec<TroubleBody>,
    /// How many judges the server keeps on its own machine.
    judges: usize,
    /// How many judges that play games have lately given a sign of life, here or elsewhere.
    judges_there: u64,
    /// The Python that the newest version which was checked ran on, with its numpy and numba; null
    /// before the first check.
    python: Option<String>,
    /// How many milliseconds the latest games by the present terms took on average; null if there
    /// were none.
    game_millis: Option<i64>,
    /// Bytes that are free where the club's file is; null if that is unknown.
    disk_bytes: Option<u64>,
}

/// The queue, the judges and the disk: for administrators
#[utoipa::path(
    get,
    path = "/api/club/state",
    operation_id = "show_state",
    tag = "club",
    responses((status = 200, body = StateBody))
)]
pub(crate) async fn state(
    State(app): State<App>,
    member: Member,
) -> Result<Json<StateBody>, Refusal> {
    member.administrator()?;
    let judges = app.settings().judges;
    let state = member.club.ask(move |club, now| {
        let backlog = club.backlog(now)?;
        let trouble = |trouble: isrever_club::Trouble| TroubleBody {
            kind: JobKind::word(trouble.kind).to_owned(),
            subject: trouble.subject,
            reason: trouble.reason,
        };
        Ok::<_, ClubError>(StateBody {
            waiting: backlog.waiting,
            taken: backlog.taken,
            troubles: club.troubles()?.into_iter().map(trouble).collect(),
            judges,
            judges_there: club.judges(now)?,
            python: club.python()?,
            game_millis: club.usual_millis(&club.terms()?)?,
            disk_bytes: crate::disk::free_bytes(club.directory()),
        })
    });
    Ok(Json(state.await?))
}

/// Have all jobs that were set aside tried again: for administrators
#[utoipa::path(
    post,
    path = "/api/club/state/retry",
    operation_id = "retry_troubles",
    tag = "club",
    responses((status = 204, description = "It is done"))
)]
pub(crate) async fn retry(member: Member) -> Result<StatusCode, Refusal> {
    member.administrator()?;
    member.club.ask(|club, _| club.retry_troubles()).await?;
    Ok(StatusCode::NO_CONTENT)
}
