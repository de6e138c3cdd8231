//! How money changed hands, for commands that take or pay it back.

use clap::Args;

use taquilla_domain::{invalid::Invalid, status::PaymentMethod};

use super::flags;

#[derive(Args)]
pub struct MethodFlag {
    /// How it was paid: cash, card or other
    #[arg(long, value_name = "METHOD", value_parser = parse)]
    method: Option<PaymentMethod>,
}

impl MethodFlag {
    pub fn get(&self) -> Option<PaymentMethod> {
        self.method
    }
}

fn parse(text: &str) -> Result<PaymentMethod, Invalid> {
    flags::named(text, PaymentMethod::ALL, PaymentMethod::as_str)
}
