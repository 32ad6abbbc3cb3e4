//! Games between two people at two screens: an invitation, two seats with a token each, a referee.

use super::games::{GameBody, ID, TOKEN, bearer, no_token, tell};
use super::share;
use crate::address;
use crate::app::App;
use crate::caller::Caller;
use crate::date::steady_ms;
use crate::receive::{Body, Path, whole};
use crate::referee::{Action, Control, Foul, Friends, Offer, OfferWord};
use crate::refusal::{Code, Refusal};
use crate::secret;
use crate::store::{Act, GameRow, Join, Kind, Player, Saved, State, Undone};
use crate::wire::{ColorWord, Pair, game_request, move_names};
use axum::Json;
use axum::extract::State as Shared;
use axum::http::{HeaderMap, StatusCode};
use isrever_board::{Position, Square};
use serde::{Deserialize, Serialize};
use std::time::Instant;
use utoipa::ToSchema;

/// The length of an invitation's code.
const CODE: usize = 12;

/// The ranges of a clock, in seconds.
const BUDGET: (u32, u32) = (1, 86_400);
const INCREMENT: (u32, u32) = (0, 3_600);

/// The longest name of a request.
const MOST_REQUEST: usize = 64;

/// The name of a seat that nobody has taken.
const NOBODY: &str = "?";

/// The referee's part of a saved game.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct FriendsBody {
    /// Which seats are taken.
    joined: Pair<bool>,
    /// None if there is no limit.
    clock: Option<ClockBody>,
    /// What one side has offered the other.
    offer: Option<Offer>,
    /// The id of the rematch.
    next: Option<String>,
}

/// The clocks when the answer was written.
#[derive(Clone, Serialize, ToSchema)]
struct ClockBody {
    /// For all moves of a side.
    seconds: u32,
    /// Added after each move, in seconds.
    increment: u32,
    /// Milliseconds left to each side.
    left: Pair<i64>,
    /// The side whose time runs; none before the first move and after the end.
    running: Option<ColorWord>,
}

impl FriendsBody {
    pub(super) fn of(friends: &Friends) -> FriendsBody {
        let Pair { black, white } = &friends.seats;
        let clock = friends.clock.as_ref().map(|clock| ClockBody {
            seconds: clock.control.seconds,
            increment: clock.control.increment,
            left: clock.left(steady_ms()),
            running: clock.running(),
        });
        FriendsBody {
            joined: Pair { black: black.is_some(), white: white.is_some() },
            clock,
            offer: friends.offer,
            next: friends.next.clone(),
        }
    }
}

impl From<Foul> for Refusal {
    fn from(foul: Foul) -> Refusal {
        let color = |side: ColorWord| match side {
            ColorWord::Black => "black",
            ColorWord::White => "white",
        };
        match foul {
            Foul::Over => Refusal::new(Code::GameOver, "the game is over; expected a running one"),
            Foul::NotOver => {
                let message = "the game goes on; expected a finished one for a rematch";
                Refusal::of("offer", Code::NoOffer, message)
            }
            Foul::NotJoined => {
                let message = "nobody has the other seat yet; expected both seats to be taken";
                Refusal::new(Code::NotJoined, message)
            }
            Foul::NotYourTurn(turn) => {
                let message = format!("it is not your turn; expected a move of {}", color(turn));
                Refusal::of("move", Code::NotYourTurn, message)
            }
            Foul::Illegal(message) => Refusal::of("move", Code::IllegalMove, message),
            Foul::Stale(revision) => {
                let message = format!("the game has moved on; expected revision {revision}");
                Refusal::of("revision", Code::Conflict, message)
            }
            Foul::NoOffer(what) => {
                let message =
                    format!("no {} is offered; expected an offer that stands", what.word());
                Refusal::of("offer", Code::NoOffer, message)
            }
            Foul::Unanswered(what) => {
                let what = what.word();
                let message = format!("the other side offers a {what}; expected an answer to that");
                Refusal::of("offer", Code::NoOffer, message)
            }
            Foul::NoMove => {
                let message = "you have made no move; expected one that can be taken back";
                Refusal::of("offer", Code::NoOffer, message)
            }
            Foul::SeatsFull => {
                let message = "both seats are taken; expected a game with a free one";
                Refusal::new(Code::SeatsFull, message)
            }
            Foul::Stranger => {
                let message = "not a token of this game; expected that of a seat, or the \
                     invitation's code";
                Refusal::new(Code::WrongToken, message)
            }
        }
    }
}

game_request! {
    /// A game to play with a friend.
    HostRequest {
        /// The host's side.
        side: ColorWord,
        /// The host's name.
        #[schema(min_length = 1, max_length = 64)]
        name: String,
        /// How long each side has; no clock if missing.
        clock: Option<Control>,
    }
}

/// A new game, the host's token, and the code that invites a friend.
#[derive(Serialize, ToSchema)]
pub(crate) struct Hosted {
    /// The game's id.
    id: String,
    /// Gives the host's seat; sent only once.
    token: String,
    /// Gives the free seat to the first who joins with it; sent only once.
    code: String,
    side: ColorWord,
    game: GameBody,
}

/// Begin a game with a friend
#[utoipa::path(
    post,
    path = "/api/friends",
    operation_id = "invite_friend",
    tag = "friends",
    request_body = HostRequest,
    responses((status = 201, body = Hosted))
)]
pub(crate) async fn begin(
    Shared(app): Shared<App>,
    caller: Caller,
    Body(request): Body<HostRequest>,
) -> Result<(StatusCode, Json<Hosted>), Refusal> {
    let game = request.any_game()?;
    if game.is_over() || game.ply() > 0 {
        let message = "the game has moves or no legal one; expected a start that can be played";
        return Err(Refusal::of("moves", Code::BadRequest, message));
    }
    if let Some(Control { seconds, increment }) = request.clock {
        whole("clock.seconds", seconds, BUDGET)?;
        whole("clock.increment", increment, INCREMENT)?;
    }
    let host = player(share::name("name", &request.name)?);
    app.callers().begin_game(caller, Instant::now())?;
    let [id, code] = [secret::name::<ID>(), secret::name::<CODE>()];
    let (id, code) = id.and_then(|id| Ok((id, code?))).map_err(|_| Refusal::internal())?;
    let token = secret::name::<TOKEN>().map_err(|_| Refusal::internal())?;
    let friends = Friends::new(
        secret::hex_hash(&code),
        secret::hex_hash(&token),
        request.side,
        request.clock,
    );
    let (black, white) = match request.side {
        ColorWord::Black => (host, player(NOBODY.to_owned())),
        ColorWord::White => (player(NOBODY.to_owned()), host),
    };
    let is_usual = *game.start() == Position::start(game.size());
    let saved = app
        .store()
        .begin(GameRow {
            id: id.clone(),
            // No token has this hash: only the referee changes the game.
            token: [0; 32],
            rule: game.rule(),
            size: game.size().width(),
            start: (!is_usual).then(|| game.start().to_string()),
            moves: move_names(game.moves()).join(","),
            ply: 0,
            black,
            white,
            state: State::Running,
            ending: None,
            earlier: Vec::new(),
            friends: Some(friends),
        })
        .await?;
    let game = GameBody::of(&saved, true)?;
    Ok((StatusCode::CREATED, Json(Hosted { id, token, code, side: request.side, game })))
}

fn player(name: String) -> Player {
    Player { kind: Kind::Human, name }
}

/// A seat that somebody takes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JoinRequest {
    /// The invitation's code.
    code: String,
    /// The seat's token from now on: 24 to 64 letters and digits that nobody can guess.
    #[schema(min_length = 24, max_length = 64)]
    token: String,
    /// Who takes the seat.
    #[schema(min_length = 1, max_length = 64)]
    name: String,
}

/// The seat that was taken.
#[derive(Serialize, ToSchema)]
pub(crate) struct Joined {
    side: ColorWord,
    game: GameBody,
}

/// Take the free seat of a game
#[utoipa::path(
    post,
    path = "/api/friends/{id}/join",
    operation_id = "join_friend",
    tag = "friends",
    params(("id" = String, Path, description = "The game's id")),
    request_body = JoinRequest,
    responses((status = 200, body = Joined))
)]
pub(crate) async fn join(
    Shared(app): Shared<App>,
    Path(id): Path<String>,
    Body(request): Body<JoinRequest>,
) -> Result<Json<Joined>, Refusal> {
    if !secret::is_token(&request.token) {
        let message = "token cannot be that; expected 24 to 64 letters and digits";
        return Err(Refusal::of("token", Code::BadRequest, message));
    }
    let token = secret::hex_hash(&request.token);
    let name = share::name("name", &request.name)?;
    let code = secret::hex_hash(&request.code);
    let saved = app.store().join(Join { id, code, token: token.clone(), name }).await?;
    let friends = saved.game.friends.as_ref();
    let side = friends.and_then(|friends| friends.side_of(&token));
    let side = side.ok_or_else(Refusal::internal)?;
    tell(&app, &saved);
    Ok(Json(Joined { side, game: GameBody::of(&saved, true)? }))
}

/// What a seat can ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum ActionWord {
    Move,
    Resign,
    Offer,
    Accept,
    /// Declines an offer, or withdraws one's own.
    Decline,
}

/// What a seat asks for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ActRequest {
    action: ActionWord,
    /// The square, for `move`.
    #[serde(rename = "move")]
    square: Option<String>,
    /// What is offered, accepted or declined.
    offer: Option<OfferWord>,
    /// The `revision` that the caller has seen; refused if the moves have changed since.
    revision: Option<i64>,
    /// A name for this request, at most 64 characters: sent again, it changes nothing.
    #[schema(max_length = 64)]
    request: Option<String>,
}

impl ActRequest {
    fn action(&self) -> Result<Action, Refusal> {
        let offer = || {
            let message = "offer is missing; expected draw, take-back or rematch";
            self.offer.ok_or_else(|| Refusal::of("offer", Code::BadRequest, message))
        };
        Ok(match self.action {
            ActionWord::Move => {
                let text = self.square.as_deref().unwrap_or_default();
                let square: Square = text.parse().map_err(|_| {
                    let message = format!("move cannot be {text:?}; expected a square such as f5");
                    Refusal::of("move", Code::BadRequest, message)
                })?;
                Action::Move(square)
            }
            ActionWord::Resign => Action::Resign,
            ActionWord::Offer => Action::Offer(offer()?),
            ActionWord::Accept => Action::Accept(offer()?),
            ActionWord::Decline => Action::Decline(offer()?),
        })
    }
}

/// Move, resign, offer, accept or decline
#[utoipa::path(
    post,
    path = "/api/friends/{id}/act",
    operation_id = "act_in_game",
    tag = "friends",
    params(("id" = String, Path, description = "The game's id")),
    security(("token" = [])),
    request_body = ActRequest,
    responses((status = 200, body = GameBody))
)]
pub(crate) async fn act(
    Shared(app): Shared<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(request): Body<ActRequest>,
) -> Result<Json<GameBody>, Refusal> {
    let action = request.action()?;
    let name = request.request.unwrap_or_default();
    if name.len() > MOST_REQUEST {
        let message = format!("request is too long; expected at most {MOST_REQUEST} characters");
        return Err(Refusal::of("request", Code::BadRequest, message));
    }
    let token = secret::hex_hash(bearer(&headers).ok_or_else(no_token)?);
    let next = secret::name::<ID>().map_err(|_| Refusal::internal())?;
    let act =
        Act { id: id.clone(), token, action, revision: request.revision, request: name, next };
    let saved = match app.store().act(act).await {
        Err(Undone::Foul(Foul::Over)) => {
            // Perhaps by a clock that ran out this moment.
            let saved: Saved = app.store().settle(id).await?;
            tell(&app, &saved);
            return Err(Foul::Over.into());
        }
        acted => acted?,
    };
    tell(&app, &saved);
    Ok(Json(GameBody::of(&saved, true)?))
}

/// Where others reach the server.
#[derive(Serialize, ToSchema)]
pub(crate) struct AddressBody {
    /// The address for others; none if the server listens for this machine alone.
    url: Option<String>,
    /// Whether the server's owner has said so with `--public-url`.
    public: bool,
}

/// Where others reach the server
#[utoipa::path(
    get,
    path = "/api/address",
    operation_id = "show_address",
    tag = "server",
    responses((status = 200, body = AddressBody))
)]
pub(crate) async fn address(Shared(app): Shared<App>) -> Json<AddressBody> {
    let settings = app.settings();
    Json(match &settings.public_url {
        Some(url) => AddressBody { url: Some(url.url().to_owned()), public: true },
        None => AddressBody { url: settings.address.and_then(address::in_network), public: false },
    })
}
