//! The body of a message, and the headers that prove who sent it.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

use taquilla_domain::clock::Stamp;
use taquilla_store as store;
use taquilla_store::webhooks::{deliveries::Message, endpoints::Endpoint};
use taquilla_wire::{Time, webhook::WebhookBody};

/// The fields with personal data in a ticket and in an order. An order's reference opens its buyer's page.
const PERSONAL: [&str; 3] = ["attendee", "buyer", "reference"];

/// The body of a message for an endpoint: the same for every attempt, unless the endpoint was changed meanwhile.
pub fn body(endpoint: &Endpoint, sequence: i64, message: &Message) -> Result<String, store::Error> {
    let mut data: Fields<'_> = serde_json::from_str(&message.data).map_err(store::Error::internal)?;
    if !endpoint.personal_data {
        data.0.retain(|(name, _)| !PERSONAL.contains(&name.as_str()));
    }
    let data = serde_json::value::to_raw_value(&data).map_err(store::Error::internal)?;
    let body = WebhookBody { kind: message.kind.into(), timestamp: Time(message.occurred_at), sequence, data: &data };
    serde_json::to_string(&body).map_err(store::Error::internal)
}

/// The headers of the Standard Webhooks specification for an attempt at this moment.
pub fn headers(endpoint: &Endpoint, message_id: &str, body: &str, now: Stamp) -> [(&'static str, String); 4] {
    let seconds = now.micros().div_euclid(1_000_000);
    let signatures: Vec<String> =
        endpoint.secrets(now).map(|secret| secret.sign(message_id, seconds, body.as_bytes())).collect();
    [
        ("content-type", "application/json".to_owned()),
        ("webhook-id", message_id.to_owned()),
        ("webhook-timestamp", seconds.to_string()),
        ("webhook-signature", signatures.join(" ")),
    ]
}

/// The fields of a JSON object in their order, with their values unparsed.
struct Fields<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_map(Object)
    }
}

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}
