use std::alloc::{GlobalAlloc, Layout};
use std::arch::wasm32::unreachable;
use std::ptr::NonNull;

use talc::base::CHUNK_UNIT;
use talc::wasm::{WasmDynamicTalc, new_wasm_dynamic_allocator};

/// What lies before each allocation: its size. No more is needed, but this keeps what follows aligned.
const HEADER: usize = CHUNK_UNIT;

/// An allocator half as large as the standard library's. Its functions are not inlined: repeated at every call, they would add many
/// kilobytes to the module.
///
/// Callers have less to do than those of the standard library's, which saves another 6 kB. They give no alignment, because all memory is
/// aligned to `CHUNK_UNIT`, enough for every type. They do not check what they get, because an allocation that fails traps here, as
/// it would there. And they do not say how large what they free is, because it says so itself.
struct NeverInlined(WasmDynamicTalc);

#[global_allocator]
static ALLOCATOR: NeverInlined = NeverInlined(new_wasm_dynamic_allocator());

impl NeverInlined {
    #[inline(never)]
    unsafe fn some(&self, size: usize) -> NonNull<u8> {
        unsafe { begun(self.0.alloc(layout(size)), size) }
    }

    #[inline(never)]
    unsafe fn zeroed(&self, size: usize) -> NonNull<u8> {
        unsafe { begun(self.0.alloc_zeroed(layout(size)), size) }
    }

    #[inline(never)]
    unsafe fn resized(&self, pointer: *mut u8, size: usize) -> NonNull<u8> {
        unsafe {
            let (start, old) = start_and_size(pointer);
            begun(self.0.realloc(start, layout(old), HEADER + size), size)
        }
    }
}

/// The layout of an allocation of some size, with its header.
fn layout(size: usize) -> Layout {
    let whole = size.checked_add(HEADER).and_then(|whole| Layout::from_size_align(whole, CHUNK_UNIT).ok());
    whole.unwrap_or_else(|| unreachable())
}

/// Writes the header of an allocation. Returns what is behind it.
///
/// # Safety
/// `start` is null or the start of an allocation of `size` bytes and a header.
unsafe fn begun(start: *mut u8, size: usize) -> NonNull<u8> {
    let start = NonNull::new(start).unwrap_or_else(|| unreachable());
    unsafe {
        start.cast().write(size);
        start.add(HEADER)
    }
}

/// Where an allocation starts, and the size in its header.
///
/// # Safety
/// `pointer` is what [`begun`] returned.
unsafe fn start_and_size(pointer: *mut u8) -> (*mut u8, usize) {
    unsafe {
        let start = pointer.sub(HEADER);
        (start, start.cast::<usize>().read())
    }
}

fn check_alignment(layout: Layout) {
    if layout.align() > CHUNK_UNIT {
        unreachable();
    }
}

// SAFETY: every call is forwarded to an allocator that fulfills the contract, for a header more, with the size that the header has, and of an
// alignment that is checked to be enough. Nothing unwinds: a failure is a trap.
unsafe impl GlobalAlloc for NeverInlined {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        check_alignment(layout);
        unsafe { self.some(layout.size()) }.as_ptr()
    }

    #[inline(never)]
    unsafe fn dealloc(&self, pointer: *mut u8, _: Layout) {
        unsafe {
            let (start, size) = start_and_size(pointer);
            self.0.dealloc(start, layout(size));
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        check_alignment(layout);
        unsafe { self.zeroed(layout.size()) }.as_ptr()
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        check_alignment(layout);
        unsafe { self.resized(pointer, size) }.as_ptr()
    }
}
