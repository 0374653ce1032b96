//! Every kernel that the test files hold or become is taken by NVIDIA's compilers, for three generations of devices, and what
//! they find it to need is what we said: shared memory to the byte, registers that let a block start.
//!
//! No device is needed. A part of the files runs in each test, the generation changing from file to file; all of them with
//! `cargo test -p terrace-run kernels:: -- --ignored`.

use crate::common::installed;
use std::collections::BTreeMap;
use std::path::Path;
use terrace_opt::{Tool, run_on};
use terrace_runtime_cuda::{PtxasReport, nvrtc_binary, nvrtc_compile, ptxas_check};

const TOOL: Tool = Tool::OPT;

/// Volta, Ampere, Hopper
const ARCHS: [&str; 3] = ["sm_70", "sm_80", "sm_90"];

/// Registers of a multiprocessor on all of them, and how many a thread is given at once
const REGISTERS: u64 = 65_536;
const GRAIN: u64 = 8;

/// These keep more numbers in a thread than there are registers: one is to, two have a schedule that is a processor's
const CROWDED: [&str; 3] =
    ["lowering/sched/registers.mlir", "passes/mdh/given.mlir", "passes/sched/prefetch.mlir"];

/// Test files in which kernels stand or from which they come, by path
fn files() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files");
    let mut folders = vec![root.clone()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder is there").filter_map(Result::ok) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "mlir") {
                let text = std::fs::read_to_string(&path).expect("test files are text");
                let words = ["gpu.module", "gpu.launch", "sched.kernel", "mdh.compute"];
                if words.iter().any(|word| text.contains(word)) {
                    let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
                    found.push((name, text));
                }
            }
        }
    }
    found.sort();
    found
}

/// Code for a target; nothing where the file is one of refusals
fn emit(name: &str, text: &str, target: &str, arch: &str) -> Option<String> {
    let args =
        [format!("--pipeline=to-{target}"), format!("--emit={target}"), format!("--target-cpu={arch}")];
    let finished = run_on(TOOL, &args, name, text).expect("the arguments are right");
    let out = finished.out.filter(|_| !finished.failed)?;
    Some(String::from_utf8(out).expect("it is text"))
}

/// The files of this run, with the generation that each is compiled for
fn chosen(all: bool) -> Vec<(String, String, &'static str)> {
    let files = files();
    assert!(files.len() > 80, "{} files", files.len());
    let mut chosen = Vec::new();
    for (n, (name, text)) in files.into_iter().enumerate() {
        for (m, arch) in ARCHS.into_iter().enumerate() {
            if all || n % 12 == 4 * m {
                chosen.push((name.clone(), text.clone(), arch));
            }
        }
    }
    chosen
}

/// Of each kernel of a text in CUDA C: bytes that it declares as shared, and the threads it is bound to
fn declared(text: &str) -> BTreeMap<String, (u64, u64)> {
    let mut found = BTreeMap::new();
    let (mut kernel, mut threads) = (None, 0);
    for line in text.lines() {
        if let Some((_, bound)) = line.split_once("__launch_bounds__(") {
            threads = bound.split(')').next().and_then(|n| n.parse().ok()).unwrap_or(0);
        }
        if line.starts_with("void ") || line.contains("__global__ void ") {
            let name = line.split("void ").nth(1).and_then(|rest| rest.split('(').next());
            kernel = name.map(String::from);
            found.extend(kernel.clone().map(|name| (name, (0, threads))));
            threads = 0;
        }
        let Some(array) = line.trim().strip_prefix("__shared__ ") else { continue };
        let (head, count) = array.trim_end_matches("];").split_once('[').expect("it is an array");
        let head = head.trim_start_matches("__align__(16) ");
        let ty = head.rsplit_once(' ').map(|(ty, _)| ty);
        let bytes = match ty.map(|ty| ty.strip_prefix("unsigned ").unwrap_or(ty)) {
            Some("bool" | "signed char" | "char") => 1,
            Some("short") => 2,
            Some("int" | "float") => 4,
            Some("long long" | "double") => 8,
            other => panic!("{other:?} in {line}"),
        };
        let count: u64 = count.parse().expect("a number");
        if let Some((all, _)) = kernel.as_ref().and_then(|name| found.get_mut(name)) {
            *all += bytes * count;
        }
    }
    found
}

/// What the assembler found against what was declared
fn agree(name: &str, report: &PtxasReport, declared: &BTreeMap<String, (u64, u64)>) {
    assert_eq!(report.kernels.len(), declared.len(), "{name}");
    for kernel in &report.kernels {
        // Kernels of one name are distinguished in PTX by their modules, in C by numbers.
        let Some((shared, threads)) = declared.get(&kernel.name) else { continue };
        // Arrays begin at multiples of 16 bytes in PTX.
        let found = u64::from(kernel.shared);
        assert!(found <= shared + 16 * 8, "{name}: {} takes {found} bytes, {shared} declared", kernel.name);
        if *threads > 0 {
            let registers = u64::from(kernel.registers).next_multiple_of(GRAIN);
            assert!(registers * threads <= REGISTERS, "{name}: {threads} threads of {registers} registers");
        }
        let spills = kernel.spill_loads + kernel.spill_stores;
        // The assembler may keep a pair of words in memory where registers are left, so that more blocks fit.
        let spills = if kernel.registers <= 64 && spills <= 16 { 0 } else { spills };
        assert!(spills == 0 || CROWDED.contains(&name), "{name}: {} spills", kernel.name);
    }
}

/// CUDA C through NVRTC, to PTX that `ptxas` reads and to machine code
fn cuda(test: &str, all: bool) {
    let (Some(folder), Some(ptxas)) = (installed("nvrtc_dir"), installed("ptxas")) else {
        println!("skipped: {test} (needs nvidia)");
        return;
    };
    let mut exact = 0;
    for (name, text, arch) in chosen(all) {
        let Some(source) = emit(&name, &text, "cuda", arch) else { continue };
        let flags = terrace_lowering_c::Flavor::Cuda.compile_flags();
        let virtual_arch = arch.replace("sm", "compute");
        let ptx = nvrtc_compile(&source, &virtual_arch, flags, Some(&folder));
        let ptx = ptx.unwrap_or_else(|error| panic!("{name}: {error}\n{source}"));
        let code = nvrtc_binary(&source, arch, flags, Some(&folder));
        assert!(code.is_ok_and(|code| code.starts_with(b"\x7fELF")), "{name}");
        let report = ptxas_check(&ptxas, &ptx.text, arch).unwrap_or_else(|error| panic!("{name}: {error}"));
        let declared = declared(&source);
        agree(&name, &report, &declared);
        let same = |kernel: &terrace_runtime_cuda::KernelUse| {
            declared.get(&kernel.name).is_some_and(|(shared, _)| u64::from(kernel.shared) == *shared)
        };
        exact += report.kernels.iter().filter(|kernel| kernel.shared > 0 && same(kernel)).count();
    }
    assert!(exact > 5, "{exact} kernels take the shared memory that they declare");
}

/// PTX from LLVM
fn ptx(test: &str, all: bool) {
    if terrace_native_client::client::find().is_err() {
        println!("skipped: {test} (needs llvm)");
        return;
    }
    let Some(ptxas) = installed("ptxas") else {
        println!("skipped: {test} (needs nvidia)");
        return;
    };
    for (name, text, arch) in chosen(all) {
        let Some(source) = emit(&name, &text, "cuda", arch) else { continue };
        let ptx = emit(&name, &text, "ptx", arch).unwrap_or_else(|| panic!("{name}: CUDA C, but no PTX"));
        let report = ptxas_check(&ptxas, &ptx, arch).unwrap_or_else(|error| panic!("{name}: {error}\n{ptx}"));
        agree(&name, &report, &declared(&source));
    }
}

#[test]
fn cuda_c_of_a_part() {
    cuda("cuda_c_of_a_part", false);
}

#[test]
fn ptx_of_a_part() {
    ptx("ptx_of_a_part", false);
}

#[test]
#[ignore = "half a minute: CUDA C of all files for three generations"]
fn cuda_c_of_all() {
    cuda("cuda_c_of_all", true);
}

#[test]
#[ignore = "half a minute: PTX of all files for three generations"]
fn ptx_of_all() {
    ptx("ptx_of_all", true);
}
