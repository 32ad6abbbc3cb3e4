//! Finals: their progress, tables, proofs and grades.

use super::{RatingBody, TermsBody};
use crate::app::App;
use crate::attachment::attachment;
use crate::caller::Caller;
use crate::callers::Kind;
use crate::date;
use crate::member::Member;
use crate::receive::{Body, Path, Query};
use crate::refusal::{Code, Refusal};
use crate::routes::share::File;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use isrever_club::secret::hex;
use isrever_club::{Club, Final, FinalRow, FinalState, Grade, grade};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A final.
#[derive(Serialize, ToSchema)]
pub(crate) struct FinalBody {
    /// Its number.
    id: i64,
    /// What it is called.
    name: String,
    state: FinalState,
    terms: TermsBody,
    /// Pairs of games of each two players.
    pairs: u64,
    /// How many play.
    players: usize,
    /// How many games are played.
    played: u64,
    /// How many are to be played.
    waiting: u64,
    /// When it began.
    created: String,
    /// How many judges are there that play games, while it goes on.
    judges: u64,
    /// When its last game will be played, by what games took lately and the judges that are there;
    /// null if there is no judge, or no game to go by.
    expected_end: Option<String>,
}

impl From<&Final> for FinalBody {
    fn from(of_final: &Final) -> FinalBody {
        FinalBody {
            id: of_final.id,
            name: of_final.name.clone(),
            state: of_final.state,
            terms: (&of_final.terms).into(),
            pairs: of_final.pairs,
            players: of_final.players.len(),
            played: of_final.played,
            waiting: of_final.waiting,
            created: date::words(of_final.created),
            judges: of_final.judges,
            expected_end: of_final.expected_end.map(date::words),
        }
    }
}

/// All finals.
#[derive(Serialize, ToSchema)]
pub(crate) struct Finals {
    /// Newest first.
    finals: Vec<FinalBody>,
}

/// Finals, newest first
#[utoipa::path(
    get,
    path = "/api/club/finals",
    operation_id = "list_finals",
    tag = "club",
    responses((status = 200, body = Finals))
)]
pub(crate) async fn list(member: Member) -> Result<Json<Finals>, Refusal> {
    let finals = member.club.ask(Club::finals).await?;
    Ok(Json(Finals { finals: finals.iter().map(FinalBody::from).collect() }))
}

/// A final to begin.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FinalRequest {
    /// What it is called.
    name: String,
    /// Pairs of games of each two players: one opening, colours swapped.
    #[schema(minimum = 1, maximum = 100)]
    pairs: u64,
}

/// Begin a final between all active agents: for administrators
#[utoipa::path(
    post,
    path = "/api/club/finals",
    operation_id = "start_final",
    tag = "club",
    request_body = FinalRequest,
    responses((status = 201, body = FinalBody))
)]
pub(crate) async fn start(
    member: Member,
    Body(request): Body<FinalRequest>,
) -> Result<(StatusCode, Json<FinalBody>), Refusal> {
    let by = member.id();
    let FinalRequest { name, pairs } = request;
    let begun = member.club.ask(move |club, now| club.start_final(by, &name, pairs, now)).await?;
    Ok((StatusCode::CREATED, Json((&begun).into())))
}

/// What to do with a final.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FinalChange {
    /// `stopped` to stop it, `running` to go on with it.
    state: FinalState,
}

/// Stop a final, or go on with it: for administrators
#[utoipa::path(
    put,
    path = "/api/club/finals/{id}",
    operation_id = "change_final",
    tag = "club",
    params(("id" = i64, Path, description = "The final's number")),
    request_body = FinalChange,
    responses((status = 200, body = FinalBody))
)]
pub(crate) async fn change(
    member: Member,
    Path(id): Path<i64>,
    Body(change): Body<FinalChange>,
) -> Result<Json<FinalBody>, Refusal> {
    let by = member.id();
    if change.state == FinalState::Over {
        let message = "a final is over by itself; expected stopped or running";
        return Err(Refusal::of("state", Code::BadRequest, message));
    }
    let changed = member.club.ask(move |club, now| {
        match change.state {
            FinalState::Stopped => club.stop_final(by, id, now)?,
            FinalState::Running | FinalState::Over => club.resume_final(by, id, now)?,
        }
        club.final_round(id, now)
    });
    Ok(Json((&changed.await?).into()))
}

/// Somebody's place in a final.
#[derive(Serialize, ToSchema)]
struct FinalRowBody {
    /// From 1; the same for the same points.
    rank: usize,
    /// The author's account.
    account: i64,
    /// What people call the author.
    name: String,
    /// The section of the class; may be empty.
    section: String,
    /// The version's number among its author's.
    number: i64,
    /// SHA-256 of its source, in hexadecimal digits.
    digest: String,
    /// Five for each game won, less five for each one lost.
    points: i64,
    /// Games won.
    wins: u64,
    /// Games drawn.
    draws: u64,
    /// Games lost.
    losses: u64,
    /// How many of those were lost otherwise than by discs.
    forfeits: u64,
    rating: RatingBody,
    /// The best rank by rating that the games leave open.
    best_rank: usize,
    /// The worst such rank.
    worst_rank: usize,
}

/// A final with its table.
#[derive(Serialize, ToSchema)]
pub(crate) struct FinalTable {
    #[serde(rename = "final")]
    of_final: FinalBody,
    /// The best first.
    rows: Vec<FinalRowBody>,
}

fn row(of_final: &Final, row: &FinalRow) -> FinalRowBody {
    let player = &of_final.players[row.player];
    let [wins, draws, losses] = row.counts;
    FinalRowBody {
        rank: row.rank,
        account: player.account,
        name: player.name.clone(),
        section: player.section.clone(),
        number: player.number,
        digest: hex(&player.digest),
        points: row.points,
        wins,
        draws,
        losses,
        forfeits: row.forfeits,
        rating: row.rating.into(),
        best_rank: row.ranks[0],
        worst_rank: row.ranks[1],
    }
}

/// A final and its table
#[utoipa::path(
    get,
    path = "/api/club/finals/{id}",
    operation_id = "show_final",
    tag = "club",
    params(("id" = i64, Path, description = "The final's number")),
    responses((status = 200, body = FinalTable))
)]
pub(crate) async fn show(member: Member, Path(id): Path<i64>) -> Result<Json<FinalTable>, Refusal> {
    let (of_final, rows) = member.club.final_table(id).await?;
    let rows = rows.iter().map(|one| row(&of_final, one)).collect();
    Ok(Json(FinalTable { of_final: (&of_final).into(), rows }))
}

/// All games of a final as a database of the arena
#[utoipa::path(
    get,
    path = "/api/club/finals/{id}/proof",
    operation_id = "prove_final",
    tag = "club",
    params(("id" = i64, Path, description = "The final's number")),
    responses((
        status = 200,
        content_type = "application/octet-stream",
        body = File,
        description = "The database, which isrever arena show reads"
    ))
)]
pub(crate) async fn proof(
    State(app): State<App>,
    caller: Caller,
    member: Member,
    Path(id): Path<i64>,
) -> Result<Response, Refusal> {
    let _permit = app.callers().enter(caller, Kind::Request)?;
    let file = member.club.ask(move |club, now| club.proof(id, now)).await?;
    Ok(attachment("application/octet-stream", &format!("final-{id}.db"), file))
}

/// The rule by which ranks become grades.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct GradesRequest {
    /// From the best grade down: which part of the best, in percent, gets which grade, such as
    /// `10:A,50:B,100:C`. Without a rule, no grades.
    rule: Option<String>,
}

/// The lines of `10:A,50:B`.
fn read_rule(text: &str) -> Option<Vec<Grade>> {
    let line = |line: &str| {
        let (percent, grade) = line.split_once(':')?;
        let percent = percent.trim().parse().ok().filter(|percent| *percent <= 100)?;
        let grade = grade.trim();
        // What begins so is a formula to a spreadsheet.
        let is_plain = !grade.is_empty() && !grade.starts_with(['=', '+', '-', '@']);
        is_plain.then(|| Grade { percent, grade: grade.to_owned() })
    };
    text.split(',').map(line).collect()
}

/// The table of a final with grades as CSV: for administrators
#[utoipa::path(
    get,
    path = "/api/club/finals/{id}/grades",
    operation_id = "grade_final",
    tag = "club",
    params(("id" = i64, Path, description = "The final's number"), GradesRequest),
    responses((status = 200, content_type = "text/csv", body = String, description = "The table"))
)]
pub(crate) async fn grades(
    member: Member,
    Path(id): Path<i64>,
    Query(request): Query<GradesRequest>,
) -> Result<Response, Refusal> {
    member.administrator()?;
    let rule = request.rule.as_deref().map_or(Some(Vec::new()), read_rule).ok_or_else(|| {
        let message = "the rule cannot be read; expected percents and grades: 10:A,50:B,100:C";
        Refusal::of("rule", Code::BadRequest, message)
    })?;
    let (of_final, rows) = member.club.final_table(id).await?;
    let mut file = csv::Writer::from_writer(Vec::new());
    let written = (|| {
        file.write_record([
            "rank",
            "name",
            "section",
            "version",
            "points",
            "wins",
            "draws",
            "losses",
            "forfeits",
            "elo",
            "best_rank",
            "worst_rank",
            "grade",
        ])?;
        for row in rows.iter() {
            let player = &of_final.players[row.player];
            let numbers = [row.points.to_string()]
                .into_iter()
                .chain(row.counts.map(|count| count.to_string()))
                .chain([row.forfeits.to_string(), format!("{:.0}", row.rating.elo)])
                .chain(row.ranks.map(|rank| rank.to_string()));
            let head = [
                row.rank.to_string(),
                player.name.clone(),
                player.section.clone(),
                player.number.to_string(),
            ];
            let grade = grade(row.rank, rows.len(), &rule).unwrap_or_default().to_owned();
            file.write_record(head.into_iter().chain(numbers).chain([grade]))?;
        }
        file.flush()?;
        Ok::<(), csv::Error>(())
    })();
    written.map_err(|_| Refusal::internal())?;
    let file = file.into_inner().map_err(|_| Refusal::internal())?;
    Ok(attachment("text/csv; charset=utf-8", &format!("final-{id}.csv"), file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_percents_and_grades() {
        let rule = read_rule("10:A, 50:B+ ,100:C").unwrap();
        assert_eq!((rule[1].percent, rule[1].grade.as_str()), (50, "B+"));
        for wrong in ["", "A", "10", "10:", "101:A", "x:A", "10:=1+1"] {
            assert!(read_rule(wrong).is_none(), "{wrong}");
        }
    }
}
