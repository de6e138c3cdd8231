//! How long the stock of new orders is held: a setting of the server and of the box office.

use std::time::Duration;

use clap::Args;

use taquilla_domain::{config::HOLD_MAX, invalid::Invalid};
use taquilla_rules::boxoffice::PastHolds;

use super::flags;

#[derive(Args)]
pub struct Hold {
    /// How long the stock of a new order is held for its buyer, such as 90s, 30m, 2h or 3d
    #[arg(long, value_name = "TIME", env = "TAQUILLA_HOLD", default_value = "30m", value_parser = parse)]
    pub hold: Duration,
}

pub fn parse(text: &str) -> Result<Duration, Invalid> {
    flags::span(text, HOLD_MAX)
}

#[derive(Args)]
pub struct PastHoldsFlag {
    /// Also take what pending orders hold; their buyers may then pay in vain
    #[arg(long)]
    past_holds: bool,
}

impl PastHoldsFlag {
    pub fn get(&self) -> PastHolds {
        if self.past_holds { PastHolds::Yes } else { PastHolds::No }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taquilla_domain::config::HOLD;

    #[test]
    fn a_time_has_a_number_and_a_unit() {
        assert_eq!(parse("30m").unwrap(), HOLD, "the default");
        assert_eq!(["1s", "90s", "2h", "14d"].map(|text| parse(text).unwrap().as_secs()), [1, 90, 7_200, 1_209_600]);
        for wrong in ["", "m", "0m", "30", "30 m", "-1m", "1.5h", "15d", "1w", "1µ", "99999999999999999999d"] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
