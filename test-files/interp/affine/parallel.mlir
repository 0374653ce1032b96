// Iterations of a parallel loop must not use what others write.
// test: round-trip

func.func @shifted(%by: index) -> index {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %m = memref.alloc() : memref<8xindex>
  affine.for %i = 0 to 8 {
    affine.store %i, %m[%i] : memref<8xindex>
  }
  affine.parallel (%i) = (0) to (4) {
    %x = affine.load %m[%i + symbol(%by)] : memref<8xindex>
    affine.store %x, %m[%i] : memref<8xindex>
  }
  %r = memref.load %m[%c3] : memref<8xindex>
  return %r : index
}
// eval: @shifted(4) == 7
// eval: @shifted(0) == 3
// eval: @shifted(1) == trap E0315 "a write here and a read by iteration (0)"

func.func @sum(%n: index) -> f32 {
  %r = affine.parallel (%i, %j) = (0, 0) to (symbol(%n), 3) step (2, 1) reduce ("addf") -> f32 {
    %k = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %j)
    %l = arith.index_cast %k : index to i32
    %x = arith.sitofp %l : i32 to f32
    affine.yield %x : f32
  }
  return %r : f32
}
// eval: @sum(4) == 12.0
// eval: @sum(0) == 0.0
