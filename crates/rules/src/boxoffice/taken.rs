//! Money that staff take or hand back at the box office.

use taquilla_domain::{audit::By, status::PaymentMethod};

/// Who has the money, and how it was paid. What nobody of the staff does has neither.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Taken<'a> {
    /// The member of the staff, as the history names them.
    pub by: Option<&'a str>,
    /// How, if they say so.
    pub method: Option<PaymentMethod>,
}

impl<'a> Taken<'a> {
    pub fn by(by: Option<&'a By>, method: Option<PaymentMethod>) -> Self {
        Self { by: by.map(|by| by.actor.as_str()), method }
    }
}
