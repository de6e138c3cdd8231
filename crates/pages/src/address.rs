//! Addresses of pages.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// The characters that an id may contain and a part of a path may not.
const IN_PATH: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'`')
    .add(b'{')
    .add(b'}')
    .add(b'/')
    .add(b'\\')
    .add(b'&')
    .add(b'=')
    .add(b'+');

/// A text as a part of an address.
pub fn in_path(text: &str) -> String {
    utf8_percent_encode(text, IN_PATH).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_one_part_of_a_path() {
        assert_eq!(in_path("a/b c?d"), "a%2Fb%20c%3Fd");
    }
}
