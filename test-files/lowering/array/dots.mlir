// test: opt --pipeline=to-opencl --emit=opencl
// snapshot:
// test: opt --pipeline=to-cuda --emit=cuda
// snapshot:
// Products of four numbers that are added where they are made: by the function that the language has for them.

// One input vector with two kernels at once, sums in registers.
func.func @floats(%x: !array.of<64 x 32 x f32>, %w: !array.of<2 x 32 x f32>) -> !array.of<64 x 2 x f32> {
  %z = arith.constant 0.0 : f32
  %k = array.transpose (array.map %w as %row {
    %0 = array.as_vector 4 %row
    array.yield %0
  })
  %o = array.map %x : global.x as %a {
    %s = array.reduceSeq add init %z (array.zip (array.as_vector 4 %a), %k) as %p, %both {
      %d = array.map %both : unroll as %q {
        %m = arith.mulf %p, %q : vector<4xf32>
        %h = vector.reduction <add>, %m : vector<4xf32> into f32
        array.yield %h
      }
      array.yield %d
    }
    %r = array.toPrivate %s
    array.yield %r
  }
  return %o : !array.of<64 x 2 x f32>
}

func.func @bytes(%x: !array.of<64 x 32 x i8>, %w: !array.of<2 x 32 x i8>) -> !array.of<64 x 2 x i32> {
  %z = arith.constant 0 : i32
  %k = array.transpose (array.map %w as %row {
    %0 = array.as_vector 4 %row
    array.yield %0
  })
  %o = array.map %x : global.x as %a {
    %s = array.reduceSeq add init %z (array.zip (array.as_vector 4 %a), %k) as %p, %both {
      %d = array.map %both : unroll as %q {
        %pw = arith.extsi %p : vector<4xi8> to vector<4xi32>
        %qw = arith.extsi %q : vector<4xi8> to vector<4xi32>
        %m = arith.muli %pw, %qw : vector<4xi32>
        %h = vector.reduction <add>, %m : vector<4xi32> into i32
        array.yield %h
      }
      array.yield %d
    }
    %r = array.toPrivate %s
    array.yield %r
  }
  return %o : !array.of<64 x 2 x i32>
}

// check: void floats_kernel(
// check: for (int j = 0; j < 32; j += 4) {
// next: float4 v2 = terrace_load_aligned_f32x4(&x[thread_id_x * 32 + j]);
// next: v0 = v0 + dot(v2, terrace_load_aligned_f32x4(&w[j]));
// next: v1 = v1 + dot(v2, terrace_load_aligned_f32x4(&w[j + 32]));
// next: }
// check: void bytes_kernel(
// check: return __dp4a(x, y, r);
// check: void bytes_kernel(
// check: i8x4 v2 = terrace_load_i8x4(&x[thread_id_x * 32 + j]);
// next: i8x4 v3 = terrace_load_i8x4(&w[j]);
// next: i8x4 v4 = terrace_load_i8x4(&w[j + 32]);
// next: v0 = (int)((unsigned int)v0 + terrace_dot_i8x4(v2, v3, 0));
// next: v1 = (int)((unsigned int)v1 + terrace_dot_i8x4(v2, v4, 0));
