//! Was standard output there when the process started?
//!
//! Before `main` the standard library puts `/dev/null` where a standard stream is closed, so that writing succeeds and the
//! output is gone. Whether it is, can be asked only earlier.

use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

// SAFETY: it runs before `main` and asks the system one question; it uses nothing of the standard library that must be set up.
#[ctor::ctor(unsafe)]
fn look() {
    let there = rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_ok();
    CLOSED.store(!there, Ordering::Relaxed);
}

/// An error if standard output was closed when the process started
pub fn check() -> std::io::Result<()> {
    match CLOSED.load(Ordering::Relaxed) {
        true => Err(rustix::io::Errno::BADF.into()),
        false => Ok(()),
    }
}
