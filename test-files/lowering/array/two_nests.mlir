// test: opt --pipeline="func.func(array-to-sched)"
// snapshot:
// Mapping parallelism, listing 1, under the mappings M4 and M6 of its table 1.

// Threads read what all others wrote: they wait in between.
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
// check: func.func @m4(%in: memref<6x8x4xi32>, %two: i32, %out: memref<6x8x4xi32> {llvm.noalias}) {
// next: sched.kernel @m4 grid [6, 1, 1] block [8, 1, 1] {
// next: sched.for (%i in 6 by 1 dim 0 : block.x) {
// next: %buf = sched.alloc : memref<8x4xi32, #gpu.address_space<workgroup>>
// next: sched.for (%j in 8 by 1 dim 1 : thread.x, %k in 4 by 1 dim 2) {
// next: %0 = sched.read %in[%i, %j, %k] : memref<6x8x4xi32>
// next: %f = arith.addi %0, %two : i32
// next: sched.write %f, %buf[%j, %k] : memref<8x4xi32, #gpu.address_space<workgroup>>
// next: }
// next: sched.for (%j in 4 by 1 dim 2 : thread.x, %k in 8 by 1 dim 1) {
// next: %0 = sched.read %buf[%k, %j] : memref<8x4xi32, #gpu.address_space<workgroup>>
// next: %g = arith.muli %0, %two : i32
// next: sched.write %g, %out[%i, %k, %j] : memref<6x8x4xi32>
// next: }
// next: }
// next: }
// next: return

// Each thread reads only what it wrote itself.
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
// check: func.func @m6(%in: memref<6x8x4xi32>, %two: i32, %out: memref<6x8x4xi32> {llvm.noalias}) {
// next: sched.kernel @m6 grid [6, 1, 1] block [8, 1, 1] {
// next: sched.for (%i in 6 by 1 dim 0 : block.x) {
// next: %buf = sched.alloc : memref<8x4xi32, #gpu.address_space<workgroup>>
// next: sched.for (%j in 8 by 1 dim 1 : thread.x, %k in 4 by 1 dim 2 : vector) {
// next: %0 = sched.read %in[%i, %j, %k] : memref<6x8x4xi32>
// next: %f = arith.addi %0, %two : i32
// next: sched.write %f, %buf[%j, %k] : memref<8x4xi32, #gpu.address_space<workgroup>>
// next: }
// next: sched.for (%j in 4 by 1 dim 2, %k in 8 by 1 dim 1 : thread.x) {
// next: %0 = sched.read %buf[%k, %j] : memref<8x4xi32, #gpu.address_space<workgroup>>
// next: %g = arith.muli %0, %two : i32
// next: sched.write %g, %out[%i, %k, %j] : memref<6x8x4xi32>
// next: }
// next: }
// next: }
// next: return
