//! What is chosen for grids, by value: parts of reductions and of prefixes, tiles of registers, sides that other dimensions lengthen.

use crate::common;

use common::*;
use terrace_dialect_test::values::shown;

/// The computations after scheduling for a grid
fn computations(text: &str) -> usize {
    let mut ir = parse(text);
    lower(&mut ir, "func.func(mdh-schedule{target=cuda})", text);
    shown(&ir).matches("mdh.compute").count()
}

#[test]
fn long_reductions_of_few_results_are_cut() {
    let text = "func.func @f(%A: tensor<13x401xf32>, %B: tensor<401x29xf32>) -> tensor<13x29xf32> {
  %c = mdh.compute (i in 13, j in 29, k in 401 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<13x401xf32>, tensor<401x29xf32>) -> tensor<13x29xf32>
  return %c : tensor<13x29xf32>
}";
    agree(text);
    // A block for each result takes less than what parts save.
    assert_eq!(computations(&text.replace("401", "61")), 1);
    assert!(computations(&text.replace("401", "100003")) > 1);
    let columns = |rows: i64| {
        format!(
            "func.func @f(%A: tensor<{rows}x5xf32>) -> tensor<5xf32> {{
  %c = mdh.compute (i in {rows} pw add, j in 5) ins(%a = %A[i, j]) outs([j]) {{
    mdh.yield %a : f32
  }} : (tensor<{rows}x5xf32>) -> tensor<5xf32>
  return %c : tensor<5xf32>
}}"
        )
    };
    assert_eq!(computations(&columns(20_011)), 2);
    agree(&columns(20_011));
    agree(&columns(257));
}

#[test]
fn coordinates_in_parts_are_those_of_the_whole() {
    let text = "func.func @f(%A: tensor<3x1001xi32>) -> (tensor<3xi32>, tensor<3xi32>) {
  %r, %s = mdh.compute (m in 3, i in 1001 pw (max, add)) ins(%x = %A[m, i]) outs([m], [m]) {
    %i = mdh.index 1
    %m = mdh.index 0
    %n = arith.addi %i, %m : index
    %j = arith.index_cast %n : index to i32
    %y = arith.xori %x, %j : i32
    mdh.yield %y, %j : i32, i32
  } : (tensor<3x1001xi32>) -> (tensor<3xi32>, tensor<3xi32>)
  return %r, %s : tensor<3xi32>, tensor<3xi32>
}";
    let along = text.replace("tensor<3x1001xi32>", "tensor<1001x3xi32>").replace("%A[m, i]", "%A[i, m]");
    let long = along.replace("1001", "20011");
    assert_eq!(computations(&long), 2);
    agree(&along);
    agree(&long);
    agree(text);
}

#[test]
fn long_prefixes_are_three_computations() {
    let scan = "func.func @f(%A: tensor<2048xf32>) -> tensor<2048xf32> {
  %r = mdh.compute (i in 2048 ps add) ins(%x = %A[i]) outs([i]) {
    mdh.yield %x : f32
  } : (tensor<2048xf32>) -> tensor<2048xf32>
  return %r : tensor<2048xf32>
}";
    assert_eq!(computations(scan), 3);
    agree(scan);
    // Two operators, another dimension, places that go backwards, coordinates as values.
    let both = "func.func @f(%A: tensor<2x2064xi32>) -> (tensor<2064x2xi32>, tensor<2064x2xi32>) {
  %r, %s = mdh.compute (k in 2, i in 2064 ps (max, add)) ins(%x = %A[k, i]) outs([i, k], [2063 - i, k]) {
    %i = mdh.index 1
    %j = arith.index_cast %i : index to i32
    %y = arith.xori %x, %j : i32
    mdh.yield %y, %x : i32, i32
  } : (tensor<2x2064xi32>) -> (tensor<2064x2xi32>, tensor<2064x2xi32>)
  return %r, %s : tensor<2064x2xi32>, tensor<2064x2xi32>
}";
    assert_eq!(computations(both), 3);
    agree(both);
    // A part that ends early, where parts do not divide a size; short ones stay one.
    for (size, wanted) in [(2053, 3), (521, 3), (512, 3), (31 * 31, 3), (509, 1)] {
        let text = scan.replace("2048", &size.to_string());
        assert_eq!(computations(&text), wanted, "{size}");
        agree(&text);
    }
    let rows = "func.func @f(%A: tensor<3x701xf64>) -> tensor<3x701xf64> {
  %r = mdh.compute (k in 3, i in 701 ps max) ins(%x = %A[k, i]) outs([k, i]) {
    mdh.yield %x : f64
  } : (tensor<3x701xf64>) -> tensor<3x701xf64>
  return %r : tensor<3x701xf64>
}";
    agree(rows);
    agree(&rows.replace("3x701", "701x3").replace("[k, i]", "[i, k]"));
}

#[test]
fn runs_of_scans_are_staged_in_shared_memory() {
    let scan = "func.func @f(%A: tensor<5003xf32>) -> tensor<5003xf32> {
  %r = mdh.compute (i in 5003 ps add) ins(%x = %A[i]) outs([i]) {
    mdh.yield %x : f32
  } : (tensor<5003xf32>) -> tensor<5003xf32>
  return %r : tensor<5003xf32>
}";
    let mut ir = parse(scan);
    lower(&mut ir, "func.func(mdh-schedule{target=cuda},mdh-to-sched)", scan);
    let text = shown(&ir);
    let staged: Vec<&str> = text.lines().filter(|line| line.contains("sched.copy per block")).collect();
    assert_eq!(staged.len(), 4, "contributions, twice; results, first neutral: {text}");
    assert!(staged.iter().all(|line| line.contains("(%d0) in (3968)")), "{text}");
    assert!(staged[3].contains(" clip "), "what is behind the end is dropped: {text}");
}

#[test]
fn conditions_end_prefixes_where_results_end() {
    let parts = "func.func @f(%A: tensor<25xf32>) -> tensor<25xf32> {
  %r = mdh.compute (p in 4, e in 7 ps add) where 7 * p + e < 25 ins(%x = %A[7 * p + e]) outs([7 * p + e]) {
    mdh.yield %x : f32
  } : (tensor<25xf32>) -> tensor<25xf32>
  return %r : tensor<25xf32>
}";
    agree(parts);
    let steps = "attributes {mdh.schedule = [
         \"1: (3~limit,^) (SM ; SM) (BLK.x,^)\",
         \"2: (1,^) (^ ; ^) (THR.x,^)\",
         \"3: (^,1) (^ ; ^) (^,FOR.1)\"]} {";
    agree_given(&parts.replace("outs([7 * p + e]) {", &format!("outs([7 * p + e]) {steps}")));
    // Prefixes over parts: elements of a part lie next to each other, and the last part has fewer.
    let across =
        parts.replace("p in 4, e in 7 ps add", "e in 4 ps add, p in 7").replace("7 * p + e", "7 * e + p");
    agree(&across);
    agree(&across.replace("25", "28"));
    // Nothing lies between the places of a tile: then it may mix dimensions.
    let apart =
        parts.replace("25xf32", "46xf32").replace("where 7 * p + e < 25 ", "").replace("7 * p", "13 * p");
    let apart = apart.replace("outs([13 * p + e]) {", &format!("outs([13 * p + e]) {steps}"));
    let why = HARNESS.run(&mut parse(&apart), "func.func(mdh-to-sched)").unwrap_err();
    assert!(why.to_string().contains("mix dimensions"), "{why}");
}

#[test]
fn short_rows_are_one_thread_each() {
    for (rows, length) in [(137, 31), (64, 16), (300, 7)] {
        let text = format!(
            "func.func @f(%A: tensor<{rows}x{length}xf32>) -> tensor<{rows}xf32> {{
  %r = mdh.compute (i in {rows}, j in {length} pw add) ins(%x = %A[i, j]) outs([i]) {{
    mdh.yield %x : f32
  }} : (tensor<{rows}x{length}xf32>) -> tensor<{rows}xf32>
  return %r : tensor<{rows}xf32>
}}"
        );
        let mut ir = parse(&text);
        lower(&mut ir, "func.func(mdh-schedule{target=cuda})", &text);
        println!("{}", shown(&ir));
        agree(&text);
    }
}

/// A sum over some axes of a tensor
fn sum(shape: &[i64], reduced: &[usize]) -> String {
    let name = |n: usize| format!("d{n}");
    let all: Vec<usize> = (0..shape.len()).collect();
    let kept: Vec<usize> = all.iter().copied().filter(|n| !reduced.contains(n)).collect();
    let list = |dims: &[usize]| dims.iter().map(|n| name(*n)).collect::<Vec<_>>().join(", ");
    let ty = |dims: &[usize]| {
        let sizes: String = dims.iter().map(|n| format!("{}x", shape[*n])).collect();
        format!("tensor<{sizes}f32>")
    };
    let kind = |n: &usize| if reduced.contains(n) { " pw add" } else { "" };
    let dims: Vec<String> = all.iter().map(|n| format!("{} in {}{}", name(*n), shape[*n], kind(n))).collect();
    let (of, from) = (ty(&kept), ty(&all));
    format!(
        "func.func @f(%A: {from}) -> {of} {{
  %r = mdh.compute ({}) ins(%x = %A[{}]) outs([{}]) {{
    mdh.yield %x : f32
  }} : ({from}) -> {of}
  return %r : {of}
}}",
        dims.join(", "),
        list(&all),
        list(&kept)
    )
}

/// What is chosen for CUDA
fn chosen(text: &str) -> String {
    let mut ir = parse(text);
    lower(&mut ir, "func.func(mdh-schedule{target=cuda})", text);
    shown(&ir)
}

/// Each result is a sum of short runs that lie apart, which are read where they are
#[test]
fn interleaved_runs_have_threads_along_two_dimensions() {
    for shape in [[3, 40, 5, 16], [2, 33, 3, 12], [4, 67, 2, 17]] {
        let text = sum(&shape, &[1, 3]);
        let schedule = chosen(&text);
        assert!(schedule.contains("THR.y") && !schedule.contains("_moved"), "{schedule}");
        agree(&text);
    }
}

/// Columns that are fewer than a warp: rows are read one behind the other
#[test]
fn few_columns_have_threads_along_both() {
    for (shape, reduced) in
        [(&[2003, 5][..], 0usize), (&[65, 109, 2], 1), (&[1003, 31], 0), (&[20_011, 3], 0), (&[3, 40, 17], 1)]
    {
        let text = sum(shape, &[reduced]);
        let schedule = chosen(&text);
        assert!(schedule.contains("THR.x") && schedule.contains("THR.y"), "{schedule}");
        agree(&text);
    }
}

#[test]
fn neighbors_are_one_dimension() {
    for (shape, reduced, one) in [
        (&[5, 7, 11, 13][..], &[2usize, 3][..], "143 pw add"),
        (&[13, 3, 7, 7], &[0, 2, 3], "49 pw add"),
        (&[233, 2], &[0, 1], "466 pw add"),
    ] {
        let text = sum(shape, reduced);
        let schedule = chosen(&text);
        assert!(schedule.contains(one), "{schedule}");
        agree(&text);
    }
}

/// The last part is shorter, by a whole number of vectors and by others
#[test]
fn parts_end_within_vectors() {
    for size in [65_540, 65_543] {
        let text = sum(&[size], &[0]);
        assert!(chosen(&text).contains("where"), "{}", chosen(&text));
        agree(&text);
    }
}

/// A 3×3 convolution with padding, of an image of this size with so many channels
fn convolution([p, q]: [usize; 2], channels: usize, filters: usize) -> String {
    let image = format!("tensor<{p}x{q}x{channels}xf32>");
    let kernel = format!("tensor<3x3x{channels}x{filters}xf32>");
    let result = format!("tensor<{p}x{q}x{filters}xf32>");
    format!(
        "func.func @f(%A: {image}, %B: {kernel}) -> {result} {{
  %o = mdh.compute (p in {p}, q in {q}, k in {filters}, r in 3 pw add, s in 3 pw add, c in {channels} pw add)
       where 0 <= p + r - 1 < {p}, 0 <= q + s - 1 < {q}
       ins(%a = %A[p + r - 1, q + s - 1, c], %b = %B[r, s, c, k]) outs([p, q, k]) {{
    %m = arith.mulf %a, %b : f32
    mdh.yield %m : f32
  }} : ({image}, {kernel}) -> {result}
  return %o : {result}
}}"
    )
}

#[test]
fn edges_and_short_sides_keep_values() {
    agree(&convolution([5, 6], 4, 32));
    agree(
        "func.func @f(%X: tensor<5x9x2x6xf32>, %Y: tensor<6x16x5xf32>) -> tensor<2x6x9x6x16xf32> {
  %z = mdh.compute (a in 2, b in 6, d in 9, e in 6, f in 16, g in 5 pw add)
       ins(%x = %X[g, d, a, b], %y = %Y[e, f, g]) outs([a, b, d, e, f]) {
    %p = arith.mulf %x, %y : f32
    mdh.yield %p : f32
  } : (tensor<5x9x2x6xf32>, tensor<6x16x5xf32>) -> tensor<2x6x9x6x16xf32>
  return %z : tensor<2x6x9x6x16xf32>
}",
    );
}

/// A convolution of a network: five sums of several variables say where a thread's elements go, which must be seen to differ
#[test]
fn places_of_many_variables_are_told_apart() {
    let text = &convolution([14, 14], 256, 256);
    for (target, kernels) in [("cuda", 2), ("opencl", 1)] {
        let mut ir = parse(text);
        lower(&mut ir, &format!("func.func(mdh-schedule{{target={target}}},mdh-to-sched)"), text);
        assert_eq!(shown(&ir).matches("sched.kernel").count(), kernels);
    }
}

#[test]
fn squares_are_transposed_in_shared_memory() {
    let text = |[m, n]: [i64; 2], body: &str| {
        format!(
            "func.func @f(%A: tensor<{m}x{n}xf32>, %B: tensor<{n}x{m}xf32>) -> tensor<{n}x{m}xf32> {{
  %c = mdh.compute (i in {n}, j in {m}) ins(%a = %A[j, i], %b = %B[i, j]) outs([i, j]) {{
    {body}
  }} : (tensor<{m}x{n}xf32>, tensor<{n}x{m}xf32>) -> tensor<{n}x{m}xf32>
  return %c : tensor<{n}x{m}xf32>
}}"
        )
    };
    let sum = "%s = arith.addf %a, %b : f32
    mdh.yield %s : f32";
    let large = text([1013, 2053], sum);
    let mut ir = parse(&large);
    lower(&mut ir, "func.func(mdh-schedule{target=cuda})", &large);
    assert!(shown(&ir).contains("SM swizzle 1"), "{}", shown(&ir));
    // Small ones have a thread per result.
    let steps = "[
         \"1: (32~pad,32~pad) (SM swizzle 1,^ ; ^) (BLK.y,BLK.x)\",
         \"2: (8,^) (^,^ ; ^) (UNR.1,^)\",
         \"3: (1,1) (^,^ ; ^) (THR.y,THR.x)\"]";
    let given = format!("outs([i, j]) attributes {{mdh.schedule = {steps}}} {{");
    for sizes in [[64, 32], [37, 53]] {
        let text = text(sizes, sum);
        agree(&text);
        agree_given(&text.replace("outs([i, j]) {", &given));
    }
    let batch = "func.func @f(%A: tensor<3x40x35xi32>) -> tensor<3x35x40xi32> {
  %c = mdh.compute (b in 3, i in 35, j in 40) ins(%a = %A[b, j, i]) outs([b, i, j]) {
    mdh.yield %a : i32
  } : (tensor<3x40x35xi32>) -> tensor<3x35x40xi32>
  return %c : tensor<3x35x40xi32>
}";
    agree(batch);
}

/// A product with tiles of 2×4 neighbors, the first operand turned in shared memory
fn wide(ty: &str, [m, n, k]: [i64; 3], words: &str) -> String {
    let product = if ty.starts_with('f') { "arith.mulf" } else { "arith.muli" };
    format!(
        "func.func @f(%A: tensor<{m}x{k}x{ty}>, %B: tensor<{k}x{n}x{ty}>) -> tensor<{m}x{n}x{ty}> {{
  %c = mdh.compute (i in {m}, j in {n}, k in {k} pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {{mdh.schedule = [
         \"1: (32~pad,32~pad,^) (^,^ ; ^) (BLK.y,BLK.x,^)\",
         \"5: (16,16,^) (^,^ ; ^) (UNR.1,UNR.2,^)\",
         \"2: (4,4,^) (^,^ ; RM) (THR.y,THR.x,^)\",
         \"6: (1,1,^) (^,^ ; ^) (UNR.1,UNR.2,^)\",
         \"3: (^,^,8~limit) (SM[2,1]{words},SM{words} ; ^) (^,^,FOR.1)\",
         \"4: (^,^,1) (^,^ ; ^) (^,^,FOR.1)\"]}} {{
    %p = {product} %a, %b : {ty}
    mdh.yield %p : {ty}
  }} : (tensor<{m}x{k}x{ty}>, tensor<{k}x{n}x{ty}>) -> tensor<{m}x{n}x{ty}>
  return %c : tensor<{m}x{n}x{ty}>
}}"
    )
}

#[test]
fn wide_tiles_have_the_values_of_the_computation() {
    for sizes in [[32, 64, 16], [33, 37, 9], [33, 36, 20], [37, 34, 14]] {
        for words in ["", " stages 2", " stages 3"] {
            agree_given(&wide("f32", sizes, words));
        }
    }
}

#[test]
fn copies_are_as_wide_as_rows_allow() {
    // Elements of a type, of a row, and the bytes of requests: as many as divide the row, and every thread has one.
    for (ty, k, bytes) in [
        ("f32", 16, Some(16)),
        ("f32", 20, Some(16)),
        ("f32", 14, Some(8)),
        ("f32", 13, None),
        ("f64", 14, Some(16)),
        ("f64", 13, None),
        ("i16", 12, Some(8)),
        ("i16", 14, None),
    ] {
        let text = wide(ty, [40, 40, k], "");
        let mut ir = parse(&text);
        lower(&mut ir, &format!("func.func(mdh-to-sched),{DOWN}"), &text);
        let shown = shown(&ir);
        let loads: Vec<&str> = shown.lines().filter(|line| line.contains("vector.load %A")).collect();
        let wanted = bytes.map(|bytes| format!("{{alignment = {bytes} : i64}}"));
        match &wanted {
            Some(wanted) => {
                assert!(!loads.is_empty() && loads.iter().all(|own| own.contains(wanted)), "{loads:?}")
            }
            None => assert!(loads.is_empty(), "{ty}, rows of {k}: {loads:?}"),
        }
        agree_given(&text);
    }
}

/// Rows are contiguous, and so are their factors, which a reduction along rows reads once
#[test]
fn a_factor_of_each_row_leaves_threads_along_rows() {
    let sum = |m: i64, n: i64| {
        format!(
            "func.func @f(%A: tensor<{m}x{n}xf32>, %C: tensor<{m}xf32>) -> tensor<{m}xf32> {{
  %r = mdh.compute (i in {m}, j in {n} pw add) ins(%x = %A[i, j], %c = %C[i]) outs([i]) {{
    %p = arith.mulf %x, %c : f32
    mdh.yield %p : f32
  }} : (tensor<{m}x{n}xf32>, tensor<{m}xf32>) -> tensor<{m}xf32>
  return %r : tensor<{m}xf32>
}}"
        )
    };
    for (m, n) in [(1280, 21_128), (1283, 2111), (67, 129)] {
        let text = sum(m, n);
        let mut ir = parse(&text);
        lower(&mut ir, "func.func(mdh-schedule{target=cuda},mdh-to-sched)", &text);
        let found = shown(&ir);
        assert!(found.contains("dim 1 : thread.x pw add via shuffle"), "{m} by {n}: {found}");
        assert_eq!(found.matches("sched.kernel").count(), 1, "{m} by {n}: {found}");
    }
    agree(&sum(67, 129));
}
