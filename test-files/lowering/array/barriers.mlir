// test: opt --pipeline=to-opencl --emit=opencl
// test: opt --pipeline=to-cuda --emit=cuda
// Threads of a block wait where one reads what another one wrote, and nowhere else: counted in the text of kernels.

// Mapping parallelism, listing 1, mapping M4: one barrier, between B and D.
func.func @m4(%in: !array.of<6 x 8 x 4 x i32>, %two: i32) -> !array.of<6 x 8 x 4 x i32> {
  %out = array.map "A" %in : block.x as %a {
    %b = array.map "B" %a : thread.x as %r {
      %c = array.map "C" %r as %x {
        %f = arith.addi %x, %two : i32
        array.yield %f
      }
      array.yield %c
    }
    %buf = array.toLocal %b
    %d = array.map "D" (array.transpose %buf) : thread.x as %col {
      %e = array.map "E" %col as %x {
        %g = arith.muli %x, %two : i32
        array.yield %g
      }
      array.yield %e
    }
    array.yield (array.transpose %d)
  }
  return %out : !array.of<6 x 8 x 4 x i32>
}

// Mapping M6: a thread reads what it wrote itself.
func.func @m6(%in: !array.of<6 x 8 x 4 x i32>, %two: i32) -> !array.of<6 x 8 x 4 x i32> {
  %out = array.map "A" %in : block.x as %a {
    %b = array.map "B" %a : thread.x as %r {
      %c = array.map "C" %r : vector as %x {
        %f = arith.addi %x, %two : i32
        array.yield %f
      }
      array.yield %c
    }
    %buf = array.toLocal %b
    %d = array.map "D" (array.transpose %buf) as %col {
      %e = array.map "E" %col : thread.x as %x {
        %g = arith.muli %x, %two : i32
        array.yield %g
      }
      array.yield %e
    }
    array.yield (array.transpose %d)
  }
  return %out : !array.of<6 x 8 x 4 x i32>
}

// Rows in reverse, then columns. A row's buffer is one for all threads along x, which wait for each other.
func.func @rows(%x: !array.of<4 x 6 x 8 x i32>) -> !array.of<4 x 6 x 8 x i32> {
  %o = array.map %x : block.x as %a {
    %b = array.map %a : thread.y as %row {
      %c = array.map %row : thread.x as %e {
        %d = arith.addi %e, %e : i32
        array.yield %d
      }
      %line = array.toLocal %c
      %g = array.gather %line by 7 - $i size 8
      %h = array.map %g : thread.x as %e {
        %d = arith.muli %e, %e : i32
        array.yield %d
      }
      array.yield %h
    }
    array.yield %b
  }
  return %o : !array.of<4 x 6 x 8 x i32>
}

// Row after row in one buffer: the next one is not written before all have read this one.
func.func @again(%x: !array.of<4 x 6 x 8 x i32>) -> !array.of<4 x 6 x 8 x i32> {
  %o = array.map %x : block.x as %a {
    %b = array.map %a : seq as %row {
      %c = array.map %row : thread.x as %e {
        %d = arith.addi %e, %e : i32
        array.yield %d
      }
      %line = array.toLocal %c
      %g = array.gather %line by 7 - $i size 8
      %h = array.map %g : thread.x as %e {
        %d = arith.muli %e, %e : i32
        array.yield %d
      }
      array.yield %h
    }
    array.yield %b
  }
  return %o : !array.of<4 x 6 x 8 x i32>
}

// check: void m4_kernel(__global const int *restrict in, int two, __global int *restrict out) {
// next: __local int buf[32];
// not: barrier
// check: buf[j * 4 + k] =
// next: }
// next: barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
// not: barrier
// check: void m6_kernel(
// next: __local __attribute__((aligned(16))) int buf[32];
// not: barrier
// check: void rows_kernel(
// next: __local int line[48];
// not: barrier
// check: line[j * 8 + k] =
// next: barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
// next: int v1 = line[j * 8 + (7 - k)];
// not: barrier
// check: void again_kernel(
// next: __local int line[8];
// not: barrier
// check: line[k] =
// next: barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
// next: int v2 = line[v0];
// check: o[
// next: barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
// next: }
// not: barrier
// check: void m4_kernel(const int *__restrict__ in, int two, int *__restrict__ out) {
// next: __shared__ int buf[32];
// not: __syncthreads
// check: buf[j * 4 + k] =
// next: }
// next: __syncthreads();
// not: __syncthreads
// check: void m6_kernel(
// next: __shared__ __align__(16) int buf[32];
// not: __syncthreads
// check: void rows_kernel(
// next: __shared__ int line[48];
// not: __syncthreads
// check: line[j * 8 + k] =
// next: __syncthreads();
// next: int v1 = line[j * 8 + (7 - k)];
// not: __syncthreads
// check: void again_kernel(
// next: __shared__ int line[8];
// not: __syncthreads
// check: __syncthreads();
// check: __syncthreads();
// not: __syncthreads
