//! Oclgrind finds what is wrong with a kernel, and nothing in a right one
//!
//! Each test is its own child: it starts this program again with the kernel's name in the environment.
#![allow(unsafe_code)]

use std::path::{Path, PathBuf};
use std::process::Command;
use terrace_runtime_opencl::oclgrind::{self, Finding, FindingKind};
use terrace_runtime_opencl::{Arg, Device, Preference, Program};

const CHILD: &str = "TERRACE_OCLGRIND_CHILD";

/// Neighbors exchange values through local memory; `BARRIER` decides whether that is right
const SHIFT: &str = "kernel void shift(global int *a) {
    local int t[16];
    int l = get_local_id(0), g = get_global_id(0);
    t[l] = g;
    BARRIER
    a[g + PAST] = t[(l + 1) % 16];
}";

/// The test's second half, in the child
fn launch(defines: &str) {
    let device = Device::open(&Preference::Any).expect("oclgrind has a device");
    assert!(device.info().platform.contains("Oclgrind"), "{}", device.info().platform);
    let buffer = device.upload(&[0; 128]).expect("memory");
    let program = Program::build(&device, SHIFT, defines).expect("compiles");
    let mut kernel = program.kernel("shift").expect("it is there");
    // SAFETY: oclgrind checks every access and skips wrong ones.
    unsafe { kernel.launch([2, 1, 1], [16, 1, 1], &[Arg::Buffer(&buffer)]) }.expect("runs");
}

/// What oclgrind finds with these defines; `None` where it is not installed
fn findings(test: &str, defines: &str) -> Option<Vec<Finding>> {
    if std::env::var_os(CHILD).is_some() {
        launch(defines);
        return None;
    }
    if !Path::new(oclgrind::LIBRARY).is_file() {
        println!("skipped: {test} (needs oclgrind)");
        return None;
    }
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    // The test's own name: this file is a module of the program.
    command.args(["--exact", &format!("oclgrind::{test}"), "--nocapture"]).env(CHILD, "1");
    let log = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}.log"));
    let report = oclgrind::run_child(command, Path::new(oclgrind::LIBRARY), &log).expect("runs");
    assert!(report.output.status.success(), "{}", String::from_utf8_lossy(&report.output.stdout));
    Some(report.findings)
}

#[test]
fn a_right_kernel_is_clean() {
    let defines = "-DBARRIER=barrier(CLK_LOCAL_MEM_FENCE); -DPAST=0";
    if let Some(found) = findings("a_right_kernel_is_clean", defines) {
        assert_eq!(found, []);
    }
}

#[test]
fn a_missing_barrier_is_a_race() {
    if let Some(found) = findings("a_missing_barrier_is_a_race", "-DBARRIER= -DPAST=0") {
        assert!(found.iter().any(|f| f.kind == FindingKind::Race), "{found:?}");
        assert_eq!(found[0].kernel.as_deref(), Some("shift"));
    }
}

#[test]
fn a_write_past_the_end_is_found() {
    let defines = "-DBARRIER=barrier(CLK_LOCAL_MEM_FENCE); -DPAST=1";
    if let Some(found) = findings("a_write_past_the_end_is_found", defines) {
        assert!(found.iter().any(|f| f.kind == FindingKind::OutOfBounds), "{found:?}");
    }
}

#[test]
fn a_barrier_in_a_branch_is_divergence() {
    let defines = "-DBARRIER=if(l<8)barrier(CLK_LOCAL_MEM_FENCE); -DPAST=0";
    if let Some(found) = findings("a_barrier_in_a_branch_is_divergence", defines) {
        assert!(found.iter().any(|f| f.kind == FindingKind::Divergence), "{found:?}");
    }
}
