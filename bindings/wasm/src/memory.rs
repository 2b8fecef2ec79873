use std::alloc::{GlobalAlloc, Layout};

use talc::wasm::{WasmDynamicTalc, new_wasm_dynamic_allocator};

/// An allocator half as large as the standard library's. Its functions are not inlined: repeated at every call, they would add many
/// kilobytes to the module.
struct NeverInlined(WasmDynamicTalc);

#[global_allocator]
static ALLOCATOR: NeverInlined = NeverInlined(new_wasm_dynamic_allocator());

// SAFETY: every call is forwarded unchanged to an allocator that fulfills the contract.
unsafe impl GlobalAlloc for NeverInlined {
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
