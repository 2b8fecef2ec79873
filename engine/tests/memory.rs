//! Memory between traces, in a process of its own: it is the allocator's, and so all threads'.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

use tracesmith::{Image, Options, keep_memory, trace};

const SIDE_PX: u32 = 1024;

/// Pages that the system has given to this process so far.
fn faults() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("the kernel tells");
    // The name before it, in parentheses, may hold spaces.
    let (_, after_name) = stat.rsplit_once(')').expect("a name");
    after_name.split_whitespace().nth(7).expect("minor faults").parse().expect("a number")
}

#[test]
fn kept_memory_is_not_asked_for_again() {
    keep_memory();
    let colors = [[240, 240, 240, 255], [200, 40, 40, 255], [30, 60, 160, 255]];
    let pixels = (0..SIDE_PX * SIDE_PX).flat_map(|i| {
        let (x, y) = (i % SIDE_PX / 100, i / SIDE_PX / 100);
        colors[((x * 7 + y * 5) % 3) as usize]
    });
    let rgba: Vec<u8> = pixels.collect();
    let image = Image::new(SIDE_PX, SIDE_PX, &rgba).expect("a picture");
    let options = Options::default();
    let warm = trace(&image, &options).expect("a drawing");
    let before = faults();
    let again = trace(&image, &options).expect("a drawing");
    let asked = faults() - before;
    assert_eq!(warm, again);
    // One plane of 32 bits a pixel has a thousand pages.
    assert!(asked < 100, "{asked} pages");
}
