//! Every text, by its key (Fluent).

use std::{collections::BTreeSet, sync::LazyLock};

use fluent_bundle::{FluentArgs, FluentResource, FluentValue, concurrent::FluentBundle};
use rust_embed::RustEmbed;

use super::language::Language;

type Bundle = FluentBundle<FluentResource>;

/// The files with the words, in a folder for each language.
#[derive(RustEmbed)]
#[folder = "texts"]
struct Files;

/// The texts of each language, in the order of [`Language::ALL`].
static BUNDLES: LazyLock<Vec<Bundle>> =
    LazyLock::new(|| Language::ALL.iter().map(|language| bundle(*language)).collect());

/// The files of a language: their names and what is in them.
fn files(language: Language) -> impl Iterator<Item = (String, String)> {
    let folder = format!("{}/", language.as_str());
    let names = Files::iter().filter(move |name| name.starts_with(&folder));
    names.filter_map(|name| {
        let words = String::from_utf8(Files::get(&name)?.data.into_owned()).ok()?;
        Some((name.into_owned(), words))
    })
}

/// Reads a language's files. A line that cannot be read is left out, and of a text that is there twice one is; a test finds both.
fn bundle(language: Language) -> Bundle {
    let mut bundle = Bundle::new_concurrent(vec![language.identifier()]);
    // Pages are HTML, which isolates the direction of what people entered by itself (`dir="auto"`).
    bundle.set_use_isolating(false);
    for (file, words) in files(language) {
        let resource = FluentResource::try_new(words).unwrap_or_else(|(resource, _)| resource);
        if let Err(faults) = bundle.add_resource(resource) {
            tracing::error!(file, ?faults, "a text is there twice");
        }
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

    pub(super) fn say(self, key: &str, args: Option<&FluentArgs<'_>>) -> String {
        let bundle = &BUNDLES[self.0 as usize];
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
        BUNDLES[self.0 as usize].has_message(key)
    }

    /// The keys of a language's files. Tests compare them.
    pub fn keys(language: Language) -> BTreeSet<String> {
        files(language).flat_map(|(_, words)| keys_in(&words)).collect()
    }
}

/// The keys of a file, in its order.
fn keys_in(words: &str) -> Vec<String> {
    let lines = words.lines().filter(|line| line.starts_with(|letter: char| letter.is_ascii_lowercase()));
    lines.filter_map(|line| line.split_once(" =")).map(|(key, _)| key.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read_and_no_text_is_there_twice() {
        for language in Language::ALL {
            let mut seen = BTreeSet::new();
            for (file, words) in files(*language) {
                for key in keys_in(&words) {
                    assert!(seen.insert(key.clone()), "{key} in {file} is there twice");
                }
                let read = FluentResource::try_new(words);
                assert!(read.is_ok(), "{file}: {:?}", read.err().map(|(_, faults)| faults));
            }
        }
    }

    #[test]
    fn no_language_lacks_a_text() {
        let english = Texts::keys(Language::English);
        assert!(english.len() > 1_000, "the files are there: {}", english.len());
        for language in Language::ALL {
            let keys = Texts::keys(*language);
            let missing: Vec<_> = english.symmetric_difference(&keys).collect();
            assert!(missing.is_empty(), "these texts are not both in English and in {language:?}: {missing:?}");
        }
    }

    #[test]
    fn a_text_is_in_the_same_file_in_every_language() {
        let files_of = |language: Language| {
            let found = files(language).map(|(file, words)| {
                let (_, file) = file.split_once('/').unwrap();
                (file.to_owned(), keys_in(&words))
            });
            found.collect::<Vec<_>>()
        };
        for language in Language::ALL {
            assert_eq!(files_of(*language), files_of(Language::English), "{language:?}");
        }
    }
}
