//! Many rows into a table at once, by `COPY` in its binary format. A row costs PostgreSQL a fraction of what a statement for each
//! costs.

use std::pin::pin;

use bytes::{BufMut, Bytes, BytesMut};
use futures_util::SinkExt;

use super::{
    super::{
        error::{Error, Result},
        sql::Param,
    },
    session::Session,
};

/// What the format begins with: its name, no flags, and nothing more.
const HEAD: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
/// In the place of a number of columns: no row follows.
const END: i16 = -1;
/// In the place of a length: there is no value.
const NULL: i32 = -1;

impl Session {
    /// Puts rows into a table, whose columns are numbers (`BIGINT`) and texts.
    pub async fn copy(&mut self, table: &str, columns: &[&str], rows: &[Vec<Param<'_>>]) -> Result<()> {
        self.settle().await?;
        let text = format!("COPY {table} ({}) FROM STDIN (FORMAT binary)", columns.join(", "));
        let content = binary(rows)?;
        let (text, alone) = (self.marked(text.into()), self.alone());
        let (client, watch) = self.line()?;
        watch
            .over(async {
                let statement = client.prepare_cached(&text).await?;
                if let Some(begin) = &alone {
                    client.batch_execute(begin).await?;
                }
                let mut sink = pin!(client.copy_in::<_, Bytes>(&statement).await?);
                sink.send(content).await?;
                sink.as_mut().finish().await?;
                if alone.is_some() {
                    client.batch_execute("COMMIT").await?;
                }
                Ok(())
            })
            .await?;
        Ok(())
    }
}

fn binary(rows: &[Vec<Param<'_>>]) -> Result<Bytes> {
    let too_large = |_| Error::internal("a row is too large to be copied");
    let mut content = BytesMut::from(HEAD);
    for row in rows {
        content.put_i16(i16::try_from(row.len()).map_err(too_large)?);
        for value in row {
            match value {
                Param::Int(Some(number)) => {
                    content.put_i32(8);
                    content.put_i64(*number);
                }
                Param::Text(Some(text)) => {
                    content.put_i32(i32::try_from(text.len()).map_err(too_large)?);
                    content.put_slice(text.as_bytes());
                }
                Param::Int(None) | Param::Text(None) => content.put_i32(NULL),
            }
        }
    }
    content.put_i16(END);
    Ok(content.freeze())
}
