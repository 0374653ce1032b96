//! `mdh-schedule` takes neighboring dimensions as one where every access does, with the same values.

use crate::common::*;
use terrace_dialect_test::values::shown;

const CHOOSE: &str = "func.func(mdh-schedule{target=x86-64-v4})";

/// `sum over r of A · B`: sizes by letter, subscripts of both operands and of the result
fn contraction(sizes: &[(char, i64)], reduced: &str, [a, b, out]: [&str; 3], order: &str) -> String {
    let size = |dim: char| sizes.iter().find(|(name, _)| *name == dim).map_or(1, |(_, size)| *size);
    let ty = |of: &str| {
        let sizes: String = of.chars().map(|dim| format!("{}x", size(dim))).collect();
        format!("tensor<{sizes}f32>")
    };
    let at = |of: &str| of.chars().map(String::from).collect::<Vec<_>>().join(", ");
    let dim = |(name, size): &(char, i64)| {
        let kind = if reduced.contains(*name) { format!(" pw add{order}") } else { String::new() };
        format!("{name} in {size}{kind}")
    };
    let dims: Vec<String> = sizes.iter().map(dim).collect();
    let (types, out_ty) = ([ty(a), ty(b)], ty(out));
    format!(
        "func.func @f(%A: {}, %B: {}) -> {out_ty} {{
  %c = mdh.compute ({}) ins(%a = %A[{}], %b = %B[{}]) outs([{}]) {{
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  }} : ({}) -> {out_ty}
  return %c : {out_ty}
}}",
        types[0],
        types[1],
        dims.join(", "),
        at(a),
        at(b),
        at(out),
        types.join(", "),
    )
}

/// Names of the dimensions after a schedule was chosen
fn dims(text: &str) -> String {
    let mut ir = parse(text);
    lower(&mut ir, CHOOSE, text);
    let found = shown(&ir);
    let start = found.find("mdh.compute (").map_or(0, |at| at + "mdh.compute (".len());
    let list = found[start..].split(')').next().unwrap_or("");
    list.split(", ").filter_map(|dim| dim.split(' ').next()).collect::<Vec<_>>().join(" ")
}

/// Several dimensions of rows and columns: as written where a few vectors are the last dimension, and where the model does not hold the other form to
/// be clearly faster
#[test]
fn other_contractions_of_runs_must_gain() {
    let operands = ["gdab", "efgc", "abcdef"];
    for (f, wanted) in [(17, "a_b c d e_f g"), (16, "a b c d e f g")] {
        let sizes = [('a', 7), ('b', 11), ('c', 13), ('d', 5), ('e', 7), ('f', f), ('g', 19)];
        assert_eq!(dims(&contraction(&sizes, "g", operands, "")), wanted, "{f}");
    }
    // No run but the last one: tiles of a few rows are written in order, whatever the last dimension leaves of a vector.
    let apart = ["gdac", "efgb", "abcdef"];
    for (f, wanted) in [(17, "a b c d e f g"), (15, "a b c d e f g"), (16, "a b c d e f g")] {
        let sizes = [('a', 25), ('b', 17), ('c', 17), ('d', 17), ('e', 25), ('f', f), ('g', 25)];
        assert_eq!(dims(&contraction(&sizes, "g", apart, "")), wanted, "{f}");
    }
    let sizes = [('a', 2), ('b', 5), ('c', 3), ('d', 5), ('e', 3), ('f', 17), ('g', 19)];
    agree_chosen(&contraction(&sizes, "g", operands, ""), CHOOSE);
    agree_chosen(&contraction(&sizes, "g", apart, ""), CHOOSE);
}

#[test]
fn contractions_of_runs_are_products() {
    let sizes = [('a', 7), ('b', 11), ('c', 3), ('d', 11), ('e', 3), ('f', 7)];
    for (reduced, operands, wanted) in [
        ("ef", ["abef", "efcd", "abcd"], "a_b c_d e_f"),
        ("ef", ["efab", "cdef", "abcd"], "a_b c_d e_f"),
        ("ef", ["abef", "cdef", "cdab"], "a_b c_d e_f"),
        // Five dimensions are rows.
        ("f", ["abcef", "fd", "abced"], "a_b_c_e d f"),
        // One operand has a run in another order: its dimensions stay as written.
        ("ef", ["abef", "fecd", "abcd"], "a_b c_d e f"),
        ("ef", ["abef", "efcd", "bacd"], "a b c_d e_f"),
        // Two runs are apart in one operand. Vectors along the result's last dimension would be a third empty.
        ("ef", ["aebf", "efcd", "abcd"], "a b c_d e f"),
    ] {
        let used: Vec<(char, i64)> =
            sizes.iter().copied().filter(|(name, _)| operands.iter().any(|of| of.contains(*name))).collect();
        let mut order: Vec<(char, i64)> =
            used.iter().copied().filter(|(name, _)| !reduced.contains(*name)).collect();
        order.extend(used.iter().copied().filter(|(name, _)| reduced.contains(*name)));
        let text = contraction(&order, reduced, operands, "");
        assert_eq!(dims(&text), wanted, "{operands:?}");
        agree_chosen(&text, CHOOSE);
    }
}

/// Products of a batch: the outermost dimension of the result numbers them
#[test]
fn batches_of_products() {
    let sizes = [('b', 3), ('k', 13), ('y', 7), ('x', 19), ('c', 11)];
    for (operands, wanted) in [
        (["bcyx", "kc", "bkyx"], "b k y_x c"),
        (["bcyx", "bkc", "bkyx"], "b k y_x c"),
        (["cyxb", "kc", "kyxb"], "k y_x_b c"),
    ] {
        let text = contraction(&sizes, "c", operands, "");
        assert_eq!(dims(&text), wanted, "{operands:?}");
        agree_chosen(&text, CHOOSE);
    }
}

/// A fold in the order of the source: only neighbors among its dimensions, the outer one first
#[test]
fn order_of_the_source() {
    let sizes = |order: [char; 2]| [('a', 23), ('c', 29), (order[0], 5), (order[1], 7)];
    let forward = contraction(&sizes(['e', 'f']), "ef", ["aef", "efc", "ac"], " source");
    assert_eq!(dims(&forward), "a c e_f");
    agree_chosen(&forward, CHOOSE);
    let backward = contraction(&sizes(['f', 'e']), "ef", ["aef", "efc", "ac"], " source");
    assert_eq!(dims(&backward), "a c f e");
    agree_chosen(&backward, CHOOSE);
}

#[test]
fn forms_as_written() {
    let sizes = [('a', 7), ('b', 11), ('c', 33), ('e', 5), ('f', 9)];
    let text = contraction(&sizes, "ef", ["abef", "efc", "abc"], "");
    assert_eq!(dims(&text), "a_b c e_f");
    // Switched off, with a coordinate as a value, over a part of a tensor, with a reader, and with a schedule.
    let mut ir = parse(&text);
    lower(&mut ir, "func.func(mdh-schedule{target=x86-64-v4 collapse=false})", &text);
    assert!(!shown(&ir).contains("collapse_shape"));
    let written = "a b c e f";
    for (from, to, wanted) in [
        ("%p = arith.mulf %a, %b : f32", "%n = mdh.index 0\n    %p = arith.mulf %a, %b : f32", written),
        ("f in 9", "f in 8", "a_b c e f"),
        ("-> tensor<7x11x33xf32> {\n  %c", "-> (tensor<7x11x33xf32>, tensor<7x11x33xf32>) {\n  %c", written),
    ] {
        let mut other = text.replace(from, to);
        assert_ne!(other, text);
        if to.contains("-> (") {
            other = other.replace(
                "  return %c : tensor<7x11x33xf32>",
                "  %r = mdh.compute \"negated\" (i in 7, j in 11, k in 33) ins(%x = %c[i, j, k]) outs([i, j, k]) {
    %n = arith.negf %x : f32
    mdh.yield %n : f32
  } : (tensor<7x11x33xf32>) -> tensor<7x11x33xf32>
  return %c, %r : tensor<7x11x33xf32>, tensor<7x11x33xf32>",
            );
        }
        assert_eq!(dims(&other), wanted, "{from} as {to}");
        agree_chosen(&other, CHOOSE);
    }
}

/// What has its schedule keeps its views when the pipeline runs again
#[test]
fn views_stay_views() {
    let sizes = [('a', 7), ('b', 11), ('c', 33), ('e', 5), ('f', 9)];
    let text = contraction(&sizes, "ef", ["abef", "efc", "abc"], "");
    let mut ir = parse(&text);
    lower(&mut ir, CHOOSE, &text);
    let once = shown(&ir);
    lower(&mut ir, &format!("func.func(linalg-to-mdh,tensors-to-memory),{CHOOSE}"), &text);
    assert_eq!(shown(&ir), once);
    assert_eq!(once.matches("tensor.collapse_shape").count(), 2);
    assert_eq!(once.matches("tensor.expand_shape").count(), 1);
}
