// test: opt --pipeline="builtin.module(inline)"

// Bodies that only compute go anywhere; those with effects only where ops of `scf` are around.
func.func private @twice(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  return %y : i32
}
func.func private @put(%m: memref<4xi32>, %i: index, %x: i32) {
  memref.store %x, %m[%i] : memref<4xi32>
  return
}
func.func @around(%m: memref<4xi32>, %x: i32) {
  affine.for %i = 0 to 4 {
    %y = func.call @twice(%x) : (i32) -> i32
    func.call @put(%m, %i, %y) : (memref<4xi32>, index, i32) -> ()
  }
  return
}
// check: func.func @around
// next: affine.for
// next: arith.addi
// next: call @put
