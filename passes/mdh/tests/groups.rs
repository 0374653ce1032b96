//! Reads of one buffer by different index maps: tiles of each access group, by value.

use crate::common;

use common::*;

/// A schedule of a program agrees with the computation as it is, as a nest and fully lowered
fn holds(program: &str, target: &str, steps: &[&str]) {
    let steps: Vec<String> = steps.iter().map(|step| format!("\"{step}\"")).collect();
    let text = program.replace("SCHEDULE", &format!("attributes {{mdh.schedule = [{}]}}", steps.join(", ")));
    let source = parse(&text);
    let wanted = as_it_is(&source, "f");
    let mut ir = parse(&text);
    let first = format!("func.func(mdh-schedule{{target={target}}},mdh-to-sched)");
    for step in [first.as_str(), DOWN] {
        lower(&mut ir, step, &text);
        same(&wanted, &lowered(&ir, "f", &text, wanted.len()), &format!("{step}\n{text}"));
    }
}

/// A·Aᵀ where `first` is `[i, k]` and `second` is `[j, k]`, AᵀA where they are `[k, i]` and `[k, j]`
fn gram(n: i64, k: i64, transposed: bool) -> String {
    let (shape, first, second) = match transposed {
        false => (format!("{n}x{k}"), "i, k", "j, k"),
        true => (format!("{k}x{n}"), "k, i", "k, j"),
    };
    format!(
        "func.func @f(%A: tensor<{shape}xf32>) -> tensor<{n}x{n}xf32> {{
  %C = mdh.compute (i in {n}, j in {n}, k in {k} pw add) ins(%a = %A[{first}], %b = %A[{second}]) outs([i, j]) SCHEDULE {{
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  }} : (tensor<{shape}xf32>, tensor<{shape}xf32>) -> tensor<{n}x{n}xf32>
  return %C : tensor<{n}x{n}xf32>
}}"
    )
}

const BLOCKS: [&str; 2] =
    ["3: (1,1,1) (^,^ ; ^) (THR.y,THR.x,FOR.1)", "3: (1,1,1) (^ ; ^) (THR.y,THR.x,FOR.1)"];

#[test]
fn a_buffer_has_a_tile_for_each_group() {
    for transposed in [false, true] {
        let program = gram(12, 20, transposed);
        let end = "3: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)";
        for entries in ["L2,^", "^,L2", "L2,L2", "A.1:L2[2,1],A.2:L1"] {
            let tiles = format!("2: (3,4,5) ({entries} ; ^) (FOR.1,FOR.2,FOR.3)");
            holds(&program, "openmp", &["1: (6,^,^) (^,^ ; ^) (THR.x,THR.y,FOR.3)", &tiles, end]);
        }
        let shared =
            ["1: (6,4,^) (^,^ ; ^) (BLK.x,BLK.y,FOR.3)", "2: (^,^,5) (SM,SM[2,1] ; ^) (FOR.1,FOR.2,FOR.3)"];
        holds(&program, "cuda", &[shared[0], shared[1], BLOCKS[0]]);
    }
}

#[test]
fn an_entry_of_a_buffer_is_one_of_each_group() {
    for (n, k) in [(12, 20), (13, 7), (1, 5)] {
        for transposed in [false, true] {
            let program = gram(n, k, transposed);
            let steps = [
                "1: (5~limit,7~limit,^) (A:L2 ; ^) (THR.x,THR.y,FOR.3)".to_owned(),
                "2: (1,1,1) (^ ; ^) (FOR.1,FOR.2,FOR.3)".to_owned(),
            ];
            let clamp = |step: &String| match n {
                1 => step.replace("5~limit,7~limit", "1,1"),
                _ => step.clone(),
            };
            let steps: Vec<String> = steps.iter().map(clamp).collect();
            holds(&program, "openmp", &steps.iter().map(String::as_str).collect::<Vec<_>>());
        }
    }
    holds(
        &gram(12, 20, false),
        "cuda",
        &["1: (6,4,^) (^ ; ^) (BLK.x,BLK.y,FOR.3)", "2: (^,^,5) (SM ; ^) (FOR.1,FOR.2,FOR.3)", BLOCKS[1]],
    );
}

#[test]
fn names_of_groups_stand_at_their_places() {
    let steps = |entries: &str| {
        format!("attributes {{mdh.schedule = [\"1: (1,1,1) ({entries} ; ^) (FOR.1,FOR.2,FOR.3)\"]}}")
    };
    let refused = |entries: &str| {
        let text = gram(4, 4, false).replace("SCHEDULE", &steps(entries));
        HARNESS.run(&mut parse(&text), "func.func(mdh-to-sched)").expect_err("refused")
    };
    let swapped = refused("A.2:^,A.1:^");
    assert!(
        swapped.contains("S-BUF: `A.2` stands where `A.1` belongs; entries are A.1,A.2 ; C"),
        "{swapped}"
    );
    let three = refused("^,^,^");
    assert!(
        three.contains(
            "S-ARITY: step 1 has 3 input entries, the computation takes 1, or 2, one per access group"
        ),
        "{three}"
    );
}

/// Values of a symmetric stencil: neighbours along both dimensions, and the transposed element
const STENCIL: &str = "func.func @f(%A: tensor<19x19xf32>) -> tensor<17x17xf32> {
  %C = mdh.compute (i in 17, j in 17) ins(%n = %A[i, j + 1], %w = %A[i + 1, j], %s = %A[i + 2, j + 1], %t = %A[j + 1, i + 1]) outs([i, j]) SCHEDULE {
    %p = arith.addf %n, %w : f32
    %q = arith.addf %s, %t : f32
    %r = arith.addf %p, %q : f32
    mdh.yield %r : f32
  } : (tensor<19x19xf32>, tensor<19x19xf32>, tensor<19x19xf32>, tensor<19x19xf32>) -> tensor<17x17xf32>
  return %C : tensor<17x17xf32>
}";

#[test]
fn shifted_and_transposed_reads_of_a_buffer_have_two_tiles() {
    for entries in ["A.1:L2,A.2:^", "^,L2[2,1]", "L2", "L1,L2"] {
        let own = |step: &str| step.replace("ENTRIES", entries);
        let none = if entries.contains(',') { "^,^" } else { "^" };
        let last = format!("2: (1,1) ({none} ; ^) (FOR.1,FOR.2)");
        for first in
            ["1: (5~limit,4~limit) (ENTRIES ; ^) (THR.x,FOR.2)", "1: (^,6~peel) (ENTRIES ; ^) (FOR.1,FOR.2)"]
        {
            holds(STENCIL, "openmp", &[&own(first), &last]);
        }
    }
}

/// The schedules that are chosen for products of a matrix with itself, of sizes that tiles divide and of others
#[test]
fn products_of_a_matrix_with_itself() {
    for (n, k) in [(32, 24), (37, 11)] {
        for transposed in [false, true] {
            agree(&gram(n, k, transposed).replace("SCHEDULE ", ""));
        }
    }
    agree(&STENCIL.replace("SCHEDULE ", ""));
}
