//! Whose turn it is on a device: any number of processes compile at a time, and one of them runs what it has compiled.
//!
//! A lock on a file, which the system takes back from a process that dies. Time in which a process waits for its turn counts for
//! no limit, so whoever counts learns of it.

use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::path::Path;

/// The turn on one device
pub struct Turn {
    file: File,
    waits: Box<dyn Fn(bool)>,
}

impl Turn {
    /// By a file that all processes of the device name; what learns when waiting begins (`true`) and ends
    pub fn new(file: &Path, waits: impl Fn(bool) + 'static) -> std::io::Result<Turn> {
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(file)?;
        match file.try_lock() {
            Ok(()) => file.unlock()?,
            Err(std::fs::TryLockError::WouldBlock) => {}
            Err(std::fs::TryLockError::Error(error)) => return Err(error),
        }
        Ok(Turn { file, waits: Box::new(waits) })
    }

    /// Wait for it, and have it until what this gives is dropped
    pub fn take(&self) -> Held<'_> {
        (self.waits)(true);
        // It could be locked before, so the only error is a signal in between.
        while self.file.lock().is_err_and(|error| error.kind() == ErrorKind::Interrupted) {}
        (self.waits)(false);
        Held(self)
    }
}

/// It is this process's turn
pub struct Held<'a>(&'a Turn);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        let _ = self.0.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[test]
    fn one_at_a_time_has_it() {
        let file = std::env::temp_dir().join(format!("terrace-turn-{}", std::process::id()));
        let (inside, waited) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    // Each opens the file itself, as processes do.
                    let turn = Turn::new(&file, |_| ()).expect("a file");
                    for _ in 0..5 {
                        let held = turn.take();
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "another one has it");
                        std::thread::sleep(Duration::from_millis(1));
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(held);
                        waited.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(waited.load(Ordering::SeqCst), 20);
        std::fs::remove_file(file).expect("made here");
        assert!(Turn::new(Path::new("/nonexistent/turn"), |_| ()).is_err());
    }
}
