// test: opt --pipeline="func.func(cse)"

// Reads are equal until something writes; allocations and other reads write nothing.
func.func @reads(%m: memref<2xi32>, %i: index) -> (i32, i32, i32) {
  %a = memref.load %m[%i] : memref<2xi32>
  %n = memref.alloc() : memref<1xi32>
  %b = memref.load %m[%i] : memref<2xi32>
  %c0 = arith.constant 0 : index
  memref.store %a, %n[%c0] : memref<1xi32>
  %c = memref.load %m[%i] : memref<2xi32>
  %unused = memref.load %m[%c0] : memref<2xi32>
  return %a, %b, %c : i32, i32, i32
}
// check: func.func @reads
// next: %a = memref.load
// next: %n = memref.alloc
// next: arith.constant
// next: memref.store
// next: %c = memref.load
// next: return %a, %a, %c

// Writes inside of an op's regions count at the op, and those of a loop at its start too: the next iteration follows.
func.func @loop(%x: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %m = memref.alloc() : memref<1xi32>
  memref.store %x, %m[%c0] : memref<1xi32>
  %before = memref.load %m[%c0] : memref<1xi32>
  scf.for %i = %c0 to %c3 step %c1 {
    %a = memref.load %m[%c0] : memref<1xi32>
    %b = arith.addi %a, %one : i32
    memref.store %b, %m[%c0] : memref<1xi32>
  }
  %after = memref.load %m[%c0] : memref<1xi32>
  return %before, %after : i32, i32
}
// eval: @loop(5) == (5, 8)
// check: func.func @loop
// check: %before = memref.load
// next: scf.for
// next: %a = memref.load
// check: %after = memref.load
// next: return %before, %after

// A region that only reads leaves what is known.
func.func @reading(%c: i1, %m: memref<2xi32>, %i: index, %j: index) -> (i32, i32, i32) {
  %a = memref.load %m[%i] : memref<2xi32>
  %r = scf.if %c -> (i32) {
    %x = memref.load %m[%j] : memref<2xi32>
    scf.yield %x : i32
  } else {
    scf.yield %a : i32
  }
  %b = memref.load %m[%i] : memref<2xi32>
  return %a, %r, %b : i32, i32, i32
}
// check: func.func @reading
// check: return %a, %r, %a

// A call may write.
func.func private @writes(%m: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : i32
  memref.store %c9, %m[%c0] : memref<1xi32>
  return
}
func.func @call(%x: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<1xi32>
  memref.store %x, %m[%c0] : memref<1xi32>
  %a = memref.load %m[%c0] : memref<1xi32>
  call @writes(%m) : (memref<1xi32>) -> ()
  %b = memref.load %m[%c0] : memref<1xi32>
  return %a, %b : i32, i32
}
// eval: @call(5) == (5, 9)
// check: func.func @call
// check: return %a, %b
