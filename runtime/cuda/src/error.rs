//! Errors of CUDA, and their messages

use cudarc::driver::DriverError;
use std::fmt;

/// An error of this crate
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CudaError {
    /// No driver library on this machine; tests that need one are skipped
    NoDriver,
    /// A driver library, but no device; tests that need one are skipped
    NoDevice,
    /// No NVRTC where it was looked for; tests that need it are skipped
    NoNvrtc {
        /// Where that was
        place: String,
    },
    /// The source does not compile
    Compile {
        /// The compiler's own words
        log: String,
    },
    /// A launch that the device cannot take
    Launch {
        /// Kernel name
        kernel: String,
        /// What clashes
        reason: String,
    },
    /// Bytes given and bytes held are not the same number
    Size {
        /// Bytes of the device buffer
        held: usize,
        /// Bytes on the other side
        given: usize,
    },
    /// A NUL byte in a text that goes to C
    Nul {
        /// What the text is
        what: &'static str,
    },
    /// A call that the driver or NVRTC refused
    Call {
        /// CUDA's name of the call
        call: &'static str,
        /// The error in CUDA's words
        code: String,
    },
}

impl CudaError {
    /// Whether the machine lacks something, so that a test should be skipped, not fail
    pub fn is_absence(&self) -> bool {
        matches!(self, Self::NoDriver | Self::NoDevice | Self::NoNvrtc { .. })
    }

    /// For `map_err`: name the driver call that failed
    pub(crate) fn from_driver(call: &'static str) -> impl Fn(DriverError) -> CudaError {
        move |error| {
            let words = error.error_string().map(|s| s.to_string_lossy().into_owned());
            let words = words.unwrap_or_else(|_| "unknown error".into());
            CudaError::Call { call, code: format!("{words} ({})", error.0 as u32) }
        }
    }
}

impl fmt::Display for CudaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDriver => f.write_str("no CUDA driver (libcuda.so.1) is installed"),
            Self::NoDevice => f.write_str("CUDA has no device"),
            Self::NoNvrtc { place } => write!(f, "no NVRTC (libnvrtc.so) in {place}"),
            Self::Compile { log } => write!(f, "the CUDA C source does not compile:\n{log}"),
            Self::Launch { kernel, reason } => write!(f, "cannot launch kernel `{kernel}`: {reason}"),
            Self::Size { held, given } => {
                write!(f, "the device buffer holds {held} bytes, but {given} are given")
            }
            Self::Nul { what } => write!(f, "{what} has a NUL byte in it"),
            Self::Call { call, code } => write!(f, "{call} failed: {code}"),
        }
    }
}

impl std::error::Error for CudaError {}
