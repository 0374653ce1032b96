// test: opt --pipeline=to-opencl --emit=opencl
// snapshot:
// Direct convolution, listing 1 to listing 2: a stencil of three by three on an image that is wider than high. The window is
// flattened: element r of it is row r / 3 and column r mod 3. The sum is kept in a register.

#h = #array.nat<16>
#w = #array.nat<34>

// A group for each row and a thread for each window: there is nothing to go round.
func.func @stencil(%image: !array.of<#h x #w x f32>, %weights: !array.of<3 x 3 x f32>) -> !array.of<#h - 2 x #w - 2 x f32> {
  %z = arith.constant 0.0 : f32
  %n = array.slide_nd [3, 3] by [1, 1] %image
  %o = array.mapWrg(0) %n as %row {
    %p = array.mapLcl(0) %row as %win {
      %f = array.zip (array.join %win), (array.join %weights)
      %s = array.reduceSeq add init %z %f as %l, %r {
        %m = arith.mulf %l, %r : f32
        array.yield %m
      }
      array.yield %s
    }
    array.yield %p
  }
  return %o : !array.of<#h - 2 x #w - 2 x f32>
}

// The same with a loop of groups and a loop of threads: two rows for each group, four windows for each thread, eight apart.
func.func @loops(%image: !array.of<#h x #w x f32>, %weights: !array.of<3 x 3 x f32>) -> !array.of<#h - 2 x #w - 2 x f32> {
  %z = arith.constant 0.0 : f32
  %n = array.slide_nd [3, 3] by [1, 1] %image
  %rows = array.split 2 %n
  %o = array.mapWrg(0) %rows as %two {
    %p = array.map %two : seq as %row {
      %parts = array.transpose (array.split 8 %row)
      %q = array.mapLcl(0) %parts as %part {
        %r = array.map %part : seq as %win {
          %f = array.zip (array.join %win), (array.join %weights)
          %s = array.reduceSeq add init %z %f as %a, %b {
            %m = arith.mulf %a, %b : f32
            array.yield %m
          }
          array.yield %s
        }
        array.yield %r
      }
      array.yield (array.join (array.transpose %q))
    }
    array.yield %p
  }
  %out = array.join %o
  return %out : !array.of<#h - 2 x #w - 2 x f32>
}

// check: __kernel __attribute__((reqd_work_group_size(32, 1, 1)))
// next: void stencil_kernel(
// next: __global const float *restrict image, __global const float *restrict weights,
// next: __global float *restrict o) {
// next: int i = get_group_id(0);
// next: int j = get_local_id(0);
// next: float v0 = 0.0f;
// next: for (int k = 0; k < 9; k++) {
// next: int v1 = k / 3;
// next: int v2 = k % 3;
// next: v0 = fma(image[(i + v1) * 34 + (j + v2)], weights[v1 * 3 + v2], v0);
// next: }
// next: o[i * 32 + j] = v0;
// next: }
// check: __kernel __attribute__((reqd_work_group_size(8, 1, 1)))
// next: void loops_kernel(
// next: __global const float *restrict image, __global const float *restrict weights,
// next: __global float *restrict out) {
// next: int block_id_x = get_group_id(0);
// next: int k = get_local_id(0);
// next: int i = block_id_x * 2;
// next: for (int j = 0; j < 2; j++) {
// next: int v0 = i + j;
// next: for (int l = 0; l < 32; l += 8) {
// next: int v1 = k + l;
// next: float v2 = 0.0f;
// next: for (int m = 0; m < 9; m++) {
// next: int v3 = m / 3;
// next: int v4 = m % 3;
// next: v2 = fma(image[(v0 + v3) * 34 + (v1 + v4)], weights[v3 * 3 + v4], v2);
// next: }
// next: out[v0 * 32 + v1] = v2;
// next: }
// next: }
// next: }
