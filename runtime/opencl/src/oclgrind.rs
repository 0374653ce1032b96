//! Running a program under oclgrind, a simulator of OpenCL devices that finds data races
//!
//! The program is started again as a child whose OpenCL library *is* oclgrind: the loader of this
//! crate follows `OPENCL_DYLIB_PATH`. (Oclgrind's own wrapper preloads a library, which a program
//! that opens OpenCL at run time does not notice.) Oclgrind ends with status 0 whatever it finds, so
//! its log is read.

use crate::OpenClError;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Where Debian's package puts the library
pub const LIBRARY: &str = "/usr/lib/oclgrind/liboclgrind-rt.so";

/// What a child did
#[derive(Debug)]
pub struct Report {
    /// Its exit status and output
    pub output: Output,
    /// What oclgrind found in it
    pub findings: Vec<Finding>,
}

/// One complaint of oclgrind's
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What kind of mistake
    pub kind: FindingKind,
    /// The kernel's name, where the log gives it
    pub kernel: Option<String>,
    /// All lines of the complaint
    pub text: String,
}

/// Kinds of mistakes
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FindingKind {
    /// Conflicting accesses without a barrier between them
    Race,
    /// An access past the end of a buffer
    OutOfBounds,
    /// Work items of a group that do not meet at the same barrier
    Divergence,
    /// A read of uninitialized memory
    Uninitialized,
    /// Anything else
    Other,
}

/// Run a command with oclgrind for its OpenCL, races included, and read what it found
///
/// `log` is a file that this call may overwrite and removes at the end.
pub fn run_child(mut command: Command, library: &Path, log: &Path) -> Result<Report, OpenClError> {
    let failed = |what: &str, e: std::io::Error| OpenClError::Child { reason: format!("{what}: {e}") };
    // A log of an earlier run must not be taken for this one's.
    let _ = fs::remove_file(log);
    command.env("OPENCL_DYLIB_PATH", library).env("OCLGRIND_DATA_RACES", "1").env("OCLGRIND_LOG", log);
    let output = command.output().map_err(|e| failed("the child cannot be started", e))?;
    // Oclgrind makes the file as soon as it is loaded, so its absence means that it was not used.
    let bytes = fs::read(log).map_err(|e| failed("oclgrind has written no log", e))?;
    let _ = fs::remove_file(log);
    Ok(Report { output, findings: parse_log(&String::from_utf8_lossy(&bytes)) })
}

/// The complaints in a log: blocks that start at the margin and go on with a tab
pub fn parse_log(log: &str) -> Vec<Finding> {
    let mut blocks: Vec<String> = Vec::new();
    let mut open = false;
    for line in log.lines() {
        if line.trim().is_empty() {
            open = false;
        } else if open && line.starts_with([' ', '\t']) {
            if let Some(last) = blocks.last_mut() {
                last.push('\n');
                last.push_str(line);
            }
        } else {
            blocks.push(line.to_string());
            open = true;
        }
    }
    blocks.into_iter().map(finding).collect()
}

fn finding(text: String) -> Finding {
    let first = text.lines().next().unwrap_or_default().to_lowercase();
    let kind = if first.contains("data race") {
        FindingKind::Race
    } else if first.contains("divergence") {
        FindingKind::Divergence
    } else if first.contains("uninitialized") {
        FindingKind::Uninitialized
    } else if first.starts_with("invalid") {
        FindingKind::OutOfBounds
    } else {
        FindingKind::Other
    };
    let kernel = text.lines().find_map(|l| l.trim().strip_prefix("Kernel:")).map(|k| k.trim().to_string());
    Finding { kind, kernel, text }
}
