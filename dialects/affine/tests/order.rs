//! Random affine maps print as upstream prints them: same folds, same order of the parts.

use std::fmt::Write;
use std::io::Write as _;
use std::process::{Command, Stdio};
use terrace_diag::{Diags, render_all};
use terrace_ir::Context;
use terrace_support::Random;
use terrace_text::{ParseOptions, PrintOptions};

fn expr(r: &mut Random, depth: usize, dims: usize, symbols: usize) -> String {
    if depth == 0 || r.below(4) == 0 {
        return match r.below(4) {
            0 | 1 if dims > 0 => format!("d{}", r.below(dims)),
            2 if symbols > 0 => format!("s{}", r.below(symbols)),
            _ => r.pick(&[-8, -3, -2, -1, 0, 1, 2, 3, 4, 5, 8, 16, 32]).to_string(),
        };
    }
    let a = expr(r, depth - 1, dims, symbols);
    match r.below(9) {
        0..=2 => format!("({a} + {})", expr(r, depth - 1, dims, symbols)),
        3 => format!("({a} - {})", expr(r, depth - 1, dims, symbols)),
        4 => format!("(-({a}))"),
        5 if r.below(2) == 0 => format!("({} * {a})", r.pick(&[-3, -2, -1, 0, 1, 2, 3, 4, 8])),
        5 => format!("({a} * {})", expr(r, depth - 1, 0, symbols)),
        n => {
            let by = match symbols {
                1.. if r.below(4) == 0 => format!("s{}", r.below(symbols)),
                _ => r.pick(&[1, 2, 3, 4, 8, 16]).to_string(),
            };
            format!("({a} {} {by})", ["mod", "floordiv", "ceildiv"][n - 6])
        }
    }
}

fn program() -> String {
    let (mut r, mut out) = (Random::new(22), String::new());
    for _ in 0..600 {
        let (dims, symbols) = (r.below(4), r.below(3));
        let names = |letter: char, count: usize| {
            (0..count).map(|n| format!("{letter}{n}")).collect::<Vec<_>>().join(", ")
        };
        let depth = 1 + r.below(5);
        let expr = expr(&mut r, depth, dims, symbols);
        let (dims, symbols) = (names('d', dims), names('s', symbols));
        let _ = writeln!(out, "\"t.m\"() {{m = affine_map<({dims})[{symbols}] -> ({expr})>}} : () -> ()");
    }
    out
}

#[test]
fn random_maps_print_as_upstream() {
    let text = program();
    let peer = Command::new("mlir-opt-22")
        .args(["--allow-unregistered-dialect", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut peer) = peer else {
        return println!("skipped: random_maps_print_as_upstream (needs mlir-opt-22)");
    };
    let mut stdin = peer.stdin.take().expect("it was piped");
    stdin.write_all(text.as_bytes()).expect("it reads all");
    drop(stdin);
    let done = peer.wait_with_output().expect("it ends");
    assert!(done.status.success());
    let theirs = String::from_utf8_lossy(&done.stdout);

    let cx = Context::new(&[
        &terrace_dialect_builtin::BUILTIN,
        &terrace_dialect_affine::AFFINE,
        &terrace_dialect_func::FUNC,
    ]);
    let source = cx.sources().add("maps.mlir", text.as_str());
    let mut diags = Diags::default();
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    let ir = terrace_text::parse(&cx, source, &options, &mut diags);
    assert!(!diags.has_errors(), "{}", render_all(diags.iter(), cx.sources(), false));
    let mut ours = String::new();
    terrace_text::print(&ir.expect("no error was reported"), &PrintOptions::default(), &mut ours);
    assert!(ours.lines().count() > 600);
    for (ours, theirs) in ours.lines().zip(theirs.lines()) {
        assert_eq!(ours, theirs);
    }
}
