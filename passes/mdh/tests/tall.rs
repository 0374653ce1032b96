//! Products of tall operands: the whole nest takes a block of the reduction before the next one begins.

use crate::common::*;
use terrace_dialect_test::values::shown;

const CHOOSE: &str = "func.func(mdh-schedule{target=x86-64-v4})";

/// `C[i, j] = sum{k} A[k, i] * B[k, j]`
fn product([m, n, k]: [i64; 3]) -> String {
    format!(
        "func.func @f(%A: tensor<{k}x{m}xf32>, %B: tensor<{k}x{n}xf32>) -> tensor<{m}x{n}xf32> {{
  %c = mdh.compute (i in {m}, j in {n}, k in {k} pw add) ins(%a = %A[k, i], %b = %B[k, j]) outs([i, j]) {{
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  }} : (tensor<{k}x{m}xf32>, tensor<{k}x{n}xf32>) -> tensor<{m}x{n}xf32>
  return %c : tensor<{m}x{n}xf32>
}}"
    )
}

/// The first step of the schedule that is chosen
fn first_step(text: &str) -> String {
    let mut ir = parse(text);
    lower(&mut ir, CHOOSE, text);
    let found = shown(&ir);
    let start = found.find("\"1: ").expect("there is a schedule");
    found[start + 1..].split('"').next().unwrap_or("").to_string()
}

#[test]
fn blocks_are_outside_of_tasks_where_operands_are_tall() {
    for sizes in [[61, 67, 10_007], [33, 61, 20_011]] {
        let step = first_step(&product(sizes));
        assert!(step.contains("FOR.1") && !step.contains("THR"), "{sizes:?}: {step}");
    }
    // One block holds these; and so few steps fit a block of these that sums would be taken up again too often.
    for sizes in [[61, 67, 1009], [1009, 1013, 10_007]] {
        let step = first_step(&product(sizes));
        assert!(step.contains("THR"), "{sizes:?}: {step}");
    }
}

/// Where the first cache holds all panels, tiles are visited along rows of a result that the second one does not hold
#[test]
fn short_reductions_write_large_results_row_by_row() {
    let tile = |sizes: [i64; 3]| {
        let text = product(sizes);
        let mut ir = parse(&text);
        lower(&mut ir, CHOOSE, &text);
        let found = shown(&ir);
        found.split('"').find(|step| step.contains("REG")).expect("a tile in registers").to_string()
    };
    for sizes in [[1009, 1013, 5], [997, 500, 7]] {
        let tile = tile(sizes);
        assert!(tile.ends_with("(FOR.1,FOR.2,^)"), "{sizes:?}: {tile}");
    }
    // Panels of many steps; a result that the second cache holds.
    for sizes in [[1009, 1013, 503], [211, 1013, 5]] {
        let tile = tile(sizes);
        assert!(tile.ends_with("(FOR.2,FOR.1,^)"), "{sizes:?}: {tile}");
    }
}

/// Whole rows of a large result are written one after the other, where the first cache holds panels of all columns
#[test]
fn short_reductions_have_tiles_of_one_row() {
    for sizes in [[1009, 1013, 5], [997, 1024, 3]] {
        let text = product(sizes);
        let mut ir = parse(&text);
        lower(&mut ir, CHOOSE, &text);
        let found = shown(&ir);
        let tile = found.split('"').find(|step| step.contains("REG")).expect("a tile in registers");
        assert!(tile.starts_with("3: (1"), "{sizes:?}: {tile}");
    }
}

/// `C[i, j] = sum{k} A[i, k] * B[j, k]`
fn product_of_transposed([m, n, k]: [i64; 3]) -> String {
    product([m, n, k])
        .replace(&format!("{k}x{m}xf32"), &format!("{m}x{k}xf32"))
        .replace(&format!("{k}x{n}xf32"), &format!("{n}x{k}xf32"))
        .replace("%A[k, i]", "%A[i, k]")
        .replace("%B[k, j]", "%B[j, k]")
}

/// Where a few tiles are the whole result, each task has a part of the reduction and copies its own elements only
#[test]
fn long_reductions_of_small_results_are_parts() {
    for sizes in [[61, 67, 10_007], [33, 29, 50_021]] {
        let step = first_step(&product_of_transposed(sizes));
        assert!(step.ends_with("(^,^,THR.x)"), "{sizes:?}: {step}");
    }
    // So few steps that joining the sums outweighs the rest; and sums that the second cache does not hold.
    for sizes in [[61, 67, 1009], [509, 521, 10_007]] {
        let step = first_step(&product_of_transposed(sizes));
        assert!(!step.ends_with("(^,^,THR.x)"), "{sizes:?}: {step}");
    }
}

/// The form of these schedules at sizes that nothing divides
#[test]
fn tasks_in_blocks_give_the_same_values() {
    let blocks = [
        "1: (^,^,16~limit) (^,^ ; ^) (^,^,FOR.1)",
        "2: (20~limit,^,^) (^,^ ; ^) (THR.x,^,^)",
        "3: (5~peel,^,^) (^,^ ; REG) (FOR.1,^,^)",
        "4: (^,^,1) (^,^ ; ^) (^,^,FOR.1)",
        "5: (1,16~peel,^) (^,^ ; ^) (UNR.1,UNR.2,^)",
        "6: (^,1~mask,^) (^,^ ; ^) (^,VEC.x,^)",
    ];
    let rows = [
        "1: (^,64~pad,^) (^,^ ; ^) (^,THR.x,^)",
        "2: (^,^,^) (^,L2[2/32,1,2%32] ; ^) (^,^,^)",
        "3: (6~peel,32,^) (^,^ ; REG) (FOR.1,FOR.2,^)",
        "4: (^,^,1) (^,^ ; ^) (^,^,FOR.1)",
        "5: (1,16,^) (^,^ ; ^) (UNR.1,UNR.2,^)",
        "6: (^,1,^) (^,^ ; ^) (^,VEC.x,^)",
    ];
    let one_row = [
        "1: (20~limit,^,^) (^,^ ; ^) (THR.x,^,^)",
        "2: (^,^,^) (^,L2[2/32,1,2%32] ; ^) (^,^,^)",
        "3: (1~peel,32~pad,^) (^,^ ; REG) (FOR.1,FOR.2,^)",
        "4: (^,^,1) (^,^ ; ^) (^,^,UNR.1)",
        "5: (^,16,^) (^,^ ; ^) (^,UNR.1,^)",
        "6: (^,1,^) (^,^ ; ^) (^,VEC.x,^)",
    ];
    let parts = [
        "1: (^,^,24~limit) (^,^ ; ^) (^,^,THR.x)",
        "2: (^,^,8~limit) (^,L2[2/32,1,2%32] ; ^) (^,^,FOR.1)",
        "3: (5~peel,32~pad,^) (^,^ ; REG) (FOR.2,FOR.1,^)",
        "4: (^,^,1) (^,^ ; ^) (^,^,FOR.1)",
        "5: (1,16,^) (^,^ ; ^) (UNR.1,UNR.2,^)",
        "6: (^,1,^) (^,^ ; ^) (^,VEC.x,^)",
    ];
    let with = |steps: [&'static str; 6], all: &[[i64; 3]]| {
        all.iter().map(|sizes| (*sizes, steps)).collect::<Vec<_>>()
    };
    let of_blocks = with(blocks, &[[43, 37, 53], [41, 17, 33], [23, 61, 19]]);
    let others = [
        with(rows, &[[43, 131, 5], [23, 97, 7]]),
        with(one_row, &[[43, 131, 5], [23, 97, 7]]),
        with(parts, &[[13, 61, 53], [11, 37, 67]]),
    ];
    for (sizes, steps) in of_blocks.into_iter().chain(others.into_iter().flatten()) {
        let plain = product(sizes);
        let list: Vec<String> = steps.iter().map(|step| format!("\"{step}\"")).collect();
        let with = format!("outs([i, j]) attributes {{mdh.schedule = [{}]}} {{", list.join(", "));
        let text = plain.replace("outs([i, j]) {", &with);
        let wanted = as_it_is(&parse(&plain), "f");
        let mut ir = parse(&text);
        for step in ["func.func(mdh-to-sched)", DOWN] {
            lower(&mut ir, step, &text);
        }
        same(&wanted, &lowered(&ir, "f", &text, wanted.len()), &text);
    }
}

/// What tiles of a block have written is put together where rows of a result that no cache holds are no whole lines
#[test]
fn blocks_of_large_results_are_put_together() {
    // `C[a, i, d, j] = sum{k} A[k, i, a] * B[d, j, k]`
    let contraction = |[a, i, d, j]: [i64; 4], element: &str| {
        let types = format!("tensor<23x{i}x{a}x{element}>, tensor<{d}x{j}x23x{element}>");
        let result = format!("tensor<{a}x{i}x{d}x{j}x{element}>");
        format!(
            "func.func @f(%A: tensor<23x{i}x{a}x{element}>, %B: tensor<{d}x{j}x23x{element}>) -> {result} {{
  %c = mdh.compute (a in {a}, i in {i}, d in {d}, j in {j}, k in 23 pw add) ins(%a = %A[k, i, a], %b = %B[d, j, k]) outs([a, i, d, j]) {{
    %p = arith.mulf %a, %b : {element}
    mdh.yield %p : {element}
  }} : ({types}) -> {result}
  return %c : {result}
}}"
        )
    };
    let together = |sizes: [i64; 4], element: &str| {
        let text = contraction(sizes, element);
        let mut ir = parse(&text);
        lower(&mut ir, CHOOSE, &text);
        shown(&ir).contains("L1 nt")
    };
    for sizes in [[2003, 15, 23, 15], [2003, 17, 25, 17], [3001, 13, 21, 14]] {
        assert!(together(sizes, "f32"), "{sizes:?}");
    }
    assert!(together([2003, 15, 11, 15], "f64"));
    // Whole lines; a result that the last cache holds; a block that no cache holds.
    for sizes in [[2003, 16, 24, 16], [203, 15, 23, 15], [203, 151, 151, 15]] {
        assert!(!together(sizes, "f32"), "{sizes:?}");
    }
}
