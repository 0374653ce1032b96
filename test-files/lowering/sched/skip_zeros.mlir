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
