//! Parsing JSON that others wrote: one value and nothing after it. Errors name the field at fault.

use serde::de::DeserializeOwned;

/// What is wrong with a JSON text.
pub struct Fault {
    /// The field at fault, such as `items[0].quantity`, if the problem is in one.
    pub field: Option<String>,
    /// What is wrong.
    pub message: String,
}

/// Parses a text that must be exactly one value.
pub fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, Fault> {
    let mut json = serde_json::Deserializer::from_slice(text);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|cause| {
        // For a text that ends too early, the path has a question mark in place of the missing field.
        let path = cause.path().to_string().trim_end_matches(['.', '?']).to_owned();
        let message = cause.into_inner().to_string();
        // The field's name says more than serde's line and column.
        let message = message.split(" at line ").next().unwrap_or(&message).to_owned();
        let field = if path.is_empty() { message.split('`').nth(1).map(str::to_owned) } else { Some(path) };
        Fault { field, message }
    })?;
    match json.end() {
        Ok(()) => Ok(value),
        Err(_) => Err(Fault { field: None, message: "something follows the JSON object".into() }),
    }
}
