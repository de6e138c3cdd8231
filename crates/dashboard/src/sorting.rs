//! What a table is sorted by, which its address says: `sort=name`, or `sort=-name` the other way round. The heads of its
//! columns are links, so that it works without a script.

use taquilla_pages::query::Query;

/// A column that a table is sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    /// The column.
    pub column: &'static str,
    /// Whether what is highest comes first.
    pub descends: bool,
}

impl Sort {
    /// What the address asks for, if the table has such a column.
    pub fn asked(query: &Query, columns: &[&'static str]) -> Option<Self> {
        let asked = query.get("sort")?;
        let (name, descends) = asked.strip_prefix('-').map_or((asked, false), |name| (name, true));
        columns.iter().find(|column| **column == name).map(|column| Self { column, descends })
    }

    /// As an address says it.
    pub fn written(self) -> String {
        format!("{}{}", if self.descends { "-" } else { "" }, self.column)
    }

    /// Puts rows in this order by a key of each. Those with the same key stay as they were.
    pub fn put<T, K: Ord>(self, rows: &mut [T], key: impl Fn(&T) -> K) {
        rows.sort_by(|a, b| if self.descends { key(b).cmp(&key(a)) } else { key(a).cmp(&key(b)) });
    }
}

/// The head of a column that sorts its table; `tables.html` draws it.
pub struct SortHead {
    /// What it says.
    pub text: String,
    /// The address of the same table sorted by it, or the other way round where it is.
    pub path: String,
    /// How the table is sorted by it, in ARIA's words; empty if it is not.
    pub now: &'static str,
}

/// The head of a list that is shown in one order alone.
pub const UNSORTED: Option<SortHead> = None;

impl SortHead {
    /// The head of a column, in a table that is sorted like this. `first` is how a click sorts the table that is not sorted
    /// by the column: newest and most come first, names from A on. `address` is the address of the table with a sorting.
    pub fn new(text: String, first: Sort, now: Option<Sort>, address: impl Fn(&str) -> String) -> Self {
        let by_this = now.filter(|sort| sort.column == first.column);
        let next = by_this.map_or(first, |sort| Sort { descends: !sort.descends, ..sort });
        let now = match by_this {
            Some(Sort { descends: true, .. }) => "descending",
            Some(_) => "ascending",
            None => "",
        };
        Self { text, path: address(&next.written()), now }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_leads_to_the_other_way_round() {
        let first = Sort { column: "sold", descends: true };
        let head = |now| SortHead::new("Sold".to_owned(), first, now, |sort| format!("?sort={sort}"));
        assert_eq!((head(None).path.as_str(), head(None).now), ("?sort=-sold", ""));
        assert_eq!((head(Some(first)).path.as_str(), head(Some(first)).now), ("?sort=sold", "descending"));
        let by_other = Some(Sort { column: "name", descends: false });
        assert_eq!((head(by_other).path.as_str(), head(by_other).now), ("?sort=-sold", ""));
    }

    #[test]
    fn rows_with_the_same_key_stay_as_they_were() {
        let mut rows = [(1, 'a'), (2, 'b'), (1, 'c')];
        Sort { column: "number", descends: true }.put(&mut rows, |row| row.0);
        assert_eq!(rows, [(2, 'b'), (1, 'a'), (1, 'c')]);
    }
}
