//! Lines on standard output, whose reader may have seen enough (`| head`): a closed pipe is no mistake, and what follows goes nowhere.
//!
//! `println!` panics there. Any other mistake, such as a full disk, ends the program with a message.

use std::fmt;
use std::io::{self, ErrorKind, Write};

/// A line
macro_rules! say {
    ($($text:tt)*) => { $crate::say::put(format_args!($($text)*), "\n") };
}

/// A part of a line
macro_rules! say_part {
    ($($text:tt)*) => { $crate::say::put(format_args!($($text)*), "") };
}

/// Writes a text and its end
pub fn put(text: fmt::Arguments<'_>, end: &str) {
    let mut out = io::stdout().lock();
    match out.write_fmt(text).and_then(|()| out.write_all(end.as_bytes())).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let _ = writeln!(io::stderr(), "error: cannot write standard output: {error}");
            std::process::exit(1);
        }
        _ => {}
    }
}
