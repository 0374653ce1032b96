// test: opt --pipeline=func.func(mdh-to-sched)
// Functions written for memory: results live where they are to be, unless they are read from there.

func.func @straight(%C: memref<2x2xi32>, %A: memref<2x3xi32>) {
  %0 = bufferization.to_tensor %A restrict : memref<2x3xi32> to tensor<2x3xi32>
  %1 = mdh.compute (i in 2, j in 2, k in 3 pw add) ins(%a = %0[i, k], %b = %0[j, k]) outs([i, j]) {
    %p = arith.muli %a, %b : i32
    mdh.yield %p : i32
  } : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x2xi32>
  bufferization.materialize_in_destination %1 in restrict writable %C : (tensor<2x2xi32>, memref<2x2xi32>) -> ()
  return
}
// check: @straight(%C: memref<2x2xi32>, %A: memref<2x3xi32>) {
// not: alloc
// check: sched.read %A
// check: sched.write {{.*}}, %C
// not: copy

func.func @transposed(%t: tensor<2x2xi32>) -> i32 {
  %C = memref.alloc() : memref<2x2xi32>
  bufferization.materialize_in_destination %t in writable %C : (tensor<2x2xi32>, memref<2x2xi32>) -> ()
  %0 = bufferization.to_tensor %C restrict : memref<2x2xi32> to tensor<2x2xi32>
  %1 = mdh.compute (i in 2, j in 2) ins(%a = %0[j, i]) outs([i, j]) {
    mdh.yield %a : i32
  } : (tensor<2x2xi32>) -> tensor<2x2xi32>
  bufferization.materialize_in_destination %1 in restrict writable %C : (tensor<2x2xi32>, memref<2x2xi32>) -> ()
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %r = memref.load %C[%one, %zero] : memref<2x2xi32>
  return %r : i32
}
// check: @transposed
// check: sched.alloc
// check: sched.copy
