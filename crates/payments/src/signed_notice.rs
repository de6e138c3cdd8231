//! Notices that are signed as the Standard Webhooks specification says, by a processor, or by a program between it and us.

use taquilla_domain::{config::PAYMENT_TOLERANCE, signature::SigningSecret};

use super::processor::{Incoming, Noticed, Processor};

/// Whoever has this secret, and tells what became of payments.
#[derive(Clone, Copy)]
pub struct SignedNotice<'a>(pub &'a SigningSecret);

/// What of a request was signed, and with what.
struct Signed<'a> {
    id: &'a str,
    timestamp: &'a str,
    signatures: &'a str,
}

impl<'a> Signed<'a> {
    /// `None` if the request is not signed, or its time is too far from the present: it may be a replay.
    fn read(notice: &Incoming<'a>) -> Option<Self> {
        let text = |name: &str| notice.headers.get(name).and_then(|value| value.to_str().ok());
        let timestamp = text("webhook-timestamp")?;
        let seconds: i64 = timestamp.parse().ok()?;
        let is_recent = (notice.now.micros() / 1_000_000).abs_diff(seconds) <= PAYMENT_TOLERANCE.as_secs();
        let signed = Self { id: text("webhook-id")?, timestamp, signatures: text("webhook-signature")? };
        is_recent.then_some(signed)
    }
}

impl SignedNotice<'_> {
    /// Whether somebody may have signed the request, which is known before the secret is.
    pub fn may_be(notice: &Incoming<'_>) -> bool {
        Signed::read(notice).is_some()
    }
}

impl Processor for SignedNotice<'_> {
    /// The notice counts for itself if one of its signatures was made with the secret.
    fn verify(&self, notice: &Incoming<'_>) -> Option<Noticed> {
        let Signed { id, timestamp, signatures } = Signed::read(notice)?;
        self.0.verify(id, timestamp, notice.body, signatures).then_some(Noticed::Itself)
    }
}
