// test: opt --emit=opencl
// snapshot:
// test: opt --emit=cuda
// snapshot:
module attributes {gpu.container_module} {
  func.func @tiled(%X: memref<64xi32>, %y: i32, %z: i32, %out: memref<64xi32> {llvm.noalias}) {
    %c16 = arith.constant 16 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func  @tiled_kernel::@tiled_kernel blocks in (%c4, %c1, %c1) threads in (%c16, %c1, %c1)  args(%X : memref<64xi32>, %y : i32, %z : i32, %out : memref<64xi32>)
    return
  }
  gpu.module @tiled_kernel {
    gpu.func @tiled_kernel(%X: memref<64xi32> {llvm.noalias, llvm.readonly}, %y: i32, %z: i32, %out: memref<64xi32> {llvm.noalias}) workgroup(%all_0 : memref<16xi32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
      %c1 = arith.constant 1 : index
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %block_id_x = gpu.block_id  x
      %j = gpu.thread_id  x
      %i = arith.muli %block_id_x, %c16 : index
      %0 = arith.cmpi slt, %j, %c4 : index
      %j_0 = arith.muli %j, %c4 : index
      scf.if %0 {
        %3 = arith.addi %i, %j_0 : index
        scf.for %k = %c0 to %c4 step %c1 {
          %4 = arith.addi %3, %k : index
          %5 = memref.load %X[%4] : memref<64xi32>
          %m = arith.muli %5, %y : i32
          %6 = arith.addi %j_0, %k : index
          memref.store %m, %all_0[%6] : memref<16xi32, #gpu.address_space<workgroup>>
        }
      }
      gpu.barrier
      %1 = memref.load %all_0[%j] : memref<16xi32, #gpu.address_space<workgroup>>
      %s = arith.addi %1, %z : i32
      %2 = arith.addi %j, %i : index
      memref.store %s, %out[%2] : memref<64xi32>
      gpu.return
    }
  }
}
