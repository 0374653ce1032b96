//! Runs one whole process and says what it cost: wall time, processor time, peak memory.
//!
//! Peak memory is the kernel's `ru_maxrss`. Between fork and exec a child counts its parent's pages, so the
//! figure is never below the resident size of this harness: nothing here may read a file whole.
//! Threads are limited by processor affinity, which both sides inherit and both sides' thread pools obey.
#![allow(unsafe_code)]

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Done;

/// What one process cost
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// From before it was started to after it was waited for
    pub wall: Duration,
    /// Processor time outside the kernel, all threads
    pub user: Duration,
    /// Processor time inside the kernel, all threads
    pub system: Duration,
    /// Largest resident size in KiB
    pub peak_kib: u64,
}

/// The line of its output that a tool failed with
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint(pub String);

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Complaint {}

/// Runs `command` to its end; an exit code that is not 0 is an error that holds the end of its messages
pub fn run(command: &mut Command, messages: &Path) -> Done<Cost> {
    let shown = shown(command);
    let say = |what: &str, error: io::Error| format!("{what} `{shown}`: {error}");
    let errors = File::create(messages).map_err(|e| say("no file for the messages of", e))?;
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors);
    let start = Instant::now();
    let child = command.spawn().map_err(|e| say("cannot start", e))?;
    let (status, usage) = wait(child.id()).map_err(|e| say("cannot wait for", e))?;
    let wall = start.elapsed();
    if !(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0) {
        let text = std::fs::read(messages).unwrap_or_default();
        let tail = String::from_utf8_lossy(&text[text.len().saturating_sub(600)..]).into_owned();
        return Err(format!("`{shown}` failed: {}", tail.trim()).into());
    }
    Ok(Cost {
        wall,
        user: duration(usage.ru_utime),
        system: duration(usage.ru_stime),
        peak_kib: usage.ru_maxrss.unsigned_abs(),
    })
}

/// The command as one would type it
pub fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|w| w.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

fn duration(time: libc::timeval) -> Duration {
    Duration::from_secs(time.tv_sec.unsigned_abs())
        + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or_default())
}

fn wait(id: u32) -> io::Result<(i32, libc::rusage)> {
    let id = libc::pid_t::try_from(id).map_err(io::Error::other)?;
    let mut status = 0;
    // SAFETY: `rusage` is plain integers, for which all zeros is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both pointers are to locals that outlive the call, and `id` is a child of ours that nobody
        // else waits for (its handle is only dropped, which does not wait).
        let got = unsafe { libc::wait4(id, &raw mut status, 0, &raw mut usage) };
        if got == id {
            return Ok((status, usage));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// Holds this thread and the processes it starts to fewer processors, until dropped
pub struct Affinity(Option<libc::cpu_set_t>);

impl Affinity {
    /// The first `count` processors that this thread may use; all of them if there are no more
    pub fn limit(count: usize) -> Self {
        Self::some(|allowed| allowed.into_iter().take(count).collect())
    }

    /// One of the processors that this thread may use, by a number modulo theirs
    pub fn one(number: usize) -> Self {
        Self::some(|allowed| allowed.get(number % allowed.len().max(1)).copied().into_iter().collect())
    }

    /// Those that are chosen of the processors that this thread may use
    fn some(choose: impl FnOnce(Vec<usize>) -> Vec<usize>) -> Self {
        // SAFETY: a set of processors is a plain bit array, for which all zeros is a value.
        let (mut all, mut few) = unsafe { (std::mem::zeroed::<libc::cpu_set_t>(), std::mem::zeroed()) };
        let size = size_of::<libc::cpu_set_t>();
        // SAFETY: 0 is the calling thread; `all` is a local of the size that is passed.
        if unsafe { libc::sched_getaffinity(0, size, &raw mut all) } != 0 {
            return Self(None);
        }
        // SAFETY: each index is below the number of bits in a set.
        let allowed = (0..libc::CPU_SETSIZE as usize).filter(|&cpu| unsafe { libc::CPU_ISSET(cpu, &all) });
        let chosen = choose(allowed.collect());
        for &cpu in &chosen {
            // SAFETY: as above.
            unsafe { libc::CPU_SET(cpu, &mut few) };
        }
        // SAFETY: `few` is a local of the size that is passed, and not empty.
        let limited = !chosen.is_empty() && unsafe { libc::sched_setaffinity(0, size, &raw const few) } == 0;
        Self(limited.then_some(all))
    }
}

impl Drop for Affinity {
    fn drop(&mut self) {
        if let Some(all) = &self.0 {
            // SAFETY: `all` is the set that the kernel gave us, of the size that is passed. Should it fail, this
            // thread stays limited, which is slow but sound.
            unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), all) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(name: &str) -> std::path::PathBuf {
        std::env::temp_dir().join(format!("terrace-process-{}-{name}", std::process::id()))
    }

    #[test]
    fn a_process_is_measured() {
        let path = messages("ok");
        let cost = run(Command::new("sh").args(["-c", "sleep 0.02"]), &path).expect("sh runs");
        std::fs::remove_file(&path).expect("it is ours");
        assert!(cost.wall >= Duration::from_millis(20));
        assert!(cost.user < cost.wall && cost.peak_kib > 100);
    }

    #[test]
    fn a_failure_carries_the_messages() {
        let path = messages("bad");
        let error = run(Command::new("sh").args(["-c", "echo sorry >&2; exit 3"]), &path).unwrap_err();
        std::fs::remove_file(&path).expect("it is ours");
        assert!(error.to_string().ends_with("failed: sorry"), "{error}");
        let error = run(&mut Command::new("no-such-program-here"), &path).unwrap_err();
        std::fs::remove_file(&path).expect("it is ours");
        assert!(error.to_string().starts_with("cannot start"), "{error}");
    }

    #[test]
    fn affinity_is_given_back() {
        let threads = || std::thread::available_parallelism().map_or(1, usize::from);
        let before = threads();
        let limit = Affinity::limit(1);
        assert_eq!(threads(), 1);
        drop(limit);
        assert_eq!(threads(), before);
    }
}
