//! What the programs become for devices is accepted by NVIDIA's compilers, without a device.

use crate::common::installed;
use std::path::{Path, PathBuf};
use terrace_opt::{Tool, run_on};
use terrace_runtime_cuda::{nvrtc_compile, ptxas_check};

const TOOL: Tool = Tool::OPT;

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

/// A kernel that prints numbers of all widths
const PRINTS: &str = "
func.func @prints(%x: memref<64xf32>, %n: i1, %m: i8) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %f = %c1)
             threads(%t, %u, %v) in (%g = %c64, %h = %c1, %i = %c1) {
    %r = arith.index_cast %t : index to i32
    %s = arith.sitofp %r : i32 to f32
    gpu.printf \"%d %d %d %f %i\\0A\", %t, %n, %m, %s, %r : index, i1, i8, f32, i32
    gpu.printf \"done\"
    gpu.terminator
  }
  return
}
";

/// The programs of the demonstration, by name, one of casts and one that prints
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
    files
        .iter()
        .map(read)
        .chain([("casts".to_string(), CASTS.to_string()), ("prints".to_string(), PRINTS.to_string())])
        .collect()
}

/// The nine different convolutions of VGG-16: channels in and out, rows and columns
const VGG: [[u32; 3]; 9] = [
    [3, 64, 224],
    [64, 64, 224],
    [64, 128, 112],
    [128, 128, 112],
    [128, 256, 56],
    [256, 256, 56],
    [256, 512, 28],
    [512, 512, 28],
    [512, 512, 14],
];

/// Array programs by name, with what makes them ready for a device: each layer in one kernel and in four, at its own sizes;
/// other windows; the listings
fn arrays() -> Vec<(String, String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files");
    let read = |file: &str| std::fs::read_to_string(folder.join(file)).expect("test files are text");
    let (layer, four) = (read("programs/layer.mlir"), read("programs/four_kernels.mlir"));
    let first = |sizes: &str, rest: &str| {
        format!("array-expand,array-inline,func.func(array-bind{{sizes={sizes}}}{rest}),")
    };
    let map = ",array-map{device=cuda mapping=Y=block.x,X=thread.x,O=seq}";
    let mut all = Vec::new();
    for (n, [c, o, size]) in VGG.into_iter().enumerate() {
        let sizes = format!("H={size},W={size},C={c},O={o},K=3,s=1,p=1");
        all.push((format!("layer-{n}"), layer.clone(), first(&sizes, map)));
        if c % 4 == 0 {
            let added = (3 - (size - 3) % 3) % 3;
            let rest = format!("K=3,p=1,r={added},theta=5,ts=3,ka=4,sg=3,om=144");
            let sizes = format!("H={size},W={size},C={c},M={o},{rest}");
            all.push((format!("four-{n}"), four.clone(), first(&sizes, "")));
        }
    }
    for [h, w, c, o, k, s, p] in
        [[13, 27, 5, 7, 3, 1, 1], [14, 14, 6, 8, 1, 1, 0], [56, 56, 3, 16, 7, 2, 3], [57, 57, 3, 8, 11, 4, 2]]
    {
        let sizes = format!("H={h},W={w},C={c},O={o},K={k},s={s},p={p}");
        all.push((format!("window-{k}"), layer.clone(), first(&sizes, map)));
    }
    for file in ["partial", "two_nests", "barriers", "stencil", "places", "dots"] {
        all.push((file.to_string(), read(&format!("lowering/array/{file}.mlir")), String::new()));
    }
    for file in ["stages/convolution/6-gpu", "stages/listing_3/6-gpu", "programs/tiled_stencil"] {
        all.push((file.to_string(), read(&format!("{file}.mlir")), String::new()));
    }
    all
}

fn emit(name: &str, text: &str, target: &str, form: &str) -> String {
    emit_after(name, text, "", target, form)
}

/// Code of what these passes make of a text
fn emit_after(name: &str, text: &str, first: &str, target: &str, form: &str) -> String {
    let args =
        [format!("--pipeline={first}to-{target}"), format!("--emit={form}"), "--target-cpu=sm_90".into()];
    let finished = run_on(TOOL, &args, name, text).expect("the arguments are right");
    assert!(!finished.failed, "{name}:\n{}", finished.messages);
    String::from_utf8(finished.out.expect("it did not fail")).expect("it is text")
}

#[test]
fn nvrtc_takes_the_cuda_c() {
    let Some(folder) = installed("nvrtc_dir") else {
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
    let Some(ptxas) = installed("ptxas") else {
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

#[test]
fn nvrtc_takes_array_programs() {
    let Some(folder) = installed("nvrtc_dir") else {
        println!("skipped: nvrtc_takes_array_programs (needs nvidia)");
        return;
    };
    for (name, text, first) in arrays() {
        let source = emit_after(&name, &text, &first, "cuda", "cuda");
        let flags = terrace_lowering_c::Flavor::Cuda.compile_flags();
        let ptx = nvrtc_compile(&source, "compute_90", flags, Some(&folder));
        let ptx = ptx.unwrap_or_else(|error| panic!("{name}: {error}\n{source}"));
        assert_eq!(ptx.text.matches(".entry").count(), source.matches("__global__").count(), "{name}");
    }
}

#[test]
fn ptxas_takes_array_programs() {
    if terrace_native_client::client::find().is_err() {
        println!("skipped: ptxas_takes_array_programs (needs llvm)");
        return;
    }
    let Some(ptxas) = installed("ptxas") else {
        println!("skipped: ptxas_takes_array_programs (needs nvidia)");
        return;
    };
    for (name, text, first) in arrays() {
        let ptx = emit_after(&name, &text, &first, "ptx", "ptx");
        let report =
            ptxas_check(&ptxas, &ptx, "sm_90").unwrap_or_else(|error| panic!("{name}: {error}\n{ptx}"));
        assert!(report.registers() > 0, "{name}");
        assert_eq!(report.spills(), 0, "{name}");
    }
}
