//! Who of a club sent a request: by the cookie of a session, or by a token.

use crate::app::App;
use crate::club::ServedClub;
use crate::refusal::{Code, Refusal};
use axum::extract::FromRequestParts;
use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method};
use isrever_club::{Account, AccountId, ClubError, Role, Session, Visitor};

/// The name of the cookie.
pub(crate) const NAME: &str = "isrever";

/// How long browsers keep it, in seconds; the club may end the session earlier.
const LASTS: u64 = 100 * 86_400;

/// The header in which pages of this server say what only they know.
pub(crate) const FORM: &str = "x-form-code";

/// A member of the club, or a guest of it, who has logged in.
pub(crate) struct Member {
    pub(crate) club: ServedClub,
    pub(crate) account: Account,
}

impl Member {
    pub(crate) fn id(&self) -> AccountId {
        self.account.id
    }

    /// Refuses everybody else. Changes are checked by the club itself, with what they change.
    pub(crate) fn administrator(&self) -> Result<(), Refusal> {
        match self.account.role {
            Role::Administrator => Ok(()),
            Role::Member | Role::Guest => Err(ClubError::Forbidden.into()),
        }
    }
}

/// The cookie of a request.
pub(crate) fn cookie(headers: &HeaderMap) -> Option<&str> {
    let values = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = values.flat_map(|value| value.split(';'));
    pairs
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == NAME)
        .map(|(_, value)| value)
}

/// What sets the cookie of a session, or removes it.
pub(crate) fn set_cookie(session: Option<&Session>, is_secure: bool) -> HeaderValue {
    let (value, age) = session.map_or(("", 0), |session| (session.cookie.as_str(), LASTS));
    let secure = if is_secure { "; Secure" } else { "" };
    let text = format!("{NAME}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={age}{secure}");
    HeaderValue::from_str(&text).expect("codes are letters and digits")
}

/// Who sent a request, if somebody did who has logged in.
pub(crate) async fn visitor(
    club: &ServedClub,
    headers: &HeaderMap,
) -> Result<Option<Visitor>, Refusal> {
    let Some(cookie) = cookie(headers).map(str::to_owned) else { return Ok(None) };
    club.ask(move |club, now| club.visitor(&cookie, now)).await
}

/// Whose program sent a request with a token; nobody if there is none. A wrong one is refused.
pub(crate) async fn bearer(
    club: &ServedClub,
    headers: &HeaderMap,
) -> Result<Option<Account>, Refusal> {
    let Some(value) = headers.get(AUTHORIZATION) else { return Ok(None) };
    let token = value.to_str().ok().and_then(|value| value.strip_prefix("Bearer "));
    let token = token.ok_or_else(logged_out)?.to_owned();
    let account = club.ask(move |club, now| club.bearer(&token, now)).await?;
    account.ok_or_else(logged_out).map(Some)
}

fn logged_out() -> Refusal {
    Refusal::new(Code::LogIn, "you are not logged in; log in first")
}

impl FromRequestParts<App> for ServedClub {
    type Rejection = Refusal;

    async fn from_request_parts(_: &mut Parts, app: &App) -> Result<ServedClub, Refusal> {
        let message = "this server has no club; expected one that was started with --club";
        app.club().cloned().ok_or_else(|| Refusal::not_found(message))
    }
}

impl FromRequestParts<App> for Member {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Member, Refusal> {
        let club = ServedClub::from_request_parts(parts, app).await?;
        if let Some(account) = bearer(&club, &parts.headers).await? {
            return Ok(Member { club, account });
        }
        let Visitor { account, form } =
            visitor(&club, &parts.headers).await?.ok_or_else(logged_out)?;
        let is_change = !matches!(parts.method, Method::GET | Method::HEAD);
        // Other sites cannot set the header, and do not know the code.
        let sent = parts.headers.get(FORM).map(HeaderValue::as_bytes);
        if is_change && sent != Some(form.as_bytes()) {
            let message = "the form's code is missing or another; expected that of your session";
            return Err(Refusal::new(Code::WrongForm, message));
        }
        Ok(Member { club, account })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cookie_is_found_among_others() {
        let mut headers = HeaderMap::new();
        assert_eq!(cookie(&headers), None);
        headers.append(COOKIE, HeaderValue::from_static("a=b; isreverx=no;isrever=yes"));
        assert_eq!(cookie(&headers), Some("yes"));
        let text = set_cookie(None, true);
        let text = text.to_str().unwrap();
        assert!(
            text.starts_with("isrever=;") && text.contains("Max-Age=0") && text.contains("Secure")
        );
        assert!(text.contains("HttpOnly") && text.contains("SameSite=Strict"));
    }
}
