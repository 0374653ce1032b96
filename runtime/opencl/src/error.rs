//! Errors of OpenCL, and their messages

use opencl3::error_codes::ClError;
use std::fmt;

/// An error of this crate
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpenClError {
    /// No OpenCL library on this machine; tests that need one are skipped
    NoLibrary,
    /// A library, but no device of the wanted kind; tests that need one are skipped
    NoDevice {
        /// The kind in words
        wanted: String,
    },
    /// The source does not compile
    Build {
        /// The compiler's own words
        log: String,
    },
    /// A launch that the device or the kernel cannot take
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
    /// A call that the driver refused
    Call {
        /// OpenCL's name of the call
        call: &'static str,
        /// Its error code in OpenCL's words
        code: String,
    },
    /// A child process or its log
    Child {
        /// What happened
        reason: String,
    },
}

impl OpenClError {
    /// Whether the machine lacks OpenCL or the device, so that a test should be skipped, not fail
    pub fn is_absence(&self) -> bool {
        matches!(self, Self::NoLibrary | Self::NoDevice { .. })
    }

    /// For `map_err`: name the call that failed
    pub(crate) fn from_call(call: &'static str) -> impl Fn(ClError) -> OpenClError {
        move |error| OpenClError::Call { call, code: error.to_string() }
    }
}

impl fmt::Display for OpenClError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLibrary => f.write_str("no OpenCL library (libOpenCL.so.1) is installed"),
            Self::NoDevice { wanted } => write!(f, "OpenCL has no {wanted}"),
            Self::Build { log } => write!(f, "the OpenCL C source does not compile:\n{log}"),
            Self::Launch { kernel, reason } => write!(f, "cannot launch kernel `{kernel}`: {reason}"),
            Self::Size { held, given } => {
                write!(f, "the device buffer holds {held} bytes, but {given} are given")
            }
            Self::Nul { what } => write!(f, "{what} has a NUL byte in it"),
            Self::Call { call, code } => write!(f, "{call} failed: {code}"),
            Self::Child { reason } => f.write_str(reason),
        }
    }
}

impl std::error::Error for OpenClError {}
