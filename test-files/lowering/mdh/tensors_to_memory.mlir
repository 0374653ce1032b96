// test: opt --pipeline="linalg-operators,tensor-constants-to-globals,func.func(linalg-to-mdh,tensors-to-memory)"
// What loops carry, and what is put together part by part, lives in memory; nothing is copied that is not needed any more.

#id = affine_map<(d0) -> (d0)>

// Parts that join to a whole go where they belong at once.
func.func @joined(%a: tensor<2x2xi32>, %b: tensor<2x2xi32>) -> tensor<4x2xi32> {
  %e = tensor.empty() : tensor<4x2xi32>
  %0 = tensor.insert_slice %a into %e[0, 0] [2, 2] [1, 1] : tensor<2x2xi32> into tensor<4x2xi32>
  %1 = tensor.insert_slice %b into %0[2, 0] [2, 2] [1, 1] : tensor<2x2xi32> into tensor<4x2xi32>
  return %1 : tensor<4x2xi32>
}
// eval: @joined([1, 2, 3, 4], [5, 6, 7, 8]) == [1, 2, 3, 4, 5, 6, 7, 8]
// check: @joined
// check: %0 = sched.alloc : memref<4x2xi32>
// not: sched.alloc
// check: memref.subview %0[0, 0] [2, 2] [1, 1]
// next: materialize_in_destination %a
// next: memref.subview %0[2, 0] [2, 2] [1, 1]
// next: materialize_in_destination %b

// An op for it is the same, in any direction.
func.func @columns(%a: tensor<2x1xi32>, %b: tensor<2x2xi32>) -> tensor<2x3xi32> {
  %1 = tensor.concat dim(1) %a, %b : (tensor<2x1xi32>, tensor<2x2xi32>) -> tensor<2x3xi32>
  return %1 : tensor<2x3xi32>
}
// eval: @columns([1, 2], [5, 6, 7, 8]) == [1, 5, 6, 2, 7, 8]

// A loop carries a tensor: one buffer, in which the computation writes what it has read.
func.func @steps(%a: tensor<3xi32>, %n: index) -> tensor<3xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<3xi32>) {
    %e = tensor.empty() : tensor<3xi32>
    %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<3xi32>) outs(%e : tensor<3xi32>) {
    ^bb0(%in: i32, %out: i32):
      %s = arith.muli %in, %in : i32
      linalg.yield %s : i32
    } -> tensor<3xi32>
    scf.yield %y : tensor<3xi32>
  }
  return %r : tensor<3xi32>
}
// eval: @steps([1, 2, 3], 2) == [1, 16, 81]
// eval: @steps([1, 2, 3], 0) == [1, 2, 3]
// check: @steps
// check: %a_0 = sched.alloc : memref<3xi32>
// not: sched.alloc
// check: materialize_in_destination %a in writable %a_0
// next: scf.for
// next: to_tensor %a_0
// next: %y = mdh.compute
// check: materialize_in_destination %y in writable %a_0

// A scan: rows are read and written at places that are values. The row is made in its place.
func.func @scan(%xs: tensor<3x2xi32>) -> (tensor<2xi32>, tensor<3x2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant dense<0> : tensor<2xi32>
  %e = tensor.empty() : tensor<3x2xi32>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%h = %zero, %all = %e) -> (tensor<2xi32>, tensor<3x2xi32>) {
    %x = tensor.extract_slice %xs[%i, 0] [1, 2] [1, 1] : tensor<3x2xi32> to tensor<2xi32>
    %o = tensor.empty() : tensor<2xi32>
    %y = linalg.add ins(%h, %x : tensor<2xi32>, tensor<2xi32>) outs(%o : tensor<2xi32>) -> tensor<2xi32>
    %next = tensor.insert_slice %y into %all[%i, 0] [1, 2] [1, 1] : tensor<2xi32> into tensor<3x2xi32>
    scf.yield %y, %next : tensor<2xi32>, tensor<3x2xi32>
  }
  return %r#0, %r#1 : tensor<2xi32>, tensor<3x2xi32>
}
// eval: @scan([1, 2, 3, 4, 5, 6]) == ([9, 12], [1, 2, 4, 6, 9, 12])
// check: @scan
// check: sched.alloc : memref<2xi32>
// check: sched.alloc : memref<3x2xi32>
// not: sched.alloc
// check: scf.for
// check: memref.subview {{.*}} memref<3x2xi32> to memref<2xi32, strided<[1], offset: ?>>

// Two that change places: one is put aside.
func.func @swapped(%a: tensor<2xi32>, %b: tensor<2xi32>, %n: index) -> (tensor<2xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<2xi32>, tensor<2xi32>) {
    scf.yield %y, %x : tensor<2xi32>, tensor<2xi32>
  }
  return %r#0, %r#1 : tensor<2xi32>, tensor<2xi32>
}
// eval: @swapped([1, 2], [3, 4], 3) == ([3, 4], [1, 2])
// eval: @swapped([1, 2], [3, 4], 2) == ([1, 2], [3, 4])

// What is read again afterwards is not overwritten.
func.func @kept(%a: tensor<3xi32>, %i: index) -> (tensor<3xi32>, tensor<3xi32>) {
  %c7 = arith.constant 7 : i32
  %o = tensor.empty() : tensor<3xi32>
  %x = linalg.add ins(%a, %a : tensor<3xi32>, tensor<3xi32>) outs(%o : tensor<3xi32>) -> tensor<3xi32>
  %y = tensor.insert %c7 into %x[%i] : tensor<3xi32>
  %z = linalg.add ins(%x, %y : tensor<3xi32>, tensor<3xi32>) outs(%o : tensor<3xi32>) -> tensor<3xi32>
  return %y, %z : tensor<3xi32>, tensor<3xi32>
}
// eval: @kept([1, 2, 3], 1) == ([2, 7, 6], [4, 11, 12])

// A part of a buffer that is written over another part of it.
func.func @moved(%a: tensor<4xi32>, %i: index) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %t = %c0 to %c2 step %c1 iter_args(%x = %a) -> (tensor<4xi32>) {
    %p = tensor.extract_slice %x[%i] [3] [1] : tensor<4xi32> to tensor<3xi32>
    %y = tensor.insert_slice %p into %x[1] [3] [1] : tensor<3xi32> into tensor<4xi32>
    scf.yield %y : tensor<4xi32>
  }
  return %r : tensor<4xi32>
}
// eval: @moved([1, 2, 3, 4], 0) == [1, 1, 1, 2]
// eval: @moved([1, 2, 3, 4], 1) == [1, 2, 3, 4]

// Until something holds; what the body gets is in another order.
func.func @until(%a: tensor<i32>, %b: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %c50 = arith.constant 50 : i32
  %r:2 = scf.while (%x = %a, %y = %b) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) {
    %v = tensor.extract %x[] : tensor<i32>
    %t = arith.cmpi slt, %v, %c50 : i32
    scf.condition(%t) %y, %x : tensor<i32>, tensor<i32>
  } do {
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %o = tensor.empty() : tensor<i32>
    %s = linalg.add ins(%p, %q : tensor<i32>, tensor<i32>) outs(%o : tensor<i32>) -> tensor<i32>
    scf.yield %p, %s : tensor<i32>, tensor<i32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<i32>
}
// eval: @until([1], [1]) == ([89], [55])

// One way or the other.
func.func @branches(%a: tensor<2xi32>, %t: i1) -> tensor<2xi32> {
  %c9 = arith.constant 9 : i32
  %r = scf.if %t -> (tensor<2xi32>) {
    %o = tensor.empty() : tensor<2xi32>
    %s = linalg.mul ins(%a, %a : tensor<2xi32>, tensor<2xi32>) outs(%o : tensor<2xi32>) -> tensor<2xi32>
    scf.yield %s : tensor<2xi32>
  } else {
    %s = tensor.from_elements %c9, %c9 : tensor<2xi32>
    scf.yield %s : tensor<2xi32>
  }
  return %r : tensor<2xi32>
}
// eval: @branches([3, 4], true) == [9, 16]
// eval: @branches([3, 4], false) == [9, 9]

// One of several ways.
func.func @ways(%a: tensor<2xi32>, %n: index) -> tensor<2xi32> {
  %r = scf.index_switch %n -> tensor<2xi32>
  case 1 {
    %o = tensor.empty() : tensor<2xi32>
    %s = linalg.add ins(%a, %a : tensor<2xi32>, tensor<2xi32>) outs(%o : tensor<2xi32>) -> tensor<2xi32>
    scf.yield %s : tensor<2xi32>
  }
  default {
    scf.yield %a : tensor<2xi32>
  }
  return %r : tensor<2xi32>
}
// eval: @ways([3, 4], 1) == [6, 8]
// eval: @ways([3, 4], 5) == [3, 4]

// Numbers beside tensors are carried as before.
func.func @both(%a: tensor<2xi32>, %n: index) -> (i32, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %x = %a) -> (i32, tensor<2xi32>) {
    %v = tensor.extract %x[%c1] : tensor<2xi32>
    %t = arith.addi %s, %v : i32
    %y = tensor.insert %t into %x[%c0] : tensor<2xi32>
    scf.yield %t, %y : i32, tensor<2xi32>
  }
  return %r#0, %r#1 : i32, tensor<2xi32>
}
// eval: @both([3, 4], 3) == (12, [12, 4])

// A cache that grows at a place that is an argument, and constants of different elements.
func.func @cache(%a: tensor<4x2xi32>, %at: index) -> tensor<4x2xi32> {
  %c = arith.constant dense<[[5, 6]]> : tensor<1x2xi32>
  %r = tensor.insert_slice %c into %a[%at, 0] [1, 2] [1, 1] : tensor<1x2xi32> into tensor<4x2xi32>
  return %r : tensor<4x2xi32>
}
// eval: @cache([0, 0, 1, 1, 2, 2, 3, 3], 2) == [0, 0, 1, 1, 5, 6, 3, 3]

// Nothing of the kind stays as it is.
func.func @plain(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
// check: @plain
// next: return %a
