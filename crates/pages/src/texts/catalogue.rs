//! Every text, by its key (Fluent).

use std::{collections::BTreeSet, sync::LazyLock};

use fluent_bundle::{FluentArgs, FluentResource, FluentValue, concurrent::FluentBundle};
use unic_langid::LanguageIdentifier;

use super::language::Language;

type Bundle = FluentBundle<FluentResource>;

static ENGLISH: LazyLock<Bundle> = LazyLock::new(|| bundle(Language::English));
static SPANISH: LazyLock<Bundle> = LazyLock::new(|| bundle(Language::Spanish));

fn source(language: Language) -> &'static str {
    match language {
        Language::English => include_str!("../../texts/en.ftl"),
        Language::Spanish => include_str!("../../texts/es.ftl"),
    }
}

/// Reads a language's file. A line that cannot be read is left out; a test finds it.
fn bundle(language: Language) -> Bundle {
    let tag: LanguageIdentifier = language.as_str().parse().unwrap_or_default();
    let mut bundle = Bundle::new_concurrent(vec![tag]);
    // Pages are HTML, which isolates the direction of what people entered by itself (`dir="auto"`).
    bundle.set_use_isolating(false);
    let resource = FluentResource::try_new(source(language).to_owned()).unwrap_or_else(|(resource, _)| resource);
    if let Err(faults) = bundle.add_resource(resource) {
        tracing::error!(?faults, "a text is there twice");
    }
    bundle
}

/// The texts in one language.
#[derive(Clone, Copy, Debug)]
pub struct Texts(pub Language);

impl Texts {
    /// The text with this key. A key without a text is shown as it is.
    pub fn text(self, key: &str) -> String {
        self.say(key, None)
    }

    /// The text with this key and one value in it.
    pub fn with<'a>(self, key: &str, name: &'a str, value: impl Into<FluentValue<'a>>) -> String {
        let mut args = FluentArgs::new();
        args.set(name, value);
        self.say(key, Some(&args))
    }

    /// The text with this key and two values in it.
    pub fn with_two<'a>(self, key: &str, values: [(&'a str, FluentValue<'a>); 2]) -> String {
        let args: FluentArgs<'_> = values.into_iter().collect();
        self.say(key, Some(&args))
    }

    fn say(self, key: &str, args: Option<&FluentArgs<'_>>) -> String {
        let bundle: &Bundle = match self.0 {
            Language::English => &ENGLISH,
            Language::Spanish => &SPANISH,
        };
        let Some(pattern) = bundle.get_message(key).and_then(|message| message.value()) else {
            debug_assert!(false, "there is no text {key}");
            return key.to_owned();
        };
        let mut faults = Vec::new();
        let text = bundle.format_pattern(pattern, args, &mut faults);
        debug_assert!(faults.is_empty(), "{key}: {faults:?}");
        text.into_owned()
    }

    /// Whether there is a text with this key.
    pub fn has(self, key: &str) -> bool {
        ENGLISH.has_message(key)
    }

    /// The keys of a language's file. Tests compare them.
    pub fn keys(language: Language) -> BTreeSet<&'static str> {
        let lines =
            source(language).lines().filter(|line| line.starts_with(|letter: char| letter.is_ascii_lowercase()));
        lines.filter_map(|line| line.split_once(" =")).map(|(key, _)| key).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read_and_no_language_lacks_a_text() {
        for language in Language::ALL {
            let read = FluentResource::try_new(source(*language).to_owned());
            assert!(read.is_ok(), "{}: {:?}", language.as_str(), read.err().map(|(_, faults)| faults));
        }
        let (english, spanish) = (Texts::keys(Language::English), Texts::keys(Language::Spanish));
        let missing: Vec<_> = english.symmetric_difference(&spanish).collect();
        assert!(missing.is_empty(), "these texts are not in both languages: {missing:?}");
    }
}
