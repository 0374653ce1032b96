//! Upstream's ops of tier 1 are there in every way: each evaluates, folds, is refused, and goes down to every back end on
//! which it has a meaning. What is left out is listed with its reason, and the lists hold nothing else.

use crate::common;

use common::{TOOL, definition, example, tier1};
use std::collections::BTreeSet;
use std::path::Path;
use terrace_diag::Diags;
use terrace_interp::InterpretTable;
use terrace_ir::{Context, Ir, Traits};
use terrace_opt::run_on;
use terrace_rewrite::canonicalize::CanonicalRules;
use terrace_text::ParseOptions;

/// Named pipeline and form of each back end
const BACK_ENDS: [(&str, &str); 5] =
    [("host", "llvm"), ("openmp", "openmp"), ("opencl", "opencl"), ("cuda", "cuda"), ("ptx", "ptx")];

/// Programs for ops whose example says more than a back end can: a kernel gives no buffer back, tensors have no target
const INSTEAD: &[(&str, &str)] = &[
    (
        "memref.alloc",
        "func.func @f(%n: index, %i: index, %x: f32) -> f32 {
           %m = memref.alloc(%n) : memref<?x4xf32>
           memref.store %x, %m[%i, %i] : memref<?x4xf32>
           %y = memref.load %m[%n, %i] : memref<?x4xf32>
           memref.dealloc %m : memref<?x4xf32>
           return %y : f32
         }",
    ),
    (
        "memref.cast",
        "func.func @f(%m: memref<4xf32>, %i: index) -> f32 {
           %n = memref.cast %m : memref<4xf32> to memref<?xf32>
           %x = memref.load %n[%i] : memref<?xf32>
           return %x : f32
         }",
    ),
    ("memref.get_global", GLOBAL),
    ("memref.global", GLOBAL),
    (
        "memref.reinterpret_cast",
        "func.func @f(%m: memref<16xf32>, %i: index) -> f32 {
           %n = memref.reinterpret_cast %m to offset: [2], sizes: [2, 3], strides: [4, 1]
             : memref<16xf32> to memref<2x3xf32, strided<[4, 1], offset: 2>>
           %x = memref.load %n[%i, %i] : memref<2x3xf32, strided<[4, 1], offset: 2>>
           return %x : f32
         }",
    ),
    (
        "memref.subview",
        "func.func @f(%m: memref<8x8xf32>, %i: index) -> f32 {
           %s = memref.subview %m[0, %i] [4, 1] [2, 1] : memref<8x8xf32> to memref<4xf32, strided<[16], offset: ?>>
           %x = memref.load %s[%i] : memref<4xf32, strided<[16], offset: ?>>
           return %x : f32
         }",
    ),
    (
        "vector.store",
        "func.func @f(%m: memref<8xf32>, %v: vector<4xf32>, %i: index) {
           vector.store %v, %m[%i] : memref<8xf32>, vector<4xf32>
           return
         }",
    ),
    (
        "vector.transfer_write",
        "func.func @f(%m: memref<8x8xf32>, %v: vector<4xf32>, %i: index) {
           vector.transfer_write %v, %m[%i, %i] : vector<4xf32>, memref<8x8xf32>
           return
         }",
    ),
];

const GLOBAL: &str = "memref.global \"private\" constant @table : memref<2xf32> = dense<[1.0, 2.0]>
    func.func @f(%i: index) -> f32 {
      %t = memref.get_global @table : memref<2xf32>
      %x = memref.load %t[%i] : memref<2xf32>
      return %x : f32
    }";

/// Ops that a back end does not take, and why
const REFUSED: &[(&str, &[&str], &str)] = &[
    ("cf.assert", &["opencl", "cuda"], "a kernel cannot stop its program"),
    ("cf.cond_br", &["openmp", "opencl", "cuda"], "C is printed from structured control flow (decision 8)"),
    ("cf.switch", &["openmp", "opencl", "cuda"], "C is printed from structured control flow (decision 8)"),
    ("func.call_indirect", &["openmp", "opencl", "cuda"], "OpenCL C has no pointers to functions"),
    ("func.constant", &["openmp", "opencl", "cuda"], "OpenCL C has no pointers to functions"),
    ("gpu.lane_id", &["opencl"], "OpenCL C 1.2 has no subgroups"),
    ("gpu.num_subgroups", &["opencl"], "OpenCL C 1.2 has no subgroups"),
    ("gpu.shuffle", &["opencl"], "OpenCL C 1.2 has no subgroups"),
    ("gpu.subgroup_id", &["opencl"], "OpenCL C 1.2 has no subgroups"),
    ("gpu.subgroup_size", &["opencl"], "OpenCL C 1.2 has no subgroups"),
    ("memref.alloc", &["opencl", "cuda", "ptx"], "kernels cannot allocate for good"),
    ("memref.dealloc", &["opencl", "cuda", "ptx"], "kernels cannot free memory"),
];

/// Ops of the host's side of `gpu`: a device runs what they launch, no back end prints them
const LAUNCHING: &[&str] = &["gpu.alloc", "gpu.dealloc", "gpu.launch", "gpu.launch_func", "gpu.memcpy"];

/// The program that shows an op to a back end; `None` where the op is not for it
fn program(name: &str, device: bool) -> Option<String> {
    // A launch of nothing is dropped.
    let name = if name == "gpu.terminator" { "gpu.launch" } else { name };
    let own = INSTEAD.iter().find(|(op, _)| *op == name);
    let text = own.map_or_else(|| example(name), |(_, text)| (*text).to_string());
    let on_device = name.starts_with("gpu.");
    if !device {
        return (!on_device).then_some(text);
    }
    if LAUNCHING.contains(&name) {
        // Whole programs are kernels already; the others have no kernel at all.
        return text.contains("gpu.launch").then_some(text);
    }
    let kernel = "gpu.func @kernel() kernel { gpu.return }";
    if text.contains("gpu.module") {
        let end = text.rfind('}').expect("a module ends");
        return Some(format!("{}\n{kernel}\n}}", &text[..end]));
    }
    // A reduction needs the block's memory, which a kernel has.
    let text = if text.contains("gpu.all_reduce") { as_kernel(&text) } else { format!("{text}\n{kernel}") };
    Some(format!("gpu.module @kernels {{\n{text}\n}}"))
}

/// The example of a reduction as a kernel that drops what it reduced
fn as_kernel(text: &str) -> String {
    let (_, body) = text.split_once("{\n").expect("a function has a body");
    let (body, _) = body.rsplit_once("return").expect("a function returns");
    format!("gpu.func @kernel(%x: f32) kernel {{\n{body}gpu.return\n}}")
}

#[test]
fn goes_down_to_every_back_end() {
    let worker = terrace_native_client::client::find().is_ok();
    if !worker {
        println!("skipped: goes_down_to_every_back_end on LLVM and PTX (needs llvm)");
    }
    let (mut wrong, mut count, mut without_libdevice) = (Vec::new(), 0, 0);
    for name in tier1() {
        for (target, form) in BACK_ENDS {
            let device = ["opencl", "cuda", "ptx"].contains(&form);
            let Some(text) = program(&name, device) else { continue };
            if !worker && ["llvm", "ptx"].contains(&form) {
                continue;
            }
            let refused = REFUSED.iter().any(|(op, forms, _)| *op == name && forms.contains(&form));
            let args = [format!("--pipeline=to-{target}"), format!("--emit={form}")];
            let finished = run_on(TOOL, &args, &name, &text).expect("the arguments are right");
            count += 1;
            match (finished.failed, refused) {
                // Only said where NVIDIA's functions of reals are not installed.
                (true, false) if form == "ptx" && finished.messages.contains("E0728") => {
                    without_libdevice += 1
                }
                (true, false) => wrong.push(format!("{name} ({form}): {}\n{text}", finished.messages)),
                (false, true) => wrong.push(format!("{name} ({form}) is taken, but listed as refused")),
                _ => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 3 * 160, "only {count} programs");
    if without_libdevice > 0 {
        println!(
            "skipped: goes_down_to_every_back_end, {without_libdevice} functions of reals on PTX (needs libdevice)"
        );
    }
}

/// Names of the ops in the test files whose text satisfies a condition
fn ops_of_files(condition: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let mut pending = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files")];
    let mut found = BTreeSet::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("it is a folder");
            pending.extend(entries.map(|entry| entry.expect("it can be read").path()));
            continue;
        }
        if path.extension().is_none_or(|extension| extension != "mlir") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("modules are text");
        if !condition(&text) {
            continue;
        }
        let cx = Context::new(&terrace_opt::all_dialects());
        let source = cx.sources().add("f", text);
        for range in terrace_diag::split_input(cx.sources().text(source)) {
            let chunk = cx.sources().add_chunk(source, range);
            let (options, mut diags) = (ParseOptions::default(), Diags::default());
            let parsed = terrace_opt::language::read(&cx, chunk, None, &[], &options, &mut diags);
            let mut units: Vec<&Ir> = parsed.iter().collect();
            while let Some(unit) = units.pop() {
                found.extend(
                    std::iter::once(unit.root()).chain(unit.walk()).map(|op| unit.op_name(op).to_string()),
                );
                units.extend(unit.walk().filter_map(|op| unit.child(op)));
            }
        }
    }
    found
}

/// Ops that hold what is run, and are not run themselves
const NEVER_RUN: &[&str] = &["func.func", "gpu.func", "gpu.module", "memref.global"];

#[test]
fn evaluates() {
    let evaluated = ops_of_files(|text| text.contains("// eval:"));
    let missing: Vec<String> = tier1()
        .into_iter()
        .filter(|name| !NEVER_RUN.contains(&&**name))
        .filter(|name| definition(name).interface::<InterpretTable>().is_none() || !evaluated.contains(name))
        .collect();
    assert!(missing.is_empty(), "not evaluated by any file: {}", missing.join(" "));
}

/// Ops that are neither folded nor rewritten: they hold others, give what is constant already, ask the device, have effects
/// alone, or upstream has no fold either (`vector.multi_reduction`: upstream's drops the accumulator)
const NOTHING_TO_FOLD: &[&str] = &[
    "arith.constant",
    "arith.scaling_extf",
    "arith.scaling_truncf",
    "func.call",
    "func.constant",
    "func.func",
    "gpu.alloc",
    "gpu.block_dim",
    "gpu.block_id",
    "gpu.dealloc",
    "gpu.func",
    "gpu.global_id",
    "gpu.grid_dim",
    "gpu.lane_id",
    "gpu.launch_func",
    "gpu.module",
    "gpu.num_subgroups",
    "gpu.shuffle",
    "gpu.subgroup_id",
    "gpu.subgroup_size",
    "gpu.thread_id",
    "math.fpowi",
    "memref.get_global",
    "memref.global",
    "ub.poison",
    "vector.fma",
    "vector.multi_reduction",
    "vector.outerproduct",
];

#[test]
fn folds() {
    let folded = ops_of_files(|text| text.contains("canonicalize"));
    let missing: Vec<String> = tier1()
        .into_iter()
        .filter(|name| {
            let def = definition(name);
            let rules = def.interface::<CanonicalRules>().map_or(0, |rules| (rules.0)().len());
            // `dialects/arith/tests/folds.rs` folds every op of `arith`.
            (def.fold.is_some() || rules > 0) && !name.starts_with("arith.") && !folded.contains(name)
        })
        .collect();
    assert!(missing.is_empty(), "folded in no file: {}", missing.join(" "));
    let neither: Vec<String> = tier1()
        .into_iter()
        .filter(|name| {
            let def = definition(name);
            def.fold.is_none()
                && def.interface::<CanonicalRules>().is_none()
                && !def.traits.has(Traits::Terminator)
        })
        .collect();
    assert_eq!(neither, NOTHING_TO_FOLD, "the list of ops that have nothing to fold");
}
