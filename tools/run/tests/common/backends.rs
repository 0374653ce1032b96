//! Which back ends a machine has, and whether they agree.

use super::{run, stdout};
use std::process::Command;
use terrace_runtime_opencl::{Device, Preference};

/// Back ends that are here, the interpreter first; says which are not
pub fn here(test: &str) -> String {
    let cc = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let openmp = || {
        let said = Command::new(cc).arg("-print-file-name=libgomp.so").output();
        said.is_ok_and(|out| out.stdout.starts_with(b"/"))
    };
    let all = [
        ("host", "llvm", terrace_native_client::client::find().is_ok()),
        ("openmp", "cc-openmp", openmp()),
        ("mlir", "mlir", terrace_native_client::client::find_upstream().is_ok()),
    ];
    choose(test, &all)
}

/// Back ends for programs that become kernels, as well
pub fn with_devices(test: &str) -> String {
    let device = Device::open(&Preference::Any).is_ok();
    let list = here(test);
    let opencl = choose(test, &[("opencl", "pocl", device)]);
    if opencl == "interp" { list } else { format!("{list},opencl") }
}

fn choose(test: &str, all: &[(&str, &str, bool)]) -> String {
    let mut list = "interp".to_string();
    // Once for all shapes and types of a program.
    let family = test.split('-').next().unwrap_or(test);
    for (name, component, there) in all.iter().copied() {
        match there {
            true => list.extend([",", name]),
            false => println!("skipped: {family} on {name} (needs {component})"),
        }
    }
    list
}

/// All back ends agree, and the lines about this output say so
#[track_caller]
pub fn agree(test: &str, text: &str, args: &[&str], output: &str) {
    agree_on(&here(test), test, text, args, output);
}

/// These back ends agree
#[track_caller]
pub fn agree_on(list: &str, test: &str, text: &str, args: &[&str], output: &str) {
    let compare = format!("--compare={list}");
    let args: Vec<&str> = args.iter().copied().chain([compare.as_str()]).collect();
    let shown = stdout(&run(test, text, &args));
    for name in list.split(',').skip(1) {
        assert!(shown.contains(&format!("{name} and interp: {output}: all ")), "{test}:\n{shown}");
    }
}
