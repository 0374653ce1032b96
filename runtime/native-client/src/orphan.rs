//! Ending with the process that started this one, however that ends: a pipe that closes says so.
//!
//! What a worker runs may never look at its streams again, so another thread does.

/// End this process when its standard output has no reader
///
/// That is the tool that started a worker. A file or a terminal is always read.
pub fn end_with_reader() {
    #[cfg(unix)]
    std::thread::spawn(|| {
        use rustix::event::{PollFd, PollFlags, poll};
        let stdout = std::io::stdout();
        loop {
            // Nothing is waited for but what is always told: an error, or the other end closed.
            let mut all = [PollFd::new(&stdout, PollFlags::empty())];
            match poll(&mut all, None) {
                Ok(_) if all[0].revents().intersects(PollFlags::ERR | PollFlags::HUP) => end(),
                Err(rustix::io::Errno::INTR) => {}
                _ => return,
            }
        }
    });
}

/// Variable of the environment that asks for [`end_group_if_asked`]
pub const ENDS_WITH_INPUT: &str = "TERRACE_ENDS_WITH_INPUT";

/// For a process whose standard input has ended: end it and its group, if the environment asks for it
///
/// Whoever started it as the first of a group has ended, or does not need it any more.
pub fn end_group_if_asked() {
    #[cfg(unix)]
    if std::env::var_os(ENDS_WITH_INPUT).is_some() {
        let _ = rustix::process::kill_current_process_group(rustix::process::Signal::KILL);
    }
}

/// Now, whatever other threads do: an orderly end would wait for what they hold
#[cfg(unix)]
fn end() {
    use rustix::process::{Signal, getpid, kill_process};
    let _ = kill_process(getpid(), Signal::KILL);
}
