//! Random images with random options: every trace gives a complete document, deterministically, without a panic.
//!
//! `TRACESMITH_FUZZ_CASES=100000 cargo test --release --test fuzz` runs more cases, `TRACESMITH_FUZZ_SEED` other ones. A failure reports
//! the case's number. `npm run fuzz` searches for failures, guided by the code that a case reaches.

mod case;

use case::{Case, Choices};

const CASES: u64 = 1000;
const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("an integer"))
}

fn seeded(seed: u64, number: u64) -> Choices<'static> {
    // The finalizer of splitmix64, so that the sequences of neighboring cases are independent.
    let mut z = seed ^ number.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 30)).wrapping_mul(0x94D0_49BB_1331_11EB);
    Choices::Seeded((z ^ (z >> 31)) | 1)
}

#[test]
fn random_images_and_options_give_complete_deterministic_documents() {
    let (cases, seed) = (setting("TRACESMITH_FUZZ_CASES", CASES), setting("TRACESMITH_FUZZ_SEED", SEED));
    for number in 0..cases {
        let case = Case::new(seeded(seed, number));
        let result = std::panic::catch_unwind(|| case.check());
        assert!(result.is_ok(), "case {number} of seed {seed}: {case:?}");
    }
}
