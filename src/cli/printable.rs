//! Data on a terminal: shown, never obeyed.
//!
//! What is stored may be older than the rules for names, or come from another tool.

use taquilla_domain::text::is_obeyed;

/// The text with a visible sign in place of each character that a terminal would obey.
pub fn printable(text: &str) -> String {
    text.chars().map(|letter| if is_obeyed(letter) { '\u{fffd}' } else { letter }).collect()
}

/// The same JSON with such characters escaped. JSON itself only demands it of the first 32.
pub fn printable_json(json: String) -> String {
    if !json.contains(is_obeyed) {
        return json;
    }
    // They are below U+FFFF, and occur in strings only.
    json.chars().fold(String::with_capacity(json.len()), |mut text, letter| {
        match is_obeyed(letter) {
            true => text += &format!("\\u{:04x}", letter as u32),
            false => text.push(letter),
        }
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_to_obey() {
        assert_eq!(printable("a\u{1b}[31m\nb\u{9b}c\u{202e}d ñ 🎫"), "a\u{fffd}[31m\u{fffd}b\u{fffd}c\u{fffd}d ñ 🎫");
        let value = serde_json::json!({"name": "a\u{1b}b\u{9b}c\u{202e}d\u{7f}"});
        let json = printable_json(value.to_string());
        assert_eq!(json, r#"{"name":"a\u001bb\u009bc\u202ed\u007f"}"#);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap(), value);
    }
}
