//! The words that somebody searches for.

use super::{folded::folded, invalid::Invalid};

/// Words to look for. Capital and small letters are the same to them, and so are letters as they are written and typed.
#[derive(Debug)]
pub struct Words(Vec<String>);

impl Words {
    /// Reads the words of a text.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let words: Vec<String> = text.split_whitespace().map(folded).filter(|word| !word.is_empty()).collect();
        match words.is_empty() {
            true => Err(Invalid::new("there is no word to look for")),
            false => Ok(Self(words)),
        }
    }

    /// Whether each of the words is a part of one of these texts.
    pub fn are_in(&self, texts: &[&str]) -> bool {
        let texts: Vec<String> = texts.iter().map(|text| folded(text)).collect();
        self.0.iter().all(|word| texts.iter().any(|text| text.contains(word)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_without_regard_to_case_accents_and_order() {
        let texts = ["Núria Ibáñez Weiß", "NURIA@example.com"];
        for found in ["nuria", "IBANEZ núria", "n\u{303}ez", "weiß", "weiss", "ria@exam", "  ana  ".trim(), "ñ"] {
            let expected = found != "ana";
            assert_eq!(Words::parse(found).unwrap().are_in(&texts), expected, "{found}");
        }
        assert!(!Words::parse("nuria gil").unwrap().are_in(&texts), "every word counts");
        for nothing in ["", "  ", "\u{301}"] {
            assert!(Words::parse(nothing).is_err(), "{nothing:?}");
        }
    }
}
