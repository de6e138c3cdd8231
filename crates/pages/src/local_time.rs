//! Moments as people read them.

use jiff::Timestamp;

use taquilla_domain::clock::Stamp;

/// A moment by the clocks of a time zone, to the minute. Where the zone is not known, it is shown as programs write it.
pub fn to_the_minute(at: &Stamp, zone: &str) -> String {
    let local = Timestamp::from_microsecond(at.micros()).ok().and_then(|at| at.in_tz(zone).ok());
    local.map_or_else(|| at.to_string(), |local| local.strftime("%Y-%m-%d %H:%M").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_told_by_the_clocks_there() {
        let at = Stamp::from_micros(1_795_201_200_000_000);
        assert_eq!(to_the_minute(&at, "UTC"), "2026-11-20 19:00");
        assert_eq!(to_the_minute(&at, "Europe/Madrid"), "2026-11-20 20:00");
        assert_eq!(to_the_minute(&at, "Nowhere/Here"), at.to_string());
    }
}
