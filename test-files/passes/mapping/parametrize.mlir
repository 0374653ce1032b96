// test: opt --pipeline="array-parametrize{device=openmp}"
// snapshot:
// Levels of maps become parameters, and a space behind the function holds what must be true of them.

// A map with a level keeps it.
// check: func.func @f
// check: array.map "rows" %{{…}} : @m.rows as
// check: array.map %{{…}} : seq as
// check: array.map "cells" %{{…}} : fused as
// check: tune.space @f_levels for @f on "openmp"
// next: tune.param @m.rows "rows" in {seq, task}
// next: tune.param @m.t "t" in {seq}
// next: tune.param @m.cells "cells" in {fused}
// check: tune.constraint "8" heuristic : not @m.rows in {seq} because "t stands alone in rows: two sequential ones are one, fused"
func.func @f(%x: !array.of<@n x 4 x 2 x i32>) -> !array.of<@n x 4 x 2 x i32> attributes {array.bind = {n = 6}} {
  %y = array.map "rows" %x as %row {
    %t = array.map %row : seq as %pair {
      %p = array.map "cells" %pair : fused as %a {
        %b = arith.addi %a, %a : i32
        array.yield %b
      }
      array.yield %p
    }
    array.yield %t
  }
  return %y : !array.of<@n x 4 x 2 x i32>
}
