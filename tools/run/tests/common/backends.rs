//! Which back ends a machine has, and whether they agree.

use super::{run, stdout};
use terrace_target_api::Target;
use terrace_targets::TARGETS;

/// Back ends of the processor that are here, the interpreter first; says which are not
pub fn here(test: &str) -> String {
    choose(test, |target| !target.launches_kernels())
}

/// All that are here, for programs that become kernels
pub fn with_devices(test: &str) -> String {
    choose(test, |_| true)
}

/// The interpreter and code for FPGAs, if a compiler is here
pub fn hardware(test: &str) -> Option<&'static str> {
    let target = terrace_targets::find("hls")?;
    match target.missing() {
        None => Some("interp,hls"),
        Some(component) => {
            println!("skipped: {test} (needs {component})");
            None
        }
    }
}

/// The interpreter and simulated hardware, if what simulates it is here
pub fn simulated(test: &str) -> Option<&'static str> {
    let target = terrace_targets::find("calyx")?;
    match target.missing() {
        None => Some("interp,calyx"),
        Some(component) => {
            println!("skipped: {test} (needs {component})");
            None
        }
    }
}

/// The interpreter, and the devices that are here
pub fn devices(test: &str) -> String {
    choose(test, |target| target.launches_kernels() || target.name() == TARGETS[0].name())
}

fn choose(test: &str, fits: impl Fn(&dyn Target) -> bool) -> String {
    let mut list = Vec::new();
    // Once for all shapes and types of a program.
    let family = test.split('-').next().unwrap_or(test);
    for target in TARGETS.iter().filter(|target| target.takes_any() && fits(**target)) {
        match target.missing() {
            None => list.push(target.name()),
            Some(component) => println!("skipped: {family} on {} (needs {component})", target.name()),
        }
    }
    list.join(",")
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
