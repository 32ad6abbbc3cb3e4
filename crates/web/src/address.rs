//! Addresses of sites: where others reach the server, and which other sites may ask it.

use axum::http::Uri;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::str::FromStr;

/// The address of a site, such as `https://board.example/`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteUrl {
    url: String,
    host: String,
}

/// Why a text is not such an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteUrlError(String);

impl fmt::Display for SiteUrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = "expected http:// or https://, a name, and perhaps a port";
        write!(f, "{:?} is not the address of a site; {expected}", self.0)
    }
}

impl std::error::Error for SiteUrlError {}

impl FromStr for SiteUrl {
    type Err = SiteUrlError;

    fn from_str(text: &str) -> Result<SiteUrl, SiteUrlError> {
        let error = || SiteUrlError(text.to_owned());
        if text.contains(['#', '@', '?']) {
            return Err(error());
        }
        let uri: Uri = text.parse().map_err(|_| error())?;
        let (scheme, authority) = uri.scheme_str().zip(uri.authority()).ok_or_else(error)?;
        if !matches!(scheme, "http" | "https") || uri.path() != "/" || authority.host().is_empty() {
            return Err(error());
        }
        let host = authority.host().to_lowercase();
        let authority = authority.as_str().to_lowercase();
        Ok(SiteUrl { url: format!("{scheme}://{authority}/"), host })
    }
}

impl SiteUrl {
    /// The name in it, without a port.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// What browsers send as `Origin` from its pages.
    pub(crate) fn origin(&self) -> &str {
        self.url.trim_end_matches('/')
    }

    /// The whole address, with a slash at its end.
    pub fn url(&self) -> &str {
        &self.url
    }
}

/// The address at which others in the network reach a server that listens at `address`; none if it
/// listens for this machine alone.
pub(crate) fn in_network(address: SocketAddr) -> Option<String> {
    let ip = match address.ip() {
        ip if ip.is_loopback() => return None,
        ip if ip.is_unspecified() => outgoing()?,
        ip => ip,
    };
    Some(format!("http://{}/", SocketAddr::new(ip, address.port())))
}

/// This machine's address in the network by which it reaches others; nothing is sent.
fn outgoing() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // Reserved for documents: only the way there is asked for.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let ip = socket.local_addr().ok()?.ip();
    (!ip.is_loopback() && !ip.is_unspecified()).then_some(ip)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_for_others_is_read_or_refused() {
        for (text, url) in [
            ("https://board.example", "https://board.example/"),
            ("http://board.example:8000/", "http://board.example:8000/"),
            ("http://192.168.0.9:7788", "http://192.168.0.9:7788/"),
        ] {
            assert_eq!(text.parse::<SiteUrl>().unwrap().url(), url);
        }
        let site: SiteUrl = "https://A.example:1/".parse().unwrap();
        assert_eq!((site.host(), site.origin()), ("a.example", "https://a.example:1"));
        for text in ["", "board.example", "ftp://a.example", "http://", "http://a.example/x/"]
            .into_iter()
            .chain([
                "http://a.example/#x",
                "http://me@a.example",
                "http://a.example/?q",
                "nonsense",
            ])
        {
            let error = text.parse::<SiteUrl>().unwrap_err().to_string();
            assert!(error.contains("expected http://"), "{error}");
        }
    }

    #[test]
    fn a_server_for_this_machine_alone_has_no_address_for_others() {
        assert_eq!(in_network("127.0.0.1:7788".parse().unwrap()), None);
        assert_eq!(in_network("[::1]:7788".parse().unwrap()), None);
        let own = in_network("192.168.0.9:7788".parse().unwrap());
        assert_eq!(own.as_deref(), Some("http://192.168.0.9:7788/"));
        if let Some(found) = in_network("0.0.0.0:7788".parse().unwrap()) {
            assert!(found.ends_with(":7788/") && !found.contains("0.0.0.0"), "{found}");
        }
    }
}
