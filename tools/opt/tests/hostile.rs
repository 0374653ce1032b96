//! Hostile inputs on the real binary: exit codes, a diagnostic instead of a panic, nothing half-written.
//!
//! What passes do to valid programs is tested elsewhere; here the input or the command line is wrong or extreme.

use std::path::PathBuf;
use std::process::{Command, Output};

/// Run the tool on a file of this content, with more arguments
fn run(name: &str, content: &[u8], args: &[&str]) -> Output {
    let file = place(name);
    std::fs::write(&file, content).expect("the folder for temporary files of tests can be written");
    let out = tool(&[&[file.to_str().expect("the build folder's name is text")], args].concat());
    let _ = std::fs::remove_file(&file);
    out
}

fn place(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.{}.mlir", std::process::id()))
}

fn tool(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_terrace-opt")).args(args).output().expect("cargo built the tool")
}

/// The run ended with this code, by itself, without a panic; a failing one says why and prints no IR
fn expect(out: &Output, code: i32) {
    let messages = String::from_utf8_lossy(&out.stderr);
    let start: String = messages.chars().take(2000).collect();
    assert_eq!(out.status.code(), Some(code), "{start}");
    assert!(!messages.contains("panicked") && !messages.contains("RUST_BACKTRACE"), "{start}");
    if code != 0 {
        assert!(!messages.is_empty(), "failed without a word");
        assert!(out.stdout.is_empty(), "output of a failed run");
    }
}

const VALID: &str = "func.func @f(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  return %0 : i32\n}\n";

#[test]
fn valid_input_exits_with_0() {
    expect(&run("valid", VALID.as_bytes(), &[]), 0);
}

#[test]
fn truncated_anywhere() {
    for end in 1..VALID.len() - 2 {
        let out = run("truncated", &VALID.as_bytes()[..end], &[]);
        expect(&out, 1);
    }
}

#[test]
fn unknown_op() {
    expect(&run("unknown_op", b"\"nobody.knows\"() : () -> ()\n", &[]), 1);
}

#[test]
fn unknown_pass() {
    expect(&run("unknown_pass", VALID.as_bytes(), &["--pipeline=no-such-pass"]), 1);
}

#[test]
fn unknown_option_is_misuse() {
    expect(&run("unknown_option", VALID.as_bytes(), &["--no-such-option"]), 2);
}

#[test]
fn wrong_types() {
    let text = VALID.replace("addi %a, %a : i32", "addi %a, %a : f32");
    expect(&run("wrong_types", text.as_bytes(), &[]), 1);
}

#[test]
fn use_before_definition_in_a_circle() {
    let text =
        "func.func @f() {\n  %0 = arith.addi %1, %1 : i32\n  %1 = arith.addi %0, %0 : i32\n  return\n}\n";
    expect(&run("circle", text.as_bytes(), &[]), 1);
}

#[test]
fn deep_generic_regions_are_fine() {
    let depth = 10_000;
    let text = format!("{}{}", "\"t.r\"() ({\n".repeat(depth), "}) : () -> ()\n".repeat(depth));
    let out = run("deep_generic", text.as_bytes(), &["--allow-unregistered-dialect"]);
    expect(&out, 0);
}

#[test]
fn deep_conditions_are_fine() {
    let depth = 10_000;
    let text = format!(
        "func.func @f(%c: i1) {{\n{}{}return\n}}\n",
        "scf.if %c {\n".repeat(depth),
        "}\n".repeat(depth)
    );
    let out = run("deep_if", text.as_bytes(), &[]);
    expect(&out, 0);
    assert!(out.stdout.len() < 20 << 20, "indentation grows with the square of the depth");
}

#[test]
fn deep_modules_go_through_passes() {
    let depth = 30_000;
    let text = format!("{}{}", "module {\n".repeat(depth), "}\n".repeat(depth));
    expect(&run("deep_modules", text.as_bytes(), &["--pipeline=canonicalize,cse,inline,symbol-dce"]), 0);
}

#[test]
fn a_line_of_20_megabytes() {
    let mut text = vec![b'%'; 20 << 20];
    text.push(b'\n');
    let out = run("long_line", &text, &[]);
    expect(&out, 1);
}

#[test]
fn not_utf_8() {
    expect(&run("not_utf_8", b"// \xff\xfe\n", &[]), 1);
}

#[test]
fn missing_file() {
    expect(&tool(&["/no/such/file.mlir"]), 1);
}

#[test]
fn output_that_cannot_be_written() {
    expect(&run("unwritable", VALID.as_bytes(), &["-o", "/no/such/folder/out.mlir"]), 1);
}

#[test]
fn failed_run_leaves_the_old_output() {
    let old = place("old_output");
    std::fs::write(&old, "old").expect("the folder for temporary files of tests can be written");
    let out = run("failing", b"func.func @f(", &["-o", old.to_str().expect("text")]);
    let left = std::fs::read(&old).expect("it was there");
    let _ = std::fs::remove_file(&old);
    expect(&out, 1);
    assert_eq!(left, b"old");
}

#[test]
fn a_mark_of_byte_order_belongs_to_no_language() {
    let text = format!("\u{feff}{VALID}");
    expect(&run("byte_order", text.as_bytes(), &[]), 0);
}

/// `|& head`: who reads the messages has seen enough
#[test]
#[cfg(unix)]
fn messages_that_nobody_reads() {
    use std::process::Stdio;
    let mut child = Command::new(env!("CARGO_BIN_EXE_terrace-opt"))
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("cargo built the tool");
    drop(child.stderr.take());
    // It waits for its input, so the pipe is closed before it says anything.
    std::io::copy(&mut &b"func.func @f("[..], &mut child.stdin.take().expect("piped")).expect("it reads");
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    for args in [&["--help"][..], &["--list-rules"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("Linux has it");
        let status = Command::new(env!("CARGO_BIN_EXE_terrace-opt")).args(args).stdout(full).status();
        assert_eq!(status.expect("cargo built the tool").code(), Some(1), "{args:?}");
    }
}

/// What goes to a standard output that is not there is lost, so it is an error
#[test]
#[cfg(unix)]
fn a_closed_standard_output_is_an_error() {
    let file = place("closed");
    std::fs::write(&file, VALID).expect("the folder for temporary files of tests can be written");
    let file = file.to_str().expect("text");
    for (args, code) in
        [(["--help", "--help"], 1), ([file, "--verify-each"], 1), ([file, "--output=/dev/null"], 0)]
    {
        let script = "exec \"$0\" \"$@\" >&-";
        let mut shell = Command::new("sh");
        shell.args(["-c", script, env!("CARGO_BIN_EXE_terrace-opt")]).args(args);
        let out = shell.output().expect("there is a shell");
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(code), "{args:?}: {said}");
    }
}

#[test]
#[cfg(unix)]
fn an_output_keeps_its_permissions_and_its_link() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let (old, link) = (place("kept"), place("link"));
    std::fs::write(&old, "old").expect("the folder for temporary files of tests can be written");
    std::fs::set_permissions(&old, PermissionsExt::from_mode(0o600)).expect("it is ours");
    let _ = std::fs::remove_file(&link);
    symlink(&old, &link).expect("links can be made");
    let out = run("linked", VALID.as_bytes(), &["-o", link.to_str().expect("text")]);
    let (mode, text) = (std::fs::metadata(&old), std::fs::read(&old));
    let still = std::fs::symlink_metadata(&link).is_ok_and(|meta| meta.is_symlink());
    let _ = (std::fs::remove_file(&old), std::fs::remove_file(&link));
    expect(&out, 0);
    assert_eq!(mode.expect("it is there").permissions().mode() & 0o777, 0o600);
    assert!(still && text.expect("it is there") != b"old");
}

/// What does not end is not read to its end: a device by its name, and on standard input
#[test]
fn input_without_end() {
    let endless = "/dev/zero";
    let Ok(file) = std::fs::File::open(endless) else {
        println!("skipped: input_without_end (needs {endless})");
        return;
    };
    let named = tool(&[endless]);
    let piped =
        Command::new(env!("CARGO_BIN_EXE_terrace-opt")).stdin(file).output().expect("cargo built the tool");
    for out in [named, piped] {
        let messages = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(messages.contains("E0404"), "{messages}");
        expect(&out, 1);
    }
}
