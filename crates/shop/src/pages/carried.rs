//! What a link to the shop carries through all steps: the code that opens a hidden item, a coupon, and who sold it.

use taquilla_domain::id;
use taquilla_pages::{form::Form, query::Query};
use url::form_urlencoded::Serializer;

/// The names of what is carried, in queries and in forms.
const NAMES: [&str; 3] = [ACCESS_CODE, COUPON, "promoter"];

const ACCESS_CODE: &str = "access_code";
const COUPON: &str = "coupon";

/// What is carried. What could be no id or code is left behind.
#[derive(Clone, Debug, Default)]
pub struct Carried(Vec<(&'static str, String)>);

impl Carried {
    /// What the query of a page carries.
    pub fn in_query(query: &Query) -> Self {
        Self::of(|name| query.get(name))
    }

    /// What a form carries.
    pub fn in_form(form: &Form) -> Self {
        Self::of(|name| Some(form.value(name)))
    }

    fn of<'a>(value: impl Fn(&str) -> Option<&'a str>) -> Self {
        let given = NAMES.into_iter().filter_map(|name| Some((name, value(name)?.trim().to_owned())));
        Self(given.filter(|(_, value)| id::is_plausible(value)).collect())
    }

    /// The code that opens a hidden item.
    pub fn access_code(&self) -> Option<&str> {
        self.get(ACCESS_CODE)
    }

    /// The code of a coupon.
    pub fn coupon(&self) -> Option<&str> {
        self.get(COUPON)
    }

    /// Who sells it: a promoter's id or token.
    pub fn promoter(&self) -> Option<&str> {
        self.get("promoter")
    }

    /// Whether it opens more than everybody has at most, and says nothing else.
    pub fn only_opens(&self) -> bool {
        self.0.iter().all(|(name, _)| *name == ACCESS_CODE)
    }

    /// What a form with a field for a coupon carries besides.
    pub fn without_coupon(&self) -> impl Iterator<Item = &(&'static str, String)> {
        self.0.iter().filter(|(name, _)| *name != COUPON)
    }

    fn get(&self, wanted: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| *name == wanted).map(|(_, value)| value.as_str())
    }

    /// All of it, as the fields of a form.
    pub fn fields(&self) -> &[(&'static str, String)] {
        &self.0
    }

    /// The same as the query of a link, with more before it.
    pub fn query(&self, more: &[(&str, &str)]) -> String {
        let all = more.iter().copied().chain(self.0.iter().map(|(name, value)| (*name, value.as_str())));
        let query: String = Serializer::new(String::new()).extend_pairs(all).finish();
        if query.is_empty() { query } else { format!("?{query}") }
    }
}
