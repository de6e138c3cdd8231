//! How many rows a table has, and a digest of them.

use xxhash_rust::xxh3::xxh3_128;

use super::cell::Cell;

/// The sum of a table: the number of its rows and a digest of all of them. It is the same in whatever order the rows come,
/// because the engines sort texts differently. Not equal sums tell of damage; they are no defence against forgery.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// How many rows there are.
    pub rows: u64,
    digest: u128,
}

impl Sum {
    /// A sum that was written down.
    pub fn parse(rows: u64, digest: &str) -> Option<Self> {
        let digest = u128::from_str_radix(digest, 16).ok()?;
        Some(Self { rows, digest })
    }

    /// The digest, in hexadecimal.
    pub fn digest(&self) -> String {
        format!("{:032x}", self.digest)
    }

    /// Adds a row. Each value is written with its kind, and a text with its length, so that no two rows look alike.
    pub fn add(&mut self, row: &[Cell<'_>]) {
        let mut bytes = Vec::with_capacity(1024);
        for cell in row {
            match cell {
                Cell::Null => bytes.push(b'n'),
                Cell::Int(value) => {
                    bytes.push(b'i');
                    bytes.extend_from_slice(&value.to_le_bytes());
                }
                Cell::Text(value) => {
                    bytes.push(b't');
                    bytes.extend_from_slice(&(value.len() as u64).to_le_bytes());
                    bytes.extend_from_slice(value.as_bytes());
                }
            }
        }
        self.rows += 1;
        self.digest = self.digest.wrapping_add(xxh3_128(&bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(rows: &[&[Cell<'_>]]) -> Sum {
        let mut sum = Sum::default();
        rows.iter().for_each(|row| sum.add(row));
        sum
    }

    #[test]
    fn a_sum_tells_rows_apart_and_not_their_order() {
        let text = |text: &'static str| Cell::Text(text.into());
        let (one, other) = ([text("a"), text("bc")], [text("ab"), text("c")]);
        assert_ne!(sum(&[&one]), sum(&[&other]));
        assert_ne!(sum(&[&[Cell::Null]]), sum(&[&[text("")]]));
        assert_ne!(sum(&[&[Cell::Int(1)]]), sum(&[&[text("1")]]));
        assert_ne!(sum(&[&one]), sum(&[&one, &one]), "a row that is there twice counts twice");
        assert_eq!(sum(&[&one, &other]), sum(&[&other, &one]));
        let kept = sum(&[&one, &other]);
        assert_eq!(Sum::parse(kept.rows, &kept.digest()), Some(kept));
        assert_eq!(Sum::parse(1, "nonsense"), None);
    }
}
