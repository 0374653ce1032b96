//! What the worker emits: a register tile stays in registers, PTX is taken by `ptxas`, refusals have codes and places.

use crate::common;

use common::worker;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use terrace_native_client::{EmitKind, EmitOptions};
use terrace_runtime_cuda::ptxas_check;

fn emitted(text: &str, kind: EmitKind, cpu: Option<&str>) -> String {
    let options = EmitOptions { cpu: cpu.map(str::to_owned), ..EmitOptions::default() };
    match worker().emit(text, kind, &options) {
        Ok(bytes) => String::from_utf8(bytes).expect("the code is text"),
        Err(errors) => panic!("{}\n{:?}", errors[0].message, errors[0].notes),
    }
}

/// `rows` by 16 · `vectors` floats carried by a loop of `cf` over k
fn tile(rows: usize, vectors: usize) -> String {
    const V: &str = "vector<16xf32>";
    let each = || (0..rows).flat_map(|i| (0..vectors).map(move |j| (i, j)));
    let list = |name: &str| each().map(|(i, j)| format!("%{name}{i}_{j}")).collect::<Vec<_>>().join(", ");
    let types = vec![V; rows * vectors].join(", ");
    let mut text = format!(
        "func.func @tile(%a: memref<{rows}x1024xf32>, %b: memref<1024x{n}xf32>, %c: memref<{rows}x{n}xf32>) {{\n",
        n = 16 * vectors
    );
    for n in 0..16 * vectors.max(rows) {
        let _ = writeln!(text, "%c{n} = arith.constant {n} : index");
    }
    let _ = writeln!(text, "%end = arith.constant 1024 : index\n%z = arith.constant dense<0.0> : {V}");
    let zeros = vec!["%z"; rows * vectors].join(", ");
    let _ = writeln!(text, "cf.br ^head(%c0, {zeros} : index, {types})");
    let args = each().map(|(i, j)| format!("%x{i}_{j}: {V}")).collect::<Vec<_>>().join(", ");
    let _ = writeln!(text, "^head(%k: index, {args}):\n%more = arith.cmpi slt, %k, %end : index");
    let _ = writeln!(text, "cf.cond_br %more, ^body, ^done\n^body:");
    for j in 0..vectors {
        let _ = writeln!(
            text,
            "%r{j} = vector.load %b[%k, %c{}] : memref<1024x{}xf32>, {V}",
            16 * j,
            16 * vectors
        );
    }
    for i in 0..rows {
        let _ = writeln!(text, "%s{i} = memref.load %a[%c{i}, %k] : memref<{rows}x1024xf32>");
        let _ = writeln!(text, "%w{i} = vector.broadcast %s{i} : f32 to {V}");
        for j in 0..vectors {
            let _ = writeln!(text, "%y{i}_{j} = vector.fma %w{i}, %r{j}, %x{i}_{j} : {V}");
        }
    }
    let _ = writeln!(
        text,
        "%next = arith.addi %k, %c1 : index\ncf.br ^head(%next, {} : index, {types})\n^done:",
        list("y")
    );
    for (i, j) in each() {
        let n = 16 * vectors;
        let _ =
            writeln!(text, "vector.store %x{i}_{j}, %c[%c{i}, %c{}] : memref<{rows}x{n}xf32>, {V}", 16 * j);
    }
    text.push_str("return\n}\n");
    text
}

#[test]
fn a_register_tile_stays_in_registers() {
    for (rows, vectors) in [(6, 4), (8, 3), (14, 2)] {
        let code = emitted(&tile(rows, vectors), EmitKind::Asm, Some("znver4"));
        let body =
            code.split("\ntile:").nth(1).and_then(|rest| rest.split("retq").next()).expect("the function");
        let count = |what: &dyn Fn(&str) -> bool| body.lines().filter(|line| what(line)).count();
        let fused = count(&|line| line.contains("vfmadd") && line.contains("zmm"));
        assert_eq!(fused, rows * vectors, "{body}");
        assert_eq!(count(&|line| line.contains("vbroadcastss")), rows, "{body}");
        assert_eq!(count(&|line| line.contains("zmm") && line.contains("(%rsp)")), 0, "{body}");
    }
}

/// Addresses of a tile that differ by constants are one address and constants
#[test]
fn rows_of_a_tile_share_an_address() {
    let mut text = String::from(
        "func.func @fill(%c: memref<16x24x16xf32>, %v: vector<16xf32>) {
        %c0 = arith.constant 0 : index
        %c3 = arith.constant 3 : index
        %c8 = arith.constant 8 : index
        %c16 = arith.constant 16 : index
        %c24 = arith.constant 24 : index
        cf.br ^rows(%c0 : index)
      ^rows(%i0: index):
        %r = arith.cmpi slt, %i0, %c16 : index
        cf.cond_br %r, ^columns(%c0 : index), ^done
      ^columns(%j0: index):
        %s = arith.cmpi slt, %j0, %c24 : index
        cf.cond_br %s, ^body, ^next
      ^body:\n",
    );
    for n in 1..8 {
        let _ = writeln!(text, "%k{n} = arith.constant {n} : index\n%i{n} = arith.addi %i0, %k{n} : index");
        let _ = writeln!(text, "%j{n} = arith.addi %j0, %k{n} : index");
    }
    for (i, j) in (0..8).flat_map(|i| (0..3).map(move |j| (i, j))) {
        let place = format!("%c[%i{i}, %j{j}, %c0]");
        let _ = writeln!(text, "vector.store %v, {place} : memref<16x24x16xf32>, vector<16xf32>");
    }
    text.push_str(
        "%j = arith.addi %j0, %c3 : index
        cf.br ^columns(%j : index)
      ^next:
        %i = arith.addi %i0, %c8 : index
        cf.br ^rows(%i : index)
      ^done:
        return
      }\n",
    );
    let code = emitted(&text, EmitKind::Llvm, Some("znver4"));
    let body = code.split("\n}").next().unwrap_or_default();
    let steps = body.lines().filter(|line| line.contains("getelementptr") && line.contains(", i64 %"));
    // LLVM copies the loop for both blocks of rows.
    assert!(steps.count() <= 4, "{body}");
}

fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/lowering/llvm").join(name);
    std::fs::read_to_string(path).expect("the file can be read")
}

/// A place that the set-up has found
fn place(key: &str) -> Option<PathBuf> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/terrace/setup.toml");
    let text = std::fs::read_to_string(file).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(&format!("{key} = ")).map(str::to_owned))?;
    Some(PathBuf::from(value.trim_matches(['\'', '"']))).filter(|path| path.exists())
}

#[test]
fn device_code_is_ptx() {
    let ptx = emitted(&file("device.mlir"), EmitKind::Ptx, None);
    for wanted in [
        ".target sm_80",
        ".visible .entry scale(",
        ".reqntid 32, 1, 1",
        ".shared",
        "bar.sync",
        "shfl.sync.bfly.b32",
        "atom.global.add.f32",
        "st.shared",
        "ld.global",
    ] {
        assert!(ptx.contains(wanted), "no `{wanted}` in\n{ptx}");
    }
    match place("ptxas") {
        Some(ptxas) => {
            let report = ptxas_check(&ptxas, &ptx, "sm_80").expect("ptxas takes it");
            assert_eq!((report.kernels.len(), report.spills(), report.shared()), (1, 0, 128));
        }
        None => println!("skipped: device_code_is_ptx (needs ptxas)"),
    }
    assert!(emitted(&file("device.mlir"), EmitKind::Ptx, Some("sm_90")).contains(".target sm_90"));
}

#[test]
fn matrices_are_tensor_cores() {
    let ptx = emitted(&file("matrices.mlir"), EmitKind::Ptx, None);
    for wanted in [
        "wmma.load.a.sync.aligned.row.m16n16k16.f16",
        "wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32",
        "wmma.store.d.sync.aligned.row.m16n16k16.f32",
    ] {
        assert!(ptx.contains(wanted), "no `{wanted}` in\n{ptx}");
    }
    match place("ptxas") {
        Some(ptxas) => assert_eq!(ptxas_check(&ptxas, &ptx, "sm_80").expect("ptxas takes it").spills(), 0),
        None => println!("skipped: matrices_are_tensor_cores (needs ptxas)"),
    }
}

#[test]
fn device_functions_of_reals_are_libdevice_s() {
    let Some(ptxas) = place("ptxas").filter(|_| place("libdevice").is_some()) else {
        return println!("skipped: device_functions_of_reals_are_libdevice_s (needs ptxas)");
    };
    let mut text = String::from(
        "gpu.module @m {\n  gpu.func @f(%m: memref<64xf32>, %n: memref<64xf64>) kernel {\n    %i = gpu.thread_id x\n    \
         %x0 = memref.load %m[%i] : memref<64xf32>\n    %y0 = memref.load %n[%i] : memref<64xf64>\n",
    );
    let names =
        ["exp", "log", "sin", "cos", "tanh", "erf", "cbrt", "log1p", "expm1", "sqrt", "rsqrt", "floor"];
    for (n, name) in names.iter().enumerate() {
        let _ = writeln!(text, "    %x{} = math.{name} %x{n} : f32", n + 1);
        let _ = writeln!(text, "    %y{} = math.{name} %y{n} : f64", n + 1);
    }
    let last = names.len();
    let _ = writeln!(
        text,
        "    %c = arith.constant 3 : i32\n    \
         %a = math.fpowi %x{last}, %c : f32, i32\n    %b = math.fpowi %y{last}, %c : f64, i32\n    \
         %p = math.powf %a, %x0 : f32\n    %q = math.atan2 %b, %y0 : f64\n    \
         memref.store %p, %m[%i] : memref<64xf32>\n    memref.store %q, %n[%i] : memref<64xf64>\n    gpu.return\n  }}\n}}"
    );
    let ptx = emitted(&text, EmitKind::Ptx, None);
    assert!(!ptx.contains("__nv_"), "{ptx}");
    assert_eq!(ptxas_check(&ptxas, &ptx, "sm_80").expect("ptxas takes it").kernels.len(), 1);
}

#[test]
fn refusals_have_a_code_and_a_place() {
    let refused = |text: &str, kind: EmitKind, options: &EmitOptions| {
        let errors = worker().emit(text, kind, options).expect_err("refused");
        (errors[0].code.map(|code| code.id), errors)
    };
    let plain = EmitOptions::default();
    let text = "func.func @f(%m: memref<f32>) {\n  \"foo.bar\"(%m) : (memref<f32>) -> ()\n  return\n}";
    let (code, errors) = refused(text, EmitKind::Llvm, &plain);
    assert_eq!(code, Some("E0720"));
    assert!(
        errors[0].message.contains("foo.bar") && errors[0].notes[0].text.contains("line 2"),
        "{errors:?}"
    );
    let upward =
        "func.func @f(%x: f64) -> f32 {\n  %r = arith.truncf %x upward : f64 to f32\n  return %r : f32\n}";
    let (code, errors) = refused(upward, EmitKind::Llvm, &plain);
    assert_eq!(code, Some("E0720"));
    assert!(errors[0].message.contains("`expand-floats`"), "{}", errors[0].message);
    let (code, _) = refused("func.func @f(%m: memref<*xf32>) {\n  return\n}", EmitKind::Asm, &plain);
    assert_eq!(code, Some("E0721"));
    let (code, _) = refused("func.func @f() {\n  return\n}", EmitKind::Ptx, &plain);
    assert_eq!(code, Some("E0720"));
    let chip = EmitOptions { cpu: Some("pentium".into()), ..plain };
    let (code, _) = refused(&file("device.mlir"), EmitKind::Ptx, &chip);
    assert_eq!(code, Some("E0728"));
}

/// LLVM only murmurs at CPUs and features that it does not know, or dies
#[test]
fn unknown_cpus_and_features() {
    let text = "func.func @f(%x: f32) -> f32 {\n  return %x : f32\n}";
    let cpu = EmitOptions { cpu: Some("no-such-cpu".into()), ..EmitOptions::default() };
    let mut one = worker();
    let errors = one.emit(text, EmitKind::Asm, &cpu).expect_err("refused");
    assert_eq!(errors[0].code.map(|code| code.id), Some("E0728"));
    assert!(
        errors[0].message.contains("'no-such-cpu' is not a recognized processor"),
        "{}",
        errors[0].message
    );
    let feature = EmitOptions { features: Some("+no-such-feature".into()), ..EmitOptions::default() };
    let mut one = worker();
    one.emit(text, EmitKind::Asm, &feature).expect("code without it");
    let error = one.finish().expect_err("it has said so");
    assert!(error.message.contains("'+no-such-feature' is not a recognized feature"), "{}", error.message);
}

#[test]
fn objects_are_elf() {
    let text = "func.func @f(%x: f32) -> f32 {\n  return %x : f32\n}";
    let bytes = worker().emit(text, EmitKind::Obj, &EmitOptions::default()).expect("an object");
    assert!(cfg!(not(target_os = "linux")) || bytes.starts_with(b"\x7fELF"));
}

/// The wrapper of a public function is called from C, with buffers by descriptor
#[test]
fn objects_link_with_c() {
    use std::process::Command;
    let test = "objects_link_with_c";
    if Command::new("cc").arg("--version").output().is_err() {
        return println!("skipped: {test} (needs cc)");
    }
    let text = "func.func @scale(%x: f32, %m: memref<?xf32>) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = memref.dim %m, %c0 : memref<?xf32>
      cf.br ^head(%c0 : index)
    ^head(%i: index):
      %more = arith.cmpi slt, %i, %n : index
      cf.cond_br %more, ^body, ^done
    ^body:
      %a = memref.load %m[%i] : memref<?xf32>
      %b = arith.mulf %a, %x : f32
      memref.store %b, %m[%i] : memref<?xf32>
      %next = arith.addi %i, %c1 : index
      cf.br ^head(%next : index)
    ^done:
      %r = arith.index_cast %n : index to i32
      return %r : i32
    }";
    let c = "struct line { float *allocated, *aligned; long offset, size, stride; };
      int _mlir_ciface_scale(float, struct line *);
      int main(void) {
        float a[3] = { 1, 2, 3 };
        struct line m = { a, a, 0, 3, 1 };
        return !(_mlir_ciface_scale(2, &m) == 3 && a[0] == 2 && a[1] == 4 && a[2] == 6);
      }";
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let object = worker().emit(text, EmitKind::Obj, &EmitOptions::default()).expect("an object");
    std::fs::write(folder.join("scale.o"), object).expect("the object is written");
    std::fs::write(folder.join("main.c"), c).expect("the source is written");
    let run = |command: &mut Command| command.current_dir(&folder).status().expect("it starts").success();
    assert!(run(Command::new("cc").args(["main.c", "scale.o", "-o", "main"])), "it links");
    assert!(run(&mut Command::new(folder.join("main"))), "it computes");
}

/// Text of a file after a named pipeline
fn lowered(path: &str, pipeline: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files").join(path);
    passed(std::fs::read_to_string(path).expect("the file can be read"), pipeline)
}

/// A text after a named pipeline
fn passed(text: String, pipeline: &str) -> String {
    use terrace_pass::{Instrument, Pipeline};
    let cx = terrace_ir::Context::new(&terrace_opt::all_dialects());
    let source = cx.sources().add("f", text);
    let mut diags = terrace_diag::Diags::default();
    let parsed = terrace_text::parse(&cx, source, &terrace_text::ParseOptions::default(), &mut diags);
    let mut ir = parsed.expect("the file is right");
    let pipeline =
        Pipeline::parse(pipeline, &terrace_opt::REGISTRY, cx.sources(), &mut diags).expect("a pipeline");
    let (report, result) = terrace_pass::run(&mut ir, &pipeline, &Instrument::quiet(|_| String::new()));
    assert!(result.is_ok(), "{}", terrace_diag::render_all(report.diags.iter(), cx.sources(), false));
    let mut text = String::new();
    terrace_text::print(&ir, &terrace_text::PrintOptions::default(), &mut text);
    text
}

#[test]
fn schedules_become_ptx() {
    let ptxas = place("ptxas");
    for (name, kernels) in
        [("listing6", 1), ("partial_conv", 1), ("reduce_atomic", 2), ("reduce_two_phase", 2)]
    {
        let ptx = emitted(&lowered(&format!("dialects/sched/{name}.mlir"), "to-ptx"), EmitKind::Ptx, None);
        assert!(ptx.matches(".visible .entry").count() >= 1, "{ptx}");
        if let Some(ptxas) = &ptxas {
            let report = ptxas_check(ptxas, &ptx, "sm_80").expect("ptxas takes it");
            assert_eq!((report.kernels.len(), report.spills()), (kernels, 0), "{name}");
        }
    }
    if ptxas.is_none() {
        println!("skipped: schedules_become_ptx (needs ptxas)");
    }
}

/// What a kernel only reads, and no launch gives twice, goes through the cache for that; what may be written meanwhile does not
#[test]
fn only_read_buffers_are_invariant() {
    let ptx = emitted(&lowered("demo/matmul.mlir", "to-ptx"), EmitKind::Ptx, None);
    assert!(ptx.contains("ld.global.nc") && !ptx.contains("ld.global.b32"), "{ptx}");
    // The same buffer may come twice.
    let body = |b: &str| {
        format!(
            "module attributes {{gpu.container_module}} {{
              func.func @f(%a: memref<16xf32>, %b: memref<16xf32>{b}) {{
                %c1 = arith.constant 1 : index
                gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
                  args(%a : memref<16xf32>, %b : memref<16xf32>)
                return
              }}
              gpu.module @k {{ gpu.func @k(%a: memref<16xf32>, %b: memref<16xf32>) kernel {{
                %i = gpu.thread_id x
                %v = memref.load %a[%i] : memref<16xf32>
                memref.store %v, %b[%i] : memref<16xf32>
                gpu.return
              }} }}
            }}"
        )
    };
    let ptx = |text: &str| emitted(&passed(text.to_owned(), "to-ptx"), EmitKind::Ptx, None);
    assert!(!ptx(&body("")).contains(".nc"), "{}", ptx(&body("")));
    assert!(ptx(&body(" {llvm.noalias}")).contains("ld.global.nc"), "{}", ptx(&body(" {llvm.noalias}")));
}

/// The innermost loop of a scheduled product has no memory of its own
#[test]
fn schedules_keep_tiles_in_registers() {
    for (name, tile) in [("packed_matmul", 28), ("conv", 28)] {
        let code = emitted(
            &lowered(&format!("dialects/sched/{name}.mlir"), "to-host"),
            EmitKind::Asm,
            Some("znver4"),
        );
        let lines: Vec<&str> = code.lines().collect();
        let label =
            |line: &str| line.strip_suffix(':').filter(|label| label.starts_with(".LBB")).map(str::to_owned);
        let mut found = Vec::new();
        for (n, line) in lines.iter().enumerate() {
            let Some(start) = label(line) else { continue };
            let rest = &lines[n + 1..];
            let end = rest.iter().position(|line| label(line).is_some()).unwrap_or(rest.len());
            let body = &rest[..end];
            let loops = body.iter().any(|line| line.trim().starts_with('j') && line.ends_with(&start));
            let fused = body.iter().filter(|line| line.contains("vfmadd")).count();
            if loops && fused > 0 {
                let stack =
                    body.iter().filter(|line| line.contains("zmm") && line.contains("(%rsp)")).count();
                found.push((fused, stack));
            }
        }
        assert!(
            found.contains(&(tile, 0)) && found.iter().all(|(_, stack)| *stack == 0),
            "{name}: {found:?}"
        );
    }
}

/// No function of rows calls the library but for large arguments
#[test]
fn functions_of_rows_are_no_calls() {
    let mut text = String::from(
        "func.func @f(%x: vector<8xf32>, %y: vector<4xf64>) -> (vector<8xf32>, vector<4xf64>) {\n",
    );
    let names = ["exp", "log", "tanh", "erf", "exp2", "log2", "atan", "asin", "cbrt", "log1p"];
    let (mut x, mut y) = ("%x".to_string(), "%y".to_string());
    for name in names {
        text += &format!(
            "  %x{name} = math.{name} {x} : vector<8xf32>\n  %y{name} = math.{name} {y} : vector<4xf64>\n"
        );
        (x, y) = (format!("%x{name}"), format!("%y{name}"));
    }
    text += &format!(
        "  %p = math.powf {x}, %x : vector<8xf32>\n  return %p, {y} : vector<8xf32>, vector<4xf64>\n}}\n"
    );
    let llvm = emitted(&text, EmitKind::Llvm, None);
    assert!(["@llvm.exp", "@llvm.pow", "@erf"].iter().all(|call| !llvm.contains(call)), "{llvm}");
}
