//! Products whose operands are both contiguous along a kept dimension: lanes along it, rows of one operand and columns of the other.

use crate::common::*;

use terrace_dialect_test::values::shown;

/// `[b, i, j, k]`: batch, rows, columns, reduction; all operands have the batch innermost
fn product([b, i, j, k]: [i64; 4], result: &str, elem: &str) -> String {
    let at = |dim: &str| match dim {
        "b" => b,
        "i" => i,
        _ => j,
    };
    let shape: String = result.split(", ").map(|dim| format!("{}x", at(dim))).collect();
    let (add, mul) = if elem.starts_with('i') { ("add", "muli") } else { ("add", "mulf") };
    format!(
        "func.func @f(%A: tensor<{k}x{i}x{b}x{elem}>, %B: tensor<{j}x{k}x{b}x{elem}>) -> tensor<{shape}{elem}> {{
  %C = mdh.compute (b in {b}, i in {i}, j in {j}, k in {k} pw {add}) ins(%x = %A[k, i, b], %y = %B[j, k, b]) outs([{result}]) {{
    %p = arith.{mul} %x, %y : {elem}
    mdh.yield %p : {elem}
  }} : (tensor<{k}x{i}x{b}x{elem}>, tensor<{j}x{k}x{b}x{elem}>) -> tensor<{shape}{elem}>
  return %C : tensor<{shape}{elem}>
}}"
    )
}

fn scheduled(text: &str, options: &str) -> String {
    let mut ir = parse(text);
    lower(&mut ir, &format!("func.func(mdh-schedule{{target=x86-64-v4 {options}}})"), text);
    shown(&ir)
}

/// Lanes run along the batch, and rows and columns are unrolled around them
fn is_batched(schedule: &str) -> bool {
    schedule.contains("(^,UNR.1,UNR.2,^)") && schedule.contains("(VEC.x,^,^,^)")
}

/// A batch of 16 matrices that is stored innermost; the result has it outermost
#[test]
fn lanes_run_along_a_batch() {
    for (result, tile) in [("b, i, j", "REG[2,3,1]"), ("i, j, b", "REG")] {
        for units in ["units=1", "units=2"] {
            let schedule = scheduled(&product([16, 10, 500, 64], result, "f32"), units);
            assert!(is_batched(&schedule) && schedule.contains(tile), "{result}, {units}\n{schedule}");
        }
    }
    // Three matrices fill no vector.
    let few = scheduled(&product([3, 100, 500, 64], "b, i, j", "f32"), "units=1");
    assert!(!is_batched(&few), "{few}");
}

#[test]
fn values_stay_at_odd_sizes() {
    let mut batched = 0;
    for (sizes, result, elem) in [
        ([16, 5, 9, 7], "b, i, j", "f32"),
        ([17, 7, 11, 5], "i, j, b", "f32"),
        ([35, 3, 13, 3], "b, j, i", "f32"),
        ([19, 11, 5, 6], "j, b, i", "f64"),
        ([33, 5, 7, 3], "b, i, j", "i32"),
    ] {
        let text = product(sizes, result, elem);
        agree(&text);
        for units in ["units=1", "units=4"] {
            agree_chosen(&text, &format!("func.func(mdh-schedule{{target=x86-64-v4 {units}}})"));
            batched += usize::from(is_batched(&scheduled(&text, units)));
        }
    }
    assert!(batched > 0, "none has lanes along its batch");
}

/// The steps that the generator writes, with a remainder along each dimension
#[test]
fn tiles_with_remainders_along_all_dimensions() {
    let text = product([19, 7, 11, 5], "b, i, j", "f32").replacen(
        "outs([b, i, j]) {",
        "outs([b, i, j]) attributes {mdh.schedule = [\"1: (16~peel,^,^,2~limit) (^,^ ; ^) (FOR.1,^,^,FOR.2)\",
         \"2: (^,5~peel,4~peel,^) (^,^ ; REG[2,3,1]) (^,FOR.2,FOR.1,^)\",
         \"3: (^,^,^,1) (^,^ ; ^) (^,^,^,FOR.1)\",
         \"4: (^,1,1,^) (^,^ ; ^) (^,UNR.1,UNR.2,^)\",
         \"5: (1~mask,^,^,^) (^,^ ; ^) (VEC.x,^,^,^)\"]} {",
        1,
    );
    agree_given(&text);
}
