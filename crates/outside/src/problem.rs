//! The problem of a call as staff read it: one short sentence, always the same for the same problem, without the URL (it
//! may contain a token) and without anything that was sent.

use std::{error::Error, fmt::Display, io, iter, time::Duration};

use rustls::CertificateError;

use taquilla_domain::{config::WEBHOOK_PROBLEM_KEPT, text::is_obeyed};

use super::{limits::Within, resolver::Dead};

const CLOSED: &str = "the connection was closed before an answer";

/// Why there is no answer, or not all of it: a short sentence for staff, without the URL and without anything that was sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Problem(String);

impl Problem {
    /// A problem in these words, which may be a stranger's.
    pub(crate) fn new(sentence: &dyn Display) -> Self {
        Self(readable(&sentence.to_string(), WEBHOOK_PROBLEM_KEPT))
    }

    /// The request could not be made for this reason.
    pub(crate) fn failed(cause: &dyn Display) -> Self {
        Self::new(&format_args!("the request failed: {cause}"))
    }

    /// There was no answer.
    pub(crate) fn no_answer(error: reqwest::Error, within: Within) -> Self {
        if let Within::Parts { connect, .. } = within
            && error.is_timeout()
            && error.is_connect()
        {
            return Self(format!("no connection within {}", seconds(connect)));
        }
        let error = error.without_url();
        let known = causes(&error).find_map(sentence).map(|sentence| Self::new(&sentence));
        known.unwrap_or_else(|| Self::failed(causes(&error).last().unwrap_or(&error)))
    }

    /// The deadline for the answer passed.
    pub(crate) fn too_late(within: Within) -> Self {
        Self(format!("no answer within {}", seconds(within.head())))
    }

    /// The body did not end in time.
    pub(crate) fn unfinished(within: Within) -> Self {
        let span = match within {
            Within::All(span) => span,
            Within::Parts { body, .. } => body,
        };
        Self(format!("the answer did not end within {}", seconds(span)))
    }

    /// The body ended early.
    pub(crate) fn broken_off() -> Self {
        Self("the answer broke off before its end".to_owned())
    }

    /// The body is longer than what is read.
    pub(crate) fn too_long() -> Self {
        Self("the answer is too long".to_owned())
    }

    /// Whether the other server closed the connection, possibly before it read the request.
    pub(crate) fn is_closed(&self) -> bool {
        self.0 == CLOSED
    }
}

fn seconds(span: Duration) -> String {
    format!("{} s", span.as_secs_f64())
}

/// The error and its causes, outermost first.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    iter::successors(Some(error), |&error| match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
        // `source` of an I/O error skips the error inside and gives that error's source.
        Some(inside) => Some(inside as &(dyn Error + 'static)),
        None => error.source(),
    })
}

fn sentence(cause: &(dyn Error + 'static)) -> Option<String> {
    if let Some(dead) = cause.downcast_ref::<Dead>() {
        return Some(dead.to_string());
    }
    if let Some(tls) = cause.downcast_ref::<rustls::Error>() {
        return Some(of_tls(tls));
    }
    let sentence = if let Some(http) = cause.downcast_ref::<hyper::Error>() {
        match http {
            _ if http.is_parse_too_large() => "the head of the answer was too large",
            _ if http.is_parse() => "the answer was not understood as HTTP",
            _ if http.is_incomplete_message() || http.is_closed() || http.is_canceled() => CLOSED,
            _ => return None,
        }
    } else {
        match cause.downcast_ref::<io::Error>()?.kind() {
            io::ErrorKind::ConnectionRefused => "connection refused",
            io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => "the address cannot be reached",
            io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe
            | io::ErrorKind::UnexpectedEof => CLOSED,
            _ => return None,
        }
    };
    Some(sentence.to_owned())
}

fn of_tls(error: &rustls::Error) -> String {
    use CertificateError as Certificate;
    let reason = match error {
        rustls::Error::InvalidCertificate(certificate) => match certificate {
            Certificate::Expired | Certificate::ExpiredContext { .. } => "it has expired",
            Certificate::NotValidYet | Certificate::NotValidYetContext { .. } => "it is not valid yet",
            Certificate::NotValidForName | Certificate::NotValidForNameContext { .. } => "it is for another name",
            // The usual cause is a server that sends only its own certificate.
            Certificate::UnknownIssuer => "its issuer is not known here; is the intermediate certificate sent, too?",
            Certificate::Revoked => "it was revoked",
            other => return format!("the TLS certificate was not accepted: {other}"),
        },
        rustls::Error::InvalidMessage(_) => return "what listens there does not speak TLS".into(),
        other => return format!("no TLS connection came about: {other}"),
    };
    format!("the TLS certificate was not accepted: {reason}")
}

/// Cuts a stranger's text to this many characters and replaces control characters: PostgreSQL accepts no NUL, and a
/// terminal obeys the others.
pub(crate) fn readable(text: &str, characters: usize) -> String {
    let shown = |letter: char| if is_obeyed(letter) && !"\n\t".contains(letter) { '\u{fffd}' } else { letter };
    text.replace("\r\n", "\n").chars().take(characters).map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strangers_text_is_cut_and_cleaned() {
        assert_eq!(readable("a\0b\u{1b}[2Jc\u{9b}\td\r\ne\rf", 100), "a\u{fffd}b\u{fffd}[2Jc\u{fffd}\td\ne\u{fffd}f");
        assert_eq!(readable("ñandú", 3), "ñan");
    }

    #[test]
    fn a_certificate_is_refused_in_words_that_do_not_change_from_try_to_try() {
        let time = rustls::pki_types::UnixTime::since_unix_epoch(Duration::from_secs(1));
        let expired = CertificateError::ExpiredContext { time, not_after: time };
        // In practice the TLS error arrives inside an I/O error inside another.
        let error = io::Error::other(io::Error::new(io::ErrorKind::InvalidData, rustls::Error::from(expired)));
        let sentence = causes(&error).find_map(sentence);
        assert_eq!(sentence.as_deref(), Some("the TLS certificate was not accepted: it has expired"));
    }
}
