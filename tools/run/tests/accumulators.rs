//! Accumulators on every back end: exact sums have one pattern of bits, and compensated ones keep what plain ones lose.

use crate::bits::{removed, rough};
use crate::common::backends::{here, with_devices};
use crate::common::{place, run, stdout};
use crate::operators::file;
use terrace_opt::{Tool, run_on};
use terrace_support::Random;

/// Schedules of a sum of 3 rows of 450 elements in 10 words: tiles, tasks along rows or along what is summed, lanes, orders of loops
fn schedule(r: &mut Random) -> String {
    let mut pick = |all: &[&str]| all[r.below(all.len() as u64) as usize].to_string();
    let none = ["^"; 10].join(",");
    let registers = ["REG"; 10].join(",");
    let (tile, lanes) = (pick(&["150", "90", "50", "30"]), pick(&["1", "2", "5", "10"]));
    let first = pick(&["(1,^)", "(^,TILE)", "(1,TILE)"]).replace("TILE", &tile);
    let cores = match first.as_str() {
        "(1,^)" => pick(&["(THR.x,^)", "(FOR.1,^)"]),
        one if one.starts_with("(^") => pick(&["(^,THR.x)", "(^,FOR.1)"]),
        _ => pick(&["(THR.x,FOR.1)", "(FOR.2,FOR.1)", "(FOR.1,FOR.2)"]),
    };
    let place = if pick(&["yes", "no"]) == "yes" { &registers } else { &none };
    let mut steps = vec![format!("1: {first} (^ ; {none}) {cores}")];
    if lanes != "1" {
        steps.push(format!("2: (1,{lanes}) (^ ; {place}) (FOR.1,FOR.2)"));
        let last = pick(&["(^,UNR.1)", "(^,VEC.x)", "(^,FOR.1)"]);
        steps.push(format!("3: (^,1) (^ ; {none}) {last}"));
    } else {
        steps.push(format!("2: (1,1) (^ ; {place}) {}", pick(&["(FOR.1,FOR.2)", "(FOR.2,FOR.1)"])));
    }
    steps.iter().map(|step| format!("\"{step}\"")).collect::<Vec<_>>().join(", ")
}

/// A program of exact sums, written out: as many of the same rows as there are schedules, and one of each other form
fn program(schedules: &[String]) -> String {
    let sums = schedules.len().max(1);
    let mut text = String::from("func.func @f(%A: tensor<3x450xf32>, %B: tensor<450x7xbf16>) -> (");
    let mut types = vec!["tensor<3xf32>"; sums];
    types.extend(["tensor<7xbf16>", "tensor<f32>", "tensor<3xf32>"]);
    text += &types.join(", ");
    text += ") {\n";
    for n in 0..sums {
        text += &format!(
            "  %r{n} = mdh.compute (i in 3, j in 450 pw add exact) ins(%a = %A[i, j]) outs([i]) {{
    mdh.yield %a : f32
  }} : (tensor<3x450xf32>) -> tensor<3xf32>\n"
        );
    }
    text += "  %columns = mdh.compute (i in 7, j in 450 pw add exact) ins(%b = %B[j, i]) outs([i]) {
    mdh.yield %b : bf16
  } : (tensor<450x7xbf16>) -> tensor<7xbf16>
  %all = mdh.compute (i in 3 pw add exact, j in 450 pw add exact) ins(%a = %A[i, j]) outs([]) {
    mdh.yield %a : f32
  } : (tensor<3x450xf32>) -> tensor<f32>
  %pairs = mdh.compute (i in 3, j in 450 pw add compensated source) ins(%a = %A[i, j]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<3x450xf32>) -> tensor<3xf32>\n";
    let names: Vec<String> =
        (0..sums).map(|n| format!("%r{n}")).chain(["%columns, %all, %pairs".into()]).collect();
    text += &format!("  return {} : {}\n}}\n", names.join(", "), types.join(", "));
    let mut written = written_out(&text);
    let outs = format!("outs({})", ["[i]"; 10].join(", "));
    for schedule in schedules {
        written = written.replacen(
            &format!("{outs} {{"),
            &format!("{outs} attributes {{mdh.schedule = [{schedule}]}} {{"),
            1,
        );
    }
    assert_eq!(written.matches("mdh.schedule").count(), schedules.len(), "{written}");
    written
}

/// The computations that state accumulators
fn written_out(text: &str) -> String {
    let args = ["--pipeline=mdh-accumulators".to_string()];
    let done = run_on(Tool::OPT, &args, "sums.mlir", text).expect("the arguments are right");
    assert!(!done.failed, "{}", done.messages);
    String::from_utf8(done.out.unwrap_or_default()).expect("IR is text")
}

/// All results are the same bits on these back ends
fn agree(test: &str, text: &str, list: &str, pipeline: &str) {
    let a = rough(test, "(3, 450)", 3 * 450, 1);
    let given = format!("--in=A={}", a.display());
    let mut args = vec![given.as_str(), "--in=B=random:2", "--tolerance=exact"];
    let compare = format!("--compare={list}");
    args.push(&compare);
    if !pipeline.is_empty() {
        args.push(pipeline);
    }
    let shown = stdout(&run(test, text, &args));
    let results = text.matches("mdh.yield").count();
    assert!(results > 3 && !shown.contains("elements differ"), "{shown}");
    let same = shown.matches("without any difference").count();
    let outputs =
        text.lines().find(|line| line.trim_start().starts_with("return %") && line.contains("tensor"));
    let outputs = outputs.map_or(0, |line| line.matches("tensor<").count());
    assert_eq!(same, outputs * list.matches(',').count(), "{shown}");
    removed(std::slice::from_ref(&given));
}

#[test]
fn twenty_schedules_of_an_exact_sum_have_one_pattern() {
    let mut r = Random::new(3);
    let mut schedules = std::collections::BTreeSet::new();
    while schedules.len() < 20 {
        schedules.insert(schedule(&mut r));
    }
    let schedules: Vec<String> = schedules.into_iter().collect();
    agree("exact-schedules", &program(&schedules), &here("exact"), "");
}

/// Orders are words of every language, and each back end takes the file as it is
#[test]
fn orders_of_every_language_have_one_pattern() {
    let c = |order: &str| {
        format!(
            "void f(double x[restrict 5], double y[restrict 37], const double A[restrict 5][37]) {{
             #pragma mdh( x[i] : ++, + ) order({order})
               for (int i = 0; i < 5; ++i) for (int j = 0; j < 37; ++j) x[i] += A[i][j];
             #pragma mdh( y[j] : ++, + ) order({order})
               for (int j = 0; j < 37; ++j) for (int i = 0; i < 5; ++i) y[j] += A[i][j];
             }}"
        )
    };
    let tensor = |order: &str| {
        format!(
            "A : f64 [5, 37]; x[i] = sum{{j}} A[i, j] order({order}); y[j] = sum{{i}} A[i, j] where i <= j order({order});
             s = sum{{i, j}} A[i, j] * A[i, j] order({order});"
        )
    };
    let mdh = |order: &str| {
        format!(
            "Sums<int I,J> := out_view<f64>( x: (i,j)->(i) ) o md_hom<I,J>( id, (++, +) ) order({order})
             o inp_view<f64>( A: (i,j)->(i,j) )  Sums<5,37>;"
        )
    };
    let all = here("orders");
    // A C compiler takes half a minute for each exact sum of f64: of one language is enough.
    let few: Vec<&str> = all.split(',').filter(|target| *target != "openmp").collect();
    let few = few.join(",");
    for order in ["exact", "invariant"] {
        // What C reads is an argument that is compared, too.
        let texts = [("c", c(order), 3), ("tensor", tensor(order), 3), ("mdh", mdh(order), 1)];
        for (language, text, results) in texts {
            let list = if order == "exact" && language != "mdh" { &few } else { &all };
            let others = list.matches(',').count();
            let args = [
                format!("--input={language}"),
                "--in=A=random:1".into(),
                "--tolerance=exact".into(),
                format!("--compare={list}"),
            ];
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let shown = stdout(&run(&format!("order-{order}-{language}"), &text, &args));
            let same = shown.matches("without any difference").count();
            assert_eq!(same, results * others, "{text}\n{shown}");
        }
    }
}

#[test]
fn chosen_schedules_of_exact_sums_have_one_pattern() {
    agree("exact-chosen", &program(&[]), &with_devices("exact"), "");
}

/// Vectors of 128, 256 and 512 bits on the host
#[test]
fn all_widths_of_vectors_have_one_pattern() {
    if terrace_native_client::client::find().is_err() {
        return println!("skipped: widths of vectors (needs llvm)");
    }
    for device in ["x86-64-v2", "x86-64-v3", "x86-64-v4"] {
        let pipeline =
            format!("--pipeline=func.func(mdh-operators,mdh-inline,mdh-schedule{{target={device}}})");
        agree(&format!("exact-{device}"), &program(&[]), "interp,host", &pipeline);
    }
}

/// One and many small numbers, each of which is lost in a plain sum: no back end makes a plain sum of the pairs
#[test]
fn compensated_sums_are_right_everywhere() {
    let terms: Vec<String> =
        (0..4096).map(|n| if n == 0 { "1.0".into() } else { "1e-8".to_string() }).collect();
    let a = file("compensated-a", "f32", &terms);
    let given = format!("--in=A={}", a.display());
    let right = 1.0 + 4095e-8;
    for target in terrace_targets::TARGETS
        .iter()
        .filter(|target| ["interp", "host", "openmp", "opencl"].contains(&target.name()))
    {
        let on = target.name();
        if let Some(component) = target.missing() {
            println!("skipped: compensated sums on {on} (needs {component})");
            continue;
        }
        for (said, close) in [("source", false), ("compensated source", true), ("compensated", true)] {
            let text = format!(
                "func.func @f(%A: tensor<4096xf32>) -> tensor<1xf32> {{
  %s = mdh.compute (i in 1, j in 4096 pw add {said}) ins(%a = %A[j]) outs([i]) {{
    mdh.yield %a : f32
  }} : (tensor<4096xf32>) -> tensor<1xf32>
  return %s : tensor<1xf32>
}}
"
            );
            let name = format!("compensated-{on}");
            let out = place(&format!("{name}.npy"));
            let (out_arg, on_arg) = (format!("--out=0={}", out.display()), format!("--on={on}"));
            stdout(&run(&name, &text, &[&given, &on_arg, &out_arg, "--pipeline=mdh-accumulators"]));
            let found = std::fs::read(&out).expect("it has written its result");
            let found = f32::from_le_bytes(*found.last_chunk().expect("four bytes"));
            let off = (f64::from(found) - right).abs();
            assert_eq!(
                off < f64::from(f32::EPSILON),
                close,
                "{on}, `{said}`: {found}, which is off by {off}"
            );
            let _ = std::fs::remove_file(out);
        }
    }
    let _ = std::fs::remove_file(a);
}

/// Functions that declare that they do not round, next to sums and alone
#[test]
fn functions_are_exact_as_they_are() {
    let text = include_str!("../../../test-files/passes/mdh/exact_functions.mlir");
    for (entry, wanted) in [("place", "6"), ("places", "11")] {
        let out = stdout(&run("exact", text, &["--on=interp", &format!("--entry=@{entry}")]));
        assert!(out.trim_end().ends_with(&format!("= {wanted}")), "{entry}: {out}");
        let both = stdout(&run("exact", text, &["--compare=interp,openmp", &format!("--entry=@{entry}")]));
        assert!(both.contains("without any difference"), "{entry}: {both}");
    }
}
