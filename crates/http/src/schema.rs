//! How parameters and fields that have limits are described in the OpenAPI documents.

use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        KnownFormat, ObjectBuilder, RefOr, SchemaFormat,
        schema::{AnyOfBuilder, Schema, Type},
    },
};

use taquilla_domain::config::{
    AMOUNT_MAX, CODE_MAX, COUNT_MAX, COUPON_CODE_MAX, GUEST_TEXT_MAX, ID_MAX, NAME_MAX, PAGE_DEFAULT, PAGE_MAX,
    SHOP_DOCUMENT_MAX, SHOP_EMAIL_MAX, SHOP_NAME_MAX, SHOP_PHONE_MAX,
};

/// A character that is shown and no space.
const NO_SPACE: &str = r"[^\s\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]";

/// What may stand around an e-mail address: spaces of any width.
const SPACES: &str = r"[ \u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]*";

/// A character of an e-mail address besides its `@`.
const NO_AT: &str = r"[^@\s\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]";

/// The first or last character of an address's host.
const NO_AT_OR_DOT: &str = r"[^@.\s\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]";

/// A text of characters that are shown, with something particular in it.
fn shown(longest: usize, with: &str) -> ObjectBuilder {
    let shown = r"[^\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]*";
    let pattern = if with.is_empty() { format!("^{shown}$") } else { format!("^{shown}{with}{shown}$") };
    ObjectBuilder::new().schema_type(Type::String).max_length(Some(longest)).pattern(Some(pattern))
}

macro_rules! schemas {
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

schemas! {
    /// An id as a parameter.
    Id => ObjectBuilder::new()
        .schema_type(Type::String)
        .min_length(Some(1))
        .max_length(Some(ID_MAX))
        .pattern(Some(r"^[^\u0000-\u001F\u007F-\u009F]+$"));
    /// A cursor as a parameter.
    Cursor => ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[A-Za-z0-9_-]{44}$"));
    /// A name that the server gave something for one door link.
    Handle => ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[A-Za-z0-9_-]{44}$"));
    /// What is looked for at a door.
    GuestText => ObjectBuilder::new().schema_type(Type::String).max_length(Some(GUEST_TEXT_MAX));
    /// A page's size as a parameter.
    Limit => ObjectBuilder::new()
        .schema_type(Type::Integer)
        .minimum(Some(1))
        .maximum(Some(PAGE_MAX))
        .default(Some(PAGE_DEFAULT.into()));
    /// A date as a parameter: a timestamp, or midnight UTC of a day.
    Date => AnyOfBuilder::new()
        .item(ObjectBuilder::new().schema_type(Type::String).format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime))))
        .item(ObjectBuilder::new().schema_type(Type::String).format(Some(SchemaFormat::KnownFormat(KnownFormat::Date))));
    /// A text of the caller in a header.
    Token => ObjectBuilder::new()
        .schema_type(Type::String)
        .min_length(Some(1))
        .max_length(Some(ID_MAX))
        .pattern(Some("^[!-~]+$"));
    /// A station's name as a parameter, which says something.
    FullStation => shown(NAME_MAX, NO_SPACE);
    /// A station's name.
    Station => shown(NAME_MAX, "");
    /// An attendee's name.
    Name => shown(SHOP_NAME_MAX, "");
    /// A name that says something.
    FullName => shown(SHOP_NAME_MAX, NO_SPACE);
    /// An attendee's e-mail address.
    Email => shown(SHOP_EMAIL_MAX, "");
    /// An e-mail address that is one.
    FullEmail => ObjectBuilder::new()
        .schema_type(Type::String)
        .max_length(Some(SHOP_EMAIL_MAX))
        .pattern(Some(format!("^{SPACES}{NO_AT}+@{NO_AT_OR_DOT}({NO_AT}*{NO_AT_OR_DOT})?{SPACES}$")));
    /// A phone number.
    Phone => shown(SHOP_PHONE_MAX, "");
    /// An identity document.
    IdentityDocument => shown(SHOP_DOCUMENT_MAX, "");
    /// A number of units.
    Quantity => ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1)).maximum(Some(COUNT_MAX));
    /// Money, in whole units of a currency.
    Money => ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0)).maximum(Some(AMOUNT_MAX));
    /// The code of a coupon.
    CouponCode => shown(COUPON_CODE_MAX, NO_SPACE);
    /// What a scanner read.
    Code => ObjectBuilder::new().schema_type(Type::String).max_length(Some(CODE_MAX)).pattern(Some(r"[^\s\u0085]"));
}
