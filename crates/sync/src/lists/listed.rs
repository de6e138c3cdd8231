//! What the lists have in common.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use taquilla_client::{Client, Rows, Time};

use crate::{cell::Row, people::People, schema::Table};

/// The stamps that a list can be asked by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stamp {
    Updated,
    Issued,
    Scanned,
}

/// A row of a list.
pub trait Listed: DeserializeOwned + Send + 'static {
    /// Where rows are kept. The list has the same name.
    const TABLE: &'static Table;

    /// All rows, or those with a later stamp.
    fn rows(client: &Client, after: Option<(Stamp, Time)>) -> Rows<Self>;

    /// The row's stamp, if it has that one.
    fn stamp(&self, stamp: Stamp) -> Option<Time>;

    fn id(&self) -> &str;

    /// The event whose ticket types show other counts, or are new, now that this row has changed.
    fn event_id(&self) -> Option<&str>;

    /// The order that may have changed with this row.
    fn order_id(&self) -> Option<&str>;

    /// The row as it is kept.
    fn kept(self, people: &People) -> Row;
}
