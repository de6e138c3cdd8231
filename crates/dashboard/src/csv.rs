//! CSV files (RFC 4180) that a spreadsheet opens without harm.

/// Begins a file. Excel takes a file for UTF-8 only if it begins with this mark; others skip it.
pub const BEGINNING: &str = "\u{feff}";

/// What a text may not begin with, because a spreadsheet would run it as a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// A cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell<'a> {
    /// A text. One that a spreadsheet would take for a formula gets a `'` before it.
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

/// Adds a line.
pub fn write<'a>(cells: impl IntoIterator<Item = Cell<'a>>, into: &mut String) {
    for (number, cell) in cells.into_iter().enumerate() {
        if number > 0 {
            into.push(',');
        }
        match cell {
            Cell::Text(text) => write_text(text, into),
            Cell::Number(number) => into.push_str(&number.to_string()),
            Cell::Empty => {}
        }
    }
    into.push_str("\r\n");
}

fn write_text(text: &str, into: &mut String) {
    let guard = if text.starts_with(FORMULA) { "'" } else { "" };
    if text.contains(['"', ',', '\r', '\n']) {
        into.push('"');
        into.push_str(guard);
        into.push_str(&text.replace('"', "\"\""));
        into.push('"');
    } else {
        into.push_str(guard);
        into.push_str(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted_where_they_must_be_and_never_a_formula() {
        let mut line = String::new();
        let texts =
            ["plain", "a,b", "say \"hi\"", "two\nlines", "=1+1", "+34 600", "-5", "@x", "\tx", "\rx", "", "a=b"];
        write(texts.map(Cell::from).into_iter().chain([Cell::Number(-5), Cell::Empty, Cell::Number(0)]), &mut line);
        assert_eq!(
            line,
            "plain,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",'=1+1,'+34 600,'-5,'@x,'\tx,\"'\rx\",,a=b,-5,,0\r\n"
        );
    }
}
