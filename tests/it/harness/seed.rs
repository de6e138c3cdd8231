//! Chance that can be repeated.

use proptest::test_runner::{Config, FileFailurePersistence, RngAlgorithm, TestRng, TestRunner};

/// The seed of a test that uses chance: `TAQUILLA_SEED`, or a new one. It is printed, and a failing test shows what it
/// printed: run it again with that seed to repeat it.
pub fn seed() -> u64 {
    let given = std::env::var("TAQUILLA_SEED").ok().map(|text| text.parse().expect("TAQUILLA_SEED is a number"));
    let seed = given.unwrap_or_else(rand::random);
    eprintln!("TAQUILLA_SEED={seed}");
    seed
}

/// A runner of random cases that begins with the seed of this test. A case that fails is made smaller and kept beside the
/// test's source (`file!()`), from where every later run tries it first.
pub fn runner(source: &'static str, cases: u32, max_shrink_iters: u32) -> TestRunner {
    let config = Config {
        cases,
        max_shrink_iters,
        source_file: Some(source),
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..Config::default()
    };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed().to_le_bytes());
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}
