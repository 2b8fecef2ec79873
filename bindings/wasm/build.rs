//! Bounds the module's memory: no limit of the JavaScript engine around it reaches wasm memory.

/// 2 GiB: what one picture at the service's pixel limit can need, with room.
const MAX_MEMORY_BYTES: u64 = 2 << 30;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("wasm32") {
        println!("cargo::rustc-link-arg-cdylib=--max-memory={MAX_MEMORY_BYTES}");
    }
}
