//! What is saved now, beside what somebody wrote who did not know of it.

use taquilla_pages::form::Form;

/// The present values of a form's fields, if somebody else has changed them meanwhile.
#[derive(Default)]
pub struct Present(Option<Form>);

impl Present {
    /// The present values.
    pub fn new(form: Form) -> Self {
        Self(Some(form))
    }

    /// Whether somebody else has changed something.
    pub fn is_known(&self) -> bool {
        self.0.is_some()
    }

    /// The present value of a field, if the form has another one.
    pub fn other(&self, form: &Form, field: &str) -> Option<String> {
        let value = self.0.as_ref()?.value(field);
        // Browsers end the lines of a text in their own way.
        (value != form.value(field).replace("\r\n", "\n").trim()).then(|| value.to_owned())
    }
}
