//! CSV files (RFC 4180) that a spreadsheet opens without harm.

use ::csv::{Terminator, Writer, WriterBuilder};

/// Begins a file. Excel takes a file for UTF-8 only if it begins with this mark; others skip it.
const BEGINNING: &str = "\u{feff}";

/// What a cell may not begin with, because a spreadsheet would run it as a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Where a spreadsheet may begin another cell in the middle of a text: many split at these, whatever we mean by them.
const SEPARATORS: [char; 6] = [',', ';', '|', '\t', '\n', '\r'];

/// A text in which no cell begins as a formula, neither the text itself nor what a spreadsheet may split off it: a `'` goes
/// before. Quotes and spaces before the sign do not hide it.
fn guarded(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 1);
    let mut begins = true;
    for (at, letter) in text.char_indices() {
        let runs = || text[at..].trim_start_matches([' ', '"']).starts_with(FORMULA);
        if begins && runs() {
            safe.push('\'');
        }
        safe.push(letter);
        begins = SEPARATORS.contains(&letter);
    }
    safe
}

/// A cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell<'a> {
    /// A text. What a spreadsheet would take for a formula in it gets a `'` before it.
    Text(&'a str),
    /// A number, which stays as it is.
    Number(i64),
    /// Nothing.
    Empty,
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for Cell<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Cell<'_> {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl<'a, T: Into<Self>> From<Option<T>> for Cell<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Empty, Into::into)
    }
}

/// Lines of a file.
pub struct Lines(Writer<Vec<u8>>);

impl Lines {
    /// The beginning of a file: the line with the names of its columns.
    pub fn begin<'a>(heads: impl IntoIterator<Item = &'a str>) -> Self {
        let mut lines = Self::after(BEGINNING);
        lines.write(heads.into_iter().map(Cell::from));
        lines
    }

    /// A further part of a file.
    pub fn further() -> Self {
        Self::after("")
    }

    fn after(text: &str) -> Self {
        Self(WriterBuilder::new().terminator(Terminator::CRLF).flexible(true).from_writer(text.as_bytes().to_vec()))
    }

    /// Adds a line. Writing into memory does not fail.
    pub fn write<'a>(&mut self, cells: impl IntoIterator<Item = Cell<'a>>) {
        for cell in cells {
            let _ = match cell {
                Cell::Text(text) => self.0.write_field(guarded(text)),
                Cell::Number(number) => self.0.write_field(number.to_string()),
                Cell::Empty => self.0.write_field(""),
            };
        }
        let _ = self.0.write_record(None::<&[u8]>);
    }

    /// The lines as they are in the file.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0.into_inner().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted_where_they_must_be_and_never_a_formula() {
        let mut lines = Lines::further();
        let texts =
            ["plain", "a,b", "say \"hi\"", "two\nlines", "=1+1", "+34 600", "-5", "@x", "\tx", "\rx", "", "a=b"];
        lines.write(texts.map(Cell::from).into_iter().chain([Cell::Number(-5), Cell::Empty, Cell::Number(0)]));
        assert_eq!(
            String::from_utf8(lines.into_bytes()).unwrap(),
            "plain,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",'=1+1,'+34 600,'-5,'@x,'\tx,\"'\rx\",,a=b,-5,,0\r\n"
        );
    }

    #[test]
    fn no_formula_hides_behind_what_a_spreadsheet_splits_at() {
        for (text, safe) in [
            ("x;=1+1", "x;'=1+1"),
            ("x,=1+1", "x,'=1+1"),
            ("x|@sum", "x|'@sum"),
            ("x\n=1+1", "x\n'=1+1"),
            ("x\r\n-1", "x\r\n'-1"),
            ("x\t=1+1", "x\t'=1+1"),
            ("x; =1+1", "x;' =1+1"),
            ("x;\"=1+1\"", "x;'\"=1+1\""),
            ("=a;=b;c", "'=a;'=b;c"),
            ("x;;+1", "x;;'+1"),
            ("2 × A; 1 × B", "2 × A; 1 × B"),
            ("a-b; c=d", "a-b; c=d"),
        ] {
            assert_eq!(guarded(text), safe);
        }
    }

    #[test]
    fn a_file_begins_with_its_mark_and_its_columns() {
        let mut lines = Lines::begin(["a", "b,c"]);
        lines.write([Cell::Empty, Cell::Number(1)]);
        assert_eq!(lines.into_bytes(), "\u{feff}a,\"b,c\"\r\n,1\r\n".as_bytes());
    }
}
