//! What schedules say beyond the paper's words, run on devices: turned and doubled tiles, warps, several devices.

mod common;

use common::backends::{agree, agree_on};
use terrace_runtime_opencl::{Device, Preference};

const ARGS: [&str; 2] = ["--in=A=random:1", "--in=B=random:2"];

/// One function of the file of schedules
fn program(name: &str) -> String {
    let text = include_str!("../../../test-files/lowering/mdh/words.mlir");
    let from = text.find(&format!("func.func @{name}(")).expect("it is there");
    let end = text[from..].find("\n}\n").expect("it ends");
    text[from..from + end + 3].to_owned()
}

#[test]
fn words_warps_and_devices_as_kernels() {
    if Device::open(&Preference::Any).is_err() {
        return println!("skipped: words_warps_and_devices_as_kernels (needs pocl)");
    }
    // Several devices are launches one after the other here.
    for name in ["words", "warps", "devices"] {
        agree_on("interp,opencl", &format!("words-{name}"), &program(name), &ARGS, "C");
    }
}

#[test]
fn a_host_plays_several_devices() {
    // With LLVM, the pool's threads.
    agree("words-hosts", &program("hosts"), &ARGS, "C");
}

#[test]
fn rows_that_are_asked_for() {
    agree("words-rows", &program("rows"), &ARGS[..1], "C");
}
