//! `mdh-hoist`: products in reductions become two computations where that saves operations, with the same values.

use crate::common::*;
use terrace_dialect_test::values::shown;
use terrace_support::Random;

/// The function after the pass, and how many computations it has
fn hoisted(text: &str) -> (String, usize) {
    let mut ir = parse(text);
    lower(&mut ir, "func.func(mdh-hoist)", text);
    let found = shown(&ir);
    let computes = found.matches("mdh.compute").count();
    (found, computes)
}

/// `out[kept] = plus over the others of a product`: operands as (name, its dimensions), the ops of the body as written
fn product(elem: &str, dims: &[(&str, i64, &str)], operands: &[&str], body: &[&str]) -> String {
    let size =
        |dim: char| dims.iter().find(|(name, ..)| name.starts_with(dim)).map_or(1, |(_, size, _)| *size);
    let ty = |of: &str| {
        let sizes: String = of.chars().map(|dim| format!("{}x", size(dim))).collect();
        format!("tensor<{sizes}{elem}>")
    };
    let at = |of: &str| of.chars().map(String::from).collect::<Vec<_>>().join(", ");
    let kept: String = dims.iter().filter(|(.., plus)| plus.is_empty()).map(|(name, ..)| *name).collect();
    let all: Vec<String> =
        dims.iter().map(|(name, size, plus)| format!("{name} in {size} {plus}").trim_end().into()).collect();
    let args: Vec<String> = operands.iter().enumerate().map(|(n, of)| format!("%A{n}: {}", ty(of))).collect();
    let ins: Vec<String> =
        operands.iter().enumerate().map(|(n, of)| format!("%a{n} = %A{n}[{}]", at(of))).collect();
    let types: Vec<String> = operands.iter().map(|of| ty(of)).collect();
    let last = body.len() - 1;
    let ops: String = body.iter().enumerate().map(|(n, op)| format!("    %p{n} = {op} : {elem}\n")).collect();
    format!(
        "func.func @f({}) -> {out} {{
  %c = mdh.compute ({}) ins({}) outs([{}]) {{
{ops}    mdh.yield %p{last} : {elem}
  }} : ({}) -> {out}
  return %c : {out}
}}",
        args.join(", "),
        all.join(", "),
        ins.join(", "),
        at(&kept),
        types.join(", "),
        out = ty(&kept),
    )
}

fn triple(elem: &str, plus: &str, times: &str) -> String {
    let reduced = format!("pw {plus}");
    let first = format!("arith.{}", times.replacen("$", "%a0, %a1", 1));
    let second = format!("arith.{}", times.replacen("$", "%p0, %a2", 1));
    let dims = [("i", 9, ""), ("j", 11, ""), ("k", 13, reduced.as_str())];
    product(elem, &dims, &["ik", "k", "kj"], &[&first, &second])
}

#[test]
fn operators_that_distribute() {
    for (elem, plus, times) in [
        ("i32", "add", "muli $"),
        ("i8", "add", "muli $"),
        ("i16", "or", "andi $"),
        ("i32", "xor", "andi $"),
        ("i32", "and", "ori $"),
        ("i32", "min", "maxsi $"),
        ("i32", "max", "minsi $"),
        ("i32", "minui", "maxui $"),
        ("i32", "maxui", "minui $"),
        ("i32", "min", "addi $ overflow<nsw>"),
        ("i32", "max", "addi $ overflow<nsw>"),
        ("f32", "add", "mulf $"),
        ("f64", "add free", "mulf $"),
        ("bf16", "add", "mulf $"),
        ("f32", "min", "maximumf $"),
        ("f32", "max", "minimumf $"),
        // In the order of the text, what the body multiplies first may be multiplied before.
        ("f32", "add source", "mulf $"),
        ("f16", "add", "mulf $"),
    ] {
        let text = triple(elem, plus, times);
        let (found, computes) = hoisted(&text);
        assert_eq!(computes, 2, "{plus}, {times}\n{found}");
        if elem != "bf16" && elem != "f16" {
            agree(&text);
        }
    }
}

#[test]
fn others_stay() {
    for (elem, plus, times) in [
        ("i32", "min", "addi $"),
        ("i32", "max", "addi $ overflow<nuw>"),
        ("i32", "maxui", "addi $ overflow<nsw>"),
        ("i32", "min", "muli $"),
        ("i32", "or", "ori $"),
        ("i32", "add", "andi $"),
        ("f32", "max", "mulf $"),
        ("f32", "max", "addf $"),
        ("f32", "min", "maxnumf $"),
    ] {
        let (found, computes) = hoisted(&triple(elem, plus, times));
        assert_eq!(computes, 1, "{plus}, {times}\n{found}");
    }
}

/// `Σ x[i] · A[i, j] · y[j]`
fn bilinear(elem: &str, plus: &str) -> String {
    let reduced = format!("pw {plus}");
    let mul = if elem.starts_with('f') { "mulf" } else { "muli" };
    let (first, second) = (format!("arith.{mul} %a0, %a1"), format!("arith.{mul} %p0, %a2"));
    let dims = [("i", 31, reduced.as_str()), ("j", 37, reduced.as_str())];
    product(elem, &dims, &["i", "ij", "j"], &[&first, &second])
}

#[test]
fn a_factor_leaves_its_reduction() {
    for elem in ["f32", "f64", "i32", "index"] {
        let text = bilinear(elem, "add");
        let (found, computes) = hoisted(&text);
        assert_eq!(computes, 2, "{found}");
        assert!(found.contains("pw add) ins(%a1 = %A1[i, j], %a2 = %A2[j]) outs([i])"), "{found}");
        agree(&text);
    }
    // Neither in the order of the source, nor where the sum alone may be infinite.
    for (elem, plus) in [("f32", "add source"), ("f16", "add")] {
        let (found, computes) = hoisted(&bilinear(elem, plus));
        assert_eq!(computes, 1, "{elem}, {plus}\n{found}");
    }
}

/// `D[i, j] = Σ A[i, k] · B[k, l] · C[l, j]`: in pairs, of which the cheapest is first
#[test]
fn three_matrices_are_two_products() {
    let dims = [("i", 7, ""), ("j", 9, ""), ("k", 11, "pw add"), ("l", 8, "pw add")];
    let muls = ["arith.mulf %a0, %a1", "arith.mulf %p0, %a2"];
    let text = product("f32", &dims, &["ik", "kl", "lj"], &muls);
    let (found, computes) = hoisted(&text);
    assert_eq!(computes, 2, "{found}");
    assert!(found.contains("outs([i, l])"), "{found}");
    agree(&text);
}

/// Coordinates and expressions are factors too; a factor that is there twice is one twice
#[test]
fn factors_are_expressions() {
    let text = "func.func @f(%A: tensor<19x23xi32>, %d: tensor<23xi32>) -> tensor<19xi32> {
  %c = mdh.compute (i in 19, k in 23 pw add) ins(%a = %A[i, k], %e = %d[k], %g = %d[i]) outs([i]) {
    %i = mdh.index 0
    %n = arith.index_cast %i : index to i32
    %s = arith.addi %n, %g : i32
    %q = arith.muli %s, %s : i32
    %p = arith.muli %q, %a : i32
    %r = arith.muli %p, %e : i32
    %t = arith.muli %r, %e : i32
    mdh.yield %t : i32
  } : (tensor<19x23xi32>, tensor<23xi32>, tensor<23xi32>) -> tensor<19xi32>
  return %c : tensor<19xi32>
}";
    let (found, computes) = hoisted(text);
    assert!(computes >= 2, "{found}");
    agree(text);
}

/// What has a schedule, start values alone, or conditions stays
#[test]
fn forms_that_stay() {
    let text = "func.func @f(%x: tensor<i32>, %A: tensor<40x40xi32>, %s: tensor<40xi32>) -> tensor<40xi32> {
  %c = mdh.compute (i in 40, j in 40 pw add) ins(%e = %x[], %a = %A[i, j]) outs([i] into %s) {
    %p = arith.muli %e, %a : i32
    %q = arith.muli %p, %p : i32
    mdh.yield %q : i32
  } : (tensor<i32>, tensor<40x40xi32>, tensor<40xi32>) -> tensor<40xi32>
  return %c : tensor<40xi32>
}";
    let (found, computes) = hoisted(text);
    assert_eq!(computes, 1, "{found}");
    let given = triple("i32", "add", "muli $").replace(
        "outs([i, j]) {",
        "outs([i, j]) attributes {mdh.schedule = [\"1: (1,^,^) (^,^,^ ; ^) (FOR.1,^,^)\"]} {",
    );
    assert!(given.contains("mdh.schedule"));
    let (found, computes) = hoisted(&given);
    assert_eq!(computes, 1, "{found}");
    let when = bilinear("i32", "add").replace(") ins(", ") where i < j + 1 ins(");
    let (found, computes) = hoisted(&when);
    assert_eq!(computes, 1, "{found}");
}

/// Products of three to five operands over up to four dimensions, with all operators
#[test]
fn random_products() {
    let mut random = Random::new(20);
    let mut divided = 0;
    for _ in 0..60 {
        let kinds =
            [("i32", "add", "muli"), ("f32", "add", "mulf"), ("i16", "xor", "andi"), ("i32", "max", "minsi")];
        let (elem, plus, times) = kinds[random.below(4) as usize];
        let plus = format!("pw {plus}");
        let rank = 2 + random.below(3) as usize;
        let dims: Vec<(&str, i64, &str)> = ["i", "j", "k", "l"][..rank]
            .iter()
            .enumerate()
            .map(|(n, name)| {
                (
                    *name,
                    3 + random.below(if rank > 3 { 6 } else { 14 }) as i64,
                    if n == rank - 1 || random.below(2) == 0 { plus.as_str() } else { "" },
                )
            })
            .collect();
        let count = 3 + random.below(3) as usize;
        let operands: Vec<String> = (0..count)
            .map(|_| ["i", "j", "k", "l"][..rank].iter().filter(|_| random.below(2) == 0).copied().collect())
            .collect();
        let operands: Vec<&str> = operands.iter().map(String::as_str).collect();
        let mut body: Vec<String> = vec![format!("arith.{times} %a0, %a1")];
        for n in 2..count {
            let other = if random.below(4) == 0 {
                format!("%p{0}, %a{n}", n - 2)
            } else {
                format!("%a{n}, %p{}", n - 2)
            };
            body.push(format!("arith.{times} {other}"));
        }
        let body: Vec<&str> = body.iter().map(String::as_str).collect();
        let text = product(elem, &dims, &operands, &body);
        divided += usize::from(hoisted(&text).1 > 1);
        let wanted = as_it_is(&parse(&text), "f");
        let mut ir = parse(&text);
        for step in ["func.func(mdh-hoist)", "func.func(mdh-schedule{target=x86-64-v4},mdh-to-sched)", DOWN] {
            lower(&mut ir, step, &text);
            let found = match step {
                "func.func(mdh-hoist)" => as_it_is(&ir, "f"),
                _ => lowered(&ir, "f", &text, wanted.len()),
            };
            same(&wanted, &found, &format!("{step}\n{text}"));
        }
    }
    assert!(divided > 15, "{divided} of 60 were divided");
}

/// `C[i, j] = Σ f(A[i, k]) · B[k, j]`: what is computed from an element that is read again is computed once
#[test]
fn factors_are_computed_once_for_each_element() {
    let dims = [("i", 17, ""), ("j", 19, ""), ("k", 13, "pw add")];
    let function = ["arith.maximumf %a0, %a0", "arith.mulf %p0, %a1"];
    let text = product("f32", &dims, &["ik", "kj"], &function);
    let (found, computes) = hoisted(&text);
    assert_eq!(computes, 2, "{found}");
    assert!(found.contains("outs([i, k])"), "{found}");
    agree(&text);
    // Both factors, one of two elements, in the order of the source too: the products are the same.
    for (elem, plus) in [("f32", "pw add source"), ("f16", "pw add"), ("f64", "pw add")] {
        let dims = [("i", 17, ""), ("j", 19, ""), ("k", 43, plus)];
        let sums = ["arith.subf %a0, %a1", "arith.addf %a3, %a2", "arith.mulf %p0, %p1"];
        let text = product(elem, &dims, &["ik", "k", "kj", "j"], &sums);
        let (found, computes) = hoisted(&text);
        assert_eq!(computes, 3, "{elem}\n{found}");
        agree(&text);
    }
}

/// Factors whose elements are read at one point each, conversions, and windows, whose points are more than elements
#[test]
fn factors_that_stay() {
    let dims = [("i", 127, ""), ("k", 131, "pw add")];
    let text = product("f32", &dims, &["ik", "k"], &["arith.addf %a0, %a0", "arith.mulf %p0, %a1"]);
    assert_eq!(hoisted(&text).1, 1);
    let window = "func.func @f(%X: tensor<83xf32>, %F: tensor<5x31xf32>) -> tensor<79x31xf32> {
  %c = mdh.compute (x in 79, c in 31, r in 5 pw add) ins(%a = %X[x + r], %f = %F[r, c]) outs([x, c]) {
    %e = arith.addf %a, %a : f32
    %p = arith.mulf %e, %f : f32
    mdh.yield %p : f32
  } : (tensor<83xf32>, tensor<5x31xf32>) -> tensor<79x31xf32>
  return %c : tensor<79x31xf32>
}";
    let (found, computes) = hoisted(window);
    assert_eq!(computes, 1, "{found}");
    agree(window);
    let half = "func.func @f(%A: tensor<47x43xf16>, %B: tensor<43x41xf16>) -> tensor<47x41xf32> {
  %c = mdh.compute (i in 47, j in 41, k in 43 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %d = arith.extf %a : f16 to f32
    %e = arith.extf %b : f16 to f32
    %p = arith.mulf %d, %e : f32
    mdh.yield %p : f32
  } : (tensor<47x43xf16>, tensor<43x41xf16>) -> tensor<47x41xf32>
  return %c : tensor<47x41xf32>
}";
    assert_eq!(hoisted(half).1, 1);
}
