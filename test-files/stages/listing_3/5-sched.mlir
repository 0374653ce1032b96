// test: round-trip
module {
  func.func @tiled(%X: memref<64xi32>, %y: i32, %z: i32, %out: memref<64xi32> {llvm.noalias}) {
    sched.kernel @tiled grid [4, 1, 1] block [16, 1, 1] {
      sched.for (%i in 64 by 16 dim 0 : block.x) {
        %all_0 = sched.alloc : memref<16xi32, #gpu.address_space<workgroup>>
        sched.for (%j in 16 by 4 dim 0 : thread.x, %k in 4 by 1 dim 0) {
          %0 = sched.read %X[%i + %j + %k] : memref<64xi32>
          %m = arith.muli %0, %y : i32
          sched.write %m, %all_0[%j + %k] : memref<16xi32, #gpu.address_space<workgroup>>
        }
        sched.for (%j in 16 by 1 dim 1 : thread.x) {
          %0 = sched.read %all_0[%j] : memref<16xi32, #gpu.address_space<workgroup>>
          %s = arith.addi %0, %z : i32
          sched.write %s, %out[%i + %j] : memref<64xi32>
        }
      }
    }
    return
  }
}
