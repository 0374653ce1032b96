//! What schedules say beyond the paper's words (`nt`, `stages`, `swizzle`, `xor`, warps, devices), by value: the nest unchanged, with a
//! search for races, and fully lowered.

use crate::common;

use common::*;

/// Decisions that the paper found to matter (§6.2), each as a schedule, by value
#[test]
fn decisions_of_the_papers_evaluation() {
    for (decision, target, steps) in [
        // Inner tiles in parallel: threads take elements 5 apart (strided), blocks inside of the loop over them.
        (
            "inner tiles in parallel",
            "cuda",
            [
                "1: (8,20,^) (^,^ ; ^) (BLK.y,BLK.x,^)",
                "4: (4,5,^) (^,^ ; ^) (FOR.1,FOR.2,^)",
                "2: (1,1,^) (^,^ ; RM) (THR.y,THR.x,^)",
                "3: (^,^,1) (SM,SM ; ^) (^,^,FOR.1)",
            ]
            .as_slice(),
        ),
        (
            "no caching of inputs",
            "cuda",
            &[
                "1: (8,20,^) (^,^ ; ^) (BLK.y,BLK.x,^)",
                "2: (1,1,^) (^,^ ; RM) (THR.y,THR.x,^)",
                "3: (^,^,1) (^,^ ; ^) (^,^,FOR.1)",
            ],
        ),
        (
            "A cached transposed",
            "cuda",
            &[
                "1: (8,20,^) (^,^ ; ^) (BLK.y,BLK.x,^)",
                "2: (1,1,^) (^,^ ; RM) (THR.y,THR.x,^)",
                "3: (^,^,8) (A:SM[2,1],B:SM ; ^) (^,^,FOR.1)",
                "4: (^,^,1) (^,^ ; ^) (^,^,FOR.1)",
            ],
        ),
        (
            "64 blocks in the reduction",
            "cuda",
            &["1: (16,40,1) (^,^ ; ^) (^,BLK.x,BLK.z(kernel))", "2: (1,1,^) (^,^ ; RM) (THR.y,THR.x,^)"],
        ),
        (
            "64 blocks in the reduction, by atomics",
            "cuda",
            &["1: (16,40,1) (^,^ ; ^) (^,BLK.x,BLK.z(atomic))", "2: (1,1,^) (^,^ ; ^) (THR.y,THR.x,^)"],
        ),
    ] {
        let steps: Vec<String> = steps.iter().map(|step| format!("\"{step}\"")).collect();
        let elem = if decision.ends_with("atomics") { "i32" } else { "f32" };
        let f = if elem == "i32" { 'i' } else { 'f' };
        let text = format!(
            "func.func @f(%A: tensor<16x64x{elem}>, %B: tensor<64x40x{elem}>) -> tensor<16x40x{elem}> {{
  %C = mdh.compute (i in 16, j in 40, k in 64 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {{mdh.schedule = [{}]}} {{
    %p = arith.mul{f} %a, %b : {elem}
    mdh.yield %p : {elem}
  }} : (tensor<16x64x{elem}>, tensor<64x40x{elem}>) -> tensor<16x40x{elem}>
  return %C : tensor<16x40x{elem}>
}}",
            steps.join(", ")
        );
        let wanted = as_it_is(&parse(&text), "f");
        let mut ir = parse(&text);
        let first = format!("func.func(mdh-schedule{{target={target}}},mdh-to-sched)");
        for step in [first.as_str(), DOWN] {
            lower(&mut ir, step, &text);
            same(&wanted, &lowered(&ir, "f", &text, 1), &format!("{decision}: {step}"));
        }
    }
}

/// Dot products across blocks: by a second kernel, and by atomics
#[test]
fn dot_products_across_blocks() {
    for (elem, via) in [("f32", "kernel"), ("i32", "atomic"), ("i32", "kernel")] {
        let f = if elem == "i32" { 'i' } else { 'f' };
        for n in [4096, 5000] {
            let text = format!(
                "func.func @f(%A: tensor<{n}x{elem}>, %B: tensor<{n}x{elem}>) -> tensor<{elem}> {{
  %c = mdh.compute (k in {n} pw add) ins(%a = %A[k], %b = %B[k]) outs([])
       attributes {{mdh.schedule = [\"1: (512~limit) (^,^ ; ^) (BLK.x({via}))\", \"2: (16) (^,^ ; ^) (THR.x)\", \"3: (1) (^,^ ; ^) (FOR.1)\"]}} {{
    %p = arith.mul{f} %a, %b : {elem}
    mdh.yield %p : {elem}
  }} : (tensor<{n}x{elem}>, tensor<{n}x{elem}>) -> tensor<{elem}>
  return %c : tensor<{elem}>
}}"
            );
            let wanted = as_it_is(&parse(&text), "f");
            let mut ir = parse(&text);
            for step in ["func.func(mdh-schedule{target=cuda},mdh-to-sched)", DOWN] {
                lower(&mut ir, step, &text);
                same(&wanted, &lowered(&ir, "f", &text, 1), &format!("{n} {via}: {step}"));
            }
        }
    }
}

#[test]
fn words_change_no_value() {
    let text = include_str!("../../../test-files/lowering/mdh/words.mlir");
    let source = parse(text);
    let names = ["words", "exchanged", "warps", "reduced", "devices", "hosts", "wide", "rows"];
    let wanted: Vec<_> = names.iter().map(|name| as_it_is(&source, name)).collect();
    let mut ir = parse(text);
    for step in ["func.func(mdh-to-sched)", DOWN] {
        lower(&mut ir, step, text);
        for (name, wanted) in names.iter().zip(&wanted) {
            if *name == "wide" && step == DOWN {
                // The interpreter's device has warps of 32.
                continue;
            }
            same(wanted, &lowered(&ir, name, text, 1), &format!("{step}, @{name}"));
        }
    }
}
