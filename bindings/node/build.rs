//! Lets the linker leave Node-API symbols undefined: Node.js provides them.

fn main() {
    napi_build::setup();
}
