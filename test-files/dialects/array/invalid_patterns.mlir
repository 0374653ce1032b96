// test: opt --split-input-file --verify-diagnostics

func.func @names(%x: !array.of<@n x tuple<f32, f32>>) {
  // expected-error @+1 {{TYPE: the function gets 2 arguments, 1 are named}}
  %0 = array.map %x as %a {
    array.yield %a
  }
  return
}

// -----
func.func @number(%x: f32) {
  // expected-error @+1 {{TYPE: needs an array, not f32}}
  %0 = array.map %x as %a {
    array.yield %a
  }
  return
}

// -----
func.func @level(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{`thred.x` is no level; did you mean `thread.x`?}}
  %0 = array.map %x : thred.x as %a {
    array.yield %a
  }
  return
}

// -----
func.func @declared(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{[E0681]: 'array.map' op TYPE: gives !array.of<@n x f32>, declared !array.of<2 * @n x f32>}}
  %0 = "array.map"(%x) ({
  ^bb0(%a: f32):
    array.yield %a
  }) : (!array.of<@n x f32>) -> !array.of<2 * @n x f32>
  return
}

// -----
func.func @arguments(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{TYPE: the function takes (i32), it gets (f32)}}
  %0 = "array.map"(%x) ({
  ^bb0(%a: i32):
    array.yield %a
  }) : (!array.of<@n x f32>) -> !array.of<@n x i32>
  return
}

// -----
func.func @operator(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{[E0682]: 'array.reduce' op OPERATOR: and does not exist for f32}}
  %0 = array.reduce and %x as %a {
    array.yield %a
  }
  return
}

// -----
func.func @missing(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{OPERATOR: @f is not defined}}
  %0 = array.reduce @f %x as %a {
    array.yield %a
  }
  return
}

// -----
func.func private @f(f32, f32) -> i32
func.func @function_type(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{OPERATOR: @f must be a function of type (f32, f32) -> f32}}
  %0 = array.reduce @f %x as %a {
    array.yield %a
  }
  return
}

// -----
func.func private @f(f32, f32) -> f32 attributes {sched.operator = {commutative}}
func.func @associative(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{OPERATOR: @f does not say in `sched.operator` that it is associative}}
  %0 = array.reduce @f %x as %a {
    array.yield %a
  }
  return
}

// -----
func.func @operators(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{OPERATOR: 2 operators for 3 components}}
  %0 = array.reduce add, max %x as %a {
    array.yield %a, %a, %a
  }
  return
}

// -----
func.func @start(%x: !array.of<@n x f32>, %z: index) {
  // expected-error @+1 {{TYPE: the start value is index, contributions are f32}}
  %0 = array.reduce add init %z %x as %a {
    array.yield %a
  }
  return
}

// -----
func.func @fold(%x: !array.of<@n x f32>, %z: index) {
  // expected-error @+1 {{TYPE: the start value is index, the function gives f32}}
  %0 = array.fold init %z %x as %acc, %a {
    array.yield %a
  }
  return
}

// -----
func.func private @f(f32, f32) -> f32 attributes {sched.operator = {associative}}
func.func @exclusive(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{OPERATOR: an exclusive scan by @f needs a start value: write `init`}}
  %0 = array.scan @f exclusive %x as %a {
    array.yield %a
  }
  return
}

// -----
func.func @generate() {
  // expected-error @+1 {{SIZE: size: 0 must be at most -1, the difference is 1}}
  %0 = array.generate -1 as %i {
    array.yield %i
  }
  return
}

// -----
func.func @iterate(%x: !array.of<@n x f32>, %z: i32) {
  // expected-error @+1 {{TYPE: the function must give an array of f32, not !array.of<1 x i32>}}
  %0 = array.iterate 2 init %x as ($l) %v {
    %1 = array.single %z
    array.yield %1
  }
  return
}

// -----
func.func @too_often(%x: !array.of<4 x f32>) {
  // expected-error @+1 {{SIZE: a quotient that has to be exact leaves a remainder}}
  %0 = array.iterate 3 init %x as ($l) %v {
    %1 = array.split 2 %v
    %2 = array.map %1 as %pair {
      %3 = array.reduce add %pair as %a {
        array.yield %a
      }
      array.yield %3
    }
    array.yield %2
  }
  return
}

// -----
func.func @no_form(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{no size is known after @k steps, only sums and multiples}}
  %0 = array.iterate @k init %x as ($l) %v {
    %1 = array.slide 3 by 2 %v
    %2 = array.map %1 as %window {
      %3 = array.reduce add %window as %a {
        array.yield %a
      }
      array.yield %3
    }
    array.yield %2
  }
  return
}

// -----
func.func @bound_twice(%x: !array.of<@n x f32>) {
  %0 = array.iterate 2 init %x as ($l) %v {
    // expected-error @+1 {{TYPE: $l is bound by the iteration around already}}
    %1 = array.iterate 2 init %v as ($l) %w {
      array.yield %w
    }
    array.yield %1
  }
  return
}

// -----
func.func @later(%x: !array.of<@n x f32>) {
  cf.br ^bb2
^bb1:
  // expected-error @+1 {{the type of this value is not known here; write `(%name : type)`}}
  %1 = array.join %0
  return
^bb2:
  %0 = array.split 2 %x
  cf.br ^bb1
}
