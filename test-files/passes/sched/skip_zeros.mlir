// test: opt --pipeline="func.func(sched-skip-zeros)"

// Taps beside the line would add zeros.
func.func @sums(%A: memref<4xi32>, %w: memref<3xi32>) -> memref<4xi32> {
  %z = arith.constant 0 : i32
  %out = memref.alloc() : memref<4xi32>
  sched.copy (%x) in (4) %z to %out[%x] : i32 to memref<4xi32>
  %b = sched.alloc : memref<6xi32>
  sched.copy (%x) in (6) %A[%x - 1] else %z to %b[%x] : memref<4xi32> to memref<6xi32>
  // check: sched.for (%i in 4 by 1 dim 0, %k in 3 by 1 from -%i + 1 limit -%i + 5 dim 1 pw add)
  sched.for (%i in 4 by 1 dim 0, %k in 3 by 1 dim 1 pw add) {
    %a = sched.read %b[%i + %k] : memref<6xi32>
    %c = sched.read %w[%k] : memref<3xi32>
    %p = arith.muli %a, %c : i32
    sched.write %p, %out[%i] combine add : memref<4xi32>
  }
  return %out : memref<4xi32>
}

// A read that finds zeros outside needs no test once no tap is outside; of other dimensions ranges say it.
func.func @outside(%A: memref<2x4xi32>, %w: memref<3xi32>, %out: memref<4xi32>) {
  %z = arith.constant 0 : i32
  // check: sched.for (%r in 2 by 1 dim 2 pw add, %i in 4 by 1 dim 0, %k in 3 by 1 from -%i + 1 limit -%i + 5 dim 1 pw add)
  // next: %a = sched.read %A[%r, %i + %k - 1] : memref<2x4xi32>
  sched.for (%r in 2 by 1 dim 2 pw add, %i in 4 by 1 dim 0, %k in 3 by 1 dim 1 pw add) {
    %a = sched.read %A[%r, %i + %k - 1] else %z : memref<2x4xi32>
    %c = sched.read %w[%k] : memref<3xi32>
    %p = arith.muli %a, %c : i32
    sched.write %p, %out[%i] combine add : memref<4xi32>
  }
  return
}

// It stays where a tap may be outside still: both rows and columns hang on one loop here.
func.func @diagonal(%A: memref<4x4xi32>, %w: memref<3xi32>, %out: memref<4xi32>) {
  %z = arith.constant 0 : i32
  // check: sched.for (%i in 4 by 1 dim 0, %k in 3 by 1 from -%i + 1 limit -%i + 5 dim 1 pw add)
  // next: %a = sched.read %A[%i + %k - 1, %i + %k - 2] else %z : memref<4x4xi32>
  sched.for (%i in 4 by 1 dim 0, %k in 3 by 1 dim 1 pw add) {
    %a = sched.read %A[%i + %k - 1, %i + %k - 2] else %z : memref<4x4xi32>
    %c = sched.read %w[%k] : memref<3xi32>
    %p = arith.muli %a, %c : i32
    sched.write %p, %out[%i] combine add : memref<4xi32>
  }
  return
}

// Of floats only where the product is no NaN and the sign of zeros does not matter.
func.func @floats(%A: memref<4xf32>, %w: memref<3xf32>, %out: memref<4xf32>) {
  %z = arith.constant 0.0 : f32
  %b = sched.alloc : memref<5xf32>
  sched.copy (%x) in (5) %A[%x - 1] else %z to %b[%x] : memref<4xf32> to memref<5xf32>
  // check: sched.for (%i in 4 by 1 dim 0, %k in 2 by 1 dim 1 pw add)
  sched.for (%i in 4 by 1 dim 0, %k in 2 by 1 dim 1 pw add) {
    %a = sched.read %b[%i + %k] : memref<5xf32>
    %c = sched.read %w[%k] : memref<3xf32>
    %p = arith.mulf %a, %c fastmath<nnan> : f32
    sched.write %p, %out[%i] combine add : memref<4xf32>
  }
  // check: sched.for (%i in 4 by 1 dim 0, %k in 2 by 1 from -%i + 1 dim 1 pw add)
  sched.for (%i in 4 by 1 dim 0, %k in 2 by 1 dim 1 pw add) {
    %a = sched.read %b[%i + %k] : memref<5xf32>
    %c = sched.read %w[%k] : memref<3xf32>
    %p = arith.mulf %a, %c fastmath<nnan,nsz> : f32
    sched.write %p, %out[%i] combine add : memref<4xf32>
  }
  return
}

// Sums of something else stay: of what is no product, and of loops that do more.
func.func @other(%A: memref<4xi32>, %w: memref<3xi32>, %out: memref<4xi32>, %last: memref<4xi32>) {
  %z = arith.constant 0 : i32
  %b = sched.alloc : memref<6xi32>
  sched.copy (%x) in (6) %A[%x - 1] else %z to %b[%x] : memref<4xi32> to memref<6xi32>
  // check: sched.for (%i in 4 by 1 dim 0, %k in 3 by 1 dim 1 pw add)
  sched.for (%i in 4 by 1 dim 0, %k in 3 by 1 dim 1 pw add) {
    %a = sched.read %b[%i + %k] : memref<6xi32>
    %c = sched.read %w[%k] : memref<3xi32>
    %p = arith.addi %a, %c : i32
    sched.write %p, %out[%i] combine add : memref<4xi32>
  }
  // check: sched.for (%i in 4 by 1 dim 0, %k in 3 by 1 dim 1 pw add)
  sched.for (%i in 4 by 1 dim 0, %k in 3 by 1 dim 1 pw add) {
    %a = sched.read %b[%i + %k] : memref<6xi32>
    %c = sched.read %w[%k] : memref<3xi32>
    %p = arith.muli %a, %c : i32
    sched.write %p, %out[%i] combine add : memref<4xi32>
    sched.write %c, %last[%i] combine add : memref<4xi32>
  }
  return
}

// Sums in registers: each tap has a copy of the loop over these, and cuts its own.
func.func @registers(%A: memref<8xi32>, %w: memref<3xi32>, %out: memref<8xi32>) {
  %z = arith.constant 0 : i32
  %b = sched.alloc : memref<10xi32>
  sched.copy (%x) in (10) %A[%x - 1] else %z to %b[%x] : memref<8xi32> to memref<10xi32>
  // check: sched.for (%i in 8 by 4 dim 0 : unroll)
  sched.for (%i in 8 by 4 dim 0) {
    %acc = sched.alloc : memref<4xi32, "reg">
    sched.copy (%x) in (4) by (unroll) %z to %acc[%x] : i32 to memref<4xi32, "reg">
    // check: sched.for (%k in 3 by 1 dim 1 : unroll pw add, %j in 4 by 1 from -%i + -%k + 1 limit -%i + -%k + 9 dim 0 : unroll)
    sched.for (%k in 3 by 1 dim 1 pw add, %j in 4 by 1 dim 0) {
      %a = sched.read %b[%k + %i + %j] : memref<10xi32>
      %c = sched.read %w[%k] : memref<3xi32>
      %p = arith.muli %a, %c : i32
      sched.write %p, %acc[%j] combine add : memref<4xi32, "reg">
    }
    sched.copy (%x) in (4) by (unroll) %acc[%x] to %out[%x + %i] : memref<4xi32, "reg"> to memref<8xi32>
  }
  return
}
