//! What is refused, and in which words.

use super::{SUMS, Seen, folder, on, run};
use std::io::Write;
use std::process::{Command, Stdio};

#[track_caller]
fn refused(args: &[&str], message: &str) {
    let test = format!(
        "refused-{:x}",
        args.iter()
            .flat_map(|arg| arg.bytes())
            .fold(7u64, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()))
    );
    let seen = on(&test, SUMS, args);
    assert_eq!(seen.code, Some(1), "{args:?}");
    assert_eq!(seen.out, "", "{args:?}");
    assert!(seen.err.contains(message), "{args:?} should say `{message}`, but:\n{}", seen.err);
}

#[test]
fn misspellings() {
    refused(&["--cannonicalize"], "Did you mean '--canonicalize'?");
    refused(&["--mlir-print-ir-afer-all"], "Did you mean '--mlir-print-ir-after-all'?");
    refused(&["--canonicalize=foo=1"], "error: <Pass-Options-Parser>: no such option foo\n");
    refused(
        &["--pass-pipeline=builtin.module(cs)"],
        "'cs' does not refer to a registered pass or pass pipeline\ncs\n^\n",
    );
    refused(
        &["--mlir-print-ir-after=nope"],
        "for the --mlir-print-ir-after option: Cannot find option named 'nope'!",
    );
}

#[test]
fn values_that_options_do_not_take() {
    refused(&["--mlir-disable-threading=maybe"], "'maybe' is invalid value for boolean argument! Try 0 or 1");
    refused(&["--mlir-elide-elementsattrs-if-larger=x"], "'x' value invalid for uint argument!");
    refused(&["--mlir-timing-display=x"], "Cannot find option named 'x'!");
    refused(&["--canonicalize=max-iterations=x"], "'x' value invalid for long argument!");
    refused(&["--split-input-file= "], "' ' is no marker");
    refused(&["--mlir-elide-elementsattrs-if-larger=-0x1"], "'-0x1' value invalid for uint argument!");
    refused(&["-o"], "for the -o option: requires a value!");
    refused(&["other.mlir"], "Too many positional arguments specified!");
}

#[test]
fn pipelines() {
    refused(&["--pass-pipeline=cse"], "expected pass pipeline to be wrapped with the anchor operation type");
    refused(
        &["--pass-pipeline=func.func(cse)"],
        "in.mlir:0:0: error: can't run 'func.func' pass manager on 'builtin.module' op",
    );
    refused(
        &["--pass-pipeline=builtin.module(cse)", "-cse"],
        "'-pass-pipeline' option can't be used with individual pass options",
    );
    refused(
        &["--affine-loop-unroll"],
        "unable to schedule pass 'AffineLoopUnroll' on a PassManager intended to run on 'builtin.module'!",
    );
    refused(&["--pass-pipeline=builtin.module(affine-parallelize)"], "did you intend to nest?");
}

#[test]
fn what_is_not_here_names_the_nearest() {
    refused(
        &["--one-shot-bufferize"],
        "pass 'one-shot-bufferize' of MLIR is not in this tool; nearest: 'tensors-to-memory'",
    );
    refused(&["--test-print-nesting"], "is one of MLIR's own tests");
    refused(
        &["--elide-resource-data-from-bytecode"],
        "option '--elide-resource-data-from-bytecode' is not in this tool: data of resources are written",
    );
    refused(&["--load-dialect-plugin=x"], "`docs/your-own-dialect.md`");
    refused(&["--x86-align-branch=x"], "is one of LLVM's libraries");
    refused(&["--canonicalize=region-simplify=aggressive"], "nearest: 'region-simplify=normal'");
    refused(
        &["--canonicalize=max-num-rewrites=3"],
        "option 'max-num-rewrites=3' of pass 'canonicalize' is not in this tool",
    );
    refused(
        &["--canonicalize=max-iterations=1"],
        "option 'max-iterations=1' of pass 'canonicalize' is not in this tool",
    );
    refused(
        &["--canonicalize=top-down=false"],
        "option 'top-down=false' of pass 'canonicalize' is not in this tool",
    );
    refused(
        &["--arith-expand=include-f4e2m1"],
        "option 'include-f4e2m1=true' of pass 'arith-expand' is not in this tool; nearest: 'expand-floats'",
    );
    refused(&["--arith-expand=include-bf16"], "back ends convert bf16");
    refused(
        &["--buffer-deallocation-pipeline"],
        "pipeline 'buffer-deallocation-pipeline' of MLIR is not in this tool",
    );
}

#[test]
fn a_factor_that_repeats_nothing_is_refused() {
    for factor in ["0", "-2"] {
        refused(
            &[&format!(
                "--pass-pipeline=builtin.module(func.func(affine-loop-unroll{{unroll-factor={factor}}}))"
            )],
            "unroll-factor",
        );
    }
    refused(
        &["--pass-pipeline=builtin.module(func.func(affine-loop-unroll{unroll-factor=-2}))"],
        "option `unroll-factor` takes an integer of at least 1, or -1, not `-2`",
    );
}

/// What fails without a message that the file expects fails, although messages are compared
#[test]
fn refusals_where_messages_are_compared() {
    for (args, message) in [
        ("-one-shot-bufferize", "error: pass 'one-shot-bufferize' of MLIR is not in this tool"),
        ("-canonicalize=max-num-rewrites=3", "error: option 'max-num-rewrites=3' of pass"),
        ("--mlir-generate-reproducer=/nonexist/x", "/nonexist/x"),
        ("--pass-pipeline=builtin.module(nonsense)", "<unknown>:0: error: unexpected error: MLIR Textual"),
        (
            "-cse --pass-pipeline=builtin.module(cse)",
            "<unknown>:0: error: unexpected error: '-pass-pipeline'",
        ),
        ("-affine-loop-unroll", "<unknown>:0: error: unexpected error: unable to schedule pass"),
        ("-canonicalize=max-iterations=x", "mlir-opt: for the --max-iterations option: 'x' value invalid"),
        ("--pass-pipeline=func.func(cse)", "in.mlir:0:0: error: unexpected error: can't run 'func.func'"),
        (
            "--no-implicit-module --pass-pipeline=builtin.module(cse)",
            "in.mlir:1:1: error: unexpected error: ",
        ),
    ] {
        let args: Vec<&str> = args.split(' ').chain(["--verify-diagnostics"]).collect();
        refused(&args, message);
    }
    let expecting = format!("// expected-error@unknown {{{{does not refer}}}}\n{SUMS}");
    let seen = on("expecting", &expecting, &["--verify-diagnostics", "--pass-pipeline=builtin.module(x)"]);
    assert_eq!((seen.code, &*seen.err), (Some(0), ""));
    for (args, code) in [
        ("-one-shot-bufferize", 1),
        ("--pass-pipeline=builtin.module(x)", 0),
        ("--pass-pipeline=func.func(cse)", 0),
    ] {
        let seen = on("only-expecting", SUMS, &["--verify-diagnostics=only-expected", args]);
        assert_eq!(seen.code, Some(code), "{args}: {}", seen.err);
    }
}

#[test]
fn files() {
    let folder = folder("files");
    let say = |args: &[&str]| String::from_utf8_lossy(&run(&folder, args).stderr).into_owned();
    assert_eq!(say(&["none.mlir"]), "cannot open input file 'none.mlir': No such file or directory\n");
    std::fs::write(folder.join("in.mlir"), SUMS).expect("it can be written");
    assert_eq!(
        say(&["in.mlir", "-o", "none/x"]),
        "cannot open output file 'none/x': No such file or directory\n"
    );
    std::fs::write(folder.join("latin.mlir"), b"// \xff\n").expect("it can be written");
    assert_eq!(say(&["latin.mlir"]), "cannot open input file 'latin.mlir': not UTF-8 from byte 3\n");
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn hostile_command_lines_end() {
    let deep = "func.func(".repeat(10_000);
    let pipeline = format!("--pass-pipeline=builtin.module({deep})");
    for args in [
        &["--pass-pipeline=("][..],
        &["--pass-pipeline=)"],
        &["--pass-pipeline=a(b{c"],
        &["--pass-pipeline=builtin.module(canonicalize{a={}})"],
        &["--pass-pipeline=builtin.module(canonicalize{=})"],
        &["--pass-pipeline=builtin.module(\u{e9}(\u{e9}{\u{e9}}))"],
        &["--canonicalize=disable-patterns='"],
        &["--canonicalize=disable-patterns=\"\u{e9}"],
        &["--="],
        &["--cse=}"],
        &["---"],
        &[&pipeline],
    ] {
        let name: usize = args.iter().map(|arg| arg.len()).sum();
        let seen = on(&format!("hostile-{name}"), SUMS, args);
        assert_eq!(seen.code, Some(1), "{args:?}");
        assert!(!seen.err.contains("panicked"), "{args:?}\n{}", seen.err);
    }
}

/// Messages about standard input have its name, as MLIR's have
#[test]
fn standard_input_has_a_name() {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_terrace-opt"));
    tool.arg("--as=mlir-opt").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = tool.spawn().expect("cargo built the tool");
    let mut input = child.stdin.take().expect("it is a pipe");
    input.write_all(b"func.func @f(%x: i32) -> i64 {\n  return %x : i32\n}\n").expect("it is read");
    drop(input);
    let seen = Seen::from(child.wait_with_output().expect("it ends"));
    assert!(seen.code == Some(1) && seen.err.starts_with("<stdin>:2:"), "{}", seen.err);
}
