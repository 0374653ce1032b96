//! Kernels as OpenCL C run on a device, are clean under oclgrind, and as CUDA C are accepted by NVRTC.
#![allow(unsafe_code)]

mod common;

use common::{Arg, context, interpret, parse, print};
use std::path::{Path, PathBuf};
use std::process::Command;
use terrace_lowering_c::Flavor;
use terrace_runtime_opencl::oclgrind::{self, Finding};
use terrace_runtime_opencl::{Device, Preference, Program};

const CHILD: &str = "TERRACE_OCLGRIND_CHILD";

/// A file of kernels as text
fn text(file: &str, flavor: Flavor) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels").join(file);
    let source = std::fs::read_to_string(path).expect("the file is there");
    let ir = parse(&context(), &source);
    print(&ir, flavor).unwrap_or_else(|errors| panic!("{errors}")).text
}

fn bytes<T: Copy, const N: usize>(values: &[T], spell: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|value| spell(*value)).collect()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

fn ints(bytes: &[u8]) -> Vec<i32> {
    bytes.chunks_exact(4).map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

/// The first device, or `None` after saying that `test` is skipped
fn device(test: &str) -> Option<Device> {
    match Device::open(&Preference::Any) {
        Ok(device) => Some(device),
        Err(e) if e.is_absence() => {
            println!("skipped: {test} (needs opencl)");
            None
        }
        Err(e) => panic!("{e}"),
    }
}

/// Run a test's second half here or, where oclgrind is, in a child under it
fn checked(test: &str, run: impl Fn(&Device)) {
    if let Some(device) = device(test) {
        run(&device);
    }
    if std::env::var_os(CHILD).is_some() {
        return;
    }
    if !Path::new(oclgrind::LIBRARY).is_file() {
        println!("skipped: {test} (needs oclgrind)");
        return;
    }
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["--exact", test, "--nocapture"]).env(CHILD, "1");
    let log = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}.log"));
    let report = oclgrind::run_child(command, Path::new(oclgrind::LIBRARY), &log).expect("runs");
    assert!(report.output.status.success(), "{}", String::from_utf8_lossy(&report.output.stdout));
    let none: [Finding; 0] = [];
    assert_eq!(report.findings, none);
}

/// Where the set-up has put something
fn place(key: &str) -> Option<PathBuf> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/terrace/setup.toml");
    let table: toml::Table = std::fs::read_to_string(file).ok()?.parse().ok()?;
    let value = table.get("paths").and_then(|paths| paths.get(key)).or_else(|| table.get(key))?;
    value.as_str().map(PathBuf::from).filter(|path| path.exists())
}

#[test]
fn reduction_with_atomics() {
    checked("reduction_with_atomics", |device| {
        let program =
            Program::build(device, &text("sum.mlir", Flavor::OpenCl), "-cl-std=CL1.2").expect("compiles");
        let mut kernel = program.kernel("sum").expect("it is there");
        let input: Vec<f32> = (0..150).map(|n| n as f32).collect();
        let a = device.upload(&bytes(&input, f32::to_le_bytes)).expect("memory");
        let out = device.upload(&[0; 4]).expect("memory");
        let hist = device.upload(&[0; 32]).expect("memory");
        use terrace_runtime_opencl::Arg::{Buffer, F64, I8, I64};
        let args = [Buffer(&a), I64(150), Buffer(&out), Buffer(&hist), F64(2.0), I8(1)];
        // SAFETY: the kernel stays within its buffers.
        unsafe { kernel.launch([3, 1, 1], [64, 1, 1], &args) }.expect("runs");
        let mut back = vec![0; 4];
        out.read(&mut back).expect("as long");
        let weights = [1.0, 2.0, 0.5, -3.0];
        let sum: f32 = input.iter().enumerate().map(|(n, x)| x * weights[n % 4] * 2.0).sum();
        assert_eq!(floats(&back), [sum]);
        let mut back = vec![0; 32];
        hist.read(&mut back).expect("as long");
        // Each thread adds one and flips the lowest bit: twenty-four times, in any order of pairs.
        assert!(ints(&back).iter().all(|n| (0..=48).contains(n)), "{:?}", ints(&back));
    });
}

#[test]
fn vectors_of_kernels() {
    let cx = context();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels/vectors.mlir");
    let ir = parse(&cx, &std::fs::read_to_string(path).expect("the file is there"));
    let input: Vec<f32> = (0..60).map(|n| (n * 7 % 31) as f32 / 4.0 - 3.0).collect();
    let bits = |values: &[f32]| values.iter().map(|value| u64::from(value.to_bits())).collect::<Vec<_>>();
    let args = [Arg::Array(vec![60], bits(&input)), Arg::Array(vec![60], bits(&[0.0; 60])), Arg::Number(60)];
    let expected = interpret(&ir, "main", &args).expect("no trap");
    checked("vectors_of_kernels", |device| {
        let text = text("vectors.mlir", Flavor::OpenCl);
        let program =
            Program::build(device, &text, "-cl-std=CL1.2").unwrap_or_else(|e| panic!("{e}\n{text}"));
        let mut kernel = program.kernel("stir").expect("it is there");
        let a = device.upload(&bytes(&input, f32::to_le_bytes)).expect("memory");
        let out = device.upload(&[0; 240]).expect("memory");
        use terrace_runtime_opencl::Arg::{Buffer, I64};
        let args = [Buffer(&a), I64(60), Buffer(&out), I64(60), I64(60)];
        // SAFETY: the kernel stays within its buffers.
        unsafe { kernel.launch([1, 1, 1], [8, 1, 1], &args) }.expect("runs");
        let mut back = vec![0; 240];
        out.read(&mut back).expect("as long");
        let found: Vec<Option<u64>> =
            floats(&back).iter().map(|value| Some(u64::from(value.to_bits()))).collect();
        assert_eq!(found, expected[60..]);
    });
}

#[test]
fn nvrtc_accepts_cuda() {
    for file in ["sum.mlir", "vectors.mlir"] {
        let source = text(file, Flavor::Cuda);
        let options = Flavor::Cuda.compile_flags();
        match terrace_runtime_cuda::nvrtc_compile(
            &source,
            "compute_90",
            options,
            place("nvrtc_dir").as_deref(),
        ) {
            Ok(ptx) => assert!(ptx.text.contains(".entry"), "{source}"),
            Err(terrace_runtime_cuda::CudaError::NoNvrtc { .. }) => {
                println!("skipped: nvrtc_accepts_cuda (needs nvrtc)");
            }
            Err(e) => panic!("{e}\n{source}"),
        }
    }
}
