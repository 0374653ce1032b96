// test: opt --pipeline="func.func(scf-unmask-stores,canonicalize)"

// Two rows of a tile: one branch for all four stores. What is computed between them comes before.
func.func @tile(%v: vector<4xf32>, %w: vector<4xf32>, %m: memref<2x11xf32>, %j: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %c11 = arith.constant 11 : index
  %left = arith.subi %c11, %j : index
  %first = vector.create_mask %left : vector<4xi1>
  vector.maskedstore %m[%c0, %j], %first, %v : memref<2x11xf32>, vector<4xi1>, vector<4xf32>
  %next = arith.addi %j, %c4 : index
  %less = arith.subi %c7, %j : index
  %second = vector.create_mask %less : vector<4xi1>
  vector.maskedstore %m[%c0, %next], %second, %w : memref<2x11xf32>, vector<4xi1>, vector<4xf32>
  vector.store %v, %m[%c1, %c0] : memref<2x11xf32>, vector<4xf32>
  vector.maskedstore %m[%c1, %next], %second, %w : memref<2x11xf32>, vector<4xi1>, vector<4xf32>
  vector.store %w, %m[%c1, %c4] : memref<2x11xf32>, vector<4xf32>
  return
}
// check: func.func @tile
// check: %less = arith.subi %c7, %j : index
// check: arith.cmpi sge
// check: arith.cmpi sge
// check: scf.if
// check: vector.store %v
// check: vector.store %w
// check: vector.store %v
// check: vector.store %w
// check: else
// check: vector.maskedstore
// check: vector.maskedstore
// check: vector.store %v
// check: vector.maskedstore
// check: }
// check: vector.store %w
// check: return

// They stay: a mask that is known, one that nothing is known of, and vectors whose length a processor decides.
func.func @stays(%v: vector<4xf32>, %m: memref<11xf32>, %some: vector<4xi1>, %s: vector<[4]xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %known = vector.create_mask %c3 : vector<4xi1>
  vector.maskedstore %m[%c0], %known, %v : memref<11xf32>, vector<4xi1>, vector<4xf32>
  vector.maskedstore %m[%c3], %some, %v : memref<11xf32>, vector<4xi1>, vector<4xf32>
  %scaled = vector.create_mask %n : vector<[4]xi1>
  vector.maskedstore %m[%c0], %scaled, %s : memref<11xf32>, vector<[4]xi1>, vector<[4]xf32>
  %x = memref.load %m[%c3] : memref<11xf32>
  return %x : f32
}
// check: func.func @stays
// check-not: scf.if
// check: return

// What a store says besides is said by both.
func.func @aligned(%v: vector<4xf32>, %m: memref<12xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %mask = vector.create_mask %n : vector<4xi1>
  vector.maskedstore %m[%c0], %mask, %v {alignment = 16 : i64, mine.word} : memref<12xf32>, vector<4xi1>, vector<4xf32>
  return
}
// check: func.func @aligned
// check: vector.store %v{{.*}}alignment = 16 : i64, mine.word
// check: vector.maskedstore {{.*}}alignment = 16 : i64, mine.word

// A read between two stores sees the first: two branches, in their order.
func.func @seen(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xi32>
  %zero = arith.constant dense<0> : vector<4xi32>
  %ones = arith.constant dense<1> : vector<4xi32>
  vector.store %zero, %m[%c0] : memref<4xi32>, vector<4xi32>
  %mask = vector.create_mask %n : vector<4xi1>
  vector.maskedstore %m[%c0], %mask, %ones : memref<4xi32>, vector<4xi1>, vector<4xi32>
  %x = memref.load %m[%c1] : memref<4xi32>
  %y = vector.broadcast %x : i32 to vector<4xi32>
  %twos = arith.addi %ones, %y : vector<4xi32>
  vector.maskedstore %m[%c0], %mask, %twos : memref<4xi32>, vector<4xi1>, vector<4xi32>
  %c3 = arith.constant 3 : index
  %a = memref.load %m[%c0] : memref<4xi32>
  %b = memref.load %m[%c3] : memref<4xi32>
  %c10 = arith.constant 10 : i32
  %tens = arith.muli %a, %c10 : i32
  %all = arith.addi %tens, %b : i32
  memref.dealloc %m : memref<4xi32>
  return %all : i32
}
// check: func.func @seen
// check: scf.if
// check: memref.load
// check: scf.if
// eval: @seen(0) == 0
// eval: @seen(1) == 10
// eval: @seen(3) == 20
// eval: @seen(4) == 22
// eval: @seen(9) == 22
// eval: @seen(-2) == 0
