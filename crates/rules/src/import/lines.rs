//! Where the lines of an import come from.

use std::{
    future::ready,
    io::{BufRead, Read},
};

use taquilla_domain::config::IMPORT_LINE_MAX;
use taquilla_store::{Store, Tenant, work::uploads};

use super::error::Error;

/// Something that has lines.
pub trait Lines {
    /// Appends the next line, with its end, and says how many bytes it has: 0 after the last. Of a line that is too long
    /// only one byte too many is read.
    fn next(&mut self, line: &mut Vec<u8>) -> impl Future<Output = Result<usize, Error>> + Send;
}

/// A file or a stream of this machine.
impl<R: BufRead> Lines for R {
    fn next(&mut self, line: &mut Vec<u8>) -> impl Future<Output = Result<usize, Error>> + Send {
        ready(self.by_ref().take(IMPORT_LINE_MAX as u64 + 1).read_until(b'\n', line).map_err(Error::Read))
    }
}

/// A file that was uploaded, read part by part.
pub struct Uploaded<'a> {
    store: &'a Store,
    tenant: Tenant,
    work_id: &'a str,
    next_part: i64,
    part: String,
    at: usize,
}

impl<'a> Uploaded<'a> {
    /// The file of a piece of work.
    pub fn new(store: &'a Store, tenant: Tenant, work_id: &'a str) -> Self {
        Self { store, tenant, work_id, next_part: 0, part: String::new(), at: 0 }
    }
}

impl Lines for Uploaded<'_> {
    async fn next(&mut self, line: &mut Vec<u8>) -> Result<usize, Error> {
        let before = line.len();
        loop {
            if self.at == self.part.len() {
                let mut conn = self.store.read().await?;
                let Some(part) = uploads::part(&mut conn, self.tenant, self.work_id, self.next_part).await? else {
                    break;
                };
                (self.part, self.at, self.next_part) = (part, 0, self.next_part + 1);
            }
            let rest = &self.part.as_bytes()[self.at..];
            let room = IMPORT_LINE_MAX + 1 - (line.len() - before);
            let end = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |end| end + 1).min(room);
            line.extend_from_slice(&rest[..end]);
            self.at += end;
            if line.ends_with(b"\n") || line.len() - before > IMPORT_LINE_MAX {
                break;
            }
        }
        Ok(line.len() - before)
    }
}
