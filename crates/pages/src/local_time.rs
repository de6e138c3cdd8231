//! Moments as people read them.

use jiff::Timestamp;

use taquilla_domain::clock::Stamp;

/// A moment by the clocks of a time zone, to the minute. Where the zone is not known, it is shown as programs write it.
pub fn to_the_minute(at: &Stamp, zone: &str) -> String {
    let local = Timestamp::from_microsecond(at.micros()).ok().and_then(|at| at.in_tz(zone).ok());
    local.map_or_else(|| at.to_string(), |local| local.strftime("%Y-%m-%d %H:%M").to_string())
}

/// A moment of an event by the event's clocks, for somebody who reads by those of `here`: a zone that is another one is named,
/// or the hour would be taken for one of theirs.
pub fn at_the_event(at: &Stamp, zone: &str, here: &str) -> String {
    let time = to_the_minute(at, zone);
    if zone == here { time } else { format!("{time} {zone}") }
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

    #[test]
    fn the_clocks_of_an_event_are_named_to_those_who_read_by_others() {
        let at = Stamp::from_micros(1_795_201_200_000_000);
        let read_in = |here: &str| at_the_event(&at, "America/New_York", here);
        assert_eq!(read_in("America/New_York"), "2026-11-20 14:00");
        assert_eq!(read_in("Europe/Madrid"), "2026-11-20 14:00 America/New_York");
    }
}
