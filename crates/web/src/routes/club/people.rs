//! Who belongs to a club: log-in, invitations, one's own password and tokens.

use super::TermsBody;
use crate::app::App;
use crate::caller::Caller;
use crate::callers::Kind;
use crate::club::ServedClub;
use crate::date;
use crate::member::{Member, bearer, cookie, set_cookie, visitor};
use crate::receive::{Body, Path};
use crate::refusal::Refusal;
use axum::Json;
use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use isrever_club::{Account, Role, Session, Visitor};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Somebody who belongs to the club.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct AccountBody {
    /// Its number.
    id: i64,
    /// What people call it.
    name: String,
    /// The section of the class; may be empty.
    section: String,
    role: Role,
    /// Whether it has chosen a password.
    has_password: bool,
    /// Whether it may do nothing.
    blocked: bool,
    /// When it was made.
    created: String,
}

impl From<&Account> for AccountBody {
    fn from(account: &Account) -> AccountBody {
        AccountBody {
            id: account.id,
            name: account.name.clone(),
            section: account.section.clone(),
            role: account.role,
            has_password: account.has_password,
            blocked: account.is_blocked,
            created: date::words(account.created),
        }
    }
}

/// Who has logged in.
#[derive(Serialize, ToSchema)]
pub(crate) struct VisitorBody {
    account: AccountBody,
    /// What changes must bring in the header `X-Form-Code`; null for programs with a token.
    form: Option<String>,
}

impl From<&Visitor> for VisitorBody {
    fn from(visitor: &Visitor) -> VisitorBody {
        VisitorBody { account: (&visitor.account).into(), form: Some(visitor.form.clone()) }
    }
}

/// The club as it is now.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClubBody {
    /// Who asks; null for somebody who has not logged in.
    visitor: Option<VisitorBody>,
    /// What new battles are played by.
    terms: TermsBody,
    /// Whether the ladder goes on.
    ladder_open: bool,
    /// Whether members may have their agents play others, unrated.
    sparring_open: bool,
    /// When submissions close; null if that is not set.
    deadline: Option<String>,
    /// The time by the server's clock.
    now: String,
}

/// The club, and who asks
#[utoipa::path(
    get,
    path = "/api/club",
    operation_id = "show_club",
    tag = "club",
    responses((status = 200, body = ClubBody))
)]
pub(crate) async fn show(club: ServedClub, headers: HeaderMap) -> Result<Json<ClubBody>, Refusal> {
    let visitor = match bearer(&club, &headers).await? {
        Some(account) => Some(VisitorBody { account: (&account).into(), form: None }),
        None => visitor(&club, &headers).await?.as_ref().map(VisitorBody::from),
    };
    let body = club.ask(move |club, now| {
        let doors = club.doors()?;
        Ok::<_, isrever_club::ClubError>(ClubBody {
            visitor,
            terms: (&club.terms()?).into(),
            ladder_open: doors.ladder,
            sparring_open: doors.sparring,
            deadline: club.deadline()?.map(date::words),
            now: date::words(now),
        })
    });
    Ok(Json(body.await?))
}

/// The answer to a log-in: who it is, and a cookie.
fn logged_in(app: &App, session: &Session) -> Response {
    let cookie = set_cookie(Some(session), is_secure(app));
    ([(SET_COOKIE, cookie)], Json(VisitorBody::from(&session.visitor))).into_response()
}

/// Whether others reach the server by TLS alone.
fn is_secure(app: &App) -> bool {
    app.settings().public_url.as_ref().is_some_and(|url| url.url().starts_with("https://"))
}

/// A name and a password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogInRequest {
    /// The account's name.
    name: String,
    /// Its password.
    password: String,
}

/// Log in
#[utoipa::path(
    post,
    path = "/api/club/session",
    operation_id = "log_in",
    tag = "club",
    request_body = LogInRequest,
    responses((status = 200, body = VisitorBody))
)]
pub(crate) async fn log_in(
    State(app): State<App>,
    club: ServedClub,
    caller: Caller,
    Body(request): Body<LogInRequest>,
) -> Result<Response, Refusal> {
    let LogInRequest { name, password } = request;
    let _permit = app.callers().enter(caller, Kind::Request)?;
    let address = caller.network();
    let session = club.ask(move |club, now| club.log_in(&name, &password, address, now)).await?;
    Ok(logged_in(&app, &session))
}

/// Log out: the cookie is worth nothing from now on
#[utoipa::path(
    delete,
    path = "/api/club/session",
    operation_id = "log_out",
    tag = "club",
    responses((status = 204, description = "It is done"))
)]
pub(crate) async fn log_out(
    State(app): State<App>,
    member: Member,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    if let Some(cookie) = cookie(&headers).map(str::to_owned) {
        member.club.ask(move |club, _| club.log_out(&cookie)).await?;
    }
    Ok((StatusCode::NO_CONTENT, [(SET_COOKIE, set_cookie(None, is_secure(&app)))]).into_response())
}

/// What an invitation is for.
#[derive(Serialize, ToSchema)]
pub(crate) struct InvitationBody {
    /// The account whose password is to be chosen; null if the account is yet to be made.
    name: Option<String>,
    role: Role,
    /// The section of the class.
    section: String,
}

/// What an invitation is for
#[utoipa::path(
    get,
    path = "/api/club/invitations/{code}",
    operation_id = "show_invitation",
    tag = "club",
    params(("code" = String, Path, description = "The code of the invitation's link")),
    responses((status = 200, body = InvitationBody))
)]
pub(crate) async fn invitation(
    club: ServedClub,
    Path(code): Path<String>,
) -> Result<Json<InvitationBody>, Refusal> {
    let found = club.ask(move |club, now| club.invitation(&code, now)).await?;
    Ok(Json(InvitationBody { name: found.name, role: found.role, section: found.section }))
}

/// The account to make, or the password to choose.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AcceptRequest {
    /// What to be called; not needed if the invitation names an account.
    #[serde(default)]
    name: String,
    /// The password to log in by from now on.
    password: String,
}

/// Accept an invitation: make an account, or choose a password
#[utoipa::path(
    post,
    path = "/api/club/invitations/{code}",
    operation_id = "accept_invitation",
    tag = "club",
    params(("code" = String, Path, description = "The code of the invitation's link")),
    request_body = AcceptRequest,
    responses((status = 200, body = VisitorBody))
)]
pub(crate) async fn accept(
    State(app): State<App>,
    club: ServedClub,
    caller: Caller,
    Path(code): Path<String>,
    Body(request): Body<AcceptRequest>,
) -> Result<Response, Refusal> {
    let AcceptRequest { name, password } = request;
    let _permit = app.callers().enter(caller, Kind::Request)?;
    let session = club.ask(move |club, now| club.accept(&code, &name, &password, now)).await?;
    Ok(logged_in(&app, &session))
}

/// One's password, and what it is to be.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PasswordRequest {
    /// The password until now.
    old: String,
    /// The password from now on.
    password: String,
}

/// Change one's own password, which ends all of one's sessions
#[utoipa::path(
    put,
    path = "/api/club/password",
    operation_id = "change_password",
    tag = "club",
    request_body = PasswordRequest,
    responses((status = 204, description = "It is done"))
)]
pub(crate) async fn password(
    State(app): State<App>,
    caller: Caller,
    member: Member,
    Body(request): Body<PasswordRequest>,
) -> Result<StatusCode, Refusal> {
    let _permit = app.callers().enter(caller, Kind::Request)?;
    let id = member.id();
    let PasswordRequest { old, password } = request;
    member.club.ask(move |club, now| club.change_password(id, &old, &password, now)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// One's tokens.
#[derive(Serialize, ToSchema)]
pub(crate) struct TokensBody {
    /// Newest first.
    tokens: Vec<TokenBody>,
}

/// A token, without its secret.
#[derive(Serialize, ToSchema)]
struct TokenBody {
    /// What its owner calls it.
    label: String,
    /// When it was made.
    created: String,
    /// When it was last used, to about a minute; null if never.
    used: Option<String>,
}

/// One's own tokens for programs
#[utoipa::path(
    get,
    path = "/api/club/tokens",
    operation_id = "list_tokens",
    tag = "club",
    responses((status = 200, body = TokensBody))
)]
pub(crate) async fn tokens(member: Member) -> Result<Json<TokensBody>, Refusal> {
    let id = member.id();
    let tokens = member.club.ask(move |club, _| club.tokens(id)).await?;
    let token = |token: isrever_club::Token| TokenBody {
        label: token.label,
        created: date::words(token.created),
        used: token.used.map(date::words),
    };
    Ok(Json(TokensBody { tokens: tokens.into_iter().map(token).collect() }))
}

/// What a token is to be called.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TokenRequest {
    /// A few words, such as the machine it is for.
    label: String,
}

/// A new token.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewToken {
    /// What programs send as `Authorization: Bearer …`; told only once.
    token: String,
}

/// Make a token for a program of one's own
#[utoipa::path(
    post,
    path = "/api/club/tokens",
    operation_id = "add_token",
    tag = "club",
    request_body = TokenRequest,
    responses((status = 201, body = NewToken))
)]
pub(crate) async fn add_token(
    member: Member,
    Body(request): Body<TokenRequest>,
) -> Result<(StatusCode, Json<NewToken>), Refusal> {
    let id = member.id();
    let token = member.club.ask(move |club, now| club.add_token(id, &request.label, now)).await?;
    Ok((StatusCode::CREATED, Json(NewToken { token })))
}

/// Remove one's own tokens of this label
#[utoipa::path(
    delete,
    path = "/api/club/tokens/{label}",
    operation_id = "remove_token",
    tag = "club",
    params(("label" = String, Path, description = "What the token is called")),
    responses((status = 204, description = "It is done"))
)]
pub(crate) async fn remove_token(
    member: Member,
    Path(label): Path<String>,
) -> Result<StatusCode, Refusal> {
    let id = member.id();
    let is_gone = member.club.ask(move |club, now| club.remove_token(id, &label, now)).await?;
    match is_gone {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Refusal::not_found("no such token; expected the label of one of yours")),
    }
}
