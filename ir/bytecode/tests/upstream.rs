//! `mlir-opt` reads what is written here, and the other way round.

use crate::common::{context, generic, parse, parts, written};
use std::io::Write;
use std::process::{Command, Stdio};
use terrace_bytecode::{ReadOptions, VERSION, read};
use terrace_diag::Diags;

/// Of the repository's programs, one in so many: each starts the tool four times
const ONE_IN: usize = 8;

fn tool() -> Option<&'static str> {
    let tools = ["mlir-opt-22", "/usr/lib/llvm-22/bin/mlir-opt"];
    tools
        .into_iter()
        .find(|tool| Command::new(tool).arg("--version").output().is_ok_and(|out| out.status.success()))
}

fn run(tool: &str, args: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
    let mut child = Command::new(tool)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tool starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    // It may end before it has read all.
    let _ = stdin.write_all(input);
    drop(stdin);
    let out = child.wait_with_output().expect("the tool ends");
    if out.status.success() { Ok(out.stdout) } else { Err(String::from_utf8_lossy(&out.stderr).into_owned()) }
}

#[test]
fn both_ways() {
    let Some(tool) = tool() else {
        println!("skipped: both_ways (needs mlir-opt)");
        return;
    };
    let print = ["--mlir-print-op-generic", "--mlir-print-local-scope", "-"];
    let (mut count, mut wrong) = (0, Vec::new());
    for (name, text) in parts().into_iter().step_by(ONE_IN) {
        let cx = context();
        let Some(ir) = parse(&cx, &name, &text, false) else { continue };
        // What upstream refuses is of no use here.
        let Ok(expected) = run(tool, &print, text.as_bytes()) else { continue };
        // The next program takes the next version.
        let version = count as u64 % (VERSION + 1);
        let of_version = format!("--emit-bytecode-version={version}");
        let Ok(theirs) = run(tool, &["--emit-bytecode", &of_version, "-"], text.as_bytes()) else { continue };
        count += 1;
        let name = format!("{name}, version {version}");
        match run(tool, &print, &written(&ir, version)) {
            Ok(text) if text == expected => {}
            Ok(text) => wrong.push(format!(
                "{name}: upstream reads{}",
                difference(&String::from_utf8_lossy(&text), &String::from_utf8_lossy(&expected))
            )),
            Err(error) => wrong.push(format!("{name}: upstream reads nothing: {error}")),
        }
        let mut diags = Diags::default();
        let Some(read) = read(&cx, &name, &theirs, ReadOptions::default(), &mut diags) else {
            wrong.push(terrace_diag::render_all(diags.iter(), cx.sources(), false));
            continue;
        };
        let (read, own) = (generic(&read, false), generic(&ir, false));
        if read != own {
            wrong.push(format!("{name}: read from upstream{}", difference(&read, &own)));
        }
    }
    assert!(wrong.is_empty(), "{} of {count} wrong\n{}", wrong.len(), wrong.join("\n----\n"));
    assert!(count >= 240 / ONE_IN, "only {count} programs were tried");
}

/// The first lines that differ
fn difference(have: &str, want: &str) -> String {
    let (mut have, mut want) = (have.lines(), want.lines());
    loop {
        match (have.next(), want.next()) {
            (Some(a), Some(b)) if a == b => {}
            (a, b) => {
                return format!("\n{}\nin the place of\n{}", a.unwrap_or("the end"), b.unwrap_or("the end"));
            }
        }
    }
}

/// Properties that are C++ values upstream, in both versions of writing them
#[test]
fn values_of_properties() {
    let Some(tool) = tool() else {
        println!("skipped: values_of_properties (needs mlir-opt)");
        return;
    };
    let text = "func.func @f(%a: index, %b: index) -> index {
      %x = affine.linearize_index disjoint [%a, %b] by (3, 4) : index
      return %x : index
    }";
    // Version 4 loses it on the way through upstream alone.
    for version in [5, VERSION] {
        let cx = context();
        let ir = parse(&cx, "disjoint", text, false).expect("the text is right");
        let read = run(tool, &["-"], &written(&ir, version)).expect("upstream reads it");
        assert!(String::from_utf8_lossy(&read).contains("linearize_index disjoint ["), "version {version}");
        let args = ["--emit-bytecode", &format!("--emit-bytecode-version={version}"), "-"];
        let theirs = run(tool, &args, text.as_bytes()).expect("upstream reads it");
        assert!(generic(&crate::common::read_again(&cx, "disjoint", &theirs), false).contains("<{disjoint,"));
    }
}
