// test: opt --pipeline='func.func(array-rewrite{rules=mapFusion,reduceMapFusion,transposeTranspose,joinSplitId})'
// rule: mapFusion, reduceMapFusion, transposeTranspose, joinSplitId

// Rules alone, until none applies any more.
func.func @sum(%x: !array.of<4 * @n x f32>) -> f32 {
  %p = array.split 4 %x
  %t = array.transpose %p
  %u = array.transpose %t
  %j = array.join %u
  %y = array.map %j as %a {
    %b = arith.mulf %a, %a : f32
    array.yield %b
  }
  %z = array.map %y as %a {
    %b = arith.addf %a, %a : f32
    array.yield %b
  }
  %s = array.reduce add %z as %a {
    array.yield %a
  }
  return %s : f32
}
// check: func.func @sum
// next: %s = array.reduce add %x as %a {
// next: %b = arith.mulf %a, %a : f32
// next: %b_0 = arith.addf %b, %b : f32
// next: array.yield %b_0
// next: }
// next: return %s : f32
// next: }
// eval: @sum([1.0, 2.0, 3.0, 4.0]) == 60.0
