//! The plans of statements, for tests that the cost of lists stays flat (G8).

use tokio_postgres::Row as PgRow;

use super::{
    super::{error::Result, sql::Param},
    session::{Along, Session},
    sets::Form,
    translated::{translated, translated_for_sets},
};

impl Session {
    /// Explains the generic plan that serves all parameters, not a plan made for these values.
    pub async fn explain(&mut self, sql: &str, params: &[Param<'_>]) -> Result<Vec<PgRow>> {
        match self.along.take() {
            Some(Along::Check(condition)) => {
                let text = condition.text(&translated(sql), params.len());
                let values = condition.params(params).iter().map(written).collect();
                self.explain_generic(&text, values).await
            }
            along => {
                self.along = along;
                self.explain_generic(&translated(sql), params.iter().map(written).collect()).await
            }
        }
    }

    /// Explains the plan of a statement over many sets of parameters.
    pub async fn explain_sets(&mut self, sql: &str, params: &[Param<'_>]) -> Result<Vec<PgRow>> {
        let form = self.form();
        let values = params.iter().enumerate();
        let written =
            values.map(|(at, param)| if at == 0 && form == Form::Spread { written(param) } else { "'{}'".into() });
        self.explain_generic(&translated_for_sets(sql, params, form), written.collect()).await
    }

    async fn explain_generic(&mut self, text: &str, values: Vec<String>) -> Result<Vec<PgRow>> {
        self.settle().await?;
        let arguments = if values.is_empty() { String::new() } else { format!("({})", values.join(", ")) };
        let alone = self.alone();
        let (client, watch) = self.line()?;
        watch
            .over(async {
                if let Some(begin) = &alone {
                    client.batch_execute(begin).await?;
                }
                // One statement at the most: this is for looking, and nothing else is to happen.
                client.execute(&format!("PREPARE explained AS {text}"), &[]).await?;
                let rows = client.query(&format!("EXPLAIN EXECUTE explained{arguments}"), &[]).await;
                client.batch_execute("DEALLOCATE explained").await?;
                if alone.is_some() {
                    client.batch_execute("COMMIT").await?;
                }
                rows
            })
            .await
    }
}

/// A parameter as a statement's text has it.
fn written(param: &Param<'_>) -> String {
    match param {
        Param::Int(value) => value.map_or("NULL".into(), |value| value.to_string()),
        Param::Text(value) => value.map_or("NULL".into(), |value| format!("'{}'", value.replace('\'', "''"))),
    }
}
