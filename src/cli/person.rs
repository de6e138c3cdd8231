//! A person on the command line.

use clap::Args;

use taquilla_domain::{
    person::Person,
    text::{Name, detail},
};

#[derive(Args)]
pub struct PersonArgs {
    /// The person's name
    #[arg(long, value_parser = Name::parse)]
    name: Name,
    /// The person's e-mail address
    #[arg(long, default_value = "", value_parser = detail)]
    email: String,
    /// The person's phone number
    #[arg(long, value_parser = detail)]
    phone: Option<String>,
    /// The person's identity document
    #[arg(long, default_value = "", value_parser = detail)]
    identity_document: String,
}

/// A person for a table.
pub fn person(name: &str, email: &str) -> String {
    if email.is_empty() { name.to_owned() } else { format!("{name} <{email}>") }
}

impl From<PersonArgs> for Person {
    fn from(arguments: PersonArgs) -> Self {
        Self {
            name: arguments.name.into(),
            email: arguments.email,
            phone: arguments.phone,
            identity_document: arguments.identity_document,
        }
    }
}
