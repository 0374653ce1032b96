//! Programs with schedules of their own (`test-files/programs/schedules`), by value against their meaning.

use crate::common;

use common::backends::{agree, agree_on};
use terrace_runtime_opencl::{Device, Preference};

/// The functions of a file, each with those that it merges by
fn functions(text: &str) -> Vec<(String, String)> {
    let mut private = String::new();
    let mut all = Vec::new();
    for part in text.split_inclusive("\n}\n") {
        // What stands before it are comments, which name functions as well.
        let Some(start) = part.find("\nfunc.func ") else { continue };
        let own = &part[start + 1..];
        match own.strip_prefix("func.func @") {
            None => private += own,
            Some(rest) => all.push((rest.split('(').next().unwrap_or("").to_owned(), own.to_owned())),
        }
    }
    all.into_iter().map(|(name, own)| (name, private.clone() + &own)).collect()
}

/// Each function of a file gives what it means, on the back ends that are here or on these
fn values(file: &str, text: &str, on: Option<&str>) {
    let all = functions(text);
    assert!(!all.is_empty(), "{file} has functions");
    for (name, program) in all {
        let mut args = vec!["--in=A=random:1"];
        if program.contains("%B: tensor") {
            args.push("--in=B=random:2");
        }
        let test = format!("{file}-{name}");
        match on {
            None => agree(&test, &program, &args, "C"),
            Some(list) => agree_on(list, &test, &program, &args, "C"),
        }
    }
}

macro_rules! on_processors {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            let text = include_str!(concat!("../../../test-files/programs/schedules/", stringify!($name), ".mlir"));
            values(stringify!($name), text, None);
        }
    )*};
}

macro_rules! on_devices {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            if Device::open(&Preference::Any).is_err() {
                return println!(concat!("skipped: ", stringify!($name), " (needs pocl)"));
            }
            let text = include_str!(concat!("../../../test-files/programs/schedules/", stringify!($name), ".mlir"));
            values(stringify!($name), text, Some("interp,opencl"));
        }
    )*};
}

on_processors!(tails layouts groups tasks operators scatter squares whole_lines blocks);
on_devices!(kernels mechanisms scatter_kernels operators_in_threads);
