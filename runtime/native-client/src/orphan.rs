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

/// Variable of the environment that asks for [`end_with_input`]
pub const ENDS_WITH_INPUT: &str = "TERRACE_ENDS_WITH_INPUT";

/// End this process and its group when its standard input closes, if the environment asks for it
///
/// For a tool that another one starts as the first of a group, with a pipe that it never writes to.
pub fn end_with_input() {
    #[cfg(unix)]
    if std::env::var_os(ENDS_WITH_INPUT).is_some() {
        std::thread::spawn(|| {
            let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
            let _ = rustix::process::kill_current_process_group(rustix::process::Signal::KILL);
        });
    }
}

/// Now, whatever other threads do: an orderly end would wait for what they hold
#[cfg(unix)]
fn end() {
    use rustix::process::{Signal, getpid, kill_process};
    let _ = kill_process(getpid(), Signal::KILL);
}
