use std::fs;

/// Whose time and memory are measured.
#[derive(Clone, Copy)]
pub enum Meter {
    /// This process with all of its threads.
    Myself,
    /// The child processes that have ended.
    Children,
}

impl Meter {
    pub fn cpu_ms(self) -> f64 {
        let used = self.usage();
        let ms = |time: libc::timeval| time.tv_sec as f64 * 1e3 + time.tv_usec as f64 / 1e3;
        ms(used.ru_utime) + ms(used.ru_stime)
    }

    /// The peak of resident memory: since [`Meter::reset_peak`] on Linux, of the whole process elsewhere.
    pub fn peak_bytes(self) -> u64 {
        // Linux counts kibibytes, macOS bytes.
        let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
        self.usage().ru_maxrss as u64 * unit
    }

    /// The resident memory before a trace. A new child process starts with none.
    pub fn resident_bytes(self) -> u64 {
        match self {
            Self::Children => 0,
            Self::Myself => resident_bytes().unwrap_or_else(|| self.peak_bytes()),
        }
    }

    /// Only Linux can reset the peak.
    pub fn reset_peak(self) {
        let _ = fs::write("/proc/self/clear_refs", "5");
    }

    fn usage(self) -> libc::rusage {
        let who = match self {
            Self::Myself => libc::RUSAGE_SELF,
            Self::Children => libc::RUSAGE_CHILDREN,
        };
        // SAFETY: rusage consists of numbers, for which zero is valid, and the call writes one rusage.
        unsafe {
            let mut usage = std::mem::zeroed();
            libc::getrusage(who, &mut usage);
            usage
        }
    }
}

fn resident_bytes() -> Option<u64> {
    let pages: u64 = fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse().ok()?;
    // SAFETY: the call only returns a number.
    Some(pages * unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as u64)
}
