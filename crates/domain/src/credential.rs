//! What API keys and door links have in common: both are secrets that expire, can be revoked, and show their last use.

use super::{clock::Stamp, invalid::Invalid};

/// The times at which a credential was created, used and ended.
#[derive(Clone, Copy, Debug)]
pub struct Life {
    /// When it was created.
    pub created_at: Stamp,
    /// When it stops working by itself.
    pub expires_at: Option<Stamp>,
    /// When it was revoked.
    pub revoked_at: Option<Stamp>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Stamp>,
}

/// How a credential stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LifeState {
    /// It opens what it is for.
    Works,
    /// Its time is over.
    Expired,
    /// Somebody ended it.
    Revoked,
}

impl Life {
    /// The life of a credential created now. An expiry that is already past is refused.
    pub fn begin(now: Stamp, expires_at: Option<Stamp>) -> Result<Self, Invalid> {
        match expires_at {
            Some(expiry) if expiry <= now => Err(Invalid::new("this time is in the past")),
            _ => Ok(Self { created_at: now, expires_at, revoked_at: None, last_used_at: None }),
        }
    }

    /// Whether the credential is neither expired nor revoked.
    pub fn works(&self, now: Stamp) -> bool {
        self.state(now) == LifeState::Works
    }

    /// Whether the credential works, and if not, why. One that was revoked stays so when it would have expired.
    pub fn state(&self, now: Stamp) -> LifeState {
        match (self.revoked_at, self.expires_at) {
            (Some(_), _) => LifeState::Revoked,
            (None, Some(expiry)) if expiry <= now => LifeState::Expired,
            (None, _) => LifeState::Works,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_credential_works_from_now_until_it_expires_or_is_revoked() {
        let at = Stamp::from_micros;
        let life = Life::begin(at(10), Some(at(20))).unwrap();
        assert!(life.works(at(10)) && life.works(at(19)) && !life.works(at(20)));
        assert!(!Life { revoked_at: Some(at(15)), ..life }.works(at(12)), "from the moment it is known to be revoked");
        assert!(Life::begin(at(10), Some(at(10))).is_err() && Life::begin(at(10), None).is_ok());
    }
}
