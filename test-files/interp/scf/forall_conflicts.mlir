// Parts that iterations put into a shared tensor must not meet.
// test: round-trip

// eval: @meet([0, 0, 0, 0]) == trap E0315
func.func @meet(%t: tensor<4xi32>) -> tensor<4xi32> {
  %p = arith.constant dense<7> : tensor<2xi32>
  %r = scf.forall (%i) in (3) shared_outs(%o = %t) -> (tensor<4xi32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%i] [2] [1] : tensor<2xi32> into tensor<4xi32>
    }
  }
  return %r : tensor<4xi32>
}

// eval: @outside([0, 0, 0, 0]) == trap E0308
func.func @outside(%t: tensor<4xi32>) -> tensor<4xi32> {
  %p = arith.constant dense<7> : tensor<2xi32>
  %r = scf.forall (%i) in (1) shared_outs(%o = %t) -> (tensor<4xi32>) {
    %c3 = arith.constant 3 : index
    %at = arith.addi %i, %c3 : index
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%at] [2] [1] : tensor<2xi32> into tensor<4xi32>
    }
  }
  return %r : tensor<4xi32>
}

// eval: @once([0, 0, 0, 0]) == [7, 7, 7, 7]
func.func @once(%t: tensor<4xi32>) -> tensor<4xi32> {
  %p = arith.constant dense<7> : tensor<2xi32>
  %r = scf.forall (%i) = (0) to (4) step (2) shared_outs(%o = %t) -> (tensor<4xi32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%i] [2] [1] : tensor<2xi32> into tensor<4xi32>
    }
  }
  return %r : tensor<4xi32>
}
