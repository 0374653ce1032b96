// test: opt --split-input-file --verify-diagnostics

// Conditions of a macro are those of what it stands for.
func.func @split(%x: !array.of<@n x 10 x f32>) {
  // expected-error @+1 {{[E0680]: 'array.split_nd' op SIZE: size of parts: 4 must divide 10, which leaves 2}}
  %0 = array.split_nd [2, 4] %x
  return
}

// -----
func.func @strict(%x: !array.of<8 x @n x f32>) {
  // expected-error @+1 {{SIZE: step: 2 must divide 5, which leaves 1}}
  %0 = array.slide_nd strict [3, 3] by [2, 2] %x
  return
}

// -----
// While parsing, with the rule's code.
func.func @flat(%x: !array.of<8 x f32>) {
  // expected-error @+1 {{[E0681]: TYPE: needs an array of arrays, not of f32}}
  %0 = array.join_nd 2 %x
  return
}

// -----
func.func @depth(%x: !array.of<8 x f32>) {
  // expected-error @+1 {{TYPE: works on 1 to 16 dimensions}}
  %0 = array.join_nd 0 %x
  return
}

// -----
func.func @permutation(%x: !array.of<8 x 8 x f32>) {
  // expected-error @+1 {{TYPE: a permutation has each dimension once, counted from 0}}
  %0 = array.transpose_nd [1, 1] %x
  return
}

// -----
func.func @steps(%x: !array.of<8 x 8 x f32>) {
  // expected-error @+1 {{TYPE: 2 sizes and 1 steps}}
  %0 = array.slide_nd [3, 3] by [1] %x
  return
}

// -----
func.func @levels(%x: !array.of<8 x 8 x f32>) {
  // expected-error @+1 {{TYPE: 1 levels for 2 dimensions}}
  %0 = array.map_nd 2 %x : block.x as %a {
    array.yield %a
  }
  return
}

// -----
func.func @arguments(%x: !array.of<8 x f32>, %y: !array.of<8 x f32>) {
  // expected-error @+1 {{TYPE: the function gets 2 arguments, 1 are named}}
  %0 = array.map2 %x, %y as %a {
    array.yield %a
  }
  return
}

// -----
func.func @dot(%x: !array.of<8 x i1>, %y: !array.of<8 x f32>) {
  // expected-error @+1 {{TYPE: multiplies i1 by f32}}
  %0 = array.dot %x, %y
  return
}

// -----
func.func @operator(%x: !array.of<8 x 8 x f32>) {
  // expected-error @+1 {{[E0682]: 'array.reduce_nd' op OPERATOR: xor does not exist for f32}}
  %0 = array.reduce_nd 2 xor %x as %a {
    array.yield %a
  }
  return
}

// -----
func.func @crop(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{SIZE: size of the slice: 0 must be at most -1, the difference is 1}}
  %0 = array.crop @n, 1 %x
  return
}

// -----
func.func @take(%x: !array.of<@n x f32>) {
  // expected-error @+1 {{SIZE: end of the slice: @n + 1 must be at most @n, the difference is 1}}
  %0 = array.take @n + 1 %x
  return
}

// -----
func.func @zip(%x: !array.of<@n x 3 x f32>, %y: !array.of<@n x 4 x f32>) {
  // expected-error @+1 {{SIZE: sizes of zipped arrays: 3 must be equal to 4, the difference is -1}}
  %0 = array.zip_nd 2 %x, %y
  return
}
