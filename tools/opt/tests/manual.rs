//! Completions for shells, and the manual page.

use std::io::Write;
use std::process::{Command, Stdio};

fn printed(args: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_terrace-opt")).args(args).output().expect("the tool starts");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("it is text")
}

#[test]
fn completions_are_scripts_of_the_shell() {
    let script = printed(&["--completions=bash"]);
    assert!(script.contains("--pipeline") && script.contains("terrace-opt"), "{script}");
    for shell in ["elvish", "fish", "powershell", "zsh"] {
        assert!(printed(&["--completions", shell]).contains("pipeline"), "{shell}");
    }
    let Ok(mut bash) = Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn() else {
        println!("skipped: completions_are_scripts_of_the_shell (needs bash)");
        return;
    };
    let mut stdin = bash.stdin.take().expect("it is piped");
    stdin.write_all(script.as_bytes()).expect("bash reads");
    drop(stdin);
    assert!(bash.wait().expect("bash ends").success());
}

#[test]
fn the_manual_page_has_every_option() {
    let page = printed(&["--man"]);
    assert!(page.contains(".TH terrace-opt 1"), "{page}");
    for option in ["pipeline", "emit", "completions", "man"] {
        assert!(page.contains(&format!("\\-\\-{option}")), "{option}:\n{page}");
    }
}

#[test]
fn they_stand_alone() {
    let out = Command::new(env!("CARGO_BIN_EXE_terrace-opt")).args(["--man", "x.mlir"]).output();
    let out = out.expect("the tool starts");
    let message = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{message}");
    assert!(message.contains("cannot be used with"), "{message}");
}
