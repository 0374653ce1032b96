// test: opt --emit=opencl
// snapshot:
// test: opt --emit=cuda
// snapshot:
module attributes {gpu.container_module} {
  func.func @f(%X: memref<64xi32>, %y: i32, %z: i32, %o: memref<64xi32> {llvm.noalias}) {
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    gpu.launch_func  @f_kernel::@f_kernel blocks in (%c2, %c1, %c1) threads in (%c4, %c1, %c1)  args(%y : i32, %z : i32, %X : memref<64xi32>, %o : memref<64xi32>)
    return
  }
  gpu.module @f_kernel {
    gpu.func @f_kernel(%y: i32, %z: i32, %X: memref<64xi32> {llvm.noalias, llvm.readonly}, %o: memref<64xi32> {llvm.noalias}) kernel attributes {known_block_size = array<i32: 4, 1, 1>, known_grid_size = array<i32: 2, 1, 1>} {
      %c4 = arith.constant 4 : index
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c32 = arith.constant 32 : index
      %block_id_x = gpu.block_id  x
      %thread_id_x = gpu.thread_id  x
      %i = arith.muli %block_id_x, %c32 : index
      %j = arith.muli %thread_id_x, %c8 : index
      %0 = arith.addi %i, %j : index
      %1 = vector.broadcast %y : i32 to vector<4xi32>
      %2 = vector.broadcast %z : i32 to vector<4xi32>
      scf.for %k = %c0 to %c8 step %c4 {
        %3 = arith.addi %0, %k : index
        %4 = vector.load %X[%3] {alignment = 16 : i64} : memref<64xi32>, vector<4xi32>
        %5 = arith.muli %4, %1 : vector<4xi32>
        %6 = arith.addi %5, %2 : vector<4xi32>
        vector.store %6, %o[%3] {alignment = 16 : i64} : memref<64xi32>, vector<4xi32>
      }
      gpu.return
    }
  }
  tune.space @f_levels for @f on "opencl" {
  }
}
