//! Tensors between computations with their axes in another order, and what depends on constant arguments alone.

use crate::common::*;

use terrace_dialect_mdh::Compute;
use terrace_dialect_test::values::shown;
use terrace_ir::Ir;
use terrace_passes_mdh::layouts::{Orders, Reordered, Weights, components};

const CHOOSE: &str = "func.func(mdh-schedule{target=x86-64-v4})";

/// Two convolutions with a function of each element between, channels first: channels, filters, size, taps
fn chain([c, k, size, taps]: [usize; 4], order: &str) -> String {
    let (inner, end) = (size - taps + 1, size - 2 * taps + 2);
    let conv = |name: &str, x: &str, w: &str, [c, from, to]: [usize; 3]| {
        format!(
            "  %{name} = mdh.compute (n in 1, k in {k}, y in {to}, x in {to}, c in {c} pw add{order}, r in {taps} pw add{order}, s in {taps} pw add{order}) ins(%a = %{x}[n, c, y + r, x + s], %b = %{w}[k, c, r, s]) outs([n, k, y, x]) {{
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  }} : (tensor<1x{c}x{from}x{from}xf32>, tensor<{k}x{c}x{taps}x{taps}xf32>) -> tensor<1x{k}x{to}x{to}xf32>\n"
        )
    };
    let (first, second) = (conv("u", "X", "V", [c, size, inner]), conv("z", "v", "W", [k, inner, end]));
    format!(
        "func.func @f(%X: tensor<1x{c}x{size}x{size}xf32>, %V: tensor<{k}x{c}x{taps}x{taps}xf32> {{terrace.constant}}, %W: tensor<{k}x{k}x{taps}x{taps}xf32> {{terrace.constant}}, %B: tensor<{k}xf32>) -> tensor<1x{k}x{end}x{end}xf32> {{
{first}  %v = mdh.compute (n in 1, k in {k}, y in {inner}, x in {inner}) ins(%a = %u[n, k, y, x], %b = %B[k]) outs([n, k, y, x]) {{
    %m = arith.maximumf %a, %b : f32
    mdh.yield %m : f32
  }} : (tensor<1x{k}x{inner}x{inner}xf32>, tensor<{k}xf32>) -> tensor<1x{k}x{inner}x{inner}xf32>
{second}  return %z : tensor<1x{k}x{end}x{end}xf32>
}}"
    )
}

fn chosen(text: &str, pipeline: &str) -> String {
    let mut ir = parse(text);
    lower(&mut ir, pipeline, text);
    shown(&ir)
}

#[test]
fn channels_are_innermost_between_convolutions() {
    let made = chosen(&chain([128, 128, 7, 3], ""), CHOOSE);
    assert!(made.contains("tensor<1x5x5x128xf32>"), "{made}");
    // What the function takes and gives is as it was.
    assert!(
        made.contains("%X: tensor<1x128x7x7xf32>") && made.contains("-> tensor<1x128x3x3xf32>"),
        "{made}"
    );
    assert!(made.contains("V_moved"), "{made}");
    let kept =
        chosen(&chain([128, 128, 7, 3], ""), "func.func(mdh-schedule{target=x86-64-v4 layouts=false})");
    assert!(!kept.contains("tensor<1x5x5x128xf32>") && !kept.contains("V_moved"), "{kept}");
}

/// A fold that is stated has one order, and a schedule that is given is for the tensors as they are
#[test]
fn what_is_stated_stays() {
    let made = chosen(&chain([128, 128, 7, 3], " source"), CHOOSE);
    assert!(!made.contains("tensor<1x5x5x128xf32>") && !made.contains("_moved"), "{made}");
    let given = chain([128, 128, 7, 3], "").replace(
        "outs([n, k, y, x]) {\n    %m",
        "outs([n, k, y, x]) attributes {mdh.schedule = [\"1: (1,1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3,FOR.4)\"]} {\n    %m",
    );
    let made = chosen(&given, CHOOSE);
    assert!(!made.contains("tensor<1x5x5x128xf32>"), "{made}");
}

/// The same with sums of `B` in a tensor of rank 3, which the function in the middle reads, and something behind the convolutions
fn two_ranks([c, k, size, taps]: [usize; 4]) -> String {
    let (sums, result) = (format!("tensor<1x{k}x1xf32>"), size - 2 * taps + 2);
    let double = |name: &str, from: &str, ty: &str| {
        format!(
            "  %{name} = mdh.compute (n in 1, k in {k}, o in 1) ins(%a = {from}) outs([n, k, o]) {{
    %d = arith.addf %a, %a : f32
    mdh.yield %d : f32
  }} : ({ty}) -> {sums}\n"
        )
    };
    let (first, list) = ("  %u = mdh.compute", format!("tensor<{k}xf32>"));
    let (made, behind) = (double("t", "%B[k]", &list), double("q", "%t[n, k, o]", &sums));
    let z = format!("tensor<1x{k}x{result}x{result}xf32>");
    chain([c, k, size, taps], "")
        .replace(&format!("-> {z} {{"), &format!("-> ({z}, {sums}) {{"))
        .replace(first, &format!("{made}{first}"))
        .replace("%b = %B[k])", "%b = %t[n, k, 0])")
        .replace(&format!("xf32>, {list}) ->"), &format!("xf32>, {sums}) ->"))
        .replace(&format!("  return %z : {z}"), &format!("{behind}  return %z, %q : {z}, {sums}"))
}

/// Move an axis of all tensors of a rank behind the others, and copy constant arguments for their readers; how many of both
fn turned(ir: &mut Ir, rank: usize, axis: usize) -> [usize; 2] {
    let slot = ir.walk().find(|op| ir.child(*op).is_some()).expect("a function");
    let unit = ir.child_mut(slot).expect("a function");
    let order: Vec<usize> = (0..rank).filter(|one| *one != axis).chain([axis]).collect();
    let mut count = [0; 2];
    for component in components(unit).into_iter().filter(|one| one.rank == rank) {
        let orders: Orders = component.tensors.iter().map(|value| (*value, order.clone())).collect();
        Reordered::before(unit, &component, &orders).expect("it has such a form").replace(unit);
        count[0] += component.tensors.len();
    }
    let computes: Vec<Compute> = unit.walk().filter_map(|op| Compute::cast(unit, op)).collect();
    for op in computes {
        if let Some(other) = Weights::before(unit, op) {
            count[1] += other.copies.len();
            other.replace(unit, op);
        }
    }
    count
}

/// In each order, whichever the model holds to be the fastest
#[test]
fn values_stay() {
    for sizes in [[16, 32, 9, 2], [5, 48, 7, 3], [3, 17, 11, 1]] {
        for axis in [1, 2] {
            let text = chain(sizes, "");
            let wanted = as_it_is(&parse(&text), "f");
            let mut ir = parse(&text);
            let [tensors, copies] = turned(&mut ir, 4, axis);
            assert!(tensors == 2 && (copies > 0 || axis != 1), "{tensors}, {copies}: {}", shown(&ir));
            same(&wanted, &as_it_is(&ir, "f"), &text);
            let choose = CHOOSE.replace("}", " layouts=false}");
            for step in [choose.as_str(), "func.func(mdh-to-sched)", DOWN] {
                lower(&mut ir, step, &text);
            }
            same(&wanted, &lowered(&ir, "f", &text, wanted.len()), &text);
        }
        agree_chosen(&chain(sizes, ""), CHOOSE);
    }
}

/// A computation is in one component for each rank of its tensors: one that has changed is another one in the next
#[test]
fn tensors_of_two_ranks_change() {
    let text = two_ranks([3, 17, 9, 2]);
    let wanted = as_it_is(&parse(&text), "f");
    let mut ir = parse(&text);
    assert_eq!([3, 4].map(|rank| turned(&mut ir, rank, 1)[0]), [1, 2], "{}", shown(&ir));
    same(&wanted, &as_it_is(&ir, "f"), &text);
    agree_chosen(&text, CHOOSE);
    let made = chosen(&two_ranks([128, 128, 7, 3]), CHOOSE);
    assert!(made.contains("tensor<1x5x5x128xf32>"), "{made}");
}

/// A product of a tensor and a constant argument whose axes are exchanged
fn product(x: &str, y: &str, size: &str) -> String {
    format!(
        "%{y} = mdh.compute (i in 4, j in {size}) ins(%a = %{x}[i, j], %b = %V[j, i]) outs([i, j]) {{
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  }} : (tensor<4x{size}xf32>, tensor<{size}x4xf32>) -> tensor<4x{size}xf32>"
    )
}

/// Where a copy would be made in each call, there is none
#[test]
fn only_what_is_prepared_is_copied() {
    let head = "(%X: tensor<4x6xf32>, %V: tensor<6x4xf32> {terrace.constant}) -> tensor<4x6xf32>";
    let end = "return %r : tensor<4x6xf32>\n}";
    let straight = product("X", "r", "6");
    let inside = product("t", "y", "6");
    let looped = format!(
        "%c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %n = %c0 to %c3 step %c1 iter_args(%t = %X) -> (tensor<4x6xf32>) {{
  {inside}
  scf.yield %y : tensor<4x6xf32>
  }}"
    );
    for (word, marks, body, copies) in [
        ("", "", &straight, 1),
        ("", "", &looped, 0),
        ("private ", "", &straight, 0),
        ("", " attributes {terrace.versions = [@g]}", &straight, 0),
    ] {
        let text = format!("func.func {word}@f{head}{marks} {{\n  {body}\n  {end}");
        let mut ir = parse(&text);
        assert_eq!(turned(&mut ir, 4, 1), [0, copies], "{text}");
    }
}

/// Sizes that get no schedule get no estimates either
#[test]
fn long_dimensions_stay() {
    let text =
        "func.func @f(%X: tensor<8xf32>, %V: tensor<16x8xf32> {terrace.constant}) -> tensor<8x16xf32> {
  %y = mdh.compute (i in 8, j in 16, k in 2199023255552 pw add) ins(%a = %X[i], %b = %V[j, i]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<8xf32>, tensor<16x8xf32>) -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}";
    assert!(!chosen(text, CHOOSE).contains("_moved"));
}

/// What constant arguments decide moves to a function of its own; what else reads them stays
#[test]
fn constants_are_prepared() {
    let made = chosen(&chain([128, 128, 7, 3], ""), &format!("{CHOOSE},mdh-prepare"));
    assert!(made.contains("func.func @f_prepare(%V: "), "{made}");
    assert!(made.contains("terrace.prepared_by = [@f_prepare]"), "{made}");
    assert!(made.contains("terrace.takes = array<i64: 1>"), "{made}");
    assert!(made.contains("terrace.gives = array<i64: 0, 2, 3, -1>"), "{made}");
    let (main, prepare) = made.split_once("func.func @f_prepare").expect("two functions");
    assert!(!main.contains("_moved") && prepare.matches("_moved").count() == 1, "{made}");
    // Without a promise nothing is.
    let open = chain([128, 128, 7, 3], "").replace(" {terrace.constant}", "");
    assert!(!chosen(&open, &format!("{CHOOSE},mdh-prepare")).contains("_prepare"));
}

/// Who calls a function that has versions may get one of them, with the arguments as they are; nothing is no argument
#[test]
fn what_cannot_be_prepared_stays() {
    let text = |marks: &str, rows: usize| {
        format!(
            "func.func @f(%X: tensor<{rows}x6xf32>, %V: tensor<6x{rows}xf32> {{terrace.constant}}) -> tensor<{rows}x6xf32>{marks} {{
  %c = mdh.compute (i in {rows}, j in 6) ins(%v = %V[j, i]) outs([i, j]) {{
    mdh.yield %v : f32
  }} : (tensor<6x{rows}xf32>) -> tensor<{rows}x6xf32>
  %y = mdh.compute (i in {rows}, j in 6) ins(%a = %X[i, j], %b = %c[i, j]) outs([i, j]) {{
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  }} : (tensor<{rows}x6xf32>, tensor<{rows}x6xf32>) -> tensor<{rows}x6xf32>
  return %y : tensor<{rows}x6xf32>
}}"
        )
    };
    assert!(chosen(&text("", 4), "mdh-prepare").contains("@f_prepare"));
    for text in [text(" attributes {terrace.versions = [@g]}", 4), text("", 0)] {
        let made = chosen(&text, "mdh-prepare");
        assert!(!made.contains("_prepare"), "{made}");
    }
}
