//! The same bytes as `mlir-opt` 22 where that is installed: files by options, and the table of passes.

use super::{Seen, folder, run};
use std::path::Path;
use std::process::Command;

/// The tool of MLIR, under the name that this one has in messages
fn theirs(folder: &Path, args: &[&str]) -> Option<Seen> {
    let mut tool = Command::new("mlir-opt-22");
    #[cfg(unix)]
    std::os::unix::process::CommandExt::arg0(&mut tool, "mlir-opt");
    Some(tool.args(args).current_dir(folder).output().ok()?.into())
}

/// Small files: functions, regions, symbols, attributes, aliases, several parts, mistakes
const FILES: &[(&str, &str)] = &[
    ("sums.mlir", super::SUMS),
    (
        "calls.mlir",
        "\
func.func private @callee(%a: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %s = arith.addi %c1, %c2 : i32
  %r = arith.addi %a, %s : i32
  return %r : i32
}
func.func private @dead() { return }
func.func @f(%a: i32) -> i32 {
  %r = func.call @callee(%a) : (i32) -> i32
  return %r : i32
}
memref.global \"private\" @kept : memref<4xi32>
",
    ),
    (
        "regions.mlir",
        "\
#map = affine_map<(d0) -> (d0 + 1)>
module attributes {test.x = dense<[1, 2, 3, 4]> : tensor<4xi32>} {
  func.func @f(%cond: i1, %a: i32, %m: memref<4xf32, #map>) -> i32 {
    %c = arith.constant 1 : i32
    %x:2 = scf.if %cond -> (i32, i32) {
      scf.yield %c, %a : i32, i32
    } else {
      scf.yield %a, %c : i32, i32
    }
    cf.br ^end(%x#0 : i32)
  ^end(%r: i32):
    return %r : i32
  }
}
",
    ),
    (
        "modules.mlir",
        "\
module @top {
  module @middle {
    func.func @f() { return }
    func.func @g() { return }
  }
  func.func @h() { return }
}
",
    ),
    (
        "parts.mlir",
        "\
func.func @f() { return }
// -----
func.func @g() {
  \"test.none\"() : () -> ()
// -----
func.func @h() { return }
",
    ),
    (
        "unused.mlir",
        "\
func.func @f(%a: i32, %m: memref<4xi32>, %i: index) {
  %x = arith.addi %a, %a : i32
  %y = arith.muli %x, %a : i32
  %z = arith.muli %x, %a : i32
  %alloc = memref.alloc() : memref<4xi32>
  %c = arith.constant true
  scf.if %c {
    %w = memref.load %m[%i] : memref<4xi32>
  }
  memref.store %a, %m[%i] : memref<4xi32>
  return
}
",
    ),
    ("empty.mlir", ""),
    ("alone.mlir", "func.func @f() { return }\n"),
];

/// Command lines; each is run on each file
const LINES: &[&str] = &[
    "",
    "-cse",
    "--canonicalize -cse",
    "--inline",
    "--inline=default-pipeline=",
    "--symbol-dce",
    "--sccp",
    "--pass-pipeline=builtin.module(func.func(sccp))",
    "--control-flow-sink",
    "--arith-unsigned-when-equivalent",
    "--arith-expand",
    "--symbol-privatize",
    "--symbol-privatize=exclude=f",
    "--topological-sort",
    "--promote-buffers-to-stack",
    "--print-op-stats",
    "--print-op-stats=json",
    "-loop-invariant-code-motion --dump-pass-pipeline",
    "--canonicalize --mlir-print-op-generic",
    "--mlir-print-local-scope",
    "--mlir-print-skip-regions",
    "--mlir-print-op-generic --mlir-print-skip-regions",
    "--mlir-elide-elementsattrs-if-larger=2",
    "--mlir-print-elementsattrs-with-hex-if-larger=2",
    "--mlir-print-elementsattrs-with-hex-if-larger=-1",
    "--verify-roundtrip",
    "--no-implicit-module",
    "--no-implicit-module -cse --dump-pass-pipeline",
    "--dump-pass-pipeline",
    "--pass-pipeline=builtin.module()",
    "--pass-pipeline=builtin.module(func.func(cse),func.func(canonicalize{top-down=true})) --dump-pass-pipeline",
    "--pass-pipeline=any(cse)",
    "--pass-pipeline=builtin.module(cse,other.op(cse))",
    "--pass-pipeline=builtin.module(any(cse,canonicalize)) --mlir-print-ir-after-all --mlir-disable-threading",
    "--pass-pipeline=builtin.module(builtin.module(func.func(cse,canonicalize)),cse) --mlir-print-ir-after-all --mlir-print-ir-before-all --mlir-disable-threading",
    "--pass-pipeline=builtin.module(cse,builtin.module(func.func(cse))) --mlir-print-ir-after-all --mlir-print-ir-module-scope --mlir-disable-threading",
    "-cse -canonicalize --mlir-print-ir-after=cse",
    "-cse -cse --mlir-print-ir-after-all --mlir-print-ir-after-change",
    "-cse --mlir-print-ir-after-failure",
    "--pass-pipeline=cse",
    "--pass-pipeline=func.func(cse)",
    "--pass-pipeline=builtin.module(cs)",
    "--pass-pipeline=builtin.module(cse",
    "--pass-pipeline=builtin.module(cse,)",
    "--pass-pipeline=builtin.module(func.func(cse)x)",
    "--pass-pipeline=builtin.module(func.func(cse,canonicalize)",
    "--pass-pipeline=builtin.module(cse)cse)",
    "--pass-pipeline=builtin.module(canonicalize{top-down)",
    "--pass-pipeline=builtin.module(canonicalize{other=1})",
    "--pass-pipeline=builtin.module(canonicalize{max-iterations=x})",
    "--pass-pipeline=builtin.module(canonicalize{region-simplify=x})",
    "--pass-pipeline=builtin.module(affine-parallelize)",
    "--pass-pipeline=builtin.module(cse) -cse",
    "--verify-diagnostics --pass-pipeline=builtin.module(cs)",
    "--verify-diagnostics --pass-pipeline=builtin.module(cse) -cse",
    "--verify-diagnostics --pass-pipeline=func.func(cse)",
    "--verify-diagnostics --affine-loop-unroll",
    "--verify-diagnostics=only-expected --pass-pipeline=func.func(cse)",
    "--verify-diagnostics=only-expected --pass-pipeline=builtin.module(cs)",
    "--affine-loop-unroll",
    "--canonicalize=other=1",
    "--cannonicalize",
    "--mlir-disable-threading=maybe -cse=",
    "--mlir-timing-display=x --mlir-elide-elementsattrs-if-larger=x",
    "-o",
    "other.mlir",
    "-cse --mlir-pass-pipeline-local-reproducer --mlir-pass-pipeline-crash-reproducer=x",
];

#[test]
fn as_mlir_opt_prints() {
    let folder = folder("peer");
    for (name, text) in FILES {
        std::fs::write(folder.join(name), text).expect("it can be written");
    }
    let mut compared = 0;
    for (name, _) in FILES {
        for line in LINES {
            let mut args: Vec<&str> = vec![name];
            args.extend(line.split(' ').filter(|word| !word.is_empty()));
            if *name == "parts.mlir" {
                args.push("--split-input-file");
            }
            let Some(theirs) = theirs(&folder, &args) else {
                return println!("skipped: as_mlir_opt_prints (needs mlir-opt-22)");
            };
            let ours: Seen = run(&folder, &args).into();
            assert_eq!(ours.out, theirs.out, "{args:?}\n{}", ours.err);
            assert_eq!(ours.code, theirs.code, "{args:?}\n{}", ours.err);
            // Words about mistakes in the input are each tool's own; about everything else they are the same.
            if *name != "parts.mlir" {
                assert_eq!(ours.err, theirs.err, "{args:?}");
            }
            compared += 1;
        }
    }
    assert_eq!(compared, FILES.len() * LINES.len());
    let _ = std::fs::remove_dir_all(folder);
}

/// A file for passes, some of whose constants are in another order than upstream's
const LOOPS: &str = "\
func.func private @callee(%a: i32, %b: i32) -> (i32, i32) {
  %c1 = arith.constant 1 : i32
  %s = arith.addi %a, %c1 : i32
  return %s, %b : i32, i32
}
func.func @f(%cond: i1, %n: index, %m: memref<?xi32>, %v: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %five = arith.constant 5 : i32
  %x = arith.addi %v, %v : i32
  %r:2 = func.call @callee(%five, %x) : (i32, i32) -> (i32, i32)
  %y = scf.if %cond -> i32 {
    %d = arith.divsi %x, %v : i32
    scf.yield %d : i32
  } else {
    scf.yield %five : i32
  }
  %z = scf.for %i = %c0 to %n step %c1 iter_args(%k = %five) -> i32 {
    memref.store %y, %m[%i] : memref<?xi32>
    scf.yield %k : i32
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %in = arith.cmpi slt, %i, %c8 : index
    %w = arith.extui %in : i1 to i32
    memref.store %w, %m[%i] : memref<?xi32>
  }
  %t = arith.addi %z, %r#0 : i32
  return %t : i32
}
func.func @loops(%n: index, %m: memref<?x?xi32>, %v: i32, %w: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %q = arith.ceildivsi %v, %w : i32
  %p = arith.floordivsi %q, %w : i32
  %o = arith.maxui %p, %v : i32
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
    memref.store %o, %m[%i, %j] : memref<?x?xi32>
    scf.reduce
  }
  linalg.fill ins(%v : i32) outs(%m : memref<?x?xi32>)
  return
}
func.func @mm(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}
func.func @conv(%i: memref<?xf32>, %k: memref<3xf32>, %o: memref<?xf32>) {
  linalg.conv_1d ins(%i, %k : memref<?xf32>, memref<3xf32>) outs(%o : memref<?xf32>)
  return
}
";

/// Its lines, with the constants of each function sorted before the rest, and without blanks at ends of lines
fn without_order_of_constants(text: &str) -> Vec<String> {
    let (mut lines, mut constants, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for line in text.lines().map(str::trim_end) {
        if line.contains("arith.constant") {
            constants.push(line)
        } else {
            rest.push(line)
        }
        if line == "  }" {
            constants.sort_unstable();
            lines.extend(constants.drain(..).chain(rest.drain(..)).map(String::from));
        }
    }
    lines.extend(constants.into_iter().chain(rest).map(String::from));
    lines
}

#[test]
fn passes_give_the_same_but_for_the_order_of_constants() {
    let folder = folder("peer-loops");
    std::fs::write(folder.join("in.mlir"), LOOPS).expect("it can be written");
    for line in [
        "",
        "--arith-expand",
        "--arith-unsigned-when-equivalent",
        "--control-flow-sink",
        "--convert-linalg-to-affine-loops",
        "--convert-linalg-to-loops",
        "--convert-linalg-to-parallel-loops",
        "--int-range-optimizations",
        "--pass-pipeline=builtin.module(func.func(affine-loop-unroll))",
        "--pass-pipeline=builtin.module(func.func(sccp,canonicalize))",
        "--promote-buffers-to-stack",
        "--sccp",
        "--scf-for-to-while",
        "--scf-parallel-for-to-nested-fors",
        "--scf-parallel-loop-tiling=parallel-loop-tile-sizes=4,2",
    ] {
        let args: Vec<&str> = ["in.mlir", line].into_iter().filter(|word| !word.is_empty()).collect();
        let Some(theirs) = theirs(&folder, &args) else {
            return println!(
                "skipped: passes_give_the_same_but_for_the_order_of_constants (needs mlir-opt-22)"
            );
        };
        let ours: Seen = run(&folder, &args).into();
        let lines = without_order_of_constants;
        assert_eq!(lines(&ours.out), lines(&theirs.out), "{args:?}\n{}", ours.err);
        assert!(ours.out.len() > 500, "{args:?}");
    }
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn files_of_printed_ir_have_the_same_names() {
    let folder = folder("peer-tree");
    std::fs::write(folder.join("in.mlir"), FILES[3].1).expect("it can be written");
    let line = |tree| {
        [
            "in.mlir",
            "--pass-pipeline=builtin.module(cse,builtin.module(cse,func.func(cse,canonicalize)),func.func(cse),canonicalize)",
            "--mlir-print-ir-after-all",
            "--mlir-print-ir-before=cse",
            "--mlir-disable-threading",
            tree,
        ]
    };
    if theirs(&folder, &line("--mlir-print-ir-tree-dir=theirs")).is_none() {
        return println!("skipped: files_of_printed_ir_have_the_same_names (needs mlir-opt-22)");
    }
    run(&folder, &line("--mlir-print-ir-tree-dir=ours"));
    let (ours, theirs) = (files(&folder.join("ours")), files(&folder.join("theirs")));
    assert_eq!(ours, theirs);
    assert!(ours.len() > 8);
    let _ = std::fs::remove_dir_all(folder);
}

/// Names and texts below a folder
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(next) = pending.pop() {
        for entry in next.read_dir().into_iter().flatten().flatten() {
            match entry.path() {
                path if path.is_dir() => pending.push(path),
                path => {
                    let text = std::fs::read_to_string(&path).unwrap_or_default();
                    let name = path.strip_prefix(folder).unwrap_or(&path);
                    found.push((name.display().to_string(), text));
                }
            }
        }
    }
    found.sort();
    found
}

/// The table of passes: each line's name, and its options as `--dump-pass-pipeline` prints them
#[test]
fn the_table_of_passes_is_that_of_mlir_opt() {
    let folder = folder("peer-passes");
    std::fs::write(folder.join("in.mlir"), "").expect("it can be written");
    let Some(help) = theirs(&folder, &["--help"]) else {
        return println!("skipped: the_table_of_passes_is_that_of_mlir_opt (needs mlir-opt-22)");
    };
    let table = include_str!("../../src/mlir_opt/passes.txt");
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    let known: Vec<&str> = lines.filter_map(|line| line.split(' ').next()).collect();
    // Passes of MLIR's own tests have names that say so.
    let of_tests =
        |name: &str| name.starts_with("test-") || name.ends_with("-test") || name == "tosa-test-quant-utils";
    let all = help.out.lines().skip_while(|line| !line.contains("Compiler passes to run"));
    let listed: Vec<&str> = all
        .filter_map(|line| line.strip_prefix("      --"))
        .filter_map(|rest| rest.split([' ', '=']).next())
        .filter(|name| !of_tests(name))
        .collect();
    let missing: Vec<_> = listed.iter().filter(|name| !known.contains(name)).collect();
    let surplus: Vec<_> = known.iter().filter(|name| !of_tests(name) && !listed.contains(name)).collect();
    assert!(missing.is_empty() && surplus.is_empty(), "missing {missing:?}, surplus {surplus:?}");

    let pipelines =
        table.lines().filter(|line| line.contains(" pipeline ")).filter_map(|line| line.split(' ').next());
    let pipelines: Vec<&str> = pipelines.collect();
    let flags: Vec<String> =
        known.iter().filter(|name| !pipelines.contains(name)).map(|name| format!("--{name}")).collect();
    let mut args = vec!["in.mlir", "--dump-pass-pipeline"];
    args.extend(flags.iter().map(String::as_str));
    let dump = |err: &str| err.split_once("\n)\n").map(|(dump, _)| dump.to_string());
    let ours: Seen = run(&folder, &args).into();
    let theirs = theirs(&folder, &args).and_then(|seen| dump(&seen.err)).expect("it prints a pipeline");
    assert_eq!(dump(&ours.err), Some(theirs));
    let _ = std::fs::remove_dir_all(folder);
}
