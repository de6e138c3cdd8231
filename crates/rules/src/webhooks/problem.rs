//! The problem of an attempt as staff read it: one short sentence, always the same for the same problem, without the
//! URL (it may contain a token) and without anything that was sent.

use std::{error::Error, io, iter, time::Duration};

use rustls::CertificateError;

use taquilla_domain::{
    config::{WEBHOOK_PROBLEM_KEPT, WebhookTimeouts},
    text::is_obeyed,
};

use super::lookup::Dead;

pub(super) const CLOSED: &str = "the connection was closed before an answer";

/// The problem if there was no answer.
pub fn no_answer(error: reqwest::Error, timeouts: &WebhookTimeouts) -> String {
    if error.is_timeout() && error.is_connect() {
        return format!("no connection within {}", seconds(timeouts.connect));
    }
    let error = error.without_url();
    let known = causes(&error).find_map(sentence);
    let sentence = known.or_else(|| causes(&error).last().map(|root| format!("the request failed: {root}")));
    readable(&sentence.unwrap_or_default(), WEBHOOK_PROBLEM_KEPT)
}

/// The problem if the deadline passed. Connecting and answering share one deadline.
pub(super) fn too_late(timeouts: &WebhookTimeouts) -> String {
    format!("no answer within {}", seconds(timeouts.connect + timeouts.head))
}

/// The problem if the body did not end in time.
pub(super) fn unfinished(timeouts: &WebhookTimeouts) -> String {
    format!("the answer did not end within {}", seconds(timeouts.body))
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
pub(super) fn readable(text: &str, characters: usize) -> String {
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
