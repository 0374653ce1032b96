//! A chain whose operand is stored with the other dimension's rows: copied once, so that all of it goes row by row.

use crate::common::*;

use terrace_dialect_test::values::shown;

const ALWAYS: &str = "func.func(mdh-schedule{target=x86-64-v4 move=always})";

/// A softmax of rows; `operand` is how the operand is stored, `result` how the result is
fn softmax([m, n]: [i64; 2], operand: &str, result: &str) -> String {
    let shape =
        |at: &str| if at == "i, j" { format!("tensor<{m}x{n}xf32>") } else { format!("tensor<{n}x{m}xf32>") };
    let (a, y) = (shape(operand), shape(result));
    format!(
        "func.func @f(%A: {a}) -> {y} {{
  %m = mdh.compute \"max\" (i in {m}, j in {n} pw max) ins(%x = %A[{operand}]) outs([i]) {{
    mdh.yield %x : f32
  }} : ({a}) -> tensor<{m}xf32>
  %e = mdh.compute \"exp\" (i in {m}, j in {n}) ins(%x = %A[{operand}], %most = %m[i]) outs([{result}]) {{
    %d = arith.subf %x, %most : f32
    %p = math.exp %d : f32
    mdh.yield %p : f32
  }} : ({a}, tensor<{m}xf32>) -> {y}
  %s = mdh.compute \"sum\" (i in {m}, j in {n} pw add) ins(%x = %e[{result}]) outs([i]) {{
    mdh.yield %x : f32
  }} : ({y}) -> tensor<{m}xf32>
  %y = mdh.compute \"scale\" (i in {m}, j in {n}) ins(%x = %e[{result}], %sum = %s[i]) outs([{result}]) {{
    %q = arith.divf %x, %sum : f32
    mdh.yield %q : f32
  }} : ({y}, tensor<{m}xf32>) -> {y}
  return %y : {y}
}}"
    )
}

fn scheduled(text: &str, options: &str) -> String {
    let mut ir = parse(text);
    lower(&mut ir, &format!("func.func(mdh-schedule{{target=x86-64-v4 {options}}})"), text);
    shown(&ir)
}

#[test]
fn values_stay_at_odd_sizes() {
    for sizes in [[5, 7], [17, 23], [1, 9], [37, 19], [16, 35]] {
        // Squares in place of exponentials: sums of small integers are the same in any order.
        let text = softmax(sizes, "j, i", "i, j").replace("math.exp %d : f32", "arith.mulf %d, %d : f32");
        agree_chosen(&text, ALWAYS);
        agree(&text);
    }
}

/// Both readers of the operand read the copy
#[test]
fn readers_share_a_copy() {
    let schedule = scheduled(&softmax([17, 23], "j, i", "i, j"), "move=always");
    assert_eq!(schedule.matches("A_turned\"").count(), 1, "{schedule}");
    assert!(schedule.contains("%A[j, i]) outs([i, j])"), "{schedule}");
    assert_eq!(schedule.matches("%A[").count(), 1, "{schedule}");
}

/// Operands whose rows are those of the chain stay, and so do chains that keep to the operand's own rows
#[test]
fn only_turned_chains_are_copied() {
    for (operand, result) in [("i, j", "i, j"), ("j, i", "j, i")] {
        let schedule = scheduled(&softmax([17, 23], operand, result), "move=always");
        assert!(!schedule.contains("_turned"), "{schedule}");
    }
    let never = scheduled(&softmax([1280, 21128], "j, i", "i, j"), "move=never");
    assert!(!never.contains("_turned"), "{never}");
}

/// What no cache holds pays for a copy; so large a tensor that nothing reads in the same loops is written non-temporally
#[test]
fn the_model_decides() {
    for units in [1, 2] {
        let schedule = scheduled(&softmax([1280, 21128], "j, i", "i, j"), &format!("units={units}"));
        let copy =
            schedule.lines().find(|line| line.contains("A_turned\"")).unwrap_or_else(|| panic!("{schedule}"));
        assert!(copy.contains("MM nt"), "{copy}");
        let exponentials = schedule.lines().find(|line| line.contains("\"exp\"")).expect("they stay");
        assert!(!exponentials.contains("nt"), "{exponentials}");
    }
}
