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
