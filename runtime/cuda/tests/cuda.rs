//! NVRTC, `ptxas` and a device, each where the machine has it
//!
//! The tools' places are read from the file that the set-up writes.
#![allow(unsafe_code)]

use std::path::{Path, PathBuf};
use terrace_runtime_cuda::{Arg, CudaError, Device, Ptx, nvrtc_binary, nvrtc_compile, ptxas_check};

const ADD: &str = r#"extern "C" __global__ void add(const int *a, const int *b, int *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
extern "C" __global__ void sum(const int *a, int *out) {
    __shared__ int part[64];
    int t = threadIdx.x;
    part[t] = a[blockIdx.x * 64 + t];
    for (int s = 32; s > 0; s /= 2) {
        __syncthreads();
        if (t < s) part[t] += part[t + s];
    }
    if (t == 0) atomicAdd(out, part[0]);
}"#;

/// A place that the set-up has found
fn place(key: &str) -> Option<PathBuf> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/terrace/setup.toml");
    let table: toml::Table = std::fs::read_to_string(file).ok()?.parse().ok()?;
    let value = table.get("paths").and_then(|paths| paths.get(key)).or_else(|| table.get(key))?;
    value.as_str().map(PathBuf::from).filter(|path| path.exists())
}

fn skipped(test: &str, needs: &str) {
    println!("skipped: {test} (needs {needs})");
}

/// PTX of a source, or `None` after saying that `test` is skipped
fn ptx(test: &str) -> Option<Ptx> {
    let folder = place("nvrtc_dir");
    match nvrtc_compile(ADD, "compute_90", &[], folder.as_deref()) {
        Ok(ptx) => Some(ptx),
        Err(e) if e.is_absence() => {
            skipped(test, "nvrtc");
            None
        }
        Err(e) => panic!("{e}"),
    }
}

fn device(test: &str) -> Option<Device> {
    match Device::open() {
        Ok(device) => Some(device),
        Err(e) if e.is_absence() => {
            skipped(test, "cuda-driver");
            None
        }
        Err(e) => panic!("{e}"),
    }
}

#[test]
fn cuda_c_compiles_to_ptx() {
    let Some(ptx) = ptx("cuda_c_compiles_to_ptx") else { return };
    assert!(ptx.text.contains(".visible .entry add(") && ptx.text.ends_with("}\n\n"), "{}", ptx.text);
}

#[test]
fn cuda_c_compiles_to_machine_code() {
    if ptx("cuda_c_compiles_to_machine_code").is_none() {
        return;
    }
    let folder = place("nvrtc_dir");
    for arch in ["sm_70", "sm_80", "sm_90"] {
        let code = nvrtc_binary(ADD, arch, &[], folder.as_deref()).expect("right");
        assert!(code.starts_with(b"\x7fELF") && code.windows(3).any(|part| part == b"sum"), "{arch}");
    }
    // PTX alone is made for `compute_90`.
    assert!(!nvrtc_binary(ADD, "compute_90", &[], folder.as_deref()).is_ok_and(|code| !code.is_empty()));
}

#[test]
fn a_compile_error_has_the_log() {
    if ptx("a_compile_error_has_the_log").is_none() {
        return;
    }
    let folder = place("nvrtc_dir");
    let compile = |source, arch| nvrtc_compile(source, arch, &[], folder.as_deref());
    let e = compile("__global__ void k() { mistake; }", "compute_90").expect_err("undefined");
    assert!(matches!(&e, CudaError::Compile { log } if log.contains("\"mistake\" is undefined")), "{e}");
    let e = compile(ADD, "compute_1").expect_err("no such architecture");
    assert!(matches!(e, CudaError::Compile { .. }), "{e}");
    assert_eq!(compile("\0", "compute_90"), Err(CudaError::Nul { what: "the source" }));
}

#[test]
fn a_folder_without_nvrtc_is_named() {
    let e = nvrtc_compile(ADD, "compute_90", &[], Some(Path::new("no/such/folder"))).expect_err("empty");
    assert_eq!(e.to_string(), "no NVRTC (libnvrtc.so) in no/such/folder");
}

#[test]
fn ptxas_takes_the_ptx_and_counts() {
    let test = "ptxas_takes_the_ptx_and_counts";
    let Some(ptxas) = place("ptxas") else { return skipped(test, "ptxas") };
    let Some(ptx) = ptx(test) else { return };
    let report = ptxas_check(&ptxas, &ptx.text, "sm_90").expect("right");
    let mut kernels: Vec<_> = report.kernels.iter().map(|k| (k.name.as_str(), k.shared)).collect();
    kernels.sort_unstable();
    assert_eq!(kernels, [("add", 0), ("sum", 256)]);
    assert!(report.kernels.iter().all(|k| (1..=255).contains(&k.registers)) && report.spills() == 0);
}

#[test]
fn ptxas_names_the_line_of_a_mistake() {
    let Some(ptxas) = place("ptxas") else {
        return skipped("ptxas_names_the_line_of_a_mistake", "ptxas");
    };
    let wrong = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\n  bar.snc 0;\n}\n";
    let e = ptxas_check(&ptxas, wrong, "sm_90").expect_err("no such instruction").to_string();
    assert!(e.contains("line 5") && e.contains("snc"), "{e}");
    assert!(ptxas_check(&ptxas, wrong, "sm_1").is_err());
}

#[test]
fn a_machine_without_a_driver_is_told_so() {
    match Device::open() {
        Ok(device) => assert!(!device.info().name.is_empty()),
        Err(e) => assert!(e.is_absence(), "{e}"),
    }
}

#[test]
fn kernels_run_on_the_device() {
    let test = "kernels_run_on_the_device";
    let Some(device) = device(test) else { return };
    let Some(ptx) = ptx(test) else { return };
    let module = device.load(&ptx).expect("loads");
    let ints = |v: &[i32]| v.iter().flat_map(|v| v.to_ne_bytes()).collect::<Vec<u8>>();
    let a = device.upload(&ints(&(0..128).collect::<Vec<_>>())).expect("memory");
    let b = device.upload(&ints(&[5; 128])).expect("memory");
    let mut c = device.alloc(512).expect("memory");
    c.fill(&[0]).expect("a byte fits");
    let add = module.kernel("add").expect("it is there");
    let args = [Arg::Buffer(&a), Arg::Buffer(&b), Arg::Buffer(&c), Arg::I32(127)];
    // SAFETY: four arguments as declared, and each buffer has 128 numbers.
    unsafe { add.launch([2, 1, 1], [64, 1, 1], 0, &args) }.expect("runs");
    let mut out = vec![0; 512];
    c.read(&mut out).expect("same length");
    let expected: Vec<i32> = (0..128).map(|i| if i < 127 { i + 5 } else { 0 }).collect();
    assert_eq!(out, ints(&expected));

    let total = device.upload(&ints(&[0])).expect("memory");
    let sum = module.kernel("sum").expect("it is there");
    // SAFETY: two arguments as declared, 128 numbers in, one out.
    unsafe { sum.launch([2, 1, 1], [64, 1, 1], 0, &[Arg::Buffer(&a), Arg::Buffer(&total)]) }.expect("runs");
    let mut out = vec![0; 4];
    total.read(&mut out).expect("same length");
    assert_eq!(out, ints(&[127 * 128 / 2]));
    let needs = sum.needs();
    assert!(needs.shared == 256 && needs.registers > 0 && needs.most_threads >= 64, "{needs:?}");
    let e = device.load(&Ptx { text: ".version 6.0\n.target sm_70\n.address_size 64\nmistake\n".into() });
    assert!(e.err().is_some_and(|e| e.to_string().contains("line 4")));
    // SAFETY: refused before anything runs.
    let e = unsafe { add.launch([1, 1, 1], [4096, 1, 1], 0, &args) }.expect_err("too many threads");
    assert!(matches!(e, CudaError::Launch { .. }), "{e}");
}
