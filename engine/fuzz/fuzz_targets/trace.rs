//! Any image with any options.

#![no_main]

#[path = "../../tests/fuzz/case.rs"]
mod case;

use case::{Case, Choices};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| Case::new(Choices::Bytes(input)).check());
