//! Every option of `terrace-opt`: what it does, and what it says to a value it does not take.
//!
//! Code through the worker (`--emit=llvm|asm|obj|ptx`) is tested where the worker is built, in `tools/native`.

use std::process::{Command, Output};

const INPUT: &str = "\
func.func @f(%a: i32, %b: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %x = arith.addi %a, %c0 : i32
  %y = arith.addi %x, %b : i32
  return %y : i32
}
";

fn run(test: &str, text: &str, args: &[&str]) -> Output {
    let file =
        std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.{test}", std::process::id()));
    std::fs::write(&file, text).expect("the folder for temporary files of tests can be written");
    let out = Command::new(env!("CARGO_BIN_EXE_terrace-opt")).arg(&file).args(args).output();
    let _ = std::fs::remove_file(file);
    out.expect("cargo built the tool")
}

/// Exit code, a piece of standard output, a piece of standard error; empty for nothing at all
type Wanted<'a> = (i32, &'a str, &'a str);

#[track_caller]
fn expect(test: &str, text: &str, args: &[&str], (code, out, err): Wanted<'_>) {
    let found = run(test, text, args);
    let (stdout, stderr) = (
        String::from_utf8_lossy(&found.stdout).into_owned(),
        String::from_utf8_lossy(&found.stderr).into_owned(),
    );
    assert_eq!(found.status.code(), Some(code), "{args:?}\n{stderr}");
    let holds = |piece: &str, all: &str| if piece.is_empty() { all.is_empty() } else { all.contains(piece) };
    assert!(holds(out, &stdout), "{args:?} should print `{out}`, but:\n{stdout}");
    assert!(holds(err, &stderr), "{args:?} should say `{err}`, but:\n{stderr}");
}

#[test]
fn good_values() {
    let table: &[(&[&str], Wanted<'_>)] = &[
        (&[], (0, "module {", "")),
        (&["--pipeline=canonicalize"], (0, "%y = arith.addi %a, %b", "")),
        (&["--pipeline=builtin.module(func.func(canonicalize,cse))"], (0, "%y = arith.addi %a, %b", "")),
        (&["--pipeline=to-host"], (0, "%y = arith.addi %a, %b", "")),
        (&["--emit=mlir"], (0, "return %y : i32", "")),
        (&["--emit=generic"], (0, "\"func.return\"(%y) : (i32) -> ()", "")),
        (&["--emit=openmp"], (0, "int32_t f(int32_t a, int32_t b)", "")),
        (&["--emit=opencl"], (1, "", "E0752")),
        (&["--emit=cuda"], (1, "", "E0752")),
        (&["--emit=graph"], (1, "", "no function has an `mdh.compute`: there is no graph")),
        (&["--emit=graph-json"], (1, "", "`func.func(linalg-to-mdh)`")),
        (&["--split-input-file"], (0, "module {", "")),
        (&["--verify-diagnostics"], (0, "", "")),
        (&["--verify-each", "--pipeline=cse"], (0, "module {", "")),
        (&["--allow-unregistered-dialect"], (0, "module {", "")),
        (&["--print-debuginfo"], (0, "loc(", "")),
        (
            &["--pipeline=canonicalize", "--rewrite-limit=0"],
            (0, "%x = arith.addi", "no application was made"),
        ),
        (
            &["--pipeline=func.func(canonicalize)", "--rewrite-limit=1:@f:1"],
            (0, "%y = arith.addi %a, %b", "stopped after 1:@f:1 `fold` on 'arith.addi' in `canonicalize`"),
        ),
        (
            &["--pipeline=func.func(canonicalize)", "--rewrite-limit=1:@f:0"],
            (0, "%x = arith.addi", "no application was made"),
        ),
        (&["--pipeline=canonicalize", "--rewrite-limit=99"], (0, "%y = arith.addi %a, %b", "not reached")),
        (
            &["--print-before=canonicalize", "--pipeline=canonicalize"],
            (0, "module", "IR Dump before canonicalize"),
        ),
        (&["--print-after=all", "--pipeline=canonicalize,cse"], (0, "module", "IR Dump after cse")),
        // By an alias, as the pipeline may be written.
        (
            &["--print-after=scf-to-cf", "--pipeline=scf-to-cf"],
            (0, "module", "IR Dump after convert-scf-to-cf"),
        ),
        (&["--print-changed", "--pipeline=canonicalize,cse"], (0, "module", "IR Dump after canonicalize")),
        (&["--timing", "--pipeline=cse"], (0, "module", " s ")),
        (&["--stats", "--pipeline=canonicalize"], (0, "module", "canonicalize: ops folded")),
        (&["--threads=4", "--pipeline=canonicalize"], (0, "%y = arith.addi %a, %b", "")),
        (&["--disable-rule=add_add_const", "--pipeline=canonicalize"], (0, "module", "")),
        (&["--explain-miss=add_add_const", "--pipeline=canonicalize"], (0, "module", "remark")),
        (&["--list-passes"], (0, "to-ptx", "")),
        (&["--list-dialects"], (0, "arith.addi", "")),
        (&["--list-rules"], (0, "add_add_const", "")),
        (&["--explain=E0103"], (0, "E0103: ", "")),
        (&["--help"], (0, "Exit codes", "")),
        (&["--version"], (0, "terrace-opt ", "")),
    ];
    for (n, (args, wanted)) in table.iter().enumerate() {
        expect(&format!("good-{n}"), INPUT, args, *wanted);
    }
}

/// A device's file that leaves out what things cost
#[test]
fn numbers_that_a_device_lacks_are_named() {
    let program = "\
func.func @f(%a: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  %r = mdh.compute \"add\" (i in 64) ins(%x = %a[i], %y = %b[i]) outs([i]) {
    %s = arith.addf %x, %y : f32
    mdh.yield %s : f32
  } : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
";
    let device =
        std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-own.toml", std::process::id()));
    let numbers = "kind = \"host\"\nunits = 1\nvector_bytes = 32\nregisters = 16\n";
    std::fs::write(&device, format!("{numbers}[threads]\nsource = \"vendor\"\nfork.cycles = 1000\n"))
        .expect("the folder for temporary files of tests can be written");
    let pipeline = format!("--pipeline=func.func(mdh-schedule{{target={}}})", device.display());
    let said = "has no numbers in `instructions`, `caches`, `register_tiles`, `code`: assumed ones are used";
    expect("own-device", program, &[&pipeline], (0, "mdh.schedule", said));
    expect("host-device", program, &["--pipeline=func.func(mdh-schedule)"], (0, "mdh.schedule", ""));
    std::fs::remove_file(device).expect("it was made");
}

/// A file in the folder of one's own devices is found by its name; built-in names come first
#[test]
fn devices_of_ones_own_have_names() {
    let folder =
        std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-devices", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder for temporary files of tests can be written");
    for (name, text) in
        [("lab-7", "kind = \"host\"\nunits = 1\nregisters = 16\n"), ("cuda", "kind = \"no\"\n")]
    {
        std::fs::write(folder.join(format!("{name}.toml")), text).expect("the folder is there");
    }
    let schedule = |target: &str| {
        let pipeline = format!("--pipeline=func.func(mdh-schedule{{target={target}}})");
        let mut command = Command::new(env!("CARGO_BIN_EXE_terrace-opt"));
        command.args(["-", &pipeline]).env("TERRACE_DEVICES", &folder).stdin(std::process::Stdio::null());
        let out = command.output().expect("cargo built the tool");
        (out.status.success(), String::from_utf8_lossy(&out.stderr).into_owned())
    };
    assert_eq!(schedule("lab-7"), (true, String::new()));
    assert_eq!(schedule("cuda"), (true, String::new()));
    let (found, said) = schedule("lab-8");
    assert!(
        !found && said.contains("there is no device `lab-8`") && said.contains("and of your own cuda lab-7"),
        "{said}"
    );
    let (found, said) = schedule("../lab-7");
    assert!(!found && said.contains("there is no device `../lab-7`"), "{said}");
    std::fs::remove_dir_all(folder).expect("it was made");
}

#[test]
fn bad_values() {
    let table: &[(&[&str], Wanted<'_>)] = &[
        (&["--pipeline=cannonicalize"], (1, "", "did you mean `canonicalize`?")),
        (&["--pipeline=canonicalize{depth=1}"], (1, "", "has no option `depth`; it has")),
        (&["--pipeline=canonicalize{simplify-regions=2}"], (1, "", "takes `true` or `false`, not `2`")),
        (&["--pipeline=func.func(cse"], (1, "", "expected `,` or `)`")),
        (
            &["--emit=text"],
            (
                2,
                "",
                "[possible values: mlir, generic, bytecode, mdh, graph, graph-json, memory, llvm, asm, obj, shared, header, openmp, opencl, cuda, ptx, spirv, spirv-text, hls, calyx, verilog]",
            ),
        ),
        (&["--opt-level=4"], (2, "", "0..=3")),
        (&["--print-before=canonicalise"], (1, "", "did you mean `canonicalize`?")),
        (&["--print-after=cse,nothing-like-it"], (1, "", "unknown pass `nothing-like-it`")),
        (
            &["--pipeline=func.func(canonicalize)", "--rewrite-limit=2:@f:1"],
            (1, "", "names pass 2, and the pipeline has 1"),
        ),
        (&["--rewrite-limit=1:@f:1"], (1, "", "names pass 1, and the pipeline has 0")),
        (
            &["--pipeline=func.func(canonicalize)", "--rewrite-limit=1:@g:1"],
            (1, "", "pass 1 does not run on `@g`"),
        ),
        (
            &["--pipeline=func.func(canonicalize)", "--rewrite-limit=1:@another:0"],
            (1, "", "`canonicalize` runs on `@f`"),
        ),
        (&["--threads=0"], (2, "", "1..=1024")),
        (&["--threads=many"], (2, "", "invalid value 'many'")),
        (&["--disable-rule=add_add_kons"], (0, "module", "did you mean `add_add_const`?")),
        (&["--explain-miss=no_such_rule"], (0, "module", "knows no rule `no_such_rule`")),
        (&["--explain=E0130000"], (2, "", "no error code")),
        (&["--no-such-option"], (2, "", "unexpected argument")),
        (&["another.mlir"], (2, "", "unexpected argument")),
        (&["-o", "/no/such/folder/out.mlir"], (1, "", "E0403")),
        (&["--reproducer=/no/such/folder/r.mlir", "--pipeline=cse"], (0, "module", "")),
    ];
    for (n, (args, wanted)) in table.iter().enumerate() {
        expect(&format!("bad-{n}"), INPUT, args, *wanted);
    }
}

#[test]
fn options_that_change_what_is_accepted() {
    let other = "\"some.op\"() : () -> ()\n";
    expect("unregistered", other, &[], (1, "", "some.op"));
    expect("registered", other, &["--allow-unregistered-dialect"], (0, "\"some.op\"()", ""));
    let split = "func.func private @f()\n// -----\nfunc.func private @f()\n";
    expect("one-file", split, &[], (1, "", "symbol `@f` is defined twice"));
    expect("two-files", split, &["--split-input-file"], (0, "// -----", ""));
    let wrong = "// expected-error@+1 {{expected}}\nfunc.func(\n";
    expect("expected", wrong, &["--verify-diagnostics"], (0, "", ""));
    expect("not-expected", "func.func(\n", &["--verify-diagnostics"], (1, "", "unexpected"));
}

/// A pass that fails leaves a test file, which `--pipeline` text and input are in
#[test]
fn a_reproducer_is_written() {
    let file =
        std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.found", std::process::id()));
    let flag = format!("--reproducer={}", file.display());
    let text = "func.func @f(%x: f64) -> f8E8M0FNU {\n  %r = arith.truncf %x upward : f64 to f8E8M0FNU\n  return %r : f8E8M0FNU\n}\n";
    expect("fails", text, &[&flag, "--pipeline=cse,expand-floats"], (1, "", "reproducer written to"));
    let found = std::fs::read_to_string(&file).expect("it was written");
    let _ = std::fs::remove_file(file);
    assert!(found.starts_with("// test: opt --pipeline=\"builtin.module(cse,expand-floats)\""), "{found}");
    assert!(found.contains("arith.truncf %x upward"), "{found}");
}

#[test]
fn units_are_threads_that_schedules_are_for() {
    let text = "func.func @f(%x: tensor<600x1001xf32>) -> tensor<600xf32> {
  %y = mdh.compute (i in 600, j in 1001 pw add) ins(%a = %x[i, j]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<600x1001xf32>) -> tensor<600xf32>
  return %y : tensor<600xf32>
}
";
    let device = ["--explain-schedule", "--device=x86-64-v4"];
    for (units, part) in [("--units=2", "(300,"), ("--units=3", "(200,"), ("--units=6", "(100,")] {
        expect("units", text, &[device[0], device[1], units], (0, part, ""));
    }
    expect("units-0", text, &["--units=0"], (2, "", "1..=1024"));
    expect("units-of-a-pass", text, &["--pipeline=func.func(mdh-schedule{units=-1})"], (1, "", "0 to 1024"));
}
