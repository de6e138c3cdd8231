//! The domain's enums in JSON: each value is written as its stable name. The types here have the names of those in the
//! domain, which knows nothing of JSON.

macro_rules! written_by_name {
    ($($name:ident => $module:ident),+ $(,)?) => {
        $(#[doc = concat!("[`taquilla_domain::", stringify!($module), "::", stringify!($name), "`] in JSON.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $name(pub taquilla_domain::$module::$name);

        impl From<taquilla_domain::$module::$name> for $name {
            fn from(value: taquilla_domain::$module::$name) -> Self {
                Self(value)
            }
        }

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .enum_values(Some(taquilla_domain::$module::$name::ALL.iter().map(|value| value.as_str())))
                    .into()
            }
        }

        impl utoipa::ToSchema for $name {}

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.0.as_str())
            }
        })+
    };
}
written_by_name! {
    AttendeesAsked => asked,
    TicketStatus => status,
    OrderStatus => status,
    OrderChannel => status,
    PaymentMethod => status,
    EventStatus => status,
    TypeStatus => status,
    Category => status,
    ItemKind => status,
    Permission => key,
    Outcome => admit,
    LinkOption => door_link,
    MessageKind => webhook,
    EndpointState => webhook,
    DeliveryStatus => webhook,
}
