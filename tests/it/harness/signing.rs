//! Signatures of the Standard Webhooks specification, made independently of the code under test.

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// A signature as the Standard Webhooks specification says, with its version.
pub fn sign(secret: &str, id: &str, timestamp: i64, body: &str) -> String {
    let key = BASE64.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    mac.update(format!("{id}.{timestamp}.{body}").as_bytes());
    format!("v1,{}", BASE64.encode(mac.finalize().into_bytes()))
}
