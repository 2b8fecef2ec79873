use std::alloc::{GlobalAlloc, Layout, handle_alloc_error};
use std::ptr::NonNull;

use talc::wasm::{WasmDynamicTalc, new_wasm_dynamic_allocator};

/// An allocator half as large as the standard library's. Its functions are not inlined: repeated at every call, they would add many
/// kilobytes to the module. They end the trace where memory runs out, as all their callers would: none of these has to check.
struct NeverInlined(WasmDynamicTalc);

#[global_allocator]
static ALLOCATOR: NeverInlined = NeverInlined(new_wasm_dynamic_allocator());

impl NeverInlined {
    #[inline(never)]
    unsafe fn some(&self, layout: Layout) -> NonNull<u8> {
        allocated(unsafe { self.0.alloc(layout) }, layout)
    }

    #[inline(never)]
    unsafe fn zeroed(&self, layout: Layout) -> NonNull<u8> {
        allocated(unsafe { self.0.alloc_zeroed(layout) }, layout)
    }

    #[inline(never)]
    unsafe fn resized(&self, pointer: *mut u8, layout: Layout, size: usize) -> NonNull<u8> {
        allocated(unsafe { self.0.realloc(pointer, layout, size) }, layout)
    }
}

fn allocated(pointer: *mut u8, layout: Layout) -> NonNull<u8> {
    NonNull::new(pointer).unwrap_or_else(|| handle_alloc_error(layout))
}

// SAFETY: every call is forwarded unchanged to an allocator that fulfills the contract, and a failure ends the program.
unsafe impl GlobalAlloc for NeverInlined {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        unsafe { self.some(layout) }.as_ptr()
    }

    #[inline(never)]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { self.0.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        unsafe { self.zeroed(layout) }.as_ptr()
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        unsafe { self.resized(pointer, layout, size) }.as_ptr()
    }
}
