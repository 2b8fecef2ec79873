//! Limits the module's memory: limits of the JavaScript heap do not apply to it.

/// 64 MiB, several times what the files need that the service gives to it.
const MAX_MEMORY_BYTES: u64 = 64 << 20;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("wasm32") {
        println!("cargo::rustc-link-arg-cdylib=--max-memory={MAX_MEMORY_BYTES}");
    }
}
