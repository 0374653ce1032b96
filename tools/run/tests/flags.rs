//! Every option of `terrace-run` in the interpreter: what it does, and what it says to a value it does not take.

use crate::common;

use common::run;

const SCALE: &str = "\
func.func @scale(%x: memref<4xf32> {terrace.name = \"in\"}, %y: memref<4xf32>, %s: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.load %x[%i] : memref<4xf32>
    %b = arith.mulf %a, %s : f32
    memref.store %b, %y[%i] : memref<4xf32>
  }
  return %s : f32
}
";

/// Exit code, a piece of standard output, a piece of standard error; empty for nothing at all
type Wanted<'a> = (i32, &'a str, &'a str);

fn all(test: &str, table: &[(&[&str], Wanted<'_>)]) {
    for (n, (args, (code, out, err))) in table.iter().enumerate() {
        let found = run(&format!("{test}-{n}"), SCALE, args);
        let (stdout, stderr) =
            (String::from_utf8_lossy(&found.stdout), String::from_utf8_lossy(&found.stderr));
        assert_eq!(found.status.code(), Some(*code), "{args:?}\n{stderr}");
        let holds =
            |piece: &str, all: &str| if piece.is_empty() { all.is_empty() } else { all.contains(piece) };
        assert!(holds(out, &stdout), "{args:?} should print `{out}`, but:\n{stdout}");
        assert!(holds(err, &stderr), "{args:?} should say `{err}`, but:\n{stderr}");
    }
}

#[test]
fn good_values() {
    let (x, s) = ("--in=in=iota", "--in=s=fill:2");
    all(
        "good",
        &[
            (&[x, s], (0, "y : 4xf32 = 0, 2, 4, 6", "")),
            // By position, and by a name that `terrace.name` hides.
            (&["--in=0=iota", "--in=2=fill:0.5"], (0, "y : 4xf32 = 0, 0.5, 1, 1.5", "")),
            (&[x, s, "--entry=@scale"], (0, "s : f32 = 2", "")),
            (&[x, s, "--entry=scale"], (0, "s : f32 = 2", "")),
            (&["--in=in=random:7", s], (0, "y : 4xf32", "")),
            (&[x, s, "--on=interp", "--order=reverse"], (0, "y : 4xf32 = 0, 2, 4, 6", "")),
            (&[x, s, "--pipeline=canonicalize,convert-scf-to-cf"], (0, "y : 4xf32 = 0, 2, 4, 6", "")),
            (&[x, s, "--compare=interp,interp"], (0, "y: all 4 elements agree", "")),
            (&[x, s, "--compare=interp,interp", "--tolerance=exact"], (0, "y: all 4 elements agree", "")),
            (&[x, s, "--compare=interp,interp", "--tolerance=1e-6,1e-3"], (0, "y: all 4 elements agree", "")),
            (&[x, s, "--bench=2"], (0, "\"runs\":2", "")),
            (&[x, s, "--bench=2", "--flops=8"], (0, "gflops", "")),
            (&[x, s, "--threads=2"], (0, "s : f32 = 2", "")),
            (&["--help"], (0, "Exit codes", "")),
            (&["--version"], (0, "terrace-run ", "")),
        ],
    );
}

#[test]
fn bad_values() {
    let (x, s) = ("--in=in=iota", "--in=s=fill:2");
    all(
        "bad",
        &[
            (&[x, s, "--entry=@scales"], (1, "", "did you mean @scale?")),
            (&[x, s, "--entry=@other"], (1, "", "there are @scale")),
            (&[x, s, "--input=mhd"], (2, "", "[possible values: mlir, c, composite, mdh, onnx, tensor]")),
            (&[x], (1, "", "argument `s` is not given")),
            (&["--in=x=iota", s], (1, "", "it has in, y, s")),
            (&["--in=in", s], (2, "", "expected NAME=SOURCE")),
            (&["--in=in=random:x", s], (2, "", "must be a number of 64 bits")),
            (&["--in=in=no-such-file.npy", s], (1, "", "E0401")),
            (&[x, "--in=s=fill:two"], (1, "", "the value two does not fit in f32")),
            (&[x, s, "--out=z=z.npy"], (1, "", "no result or argument `z`")),
            (&[x, s, "--out=y=/no/such/folder/y.npy"], (1, "", "E0403")),
            (&[x, s, "--out=y"], (2, "", "--out")),
            (
                &[x, s, "--on=gpu"],
                (
                    2,
                    "",
                    "[possible values: interp, host, openmp, opencl, cuda, mlir, ptx, spirv, hls, calyx]",
                ),
            ),
            (&[x, s, "--compare=interp,gpu"], (2, "", "invalid value 'gpu'")),
            (&[x, s, "--tolerance=near"], (2, "", "expected `auto`, `exact`")),
            (&[x, s, "--bench=0"], (2, "", "expected 1 to 1000000")),
            (&[x, s, "--pipeline=canonicalise"], (1, "", "did you mean `canonicalize`?")),
            (&[x, s, "--shape=in=5"], (1, "", "4")),
            (&[x, s, "--order=sideways"], (2, "", "--order")),
            (&[x, s, "--fuel=3"], (1, "", "ran for too long")),
            (&[x, s, "--threads=0"], (2, "", "1..=1024")),
            (&[x, s, "--no-such-option"], (2, "", "unexpected argument")),
        ],
    );
}

#[test]
#[cfg(target_os = "linux")]
fn results_on_a_full_disk_are_an_error() {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("Linux has it");
    let text = "func.func @f() -> i32 {\n  %c = arith.constant 7 : i32\n  return %c : i32\n}\n";
    let status = common::command("full-disk", text, &[]).stdout(full).status();
    assert_eq!(status.expect("cargo built the tool").code(), Some(1));
}

/// A program that asks for more memory than there is stops with an error; it is not ended by the system
#[test]
#[cfg(target_os = "linux")]
fn memory_that_ends_is_an_error() {
    let allocates = "func.func @f() {\n  %m = memref.alloc() : memref<200000000xf32>\n  return\n}\n";
    let races = "\
func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 30000000 : index
  %m = memref.alloc() : memref<30000000xindex>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %i, %m[%i] : memref<30000000xindex>
    scf.reduce
  }
  return
}
";
    let splat = "\
func.func @f() -> tensor<16000000xf32> {
  %c = arith.constant 0.0 : f32
  %m = tensor.splat %c : tensor<16000000xf32>
  return %m : tensor<16000000xf32>
}
";
    for (name, text) in [("allocates", allocates), ("races", races), ("splat", splat)] {
        let tool = common::command(name, text, &[]);
        let mut shell = std::process::Command::new("sh");
        shell
            .args(["-c", "ulimit -v 450000; exec \"$0\" \"$@\""])
            .arg(tool.get_program())
            .args(tool.get_args());
        common::refused(&shell.output().expect("there is a shell"), 1, "error[E0306]");
    }
}

/// Schedules are for as many threads as `--units` names, or `--threads`; without both for those of the device's file, so that results do not
/// depend on the machine
#[test]
fn schedules_are_for_the_threads_that_are_named() {
    let text = "func.func @f(%x: tensor<600x101xf32>) -> tensor<600xf32> {
  %y = mdh.compute (i in 600, j in 101 pw add) ins(%a = %x[i, j]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<600x101xf32>) -> tensor<600xf32>
  return %y : tensor<600xf32>
}
";
    let said = |test: &str, threads: &[&str]| {
        let choose = "--pipeline=func.func(mdh-schedule{target=x86-64-v4 explain=text})";
        let found = run(test, text, &[&["--in=x=random:1", choose], threads].concat());
        assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
        String::from_utf8_lossy(&found.stderr).into_owned()
    };
    let two = "(300,";
    let (six, four) = ("(100,", "(150,");
    for (test, flags, tile) in [
        ("units", &["--units=2"][..], two),
        ("six", &["--units=6"], six),
        ("threads", &["--threads=2"], two),
        ("both", &["--threads=2", "--units=6"], six),
        ("none", &[], four),
    ] {
        let found = said(test, flags);
        assert!(found.contains(tile), "{flags:?}: {found}");
    }
}
