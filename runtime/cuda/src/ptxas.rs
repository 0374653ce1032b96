//! `ptxas`: whether PTX is right, and what its kernels use
//!
//! PTX goes in through a pipe. The machine code is thrown away, unless a file for it is named.

use std::fmt;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a PTX text needs of the device
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PtxasReport {
    /// Its kernels, in the order that `ptxas` compiles them
    pub kernels: Vec<KernelUse>,
}

/// What one kernel needs
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KernelUse {
    /// Kernel name
    pub name: String,
    /// Registers per thread
    pub registers: u32,
    /// Bytes written to spilled registers
    pub spill_stores: u32,
    /// Bytes read back from them
    pub spill_loads: u32,
    /// Bytes of the stack frame, per thread
    pub stack: u32,
    /// Bytes of shared memory declared in the text, per block
    pub shared: u32,
}

impl PtxasReport {
    /// The most registers of any kernel
    pub fn registers(&self) -> u32 {
        self.kernels.iter().map(|k| k.registers).max().unwrap_or(0)
    }

    /// Bytes spilled by all kernels, stores and loads
    pub fn spills(&self) -> u32 {
        self.kernels.iter().map(|k| k.spill_stores + k.spill_loads).sum()
    }

    /// The most shared memory of any kernel, in bytes
    pub fn shared(&self) -> u32 {
        self.kernels.iter().map(|k| k.shared).max().unwrap_or(0)
    }
}

/// Why there is no report
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PtxasError {
    /// The program cannot be run
    Start {
        /// Its path
        ptxas: String,
        /// The system's reason
        reason: String,
    },
    /// It refuses the text; its own words, with line numbers
    Refused(String),
}

impl fmt::Display for PtxasError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start { ptxas, reason } => write!(f, "{ptxas} cannot be run: {reason}"),
            Self::Refused(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for PtxasError {}

/// Assemble `ptx` for `arch` (`sm_90`); the error is what `ptxas` says, with line numbers
pub fn ptxas_check(ptxas: &Path, ptx: &str, arch: &str) -> Result<PtxasReport, PtxasError> {
    ptxas_binary(ptxas, ptx, arch, Path::new("/dev/null"))
}

/// As [`ptxas_check`]; the machine code goes `to` a file
pub fn ptxas_binary(ptxas: &Path, ptx: &str, arch: &str, to: &Path) -> Result<PtxasReport, PtxasError> {
    let mut command = Command::new(ptxas);
    command.arg(format!("-arch={arch}")).args(["-v", "-", "-o"]).arg(to);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let start =
        |e: std::io::Error| PtxasError::Start { ptxas: ptxas.display().to_string(), reason: e.to_string() };
    let mut child = command.spawn().map_err(start)?;
    if let Some(mut input) = child.stdin.take() {
        // It may end before it has read all, because of an unknown architecture; its own words about
        // that are better than ours about a broken pipe. Its output waits until the input is closed.
        let _ = input.write_all(ptx.as_bytes());
    }
    let output = child.wait_with_output().map_err(start)?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    if output.status.success() {
        Ok(parse(&text))
    } else {
        Err(PtxasError::Refused(text.trim_end().to_string()))
    }
}

/// Read the figures of `ptxas -v`
fn parse(text: &str) -> PtxasReport {
    let mut kernels: Vec<KernelUse> = Vec::new();
    // Figures of device functions that are not inlined come between those of kernels.
    let mut of_kernel = false;
    for line in text.lines() {
        if let Some(rest) = line.split("Compiling entry function '").nth(1) {
            let name = rest.split('\'').next().unwrap_or_default().to_string();
            kernels.push(KernelUse { name, ..KernelUse::default() });
            continue;
        }
        let Some(kernel) = kernels.last_mut() else { continue };
        if let Some(rest) = line.split("Function properties for ").nth(1) {
            of_kernel = rest.trim() == kernel.name;
        } else if of_kernel && line.contains("spill stores") {
            kernel.stack = before(line, " bytes stack frame");
            kernel.spill_stores = before(line, " bytes spill stores");
            kernel.spill_loads = before(line, " bytes spill loads");
        } else if line.contains("Used ") && line.contains(" registers") {
            kernel.registers = before(line, " registers");
            kernel.shared = before(line, " bytes smem");
        }
    }
    PtxasReport { kernels }
}

/// The number right before `unit`, 0 where there is none
fn before(line: &str, unit: &str) -> u32 {
    let Some((head, _)) = line.split_once(unit) else { return 0 };
    let digits = head.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
    head[digits..].parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read() {
        let text = "ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'k' for 'sm_90'
ptxas info    : Function properties for helper
    8 bytes stack frame, 99 bytes spill stores, 99 bytes spill loads
ptxas info    : Function properties for k
    16 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 38 registers, used 1 barriers, 1024 bytes smem
ptxas info    : Compiling entry function 'l' for 'sm_90'
ptxas info    : Function properties for l
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers
";
        let report = parse(text);
        let k = KernelUse {
            name: "k".into(),
            registers: 38,
            spill_stores: 4,
            spill_loads: 12,
            stack: 16,
            shared: 1024,
        };
        let l = KernelUse { name: "l".into(), registers: 8, ..KernelUse::default() };
        assert_eq!(report.kernels, [k, l]);
        assert_eq!((report.registers(), report.spills(), report.shared()), (38, 16, 1024));
    }

    #[test]
    fn a_missing_program_is_named() {
        let e = ptxas_check(Path::new("no/such/ptxas"), "", "sm_90").expect_err("none there").to_string();
        assert!(e.starts_with("no/such/ptxas cannot be run: "), "{e}");
    }
}
