//! Kernels as OpenCL C run on a device, are clean under oclgrind, and as CUDA C are accepted by NVRTC.
#![allow(unsafe_code)]

use crate::common;

use common::{Arg, context, interpret, parse, print};
use std::path::{Path, PathBuf};
use std::process::Command;
use terrace_dialect_test::programs::nests;
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
    // The test's own name: this file is a module of the program.
    command.args(["--exact", &format!("kernels::{test}"), "--nocapture"]).env(CHILD, "1");
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

/// The languages' own functions, where order is free or exact
#[test]
fn dot_products_are_functions_of_the_language() {
    let of = |flavor, word: &str| text("dot.mlir", flavor).matches(word).count();
    // Four, three (a function of ours around it) and two lanes; the reduction in order has none.
    assert_eq!(of(Flavor::OpenCl, " dot("), 3);
    assert_eq!(of(Flavor::OpenCl, "terrace_reduce_any_add"), 0);
    assert_eq!(of(Flavor::OpenCl, "terrace_reduce_add_f32x4(b4 * b4)"), 1);
    assert_eq!(of(Flavor::OpenCl, "__dp4a"), 0);
    assert_eq!(of(Flavor::Cuda, "__dp4a(x, y, r)"), 1);
    assert_eq!(of(Flavor::Cuda, " dot("), 0);
}

#[test]
fn dot_products_of_kernels() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels/dot.mlir");
    let ir = parse(&context(), &std::fs::read_to_string(path).expect("the file is there"));
    // Sums of these are exact in any order.
    let x: Vec<f32> = (0..64).map(|n| (n * 7 % 31) as f32 / 4.0 - 3.0).collect();
    let y: Vec<f32> = (0..64).map(|n| (n * 5 % 23) as f32 / 2.0 - 5.0).collect();
    let (p, q): (Vec<i8>, Vec<i8>) = (0..64).map(|n: i32| ((n * 37) as i8, (n * 91 - 128) as i8)).unzip();
    let single = |values: &[f32]| values.iter().map(|value| u64::from(value.to_bits())).collect::<Vec<_>>();
    let byte = |values: &[i8]| values.iter().map(|value| u64::from(*value as u8)).collect::<Vec<_>>();
    let args = [
        Arg::Array(vec![64], single(&x)),
        Arg::Array(vec![64], single(&y)),
        Arg::Array(vec![64], byte(&p)),
        Arg::Array(vec![64], byte(&q)),
        Arg::Array(vec![64], vec![0; 64]),
        Arg::Array(vec![32], vec![0; 32]),
    ];
    let expected = interpret(&ir, "main", &args).expect("no trap");
    checked("dot_products_of_kernels", |device| {
        let text = text("dot.mlir", Flavor::OpenCl);
        let program =
            Program::build(device, &text, "-cl-std=CL1.2").unwrap_or_else(|e| panic!("{e}\n{text}"));
        let mut kernel = program.kernel("dots").expect("it is there");
        let up = |bytes: &[u8]| device.upload(bytes).expect("memory");
        let (x, y) = (up(&bytes(&x, f32::to_le_bytes)), up(&bytes(&y, f32::to_le_bytes)));
        let (p, q) = (up(&bytes(&p, i8::to_le_bytes)), up(&bytes(&q, i8::to_le_bytes)));
        let (out, n) = (up(&[0; 256]), up(&[0; 128]));
        use terrace_runtime_opencl::Arg::Buffer;
        let args = [Buffer(&x), Buffer(&y), Buffer(&p), Buffer(&q), Buffer(&out), Buffer(&n)];
        // SAFETY: the kernel stays within its buffers.
        unsafe { kernel.launch([1, 1, 1], [8, 1, 1], &args) }.expect("runs");
        let (mut back_out, mut back_n) = (vec![0; 256], vec![0; 128]);
        out.read(&mut back_out).expect("as long");
        n.read(&mut back_n).expect("as long");
        let floats = floats(&back_out).into_iter().map(|value| Some(u64::from(value.to_bits())));
        let ints = ints(&back_n).into_iter().map(|value| Some(u64::from(value as u32)));
        assert_eq!(floats.chain(ints).collect::<Vec<_>>(), expected[256..]);
    });
}

/// Half precision: rounded after each op, in vectors too
#[test]
fn halves_of_kernels() {
    let source = text("halves.mlir", Flavor::OpenCl);
    assert!(source.starts_with("#pragma OPENCL EXTENSION cl_khr_fp16 : enable"), "{source}");
    match place("clang") {
        None => println!("skipped: halves_of_kernels by clang (needs llvm)"),
        Some(clang) => {
            let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("halves.cl");
            std::fs::write(&file, &source).expect("the folder for temporary files of tests can be written");
            let args = ["-cl-std=CL1.2", "--target=spir64", "-fsyntax-only", "-Werror"];
            let mut command = Command::new(clang);
            command.args(["-x", "cl", "-Xclang", "-finclude-default-header"]).args(args).arg(&file);
            let out = command.output().expect("the set-up has found it");
            assert!(out.status.success(), "{}\n{source}", String::from_utf8_lossy(&out.stderr));
        }
    }
    let Some(device) = device("halves_of_kernels") else { return };
    if !device.info().fp16 {
        return println!("skipped: halves_of_kernels (needs a device with cl_khr_fp16)");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels/halves.mlir");
    let ir = parse(&context(), &std::fs::read_to_string(path).expect("the file is there"));
    // 1, 1 + 1/1024, …: all of one exponent.
    let halves: Vec<u16> = (0..64).map(|n| 0x3c00 + 7 * n).collect();
    let wide = |all: &[u16]| all.iter().map(|bits| u64::from(*bits)).collect::<Vec<_>>();
    let args = [
        Arg::Array(vec![64], wide(&halves)),
        Arg::Array(vec![64], vec![0; 64]),
        Arg::Number(0x3e00),
        Arg::Array(vec![64], vec![0; 64]),
    ];
    let expected = interpret(&ir, "main", &args).expect("no trap");
    let program =
        Program::build(&device, &source, "-cl-std=CL1.2").unwrap_or_else(|e| panic!("{e}\n{source}"));
    let mut kernel = program.kernel("halves").expect("it is there");
    let x = device.upload(&bytes(&halves, u16::to_le_bytes)).expect("memory");
    let (y, w) = (device.upload(&[0; 128]).expect("memory"), device.upload(&[0; 256]).expect("memory"));
    use terrace_runtime_opencl::Arg::{Buffer, I16};
    let args = [Buffer(&x), Buffer(&y), I16(0x3e00), Buffer(&w)];
    // SAFETY: the kernel stays within its buffers.
    unsafe { kernel.launch([1, 1, 1], [64, 1, 1], &args) }.expect("runs");
    let (mut back_y, mut back_w) = (vec![0; 128], vec![0; 256]);
    y.read(&mut back_y).expect("as long");
    w.read(&mut back_w).expect("as long");
    let halves = back_y.chunks_exact(2).map(|b| Some(u64::from(u16::from_le_bytes([b[0], b[1]]))));
    let singles = floats(&back_w).into_iter().map(|value| Some(u64::from(value.to_bits())));
    let found: Vec<Option<u64>> = halves.chain(singles).collect();
    assert_eq!(found, expected[64..]);
}

/// The file of half precision for another small float
fn halves_as(ty: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels/halves.mlir");
    let source = std::fs::read_to_string(path).expect("the file is there");
    source.replace("f16", ty)
}

/// Floats that OpenCL has no type for are kept as bits, and rounded after each op
#[test]
fn brain_floats_of_kernels() {
    let ir = parse(&context(), &halves_as("bf16"));
    let source = print(&ir, Flavor::OpenCl).unwrap_or_else(|errors| panic!("{errors}")).text;
    let numbers: Vec<u16> = (0..64).map(|n| 0x3f80 + 7 * n).collect();
    let wide = |all: &[u16]| all.iter().map(|bits| u64::from(*bits)).collect::<Vec<_>>();
    let args = [
        Arg::Array(vec![64], wide(&numbers)),
        Arg::Array(vec![64], vec![0; 64]),
        Arg::Number(0x3fc0),
        Arg::Array(vec![64], vec![0; 64]),
    ];
    let expected = interpret(&ir, "main", &args).expect("no trap");
    checked("brain_floats_of_kernels", |device| {
        let strict = "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt";
        let program = Program::build(device, &source, strict).unwrap_or_else(|e| panic!("{e}\n{source}"));
        let mut kernel = program.kernel("halves").expect("it is there");
        let x = device.upload(&bytes(&numbers, u16::to_le_bytes)).expect("memory");
        let (y, w) = (device.upload(&[0; 128]).expect("memory"), device.upload(&[0; 256]).expect("memory"));
        use terrace_runtime_opencl::Arg::{Buffer, I16};
        let args = [Buffer(&x), Buffer(&y), I16(0x3fc0), Buffer(&w)];
        // SAFETY: the kernel stays within its buffers.
        unsafe { kernel.launch([1, 1, 1], [64, 1, 1], &args) }.expect("runs");
        let (mut back_y, mut back_w) = (vec![0; 128], vec![0; 256]);
        y.read(&mut back_y).expect("as long");
        w.read(&mut back_w).expect("as long");
        let small = back_y.chunks_exact(2).map(|b| Some(u64::from(u16::from_le_bytes([b[0], b[1]]))));
        let singles = floats(&back_w).into_iter().map(|value| Some(u64::from(value.to_bits())));
        let found: Vec<Option<u64>> = small.chain(singles).collect();
        assert_eq!(found, expected[64..]);
    });
}

/// Random programs as kernels of one thread
fn random_kernels() -> String {
    let mut text = String::from("module attributes {gpu.container_module} {\ngpu.module @k {\n");
    for seed in 0..60 {
        text.push_str(&nests::kernel(&format!("g{seed}"), seed));
    }
    text.push_str("}\n");
    for seed in 0..60 {
        let types = "%a : index, %b : index, %m : memref<?xi32>, %t : memref<4x3xf32>, %i : memref<1xindex>, %f : memref<1xf32>";
        text.push_str(&format!(
            "func.func @h{seed}({}) {{\n%c1 = arith.constant 1 : index\ngpu.launch_func @k::@g{seed} blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args({types})\nreturn\n}}\n",
            types.replace(" :", ":")
        ));
    }
    text + "}\n"
}

#[test]
fn random_programs_as_kernels() {
    let Some(device) = device("random_programs_as_kernels") else { return };
    let cx = context();
    let source = random_kernels();
    let ir = parse(&cx, &source);
    let printed = print(&ir, Flavor::OpenCl).unwrap_or_else(|errors| panic!("{errors}"));
    let program =
        Program::build(&device, &printed.text, "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt");
    let program = program.unwrap_or_else(|e| panic!("{e}\n{}", printed.text));
    let (mut decided, mut broken) = (0, String::new());
    let ints = [3i32, i32::MAX, -2, 7, i32::MIN];
    let table: Vec<f32> = (0..12).map(|n| n as f32 / 4.0 - 1.0).collect();
    for seed in 0..60 {
        for (a, b) in [(2i64, 5), (-3, 1)] {
            let bits =
                |values: &[f32]| values.iter().map(|value| u64::from(value.to_bits())).collect::<Vec<_>>();
            let args = [
                Arg::Number(a as u64),
                Arg::Number(b as u64),
                Arg::Array(vec![5], ints.iter().map(|n| u64::from(*n as u32)).collect()),
                Arg::Array(vec![4, 3], bits(&table)),
                Arg::Array(vec![1], vec![0]),
                Arg::Array(vec![1], vec![0]),
            ];
            let Ok(expected) = interpret(&ir, &format!("h{seed}"), &args) else { continue };
            let m = device.upload(&bytes(&ints, i32::to_le_bytes)).expect("memory");
            let t = device.upload(&bytes(&table, f32::to_le_bytes)).expect("memory");
            let (i, f) = (device.upload(&[0; 8]).expect("memory"), device.upload(&[0; 4]).expect("memory"));
            let mut kernel = program.kernel(&format!("g{seed}")).expect("it is there");
            use terrace_runtime_opencl::Arg::{Buffer, I64};
            let list = [I64(a), I64(b), Buffer(&m), I64(5), Buffer(&t), Buffer(&i), Buffer(&f)];
            // SAFETY: the interpreter has found all accesses within their buffers.
            unsafe { kernel.launch([1, 1, 1], [1, 1, 1], &list) }.expect("runs");
            let mut found: Vec<u64> = Vec::new();
            for (buffer, count, size) in [(&m, 5, 4), (&t, 12, 4), (&i, 1, 8), (&f, 1, 4)] {
                let mut back = vec![0; count * size];
                buffer.read(&mut back).expect("as long");
                found.extend(back.chunks(size).map(|chunk| {
                    let mut wide = [0; 8];
                    wide[..size].copy_from_slice(chunk);
                    u64::from_le_bytes(wide)
                }));
            }
            decided += 1;
            let wrong = expected.iter().zip(&found).position(|(expected, found)| {
                let nan = f32::from_bits(*found as u32).is_nan() && *expected == Some(0x7fc0_0000);
                expected.is_some_and(|expected| expected != *found) && !nan
            });
            if let Some(n) = wrong {
                broken.push_str(&format!(
                    "seed {seed} ({a}, {b}): value {n} is {:#x}, not {:?}\n",
                    found[n], expected[n]
                ));
            }
        }
    }
    assert!(broken.is_empty(), "{broken}");
    assert!(decided > 90, "only {decided} runs decide something");
}

#[test]
fn nvrtc_accepts_cuda() {
    let random = print(&parse(&context(), &random_kernels()), Flavor::Cuda)
        .unwrap_or_else(|errors| panic!("{errors}"));
    let files = ["sum.mlir", "vectors.mlir", "lanes.mlir", "dot.mlir"].map(|file| text(file, Flavor::Cuda));
    let small = ["f16", "bf16"].map(|ty| {
        let printed = print(&parse(&context(), &halves_as(ty)), Flavor::Cuda);
        printed.unwrap_or_else(|errors| panic!("{errors}")).text
    });
    for source in files.into_iter().chain([random.text]).chain(small) {
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
