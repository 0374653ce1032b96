// test: opt --pipeline="func.func(promote-buffers-to-stack)"

// Views, branches, loops and conditions hand a buffer on within the function: it moves, and so do both of two.
func.func @handed_on(%c: i1, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  memref.store %x, %b[%c0] : memref<4xf32>
  %v = memref.cast %a : memref<4xf32> to memref<?xf32>
  %n = memref.dim %v, %c0 : memref<?xf32>
  %w = scf.if %c -> memref<4xf32> {
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %b : memref<4xf32>
  }
  %l = scf.for %i = %c0 to %c4 step %c1 iter_args(%m = %w) -> memref<4xf32> {
    %s = arith.select %c, %m, %b : memref<4xf32>
    scf.yield %s : memref<4xf32>
  }
  cf.br ^end(%l : memref<4xf32>)
^end(%e: memref<4xf32>):
  %r = memref.load %e[%c0] : memref<4xf32>
  return %r : f32
}
// check: func.func @handed_on
// check: %a = memref.alloca() : memref<4xf32>
// next: %b = memref.alloca() : memref<4xf32>
// eval: @handed_on(true, 2.0) == 2.0

// In a loop that ends what it puts on the stack: it moves unless the loop carries it on.
func.func @iterations(%n: index, %x: f32) -> memref<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = memref.alloc() : memref<2xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %start) -> memref<2xf32> {
    %inner = memref.alloc() : memref<2xf32>
    memref.store %x, %inner[%c0] : memref<2xf32>
    %carried = memref.alloc() : memref<2xf32>
    scf.yield %carried : memref<2xf32>
  }
  return %r : memref<2xf32>
}
// check: func.func @iterations
// check: %start = memref.alloc() : memref<2xf32>
// next: scf.for
// next: %inner = memref.alloca() : memref<2xf32>
// next: memref.store
// next: %carried = memref.alloc() : memref<2xf32>

// By size: 1024 bytes at most.
func.func @sizes(%x: i8) {
  %c0 = arith.constant 0 : index
  %large = memref.alloc() : memref<1025xi8>
  memref.store %x, %large[%c0] : memref<1025xi8>
  %small = memref.alloc() {alignment = 64 : i64} : memref<1024xi8>
  memref.store %x, %small[%c0] : memref<1024xi8>
  return
}
// check: func.func @sizes
// check: %large = memref.alloc()
// check: %small = memref.alloca() {alignment = 64 : i64}

// What is no memref any more may outlive the function all the same.
func.func @as_tensor(%x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  memref.store %x, %m[%c0] : memref<4xf32>
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  return %t : tensor<4xf32>
}
// check: func.func @as_tensor
// check: %m = memref.alloc()

func.func @as_address() -> index {
  %m = memref.alloc() : memref<4xf32>
  %p = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
  return %p : index
}
// check: func.func @as_address
// next: %m = memref.alloc()

func.func @as_pointer() -> i64 {
  %m = memref.alloc() : memref<4xf32>
  %p = builtin.unrealized_conversion_cast %m : memref<4xf32> to i64
  return %p : i64
}
// check: func.func @as_pointer
// next: %m = memref.alloc()

// Sizes and what is read say nothing about where it is.
func.func @sizes_only() -> (index, index, index, vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%m : memref<4xf32>)
  %base, %offset, %size, %stride = memref.extract_strided_metadata %m
      : memref<4xf32> -> memref<f32>, index, index, index
  %v = vector.load %m[%c0] : memref<4xf32>, vector<4xf32>
  return %offset, %size, %stride, %v : index, index, index, vector<4xf32>
}
// check: func.func @sizes_only
// check: %m = memref.alloca()

// A callee may free or keep it.
func.func private @callee(%m: memref<4xf32>)
func.func @called() {
  %m = memref.alloc() : memref<4xf32>
  call @callee(%m) : (memref<4xf32>) -> ()
  return
}
// check: func.func @called
// next: %m = memref.alloc()

// Freed, stored, returned, handed on to a block that returns it.
func.func @freed() {
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return
}
// check: func.func @freed
// next: %m = memref.alloc()

func.func @stored(%all: memref<2xmemref<4xf32>>) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  memref.store %m, %all[%c0] : memref<2xmemref<4xf32>>
  return
}
// check: func.func @stored
// check: %m = memref.alloc()

func.func @returned(%c: i1) -> memref<?xf32> {
  %m = memref.alloc() : memref<4xf32>
  %v = memref.cast %m : memref<4xf32> to memref<?xf32>
  cf.br ^end(%v : memref<?xf32>)
^end(%w: memref<?xf32>):
  return %w : memref<?xf32>
}
// check: func.func @returned
// next: %m = memref.alloc()

func.func @out_of_a_scope(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = memref.alloca_scope -> (memref<4xf32>) {
    %m = memref.alloc() : memref<4xf32>
    %own = memref.alloc() : memref<4xf32>
    memref.store %x, %own[%c0] : memref<4xf32>
    memref.alloca_scope.return %m : memref<4xf32>
  }
  memref.store %x, %r[%c0] : memref<4xf32>
  %l = memref.load %r[%c0] : memref<4xf32>
  return %l : f32
}
// check: func.func @out_of_a_scope
// check: %m = memref.alloc() : memref<4xf32>
// next: %own = memref.alloca() : memref<4xf32>

// Loops that do not end what they put on the stack: it would hold each iteration's buffer until the function returns.
func.func @while(%n: i32) -> i32 {
  %one = arith.constant 1 : i32
  %r = scf.while (%i = %n) : (i32) -> i32 {
    %c0 = arith.constant 0 : index
    %m = memref.alloc() : memref<4xi32>
    memref.store %i, %m[%c0] : memref<4xi32>
    %l = memref.load %m[%c0] : memref<4xi32>
    %c = arith.cmpi sgt, %l, %one : i32
    scf.condition(%c) %l : i32
  } do {
  ^bb0(%j: i32):
    %c0 = arith.constant 0 : index
    %m = memref.alloc() : memref<4xi32>
    memref.store %j, %m[%c0] : memref<4xi32>
    %k = arith.subi %j, %one : i32
    scf.yield %k : i32
  }
  return %r : i32
}
// check: func.func @while
// check: memref.alloc()
// check: memref.alloc()
// check: return
// eval: @while(5) == 1

func.func @blocks(%n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %before = memref.alloc() : memref<4xi32>
  memref.store %n, %before[%c0] : memref<4xi32>
  cf.br ^body(%n : i32)
^body(%i: i32):
  %m = memref.alloc() : memref<4xi32>
  memref.store %i, %m[%c0] : memref<4xi32>
  %j = arith.subi %i, %one : i32
  %c = arith.cmpi sgt, %j, %zero : i32
  cf.cond_br %c, ^body(%j : i32), ^end
^end:
  %after = memref.alloc() : memref<4xi32>
  memref.store %j, %after[%c0] : memref<4xi32>
  %r = memref.load %after[%c0] : memref<4xi32>
  return %r : i32
}
// check: func.func @blocks
// check: %before = memref.alloca()
// check: %m = memref.alloc()
// check: %after = memref.alloca()
// eval: @blocks(3) == 0

// A condition in a loop of blocks is come to again with the loop; a region that runs once is not.
func.func @inside(%n: i32, %c: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  scf.execute_region {
    %once = memref.alloc() : memref<4xi32>
    memref.store %n, %once[%c0] : memref<4xi32>
    scf.yield
  }
  cf.br ^body(%n : i32)
^body(%i: i32):
  scf.if %c {
    %m = memref.alloc() : memref<4xi32>
    memref.store %i, %m[%c0] : memref<4xi32>
  }
  %j = arith.subi %i, %one : i32
  %d = arith.cmpi sgt, %j, %zero : i32
  cf.cond_br %d, ^body(%j : i32), ^end
^end:
  return
}
// check: func.func @inside
// check: %once = memref.alloca()
// check: %m = memref.alloc()
