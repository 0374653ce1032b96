// test: opt
// snapshot:
// What a rule could refuse, and does not. In the first functions nobody waits, so rows may be fewer than the block has threads along y.

#sm = #gpu.address_space<workgroup>

// A loop of one thread brings no values together.
// check: func.func @alone
func.func @alone(%A: memref<8x32xf32>, %O: memref<32xf32>) {
  sched.kernel @k grid [1, 1, 1] block [32, 1, 1] {
    sched.for (%t in 32 by 1 : thread.x) {
      sched.for (%r in 8 by 1 limit %t pw add) {
        %s = sched.for (%u in 1 by 1 : thread.y pw add) -> f32 {
          %a = sched.read %A[%r, %t] : memref<8x32xf32>
          sched.yield %a : f32
        }
        sched.write %s, %O[%t] combine add : memref<32xf32>
      }
    }
  }
  return
}

// What one thread writes, the same thread reads.
// check: func.func @first
func.func @first(%A: memref<4xf32>, %B: memref<4x16xf32>) {
  sched.kernel @k grid [1, 1, 1] block [16, 8, 1] {
    %S = sched.alloc : memref<4x16xf32, #sm>
    sched.for (%y in 4 by 1 : thread.y) {
      %a = sched.read %A[%y] : memref<4xf32>
      sched.write %a, %S[%y, 0] : memref<4x16xf32, #sm>
      sched.for (%x in 16 by 1 limit 1 : thread.x) {
        %b = sched.read %S[%y, %x] : memref<4x16xf32, #sm>
        sched.write %b, %B[%y, %x] : memref<4x16xf32>
      }
    }
  }
  return
}

// Rows that merge into one element by atomic updates.
// check: func.func @merged
func.func @merged(%A: memref<4x16xi32>, %B: memref<16xi32>) {
  sched.kernel @k grid [1, 1, 1] block [16, 8, 1] {
    sched.for (%y in 4 by 1 : thread.y pw add via atomic) {
      sched.for (%x in 16 by 1 : thread.x) {
        %a = sched.read %A[%y, %x] : memref<4x16xi32>
        sched.write %a, %B[%x] combine add : memref<16xi32>
      }
    }
  }
  return
}

// A copy walks a tile where one of its indices is the loop's variable and its own; of one iteration it may do without.
// check: func.func @walked
func.func @walked(%A: memref<64xf32>, %B: memref<64xf32>, %C: memref<8xf32>) {
  sched.for (%i in 64 by 8 dim 0) {
    sched.copy (%d) in (8) %A[%i + %d] to %B[%i + %d] : memref<64xf32> to memref<64xf32>
  }
  sched.for (%i in 8 by 8 dim 0) {
    sched.copy (%d) in (8) %A[%d] to %C[%d] : memref<64xf32> to memref<8xf32>
  }
  return
}
