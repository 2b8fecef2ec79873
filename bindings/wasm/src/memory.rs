use std::alloc::{GlobalAlloc, Layout};

use talc::wasm::{WasmDynamicTalc, new_wasm_dynamic_allocator};

/// An allocator half as large as the standard library's, called wherever something is freed: inlined there, its checks are many kB of
/// the module.
struct Called(WasmDynamicTalc);

#[global_allocator]
static MEMORY: Called = Called(new_wasm_dynamic_allocator());

// SAFETY: every call is passed on as it is, so what the allocator guarantees holds.
unsafe impl GlobalAlloc for Called {
    #[inline(never)]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        unsafe { self.0.alloc(layout) }
    }

    #[inline(never)]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { self.0.dealloc(pointer, layout) }
    }

    #[inline(never)]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        unsafe { self.0.alloc_zeroed(layout) }
    }

    #[inline(never)]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        unsafe { self.0.realloc(pointer, layout, size) }
    }
}
