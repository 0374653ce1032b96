//! Schedules of unusual shape, by value: several sizes of a dimension that do not divide, prefixes in tiles, tiles of several
//! accesses, threads that reduce next to others. The nest runs unchanged, with a search for races, and fully lowered.

use crate::common;

use common::*;

/// Both forms agree with the computation as it is
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

const PRODUCT: &str =
    "func.func @f(%A: tensor<13x19xf32>, %B: tensor<19x31xf32>) -> tensor<13x31xf32> {
  %C = mdh.compute (i in 13, j in 31, k in 19 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) SCHEDULE {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<13x19xf32>, tensor<19x31xf32>) -> tensor<13x31xf32>
  return %C : tensor<13x31xf32>
}";

/// With sizes that many divide
fn even() -> String {
    PRODUCT.replace("13", "12").replace("31", "30").replace("19", "20")
}

#[test]
fn several_sizes_of_a_dimension_need_not_divide() {
    let end = "(^,^ ; ^) (FOR.1,FOR.2,FOR.3)";
    let inner = format!("3: (1,3~,2~) {end}");
    let last = format!("4: (1,1,1) {end}");
    for (first, second) in [
        ("1: (7~,11~,^) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)", "2: (3~,8~,5~) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"),
        (
            "1: (7~,11~,^) (A:L2,B:L2 ; ^) (THR.x,THR.y,FOR.3)",
            "2: (3~,8~,5~) (A:L1,B:L1[2,1] ; ^) (FOR.1,FOR.2,FOR.3)",
        ),
        ("1: (7~,11~,^) (^,^ ; C:L2) (THR.x,THR.y,FOR.3)", "2: (3~,8~,5~) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"),
    ] {
        holds(PRODUCT, "openmp", &[first, second, &inner, &last]);
    }
    // Smaller tiles outside of larger ones.
    let [first, second, inner] =
        ["1: (7~,^,^)", "3: (3~,8~,5~)", "2: (1,3~,2~)"].map(|step| format!("{step} {end}"));
    holds(PRODUCT, "openmp", &[&first, &second, &inner, &last]);
    let blocks = [
        "1: (7~,11~,^) (^,^ ; ^) (BLK.x,BLK.y,FOR.3)",
        "2: (3~,4~,5~) (A:SM,B:SM ; ^) (FOR.1,FOR.2,FOR.3)",
        "3: (1,1,1) (^,^ ; ^) (THR.y,THR.x,FOR.1)",
    ];
    holds(PRODUCT, "cuda", &blocks);
}

/// A tile inside of another ends where that one does, though the smallest ones divide all of them and are peeled: rows of 7 in
/// blocks of 14 in parts of 21, of 35 rows; and of 38
#[test]
fn peeled_tiles_divide_larger_ones_that_do_not_divide_each_other() {
    for (rows, parts) in [("35", "THR.x"), ("38", "THR.x"), ("35", "FOR.1")] {
        let program = PRODUCT.replace("13", rows);
        let schedule = [
            &format!("1: (21~,^,^) (^,^ ; ^) ({parts},^,^)"),
            "2: (14~,^,^) (^,^ ; ^) (FOR.1,^,^)",
            "3: (7~peel,16~peel,^) (^,^ ; REG) (FOR.1,FOR.2,^)",
            "4: (^,^,1) (^,^ ; ^) (^,^,FOR.1)",
            "5: (1,^,^) (^,^ ; ^) (UNR.1,^,^)",
            "6: (^,1,^) (^,^ ; ^) (^,VEC.x,^)",
        ];
        holds(&program, "x86-64-v4", &schedule);
    }
}

/// Threads that split a reduction may have any axis: they stand inside of the step's others
#[test]
fn threads_that_reduce_stand_inside_of_others() {
    let blocks = "1: (4,10,^) (^,^ ; ^) (BLK.y,BLK.x,BLK.z)";
    for [second, third] in [
        ["2: (1,1,5) (^,^ ; ^) (THR.z,THR.y,THR.x(shuffle))", "3: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"],
        ["2: (1,1,5) (^,^ ; ^) (THR.z,THR.y,THR.x(shared))", "3: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"],
        // A register for one result is the value itself.
        ["2: (1,1,5) (^,^ ; C:RM) (THR.z,THR.y,THR.x)", "3: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"],
    ] {
        holds(&even(), "cuda", &[blocks, second, third]);
    }
    // Several places for each thread: by atomics where any order gives the same.
    let whole = even().replace("mulf", "muli").replace("f32", "i32");
    holds(
        &whole,
        "cuda",
        &[blocks, "2: (2,2,5) (^,^ ; ^) (THR.z,THR.y,THR.x)", "3: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"],
    );
}

/// Tasks of three dimensions, one of them reduced, keep together where results are filled before
#[test]
fn tasks_that_reduce_beside_others() {
    let text = PRODUCT.replace("13", "12").replace("31", "30").replace("19", "20");
    holds(
        &text,
        "openmp",
        &["1: (4,10,5) (^,^ ; ^) (THR.y,THR.x,THR.z)", "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"],
    );
}

/// A result said in the memory where it is anyhow needs no buffer (paper, §5.4)
#[test]
fn device_memory_is_where_results_are() {
    for via in ["", "(kernel)"] {
        let first = format!("1: (4~,10~,5~) (A:DM,^ ; C:DM) (BLK.y,BLK.x,BLK.z{via})");
        holds(PRODUCT, "cuda", &[&first, "2: (1,1,1) (^,^ ; C:RM) (THR.y,THR.x,FOR.1)"]);
    }
}

const STENCIL: &str = "func.func @f(%A: tensor<16x22xf32>) -> tensor<14x20xf32> {
  %s = mdh.compute (i in 14, j in 20) ins(%c = %A[i + 1, j + 1], %u = %A[i, j + 1], %d = %A[i + 2, j + 1], %r = %A[i + 1, j + 2])
       outs([i, j]) SCHEDULE {
    %0 = arith.subf %u, %d : f32
    %1 = arith.mulf %0, %r : f32
    %2 = arith.subf %1, %c : f32
    mdh.yield %2 : f32
  } : (tensor<16x22xf32>, tensor<16x22xf32>, tensor<16x22xf32>, tensor<16x22xf32>) -> tensor<14x20xf32>
  return %s : tensor<14x20xf32>
}";

/// One tile holds what all accesses of a buffer reach
#[test]
fn tiles_of_several_accesses() {
    for (target, steps) in [
        ("cuda", ["1: (7,10) (A:SM ; ^) (BLK.y,BLK.x)", "2: (1,1) (^ ; ^) (THR.y,THR.x)"].as_slice()),
        ("cuda", &["1: (4~,8~) (A:SM[2,1] ; ^) (BLK.y,BLK.x)", "2: (1,1) (^ ; ^) (THR.y,THR.x)"]),
        (
            "cuda",
            &[
                "1: (7,10) (A:SM ; ^) (BLK.y,BLK.x)",
                "2: (1,2) (A:RM ; ^) (THR.y,THR.x)",
                "3: (1,1) (^ ; ^) (FOR.1,FOR.2)",
            ],
        ),
        // Threads take every fifth element: the tile has none of the others' gaps.
        (
            "cuda",
            &[
                "1: (7,10) (^ ; ^) (BLK.x,FOR.1)",
                "4: (1,5) (^ ; ^) (FOR.1,FOR.2)",
                "2: (^,^) (A:SM ; ^) (FOR.1,FOR.2)",
                "3: (1,1) (^ ; ^) (THR.y,THR.x)",
            ],
        ),
        ("openmp", &["1: (7,8~) (A:L2[2/4,1,2%4] ; ^) (THR.x,FOR.1)", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]),
    ] {
        holds(STENCIL, target, steps);
    }
}

const SCAN: &str = "func.func @f(%A: tensor<6x40xf32>) -> tensor<6x40xf32> {
  %s = mdh.compute (r in 6, i in 40 ps add) ins(%a = %A[r, i]) outs([r, i]) SCHEDULE {
    mdh.yield %a : f32
  } : (tensor<6x40xf32>) -> tensor<6x40xf32>
  return %s : tensor<6x40xf32>
}";

/// Tiles of prefixes follow each other, and what comes before goes from one to the next
#[test]
fn prefixes_in_tiles() {
    for (target, steps) in [
        ("openmp", ["1: (1,10) (^ ; ^) (THR.x,FOR.1)", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"].as_slice()),
        (
            "openmp",
            &[
                "1: (1,7~) (A:L1 ; ^) (FOR.1,FOR.2)",
                "2: (1,3~) (^ ; ^) (FOR.1,FOR.2)",
                "3: (1,1) (^ ; ^) (FOR.1,UNR.2)",
            ],
        ),
        ("openmp", &["1: (1,7~peel) (^ ; ^) (FOR.1,FOR.2)", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]),
        (
            "cuda",
            &[
                "1: (2,^) (^ ; ^) (BLK.x,FOR.1)",
                "2: (1,10) (A:SM ; ^) (THR.x,FOR.1)",
                "3: (1,1) (^ ; ^) (FOR.1,FOR.2)",
            ],
        ),
    ] {
        holds(SCAN, target, steps);
    }
    let both = "func.func @f(%A: tensor<12x10xi32>) -> tensor<12xi32> {
  %s = mdh.compute (i in 12 ps max, j in 10 pw max) ins(%a = %A[i, j]) outs([i]) SCHEDULE {
    mdh.yield %a : i32
  } : (tensor<12x10xi32>) -> tensor<12xi32>
  return %s : tensor<12xi32>
}";
    let steps = [
        "1: (4,^) (^ ; ^) (FOR.1,FOR.2)",
        "2: (1,5) (^ ; ^) (FOR.1,FOR.2)",
        "3: (1,1) (^ ; ^) (FOR.1,FOR.2)",
    ];
    holds(both, "openmp", &steps);
}

/// Tuples that a reduced loop around others combines in memory are read, combined and written in order
#[test]
fn tuples_that_meet_in_memory() {
    let text = "func.func @am(%a: f32, %i: i32, %b: f32, %j: i32) -> (f32, i32)
    attributes {sched.operator = {associative, commutative, identity = [0xFF800000 : f32, 0 : i32]}} {
  %q = arith.cmpf oge, %a, %b : f32
  %v = arith.select %q, %a, %b : f32
  %w = arith.select %q, %i, %j : i32
  return %v, %w : f32, i32
}
func.func @f(%A: tensor<6x30xf32>) -> (tensor<6xf32>, tensor<6xi32>) {
  %C:2 = mdh.compute (i in 6, k in 30 pw @am) ins(%a = %A[i, k]) outs([i], [i]) SCHEDULE {
    %x = mdh.index 1
    %y = arith.index_cast %x : index to i32
    mdh.yield %a, %y : f32, i32
  } : (tensor<6x30xf32>) -> (tensor<6xf32>, tensor<6xi32>)
  return %C#0, %C#1 : tensor<6xf32>, tensor<6xi32>
}";
    holds(text, "openmp", &["1: (^,15) (^ ; ^,^) (FOR.2,FOR.1)", "2: (1,1) (^ ; ^,^) (FOR.1,FOR.2)"]);
    let steps = [
        "1: (3,^) (^ ; ^,^) (BLK.x,FOR.1)",
        "2: (^,15) (^ ; ^,^) (FOR.2,FOR.1)",
        "3: (1,1) (A:RM ; ^,^) (THR.x,FOR.1)",
    ];
    holds(text, "cuda", &steps);
}

/// A schedule of threads is one block on a device with a grid, and tasks elsewhere
#[test]
fn threads_without_blocks() {
    let steps = ["1: (4,10,^) (^,^ ; ^) (THR.x,THR.y,FOR.1)", "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"];
    for target in ["cuda", "opencl", "openmp"] {
        holds(&even(), target, &steps);
    }
    let text = even()
        .replace("SCHEDULE", "attributes {mdh.schedule = [\"1: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)\"]}");
    let mut ir = parse(&text);
    lower(&mut ir, "func.func(mdh-schedule{target=cuda},mdh-to-sched)", &text);
    assert!(terrace_dialect_test::values::shown(&ir).contains("sched.kernel"), "one thread is a kernel too");
}

/// What only the nest shows is refused on every path down, though nothing is verified between the passes
#[test]
fn rules_hold_without_a_verifier() {
    for (dims, steps, rule) in [
        // Threads around blocks.
        (
            "i in 8, k in 64 pw add",
            ["2: (2,^) (^ ; ^) (BLK.x,BLK.y)", "1: (1,1) (^ ; ^) (THR.x,FOR.1)", ""],
            "NEST: level 'block.x' cannot stand inside of level 'thread.x'",
        ),
        (
            "i in 8, k in 64 pw add",
            ["1: (1,4) (^ ; ^) (BLK.x,BLK.y(atomic))", "2: (1,1) (^ ; ^) (THR.y,FOR.1)", ""],
            "MECH: merges rounded values by atomic updates, whose order differs from run to run",
        ),
    ] {
        let steps: Vec<String> =
            steps.iter().filter(|step| !step.is_empty()).map(|step| format!("\"{step}\"")).collect();
        let text = format!(
            "func.func @f(%A: tensor<8x64xf32>) -> tensor<8xf32> {{
  %c = mdh.compute ({dims}) ins(%a = %A[i, k]) outs([i]) attributes {{mdh.schedule = [{}]}} {{
    mdh.yield %a : f32
  }} : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}}",
            steps.join(", ")
        );
        let mut ir = parse(&text);
        let pipeline = "func.func(mdh-schedule{target=cuda},mdh-to-sched),sched-legalize";
        let why = HARNESS.transform(&mut ir, pipeline).expect_err("a rule is broken");
        assert!(why.contains(rule), "{why}");
        assert!(why.contains("note: this is step"), "{why}");
    }
}

/// The largest and the smallest with zeros of both signs, infinities and NaN, of all floats, on lanes and as prefixes: the
/// reciprocal tells zeros apart
#[test]
fn extremes_of_floats_of_any_kind() {
    let types = [
        ("f16", "0x7E01", "arith.truncf %e : f32 to f16"),
        ("bf16", "0x7FC1", "arith.truncf %e : f32 to bf16"),
        ("f32", "0xFFC00001", "arith.negf %e : f32"),
        ("f64", "0x7FF8000000000001", "arith.extf %e : f32 to f64"),
    ];
    for (ty, nan, convert) in types {
        for operator in ["max", "min"] {
            let body = format!(
                "    %j = mdh.index 1
    %a = {convert}
    %zero = arith.constant 0.0 : {ty}
    %nan = arith.constant {nan} : {ty}
    %half = arith.constant 0.5 : {ty}
    %c3 = arith.constant 3 : index
    %c31 = arith.constant 31 : index
    %third = arith.remui %j, %c3 : index
    %c1 = arith.constant 1 : index
    %often = arith.cmpi eq, %third, %c1 : index
    %signed = arith.mulf %zero, %a : {ty}
    %large = arith.divf %a, %signed : {ty}
    %low = arith.cmpf olt, %a, %half : {ty}
    %some = arith.select %often, %signed, %a : {ty}
    %late = arith.cmpi eq, %j, %c31 : index
    %other = arith.select %low, %nan, %large : {ty}
    %x = arith.select %late, %other, %some : {ty}"
            );
            let rows = format!(
                "func.func @f(%A: tensor<7x37xf32>) -> tensor<7x{ty}> {{
  %s = mdh.compute (i in 7, j in 37 pw {operator}) ins(%e = %A[i, j]) outs([i]) SCHEDULE {{
{body}
    mdh.yield %x : {ty}
  }} : (tensor<7x37xf32>) -> tensor<7x{ty}>
  %r = mdh.compute (i in 7) ins(%e = %s[i]) outs([i]) {{
    %one = arith.constant 1.0 : {ty}
    %sign = arith.divf %one, %e : {ty}
    mdh.yield %sign : {ty}
  }} : (tensor<7x{ty}>) -> tensor<7x{ty}>
  return %r : tensor<7x{ty}>
}}"
            );
            let lanes = ["1: (1,16~peel) (^ ; ^) (FOR.1,FOR.2)", "2: (^,8~peel) (^ ; ^) (^,UNR.1)"];
            holds(&rows, "openmp", &[lanes[0], lanes[1], "3: (^,1) (^ ; ^) (^,VEC.x)"]);
            let prefixes = format!(
                "func.func @f(%A: tensor<7x37xf32>) -> tensor<7x37x{ty}> {{
  %s = mdh.compute (i in 7, j in 37 ps {operator}) ins(%e = %A[i, j]) outs([i, j]) SCHEDULE {{
{body}
    mdh.yield %x : {ty}
  }} : (tensor<7x37xf32>) -> tensor<7x37x{ty}>
  %r = mdh.compute (i in 7, j in 37) ins(%e = %s[i, j]) outs([i, j]) {{
    %one = arith.constant 1.0 : {ty}
    %sign = arith.divf %one, %e : {ty}
    mdh.yield %sign : {ty}
  }} : (tensor<7x37x{ty}>) -> tensor<7x37x{ty}>
  return %r : tensor<7x37x{ty}>
}}"
            );
            holds(&prefixes, "openmp", &["1: (1,1) (^ ; ^) (FOR.1,FOR.2)"]);
            holds(
                &prefixes,
                "openmp",
                &["1: (1,5~) (^ ; ^) (FOR.1,FOR.2)", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"],
            );
        }
    }
}
