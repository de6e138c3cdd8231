//! What a change changes, as the history says it, and whether somebody else was quicker.

use taquilla_domain::{clock::Stamp, refusal::Refusal};

/// What differs: names, and values after the change.
#[derive(Default)]
pub struct Differences(Vec<(&'static str, String)>);

impl Differences {
    /// Notes a field if it differs. `None` is written as `none`.
    pub fn compare<T: PartialEq>(
        &mut self,
        name: &'static str,
        before: &Option<T>,
        after: &Option<T>,
        print: impl Fn(&T) -> String,
    ) {
        if before != after {
            self.0.push((name, after.as_ref().map_or_else(|| "none".to_owned(), print)));
        }
    }

    /// The same for a field that always has a value.
    pub fn compare_value<T: PartialEq>(
        &mut self,
        name: &'static str,
        before: T,
        after: T,
        print: impl Fn(&T) -> String,
    ) {
        self.compare(name, &Some(before), &Some(after), print);
    }

    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The details of the history's entry.
    pub fn details(&self) -> Vec<(&'static str, &str)> {
        self.0.iter().map(|(name, value)| (*name, value.as_str())).collect()
    }
}

/// Refuses a change by somebody who has seen something else. `None` asks for no such check.
pub fn check_unchanged(expected: Option<Stamp>, updated_at: Stamp) -> Result<(), Refusal> {
    match expected {
        Some(expected) if expected != updated_at => Err(Refusal::ChangedMeanwhile),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_noted() {
        let mut differences = Differences::default();
        differences.compare("venue", &Some("A".to_owned()), &None, String::clone);
        differences.compare("starts_at", &None::<i64>, &None, i64::to_string);
        differences.compare_value("price", 1, 2, i64::to_string);
        assert_eq!(differences.details(), [("venue", "none"), ("price", "2")]);
        assert!(check_unchanged(None, Stamp::END).is_ok());
        assert!(check_unchanged(Some(Stamp::BEGINNING), Stamp::END).is_err());
    }
}
