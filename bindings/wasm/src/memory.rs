use std::alloc::{GlobalAlloc, Layout};
use std::arch::wasm32::unreachable;
use std::ptr::NonNull;

use talc::base::CHUNK_UNIT;
use talc::wasm::{WasmDynamicTalc, new_wasm_dynamic_allocator};

/// An allocator half as large as the standard library's. Its functions are not inlined: repeated at every call, they would add many
/// kilobytes to the module.
///
/// Callers have less to do than those of the standard library's, which saves another 3 kB. They give no alignment, because all memory is
/// aligned to `CHUNK_UNIT`, enough for every type. They do not check what they get, because an allocation that fails traps here, as
/// it would there.
struct NeverInlined(WasmDynamicTalc);

#[global_allocator]
static ALLOCATOR: NeverInlined = NeverInlined(new_wasm_dynamic_allocator());

impl NeverInlined {
    #[inline(never)]
    unsafe fn some(&self, size: usize) -> NonNull<u8> {
        allocated(unsafe { self.0.alloc(layout(size)) })
    }

    #[inline(never)]
    unsafe fn zeroed(&self, size: usize) -> NonNull<u8> {
        allocated(unsafe { self.0.alloc_zeroed(layout(size)) })
    }

    #[inline(never)]
    unsafe fn resized(&self, pointer: *mut u8, old: usize, size: usize) -> NonNull<u8> {
        allocated(unsafe { self.0.realloc(pointer, layout(old), size) })
    }
}

fn layout(size: usize) -> Layout {
    Layout::from_size_align(size, CHUNK_UNIT).unwrap_or_else(|_| unreachable())
}

fn allocated(pointer: *mut u8) -> NonNull<u8> {
    NonNull::new(pointer).unwrap_or_else(|| unreachable())
}

fn check_alignment(layout: Layout) {
    if layout.align() > CHUNK_UNIT {
        unreachable();
    }
}

// SAFETY: every call is forwarded to an allocator that fulfills the contract, with a layout of the same size, and of an alignment that is
// checked to be enough. Nothing unwinds: a failure is a trap.
unsafe impl GlobalAlloc for NeverInlined {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        check_alignment(layout);
        unsafe { self.some(layout.size()) }.as_ptr()
    }

    #[inline(never)]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { self.0.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        check_alignment(layout);
        unsafe { self.zeroed(layout.size()) }.as_ptr()
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        check_alignment(layout);
        unsafe { self.resized(pointer, layout.size(), size) }.as_ptr()
    }
}
