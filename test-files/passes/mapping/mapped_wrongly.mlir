// test: opt --pipeline="func.func(array-map{mapping=A=fused,B=task})" --split-input-file --verify-diagnostics
// Levels that a map cannot have, whatever the others have; and programs that lack a place.

func.func @levels(%x: !array.of<8 x 4 x i32>, %c: i32) -> !array.of<8 x 4 x i32> {
  // expected-error @+1 {{[E0762]: FUSED [beyond]: A is an outermost map: there is none around to be one with}}
  %o = array.map "A" %x as %a {
    // expected-error @+1 {{[E0765]: B cannot be at task: the device has no such level}}
    %b = array.map "B" %a as %e {
      %v = arith.addi %e, %c : i32
      array.yield %v
    }
    array.yield %b
  }
  return %o : !array.of<8 x 4 x i32>
}

// -----

func.func @windows(%x: !array.of<6 x i32>) -> !array.of<4 x i32> {
  // expected-error@+1 {{would compute its elements again and again, since they are in no memory}}
  %y = array.map "A" %x as %a {
    %b = arith.addi %a, %a : i32
    array.yield %b
  }
  %w = array.slide 3 by 1 %y
  %z = array.map "B" %w as %v {
    // expected-note@+1 {{it is read here}}
    %s = array.reduce add %v as %a {
      array.yield %a
    }
    array.yield %s
  }
  return %z : !array.of<4 x i32>
}

// -----

func.func @macros(%x: !array.of<8 x 4 x i32>, %c: i32) -> !array.of<8 x 4 x i32> {
  // expected-error @+1 {{[E0765]: 'array.map_nd' op is a macro: only what it is written out as has loops and levels}}
  %o = array.map_nd 2 %x as %e {
    %v = arith.addi %e, %c : i32
    array.yield %v
  }
  return %o : !array.of<8 x 4 x i32>
}
