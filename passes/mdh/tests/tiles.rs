//! Tiles and joins that random schedules found wrong, by value: of turned coordinates inside of each other, of results with
//! places between, of lanes that do not fill a warp.

use crate::common;

use common::*;
use terrace_dialect_test::values::shown;

/// As it is, scheduled, and fully lowered
fn agrees(text: &str) {
    let wanted = as_it_is(&parse(text), "f");
    let mut ir = parse(text);
    for step in ["func.func(mdh-to-sched)", DOWN] {
        lower(&mut ir, step, text);
        same(&wanted, &lowered(&ir, "f", text, wanted.len()), &format!("{step}\n{text}"));
    }
}

/// Rows of the tile that is chosen run where neighbouring broadcasts lie, with conditions along them and without
#[test]
fn rows_down_an_image_of_pixels_by_column() {
    for (taps, condition) in [(1, ""), (3, "where 0 <= p + r - 1 < 37")] {
        let pixel = if taps == 1 { "p" } else { "p + r - 1" };
        let text = format!(
            "func.func @f(%X: tensor<17x11x37xf64>, %W: tensor<11x17x{taps}xf64>) -> tensor<37x11x11xf64> {{
  %o = mdh.compute (p in 37, q in 11, k in 11, r in {taps} pw add, c in 17 pw add) {condition}
       ins(%x = %X[c, q, {pixel}], %w = %W[k, c, r]) outs([p, q, k]) {{
    %v = arith.mulf %x, %w : f64
    mdh.yield %v : f64
  }} : (tensor<17x11x37xf64>, tensor<11x17x{taps}xf64>) -> tensor<37x11x11xf64>
  return %o : tensor<37x11x11xf64>
}}"
        );
        let mut ir = parse(&text);
        lower(&mut ir, "func.func(mdh-schedule{target=x86-64-v4})", &text);
        let scheduled = shown(&ir);
        let tile = scheduled.split('"').find(|step| step.contains("REG")).expect("a tile in registers");
        assert!(tile.contains("~peel,^,") && tile.contains("(FOR"), "{tile}");
        agrees(&scheduled);
    }
}

/// The schedule that is chosen; it computes what the program says
fn chosen(text: &str) -> String {
    let mut ir = parse(text);
    lower(&mut ir, "func.func(mdh-schedule{target=x86-64-v4})", text);
    let scheduled = shown(&ir);
    agrees(&scheduled);
    scheduled
}

/// Rows of an image that fill no whole number of tiles: a task's last tile has another constant length
#[test]
fn tasks_end_with_whole_tiles_or_pieces() {
    let scheduled = chosen(
        "func.func @f(%X: tensor<3x29x8xf32>, %W: tensor<3x8x41xf32>) -> tensor<3x29x41xf32> {
  %o = mdh.compute (p in 3, q in 29, k in 41, s in 3 pw add, c in 8 pw add) where 0 <= q + s - 1 < 29
       ins(%x = %X[p, q + s - 1, c], %w = %W[s, c, k]) outs([p, q, k]) {
    %v = arith.mulf %x, %w : f32
    mdh.yield %v : f32
  } : (tensor<3x29x8xf32>, tensor<3x8x41xf32>) -> tensor<3x29x41xf32>
  return %o : tensor<3x29x41xf32>
}",
    );
    assert!(scheduled.contains("(^,8~peel,^,^,^) (^,^ ; REG)"), "{scheduled}");
    assert!(!scheduled.contains("8~limit"), "{scheduled}");
}

/// Neighboring pixels are lanes, and taps read the same lines again: channels are outermost in the reduction
#[test]
fn windows_along_the_lanes_are_innermost() {
    let scheduled = chosen(
        "func.func @f(%X: tensor<7x15x39xf32>, %W: tensor<3x3x7x5xf32>) -> tensor<5x13x37xf32> {
  %o = mdh.compute (k in 5, p in 13, q in 37, r in 3 pw add, s in 3 pw add, c in 7 pw add)
       ins(%x = %X[c, p + r, q + s], %w = %W[r, s, c, k]) outs([k, p, q]) {
    %v = arith.mulf %x, %w : f32
    mdh.yield %v : f32
  } : (tensor<7x15x39xf32>, tensor<3x3x7x5xf32>) -> tensor<5x13x37xf32>
  return %o : tensor<5x13x37xf32>
}",
    );
    assert!(scheduled.contains("(^,^,^,1,1,1) (^,^ ; ^) (^,^,^,FOR.2,FOR.3,FOR.1)"), "{scheduled}");
}

/// Both operands are copied; the last dimension is one vector of fifteen lanes
#[test]
fn contractions_whose_lanes_are_one_vector_of_any_length() {
    agrees(
        "func.func @f(%X: tensor<7x6x5x3xf32>, %Y: tensor<15x5x7x2xf32>) -> tensor<5x3x2x6x5x15xf32> {
  %z = mdh.compute (a in 5, b in 3, c in 2, d in 6, e in 5, f in 15, g in 7 pw add)
       ins(%x = %X[g, d, a, b], %y = %Y[f, e, g, c]) outs([a, b, c, d, e, f])
       attributes {mdh.schedule = [\"1: (2~limit,^,^,^,^,^,^) (^,L2[4,3,2,1] ; ^) (THR.x,^,^,^,^,^,^)\",
         \"2: (1,^,^,^,^,^,^) (^,^ ; ^) (FOR.1,^,^,^,^,^,^)\",
         \"3: (^,1,^,^,^,^,^) (L2[3,4,1,2],^ ; ^) (^,FOR.1,^,^,^,^,^)\",
         \"4: (^,^,1,^,^,^,^) (^,^ ; ^) (^,^,FOR.1,^,^,^,^)\",
         \"5: (^,^,^,4~peel,4~peel,^,^) (^,^ ; REG nt) (^,^,^,FOR.1,FOR.2,^,^)\",
         \"6: (^,^,^,^,^,^,1) (^,^ ; ^) (^,^,^,^,^,^,FOR.1)\",
         \"7: (^,^,^,1,1,^,^) (^,^ ; ^) (^,^,^,UNR.1,UNR.2,^,^)\",
         \"8: (^,^,^,^,^,1~mask,^) (^,^ ; ^) (^,^,^,^,^,VEC.x,^)\"]} {
    %v = arith.mulf %x, %y : f32
    mdh.yield %v : f32
  } : (tensor<7x6x5x3xf32>, tensor<15x5x7x2xf32>) -> tensor<5x3x2x6x5x15xf32>
  return %z : tensor<5x3x2x6x5x15xf32>
}",
    );
}

#[test]
fn turned_tiles_inside_of_each_other() {
    agrees(
        "func.func @f(%A: tensor<20xi32>) -> (tensor<20xi32>) {
  %r = mdh.compute (i in 4 pw add, j in 20) ins(%a = %A[19 - j]) outs([19 - j])
       attributes {mdh.schedule = [\"1: (4,10) (L2 ; L2) (FOR.1,THR.x)\", \"2: (1,2) (^ ; ^) (FOR.1,FOR.2)\", \"3: (1,2) (REG ; REG) (FOR.1,FOR.2)\", \"4: (1,1) (^ ; ^) (FOR.1,FOR.2)\"]} {
    mdh.yield %a : i32
  } : (tensor<20xi32>) -> tensor<20xi32>
  return %r : tensor<20xi32>
}",
    );
}

#[test]
fn places_between_keep_their_start_values() {
    for operator in ["and", "add"] {
        agrees(&format!(
            "func.func @f(%A: tensor<8x4xi32>, %I: tensor<15xi32>) -> tensor<15xi32> {{
  %r = mdh.compute (i in 8, j in 4 pw {operator}) ins(%a = %A[i, j]) outs([2 * i] into %I)
       attributes {{mdh.schedule = [\"1: (4,4) (^ ; L1) (THR.x,FOR.2)\", \"2: (1,1) (^ ; ^) (FOR.1,FOR.2)\"]}} {{
    mdh.yield %a : i32
  }} : (tensor<8x4xi32>, tensor<15xi32>) -> tensor<15xi32>
  return %r : tensor<15xi32>
}}"
        ));
    }
}

#[test]
fn parts_of_tiles_that_overshoot() {
    agrees(
        "func.func @f(%A: tensor<4x11xi32>) -> tensor<11xi32> {
  %r = mdh.compute (i in 4 pw add, j in 11) ins(%a = %A[i, j]) outs([j])
       attributes {mdh.schedule = [\"1: (1,^) (^ ; REG) (THR.x(partials),FOR.1)\", \"2: (1,3~limit) (^ ; ^) (FOR.1,FOR.2)\", \"3: (1,1) (^ ; ^) (FOR.1,UNR.2)\"]} {
    mdh.yield %a : i32
  } : (tensor<4x11xi32>) -> tensor<11xi32>
  return %r : tensor<11xi32>
}",
    );
}

/// Steps whose labels turn the order of loops: what stands outside has one iteration, what is inside has the others
#[test]
fn pieces_whose_larger_tiles_stand_inside() {
    agrees(
        "func.func @f(%A: tensor<20x4xi32>) -> tensor<20x4xi32> {
  %r = mdh.compute (i in 20, k in 4) ins(%a = %A[i, k]) outs([i, k])
       attributes {mdh.schedule = [\"3: (10,1) (^ ; ^) (FOR.1,FOR.2)\", \"2: (^,1) (^ ; ^) (FOR.1,FOR.2)\", \"1: (1,1~peel) (^ ; ^) (FOR.1,FOR.2)\"]} {
    mdh.yield %a : i32
  } : (tensor<20x4xi32>) -> tensor<20x4xi32>
  return %r : tensor<20x4xi32>
}",
    );
    agrees(
        "func.func @f(%A: tensor<5x11xi32>, %I: tensor<13xi32>) -> tensor<13xi32> {
  %r = mdh.compute (i in 11, j in 5 pw xor) where i + 1 < 7 ins(%a = %A[j, i]) outs([i + 1] into %I)
       attributes {mdh.schedule = [\"1: (4~peel,^) (^ ; ^) (FOR.1,FOR.2)\", \"4: (1,1) (^ ; ^) (UNR.1,FOR.2)\", \"3: (1,1) (^ ; ^) (UNR.1,FOR.2)\", \"2: (1,1) (^ ; ^) (FOR.1,FOR.2)\"]} {
    mdh.yield %a : i32
  } : (tensor<5x11xi32>, tensor<13xi32>) -> tensor<13xi32>
  return %r : tensor<13xi32>
}",
    );
}

/// Three times four lanes of 32: the other twenty have partners in the next warp
#[test]
fn lanes_that_fill_no_warp() {
    agrees(
        "func.func @f(%A: tensor<12xi8>, %I: tensor<5x2xi8>) -> tensor<5x2xi8> {
  %r = mdh.compute (i in 4 pw mul, j in 9 pw mul, k in 10) ins(%a = %A[i + j]) outs([k floordiv 2, k mod 2] into %I)
       attributes {mdh.schedule = [\"1: (4,3,5) (SM ; ^) (FOR.1,UNR.2,BLK.z)\", \"2: (1,1,1) (^ ; ^) (THR.z(shared),THR.y(shuffle),WRP.x)\"]} {
    mdh.yield %a : i8
  } : (tensor<12xi8>, tensor<5x2xi8>) -> tensor<5x2xi8>
  return %r : tensor<5x2xi8>
}",
    );
}

#[test]
fn a_warp_with_one_lane() {
    let text = "func.func @f(%A: memref<13xi32>, %r: memref<13xi32>) {
  sched.kernel @start grid [1, 1, 1] block [1, 1, 1] {
    sched.for (%i in 13 by 1) {
      %0 = sched.read %A[%i] : memref<13xi32>
      sched.write %0, %r[%i] : memref<13xi32>
    }
  }
  sched.kernel @add grid [1, 1, 1] block [416, 1, 1] {
    sched.for (%i in 13 by 1 dim 0 : warp, %j in 1 by 1 dim 1 : lane.y) {
      %0 = sched.read %A[%i] : memref<13xi32>
      sched.write %0, %r[%i] combine add : memref<13xi32>
    }
  }
  return
}";
    let mut ir = parse(text);
    let wanted = lowered(&ir, "f", text, 1);
    lower(&mut ir, DOWN, text);
    same(&wanted, &lowered(&ir, "f", text, 1), text);
}

#[test]
fn two_tails_of_one_dimension() {
    agrees(
        "func.func @f(%A: tensor<9xi32>) -> (tensor<11xi32>) {
  %r = mdh.compute (j in 9 pw add, k in 11) ins(%a = %A[j]) outs([k])
       attributes {mdh.schedule = [\"1: (6~limit,1) (^ ; L2) (THR.x,THR.z)\", \"2: (1,1) (L2 ; L1) (FOR.2,UNR.3)\", \"4: (1,1) (^ ; REG) (FOR.2,FOR.3)\", \"3: (1~peel,1) (^ ; ^) (FOR.2,FOR.1)\"]} {
    mdh.yield %a : i32
  } : (tensor<9xi32>) -> tensor<11xi32>
  return %r : tensor<11xi32>
}",
    );
}

/// Which lanes find an element follows from the tap along them: outside of all other steps, a mask is computed once for these
#[test]
fn masks_of_lanes_stay_for_many_steps() {
    for (pad, outside, steps) in [(1, "else 0.0", "FOR.2,FOR.3,FOR.1"), (0, "", "FOR.1,FOR.2,FOR.3")] {
        let (rows, columns) = (13 + 2 - 2 * pad, 40 + 2 - 2 * pad);
        let scheduled = chosen(&format!(
            "func.func @f(%X: tensor<5x{rows}x{columns}xf32>, %W: tensor<9x5x3x3xf32>) -> tensor<9x13x40xf32> {{
  %o = mdh.compute (k in 9, p in 13, q in 40, c in 5 pw add, r in 3 pw add, s in 3 pw add)
       ins(%x = %X[c, p + r - {pad}, q + s - {pad}] {outside}, %w = %W[k, c, r, s]) outs([k, p, q]) {{
    %v = arith.mulf %x, %w : f32
    mdh.yield %v : f32
  }} : (tensor<5x{rows}x{columns}xf32>, tensor<9x5x3x3xf32>) -> tensor<9x13x40xf32>
  return %o : tensor<9x13x40xf32>
}}"
        ));
        assert!(scheduled.contains(&format!("(^,^,^,{steps})")), "{pad}: {scheduled}");
    }
}
