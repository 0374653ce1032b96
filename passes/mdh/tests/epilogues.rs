//! Element-wise computations where tiles of the reduction in front are complete (`mdh.epilogue`): places, refusals, values.

use crate::common::*;
use terrace_dialect_test::values::shown;
use terrace_support::Random;

/// A product, and a computation of its result `%h`: more arguments, what it reads, its subscripts of the result, its body's ops
fn chain(sizes: [i64; 3], elem: &str, args: &str, ins: &str, out: &str, body: &str) -> String {
    let [m, n, k] = sizes;
    let shape = if out == "i, j" { format!("{m}x{n}") } else { format!("{n}x{m}") };
    let types: Vec<&str> =
        args.split(", ").filter_map(|arg| arg.split_once(": ").map(|(_, ty)| ty)).collect();
    let types: String = types.iter().map(|ty| format!(", {ty}")).collect();
    let args = if args.is_empty() { String::new() } else { format!(", {args}") };
    format!(
        "func.func @f(%A: tensor<{m}x{k}x{elem}>, %B: tensor<{k}x{n}x{elem}>{args}) -> tensor<{shape}x{elem}> {{
  %h = mdh.compute \"h\" (i in {m}, j in {n}, k in {k} pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {{
    %p = arith.mulf %a, %b : {elem}
    mdh.yield %p : {elem}
  }} : (tensor<{m}x{k}x{elem}>, tensor<{k}x{n}x{elem}>) -> tensor<{m}x{n}x{elem}>
  %y = mdh.compute \"y\" (i in {m}, j in {n}) ins(%e = %h[i, j]{ins}) outs([{out}]) {{
{body}
    mdh.yield %r : {elem}
  }} : (tensor<{m}x{n}x{elem}>{types}) -> tensor<{shape}x{elem}>
  return %y : tensor<{shape}x{elem}>
}}"
    )
}

fn with_bias(sizes: [i64; 3], elem: &str) -> String {
    let body = format!(
        "    %s = arith.addf %e, %c : {elem}\n    %z = arith.constant 0.0 : {elem}\n    %r = arith.maximumf %s, %z : {elem}"
    );
    let bias = format!("%C: tensor<{}x{elem}>", sizes[1]);
    chain(sizes, elem, &bias, ", %c = %C[j]", "i, j", &body)
}

/// The nests of a processor, or what it takes to make them
fn nests(text: &str, options: &str) -> String {
    let mut ir = parse(text);
    lower(&mut ir, &format!("func.func(mdh-schedule{{{options}}},mdh-to-sched)"), text);
    shown(&ir)
}

/// Is the product's result stored, to be read again?
fn stored(nests: &str) -> bool {
    nests.contains("%h = sched.alloc")
}

#[test]
fn a_bias_and_an_activation() {
    for target in ["x86-64-v2", "x86-64-v3", "x86-64-v4", "aarch64", "openmp"] {
        for sizes in [[64, 96, 128], [61, 109, 113], [7, 64, 31], [1, 67, 50]] {
            let text = with_bias(sizes, "f32");
            let found = nests(&text, &format!("target={target}"));
            assert!(!stored(&found), "{target} {sizes:?}\n{found}");
            let without = nests(&text, &format!("target={target} epilogues=false"));
            assert!(stored(&without), "{target} {sizes:?}\n{without}");
        }
    }
}

#[test]
fn values_are_those_of_two_nests() {
    for sizes in [[31, 35, 13], [7, 3, 5], [1, 1, 1], [16, 17, 2]] {
        agree(&with_bias(sizes, "f32"));
    }
    for elem in ["f64", "f16"] {
        agree(&with_bias([9, 19, 5], elem));
    }
}

/// A window whose tiles do not divide the result: what is left stands behind the loops
#[test]
fn what_is_left_behind_the_tiles_has_it_too() {
    let text = "func.func @f(%X: tensor<1003xf32>) -> tensor<997xf32> {
  %h = mdh.compute \"h\" (i in 997, k in 7 pw add) ins(%x = %X[i + k]) outs([i]) {
    mdh.yield %x : f32
  } : (tensor<1003xf32>) -> tensor<997xf32>
  %y = mdh.compute \"y\" (i in 997) ins(%e = %h[i]) outs([i]) {
    %n = arith.constant 7.0 : f32
    %r = arith.divf %e, %n : f32
    mdh.yield %r : f32
  } : (tensor<997xf32>) -> tensor<997xf32>
  return %y : tensor<997xf32>
}";
    let found = nests(text, "target=x86-64-v4");
    assert!(!stored(&found), "{found}");
    agree(text);
}

#[test]
fn where_there_is_no_place() {
    let twice = "    %r = arith.addf %e, %e : f32";
    // Lanes of the product's tile would be a column of what is written, or of what is read.
    let turned = chain([32, 48, 16], "f32", "", "", "j, i", twice);
    let add = "    %r = arith.addf %e, %c : f32";
    let column = chain([32, 48, 16], "f32", "%C: tensor<48x32xf32>", ", %c = %C[j, i]", "i, j", add);
    // A neighbor is not complete there.
    let neighbor =
        chain([32, 48, 16], "f32", "", "", "i, j", twice).replace("%e = %h[i, j]", "%e = %h[i, 47 - j]");
    for text in [turned, column, neighbor] {
        let found = nests(&text, "target=x86-64-v4");
        assert!(stored(&found), "{found}");
        agree(&text);
    }
}

/// Another reader of the product: it is stored and used
#[test]
fn a_result_that_is_read_again() {
    let text = with_bias([29, 48, 16], "f32");
    let text =
        text.replace(") -> tensor<29x48xf32> {\n  %h", ") -> (tensor<29x48xf32>, tensor<29x48xf32>) {\n  %h");
    let text =
        text.replace("return %y : tensor<29x48xf32>", "return %y, %h : tensor<29x48xf32>, tensor<29x48xf32>");
    let found = nests(&text, "target=x86-64-v4");
    assert!(found.contains("%h_reg[%d0, %d1] to %h["), "{found}");
    assert!(!found.contains("sched.read %h["), "{found}");
    agree(&text);
}

/// A schedule of the author's stands
#[test]
fn a_schedule_that_is_given() {
    let text = with_bias([32, 48, 16], "f32").replace(
        "ins(%e = %h[i, j], %c = %C[j]) outs([i, j]) {",
        "ins(%e = %h[i, j], %c = %C[j]) outs([i, j]) attributes {mdh.schedule = [\"1: (1,1) (^,^ ; ^) (FOR.1,FOR.2)\"]} {",
    );
    let found = nests(&text, "target=x86-64-v4");
    assert!(stored(&found), "{found}");
    agree_chosen(&text, "func.func(mdh-schedule{target=x86-64-v4})");
}

/// The mark alone gives no permission: other subscripts, another order of ops, a nest on a grid
#[test]
fn a_mark_where_nothing_permits_it() {
    for target in ["x86-64-v4", "cuda"] {
        for (from, to) in [
            ("%e = %h[i, j]", "%e = %h[i, 47 - j]"),
            ("outs([i, j]) {\n    %s", "outs([i, 47 - j]) {\n    %s"),
        ] {
            let text = with_bias([32, 48, 16], "f32").replace(from, to);
            let mut ir = parse(&text);
            lower(&mut ir, &format!("func.func(mdh-schedule{{target={target}}})"), &text);
            let chosen = shown(&ir).replace("mdh.epilogue, ", "");
            agree_given(&chosen.replace("mdh.schedule = ", "mdh.epilogue, mdh.schedule = "));
        }
    }
}

#[test]
fn random_chains() {
    let mut random = Random::new(46);
    for _ in 0..24 {
        let mut size = || [1, 2, 3, 5, 7, 8, 16, 17, 31, 33][random.below(10) as usize];
        let sizes = [size(), size(), size()];
        let (m, n, _) = (sizes[0], sizes[1], sizes[2]);
        let (mut args, mut ins, mut body, mut last) =
            (Vec::new(), String::new(), String::new(), "e".to_string());
        let count = 1 + random.below(3);
        for step in 0..count {
            let (ty, at) = match random.below(6) {
                0 => (format!("tensor<{n}xf32>"), "[j]".to_string()),
                1 => (format!("tensor<{m}xf32>"), "[i]".into()),
                2 => (format!("tensor<{m}x{n}xf32>"), "[i, j]".into()),
                3 => (format!("tensor<{n}x{m}xf32>"), "[j, i]".into()),
                4 => (format!("tensor<{}xf32>", n + 2), "[j + 2]".into()),
                _ => (format!("tensor<{}xf32>", m + n), "[i + j]".into()),
            };
            args.push(format!("%C{step}: {ty}"));
            ins += &format!(", %c{step} = %C{step}{at}");
            let op = ["arith.addf", "arith.mulf", "arith.maximumf", "arith.subf"][random.below(4) as usize];
            let name = if step + 1 == count { "r".to_string() } else { format!("t{step}") };
            body += &format!("    %{name} = {op} %{last}, %c{step} : f32\n");
            last = name;
        }
        let out = if random.below(4) == 0 { "j, i" } else { "i, j" };
        agree(&chain(sizes, "f32", &args.join(", "), &ins, out, body.trim_end()));
    }
}

/// What a reduction keeps and sums on a grid, and an element-wise computation of it
fn reduced(sizes: [i64; 2], elem: &str, kinds: [&str; 2], out: &str, body: &str) -> String {
    let [m, n] = sizes;
    let shape = match out {
        "i" => format!("{m}x"),
        "j" => format!("{n}x"),
        _ => String::new(),
    };
    let dims =
        if out.is_empty() { String::new() } else { format!("{out} in {}", shape.trim_end_matches('x')) };
    let [first, second] = kinds;
    format!(
        "func.func @f(%A: tensor<{m}x{n}x{elem}>, %c: tensor<1x{elem}>) -> tensor<{shape}{elem}> {{
  %h = mdh.compute \"h\" (i in {m}{first}, j in {n}{second}) ins(%a = %A[i, j]) outs([{out}]) {{
    mdh.yield %a : {elem}
  }} : (tensor<{m}x{n}x{elem}>) -> tensor<{shape}{elem}>
  %y = mdh.compute \"y\" ({dims}) ins(%e = %h[{out}], %k = %c[0]) outs([{out}]) {{
    %r = {body} %e, %k : {elem}
    mdh.yield %r : {elem}
  }} : (tensor<{shape}{elem}>, tensor<1x{elem}>) -> tensor<{shape}{elem}>
  return %y : tensor<{shape}{elem}>
}}"
    )
}

fn kernels(found: &str) -> usize {
    found.matches("sched.kernel").count()
}

/// The three forms of reductions: rows, columns and all, long and short, of sizes without small divisors
#[test]
fn on_grids_threads_that_hold_the_whole_compute_it() {
    let forms = [(["", " pw add"], "i"), ([" pw add", ""], "j"), ([" pw add", " pw add"], "")];
    for target in ["cuda", "opencl"] {
        for (sizes, alone) in [([37, 61], true), ([131, 257], true), ([5, 2], true), ([1009, 3001], false)] {
            for (kinds, out) in forms {
                let text = reduced(sizes, "f32", kinds, out, "arith.mulf");
                let found = nests(&text, &format!("target={target} join=false"));
                let without = nests(&text, &format!("target={target} join=false epilogues=false"));
                let buffers = |found: &str| found.matches("sched.alloc").count();
                assert_eq!(buffers(&found) + 1, buffers(&without), "{target} {sizes:?} {out}\n{found}");
                // Without dimensions it is no kernel yet.
                let fewer = kernels(&found) + usize::from(!out.is_empty()) == kernels(&without);
                assert!(fewer, "{target} {sizes:?} {out}\n{found}");
                if alone {
                    agree(&text);
                }
            }
        }
    }
}

/// One kernel of the reduction and what is behind it is no other choice than the join of rows, where that is as fast
#[test]
fn on_grids_columns_and_their_rounding_are_one_kernel() {
    let text = reduced([1283, 21_121], "f32", [" pw add", ""], "j", "arith.mulf");
    assert_eq!(kernels(&nests(&text, "target=cuda")), 1);
}

/// A chain: each is done where the one in front is
#[test]
fn on_grids_chains_are_one_kernel() {
    for sizes in [[67, 129], [1, 1], [3, 1021]] {
        let m = sizes[0];
        let text = reduced(sizes, "f32", ["", " pw add"], "i", "arith.mulf");
        let text = text.replace(
            &format!("  return %y : tensor<{m}xf32>"),
            &format!(
                "  %z = mdh.compute \"z\" (i in {m}, o in 1) ins(%e = %y[i + o]) outs([o, i]) {{
    %r = arith.addf %e, %e : f32
    mdh.yield %r : f32
  }} : (tensor<{m}xf32>) -> tensor<1x{m}xf32>
  return %z : tensor<1x{m}xf32>"
            ),
        );
        let text =
            text.replace(&format!("-> tensor<{m}xf32> {{\n  %h"), &format!("-> tensor<1x{m}xf32> {{\n  %h"));
        let found = nests(&text, "target=cuda");
        assert_eq!(kernels(&found), 1, "{found}");
        agree(&text);
    }
}

/// The rest of a product whose factor was taken out
#[test]
fn on_grids_a_factor_that_leaves_a_sum_is_no_kernel() {
    for size in [3072, 3067] {
        let text = format!(
            "func.func @f(%A: tensor<{size}xf32>, %B: tensor<{size}xf32>, %c: tensor<1xf32>) -> tensor<f32> {{
  %h = mdh.compute (i in {size} pw add) ins(%a = %A[i], %b = %B[i], %k = %c[0]) outs([]) {{
    %p = arith.mulf %a, %b : f32
    %q = arith.mulf %p, %k : f32
    mdh.yield %q : f32
  }} : (tensor<{size}xf32>, tensor<{size}xf32>, tensor<1xf32>) -> tensor<f32>
  return %h : tensor<f32>
}}"
        );
        let mut ir = parse(&text);
        lower(&mut ir, "func.func(mdh-hoist,mdh-schedule{target=cuda})", &text);
        assert_eq!(shown(&ir).matches("mdh.compute").count(), 2);
        lower(&mut ir, "func.func(mdh-to-sched)", &text);
        assert_eq!(kernels(&shown(&ir)), 1, "{}", shown(&ir));
        agree(&text);
    }
}

/// Blocks that meet by updates of memory leave no thread with the whole
#[test]
fn on_grids_updates_are_finished_before() {
    let text = reduced([4096, 4096], "i32", [" pw add", ""], "j", "arith.muli");
    let given = text.replace(
        "outs([j]) {\n    mdh.yield %a",
        "outs([j]) attributes {mdh.schedule = [\"1: (512,128) (^ ; ^) (BLK.y(atomic),BLK.x)\", \"2: (^,1) (^ ; ^) (^,THR.x)\", \"3: (1,^) (^ ; ^) (FOR.1,^)\"]} {\n    mdh.yield %a",
    );
    let found = nests(&given, "target=cuda join=false");
    assert!(kernels(&found) == 3 && stored(&found), "{found}");
    let small = given.replace("4096", "48").replace("512,128", "7~limit,16");
    agree_chosen(&small, "func.func(mdh-schedule{target=cuda})");
    // Without a word of the author's the last block joins parts in place of updates that another kernel would wait for.
    let found = nests(&text, "target=cuda join=false");
    assert!(!found.contains("combine add") && !stored(&found), "{found}");
}
