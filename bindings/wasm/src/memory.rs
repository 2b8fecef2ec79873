use std::alloc::{GlobalAlloc, Layout, System};

/// The standard library's allocator, called wherever something is freed: inlined there, its checks were 25 kB of the module.
struct Called;

#[global_allocator]
static MEMORY: Called = Called;

// SAFETY: every call is passed on as it is, so what `System` guarantees holds.
unsafe impl GlobalAlloc for Called {
    #[inline(never)]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        unsafe { System.alloc(layout) }
    }

    #[inline(never)]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    #[inline(never)]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        unsafe { System.alloc_zeroed(layout) }
    }

    #[inline(never)]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        unsafe { System.realloc(pointer, layout, size) }
    }
}
