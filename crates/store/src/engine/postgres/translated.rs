//! Statements in PostgreSQL's dialect.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock},
};

use parking_lot::RwLock;

use super::{
    super::sql::Param,
    sets::{self, Form},
};

/// A statement in PostgreSQL's dialect: `$N` for `?N` (no statement of ours has a question mark anywhere else), and
/// without `INDEXED BY`, which PostgreSQL lacks; there a list's number selects the index (`lists.rs`). The code can
/// write a limited number of statements, so every translation is kept.
pub fn translated(sql: &str) -> Arc<str> {
    static KNOWN: Translations = LazyLock::new(RwLock::default);
    kept(&KNOWN, sql, || translate(&sql.replace('?', "$")))
}

/// The statement over many sets of parameters such as these, in PostgreSQL's dialect.
pub fn translated_for_sets(sql: &str, params: &[Param<'_>], form: Form) -> Arc<str> {
    static ON_ONE_MACHINE: Translations = LazyLock::new(RwLock::default);
    static SPREAD: Translations = LazyLock::new(RwLock::default);
    let known = match form {
        Form::OneMachine => &ON_ONE_MACHINE,
        Form::Spread => &SPREAD,
    };
    kept(known, sql, || translate(&sets::statement(sql, params, form)))
}

type Translations = LazyLock<RwLock<HashMap<String, Arc<str>>>>;

fn kept(known: &Translations, sql: &str, translate: impl FnOnce() -> String) -> Arc<str> {
    if let Some(text) = known.read().get(sql) {
        return Arc::clone(text);
    }
    let text: Arc<str> = translate().into();
    known.write().insert(sql.to_owned(), Arc::clone(&text));
    text
}

fn translate(sql: &str) -> String {
    let mut text = sql.to_owned();
    while let Some(at) = text.find(" INDEXED BY ") {
        let name = at + " INDEXED BY ".len();
        let end = text[name..].find(' ').map_or(text.len(), |length| name + length);
        text.replace_range(at..end, "");
    }
    text
}
