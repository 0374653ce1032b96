//! The command `terrace-filetest`: what it takes, what it refuses, how it ends.

use std::path::PathBuf;
use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_terrace-filetest")).args(args).output().expect("cargo built the tool")
}

#[track_caller]
fn expect(args: &[&str], code: i32, text: &str) {
    let out = run(args);
    let said = format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert_eq!(out.status.code(), Some(code), "{args:?}\n{said}");
    assert!(said.contains(text), "{args:?}\n{said}");
}

/// A folder of two tests, of which one fails
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder for temporary files of tests can be written");
    let text = "// test: opt --pipeline=cse\n// check: @f\nfunc.func private @f()\n";
    std::fs::write(folder.join("good.mlir"), text).expect("it can be written");
    std::fs::write(folder.join("wrong.mlir"), text.replace("check: @f", "check: @g"))
        .expect("it can be written");
    folder
}

#[test]
fn folders_files_and_filters() {
    let folder = folder("command");
    let path = folder.to_str().expect("the path is text");
    expect(&[path], 1, "1 passed; 1 failed");
    expect(&[path, "good"], 0, "1 passed; 0 failed");
    expect(&[path, "--list"], 0, "wrong: test");
    expect(&[path, "no-such-test"], 1, "no test has `no-such-test` in its name");
    expect(&[&format!("{path}/good.mlir")], 0, "1 passed; 0 failed");
    expect(&[&format!("{path}/wrong.mlir")], 1, "0 passed; 1 failed");
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn misuse() {
    expect(&[], 2, "usage: terrace-filetest DIR");
    expect(&["--help"], 0, "Examples:");
    expect(&["--version"], 0, "terrace-filetest 0.");
    expect(&["no-such-folder"], 1, "cannot read `no-such-folder`");
}

/// The harness panics where it cannot print; a full disk is an error, and a reader that has seen enough is none
#[test]
#[cfg(target_os = "linux")]
fn an_output_that_ends() {
    let folder = folder("ends");
    let path = folder.to_str().expect("the path is text");
    for (args, ending, code) in [
        ("--help", ">/dev/full", 1),
        ("--list", ">/dev/full", 1),
        ("good", ">/dev/full", 1),
        ("good", ">&-", 1),
        ("--list", "| true", 0),
        ("good", "| true", 0),
        ("wrong", "| true", 1),
    ] {
        let words = if args.starts_with("--help") { args.to_owned() } else { format!("{path} {args}") };
        let script = format!("set -o pipefail; \"$0\" {words} {ending}");
        let mut shell = Command::new("bash");
        let out = shell.args(["-c", &script, env!("CARGO_BIN_EXE_terrace-filetest")]).output();
        let out = out.expect("there is a shell");
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(code), "{args} {ending}: {said}");
        assert!(!said.contains("panicked"), "{args} {ending}: {said}");
    }
    let _ = std::fs::remove_dir_all(folder);
}
