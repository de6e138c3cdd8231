//! Repeatable randomness, and how much of it.

use proptest::test_runner::{Config, FileFailurePersistence, RngAlgorithm, TestRng, TestRunner};

/// How many times as much a long run tries.
const LONGER: usize = 40;

/// Whether `TAQUILLA_LONG` asks for a long run.
pub fn is_long() -> bool {
    std::env::var_os("TAQUILLA_LONG").is_some()
}

/// How often a random test does something: as often as it says, and many times that in a long run.
pub fn rounds(short: usize) -> usize {
    if is_long() { short * LONGER } else { short }
}

/// The seed of a random test: `TAQUILLA_SEED`, or a new one. It is printed, so that a failing test can be run again
/// with the same seed.
pub fn seed() -> u64 {
    let given = std::env::var("TAQUILLA_SEED").ok().map(|text| text.parse().expect("TAQUILLA_SEED is a number"));
    let seed = given.unwrap_or_else(rand::random);
    eprintln!("TAQUILLA_SEED={seed}");
    seed
}

/// A runner of random cases that uses this test's seed: so many, and more in a long run. A failing case is made smaller and stored beside the test's
/// source (`file!()`), and every later run tries it first.
pub fn runner(source: &'static str, cases: u32, max_shrink_iters: u32) -> TestRunner {
    let config = Config {
        cases: rounds(cases as usize) as u32,
        max_shrink_iters,
        source_file: Some(source),
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..Config::default()
    };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed().to_le_bytes());
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}
