// test: opt --pipeline="func.func(array-to-sched)" --split-input-file --verify-diagnostics --allow-unregistered-dialect
// What has no loops, with what would help.

// expected-error@+1 {{has a size that is no number: @n: @n has no value; bind it with `array.bind = {n = …}`}}
func.func @open(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %y = array.map %x as %a {
    %b = arith.addi %a, %a : i32
    array.yield %b
  }
  return %y : !array.of<@n x i32>
}

// -----

// Read by two ops.
func.func @twice(%x: !array.of<4 x i32>) -> !array.of<4 x i32> {
  // expected-error@+1 {{computes what several ops read, but is in no memory}}
  %y = array.map %x as %a {
    %b = arith.addi %a, %a : i32
    array.yield %b
  }
  %yy = array.zip %y, %y
  %z = array.map %yy as %a, %b {
    // expected-note@+1 {{it is read here}}
    %c = arith.muli %a, %b : i32
    array.yield %c
  }
  return %z : !array.of<4 x i32>
}

// -----

// Windows would compute each element three times.
func.func @again(%x: !array.of<6 x i32>) -> !array.of<4 x i32> {
  // expected-error@+1 {{would compute its elements again and again, since they are in no memory}}
  %y = array.map %x as %a {
    %b = arith.addi %a, %a : i32
    array.yield %b
  }
  %w = array.slide 3 by 1 %y
  %z = array.map %w as %v {
    // expected-note@+1 {{it is read here}}
    %s = array.reduce add %v as %a {
      array.yield %a
    }
    array.yield %s
  }
  return %z : !array.of<4 x i32>
}

// -----

func.func @scanned(%x: !array.of<4 x i32>) -> i32 {
  // expected-error@+1 {{is read element by element, but is in no memory}}
  %y = array.scan add %x as %a {
    array.yield %a
  }
  // expected-note@+1 {{it is read here}}
  %s = array.reduce max %y as %a {
    array.yield %a
  }
  return %s : i32
}

// -----

func.func @windows(%x: !array.of<6 x i32>) -> !array.of<4 x 3 x i32> {
  %y = array.map %x as %a {
    %b = arith.addi %a, %a : i32
    array.yield %b
  }
  // expected-error@+1 {{stands between what is computed and its memory, and cannot be written through: windows share elements}}
  %w = array.slide 3 by 1 %y
  return %w : !array.of<4 x 3 x i32>
}

// -----

func.func @gathered(%x: !array.of<6 x i32>) -> !array.of<3 x i32> {
  %y = array.map %x as %a {
    %b = arith.addi %a, %a : i32
    array.yield %b
  }
  // expected-error@+1 {{cannot be written through: an element may be gathered several times, or not at all}}
  %w = array.gather %y by 2 * $i size 3
  return %w : !array.of<3 x i32>
}

// -----

func.func @clamped(%x: !array.of<6 x i32>) -> !array.of<8 x i32> {
  %y = array.map %x as %a {
    %b = arith.addi %a, %a : i32
    array.yield %b
  }
  // expected-error@+1 {{cannot be written through: elements are repeated in the padding}}
  %w = array.pad 1, 1 clamp %y
  return %w : !array.of<8 x i32>
}

// -----

func.func @many(%x: !array.of<@n x i32>) -> !array.of<@n x i32> attributes {array.bind = {n = 4}} {
  // expected-error@+1 {{has a size that is no number: @k: @k has no value}}
  %y = array.iterate @k init %x as ($l) %v {
    %m = array.map %v as %a {
      %b = arith.addi %a, %a : i32
      array.yield %b
    }
    array.yield %m
  }
  return %y : !array.of<@n x i32>
}

// -----

func.func @empty(%x: !array.of<0 x i32>) -> i32 {
  // expected-error@+1 {{has no elements, no start value, and an operator without a neutral element}}
  %y = array.reduce @f %x as %a {
    array.yield %a
  }
  return %y : i32
}
func.func private @f(%a: i32, %b: i32) -> i32 attributes {sched.operator = {associative}} {
  return %a : i32
}

// -----

func.func @memory(%x: !array.of<4 x i32>) -> !array.of<4 x i32> {
  // expected-error@+1 {{names a memory 'locale' that no device has}}
  %y = array.place "locale" %x
  return %y : !array.of<4 x i32>
}

// -----

func.func @levels(%x: !array.of<4 x 4 x i32>) -> !array.of<4 x 4 x i32> {
  %t = array.map %x as %row {
    // expected-error@+1 {{runs at a level of its own, but its elements are computed one by one where they are read}}
    %m = array.map %row : task as %a {
      %b = arith.addi %a, %a : i32
      array.yield %b
    }
    %s = array.map %m as %a {
      // expected-note@+1 {{it is read here}}
      %b = arith.addi %a, %a : i32
      array.yield %b
    }
    array.yield %s
  }
  return %t : !array.of<4 x 4 x i32>
}

// -----

func.func @fused(%x: !array.of<4 x i32>) -> !array.of<4 x i32> {
  // expected-error@+1 {{is fused, but is not the only thing inside of another map}}
  %m = array.map %x : fused as %a {
    %b = arith.addi %a, %a : i32
    array.yield %b
  }
  return %m : !array.of<4 x i32>
}

// -----

func.func @layout(%x: !array.of<4 x 2 x 2 x i32>) -> !array.of<4 x 2 x 2 x i32> {
  // expected-warning@+1 {{level 'task' is dropped: this map only changes the layout and has no iterations}}
  %m = array.map %x : task as %a {
    %b = array.transpose %a
    array.yield %b
  }
  return %m : !array.of<4 x 2 x 2 x i32>
}

// -----

func.func @called(%x: !array.of<4 x i32>) -> !array.of<4 x i32> {
  // expected-error@+1 {{gives arrays to a function}}
  %y = func.call @g(%x) : (!array.of<4 x i32>) -> !array.of<4 x i32>
  return %y : !array.of<4 x i32>
}
func.func @g(%x: !array.of<4 x i32>) -> !array.of<4 x i32> {
  return %x : !array.of<4 x i32>
}

// -----

func.func @different(%x: !array.of<4 x i32>) -> !array.of<4 x i32> {
  // expected-error@+1 {{is a vector of different numbers, which has no form as loops}}
  %c = arith.constant dense<[1, 2]> : vector<2xi32>
  %v = array.as_vector 2 %x
  %y = array.map %v as %a {
    %b = arith.addi %a, %c : vector<2xi32>
    array.yield %b
  }
  %z = array.as_scalar %y
  return %z : !array.of<4 x i32>
}

// -----

func.func @deep(%x: !array.of<4 x i32>) -> !array.of<4 x i32> {
  %v = array.as_vector 2 %x
  %y = array.map %v as %a {
    // expected-error@+1 {{'vector.shuffle' on vectors has no form lane by lane}}
    %b = vector.shuffle %a, %a [1, 0] : vector<2xi32>, vector<2xi32>
    array.yield %b
  }
  %z = array.as_scalar %y
  return %z : !array.of<4 x i32>
}

// -----

func.func @warp(%x: !array.of<4 x i32>) -> !array.of<4 x i32> {
  // expected-error@+1 {{is at level 'warp', whose hardware sizes nobody says here}}
  %y = array.map %x : warp as %a {
    %b = arith.addi %a, %a : i32
    array.yield %b
  }
  return %y : !array.of<4 x i32>
}

// -----

func.func @large(%x: !array.of<4 x i32>) -> i32 {
  %y = array.gather %x by 0 size 4611686018427387904
  // expected-error@+1 {{has an array of 4611686018427387904 elements, more than 1099511627776}}
  %s = array.reduce add %y as %a {
    array.yield %a
  }
  return %s : i32
}

// -----

// An op of another dialect that knows nothing of arrays.
func.func @foreign(%x: !array.of<2 x f32>, %z: f32) {
  // expected-error@+1 {{takes arrays and is no op of them}}
  %0 = "other.use"(%x, %z) : (!array.of<2 x f32>, f32) -> f32
  return
}

// -----

// The same in the body of a map.
func.func @foreign_inside(%x: !array.of<2 x 3 x f32>) -> !array.of<2 x 3 x f32> {
  %y = array.map %x as %row {
    // expected-error@+1 {{takes arrays and is no op of them}}
    "other.use"(%row) : (!array.of<3 x f32>) -> ()
    array.yield %row
  }
  return %y : !array.of<2 x 3 x f32>
}

// -----

// Ops on arrays in a region of another dialect.
func.func @foreign_outside(%x: !array.of<2 x f32>) -> !array.of<2 x f32> {
  // expected-error@+1 {{has ops on arrays inside and is no op of them}}
  "other.region"() ({
    %y = array.map %x as %a {
      array.yield %a
    }
    "other.end"() : () -> ()
  }) : () -> ()
  return %x : !array.of<2 x f32>
}
