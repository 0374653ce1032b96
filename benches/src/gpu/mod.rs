//! `terrace-benches gpu`: kernels on a GPU, in one command for whoever has one.
//!
//! First values: every function of the test files that kernels come from, on the interpreter and on the device. Then times of the
//! computations of `cpu`, against torch on the same device: cuBLAS, cuDNN and CUB, and Triton through TorchInductor. Each back end (CUDA C
//! through NVRTC, PTX through LLVM) is measured separately. Times on both sides are those of the device's own clock.
//!
//! Without a GPU it says so and ends well. `--on=opencl` does the same on an OpenCL device, times against torch on the CPU: a rehearsal.

mod values;

use crate::contest::Placement;
use crate::{Done, cpu, opt};
use std::process::{Command, Stdio};

/// Options of `gpu`
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    times: cpu::Options,
    /// Back ends: cuda, ptx, opencl
    #[arg(long, default_value = "cuda,ptx", value_delimiter = ',')]
    on: Vec<String>,
    /// Values only
    #[arg(long)]
    values: bool,
    /// Times only
    #[arg(long, conflicts_with = "values")]
    no_values: bool,
    /// Files whose path has this in it, for values
    #[arg(long, default_value = "")]
    files: String,
}

/// A program that only asks whether there is a device
const ASK: &str = "\
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%x: memref<1xi32>) kernel {
      gpu.return
    }
  }
  func.func @ask(%x: memref<1xi32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<1xi32>)
    return
  }
}
";

/// How messages begin that say what a machine lacks
const ABSENT: [&str; 5] =
    ["no CUDA driver", "CUDA has no device", "no NVRTC", "no OpenCL", "OpenCL has no device"];

/// Whether a message says that this machine lacks a device or a library
pub(crate) fn lacks(message: &str) -> bool {
    ABSENT.iter().any(|words| without_code(message).starts_with(words))
}

/// A message without `error[E…]: `
fn without_code(message: &str) -> &str {
    message.split_once("]: ").map_or(message, |(_, why)| why)
}

/// Compares and measures
pub fn run(mut options: Options) -> Done {
    let terrace = opt::find(&options.times.contest.terrace)
        .ok_or_else(|| format!("`{}` was not found", options.times.contest.terrace))?;
    let ask = std::env::temp_dir().join(format!("terrace-benches-ask-{}.mlir", std::process::id()));
    std::fs::write(&ask, ASK).map_err(|e| format!("{}: {e}", ask.display()))?;
    let mut there = Vec::new();
    for on in &options.on {
        let mut command = Command::new(&terrace);
        command.arg(&ask).arg("--in=x=iota").arg(format!("--on={on}")).stdin(Stdio::null());
        let output = command.output().map_err(|e| format!("{}: {e}", terrace.display()))?;
        if output.status.success() {
            there.push(on.clone());
            continue;
        }
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let first = text.lines().next().unwrap_or("").trim();
        if !lacks(first) {
            return Err(format!("{on}: {}", text.trim()).into());
        }
        say!("skipped: {on} ({})", without_code(first));
    }
    let _ = std::fs::remove_file(&ask);
    let mut wrong = 0;
    if !options.no_values && !there.is_empty() {
        wrong = values::run(&terrace, &there, &options.files)?;
    }
    if !options.values {
        options.times.contest.threads = vec![std::thread::available_parallelism().map_or(1, usize::from)];
        for on in there {
            let device = if on == "opencl" { "cpu" } else { "cuda" };
            options.times.contest.placement = Placement { on, device: device.into() };
            cpu::run(&options.times)?;
        }
    }
    if wrong == 0 { Ok(()) } else { Err(format!("{wrong} functions do not agree").into()) }
}
