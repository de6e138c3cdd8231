//! Parsing JSON that others wrote: one value and nothing after it. Errors name the field at fault.

use serde::de::DeserializeOwned;
use serde_json::error::Category;

/// What is wrong with a JSON text.
#[derive(Debug)]
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
        let cause = cause.into_inner();
        let message = cause.to_string();
        // The field's name says more than serde's line and column.
        let message = message.split(" at line ").next().unwrap_or(&message);
        // Outside of any field, a message that is about one names it.
        let named = || message.split('`').nth(1).filter(|_| message.contains(" field `")).map(str::to_owned);
        let field = if path.is_empty() { named() } else { Some(path) };
        Fault { field, message: in_words(&cause, message) }
    })?;
    match json.end() {
        Ok(()) => Ok(value),
        Err(_) => Err(Fault { field: None, message: "something follows the JSON object".into() }),
    }
}

/// What serde says, in words for whoever wrote the JSON.
fn in_words(cause: &serde_json::Error, message: &str) -> String {
    match cause.classify() {
        Category::Syntax => return "this is not JSON; one object is expected, such as {\"name\": \"value\"}".into(),
        Category::Eof => return "the JSON ends too early".into(),
        Category::Data | Category::Io => {}
    }
    let plain = |text: &str| text.replace('`', "");
    if let Some(field) = message.strip_prefix("missing field ") {
        format!("the field {} is missing", plain(field))
    } else if let Some(rest) = message.strip_prefix("unknown field ") {
        let known = rest.split_once(", expected ").map_or("none", |(_, known)| known);
        let known = known.strip_prefix("one of ").unwrap_or(known);
        format!("there is no such field; there are {}", plain(known).replace(" or ", ", "))
    } else if message.starts_with("duplicate field ") {
        "the field is there twice".into()
    } else if let Some((_, expected)) =
        message.strip_prefix("invalid ").and_then(|rest| rest.rsplit_once(", expected "))
    {
        let expected = match expected {
            "i64" | "u64" => "a whole number",
            "a string" => "a text",
            "a boolean" => "true or false",
            "a sequence" => "a list",
            expected if expected.starts_with("struct ") => "an object",
            expected => expected,
        };
        format!("{expected} is expected")
    } else {
        message.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only the reading of it is tested")]
    struct Line {
        name: String,
        items: Option<Vec<Item>>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only the reading of it is tested")]
    struct Item {
        quantity: i64,
        gift: Option<bool>,
    }

    #[test]
    fn a_fault_is_told_without_the_words_of_a_parser() {
        for (text, field, message) in [
            ("nonsense", None, "this is not JSON; one object is expected, such as {\"name\": \"value\"}"),
            ("", None, "the JSON ends too early"),
            (r#"{"name": "a""#, None, "the JSON ends too early"),
            ("[]", None, "an object is expected"),
            ("5", None, "an object is expected"),
            ("{}", Some("name"), "the field name is missing"),
            (r#"{"name": 5}"#, Some("name"), "a text is expected"),
            (r#"{"name": "a", "nmae": 1}"#, Some("nmae"), "there is no such field; there are name, items"),
            (r#"{"name": "a", "name": "b"}"#, Some("name"), "the field is there twice"),
            (r#"{"name": "a", "items": {}}"#, Some("items"), "a list is expected"),
            (r#"{"name": "a", "items": [7]}"#, Some("items[0]"), "an object is expected"),
            (r#"{"name": "a", "items": [{}]}"#, Some("items[0]"), "the field quantity is missing"),
            (r#"{"name": "a", "items": [{"quantity": 1.5}]}"#, Some("items[0].quantity"), "a whole number is expected"),
            (
                r#"{"name": "a", "items": [{"quantity": 99999999999999999999}]}"#,
                Some("items[0].quantity"),
                "a whole number is expected",
            ),
            (
                r#"{"name": "a", "items": [{"quantity": 1, "gift": "no"}]}"#,
                Some("items[0].gift"),
                "true or false is expected",
            ),
            (r#"{"name": "a"} {}"#, None, "something follows the JSON object"),
        ] {
            let fault = read::<Line>(text.as_bytes()).unwrap_err();
            assert_eq!((fault.field.as_deref(), fault.message.as_str()), (field, message), "{text}");
        }
    }
}
