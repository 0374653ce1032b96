//! What the programs become for devices is accepted by NVIDIA's compilers, without a device.

use std::path::{Path, PathBuf};
use terrace_opt::{Tool, run_on};
use terrace_runtime_cuda::{nvrtc_compile, ptxas_check};

const TOOL: Tool =
    Tool { name: "terrace-opt", dialects: terrace_opt::all_dialects, registry: terrace_opt::REGISTRY };

/// A place that the set-up has found
fn place(key: &str) -> Option<PathBuf> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/terrace/setup.toml");
    let table: toml::Table = std::fs::read_to_string(file).ok()?.parse().ok()?;
    let value = table.get("paths").and_then(|paths| paths.get(key))?;
    value.as_str().map(PathBuf::from).filter(|path| path.exists())
}

/// A kernel that scales numbers of 4 and 8 bits, and rounds in another mode than to nearest
const CASTS: &str = "
func.func @casts(%x: memref<64xf32>, %y: memref<64xf8E4M3FN>, %z: memref<64xf4E2M1FN>, %s: f8E8M0FNU) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %f = %c1)
             threads(%t, %u, %v) in (%g = %c64, %h = %c1, %i = %c1) {
    %r = memref.load %x[%t] : memref<64xf32>
    %n = arith.scaling_truncf %r, %s : f32, f8E8M0FNU to f8E4M3FN
    memref.store %n, %y[%t] : memref<64xf8E4M3FN>
    %o = memref.load %z[%t] : memref<64xf4E2M1FN>
    %p = arith.scaling_extf %o, %s : f4E2M1FN, f8E8M0FNU to f64
    %q = arith.truncf %p downward : f64 to f32
    memref.store %q, %x[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}
";

/// The programs of the demonstration, by name, and one of casts
fn programs() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/demo");
    let entries = std::fs::read_dir(&folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    // Warps and lanes, whose exchanges no device without subgroups takes.
    files.push(folder.join("../lowering/sched/warps.mlir"));
    files.push(folder.join("../lowering/sched/listing6_stages.mlir"));
    let read = |path: &PathBuf| {
        let name = path.file_stem().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        (name, std::fs::read_to_string(path).expect("test files are text"))
    };
    files.iter().map(read).chain([("casts".to_string(), CASTS.to_string())]).collect()
}

fn emit(name: &str, text: &str, target: &str, form: &str) -> String {
    let args = [format!("--pipeline=to-{target}"), format!("--emit={form}"), "--target-cpu=sm_90".into()];
    let finished = run_on(TOOL, &args, name, text).expect("the arguments are right");
    assert!(!finished.failed, "{name}:\n{}", finished.messages);
    String::from_utf8(finished.out.expect("it did not fail")).expect("it is text")
}

#[test]
fn nvrtc_takes_the_cuda_c() {
    let Some(folder) = place("nvrtc_dir") else {
        println!("skipped: nvrtc_takes_the_cuda_c (needs nvidia)");
        return;
    };
    for (name, text) in programs() {
        let source = emit(&name, &text, "cuda", "cuda");
        let flags = terrace_lowering_c::Flavor::Cuda.compile_flags();
        let ptx = nvrtc_compile(&source, "compute_90", flags, Some(&folder));
        let ptx = ptx.unwrap_or_else(|error| panic!("{name}: {error}\n{source}"));
        assert!(ptx.text.contains(".entry"), "{name}");
    }
}

#[test]
fn ptxas_takes_the_ptx() {
    if terrace_native_client::client::find().is_err() {
        println!("skipped: ptxas_takes_the_ptx (needs llvm)");
        return;
    }
    let Some(ptxas) = place("ptxas") else {
        println!("skipped: ptxas_takes_the_ptx (needs nvidia)");
        return;
    };
    for (name, text) in programs() {
        let ptx = emit(&name, &text, "ptx", "ptx");
        let report =
            ptxas_check(&ptxas, &ptx, "sm_90").unwrap_or_else(|error| panic!("{name}: {error}\n{ptx}"));
        assert!(report.registers() > 0, "{name}");
        assert_eq!(report.spills(), 0, "{name}");
    }
}
