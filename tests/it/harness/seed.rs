//! Chance that can be repeated.

/// The seed of a test that uses chance: `TAQUILLA_SEED`, or a new one. It is printed, and a failing test shows what it
/// printed: run it again with that seed to repeat it.
pub fn seed() -> u64 {
    let given = std::env::var("TAQUILLA_SEED").ok().map(|text| text.parse().expect("TAQUILLA_SEED is a number"));
    let seed = given.unwrap_or_else(rand::random);
    eprintln!("TAQUILLA_SEED={seed}");
    seed
}
