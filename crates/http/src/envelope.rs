//! The JSON envelope around a list.

use serde::Serialize;

use taquilla_store as store;

/// The JSON envelope around a list, written while rows are read.
pub struct Envelope {
    json: Vec<u8>,
    empty: bool,
    notes: String,
}

impl Envelope {
    /// An envelope with room for this many rows of about this many bytes.
    pub fn with_capacity(rows: usize, row_bytes: usize) -> Self {
        let mut json = Vec::with_capacity(rows * row_bytes + 128);
        json.extend_from_slice(b"{\"data\":[");
        Self { json, empty: true, notes: String::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, row: &impl Serialize) -> Result<(), store::Error> {
        if !std::mem::take(&mut self.empty) {
            self.json.push(b',');
        }
        serde_json::to_writer(&mut self.json, row).map_err(store::Error::internal)
    }

    /// The place to write rows that are JSON already, with commas between them.
    pub fn rows(&mut self) -> &mut Vec<u8> {
        &mut self.json
    }

    /// Adds a field beside the rows that describes the whole page.
    pub fn note(&mut self, name: &str, value: impl Serialize) -> Result<(), store::Error> {
        let value = serde_json::to_string(&value).map_err(store::Error::internal)?;
        self.notes += &format!("\"{name}\":{value},");
        Ok(())
    }

    /// The finished answer.
    pub fn finish(mut self, next_cursor: Option<&str>) -> Vec<u8> {
        let parts = match next_cursor {
            // A cursor is base64url: nothing in it needs escaping.
            Some(cursor) => ["],", &self.notes, "\"has_more\":true,\"next_cursor\":\"", cursor, "\"}"],
            None => ["],", &self.notes, "\"has_more\":false,\"next_cursor\":null", "", "}"],
        };
        parts.iter().for_each(|part| self.json.extend_from_slice(part.as_bytes()));
        self.json
    }
}
