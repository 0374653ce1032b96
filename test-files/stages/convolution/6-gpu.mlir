// test: opt --emit=opencl
// snapshot:
// test: opt --emit=cuda
// snapshot:
module attributes {gpu.container_module} {
  func.func @conv(%in: memref<4x6x8xf32>, %w: memref<4x2x2x8xf32>, %bias: memref<4xf32>, %o: memref<4x5x7xf32> {llvm.noalias}) {
    %c12 = arith.constant 12 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c7 = arith.constant 7 : index
    %c3 = arith.constant 3 : index
    %c1 = arith.constant 1 : index
    %padded_0 = memref.alloc() {alignment = 64 : i64} : memref<7x9x8xf32>
    gpu.launch_func  @conv_kernel::@conv_kernel blocks in (%c1, %c3, %c7) threads in (%c8, %c4, %c1)  args(%in : memref<4x6x8xf32>, %padded_0 : memref<7x9x8xf32>)
    %buffer = memref.alloc() {alignment = 64 : i64} : memref<12x2x2x2x2x4xf32>
    gpu.launch_func  @conv_kernel_0::@conv_kernel blocks in (%c2, %c12, %c1) threads in (%c4, %c2, %c1)  args(%padded_0 : memref<7x9x8xf32>, %w : memref<4x2x2x8xf32>, %buffer : memref<12x2x2x2x2x4xf32>)
    %buffer_0 = memref.alloc() {alignment = 64 : i64} : memref<12x2x2x4xf32>
    gpu.launch_func  @conv_kernel_1::@conv_kernel blocks in (%c2, %c12, %c1) threads in (%c2, %c2, %c1)  args(%bias : memref<4xf32>, %buffer : memref<12x2x2x2x2x4xf32>, %buffer_0 : memref<12x2x2x4xf32>)
    gpu.launch_func  @conv_kernel_2::@conv_kernel blocks in (%c1, %c2, %c4) threads in (%c7, %c4, %c1)  args(%buffer_0 : memref<12x2x2x4xf32>, %o : memref<4x5x7xf32>)
    memref.dealloc %padded_0 : memref<7x9x8xf32>
    memref.dealloc %buffer : memref<12x2x2x2x2x4xf32>
    memref.dealloc %buffer_0 : memref<12x2x2x4xf32>
    return
  }
  gpu.module @conv_kernel {
    gpu.func @conv_kernel(%in: memref<4x6x8xf32> {llvm.noalias, llvm.readonly}, %padded_0: memref<7x9x8xf32> {llvm.noalias}) kernel attributes {known_block_size = array<i32: 8, 4, 1>, known_grid_size = array<i32: 1, 3, 7>} {
      %z = arith.constant 0.000000e+00 : f32
      %c6 = arith.constant 6 : index
      %c-1 = arith.constant -1 : index
      %c9 = arith.constant 9 : index
      %c4 = arith.constant 4 : index
      %block_id_y = gpu.block_id  y
      %block_id_z = gpu.block_id  z
      %thread_id_x = gpu.thread_id  x
      %thread_id_y = gpu.thread_id  y
      %0 = arith.muli %block_id_y, %c4 : index
      %j = arith.addi %0, %thread_id_y : index
      %1 = arith.cmpi slt, %j, %c9 : index
      scf.if %1 {
        %2 = arith.addi %block_id_z, %c-1 : index
        %3 = arith.cmpi ult, %2, %c4 : index
        %4 = arith.addi %j, %c-1 : index
        %5 = arith.cmpi ult, %4, %c6 : index
        %6 = arith.andi %3, %5 : i1
        %7 = scf.if %6 -> (f32) {
          %8 = memref.load %in[%2, %4, %thread_id_x] : memref<4x6x8xf32>
          scf.yield %8 : f32
        } else {
          scf.yield %z : f32
        }
        memref.store %7, %padded_0[%block_id_z, %j, %thread_id_x] : memref<7x9x8xf32>
      }
      gpu.return
    }
  }
  gpu.module @conv_kernel_0 {
    gpu.func @conv_kernel(%padded_0: memref<7x9x8xf32> {llvm.noalias, llvm.readonly}, %w: memref<4x2x2x8xf32> {llvm.noalias, llvm.readonly}, %buffer: memref<12x2x2x2x2x4xf32> {llvm.noalias}) kernel attributes {known_block_size = array<i32: 4, 2, 1>, known_grid_size = array<i32: 2, 12, 1>} {
      %c8 = arith.constant 8 : index
      %cst = arith.constant -0.000000e+00 : f32
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c2 = arith.constant 2 : index
      %block_id_x = gpu.block_id  x
      %i = gpu.block_id  y
      %thread_id_x = gpu.thread_id  x
      %k = gpu.thread_id  y
      %j = arith.muli %block_id_x, %c2 : index
      %l = arith.muli %thread_id_x, %c4 : index
      %0 = arith.addi %j, %c1 : index
      %1:4 = scf.for %m = %c0 to %c32 step %c16 iter_args(%arg0 = %cst, %arg1 = %cst, %arg2 = %cst, %arg3 = %cst) -> (f32, f32, f32, f32) {
        %4 = arith.divui %i, %c4 : index
        %5 = arith.muli %4, %c2 : index
        %6 = arith.addi %k, %5 : index
        %7 = arith.divui %m, %c16 : index
        %8 = arith.addi %6, %7 : index
        %9 = arith.remui %i, %c4 : index
        %10 = arith.muli %9, %c2 : index
        %11 = arith.divui %l, %c8 : index
        %12 = arith.addi %10, %11 : index
        %13 = arith.remui %l, %c8 : index
        %14 = vector.load %padded_0[%8, %12, %13] {alignment = 16 : i64} : memref<7x9x8xf32>, vector<4xf32>
        %15 = vector.load %w[%j, %7, %11, %13] {alignment = 16 : i64} : memref<4x2x2x8xf32>, vector<4xf32>
        %16 = arith.mulf %14, %15 fastmath<reassoc,contract> : vector<4xf32>
        %17 = vector.reduction <add>, %16 fastmath<reassoc,contract> : vector<4xf32> into f32
        %18 = arith.addf %arg0, %17 fastmath<reassoc,contract> : f32
        %19 = vector.load %w[%0, %7, %11, %13] {alignment = 16 : i64} : memref<4x2x2x8xf32>, vector<4xf32>
        %20 = arith.mulf %14, %19 fastmath<reassoc,contract> : vector<4xf32>
        %21 = vector.reduction <add>, %20 fastmath<reassoc,contract> : vector<4xf32> into f32
        %22 = arith.addf %arg1, %21 fastmath<reassoc,contract> : f32
        %23 = arith.addi %12, %c1 : index
        %24 = vector.load %padded_0[%8, %23, %13] {alignment = 16 : i64} : memref<7x9x8xf32>, vector<4xf32>
        %25 = arith.mulf %24, %15 fastmath<reassoc,contract> : vector<4xf32>
        %26 = vector.reduction <add>, %25 fastmath<reassoc,contract> : vector<4xf32> into f32
        %27 = arith.addf %arg2, %26 fastmath<reassoc,contract> : f32
        %28 = arith.mulf %24, %19 fastmath<reassoc,contract> : vector<4xf32>
        %29 = vector.reduction <add>, %28 fastmath<reassoc,contract> : vector<4xf32> into f32
        %30 = arith.addf %arg3, %29 fastmath<reassoc,contract> : f32
        scf.yield %18, %22, %27, %30 : f32, f32, f32, f32
      }
      %2 = arith.divui %j, %c2 : index
      %3 = arith.divui %l, %c4 : index
      memref.store %1#0, %buffer[%i, %2, %k, %c0, %c0, %3] : memref<12x2x2x2x2x4xf32>
      memref.store %1#1, %buffer[%i, %2, %k, %c0, %c1, %3] : memref<12x2x2x2x2x4xf32>
      memref.store %1#2, %buffer[%i, %2, %k, %c1, %c0, %3] : memref<12x2x2x2x2x4xf32>
      memref.store %1#3, %buffer[%i, %2, %k, %c1, %c1, %3] : memref<12x2x2x2x2x4xf32>
      gpu.return
    }
  }
  gpu.module @conv_kernel_1 {
    gpu.func @conv_kernel(%bias: memref<4xf32> {llvm.noalias, llvm.readonly}, %buffer: memref<12x2x2x2x2x4xf32> {llvm.noalias, llvm.readonly}, %buffer_0: memref<12x2x2x4xf32> {llvm.noalias}) kernel attributes {known_block_size = array<i32: 2, 2, 1>, known_grid_size = array<i32: 2, 12, 1>} {
      %c4 = arith.constant 4 : index
      %c1 = arith.constant 1 : index
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %block_id_x = gpu.block_id  x
      %i = gpu.block_id  y
      %l = gpu.thread_id  x
      %k = gpu.thread_id  y
      %j = arith.muli %block_id_x, %c2 : index
      scf.for %m = %c0 to %c2 step %c1 {
        %0 = arith.addi %j, %m : index
        %1 = memref.load %bias[%0] : memref<4xf32>
        %2 = scf.for %n = %c0 to %c4 step %c1 iter_args(%arg0 = %1) -> (f32) {
          %3 = arith.divui %j, %c2 : index
          %4 = memref.load %buffer[%i, %3, %k, %l, %m, %n] : memref<12x2x2x2x2x4xf32>
          %5 = arith.addf %arg0, %4 fastmath<reassoc,contract> : f32
          scf.yield %5 : f32
        }
        memref.store %2, %buffer_0[%i, %k, %l, %0] : memref<12x2x2x4xf32>
      }
      gpu.return
    }
  }
  gpu.module @conv_kernel_2 {
    gpu.func @conv_kernel(%buffer_0: memref<12x2x2x4xf32> {llvm.noalias, llvm.readonly}, %o: memref<4x5x7xf32> {llvm.noalias}) kernel attributes {known_block_size = array<i32: 7, 4, 1>, known_grid_size = array<i32: 1, 2, 4>} {
      %c2 = arith.constant 2 : index
      %c5 = arith.constant 5 : index
      %c4 = arith.constant 4 : index
      %block_id_y = gpu.block_id  y
      %block_id_z = gpu.block_id  z
      %thread_id_x = gpu.thread_id  x
      %thread_id_y = gpu.thread_id  y
      %0 = arith.muli %block_id_y, %c4 : index
      %j = arith.addi %0, %thread_id_y : index
      %1 = arith.cmpi slt, %j, %c5 : index
      scf.if %1 {
        %2 = arith.divui %j, %c2 : index
        %3 = arith.muli %2, %c4 : index
        %4 = arith.divui %thread_id_x, %c2 : index
        %5 = arith.addi %3, %4 : index
        %6 = arith.remui %j, %c2 : index
        %7 = arith.remui %thread_id_x, %c2 : index
        %8 = memref.load %buffer_0[%5, %6, %7, %block_id_z] : memref<12x2x2x4xf32>
        memref.store %8, %o[%block_id_z, %j, %thread_id_x] : memref<4x5x7xf32>
      }
      gpu.return
    }
  }
}
