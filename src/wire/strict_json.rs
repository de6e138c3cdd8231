//! Reading JSON that somebody else wrote: one value and nothing after it, with the field at fault named.

use serde::de::DeserializeOwned;

/// What is wrong with a JSON text.
pub struct Fault {
    /// The field at fault, such as `items[0].quantity`, where it is one.
    pub field: Option<String>,
    /// What is wrong.
    pub message: String,
}

/// Reads one value, whole.
pub fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, Fault> {
    let mut json = serde_json::Deserializer::from_slice(text);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|cause| {
        // A text that ends too early leaves a question mark for the field it did not reach.
        let path = cause.path().to_string().trim_end_matches(['.', '?']).to_owned();
        let message = cause.into_inner().to_string();
        // serde counts lines and columns; the field says more.
        let message = message.split(" at line ").next().unwrap_or(&message).to_owned();
        let field = if path.is_empty() { message.split('`').nth(1).map(str::to_owned) } else { Some(path) };
        Fault { field, message }
    })?;
    match json.end() {
        Ok(()) => Ok(value),
        Err(_) => Err(Fault { field: None, message: "something follows the JSON object".into() }),
    }
}
