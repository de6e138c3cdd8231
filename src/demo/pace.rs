//! How fast the demo lives.

use std::{f64::consts::TAU, time::Duration};

use rand::{RngExt, SeedableRng, rngs::StdRng};

use taquilla_domain::config::DEMO_LIVELY_FOR;

use super::world::{Deed, World};

/// Seconds between two things at a lively and at a calm pace, on average.
const LIVELY: f64 = 4.0;
const CALM: f64 = 30.0;
/// The first things come quickly, so that whoever has just opened a page sees one.
const AT_ONCE: usize = 10;
/// Seconds from one wave of people to the next.
const WAVE: f64 = 420.0;
/// How long the demo waits after something went wrong, such as a database that cannot be written.
const AFTER_TROUBLE: Duration = Duration::from_secs(30);

/// Lets people buy and enter until the demo has had all its nights. It never ends before; drop it to end it.
pub async fn live(mut world: World, seed: u64) {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut lived = Duration::ZERO;
    for number in 0.. {
        let pause = pause(&mut rng, number, lived);
        tokio::time::sleep(pause).await;
        lived += pause;
        match world.step().await {
            Ok(Deed::Rested) => return,
            Ok(_) => {}
            // Nobody reads a log of the demo, and the next thing may go well.
            Err(_) => tokio::time::sleep(AFTER_TROUBLE).await,
        }
    }
}

/// The time to the next thing, after this many things in this time: people come by chance, and in waves.
fn pause(rng: &mut StdRng, number: usize, lived: Duration) -> Duration {
    let mean = match (number < AT_ONCE, lived < DEMO_LIVELY_FOR) {
        (true, _) => 1.0,
        (false, true) => LIVELY,
        (false, false) => CALM,
    };
    let wave = 1.0 - 0.7 * (lived.as_secs_f64() / WAVE * TAU).cos();
    let chance: f64 = rng.random_range(0.02..1.0);
    Duration::from_secs_f64(mean * wave * -chance.ln())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_demo_begins_at_once_and_becomes_calm() {
        let mut rng = StdRng::seed_from_u64(1);
        let mut pass = |number: usize, lived: Duration| pause(&mut rng, number, lived);
        let first: Duration = (0..AT_ONCE).map(|number| pass(number, Duration::ZERO)).sum();
        assert!(first < Duration::from_secs(10), "{first:?}");
        for (from, least, most) in [(Duration::ZERO, 100, 3_000), (DEMO_LIVELY_FOR, 10, 400)] {
            let (mut lived, mut things) = (from, AT_ONCE);
            while lived < from + Duration::from_secs(3_600) {
                lived += pass(things, lived);
                things += 1;
            }
            assert!((least..most).contains(&things), "{things} things in an hour");
        }
    }
}
