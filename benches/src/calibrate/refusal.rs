//! Why no file is written.

use std::error::Error;
use std::fmt;

use terrace_devices::DeviceError;

use crate::process::Complaint;

/// Why no file is written
#[derive(Clone, PartialEq, Debug)]
pub enum Refusal {
    /// The system does not say what it must
    Unknown {
        /// The file that should
        file: String,
    },
    /// Other programs run
    Busy {
        /// Share of all processors, in percent
        percent: f64,
        /// Most that is permitted
        most: f64,
    },
    /// A hypervisor runs others on these processors
    Stolen {
        /// Share of all processors, in percent
        percent: f64,
        /// Most that is permitted
        most: f64,
    },
    /// What is measured changes
    Drift {
        /// What
        what: String,
        /// Time of the last third in that of the first
        ratio: f64,
        /// Largest change that is permitted, in percent
        most: f64,
    },
    /// A cache is not as large as the system says
    Size {
        /// The cache
        cache: String,
        /// As measured
        fitted: i64,
        /// As the system says
        system: i64,
    },
    /// There is not memory enough for what no cache holds
    Memory {
        /// Bytes that are needed
        needed: i64,
        /// Bytes that are free
        free: i64,
    },
    /// A name that a built-in file has, or none that a file can have
    Name {
        /// The name
        name: String,
    },
    /// What was measured is no device's
    Number(DeviceError),
    /// A program did not run
    Failed {
        /// Which
        what: String,
        /// What the tool said
        why: Complaint,
    },
    /// The file cannot be written
    Unwritable {
        /// The file
        file: String,
        /// What the system says
        why: String,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Unknown { file } => write!(f, "the system does not say what is needed: `{file}`"),
            Refusal::Busy { percent, most } => write!(
                f,
                "the machine is busy: other programs use {percent:.1} % of its processors (at most {most} %); nothing is written"
            ),
            Refusal::Stolen { percent, most } => write!(
                f,
                "the machine is busy: its hypervisor gives {percent:.1} % of the processors' time to others (at most {most} %); nothing is \
                 written"
            ),
            Refusal::Drift { what, ratio, most } => write!(
                f,
                "disturbed: in the last third {what} took {ratio:.3} times as long as in the first (at most {most} % apart); nothing is \
                 written"
            ),
            Refusal::Size { cache, fitted, system } => write!(
                f,
                "`{cache}` seems to have {} KiB, and {} KiB by the system; nothing is written",
                fitted / 1024,
                system / 1024
            ),
            Refusal::Memory { needed, free } => write!(
                f,
                "memory cannot be measured: that takes {} MiB, and {} MiB are free",
                needed >> 20,
                free >> 20
            ),
            Refusal::Name { name } => {
                write!(
                    f,
                    "`{name}` is no name for a file of your own: built-in names are taken; letters, digits, `-`, `_` and `.`"
                )
            }
            Refusal::Number(error) => write!(f, "what was measured is no device: {error}"),
            Refusal::Failed { what, why } => write!(f, "{what}: {why}"),
            Refusal::Unwritable { file, why } => write!(f, "`{file}`: {why}"),
        }
    }
}

impl Error for Refusal {}
