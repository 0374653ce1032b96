//! Which back ends a machine has, and whether they agree.

use super::{run, stdout};
use std::process::Command;

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
    let mut list = "interp".to_string();
    for (name, component, there) in all {
        match there {
            true => list.extend([",", name]),
            false => println!("skipped: {test} on {name} (needs {component})"),
        }
    }
    list
}

/// All back ends agree, and the lines about this output say so
#[track_caller]
pub fn agree(test: &str, text: &str, args: &[&str], output: &str) {
    let list = here(test);
    let compare = format!("--compare={list}");
    let args: Vec<&str> = args.iter().copied().chain([compare.as_str()]).collect();
    let shown = stdout(&run(test, text, &args));
    for name in list.split(',').skip(1) {
        assert!(shown.contains(&format!("{name} and interp: {output}: all ")), "{test}:\n{shown}");
    }
}
