//! The domain's enums in JSON: each value is written as its stable name.

macro_rules! schema_of_named {
    ($($name:ident => $module:ident),+ $(,)?) => {
        $(impl utoipa::PartialSchema for crate::domain::$module::$name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .enum_values(Some(Self::ALL.iter().map(|value| value.as_str())))
                    .into()
            }
        }

        impl utoipa::ToSchema for crate::domain::$module::$name {}

        impl serde::Serialize for crate::domain::$module::$name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        })+
    };
}
schema_of_named! {
    TicketStatus => status,
    OrderStatus => status,
    OrderChannel => status,
    EventStatus => status,
    TypeStatus => status,
    Category => status,
    ItemKind => status,
    Permission => key,
    Outcome => admit,
    MessageKind => webhook,
    EndpointState => webhook,
    DeliveryStatus => webhook,
}
