// test: opt --pipeline='func.func(array-rewrite{strategy="at(sum) reduceMapFusion; at(sum) splitReduce(4, parts)"})'
// snapshot:
// rule: reduceMapFusion, splitReduce

// The example of docs/strategies.md.
func.func @squares(%x: !array.of<4 * @n x f32>, %z: f32) -> f32 {
  %y = array.map %x as %a {
    %b = arith.mulf %a, %a : f32
    array.yield %b
  }
  %sum = array.reduce add init %z %y as %a {
    array.yield %a
  }
  return %sum : f32
}
// check: func.func @squares
// next: %0 = array.split 4 %x
// next: %1 = array.map "parts" %0 as %arg0 {
// next: %2 = array.reduce add %arg0 as %a {
// next: %b = arith.mulf %a, %a : f32
// next: array.yield %b
// next: }
// next: array.yield %2
// next: }
// next: %sum = array.reduce add init %z %1 as %arg0 {
// next: array.yield %arg0
// next: }
// next: return %sum : f32
// next: }
// eval: @squares([1.0, 2.0, 3.0, 4.0], 0.5) == 30.5
