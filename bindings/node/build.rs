//! Tells the linker that Node.js brings the missing symbols.

fn main() {
    napi_build::setup();
}
