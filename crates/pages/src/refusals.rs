//! What refusals mean, for people.

use taquilla_domain::refusal::Refusal;

use super::texts::Texts;

/// What a refusal means, in the reader's language.
pub fn refusal_text(t: Texts, refusal: &Refusal) -> String {
    match refusal {
        Refusal::Invalid { field, .. } => t.text(&format!("wrong-{field}")),
        _ => t.text(&format!("refused-{}", refusal.code())),
    }
}
