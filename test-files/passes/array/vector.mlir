// test: opt --pipeline='func.func(array-rewrite{strategy="(at(vectorize) vectorize(4))?; (at(reduceByVectors) reduceByVectors(4))?; (at(reduceVectorize) reduceVectorize(4))?"})'
// rule: vectorize, reduceByVectors, reduceVectorize

// Lanes.

func.func @vectorize(%x: !array.of<4 * @n x f32>, %y: !array.of<4 * @n x f32>, %k: f32) -> !array.of<4 * @n x f32> {
  %t = array.zip %x, %y
  %vectorize = array.map "A" %t as %a, %b {
    %c = arith.mulf %a, %k : f32
    %d = arith.addf %c, %b : f32
    array.yield %d
  }
  return %vectorize : !array.of<4 * @n x f32>
}
// check: func.func @vectorize
// next: %0 = array.as_vector 4 %x
// next: %1 = array.as_vector 4 %y
// next: %2 = array.zip %0, %1
// next: %3 = array.map "A" %2 as %arg0, %arg1 {
// next: %4 = vector.broadcast %k : f32 to vector<4xf32>
// next: %5 = arith.mulf %arg0, %4 : vector<4xf32>
// next: %6 = arith.addf %5, %arg1 : vector<4xf32>
// next: array.yield %6
// next: }
// next: %vectorize = array.as_scalar %3
// next: return %vectorize : !array.of<4 * @n x f32>
// next: }
// eval: @vectorize([1.0, 2.0, 3.0, 4.0], [1.0, 1.0, 1.0, 1.0], 2.0) == [3.0, 5.0, 7.0, 9.0]

func.func @reduceByVectors(%x: !array.of<4 * @n x f32>, %y: !array.of<4 * @n x f32>, %z: f32) -> f32 {
  %t = array.zip %x, %y
  %reduceByVectors = array.reduce add init %z %t as %a, %b {
    %c = arith.mulf %a, %b : f32
    array.yield %c
  }
  return %reduceByVectors : f32
}
// check: func.func @reduceByVectors
// next: %0 = array.as_vector 4 %x
// next: %1 = array.as_vector 4 %y
// next: %2 = array.zip %0, %1
// next: %reduceByVectors = array.reduce add init %z %2 as %arg0, %arg1 {
// next: %3 = arith.mulf %arg0, %arg1 : vector<4xf32>
// next: %4 = vector.reduction <add>, %3 : vector<4xf32> into f32
// next: array.yield %4
// next: }
// next: return %reduceByVectors : f32
// next: }

func.func @reduceVectorize(%x: !array.of<4 * @n x f32>, %z: f32) -> f32 {
  %reduceVectorize = array.reduce add init %z %x as %a {
    %c = arith.mulf %a, %a : f32
    array.yield %c
  }
  return %reduceVectorize : f32
}
// check: func.func @reduceVectorize
// next: %0 = array.as_vector 4 %x
// next: %1 = array.reduce add %0 as %arg0 {
// next: %2 = arith.mulf %arg0, %arg0 : vector<4xf32>
// next: array.yield %2
// next: }
// next: %reduceVectorize = vector.reduction <add>, %1, %z : vector<4xf32> into f32
// next: return %reduceVectorize : f32
// next: }
// eval: @reduceVectorize([1.0, 2.0, 3.0, 4.0], 0.5) == 30.5
