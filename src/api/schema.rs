//! How parameters and the list envelope are described in the OpenAPI document.

use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        KnownFormat, ObjectBuilder, OneOfBuilder, RefOr, SchemaFormat,
        schema::{Schema, Type},
    },
};

use crate::config::{ID_MAX, PAGE_DEFAULT, PAGE_MAX};

/// The list envelope.
#[derive(ToSchema)]
#[expect(dead_code, reason = "http::envelope writes it row by row; this is its documentation")]
pub struct Page<T: ToSchema> {
    /// The rows, newest first.
    data: Vec<T>,
    /// Whether another page exists. The traversal is complete when it does not.
    has_more: bool,
    /// What to pass as `cursor` for the next page; null when there is none.
    #[schema(required)]
    next_cursor: Option<String>,
}

macro_rules! parameter_schemas {
    ($($(#[$doc:meta])* $name:ident => $schema:expr;)+) => {
        $($(#[$doc])*
        pub struct $name;

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                $schema.into()
            }
        }

        impl ToSchema for $name {})+
    };
}

parameter_schemas! {
    /// An id as a parameter.
    Id => ObjectBuilder::new()
        .schema_type(Type::String)
        .min_length(Some(1))
        .max_length(Some(ID_MAX))
        .pattern(Some(r"^[^\u0000-\u001F\u007F-\u009F]+$"));
    /// A cursor as a parameter.
    Cursor => ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[A-Za-z0-9_-]{44}$"));
    /// A page's size as a parameter.
    Limit => ObjectBuilder::new()
        .schema_type(Type::Integer)
        .minimum(Some(1))
        .maximum(Some(PAGE_MAX))
        .default(Some(PAGE_DEFAULT.into()));
    /// A date as a parameter: a timestamp, or midnight UTC of a day.
    Date => OneOfBuilder::new()
        .item(ObjectBuilder::new().schema_type(Type::String).format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime))))
        .item(ObjectBuilder::new().schema_type(Type::String).format(Some(SchemaFormat::KnownFormat(KnownFormat::Date))));
}
