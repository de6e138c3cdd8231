//! The body of a message, and the headers that prove who sent it.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, Visitor},
};
use serde_json::{Value, value::RawValue};

use taquilla_domain::{
    clock::Stamp,
    personal::{Cover, Personal, is_left_out},
    webhook::MessageKind,
};
use taquilla_store as store;
use taquilla_store::webhooks::{deliveries::Message, endpoints::Endpoint};
use taquilla_wire::{
    Time,
    covered::{Resource, cover},
    webhook::WebhookBody,
};

/// The body of a message as an endpoint gets it.
#[derive(Clone, Debug)]
pub struct Body {
    kind: MessageKind,
    text: String,
}

impl Body {
    /// Its JSON.
    pub fn into_text(self) -> String {
        self.text
    }
}

impl Cover for Body {
    fn covered(self) -> Self {
        let Self { kind, text } = self;
        let resource = match kind.as_str().split_once('.') {
            Some(("ticket", _)) => Resource::Ticket,
            Some(("order", _)) => Resource::Order,
            _ => Resource::Other,
        };
        // Nothing is seen of a body that cannot be read.
        let mut value: Value = serde_json::from_str(&text).unwrap_or_default();
        cover(resource, &mut value["data"]);
        Self { kind, text: value.to_string() }
    }
}

/// The body of a message for an endpoint: the same for every attempt, unless the endpoint was changed meanwhile.
pub fn body(endpoint: &Endpoint, sequence: i64, message: &Message) -> Result<Personal<Body>, store::Error> {
    let mut data: Fields<'_> = serde_json::from_str(message.data.uncovered()).map_err(store::Error::internal)?;
    if !endpoint.sees().people() {
        data.0.retain(|(name, _)| !is_left_out(name));
    }
    let data = serde_json::value::to_raw_value(&data).map_err(store::Error::internal)?;
    let body = WebhookBody { kind: message.kind.into(), timestamp: Time(message.occurred_at), sequence, data: &data };
    let text = serde_json::to_string(&body).map_err(store::Error::internal)?;
    Ok(Personal::new(Body { kind: message.kind, text }))
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
