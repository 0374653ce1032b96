// test: opt --emit=memory
// snapshot:

// Two kernels: windows are laid out, sums kept in registers, a row of them in memory of the block.
func.func @blur(%in: !array.of<10 x 12 x f32>, %w: !array.of<9 x f32>) -> !array.of<8 x 10 x f32> {
  %z = arith.constant 0.0 : f32
  %ws = array.slide_nd [3, 3] by [1, 1] %in
  %rows = array.map "Y" %ws : block.x as %line {
    %sums = array.map "X" %line : thread.x as %win {
      %s = array.reduce add init %z (array.zip (array.join %win), %w) as %a, %b {
        %m = arith.mulf %a, %b : f32
        array.yield %m
      }
      array.yield %s
    }
    %near = array.toLocal %sums
    array.yield %near
  }
  %blurred = array.toGlobal %rows
  %out = array.map "Z" %blurred : block.x as %line {
    %o = array.map %line : thread.x as %a {
      %m = arith.addf %a, %a : f32
      array.yield %m
    }
    array.yield %o
  }
  return %out : !array.of<8 x 10 x f32>
}
// check: func @blur
// next: %in       argument   memref<10x12xf32>                                480
// next: %w        argument   memref<9xf32>                                     36
// next: %out      result     memref<8x10xf32>                                 320
// next: %blurred  temporary  memref<8x10xf32>                                 320
// next: %near     local      memref<10xf32, #gpu.address_space<workgroup>>     40
// next: all in main or device memory                                        1,156
// next: of these, arguments and results                                       836
// next: of a block, in the kernel that asks for most                           40
// next: windows of %in written out (im2col) would hold 2,880, 6.0 times as much
