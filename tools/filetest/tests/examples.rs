//! The examples in the documentation of ops are tests: they parse, verify, round-trip, and upstream accepts what we print.

use std::io::Write;
use std::process::{Command, Stdio};
use terrace_opt::{Tool, run_on};

const TOOL: Tool = Tool::OPT;

/// Each op's name with the `mlir` blocks of its documentation
fn examples() -> (Vec<(&'static str, String)>, Vec<&'static str>) {
    let (mut all, mut without) = (Vec::new(), Vec::new());
    for dialect in terrace_opt::all_dialects() {
        for op in dialect.ops {
            let blocks: Vec<String> = op
                .docs
                .split("```mlir\n")
                .skip(1)
                .filter_map(|rest| rest.split_once("```").map(|(text, _)| text.to_string()))
                .collect();
            if blocks.is_empty() {
                without.push(op.name);
            }
            all.extend(blocks.into_iter().map(|text| (op.name, text)));
        }
    }
    (all, without)
}

fn print(name: &str, text: &str, form: &str) -> String {
    let finished =
        run_on(TOOL, &[format!("--emit={form}"), "--allow-unregistered-dialect".into()], name, text)
            .expect("the arguments are right");
    assert!(!finished.failed, "{name} ({form}):\n{}\n{text}", finished.messages);
    String::from_utf8(finished.out.expect("it did not fail")).expect("text is UTF-8")
}

#[test]
fn parse_verify_and_round_trip() {
    let (all, _) = examples();
    assert!(all.len() > 20);
    for (name, text) in all {
        for form in ["mlir", "generic"] {
            let once = print(name, &text, form);
            assert_eq!(once, print(name, &once, form), "{name}");
            assert_eq!(print(name, &once, "mlir"), print(name, &text, "mlir"), "{name}");
        }
        let op = name.split_once('.').map_or(name, |(_, mnemonic)| mnemonic);
        assert!(print(name, &text, "generic").contains(op), "the example of {name} does not show it");
    }
}

#[test]
fn every_op_has_one() {
    let (_, without) = examples();
    assert!(without.is_empty(), "{} ops without an example: {}", without.len(), without.join(" "));
}

#[test]
fn upstream_accepts_what_we_print() {
    let tool = ["mlir-opt-22", "/usr/lib/llvm-22/bin/mlir-opt"]
        .into_iter()
        .find(|tool| Command::new(tool).arg("--version").output().is_ok_and(|out| out.status.success()));
    let Some(tool) = tool else {
        println!("skipped: upstream_accepts_what_we_print (needs mlir-opt)");
        return;
    };
    // All in one run: cases are split as upstream does.
    for form in ["mlir", "generic"] {
        // Dialects that upstream does not have go in generic form and unregistered.
        let ours = |name: &str| {
            terrace_dialect_upstream::ALL
                .iter()
                .all(|dialect| !name.starts_with(&format!("{}.", dialect.name)))
                && name.contains('.')
        };
        let form_of = |name: &str| if ours(name) { "generic" } else { form };
        let cases: Vec<String> =
            examples().0.iter().map(|(name, text)| print(name, text, form_of(name))).collect();
        let mut child = Command::new(tool)
            .args(["--split-input-file", "--allow-unregistered-dialect", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it ran a moment ago");
        let input = cases.join("// -----\n");
        child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("it reads all");
        let out = child.wait_with_output().expect("it ends");
        assert!(out.status.success(), "{form}:\n{}", String::from_utf8_lossy(&out.stderr));
        // And what it prints comes back.
        let back = String::from_utf8(out.stdout).expect("text is UTF-8");
        let finished = run_on(
            TOOL,
            &["--split-input-file".into(), "--allow-unregistered-dialect".into()],
            "upstream",
            &back,
        )
        .expect("the arguments are right");
        assert!(!finished.failed, "{form}:\n{}", finished.messages);
    }
}
