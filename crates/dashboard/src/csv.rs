//! CSV files (RFC 4180) that a spreadsheet opens without harm.

use ::csv::{Terminator, Writer, WriterBuilder};

use taquilla_pages::texts::Language;

/// Begins a file. Excel takes a file for UTF-8 only if it begins with this mark; others skip it.
const BEGINNING: &str = "\u{feff}";

/// What a cell may not begin with, because a spreadsheet would run it as a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Where a spreadsheet may begin another cell in the middle of a text: many split at these, whatever we mean by them.
const SEPARATORS: [char; 6] = [',', ';', '|', '\t', '\n', '\r'];

/// What stands between two cells. Spreadsheets open a file by a double click only if it has the sign of their country: where
/// a comma begins decimals, that is the semicolon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separator {
    /// `,`
    Comma,
    /// `;`
    Semicolon,
}

impl Separator {
    /// Every one.
    pub const ALL: [Self; 2] = [Self::Comma, Self::Semicolon];

    /// The one of the spreadsheets of a language.
    pub fn of(language: Language) -> Self {
        match language {
            Language::English => Self::Comma,
            Language::Spanish => Self::Semicolon,
        }
    }

    /// Its name in addresses and texts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Comma => "comma",
            Self::Semicolon => "semicolon",
        }
    }

    /// Reads its name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|separator| separator.as_str() == text)
    }

    fn byte(self) -> u8 {
        match self {
            Self::Comma => b',',
            Self::Semicolon => b';',
        }
    }
}

/// The fewest digits of a phone number with the code of its country.
const PHONE_DIGITS_MIN: usize = 6;

/// Whether a text is a phone number and nothing else: a plus, then digits and spaces. A spreadsheet may take it for a number,
/// but there is nothing in it to run: no name, no reference to a cell and no second sign.
fn is_phone(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('+') else { return false };
    rest.starts_with(|letter: char| letter.is_ascii_digit())
        && rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ')
        && rest.bytes().filter(u8::is_ascii_digit).count() >= PHONE_DIGITS_MIN
}

/// A text in which no cell begins as a formula, neither the text itself nor what a spreadsheet may split off it: a `'` goes
/// before. Quotes and spaces before the sign do not hide it.
fn guarded(text: &str) -> String {
    if is_phone(text) {
        return text.to_owned();
    }
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
    pub fn begin<'a>(separator: Separator, heads: impl IntoIterator<Item = &'a str>) -> Self {
        let mut lines = Self::after(BEGINNING, separator);
        lines.write(heads.into_iter().map(Cell::from));
        lines
    }

    /// A further part of a file.
    pub fn further(separator: Separator) -> Self {
        Self::after("", separator)
    }

    fn after(text: &str, separator: Separator) -> Self {
        let mut writer = WriterBuilder::new();
        writer.terminator(Terminator::CRLF).flexible(true).delimiter(separator.byte());
        Self(writer.from_writer(text.as_bytes().to_vec()))
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
        let mut lines = Lines::further(Separator::Comma);
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
    fn a_phone_number_is_as_people_write_it_and_nothing_else_passes_for_one() {
        for phone in ["+34 600 000 001", "+34600000001", "+1 202 555 0100"] {
            assert_eq!(guarded(phone), phone);
        }
        for other in
            ["+34 600", "+1+1", "+34600000001*2", "+A1", "+ 34600000001", "+34,600,000,001", "+346000000;=1", "+cmd|x"]
        {
            assert!(guarded(other).starts_with('\''), "{other}");
        }
    }

    #[test]
    fn a_semicolon_separates_where_spreadsheets_want_it() {
        let mut lines = Lines::begin(Separator::of(Language::Spanish), ["a", "b"]);
        lines.write([Cell::from("x,y"), Cell::from("x;y")]);
        assert_eq!(lines.into_bytes(), "\u{feff}a;b\r\nx,y;\"x;y\"\r\n".as_bytes());
        assert_eq!(Separator::ALL.map(|each| Separator::parse(each.as_str())), Separator::ALL.map(Some));
    }

    #[test]
    fn a_file_begins_with_its_mark_and_its_columns() {
        let mut lines = Lines::begin(Separator::Comma, ["a", "b,c"]);
        lines.write([Cell::Empty, Cell::Number(1)]);
        assert_eq!(lines.into_bytes(), "\u{feff}a,\"b,c\"\r\n,1\r\n".as_bytes());
    }
}
