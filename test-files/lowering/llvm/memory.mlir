// test: opt --pipeline="scf-parallel-to-calls,convert-scf-to-cf"
// not: scf.

// Sizes at run time, primes and one among them; the last element of each row weighs more.
func.func @weigh(%n: index, %m: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %a = memref.alloc(%n, %m) : memref<?x?xi64>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %p = arith.muli %i, %m : index
      %q = arith.addi %p, %j : index
      %x = arith.index_cast %q : index to i64
      memref.store %x, %a[%i, %j] : memref<?x?xi64>
    }
  }
  %last = arith.subi %m, %c1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i64) {
    %x = memref.load %a[%i, %last] : memref<?x?xi64>
    %t = arith.addi %s, %x : i64
    scf.yield %t : i64
  }
  memref.dealloc %a : memref<?x?xi64>
  return %r : i64
}
// eval: @weigh(1, 1) == 0
// eval: @weigh(7, 13) == 357
// eval: @weigh(13, 1) == 78

// A part with steps, one dimension dropped; offsets and strides at run time.
func.func @part(%o: index, %step: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0 : i32
  %a = memref.alloca() : memref<6x7xi32>
  scf.for %i = %c0 to %c6 step %c1 {
    scf.for %j = %c0 to %c7 step %c1 {
      %p = arith.muli %i, %c7 : index
      %q = arith.addi %p, %j : index
      %x = arith.index_cast %q : index to i32
      memref.store %x, %a[%i, %j] : memref<6x7xi32>
    }
  }
  %column = memref.subview %a[0, %o] [3, 1] [%step, 1] : memref<6x7xi32> to memref<3xi32, strided<[?], offset: ?>>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %zero) -> (i32) {
    %x = memref.load %column[%i] : memref<3xi32, strided<[?], offset: ?>>
    %t = arith.addi %s, %x : i32
    scf.yield %t : i32
  }
  return %r : i32
}
// eval: @part(0, 1) == 21
// eval: @part(5, 2) == 57

// Copies between layouts, and a loop that carries a buffer.
func.func @transposed(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloc(%n, %n) : memref<?x?xf32>
  %b = memref.alloc(%n, %n) : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %k = arith.muli %i, %n : index
      %l = arith.addi %k, %j : index
      %v = arith.index_cast %l : index to i32
      %x = arith.sitofp %v : i32 to f32
      memref.store %x, %a[%i, %j] : memref<?x?xf32>
    }
  }
  %t = memref.reinterpret_cast %b to offset: [0], sizes: [%n, %n], strides: [1, %n] : memref<?x?xf32> to memref<?x?xf32, strided<[1, ?]>>
  memref.copy %a, %t : memref<?x?xf32> to memref<?x?xf32, strided<[1, ?]>>
  %which = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a) -> (memref<?x?xf32>) {
    scf.yield %b : memref<?x?xf32>
  }
  %last = arith.subi %n, %c1 : index
  %x = memref.load %which[%last, %c0] : memref<?x?xf32>
  return %x : f32
}
// eval: @transposed(1) == 0.000000e+00
// eval: @transposed(5) == 4.000000e+00

// Bits take a byte each; a buffer of the module; dimensions at run time.
memref.global "private" constant @primes : memref<5xi8> = dense<[2, 3, 5, 7, 11]>
memref.global "private" @count : memref<i32> = dense<0>
func.func @sieve(%k: index) -> (i1, i8, index, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c1_i32 = arith.constant 1 : i32
  %p = memref.get_global @primes : memref<5xi8>
  %n = memref.get_global @count : memref<i32>
  memref.store %c1_i32, %n[] : memref<i32>
  %d = memref.cast %p : memref<5xi8> to memref<?xi8>
  %size = memref.dim %d, %c0 : memref<?xi8>
  %bits = memref.alloc(%size) : memref<?xi1>
  scf.for %i = %c0 to %size step %c1 {
    %x = memref.load %p[%i] : memref<5xi8>
    %c7 = arith.constant 7 : i8
    %big = arith.cmpi sge, %x, %c7 : i8
    memref.store %big, %bits[%i] : memref<?xi1>
    %old = memref.atomic_rmw addi %c1_i32, %n[] : (i32, memref<i32>) -> i32
  }
  %bit = memref.load %bits[%k] : memref<?xi1>
  %prime = memref.load %d[%k] : memref<?xi8>
  %total = memref.load %n[] : memref<i32>
  memref.dealloc %bits : memref<?xi1>
  return %bit, %prime, %size, %total : i1, i8, index, i32
}
// eval: @sieve(2) == (false, 5, 5, 6)
// eval: @sieve(3) == (true, 7, 5, 6)

// Alignments beyond the runtime's.
func.func @aligned(%n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %x = arith.constant 2.5 : f64
  %a = memref.alloc(%n) {alignment = 4096 : i64} : memref<?xf64>
  memref.store %x, %a[%c0] : memref<?xf64>
  %y = memref.load %a[%c0] : memref<?xf64>
  memref.dealloc %a : memref<?xf64>
  return %y : f64
}
// eval: @aligned(3) == 2.500000e+00

// Atomic updates without an instruction of their own.
func.func @product() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %m = memref.alloca() : memref<f32>
  memref.store %one, %m[] : memref<f32>
  scf.for %i = %c0 to %c5 step %c1 {
    %old = memref.atomic_rmw mulf %half, %m[] : (f32, memref<f32>) -> f32
  }
  %r = memref.load %m[] : memref<f32>
  return %r : f32
}
// eval: @product() == 3.125000e-02

// An update by a region.
func.func @update(%x: f32) -> (f32, f32) {
  %m = memref.alloca() : memref<f32>
  memref.store %x, %m[] : memref<f32>
  %old = memref.generic_atomic_rmw %m[] : memref<f32> {
  ^bb0(%y: f32):
    %z = arith.mulf %y, %y : f32
    memref.atomic_yield %z : f32
  }
  %new = memref.load %m[] : memref<f32>
  return %old, %new : f32, f32
}
// eval: @update(3.0) == (3.000000e+00, 9.000000e+00)

// Elements that are vectors.
func.func @rows(%i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xvector<3xi32>>
  %v = arith.constant dense<[1, 2, 3]> : vector<3xi32>
  %w = arith.constant dense<[10, 20, 30]> : vector<3xi32>
  memref.store %v, %a[%c0] : memref<2xvector<3xi32>>
  vector.store %w, %a[%c1] : memref<2xvector<3xi32>>, vector<3xi32>
  %x = memref.load %a[%i] : memref<2xvector<3xi32>>
  %y = vector.load %a[%i] : memref<2xvector<3xi32>>, vector<3xi32>
  %s = arith.addi %x, %y : vector<3xi32>
  %r = vector.reduction <add>, %s : vector<3xi32> into i32
  memref.dealloc %a : memref<2xvector<3xi32>>
  return %r : i32
}
// eval: @rows(0) == 12
// eval: @rows(1) == 120

// Other shapes of the same elements.
func.func @shapes(%n: index, %i: index) -> (i32, i32, i32, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c12 = arith.constant 12 : index
  %a = memref.alloc() : memref<12xi32>
  scf.for %k = %c0 to %c12 step %c1 {
    %x = arith.index_cast %k : index to i32
    memref.store %x, %a[%k] : memref<12xi32>
  }
  %e = memref.expand_shape %a [[0, 1]] output_shape [3, 4] : memref<12xi32> into memref<3x4xi32>
  %t = memref.transpose %e (i, j) -> (j, i) : memref<3x4xi32> to memref<4x3xi32, strided<[1, 4]>>
  %x = memref.load %t[%i, %c2] : memref<4x3xi32, strided<[1, 4]>>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %t : memref<4x3xi32, strided<[1, 4]>> -> memref<i32>, index, index, index, index, index
  %r = memref.realloc %a(%n) : memref<12xi32> to memref<?xi32>
  %b = memref.reinterpret_cast %r to offset: [0], sizes: [%c3, %c2], strides: [%c2, 1] : memref<?xi32> to memref<?x?xi32, strided<[?, 1]>>
  %f = memref.collapse_shape %b [[0, 1]] : memref<?x?xi32, strided<[?, 1]>> into memref<?xi32, strided<[1]>>
  %y = memref.load %f[%i] : memref<?xi32, strided<[1]>>
  %z = memref.alloca_scope -> (i32) {
    %s = memref.alloca(%n) : memref<?xi32>
    memref.store %y, %s[%i] : memref<?xi32>
    %w = memref.load %s[%i] : memref<?xi32>
    memref.alloca_scope.return %w : i32
  }
  memref.dealloc %r : memref<?xi32>
  return %x, %y, %z, %strides#1 : i32, i32, i32, index
}
// eval: @shapes(40, 1) == (9, 1, 1, 4)
// eval: @shapes(100, 3) == (11, 3, 3, 4)

// Rows with gaps between them are not copied as one piece.
func.func @gaps(%n: index, %w: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 5 : i32
  %z = arith.constant 0 : i32
  %a = memref.alloc(%n, %n) : memref<?x?xi32>
  %b = memref.alloc(%n, %n) : memref<?x?xi32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %x, %a[%i, %j] : memref<?x?xi32>
      memref.store %z, %b[%i, %j] : memref<?x?xi32>
    }
  }
  %s = memref.subview %a[0, 0] [%n, %w] [1, 1] : memref<?x?xi32> to memref<?x?xi32, strided<[?, 1]>>
  %t = memref.subview %b[0, 0] [%n, %w] [1, 1] : memref<?x?xi32> to memref<?x?xi32, strided<[?, 1]>>
  memref.copy %s, %t : memref<?x?xi32, strided<[?, 1]>> to memref<?x?xi32, strided<[?, 1]>>
  %last = arith.subi %w, %c1 : index
  %row = arith.subi %n, %c1 : index
  %p = memref.load %b[%row, %last] : memref<?x?xi32>
  %q = memref.load %b[%c0, %w] : memref<?x?xi32>
  return %p, %q : i32, i32
}
// eval: @gaps(7, 3) == (5, 0)

// A buffer too large for the stack, made again in each call.
func.func private @large(%i: index, %x: i32) -> i32 {
  %a = memref.alloca() : memref<3000000xi32>
  memref.store %x, %a[%i] : memref<3000000xi32>
  %c1 = arith.constant 1 : index
  %z = arith.cmpi ult, %i, %c1 : index
  cf.cond_br %z, ^a, ^b
^a:
  return %x : i32
^b:
  %y = memref.load %a[%i] : memref<3000000xi32>
  return %y : i32
}
func.func @often(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
    %x = arith.index_cast %i : index to i32
    %y = func.call @large(%i, %x) : (index, i32) -> i32
    %t = arith.addi %s, %y : i32
    scf.yield %t : i32
  }
  return %r : i32
}
// eval: @often(5) == 10

// Constants in sums of indices, as large and as small as they may be: what is left of an index need be that of no element.
func.func @around(%i: index, %j: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %cm3 = arith.constant -3 : index
  %a = memref.alloca() : memref<5x5xi32>
  scf.for %k = %c0 to %c5 step %c1 {
    scf.for %l = %c0 to %c5 step %c1 {
      %p = arith.muli %k, %c5 : index
      %q = arith.addi %p, %l : index
      %x = arith.index_cast %q : index to i32
      memref.store %x, %a[%k, %l] : memref<5x5xi32>
    }
  }
  %up = arith.addi %i, %cm3 : index
  %right = arith.addi %c5, %j : index
  %x = memref.load %a[%up, %right] : memref<5x5xi32>
  return %x : i32
}
// eval: @around(3, -5) == 0
// eval: @around(7, -1) == 24
// eval: @around(4, -4) == 6
