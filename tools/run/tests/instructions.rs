//! Instructions of kernels for one device, counted: what `ptxas` makes of the PTX of schedules that are chosen.
//!
//! Counts are of the code as compiled: those of a loop are of one iteration. A count that changes is a reason to look at the code.

use crate::common::{installed, place, sass};
use std::fmt::Write as _;
use std::path::Path;
use terrace_opt::{Tool, run_on};
use terrace_runtime_cuda::{nvrtc_compile, ptxas_binary};

const ARCH: &str = "sm_90";

/// A product of matrices
fn product([m, n, k]: [i64; 3]) -> String {
    format!(
        "func.func @f(%A: tensor<{m}x{k}xf32>, %B: tensor<{k}x{n}xf32>) -> tensor<{m}x{n}xf32> {{
  %c = mdh.compute (i in {m}, j in {n}, k in {k} pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {{
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  }} : (tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>) -> tensor<{m}x{n}xf32>
  return %c : tensor<{m}x{n}xf32>
}}"
    )
}

/// Of one matrix, as these dimensions say: `(i in 4, j in 5 pw add) … outs([i])`
fn of_matrix([m, n]: [i64; 2], dims: &str, at: &str, result: &str, out: &str) -> String {
    format!(
        "func.func @f(%A: tensor<{m}x{n}xf32>) -> tensor<{result}xf32> {{
  %c = mdh.compute ({dims}) ins(%a = %A[{at}]) outs([{out}]) {{
    mdh.yield %a : f32
  }} : (tensor<{m}x{n}xf32>) -> tensor<{result}xf32>
  return %c : tensor<{result}xf32>
}}"
    )
}

/// A file of the demonstration
fn demonstration(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/demo");
    std::fs::read_to_string(folder.join(name)).expect("test files are text")
}

/// Kernels of a program in this form, and what may not be: spills, more registers than this
fn compiled(name: &str, text: &str, form: &str, registers: u32) -> Option<Vec<sass::KernelCode>> {
    let (ptxas, nvdisasm, folder) = (installed("ptxas")?, installed("nvdisasm")?, installed("nvrtc_dir")?);
    let args = [format!("--pipeline=to-{form}"), format!("--emit={form}"), format!("--target-cpu={ARCH}")];
    let finished = run_on(Tool::OPT, &args, name, text).expect("the arguments are right");
    assert!(!finished.failed, "{name}:\n{}", finished.messages);
    let mut ptx = String::from_utf8(finished.out.expect("it did not fail")).expect("it is text");
    if form == "cuda" {
        let flags = terrace_lowering_c::Flavor::Cuda.compile_flags();
        let compiled = nvrtc_compile(&ptx, &ARCH.replace("sm", "compute"), flags, Some(&folder));
        ptx = compiled.unwrap_or_else(|error| panic!("{name}: {error}\n{ptx}")).text;
    }
    let file = place(&format!("{name}.{form}.cubin"));
    let report = ptxas_binary(&ptxas, &ptx, ARCH, &file).unwrap_or_else(|error| panic!("{name}: {error}"));
    let kernels = sass::disassemble(&nvdisasm, &file);
    let _ = std::fs::remove_file(file);
    assert_eq!(report.spills(), 0, "{name}");
    assert!(report.registers() <= registers, "{name}: {} registers", report.registers());
    Some(kernels)
}

/// Counts of a program's kernels: of LLVM's PTX, then what differs in those of NVRTC's
fn counts(name: &str, text: &str, registers: u32) -> Option<String> {
    let [ptx, cuda] = [compiled(name, text, "ptx", registers)?, compiled(name, text, "cuda", registers)?]
        .map(|kernels| kernels.iter().map(sass::KernelCode::counts).collect::<Vec<_>>().join("\n"));
    Some(if ptx == cuda { ptx } else { format!("{ptx}\nCUDA C:\n{cuda}") })
}

/// Hold programs against the counts of a file; with `TERRACE_BLESS` it is written
fn check(test: &str, all: &[(&str, String, u32)]) {
    if terrace_native_client::client::find().is_err() {
        return println!("skipped: {test} (needs llvm)");
    }
    let mut found = String::new();
    for (name, text, registers) in all {
        let Some(own) = counts(name, text, *registers) else {
            return println!("skipped: {test}, {} programs (needs nvidia)", all.len());
        };
        let _ = writeln!(found, "# {name}\n{own}\n");
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/instructions/{test}.txt"));
    let set = |name: &str| std::env::var_os(name).is_some();
    if set("TERRACE_BLESS") && !set("CI") {
        std::fs::write(&file, &found).expect("the folder can be written");
    }
    let kept = std::fs::read_to_string(&file).expect("counts are checked in");
    let changed: Vec<&str> = found.split("\n\n").filter(|own| !kept.contains(own)).collect();
    assert!(found == kept, "{} (`cargo xtask bless` writes it):\n{}", file.display(), changed.join("\n\n"));
}

#[test]
fn products() {
    check(
        "products",
        &[
            ("4096", product([4096, 4096, 4096]), 128),
            ("1000", product([1000, 1000, 1000]), 128),
            ("1009", product([1009, 1013, 1019]), 128),
            ("64", product([64, 64, 64]), 64),
            ("1024 × 1024 × 64", product([1024, 1024, 64]), 64),
            ("256 × 29", product([256, 29, 4001]), 64),
        ],
    );
}

/// Loads of the next round stand before the products of this one, their stores behind: memory is read while the block computes
#[test]
fn rounds_of_staged_tiles_overlap() {
    if terrace_native_client::client::find().is_err() {
        return println!("skipped: rounds_of_staged_tiles_overlap (needs llvm)");
    }
    let staged = |stages: &str| {
        let steps = format!(
            "outs([i, j]) attributes {{mdh.schedule = [
         \"1: (64,64,^) (^,^ ; ^) (BLK.y,BLK.x,^)\",
         \"5: (16,16,^) (^,^ ; ^) (UNR.1,UNR.2,^)\",
         \"2: (1,1,^) (^,^ ; RM) (THR.y,THR.x,^)\",
         \"3: (^,^,16) (SM{stages},SM{stages} ; ^) (^,^,FOR.1)\",
         \"4: (^,^,1) (^,^ ; ^) (^,^,FOR.1)\"]}}"
        );
        product([1024, 1024, 1024]).replace("outs([i, j])", &steps)
    };
    for form in ["ptx", "cuda"] {
        let [plain, ahead] = ["", " stages 2"].map(|stages| {
            let kernels = compiled(&format!("overlap{}", stages.len()), &staged(stages), form, 128)?;
            Some(kernels[0].between("LDG", "FFMA", "STS"))
        });
        let Some((plain, ahead)) = plain.zip(ahead) else {
            return println!("skipped: rounds_of_staged_tiles_overlap (needs nvidia)");
        };
        assert_eq!(plain, 0, "{form}");
        assert!(ahead >= 16, "{form}: {ahead} products");
    }
}

#[test]
fn reductions_and_transpositions() {
    let rows = |sizes: [i64; 2]| {
        of_matrix(
            sizes,
            &format!("i in {}, j in {} pw add", sizes[0], sizes[1]),
            "i, j",
            &sizes[0].to_string(),
            "i",
        )
    };
    let columns = |sizes: [i64; 2]| {
        of_matrix(
            sizes,
            &format!("i in {} pw add, j in {}", sizes[0], sizes[1]),
            "i, j",
            &sizes[1].to_string(),
            "j",
        )
    };
    let turned = |[m, n]: [i64; 2]| {
        of_matrix([m, n], &format!("i in {n}, j in {m}"), "j, i", &format!("{n}x{m}"), "i, j")
    };
    check(
        "reductions_and_transpositions",
        &[
            ("rows", rows([4096, 4096]), 32),
            ("odd rows", rows([1013, 4099]), 32),
            ("columns", columns([4096, 4096]), 32),
            ("transposition", turned([4096, 4096]), 32),
            ("odd transposition", turned([1013, 2053]), 32),
            ("softmax", demonstration("softmax.mlir"), 40),
        ],
    );
}

#[test]
fn scans_and_stencils() {
    let scan = |n: i64| {
        format!(
            "func.func @f(%A: tensor<{n}xf32>) -> tensor<{n}xf32> {{
  %c = mdh.compute (i in {n} ps add) ins(%a = %A[i]) outs([i]) {{
    mdh.yield %a : f32
  }} : (tensor<{n}xf32>) -> tensor<{n}xf32>
  return %c : tensor<{n}xf32>
}}"
        )
    };
    check(
        "scans_and_stencils",
        &[
            ("scan", scan(1 << 20), 96),
            ("scan of prime length", scan(1_048_583), 96),
            ("Jacobi", demonstration("jacobi.mlir"), 64),
            ("convolution", demonstration("conv2d.mlir"), 128),
        ],
    );
}
