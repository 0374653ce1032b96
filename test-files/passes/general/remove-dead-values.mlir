// test: opt --pipeline=remove-dead-values

// What no op needs is not handed over, and not handed back.
func.func private @part(%used: i32, %unused: i32) -> (i32, i32) {
  %r = arith.addi %used, %used : i32
  %s = arith.muli %unused, %unused : i32
  return %r, %s : i32, i32
}
// check: func.func private @part(%used: i32) -> i32
// next: %r = arith.addi
// next: return %r : i32
func.func @whole(%a: i32, %b: i32) -> i32 {
  %c = arith.subi %a, %b : i32
  %r:2 = func.call @part(%a, %c) : (i32, i32) -> (i32, i32)
  return %r#0 : i32
}
// check: func.func @whole
// next: %r = call @part(%a) : (i32) -> i32
// next: return %r
// eval: @whole(3, 4) == 6

// Of two values that a loop carries one is needed; so is one of two results of a condition.
func.func @carried(%n: index, %c: i1, %a: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %a) -> (i32, i32) {
    %p = arith.addi %x, %a : i32
    %q = arith.muli %y, %a : i32
    scf.yield %p, %q : i32, i32
  }
  %s:2 = scf.if %c -> (i32, i32) {
    scf.yield %r#1, %r#0 : i32, i32
  } else {
    scf.yield %a, %a : i32, i32
  }
  return %s#1 : i32
}
// check: func.func @carried
// check: %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (i32)
// next: %p = arith.addi %x, %a
// next: scf.yield %p : i32
// check: scf.if %c -> (i32)
// next: scf.yield %r : i32
// eval: @carried(2, true, 5) == 15

// The value that only feeds itself goes; the loop stays for its store.
func.func @while(%m: memref<1xi32>, %n: i32) {
  %z = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %r:2 = scf.while (%i = %z, %k = %n) : (i32, i32) -> (i32, i32) {
    %c = arith.cmpi slt, %i, %n : i32
    scf.condition(%c) %i, %k : i32, i32
  } do {
  ^bb0(%i: i32, %k: i32):
    %j = arith.addi %i, %c1 : i32
    %l = arith.addi %k, %k : i32
    memref.store %j, %m[%c0] : memref<1xi32>
    scf.yield %j, %l : i32, i32
  }
  return
}
// check: func.func @while
// check: scf.while (%i = %z) : (i32) -> i32
// check: scf.condition(%c) %i : i32
// check: ^bb0(%i: i32):
// next: %j = arith.addi
// next: memref.store
// next: scf.yield %j : i32

// Arguments of blocks with what branches give them.
func.func @blocks(%c: i1, %a: i32) -> i32 {
  %d = arith.addi %a, %a : i32
  cf.cond_br %c, ^one(%d, %a : i32, i32), ^two(%d : i32)
^one(%x: i32, %y: i32):
  %e = arith.muli %x, %x : i32
  cf.br ^two(%e : i32)
^two(%z: i32):
  return %a : i32
}
// check: func.func @blocks
// next: cf.cond_br %c, ^one, ^two
// next: ^one:
// next: cf.br ^two
// next: ^two:
// next: return %a
// eval: @blocks(true, 3) == 3

// A public function keeps its type; an unknown user needs everything.
func.func @public(%a: i32, %b: i32) -> (i32, i32) {
  return %a, %a : i32, i32
}
// check: func.func @public(%a: i32, %b: i32) -> (i32, i32)
func.func private @used_otherwise(%a: i32, %b: i32) -> i32 {
  return %a : i32
}
// check: func.func private @used_otherwise(%a: i32, %b: i32) -> i32
func.func @refers() -> ((i32, i32) -> i32) {
  %f = func.constant @used_otherwise : (i32, i32) -> i32
  return %f : (i32, i32) -> i32
}
