//! Submissions: files, their checks, and which of them plays.

use crate::app::App;
use crate::attachment::{TEXT, attachment};
use crate::date;
use crate::member::Member;
use crate::receive::{self, Body, MOST_FILE_BYTES, Path, Query, bytes};
use crate::refusal::Refusal;
use crate::routes::share::File;
use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use isrever_club::secret::hex;
use isrever_club::{CheckProgress, Club, ClubError, Report, Version, VersionState, Weaknesses};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Times of the judges' exercise that make sense, in seconds.
const EXERCISE_RANGE: (f64, f64) = (0.0, 3_600.0);

/// A version of somebody's agent.
#[derive(Serialize, ToSchema)]
pub(crate) struct VersionBody {
    /// Its number among all versions.
    id: i64,
    /// Its author's number.
    account: i64,
    /// Its author's name.
    name: String,
    /// Its number among its author's versions, from 1.
    number: i64,
    /// What its author calls the file.
    file: String,
    state: VersionState,
    /// Why it is blocked; null if it is not.
    reason: Option<String>,
    /// The place of its check among those that wait, or 0 if a judge is at it; null if it waits for
    /// none.
    queue: Option<u64>,
    /// How far the check has come, if a judge is at it and says so.
    progress: Option<CheckProgress>,
    /// Whether it is the one that plays for its author.
    active: bool,
    /// How many of its latest 20 games between agents it has lost by failing: by a crash, its time,
    /// an illegal move. 0 for versions that do not play.
    failures: u64,
    /// Whether people may play against it.
    open: bool,
    /// When it was submitted.
    created: String,
    /// SHA-256 of its source, in hexadecimal digits.
    digest: String,
}

impl VersionBody {
    /// A version, with what the club knows of it.
    fn new(club: &Club, version: &Version, now: i64) -> Result<VersionBody, ClubError> {
        let (queue, progress) = match version.state {
            VersionState::Waiting => {
                (club.place_of_check(version.id, now)?, club.progress_of_check(version.id, now)?)
            }
            _ => (None, None),
        };
        let failures = if version.is_active { club.recent_failures(version.id)? } else { 0 };
        Ok(VersionBody {
            id: version.id,
            account: version.account,
            name: club.account(version.account)?.name,
            number: version.number,
            file: version.file.clone(),
            state: version.state,
            reason: version.reason.clone(),
            queue,
            progress,
            active: version.is_active,
            failures,
            open: version.is_open,
            created: date::words(version.created),
            digest: hex(&version.digest),
        })
    }
}

/// One's own versions.
#[derive(Serialize, ToSchema)]
pub(crate) struct VersionsBody {
    /// Newest first.
    versions: Vec<VersionBody>,
}

/// One's own versions
#[utoipa::path(
    get,
    path = "/api/club/versions",
    operation_id = "list_versions",
    tag = "club",
    responses((status = 200, body = VersionsBody))
)]
pub(crate) async fn list(member: Member) -> Result<Json<VersionsBody>, Refusal> {
    let id = member.id();
    let versions = member.club.ask(move |club, now| {
        let versions = club.versions(id)?;
        versions
            .iter()
            .map(|version| VersionBody::new(club, version, now))
            .collect::<Result<_, _>>()
    });
    Ok(Json(VersionsBody { versions: versions.await? }))
}

/// What is submitted beside the file itself.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct SubmitRequest {
    /// What the file is called, such as `my_ai.py`.
    file: String,
    /// How long the judges' exercise takes on the author's machine, in seconds.
    #[param(minimum = 0, maximum = 3600)]
    seconds: Option<f64>,
}

/// Submit a file, which is then checked
#[utoipa::path(
    post,
    path = "/api/club/versions",
    operation_id = "submit_version",
    tag = "club",
    params(SubmitRequest),
    request_body(content((File = "application/octet-stream"))),
    responses((status = 201, body = VersionBody))
)]
pub(crate) async fn submit(
    State(app): State<App>,
    member: Member,
    Query(request): Query<SubmitRequest>,
    sent: Request,
) -> Result<(StatusCode, Json<VersionBody>), Refusal> {
    let SubmitRequest { file, seconds } = request;
    if seconds.is_some() {
        receive::seconds("seconds", seconds, 0.0, EXERCISE_RANGE)?;
    }
    let source = bytes(&app, sent, MOST_FILE_BYTES).await?;
    let id = member.id();
    let submitted = member.club.ask(move |club, now| {
        VersionBody::new(club, &club.submit(id, &file, &source, seconds, now)?, now)
    });
    Ok((StatusCode::CREATED, Json(submitted.await?)))
}

/// A version of one's own
#[utoipa::path(
    get,
    path = "/api/club/versions/{id}",
    operation_id = "show_version",
    tag = "club",
    params(("id" = i64, Path, description = "The version's number among all")),
    responses((status = 200, body = VersionBody))
)]
pub(crate) async fn show(
    member: Member,
    Path(id): Path<i64>,
) -> Result<Json<VersionBody>, Refusal> {
    let by = member.id();
    let version = member.club.ask(move |club, now| {
        // The same answer as for a version that does not exist.
        club.report(by, id)?;
        VersionBody::new(club, &club.version(id)?, now)
    });
    Ok(Json(version.await?))
}

/// What to change of a version.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VersionChange {
    /// True to make it the one that plays.
    #[serde(default)]
    active: bool,
    /// Whether people may play against it; as it is if missing.
    open: Option<bool>,
}

/// Make one of one's own versions the one that plays, or let people play against it
#[utoipa::path(
    put,
    path = "/api/club/versions/{id}",
    operation_id = "change_version",
    tag = "club",
    params(("id" = i64, Path, description = "The version's number among all")),
    request_body = VersionChange,
    responses((status = 200, body = VersionBody))
)]
pub(crate) async fn change(
    member: Member,
    Path(id): Path<i64>,
    Body(change): Body<VersionChange>,
) -> Result<Json<VersionBody>, Refusal> {
    let by = member.id();
    let version = member.club.ask(move |club, now| {
        if change.active {
            club.activate(by, id, now)?;
        }
        if let Some(is_open) = change.open {
            club.set_open(by, id, is_open, now)?;
        }
        VersionBody::new(club, &club.version(id)?, now)
    });
    Ok(Json(version.await?))
}

/// The source of a version, for its author and administrators
#[utoipa::path(
    get,
    path = "/api/club/versions/{id}/source",
    operation_id = "show_source",
    tag = "club",
    params(("id" = i64, Path, description = "The version's number among all")),
    responses((status = 200, content_type = "text/plain", body = String, description = "The file"))
)]
pub(crate) async fn source(member: Member, Path(id): Path<i64>) -> Result<Response, Refusal> {
    let by = member.id();
    let source = member.club.ask(move |club, _| club.source(by, id)).await?;
    Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], source).into_response())
}

/// What the check of a version found, for its author and administrators
#[utoipa::path(
    get,
    path = "/api/club/versions/{id}/report",
    operation_id = "show_report",
    tag = "club",
    params(("id" = i64, Path, description = "The version's number among all")),
    responses((status = 200, body = Report))
)]
pub(crate) async fn report(member: Member, Path(id): Path<i64>) -> Result<Json<Report>, Refusal> {
    let by = member.id();
    let report = member.club.ask(move |club, _| club.report(by, id)).await?;
    let waiting = || Refusal::not_found("the version is yet to be checked; try again in a moment");
    report.map(Json).ok_or_else(waiting)
}

/// Where a version loses, for its author and administrators
#[utoipa::path(
    get,
    path = "/api/club/versions/{id}/weaknesses",
    operation_id = "show_weaknesses",
    tag = "club",
    params(("id" = i64, Path, description = "The version's number among all")),
    responses((status = 200, body = Weaknesses))
)]
pub(crate) async fn weaknesses(
    member: Member,
    Path(id): Path<i64>,
) -> Result<Json<Weaknesses>, Refusal> {
    let by = member.id();
    Ok(Json(member.club.ask(move |club, _| club.weaknesses(by, id)).await?))
}

/// A Python program that tries an agent again where a version played badly
#[utoipa::path(
    get,
    path = "/api/club/versions/{id}/practice",
    operation_id = "download_practice",
    tag = "club",
    params(("id" = i64, Path, description = "The version's number among all")),
    responses((status = 200, content_type = "text/plain", body = String, description = "The file"))
)]
pub(crate) async fn practice(member: Member, Path(id): Path<i64>) -> Result<Response, Refusal> {
    let by = member.id();
    let file = member.club.ask(move |club, _| {
        let found = club.weaknesses(by, id)?;
        Ok::<_, ClubError>(isrever_club::practice(&found.worst, &club.terms()?))
    });
    Ok(attachment(TEXT, "practice.py", file.await?))
}
