//! Tiles that do not lie as their loops run, by value: of turned coordinates inside of each other, of results with places
//! between.

use crate::common;

use common::*;

/// As it is, scheduled, and all the way down
fn agrees(text: &str) {
    let wanted = as_it_is(&parse(text), "f");
    let mut ir = parse(text);
    for step in ["func.func(mdh-to-sched)", DOWN] {
        lower(&mut ir, step, text);
        same(&wanted, &lowered(&ir, "f", text, wanted.len()), &format!("{step}\n{text}"));
    }
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
