use std::fs;

/// Whose time and memory are measured.
#[derive(Clone, Copy)]
pub enum Meter {
    /// This process, all of its threads.
    Myself,
    /// The programs that this process has run to their ends.
    Children,
}

impl Meter {
    pub fn cpu_ms(self) -> f64 {
        let used = self.usage();
        let ms = |time: libc::timeval| time.tv_sec as f64 * 1e3 + time.tv_usec as f64 / 1e3;
        ms(used.ru_utime) + ms(used.ru_stime)
    }

    /// The most memory resident at once, since [`Meter::reset_peak`] where the system can forget.
    pub fn peak_bytes(self) -> u64 {
        // Linux counts kibibytes, macOS bytes.
        let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
        self.usage().ru_maxrss as u64 * unit
    }

    /// What is resident now and is no part of what a trace needs. A program run anew begins with nothing.
    pub fn resident_bytes(self) -> u64 {
        match self {
            Self::Children => 0,
            Self::Myself => resident_bytes().unwrap_or_else(|| self.peak_bytes()),
        }
    }

    /// Linux forgets the peak when asked to; elsewhere it stays that of the whole process.
    pub fn reset_peak(self) {
        let _ = fs::write("/proc/self/clear_refs", "5");
    }

    fn usage(self) -> libc::rusage {
        let who = match self {
            Self::Myself => libc::RUSAGE_SELF,
            Self::Children => libc::RUSAGE_CHILDREN,
        };
        // SAFETY: rusage is plain numbers, for which all zeros are valid, and the call writes no more than one.
        unsafe {
            let mut usage = std::mem::zeroed();
            libc::getrusage(who, &mut usage);
            usage
        }
    }
}

fn resident_bytes() -> Option<u64> {
    let pages: u64 = fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse().ok()?;
    // SAFETY: asks for a number.
    Some(pages * unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as u64)
}
