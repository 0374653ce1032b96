// test: opt --emit=memory
// test: opt --pipeline=to-opencl --emit=opencl
// test: opt --pipeline=to-cuda --emit=cuda
// A place says where a value is written: in the list of buffers, and in kernels by the languages' words.

func.func @f(%x: !array.of<4 x 8 x 128 x f32>) -> !array.of<4 x 8 x 128 x f32> {
  %0 = array.map %x : block.x as %a {
    // Each thread its row, for itself and in both directions.
    %1 = array.map %a : thread.x as %row {
      %own = array.toPrivate %row
      %back = array.gather %own by 127 - $i size 128
      %2 = array.map (array.zip %own, %back) : seq as %p, %q {
        %3 = arith.mulf %p, %q : f32
        array.yield %3
      }
      array.yield %2
    }
    // The block its rows, for all threads.
    %tile = array.toLocal %1
    %4 = array.map (array.transpose %tile) : thread.x as %column {
      %5 = array.map %column : seq as %p {
        %6 = arith.addf %p, %p : f32
        array.yield %6
      }
      array.yield %5
    }
    array.yield (array.transpose %4)
  }
  // The device all of it, for the next kernel.
  %all = array.toGlobal %0
  %7 = array.map %all : block.x as %a {
    %8 = array.map (array.transpose %a) : thread.x as %row {
      %9 = array.map %row : seq as %p {
        %10 = arith.negf %p : f32
        array.yield %10
      }
      array.yield %9
    }
    array.yield (array.transpose %8)
  }
  return %7 : !array.of<4 x 8 x 128 x f32>
}

// check: %x     argument   memref<4x8x128xf32>
// next: %out   result     memref<4x8x128xf32>
// next: %all   temporary  memref<4x8x128xf32>                               16,384
// next: %tile  local      memref<8x128xf32, #gpu.address_space<workgroup>>   4,096
// next: %own   private    memref<128xf32, #gpu.address_space<private>>         512
// check: void f_kernel(__global const float *restrict x, __global float *restrict all_1) {
// next: __local float tile[1024];
// check: float own[128];
// check: own[127] = x[
// check: tile[
// check: void f_kernel_1(__global const float *restrict all_1, __global float *restrict out) {
// check: void f_kernel(const float *__restrict__ x, float *__restrict__ all_1) {
// next: __shared__ float tile[1024];
// check: float own[128];
// check: void f_kernel_1(const float *__restrict__ all_1, float *__restrict__ out) {
