//! Limits the module's memory, because limits of the JavaScript heap do not apply to WebAssembly memory.

/// 2 GiB: more than an image at the service's pixel limit needs.
const MAX_MEMORY_BYTES: u64 = 2 << 30;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("wasm32") {
        println!("cargo::rustc-link-arg-cdylib=--max-memory={MAX_MEMORY_BYTES}");
    }
}
