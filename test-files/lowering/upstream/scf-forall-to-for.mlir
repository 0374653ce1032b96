// Loops over boxes in order; shared tensors are carried, what is read of them is what was there before.
// test: opt --pipeline='func.func(scf-forall-to-for)'

// check: func.func @pairs
// check: scf.for %i = %c0 to %c4 step %c1 iter_args(%arg0 = %t) -> (tensor<8xi32>) {
// check: tensor.extract_slice %t[%i] [1] [1] : tensor<8xi32> to tensor<1xi32>
// check: tensor.insert_slice %p into %arg0[%at] [2] [1] : tensor<2xi32> into tensor<8xi32>
// next: scf.yield
// eval: @pairs([1, 2, 3, 4, 5, 6, 7, 8]) == [1, 1, 2, 2, 3, 3, 4, 4]
func.func @pairs(%t: tensor<8xi32>) -> tensor<8xi32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<8xi32>) {
    %one = tensor.extract_slice %o[%i] [1] [1] : tensor<8xi32> to tensor<1xi32>
    %p = tensor.concat dim(0) %one, %one : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %at = arith.addi %i, %i : index
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%at] [2] [1] : tensor<2xi32> into tensor<8xi32>
    }
  }
  return %r : tensor<8xi32>
}

// Two tensors, two dimensions, elements that nobody inserts.
// eval: @two([0, 0, 0, 0, 0, 0], [9, 9, 9, 9]) == ([0, 1, 10, 11, 0, 0], [0, 1, 10, 11])
func.func @two(%a: tensor<3x2xi32>, %b: tensor<2x2xi32>) -> (tensor<3x2xi32>, tensor<2x2xi32>) {
  %ten = arith.constant 10 : index
  %r:2 = scf.forall (%i, %j) in (2, 2) shared_outs(%x = %a, %y = %b) -> (tensor<3x2xi32>, tensor<2x2xi32>) {
    %n = arith.muli %i, %ten : index
    %s = arith.addi %n, %j : index
    %v = arith.index_cast %s : index to i32
    %p = tensor.from_elements %v : tensor<1x1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %x[%i, %j] [1, 1] [1, 1] : tensor<1x1xi32> into tensor<3x2xi32>
      tensor.parallel_insert_slice %p into %y[%i, %j] [1, 1] [1, 1] : tensor<1x1xi32> into tensor<2x2xi32>
    }
  }
  return %r#0, %r#1 : tensor<3x2xi32>, tensor<2x2xi32>
}
