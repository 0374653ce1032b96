//! `cargo xtask build`: the tools, optimized, with what this machine can serve

use crate::components::COMPONENTS;
use crate::workspace::Workspace;
use crate::{Fallible, process, test};
use std::path::{Path, PathBuf};

/// What users call, and the workers that hold LLVM, upstream MLIR and Calyx
pub const ALL: &[&str] = &[
    "terrace-opt",
    "terrace-run",
    "terrace-view",
    "terrace-tune",
    "terrace-filetest",
    "terrace-why",
    "terrace-reduce",
    "terrace-lsp",
    "terrace-native",
    "terrace-upstream",
    "terrace-calyx",
];

/// The runtime that libraries of `--emit=shared` have in them: a library next to the tools
const RUNTIME: &str = "terrace-runtime-abi";

/// What it takes to run a program on every back end
pub const TO_RUN: &[&str] = &["terrace-opt", "terrace-run", "terrace-native", "terrace-upstream"];

/// How well the tools are optimized
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Profile {
    /// Quick to build, nearly as quick to run: for using the tools
    Tools,
    /// As figures are measured
    Release,
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Profile::Tools => "tools",
            Profile::Release => "release",
        }
    }
}

/// `cargo xtask build [--release]`
pub fn command(ws: &Workspace, profile: Profile) -> Fallible {
    let folder = build(ws, &[ALL, &[RUNTIME]].concat(), profile)?;
    let missing: Vec<&str> = ALL.iter().copied().filter(|name| !program(&folder, name).is_file()).collect();
    if !missing.is_empty() {
        say!(
            "not built for want of LLVM, MLIR 22 (cargo xtask setup) or Verilator (cargo xtask setup --fpga): {}",
            missing.join(", ")
        );
    }
    say!("{}", to_call(&folder));
    Ok(())
}

/// Set up, build these packages' programs, and say where they are
pub fn build(ws: &Workspace, packages: &[&str], profile: Profile) -> Fallible<PathBuf> {
    let features = test::features(ws, false)?;
    let of_these = |feature: &&String| packages.iter().any(|name| feature.starts_with(&format!("{name}/")));
    let features: Vec<String> = features.iter().filter(of_these).cloned().collect();
    let mut cargo = process::cargo(&ws.root);
    cargo.args(["build", "--profile", profile.name(), "--bins"]);
    cargo.args(packages.iter().flat_map(|name| ["-p", name]));
    if packages.contains(&RUNTIME) {
        cargo.arg("--lib");
    }
    if !features.is_empty() {
        cargo.args(["--features", &features.join(",")]);
    }
    process::run(&mut cargo)?;
    Ok(ws.target.join(profile.name()))
}

/// How to call the tools by their names
pub fn to_call(folder: &Path) -> String {
    format!("The tools are in {0}; to call them by name:\n  export PATH=\"{0}:$PATH\"", folder.display())
}

/// A program in a folder of tools
pub fn program(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// A way to run a program
#[derive(Clone, Copy, Debug)]
pub struct Backend {
    /// Its name for `terrace-run --on`
    pub name: &'static str,
    /// In words
    pub what: &'static str,
}

/// Where this machine can run a program; what is missing is reported
pub fn backends(folder: &Path) -> Vec<Backend> {
    let worker = |name: &str| program(folder, name).is_file();
    let has = |name: &str| COMPONENTS.iter().any(|c| c.name == name && (c.probe)());
    let all = [
        ("host", "LLVM on this CPU", "llvm", worker("terrace-native")),
        ("openmp", "C with OpenMP, system compiler", "cc-openmp", has("cc-openmp")),
        ("opencl", "OpenCL C on PoCL", "pocl", has("pocl")),
        ("mlir", "upstream MLIR's lowering", "mlir", worker("terrace-upstream")),
    ];
    let missing = all.iter().filter(|(.., here)| !here);
    missing.for_each(|(_, what, component, _)| say!("skipped: {what} (needs {component})"));
    all.iter().filter(|(.., here)| *here).map(|&(name, what, ..)| Backend { name, what }).collect()
}
