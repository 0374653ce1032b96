// test: opt --pipeline="func.func(scf-order-floats,canonicalize)"

// What is merged before lanes are reduced is merged as integers; one comparison finds NaN with a sign.
func.func @lanes(%v: vector<16xf32>, %w: vector<16xf32>) -> f32 {
  %m = arith.maximumf %v, %w : vector<16xf32>
  %r = vector.reduction <maximumf>, %m : vector<16xf32> into f32
  return %r : f32
}
// check: func.func @lanes
// check-not: maximumf
// check: arith.maxsi
// check: arith.maxui
// check: arith.cmpi ugt
// check: vector.reduction <maxsi>
// check-not: maximumf
// check: return

// A loop carries integers, and no floats any more. Halves of a vector have no NaN left to find.
func.func @row(%x: memref<?xf16>, %n: index) -> f16 {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %first = arith.constant dense<0x7C00> : vector<8xf16>
  %all = scf.for %i = %c0 to %n step %c8 iter_args(%so_far = %first) -> (vector<8xf16>) {
    %v = vector.load %x[%i] : memref<?xf16>, vector<8xf16>
    %next = arith.minimumf %v, %so_far : vector<8xf16>
    scf.yield %next : vector<8xf16>
  }
  %low = vector.extract_strided_slice %all {offsets = [0], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
  %high = vector.extract_strided_slice %all {offsets = [4], sizes = [4], strides = [1]} : vector<8xf16> to vector<4xf16>
  %half = arith.minimumf %low, %high : vector<4xf16>
  %r = vector.reduction <minimumf>, %half : vector<4xf16> into f16
  return %r : f16
}
// check: func.func @row
// check: scf.for {{.*}} -> (vector<8xi16>, vector<8xi16>)
// check: arith.minsi
// check: arith.maxsi
// check: scf.yield
// check: arith.cmpi sgt
// check: vector.extract_strided_slice
// check: vector.reduction <minsi>, {{.*}} : vector<4xi16> into i16

// Columns: nothing is reduced, but the loop is long.
func.func @columns(%x: memref<100x8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %first = arith.constant dense<0xFF800000> : vector<8xf32>
  %all = scf.for %i = %c0 to %c100 step %c1 iter_args(%so_far = %first) -> (vector<8xf32>) {
    %v = vector.load %x[%i, %c0] : memref<100x8xf32>, vector<8xf32>
    %next = arith.maximumf %so_far, %v : vector<8xf32>
    scf.yield %next : vector<8xf32>
  }
  vector.store %all, %y[%c0] : memref<8xf32>, vector<8xf32>
  return
}
// check: func.func @columns
// check: scf.for {{.*}} -> (vector<8xi32>, vector<8xi32>)

// It stays: three iterations; what is carried is read in another way; NaN does not count; sums.
func.func @stays(%x: memref<100x8xf32>, %y: memref<8xf32>, %s: vector<8xf32>, %n: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %first = arith.constant dense<0xFF800000> : vector<8xf32>
  %few = scf.for %i = %c0 to %c3 step %c1 iter_args(%so_far = %first) -> (vector<8xf32>) {
    %v = vector.load %x[%i, %c0] : memref<100x8xf32>, vector<8xf32>
    %next = arith.maximumf %so_far, %v : vector<8xf32>
    scf.yield %next : vector<8xf32>
  }
  %read = scf.for %i = %c0 to %n step %c1 iter_args(%so_far = %few) -> (vector<8xf32>) {
    %v = vector.load %x[%i, %c0] : memref<100x8xf32>, vector<8xf32>
    %next = arith.maximumf %so_far, %v : vector<8xf32>
    vector.store %next, %y[%c0] : memref<8xf32>, vector<8xf32>
    scf.yield %next : vector<8xf32>
  }
  vector.store %read, %y[%c0] : memref<8xf32>, vector<8xf32>
  %a = vector.reduction <maximumf>, %s fastmath<nnan> : vector<8xf32> into f32
  %b = vector.reduction <add>, %s : vector<8xf32> into f32
  return %a, %b : f32, f32
}
// check: func.func @stays
// check: arith.maximumf
// check: arith.maximumf
// check: vector.reduction <maximumf>
// check-not: arith.maxsi
// check: return

// Loops one behind the other, the second of which starts with what the first gives: both carry integers.
func.func @in_sequence(%x: memref<100x8xf32>, %y: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = arith.constant dense<0xFF800000> : vector<8xf32>
  %one = scf.for %i = %c0 to %n step %c1 iter_args(%so_far = %first) -> (vector<8xf32>) {
    %v = vector.load %x[%i, %c0] : memref<100x8xf32>, vector<8xf32>
    %next = arith.maximumf %so_far, %v : vector<8xf32>
    scf.yield %next : vector<8xf32>
  }
  %two = scf.for %i = %c0 to %n step %c1 iter_args(%so_far = %one) -> (vector<8xf32>) {
    %v = vector.load %x[%i, %c0] : memref<100x8xf32>, vector<8xf32>
    %next = arith.maximumf %v, %so_far : vector<8xf32>
    scf.yield %next : vector<8xf32>
  }
  vector.store %two, %y[%c0] : memref<8xf32>, vector<8xf32>
  return
}
// check: func.func @in_sequence
// check: scf.for {{.*}} -> (vector<8xi32>, vector<8xi32>)
// check: scf.for {{.*}} -> (vector<8xi32>, vector<8xi32>)

// Tensors stay.
func.func @tensors(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%so_far = %x) -> (tensor<?xf32>) {
    %next = arith.maximumf %so_far, %x : tensor<?xf32>
    scf.yield %next : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// check: func.func @tensors
// check: arith.maximumf

// What a row leaves over is merged with all lanes before these are reduced; what a loop carries, and lanes that others read, stay.
func.func @left_over(%v: vector<4xf32>, %x: f32, %y: f32, %n: index) -> (f32, f32, f32, f32) {
  %b = arith.mulf %x, %y : f32
  %r = vector.reduction <maximumf>, %v : vector<4xf32> into f32
  %a = arith.maximumf %b, %r : f32
  %q = vector.reduction <maximumf>, %v : vector<4xf32> into f32
  %c = arith.maximumf %b, %q : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = scf.for %i = %c0 to %n step %c1 iter_args(%so_far = %x) -> (f32) {
    %s = vector.reduction <maximumf>, %v : vector<4xf32> into f32
    %next = arith.maximumf %so_far, %s : f32
    scf.yield %next : f32
  }
  return %a, %c, %d, %q : f32, f32, f32, f32
}
// check: func.func @left_over
// check: vector.broadcast
// check: arith.maxsi {{.*}} : vector<4xi32>
// check: vector.reduction <maxsi>
// check: vector.reduction <maxsi>
// check: arith.maximumf
// check: scf.for
// check: arith.maximumf
