//! What becomes of memory between traces.

/// The largest buffer whose end tells the C library of GNU what sizes a program uses and gives back again.
#[cfg(target_env = "gnu")]
const TELLING_BYTES: usize = (32 << 20) - (8 << 10);

/// Has the system's allocator keep up to 64 MiB of what traces give back, for the next ones.
///
/// A trace gives back all that it took. The C library of GNU then hands it to the system, which clears it page by page as the
/// next trace asks for it again: a tenth of the time for pictures like logos, more for large flat ones. Called once,
/// before the first trace, this spares it, in all of the program's threads. It is for programs that trace picture after
/// picture; with other allocators, and on other systems, it does nothing.
pub fn keep_memory() {
    // A buffer given back raises the size from which on buffers come straight from the system, and what is kept to twice that.
    #[cfg(target_env = "gnu")]
    drop(std::hint::black_box(Vec::<u8>::with_capacity(TELLING_BYTES)));
}
