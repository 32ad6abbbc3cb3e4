//! The ladder, and what is being played.

use super::RatingBody;
use super::battles::BattleBody;
use crate::date;
use crate::member::Member;
use crate::receive::Query;
use crate::refusal::Refusal;
use crate::wire::ColorWord;
use axum::Json;
use isrever_board::text::write_moves;
use isrever_club::{Live, Rung};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Somebody's place on the ladder.
#[derive(Serialize, ToSchema)]
pub(crate) struct RungBody {
    /// From 1, of all sections.
    rank: usize,
    /// The author's account.
    account: i64,
    /// What people call the author.
    name: String,
    /// The section of the class; may be empty.
    section: String,
    /// The version that plays.
    version: i64,
    /// Its number among its author's.
    number: i64,
    /// Five for each game won, less five for each one lost, of all the author's versions.
    points: i64,
    /// The points of the last day.
    trend: i64,
    /// Games won by all the author's versions.
    wins: u64,
    /// Games drawn.
    draws: u64,
    /// Games lost.
    losses: u64,
    /// How many of those were lost otherwise than by discs.
    forfeits: u64,
    /// How many games the version that plays now has played.
    version_games: u64,
    /// How strong the version is that plays now.
    rating: RatingBody,
}

impl From<&Rung> for RungBody {
    fn from(rung: &Rung) -> RungBody {
        let [wins, draws, losses] = rung.counts;
        RungBody {
            rank: rung.rank,
            account: rung.account,
            name: rung.name.clone(),
            section: rung.section.clone(),
            version: rung.version,
            number: rung.number,
            points: rung.points,
            trend: rung.trend,
            wins,
            draws,
            losses,
            forfeits: rung.forfeits,
            version_games: rung.version_games,
            rating: rung.rating.into(),
        }
    }
}

/// The ladder.
#[derive(Serialize, ToSchema)]
pub(crate) struct LadderBody {
    /// From the top down.
    rungs: Vec<RungBody>,
    /// How many there are in all sections.
    count: usize,
    /// One's own place; null if none of one's versions plays.
    own: Option<RungBody>,
    /// All sections that there are.
    sections: Vec<String>,
}

/// Which part of the ladder is wanted.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct LadderRequest {
    /// Those of this section of the class alone.
    section: Option<String>,
}

/// The ladder
#[utoipa::path(
    get,
    path = "/api/club/ladder",
    operation_id = "show_ladder",
    tag = "club",
    params(LadderRequest),
    responses((status = 200, body = LadderBody))
)]
pub(crate) async fn ladder(
    member: Member,
    Query(request): Query<LadderRequest>,
) -> Result<Json<LadderBody>, Refusal> {
    let ladder = member.club.ladder();
    let is_wanted =
        |rung: &&Rung| request.section.as_ref().is_none_or(|section| rung.section == *section);
    let mut sections: Vec<String> = ladder.rungs.iter().map(|rung| rung.section.clone()).collect();
    sections.sort_unstable();
    sections.dedup();
    Ok(Json(LadderBody {
        rungs: ladder.rungs.iter().filter(is_wanted).map(RungBody::from).collect(),
        count: ladder.rungs.len(),
        own: ladder.rungs.iter().find(|rung| rung.account == member.id()).map(RungBody::from),
        sections,
    }))
}

/// A game that is being played.
#[derive(Serialize, ToSchema)]
pub(crate) struct LiveBody {
    /// The game's number.
    game: i64,
    /// The battle that it belongs to.
    battle: BattleBody,
    /// 0 if the battle's first player is black, or 1.
    place: u8,
    /// Its moves so far, passes written out, such as `f5d6c3`.
    moves: String,
    /// The squares, row by row from a1: `X`, `O` and `-`.
    board: String,
    /// The side to move; null if the game is over.
    turn: Option<ColorWord>,
    /// The milliseconds that black and white have used.
    clocks: [i64; 2],
    /// When a judge last said so.
    updated: String,
}

/// What is being played.
#[derive(Serialize, ToSchema)]
pub(crate) struct LiveGames {
    /// Earliest first.
    games: Vec<LiveBody>,
}

/// The games that are being played
#[utoipa::path(
    get,
    path = "/api/club/live",
    operation_id = "list_live_games",
    tag = "club",
    responses((status = 200, body = LiveGames))
)]
pub(crate) async fn live(member: Member) -> Result<Json<LiveGames>, Refusal> {
    let by = member.id();
    let games = member.club.ask(move |club, now| club.live_games(by, now)).await?;
    let body = |(live, battle): (Live, isrever_club::Battle)| {
        let place =
            battle.games.iter().find(|game| game.id == live.game).map_or(0, |game| game.place);
        LiveBody {
            game: live.game,
            battle: (&battle).into(),
            place,
            moves: write_moves(&live.so_far, true),
            board: live.so_far.position().letters(),
            turn: live.so_far.turn().map(ColorWord::from),
            clocks: live.clocks,
            updated: date::words(live.updated),
        }
    };
    Ok(Json(LiveGames { games: games.into_iter().map(body).collect() }))
}
