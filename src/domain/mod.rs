//! The rules of ticketing: no async, no SQL, no serialisation; time is an argument. A value that has rules is a type
//! that only its own constructor makes.

pub mod addresses;
pub mod admit;
pub mod audit;
pub mod clock;
pub mod count;
pub mod credential;
pub mod door_link;
pub mod email;
pub mod endpoint_url;
pub mod event;
pub mod hold;
pub mod id;
pub mod invalid;
pub mod key;
pub mod local_time;
pub mod money;
pub mod moves;
pub mod order;
pub mod password;
pub mod person;
pub mod pin;
pub mod public_url;
pub mod refusal;
pub mod role;
pub mod search_text;
pub mod second_factor;
pub mod signature;
pub mod status;
pub mod stock;
pub mod text;
pub mod ticket_type;
pub mod time_zone;
pub mod webhook;
pub mod words;
pub mod work;
