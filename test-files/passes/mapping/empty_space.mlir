// test: opt --pipeline="func.func(array-map)" --verify-diagnostics
// Levels that contradict memory: no mapping, and an error that says which; nothing is overwritten.

// expected-error @+1 {{[E0764]: no mapping satisfies all constraints with the levels that the program says; these contradict each other}}
func.func @u(%X: !array.of<8 x 8 x f32>, %c: f32) -> !array.of<8 x 8 x f32> {
  %o = array.map "A" %X : block.x as %r {
    // expected-note @+2 {{1 [printed]: B uses private memory, which belongs to one thread}}
    // expected-note @+1 {{the program says that B is at thread.x}}
    %g = array.map "B" %r : thread.x as %x {
      %v = arith.addf %x, %c : f32
      array.yield %v
    }
    %p = array.toPrivate %g
    %h = array.map "C" %p : thread.x as %x {
      %v = arith.mulf %x, %c : f32
      array.yield %v
    }
    array.yield %h
  }
  return %o : !array.of<8 x 8 x f32>
}
