//! Money that staff take or hand back at the box office.

use taquilla_domain::{audit::By, status::PaymentMethod};

/// Money at the counter: which member of the staff took it or handed it back, and how. What no staff do has neither.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CounterMoney<'a> {
    /// The member of the staff, as the history names them.
    pub by: Option<&'a str>,
    /// How, if they say so.
    pub method: Option<PaymentMethod>,
}

impl<'a> CounterMoney<'a> {
    pub fn by(by: Option<&'a By>, method: Option<PaymentMethod>) -> Self {
        Self { by: by.map(|by| by.actor.as_str()), method }
    }
}
