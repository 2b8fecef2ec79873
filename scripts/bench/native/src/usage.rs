//! Time and memory of this process, with all of its threads.
use std::fs;

pub fn cpu_ms() -> f64 {
    let used = usage();
    let ms = |time: libc::timeval| time.tv_sec as f64 * 1e3 + time.tv_usec as f64 / 1e3;
    ms(used.ru_utime) + ms(used.ru_stime)
}

/// The peak of resident memory: since [`reset_peak`] on Linux, of the whole process elsewhere.
pub fn peak_bytes() -> u64 {
    // Linux counts kibibytes, macOS bytes.
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    usage().ru_maxrss as u64 * unit
}

pub fn resident_bytes() -> u64 {
    linux_resident_bytes().unwrap_or_else(peak_bytes)
}

/// Only Linux can reset the peak.
pub fn reset_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

fn usage() -> libc::rusage {
    // SAFETY: rusage consists of numbers, for which zero is valid, and the call writes one rusage.
    unsafe {
        let mut usage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    }
}

fn linux_resident_bytes() -> Option<u64> {
    let pages: u64 = fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse().ok()?;
    // SAFETY: the call only returns a number.
    Some(pages * unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as u64)
}
