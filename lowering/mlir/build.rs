//! A `libMLIR-C.so` for the linker: Debian ships MLIR's C interface as static archives only.
//!
//! A linker script of that name takes them together with the shared libMLIR and libLLVM, so that one LLVM is in the process.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    if env::var_os("CARGO_FEATURE_MLIR").is_none() {
        return;
    }
    let prefix = env::var_os("MLIR_SYS_220_PREFIX").map_or_else(|| "/usr/lib/llvm-22".into(), PathBuf::from);
    let folder = prefix.join("lib");
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut archives: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.path().to_string_lossy().into_owned()))
        .filter(|path| {
            let name = path.rsplit('/').next().unwrap_or_default();
            // The engine that runs code is not in the shared library.
            name.ends_with(".a")
                && (name.starts_with("libMLIRCAPI") || name.starts_with("libMLIRExecutionEngine"))
        })
        .collect();
    archives.sort();
    let shared = folder.join("libMLIR.so");
    let llvm = folder.join("libLLVM-22.so");
    let script = format!("GROUP ( {} {} {} )\n", archives.join(" "), shared.display(), llvm.display());
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("libMLIR-C.so"), script).expect("cargo's folder can be written");
    println!("cargo:rustc-link-search=native={}", out.display());
}
